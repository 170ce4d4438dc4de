import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { choleskyInto, choleskyUpperAt, cholInverse, invertLowerInto } from "./cholesky.ts";
import type { Matrix } from "./matrix.ts";
import { crossprod, multiply, zeros } from "./matrix.ts";
import {
  allowWasm,
  wasmAddInverseUpperAt,
  wasmCholeskyInto,
  wasmCholeskyUpperAt,
  wasmCholInverseInto,
  wasmGramInto,
  wasmInvertLowerInto,
  wasmMultiplyInto,
  wasmQuadraticFormsInto,
  wasmQuadrupleFormsInto,
  wasmQuadrupleProductsInto,
} from "./wasm.ts";

/** Reproducible numbers in (-1, 1). */
function series(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807) % 2147483647;
    return (2 * state) / 2147483647 - 1;
  };
}

/** Entries in (-1, 1) with a diagonal beyond their spectral radius, about 2√(n/3). */
function positiveDefinite(n: number, seed = n + 1): Matrix {
  const next = series(seed);
  const A = zeros(n, n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < j; i++) A.data[i + j * n] = A.data[j + i * n] = next();
    A.data[j * (n + 1)] = 2 * Math.sqrt(n) + 1;
  }
  return A;
}

function withoutWasm<T>(compute: () => T): T {
  const before = allowWasm(false);
  try {
    return compute();
  } finally {
    allowWasm(before);
  }
}

/** Largest difference relative to the largest entry. */
function difference(a: Float64Array, b: Float64Array): number {
  let most = 0;
  let scale = 0;
  for (let i = 0; i < a.length; i++) {
    most = Math.max(most, Math.abs(a[i]! - b[i]!));
    scale = Math.max(scale, Math.abs(b[i]!));
  }
  return most / scale;
}

const TOLERANCE = 1e-13;
/** Below it the kernels decline. */
const LEAST = 48;
const orders = [...Array.from({ length: 20 }, (_, k) => LEAST + k), 127, 128, 129, 191, 192, 193, 255, 257, 300, 323];

describe("kernels in WebAssembly against those in TypeScript", () => {
  let before = true;
  beforeEach(() => {
    before = allowWasm(true);
  });
  afterEach(() => {
    allowWasm(before);
  });

  it("factor and invert an upper triangle within a larger array", () => {
    for (const n of orders) {
      const ld = n + 3;
      const A = positiveDefinite(n);
      const inside = new Float64Array(7 + ld * n);
      for (let j = 0; j < n; j++) for (let i = 0; i <= j; i++) inside[7 + i + j * ld] = A.data[i + j * n]!;
      const expected = inside.slice();
      expect(withoutWasm(() => choleskyUpperAt(expected, 7, ld, n))).toBe(-1);
      expect(wasmCholeskyUpperAt(inside, 7, ld, n)).toBe(-1);
      for (let j = 0; j < n; j++) {
        const [from, to] = [7 + j * ld, 7 + j * ld + j + 1];
        expect(difference(inside.subarray(from, to), expected.subarray(from, to))).toBeLessThan(TOLERANCE);
      }
      const L = zeros(n, n);
      choleskyInto(L, A);
      const X = new Float64Array(ld * n).fill(1);
      expect(wasmAddInverseUpperAt(X, 0, inside, { u: 7, ld, n })).toBe(true);
      const inverse = withoutWasm(() => cholInverse(L));
      for (let j = 0; j < n; j++) {
        const got = X.slice(j * ld, j * ld + n).map((v) => v - 1);
        expect(difference(got, inverse.data.subarray(j * n, (j + 1) * n))).toBeLessThan(1e-11);
      }
    }
    const bad = new Float64Array(LEAST * LEAST);
    for (let j = 0; j < LEAST; j++) bad[j * (LEAST + 1)] = j === 30 ? -1 : 1;
    expect(wasmCholeskyUpperAt(bad, 0, LEAST, LEAST)).toBe(30);
  });

  it("are there, decline small orders and can be turned off", () => {
    const A = positiveDefinite(LEAST);
    expect(wasmCholeskyInto(A.data.slice(), A.data, LEAST)).toBe(-1);
    expect(wasmCholeskyInto(A.data.slice(), A.data, LEAST - 1)).toBeUndefined();
    withoutWasm(() => {
      expect(wasmCholeskyInto(A.data.slice(), A.data, LEAST)).toBeUndefined();
      expect(wasmInvertLowerInto(A.data.slice(), A.data, LEAST)).toBeUndefined();
      expect(wasmCholInverseInto(A.data.slice(), A.data, LEAST)).toBeUndefined();
    });
    expect(wasmInvertLowerInto(A.data.slice(), A.data, LEAST)).toBe(true);
    expect(wasmCholInverseInto(A.data.slice(), A.data, LEAST)).toBe(true);
  });

  it.each(orders)("give the same factor, inverse factor and inverse at order %i", (n) => {
    const A = positiveDefinite(n);
    const [L, U, V, W] = [zeros(n, n), zeros(n, n), zeros(n, n), zeros(n, n)];
    for (const X of [L, V]) X.data.fill(7); // what was there before must not show
    expect(choleskyInto(L, A)).toBe(-1);
    expect(withoutWasm(() => choleskyInto(U, A))).toBe(-1);
    expect(difference(L.data, U.data)).toBeLessThan(TOLERANCE);
    invertLowerInto(V, L);
    withoutWasm(() => invertLowerInto(W, U));
    expect(difference(V.data, W.data)).toBeLessThan(TOLERANCE);
    for (let j = 1; j < n; j++) {
      for (let i = 0; i < j; i++) if (L.data[i + j * n] !== 0 || V.data[i + j * n] !== 0) expect([i, j]).toBe("zero");
    }
    const X = cholInverse(L);
    expect(difference(X.data, withoutWasm(() => cholInverse(U)).data)).toBeLessThan(TOLERANCE);
    for (let j = 0; j < n; j++) for (let i = 0; i < j; i++) expect(X.data[i + j * n] === X.data[j + i * n]).toBe(true);
  });

  it.each([
    [33, 34, 35],
    [64, 64, 64],
    [1, 300, 270],
    [130, 3, 515],
    [99, 200, 257],
  ])("give the same products of %i × %i with %i terms", (m, n, k) => {
    const random = (rows: number, cols: number, seed: number): Matrix => {
      const next = series(seed);
      return { rows, cols, data: Float64Array.from({ length: rows * cols }, next) };
    };
    const B = random(k, n, 3);
    const C = zeros(m, n);
    const A = random(m, k, 5);
    C.data.fill(7);
    expect(wasmMultiplyInto(C, A, B)).toBe(true);
    expect(difference(C.data, multiply(A, B).data)).toBeLessThan(TOLERANCE);
    const At = random(k, m, 9);
    expect(wasmMultiplyInto(C, At, B, true)).toBe(true);
    expect(difference(C.data, crossprod(At, B).data)).toBeLessThan(TOLERANCE);
    expect(withoutWasm(() => wasmMultiplyInto(C, A, B))).toBeUndefined();
  });

  it("add up products of rows with four neighbours, over more rows than are copied at once", () => {
    const n = 4099;
    const next = series(11);
    const make = (size: number) => ({
      size,
      first: Int32Array.from({ length: n }, () => Math.floor(((next() + 1) / 2) * (size - 3))),
      values: Float64Array.from({ length: 4 * n }, next),
    });
    const rows = [make(9), make(4)];
    const dense = rows.map(({ size, first, values }) => {
      const X = zeros(n, size);
      for (let t = 0; t < n; t++) for (let f = 0; f < 4; f++) X.data[t + (first[t]! + f) * n] = values[4 * t + f]!;
      return X;
    });
    const w = Float64Array.from({ length: n }, next);
    for (const weights of [undefined, w]) {
      const products = [
        [0, 0],
        [0, 1],
        [1, 1],
      ].map(([x, y]) => ({ C: new Float64Array(rows[x!]!.size * rows[y!]!.size).fill(7), x: x!, y: y! }));
      expect(wasmQuadrupleProductsInto(products, rows, weights)).toBe(true);
      for (const { C, x, y } of products) {
        expect(difference(C, crossprod(dense[x]!, dense[y], weights).data)).toBeLessThan(TOLERANCE);
      }
    }
    expect(withoutWasm(() => wasmQuadrupleProductsInto([], rows, w))).toBeUndefined();
    const C = Float64Array.from({ length: 36 }, next);
    const D = Float64Array.from({ length: 16 }, next);
    const form = (t: number, [x, y]: [number, number], M: Float64Array): number => {
      const [X, Y] = [dense[x]!, dense[y]!];
      let sum = 0;
      for (let b = 0; b < Y.cols; b++) {
        for (let a = 0; a < X.cols; a++) sum += X.data[t + a * n]! * M[a + b * X.cols]! * Y.data[t + b * n]!;
      }
      return sum;
    };
    const out = w.slice();
    const forms = [
      { C, x: 0, y: 1, s: 2 },
      { C: D, x: 1, y: 1, s: 1 },
    ];
    expect(wasmQuadrupleFormsInto(out, forms, rows)).toBe(true);
    const expected = w.map((value, t) => value + 2 * form(t, [0, 1], C) + form(t, [1, 1], D));
    expect(difference(out, expected)).toBeLessThan(TOLERANCE);
    expect(withoutWasm(() => wasmQuadrupleFormsInto(out, forms, rows))).toBeUndefined();
  });

  it("work in place and read the lower triangle only", () => {
    const n = 101;
    const A = positiveDefinite(n);
    const L = zeros(n, n);
    choleskyInto(L, A);
    for (let j = 1; j < n; j++) A.data.fill(Number.NaN, j * n, j * n + j);
    choleskyInto(A, A);
    expect(A.data).toEqual(L.data);
    const V = zeros(n, n);
    invertLowerInto(V, L);
    invertLowerInto(A, A);
    expect(A.data).toEqual(V.data);
  });

  it("have the closed form of the second-difference matrix", () => {
    // A = tridiag(-1, 2, -1): L[j,j] = √((j+2)/(j+1)), A⁻¹[i,j] = (i+1)(n-j)/(n+1) for i ≤ j
    const n = 150;
    const A = zeros(n, n);
    for (let j = 0; j < n; j++) {
      A.data[j * (n + 1)] = 2;
      if (j + 1 < n) A.data[j + 1 + j * n] = A.data[j + (j + 1) * n] = -1;
    }
    const L = zeros(n, n);
    expect(choleskyInto(L, A)).toBe(-1);
    const X = cholInverse(L);
    for (let j = 0; j < n; j++) {
      expect(L.data[j * (n + 1)]).toBeCloseTo(Math.sqrt((j + 2) / (j + 1)), 13);
      for (let i = 0; i <= j; i += 7) {
        expect(Math.abs(X.data[i + j * n]! / (((i + 1) * (n - j)) / (n + 1)) - 1)).toBeLessThan(1e-11);
      }
    }
  });

  it("stop at the same pivot", () => {
    const wrong = [-1, 0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    fc.assert(
      fc.property(fc.integer({ min: LEAST, max: 140 }), fc.nat(), fc.constantFrom(...wrong), (n, k, value) => {
        const A = positiveDefinite(n);
        A.data[(k % n) * (n + 1)] = value;
        expect(choleskyInto(zeros(n, n), A)).toBe(k % n);
        expect(withoutWasm(() => choleskyInto(zeros(n, n), A))).toBe(k % n);
      }),
      { numRuns: 60 },
    );
  });

  it("stop where a NaN off the diagonal first reaches a pivot", () => {
    for (const [i, j] of [
      [1, 0],
      [70, 3],
      [98, 97],
    ] as const) {
      const A = positiveDefinite(99);
      A.data[i + j * 99] = Number.NaN;
      expect(choleskyInto(zeros(99, 99), A)).toBe(i);
      expect(withoutWasm(() => choleskyInto(zeros(99, 99), A))).toBe(i);
    }
  });

  it.each([
    [48, 1, 1],
    [61, 1, 3],
    [64, 3, 2],
    [83, 2, 1],
    [130, 4, 5],
  ])("give A U'U A' of sparse A: order %i, %i rows, band %i above the diagonal", (m, q, spread) => {
    const next = series(m);
    const U = zeros(m, m);
    for (let j = 0; j < m; j++) for (let i = Math.max(0, j - spread + 1); i < m; i++) U.data[i + j * m] = next();
    const columns = [[], [0], [m - 1], [0, 1, 15, 16, 17, m - 2], Array.from({ length: m }, (_, c) => c), []];
    const start = Int32Array.from([0, 0, 1, 2, 8, 8 + m, 8 + m]);
    const index = Int32Array.from(columns.flat());
    const values = Float64Array.from({ length: q * index.length }, next);
    const F = new Float64Array(columns.length * q * q).fill(7);
    expect(wasmQuadraticFormsInto(F, U.data, m, { size: q, start, index, values }, spread)).toBe(true);
    const expected = columns.flatMap((_, p) => {
      const x = Array.from({ length: q }, (_, k) => {
        const sums = new Float64Array(m);
        for (let t = start[p]!; t < start[p + 1]!; t++)
          for (let i = 0; i < m; i++) sums[i]! += values[t * q + k]! * U.data[i + index[t]! * m]!;
        return sums;
      });
      return x.flatMap((a) => x.map((b) => a.reduce((s, v, i) => s + v * b[i]!, 0)));
    });
    F.forEach((value, e) => {
      expect(Math.abs(value - expected[e]!)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(expected[e]!)));
    });
  });

  it("leave no trace of one problem in the next", () => {
    const large = positiveDefinite(203);
    large.data[50 * 204] = Number.NaN;
    expect(choleskyInto(zeros(203, 203), large)).toBe(50);
    const A = positiveDefinite(61);
    const [L, U] = [zeros(61, 61), zeros(61, 61)];
    expect(choleskyInto(L, A)).toBe(-1);
    withoutWasm(() => choleskyInto(U, A));
    expect(difference(L.data, U.data)).toBeLessThan(TOLERANCE);
    expect(difference(cholInverse(L).data, withoutWasm(() => cholInverse(U)).data)).toBeLessThan(TOLERANCE);
  });
});

describe("Gram matrices", () => {
  it.each([
    [1, 3],
    [127, 1],
    [128, 4],
    [129, 5],
    [1000, 18],
  ])("%i rows of %i columns, plain and weighted", (n, p) => {
    const next = series(n + p);
    const X = zeros(n, p);
    for (let i = 0; i < X.data.length; i++) X.data[i] = next();
    const w = Float64Array.from({ length: n }, next);
    for (const weights of [undefined, w]) {
      const C = zeros(p, p);
      expect(wasmGramInto(C, X, weights)).toBe(true);
      expect(difference(C.data, crossprod(X, X, weights).data)).toBeLessThan(TOLERANCE);
    }
    expect(withoutWasm(() => wasmGramInto(zeros(p, p), X, w))).toBeUndefined();
  });
});
