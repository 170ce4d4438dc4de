import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import {
  poissonCdf,
  poissonLogCdf,
  poissonLogPmf,
  poissonLogSf,
  poissonPmf,
  poissonQuantile,
  poissonQuantileUpper,
  poissonSf,
} from "./poisson.ts";

const mpmath = readOracle("python/noncentral.json");

describe("Poisson against mpmath", () => {
  it.each([
    ["pmf", poissonPmf, 2e-13],
    ["logPmf", poissonLogPmf, 1e-14],
    ["lower", poissonCdf, 2e-13],
    ["upper", poissonSf, 2e-13],
    ["logLower", poissonLogCdf, 2e-13],
    ["logUpper", poissonLogSf, 2e-13],
  ] as const)("%s for means from 1e-8 to 1e8, 60 standard deviations out", (column, f, tolerance) => {
    const worst = worstError(mpmath("poisson"), ["k", "lambda"], column, (k, lambda) => f(k!, lambda!));
    expect(worst.error, worst.at).toBeLessThan(tolerance);
  });
});

describe("Poisson in closed form", () => {
  it("small counts", () => {
    expect(relativeError(poissonPmf(0, 2), Math.exp(-2))).toBeLessThan(1e-15);
    expect(relativeError(poissonPmf(3, 2), (8 / 6) * Math.exp(-2))).toBeLessThan(1e-14);
    expect(relativeError(poissonCdf(2, 2), 5 * Math.exp(-2))).toBeLessThan(1e-14);
  });

  it("the pmf sums to the cdf and obeys k P(k) = λ P(k - 1)", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 80, noNaN: true }), (lambda) => {
        let sum = poissonPmf(0, lambda);
        for (let k = 1; k < 60; k++) {
          const p = poissonPmf(k, lambda);
          expect(relativeError(k * p, lambda * poissonPmf(k - 1, lambda))).toBeLessThan(3e-13);
          sum += p;
          expect(relativeError(poissonCdf(k, lambda), sum)).toBeLessThan(1e-12);
          expect(Math.abs(poissonCdf(k, lambda) + poissonSf(k, lambda) - 1)).toBeLessThan(1e-14);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("Poisson quantiles and edges", () => {
  it("invert the cdf and the upper tail", () => {
    for (const lambda of [0.02, 1, 7.7, 400]) {
      for (let k = 0; k < 3 * lambda + 3; k++) {
        const lower = poissonCdf(k, lambda);
        if (lower > 1e-300 && lower < 1 - 1e-12) expect(poissonQuantile(lower, lambda)).toBe(k);
        const upper = poissonSf(k, lambda);
        if (upper < 1 - 1e-12) expect(poissonQuantileUpper(upper, lambda)).toBe(k);
      }
    }
    expect(poissonQuantileUpper(1e-300, 1)).toBe(166);
    expect(poissonSf(166, 1)).toBeLessThan(1e-300);
    expect(poissonSf(165, 1)).toBeGreaterThan(1e-300);
  });

  it("mean zero, values outside the support, fractions and nonsense", () => {
    expect([poissonPmf(0, 0), poissonPmf(2, 0), poissonCdf(0, 0), poissonSf(0, 0)]).toEqual([1, 0, 1, 0]);
    expect([poissonCdf(-1, 3), poissonSf(-1, 3), poissonCdf(Infinity, 3), poissonSf(Infinity, 3)]).toEqual([
      0, 1, 1, 0,
    ]);
    expect(poissonPmf(1.5, 3)).toBe(0);
    expect(poissonCdf(1.5, 3)).toBe(poissonCdf(1, 3));
    expect([poissonQuantile(0, 3), poissonQuantile(1, 3), poissonQuantile(0.7, 0)]).toEqual([0, Infinity, 0]);
    expect([poissonPmf(1, -1), poissonCdf(NaN, 1), poissonQuantile(2, 1)]).toEqual([NaN, NaN, NaN]);
  });
});

it("quantiles end beyond 2^53, where neighbouring doubles are more than 1 apart", () => {
  for (const lambda of [2e16, 1e20, 1e300]) {
    // the median is λ - 1/3, less than the spacing of doubles from λ
    expect(relativeError(poissonQuantile(0.5, lambda), lambda)).toBeLessThan(5e-16);
    expect(relativeError(poissonQuantileUpper(0.5, lambda), lambda)).toBeLessThan(5e-16);
  }
});
