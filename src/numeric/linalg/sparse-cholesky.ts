/** Sparse Cholesky factorisation PAP' = LL', analysed once and refactored for every new set of values.
 *
 *  Left-looking over supernodes: panel s takes its entries of A, the products of every earlier panel that reaches its rows,
 *  and is then finished by dense kernels. Panels hold L transposed, so that these are dot products of contiguous columns.
 *  Reference: Ng & Peyton (1993), SIAM J. Sci. Comput. 14(5); symbolic.ts for the structure.
 *  Oracle:    the dense factorisation of the same matrix; closed-form log-determinants of grids.
 *  Limits:    A symmetric positive definite, given by its lower triangle in the pattern that was analysed. */
import { choleskyUpperAt } from "./cholesky.ts";
import { addTN, dotAt } from "./kernel.ts";
import type { Sparse } from "./sparse.ts";
import type { Symbolic } from "./symbolic.ts";
import { analyze } from "./symbolic.ts";
import { solveUpperAt, solveUpperTAt } from "./triangular.ts";

export interface SparseFactor {
  readonly symbolic: Symbolic;
  /** The panels of L. */
  readonly values: Float64Array;
  readonly scratch: FactorScratch;
}

export interface FactorScratch {
  /** Panels waiting to update supernode s: head[s], then next[d]. */
  readonly head: Int32Array;
  readonly next: Int32Array;
  /** First row of panel d (an index into rows) not yet used for an update. */
  readonly reached: Int32Array;
  /** Place of a row within the current panel. */
  readonly place: Int32Array;
  readonly update: Float64Array;
  readonly x: Float64Array;
}

/** Room for factors with this structure; factorInto fills it. */
export function makeFactor(symbolic: Symbolic): SparseFactor {
  const { n, size, first, largestUpdate } = symbolic;
  const ints = (k: number) => new Int32Array(k);
  const scratch: FactorScratch = {
    head: ints(first.length),
    next: ints(first.length),
    reached: ints(first.length),
    place: ints(n),
    update: new Float64Array(largestUpdate),
    x: new Float64Array(n),
  };
  return { symbolic, values: new Float64Array(size), scratch };
}

/** The factor of A, or undefined when A is not positive definite. */
export function sparseCholesky(A: Sparse): SparseFactor | undefined {
  const F = makeFactor(analyze(A));
  return factorInto(F, A.values) < 0 ? F : undefined;
}

/** Factors A + shift·I, A's values in the analysed pattern. Returns -1, or the row of A at which a pivot is not positive. */
export function factorInto(F: SparseFactor, values: Float64Array, shift = 0): number {
  const S = F.symbolic;
  const L = F.values;
  L.fill(0);
  for (let t = 0; t < values.length; t++) {
    const at = S.target[t]!;
    if (at >= 0) L[at]! += values[t]!;
  }
  F.scratch.head.fill(-1);
  for (let s = 0; s + 1 < S.first.length; s++) {
    const col = S.first[s]!;
    const width = S.first[s + 1]! - col;
    const height = S.rowStart[s + 1]! - S.rowStart[s]!;
    const panel = S.panel[s]!;
    if (shift !== 0) for (let c = 0; c < width; c++) L[panel + c * (width + 1)]! += shift;
    applyUpdates(F, s);
    const bad = width === 1 ? factorColumn(L, panel, height) : factorPanel(L, panel, width, height);
    if (bad >= 0) return S.order[col + bad]!;
    enqueue(F, s, S.rowStart[s]! + width);
  }
  return -1;
}

function factorPanel(L: Float64Array, panel: number, width: number, height: number): number {
  const bad = choleskyUpperAt(L, panel, width, width);
  if (bad < 0) solveUpperTAt(L, panel, width, width, L, panel + width * width, width, height - width);
  return bad;
}

/** A panel of one column, the most common kind by far when one factor has many levels. */
function factorColumn(L: Float64Array, panel: number, height: number): number {
  const d = L[panel]!;
  if (!(d > 0) || d === Number.POSITIVE_INFINITY) return 0;
  const root = Math.sqrt(d);
  L[panel] = root;
  for (let r = 1; r < height; r++) L[panel + r]! /= root;
  return -1;
}

/** Hands panel d to the supernode that owns its row number `at`, if there is one. */
function enqueue(F: SparseFactor, d: number, at: number): void {
  const S = F.symbolic;
  if (at >= S.rowStart[d + 1]!) return;
  const { head, next, reached } = F.scratch;
  const owner = S.nodeOf[S.rows[at]!]!;
  reached[d] = at;
  next[d] = head[owner]!;
  head[owner] = d;
}

/** Panel s minus the contributions of all earlier panels with rows among its columns. */
function applyUpdates(F: SparseFactor, s: number): void {
  const S = F.symbolic;
  const { head, next, reached, place } = F.scratch;
  const from = S.rowStart[s]!;
  const end = S.first[s + 1]!;
  if (head[s]! >= 0) for (let t = from; t < S.rowStart[s + 1]!; t++) place[S.rows[t]!] = t - from;
  for (let d = head[s]!; d >= 0; ) {
    const following = next[d]!;
    const r0 = reached[d]!;
    let r1 = r0;
    while (r1 < S.rowStart[d + 1]! && S.rows[r1]! < end) r1++;
    subtractPanel(F, s, d, r0, r1);
    enqueue(F, d, r1);
    d = following;
  }
}

/** Panel s -= (rows r0 … of d) × (rows r0 … r1-1 of d)'. */
function subtractPanel(F: SparseFactor, s: number, d: number, r0: number, r1: number): void {
  const S = F.symbolic;
  const { place, update } = F.scratch;
  const L = F.values;
  const rows = S.rows;
  const col = S.first[s]!;
  const width = S.first[s + 1]! - col;
  const panel = S.panel[s]!;
  const w = S.first[d + 1]! - S.first[d]!;
  const r2 = S.rowStart[d + 1]!;
  const source = S.panel[d]! + (r0 - S.rowStart[d]!) * w;
  const m = r1 - r0;
  if (w === 1) {
    for (let i = 0; i < r2 - r0; i++) {
      const v = L[source + i]!;
      const to = panel + place[rows[r0 + i]!]! * width - col;
      const last = i < m ? i + 1 : m;
      for (let j = 0; j < last; j++) L[to + rows[r0 + j]!]! -= v * L[source + j]!;
    }
    return;
  }
  update.fill(0, 0, m * (r2 - r0));
  addTN(update, 0, m, L, source, w, L, source, w, m, r2 - r0, w, 1);
  for (let i = 0; i < r2 - r0; i++) {
    const to = panel + place[rows[r0 + i]!]! * width - col;
    const last = i < m ? i + 1 : m;
    for (let j = 0; j < last; j++) L[to + rows[r0 + j]!]! -= update[i * m + j]!;
  }
}

/** log det A. */
export function sparseLogDet(F: SparseFactor): number {
  const S = F.symbolic;
  let sum = 0;
  for (let s = 0; s + 1 < S.first.length; s++) {
    const width = S.first[s + 1]! - S.first[s]!;
    for (let c = 0; c < width; c++) sum += Math.log(F.values[S.panel[s]! + c * (width + 1)]!);
  }
  return 2 * sum;
}

/** x ← A⁻¹x. */
export function sparseSolveInto(x: Float64Array, F: SparseFactor): void {
  const { n, order } = F.symbolic;
  const y = F.scratch.x;
  for (let k = 0; k < n; k++) y[k] = x[order[k]!]!;
  forward(F, y);
  backward(F, y);
  for (let k = 0; k < n; k++) x[order[k]!] = y[k]!;
}

/** x ← L⁻¹Px, so that x'x becomes b'A⁻¹b; the result is in the factor's order. */
export function sparseSolveLInto(x: Float64Array, F: SparseFactor): void {
  const { n, order } = F.symbolic;
  const y = F.scratch.x;
  for (let k = 0; k < n; k++) y[k] = x[order[k]!]!;
  forward(F, y);
  x.set(y);
}

/** x ← P'L⁻ᵀx, from the factor's order back to A's: standard normal x becomes a draw with covariance A⁻¹. */
export function sparseSolveLtInto(x: Float64Array, F: SparseFactor): void {
  const { n, order } = F.symbolic;
  const y = F.scratch.x;
  y.set(x.subarray(0, n));
  backward(F, y);
  for (let k = 0; k < n; k++) x[order[k]!] = y[k]!;
}

function forward(F: SparseFactor, y: Float64Array): void {
  const S = F.symbolic;
  const L = F.values;
  for (let s = 0; s + 1 < S.first.length; s++) {
    const col = S.first[s]!;
    const width = S.first[s + 1]! - col;
    const panel = S.panel[s]!;
    const from = S.rowStart[s]!;
    const height = S.rowStart[s + 1]! - from;
    solveUpperTAt(L, panel, width, width, y, col, width, 1);
    for (let r = width; r < height; r++) y[S.rows[from + r]!]! -= dotAt(L, panel + r * width, y, col, width);
  }
}

function backward(F: SparseFactor, y: Float64Array): void {
  const S = F.symbolic;
  const L = F.values;
  for (let s = S.first.length - 2; s >= 0; s--) {
    const col = S.first[s]!;
    const width = S.first[s + 1]! - col;
    const panel = S.panel[s]!;
    const from = S.rowStart[s]!;
    const height = S.rowStart[s + 1]! - from;
    for (let r = width; r < height; r++) {
      const v = y[S.rows[from + r]!]!;
      for (let c = 0; c < width; c++) y[col + c]! -= v * L[panel + r * width + c]!;
    }
    solveUpperAt(L, panel, width, width, y, col, width, 1);
  }
}
