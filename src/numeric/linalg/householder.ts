/** Householder reflectors H = I - tau·vv', v = (0, …, 0, 1, tail), one by one and in panels I - V·T·V'.
 *
 *  The tail of reflector j lies below the diagonal in column j of the factored matrix, its leading 1 is not stored.
 *  A panel of a few reflectors is applied to many columns by two tiled products, so that a tall matrix is read once
 *  per panel and not once per reflector.
 *  Reference: Golub & Van Loan (2013) §5.1-5.2; Schreiber & Van Loan (1989), compact WY form. */
import { addNN, addScaledAt, addTN, dotAt } from "./kernel.ts";
import { normAt } from "./matrix.ts";

/** Reflectors per panel; also the order of T. */
export const PANEL = 8;
/** Columns to which a panel is applied at a time. */
const STRIP = 32;

/** Shared scratch: no call outlives the loop that fills it. */
const T = new Float64Array(PANEL * PANEL);
const W = new Float64Array(PANEL * STRIP);

/** Turns A[a … a+len) into (beta, tail of v) and returns tau; Hx = beta·e₁ with beta of the sign opposite to x₁. */
export function makeReflectorAt(A: Float64Array, a: number, len: number): number {
  const norm = normAt(A, a, len);
  if (norm === 0) return 0;
  const x = A[a]!;
  const beta = x >= 0 ? -norm : norm;
  const head = x - beta;
  for (let i = 1; i < len; i++) A[a + i]! /= head;
  A[a] = beta;
  return -head / beta;
}

/** y ← Hy on len entries from y, with v's tail at A[a+1 …]. */
export function reflectAt(Y: Float64Array, y: number, A: Float64Array, a: number, len: number, tau: number): void {
  const s = tau * (Y[y]! + dotAt(A, a + 1, Y, y + 1, len - 1));
  Y[y]! -= s;
  addScaledAt(Y, y + 1, A, a + 1, len - 1, -s);
}

/** Applies reflectors from … from+k-1 (k ≤ PANEL) to columns of C: the product H_from · H_from+1 · … when `transposed`
 *  is false, its transpose (Q') when true. Reflector j has its 1 in row j and its tail below A[a + j + j·lda]; n rows. */
export function applyPanelAt(
  A: Float64Array,
  a: number,
  lda: number,
  n: number,
  tau: Float64Array,
  from: number,
  k: number,
  C: Float64Array,
  c: number,
  ldc: number,
  cols: number,
  transposed: boolean,
): void {
  formT(A, a, lda, n, tau, from, k);
  const V = a + from + from * lda; // unit lower triangle of order k, then `rest` full rows
  const rest = n - from - k;
  for (let s = 0; s < cols; s += STRIP) {
    const w = Math.min(STRIP, cols - s);
    const top = c + s * ldc + from;
    for (let j = 0; j < w; j++) {
      for (let i = 0; i < k; i++) {
        let v = C[top + i + j * ldc]!;
        for (let r = i + 1; r < k; r++) v += A[V + r + i * lda]! * C[top + r + j * ldc]!;
        W[i + j * PANEL] = v;
      }
    }
    addTN(W, 0, PANEL, A, V + k, lda, C, top + k, ldc, k, w, rest, 1);
    for (let j = 0; j < w; j++) multiplyT(j * PANEL, k, transposed);
    addNN(C, top + k, ldc, A, V + k, lda, W, 0, PANEL, rest, w, k, -1);
    for (let j = 0; j < w; j++) {
      for (let i = k - 1; i >= 0; i--) {
        let v = W[i + j * PANEL]!;
        for (let r = 0; r < i; r++) v += A[V + i + r * lda]! * W[r + j * PANEL]!;
        C[top + i + j * ldc]! -= v;
      }
    }
  }
}

/** T of the compact form, upper triangular: column j is -tau_j · T · V'v_j above tau_j. */
function formT(A: Float64Array, a: number, lda: number, n: number, tau: Float64Array, from: number, k: number): void {
  for (let j = 0; j < k; j++) {
    const row = from + j;
    const tail = a + row * lda + row + 1;
    for (let i = 0; i < j; i++) {
      const vi = a + (from + i) * lda + row;
      T[i + j * PANEL] = -tau[row]! * (A[vi]! + dotAt(A, vi + 1, A, tail, n - row - 1));
    }
    for (let i = 0; i < j; i++) {
      let v = 0;
      for (let r = i; r < j; r++) v += T[i + r * PANEL]! * T[r + j * PANEL]!;
      T[i + j * PANEL] = v;
    }
    T[j + j * PANEL] = tau[row]!;
  }
}

/** One column of W ← T·W, or T'·W. */
function multiplyT(w: number, k: number, transposed: boolean): void {
  if (transposed) {
    for (let i = k - 1; i >= 0; i--) {
      let v = 0;
      for (let r = 0; r <= i; r++) v += T[r + i * PANEL]! * W[w + r]!;
      W[w + i] = v;
    }
  } else {
    for (let i = 0; i < k; i++) {
      let v = 0;
      for (let r = i; r < k; r++) v += T[i + r * PANEL]! * W[w + r]!;
      W[w + i] = v;
    }
  }
}
