/** Standard problems: problems.test.ts. */
import { describe, expect, it } from "vitest";
import { minimizeNewton } from "./newton.ts";

/** Logistic regression of y on (1, x) with a closed form: two groups, x = 0 and 1. */
const counts = { n0: 40, y0: 13, n1: 25, y1: 19 };
const logistic = {
  evaluate: (b: Float64Array, g: Float64Array): number => {
    const e0 = b[0]!;
    const e1 = b[0]! + b[1]!;
    const p0 = 1 / (1 + Math.exp(-e0));
    const p1 = 1 / (1 + Math.exp(-e1));
    const { n0, y0, n1, y1 } = counts;
    g[1] = n1 * p1 - y1;
    g[0] = n0 * p0 - y0 + g[1]!;
    return n0 * Math.log1p(Math.exp(e0)) - y0 * e0 + n1 * Math.log1p(Math.exp(e1)) - y1 * e1;
  },
  hessianInto: (H: Float64Array, b: Float64Array): void => {
    const w = (e: number) => 1 / ((1 + Math.exp(-e)) * (1 + Math.exp(e)));
    const w1 = counts.n1 * w(b[0]! + b[1]!);
    H.set([counts.n0 * w(b[0]!) + w1, w1, w1, w1]);
  },
};

describe("minimizeNewton", () => {
  it("logistic regression of a 2 × 2 table is its log odds", () => {
    const found = minimizeNewton(logistic, [0, 0], { gradientTolerance: 1e-15 });
    const logOdds = Math.log(13 / 27);
    expect(Math.abs(found.x[0]! - logOdds)).toBeLessThan(1e-12);
    expect(Math.abs(found.x[1]! - (Math.log(19 / 6) - logOdds))).toBeLessThan(1e-12);
    // The inverse Hessian's corner is 1/13 + 1/27, Woolf's variance of a log odds.
    const [a, b, , d] = found.hessian as unknown as [number, number, number, number];
    expect(d / (a * d - b * b)).toBeCloseTo(1 / 13 + 1 / 27, 12);
    expect(found.iterations).toBeLessThanOrEqual(7);
  });

  it("leaves a saddle point by negative curvature", () => {
    const problem = {
      evaluate: (x: Float64Array, g: Float64Array) => {
        const [a, b] = x as unknown as [number, number];
        g[0] = 2 * a;
        g[1] = -2 * b + 4 * b ** 3;
        return a * a - b * b + b ** 4;
      },
      hessianInto: (H: Float64Array, x: Float64Array) => H.set([2, 0, 0, -2 + 12 * x[1]! ** 2]),
    };
    const found = minimizeNewton(problem, [1, 0]);
    expect(found.status).toBe("gradient");
    expect(found.value).toBeCloseTo(-0.25, 14);
    expect(Math.abs(found.x[1]!)).toBeCloseTo(Math.SQRT1_2, 10);
  });

  it("descends from a region where every curvature is negative", () => {
    const problem = {
      evaluate: (x: Float64Array, g: Float64Array) => {
        let f = 0;
        for (let i = 0; i < x.length; i++) {
          f -= Math.cos(x[i]! - i);
          g[i] = Math.sin(x[i]! - i);
        }
        return f;
      },
      hessianInto: (H: Float64Array, x: Float64Array) => {
        H.fill(0);
        for (let i = 0; i < x.length; i++) H[i * x.length + i] = Math.cos(x[i]! - i);
      },
    };
    const found = minimizeNewton(problem, [2, 3.3, -0.4, 5.9]);
    expect(found.converged).toBe(true);
    expect(found.value).toBeCloseTo(-4, 12);
  });

  it("names a flat direction instead of claiming a minimum", () => {
    const problem = {
      evaluate: (x: Float64Array, g: Float64Array) => {
        const s = x[0]! + x[1]! - 1;
        g[0] = g[1] = 2 * s;
        return s * s;
      },
      hessianInto: (H: Float64Array) => H.fill(2),
    };
    const found = minimizeNewton(problem, [3, 4]);
    expect(found.status).toBe("saddle");
    expect(found.positiveDefinite).toBe(false);
    expect(found.value).toBeLessThan(1e-20);
  });

  it("backs away from where the objective is undefined", () => {
    const problem = {
      evaluate: (x: Float64Array, g: Float64Array) => {
        g[0] = 1 - 3 / x[0]!;
        return x[0]! - 3 * Math.log(x[0]!); // NaN for x < 0
      },
      hessianInto: (H: Float64Array, x: Float64Array) => {
        H[0] = 3 / x[0]! ** 2;
      },
    };
    // The Newton step from 9 leads to 9 - 18 < 0.
    const found = minimizeNewton(problem, [9]);
    expect(found.x[0]).toBeCloseTo(3, 9);
    expect(minimizeNewton(problem, [-1]).status).toBe("invalid-start");
  });
});
