/** Rows of an adjacent-category, continuation- or stopping-ratio model for the Laplace approximation:   η_j = α_j + η,  η = xβ + offset + random part
 *  A shift of η shifts all steps alike, so that with u_j = ∂ℓ/∂α_j, v_j = ∂²ℓ/∂η∂α_j, w_j = -∂³ℓ/∂η²∂α_j the row has
 *      ∂ℓ/∂η = Σ u_j,     W = -∂²ℓ/∂η² = -Σ v_j,     ∂W/∂η = Σ w_j
 *    ratios    ℓ = Σ_j log F(±η_j) over the trials up to the one that stops:  u, v, w are the derivatives of one trial
 *    adjacent  with I_j = 1(Y > j), μ = E Y:   u_j = 1(y > j) - E I_j,   v_j = -Cov(Y, I_j),   w_j = Cov((Y - μ)², I_j)
 *  Reference: Agresti (2010), Analysis of Ordinal Categorical Data, 4.1-4.2 and 10.2; Tutz & Hennevogl (1996), Comput. Stat. Data Anal. 22.
 *  Oracle:    lme4 (R): glmer of the stacked trials, and a Laplace approximation of its own for the adjacent model, oracle/r/ratio-mixed.json. */
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { CUMULATIVE_LINKS, type CumulativeLink, makeCumulativeTerms } from "./cumulative-link.ts";
import { addColumnsTo, fixedPartInto } from "./fixed-part.ts";
import type { RatioStructure } from "./ratios.ts";
import type { ClmRows } from "./rows.ts";

export interface RatioRowsInput {
  readonly structure: RatioStructure;
  readonly link: CumulativeLink;
  /** Categories from 0. */
  readonly y: Int32Array;
  /** Steps between levels. */
  readonly steps: number;
  readonly X: Matrix;
  readonly offset: Float64Array | undefined;
  /** Frequencies. */
  readonly weights: Float64Array | undefined;
}

/** Fills row i of u, v, w, each n × steps, row by row, and returns ℓ; C gets -∂²ℓ/∂α_j∂α_l where it is asked for. */
interface StepModel {
  fill(at: number, alpha: Float64Array, eta: number, y: number): number;
  curvatureInto(C: Float64Array, at: number, alpha: Float64Array, eta: number): void;
}

interface Steps {
  readonly u: Float64Array;
  readonly v: Float64Array;
  readonly w: Float64Array;
}

export function makeRatioRows(input: RatioRowsInput): ClmRows {
  const { y, steps: m, X, offset, weights } = input;
  const n = y.length;
  const make = (): Float64Array => new Float64Array(n);
  const [eta0, value, score, weight, slope, lastEta] = [make(), make(), make(), make(), make(), make()];
  const tau = new Float64Array(m);
  const steps: Steps = { u: new Float64Array(n * m), v: new Float64Array(n * m), w: new Float64Array(n * m) };
  const model = input.structure === "adjacent" ? adjacentSteps(m, steps) : trialSteps(input, steps);
  const weightOf = (i: number): number => (weights ? weights[i]! : 1);
  /** Σ_j of a row. */
  const total = (values: Float64Array, i: number): number => {
    let sum = 0;
    for (let j = 0; j < m; j++) sum += values[i * m + j]!;
    return sum;
  };
  const e = make();
  const addColumns = (g: Float64Array, at: number): void => addColumnsTo(g, at + m, X, e);

  return {
    rows: n,
    fixedCount: m + X.cols,
    eta0,
    value,
    constant: 0,
    score,
    weight,
    information: weight,
    informationSlope: slope,
    tau,
    setFixed(phi) {
      for (let j = 0; j < m; j++) tau[j] = phi[j]!;
      fixedPartInto(eta0, { X, offset }, phi, m);
      return tau.every(Number.isFinite);
    },
    likelihood(eta) {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const own = weightOf(i);
        lastEta[i] = eta[i]!;
        value[i] = own * model.fill(i * m, tau, eta[i]!, y[i]!);
        sum += value[i]!;
        score[i] = own * total(steps.u, i);
        // log-concave: what is negative is rounding
        weight[i] = own * Math.max(0, -total(steps.v, i));
      }
      return sum;
    },
    differentiate() {
      for (let i = 0; i < n; i++) slope[i] = weightOf(i) * total(steps.w, i);
    },
    addScoreTo(g, at, l) {
      for (let i = 0; i < n; i++) {
        const own = weightOf(i) * l[i]!;
        for (let j = 0; j < m; j++) g[at + j]! += own * steps.u[i * m + j]!;
        e[i] = l[i]! * score[i]!;
      }
      addColumns(g, at);
    },
    addCurvatureTo(g, at, h, r) {
      for (let i = 0; i < n; i++) {
        const own = 0.5 * weightOf(i);
        for (let j = 0; j < m; j++) g[at + j]! -= own * (h[i]! * steps.w[i * m + j]! + r[i]! * steps.v[i * m + j]!);
        e[i] = 0.5 * (r[i]! * weight[i]! - h[i]! * slope[i]!);
      }
      addColumns(g, at);
    },
    crossInto(out, k) {
      for (let i = 0; i < n; i++)
        out[i] = k < m ? -weightOf(i) * steps.v[i * m + k]! : weight[i]! * X.data[i + (k - m) * n]!;
    },
    addInformationTo(H) {
      const p = m + X.cols;
      const C = new Float64Array(m * m);
      for (let i = 0; i < n; i++) {
        const own = weightOf(i);
        model.curvatureInto(C, i * m, tau, lastEta[i]!);
        for (let j = 0; j < m; j++) {
          for (let l = 0; l < m; l++) H[j * p + l]! += own * C[j * m + l]!;
          for (let k = 0; k < X.cols; k++) {
            const cross = -own * steps.v[i * m + j]! * X.data[i + k * n]!;
            H[j * p + m + k]! += cross;
            H[(m + k) * p + j]! += cross;
          }
        }
        for (let k = 0; k < X.cols; k++)
          for (let l = 0; l < X.cols; l++)
            H[(m + k) * p + m + l]! += weight[i]! * X.data[i + k * n]! * X.data[i + l * n]!;
      }
    },
  };
}

function trialSteps({ structure, link, steps: m }: RatioRowsInput, { u, v, w }: Steps): StepModel {
  const kernel = CUMULATIVE_LINKS[link];
  const out = makeCumulativeTerms();
  const success = structure === "stopping";
  return {
    fill(at, alpha, eta, y) {
      let sum = 0;
      for (let j = 0; j < m; j++) {
        if (y < j) {
          u[at + j] = v[at + j] = w[at + j] = 0;
          continue;
        }
        const x = alpha[j]! + eta;
        const yes = (y === j) === success;
        kernel(out, yes ? x : Number.POSITIVE_INFINITY, yes ? Number.NEGATIVE_INFINITY : x);
        // first to third derivative of F, or of 1 - F, over itself
        const [a, b, c] = yes ? [out[1]!, out[3]!, out[5]!] : [-out[2]!, -out[4]!, -out[6]!];
        sum += out[0]!;
        u[at + j] = a;
        v[at + j] = b - a * a;
        w[at + j] = -(c - 3 * a * b + 2 * a * a * a);
      }
      return sum;
    },
    curvatureInto(C, at) {
      C.fill(0);
      for (let j = 0; j < m; j++) C[j * m + j] = -v[at + j]!;
    },
  };
}

function adjacentSteps(m: number, { u, v, w }: Steps): StepModel {
  const P = new Float64Array(m + 1);
  /** P, then E Y. */
  const meanAt = (alpha: Float64Array, eta: number): number => {
    let [log, top] = [0, 0];
    P[0] = 0;
    for (let j = 0; j < m; j++) {
      log += alpha[j]! + eta;
      P[j + 1] = log;
      top = Math.max(top, log);
    }
    let [all, mean] = [0, 0];
    for (let j = 0; j <= m; j++) {
      P[j] = Math.exp(P[j]! - top);
      all += P[j]!;
      mean += j * P[j]!;
    }
    for (let j = 0; j <= m; j++) P[j]! /= all;
    return mean / all;
  };
  return {
    fill(at, alpha, eta, y) {
      const mean = meanAt(alpha, eta);
      let variance = 0;
      for (let k = 0; k <= m; k++) variance += P[k]! * (k - mean) ** 2;
      let [above, first, second] = [0, 0, 0];
      for (let j = m - 1; j >= 0; j--) {
        const d = j + 1 - mean;
        above += P[j + 1]!;
        first += P[j + 1]! * d;
        second += P[j + 1]! * d * d;
        u[at + j] = Number(y > j) - above;
        v[at + j] = -first;
        w[at + j] = second - variance * above;
      }
      return Math.log(P[y]!);
    },
    curvatureInto(C, _, alpha, eta) {
      meanAt(alpha, eta);
      const above = new Float64Array(m);
      for (let j = m - 1, sum = 0; j >= 0; j--) {
        sum += P[j + 1]!;
        above[j] = sum;
      }
      for (let j = 0; j < m; j++)
        for (let l = 0; l < m; l++) C[j * m + l] = above[Math.max(j, l)]! - above[j]! * above[l]!;
    },
  };
}
