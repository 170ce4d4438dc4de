import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Matrix } from "./matrix.ts";
import { clone, fromRows, identity, maxAbs, multiply, transpose, zeros } from "./matrix.ts";
import {
  invertUpper,
  solveLowerAt,
  solveLowerInto,
  solveLowerTAt,
  solveLowerTVectorAt,
  solveLowerVectorAt,
  solveUpperAt,
  solveUpperTAt,
} from "./triangular.ts";

function uniforms(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed / 0x7fffffff - 0.5;
  };
}

/** Lower triangle with a dominant diagonal; the other triangle holds NaN, which no kernel may touch. */
function lower(n: number, draw: () => number): { L: Matrix; clean: Matrix } {
  const clean = zeros(n, n);
  for (let j = 0; j < n; j++)
    for (let i = j; i < n; i++) clean.data[i + j * n] = i === j ? 2 + draw() : draw() / Math.sqrt(n);
  const L = clone(clean);
  for (let j = 0; j < n; j++) for (let i = 0; i < j; i++) L.data[i + j * n] = Number.NaN;
  return { L, clean };
}

function matrix(rows: number, cols: number, draw: () => number): Matrix {
  return { rows, cols, data: new Float64Array(rows * cols).map(draw) };
}

function distance(A: Matrix, B: Matrix): number {
  return A.data.reduce((m, v, t) => Math.max(m, Math.abs(v - B.data[t]!)), 0);
}

describe("triangular solves", () => {
  it("by hand: the inverse of the summing matrix is the difference matrix", () => {
    const n = 20;
    const L = zeros(n, n);
    for (let j = 0; j < n; j++) L.data.fill(1, j * n + j, (j + 1) * n);
    const X = identity(n);
    solveLowerInto(X, L);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) expect(X.data[i + j * n]).toBe(i === j ? 1 : i === j + 1 ? -1 : 0);
    }
  });

  it("undo the product, for all four triangles and any number of right sides; the other triangle is not read", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 7 }), fc.nat(1e6), (n, cols, seed) => {
        const draw = uniforms(seed);
        const { L, clean } = lower(n, draw);
        const U = transpose(L);
        const X = matrix(n, cols, draw);
        const solves = [
          { B: multiply(clean, X), solve: (B: Matrix) => solveLowerInto(B, L) },
          {
            B: multiply(transpose(clean), X),
            solve: (B: Matrix) => solveLowerTAt(L.data, 0, n, n, B.data, 0, n, cols),
          },
          { B: multiply(transpose(clean), X), solve: (B: Matrix) => solveUpperAt(U.data, 0, n, n, B.data, 0, n, cols) },
          { B: multiply(clean, X), solve: (B: Matrix) => solveUpperTAt(U.data, 0, n, n, B.data, 0, n, cols) },
        ];
        for (const { B, solve } of solves) {
          solve(B);
          expect(distance(B, X)).toBeLessThan(1e-14 * Math.max(4, n));
        }
      }),
      { numRuns: 60 },
    );
  });

  it("vector forms equal the matrix forms", () => {
    const draw = uniforms(5);
    const { L } = lower(23, draw);
    const b = matrix(23, 1, draw);
    const x = b.data.slice();
    const B = clone(b);
    solveLowerVectorAt(L.data, 0, 23, 23, x, 0);
    solveLowerTVectorAt(L.data, 0, 23, 23, x, 0);
    solveLowerInto(B, L);
    solveLowerTAt(L.data, 0, 23, 23, B.data, 0, 23, 1);
    x.forEach((v, i) => {
      expect(v).toBeCloseTo(B.data[i]!, 14);
    });
  });

  it("a sub-block of a larger array", () => {
    const draw = uniforms(9);
    const big = matrix(30, 30, draw);
    for (let i = 0; i < 30; i++) big.data[i * 31]! += 3;
    const rhs = new Float64Array(50).fill(1);
    solveLowerAt(big.data, 5 + 5 * 30, 30, 11, rhs, 4, 20, 2);
    const L = zeros(11, 11);
    for (let j = 0; j < 11; j++) for (let i = j; i < 11; i++) L.data[i + 11 * j] = big.data[5 + i + (5 + j) * 30]!;
    const X = { rows: 11, cols: 2, data: new Float64Array(22).fill(1) };
    solveLowerInto(X, L);
    expect(Array.from(rhs.subarray(4, 15))).toEqual(Array.from(X.data.subarray(0, 11)));
    expect(Array.from(rhs.subarray(24, 35))).toEqual(Array.from(X.data.subarray(11)));
    expect(rhs[3]! + rhs[15]! + rhs[23]! + rhs[35]!).toBe(4);
  });

  it("inverse of an upper triangle", () => {
    const { clean } = lower(21, uniforms(3));
    const U = transpose(clean);
    const E = multiply(invertUpper(U), U);
    for (let i = 0; i < 21; i++) E.data[i * 22]! -= 1;
    expect(maxAbs(E)).toBeLessThan(1e-15);
  });

  it("a zero pivot shows in the solution", () => {
    const x = Float64Array.of(1, 1);
    solveLowerVectorAt(fromRows([[0, 0], [1, 1]]).data, 0, 2, 2, x, 0); // biome-ignore format: reads as rows
    expect(Number.isFinite(x[0]!)).toBe(false);
  });
});
