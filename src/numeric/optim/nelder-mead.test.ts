/** Standard problems: problems.test.ts; mixed-model criterion: one-way.test.ts. */
import { describe, expect, it } from "vitest";
import { minimizeNelderMead } from "./nelder-mead.ts";

describe("minimizeNelderMead", () => {
  it("a function with kinks, where models of curvature fail", () => {
    const f = (x: Float64Array) => Math.abs(x[0]! - 0.3) + 2 * Math.abs(x[1]! + 0.1) + Math.max(0, x[0]! + x[1]! - 5);
    const found = minimizeNelderMead(f, [4, 4]);
    expect(found.converged).toBe(true);
    expect(found.value).toBeLessThan(1e-7);
  });
  it("restarts out of a collapsed simplex: a narrow curved valley in five dimensions", () => {
    const f = (x: Float64Array) => {
      let sum = 0;
      for (let i = 0; i + 1 < x.length; i++) sum += 100 * (x[i + 1]! - x[i]! ** 2) ** 2 + (1 - x[i]!) ** 2;
      return sum;
    };
    const found = minimizeNelderMead(f, [-1.2, 1, 1, 1, 1], { maxEvaluations: 40_000 });
    const once = minimizeNelderMead(f, [-1.2, 1, 1, 1, 1], { maxEvaluations: 40_000, maxRestarts: 0 });
    expect(found.converged).toBe(true);
    expect(found.value).toBeLessThanOrEqual(once.value);
    expect(once.converged).toBe(false); // never confirmed
  });
  it("NaN outside the domain, minimum near its edge", () => {
    const found = minimizeNelderMead((x) => x[0]! - 0.01 * Math.log(x[0]!) + (x[1]! - 2) ** 2, [3, 0]);
    expect(Math.abs(found.x[0]! - 0.01)).toBeLessThan(1e-6);
    expect(Math.abs(found.x[1]! - 2)).toBeLessThan(1e-6);
  });
  it("a start in a corner of the box spreads inward", () => {
    const found = minimizeNelderMead((x) => (x[0]! - 0.25) ** 2 + (x[1]! - 0.5) ** 2, [1, 1], {
      lower: [0, 0],
      upper: [1, 1],
    });
    expect(found.value).toBeLessThan(1e-13);
  });
  it("statuses: budget, invalid start", () => {
    expect(minimizeNelderMead((x) => x[0]! ** 2, [5], { maxEvaluations: 6 }).status).toBe("budget");
    expect(minimizeNelderMead(() => Number.NaN, [5]).status).toBe("invalid-start");
    expect(minimizeNelderMead((x) => x[0]!, [5], { lower: [1], upper: [0] }).status).toBe("invalid-start");
  });
});
