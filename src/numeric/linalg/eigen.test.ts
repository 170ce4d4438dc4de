import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eigenSymmetric, eigenvaluesSymmetric } from "./eigen.ts";
import type { Matrix } from "./matrix.ts";
import { crossprod, diagonalMatrix, identity, maxAbs, multiply, transpose, zeros } from "./matrix.ts";

function build(n: number, f: (i: number, j: number) => number): Matrix {
  const A = zeros(n, n);
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) A.data[i + j * n] = f(i, j);
  return A;
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let m = 0;
  for (let i = 0; i < a.length; i++) m = Math.max(m, Math.abs(a[i]! - b[i]!));
  return m;
}

function randomSymmetric(n: number, seed: number): Matrix {
  const A = zeros(n, n);
  for (let j = 0; j < n; j++) {
    for (let i = j; i < n; i++) {
      seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
      A.data[i + j * n] = A.data[j + i * n] = seed / 0x7fffffff - 0.5;
    }
  }
  return A;
}

/** VΛV'. */
function assembled({ values, vectors }: { values: Float64Array; vectors: Matrix }): Matrix {
  return multiply(multiply(vectors, diagonalMatrix(values)), transpose(vectors));
}

describe("known spectra", () => {
  it("second differences: 2 - 2 cos(kπ/(n+1)), and sines as vectors", () => {
    const n = 60;
    const A = build(n, (i, j) => (i === j ? 2 : Math.abs(i - j) === 1 ? -1 : 0));
    const exact = Float64Array.from({ length: n }, (_, k) => 2 - 2 * Math.cos(((n - k) * Math.PI) / (n + 1)));
    const { values, vectors } = eigenSymmetric(A);
    expect(distance(values, exact)).toBeLessThan(3e-15);
    const k = n - 1; // the smallest: half a wave
    const sign = Math.sign(vectors.data[k * n]!);
    for (let i = 0; i < n; i++) {
      const wave = Math.sqrt(2 / (n + 1)) * Math.sin(((i + 1) * Math.PI) / (n + 1));
      expect(Math.abs(sign * vectors.data[i + k * n]! - wave)).toBeLessThan(1e-13);
    }
  });

  it("Wilkinson's W21+: the pair that agrees to fourteen digits", () => {
    const W = build(21, (i, j) => (i === j ? Math.abs(10 - i) : Math.abs(i - j) === 1 ? 1 : 0));
    const { values } = eigenSymmetric(W);
    expect(values[0]!).toBeCloseTo(10.746194182903393, 13);
    expect(values[1]!).toBeCloseTo(10.746194182903322, 13);
    expect(values[0]!).toBeGreaterThan(values[1]!);
    expect(values[20]!).toBeCloseTo(-1.125441522119984, 13);
  });

  it("equicorrelation: 1 + (n-1)ρ once, 1 - ρ otherwise", () => {
    const values = eigenvaluesSymmetric(build(12, (i, j) => (i === j ? 1 : 0.3)));
    expect(distance(values, [4.3, ...new Array<number>(11).fill(0.7)])).toBeLessThan(3e-15);
  });

  it("Hilbert's matrix of order 5", () => {
    const { values } = eigenSymmetric(build(5, (i, j) => 1 / (i + j + 1)));
    const exact = [
      1.5670506910982307, 0.20853421861101332, 0.011407491623419806, 3.058980401511917e-4, 3.287928772171863e-6,
    ];
    expect(distance(values, exact)).toBeLessThan(1e-15);
  });

  it("a diagonal matrix, a zero matrix, orders 0, 1 and 2", () => {
    expect(Array.from(eigenSymmetric(diagonalMatrix([3, -7, 5])).values)).toEqual([5, 3, -7]);
    expect(Array.from(eigenSymmetric(zeros(3, 3)).values)).toEqual([0, 0, 0]);
    expect(eigenSymmetric(zeros(0, 0)).values.length).toBe(0);
    expect(Array.from(eigenSymmetric(build(1, () => -4)).values)).toEqual([-4]);
    expect(distance(eigenSymmetric(build(2, (i, j) => (i === j ? 2 : 1))).values, [3, 1])).toBeLessThan(1e-15);
  });
});

describe("symmetric eigenproblem", () => {
  it("VΛV' = A and V'V = I within n ulps, values descending, only the lower triangle read", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(1e6), fc.constantFrom(1, 1e150, 1e-150), (n, seed, scale) => {
        const A = randomSymmetric(n, seed);
        for (let t = 0; t < A.data.length; t++) A.data[t]! *= scale;
        const half = { ...A, data: A.data.map((v, t) => (t % n < Math.floor(t / n) ? Number.NaN : v)) };
        const E = eigenSymmetric(half);
        expect(distance(crossprod(E.vectors).data, identity(n).data)).toBeLessThan(1e-15 * (n + 8));
        expect(distance(assembled(E).data, A.data)).toBeLessThan(1e-15 * (n + 8) * scale);
        for (let k = 1; k < n; k++) expect(E.values[k]!).toBeLessThanOrEqual(E.values[k - 1]!);
        expect(distance(eigenvaluesSymmetric(half), E.values)).toBeLessThan(1e-15 * (n + 8) * scale);
      }),
      { numRuns: 60 },
    );
  });

  it("clustered and repeated values keep orthogonal vectors", () => {
    const n = 30;
    const { vectors } = eigenSymmetric(build(n, (i, j) => (i === j ? 1 + 1e-14 * i : 1e-15)));
    expect(distance(crossprod(vectors).data, identity(n).data)).toBeLessThan(1e-14);
  });

  it("NaN in, NaN out", () => {
    const A = randomSymmetric(6, 1);
    A.data[3] = Number.NaN;
    expect(eigenSymmetric(A).values.every(Number.isNaN)).toBe(true);
    expect(maxAbs(eigenSymmetric(A).vectors)).toBeNaN();
    expect(eigenvaluesSymmetric(A).every(Number.isNaN)).toBe(true);
  });
});
