import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import {
  noncentralTCdf,
  noncentralTLogCdf,
  noncentralTLogSf,
  noncentralTPdf,
  noncentralTQuantile,
  noncentralTQuantileUpper,
  noncentralTSf,
  noncentralTShift,
} from "./noncentral-t.ts";
import { normalCdf, normalSf } from "./normal.ts";
import { tCdf, tLogSf, tPdf, tSf } from "./t.ts";

const mpmath = readOracle("python/noncentral.json")("noncentral-t");
const reference = readOracle("reference/distributions-noncentral.json")("pt-noncentral");

describe("noncentral t against mpmath", () => {
  it.each([
    ["lower", noncentralTCdf],
    ["upper", noncentralTSf],
    ["logLower", noncentralTLogCdf],
    ["logUpper", noncentralTLogSf],
  ] as const)("%s tail, df 0.5 to 1e9, ncp -7 to 45, probabilities to 1e-400", (column, f) => {
    const worst = worstError(mpmath, ["t", "df", "ncp"], column, (t, df, ncp) => f(t!, df!, ncp!));
    expect(worst.error, worst.at).toBeLessThan(1e-12);
  });

  it.each([
    ["lower", noncentralTCdf],
    ["upper", noncentralTSf],
  ] as const)("%s tail of the shared reference", (column, f) => {
    // The reference took these values as differences with some 40 digits: ten of its lower tails, those with ncp = 12 and
    // t < 0, carry absolute noise of 4e-41. Their correct values are in the oracle above, found by two methods.
    const REFERENCE_NOISE = 4e-41;
    reference.expected[column]!.forEach((cell, i) => {
      const [t, df, ncp] = ["t", "df", "ncp"].map((name) => Number(reference.args[name]![i]));
      const error = Math.abs(f(t!, df!, ncp!) - Number(cell));
      expect(error, `(${t}, ${df}, ${ncp})`).toBeLessThan(1e-12 * Number(cell) + REFERENCE_NOISE);
    });
  });
});

describe("noncentral t in closed form", () => {
  it("ncp = 0 is Student's t", () => {
    for (const df of [0.3, 1, 2.5, 30, 1e5, 1e9]) {
      for (const t of [-50, -3, -0.2, 0.7, 4, 30]) {
        expect(relativeError(noncentralTCdf(t, df, 0), tCdf(t, df)), `${t} ${df}`).toBeLessThan(1e-12);
        expect(relativeError(noncentralTSf(t, df, 0), tSf(t, df)), `${t} ${df}`).toBeLessThan(1e-12);
        expect(relativeError(noncentralTPdf(t, df, 0), tPdf(t, df)), `${t} ${df}`).toBeLessThan(1e-12);
      }
    }
    expect(relativeError(noncentralTLogSf(500, 2000, 0), tLogSf(500, 2000))).toBeLessThan(1e-13);
  });

  it("t = 0 gives the normal, and so does infinite df", () => {
    expect(noncentralTCdf(0, 4, 1.3)).toBe(normalCdf(-1.3));
    expect(noncentralTSf(2, Infinity, 5)).toBe(normalSf(-3));
  });

  it("the mean is ncp √(df/2) Γ((df-1)/2)/Γ(df/2), by integration of the tails", () => {
    // df = 3: Γ(1)/Γ(3/2) = 2/√π
    const mean = (1.5 * Math.sqrt(1.5) * 2) / Math.sqrt(Math.PI);
    const h = 0.02;
    let sum = 0;
    // t = sinh x; E T = ∫_0^∞ P(T > t) dt - ∫_-∞^0 P(T <= t) dt
    for (let i = 0; i < 1200; i++) {
      const x = (i + 0.5) * h;
      sum += h * Math.cosh(x) * (noncentralTSf(Math.sinh(x), 3, 1.5) - noncentralTCdf(-Math.sinh(x), 3, 1.5));
    }
    expect(relativeError(sum, mean)).toBeLessThan(1e-4); // the midpoint rule
  });
});

const anyT = fc.double({ min: -60, max: 60, noNaN: true });
const anyDf = fc.double({ min: -1, max: 18, noNaN: true }).map(Math.exp);
const anyNcp = fc.double({ min: -45, max: 45, noNaN: true });

describe("noncentral t identities", () => {
  it("both tails sum to 1, and mirror each other under (t, ncp) → (-t, -ncp)", () => {
    fc.assert(
      fc.property(anyT, anyDf, anyNcp, (t, df, ncp) => {
        expect(Math.abs(noncentralTCdf(t, df, ncp) + noncentralTSf(t, df, ncp) - 1)).toBeLessThan(2e-12);
        expect(relativeError(noncentralTLogSf(-t, df, -ncp), noncentralTLogCdf(t, df, ncp))).toBeLessThan(1e-11);
      }),
      { numRuns: 300 },
    );
  });

  it("the density is the derivative of the cdf: t f(t) = df (F(t √(1+2/df); df+2) - F(t; df))", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 8, noNaN: true }),
        fc.double({ min: 1, max: 40, noNaN: true }),
        (t, df) => {
          const ncp = 2.2;
          const difference = noncentralTCdf(t * Math.sqrt(1 + 2 / df), df + 2, ncp) - noncentralTCdf(t, df, ncp);
          expect(Math.abs(t * noncentralTPdf(t, df, ncp) - df * difference)).toBeLessThan(1e-12 * df);
        },
      ),
    );
  });

  it("quantiles invert both tails", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -200, max: -0.01, noNaN: true }),
        anyDf,
        fc.double({ min: -9, max: 9, noNaN: true }),
        (logP, df, ncp) => {
          const p = Math.exp(logP);
          expect(relativeError(noncentralTCdf(noncentralTQuantile(p, df, ncp), df, ncp), p)).toBeLessThan(1e-10);
          expect(relativeError(noncentralTSf(noncentralTQuantileUpper(p, df, ncp), df, ncp), p)).toBeLessThan(1e-10);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("noncentral t at its edges", () => {
  it("infinite t, certain quantiles and nonsense", () => {
    expect([noncentralTCdf(-Infinity, 3, 1), noncentralTCdf(Infinity, 3, 1), noncentralTSf(-Infinity, 3, 1)]).toEqual([
      0, 1, 1,
    ]);
    expect([noncentralTPdf(Infinity, 3, 1), noncentralTQuantile(0, 3, 1), noncentralTQuantile(1, 3, 1)]).toEqual([
      0,
      -Infinity,
      Infinity,
    ]);
    expect([noncentralTQuantileUpper(0, 3, 1), noncentralTQuantileUpper(1, 3, 1)]).toEqual([Infinity, -Infinity]);
    expect([
      noncentralTCdf(1, 0, 1),
      noncentralTSf(1, 3, NaN),
      noncentralTPdf(1, -1, 0),
      noncentralTQuantile(1.5, 3, 1),
    ]).toEqual([NaN, NaN, NaN, NaN]);
  });

  it("log tails go on where probabilities underflow", () => {
    // -(t - ncp)²/2 dominates at infinite df: compare with a slightly smaller df
    const at = noncentralTLogCdf(-100, 1e12, 0);
    expect(at).toBeLessThan(-5000);
    expect(relativeError(at, -5005.524208637859)).toBeLessThan(1e-6);
  });
});

it("quantiles beyond the largest double are infinite, not NaN or the largest double", () => {
  // mpmath, the leading power of the tail: -1.45e913, 1.41e986, -6.6e597, 3.0e309
  expect([noncentralTQuantile(1e-10, 0.01, 1), noncentralTQuantileUpper(1e-10, 0.01, 1)]).toEqual([
    -Infinity,
    Infinity,
  ]);
  expect([noncentralTQuantile(1e-300, 0.5, 1), noncentralTQuantileUpper(1e-300, 0.97, 2)]).toEqual([
    -Infinity,
    Infinity,
  ]);
  // just within
  expect(relativeError(noncentralTQuantile(1e-300, 0.97, 2), -1.118759922456884e307)).toBeLessThan(1e-11);
  expect(relativeError(noncentralTCdf(-1.118759922456884e307, 0.97, 2), 1e-300)).toBeLessThan(1e-12);
});

describe("the shift that a power needs", () => {
  it("is where the upper tail has that power, to 13 digits, whatever the df", () => {
    for (const df of [0.7, 1, 2.5, 8, 60, 4000, 1e7])
      for (const t of [0.5, 1.96, 6, 40])
        for (const power of [0.3, 0.5, 0.8, 0.95, 0.999]) {
          const shift = noncentralTShift(power, t, df);
          if (Number.isNaN(shift)) expect(noncentralTSf(t, df, 0)).toBeGreaterThan(power);
          else expect(Math.abs(noncentralTSf(t, df, shift) / power - 1), `${df} ${t} ${power}`).toBeLessThan(1e-12);
        }
  });
});
