import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import { fCdf, fPdf, fSf } from "./f.ts";
import { noncentralChiSquareSf } from "./noncentral-chi-square.ts";
import {
  noncentralFCdf,
  noncentralFLogCdf,
  noncentralFLogSf,
  noncentralFPdf,
  noncentralFQuantile,
  noncentralFQuantileUpper,
  noncentralFSf,
} from "./noncentral-f.ts";
import { noncentralTCdf, noncentralTPdf, noncentralTSf } from "./noncentral-t.ts";

const mpmath = readOracle("python/noncentral.json")("noncentral-f");
const reference = readOracle("reference/distributions-noncentral.json")("pf-noncentral");
const NAMES = ["x", "df1", "df2", "ncp"];

describe("noncentral F against mpmath", () => {
  it.each([
    ["lower", noncentralFCdf],
    ["upper", noncentralFSf],
    ["logLower", noncentralFLogCdf],
    ["logUpper", noncentralFLogSf],
  ] as const)("%s tail, df2 0.5 to 1e6, ncp to 1e5, probabilities to 1e-400", (column, f) => {
    const worst = worstError(mpmath, NAMES, column, (x, df1, df2, ncp) => f(x!, df1!, df2!, ncp!));
    // 2e-12 at ncp = 1e5 with df2 = 3, where 6e4 ratios are multiplied; 2e-13 elsewhere
    expect(worst.error, worst.at).toBeLessThan(3e-12);
  });

  it.each([
    ["lower", noncentralFCdf],
    ["upper", noncentralFSf],
  ] as const)("%s tail of the shared reference", (column, f) => {
    const worst = worstError(reference, NAMES, column, (x, df1, df2, ncp) => f(x!, df1!, df2!, ncp!));
    expect(worst.error, worst.at).toBeLessThan(1e-12);
  });
});

describe("noncentral F against its relatives", () => {
  it("df1 = 1 is the square of a noncentral t, which is integrated quite differently", () => {
    for (const df of [0.5, 3, 40, 1e5]) {
      for (const ncp of [0.3, 2, 15]) {
        for (const t of [0.05, 1.7, 9, 80]) {
          const upper = noncentralTSf(t, df, ncp) + noncentralTCdf(-t, df, ncp);
          expect(relativeError(noncentralFSf(t * t, 1, df, ncp * ncp), upper), `${t} ${df} ${ncp}`).toBeLessThan(1e-11);
          const density = (noncentralTPdf(t, df, ncp) + noncentralTPdf(-t, df, ncp)) / (2 * t);
          expect(relativeError(noncentralFPdf(t * t, 1, df, ncp * ncp), density), `${t} ${df} ${ncp}`).toBeLessThan(
            1e-11,
          );
        }
      }
    }
  });

  it("ncp = 0 is the central F, infinite df2 the chi-square", () => {
    for (const [x, df1, df2] of [
      [0.02, 0.6, 3],
      [2, 3, 0.7],
      [9, 8, 300],
    ] as const) {
      expect(relativeError(noncentralFCdf(x, df1, df2, 0), fCdf(x, df1, df2))).toBeLessThan(1e-13);
      expect(relativeError(noncentralFSf(x, df1, df2, 0), fSf(x, df1, df2))).toBeLessThan(1e-13);
      expect(relativeError(noncentralFPdf(x, df1, df2, 0), fPdf(x, df1, df2))).toBeLessThan(1e-12);
      expect(relativeError(noncentralFSf(x, df1, df2, 1e-13), fSf(x, df1, df2))).toBeLessThan(1e-12);
    }
    expect(noncentralFSf(4, 3, Infinity, 5)).toBe(noncentralChiSquareSf(12, 3, 5));
    expect(relativeError(noncentralFSf(4, 3, 1e14, 5), noncentralChiSquareSf(12, 3, 5))).toBeLessThan(1e-11);
  });
});

const anyDf = fc.double({ min: -1, max: 8, noNaN: true }).map(Math.exp);
const anyNcp = fc.double({ min: -7, max: 8, noNaN: true }).map(Math.exp);

describe("noncentral F identities", () => {
  it("both tails sum to 1", () => {
    fc.assert(
      fc.property(fc.double({ min: -5, max: 9, noNaN: true }), anyDf, anyDf, anyNcp, (logX, df1, df2, ncp) => {
        const x = Math.exp(logX);
        expect(Math.abs(noncentralFCdf(x, df1, df2, ncp) + noncentralFSf(x, df1, df2, ncp) - 1)).toBeLessThan(4e-12);
      }),
      { numRuns: 300 },
    );
  });

  it("the density is the derivative of the cdf", () => {
    for (const [x, df1, df2, ncp] of [
      [0.7, 2.5, 9, 3],
      [3, 6, 40, 12],
      [30, 1, 2, 80],
    ] as const) {
      const h = 1e-3 * x;
      const F = (y: number) => noncentralFCdf(y, df1, df2, ncp);
      // central differences, Richardson-extrapolated twice: error of order h⁶
      const d = (s: number) => (F(x + s) - F(x - s)) / (2 * s);
      const [a, b, c] = [d(h), d(2 * h), d(4 * h)];
      const slope = (64 * a! - 20 * b! + c!) / 45;
      expect(relativeError(noncentralFPdf(x, df1, df2, ncp), slope)).toBeLessThan(1e-9);
    }
  });

  it("quantiles invert both tails", () => {
    fc.assert(
      fc.property(fc.double({ min: -100, max: -0.01, noNaN: true }), anyDf, anyDf, anyNcp, (logP, df1, df2, ncp) => {
        const p = Math.exp(logP);
        const lower = noncentralFQuantile(p, df1, df2, ncp);
        if (lower > 1e-290) expect(relativeError(noncentralFCdf(lower, df1, df2, ncp), p)).toBeLessThan(1e-10);
        const upper = noncentralFQuantileUpper(p, df1, df2, ncp);
        if (upper < 1e290) expect(relativeError(noncentralFSf(upper, df1, df2, ncp), p)).toBeLessThan(1e-10);
      }),
      { numRuns: 60 },
    );
  });
});

describe("noncentral F at its edges", () => {
  it("zero, infinity and nonsense", () => {
    expect([noncentralFCdf(0, 3, 9, 1), noncentralFSf(-1, 3, 9, 1), noncentralFSf(Infinity, 3, 9, 1)]).toEqual([
      0, 1, 0,
    ]);
    expect([noncentralFPdf(0, 1, 9, 4), noncentralFPdf(0, 3, 9, 4)]).toEqual([Infinity, 0]);
    expect(relativeError(noncentralFPdf(0, 2, 9, 4), Math.exp(-2))).toBeLessThan(1e-15);
    expect([noncentralFQuantile(0, 3, 9, 1), noncentralFQuantileUpper(0, 3, 9, 1)]).toEqual([0, Infinity]);
    expect([noncentralFCdf(1, 0, 9, 1), noncentralFSf(1, 3, 9, -1), noncentralFQuantile(2, 3, 9, 1)]).toEqual([
      NaN,
      NaN,
      NaN,
    ]);
  });
});

it("ends, and is certain, however far out the argument lies", () => {
  expect(noncentralFLogCdf(3.387750443069396e36, 106806.52, 12.398, 0.0404)).toBeLessThan(0);
  expect(noncentralFLogCdf(3.387750443069396e36, 106806.52, 12.398, 0.0404)).toBeGreaterThan(-1e-200);
  expect(noncentralFCdf(1e300, 3, 2, 5)).toBe(1);
  expect(noncentralFSf(1e20, 3, 2, 5)).toBeGreaterThan(0);
  expect(noncentralFCdf(1, 3, 2, 1e20)).toBeNaN();
});

it("quantiles beyond the range of doubles are 0 and Infinity, not NaN", () => {
  // P(X <= x) falls as x^{df1/2}, P(X > x) as x^{-df2/2}
  expect([noncentralFQuantile(1e-10, 0.01, 3, 2), noncentralFQuantileUpper(1e-10, 3, 0.01, 2)]).toEqual([0, Infinity]);
  expect([noncentralFQuantile(1e-300, 1, 3, 2), noncentralFQuantileUpper(1e-300, 3, 1, 2)]).toEqual([0, Infinity]);
  // ten more decimal exponents within the power law
  const x = noncentralFQuantileUpper(1e-140, 3, 1, 2);
  expect(relativeError(noncentralFQuantileUpper(1e-145, 3, 1, 2), 1e10 * x)).toBeLessThan(1e-11);
});
