import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import { binomialPmf } from "./binomial.ts";
import {
  hypergeometricCdf,
  hypergeometricLogCdf,
  hypergeometricLogPmf,
  hypergeometricLogSf,
  hypergeometricPmf,
  hypergeometricQuantile,
  hypergeometricQuantileUpper,
  hypergeometricSf,
} from "./hypergeometric.ts";

const exact = readOracle("python/noncentral.json")("hypergeometric");
const NAMES = ["k", "successes", "failures", "draws"];

describe("hypergeometric against exact integers", () => {
  it.each([
    ["pmf", hypergeometricPmf, 3e-13],
    ["logPmf", hypergeometricLogPmf, 1e-13],
    ["lower", hypergeometricCdf, 3e-13],
    ["upper", hypergeometricSf, 3e-13],
    ["logLower", hypergeometricLogCdf, 3e-13],
    ["logUpper", hypergeometricLogSf, 3e-13],
  ] as const)("%s for urns up to 20000", (column, f, tolerance) => {
    const worst = worstError(exact, NAMES, column, (k, m, n, d) => f(k!, m!, n!, d!));
    expect(worst.error, worst.at).toBeLessThan(tolerance);
  });
});

const urn = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 }), fc.nat())
  .map(([m, n, r]) => [m, n, r % (m + n + 1)] as const);

describe("hypergeometric identities", () => {
  it("the lady tasting tea: 1 in 70", () => {
    expect(relativeError(hypergeometricPmf(4, 4, 4, 4), 1 / 70)).toBeLessThan(1e-14);
    expect(relativeError(hypergeometricSf(2, 4, 4, 4), 17 / 70)).toBeLessThan(1e-14);
  });

  it("the pmf sums to both tails, over any urn", () => {
    fc.assert(
      fc.property(urn, ([m, n, d]) => {
        let sum = 0;
        for (let k = Math.max(0, d - n); k <= Math.min(d, m); k++) {
          sum += hypergeometricPmf(k, m, n, d);
          expect(relativeError(hypergeometricCdf(k, m, n, d), sum)).toBeLessThan(1e-12);
          expect(Math.abs(hypergeometricCdf(k, m, n, d) + hypergeometricSf(k, m, n, d) - 1)).toBeLessThan(1e-13);
        }
        expect(sum).toBeCloseTo(1, 12);
      }),
    );
  });

  it("draws and successes change places, and so do successes and failures", () => {
    fc.assert(
      fc.property(urn, fc.nat(), ([m, n, d], r) => {
        const low = Math.max(0, d - n);
        const k = low + (r % (Math.min(d, m) - low + 1));
        const p = hypergeometricPmf(k, m, n, d);
        expect(relativeError(hypergeometricPmf(k, d, m + n - d, m), p)).toBeLessThan(1e-12);
        expect(relativeError(hypergeometricPmf(d - k, n, m, d), p)).toBeLessThan(1e-12);
      }),
    );
  });

  it("tends to the binomial for a huge urn", () => {
    for (const k of [0, 3, 9]) {
      expect(relativeError(hypergeometricPmf(k, 3e11, 7e11, 10), binomialPmf(k, 10, 0.3))).toBeLessThan(1e-9);
    }
  });
});

describe("hypergeometric quantiles and edges", () => {
  it("invert the cdf and the upper tail", () => {
    for (const [m, n, d] of [
      [5, 10, 7],
      [50, 60, 30],
      [300, 20, 100],
    ] as const) {
      for (let k = Math.max(0, d - n); k < Math.min(d, m); k++) {
        const lower = hypergeometricCdf(k, m, n, d);
        if (lower < 1 - 1e-12) expect(hypergeometricQuantile(lower, m, n, d)).toBe(k);
        const upper = hypergeometricSf(k, m, n, d);
        if (upper < 1 - 1e-12) expect(hypergeometricQuantileUpper(upper, m, n, d)).toBe(k);
      }
    }
  });

  it("forced outcomes, values outside the support and nonsense", () => {
    expect([hypergeometricPmf(0, 0, 5, 3), hypergeometricPmf(3, 5, 0, 3), hypergeometricPmf(0, 0, 0, 0)]).toEqual([
      1, 1, 1,
    ]);
    expect([hypergeometricPmf(4, 5, 5, 3), hypergeometricCdf(-1, 5, 5, 3), hypergeometricSf(3, 5, 5, 3)]).toEqual([
      0, 0, 0,
    ]);
    expect([
      hypergeometricCdf(1, 2, 2, 4),
      hypergeometricCdf(2, 2, 2, 4),
      hypergeometricQuantile(0.4, 2, 2, 4),
    ]).toEqual([0, 1, 2]);
    expect([
      hypergeometricPmf(1, 2, 2, 5),
      hypergeometricCdf(1, 2.5, 2, 3),
      hypergeometricQuantile(-0.1, 2, 2, 2),
    ]).toEqual([NaN, NaN, NaN]);
  });
});

it("an upper tail of rare events is summed itself, not taken from a lower tail near 1", () => {
  // one success in the urn: P(X > 0) is the share drawn
  expect(relativeError(hypergeometricSf(0, 1, 467431055, 3), 3 / 467431056)).toBeLessThan(2e-13);
  // … and mirrored: three of the failures' last one
  expect(relativeError(hypergeometricCdf(2, 467431055, 1, 3), 3 / 467431056)).toBeLessThan(2e-13);
  expect(relativeError(hypergeometricLogSf(0, 1, 467431055, 3), Math.log(3 / 467431056))).toBeLessThan(1e-14);
});
