import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../data/table.ts";
import { makeRng } from "../numeric/rng.ts";
import { expectedBest, measureBudget } from "./budget.ts";

const scores = [0.61, 0.7, 0.55, 0.7, 0.81];
const table = makeTable([["score", numericColumn(scores)]]);

/** All ordered draws with replacement. */
function enumerate(values: readonly number[], budget: number): { mean: number; sd: number } {
  let draws: number[] = [Number.NEGATIVE_INFINITY];
  for (let b = 0; b < budget; b++) draws = draws.flatMap((best) => values.map((value) => Math.max(best, value)));
  const mean = draws.reduce((sum, value) => sum + value, 0) / draws.length;
  const square = draws.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws.length;
  return { mean, sd: Math.sqrt(square) };
}

describe("the expected best of B draws", () => {
  it.each([1, 2, 3, 4, 5])("is that of all draws with replacement, B = %i", (budget) => {
    const [point] = measureBudget(table, { score: "score", budgets: [budget], replicates: 20 }).curves[0]!.points;
    const { mean, sd } = enumerate(scores, budget);
    expect(point!.expected).toBeCloseTo(mean, 12);
    expect(point!.sd).toBeCloseTo(sd, 13);
    expect(point!.upper - point!.expected).toBeCloseTo(1.959963984540054 * sd, 13);
  });

  it("agrees with Algorithm 3.1 by simulation", () => {
    const rng = makeRng("algorithm 3.1");
    const [B, K] = [4, 20_000];
    let [sum, squares] = [0, 0];
    for (let k = 0; k < K; k++) {
      let best = Number.NEGATIVE_INFINITY;
      for (let b = 0; b < B; b++) best = Math.max(best, scores[rng.int(scores.length)]!);
      sum += best;
      squares += best * best;
    }
    const mean = sum / K;
    const se = Math.sqrt((squares / K - mean * mean) / K);
    const found = expectedBest(Float64Array.from(scores).sort(), B);
    expect(Math.abs(found.mean - mean)).toBeLessThan(4 * se);
  });

  it("without replacement is the mean over all subsets", () => {
    const [two, all, beyond] = measureBudget(table, { score: "score", budgets: [2, 5, 6], replicates: 20 }).curves[0]!
      .points;
    const pairs = scores.flatMap((a, i) => scores.slice(i + 1).map((b) => Math.max(a, b)));
    expect(two!.unbiased).toBeCloseTo(pairs.reduce((sum, value) => sum + value, 0) / pairs.length, 14);
    expect(all!.unbiased).toBe(0.81);
    expect(beyond!.unbiased).toBeNaN();
  });

  it("lands where the distribution of the best says", () => {
    const [point] = measureBudget(table, { score: "score", budgets: [2], confidence: 0.8, replicates: 20 }).curves[0]!
      .points;
    // P(best ≤ .55) = .04, ≤ .61: .16, ≤ .7: .64, ≤ .81: 1
    expect([point!.landsFrom, point!.landsTo]).toEqual([0.61, 0.81]);
  });

  it("rises with the budget, never beyond the best, and does not care about order or shift", () => {
    const values = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(values, (own) => {
        const sorted = Float64Array.from(own).sort();
        const curve = [1, 2, 5, 20].map((budget) => expectedBest(sorted, budget).mean);
        curve.forEach((value, i) => {
          if (i > 0) expect(value).toBeGreaterThanOrEqual(curve[i - 1]! - 1e-9);
          expect(value).toBeLessThanOrEqual(sorted[sorted.length - 1]! + 1e-12);
        });
        const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
        expect(curve[0]).toBeCloseTo(mean, 8);
      }),
    );
  });
});

describe("two systems", () => {
  const two = makeTable([
    ["score", numericColumn([0.5, 0.52, 0.51, 0.53, 0.2, 0.9, 0.3, 0.25])],
    ["system", factorColumn(["steady", "steady", "steady", "steady", "wild", "wild", "wild", "wild"])],
  ]);

  it("cross where the wild one overtakes", () => {
    const { crossings } = measureBudget(two, {
      score: "score",
      system: "system",
      budgets: [1, 2, 3, 4],
      replicates: 20,
    });
    expect(crossings).toEqual([
      { a: "steady", b: "wild", from: 1, to: 2, betterBefore: "steady", betterAfter: "wild" },
    ]);
  });

  it("lower scores may be better", () => {
    const up = measureBudget(two, { score: "score", system: "system", budgets: [2], replicates: 20 });
    const flipped = makeTable([
      [
        "score",
        numericColumn([...(two.columns.get("score") as { values: Float64Array }).values].map((value) => -value)),
      ],
      ["system", two.columns.get("system")!],
    ]);
    const down = measureBudget(flipped, {
      score: "score",
      system: "system",
      budgets: [2],
      minimise: true,
      replicates: 20,
    });
    const [a, b] = [up.curves[1]!.points[0]!, down.curves[1]!.points[0]!];
    expect([b.expected, b.landsFrom, b.landsTo]).toEqual([-a.expected, -a.landsTo, -a.landsFrom]);
  });

  it("rows of one configuration are averaged first", () => {
    const rows = makeTable([
      ["score", numericColumn([0, 1, 1, 1])],
      ["lr", factorColumn(["a", "a", "b", "b"])],
    ]);
    const { curves } = measureBudget(rows, { score: "score", configuration: ["lr"], budgets: [1], replicates: 20 });
    expect([curves[0]!.configurations, curves[0]!.points[0]!.expected]).toEqual([2, 0.75]);
  });

  it("one configuration is refused", () => {
    const one = makeTable([["score", numericColumn([0.5])]]);
    expect(() => measureBudget(one, { score: "score" })).toThrow(/one configuration/);
  });
});
