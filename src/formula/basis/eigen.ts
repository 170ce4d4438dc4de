/** The k eigenpairs of largest magnitude of a big symmetric operator that is known by its products with vectors.
 *
 *  Block Krylov space with full reorthogonalisation: Q = [Q₁ Q₂ …], AQ_j = QT_j + Q_{j+1}R, so that Q'AQ = T and the residual of
 *  a Ritz pair (θ, s) is ‖R s_last‖. A block finds eigenvalues of multiplicity up to its width, which a symmetric grid of
 *  points has and a single starting vector would miss.
 *  Reference: Golub & Underwood (1977), The block Lanczos method; Parlett (1998), The Symmetric Eigenvalue Problem, ch. 13.
 *  Oracle:    the dense eigen decomposition of eigen.ts.
 *  Limits:    vectors are as right as the gap between eigenvalues allows: an angle of about 1e-16·|λ₁| / gap. */
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { addNN, addScaledAt, addTN, dotAt } from "../../numeric/linalg/kernel.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { column, identity, mirrorUpperInto, normAt, selectColumns, zeros } from "../../numeric/linalg/matrix.ts";
import type { Eigen } from "../../numeric/linalg/tridiagonal.ts";
import { makeRng } from "../../numeric/rng.ts";

export interface SymmetricOperator {
  readonly n: number;
  /** Y = A·V. */
  applyInto(Y: Matrix, V: Matrix): void;
}

const BLOCK = 4;
/** Up to this order the dense decomposition takes milliseconds. */
const DENSE_ORDER = 150;
/** The Krylov space grows by this factor between two looks at T. */
const GROWTH = 1.2;
/** A residual below this share of the largest eigenvalue is rounding. */
const CONVERGED = 2 ** -54;
/** A direction of which less than this share is new is replaced by a fresh one. */
const EXHAUSTED = 1e-14;

/** Ordered by falling magnitude. */
export function leadingEigen(A: SymmetricOperator, k: number): Eigen {
  if (A.n <= DENSE_ORDER || A.n <= 3 * k) return denseEigen(A, k);
  const space = startSpace(A);
  let look = Math.ceil(1.5 * k) + 2 * BLOCK;
  for (;;) {
    extend(space);
    if (space.size < look && space.size + BLOCK <= A.n) continue;
    const { values, vectors } = eigenSymmetric(leadingBlock(space));
    const order = byMagnitude(values).subarray(0, k);
    const done = order.every((j) => residual(space, vectors, j) <= CONVERGED * Math.abs(values[order[0]!]!));
    if (done || space.size + BLOCK > A.n) {
      const S = selectColumns(vectors, order);
      const U = zeros(A.n, k);
      addNN(U.data, 0, A.n, space.Q, 0, A.n, S.data, 0, S.rows, A.n, k, space.size, 1);
      return { values: Float64Array.from(order, (j) => values[j]!), vectors: U };
    }
    look = Math.ceil(GROWTH * space.size);
  }
}

function denseEigen(A: SymmetricOperator, k: number): Eigen {
  const full = zeros(A.n, A.n);
  A.applyInto(full, identity(A.n));
  const { values, vectors } = eigenSymmetric(full);
  const order = byMagnitude(values).subarray(0, k);
  return { values: Float64Array.from(order, (j) => values[j]!), vectors: selectColumns(vectors, order) };
}

function byMagnitude(values: Float64Array): Int32Array {
  return Int32Array.from(values.keys()).sort((a, b) => Math.abs(values[b]!) - Math.abs(values[a]!));
}

interface KrylovSpace {
  readonly A: SymmetricOperator;
  /** n × capacity, orthonormal; the last block of `size` + BLOCK columns awaits its product. */
  Q: Float64Array;
  /** capacity × capacity, upper triangle. */
  T: Matrix;
  /** Columns whose products are in T. */
  size: number;
  /** What is left of the last product: W = Q_next · R. */
  R: Matrix;
  /** Scale of A, for the test of exhaustion. */
  scale: number;
  readonly fresh: (at: number) => void;
}

function startSpace(A: SymmetricOperator): KrylovSpace {
  const rng = makeRng("thin plate");
  const capacity = 16 * BLOCK;
  const space: KrylovSpace = {
    A,
    Q: new Float64Array(A.n * capacity),
    T: zeros(capacity, capacity),
    size: 0,
    R: zeros(BLOCK, BLOCK),
    scale: 0,
    fresh: (at) => {
      for (let i = 0; i < A.n; i++) space.Q[at + i] = rng.uniform() - 0.5;
    },
  };
  for (let j = 0; j < BLOCK; j++) {
    space.fresh(j * A.n);
    orthonormalise(space, j, 0);
  }
  return space;
}

function grow(space: KrylovSpace): void {
  const old = space.T;
  const capacity = 2 * old.rows;
  const Q = new Float64Array(space.A.n * capacity);
  Q.set(space.Q);
  const T = zeros(capacity, capacity);
  for (let j = 0; j < old.cols; j++) T.data.set(column(old, j), j * capacity);
  space.Q = Q;
  space.T = T;
}

/** One more product: its part in the space goes to T, the rest makes the next block. */
function extend(space: KrylovSpace): void {
  const { A, size } = space;
  const n = A.n;
  if (size + 2 * BLOCK > space.T.rows) grow(space);
  const { Q, T } = space;
  const from = size * n;
  const to = (size + BLOCK) * n;
  const W = { rows: n, cols: BLOCK, data: Q.subarray(to, to + BLOCK * n) };
  A.applyInto(W, { rows: n, cols: BLOCK, data: Q.subarray(from, to) });
  const span = size + BLOCK;
  for (let pass = 0; pass < 2; pass++) {
    const H = zeros(span, BLOCK); // twice is enough: the second pass removes what rounding left of the first
    addTN(H.data, 0, span, Q, 0, n, W.data, 0, n, span, BLOCK, n, 1);
    addNN(W.data, 0, n, Q, 0, n, H.data, 0, span, n, BLOCK, span, -1);
    for (let j = 0; j < BLOCK; j++) addScaledAt(T.data, (size + j) * T.rows, H.data, j * span, span, 1);
  }
  for (let j = 0; j < BLOCK; j++) space.scale = Math.max(space.scale, Math.abs(T.data[(size + j) * (T.rows + 1)]!));
  space.R.data.fill(0);
  space.size = span;
  if (span + BLOCK > n) return; // the space is all there is
  for (let j = 0; j < BLOCK; j++) orthonormalise(space, span + j, span);
}

/** Makes column `at` of Q orthogonal to all before it, and R's column from `base` on what was removed. */
function orthonormalise({ A, Q, R, scale, fresh }: KrylovSpace, at: number, base: number): void {
  const n = A.n;
  const own = at * n;
  for (let pass = 0; pass < 2; pass++) {
    for (let c = base; c < at; c++) {
      const s = dotAt(Q, c * n, Q, own, n);
      addScaledAt(Q, own, Q, c * n, n, -s);
      R.data[c - base + (at - base) * BLOCK]! += s;
    }
  }
  let length = normAt(Q, own, n);
  if (length <= EXHAUSTED * scale) {
    fresh(own);
    for (let pass = 0; pass < 2; pass++) {
      for (let c = 0; c < at; c++) addScaledAt(Q, own, Q, c * n, n, -dotAt(Q, c * n, Q, own, n));
    }
    length = normAt(Q, own, n);
  } else R.data[at - base + (at - base) * BLOCK] = length;
  for (let i = 0; i < n; i++) Q[own + i]! /= length;
}

function leadingBlock({ T, size }: KrylovSpace): Matrix {
  const block = zeros(size, size);
  for (let j = 0; j < size; j++) block.data.set(T.data.subarray(j * T.rows, j * T.rows + size), j * size);
  mirrorUpperInto(block);
  return block;
}

/** ‖R s‖ with s the last BLOCK entries of Ritz vector j. */
function residual({ R, size }: KrylovSpace, vectors: Matrix, j: number): number {
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) {
    let entry = 0;
    for (let c = i; c < BLOCK; c++) entry += R.data[i + c * BLOCK]! * vectors.data[size - BLOCK + c + j * size]!;
    sum += entry * entry;
  }
  return Math.sqrt(sum);
}
