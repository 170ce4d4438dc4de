/** The large dense problems in WebAssembly with SIMD (wasm/kernels.ts): the same sums as cholesky.ts, two at a time.
 *
 *  Every function returns undefined where the kernels cannot be had (no WebAssembly or SIMD, compilation forbidden, no memory)
 *  or would not pay; the caller then takes the path in TypeScript. Matrices are copied in and out once per problem, as panels
 *  of four rows, padded with the identity to a multiple of four.
 *  Oracle:    the kernels in TypeScript, to rounding.
 *  Limits:    one problem at a time; orders up to GREATEST_ORDER. */
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
