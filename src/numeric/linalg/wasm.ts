/** The large dense problems in WebAssembly with SIMD (wasm/kernels.ts): the same sums as cholesky.ts, two at a time.
 *
 *  Every function returns undefined where the kernels cannot be had (no WebAssembly or SIMD, compilation forbidden, no memory)
 *  or would not pay; the caller then takes the path in TypeScript. Matrices are copied in and out once per problem, as panels
 *  of four rows, padded with the identity to a multiple of four.
 *  Oracle:    the kernels in TypeScript, to rounding.
 *  Limits:    one problem at a time; orders up to GREATEST_ORDER. */
import type { Matrix } from "./matrix.ts";
import { WASM_KERNELS } from "./wasm-bytes.ts";

interface Kernels {
  readonly memory: WebAssembly.Memory;
  factor(P: number, n: number): number;
  invert(W: number, L: number, n: number): void;
  negativeGram(X: number, W: number, n: number): void;
  quadraticForms(
    F: number,
    U: number,
    rows: number,
    start: number,
    index: number,
    A: number,
    m: number,
    patterns: number,
    q: number,
    spread: number,
  ): void;
  subtractProduct(C: number, X: number, Y: number, m: number, n: number, k: number): void;
  addQuadruples(C: number, m: number, x: number, i: number, y: number, j: number, w: number, count: number): void;
  addQuadrupleForms(
    o: number,
    C: number,
    m: number,
    x: number,
    i: number,
    y: number,
    j: number,
    s: number,
    count: number,
  ): void;
  addGramUpper(C: number, X: number, Y: number, rows: number, p: number): void;
  multiplyEntries(y: number, x: number, w: number, n: number): void;
}

/** Rows with four neighbouring values each: values[4t …] stand at first[t] … first[t] + 3 of `size` places. */
export interface QuadrupleRows {
  readonly size: number;
  readonly first: Int32Array;
  readonly values: Float64Array;
}

/** C = Σ_t w_t x_t y_t', size of x × size of y by columns, for two of the given rows. */
export interface QuadrupleProduct {
  readonly C: Float64Array;
  readonly x: number;
  readonly y: number;
}

/** Sparse q × m matrices A_p: the entries start[p] … start[p+1] stand in the ascending columns index[t], their q values from
 *  values[q·t]. */
export interface SparseRows {
  readonly size: number;
  readonly start: Int32Array;
  readonly index: Int32Array;
  readonly values: Float64Array;
}

/** From this order on the copying pays. */
const LEAST_ORDER = 48;
/** Two matrices of this order are 3.2 GB, within the 4 GB that a memory of 32-bit addresses holds. */
const GREATEST_ORDER = 14000;
/** A product of so many terms takes longer than its copying. */
const LEAST_TERMS = 2 ** 15;
/** Rows of four values copied at a time. */
const ROWS_AT_ONCE = 4096;
/** A memory cannot shrink; one larger than this (1400² twice) is left to the garbage collector after use. */
const KEPT_BYTES = 2 ** 25;
const PAGE_BYTES = 65536;
/** Columns copied at a time, so that cache lines cut by a panel's edge are still there for the next panel. */
const COPY = 32;
/** As in wasm/kernels.ts. */
const ROWS = 16;

let compiled: WebAssembly.Module | undefined;
let kernels: Kernels | undefined;
let available = true;

/** Turns the kernels off or on again, to compare the two paths. Returns whether they were on. */
export function allowWasm(on: boolean): boolean {
  const before = available;
  available = on;
  return before;
}

/** L with LL' = A for the lower triangle of A, zeros above; L may be A. Returns -1, the first bad pivot, or undefined. */
export function wasmCholeskyInto(L: Float64Array, A: Float64Array, n: number): number | undefined {
  const order = paddedOrder(n);
  const data = reserve(n, order * order);
  if (data === undefined) return undefined;
  copyLowerIn(data, A, n, order);
  const bad = kernels!.factor(0, order);
  if (bad < 0) copyLowerOut(L, data, n, order);
  release();
  return bad;
}

/** U = L⁻¹ with zeros above the diagonal; U may be L. Returns true, or undefined. */
export function wasmInvertLowerInto(U: Float64Array, L: Float64Array, n: number): true | undefined {
  const order = paddedOrder(n);
  const size = order * order;
  const data = reserve(n, 2 * size);
  if (data === undefined) return undefined;
  copyLowerIn(data, L, n, order);
  kernels!.invert(8 * size, 0, order);
  copyTransposeOut(U, data, size, n, order);
  release();
  return true;
}

/** X = (LL')⁻¹, both triangles; X may be L. Returns true, or undefined. */
export function wasmCholInverseInto(X: Float64Array, L: Float64Array, n: number): true | undefined {
  const order = paddedOrder(n);
  const size = order * order;
  const data = reserve(n, 2 * size);
  if (data === undefined) return undefined;
  copyLowerIn(data, L, n, order);
  kernels!.invert(8 * size, 0, order);
  kernels!.negativeGram(0, 8 * size, order);
  copyNegativeOut(X, data, n, order);
  release();
  return true;
}

/** U with U'U = A for the upper triangle of A, n × n from position u on, in its place. Returns -1, the first bad pivot, or undefined. */
export function wasmCholeskyUpperAt(U: Float64Array, u: number, ld: number, n: number): number | undefined {
  const order = paddedOrder(n);
  const data = reserve(n, order * order);
  if (data === undefined) return undefined;
  copyUpperIn(data, U, { u, ld, n }, order);
  const bad = kernels!.factor(0, order);
  for (let j = 0; bad < 0 && j < n; j++) {
    const from = (j & ~3) * order + (j & 3);
    for (let i = 0; i <= j; i++) U[u + i + j * ld] = data[from + 4 * i]!;
  }
  release();
  return bad;
}

/** X += (U'U)⁻¹, both triangles, n × n from position `at` on. Returns true, or undefined. */
export function wasmAddInverseUpperAt(
  X: Float64Array,
  at: number,
  U: Float64Array,
  { u, ld, n }: UpperTriangle,
): true | undefined {
  const order = paddedOrder(n);
  const size = order * order;
  const data = reserve(n, 2 * size);
  if (data === undefined) return undefined;
  copyUpperIn(data, U, { u, ld, n }, order);
  kernels!.invert(8 * size, 0, order);
  kernels!.negativeGram(0, 8 * size, order);
  for (let j = 0; j < n; j++) {
    const from = (j & ~3) * order + (j & 3);
    for (let i = 0; i < j; i++) X[at + j + i * ld]! -= data[from + 4 * i]!;
    for (let i = 0; i <= j; i++) X[at + i + j * ld]! -= data[from + 4 * i]!;
  }
  release();
  return true;
}

/** Order n, from position u on, columns ld apart. */
export interface UpperTriangle {
  readonly u: number;
  readonly ld: number;
  readonly n: number;
}

/** F_p = A_p U'U A_p', q × q one after the other, for U of order m that is zero from `spread` ≥ 1 columns right of its
 *  diagonal on. Returns true, or undefined. */
export function wasmQuadraticFormsInto(
  F: Float64Array,
  U: Float64Array,
  m: number,
  { size: q, start, index, values }: SparseRows,
  spread: number,
): true | undefined {
  const patterns = start.length - 1;
  const length = patterns * q * q;
  const A = length + m * m;
  const rows = A + values.length;
  const integers = rows + ROWS * (m + q);
  const data = reserve(m, integers + Math.ceil((start.length + index.length) / 2));
  if (data === undefined) return undefined;
  data.set(U, length);
  data.set(values, A);
  const whole = new Int32Array(data.buffer);
  whole.set(start, 2 * integers);
  whole.set(index, 2 * integers + start.length);
  const at = 8 * integers;
  kernels!.quadraticForms(0, 8 * length, 8 * rows, at, at + 4 * start.length, 8 * A, m, patterns, q, spread);
  F.set(data.subarray(0, length));
  release();
  return true;
}

/** C = A·B, or A'·B with `transposed`. Returns true, or undefined. */
export function wasmMultiplyInto(C: Matrix, A: Matrix, B: Matrix, transposed = false): true | undefined {
  const { rows: m, cols: n } = C;
  const k = B.rows;
  if (m * n * k < LEAST_TERMS) return undefined;
  const [mm, nn, kk] = [paddedOrder(m), paddedOrder(n), paddedOrder(k)];
  const y = mm * nn + mm * kk;
  const data = reserve(LEAST_ORDER, y + nn * kk);
  if (data === undefined) return undefined;
  data.fill(0, 0, mm * nn);
  if (transposed) copyColumnsIn(data, mm * nn, A, kk);
  else copyRowsIn(data, mm * nn, A, kk);
  copyColumnsIn(data, y, B, kk);
  kernels!.subtractProduct(0, 8 * mm * nn, 8 * y, mm, nn, kk);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < m; i++) C.data[i + j * m] = -data[(i & ~3) * nn + 4 * j + (i & 3)]!;
  }
  release();
  return true;
}

/** Sums over the rows for all products together. Returns true, or undefined. */
export function wasmQuadrupleProductsInto(
  products: readonly QuadrupleProduct[],
  rows: readonly QuadrupleRows[],
  w: Float64Array | undefined,
): true | undefined {
  const frame = reserveQuadruples(products, rows);
  if (frame === undefined) return undefined;
  const { data, length } = frame;
  data.fill(0, 0, length);
  data.fill(1, length, length + ROWS_AT_ONCE);
  overQuadruples(frame, rows, (from, to) => {
    if (w !== undefined) data.set(w.subarray(from, to), length);
    let at = 0;
    for (const { C, x, y } of products) {
      const [vx, ix, vy, iy] = [frame.value(x), frame.place(x), frame.value(y), frame.place(y)];
      kernels!.addQuadruples(8 * at, rows[x]!.size, vx, ix, vy, iy, 8 * length, to - from);
      at += C.length;
    }
  });
  let at = 0;
  for (const { C } of products) C.set(data.subarray(at, (at += C.length)));
  release();
  return true;
}

/** out_t += Σ s·x_t'Cy_t over all forms. Returns true, or undefined. */
export function wasmQuadrupleFormsInto(
  out: Float64Array,
  forms: readonly (QuadrupleProduct & { readonly s: number })[],
  rows: readonly QuadrupleRows[],
): true | undefined {
  const frame = reserveQuadruples(forms, rows);
  if (frame === undefined) return undefined;
  const { data, length } = frame;
  let end = 0;
  for (const { C } of forms) {
    data.set(C, end);
    end += C.length;
  }
  overQuadruples(frame, rows, (from, to) => {
    data.set(out.subarray(from, to), length);
    let at = 0;
    for (const { C, x, y, s } of forms) {
      const [vx, ix, vy, iy] = [frame.value(x), frame.place(x), frame.value(y), frame.place(y)];
      kernels!.addQuadrupleForms(8 * length, 8 * at, rows[x]!.size, vx, ix, vy, iy, s, to - from);
      at += C.length;
    }
    out.set(data.subarray(length, length + to - from), from);
  });
  release();
  return true;
}

/** Rows that a Gram matrix takes at a time: some 20 columns, and the same weighted, stay in the second-level cache. */
const GRAM_ROWS = 128;

/** C = X'X, or X'WX with weights `w`, whose triangles are equal. Returns true, or undefined. */
export function wasmGramInto(C: Matrix, X: Matrix, w: Float64Array | undefined): true | undefined {
  const { rows: n, cols: p } = X;
  const order = paddedOrder(p);
  const x = order * order;
  const y = w === undefined ? x : x + GRAM_ROWS * order;
  const weights = y + GRAM_ROWS * order;
  const data = reserve(LEAST_ORDER, weights + GRAM_ROWS);
  if (data === undefined) return undefined;
  data.fill(0, 0, weights + GRAM_ROWS);
  for (let from = 0; from < n; from += GRAM_ROWS) {
    const to = Math.min(from + GRAM_ROWS, n);
    if (to - from < GRAM_ROWS) data.fill(0, x, weights + GRAM_ROWS);
    for (let j = 0; j < p; j++) data.set(X.data.subarray(from + j * n, to + j * n), x + GRAM_ROWS * j);
    if (w !== undefined) {
      data.set(w.subarray(from, to), weights);
      for (let j = 0; j < p; j++)
        kernels!.multiplyEntries(8 * (y + GRAM_ROWS * j), 8 * (x + GRAM_ROWS * j), 8 * weights, GRAM_ROWS);
    }
    kernels!.addGramUpper(0, 8 * x, 8 * y, GRAM_ROWS, order);
  }
  for (let j = 0; j < p; j++) for (let i = 0; i <= j; i++) C.data[i + j * p] = C.data[j + i * p] = data[i + j * order]!;
  release();
  return true;
}

/** The matrices C, one number for each row of a window, the values of every rows' window, and their places. */
interface QuadrupleFrame {
  readonly data: Float64Array;
  /** Numbers in all matrices. */
  readonly length: number;
  /** Addresses. */
  value(r: number): number;
  place(r: number): number;
}

function reserveQuadruples(
  products: readonly QuadrupleProduct[],
  rows: readonly QuadrupleRows[],
): QuadrupleFrame | undefined {
  const length = products.reduce((sum, { C }) => sum + C.length, 0);
  const values = length + ROWS_AT_ONCE;
  const places = values + 4 * ROWS_AT_ONCE * rows.length;
  const data = reserve(LEAST_ORDER, places + (ROWS_AT_ONCE * rows.length) / 2);
  if (data === undefined) return undefined;
  return {
    data,
    length,
    value: (r) => 8 * (values + 4 * ROWS_AT_ONCE * r),
    place: (r) => 8 * places + 4 * ROWS_AT_ONCE * r,
  };
}

/** Copies the rows window by window and visits each. */
function overQuadruples(
  { data, value, place }: QuadrupleFrame,
  rows: readonly QuadrupleRows[],
  visit: (from: number, to: number) => void,
): void {
  const whole = new Int32Array(data.buffer);
  const n = rows[0]?.first.length ?? 0;
  for (let from = 0; from < n; from += ROWS_AT_ONCE) {
    const to = Math.min(from + ROWS_AT_ONCE, n);
    rows.forEach((part, r) => {
      data.set(part.values.subarray(4 * from, 4 * to), value(r) / 8);
      whole.set(part.first.subarray(from, to), place(r) / 4);
    });
    visit(from, to);
  }
}

function paddedOrder(n: number): number {
  return (n + 3) & ~3;
}

/** The kernels' memory with room for so many numbers. */
function reserve(n: number, numbers: number): Float64Array | undefined {
  if (!available || n < LEAST_ORDER || n > GREATEST_ORDER) return undefined;
  try {
    kernels ??= instantiate();
    const missing = 8 * numbers - kernels.memory.buffer.byteLength;
    if (missing > 0) kernels.memory.grow(Math.ceil(missing / PAGE_BYTES));
    return new Float64Array(kernels.memory.buffer);
  } catch {
    // a failed compilation would fail again, a memory that was too small for one problem serves the next
    if (kernels === undefined) available = false;
    return undefined;
  }
}

function instantiate(): Kernels {
  compiled ??= new WebAssembly.Module(Uint8Array.from(atob(WASM_KERNELS), (c) => c.charCodeAt(0)));
  return new WebAssembly.Instance(compiled).exports as unknown as Kernels;
}

function release(): void {
  if (kernels!.memory.buffer.byteLength > KEPT_BYTES) kernels = undefined;
}

/** A, m × k, into panels of kk columns from `to` on; what lies beyond A is zero. */
function copyRowsIn(P: Float64Array, to: number, { rows: m, cols: k, data }: Matrix, kk: number): void {
  P.fill(0, to, to + paddedOrder(m) * kk);
  for (let s = 0; s < k; s += COPY) {
    const e = Math.min(s + COPY, k);
    for (let i = 0; i < m; i += 4) {
      const height = Math.min(4, m - i);
      for (let j = s; j < e; j++) {
        const at = to + i * kk + 4 * j;
        for (let r = 0; r < height; r++) P[at + r] = data[i + r + j * m]!;
      }
    }
  }
}

/** B' of B, k × n, in the same way: a panel holds four columns of B. */
function copyColumnsIn(P: Float64Array, to: number, { rows: k, cols: n, data }: Matrix, kk: number): void {
  P.fill(0, to, to + paddedOrder(n) * kk);
  for (let j = 0; j < n; j++) {
    const at = to + (j & ~3) * kk + (j & 3);
    for (let t = 0; t < k; t++) P[at + 4 * t] = data[t + j * k]!;
  }
}

/** Lower triangle of A into panels; what stands above the diagonal there is never read. */
function copyLowerIn(P: Float64Array, A: Float64Array, n: number, order: number): void {
  const whole = n & ~3;
  for (let s = 0; s < n; s += COPY) {
    const e = Math.min(s + COPY, n);
    for (let i = s; i < whole; i += 4) {
      const end = Math.min(e, i + 4);
      let to = i * order + 4 * s;
      for (let j = s, from = i + s * n; j < end; j++, from += n, to += 4) {
        P[to] = A[from]!;
        P[to + 1] = A[from + 1]!;
        P[to + 2] = A[from + 2]!;
        P[to + 3] = A[from + 3]!;
      }
    }
  }
  if (whole === n) return;
  P.fill(0, whole * order, order * order);
  for (let i = whole; i < order; i++) {
    const row = whole * order + (i - whole);
    if (i >= n) P[row + 4 * i] = 1;
    else for (let j = 0; j <= i; j++) P[row + 4 * j] = A[i + j * n]!;
  }
}

/** The same of a symmetric matrix of which the upper triangle is given. */
function copyUpperIn(P: Float64Array, U: Float64Array, { u, ld, n }: UpperTriangle, order: number): void {
  for (let i = 0; i < n; i++) {
    const to = (i & ~3) * order + (i & 3);
    for (let j = 0; j <= i; j++) P[to + 4 * j] = U[u + j + i * ld]!;
  }
  for (let i = n; i < order; i++) {
    const to = (i & ~3) * order + (i & 3);
    for (let j = 0; j < i; j++) P[to + 4 * j] = 0;
    P[to + 4 * i] = 1;
  }
}

function copyLowerOut(L: Float64Array, P: Float64Array, n: number, order: number): void {
  for (let s = 0; s < n; s += COPY) {
    const e = Math.min(s + COPY, n);
    for (let j = s; j < e; j++) L.fill(0, j * n, j * n + j);
    for (let i = s; i < n; i += 4) {
      const end = Math.min(e, i + 4);
      const rows = Math.min(i + 4, n);
      for (let j = s; j < end; j++) {
        const from = i * order + 4 * j - i;
        for (let r = Math.max(i, j); r < rows; r++) L[r + j * n] = P[from + r]!;
      }
    }
  }
}

/** U = W' for the upper triangular panels W from position w. */
function copyTransposeOut(U: Float64Array, W: Float64Array, w: number, n: number, order: number): void {
  for (let j = 0; j < n; j++) {
    const from = w + (j & ~3) * order + (j & 3);
    U.fill(0, j * n, j * n + j);
    for (let i = j; i < n; i++) U[i + j * n] = W[from + 4 * i]!;
  }
}

/** X = -P, whose lower triangle is given. */
function copyNegativeOut(X: Float64Array, P: Float64Array, n: number, order: number): void {
  for (let s = 0; s < n; s += COPY) {
    const e = Math.min(s + COPY, n);
    for (let i = s; i < n; i++) {
      const row = (i & ~3) * order + (i & 3);
      const end = Math.min(e, i + 1);
      for (let j = s; j < end; j++) X[i + j * n] = X[j + i * n] = -P[row + 4 * j]!;
    }
  }
}
