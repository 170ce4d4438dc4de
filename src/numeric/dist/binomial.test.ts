import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import {
  binomialCdf,
  binomialLogCdf,
  binomialLogPmf,
  binomialLogSf,
  binomialPmf,
  binomialQuantile,
  binomialQuantileUpper,
  binomialSf,
} from "./binomial.ts";

const mpmath = readOracle("python/noncentral.json");
const reference = readOracle("reference/distributions-noncentral.json");

describe("binomial against mpmath", () => {
  it.each([
    // an exponent of -460 that is itself right to the last place leaves 1e-13 in e^-460
    ["pmf", binomialPmf, 3e-13],
    ["logPmf", binomialLogPmf, 1e-14],
    ["lower", binomialCdf, 3e-13],
    ["upper", binomialSf, 3e-13],
    ["logLower", binomialLogCdf, 3e-13],
    ["logUpper", binomialLogSf, 3e-13],
  ] as const)("%s for n up to 1e9 and 30 standard deviations out", (column, f, tolerance) => {
    const worst = worstError(mpmath("binomial"), ["k", "n", "p"], column, (k, n, p) => f(k!, n!, p!));
    expect(worst.error, worst.at).toBeLessThan(tolerance);
  });

  it("pmf to 1e-13 where it is above 1e-50, n = 1e9 included", () => {
    const { args, expected } = mpmath("binomial");
    expected["pmf"]!.forEach((cell, i) => {
      if (Number(cell) < 1e-50) return;
      const [k, n, p] = ["k", "n", "p"].map((name) => Number(args[name]![i]));
      expect(relativeError(binomialPmf(k!, n!, p!), Number(cell)), `(${k}, ${n}, ${p})`).toBeLessThan(1e-13);
    });
  });

  it.each([
    ["lower", binomialCdf],
    ["upper", binomialSf],
  ] as const)("%s tail of the shared reference", (column, f) => {
    const worst = worstError(reference("pbinom"), ["k", "n", "p"], column, (k, n, p) => f(k!, n!, p!));
    expect(worst.error, worst.at).toBeLessThan(3e-13);
  });
});

describe("binomial in closed form", () => {
  it("counts: four fair coins", () => {
    const counts = [1, 4, 6, 4, 1];
    counts.forEach((c, k) => {
      expect(binomialPmf(k, 4, 0.5)).toBeCloseTo(c / 16, 15);
    });
    expect(binomialCdf(1, 4, 0.5)).toBeCloseTo(5 / 16, 15);
    expect(binomialSf(1, 4, 0.5)).toBeCloseTo(11 / 16, 15);
  });

  it("the pmf sums to the cdf", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.double({ min: 0.01, max: 0.99, noNaN: true }), (n, p) => {
        let sum = 0;
        for (let k = 0; k < n; k++) {
          sum += binomialPmf(k, n, p);
          // either side is good to 1e-13
          expect(relativeError(binomialCdf(k, n, p), sum)).toBeLessThan(2e-13);
          expect(Math.abs(binomialCdf(k, n, p) + binomialSf(k, n, p) - 1)).toBeLessThan(1e-14);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("successes and failures change places", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 63 }),
        fc.nat(),
        (n, sixtyFourths, r) => {
          const p = sixtyFourths / 64; // so that 1 - p is exact
          const k = r % (n + 1);
          expect(relativeError(binomialLogPmf(k, n, p), binomialLogPmf(n - k, n, 1 - p))).toBeLessThan(1e-13);
          expect(relativeError(binomialLogCdf(k, n, p), binomialLogSf(n - k - 1, n, 1 - p))).toBeLessThan(1e-12);
        },
      ),
    );
  });
});

describe("binomial quantiles", () => {
  it("invert the cdf and the upper tail at every k", () => {
    for (const [n, p] of [
      [1, 0.3],
      [10, 0.5],
      [37, 0.02],
      [500, 0.77],
    ] as const) {
      for (let k = 0; k < n; k++) {
        const lower = binomialCdf(k, n, p);
        if (lower < 1 - 1e-12) expect(binomialQuantile(lower, n, p), `${k} of ${n}`).toBe(k);
        if (binomialSf(k, n, p) < 1 - 1e-12) expect(binomialQuantileUpper(binomialSf(k, n, p), n, p)).toBe(k);
      }
    }
  });

  it("are the smallest k with enough probability, far out too", () => {
    for (const q of [1e-200, 1e-40, 1e-9, 0.3, 0.5, 0.9]) {
      const k = binomialQuantile(q, 1e9, 0.3);
      expect(binomialCdf(k, 1e9, 0.3)).toBeGreaterThanOrEqual(q * (1 - 1e-13));
      expect(binomialCdf(k - 1, 1e9, 0.3)).toBeLessThan(q);
      const u = binomialQuantileUpper(q, 1e9, 0.3);
      expect(binomialSf(u, 1e9, 0.3)).toBeLessThanOrEqual(q * (1 + 1e-13));
      expect(binomialSf(u - 1, 1e9, 0.3)).toBeGreaterThan(q);
    }
  });
});

describe("binomial at its edges", () => {
  it("certain outcomes, values outside the support, fractions and nonsense", () => {
    expect([binomialPmf(0, 5, 0), binomialPmf(5, 5, 1), binomialPmf(3, 5, 0), binomialPmf(0, 0, 0.4)]).toEqual([
      1, 1, 0, 1,
    ]);
    expect([binomialCdf(-1, 5, 0.2), binomialCdf(5, 5, 0.2), binomialSf(-1, 5, 0.2), binomialSf(9, 5, 0.2)]).toEqual([
      0, 1, 1, 0,
    ]);
    expect([binomialCdf(2, 5, 0), binomialCdf(2, 5, 1)]).toEqual([1, 0]);
    expect(binomialPmf(1.5, 5, 0.2)).toBe(0);
    expect(binomialCdf(1.5, 5, 0.2)).toBe(binomialCdf(1, 5, 0.2));
    expect([binomialQuantile(0, 9, 0.5), binomialQuantile(1, 9, 0.5)]).toEqual([0, 9]);
    expect([
      binomialPmf(1, 5, 1.2),
      binomialCdf(1, 4.5, 0.2),
      binomialQuantile(1.1, 5, 0.2),
      binomialSf(NaN, 5, 0.2),
    ]).toEqual([NaN, NaN, NaN, NaN]);
  });
});

it("the quantile of an upper tail just below 1 is not 0", () => {
  // P(X <= k) must reach one unit of rounding, up to the half unit that q itself has lost
  const k = binomialQuantileUpper(0.9999999999999999, 9527476, 0.9696);
  expect(binomialCdf(k, 9527476, 0.9696)).toBeGreaterThan(5e-17);
  expect(binomialCdf(k - 1, 9527476, 0.9696)).toBeLessThan(1.2e-16);
  const upper = binomialQuantile(0.9999999999999999, 9527476, 0.9696);
  expect(binomialSf(upper, 9527476, 0.9696)).toBeLessThan(2.3e-16);
  expect(binomialSf(upper - 1, 9527476, 0.9696)).toBeGreaterThan(1.1e-16);
});
