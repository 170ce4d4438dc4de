/** Small square blocks inside larger arrays: the q × q matrices of the levels of a grouping factor, one after the other.
 *
 *  Entry (i, j) of the block at `at` is data[at + i + j·q]. q is a handful, so plain loops beat the blocked kernels.
 *  Oracle:    dense Cholesky factorisation and products (small.test.ts).
 *  Limits:    factorBlock reads and writes the lower triangle only. */

/** A ← L with LL' = A + shift·I; false where A + shift·I is not positive definite. */
export function factorBlock(A: Float64Array, at: number, q: number, shift = 0): boolean {
  for (let j = 0; j < q; j++) {
    const cj = at + j * q;
    let d = A[cj + j]! + shift;
    for (let k = 0; k < j; k++) d -= A[at + j + k * q]! ** 2;
    if (!(d > 0) || d === Number.POSITIVE_INFINITY) return false;
    const root = Math.sqrt(d);
    A[cj + j] = root;
    for (let i = j + 1; i < q; i++) {
      let s = A[cj + i]!;
      for (let k = 0; k < j; k++) s -= A[at + i + k * q]! * A[at + j + k * q]!;
      A[cj + i] = s / root;
    }
  }
  return true;
}

/** x ← L⁻¹x for the q entries from x[at] and the block L[block …]. */
export function solveBlock(x: Float64Array, at: number, L: Float64Array, block: number, q: number): void {
  for (let j = 0; j < q; j++) {
    let s = x[at + j]!;
    for (let k = 0; k < j; k++) s -= L[block + j + k * q]! * x[at + k]!;
    x[at + j] = s / L[block + j * (q + 1)]!;
  }
}

/** x ← L⁻ᵀx. */
export function solveBlockT(x: Float64Array, at: number, L: Float64Array, block: number, q: number): void {
  for (let j = q - 1; j >= 0; j--) {
    let s = x[at + j]!;
    for (let k = j + 1; k < q; k++) s -= L[block + k + j * q]! * x[at + k]!;
    x[at + j] = s / L[block + j * (q + 1)]!;
  }
}

/** C ← A·B. */
export function multiplyBlock(
  C: Float64Array,
  c: number,
  A: Float64Array,
  a: number,
  B: Float64Array,
  b: number,
  q: number,
): void {
  for (let j = 0; j < q; j++) {
    for (let i = 0; i < q; i++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += A[a + i + k * q]! * B[b + k + j * q]!;
      C[c + i + j * q] = s;
    }
  }
}

/** B ← G'G, B from its first entry on. */
export function gramBlock(B: Float64Array, G: Float64Array, at: number, q: number): void {
  for (let j = 0; j < q; j++) {
    for (let i = 0; i < q; i++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += G[at + k + i * q]! * G[at + k + j * q]!;
      B[i + j * q] = s;
    }
  }
}
