import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import {
  digamma,
  gamma,
  logFactorial,
  logGamma,
  logGamma1p,
  logGammaCorrection,
  logGammaDelta,
  trigamma,
} from "./gamma.ts";

const mpmath = readOracle("python/distributions.json");
const reference = readOracle("reference/distributions-core.json");

describe("gamma functions against mpmath", () => {
  it.each([
    ["gamma-function", gamma, 5e-15],
    ["log-gamma", logGamma, 2e-15],
    // ψ(-1/2) = 0.036 is a difference of two numbers of size 1
    ["digamma", digamma, 1e-14],
    ["trigamma", trigamma, 2e-15],
    ["stirling-remainder", logGammaCorrection, 5e-16],
  ] as const)("%s", (id, f, tolerance) => {
    const worst = worstError(mpmath(id), ["x"], "value", f);
    expect(worst.error, worst.at).toBeLessThan(tolerance);
  });

  it.each([
    ["lgamma", logGamma],
    ["digamma", digamma],
  ] as const)("%s of the shared reference", (id, f) => {
    const worst = worstError(reference(id), ["x"], "value", f);
    expect(worst.error, worst.at).toBeLessThan(1e-15);
  });

  it("differences of log gamma keep their digits for small steps", () => {
    // ψ vanishes near x = 1.4616, and with it the difference: the error is measured against the step where that is larger
    const { args, expected } = mpmath("log-gamma-delta");
    for (let i = 0; i < args["x"]!.length; i++) {
      const [x, d, value] = [args["x"]![i], args["d"]![i], expected["value"]![i]].map(Number) as [
        number,
        number,
        number,
      ];
      const error = Math.abs(logGammaDelta(x, d) - value) / Math.max(Math.abs(value), Math.min(d, 1));
      expect(error, `(${x}, ${d})`).toBeLessThan(2e-15);
    }
  });
});

describe("gamma functions", () => {
  it("give exact factorials and half-integer values", () => {
    let factorial = 1;
    for (let n = 1; n <= 18; n++) {
      factorial *= n;
      expect(gamma(n + 1)).toBe(factorial);
      expect(relativeError(logFactorial(n), Math.log(factorial))).toBeLessThan(4e-16);
    }
    expect(logFactorial(0)).toBe(0);
    expect(gamma(0.5)).toBeCloseTo(Math.sqrt(Math.PI), 15);
    expect(gamma(-0.5)).toBeCloseTo(-2 * Math.sqrt(Math.PI), 14);
  });

  it("have poles and limits", () => {
    expect([gamma(0), gamma(-3), logGamma(0), logGamma(-2), digamma(0), digamma(-1)]).toEqual([
      NaN,
      NaN,
      Infinity,
      Infinity,
      NaN,
      NaN,
    ]);
    expect([logGamma(Infinity), gamma(172), trigamma(-4)]).toEqual([Infinity, Infinity, Infinity]);
    expect(logFactorial(-1)).toBeNaN();
    expect([gamma(NaN), logGamma(NaN), digamma(NaN), trigamma(NaN)]).toEqual([NaN, NaN, NaN, NaN]);
  });

  it("satisfy the recurrences", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 100, noNaN: true }), (x) => {
        expect(relativeError(gamma(x + 1), x * gamma(x))).toBeLessThan(1e-13);
        expect(Math.abs(logGamma(x + 1) - logGamma(x) - Math.log(x))).toBeLessThan(1e-13 * (1 + logGamma(x + 1)));
        expect(Math.abs(digamma(x + 1) - digamma(x) - 1 / x)).toBeLessThan(1e-14 * (2 + 1 / x));
        expect(relativeError(trigamma(x) - 1 / (x * x), trigamma(x + 1))).toBeLessThan(1e-14 * (1 + 2 / (x * x)) * 10);
        expect(relativeError(logGammaDelta(x, 1), Math.log(x)) * Math.abs(Math.log(x))).toBeLessThan(1e-14 * 5);
      }),
    );
  });

  it("satisfy reflection", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.99, noNaN: true }), (x) => {
        // sin(πx) and 1 - x near an integer amplify the rounding of x a hundredfold
        expect(relativeError(gamma(x) * gamma(1 - x), Math.PI / Math.sin(Math.PI * x))).toBeLessThan(1e-13);
        expect(digamma(1 - x) - digamma(x)).toBeCloseTo(Math.PI / Math.tan(Math.PI * x), 11);
      }),
    );
  });

  it("logGamma1p keeps relative accuracy at zero: log Γ(1 + x) = -γ x + π² x² / 12 + …", () => {
    const euler = 0.5772156649015329;
    for (const x of [1e-14, -1e-14, 1e-9, -1e-9]) {
      const series = -euler * x + ((Math.PI * Math.PI) / 12) * x * x;
      expect(relativeError(logGamma1p(x), series)).toBeLessThan(1e-15 * 4);
    }
    expect(relativeError(logGamma1p(7.3), logGamma(8.3))).toBeLessThan(1e-15);
  });
});
