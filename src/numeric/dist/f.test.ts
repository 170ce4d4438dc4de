import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import { chiSquareCdf, chiSquareLogSf, chiSquareSf } from "./chi-square.ts";
import {
  fCdf,
  fLogCdf,
  fLogPdf,
  fLogSf,
  fPdf,
  fQuantile,
  fQuantileLog,
  fQuantileLogUpper,
  fQuantileUpper,
  fSf,
} from "./f.ts";
import { tSf } from "./t.ts";

const mpmath = readOracle("python/distributions.json");
const reference = readOracle("reference/distributions-core.json");
const TOLERANCE = 3e-13;

describe("F distribution against mpmath", () => {
  it.each([
    ["lower", fCdf],
    ["upper", fSf],
    ["logLower", fLogCdf],
    ["logUpper", fLogSf],
  ] as const)("%s tail, df from 1e-3 to 1e10", (column, f) => {
    const worst = worstError(mpmath("f"), ["f", "df1", "df2"], column, f);
    expect(worst.error, worst.at).toBeLessThan(TOLERANCE);
  });

  it.each([
    ["lower", fCdf],
    ["upper", fSf],
  ] as const)("%s tail of the shared reference", (column, f) => {
    const worst = worstError(reference("pf"), ["x", "df1", "df2"], column, f);
    expect(worst.error, worst.at).toBeLessThan(TOLERANCE);
  });

  it("quantiles of the shared reference", () => {
    const worst = worstError(reference("qf"), ["p", "df1", "df2"], "value", fQuantile);
    expect(worst.error, worst.at).toBeLessThan(1e-14);
  });
});

const freedom = fc.double({ min: -2, max: 9, noNaN: true }).map((e) => 10 ** e);

describe("F distribution", () => {
  it("is t² for df1 = 1, and has a closed form for df1 = 2", () => {
    for (const t of [1e-4, 0.7, 2, 9, 40]) {
      for (const df of [0.8, 5, 33.3, 1e5]) {
        expect(relativeError(fSf(t * t, 1, df), 2 * tSf(t, df))).toBeLessThan(1e-12);
        const closed = Math.exp(-0.5 * df * Math.log1p((2 * t) / df));
        expect(relativeError(fSf(t, 2, df), closed)).toBeLessThan(1e-13);
      }
    }
  });

  it("has chi-square limits", () => {
    expect(relativeError(fCdf(1.7, 3, Infinity), chiSquareCdf(5.1, 3))).toBeLessThan(1e-15);
    expect(relativeError(fSf(1.7, Infinity, 3), chiSquareCdf(3 / 1.7, 3))).toBeLessThan(1e-15);
    expect(relativeError(fSf(1.7, 3, 1e16), chiSquareSf(5.1, 3))).toBeLessThan(5e-14);
    expect(relativeError(fLogSf(9, 3, Infinity), chiSquareLogSf(27, 3))).toBeLessThan(1e-15);
    expect(relativeError(fCdf(fQuantile(0.3, 3, Infinity), 3, Infinity), 0.3)).toBeLessThan(1e-14);
    expect(relativeError(fCdf(fQuantile(0.3, Infinity, 3), Infinity, 3), 0.3)).toBeLessThan(1e-14);
    expect([fCdf(0.9, Infinity, Infinity), fCdf(1, Infinity, Infinity), fQuantile(0.4, Infinity, Infinity)]).toEqual([
      0, 0.5, 1,
    ]);
  });

  it("has a density that is the derivative of the distribution function", () => {
    for (const [a, b] of [
      [1.5, 4],
      [6, 30],
      [200, 90],
      [5, Infinity],
      [Infinity, 5],
    ] as const) {
      for (const x of [0.3, 0.95, 1.4]) {
        const h = 1e-4 * x;
        const slope = (fCdf(x + h, a, b) - fCdf(x - h, a, b)) / (2 * h);
        expect(Math.abs(fPdf(x, a, b) - slope)).toBeLessThan(1e-4 * slope + 1e-11);
      }
    }
    expect([fPdf(0, 1, 3), fPdf(0, 2, 3), fPdf(0, 3, 3), fPdf(-1, 2, 3)]).toEqual([Infinity, 1, 0, 0]);
  });

  it("inverts: P(F <= f; a, b) = P(F > 1/f; b, a), tails sum to one and agree with their logarithms", () => {
    fc.assert(
      fc.property(freedom, freedom, fc.double({ min: -4, max: 4, noNaN: true }), (a, b, z) => {
        const f = Math.exp(z * Math.sqrt(2 / (a + 1) + 2 / (b + 1)));
        const p = fCdf(f, a, b);
        expect(p + fSf(f, a, b)).toBeCloseTo(1, 14);
        expect(relativeError(Math.exp(fLogCdf(f, a, b)), p)).toBeLessThan(1e-12);
        expect(relativeError(Math.exp(fLogSf(f, a, b)), fSf(f, a, b))).toBeLessThan(1e-12);
        // 1/f is rounded: it moves the tail by its slope in log f
        const slope = f * fPdf(f, a, b);
        expect(Math.abs(fSf(1 / f, b, a) - p)).toBeLessThan(1e-14 + 1e-15 * slope);
      }),
      { numRuns: 400 },
    );
  });

  it("has quantiles that undo the tails, where odds overflow too", () => {
    fc.assert(
      fc.property(
        freedom,
        freedom,
        fc.double({ min: -2e3, max: -1e-3, noNaN: true }),
        fc.boolean(),
        (a, b, logP, lower) => {
          const f = (lower ? fQuantileLog : fQuantileLogUpper)(logP, a, b);
          fc.pre(f > 1e-300 && f < 1e300);
          const back = (lower ? fLogCdf : fLogSf)(f, a, b);
          const slope = f * Math.exp(fLogPdf(f, a, b) - back);
          expect(Math.abs(back - logP)).toBeLessThan(3e-13 * Math.abs(logP) + 8e-15 * slope);
        },
      ),
      { numRuns: 400 },
    );
    expect(relativeError(fQuantileUpper(0.05, 3, 20), fQuantile(0.95, 3, 20))).toBeLessThan(1e-14);
    // df1 = 2: P(F > f) = (1 + 2f/df2)^{-df2/2}, here q = 1e-150 at df2 = 1, f ≈ 1e300 / 2
    expect(relativeError(fQuantileUpper(1e-150, 2, 1), 0.5e300)).toBeLessThan(1e-12);
  });

  it("has limits and NaN outside", () => {
    expect([fCdf(0, 2, 3), fSf(0, 2, 3), fCdf(Infinity, 2, 3), fSf(Infinity, 2, 3), fLogCdf(-1, 2, 3)]).toEqual([
      0,
      1,
      1,
      0,
      -Infinity,
    ]);
    expect([fQuantile(0, 2, 3), fQuantile(1, 2, 3)]).toEqual([0, Infinity]);
    expect([fCdf(1, 0, 3), fCdf(1, 3, -1), fSf(NaN, 3, 3), fQuantile(1.2, 3, 3), fPdf(1, 0, 3)]).toEqual(
      Array(5).fill(NaN),
    );
  });
});

it("an enormous df is its limit, not a leading power that leaves [0, 1]", () => {
  // mpmath: P(5/2, 6.25) and Q(5/2, 1)
  for (const df of [1e160, 1e250, 1e300]) {
    expect(relativeError(fCdf(2.5, 5, df), 0.9714568766738325)).toBeLessThan(1e-15);
    expect(relativeError(fCdf(2.5, df, 5), 0.8491450360846097)).toBeLessThan(1e-15);
    expect(relativeError(fQuantile(0.9714568766738325, 5, df), 2.5)).toBeLessThan(1e-14);
    expect(relativeError(fQuantile(0.8491450360846097, df, 5), 2.5)).toBeLessThan(1e-14);
    expect(relativeError(fPdf(2.5, 5, df), fPdf(2.5, 5, Infinity))).toBeLessThan(1e-15);
  }
});

it("with both df infinite it is the constant 1, as in R", () => {
  expect([0.5, 1, 2].map((f) => fSf(f, Infinity, Infinity))).toEqual([1, 0.5, 0]);
  expect(fLogCdf(1, Infinity, Infinity)).toBe(-Math.LN2);
  expect([0, 0.5, 1].map((p) => fQuantile(p, Infinity, Infinity))).toEqual([0, 1, Infinity]);
  expect([NaN, 2, -1].map((p) => fQuantile(p, Infinity, Infinity))).toEqual([NaN, NaN, NaN]);
});
