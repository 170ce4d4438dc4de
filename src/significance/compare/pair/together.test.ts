import { describe, expect, it } from "vitest";
import { type Column, factorColumn, makeTable, numericColumn, type Table } from "../../../data/table.ts";
import { makeRng } from "../../../numeric/rng.ts";
import { maxTCritical, maxTP, permuteMaxT } from "../../../resample/permutation-max-t.ts";
import { compare } from "../compare.ts";
import { judgeTogether } from "./together.ts";

const SYSTEMS = ["a", "b", "c", "d"];

/** Scores of four systems on n items, of which c and d are better; `group` puts items into clusters of unequal size. */
function tableOf(n: number, { seed = "together", binary = false } = {}): Table {
  const rng = makeRng(seed);
  const rows = Array.from({ length: n }, (_, i) => {
    const base = rng.normal();
    return SYSTEMS.map((system, s) => {
      const score = base + 0.25 * s + 0.5 * rng.normal();
      return {
        system,
        item: `i${i}`,
        score: binary ? Number(score > 0) : score,
        group: `g${Math.floor(Math.sqrt(4 * i))}`,
      };
    });
  }).flat();
  return makeTable([
    ["system", factorColumn(rows.map((row) => row.system))],
    ["item", factorColumn(rows.map((row) => row.item))],
    ["score", numericColumn(rows.map((row) => row.score))],
    ["group", factorColumn(rows.map((row) => row.group))],
  ]);
}

const options = { adjust: "max-t", higherIsBetter: true, cluster: "none" } as const;

describe("all pairs together", () => {
  it("have intervals that leave out 0 exactly if the adjusted p is below 5 %, and hold together", () => {
    for (const seed of ["1", "2", "3"]) {
      const result = compare(tableOf(40, { seed }), options);
      expect([result.adjust, result.simultaneous]).toEqual(["max-t", true]);
      for (const { ci, p, test, verdict } of result.pairs) {
        expect(ci.lower > 0 || ci.upper < 0, `p = ${p}`).toBe(p < 0.05);
        expect(verdict === "BETTER" || verdict === "WORSE").toBe(p < 0.05);
        expect(p).toBeGreaterThanOrEqual(test.p - 0.01);
        expect(ci.method).toBe("skewness-adjusted t, all pairs together");
      }
      expect(result.toString()).toContain("adjusted by max-T; the intervals of all pairs hold together");
    }
  });

  it("are narrower than Bonferroni's and wider than one pair's, as six dependent pairs are", () => {
    const [joint, alone] = [compare(tableOf(60), options), compare(tableOf(60), { ...options, adjust: "none" })];
    const bonferroni = compare(tableOf(60), { ...options, adjust: "none", confidence: 1 - 0.05 / 6 });
    joint.pairs.forEach(({ ci }, k) => {
      const width = ci.upper - ci.lower;
      const [one, all] = [alone, bonferroni].map(({ pairs }) => pairs[k]!.ci.upper - pairs[k]!.ci.lower);
      expect(width).toBeGreaterThan(one!);
      expect(width).toBeLessThan(1.02 * all!);
    });
  });

  it("of clusters have the t of CR2, which the regression has too", () => {
    const table = tableOf(60);
    const result = compare(table, { ...options, cluster: "group" });
    expect(result.clusters).toBe(15);
    expect(result.main.test.name).toBe("t");
    const { values } = table.columns.get("score") as Extract<Column, { kind: "numeric" }>;
    const scores = SYSTEMS.map((_, s) => Array.from({ length: 60 }, (_i, i) => values[4 * i + s]!));
    const codes = Array.from({ length: 60 }, (_, i) => Math.floor(Math.sqrt(4 * i)));
    const names = [...new Set(codes)];
    const sums = Float64Array.from(
      scores.flatMap((own) => names.map((g) => own.reduce((sum, v, i) => sum + (codes[i] === g ? v : 0), 0))),
    );
    const sizes = Float64Array.from(names, (g) => codes.filter((code) => code === g).length);
    const pairs = result.pairs.map(({ a, b }) => [SYSTEMS.indexOf(a), SYSTEMS.indexOf(b)] as const);
    const found = permuteMaxT(sums, names.length, { pairs, sizes });
    const critical = maxTCritical(found, 0.95);
    result.pairs.forEach(({ difference, se, p, ci }, k) => {
      expect(difference / se).toBeCloseTo(found.statistics[k]!, 9);
      expect(p).toBeCloseTo(maxTP(found, difference / se), 12);
      expect(ci.upper - difference).toBeCloseTo(critical * se, 10);
    });
  });

  it("of right and wrong answers flip the same items", () => {
    const result = compare(tableOf(80, { binary: true }), options);
    expect(result.pairs.every(({ test }) => test.name === "t")).toBe(true);
    for (const { ci, p } of result.pairs) expect(ci.lower > 0 || ci.upper < 0).toBe(p < 0.05);
  });

  it("leave p = 1 where two systems are the same", () => {
    const means = Float64Array.from({ length: 3 * 20 }, (_, i) => (i < 40 ? (i % 20) / 7 : Math.sin(i)));
    const same = { scoreA: 0, scoreB: 0, difference: 0, se: 0, df: 19, mde80: Number.NaN } as const;
    const test = { name: "t", label: "t", statistic: 0, p: 1, replicates: 0, monteCarloSe: 0 } as const;
    const ci = { lower: Number.NaN, upper: Number.NaN, level: 0.95, method: "t" };
    const { p, intervals } = judgeTogether({ means, items: 20, pairs: [[0, 1]] }, [{ ...same, test, ci }], {
      confidence: 0.95,
      rng: makeRng("1"),
    });
    expect([p[0], intervals[0]!.lower]).toEqual([1, Number.NaN]);
  });

  it("are refused where items say nothing of them", () => {
    expect(() => compare(tableOf(40), { ...options, test: "permutation" })).toThrow(
      "no adjustment of the permutation test",
    );
    expect(() => compare(tableOf(8), options)).toThrow("8 items are too few to flip");
    expect(() => compare(tableOf(40), { ...options, unpaired: true })).toThrow("it is for paired scores");
    expect(() => compare(tableOf(40), { ...options, test: "model" })).toThrow("it is for paired scores");
  });
});
