import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Matrix } from "./matrix.ts";
import { clone, column, crossprod, diagonalMatrix, fromRows, identity, multiply, transpose, zeros } from "./matrix.ts";
import type { Svd } from "./svd.ts";
import { conditionNumber, pseudoInverse, svd, svdRank } from "./svd.ts";

function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  expect(a.length).toBe(b.length);
  let m = 0;
  for (let i = 0; i < a.length; i++) m = Math.max(m, Math.abs(a[i]! - b[i]!));
  return m;
}

function random(rows: number, cols: number, seed: number): Matrix {
  const A = zeros(rows, cols);
  for (let t = 0; t < A.data.length; t++) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    A.data[t] = seed / 0x7fffffff - 0.5;
  }
  return A;
}

function rebuild({ U, d, V }: Svd): Matrix {
  return multiply(multiply(U, diagonalMatrix(d)), transpose(V));
}

describe("known singular values", () => {
  it("Läuchli's matrix: √(n+ε²) and ε to full relative accuracy, which a Gram matrix loses", () => {
    const eps = 1e-9;
    const n = 6;
    const A = zeros(n + 1, n);
    for (let j = 0; j < n; j++) {
      A.data[j * (n + 1)] = 1;
      A.data[j + 1 + j * (n + 1)] = eps;
    }
    const { d } = svd(A);
    expect(d[0]).toBeCloseTo(Math.sqrt(n), 14);
    for (let k = 1; k < n; k++) expect(Math.abs(d[k]! / eps - 1)).toBeLessThan(1e-14);
  });

  it("graded columns over 120 orders of magnitude: H·D has the singular values √8·|d|", () => {
    let H = fromRows([[1]]);
    for (let k = 0; k < 3; k++) {
      const n = H.rows;
      const G = zeros(2 * n, 2 * n);
      for (let j = 0; j < n; j++) {
        for (let i = 0; i < n; i++) {
          const h = H.data[i + j * n]!;
          for (const [a, b, s] of [
            [0, 0, 1],
            [n, 0, 1],
            [0, n, 1],
            [n, n, -1],
          ] as const) {
            G.data[i + a + (j + b) * 2 * n] = s * h;
          }
        }
      }
      H = G;
    }
    const scale = Float64Array.from({ length: 8 }, (_, j) => 10 ** (-17 * ((3 * j) % 8)));
    const { d } = svd(multiply(H, diagonalMatrix(scale)));
    const exact = scale
      .map((s) => Math.sqrt(8) * s)
      .sort()
      .reverse();
    d.forEach((s, k) => {
      expect(Math.abs(s / exact[k]! - 1)).toBeLessThan(1e-14);
    });
  });

  it("two by two by hand, and huge or tiny entries", () => {
    for (const scale of [1, 2 ** 1000, 2 ** -1000]) {
      const { d } = svd(fromRows([[3 * scale, 0], [4 * scale, 5 * scale]])); // biome-ignore format: reads as rows
      expect(d[0]! / scale).toBeCloseTo(Math.sqrt(45), 13);
      expect(d[1]! / scale).toBeCloseTo(Math.sqrt(5), 13);
    }
  });

  it("Vandermonde: the product of singular values is |det|", () => {
    const nodes = [-2, -1, 0.5, 1, 3];
    const A = zeros(5, 5);
    for (let j = 0; j < 5; j++) for (let i = 0; i < 5; i++) A.data[i + 5 * j] = nodes[i]! ** j;
    let det = 1;
    for (let j = 0; j < 5; j++) for (let i = 0; i < j; i++) det *= nodes[j]! - nodes[i]!;
    expect(svd(A).d.reduce((p, s) => p * s, 1) / Math.abs(det)).toBeCloseTo(1, 13);
  });
});

describe("singular value decomposition", () => {
  it("UΣV' = A with orthonormal factors, whatever the shape and rank", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 25 }),
        fc.nat(3),
        fc.nat(1e6),
        (m, n, copies, seed) => {
          const A = random(m, n, seed);
          for (let k = 0; k < copies; k++) column(A, (seed + 5 * k) % n).set(column(A, (seed + k) % n));
          if (copies === 3) column(A, 0).fill(0);
          const S = svd(A);
          const k = Math.min(m, n);
          expect(distance(crossprod(S.U).data, identity(k).data)).toBeLessThan(3e-14);
          expect(distance(crossprod(S.V).data, identity(k).data)).toBeLessThan(3e-14);
          expect(distance(rebuild(S).data, A.data)).toBeLessThan(3e-14);
          for (let t = 1; t < k; t++) expect(S.d[t]!).toBeLessThanOrEqual(S.d[t - 1]!);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("the four Moore-Penrose conditions, also for a rank-deficient matrix", () => {
    const A = random(9, 6, 4);
    column(A, 4).set(column(A, 1));
    const S = svd(A);
    expect(svdRank(S)).toBe(5);
    const P = pseudoInverse(S);
    const AP = multiply(A, P);
    const PA = multiply(P, A);
    expect(distance(multiply(AP, A).data, A.data)).toBeLessThan(1e-14);
    expect(distance(multiply(PA, P).data, P.data)).toBeLessThan(1e-13);
    expect(distance(AP.data, transpose(AP).data)).toBeLessThan(1e-14);
    expect(distance(PA.data, transpose(PA).data)).toBeLessThan(1e-14);
  });

  it("rank and condition number", () => {
    expect(svdRank(svd(zeros(3, 2)))).toBe(0);
    expect(conditionNumber(svd(diagonalMatrix([4, -0.5, 1])))).toBeCloseTo(8, 14);
    expect(conditionNumber(svd(fromRows([[1, 0], [0, 0]])))).toBe(Number.POSITIVE_INFINITY); // biome-ignore format: reads as rows
    expect(svdRank(svd(random(7, 12, 2)))).toBe(7);
  });

  it("NaN in, NaN out", () => {
    const A = clone(random(4, 3, 1));
    A.data[5] = Number.NaN;
    const S = svd(A);
    expect(S.d.every(Number.isNaN)).toBe(true);
    expect(svdRank(S)).toBeNaN();
    expect(pseudoInverse(S).data.every(Number.isNaN)).toBe(true);
  });
});
