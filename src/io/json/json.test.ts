import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { readJson } from "./json.ts";
import { parseJson } from "./parse.ts";

function show(table: Table): [string, unknown[]][] {
  return [...table.columns].map(([name, column]) => [
    name,
    column.kind === "numeric"
      ? Array.from(column.values, (value) => (Number.isNaN(value) ? null : value))
      : Array.from(column.codes, (code) => column.levels[code] ?? null),
  ]);
}

function fault(text: string | Uint8Array): StatError {
  try {
    readJson(text, { name: "r.json" });
  } catch (error) {
    if (error instanceof StatError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

describe("readJson", () => {
  it("reads records that lack fields, with one level of objects flattened", () => {
    const { table, diagnostics } = readJson(
      '[{"id": 1, "meta": {"lang": "de", "len": 3}}, {"id": 2, "ok": true}, {"meta": {}}]',
    );
    expect(show(table)).toEqual([
      ["id", [1, 2, null]],
      ["meta.lang", ["de", null, null]],
      ["meta.len", [3, null, null]],
      ["ok", [null, "true", null]],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it("makes no column of an object that is sometimes null", () => {
    const { table } = readJson('[{"m": null, "n": null}, {"m": {"a": 1}, "n": {}}, {"n": 5}]');
    expect(show(table)).toEqual([
      ["n", [null, null, 5]],
      ["m.a", [null, 1, null]],
    ]);
  });

  it("reads an object of columns", () => {
    expect(show(readJson('{"a": [1, null], "b": ["x", "y"]}').table)).toEqual([
      ["a", [1, null]],
      ["b", ["x", "y"]],
    ]);
    expect(fault('{"a": [1], "b": [1, 2]}').code).toBe("NotATable");
  });

  it("takes the one list of records in a document and says what it left out", () => {
    const { table, diagnostics } = readJson('{"model": "m", "rows": [{"x": 1}, {"x": 2}]}', { name: "r.json" });
    expect(show(table)).toEqual([["x", [1, 2]]]);
    expect(diagnostics[0]!.message).toBe('r.json: the records were taken from "rows"; left out: model.');
  });

  it("keeps arrays and deeper objects as JSON text, with one note per column", () => {
    const { table, diagnostics } = readJson('[{"tags": ["a", 1]}, {"tags": [], "m": {"d": {"e": 1}}}]');
    expect(show(table)).toEqual([
      ["tags", ['["a",1]', "[]"]],
      ["m.d", [null, '{"e":1}']],
    ]);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "column tags: arrays and deeper objects were kept as JSON text (first in record 1).",
      "column m.d: arrays and deeper objects were kept as JSON text (first in record 2).",
    ]);
  });

  it("keeps integers beyond 2^53 as text, and nothing else", () => {
    const text =
      '[{"id": 9007199254740993, "x": 0.12345678901234567, "t": "id 9007199254740993", "n": -9007199254740993, "e": 1e20}]';
    expect(show(readJson(text).table)).toEqual([
      ["id", ["9007199254740993"]],
      ["x", [0.12345678901234566]],
      ["t", ["id 9007199254740993"]],
      ["n", ["-9007199254740993"]],
      ["e", [1e20]],
    ]);
  });

  it("reads the bare NaN and Infinity of Python outside of strings", () => {
    expect(show(readJson('[{"x": NaN, "y": -Infinity, "z": "NaN \\" NaN"}, {"x": 1}]').table)).toEqual([
      ["x", [null, 1]],
      ["y", [Number.NEGATIVE_INFINITY, null]],
      ["z", ['NaN " NaN', null]],
    ]);
  });

  it("takes inherited names as plain ones", () => {
    const { table } = readJson('[{"__proto__": 1, "constructor": {"toString": "__proto__"}, "hasOwnProperty": 3}]');
    expect(show(table)).toEqual([
      ["__proto__", [1]],
      ["constructor.toString", ["__proto__"]],
      ["hasOwnProperty", [3]],
    ]);
  });

  it("refuses a name that flattening makes twice", () => {
    expect(fault('[{"a.b": 1, "a": {"b": 2}}]').message).toContain('record 1 has "a.b" twice');
  });

  it.each([
    ["7", "r.json: the document is a number, which is not a table."],
    [
      '{"kind":"comparison","version":"0.1.0","warnings":[],"notes":[],"scoreA":0.5,"scoreB":0.6}',
      "r.json: an answer of gosset (comparison), which is not data.",
    ],
    ["[1, 2]", "r.json: element 1 is a number, which is not a table."],
    ['[{"a": 1}, [2]]', "r.json: element 2 is an array, which is not a table."],
    ['{"a": {"0": 1}}', 'r.json: "a" is an object, which is not a table.'],
  ])("refuses %s", (text, message) => expect(fault(text).message).toBe(message));

  it.each([
    ['[{"a": 1},\n {"a" 2}]', 'r.json: line 2, column 7: ":" is expected, but found "2".'],
    ['[{"a": 1}\n\n  {"a": 2}]', 'r.json: line 3, column 3: "," or "]" is expected, but found "{".'],
    ['{"a": [1, 2', 'r.json: line 1, column 12: "," or "]" is expected, but the text ends.'],
    ['{"a": [1, 2]} x', 'r.json: line 1, column 15: the end of the text is expected, but found "x".'],
    ['{"a": tru}', 'r.json: line 1, column 7: a value is expected, but found "t".'],
    ["{'a': 1}", 'r.json: line 1, column 2: a name in double quotes is expected, but found "\'".'],
    ['["a\nb"]', 'r.json: line 1, column 4: an escape such as \\n is expected, but found "\\n".'],
    ['["a\\x"]', 'r.json: line 1, column 5: one of \\ " / b f n r t or u with four digits is expected, but found "x".'],
    ['["😀" 😀]', 'r.json: line 1, column 7: "," or "]" is expected, but found "😀".'],
    ["[1,]", 'r.json: line 1, column 4: a value is expected, but found "]".'],
    ["[01]", 'r.json: line 1, column 3: "," or "]" is expected, but found "1".'],
    ["", "r.json: line 1, column 1: a value is expected, but the text ends."],
    ['["a', "r.json: line 1, column 4: a closing quote is expected, but the text ends."],
  ])("finds the fault in %j", (text, message) => expect(fault(text).message).toBe(message));

  it("reads UTF-8 and UTF-16 with byte order marks and refuses other bytes", () => {
    const text = '[{"a": "ü"}]';
    const utf16 = new Uint8Array([0xff, 0xfe, ...[...text].flatMap((c) => [c.charCodeAt(0), 0])]);
    for (const input of [`\uFEFF${text}`, new TextEncoder().encode(`\uFEFF${text}`), utf16]) {
      expect(show(readJson(input).table)).toEqual([["a", ["ü"]]]);
    }
    expect(fault(Uint8Array.of(0x5b, 0xfc, 0x5d)).code).toBe("InvalidEncoding");
  });
});

describe("parseJson", () => {
  it("equals JSON.parse on every document whose integers are exact", () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 2 }), (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent);
        if (!/\d{16}/.test(spaced)) expect(parseJson(spaced)).toEqual(JSON.parse(spaced));
      }),
    );
  });

  it("gives a value or a StatError for mutilated documents, and a fault within the text", () => {
    const mutilated = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom("", '"', "{", "]", ",", "\\", "NaN", "1", "\n", "99999999999999999"),
    );
    fc.assert(
      fc.property(mutilated, ([text, n, piece]) => {
        const at = n % (text.length + 1);
        const damaged = text.slice(0, at) + piece + text.slice(at + 1);
        try {
          readJson(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(StatError);
          const place = /line (\d+), column (\d+): /.exec((error as StatError).message);
          if (place === null) return;
          const line = damaged.split(/\r\n|\r|\n/)[Number(place[1]) - 1]!;
          expect(Number(place[2])).toBeLessThanOrEqual(line.length + 1);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("tells a document that was cut off anywhere from a faulty one", () => {
    const text = '{"a": [1, -2.5e-3, "x\\u00e9", {"b": null}], "c": true}';
    for (let length = 0; length < text.length; length += 1) {
      const error = fault(text.slice(0, length));
      expect(error.message).toContain(`column ${length + 1}: `);
      expect(error.fix).toContain("the end is missing");
    }
  });

  it("survives deep nesting", () => {
    const deep = "[".repeat(200_000);
    expect(fault(deep).code).toBe("BadJson");
    const closed = `[{"a": ${"[".repeat(200_000)}${"]".repeat(200_000)}}]`;
    expect(fault(closed).code).toBe("NestedTooDeep");
  });

  it("refuses lists of different lengths by name", () => {
    expect(() => readJson('{"a": [], "b": ["x", "y"]}', { name: "r.json" })).toThrow(
      'r.json: "a" lists 0 values and "b" lists 2, which is not a table.',
    );
  });
});
