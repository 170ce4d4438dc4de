import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import { gammaP, gammaQ, inverseGammaP, logGammaKernel, logGammaP, logGammaQ } from "./incomplete-gamma.ts";

const mpmath = readOracle("python/distributions.json");
const reference = readOracle("reference/distributions-core.json");

/** e^{-700} formed from a rounded exponent leaves about 1e-13; everything else is far better. */
const TOLERANCE = 3e-13;

describe("incomplete gamma against mpmath", () => {
  it.each([
    ["lower", gammaP],
    ["upper", gammaQ],
    ["logLower", logGammaP],
    ["logUpper", logGammaQ],
  ] as const)("%s tail, a from 1e-6 to 5e9", (column, f) => {
    const worst = worstError(mpmath("gamma"), ["a", "x"], column, f);
    expect(worst.error, worst.at).toBeLessThan(TOLERANCE);
  });

  it.each([
    ["lower", gammaP],
    ["upper", gammaQ],
  ] as const)("%s tail of the shared reference", (column, f) => {
    const worst = worstError(reference("pgamma"), ["a", "x"], column, f);
    expect(worst.error, worst.at).toBeLessThan(TOLERANCE);
  });

  it("inverse, from logarithms of either tail", () => {
    const worst = worstError(mpmath("gamma-quantile-log"), ["logP", "a", "lower"], "value", (logP, a, lower) =>
      inverseGammaP(a!, logP!, { lower: lower === 1, log: true }),
    );
    expect(worst.error, worst.at).toBeLessThan(2e-14);
  });
});

const shape = fc.double({ min: -5, max: 8, noNaN: true }).map((e) => 10 ** e);

describe("incomplete gamma", () => {
  it("has its closed forms: a = 1 is exponential, a = 3 a Poisson sum", () => {
    for (const x of [1e-9, 0.3, 1.9, 2.1, 3.9, 4.1, 30, 650]) {
      expect(relativeError(gammaQ(1, x), Math.exp(-x))).toBeLessThan(TOLERANCE);
      expect(relativeError(gammaP(1, x), -Math.expm1(-x))).toBeLessThan(TOLERANCE);
      expect(relativeError(gammaQ(3, x), Math.exp(-x) * (1 + x + (x * x) / 2))).toBeLessThan(TOLERANCE);
    }
  });

  it("satisfies P + Q = 1, agrees with its logarithms, and increases in x", () => {
    fc.assert(
      fc.property(shape, fc.double({ min: -6, max: 6, noNaN: true }), (a, z) => {
        const x = a * Math.exp(z / Math.sqrt(a + 0.1));
        const p = gammaP(a, x);
        const q = gammaQ(a, x);
        expect(p + q).toBeCloseTo(1, 14);
        expect(relativeError(Math.exp(logGammaP(a, x)), p)).toBeLessThan(1e-12);
        expect(relativeError(Math.exp(logGammaQ(a, x)), q)).toBeLessThan(1e-12);
        // steps larger than the rounding of the tail itself
        expect(logGammaP(a, x * (1 + 1e-6))).toBeGreaterThanOrEqual(logGammaP(a, x));
        expect(logGammaQ(a, x * (1 + 1e-6))).toBeLessThanOrEqual(logGammaQ(a, x));
      }),
      { numRuns: 400 },
    );
  });

  it("satisfies the recurrence Q(a + 1, x) = Q(a, x) + x^a e^{-x} / Γ(a + 1) across all regions", () => {
    fc.assert(
      fc.property(shape, fc.double({ min: -3, max: 3, noNaN: true }), (a, z) => {
        const x = a * Math.exp(z / Math.sqrt(a + 0.1));
        const term = Math.exp(logGammaKernel(a, x)) / a;
        expect(Math.abs(gammaQ(a + 1, x) - gammaQ(a, x) - term)).toBeLessThan(1e-14 + 1e-15 * Math.sqrt(a));
      }),
      { numRuns: 400 },
    );
  });

  it("is undone by its inverse in either tail", () => {
    const exponent = fc.double({ min: -300, max: -0.001, noNaN: true });
    fc.assert(
      fc.property(shape, exponent, fc.boolean(), (a, logP, lower) => {
        const x = inverseGammaP(a, logP, { lower, log: true });
        fc.pre(x > 1e-300);
        const back = lower ? logGammaP(a, x) : logGammaQ(a, x);
        // rounding x moves the logarithm by its slope in log x
        const slope = Math.exp(logGammaKernel(a, x) - back);
        expect(Math.abs(back - logP)).toBeLessThan(1e-13 * Math.abs(logP) + 4e-15 * slope + 1e-15);
      }),
      { numRuns: 400 },
    );
  });

  it("inverts plain probabilities as it inverts their logarithms", () => {
    for (const p of [1e-300, 1e-5, 0.2, 0.5, 0.7]) {
      expect(relativeError(inverseGammaP(2.5, p), inverseGammaP(2.5, Math.log(p), { log: true }))).toBeLessThan(1e-13);
    }
    expect(relativeError(inverseGammaP(1, 0.25, { lower: false }), Math.log(4))).toBeLessThan(1e-15);
  });

  it("has limits at the boundary and NaN outside", () => {
    expect([gammaP(2, 0), gammaQ(2, 0), gammaP(2, -1), gammaP(0, 1), gammaQ(0, 1)]).toEqual([0, 1, 0, 1, 0]);
    expect([gammaP(2, Infinity), gammaQ(2, Infinity), logGammaP(2, 0), logGammaQ(2, Infinity)]).toEqual([
      1,
      0,
      -Infinity,
      -Infinity,
    ]);
    expect([gammaP(-1, 1), gammaP(2, NaN), gammaQ(NaN, 1), inverseGammaP(2, 1.1), inverseGammaP(2, -0.1)]).toEqual(
      Array(5).fill(NaN),
    );
    expect([inverseGammaP(2, 0), inverseGammaP(2, 1), inverseGammaP(2, 0, { lower: false })]).toEqual([
      0,
      Infinity,
      Infinity,
    ]);
  });
});
