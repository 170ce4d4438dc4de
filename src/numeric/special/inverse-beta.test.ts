import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import { betaDeviationFromOdds, logBetaI, logBetaIc } from "./beta.ts";
import { logBetaKernel } from "./beta-tail.ts";
import { inverseBetaI, inverseBetaOdds } from "./inverse-beta.ts";

const mpmath = readOracle("python/distributions.json");

describe("inverse incomplete beta", () => {
  it("matches mpmath far into the lower tail", () => {
    const worst = worstError(mpmath("beta-quantile-log"), ["logP", "a", "b"], "value", (logP, a, b) =>
      inverseBetaI(logP!, a!, b!, { log: true }),
    );
    // exp(-240) from the leading power: 1e-14 is the rounding of the exponent
    expect(worst.error, worst.at).toBeLessThan(5e-14);
  });

  it("has its closed forms: p^{1/a} for b = 1, the arcsine law for a = b = 1/2", () => {
    for (const p of [1e-20, 0.003, 0.3, 0.5, 0.8, 0.999]) {
      for (const a of [0.2, 1, 7, 400]) expect(relativeError(inverseBetaI(p, a, 1), p ** (1 / a))).toBeLessThan(1e-13);
      expect(relativeError(inverseBetaI(p, 0.5, 0.5), Math.sin((Math.PI / 2) * p) ** 2)).toBeLessThan(1e-14);
    }
  });

  it("undoes the tails for shapes from 1e-4 to 1e9", () => {
    const shape = fc.double({ min: -4, max: 9, noNaN: true }).map((e) => 10 ** e);
    const exponent = fc.oneof(
      fc.double({ min: -1e5, max: -1, noNaN: true }),
      fc.double({ min: -11, max: 0.5, noNaN: true }).map((e) => -(10 ** e)),
    );
    fc.assert(
      fc.property(shape, shape, exponent, fc.boolean(), (a, b, logP, lower) => {
        const w = inverseBetaOdds(logP, a, b, { lower, log: true });
        expect(w).not.toBeNaN();
        fc.pre(w > 1e-290 && w < 1e290);
        const x = w / (1 + w);
        const y = 1 / (1 + w);
        const back = lower ? logBetaI(x, a, b, y) : logBetaIc(x, a, b, y);
        // rounding the odds, and again x and y, moves the logarithm by its slope in logit x
        const slope = Math.exp(logBetaKernel(a, b, x, y, betaDeviationFromOdds(a, b, w)) - back);
        expect(Math.abs(back - logP)).toBeLessThan(1e-12 * Math.abs(logP) + 1e-14 * slope);
      }),
      { numRuns: 500 },
    );
  });

  it("gives odds that resolve quantiles next to 1", () => {
    // beta(1, b): 1 - x = q^{1/b} exactly, here 1e-30 from 1
    expect(relativeError(1 / inverseBetaOdds(1e-30, 1, 1, { lower: false }), 1e-30)).toBeLessThan(1e-14);
    expect(inverseBetaI(1e-30, 1, 1, { lower: false })).toBe(1);
  });

  it("has limits at the boundary and NaN outside", () => {
    expect([inverseBetaI(0, 2, 3), inverseBetaI(1, 2, 3), inverseBetaI(0, 2, 3, { lower: false })]).toEqual([0, 1, 1]);
    expect([inverseBetaI(0, 2, 3, { log: true }), inverseBetaI(-Infinity, 2, 3, { log: true })]).toEqual([1, 0]);
    expect([
      inverseBetaI(-0.1, 2, 3),
      inverseBetaI(1.1, 2, 3),
      inverseBetaI(0.5, 0, 3),
      inverseBetaI(NaN, 1, 1),
    ]).toEqual(Array(4).fill(NaN));
  });
});
