import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { note, warning } from "./diagnostic.ts";
import { StatError } from "./error.ts";
import { decodeJson, encodeJson } from "./json.ts";
import type { Result, ResultFields } from "./result.ts";
import { makeResult, reviveResult } from "./result.ts";
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
    const revived = reviveResult<Result<"test"> & typeof FIELDS>(JSON.stringify(makeTest()));
    expect(revived).toEqual(makeTest());
    expect(Object.is(revived.effect.zero, -0)).toBe(true);
    expect(revived.draws).toBeInstanceOf(Float64Array);
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
      warnings: ["only 4 items."],
      p: 0.0123,
    });
    expect(json.effect).toEqual({ value: "NaN", lower: "-Infinity", upper: "Infinity", zero: "-0" });
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
    const revived = reviveResult<typeof outer>(JSON.stringify(outer));
    expect(revived.parts[0]!.toString()).toBe(TEXT);
    expect(encodeJson(outer, { plain: true })).toMatchObject({
      kind: "report",
      parts: [{ kind: "test", codes: [-1, 2] }],
    });
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
    for (const key of ["kind", "version", "warnings", "seed", "display", "toJSON"]) {
      const fields = { signature: FIELDS.signature, diagnostics: [], [key]: 1 } as ResultFields;
      expect(() => makeResult("x", fields, () => ({ title: "", tables: [], notes: [] }))).toThrow(
        /cannot have a field/,
      );
    }
  });
});

describe("stored results", () => {
  it("a result of an older version with unknown keys still reads and prints", () => {
    const stored = `{"kind":"test","version":"0.0.3","warnings":[],"p":"NaN","later":{"$type":"Map","entries":[["a",1]]},
      "signature":{"method":"m","version":"0.0.3","options":{},"data":"d"},"diagnostics":[],
      "display":{"title":"Old","tables":[{"head":["p"],"rows":[["NaN"]]}],"notes":[]}}`;
    const revived = reviveResult<Result<"test"> & { p: number; later: Map<string, number> }>(stored);
    expect(revived.p).toBeNaN();
    expect(revived.later.get("a")).toBe(1);
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
    "~~-0",
    "Infinity",
    "-Infinity",
    "-0",
    "~",
    "$type",
    "__proto__",
    "constructor",
  );
  const key = fc.oneof(
    special,
    fc.constantFrom("$$type", "values", "entries", "toString", "hasOwnProperty"),
    fc.string(),
  );
  const number = fc.oneof(fc.double(), fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY, 5e-324));
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      special,
      fc.string(),
      number,
      fc.boolean(),
      fc.constant(null),
      fc.bigInt(),
      tie("list"),
      tie("record"),
      tie("map"),
      tie("typed"),
    ),
    list: fc.array(fc.oneof(tie("any"), fc.constant(undefined)), { maxLength: 4 }),
    record: fc.array(fc.tuple(key, tie("any")), { maxLength: 4 }).map((entries) => {
      const record = {};
      for (const [name, item] of entries) {
        Object.defineProperty(record, name, { value: item, enumerable: true, configurable: true, writable: true });
      }
      return record;
    }),
    map: fc.oneof(
      fc
        .array(fc.tuple(tie("any"), tie("any")), { maxLength: 3 })
        .map((entries) => new Map(entries as [unknown, unknown][])),
      fc.array(special, { maxLength: 3 }).map((items) => new Set(items)),
    ),
    typed: fc.oneof(
      fc.array(number, { maxLength: 4 }).map((items) => Float64Array.from(items)),
      fc.array(fc.integer(), { maxLength: 4 }).map((items) => Int32Array.from(items)),
      fc.array(fc.nat(255), { maxLength: 4 }).map((items) => Uint8Array.from(items)),
    ),
  })).any;

  it("every value comes back as it was", () => {
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

  it("plain form: lists and objects only", () => {
    const mixed = {
      theta: Float64Array.of(1, Number.NaN),
      map: new Map([["a", 1]]),
      set: new Set([2]),
      text: "NaN",
      skip: undefined,
    };
    expect(encodeJson(mixed, { plain: true })).toEqual({ theta: [1, "NaN"], map: { a: 1 }, set: [2], text: "NaN" });
  });

  it("what cannot be written is refused, with its place", () => {
    const cycle: Record<string, unknown> = {};
    cycle["inner"] = [cycle];
    expect(() => encodeJson(cycle)).toThrow(/contains itself \(at inner\.0\)/);
    expect(() => encodeJson({ a: { f: () => 1 } })).toThrow(/a function \(at a\.f\)/);
    expect(() => encodeJson([new Date(0)])).toThrow(/a Date \(at 0\)/);
    expect(() => encodeJson(Symbol("s"))).toThrow(/at the top/);
    expect(() => encodeJson(new Map([[{}, 1]]), { plain: true })).toThrow(/objects as keys/);
    expect(() => decodeJson({ $type: "Tensor", values: [] })).toThrow(/"Tensor"/);
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
