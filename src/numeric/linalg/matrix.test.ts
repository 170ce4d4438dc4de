import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addNN, addTN } from "./kernel.ts";
import type { Matrix } from "./matrix.ts";
import {
  addInto,
  bilinear,
  clone,
  column,
  crossprod,
  diagonal,
  diagonalMatrix,
  fromColumns,
  fromRows,
  identity,
  matVec,
  maxAbs,
  mirrorLowerInto,
  multiply,
  normAt,
  selectColumns,
  selectRows,
  tMatVec,
  toRows,
  transpose,
  zeros,
} from "./matrix.ts";

/** Integers, so that every product below is exact and must agree to the last bit. */
function integers(rows: number, cols: number, seed: number): Matrix {
  const A = zeros(rows, cols);
  for (let t = 0; t < A.data.length; t++) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    A.data[t] = ((seed >> 8) % 19) - 9;
  }
  return A;
}

/** The definition, entry by entry. */
function naive(A: Matrix, B: Matrix, w?: Float64Array): Matrix {
  const C = zeros(A.rows, B.cols);
  for (let i = 0; i < A.rows; i++) {
    for (let j = 0; j < B.cols; j++) {
      for (let k = 0; k < A.cols; k++) {
        C.data[i + j * A.rows]! += A.data[i + k * A.rows]! * B.data[k + j * B.rows]! * (w?.[k] ?? 1);
      }
    }
  }
  return C;
}

const shape = fc.record({ m: fc.nat(11), n: fc.nat(11), k: fc.nat(11), seed: fc.integer({ min: 1, max: 1e6 }) });

describe("products against the definition (exact integers)", () => {
  it("multiply, for every remainder of the tile sizes", () => {
    fc.assert(
      fc.property(shape, ({ m, n, k, seed }) => {
        const A = integers(m, k, seed);
        const B = integers(k, n, seed + 1);
        expect(multiply(A, B).data).toEqual(naive(A, B).data);
      }),
    );
  });

  it("X'Y, X'X and their weighted forms", () => {
    fc.assert(
      fc.property(shape, ({ m, n, k, seed }) => {
        const X = integers(k, m, seed);
        const Y = integers(k, n, seed + 1);
        const w = integers(k, 1, seed + 2).data;
        expect(crossprod(X, Y).data).toEqual(naive(transpose(X), Y).data);
        expect(crossprod(X).data).toEqual(naive(transpose(X), X).data);
        expect(crossprod(X, Y, w).data).toEqual(naive(transpose(X), Y, w).data);
        expect(crossprod(X, X, w).data).toEqual(naive(transpose(X), X, w).data);
      }),
    );
  });

  it("products longer than a slab of rows", () => {
    const X = integers(1000, 7, 3);
    const Y = integers(1000, 5, 4);
    const w = integers(1000, 1, 5).data;
    expect(crossprod(X, Y).data).toEqual(naive(transpose(X), Y).data);
    expect(crossprod(X, X, w).data).toEqual(naive(transpose(X), X, w).data);
    expect(multiply(X, crossprod(X, Y)).data).toEqual(naive(X, crossprod(X, Y)).data);
  });

  it("vector products and the bilinear form", () => {
    const A = integers(9, 6, 11);
    const x = integers(6, 1, 12).data;
    const y = integers(9, 1, 13).data;
    expect(matVec(A, x)).toEqual(naive(A, { rows: 6, cols: 1, data: x }).data);
    expect(tMatVec(A, y)).toEqual(naive(transpose(A), { rows: 9, cols: 1, data: y }).data);
    const S = crossprod(A);
    expect(bilinear(x, S, x)).toBe(matVec(A, x).reduce((s, v) => s + v * v, 0));
  });

  it("kernels on a block of a larger array leave the rest alone", () => {
    const big = integers(12, 12, 21);
    const A = { rows: 4, cols: 3, data: new Float64Array(12) };
    for (let j = 0; j < 3; j++) A.data.set(big.data.subarray(2 + (j + 1) * 12, 6 + (j + 1) * 12), j * 4);
    const C = new Float64Array(100).fill(7);
    addTN(C, 11, 10, big.data, 2 + 12, 12, big.data, 2 + 12, 12, 3, 3, 4, -1);
    const expected = new Float64Array(100).fill(7);
    const G = naive(transpose(A), A);
    for (let j = 0; j < 3; j++) for (let i = 0; i < 3; i++) expected[11 + i + 10 * j]! -= G.data[i + 3 * j]!;
    expect(C).toEqual(expected);
    addNN(C, 11, 10, big.data, 2 + 12, 12, G.data, 0, 3, 4, 3, 3, 1);
    const P = naive(A, G);
    for (let j = 0; j < 3; j++) for (let i = 0; i < 4; i++) expected[11 + i + 10 * j]! += P.data[i + 4 * j]!;
    expect(C).toEqual(expected);
  });
});

describe("construction", () => {
  it("rows, columns and selections agree", () => {
    const A = fromRows([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(Array.from(A.data)).toEqual([1, 4, 2, 5, 3, 6]);
    expect(fromColumns([[1, 4], [2, 5], [3, 6]]).data).toEqual(A.data); // biome-ignore format: reads as columns
    expect(toRows(transpose(A))).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
    expect(toRows(selectColumns(A, [2, 0]))).toEqual([
      [3, 1],
      [6, 4],
    ]);
    expect(toRows(selectRows(A, [1, 1]))).toEqual([
      [4, 5, 6],
      [4, 5, 6],
    ]);
    expect(Array.from(diagonal(A))).toEqual([1, 5]);
    expect(diagonalMatrix([1, 1, 1]).data).toEqual(identity(3).data);
  });

  it("a ragged row is NaN, not zero", () => {
    expect(fromRows([[1, 2], [3]]).data[3]).toBeNaN();
  });

  it("a column is a view, a clone is not", () => {
    const A = integers(3, 2, 1);
    const B = clone(A);
    column(A, 1)[0] = 99;
    expect(A.data[3]).toBe(99);
    expect(B.data[3]).not.toBe(99);
  });

  it("transpose of a matrix larger than its block, twice, is itself", () => {
    const A = integers(37, 53, 5);
    expect(transpose(transpose(A)).data).toEqual(A.data);
    expect(transpose(A).data[3 + 53 * 30]).toBe(A.data[30 + 37 * 3]);
  });

  it("sums and mirrors", () => {
    const A = integers(5, 5, 7);
    const S = zeros(5, 5);
    addInto(S, A, transpose(A));
    const T = clone(S);
    for (let j = 0; j < 5; j++) for (let i = 0; i < j; i++) T.data[i + 5 * j] = Number.NaN;
    mirrorLowerInto(T);
    expect(T.data).toEqual(S.data);
    expect(bilinear(new Float64Array(5).fill(1), S, new Float64Array(5).fill(1))).toBe(
      2 * A.data.reduce((a, b) => a + b, 0),
    );
  });
});

describe("norms", () => {
  it("do not overflow, underflow or hide NaN", () => {
    expect(normAt(Float64Array.of(3e200, 4e200), 0, 2)).toBeCloseTo(5e200, -187);
    expect(normAt(Float64Array.of(3e-200, 4e-200), 0, 2) / 5e-200).toBeCloseTo(1, 14);
    expect(normAt(Float64Array.of(3e-320, 4e-320), 0, 2) / 5e-320).toBeCloseTo(1, 3);
    expect(normAt(new Float64Array(4), 0, 4)).toBe(0);
    expect(normAt(Float64Array.of(1, Number.NaN), 0, 2)).toBeNaN();
    expect(normAt(Float64Array.of(1, Number.NEGATIVE_INFINITY), 0, 2)).toBe(Number.POSITIVE_INFINITY);
    expect(maxAbs({ rows: 3, cols: 1, data: Float64Array.of(1, Number.NaN, 2) })).toBeNaN();
  });

  it("NaN times zero stays NaN in a product", () => {
    const A = fromRows([[Number.NaN], [1]]);
    expect(multiply(A, fromRows([[0]])).data[0]).toBeNaN();
  });
});
