/** Register-tiled products on raw column-major storage; everything dense in this folder is built on them.
 *
 *  A block is (array, offset, leading dimension): element (i, j) of A is A[a + i + j * lda], so a block may be part of
 *  a larger matrix. "T" marks a factor used transposed. The T·N form reads both factors along their columns, which is
 *  why the factorisations here are arranged as dot products of columns.
 *  Tile 4 × 2: eight sums and six operands fit the sixteen floating-point registers; wider tiles spill (measured).
 *  Limits: no bounds checks, no aliasing between target and factors; sums in natural order. */

/** Rows taken at a time by long products: a slab of some 30 columns then stays in the cache, and partial sums stay short. */
const SLAB = 256;

/** C[m×n] += sign · A'B with A k×m and B k×n. */
export function addTN(
  C: Float64Array,
  c: number,
  ldc: number,
  A: Float64Array,
  a: number,
  lda: number,
  B: Float64Array,
  b: number,
  ldb: number,
  m: number,
  n: number,
  k: number,
  sign: number,
): void {
  for (let r = 0; r < k; r += SLAB) {
    const rows = Math.min(k - r, SLAB);
    for (let j = 0; j < n; j += 2) {
      addStripTN(C, c + j * ldc, ldc, A, a + r, lda, B, b + r + j * ldb, ldb, m, j + 1 < n, rows, sign);
    }
  }
}

/** Upper triangle of C[n×n] += sign · A'A with A k×n; a few entries just below the diagonal are also written. */
export function addGramUpper(
  C: Float64Array,
  c: number,
  ldc: number,
  A: Float64Array,
  a: number,
  lda: number,
  n: number,
  k: number,
  sign: number,
): void {
  for (let r = 0; r < k; r += SLAB) {
    const rows = Math.min(k - r, SLAB);
    for (let j = 0; j < n; j += 2) {
      const m = Math.min(j + 2, n);
      addStripTN(C, c + j * ldc, ldc, A, a + r, lda, A, a + r + j * lda, lda, m, j + 1 < n, rows, sign);
    }
  }
}

/** Two columns of weighted rows, shared by all calls: no call outlives the loop that fills it. */
const weighted = new Float64Array(2 * SLAB);

/** C[m×n] += sign · A' diag(w) B; with `upper`, B is A and only the upper triangle (and a few entries below it) is made. */
export function addWeightedTN(
  C: Float64Array,
  c: number,
  ldc: number,
  A: Float64Array,
  a: number,
  lda: number,
  B: Float64Array,
  b: number,
  ldb: number,
  m: number,
  n: number,
  k: number,
  sign: number,
  w: Float64Array,
  upper: boolean,
): void {
  for (let r = 0; r < k; r += SLAB) {
    const rows = Math.min(k - r, SLAB);
    for (let j = 0; j < n; j += 2) {
      const two = j + 1 < n;
      scaleRows(B, b + r + j * ldb, w, r, rows, 0);
      if (two) scaleRows(B, b + r + (j + 1) * ldb, w, r, rows, SLAB);
      const strip = upper && j + 2 < m ? j + 2 : m;
      addStripTN(C, c + j * ldc, ldc, A, a + r, lda, weighted, 0, SLAB, strip, two, rows, sign);
    }
  }
}

function scaleRows(X: Float64Array, x: number, w: Float64Array, r: number, rows: number, to: number): void {
  for (let t = 0; t < rows; t++) weighted[to + t] = w[r + t]! * X[x + t]!;
}

/** One or two columns of C += sign · A'B. */
function addStripTN(
  C: Float64Array,
  c: number,
  ldc: number,
  A: Float64Array,
  a: number,
  lda: number,
  B: Float64Array,
  b: number,
  ldb: number,
  m: number,
  two: boolean,
  k: number,
  sign: number,
): void {
  let i = 0;
  if (two) {
    for (; i + 4 <= m; i += 4) addTile4x2(C, c + i, ldc, A, a + i * lda, lda, B, b, ldb, k, sign);
    for (; i < m; i++) addTile1x2(C, c + i, ldc, A, a + i * lda, B, b, ldb, k, sign);
  } else {
    for (; i + 4 <= m; i += 4) addTile4x1(C, c + i, A, a + i * lda, lda, B, b, k, sign);
    for (; i < m; i++) C[c + i]! += sign * dotAt(A, a + i * lda, B, b, k);
  }
}

function addTile4x2(
  C: Float64Array,
  c: number,
  ldc: number,
  A: Float64Array,
  a: number,
  lda: number,
  B: Float64Array,
  b: number,
  ldb: number,
  k: number,
  sign: number,
): void {
  const a1 = a + lda;
  const a2 = a1 + lda;
  const a3 = a2 + lda;
  const b1 = b + ldb;
  let s00 = 0;
  let s10 = 0;
  let s20 = 0;
  let s30 = 0;
  let s01 = 0;
  let s11 = 0;
  let s21 = 0;
  let s31 = 0;
  for (let t = 0; t < k; t++) {
    const y0 = B[b + t]!;
    const y1 = B[b1 + t]!;
    const x0 = A[a + t]!;
    const x1 = A[a1 + t]!;
    const x2 = A[a2 + t]!;
    const x3 = A[a3 + t]!;
    s00 += x0 * y0;
    s10 += x1 * y0;
    s20 += x2 * y0;
    s30 += x3 * y0;
    s01 += x0 * y1;
    s11 += x1 * y1;
    s21 += x2 * y1;
    s31 += x3 * y1;
  }
  C[c]! += sign * s00;
  C[c + 1]! += sign * s10;
  C[c + 2]! += sign * s20;
  C[c + 3]! += sign * s30;
  const d = c + ldc;
  C[d]! += sign * s01;
  C[d + 1]! += sign * s11;
  C[d + 2]! += sign * s21;
  C[d + 3]! += sign * s31;
}

function addTile1x2(
  C: Float64Array,
  c: number,
  ldc: number,
  A: Float64Array,
  a: number,
  B: Float64Array,
  b: number,
  ldb: number,
  k: number,
  sign: number,
): void {
  const b1 = b + ldb;
  let s0 = 0;
  let s1 = 0;
  for (let t = 0; t < k; t++) {
    const x = A[a + t]!;
    s0 += x * B[b + t]!;
    s1 += x * B[b1 + t]!;
  }
  C[c]! += sign * s0;
  C[c + ldc]! += sign * s1;
}

function addTile4x1(
  C: Float64Array,
  c: number,
  A: Float64Array,
  a: number,
  lda: number,
  B: Float64Array,
  b: number,
  k: number,
  sign: number,
): void {
  const a1 = a + lda;
  const a2 = a1 + lda;
  const a3 = a2 + lda;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let t = 0; t < k; t++) {
    const y = B[b + t]!;
    s0 += A[a + t]! * y;
    s1 += A[a1 + t]! * y;
    s2 += A[a2 + t]! * y;
    s3 += A[a3 + t]! * y;
  }
  C[c]! += sign * s0;
  C[c + 1]! += sign * s1;
  C[c + 2]! += sign * s2;
  C[c + 3]! += sign * s3;
}

/** x'y over k entries; four running sums hide the latency of the addition. */
export function dotAt(X: Float64Array, x: number, Y: Float64Array, y: number, k: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let t = 0;
  for (; t + 4 <= k; t += 4) {
    s0 += X[x + t]! * Y[y + t]!;
    s1 += X[x + t + 1]! * Y[y + t + 1]!;
    s2 += X[x + t + 2]! * Y[y + t + 2]!;
    s3 += X[x + t + 3]! * Y[y + t + 3]!;
  }
  for (; t < k; t++) s0 += X[x + t]! * Y[y + t]!;
  return s0 + s1 + (s2 + s3);
}

/** C[m×n] += sign · A·B with A m×k and B k×n: four columns of A are spread over two columns of C at a time. */
export function addNN(
  C: Float64Array,
  c: number,
  ldc: number,
  A: Float64Array,
  a: number,
  lda: number,
  B: Float64Array,
  b: number,
  ldb: number,
  m: number,
  n: number,
  k: number,
  sign: number,
): void {
  for (let r = 0; r < m; r += SLAB) {
    const rows = Math.min(m - r, SLAB);
    for (let j = 0; j < n; j += 2) {
      const cj = c + r + j * ldc;
      const bj = b + j * ldb;
      let t = 0;
      if (j + 1 < n) {
        for (; t + 4 <= k; t += 4) spread4x2(C, cj, ldc, A, a + r + t * lda, lda, B, bj + t, ldb, rows, sign);
      }
      for (; t < k; t++) {
        addScaledAt(C, cj, A, a + r + t * lda, rows, sign * B[bj + t]!);
        if (j + 1 < n) addScaledAt(C, cj + ldc, A, a + r + t * lda, rows, sign * B[bj + ldb + t]!);
      }
    }
  }
}

function spread4x2(
  C: Float64Array,
  c: number,
  ldc: number,
  A: Float64Array,
  a: number,
  lda: number,
  B: Float64Array,
  b: number,
  ldb: number,
  m: number,
  sign: number,
): void {
  const a1 = a + lda;
  const a2 = a1 + lda;
  const a3 = a2 + lda;
  const d = c + ldc;
  const e = b + ldb;
  const b00 = sign * B[b]!;
  const b10 = sign * B[b + 1]!;
  const b20 = sign * B[b + 2]!;
  const b30 = sign * B[b + 3]!;
  const b01 = sign * B[e]!;
  const b11 = sign * B[e + 1]!;
  const b21 = sign * B[e + 2]!;
  const b31 = sign * B[e + 3]!;
  for (let i = 0; i < m; i++) {
    const x0 = A[a + i]!;
    const x1 = A[a1 + i]!;
    const x2 = A[a2 + i]!;
    const x3 = A[a3 + i]!;
    C[c + i]! += x0 * b00 + x1 * b10 + (x2 * b20 + x3 * b30);
    C[d + i]! += x0 * b01 + x1 * b11 + (x2 * b21 + x3 * b31);
  }
}

/** y += s · x over k entries. */
export function addScaledAt(Y: Float64Array, y: number, X: Float64Array, x: number, k: number, s: number): void {
  for (let t = 0; t < k; t++) Y[y + t]! += s * X[x + t]!;
}
