import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Matrix } from "./matrix.ts";
import {
  clone,
  column,
  crossprod,
  identity,
  matVec,
  maxAbs,
  multiply,
  normAt,
  selectColumns,
  tMatVec,
  zeros,
} from "./matrix.ts";
import {
  aliasedColumns,
  hatValues,
  type Qr,
  qr,
  qrBasis,
  qrCoefficients,
  qrInverseGram,
  qtMatrixInto,
  qtyInto,
  qyInto,
} from "./qr.ts";
import { conditionNumber, svd } from "./svd.ts";

interface AliasCase {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly x: number[];
  readonly y: number[];
  readonly rank: number;
  readonly pivot: number[];
  readonly aliased: number[];
  readonly coefficients: number[];
  readonly residuals: number[];
  readonly hat: number[];
  readonly inverseGram: number[];
  readonly diagonalR: number[];
}
const oracle = JSON.parse(readFileSync(new URL("../../../oracle/r/qr-alias.json", import.meta.url), "utf8")) as {
  readonly cases: AliasCase[];
};

function uniforms(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed / 0x7fffffff - 0.5;
  };
}

function random(rows: number, cols: number, seed: number): Matrix {
  return { rows, cols, data: new Float64Array(rows * cols).map(uniforms(seed)) };
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let m = 0;
  for (let i = 0; i < a.length; i++) m = Math.max(m, Math.abs(a[i]! - b[i]!));
  return m;
}

function largest(a: ArrayLike<number>): number {
  return Array.from(a).reduce((m, v) => Math.max(m, Math.abs(v)), 0);
}

function condition(X: Matrix, kept: number[]): number {
  const K = selectColumns(X, kept);
  for (let j = 0; j < K.cols; j++) {
    const length = normAt(K.data, j * K.rows, K.rows);
    for (let i = 0; i < K.rows; i++) K.data[i + j * K.rows]! /= length;
  }
  return conditionNumber(svd(K));
}

/** R of the kept columns and their combinations: rank × cols. */
function upper(F: Qr): Matrix {
  const R = zeros(F.rank, F.factor.cols);
  for (let j = 0; j < R.cols; j++) {
    for (let i = 0; i < F.rank && (i <= j || j >= F.rank); i++)
      R.data[i + j * F.rank] = F.factor.data[i + j * F.factor.rows]!;
  }
  return R;
}

/** y minus its projection on the columns of X. */
function residualsOf(F: Qr, y: Float64Array): Float64Array {
  const z = y.slice();
  qtyInto(z, F);
  z.fill(0, 0, F.rank);
  qyInto(z, F);
  return z;
}

describe("rank-deficient designs as lm of R sees them", () => {
  for (const c of oracle.cases) {
    it(c.name, () => {
      const X = { rows: c.rows, cols: c.cols, data: Float64Array.from(c.x) };
      const y = Float64Array.from(c.y);
      const F = qr(X);
      expect(F.rank).toBe(c.rank);
      expect(Array.from(F.pivot)).toEqual(c.pivot);
      expect(Array.from(aliasedColumns(F))).toEqual(c.aliased);
      // both programs lose the digits that the condition of the (unit-length) columns costs: 1e5 and 1e6 in two designs
      const bound = Math.max(1e-12, 2 * Number.EPSILON * condition(X, c.pivot.slice(0, c.rank)));
      const beta = qrCoefficients(F, y);
      const estimable = beta.filter((b) => !Number.isNaN(b));
      expect(beta.findIndex(Number.isNaN)).toBe(c.aliased[0] ?? -1);
      expect(distance(estimable, c.coefficients)).toBeLessThan(bound * largest(c.coefficients));
      expect(distance(residualsOf(F, y), c.residuals)).toBeLessThan(bound * largest(c.y));
      expect(distance(hatValues(F), c.hat)).toBeLessThan(bound);
      const kept = Array.from(F.pivot.subarray(0, F.rank)).sort((a, b) => a - b);
      const all = qrInverseGram(F);
      const V = kept.flatMap((j) => kept.map((i) => all.data[i + j * c.cols]!));
      const size = (k: number) => Math.sqrt(c.inverseGram[k * (c.rank + 1)]!);
      V.forEach((v, t) => {
        const scale = size(t % c.rank) * size(Math.floor(t / c.rank));
        expect(Math.abs(v - c.inverseGram[t]!)).toBeLessThan(4 * bound * scale);
      });
      c.diagonalR.forEach((r, i) => {
        expect(Math.abs(F.factor.data[i * (c.rows + 1)]! - r)).toBeLessThan(bound * largest(c.diagonalR));
      });
    });
  }
});

describe("QR in closed form", () => {
  it("Vandermonde: |det R| is the product of differences, and interpolation is exact", () => {
    const nodes = [-1, -0.6, -0.1, 0.3, 0.7, 1];
    const X = zeros(6, 6);
    for (let j = 0; j < 6; j++) for (let i = 0; i < 6; i++) X.data[i + 6 * j] = nodes[i]! ** j;
    let det = 1;
    for (let j = 0; j < 6; j++) for (let i = 0; i < j; i++) det *= nodes[j]! - nodes[i]!;
    const F = qr(X);
    let product = 1;
    for (let i = 0; i < 6; i++) product *= F.factor.data[i * 7]!;
    expect(Math.abs(product) / Math.abs(det)).toBeCloseTo(1, 12);
    const truth = [2, -1, 0.5, 3, 0, -4];
    expect(distance(qrCoefficients(F, matVec(X, Float64Array.from(truth))), truth)).toBeLessThan(1e-13);
  });

  it("one-way layout: leverages 1/n_g, variances 1/n_g", () => {
    const sizes = [2, 3, 5];
    const X = zeros(10, 3);
    let row = 0;
    sizes.forEach((s, g) => {
      for (let k = 0; k < s; k++) X.data[row++ + 10 * g] = 1;
    });
    const F = qr(X);
    const h = hatValues(F);
    expect(
      distance(
        h,
        [2, 2, 3, 3, 3, 5, 5, 5, 5, 5].map((s) => 1 / s),
      ),
    ).toBeLessThan(1e-15);
    const V = qrInverseGram(F);
    sizes.forEach((s, g) => {
      expect(V.data[g * 4]).toBeCloseTo(1 / s, 14);
    });
  });
});

describe("QR factorisation", () => {
  const shapes = fc.record({
    n: fc.integer({ min: 1, max: 45 }),
    p: fc.integer({ min: 1, max: 30 }),
    seed: fc.nat(1e6),
  });

  it("QR = XP with orthonormal Q, for any shape, panel remainder and pivoting", () => {
    fc.assert(
      fc.property(shapes, fc.constantFrom("limited", "full", "none"), fc.nat(2), ({ n, p, seed }, pivoting, copies) => {
        const X = random(n, p, seed);
        if (pivoting !== "none")
          for (let k = 0; k < copies && p > 3; k++) column(X, (seed + 7 * k) % p).set(column(X, 1));
        const F = qr(X, { pivoting });
        const Q = qrBasis(F);
        expect(distance(crossprod(Q).data, identity(F.rank).data)).toBeLessThan(1e-14);
        expect(distance(multiply(Q, upper(F)).data, selectColumns(X, F.pivot).data)).toBeLessThan(1e-13);
        const y = random(n, 1, seed + 1).data;
        expect(largest(tMatVec(X, residualsOf(F, y)))).toBeLessThan(1e-12);
        expect(hatValues(F).reduce((a, b) => a + b, 0)).toBeCloseTo(F.rank, 11);
        if (pivoting === "full") {
          for (let k = 1; k < F.rank; k++) {
            expect(Math.abs(F.factor.data[k * (n + 1)]!)).toBeLessThan(
              Math.abs(F.factor.data[(k - 1) * (n + 1)]!) + 1e-12,
            );
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it("both pivotings agree on the rank; copies of earlier columns are the aliased ones", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), fc.nat(1e6), (p, seed) => {
        const draw = uniforms(seed);
        const X = random(40, p, seed + 1);
        const expected: number[] = [];
        for (let j = 1; j < p; j++) {
          if (draw() > 0.2) continue;
          column(X, j).set(column(X, Math.floor((draw() + 0.5) * 0.999 * j)));
          expected.push(j);
        }
        const F = qr(X);
        expect(Array.from(aliasedColumns(F))).toEqual(expected);
        expect(qr(X, { pivoting: "full" }).rank).toBe(F.rank);
      }),
    );
  });

  it("Q' then Q is the identity, and the blocked form equals reflector by reflector", () => {
    const F = qr(random(33, 19, 5));
    const B = random(33, 4, 6);
    const Y = clone(B);
    qtMatrixInto(Y, F);
    for (let j = 0; j < 4; j++) {
      const y = column(B, j).slice();
      qtyInto(y, F);
      expect(distance(y, column(Y, j))).toBeLessThan(1e-14);
      qyInto(y, F);
      expect(distance(y, column(B, j))).toBeLessThan(1e-14);
    }
  });

  it("fitted plus residual is y; scaling a column scales its coefficient alone", () => {
    const X = random(30, 4, 8);
    const y = random(30, 1, 9).data;
    const F = qr(X);
    const beta = qrCoefficients(F, y);
    const fitted = matVec(X, beta);
    expect(
      distance(
        residualsOf(F, y).map((r, i) => r + fitted[i]!),
        y,
      ),
    ).toBeLessThan(2e-15);
    const scaled = clone(X);
    for (let i = 0; i < 30; i++) scaled.data[i + 60]! *= 1e12;
    const gamma = qrCoefficients(qr(scaled), y);
    expect(
      distance(
        gamma.map((g, j) => (j === 2 ? g * 1e12 : g)),
        beta,
      ),
    ).toBeLessThan(1e-14);
  });

  it("an aliased column is NaN in coefficients and (X'X)⁻¹, never zero", () => {
    const X = random(10, 3, 4);
    column(X, 1).fill(0);
    const F = qr(X);
    expect(qrCoefficients(F, column(X, 0))[1]).toBeNaN();
    const V = qrInverseGram(F);
    expect(V.data[4]).toBeNaN();
    expect(V.data[3]).toBeNaN();
    expect(maxAbs(selectColumns(V, [1]))).toBeNaN();
  });

  it("tall: orthogonality survives 20,000 rows", () => {
    const X = random(20_000, 12, 17);
    const Q = qrBasis(qr(X));
    expect(distance(crossprod(Q).data, identity(12).data)).toBeLessThan(1e-13);
  });
});
