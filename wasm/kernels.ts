/** Dense kernels in AssemblyScript with 128-bit SIMD; scripts/make-wasm.mjs compiles them into src/numeric/linalg/wasm-bytes.ts.
 *
 *  A matrix of order n (a multiple of 4; the caller pads with the identity) is held in panels of four rows: entry (i, j) is
 *  number 4·n·⌊i/4⌋ + 4j + i mod 4. A tile of 4 × 4 entries is then sixteen numbers in a row, and the product X·Y' of two
 *  panels, the only long loop here, reads both from front to back. Columns are finished BLOCK at a time; sums are taken
 *  DEPTH terms at a time, so that the block's panels stay in the second-level cache.
 *  Reference: Golub & Van Loan (2013), Matrix Computations, 4th ed., §4.2; Goto & van de Geijn (2008), ACM TOMS 34(3). */

const BLOCK: i32 = 64;
const DEPTH: i32 = 256;

/** Address of entry (i, j), i and j multiples of 4. */
@inline
function at(P: usize, n: i32, i: i32, j: i32): usize {
  return P + (((i * n + 4 * j) as usize) << 3);
}

/** a + x·y, both roundings done. */
@inline
function addProduct(a: v128, x: v128, y: v128): v128 {
  return f64x2.add(a, f64x2.mul(x, y));
}

/** C ← C - X·Y' with X and Y of 4 × k. One term a turn: engines unroll such a loop themselves, and better. */
function subtractTile(C: usize, X: usize, Y: usize, k: i32): void {
  let c00 = f64x2.splat(0);
  let c10 = c00;
  let c01 = c00;
  let c11 = c00;
  let c02 = c00;
  let c12 = c00;
  let c03 = c00;
  let c13 = c00;
  const end = X + ((k as usize) << 5);
  while (X < end) {
    const x0 = v128.load(X);
    const x1 = v128.load(X, 16);
    let y = v128.load64_splat(Y);
    c00 = addProduct(c00, x0, y);
    c10 = addProduct(c10, x1, y);
    y = v128.load64_splat(Y, 8);
    c01 = addProduct(c01, x0, y);
    c11 = addProduct(c11, x1, y);
    y = v128.load64_splat(Y, 16);
    c02 = addProduct(c02, x0, y);
    c12 = addProduct(c12, x1, y);
    y = v128.load64_splat(Y, 24);
    c03 = addProduct(c03, x0, y);
    c13 = addProduct(c13, x1, y);
    X += 32;
    Y += 32;
  }
  v128.store(C, f64x2.sub(v128.load(C), c00));
  v128.store(C, f64x2.sub(v128.load(C, 16), c10), 16);
  v128.store(C, f64x2.sub(v128.load(C, 32), c01), 32);
  v128.store(C, f64x2.sub(v128.load(C, 48), c11), 48);
  v128.store(C, f64x2.sub(v128.load(C, 64), c02), 64);
  v128.store(C, f64x2.sub(v128.load(C, 80), c12), 80);
  v128.store(C, f64x2.sub(v128.load(C, 96), c03), 96);
  v128.store(C, f64x2.sub(v128.load(C, 112), c13), 112);
}

/** C ← C·L⁻ᵀ with L the lower triangle of a tile. */
function solveTile(C: usize, L: usize): void {
  for (let c: usize = 0; c < 4; c++) {
    const target = C + (c << 5);
    let x0 = v128.load(target);
    let x1 = v128.load(target, 16);
    for (let b: usize = 0; b < c; b++) {
      const l = v128.load64_splat(L + (b << 5) + (c << 3));
      x0 = f64x2.sub(x0, f64x2.mul(v128.load(C + (b << 5)), l));
      x1 = f64x2.sub(x1, f64x2.mul(v128.load(C + (b << 5), 16), l));
    }
    const d = v128.load64_splat(L + c * 40);
    v128.store(target, f64x2.div(x0, d));
    v128.store(target, f64x2.div(x1, d), 16);
  }
}

/** Lower triangle of a tile into its Cholesky factor; -1, or the first pivot that is not positive and finite. */
function factorTile(C: usize): i32 {
  for (let j: usize = 0; j < 4; j++) {
    const column = C + (j << 5);
    for (let b: usize = 0; b < j; b++) {
      const other = C + (b << 5);
      const l = load<f64>(other + (j << 3));
      for (let i = j; i < 4; i++) {
        const p = column + (i << 3);
        store<f64>(p, load<f64>(p) - l * load<f64>(other + (i << 3)));
      }
    }
    const pivot = load<f64>(column + (j << 3));
    if (!(pivot > 0) || pivot == Infinity) return j as i32;
    const root = Math.sqrt(pivot);
    store<f64>(column + (j << 3), root);
    for (let i = j + 1; i < 4; i++) {
      const p = column + (i << 3);
      store<f64>(p, load<f64>(p) / root);
    }
  }
  return -1;
}

/** Tiles (i, j … e) of C ← C - X·Y' over the terms from … to. */
function subtractRow(C: usize, X: usize, Y: usize, n: i32, i: i32, j: i32, e: i32, from: i32, to: i32): void {
  const x = at(X, n, i, from);
  for (; j < e; j += 4) subtractTile(at(C, n, i, j), x, at(Y, n, j, from), to - from);
}

/** L with LL' = A in place on the lower triangle; -1, or the first pivot that is not positive and finite. */
export function factor(P: usize, n: i32): i32 {
  for (let s = 0; s < n; s += BLOCK) {
    const e = min(s + BLOCK, n);
    for (let from = 0; from < s; from += DEPTH) {
      const to = min(from + DEPTH, s);
      for (let i = s; i < n; i += 4) subtractRow(P, P, P, n, i, s, min(e, i + 4), from, to);
    }
    for (let i = s; i < n; i += 4) {
      const bad = finishRow(P, n, i, s, min(e, i + 4));
      if (bad >= 0) return i + bad;
    }
  }
  return -1;
}

/** Tiles (i, s … e) of L, once the terms before s are subtracted. */
function finishRow(P: usize, n: i32, i: i32, s: i32, e: i32): i32 {
  const x = at(P, n, i, s);
  for (let j = s; j < e; j += 4) {
    const C = at(P, n, i, j);
    subtractTile(C, x, at(P, n, j, s), j - s);
    if (j == i) return factorTile(C);
    solveTile(C, at(P, n, j, j));
  }
  return -1;
}

/** W = L⁻ᵀ, from WL' = I column by column; zeros below the diagonal. */
export function invert(W: usize, L: usize, n: i32): void {
  memory.fill(W, 0, ((n * n) as usize) << 3);
  for (let i = 0; i < n; i += 4) for (let r: usize = 0; r < 4; r++) store<f64>(at(W, n, i, i) + r * 40, 1);
  for (let s = 0; s < n; s += BLOCK) {
    const e = min(s + BLOCK, n);
    for (let from = 0; from < s; from += DEPTH) {
      const to = min(from + DEPTH, s);
      for (let i = 0; i < to; i += 4) subtractRow(W, W, L, n, i, s, e, max(from, i), to);
    }
    for (let i = 0; i < e; i += 4) solveRow(W, L, n, i, max(s, i), e);
  }
}

/** Tiles (i, s … e) of W, once the terms before s are subtracted. */
function solveRow(W: usize, L: usize, n: i32, i: i32, s: i32, e: i32): void {
  const x = at(W, n, i, s);
  for (let j = s; j < e; j += 4) {
    const C = at(W, n, i, j);
    subtractTile(C, x, at(L, n, j, s), j - s);
    solveTile(C, at(L, n, j, j));
  }
}

/** Lower triangle of X = -WW' for an upper triangular W. */
export function negativeGram(X: usize, W: usize, n: i32): void {
  memory.fill(X, 0, ((n * n) as usize) << 3);
  for (let s = 0; s < n; s += BLOCK) {
    const e = min(s + BLOCK, n);
    for (let from = s; from < n; from += DEPTH) {
      const to = min(from + DEPTH, n);
      for (let i = s; i < to; i += 4) subtractRow(X, W, W, n, i, s, min(e, i + 4), max(from, i), to);
    }
  }
}

/** C ← C - X·Y' with X of m × k, Y of n × k and C of m × n, all in panels of four rows. */
export function subtractProduct(C: usize, X: usize, Y: usize, m: i32, n: i32, k: i32): void {
  for (let from = 0; from < k; from += DEPTH) {
    const to = min(from + DEPTH, k);
    for (let s = 0; s < n; s += BLOCK) {
      const e = min(s + BLOCK, n);
      for (let i = 0; i < m; i += 4) {
        const x = at(X, k, i, from);
        for (let j = s; j < e; j += 4) subtractTile(at(C, n, i, j), x, at(Y, k, j, from), to - from);
      }
    }
  }
}

/** Address of entry (i, j) of a matrix of m rows by columns, i and j being stored. */
@inline
function entry(C: usize, m: i32, i: usize, j: usize): usize {
  return C + (((load<i32>(i) + m * load<i32>(j)) as usize) << 3);
}

/** Four entries of a column from c on ← themselves + v·(x0, x1). */
@inline
function addColumn(c: usize, x0: v128, x1: v128, v: v128): void {
  v128.store(c, addProduct(v128.load(c), x0, v));
  v128.store(c, addProduct(v128.load(c, 16), x1, v), 16);
}

/** C ← C + Σ_t w_t x_t y_t' with C of m rows, by columns: x_t has four values from row i_t on, y_t from column j_t on. */
export function addQuadruples(C: usize, m: i32, x: usize, i: usize, y: usize, j: usize, w: usize, count: i32): void {
  const step = (m as usize) << 3;
  for (let t = 0; t < count; t++) {
    const weight = v128.load64_splat(w);
    const x0 = f64x2.mul(weight, v128.load(x));
    const x1 = f64x2.mul(weight, v128.load(x, 16));
    let c = entry(C, m, i, j);
    addColumn(c, x0, x1, v128.load64_splat(y));
    c += step;
    addColumn(c, x0, x1, v128.load64_splat(y, 8));
    c += step;
    addColumn(c, x0, x1, v128.load64_splat(y, 16));
    c += step;
    addColumn(c, x0, x1, v128.load64_splat(y, 24));
    x += 32;
    y += 32;
    i += 4;
    j += 4;
    w += 8;
  }
}

/** o_t ← o_t + s·x_t'Cy_t for the same rows. */
export function addQuadrupleForms(
  o: usize, C: usize, m: i32, x: usize, i: usize, y: usize, j: usize, s: f64, count: i32,
): void {
  const step = (m as usize) << 3;
  for (let t = 0; t < count; t++) {
    let c = entry(C, m, i, j);
    let v = v128.load64_splat(y);
    let c0 = f64x2.mul(v, v128.load(c));
    let c1 = f64x2.mul(v, v128.load(c, 16));
    c += step;
    v = v128.load64_splat(y, 8);
    c0 = addProduct(c0, v, v128.load(c));
    c1 = addProduct(c1, v, v128.load(c, 16));
    c += step;
    v = v128.load64_splat(y, 16);
    c0 = addProduct(c0, v, v128.load(c));
    c1 = addProduct(c1, v, v128.load(c, 16));
    c += step;
    v = v128.load64_splat(y, 24);
    c0 = addProduct(c0, v, v128.load(c));
    c1 = addProduct(c1, v, v128.load(c, 16));
    c0 = addProduct(f64x2.mul(c0, v128.load(x)), c1, v128.load(x, 16));
    store<f64>(o, load<f64>(o) + s * (f64x2.extract_lane(c0, 0) + f64x2.extract_lane(c0, 1)));
    x += 32;
    y += 32;
    i += 4;
    j += 4;
    o += 8;
  }
}

/** Rows of U that quadraticForms takes together: their eight pairs of sums fit the registers. */
const ROWS: i32 = 16;

/** F_p ← A_p U'U A_p', q × q, for sparse A_p of q × m: entry t, in column index[t], has its q values from A[q·t].
 *  U is m × m by columns and zero from `spread` ≥ 1 columns right of the diagonal on; index ascends within start[p] … start[p+1].
 *  `rows` has room for ROWS·(m + q) numbers. */
export function quadraticForms(
  F: usize,
  U: usize,
  rows: usize,
  start: usize,
  index: usize,
  A: usize,
  m: i32,
  patterns: i32,
  q: i32,
  spread: i32,
): void {
  const x = rows + (((ROWS * m) as usize) << 3);
  memory.fill(F, 0, ((patterns * q * q) as usize) << 3);
  for (let r = 0; r < m; r += ROWS) {
    const columns = min(r + ROWS + spread - 1, m);
    packRows(rows, U + ((r as usize) << 3), m, columns, min(ROWS, m - r));
    for (let p = 0; p < patterns; p++) {
      const from = load<i32>(start + ((p as usize) << 2));
      const to = load<i32>(start + ((p as usize) << 2), 4);
      if (from == to || load<i32>(index + ((from as usize) << 2)) >= columns) continue;
      combineColumns(x, rows, index, A, from, to, q, 0, columns);
      for (let k = 1; k < q; k++) combineColumns(x, rows, index, A, from, to, q, k, columns);
      addGram(F + (((p * q * q) as usize) << 3), x, q);
    }
  }
}

/** The numbers of one column side by side, zeros after the last row. */
function packRows(rows: usize, U: usize, m: i32, columns: i32, height: i32): void {
  if (height < ROWS) memory.fill(rows, 0, ((ROWS * columns) as usize) << 3);
  for (let c = 0; c < columns; c++) {
    memory.copy(rows + (((ROWS * c) as usize) << 3), U + (((c * m) as usize) << 3), (height as usize) << 3);
  }
}

/** Column k of x = Σ_t A[t, k] · column index[t] of the packed rows. */
function combineColumns(
  x: usize,
  rows: usize,
  index: usize,
  A: usize,
  from: i32,
  to: i32,
  q: i32,
  k: i32,
  columns: i32,
): void {
  let x0 = f64x2.splat(0);
  let x1 = x0;
  let x2 = x0;
  let x3 = x0;
  let x4 = x0;
  let x5 = x0;
  let x6 = x0;
  let x7 = x0;
  const step = (q as usize) << 3;
  let a = A + (((from * q + k) as usize) << 3);
  for (let t = from; t < to; t++) {
    const c = load<i32>(index + ((t as usize) << 2));
    if (c >= columns) break;
    const u = rows + ((c as usize) << 7);
    const f = v128.load64_splat(a);
    x0 = addProduct(x0, f, v128.load(u));
    x1 = addProduct(x1, f, v128.load(u, 16));
    x2 = addProduct(x2, f, v128.load(u, 32));
    x3 = addProduct(x3, f, v128.load(u, 48));
    x4 = addProduct(x4, f, v128.load(u, 64));
    x5 = addProduct(x5, f, v128.load(u, 80));
    x6 = addProduct(x6, f, v128.load(u, 96));
    x7 = addProduct(x7, f, v128.load(u, 112));
    a += step;
  }
  const target = x + ((k as usize) << 7);
  v128.store(target, x0);
  v128.store(target, x1, 16);
  v128.store(target, x2, 32);
  v128.store(target, x3, 48);
  v128.store(target, x4, 64);
  v128.store(target, x5, 80);
  v128.store(target, x6, 96);
  v128.store(target, x7, 112);
}

/** F ← F + x'x with x of ROWS × q. */
function addGram(F: usize, x: usize, q: i32): void {
  for (let j = 0; j < q; j++) {
    for (let i = 0; i < q; i++) {
      const y = x + ((i as usize) << 7);
      const z = x + ((j as usize) << 7);
      let s = f64x2.splat(0);
      for (let r: usize = 0; r < 128; r += 16) s = addProduct(s, v128.load(y + r), v128.load(z + r));
      const at = F + (((i + j * q) as usize) << 3);
      store<f64>(at, load<f64>(at) + f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1));
    }
  }
}

/** The sum of both lanes is added to the entry at c. */
@inline
function addLanes(c: usize, s: v128): void {
  store<f64>(c, load<f64>(c) + (f64x2.extract_lane(s, 0) + f64x2.extract_lane(s, 1)));
}

/** Entries (0 … 3, 0 … 1) of C ← C + X'Y; `column` is the length of a column of X and Y in bytes, `step` that of C. */
function addGramTile(C: usize, step: usize, X: usize, Y: usize, column: usize): void {
  let c00 = f64x2.splat(0);
  let c10 = c00;
  let c20 = c00;
  let c30 = c00;
  let c01 = c00;
  let c11 = c00;
  let c21 = c00;
  let c31 = c00;
  const X1 = X + column;
  const X2 = X1 + column;
  const X3 = X2 + column;
  const Y1 = Y + column;
  for (let t: usize = 0; t < column; t += 16) {
    const y0 = v128.load(Y + t);
    const y1 = v128.load(Y1 + t);
    let x = v128.load(X + t);
    c00 = addProduct(c00, x, y0);
    c01 = addProduct(c01, x, y1);
    x = v128.load(X1 + t);
    c10 = addProduct(c10, x, y0);
    c11 = addProduct(c11, x, y1);
    x = v128.load(X2 + t);
    c20 = addProduct(c20, x, y0);
    c21 = addProduct(c21, x, y1);
    x = v128.load(X3 + t);
    c30 = addProduct(c30, x, y0);
    c31 = addProduct(c31, x, y1);
  }
  addLanes(C, c00);
  addLanes(C + 8, c10);
  addLanes(C + 16, c20);
  addLanes(C + 24, c30);
  addLanes(C + step, c01);
  addLanes(C + step + 8, c11);
  addLanes(C + step + 16, c21);
  addLanes(C + step + 24, c31);
}

/** Upper triangle of C ← C + X'Y, p × p by columns, for symmetric X'Y; X and Y have `rows` rows, an even number, and p columns,
 *  a multiple of 4. A few entries below the diagonal are also written. */
export function addGramUpper(C: usize, X: usize, Y: usize, rows: i32, p: i32): void {
  const column = (rows as usize) << 3;
  const step = (p as usize) << 3;
  for (let j = 0; j < p; j += 2) {
    for (let i = 0; i < j + 2; i += 4) {
      addGramTile(C + (j as usize) * step + ((i as usize) << 3), step, X + (i as usize) * column, Y + (j as usize) * column, column);
    }
  }
}

/** y ← w·x, entry by entry; n is even. */
export function multiplyEntries(y: usize, x: usize, w: usize, n: i32): void {
  const length = (n as usize) << 3;
  for (let t: usize = 0; t < length; t += 16) v128.store(y + t, f64x2.mul(v128.load(x + t), v128.load(w + t)));
}
