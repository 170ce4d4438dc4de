import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import {
  betaCdf,
  betaLogCdf,
  betaLogPdf,
  betaLogSf,
  betaPdf,
  betaQuantile,
  betaQuantileLog,
  betaQuantileLogUpper,
  betaQuantileUpper,
  betaSf,
} from "./beta.ts";

const reference = readOracle("reference/distributions-core.json");

describe("beta distribution", () => {
  it.each([
    ["lower", betaCdf],
    ["upper", betaSf],
  ] as const)("%s tail of the shared reference", (column, f) => {
    const worst = worstError(reference("pbeta"), ["x", "a", "b"], column, f);
    expect(worst.error, worst.at).toBeLessThan(4e-13);
  });

  it("quantiles of the shared reference", () => {
    const worst = worstError(reference("qbeta"), ["p", "a", "b"], "value", betaQuantile);
    expect(worst.error, worst.at).toBeLessThan(5e-15);
  });

  it("has its polynomial density for integer shapes: 12 x (1-x)²  for (2, 3)", () => {
    for (const x of [1e-8, 0.2, 0.5, 0.9]) {
      expect(relativeError(betaPdf(x, 2, 3), 12 * x * (1 - x) ** 2)).toBeLessThan(1e-14);
      expect(relativeError(betaCdf(x, 2, 3), x * x * (6 - 8 * x + 3 * x * x))).toBeLessThan(1e-14);
    }
    // (n choose k) form for large shapes, B(21, 31) = 20! 30! / 51!
    let inverseB = 51;
    for (let i = 1; i <= 20; i++) inverseB *= (30 + i) / i;
    expect(relativeError(betaPdf(0.3, 21, 31), inverseB * 0.3 ** 20 * 0.7 ** 30)).toBeLessThan(2e-14);
  });

  it("has densities at the ends by shape", () => {
    expect([betaPdf(0, 0.5, 2), betaPdf(0, 1, 2), betaPdf(0, 3, 2), betaPdf(1, 2, 1), betaPdf(1, 2, 0.5)]).toEqual([
      Infinity,
      2,
      0,
      2,
      Infinity,
    ]);
    expect([betaLogPdf(-0.1, 2, 2), betaLogPdf(1.1, 2, 2), betaLogPdf(0.5, 0, 2)]).toEqual([-Infinity, -Infinity, NaN]);
  });

  it("has quantiles that undo the tails, four ways", () => {
    const shape = fc.double({ min: 0.3, max: 300, noNaN: true });
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), shape, shape, (p, a, b) => {
        const x = betaQuantile(p, a, b);
        // rounding of 1 - p, seen through the density
        const noise = 1e-13 + 1e-15 / (betaPdf(x, a, b) * x);
        expect(Math.abs(betaCdf(x, a, b) - p)).toBeLessThan(1e-13 + 1e-16 * betaPdf(x, a, b));
        expect(relativeError(betaQuantileUpper(1 - p, a, b), x)).toBeLessThan(noise);
        expect(relativeError(betaQuantileLog(Math.log(p), a, b), x)).toBeLessThan(noise);
        expect(relativeError(betaQuantileLogUpper(Math.log1p(-p), a, b), x)).toBeLessThan(noise);
        expect(relativeError(Math.exp(betaLogCdf(x, a, b)) + Math.exp(betaLogSf(x, a, b)), 1)).toBeLessThan(1e-14);
      }),
    );
  });
});
