/** Effects with known variances, regressed on an intercept and at most a few moderators:  y_i = x_iβ + u_i + ε_i,  u ~ N(0, τ²), ε_i ~ N(0, v_i).
 *    fixed   τ² = 0
 *    dl      τ² = max(0, (Q_E - (k - p))/tr P),  P = W - WX(X'WX)⁻¹X'W at w = 1/v
 *    reml    tr P = y'PPy at w = 1/(v + τ²), the root with the largest restricted likelihood; 0 where none is above it
 *  Reference: Viechtbauer (2005), J. Educ. Behav. Stat. 30; Raudenbush (2009), in The Handbook of Research Synthesis, 16.
 *  Oracle:    metafor (R) with its stopping rule tightened, oracle/next/meta-analysis.json — 1e-8.
 *  Limits:    variances are taken as known. */
import { centerOf } from "../../numeric/center.ts";
import { cholesky, cholInverse, cholLogDet, cholSolve } from "../../numeric/linalg/cholesky.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { findRoot } from "../../numeric/optim/brent.ts";

export const HETEROGENEITY = ["fixed", "dl", "reml"] as const;
export type Heterogeneity = (typeof HETEROGENEITY)[number];

export interface MetaRegression {
  readonly beta: Float64Array;
  /** (X'WX)⁻¹ */
  readonly vcov: Matrix;
  readonly tau2: number;
  readonly tau2Se: number;
  /** Residual sum of squares with weights 1/(v + τ²), and with weights 1/v. */
  readonly rss: number;
  readonly q: number;
  /** Restricted log-likelihood, with metafor's constants. */
  readonly logLik: number;
  /** Σw at w = 1/(v + τ²). */
  readonly weights: Float64Array;
  /** tr P at w = 1/v: the typical variance is (k - p)/tr P. */
  readonly trace: number;
}

export interface MetaData {
  readonly effects: Float64Array;
  readonly variances: Float64Array;
  /** Columns beside the intercept. */
  readonly moderators?: readonly Float64Array[];
}

/** Undefined where the moderators leave nothing to estimate. */
export function metaRegression(data: MetaData, method: Heterogeneity): MetaRegression | undefined {
  const { variances, moderators = [] } = data;
  const center = centerOf(data.effects);
  const effects = data.effects.map((own) => own - center);
  const k = effects.length;
  const X = [new Float64Array(k).fill(1), ...moderators];
  const p = X.length;
  const plain = solve(effects, X, variances, 0);
  if (plain === undefined || k < p) return undefined;
  const tau2 =
    method === "fixed" || k === p
      ? 0
      : method === "dl"
        ? Math.max(0, (plain.rss - (k - p)) / plain.trP)
        : restrictedTau2(effects, X, variances);
  const at = tau2 === 0 ? plain : solve(effects, X, variances, tau2)!;
  const tau2Se =
    method === "reml"
      ? Math.sqrt(2 / at.trPP)
      : Math.sqrt(2 * (k - p) + 4 * tau2 * plain.trP + 2 * tau2 * tau2 * plain.trPP) / plain.trP;
  return {
    beta: at.beta.map((own, j) => (j === 0 ? own + center : own)),
    vcov: at.vcov,
    tau2,
    tau2Se: method === "fixed" ? Number.NaN : tau2Se,
    rss: at.rss,
    q: plain.rss,
    logLik: at.logLik,
    weights: at.w,
    trace: plain.trP,
  };
}

interface Solved {
  readonly beta: Float64Array;
  readonly vcov: Matrix;
  readonly w: Float64Array;
  readonly rss: number;
  readonly trP: number;
  readonly trPP: number;
  /** y'PPy */
  readonly yPPy: number;
  readonly logLik: number;
}

function solve(y: Float64Array, X: readonly Float64Array[], v: Float64Array, tau2: number): Solved | undefined {
  const [k, p] = [y.length, X.length];
  const w = v.map((own) => 1 / (own + tau2));
  const cross = (power: number): Matrix => {
    const A = zeros(p, p);
    for (let a = 0; a < p; a++) {
      for (let b = 0; b < p; b++) {
        let sum = 0;
        for (let i = 0; i < k; i++) sum += w[i]! ** power * X[a]![i]! * X[b]![i]!;
        A.data[a + b * p] = sum;
      }
    }
    return A;
  };
  const A = cross(1);
  const L = cholesky(A);
  if (L === undefined) return undefined;
  const b = Float64Array.from(X, (column) => column.reduce((sum, x, i) => sum + w[i]! * x * y[i]!, 0));
  const beta = cholSolve(L, b);
  const vcov = cholInverse(L);
  const residual = y.map((own, i) => own - X.reduce((sum, column, a) => sum + column[i]! * beta[a]!, 0));
  // Py = W(y - Xβ): its square needs no P
  const rss = residual.reduce((sum, r, i) => sum + w[i]! * r * r, 0);
  const yPPy = residual.reduce((sum, r, i) => sum + (w[i]! * r) ** 2, 0);
  const B = cross(2);
  const VB = product(vcov, B);
  const trP = w.reduce((sum, own) => sum + own, 0) - trace(VB);
  const trPP = w.reduce((sum, own) => sum + own * own, 0) - 2 * trace(product(vcov, cross(3))) + trace(product(VB, VB));
  const XX = cholesky(unweighted(X));
  const logLik =
    -0.5 * (k - p) * Math.log(2 * Math.PI) +
    (XX === undefined ? 0 : 0.5 * cholLogDet(XX)) +
    0.5 * w.reduce((sum, own) => sum + Math.log(own), 0) -
    0.5 * cholLogDet(L) -
    0.5 * rss;
  return { beta, vcov, w, rss, trP, trPP, yPPy, logLik };
}

function unweighted(X: readonly Float64Array[]): Matrix {
  const A = zeros(X.length, X.length);
  X.forEach((a, i) => {
    X.forEach((b, j) => {
      A.data[i + j * X.length] = a.reduce((sum, value, row) => sum + value * b[row]!, 0);
    });
  });
  return A;
}

function product(A: Matrix, B: Matrix): Matrix {
  const C = zeros(A.rows, B.cols);
  for (let i = 0; i < A.rows; i++) {
    for (let j = 0; j < B.cols; j++) {
      for (let l = 0; l < A.cols; l++) C.data[i + j * A.rows]! += A.data[i + l * A.rows]! * B.data[l + j * B.rows]!;
    }
  }
  return C;
}

function trace(A: Matrix): number {
  let sum = 0;
  for (let i = 0; i < A.rows; i++) sum += A.data[i * (A.rows + 1)]!;
  return sum;
}

/** Where the score is looked at: it may change its sign more than once. */
const GRID = 60;
/** The score is negative from here on: no effect is further from the mean. */
const BEYOND = 10;

function restrictedTau2(y: Float64Array, X: readonly Float64Array[], v: Float64Array): number {
  const score = (tau2: number): number => {
    const at = solve(y, X, v, tau2)!;
    return at.yPPy - at.trP;
  };
  const mean = y.reduce((a, b) => a + b, 0) / y.length;
  const spread = y.reduce((sum, own) => sum + (own - mean) ** 2, 0);
  const top = BEYOND * (spread + v.reduce((a, b) => Math.max(a, b), 0));
  const low = v.reduce((a, b) => Math.min(a, b)) * 1e-6;
  const points = [
    0,
    ...Array.from({ length: GRID }, (_, i) => Math.exp(Math.log(low) + (i / (GRID - 1)) * Math.log(top / low))),
  ];
  const candidates = [0];
  let before = score(0);
  for (let i = 1; i < points.length; i++) {
    const now = score(points[i]!);
    if (before > 0 && now <= 0) candidates.push(findRoot(score, points[i - 1]!, points[i]!).root);
    before = now;
  }
  const likelihood = (tau2: number): number => solve(y, X, v, tau2)!.logLik;
  return candidates.reduce((best, own) => (likelihood(own) > likelihood(best) ? own : best));
}
