import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import { betaDeviation, betaI, betaIc, logBetaI, logBetaIc } from "./beta.ts";
import { logBetaKernel } from "./beta-tail.ts";

const mpmath = readOracle("python/distributions.json");
const reference = readOracle("reference/distributions-core.json");

/** e^{-700} formed from a rounded exponent leaves about 2e-13; everything else is far better. */
const TOLERANCE = 4e-13;

describe("incomplete beta against mpmath", () => {
  it.each([
    ["lower", betaI],
    ["upper", betaIc],
    ["logLower", logBetaI],
    ["logUpper", logBetaIc],
  ] as const)("%s tail, shapes from 1e-6 to 5e9", (column, f) => {
    const worst = worstError(mpmath("beta"), ["x", "a", "b"], column, (x, a, b) => f(x!, a!, b!));
    expect(worst.error, worst.at).toBeLessThan(TOLERANCE);
  });

  it.each([
    ["lower", betaI],
    ["upper", betaIc],
  ] as const)("%s tail of the shared reference", (column, f) => {
    const worst = worstError(reference("pbeta"), ["x", "a", "b"], column, (x, a, b) => f(x!, a!, b!));
    expect(worst.error, worst.at).toBeLessThan(TOLERANCE);
  });
});

const shape = fc.double({ min: -5, max: 8, noNaN: true }).map((e) => 10 ** e);
const deviate = fc.double({ min: -5, max: 5, noNaN: true });

/** x and y = 1 - x some standard deviations from the mean on the logit scale. */
function around(a: number, b: number, z: number): [number, number] {
  const odds = (a / b) * Math.exp(z * Math.sqrt(1 / (a + 0.1) + 1 / (b + 0.1)));
  return [odds / (1 + odds), 1 / (1 + odds)];
}

describe("incomplete beta", () => {
  it("has its closed forms: b = 1 is x^a, a = 1 is 1 - (1-x)^b, a = b = 1/2 the arcsine law", () => {
    for (const x of [1e-12, 0.1, 0.49, 0.51, 0.9, 0.999]) {
      for (const s of [1e-4, 0.5, 1, 3.7, 250]) {
        expect(relativeError(betaI(x, s, 1), x ** s)).toBeLessThan(TOLERANCE);
        expect(relativeError(betaIc(x, 1, s), Math.exp(s * Math.log1p(-x)))).toBeLessThan(TOLERANCE);
      }
      expect(relativeError(betaI(x, 0.5, 0.5), (2 / Math.PI) * Math.asin(Math.sqrt(x)))).toBeLessThan(1e-14);
    }
  });

  it("is a binomial tail for integer shapes: I_{1/2}(3, 4) = P(Bin(6, 1/2) >= 3) = 42/64", () => {
    expect(betaI(0.5, 3, 4)).toBeCloseTo(42 / 64, 15);
    expect(betaIc(0.5, 3, 4)).toBeCloseTo(22 / 64, 15);
  });

  it("uses the complement it is given: 1 - x = 1e-30", () => {
    // I_x(2, 1/2) → 1 - (3/2) √y: B(1/2, 2) = 4/3, and √y / (½ B) = 3/2 √y
    expect(relativeError(betaIc(1, 2, 0.5, 1e-30), 1.5e-15)).toBeLessThan(1e-14);
    expect(betaIc(1, 2, 0.5)).toBe(0);
  });

  it("satisfies I + Ic = 1, the reflection I_x(a, b) = Ic_{1-x}(b, a), and its logarithms", () => {
    fc.assert(
      fc.property(shape, shape, deviate, (a, b, z) => {
        const [x, y] = around(a, b, z);
        const lower = betaI(x, a, b, y);
        const upper = betaIc(x, a, b, y);
        expect(lower + upper).toBeCloseTo(1, 14);
        expect(relativeError(betaIc(y, b, a, x), lower)).toBeLessThan(1e-13);
        expect(relativeError(Math.exp(logBetaI(x, a, b, y)), lower)).toBeLessThan(1e-12);
        expect(relativeError(Math.exp(logBetaIc(x, a, b, y)), upper)).toBeLessThan(1e-12);
      }),
      { numRuns: 400 },
    );
  });

  it("satisfies I_x(a, b) = I_x(a + 1, b) + x^a y^b / (a B(a, b)) across all regions", () => {
    fc.assert(
      fc.property(shape, shape, deviate, (a, b, z) => {
        const [x, y] = around(a, b, z);
        const step = Math.exp(logBetaKernel(a, b, x, y, betaDeviation(a, b, x, y))) / a;
        // x and y are rounded here, so large shapes see a slightly different x in each term
        const noise = 1e-14 + 1e-15 * Math.sqrt(Math.min(a, b));
        expect(Math.abs(betaI(x, a, b, y) - betaI(x, a + 1, b, y) - step)).toBeLessThan(noise);
      }),
      { numRuns: 400 },
    );
  });

  it("has limits at the boundary and NaN outside", () => {
    expect([betaI(0, 2, 3), betaI(1, 2, 3), betaIc(0, 2, 3), betaIc(1, 2, 3), betaI(-1, 2, 3)]).toEqual([
      0, 1, 1, 0, 0,
    ]);
    expect([logBetaI(0, 2, 3), logBetaIc(1, 2, 3)]).toEqual([-Infinity, -Infinity]);
    expect([betaI(0.3, 0, 2), betaI(0.3, 2, 0)]).toEqual([1, 0]);
    expect([betaI(0.5, -1, 2), betaI(NaN, 1, 2), betaI(0.5, 0, 0)]).toEqual(Array(3).fill(NaN));
  });
});
