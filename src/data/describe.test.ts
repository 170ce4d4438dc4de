import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeTable, type FactorSummary, type NumericSummary } from "./describe.ts";
import { factorColumn, makeTable, numericColumn } from "./table.ts";

const oracle = JSON.parse(readFileSync(new URL("../../oracle/r/table-operations.json", import.meta.url), "utf8")) as {
  describe: { quantiles: string[]; mean: string; sd: string };
};

function summary(
  column: Parameters<typeof makeTable>[0] extends Iterable<readonly [string, infer C]> ? C : never,
  top = 10,
) {
  return describeTable(makeTable([["x", column]]), { top })[0]!;
}

describe("describeTable", () => {
  it("agrees with R's quantile, mean and sd", () => {
    const x = numericColumn([3.25, Number.NaN, -1.5, 1e6 + 0.1, 7, 7, 0.001, 2, Number.NaN, 12.75]);
    const found = summary(x) as NumericSummary;
    const expected = [...oracle.describe.quantiles, oracle.describe.mean, oracle.describe.sd].map(Number);
    [found.min, found.q1, found.median, found.q3, found.max, found.mean, found.sd].forEach((value, i) => {
      expect(Math.abs(value / expected[i]! - 1)).toBeLessThan(4e-16);
    });
    expect(found).toMatchObject({ n: 8, missing: 2, distinct: 7, constant: false, integer: false });
  });

  it("tells constants, integers and emptiness", () => {
    expect(summary(numericColumn([2, 2, Number.NaN]))).toMatchObject({
      constant: true,
      integer: true,
      sd: 0,
      distinct: 1,
    });
    expect(summary(numericColumn([]))).toMatchObject({
      n: 0,
      constant: true,
      integer: false,
      mean: NaN,
      median: NaN,
      sd: NaN,
    });
    expect(summary(numericColumn([5]))).toMatchObject({ min: 5, q1: 5, max: 5, sd: NaN });
    expect(summary(numericColumn([1, Infinity, Infinity]))).toMatchObject({
      median: Infinity,
      max: Infinity,
      mean: Infinity,
    });
  });

  it("counts levels, the most frequent first, ties in their order", () => {
    const factor = factorColumn(["b", "a", "c", "c", null, "__proto__"], {
      levels: ["unused", "b", "a", "c", "__proto__"],
    });
    const found = summary(factor, 3) as FactorSummary;
    expect(found.top).toEqual([
      { level: "c", count: 2 },
      { level: "b", count: 1 },
      { level: "a", count: 1 },
    ]);
    expect(found).toMatchObject({ n: 5, missing: 1, distinct: 4, levels: 5, constant: false, ordered: false });
  });
});
