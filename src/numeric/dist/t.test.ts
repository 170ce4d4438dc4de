import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import { normalCdf, normalQuantile } from "./normal.ts";
import {
  tCdf,
  tLogCdf,
  tLogPdf,
  tLogSf,
  tPdf,
  tQuantile,
  tQuantileLog,
  tQuantileLogUpper,
  tQuantileUpper,
  tSf,
} from "./t.ts";

const mpmath = readOracle("python/distributions.json");
const reference = readOracle("reference/distributions-core.json");
/** e^{-700} formed from a rounded exponent leaves about 1e-13. */
const TOLERANCE = 3e-13;

describe("t distribution against mpmath", () => {
  it.each([
    ["lower", tCdf],
    ["upper", tSf],
    ["logLower", tLogCdf],
    ["logUpper", tLogSf],
  ] as const)("%s tail, df from 1e-3 to 1e10, |t| to 1e40", (column, f) => {
    const worst = worstError(mpmath("t"), ["t", "df"], column, f);
    expect(worst.error, worst.at).toBeLessThan(TOLERANCE);
  });

  it.each([
    ["lower", tCdf],
    ["upper", tSf],
  ] as const)("%s tail of the shared reference", (column, f) => {
    const worst = worstError(reference("pt"), ["t", "df"], column, f);
    expect(worst.error, worst.at).toBeLessThan(TOLERANCE);
  });

  it("quantiles, to t = 1e299", () => {
    const plain = worstError(reference("qt"), ["p", "df"], "value", tQuantile);
    expect(plain.error, plain.at).toBeLessThan(2e-14);
    const log = worstError(mpmath("t-quantile-log-upper"), ["logQ", "df"], "value", tQuantileLogUpper);
    expect(log.error, log.at).toBeLessThan(TOLERANCE);
  });
});

const freedom = fc.double({ min: -2, max: 9, noNaN: true }).map((e) => 10 ** e);

describe("t distribution", () => {
  it("quantiles by expansion and steps are those by the odds of beta, on both sides of where the expansion is taken", () => {
    for (let df = 1.3; df < 1e9; df *= 1.7) {
      for (let logP = -1.5; logP > -90; logP *= 1.3) {
        // the logarithm goes by the odds; it is rounded to 1e-16 of itself, which moves t by as much
        expect(relativeError(tQuantile(Math.exp(logP), df), tQuantileLog(logP, df))).toBeLessThan(3e-14);
      }
    }
  });

  it("has its closed forms at df = 1 and df = 2", () => {
    for (const t of [-1e8, -30, -2, -0.5, -1e-6, 0.1, 1, 4, 1e5]) {
      const cauchy = t < 0 ? Math.atan(-1 / t) / Math.PI : 1 - Math.atan(1 / t) / Math.PI;
      expect(relativeError(tCdf(t, 1), cauchy)).toBeLessThan(1e-14);
      const s = Math.sqrt(2 + t * t);
      // (1 + t/s)/2 without cancellation for t < 0
      const two = t < 0 ? 1 / (s * (s - t)) : 1 - 1 / (s * (s + t));
      expect(relativeError(tCdf(t, 2), two)).toBeLessThan(1e-14);
      expect(relativeError(tPdf(t, 1), 1 / (Math.PI * (1 + t * t)))).toBeLessThan(1e-14);
      expect(relativeError(tPdf(t, 2), 1 / (s * s * s))).toBeLessThan(1e-13);
    }
    expect(relativeError(tQuantile(1e-30, 1), -1e30 / Math.PI)).toBeLessThan(1e-13);
  });

  it("becomes the normal distribution", () => {
    for (const t of [-8, -1.5, 0.3, 3]) {
      expect(tCdf(t, Infinity)).toBe(normalCdf(t));
      // the first correction is t (1 + t²) φ(t) / (4 df)
      expect(relativeError(tCdf(t, 1e17), normalCdf(t))).toBeLessThan(2e-14);
    }
    expect(tQuantile(0.975, Infinity)).toBe(normalQuantile(0.975));
    expect(relativeError(tQuantile(1e-9, 1e17), normalQuantile(1e-9))).toBeLessThan(1e-14);
  });

  it("is symmetric, sums to one and agrees with its logarithms", () => {
    fc.assert(
      fc.property(fc.double({ min: -30, max: 30, noNaN: true }), freedom, (t, df) => {
        expect(tSf(t, df)).toBe(tCdf(-t, df));
        expect(tCdf(t, df) + tSf(t, df)).toBeCloseTo(1, 14);
        expect(relativeError(Math.exp(tLogCdf(t, df)), tCdf(t, df))).toBeLessThan(1e-12);
        expect(tCdf(t + 1e-7, df)).toBeGreaterThanOrEqual(tCdf(t, df));
      }),
      { numRuns: 400 },
    );
  });

  it("has quantiles that undo the tails", () => {
    fc.assert(
      fc.property(fc.double({ min: -200, max: -1e-3, noNaN: true }), freedom, (logP, df) => {
        const t = tQuantileLog(logP, df);
        fc.pre(Math.abs(t) < 1e300);
        const back = tLogCdf(t, df);
        const slope = Math.abs(t) * Math.exp(tLogPdf(t, df) - back);
        expect(Math.abs(back - logP)).toBeLessThan(2e-13 * Math.abs(logP) + 4e-15 * slope);
        expect(tQuantileLogUpper(logP, df)).toBe(0 - t);
      }),
      { numRuns: 400 },
    );
  });

  it("keeps relative accuracy of quantiles next to the median", () => {
    // P(T <= t) - 1/2 ≈ t f(0) with f(0) = tPdf(0, df)
    for (const df of [0.5, 3.3, 1e6]) {
      expect(relativeError(tQuantile(0.5 + 2 ** -40, df), 2 ** -40 / tPdf(0, df))).toBeLessThan(1e-13);
    }
  });

  it("has limits and NaN outside", () => {
    expect([tCdf(-Infinity, 3), tCdf(Infinity, 3), tCdf(0, 3), tLogCdf(-Infinity, 3)]).toEqual([0, 1, 0.5, -Infinity]);
    expect([tQuantile(0, 3), tQuantile(1, 3), tQuantile(0.5, 3), tQuantileUpper(0.5, 3)]).toEqual([
      -Infinity,
      Infinity,
      0,
      0,
    ]);
    expect([tCdf(1, 0), tCdf(1, -1), tCdf(NaN, 2), tQuantile(1.1, 2), tQuantile(0.5, 0), tPdf(1, 0)]).toEqual(
      Array(6).fill(NaN),
    );
    expect(tCdf(-1e300, 0.001)).toBeGreaterThan(0.2);
  });
});

it("log quantiles between the quartiles keep their tail where the odds underflow", () => {
  // mpmath, the leading power of the tail, which is exact here
  expect(relativeError(tQuantileLog(-0.36, 0.001), 4.977327151220842e216)).toBeLessThan(1e-12);
  expect(relativeError(tQuantileLogUpper(-0.36, 0.001), -4.977327151220842e216)).toBeLessThan(1e-12);
});

it("log quantiles at the median know the low part of log 2", () => {
  // 2p - 1 = log 2 - fl(log 2) for log p = -fl(log 2); Cauchy: t = tan(π (p - 1/2))
  expect(relativeError(tQuantileLog(-Math.LN2, 1), 0.5 * Math.PI * 2.3190468138462996e-17)).toBeLessThan(1e-14);
});
