import { describe, expect, it } from "vitest";
import { inferenceTable } from "../../../test/support/lmm-inference.ts";
import { expectClose } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { buildDesign } from "../../formula/design.ts";
import { makeRng } from "../../numeric/rng.ts";
import { profileLmm } from "../profile/linear.ts";
import { bootstrapLmm } from "./bootstrap.ts";
import { fixedCovariance } from "./objective.ts";
import { prepareLmm } from "./problem.ts";
import { solveLmm } from "./solve.ts";

/** k groups of n, balanced. */
function oneWay(k: number, n: number) {
  const rng = makeRng(11);
  const g: string[] = [];
  const y: number[] = [];
  for (let i = 0; i < k; i++) {
    const own = rng.normal();
    for (let j = 0; j < n; j++) {
      g.push(`g${i}`);
      y.push(5 + own + 0.5 * rng.normal());
    }
  }
  const design = buildDesign("y ~ 1 + (1 | g)", makeTable([["g", factorColumn(g)], ["y", numericColumn(y)]])); // biome-ignore format: short
  const problem = prepareLmm(design);
  return { problem, solution: solveLmm(problem, design.y) };
}

describe("parametric bootstrap", () => {
  const { problem, solution } = oneWay(12, 4);
  const replicates = 1500;
  const result = bootstrapLmm(problem, solution, { rng: makeRng("boot"), replicates });
  const [sd, sigma, mean] = result.intervals;

  it("the mean of a balanced layout is normal with the model's own SE", () => {
    const se = solution.sigma * Math.sqrt(fixedCovariance(problem, solution.theta).data[0]!);
    const ofMean = se / Math.sqrt(replicates);
    expect(Math.abs(mean!.mean - mean!.estimate)).toBeLessThan(4 * ofMean);
    expect(Math.abs(mean!.se / se - 1)).toBeLessThan(4 / Math.sqrt(2 * replicates));
    // SE of a 2.5 % quantile of a normal sample: √(pq/R)/φ(z) ≈ 2.67 SE/√R
    for (const [i, z] of [-1.959964, 1.959964].entries()) {
      expect(Math.abs(mean!.percentile[i]! - (mean!.estimate + z * se))).toBeLessThan(
        (4 * 2.67 * se) / Math.sqrt(replicates),
      );
    }
  });

  it("σ² of a REML fit is unbiased: σ̂²·(N - k)/σ² is chi-square", () => {
    const ratio = result.values.map((row) => (row[1]! / solution.sigma) ** 2);
    const average = ratio.reduce((a, b) => a + b, 0) / replicates;
    expect(Math.abs(average - 1)).toBeLessThan(4 * Math.sqrt(2 / 36 / replicates));
    expect(sigma!.used).toBe(replicates);
  });

  it("basic intervals are percentile intervals reflected in the estimate", () => {
    for (const { estimate, percentile, basic } of result.intervals) {
      expectClose(basic, [2 * estimate - percentile[1], 2 * estimate - percentile[0]], { tolerance: 1e-12 });
    }
  });

  it("is near the profile interval where the likelihood is regular", () => {
    const profile = profileLmm(problem, solution);
    const width = profile[0]!.upper - profile[0]!.lower;
    expect(Math.abs(sd!.percentile[0] - profile[0]!.lower)).toBeLessThan(width / 3);
    expect(Math.abs(sd!.percentile[1] - profile[0]!.upper)).toBeLessThan(width / 3);
  });

  it("replicate i depends on stream i alone", () => {
    const few = bootstrapLmm(problem, solution, { rng: makeRng("boot"), replicates: 5 });
    few.values.forEach((row, i) => {
      expect([...row]).toEqual([...result.values[i]!]);
    });
    expect(result.notConverged).toBe(0);
  });

  it("counts singular refits: half of them when there is no variance between groups", () => {
    const design = buildDesign("none ~ 1 + (1 | rater)", inferenceTable);
    const flat = prepareLmm(design, { criterion: "ML" });
    const { singular, intervals } = bootstrapLmm(flat, solveLmm(flat, design.y), { rng: makeRng(3), replicates: 300 });
    // with 12 groups P(F < 1) is near 0.56 for the ML estimate of an absent variance (k - 1 < k), hence wide bounds
    expect(singular).toBeGreaterThan(0.45 * 300);
    expect(singular).toBeLessThan(0.75 * 300);
    expect(intervals[0]!.percentile[0]).toBe(0);
  });

  it("refuses a number of replicates that makes no interval", () => {
    expect(() => bootstrapLmm(problem, solution, { rng: makeRng(1), replicates: 1 })).toThrow(/replicates/);
  });
});
