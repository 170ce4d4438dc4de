import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cholesky, choleskyInto, cholInverse, cholLogDet, cholSolve, cholSolveMatrixInto } from "./cholesky.ts";
import { eigenvaluesSymmetric } from "./eigen.ts";
import type { Matrix } from "./matrix.ts";
import { clone, crossprod, identity, maxAbs, multiply, toRows, transpose, zeros } from "./matrix.ts";
import { pivotedCholesky } from "./pivoted-cholesky.ts";

function uniforms(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed / 0x7fffffff - 0.5;
  };
}

function build(n: number, f: (i: number, j: number) => number): Matrix {
  const A = zeros(n, n);
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) A.data[i + j * n] = f(i, j);
  return A;
}

function randomPositive(n: number, seed: number): Matrix {
  const X = { rows: n + 3, cols: n, data: new Float64Array((n + 3) * n).map(uniforms(seed)) };
  const A = crossprod(X);
  for (let i = 0; i < n; i++) A.data[i * (n + 1)]! += 0.05;
  return A;
}

function distance(A: Matrix, B: Matrix): number {
  return A.data.reduce((m, v, t) => Math.max(m, Math.abs(v - B.data[t]!)), 0);
}

const secondDifference = (n: number) => build(n, (i, j) => (i === j ? 2 : Math.abs(i - j) === 1 ? -1 : 0));

/** log det of the Hilbert matrix: c_n⁴ / c_2n with c_n = 1!·2!·…·(n-1)!. */
function hilbertLogDet(n: number): number {
  const logC = (m: number) => {
    let s = 0;
    for (let k = 1; k < m; k++) for (let i = 2; i <= k; i++) s += Math.log(i);
    return s;
  };
  return 4 * logC(n) - logC(2 * n);
}

function choose(n: number, k: number): number {
  let c = 1;
  for (let i = 1; i <= k; i++) c = (c * (n - k + i)) / i;
  return c;
}

/** Exact integer entry of the inverse Hilbert matrix, 1-based. */
function hilbertInverse(n: number, i: number, j: number): number {
  const sign = (i + j) % 2 === 0 ? 1 : -1;
  return sign * (i + j - 1) * choose(n + i - 1, n - j) * choose(n + j - 1, n - i) * choose(i + j - 2, i - 1) ** 2;
}

describe("Cholesky factor in closed form", () => {
  it("min(i, j) has a factor of ones, exactly, across panels", () => {
    const n = 75;
    const L = cholesky(build(n, (i, j) => Math.min(i, j) + 1))!;
    expect(L.data).toEqual(build(n, (i, j) => (i >= j ? 1 : 0)).data);
  });

  it("second differences: determinant n + 1, inverse i(n+1-j)/(n+1)", () => {
    const n = 100;
    const L = cholesky(secondDifference(n))!;
    expect(Math.abs(cholLogDet(L) - Math.log(n + 1))).toBeLessThan(1e-13);
    const X = cholInverse(L);
    const exact = build(n, (i, j) => ((Math.min(i, j) + 1) * (n - Math.max(i, j))) / (n + 1));
    expect(distance(X, exact)).toBeLessThan(1e-12 * maxAbs(exact));
    expect(X.data).toEqual(transpose(X).data);
  });

  it("Hilbert's matrix: log-determinant and integer inverse, within its condition number", () => {
    const L = cholesky(build(6, (i, j) => 1 / (i + j + 1)))!;
    expect(Math.abs(cholLogDet(L) / hilbertLogDet(6) - 1)).toBeLessThan(1e-11);
    const X = cholInverse(L);
    for (let i = 0; i < 6; i++) {
      for (let j = 0; j < 6; j++) {
        expect(Math.abs(X.data[i + 6 * j]! / hilbertInverse(6, i + 1, j + 1) - 1)).toBeLessThan(1e-9); // cond 1.5e7
      }
    }
  });
});

describe("Cholesky factorisation", () => {
  it("reproduces A within n ulps and solves, for any order; only the lower triangle is read", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 }), fc.nat(1e6), (n, seed) => {
        const A = randomPositive(n, seed);
        const half = clone(A);
        for (let j = 0; j < n; j++) for (let i = 0; i < j; i++) half.data[i + j * n] = Number.NaN;
        const L = zeros(n, n);
        expect(choleskyInto(L, half)).toBe(-1);
        expect(distance(multiply(L, transpose(L)), A)).toBeLessThan((n + 1) * Number.EPSILON * maxAbs(A));
        for (let j = 0; j < n; j++) for (let i = 0; i < j; i++) expect(L.data[i + j * n]).toBe(0);
        const x = new Float64Array(n).map(uniforms(seed + 1));
        const b = multiply(A, { rows: n, cols: 1, data: x });
        const X = clone(b);
        cholSolveMatrixInto(X, L);
        expect(distance(X, { ...b, data: x })).toBeLessThan(1e-9);
        expect(distance({ ...b, data: cholSolve(L, b.data) }, { ...b, data: x })).toBeLessThan(1e-9);
      }),
      { numRuns: 40 },
    );
  });

  it("works in place", () => {
    const A = randomPositive(45, 4);
    const L = cholesky(A)!;
    expect(choleskyInto(A, A)).toBe(-1);
    expect(A.data).toEqual(L.data);
  });

  it("names the first pivot that fails, in any panel, for negative, zero and NaN", () => {
    for (const bad of [0, 3, 31, 32, 50]) {
      for (const value of [-1, 0, Number.NaN]) {
        const A = identity(60);
        A.data[bad * 61] = value;
        expect(choleskyInto(zeros(60, 60), A)).toBe(bad);
      }
    }
    const A = randomPositive(40, 8);
    A.data[35 + 2 * 40] = Number.NaN;
    expect(choleskyInto(zeros(40, 40), A)).toBe(35);
    expect(cholesky(build(2, () => 1))).toBeUndefined();
  });

  it("of nothing is nothing", () => {
    expect(cholLogDet(cholesky(zeros(0, 0))!)).toBe(0);
  });

  it("scaling A by s² scales L by s and moves the log-determinant by 2n log s", () => {
    const A = randomPositive(20, 11);
    const B = { ...A, data: A.data.map((v) => v * 4) };
    const L = cholesky(A)!;
    const M = cholesky(B)!;
    expect(M.data).toEqual(L.data.map((v) => 2 * v));
    expect(cholLogDet(M) - cholLogDet(L)).toBeCloseTo(40 * Math.log(2), 12);
  });
});

describe("pivoted Cholesky of a semi-definite matrix", () => {
  it("finds the rank and reproduces the permuted matrix", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 25 }), fc.nat(25), fc.nat(1e6), (n, rankWanted, seed) => {
        const r = Math.min(n, rankWanted);
        const X = { rows: r, cols: n, data: new Float64Array(r * n).map(uniforms(seed)) };
        const A = crossprod(X);
        // one square in some thousands is singular by chance, to the tolerance asked for
        const values = eigenvaluesSymmetric(A);
        fc.pre(r === 0 || values[r - 1]! > 1e-8 * values[0]!);
        const { L, pivot, rank } = pivotedCholesky(A, 1e-10);
        expect(rank).toBe(r);
        const R = multiply(L, transpose(L));
        const permuted = build(n, (i, j) => A.data[pivot[i]! + n * pivot[j]!]!);
        expect(distance(R, permuted)).toBeLessThan(1e-9);
        for (let k = 1; k < rank; k++) expect(L.data[k + k * n]!).toBeLessThanOrEqual(L.data[(k - 1) * (n + 1)]!);
      }),
      { numRuns: 60 },
    );
  });

  it("by hand: a rank-one matrix", () => {
    const { L, pivot, rank } = pivotedCholesky(build(3, (i, j) => (i + 1) * (j + 1)));
    expect(rank).toBe(1);
    expect(pivot[0]).toBe(2);
    expect(toRows(L).map((row) => row[0])).toEqual(Array.from(pivot, (i) => i + 1));
  });

  it("full rank by default tolerance, rank 0 for zero, -1 for an indefinite or undefined matrix", () => {
    expect(pivotedCholesky(randomPositive(12, 3)).rank).toBe(12);
    expect(pivotedCholesky(zeros(4, 4)).rank).toBe(0);
    expect(pivotedCholesky(build(2, (i, j) => (i === j ? 0 : 1))).rank).toBe(-1);
    expect(pivotedCholesky(build(2, (i, j) => (i === j ? 1 - 2 * i : 0))).rank).toBe(-1);
    expect(pivotedCholesky(build(2, () => Number.NaN)).rank).toBe(-1);
  });
});
