import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import { erf, erfc, erfcx } from "./erf.ts";

const mpmath = readOracle("python/distributions.json");

describe("error functions against mpmath", () => {
  it.each([
    ["erf", erf, 1e-15],
    ["erfc", erfc, 2e-15],
    ["erfcx", erfcx, 2e-15],
  ] as const)("%s", (id, f, tolerance) => {
    const worst = worstError(mpmath(id), ["x"], "value", f);
    expect(worst.error, worst.at).toBeLessThan(tolerance);
  });
});

describe("error functions", () => {
  it("have their exact values at zero and infinity", () => {
    expect([erf(0), erfc(0), erfcx(0)]).toEqual([0, 1, 1]);
    expect([erf(Infinity), erfc(Infinity), erfcx(Infinity)]).toEqual([1, 0, 0]);
    expect([erf(-Infinity), erfc(-Infinity), erfcx(-Infinity)]).toEqual([-1, 2, Infinity]);
    expect([erf(NaN), erfc(NaN), erfcx(NaN)]).toEqual([NaN, NaN, NaN]);
  });

  it("are consistent: erf + erfc = 1, odd symmetry, the scaled version agrees", () => {
    fc.assert(
      fc.property(fc.double({ min: -5, max: 25, noNaN: true }), (x) => {
        expect(erf(x) + erfc(x)).toBeCloseTo(1, 15);
        expect(erf(-x)).toBe(-erf(x));
        expect(relativeError(erfcx(x) * Math.exp(-x * x), erfc(x))).toBeLessThan(1e-13);
      }),
    );
  });

  it("join their pieces: no jump at the ends of the fitted intervals", () => {
    for (const x of [Math.sqrt(0.75), 2.25, 6]) {
      // the slope of log erfcx is below 1.2 here, so 1e-13 apart means values 2e-13 apart at most
      expect(relativeError(erfcx(x * (1 - 1e-15)), erfcx(x * (1 + 1e-15)))).toBeLessThan(8e-15);
    }
  });
});
