/** The few dense kernels the optimisers need, over row-major n × n Float64Arrays (all matrices here are symmetric). */

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

export function norm(a: Float64Array): number {
  return Math.sqrt(dot(a, a));
}

/** out = A v */
export function multiplyInto(out: Float64Array, A: Float64Array, v: Float64Array): void {
  const n = v.length;
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += A[i * n + j]! * v[j]!;
    out[i] = sum;
  }
}

/** Inverse of a general n × n matrix in place by Gauss-Jordan with partial pivoting; false when singular.
 *  `pivots` is scratch of length n. */
export function invertInto(A: Float64Array, n: number, pivots: Int32Array): boolean {
  for (let c = 0; c < n; c++) {
    let p = c;
    for (let i = c + 1; i < n; i++) if (Math.abs(A[i * n + c]!) > Math.abs(A[p * n + c]!)) p = i;
    pivots[c] = p;
    const pivot = A[p * n + c]!;
    if (!(Math.abs(pivot) > 0) || !Number.isFinite(pivot)) return false;
    if (p !== c) swapRows(A, n, p, c);
    A[c * n + c] = 1;
    const scale = 1 / pivot;
    for (let j = 0; j < n; j++) A[c * n + j]! *= scale;
    for (let i = 0; i < n; i++) {
      if (i === c) continue;
      const factor = A[i * n + c]!;
      if (factor === 0) continue;
      A[i * n + c] = 0;
      for (let j = 0; j < n; j++) A[i * n + j]! -= factor * A[c * n + j]!;
    }
  }
  // Row exchanges of A are column exchanges of its inverse, undone in reverse order.
  for (let c = n - 1; c >= 0; c--) {
    const p = pivots[c]!;
    if (p === c) continue;
    for (let i = 0; i < n; i++) {
      const t = A[i * n + p]!;
      A[i * n + p] = A[i * n + c]!;
      A[i * n + c] = t;
    }
  }
  return true;
}

function swapRows(A: Float64Array, n: number, p: number, q: number): void {
  for (let j = 0; j < n; j++) {
    const t = A[p * n + j]!;
    A[p * n + j] = A[q * n + j]!;
    A[q * n + j] = t;
  }
}
