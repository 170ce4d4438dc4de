/** Least squares through cross products:  R'R = X'WX,  R'R β = X'Wy, and one step of refinement on the residuals.
 *
 *  Half of the work of a QR decomposition, and no copy of X. It squares the condition of X, whose columns are therefore first
 *  brought to length 1: with condition κ the triangle is right to about κ² 2⁻⁵³, and the refined coefficients to κ 2⁻⁵³ while
 *  κ² 2⁻⁵³ is small. Beyond GREATEST_CONDITION, which rank deficiency always is, there is no answer, and the caller takes qr.ts.
 *  Reference: Golub & Van Loan (2013) §5.3.8; Björck (1987), Linear Algebra Appl. 88/89, 31-48 (corrected seminormal equations).
 *  Oracle:    qr.ts on the same columns; lm (R), oracle/r/lm.json.
 *  Limits:    answers for FEWEST_ROWS rows and more: below, QR takes no time, and its last digits stay as they are. */
import { choleskyUpperAt } from "./cholesky.ts";
import { addScaledAt, dotAt } from "./kernel.ts";
import { type Matrix, tMatVec } from "./matrix.ts";
import { gramLarge } from "./product.ts";
import { invertUpper, solveUpperAt, solveUpperTAt } from "./triangular.ts";

export const FEWEST_ROWS = 4096;
/** Of the columns at length 1: keeps standard errors to 1e-10 of themselves. */
export const GREATEST_CONDITION = 1000;

/** The triangle R of √W X, zeros below, its diagonal positive; undefined where QR is wanted. */
export function gramFactor(X: Matrix, w?: Float64Array): Matrix | undefined {
  const p = X.cols;
  if (X.rows < FEWEST_ROWS || p === 0) return undefined;
  const R = gramLarge(X, w);
  const length = Float64Array.from({ length: p }, (_, j) => Math.sqrt(R.data[j * (p + 1)]!));
  for (let j = 0; j < p; j++) for (let i = 0; i <= j; i++) R.data[i + j * p]! /= length[i]! * length[j]!;
  // a column of zeros, or one whose squares overflow, fails here
  if (choleskyUpperAt(R.data, 0, p, p) >= 0) return undefined;
  for (let j = 0; j < p; j++) R.data.fill(0, j * (p + 1) + 1, (j + 1) * p);
  if (!(frobenius(R) * frobenius(invertUpper(R)) <= GREATEST_CONDITION)) return undefined;
  for (let j = 0; j < p; j++) for (let i = 0; i <= j; i++) R.data[i + j * p]! *= length[j]!;
  return R;
}

function frobenius({ data }: Matrix): number {
  let sum = 0;
  for (let i = 0; i < data.length; i++) sum += data[i]! * data[i]!;
  return Math.sqrt(sum);
}

/** b ← (R'R)⁻¹ b. */
export function solveGramInto(b: Float64Array, R: Matrix): void {
  solveUpperTAt(R.data, 0, R.rows, R.rows, b, 0, R.rows, 1);
  solveUpperAt(R.data, 0, R.rows, R.rows, b, 0, R.rows, 1);
}

/** The β that minimises Σ w (y - Xβ)², for R of √W X. */
export function gramCoefficients(R: Matrix, X: Matrix, y: Float64Array, w?: Float64Array): Float64Array {
  const beta = tMatVec(X, weighted(y, w));
  solveGramInto(beta, R);
  const correction = residualProducts(X, beta, y, w);
  solveGramInto(correction, R);
  for (let j = 0; j < beta.length; j++) beta[j]! += correction[j]!;
  return beta;
}

/** Rows taken together: they stay in the cache between the two products. */
const SLAB = 256;

/** X'W(y - Xβ) */
function residualProducts(X: Matrix, beta: Float64Array, y: Float64Array, w: Float64Array | undefined): Float64Array {
  const { rows: n, cols: p, data } = X;
  const products = new Float64Array(p);
  const rest = new Float64Array(SLAB);
  for (let from = 0; from < n; from += SLAB) {
    const count = Math.min(SLAB, n - from);
    for (let i = 0; i < count; i++) rest[i] = y[from + i]!;
    for (let j = 0; j < p; j++) addScaledAt(rest, 0, data, from + j * n, count, -beta[j]!);
    if (w !== undefined) for (let i = 0; i < count; i++) rest[i]! *= w[from + i]!;
    for (let j = 0; j < p; j++) products[j]! += dotAt(data, from + j * n, rest, 0, count);
  }
  return products;
}

function weighted(y: Float64Array, w: Float64Array | undefined): Float64Array {
  if (w === undefined) return y;
  const out = new Float64Array(y.length);
  for (let i = 0; i < y.length; i++) out[i] = w[i]! * y[i]!;
  return out;
}
