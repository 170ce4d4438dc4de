import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { note, warning } from "./diagnostic.ts";
import { StatError } from "./error.ts";
import { decodeJson, encodeJson } from "./json-values.ts";
import type { JsonOf, Result, ResultFields, ResultJson } from "./result.ts";
import { addToResult, makeResult, reviveResult } from "./result.ts";
import { GOSSET_VERSION } from "./version.ts";

const FIELDS = {
  signature: { method: "t-test", version: GOSSET_VERSION, options: { alpha: 0.05 }, data: "abc", seed: "42" },
  diagnostics: [warning("FewItems", "only 4 items.", "collect more."), note("Ties", "2 ties.", "")],
  p: 0.0123,
  effect: { value: Number.NaN, lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY, zero: -0 },
  draws: Float64Array.of(1.5, Number.NaN, -0, Number.NEGATIVE_INFINITY),
  codes: Int32Array.of(-1, 2),
  levels: new Map<string, unknown>([
    ["__proto__", 1],
    ["NaN", new Map([[1, "Infinity"]])],
  ]),
};

const makeTest = (): Result<"test"> & typeof FIELDS =>
  makeResult("test", FIELDS, (fields) => ({
    title: "Paired t-test",
    tables: [{ head: ["effect", "p"], formats: ["number", "p"], rows: [[fields.effect.value, fields.p]] }],
    notes: ["Two-sided."],
  }));

const TEXT = `Paired t-test

effect       p
--------------
     –  0.0123

Two-sided.

Warning: only 4 items.
  Fix: collect more.
Note: 2 ties.`;

describe("a result", () => {
  it("prints its display with the diagnostics under it", () => {
    expect(makeTest().toString()).toBe(TEXT);
    expect(`${makeTest()}`).toBe(TEXT);
  });

  it("survives JSON: same fields, same print", () => {
    const revived = reviveResult<JsonOf<Result<"test"> & typeof FIELDS>>(JSON.stringify(makeTest()));
    const { p, effect, signature, diagnostics } = FIELDS;
    expect(revived).toMatchObject({ kind: "test", p, effect: { ...effect, zero: 0 }, signature, diagnostics });
    expect(revived.draws).toEqual([1.5, Number.NaN, 0, Number.NEGATIVE_INFINITY]);
    expect(revived.levels).toEqual(JSON.parse('{"__proto__": 1, "NaN": {"1": "Infinity"}}'));
    expect(revived.toString()).toBe(TEXT);
    expect(revived.display()).toEqual(makeTest().display());
    expect(JSON.stringify(revived)).toBe(JSON.stringify(makeTest()));
  });

  it("writes what a command prints: kind, version, seed, warnings, and no bare NaN", () => {
    const json = JSON.parse(JSON.stringify(makeTest()));
    expect(json).toMatchObject({
      kind: "test",
      version: GOSSET_VERSION,
      seed: "42",
      command: [],
      warnings: ["Only 4 items. Collect more."],
      notes: ["2 ties."],
      assumed: [],
      p: 0.0123,
    });
    expect(json.effect).toEqual({ value: "NaN", lower: "-Infinity", upper: "Infinity", zero: 0 });
  });

  it("is plain data but for its methods, which a structured clone leaves out", () => {
    const clone = structuredClone(makeTest());
    expect(clone).toEqual({ kind: "test", ...FIELDS });
    expect(structuredClone(makeTest().toJSON())).toEqual(makeTest().toJSON());
  });

  it("may hold other results", () => {
    const outer = makeResult("report", { signature: FIELDS.signature, diagnostics: [], parts: [makeTest()] }, () => ({
      title: "Report",
      tables: [],
      notes: [],
    }));
    const { command: _, assumed: __, diagnostics: ___, display: ____, ...own } = makeTest().toJSON() as ResultJson;
    expect(JSON.parse(JSON.stringify(outer)).parts).toEqual([own]);
    expect(reviveResult(JSON.stringify(outer)).toString()).toBe(outer.toString());
  });

  it("publishes what its presentation says, and its own fields otherwise", () => {
    const fields = { signature: FIELDS.signature, diagnostics: [], inner: Float64Array.of(1, 2), assumptions: ["so"] };
    const display = () => ({ title: "x", tables: [], notes: [] });
    const plain = makeResult("x", fields, display);
    const named = makeResult("x", fields, { display, json: ({ inner }) => ({ outer: inner }) });
    expect(plain.toJSON()).toMatchObject({ inner: [1, 2], assumptions: ["so"], assumed: ["so"] });
    expect(named.toJSON()).toMatchObject({ outer: [1, 2], assumed: [] });
    expect(named.toJSON()).not.toHaveProperty("inner");
    const metric = makeResult("x", fields, { display, json: () => ({ signature: "of the metric" }) });
    expect(metric.toJSON()).toMatchObject({ signature: "of the metric", run: { method: "t-test" } });
  });

  it("takes on what is known around it, in print and in JSON", () => {
    const whole = addToResult(makeTest(), {
      command: ["gosset", "test"],
      where: ["x > 1"],
      mutate: [],
      assumed: ["one item a row"],
      reading: [note("Read", "3 rows lack a value.", "")],
      diagnostics: [warning("Late", "too late.", "be early.")],
      summary: ["First: x."],
      tables: [{ head: ["more"], rows: [[Number.NaN]] }],
      notes: ["And so on."],
      published: { more: Number.NaN },
    });
    expect(whole.p).toBe(0.0123);
    expect(whole.toJSON()).toMatchObject({
      command: ["gosset", "test"],
      signature: { method: "t-test", where: ["x > 1"] },
      warnings: ["Only 4 items. Collect more.", "Too late. Be early."],
      notes: ["3 rows lack a value.", "2 ties."],
      assumed: ["one item a row"],
      more: "NaN",
      p: 0.0123,
    });
    expect(whole.signature).not.toHaveProperty("mutate");
    expect(whole.display()).toMatchObject({ summary: ["First: x."], notes: ["Two-sided.", "And so on."] });
    const revived = reviveResult(JSON.stringify(whole));
    expect(revived.toString()).toBe(whole.toString());
    expect(revived.command).toEqual(["gosset", "test"]);
    expect(makeTest().toString()).toBe(TEXT);
  });

  it("computes its display once, when asked", () => {
    let calls = 0;
    const result = makeResult("x", { signature: FIELDS.signature, diagnostics: [] }, () => {
      calls += 1;
      return { title: "x", tables: [], notes: [] };
    });
    expect(calls).toBe(0);
    result.toString();
    result.toJSON();
    expect(calls).toBe(1);
  });

  it("refuses fields that the JSON form needs itself", () => {
    for (const key of ["kind", "version", "command", "warnings", "notes", "assumed", "seed", "display", "toJSON"]) {
      const fields = { signature: FIELDS.signature, diagnostics: [], [key]: 1 } as ResultFields;
      expect(() => makeResult("x", fields, () => ({ title: "", tables: [], notes: [] }))).toThrow(
        /cannot have a field/,
      );
    }
  });
});

describe("stored results", () => {
  it("a result of an older version with unknown keys still reads and prints", () => {
    const stored = `{"kind":"test","version":"0.0.3","warnings":[],"p":"NaN","later":{"a":1},
      "signature":{"method":"m","version":"0.0.3","options":{},"data":"d"},"diagnostics":[],
      "display":{"title":"Old","tables":[{"head":["p"],"rows":[["NaN"]]}],"notes":[]}}`;
    const revived = reviveResult<ResultJson<"test"> & { p: number; later: { a: number } }>(stored);
    expect(revived.p).toBeNaN();
    expect(revived.later.a).toBe(1);
    expect(revived.signature.version).toBe("0.0.3");
    expect(revived.toString()).toBe("Old\n\np\n-\n–");
  });

  it("what is no result is refused with a reason", () => {
    for (const json of ["{", "[]", "null", 3, {}, { kind: "x", signature: {}, diagnostics: [], display: {} }]) {
      expect(() => reviveResult(json)).toThrow(StatError);
    }
  });

  it("the version is the package's", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(GOSSET_VERSION).toBe(version);
  });
});

describe("JSON values", () => {
  const special = fc.constantFrom(
    "NaN",
    "~NaN",
    "~~Infinity",
    "Infinity",
    "-Infinity",
    "~",
    "__proto__",
    "constructor",
  );
  const key = fc.oneof(special, fc.constantFrom("values", "toString", "hasOwnProperty"), fc.string());
  const number = fc.oneof(
    fc.double().map((x) => (x === 0 ? 0 : x)),
    fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 5e-324),
  );
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      special,
      fc.string(),
      number,
      fc.boolean(),
      fc.constant(null),
      tie("list"),
      tie("record"),
    ),
    list: fc.array(tie("any"), { maxLength: 4 }),
    record: fc.array(fc.tuple(key, tie("any")), { maxLength: 4 }).map((entries) => {
      const record = {};
      for (const [name, item] of entries) {
        Object.defineProperty(record, name, { value: item, enumerable: true, configurable: true, writable: true });
      }
      return record;
    }),
  })).any;

  it("every value of numbers, texts, lists and records comes back as it was", () => {
    fc.assert(
      fc.property(value, (original) => {
        const back = decodeJson(JSON.parse(JSON.stringify(encodeJson(original))));
        expect(isDeepStrictEqual(back, original)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it("a key __proto__ neither changes a prototype nor gets lost", () => {
    const hostile = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}');
    const back = decodeJson(encodeJson(hostile)) as Record<string, unknown>;
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    expect(Object.keys(back)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    const result = makeResult("x", { signature: FIELDS.signature, diagnostics: [], ...hostile }, () => ({
      title: "",
      tables: [],
      notes: [],
    }));
    expect(Object.keys(reviveResult(JSON.stringify(result)))).toContain("__proto__");
  });

  it("what JSON lacks: typed arrays and sets are lists, maps are objects, -0 is 0, undefined is left out", () => {
    const mixed = {
      theta: Float64Array.of(1, Number.NaN, -0),
      map: new Map([["a", 1]]),
      set: new Set([2]),
      text: "NaN",
      skip: undefined,
    };
    const json = JSON.stringify(encodeJson(mixed));
    expect(json).toBe('{"theta":[1,"NaN",0],"map":{"a":1},"set":[2],"text":"~NaN"}');
    expect(decodeJson(JSON.parse(json))).toEqual({ theta: [1, Number.NaN, 0], map: { a: 1 }, set: [2], text: "NaN" });
  });

  it("what cannot be written is refused, with its place", () => {
    const cycle: Record<string, unknown> = {};
    cycle["inner"] = [cycle];
    expect(() => encodeJson(cycle)).toThrow(/contains itself \(at inner\.0\)/);
    expect(() => encodeJson({ a: { f: () => 1 } })).toThrow(/a function \(at a\.f\)/);
    expect(() => encodeJson([new Date(0)])).toThrow(/a Date \(at 0\)/);
    expect(() => encodeJson(Symbol("s"))).toThrow(/at the top/);
    expect(() => encodeJson(new Map([[{}, 1]]))).toThrow(/objects as keys/);
    expect(() => encodeJson(1n)).toThrow(/a bigint/);
    const shared = { x: 1 };
    expect(encodeJson([shared, shared])).toEqual([{ x: 1 }, { x: 1 }]);
  });
});

describe("StatError", () => {
  it("prints the fault, then the way out", () => {
    const error = new StatError("UnknownColumn", 'no column "sytem".', 'did you mean "system"?');
    expect(String(error)).toBe('UnknownColumn: no column "sytem".\n  Fix: did you mean "system"?');
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe('no column "sytem".');
  });
});

it("a stored result nested a hundred thousand levels deep is refused, which was an internal error", () => {
  const whole = JSON.stringify(makeTest());
  const deep = (levels: number): string => `${whole.slice(0, -1)},"more":${"[".repeat(levels)}${"]".repeat(levels)}}`;
  expect(() => reviveResult(deep(100_000))).toThrow(
    "this JSON is not a stored result: its lists or objects are nested too deeply.",
  );
  expect(() => reviveResult(deep(100))).not.toThrow();
});
