import { describe, expect, it } from "vitest";
import { relativeError } from "../../../test/support/oracle-grid.ts";
import {
  exponentialCdf,
  exponentialLogCdf,
  exponentialLogPdf,
  exponentialLogSf,
  exponentialPdf,
  exponentialQuantile,
  exponentialQuantileLog,
  exponentialQuantileUpper,
  exponentialSf,
} from "./exponential.ts";
import { gammaCdf, gammaLogCdf, gammaPdf, gammaQuantile, gammaSf } from "./gamma.ts";

describe("exponential distribution", () => {
  it("is the gamma distribution of shape 1", () => {
    for (const x of [1e-12, 0.3, 4, 200]) {
      expect(relativeError(exponentialCdf(x, 2.5), gammaCdf(x, 1, 0.4))).toBeLessThan(1e-13);
      expect(relativeError(exponentialSf(x, 2.5), gammaSf(x, 1, 0.4))).toBeLessThan(2e-13);
      expect(relativeError(exponentialPdf(x, 2.5), gammaPdf(x, 1, 0.4))).toBeLessThan(2e-13);
      expect(relativeError(exponentialLogCdf(x, 2.5), gammaLogCdf(x, 1, 0.4))).toBeLessThan(2e-13);
    }
    for (const p of [1e-300, 0.2, 0.9]) {
      expect(relativeError(exponentialQuantile(p, 2.5), gammaQuantile(p, 1, 0.4))).toBeLessThan(1e-13);
      expect(relativeError(exponentialQuantileLog(Math.log(p), 2.5), gammaQuantile(p, 1, 0.4))).toBeLessThan(1e-12);
    }
  });

  it("keeps both tails and its limits", () => {
    expect(exponentialLogSf(1e5, 3)).toBe(-3e5);
    expect(relativeError(exponentialQuantileUpper(1e-300, 2), 150 * Math.LN10)).toBeLessThan(1e-15);
    expect([exponentialCdf(-1, 1), exponentialSf(-1, 1), exponentialLogPdf(-1, 1), exponentialLogCdf(0, 1)]).toEqual([
      0,
      1,
      -Infinity,
      -Infinity,
    ]);
    expect([exponentialQuantile(0, 1), exponentialQuantile(1, 1), exponentialQuantileUpper(1, 1)]).toEqual([
      0,
      Infinity,
      0,
    ]);
    expect([
      exponentialCdf(1, 0),
      exponentialQuantile(1.1, 1),
      exponentialQuantileLog(1, 1),
      exponentialPdf(1, -1),
    ]).toEqual(Array(4).fill(NaN));
  });
});
