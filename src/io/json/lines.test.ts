import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StatError } from "../../result/error.ts";
import { readJson } from "./json.ts";
import { createJsonlReader, type JsonlOptions, readJsonl } from "./lines.ts";

function fault(input: string | Uint8Array, options: JsonlOptions = { name: "r.jsonl" }): StatError {
  try {
    readJsonl(input, options);
  } catch (error) {
    if (error instanceof StatError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

describe("readJsonl", () => {
  it("equals readJson on the same records, however the bytes are cut", () => {
    const value = fc.oneof(
      fc.integer(),
      fc.string({ unit: "grapheme" }),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.nat()),
    );
    const record = fc.dictionary(fc.constantFrom("a", "b", "__proto__", "constructor", "ü"), value);
    fc.assert(
      fc.property(
        fc.array(record),
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom("\n", "\r\n", "\n\n"),
        (records, size, end) => {
          const bytes = new TextEncoder().encode(records.map((each) => JSON.stringify(each)).join(end));
          const reader = createJsonlReader();
          for (let at = 0; at < bytes.length; at += size) reader.push(bytes.slice(at, at + size));
          expect(reader.finish().table).toEqual(readJson(JSON.stringify(records)).table);
        },
      ),
    );
  });

  it("allows blank lines, byte order marks and UTF-16", () => {
    const text = '{"a": "é"}\n\n  \n{"a": "y"}\n';
    const utf16 = new Uint8Array([0xfe, 0xff, ...[...text].flatMap((c) => [0, c.charCodeAt(0)])]);
    for (const input of [text, `\uFEFF${text}`, utf16]) {
      expect(readJsonl(input).table.columns.get("a")).toMatchObject({ levels: ["y", "é"], codes: Int32Array.of(1, 0) });
    }
  });

  it("names the line of a syntax error and of a line that is no record", () => {
    expect(fault('{"a": 1}\n\n{"a": 2,}\n').message).toBe(
      'r.jsonl: line 3, column 9: a name in double quotes is expected, but found "}".',
    );
    expect(fault('{"a": 1}\n[1]\n').message).toBe("r.jsonl, line 2: an array, not a record.");
    expect(fault('{"a": 1}\n{"a.b": 1, "a": {"b": 2}}\n').message).toContain('line 2 has "a.b" twice');
    expect(fault(Uint8Array.of(0x7b, 0x7d, 0x0a, 0xff)).code).toBe("InvalidEncoding");
  });

  it("leaves faulty lines out when told so, and counts them", () => {
    const { table, diagnostics } = readJsonl('{"a": 1}\nnonsense\n[2]\n{"a": 3}\n{"a": 4', { badRows: "skip" });
    expect(table.columns.get("a")).toEqual({ kind: "numeric", values: Float64Array.of(1, 3) });
    expect(diagnostics[0]!.message).toBe("3 faulty lines were left out (lines 2, 3, 5).");
  });

  it("reads a line far larger than a chunk in reasonable steps", () => {
    const bytes = new TextEncoder().encode(`{"a": "${"x".repeat(300_000)}"}\n`);
    const reader = createJsonlReader();
    for (let at = 0; at < bytes.length; at += 100) reader.push(bytes.subarray(at, at + 100));
    expect(reader.finish().table.rows).toBe(1);
  });

  it("gives a table or a StatError for random bytes and mutilated lines", () => {
    const piece = fc.constantFrom('{"a":', "1", "}", "\n", '"', "[", "]", ",", "NaN", '{"a":1}', "\0", "\uFEFF", "é");
    const text = fc.array(piece).map((parts) => new TextEncoder().encode(parts.join("")));
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array(), text),
        fc.constantFrom("error" as const, "skip" as const),
        (bytes, badRows) => {
          try {
            readJsonl(bytes, { badRows });
          } catch (error) {
            expect(error).toBeInstanceOf(StatError);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
