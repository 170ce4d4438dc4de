/** What a design takes from its data: responses, levels, weights and offsets, missing rows, new tables. */
import { describe, expect, it } from "vitest";
import { errorOf, tables } from "../../test/support/design.ts";
import {
  asFactor,
  type Column,
  factorColumn,
  makeTable,
  numericColumn,
  selectRows,
  withColumn,
} from "../data/table.ts";
import { buildDesign, makeDesign, noteDropped } from "./design.ts";
import { parseFormula } from "./parse/parse.ts";
import { binomialResponse } from "./response.ts";
import { learnSchema, type SchemaOptions } from "./schema.ts";

describe("responses", () => {
  it("a factor gives its codes, and success is not the first level", () => {
    const design = buildDesign("f ~ x", tables.gaps);
    expect(design.schema.response).toEqual({ kind: "factor", levels: ["p", "q", "r"], ordered: false });
    const f = tables.gaps.columns.get("f") as Column & { kind: "factor" };
    expect([...design.y]).toEqual(Array.from(design.rowsUsed, (row) => f.codes[row]!));
    const binary = binomialResponse(design, design.schema.response!);
    expect([...binary.y]).toEqual(Array.from(design.y, (code) => (code > 0 ? 1 : 0)));
    expect(new Set(binary.trials)).toEqual(new Set([1]));
  });

  it("cbind(s, f) gives proportions and trials, and 0 of 0 is 0", () => {
    const table = makeTable([
      ["s", numericColumn([3, 0, 5])],
      ["f", numericColumn([1, 0, 5])],
    ]);
    const design = buildDesign("cbind(s, f) ~ 1", table);
    expect([...design.y]).toEqual([0.75, 0, 0.5]);
    expect([...design.trials!]).toEqual([4, 0, 10]);
    expect(binomialResponse(design, design.schema.response!).trials).toBe(design.trials);
    expect(errorOf(() => buildDesign("cbind(s, -f) ~ 1", table)).code).toBe("BadCount");
    expect(errorOf(() => buildDesign("cbind(s, f, s) ~ 1", table)).message).toContain("3 column(s)");
  });

  it("a condition is 0 and 1; numbers of a binomial lie between", () => {
    const design = buildDesign("y > 0 ~ 1", tables.full);
    expect(new Set(design.y)).toEqual(new Set([0, 1]));
    expect(errorOf(() => binomialResponse(buildDesign("x ~ 1", tables.full), { kind: "numeric" })).code).toBe(
      "NotAProportion",
    );
  });

  it("a one-sided formula has none", () => {
    const design = buildDesign("~ x", tables.full);
    expect(design.schema.response).toBeUndefined();
    expect(design.y.every(Number.isNaN)).toBe(true);
  });
});

describe("options", () => {
  it("levels, reference and order are the user's", () => {
    const names = (formula: string, options: SchemaOptions): readonly string[] =>
      buildDesign(formula, tables.full, options).names.slice(1);
    expect(names("y ~ f", { levels: { f: ["r", "p", "q"] } })).toEqual(["fp", "fq"]);
    expect(names("y ~ f", { reference: new Map([["f", "q"]]) })).toEqual(["fp", "fr"]);
    expect(names("y ~ n", { factors: ["n"] })).toEqual(["n2", "n10"]);
    expect(names("y ~ n", { ordered: ["n"] })).toEqual(["n.L", "n.Q"]);
    expect(names("y ~ f", { ordered: { f: ["q", "p", "r"] } })).toEqual(["f.L", "f.Q"]);
    expect(names("y ~ factor(n) + f", { contrasts: { n: "sum" } })).toEqual(["factor(n)1", "factor(n)2", "fq", "fr"]);
    expect(names("y ~ factor(n) + f", { contrasts: { "factor(n)": "helmert" } })[0]).toBe("factor(n)1");
    expect(names("y ~ f + o", { contrasts: "sum" })).toEqual(["f1", "f2", "o.L", "o.Q", "o.C"]);
  });

  it("wrong options are named", () => {
    const error = (options: SchemaOptions): string => errorOf(() => buildDesign("y ~ f", tables.full, options)).message;
    expect(error({ levels: { f: ["p", "q"] } })).toContain('column "f": row 17 has "r"');
    expect(error({ reference: { f: "z" } })).toContain('"z"');
    expect(error({ factors: ["ff"] })).toContain('no column "ff"');
    expect(error({ contrasts: { h: "sum" } })).toContain('"h", which the formula does not use');
  });

  it("weights and offsets come by name, expression or vector, and add up", () => {
    const design = buildDesign("y ~ offset(x)", tables.full, { weights: "w", offset: "z / 2" });
    const [w, x, z] = ["w", "x", "z"].map((name) => (tables.full.columns.get(name) as { values: Float64Array }).values);
    expect(design.weights).toEqual(w);
    expect(design.offset).toEqual(x!.map((value, i) => value + z![i]! / 2));
    const vector = makeDesign(design.schema, tables.full, { offset: w!, weights: x! });
    expect(vector.weights).toEqual(x);
    expect(vector.offset).toEqual(x!.map((value, i) => value + w![i]!));
    expect(makeDesign(design.schema, tables.full, { response: false }).weights).toBeUndefined();
    expect(errorOf(() => buildDesign("y ~ 1", tables.full, { weights: "y" })).code).toBe("BadWeight");
    expect(errorOf(() => makeDesign(design.schema, tables.full, { weights: w!.subarray(1) })).code).toBe(
      "UnequalLength",
    );
    expect(errorOf(() => buildDesign("y ~ offset(log(x * 0))", tables.full)).code).toBe("NotFinite");
  });

  it("a missing weight drops its row, and the levels only found there", () => {
    const table = makeTable([
      ["y", numericColumn([1, 2, 3, 4, 5])],
      ["f", factorColumn(["a", "b", "a", "b", "c"])],
      ["my w", numericColumn([1, 1, 1, 1, null])],
    ]);
    const design = buildDesign("y ~ f", table, { weights: "my w" });
    expect(design.names).toEqual(["(Intercept)", "fb"]);
    expect(design.dropped.byVariable).toEqual(new Map([["my w", 1]]));
  });
});

describe("missing and new data", () => {
  it("rows are dropped and counted per variable", () => {
    const design = buildDesign("y ~ x + z + (1 | g)", tables.gaps);
    expect(design.dropped.rows).toBe(5);
    expect([...design.dropped.byVariable]).toEqual([
      ["y", 1],
      ["x", 2],
      ["z", 2],
      ["g", 1],
    ]);
    expect(noteDropped(design)[0]!.message).toBe("5 of 24 rows dropped for missing values (y 1, x 2, z 2, g 1).");
    expect(noteDropped(buildDesign("y ~ x", tables.full))).toEqual([]);
  });

  it("no row left is an error that says why", () => {
    const table = withColumn(tables.full, "x", numericColumn(new Float64Array(24).fill(Number.NaN)));
    expect(errorOf(() => buildDesign("y ~ x", table)).message).toBe("none of the 24 rows is complete; missing: x 24.");
    const empty = selectRows(tables.full, Int32Array.of());
    expect(errorOf(() => buildDesign("y ~ x", empty)).message).toBe("the table has no rows.");
  });

  it("a factor with one level is an error that names it", () => {
    const table = withColumn(tables.full, "f", factorColumn(new Array(24).fill("only")));
    expect(errorOf(() => buildDesign("y ~ x + f", table)).message).toContain(
      'the factor f has a single level ("only")',
    );
    expect(errorOf(() => buildDesign("y ~ (f | g)", table)).code).toBe("OneLevel");
    expect(buildDesign("y ~ (1 | f)", table).random[0]!.levels).toEqual(["only"]);
  });

  it("an unknown level is named with column, row and known levels", () => {
    const schema = learnSchema(parseFormula("y ~ f + (1 | g)"), tables.full);
    const strange = withColumn(tables.new, "f", factorColumn(["p", "pp", "r"]));
    const error = errorOf(() => makeDesign(schema, strange, { response: false }));
    expect(error.message).toBe(`f is "pp" in row 2, a level that the model has not seen (levels: p, q, r).`);
    expect(error.fix).toContain('did you mean "p"');
    const newGroup = withColumn(tables.new, "g", factorColumn(["g1", "g9", "g2"]));
    expect(errorOf(() => makeDesign(schema, newGroup, { response: false })).message).toContain('g is "g9" in row 2');
    const allowed = makeDesign(schema, newGroup, { response: false, newGroups: "allow" });
    expect([...allowed.random[0]!.index]).toEqual([0, -1, 1]);
    expect(makeDesign(schema, newGroup, { response: false, random: false }).random).toEqual([]);
  });

  it("an unseen combination of seen levels is a new group", () => {
    const table = makeTable([
      ["y", numericColumn([1, 2, 3])],
      ["a", factorColumn(["a1", "a1", "a2"])],
      ["b", factorColumn(["b1", "b2", "b1"])],
    ]);
    const schema = learnSchema(parseFormula("y ~ (1 | a:b)"), table);
    expect(schema.groups.get("a:b")!.levels).toEqual(["a1:b1", "a1:b2", "a2:b1"]);
    const fresh = makeTable([
      ["a", factorColumn(["a2", "a2"])],
      ["b", factorColumn(["b1", "b2"])],
    ]);
    expect(errorOf(() => makeDesign(schema, fresh, { response: false })).message).toContain('a:b is "a2:b2" in row 2');
    expect([...makeDesign(schema, fresh, { response: false, newGroups: "allow" }).random[0]!.index]).toEqual([2, -1]);
  });

  it("an unknown level in a row that is dropped anyway is no error", () => {
    const schema = learnSchema(parseFormula("y ~ f + x"), tables.full);
    const strange = withColumn(
      withColumn(tables.new, "f", factorColumn(["p", "new", "r"])),
      "x",
      numericColumn([1, null, 2]),
    );
    expect([...makeDesign(schema, strange, { response: false }).rowsUsed]).toEqual([0, 2]);
  });

  it("columns may change their kind between files, not their meaning", () => {
    const schema = learnSchema(parseFormula("y ~ n + x"), tables.full, { factors: ["n"] });
    const design = makeDesign(schema, tables.new, { response: false });
    expect(design.names).toEqual(["(Intercept)", "n2", "n10", "x"]);
    const textual = withColumn(tables.new, "x", asFactor(tables.new.columns.get("x")!));
    expect(makeDesign(schema, textual, { response: false }).X).toEqual(design.X);
    const words = withColumn(tables.new, "x", factorColumn(["1", "two", "3"]));
    expect(errorOf(() => makeDesign(schema, words, { response: false })).message).toContain('"two" in row 2');
  });

  it("nested learning functions keep the old data's numbers", () => {
    const schema = learnSchema(parseFormula("y ~ I(scale(x)^2) + I(z - mean(z))"), tables.full);
    const old = makeDesign(schema, tables.full);
    const part = selectRows(tables.full, Int32Array.of(4, 7));
    const again = makeDesign(schema, part);
    for (let j = 0; j < 3; j += 1) {
      expect(again.X.data[j * 2]).toBe(old.X.data[j * 24 + 4]);
      expect(again.X.data[j * 2 + 1]).toBe(old.X.data[j * 24 + 7]);
    }
  });

  it("infinite values are named", () => {
    const table = withColumn(tables.full, "x", numericColumn(Float64Array.from({ length: 24 }, (_, i) => i)));
    expect(errorOf(() => buildDesign("y ~ log(x)", table)).message).toBe("log(x) is -Infinity in row 1.");
    expect(errorOf(() => buildDesign("log(x) ~ y", table)).message).toContain(
      "the response log(x) is -Infinity in row 1",
    );
    expect(errorOf(() => buildDesign("y ~ (log(x) | g)", table)).code).toBe("NotFinite");
  });

  it("an unknown column is pointed at in the formula", () => {
    const error = errorOf(() => buildDesign("y ~ x + ff:h", tables.full));
    expect(error.code).toBe("UnknownColumn");
    expect(error.message.split("\n").slice(1)).toEqual(["    y ~ x + ff:h", "            ^"]);
  });
});
