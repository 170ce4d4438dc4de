import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import { pivotLonger } from "../../data/reshape.ts";
import { factorColumn, makeTable, numericColumn, withColumn } from "../../data/table.ts";
import { reviveResult } from "../../result/result.ts";
import { measureReliability } from "./generalizability.ts";

const reference = readReference("reliability.json");

describe("raters nested in items", () => {
  it.each(reference.cases.filter(({ id }) => id.startsWith("icc1")))("$id", ({ input, expected: e }) => {
    const table = referenceTable(reference, input["data"] as string);
    const own = measureReliability(table, { score: "score", object: "item", facets: ["rater"], intervals: "none" });
    expectClose([own.oneWay!.icc1, own.oneWay!.icc1k, own.oneWay!.k0], [e.icc1, e.icc1k, e.k0], { tolerance: 1e-10 });
    expect(own.facets).toEqual(["rater"]);
    expect(own.diagnostics.map(({ code }) => code)).toContain("OneScoreEach");
    // REML is the analysis of variance where every item has as many ratings and the estimate is positive
    if (e.k0 === Math.round(e.k0)) {
      expectClose(
        own.components.map(({ variance }) => variance),
        [e.variance_item, e.variance_within],
        { tolerance: 1e-6 },
      );
      expectClose([own.phi.value, own.observed.value], [e.icc1, e.icc1k], { tolerance: 1e-6 });
    }
    // nobody need name the raters
    const unnamed = measureReliability(table, { score: "score", object: "item", facets: [], intervals: "none" });
    expect(unnamed.phi.value).toBe(own.phi.value);
    expect(unnamed.facets).toEqual(["repeat"]);
  });

  it("φ of several ratings is Spearman and Brown's step up of φ of one", () => {
    const table = referenceTable(reference, "nested1");
    const own = measureReliability(table, {
      score: "score",
      object: "item",
      facets: ["rater"],
      intervals: "none",
      numbers: { rater: [1, 4] },
      target: 0.9,
    });
    const [one, four] = own.whatIf.map(({ phi }) => phi);
    expect(four).toBeCloseTo((4 * one!) / (1 + 3 * one!), 12);
    expect(own.cheapest!.n["rater"]).toBe(Math.ceil((0.9 * (1 - one!)) / (one! * 0.1)));
    expect(reviveResult(JSON.parse(JSON.stringify(own))).toString()).toBe(own.toString());
  });

  it("says in the user's words what cannot be told apart", () => {
    const ids = factorColumn(["a", "b", "c", "d"]);
    const table = makeTable([
      ["item", ids],
      ["rater", factorColumn(["r", "r", "s", "s"])],
      ["score", numericColumn([1, 2, 3, 4])],
      ["who", ids],
    ]);
    expect(() => measureReliability(table, { score: "score", object: "item", facets: ["rater"] })).toThrow(
      /every item has one score/,
    );
    expect(() => measureReliability(table, { score: "score", facets: ["who"] })).toThrow(/every who has one score/);
    expect(() => measureReliability(table, { score: "score", facets: [] })).toThrow(/neither an object/);
  });
});

describe("one crossed facet", () => {
  it.each(reference.cases.filter(({ id }) => id.startsWith("alpha")))(
    "$id: α is the relative coefficient of the mean",
    ({ input, expected: e }) => {
      const wide = referenceTable(reference, input["data"] as string);
      const columns = [...wide.columns.keys()];
      const long = pivotLonger(withColumn(wide, "row", numericColumn(Array.from({ length: wide.rows }, (_, i) => i))), {
        columns,
        namesTo: "q",
        valuesTo: "y",
      });
      const own = measureReliability(long, {
        score: "y",
        object: "row",
        facets: ["q"],
        intervals: "none",
        numbers: { q: [columns.length] },
      });
      expectClose([own.consistency!.alpha, own.consistency!.lambda6], [e.alpha, e.lambda6], { tolerance: 1e-10 });
      expect(own.consistency!.items.map(({ name }) => name)).toEqual(columns);
      // REML holds the variance of q at 0 or above, which leaves the relative coefficient as it is unless that is the border
      if (own.components[1]!.variance > 0) expect(own.whatIf[0]!.relative).toBeCloseTo(e.alpha, 6);
    },
  );
});
