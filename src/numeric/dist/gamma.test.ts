import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import {
  gammaCdf,
  gammaLogCdf,
  gammaLogPdf,
  gammaLogSf,
  gammaPdf,
  gammaQuantile,
  gammaQuantileLog,
  gammaQuantileLogUpper,
  gammaQuantileUpper,
  gammaSf,
} from "./gamma.ts";

const mpmath = readOracle("python/distributions.json");

describe("gamma distribution", () => {
  it.each([
    ["lower", gammaCdf],
    ["upper", gammaSf],
    ["logLower", gammaLogCdf],
    ["logUpper", gammaLogSf],
  ] as const)("%s tail against mpmath, rescaled by a power of two", (column, f) => {
    const worst = worstError(mpmath("gamma"), ["x", "a"], column, (x, a) => f(8 * x!, a!, 8));
    expect(worst.error, worst.at).toBeLessThan(3e-13);
  });

  it("has a density that is the derivative of the distribution function", () => {
    for (const shape of [0.3, 1, 4.5, 60]) {
      for (const x of [0.2, 1.3, 5, 70]) {
        const h = 1e-4 * x;
        const slope = (gammaCdf(x + h, shape, 1.5) - gammaCdf(x - h, shape, 1.5)) / (2 * h);
        // central difference: error h² f''/6, and rounding 1e-16 / h
        expect(Math.abs(gammaPdf(x, shape, 1.5) - slope)).toBeLessThan(1e-5 * gammaPdf(x, shape, 1.5) + 1e-11);
      }
    }
    expect(relativeError(gammaLogPdf(2, 3, 0.5), Math.log(16) - 4)).toBeLessThan(1e-14);
  });

  it("has densities at zero by shape", () => {
    expect([gammaPdf(0, 0.5, 1), gammaPdf(0, 1, 4), gammaPdf(0, 2, 1), gammaPdf(-1, 2, 1)]).toEqual([
      Infinity,
      0.25,
      0,
      0,
    ]);
  });

  it("scales: quantiles are proportional to the scale and undo the tails", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.double({ min: 0.2, max: 500, noNaN: true }),
        (p, a) => {
          const x = gammaQuantile(p, a, 3);
          expect(relativeError(x, 3 * gammaQuantile(p, a, 1))).toBeLessThan(1e-15);
          expect(Math.abs(gammaCdf(x, a, 3) - p)).toBeLessThan(1e-13);
          expect(relativeError(gammaQuantileLog(Math.log(p), a, 3), x)).toBeLessThan(1e-12);
          expect(relativeError(gammaQuantileUpper(1 - p, a, 3), x)).toBeLessThan(1e-12);
          expect(relativeError(gammaQuantileLogUpper(Math.log1p(-p), a, 3), x)).toBeLessThan(1e-12);
        },
      ),
    );
  });

  it("is undefined outside its parameters", () => {
    expect([gammaCdf(1, 0, 1), gammaCdf(1, 1, 0), gammaSf(1, -1, 1), gammaQuantile(0.5, 1, -1)]).toEqual(
      Array(4).fill(NaN),
    );
    expect([gammaLogCdf(1, NaN, 1), gammaLogSf(1, 0, 1), gammaPdf(1, 1, 0)]).toEqual(Array(3).fill(NaN));
  });
});
