import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { relativeError } from "../../../test/support/oracle-grid.ts";
import {
  laplaceCdf,
  laplaceLogCdf,
  laplaceLogPdf,
  laplaceLogSf,
  laplacePdf,
  laplaceQuantile,
  laplaceQuantileLog,
  laplaceQuantileUpper,
  laplaceSf,
} from "./laplace.ts";

describe("Laplace distribution", () => {
  it("has its closed forms", () => {
    expect(relativeError(laplaceCdf(-Math.log(4)), 1 / 8)).toBeLessThan(3e-16);
    expect(relativeError(laplaceCdf(Math.log(4)), 7 / 8)).toBeLessThan(3e-16);
    expect(relativeError(laplaceSf(Math.log(4)), 1 / 8)).toBeLessThan(3e-16);
    expect(relativeError(laplacePdf(Math.log(4)), 1 / 8)).toBeLessThan(3e-16);
    expect(laplaceLogPdf(-3)).toBe(-3 - Math.LN2);
    expect(laplaceLogCdf(-1e5)).toBe(-1e5 - Math.LN2);
    expect(laplaceLogSf(-40)).toBe(-0.5 * Math.exp(-40));
  });

  it("has quantiles that undo the tails", () => {
    expect([laplaceQuantile(0.5), laplaceQuantileUpper(0.5), laplaceQuantile(0), laplaceQuantile(1)]).toEqual([
      0,
      0,
      -Infinity,
      Infinity,
    ]);
    expect([laplaceQuantile(1.1), laplaceQuantileLog(0.1)]).toEqual([NaN, NaN]);
    expect(relativeError(laplaceQuantile(0.5 + 2 ** -40), 2 ** -39)).toBeLessThan(1e-12);
    fc.assert(
      fc.property(fc.double({ min: -700, max: 30, noNaN: true }), (x) => {
        const amplified = 4e-16 / laplaceSf(x);
        expect(Math.abs(laplaceQuantile(laplaceCdf(x)) - x)).toBeLessThan(1e-15 * Math.abs(x) + amplified);
        expect(Math.abs(laplaceQuantileLog(laplaceLogCdf(x)) - x)).toBeLessThan(1e-13 * (1 + Math.abs(x)));
      }),
    );
  });
});

it("log quantiles at the median know the low part of log 2", () => {
  // 2p - 1 = log 2 - fl(log 2) for log p = -fl(log 2), and x = 2 (p - 1/2)
  expect(relativeError(laplaceQuantileLog(-Math.LN2), 2.3190468138462996e-17)).toBeLessThan(1e-14);
  // one unit above: -log(1 - (2p - 1)) with 2p - 1 = 2^-53 + 2.3e-17
  const above = 2 ** -53 + 2.3190468138462996e-17;
  expect(relativeError(laplaceQuantileLog(-Math.LN2 + 2 ** -53), above)).toBeLessThan(1e-14);
});
