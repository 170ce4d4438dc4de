import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import { chiSquareCdf, chiSquarePdf, chiSquareSf } from "./chi-square.ts";
import {
  noncentralChiSquareCdf,
  noncentralChiSquareLogCdf,
  noncentralChiSquareLogPdf,
  noncentralChiSquareLogSf,
  noncentralChiSquarePdf,
  noncentralChiSquareQuantile,
  noncentralChiSquareQuantileUpper,
  noncentralChiSquareSf,
} from "./noncentral-chi-square.ts";
import { normalCdf, normalPdf, normalSf } from "./normal.ts";

const mpmath = readOracle("python/noncentral.json")("noncentral-chi-square");
const reference = readOracle("reference/distributions-noncentral.json")("pchisq-noncentral");

describe("noncentral chi-square against mpmath", () => {
  it.each([
    ["lower", noncentralChiSquareCdf],
    ["upper", noncentralChiSquareSf],
    ["logLower", noncentralChiSquareLogCdf],
    ["logUpper", noncentralChiSquareLogSf],
  ] as const)("%s tail, df 0.3 to 300, ncp to 1e5, probabilities to 1e-400", (column, f) => {
    const worst = worstError(mpmath, ["x", "df", "ncp"], column, (x, df, ncp) => f(x!, df!, ncp!));
    expect(worst.error, worst.at).toBeLessThan(1e-12);
  });

  it.each([
    ["lower", noncentralChiSquareCdf],
    ["upper", noncentralChiSquareSf],
  ] as const)("%s tail of the shared reference", (column, f) => {
    const worst = worstError(reference, ["x", "df", "ncp"], column, (x, df, ncp) => f(x!, df!, ncp!));
    expect(worst.error, worst.at).toBeLessThan(1e-12);
  });
});

describe("noncentral chi-square in closed form", () => {
  it("df = 1 is the square of a shifted normal", () => {
    for (const mu of [0.1, 1, 6, 40]) {
      for (const root of [0.01, 0.8, 5, 30, 55]) {
        const x = root * root;
        const upper = normalSf(root - mu) + normalCdf(-root - mu);
        if (root > mu)
          expect(relativeError(noncentralChiSquareSf(x, 1, mu * mu), upper), `${root} ${mu}`).toBeLessThan(1e-11);
        const density = (normalPdf(root - mu) + normalPdf(root + mu)) / (2 * root);
        expect(relativeError(noncentralChiSquarePdf(x, 1, mu * mu), density), `${root} ${mu}`).toBeLessThan(1e-11);
      }
    }
  });

  it("ncp = 0 is the central chi-square", () => {
    for (const [x, df] of [
      [0.01, 0.4],
      [3, 2],
      [200, 30],
    ] as const) {
      expect(noncentralChiSquareCdf(x, df, 0)).toBeCloseTo(chiSquareCdf(x, df), 14);
      expect(relativeError(noncentralChiSquareSf(x, df, 0), chiSquareSf(x, df))).toBeLessThan(1e-13);
      expect(relativeError(noncentralChiSquarePdf(x, df, 0), chiSquarePdf(x, df))).toBeLessThan(1e-13);
      // a vanishing ncp takes the mixture's path
      expect(relativeError(noncentralChiSquareSf(x, df, 1e-13), chiSquareSf(x, df))).toBeLessThan(1e-12);
    }
  });
});

const anyDf = fc.double({ min: -2, max: 7, noNaN: true }).map(Math.exp);
const anyNcp = fc.double({ min: -7, max: 9, noNaN: true }).map(Math.exp);

describe("noncentral chi-square identities", () => {
  it("both tails sum to 1", () => {
    fc.assert(
      fc.property(fc.double({ min: -7, max: 10, noNaN: true }), anyDf, anyNcp, (logX, df, ncp) => {
        const x = Math.exp(logX);
        expect(Math.abs(noncentralChiSquareCdf(x, df, ncp) + noncentralChiSquareSf(x, df, ncp) - 1)).toBeLessThan(
          1e-12,
        );
      }),
      { numRuns: 300 },
    );
  });

  it("recursion in df: F(x; df) - F(x; df + 2) = 2 f(x; df + 2), in either tail", () => {
    fc.assert(
      fc.property(fc.double({ min: -3, max: 7, noNaN: true }), anyDf, anyNcp, (logX, df, ncp) => {
        const x = Math.exp(logX);
        const step = 2 * noncentralChiSquarePdf(x, df + 2, ncp);
        const cdf = noncentralChiSquareCdf(x, df, ncp);
        const sf = noncentralChiSquareSf(x, df + 2, ncp);
        expect(Math.abs(cdf - noncentralChiSquareCdf(x, df + 2, ncp) - step)).toBeLessThan(1e-11 * cdf + 1e-300);
        expect(Math.abs(sf - noncentralChiSquareSf(x, df, ncp) - step)).toBeLessThan(1e-11 * sf + 1e-300);
      }),
      { numRuns: 300 },
    );
  });

  it("quantiles invert both tails", () => {
    fc.assert(
      fc.property(fc.double({ min: -200, max: -0.01, noNaN: true }), anyDf, anyNcp, (logP, df, ncp) => {
        const p = Math.exp(logP);
        expect(
          relativeError(noncentralChiSquareSf(noncentralChiSquareQuantileUpper(p, df, ncp), df, ncp), p),
        ).toBeLessThan(1e-10);
        const x = noncentralChiSquareQuantile(p, df, ncp);
        if (x > 1e-300) expect(relativeError(noncentralChiSquareCdf(x, df, ncp), p)).toBeLessThan(1e-10);
      }),
      { numRuns: 60 },
    );
  });
});

describe("noncentral chi-square at its edges", () => {
  it("zero, infinity and nonsense", () => {
    expect([
      noncentralChiSquareCdf(0, 3, 1),
      noncentralChiSquareSf(-1, 3, 1),
      noncentralChiSquareSf(Infinity, 3, 1),
    ]).toEqual([0, 1, 0]);
    expect([noncentralChiSquarePdf(0, 1, 4), noncentralChiSquarePdf(0, 3, 4)]).toEqual([Infinity, 0]);
    expect(relativeError(noncentralChiSquarePdf(0, 2, 4), 0.5 * Math.exp(-2))).toBeLessThan(1e-15);
    expect([noncentralChiSquareQuantile(0, 3, 1), noncentralChiSquareQuantile(1, 3, 1)]).toEqual([0, Infinity]);
    expect([
      noncentralChiSquareCdf(1, -1, 1),
      noncentralChiSquareSf(1, 3, -1),
      noncentralChiSquareQuantile(NaN, 3, 1),
    ]).toEqual([NaN, NaN, NaN]);
  });
});

it("ends however far out the argument lies", () => {
  expect(noncentralChiSquareCdf(1e300, 1e5, 1e4)).toBe(1);
  expect(noncentralChiSquareSf(1e16, 2, 1e6)).toBe(0);
  expect(noncentralChiSquareCdf(1e16, 2, 1e6)).toBe(1);
  expect(noncentralChiSquareCdf(3, 2, 1e20)).toBeNaN();
});

it("far log tails keep their digits, and the density there is instant", () => {
  // df = 1, ncp = 3: P(X > x) = P(Z > √x - √3) + P(Z > √x + √3), mpmath
  for (const [x, log] of [
    [1e13, -4999994522791.811],
    [1e14, -49999982679510.46],
    [1e18, -4.999999982679492e17],
    [1e31, -4.999999999999994e30],
  ] as const) {
    expect(relativeError(noncentralChiSquareLogSf(x, 1, 3), log), `${x}`).toBeLessThan(1e-13);
  }
  // 1e8 terms near the largest would count at this distance
  expect(noncentralChiSquarePdf(1e31, 10, 3)).toBe(0);
  expect(relativeError(noncentralChiSquareLogPdf(1e31, 10, 3), -4.999999999999994e30)).toBeLessThan(1e-13);
});

it("df = 0 is a mass e^{-ncp/2} at 0 and the rest of the mixture, as in R", () => {
  // R 4.2: pchisq(0, 0, 2.5); mpmath: the sum over j >= 1
  expect([-1, 0].map((x) => noncentralChiSquareCdf(x, 0, 2.5))).toEqual([0, Math.exp(-1.25)]);
  for (const [x, lower, upper, density] of [
    [1, 0.44900306471984, 0.55099693528016, 0.146274391395259],
    [3, 0.6835818114415818, 0.31641818855841813, 0.09112985570173249],
    [50, 0.9999999909216329, 9.078367038670975e-9, 3.674440258239525e-9],
  ] as const) {
    expect(relativeError(noncentralChiSquareCdf(x, 0, 2.5), lower)).toBeLessThan(1e-13);
    expect(relativeError(noncentralChiSquareSf(x, 0, 2.5), upper)).toBeLessThan(1e-13);
    expect(relativeError(noncentralChiSquarePdf(x, 0, 2.5), density)).toBeLessThan(1e-13);
    expect(relativeError(noncentralChiSquareQuantile(lower, 0, 2.5), x)).toBeLessThan(1e-7);
  }
  expect(relativeError(noncentralChiSquareSf(0, 0, 2.5), -Math.expm1(-1.25))).toBeLessThan(1e-15);
  expect([0.2, 0.28].map((p) => noncentralChiSquareQuantile(p, 0, 2.5))).toEqual([0, 0]);
  expect([-1, 0, 1].map((x) => noncentralChiSquareCdf(x, 0, 0))).toEqual([0, 1, 1]);
});
