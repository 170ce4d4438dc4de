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
import { choleskyInto } from "../numeric/linalg/cholesky.ts";
import { eigenSymmetric } from "../numeric/linalg/eigen.ts";
import { crossprod, type Matrix, multiply, selectRows, transpose, zeros } from "../numeric/linalg/matrix.ts";
import { invertUpper } from "../numeric/linalg/triangular.ts";
import { StatError } from "../result/error.ts";

export type RobustType = "HC0" | "HC1" | "HC2" | "HC3" | "CR0" | "CR1" | "CR1S" | "CR2";

/** A fitted mean model, as the sandwich sees it. */
export interface WorkingModel {
  readonly U: Matrix;
  readonly bread: Matrix;
  readonly weights: Float64Array;
  /** Variances assumed by CR2, one per row; absent means all 1. */
  readonly target?: Float64Array;
  readonly residuals: Float64Array;
  /** Diagonal of the projection on the weighted columns; asked for by HC2 and HC3 alone. */
  leverage(): Float64Array;
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
  if (type.startsWith("HC")) return { ...heteroscedastic(model, type), undetermined: [] };
  const groups = rowsByCluster(cluster!);
  return withoutNoise(type === "CR2" ? biasReduced(model, groups) : unadjusted(model, groups, type), model);
}

/** A clustered variance below this share of the classical one is rounding: every cluster fits the coefficient exactly. */
const ROUNDING = 1e-12;
/** With less than half a degree of freedom there is no distribution to compare with. */
const LEAST_DF = 0.5;

/** A leverage this close to 1 belongs to a row that alone determines a coefficient. */
export const OWN_COEFFICIENT = 1e-10;

type Covariance = Omit<RobustCovariance, "undetermined">;

/** A coefficient that varies only between clusters and is fitted exactly by them has no clustered variance, not a small one. */
function withoutNoise(
  { vcov, df, clusters }: Covariance,
  { bread, weights, residuals }: WorkingModel,
): RobustCovariance {
  let squares = 0;
  for (let i = 0; i < residuals.length; i++) squares += weights[i]! * residuals[i]! * residuals[i]!;
  const p = vcov.rows;
  const isNoise = (j: number): boolean =>
    vcov.data[j + j * p]! <= (ROUNDING * bread.data[j + j * p]! * squares) / residuals.length || !(df[j]! >= LEAST_DF);
  const undetermined = Array.from({ length: p }, (_, j) => j).filter(isNoise);
  const data = vcov.data.slice();
  for (const j of undetermined) {
    for (let i = 0; i < p; i++) data[i + j * p] = data[j + i * p] = Number.NaN;
  }
  return {
    vcov: { ...vcov, data },
    df: df.map((v, j) => (undetermined.includes(j) ? Number.NaN : v)),
    clusters,
    undetermined,
  };
}

function unadjusted(model: WorkingModel, groups: readonly Int32Array[], type: RobustType): Covariance {
  const { rows: n, cols: p } = model.U;
  const G = groups.length;
  const meat = zeros(p, p);
  for (const rows of groups) addScore(meat, transposeTimes(weightedRows(model, rows), pick(model.residuals, rows)));
  const scale = type === "CR0" ? 1 : (G / (G - 1)) * (type === "CR1S" ? (n - 1) / (n - p) : 1);
  return { vcov: sandwich(model.bread, meat, scale), df: new Float64Array(p).fill(G - 1), clusters: G };
}

function heteroscedastic(model: WorkingModel, type: RobustType): Covariance {
  const { U, weights, residuals } = model;
  const h = type === "HC2" || type === "HC3" ? model.leverage() : undefined;
  if (h?.some((own) => 1 - own < OWN_COEFFICIENT)) {
    // a row that is fitted exactly has the residual 0 and 1 - h = 0: HC2 and HC3 divide one by the other
    const nothing = zeros(U.cols, U.cols);
    nothing.data.fill(Number.NaN);
    return { vcov: nothing, df: new Float64Array(U.cols).fill(Number.NaN), clusters: U.rows };
  }
  const { rows: n, cols: p } = U;
  const squares = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const score = weights[i]! * residuals[i]!;
    const left = h ? 1 - h[i]! : 1;
    squares[i] = (score * score) / (type === "HC2" ? left : type === "HC3" ? left * left : 1);
  }
  const scale = type === "HC1" ? n / (n - p) : 1;
  return {
    vcov: sandwich(model.bread, crossprod(U, U, squares), scale),
    df: new Float64Array(p).fill(n - p),
    clusters: n,
  };
}

/** CR2 and its Satterthwaite degrees of freedom, one pass over the clusters. */
function biasReduced(model: WorkingModel, groups: readonly Int32Array[]): Covariance {
  const { U, bread: M, weights, target } = model;
  const p = U.cols;
  const K = crossprod(U, U, target ? weights.map((w, i) => w * (w * target[i]!)) : weights.map((w) => w * w));
  const meat = zeros(p, p);
  const tests = Array.from({ length: p }, () => new SatterthwaiteSum(p, K));
  const root = target || weights.some((w) => w !== 1) ? undefined : lowerFactor(M);
  for (const rows of groups) {
    const R = root ? adjustedOrdinary(model, rows, root) : adjustedDense(model, rows, K); // A_g W_g U_g
    addScore(meat, transposeTimes(R, pick(model.residuals, rows)));
    const Ug = selectRows(U, rows);
    const phi = target ? pick(target, rows) : new Float64Array(rows.length).fill(1);
    const wPhi = phi.map((v, i) => v * weights[rows[i]!]!);
    const RtR = multiply(multiply(M, crossprod(R, R, phi)), M); // M R'ΦR M: its diagonal is u'Φu
    const A = multiply(crossprod(Ug, R, wPhi), M); //           a = U'WΦ u, one column per coefficient
    const B = multiply(M, multiply(crossprod(Ug, R), M)); //    b = M U'u
    for (let j = 0; j < p; j++) tests[j]!.add(RtR.data[j + j * p]!, A, B, j);
  }
  return { vcov: sandwich(M, meat, 1), df: Float64Array.from(tests, (t) => t.df()), clusters: groups.length };
}

/** ν = (tr P)² / tr P², P_gh = δ_gh u_g'Φu_g - a_g'b_h - b_g'a_h + b_g'K b_h (Pustejovsky & Tipton, eq. 13), from running sums. */
class SatterthwaiteSum {
  readonly #p: number;
  readonly #N: Matrix;
  readonly #S: Matrix;
  #trace = 0;
  #diagonal = 0;

  constructor(p: number, K: Matrix) {
    this.#p = p;
    this.#S = zeros(2 * p, 2 * p);
    this.#N = zeros(2 * p, 2 * p); // [0, -I; -I, K]
    for (let i = 0; i < p; i++) {
      this.#N.data[p + i + i * 2 * p] = this.#N.data[i + (p + i) * 2 * p] = -1;
      for (let j = 0; j < p; j++) this.#N.data[p + i + (p + j) * 2 * p] = K.data[i + j * p]!;
    }
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

/** Φ = W = I: A_g U_g = Y (I - Y'Y)^(-1/2) C⁻¹ with M = CC', Y = U_g C, so that only a p x p matrix is decomposed. */
function adjustedOrdinary(model: WorkingModel, rows: Int32Array, root: { C: Matrix; inverse: Matrix }): Matrix {
  const Y = multiply(selectRows(model.U, rows), root.C);
  const { values, vectors } = eigenSymmetric(crossprod(Y));
  const p = Y.cols;
  const scaled = zeros(p, p);
  for (let j = 0; j < p; j++) {
    const left = 1 - values[j]!;
    const f = left > ZERO_EIGENVALUE ? 1 / Math.sqrt(left) : 0;
    for (let i = 0; i < p; i++) scaled.data[i + j * p] = vectors.data[i + j * p]! * f;
  }
  return multiply(Y, multiply(multiply(scaled, transpose(vectors)), root.inverse));
}

/** A_g = Φ^½ (Φ^½ V Φ^½)^(-½) Φ^½ with V = (I-H)_g Φ (I-H)_g', by an eigen decomposition of the cluster's own size. */
function adjustedDense(model: WorkingModel, rows: Int32Array, K: Matrix): Matrix {
  const m = rows.length;
  if (m > LARGEST_DENSE_CLUSTER) {
    throw new StatError(
      "ClusterTooLarge",
      `CR2 with weights or a glm needs an ${m} x ${m} decomposition for one cluster.`,
      "Use --robust CR1, which is close to CR2 when clusters are that large.",
    );
  }
  const { bread: M, weights, target } = model;
  const Ug = selectRows(model.U, rows);
  const UM = multiply(Ug, M);
  const H = multiply(UM, transpose(Ug)); // without its right factor W
  const tail = multiply(multiply(UM, K), transpose(UM));
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

/** W_g U_g */
function weightedRows(model: WorkingModel, rows: Int32Array): Matrix {
  const X = selectRows(model.U, rows);
  scaleRows(X, pick(model.weights, rows));
  return X;
}

function lowerFactor(M: Matrix): { C: Matrix; inverse: Matrix } {
  const C = zeros(M.rows, M.cols);
  choleskyInto(C, M);
  return { C, inverse: transpose(invertUpper(transpose(C))) };
}

const pick = (values: Float64Array, rows: Int32Array): Float64Array => Float64Array.from(rows, (row) => values[row]!);

function transposeTimes(R: Matrix, e: Float64Array): Float64Array {
  const s = new Float64Array(R.cols);
  for (let j = 0; j < R.cols; j++) for (let i = 0; i < R.rows; i++) s[j]! += R.data[i + j * R.rows]! * e[i]!;
  return s;
}

function addScore(meat: Matrix, s: Float64Array): void {
  const p = s.length;
  for (let j = 0; j < p; j++) for (let i = 0; i < p; i++) meat.data[i + j * p]! += s[i]! * s[j]!;
}

function sandwich(M: Matrix, meat: Matrix, scale: number): Matrix {
  const V = multiply(multiply(M, meat), M);
  for (let k = 0; k < V.data.length; k++) V.data[k]! *= scale;
  return V;
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
