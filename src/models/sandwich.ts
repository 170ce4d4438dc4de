/** Robust and cluster-robust covariance of regression coefficients: M (Σ_g s_g s_g') M with s_g = U_g'W_g A_g e_g.
 *
 *  U is the derivative of the mean by the coefficients (X for lm), W the working weights, Φ = diag(target) the variances
 *  assumed for the adjustment, e the response residuals, M = (U'WU)⁻¹ and g runs over clusters (single rows for HC).
 *    HC0-HC3  White (1980), MacKinnon & White (1985): e_i scaled by 1, n/(n-p), 1/√(1-h), 1/(1-h)
 *    CR0      A_g = I;  CR1 = CR0·G/(G-1);  CR1S = CR1·(n-1)/(n-p), the form Stata and statsmodels print
 *    CR2      A_g such that the estimate is unbiased if Φ holds (Bell & McCaffrey 2002), with Satterthwaite df
 *  Reference: Pustejovsky & Tipton (2018), J. Bus. Econ. Stat. 36(4), eq. 5-7 and 11-13.
 *  Oracle:    sandwich and clubSandwich (R), oracle/r/lm.json — se, df and p to 1e-9.
 *  Limits:    clusters must be independent; with few of them even CR2's df is an approximation (below 4 it is flagged). */
import { eigenSymmetric } from "../numeric/linalg/eigen.ts";
import { crossprod, type Matrix, multiply, selectRows, transpose, zeros } from "../numeric/linalg/matrix.ts";
import { type Qr, qrBasis } from "../numeric/linalg/qr.ts";
import { invertUpper } from "../numeric/linalg/triangular.ts";
import { StatError } from "../result/error.ts";

export type RobustType = "HC0" | "HC1" | "HC2" | "HC3" | "CR0" | "CR1" | "CR1S" | "CR2";

/** A fitted mean model, as the sandwich sees it. */
export interface WorkingModel {
  /** QR decomposition of √W U, the columns of U in their order (aliased ones, if any, behind them). */
  readonly factor: Qr;
  readonly weights: Float64Array;
  /** Variances assumed by CR2, one per row; absent means all 1. */
  readonly target?: Float64Array;
  readonly residuals: Float64Array;
}

export interface RobustCovariance {
  readonly vcov: Matrix;
  /** Degrees of freedom of each coefficient's t test. */
  readonly df: Float64Array;
  /** Number of clusters; rows for HC. */
  readonly clusters: number;
  /** Coefficients about which the clusters say nothing, because they fit them exactly: their variance and df are NaN. */
  readonly undetermined: readonly number[];
}

/** Above this size a cluster's n_g x n_g adjustment (needed with weights or a glm) costs minutes; CR1 costs nothing. */
const LARGEST_DENSE_CLUSTER = 1500;
/** Eigenvalues below this share of the largest belong to directions that the cluster determines alone. */
const ZERO_EIGENVALUE = 1e-12;

export function robustCovariance(model: WorkingModel, type: RobustType, cluster?: Int32Array): RobustCovariance {
  const rotated = rotate(model);
  const parts = type.startsWith("HC")
    ? heteroscedastic(rotated, type)
    : type === "CR2"
      ? biasReduced(rotated, rowsByCluster(cluster!))
      : unadjusted(rotated, rowsByCluster(cluster!), type);
  return withoutNoise(parts, rotated);
}

/** CR2's Satterthwaite degrees of freedom of the t test of x'β, x in the order of the coefficients. */
export function prepareClusterDf(model: WorkingModel, cluster: Int32Array): (x: Float64Array) => number {
  const rotated = rotate(model);
  const groups = rowsByCluster(cluster);
  const prepared = prepareBiasReduced(rotated);
  return (x) => {
    const c = matTVec(rotated.inverse, x);
    const size = Math.hypot(...c);
    if (!(size > 0)) return Number.NaN;
    const direction = { rows: c.length, cols: 1, data: c.map((v) => v / size) };
    return satterthwaite(rotated, groups, { ...prepared, directions: direction }).df[0]!;
  };
}

/** The model in the coefficients γ = Rβ of the orthonormal columns Q, √W U = QR: there M = I, and nothing is lost to covariates
 *  that are nearly collinear or far from 0, as the inverse of U'WU would lose it. β_j = c_j'γ with c_j the j-th row of R⁻¹. */
interface Rotated {
  readonly Q: Matrix;
  readonly inverse: Matrix;
  /** c_j as unit vectors, one column each: the df of a test do not depend on its length. */
  readonly directions: Matrix;
  readonly rootWeights: Float64Array;
  readonly weights: Float64Array;
  readonly target?: Float64Array;
  readonly residuals: Float64Array;
  readonly ordinary: boolean;
}

function rotate({ factor, weights, target, residuals }: WorkingModel): Rotated {
  const inverse = invertUpper(factor.factor, factor.rank);
  const directions = transpose(inverse);
  const p = directions.rows;
  for (let j = 0; j < p; j++) {
    const size = Math.hypot(...directions.data.subarray(j * p, j * p + p));
    for (let i = 0; i < p; i++) directions.data[i + j * p]! /= size;
  }
  return {
    Q: qrBasis(factor),
    inverse,
    directions,
    rootWeights: weights.map(Math.sqrt),
    weights,
    ...(target === undefined ? {} : { target }),
    residuals,
    ordinary: target === undefined && weights.every((w) => w === 1),
  };
}

/** A robust variance below this share of the classical one is rounding: every cluster fits the coefficient exactly. */
const ROUNDING = 1e-12;
/** With less than half a degree of freedom there is no distribution to compare with. */
const LEAST_DF = 0.5;

/** A leverage this close to 1 belongs to a row that alone determines a coefficient. */
export const OWN_COEFFICIENT = 1e-10;

/** Σ s_g s_g' in the coefficients γ, and what goes with it. */
interface Meat {
  readonly meat: Matrix;
  readonly scale: number;
  readonly df: Float64Array;
  readonly clusters: number;
}

/** A coefficient that varies only between clusters and is fitted exactly by them has no clustered variance, not a small one. */
function withoutNoise({ meat, scale, df, clusters }: Meat, model: Rotated): RobustCovariance {
  const { inverse, directions, weights, residuals } = model;
  let squares = 0;
  for (let i = 0; i < residuals.length; i++) squares += weights[i]! * residuals[i]! * residuals[i]!;
  const p = meat.rows;
  const share = multiply(crossprod(directions, meat), directions); // robust over classical variance, times σ²
  const isNoise = (j: number): boolean =>
    scale * share.data[j + j * p]! <= (ROUNDING * squares) / residuals.length || !(df[j]! >= LEAST_DF);
  const undetermined = Array.from({ length: p }, (_, j) => j).filter(isNoise);
  const vcov = multiply(multiply(inverse, meat), transpose(inverse));
  for (let k = 0; k < vcov.data.length; k++) vcov.data[k]! *= scale;
  for (const j of undetermined) {
    for (let i = 0; i < p; i++) vcov.data[i + j * p] = vcov.data[j + i * p] = Number.NaN;
  }
  return { vcov, df: df.map((v, j) => (undetermined.includes(j) ? Number.NaN : v)), clusters, undetermined };
}

function unadjusted(model: Rotated, groups: readonly Int32Array[], type: RobustType): Meat {
  const { rows: n, cols: p } = model.Q;
  const G = groups.length;
  const meat = zeros(p, p);
  for (const rows of groups) addScore(meat, matTVec(weightedRows(model, rows), pick(model.residuals, rows)));
  const scale = type === "CR0" ? 1 : (G / (G - 1)) * (type === "CR1S" ? (n - 1) / (n - p) : 1);
  return { meat, scale, df: new Float64Array(p).fill(G - 1), clusters: G };
}

function heteroscedastic({ Q, weights, residuals }: Rotated, type: RobustType): Meat {
  const { rows: n, cols: p } = Q;
  const squares = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const left = type === "HC2" || type === "HC3" ? 1 - leverageOf(Q, i) : 1;
    const own = weights[i]! * residuals[i]! * residuals[i]!;
    // a row that is fitted exactly has the residual 0 and 1 - h = 0: HC2 and HC3 divide one by the other
    const divisor = left < OWN_COEFFICIENT ? Number.NaN : left;
    squares[i] = type === "HC2" ? own / divisor : type === "HC3" ? own / (divisor * divisor) : own;
  }
  const meat = crossprod(Q, Q, squares);
  const defined = !Number.isNaN(meat.data[0]!);
  const df = new Float64Array(p).fill(defined ? n - p : Number.NaN);
  return { meat, scale: type === "HC1" ? n / (n - p) : 1, df, clusters: n };
}

function leverageOf(Q: Matrix, row: number): number {
  let h = 0;
  for (let j = 0; j < Q.cols; j++) h += Q.data[row + j * Q.rows]! * Q.data[row + j * Q.rows]!;
  return h;
}

function biasReduced(model: Rotated, groups: readonly Int32Array[]): Meat {
  const { meat, df } = satterthwaite(model, groups, { ...prepareBiasReduced(model), directions: model.directions });
  return { meat, scale: 1, df, clusters: groups.length };
}

/** K = U'W²ΦU, and N = [0, -I; -I, K] of the sum that the df need. */
function prepareBiasReduced({ Q, weights, target }: Rotated): { K: Matrix; N: Matrix } {
  const K = crossprod(Q, Q, target ? weights.map((w, i) => w * target[i]!) : weights);
  const p = Q.cols;
  const N = zeros(2 * p, 2 * p);
  for (let i = 0; i < p; i++) {
    N.data[p + i + i * 2 * p] = N.data[i + (p + i) * 2 * p] = -1;
    for (let j = 0; j < p; j++) N.data[p + i + (p + j) * 2 * p] = K.data[i + j * p]!;
  }
  return { K, N };
}

interface Tests {
  readonly K: Matrix;
  readonly N: Matrix;
  /** The functions of γ that are tested, one column each. */
  readonly directions: Matrix;
}

/** CR2 and its Satterthwaite degrees of freedom, one pass over the clusters. */
function satterthwaite(
  model: Rotated,
  groups: readonly Int32Array[],
  { K, N, directions }: Tests,
): { meat: Matrix; df: Float64Array } {
  const { Q, rootWeights, weights, target } = model;
  const p = Q.cols;
  const meat = zeros(p, p);
  const sums = Array.from({ length: directions.cols }, () => new SatterthwaiteSum(p, N));
  for (const rows of groups) {
    const R = model.ordinary ? adjustedOrdinary(model, rows) : adjustedDense(model, rows, K); // A_g W_g U_g
    addScore(meat, matTVec(R, pick(model.residuals, rows)));
    const Ug = selectRows(Q, rows);
    scaleRows(
      Ug,
      pick(rootWeights, rows).map((r) => 1 / r),
    );
    const phi = target ? pick(target, rows) : new Float64Array(rows.length).fill(1);
    const wPhi = phi.map((v, i) => v * weights[rows[i]!]!);
    const u = multiply(R, directions);
    const A = crossprod(Ug, u, wPhi); // a = U'WΦu, one column per function
    const B = crossprod(Ug, u); //       b = U'u
    for (let j = 0; j < sums.length; j++) sums[j]!.add(weightedSquares(u, j, phi), A, B, j);
  }
  return { meat, df: Float64Array.from(sums, (sum) => sum.df()) };
}

/** u_j'Φu_j */
function weightedSquares(u: Matrix, j: number, phi: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < u.rows; i++) sum += phi[i]! * u.data[i + j * u.rows]! * u.data[i + j * u.rows]!;
  return sum;
}

/** ν = (tr P)² / tr P², P_gh = δ_gh u_g'Φu_g - a_g'b_h - b_g'a_h + b_g'K b_h (Pustejovsky & Tipton, eq. 13), from running sums. */
class SatterthwaiteSum {
  readonly #p: number;
  readonly #N: Matrix;
  readonly #S: Matrix;
  #trace = 0;
  #diagonal = 0;

  constructor(p: number, N: Matrix) {
    this.#p = p;
    this.#S = zeros(2 * p, 2 * p);
    this.#N = N;
  }

  add(own: number, A: Matrix, B: Matrix, j: number): void {
    const p = this.#p;
    const c = new Float64Array(2 * p);
    c.set(A.data.subarray(j * p, j * p + p));
    c.set(B.data.subarray(j * p, j * p + p), p);
    let shared = 0;
    for (let k = 0; k < 2 * p; k++) {
      for (let i = 0; i < 2 * p; i++) {
        shared += c[i]! * this.#N.data[i + k * 2 * p]! * c[k]!;
        this.#S.data[i + k * 2 * p]! += c[i]! * c[k]!;
      }
    }
    this.#trace += own + shared;
    this.#diagonal += own * own + 2 * own * shared;
  }

  df(): number {
    const NS = multiply(this.#N, this.#S);
    let squares = this.#diagonal;
    const m = NS.rows;
    for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) squares += NS.data[i + j * m]! * NS.data[j + i * m]!;
    return (this.#trace * this.#trace) / squares;
  }
}

/** Φ = W = I: A_g Q_g = Q_g (I - Q_g'Q_g)^(-½), so that only a p x p matrix is decomposed. */
function adjustedOrdinary({ Q }: Rotated, rows: Int32Array): Matrix {
  const Qg = selectRows(Q, rows);
  const { values, vectors } = eigenSymmetric(crossprod(Qg));
  const p = Qg.cols;
  const scaled = zeros(p, p);
  for (let j = 0; j < p; j++) {
    const left = 1 - values[j]!;
    const f = left > ZERO_EIGENVALUE ? 1 / Math.sqrt(left) : 0;
    for (let i = 0; i < p; i++) scaled.data[i + j * p] = vectors.data[i + j * p]! * f;
  }
  return multiply(Qg, multiply(scaled, transpose(vectors)));
}

/** A_g = Φ^½ (Φ^½ V Φ^½)^(-½) Φ^½ with V = (I-H)_g Φ (I-H)_g', by an eigen decomposition of the cluster's own size. */
function adjustedDense(model: Rotated, rows: Int32Array, K: Matrix): Matrix {
  const m = rows.length;
  if (m > LARGEST_DENSE_CLUSTER) {
    throw new StatError(
      "ClusterTooLarge",
      `CR2 with weights or a glm needs an ${m} x ${m} decomposition for one cluster.`,
      "Use `robust: CR1`, which is close to CR2 when clusters are that large.",
    );
  }
  const { rootWeights, weights, target } = model;
  const Ug = selectRows(model.Q, rows);
  scaleRows(
    Ug,
    pick(rootWeights, rows).map((r) => 1 / r),
  );
  const H = multiply(Ug, transpose(Ug)); // without its right factor W
  const tail = multiply(multiply(Ug, K), transpose(Ug));
  const V = zeros(m, m);
  for (let j = 0; j < m; j++) {
    for (let i = 0; i < m; i++) {
      const fi = target ? target[rows[i]!]! : 1;
      const fj = target ? target[rows[j]!]! : 1;
      const h = H.data[i + j * m]!;
      const v = (i === j ? fi : 0) - h * weights[rows[j]!]! * fj - fi * weights[rows[i]!]! * h + tail.data[i + j * m]!;
      V.data[i + j * m] = Math.sqrt(fi) * v * Math.sqrt(fj);
    }
  }
  const { values, vectors } = eigenSymmetric(V);
  const largest = values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  const right = transposeRows(
    vectors,
    weightedRows(model, rows),
    target ? pick(target, rows).map(Math.sqrt) : undefined,
  );
  for (let k = 0; k < m; k++) {
    const f = values[k]! > ZERO_EIGENVALUE * Math.max(1, largest) ? 1 / Math.sqrt(values[k]!) : 0;
    for (let j = 0; j < right.cols; j++) right.data[k + j * m]! *= f;
  }
  const R = multiply(vectors, right);
  if (target) scaleRows(R, pick(target, rows).map(Math.sqrt));
  return R;
}

/** vectors' · diag(scale) · X */
function transposeRows(vectors: Matrix, X: Matrix, scale?: Float64Array): Matrix {
  if (scale) scaleRows(X, scale);
  return crossprod(vectors, X);
}

function scaleRows(X: Matrix, scale: Float64Array): void {
  for (let j = 0; j < X.cols; j++) for (let i = 0; i < X.rows; i++) X.data[i + j * X.rows]! *= scale[i]!;
}

/** W_g U_g = √W_g Q_g */
function weightedRows(model: Rotated, rows: Int32Array): Matrix {
  const X = selectRows(model.Q, rows);
  scaleRows(X, pick(model.rootWeights, rows));
  return X;
}

const pick = (values: Float64Array, rows: Int32Array): Float64Array => Float64Array.from(rows, (row) => values[row]!);

function matTVec(R: Matrix, e: Float64Array): Float64Array {
  const s = new Float64Array(R.cols);
  for (let j = 0; j < R.cols; j++) for (let i = 0; i < R.rows; i++) s[j]! += R.data[i + j * R.rows]! * e[i]!;
  return s;
}

function addScore(meat: Matrix, s: Float64Array): void {
  const p = s.length;
  for (let j = 0; j < p; j++) for (let i = 0; i < p; i++) meat.data[i + j * p]! += s[i]! * s[j]!;
}

function rowsByCluster(codes: Int32Array): Int32Array[] {
  const rows = new Map<number, number[]>();
  codes.forEach((code, row) => {
    const own = rows.get(code);
    if (own) own.push(row);
    else rows.set(code, [row]);
  });
  return [...rows.values()].map((list) => Int32Array.from(list));
}
