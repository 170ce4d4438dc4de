import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import {
  normalCdf,
  normalLogCdf,
  normalLogPdf,
  normalLogSf,
  normalPdf,
  normalQuantile,
  normalQuantileLog,
  normalQuantileLogUpper,
  normalQuantileUpper,
  normalSf,
} from "./normal.ts";

const mpmath = readOracle("python/distributions.json");
const reference = readOracle("reference/distributions-core.json");

describe("normal distribution against mpmath", () => {
  it.each([
    ["lower", normalCdf],
    ["upper", normalSf],
    ["logLower", normalLogCdf],
    ["logUpper", normalLogSf],
  ] as const)("%s tail from -1e6 to 50", (column, f) => {
    const worst = worstError(mpmath("normal"), ["x"], column, f);
    expect(worst.error, worst.at).toBeLessThan(2e-15);
  });

  it.each([
    ["pnorm", "lower", normalCdf],
    ["pnorm", "upper", normalSf],
    ["log-pnorm", "value", normalLogCdf],
  ] as const)("%s %s of the shared reference", (id, column, f) => {
    const worst = worstError(reference(id), ["x"], column, f);
    expect(worst.error, worst.at).toBeLessThan(2e-15);
  });

  it("quantiles, from 1e-300 and from log p = -1e9", () => {
    const plain = worstError(reference("qnorm"), ["p"], "value", normalQuantile);
    expect(plain.error, plain.at).toBeLessThan(2e-15);
    // at log p = -0.7 the quantile is -0.0086: log p + log 2 has lost two digits
    const log = worstError(mpmath("normal-quantile-log"), ["logP"], "value", normalQuantileLog);
    expect(log.error, log.at).toBeLessThan(1e-14);
  });
});

describe("normal distribution", () => {
  it("is symmetric, its parts agree and sum to one", () => {
    fc.assert(
      fc.property(fc.double({ min: -37, max: 37, noNaN: true }), (x) => {
        expect(normalSf(x)).toBe(normalCdf(-x));
        expect(normalCdf(x) + normalSf(x)).toBeCloseTo(1, 15);
        expect(relativeError(Math.exp(normalLogCdf(x)), normalCdf(x))).toBeLessThan(2e-13);
        expect(relativeError(Math.exp(normalLogPdf(x)), normalPdf(x))).toBeLessThan(2e-13);
        expect(normalCdf(x + 1e-9)).toBeGreaterThanOrEqual(normalCdf(x));
      }),
    );
  });

  it("has quantiles that undo the tails", () => {
    fc.assert(
      fc.property(fc.double({ min: -37.5, max: 8, noNaN: true }), (x) => {
        // at x > 0 the rounding of p itself is amplified by p / φ(x)
        const amplified = (2e-16 * normalCdf(x)) / normalPdf(x);
        expect(Math.abs(normalQuantile(normalCdf(x)) - x)).toBeLessThan(1e-14 * (1 + Math.abs(x)) + 2 * amplified);
        expect(Math.abs(normalQuantileUpper(normalSf(-x)) + x)).toBeLessThan(1e-14 * (1 + Math.abs(x)) + 2 * amplified);
      }),
    );
    for (const x of [-1e150, -1e8, -1e3, -38.7, -2, -0.001, 0.5, 3, 37]) {
      expect(relativeError(normalQuantileLog(normalLogCdf(x)), x)).toBeLessThan(1e-12);
      expect(relativeError(-normalQuantileLogUpper(normalLogSf(-x)), x)).toBeLessThan(1e-12);
    }
  });

  it("joins the fitted pieces of its quantile", () => {
    for (const p of [0.075, 0.925, Math.exp(-25)]) {
      expect(relativeError(normalQuantile(p * (1 + 1e-15)), normalQuantile(p * (1 - 1e-15)))).toBeLessThan(2e-14);
    }
    // log-scale pieces meet at r = 27.4, log p = -750.76
    expect(relativeError(normalQuantileLog(-750.7599), normalQuantileLog(-750.7601))).toBeLessThan(3e-7);
    expect(normalQuantileLog(-750.7601)).toBeLessThan(normalQuantileLog(-750.7599));
  });

  it("has limits and NaN outside", () => {
    expect([normalCdf(-Infinity), normalCdf(Infinity), normalLogCdf(-Infinity), normalPdf(Infinity)]).toEqual([
      0,
      1,
      -Infinity,
      0,
    ]);
    expect([normalQuantile(0), normalQuantile(1), normalQuantile(0.5), normalQuantileUpper(0.5)]).toEqual([
      -Infinity,
      Infinity,
      0,
      0,
    ]);
    expect([normalQuantileLog(-Infinity), normalQuantileLog(0)]).toEqual([-Infinity, Infinity]);
    expect([normalQuantile(-0.1), normalQuantile(1.1), normalQuantileLog(0.1), normalCdf(NaN)]).toEqual(
      Array(4).fill(NaN),
    );
    // half of the smallest subnormal lies between these
    expect([normalCdf(-38.46), normalCdf(-38.5)]).toEqual([5e-324, 0]);
  });
});

it("log quantiles at the median know the low part of log 2", () => {
  // 2p - 1 = log 2 - fl(log 2) for log p = -fl(log 2), and x = (p - 1/2) √(2π)
  const x = 0.5 * Math.sqrt(2 * Math.PI) * 2.3190468138462996e-17;
  expect(relativeError(normalQuantileLog(-Math.LN2), x)).toBeLessThan(1e-14);
  expect(relativeError(normalQuantileLogUpper(-Math.LN2), -x)).toBeLessThan(1e-14);
});
