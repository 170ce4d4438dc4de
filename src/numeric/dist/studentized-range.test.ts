import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOracle, relativeError, worstError } from "../../../test/support/oracle-grid.ts";
import { normalRangeLogCdf, normalRangeLogSf, normalRangeTails } from "./normal-range.ts";
import {
  studentizedRangeCdf,
  studentizedRangeLogCdf,
  studentizedRangeLogSf,
  studentizedRangeQuantile,
  studentizedRangeQuantileUpper,
  studentizedRangeSf,
} from "./studentized-range.ts";
import { tCdf, tLogSf, tSf } from "./t.ts";

const mpmath = readOracle("python/noncentral.json")("studentized-range");
const reference = readOracle("reference/distributions-noncentral.json");
const NAMES = ["q", "k", "df"];

describe("studentized range against mpmath", () => {
  it("the oracle's two quadratures agree", () => {
    for (const cell of mpmath.expected["disagreement"]!) expect(Number(cell)).toBeLessThan(1e-13);
  });

  it.each([
    ["lower", studentizedRangeCdf],
    ["upper", studentizedRangeSf],
    ["logLower", studentizedRangeLogCdf],
    ["logUpper", studentizedRangeLogSf],
  ] as const)("%s tail, k to 200, df 1 to infinity", (column, f) => {
    const worst = worstError(mpmath, NAMES, column, (q, k, df) => f(q!, k!, df!));
    expect(worst.error, worst.at).toBeLessThan(1e-12);
  });

  it.each([
    ["lower", studentizedRangeCdf],
    ["upper", studentizedRangeSf],
  ] as const)("%s tail of the shared reference: 588 points, upper tails to 1e-45", (column, f) => {
    const worst = worstError(reference("ptukey"), NAMES, column, (q, k, df) => f(q!, k!, df!));
    expect(worst.error, worst.at).toBeLessThan(1e-12);
  });

  it("quantiles of the shared reference", () => {
    const worst = worstError(reference("qtukey"), ["p", "k", "df"], "value", (p, k, df) =>
      studentizedRangeQuantile(p!, k!, df!),
    );
    expect(worst.error, worst.at).toBeLessThan(1e-12);
  });
});

describe("studentized range in closed form", () => {
  it("k = 2 is √2 |t|, in both tails and for any df", () => {
    for (const df of [0.2, 1, 2, 3.7, 12, 500, 1e5, 1e9, Infinity]) {
      for (const q of [1e-4, 0.3, 2, 6, 30]) {
        const t = q / Math.SQRT2;
        expect(relativeError(studentizedRangeSf(q, 2, df), 2 * tSf(t, df)), `${q} ${df}`).toBeLessThan(1e-12);
        expect(relativeError(studentizedRangeCdf(q, 2, df), tCdf(t, df) - tCdf(-t, df)), `${q} ${df}`).toBeLessThan(
          1e-11,
        );
      }
    }
    // far below the smallest double
    expect(
      relativeError(studentizedRangeLogSf(90, 2, Infinity), Math.LN2 + tLogSf(90 / Math.SQRT2, Infinity)),
    ).toBeLessThan(1e-13);
    expect(relativeError(studentizedRangeLogSf(90, 2, 2e4), Math.LN2 + tLogSf(90 / Math.SQRT2, 2e4))).toBeLessThan(
      1e-12,
    );
  });

  it("three normals: P(W <= w) is an orthant-type integral with value 1 at infinity and w²√3/(4π) near 0", () => {
    for (const w of [1e-3, 1e-5, 1e-8]) {
      // density of the range of three at 0: 6 ∫∫ φ(z)³ → w² 3 / (2π√3)
      expect(
        relativeError(studentizedRangeCdf(w, 3, Infinity), (w * w * 3) / (2 * Math.PI * Math.sqrt(3))),
      ).toBeLessThan(w * w + 1e-13);
    }
  });

  it("far upper tails follow the Bonferroni bound k(k-1)/2 · 2 P(t > q/√2) from below", () => {
    for (const k of [3, 10, 100]) {
      const q = 16;
      const bound = k * (k - 1) * tSf(q / Math.SQRT2, 1e4);
      const tail = studentizedRangeSf(q, k, 1e4);
      expect(tail).toBeLessThan(bound);
      expect(relativeError(tail, bound)).toBeLessThan(1e-6);
    }
  });
});

describe("studentized range identities", () => {
  it("both tails sum to 1", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -3, max: 4, noNaN: true }),
        fc.integer({ min: 2, max: 200 }),
        fc.double({ min: -1, max: 18, noNaN: true }),
        (logQ, k, logDf) => {
          const [q, df] = [Math.exp(logQ), Math.exp(logDf)];
          expect(Math.abs(studentizedRangeCdf(q, k, df) + studentizedRangeSf(q, k, df) - 1)).toBeLessThan(1e-12);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("grows with k and tends to its limit in df without a jump", () => {
    expect(studentizedRangeSf(4, 5, 20)).toBeGreaterThan(studentizedRangeSf(4, 4, 20));
    const limit = studentizedRangeSf(4, 5, Infinity);
    const [a, b] = [studentizedRangeSf(4, 5, 1e5) - limit, studentizedRangeSf(4, 5, 1e6) - limit];
    // the first correction is of order 1/df
    expect(a / b).toBeCloseTo(10, 3);
  });

  it("quantiles invert both tails", () => {
    for (const [k, df] of [
      [2, 1],
      [3, 2],
      [12, 7.3],
      [60, 1e5],
      [200, Infinity],
    ] as const) {
      for (const p of [1e-12, 0.05, 0.6, 0.999]) {
        expect(relativeError(studentizedRangeCdf(studentizedRangeQuantile(p, k, df), k, df), p)).toBeLessThan(1e-11);
        expect(relativeError(studentizedRangeSf(studentizedRangeQuantileUpper(p, k, df), k, df), p)).toBeLessThan(
          1e-11,
        );
      }
    }
    const q = studentizedRangeQuantileUpper(1e-80, 4, 1000);
    expect(relativeError(studentizedRangeSf(q, 4, 1000), 1e-80)).toBeLessThan(1e-11);
  });
});

describe("studentized range at its edges", () => {
  it("zero, infinity and nonsense", () => {
    expect([studentizedRangeCdf(0, 3, 5), studentizedRangeSf(-2, 3, 5), studentizedRangeCdf(Infinity, 3, 5)]).toEqual([
      0, 1, 1,
    ]);
    expect([studentizedRangeQuantile(0, 3, 5), studentizedRangeQuantile(1, 3, 5)]).toEqual([0, Infinity]);
    expect([studentizedRangeQuantileUpper(1, 3, 5), studentizedRangeQuantileUpper(0, 3, 5)]).toEqual([0, Infinity]);
    expect([
      studentizedRangeCdf(3, 1, 5),
      studentizedRangeSf(3, 2.5, 5),
      studentizedRangeCdf(3, 3, 0),
      studentizedRangeSf(NaN, 3, 5),
    ]).toEqual([NaN, NaN, NaN, NaN]);
  });

  it("lower tails that underflow end quickly and keep their logarithm", () => {
    expect(studentizedRangeCdf(0.0144, 144, 7583)).toBeLessThan(1e-250);
    const [a, b] = [studentizedRangeLogCdf(1e-4, 200, 50), studentizedRangeLogCdf(1e-3, 200, 50)];
    // P ∝ q^{k-1} as q → 0
    expect(relativeError(b - a, 199 * Math.LN10)).toBeLessThan(1e-4);
  });
});

it("more than a thousand groups: neither tail vanishes", () => {
  // mpmath, by two rules; [k, q, lower, upper]
  for (const [k, q, lower, upper] of [
    [1000, 4, 5.660030838706477e-20, 1],
    [1000, 6, 0.16076375765132275, 0.8392362423486772],
    [1000, 14, 1, 2.0898040698530467e-17],
    [20000, 6, 3.200332465740752e-23, 1],
    [20000, 8, 0.5041685800514554, 0.4958314199485446],
    [20000, 12, 0.9999999957338244, 4.266175634883141e-9],
    [1000000, 8, 3.1844884386608e-27, 1],
    [1000000, 9.5, 0.2757754040097281, 0.7242245959902719],
    [1000000, 18, 1, 2.0685135021752598e-25],
    [1000000000, 12, 0.28841380732808497, 0.711586192671915],
    [1000000000, 14, 0.9999829313606035, 1.7068639396514305e-5],
  ] as const) {
    expect(relativeError(studentizedRangeCdf(q, k, Infinity), lower), `${q} ${k}`).toBeLessThan(1e-13);
    expect(relativeError(studentizedRangeSf(q, k, Infinity), upper), `${q} ${k}`).toBeLessThan(1e-13);
  }
  expect(studentizedRangeSf(3, 20000, Infinity)).toBe(1);
  for (const q of [7, 9, 11]) {
    expect(Math.abs(studentizedRangeCdf(q, 20000, 60) + studentizedRangeSf(q, 20000, 60) - 1)).toBeLessThan(1e-13);
  }
});

it("quantiles beyond the largest or below the smallest double are Infinity and 0, not NaN", () => {
  // P(Q > q) falls as q^{-df}: q = 1e1000 or so
  expect(studentizedRangeQuantileUpper(1e-10, 3, 0.01)).toBe(Infinity);
  // k = 2: P(Q <= q) = √2 f(0) q, f the density of t; df = 5
  expect(relativeError(studentizedRangeQuantile(1e-300, 2, 5), 1.862735299836769e-300)).toBeLessThan(1e-12);
  expect(relativeError(studentizedRangeCdf(1e-310, 2, 5), 1e-10 * (1e-300 / 1.862735299836769))).toBeLessThan(1e-12);
  expect(studentizedRangeQuantile(5e-324, 2, 5)).toBeLessThan(2e-323);
});

it("the interpolated tails of the range are its integrals, at the ends of every piece and between them", () => {
  for (const k of [2, 3, 14, 60, 200]) {
    const { logSf, logCdf } = normalRangeTails(k);
    for (let w = 0.01; w < 31; w += 0.0937) {
      for (const at of [w, Math.round(w)]) {
        if (at === 0) continue;
        const [upper, lower] = [normalRangeLogSf(at, k), normalRangeLogCdf(at, k)];
        // of p itself, relative
        expect(Math.abs(logSf(at) - upper)).toBeLessThan(1e-12);
        expect(Math.abs(logCdf(at) - lower)).toBeLessThan(2e-15 * (k - 1) * 30 + 1e-12);
      }
    }
  }
});
