import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { relativeError } from "../../../test/support/oracle-grid.ts";
import {
  logisticCdf,
  logisticLogCdf,
  logisticLogPdf,
  logisticLogSf,
  logisticPdf,
  logisticQuantile,
  logisticQuantileLog,
  logisticQuantileLogUpper,
  logisticQuantileUpper,
  logisticSf,
} from "./logistic.ts";

describe("logistic distribution", () => {
  it("has its closed forms", () => {
    expect(relativeError(logisticCdf(Math.log(3)), 0.75)).toBeLessThan(3e-16);
    expect(relativeError(logisticSf(Math.log(3)), 0.25)).toBeLessThan(3e-16);
    expect(relativeError(logisticPdf(Math.log(3)), 3 / 16)).toBeLessThan(4e-16);
    expect(relativeError(logisticCdf(-700), Math.exp(-700))).toBe(0);
    expect(logisticLogCdf(-1e5)).toBe(-1e5);
    expect(logisticLogSf(-50)).toBe(-Math.exp(-50));
    expect(logisticLogPdf(-1e5)).toBe(-1e5);
    expect(relativeError(logisticLogPdf(Math.log(3)), Math.log(3 / 16))).toBeLessThan(4e-16);
  });

  it("has quantiles accurate at the median and in both tails", () => {
    expect([logisticQuantile(0.5), logisticQuantileUpper(0.5), logisticQuantile(0), logisticQuantile(1)]).toEqual([
      0,
      0,
      -Infinity,
      Infinity,
    ]);
    // logit(1/2 + d) = 4 d + O(d³)
    expect(relativeError(logisticQuantile(0.5 + 2 ** -40), 2 ** -38)).toBeLessThan(1e-15);
    expect(relativeError(logisticQuantile(1e-300), -300 * Math.LN10)).toBeLessThan(1e-15);
    expect(logisticQuantileLog(-1e5)).toBe(-1e5);
    expect(relativeError(logisticQuantileLogUpper(-1e5), 1e5)).toBe(0);
    expect([logisticQuantile(-0.1), logisticQuantile(1.1), logisticQuantileLog(0.1)]).toEqual([NaN, NaN, NaN]);
  });

  it("is symmetric, sums to one, and quantiles undo the tails", () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 30, noNaN: true }), (x) => {
        expect(logisticCdf(x)).toBe(logisticSf(-x));
        expect(logisticCdf(x) + logisticSf(x)).toBeCloseTo(1, 15);
        const amplified = 4e-16 / logisticSf(x);
        expect(Math.abs(logisticQuantile(logisticCdf(x)) - x)).toBeLessThan(1e-15 * Math.abs(x) + amplified);
        expect(Math.abs(logisticQuantileLog(logisticLogCdf(x)) - x)).toBeLessThan(1e-13 * (1 + Math.abs(x)));
      }),
    );
  });
});

it("log quantiles at the median know the low part of log 2", () => {
  // 2p - 1 = log 2 - fl(log 2) for log p = -fl(log 2), and x = 4 (p - 1/2)
  expect(relativeError(logisticQuantileLog(-Math.LN2), 2 * 2.3190468138462996e-17)).toBeLessThan(1e-14);
});
