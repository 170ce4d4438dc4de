/** Satterthwaite's degrees of freedom for contrasts of a linear mixed model, and F tests of several contrasts together.
 *
 *      df(l) = 2 (l'Φl)² / (g'Ag),   g = ∂(l'Φl)/∂φ,   A = 2 (∂²D/∂φ∂φ')⁻¹,   φ = (θ, log σ)
 *
 *  Φ = Cov β̂ and D is the deviance or REML criterion, not profiled. Both derivatives are exact (information.ts).
 *  F of q rows: with the eigenvectors of LΦL' they become q uncorrelated t statistics t_m on ν_m df; F = Σt_m²/q, and its df
 *  ν is that of the F distribution with the mean Σ ν_m/(ν_m - 2)/q; 2 where some ν_m ≤ 2.
 *  Reference: Giesbrecht & Burns (1985), Biometrics 41; Fai & Cornelius (1996), J. Stat. Comput. Simul. 54;
 *             Kuznetsova, Brockhoff & Christensen (2017), J. Stat. Softw. 82(13).
 *  Oracle:    lmerTest (R), oracle/r/lmm-inference.json; balanced designs, where df are those of the analysis of variance.
 *  Limits:    at a boundary of θ as lmerTest: directions in which D is flat or falls (eigenvalue ≤ 1e-8) are left out. lmerTest
 *             has σ where we have log σ: the same number, but not at the mercy of the unit of y. */

import { fSf } from "../../numeric/dist/f.ts";
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import {
  addInto,
  bilinear,
  column,
  crossprod,
  type Matrix,
  matVec,
  multiply,
  tMatVec,
  transpose,
  zeros,
} from "../../numeric/linalg/matrix.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { relativeFactor } from "../random/random.ts";
import {
  coordinates,
  criterionDerivatives,
  estimateOf,
  type LmmInformation,
  type LmmPoint,
  leading,
  lmmInformation,
} from "./information.ts";
import type { LmmProblem } from "./problem.ts";

export interface Satterthwaite {
  readonly information: LmmInformation;
  /** Covariance of (θ, log σ). */
  readonly covariance: Matrix;
  /** ∂Φ/∂φ in the coordinates of X R⁻¹. */
  readonly jacobian: readonly Matrix[];
  /** Directions without positive curvature, which were left out. */
  readonly flat: number;
}

/** An F test of several contrasts. */
export interface ContrastTest {
  readonly statistic: number;
  readonly df1: number;
  readonly df2: number;
  readonly p: number;
}

/** Curvature of the criterion below which a direction counts as flat; lmerTest's choice. */
const FLAT = 1e-8;

/** What all contrasts of a fit share. */
export function prepareSatterthwaite(problem: LmmProblem, at: LmmPoint): Satterthwaite {
  const information = lmmInformation(problem, at);
  const J = chainRule(information);
  const { gradient, hessian } = criterionDerivatives(information);
  const H = crossprod(J, multiply(hessian, J));
  addCurvatureInto(H, information, { gradient, J });
  const { values, vectors } = eigenSymmetric(H);
  const n = H.rows;
  const covariance = zeros(n, n);
  let flat = 0;
  values.forEach((value, k) => {
    if (!(value > FLAT)) {
      flat += 1;
      return;
    }
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++)
        covariance.data[i + j * n]! += (2 / value) * vectors.data[i + k * n]! * vectors.data[j + k * n]!;
  });
  return { information, covariance, jacobian: covarianceJacobian(information, J), flat };
}

/** γ_k = σ² Σ_c T[row, c] T[col, c] as a function of (θ, log σ): its first derivatives, one column per parameter. */
function chainRule({ problem: { structure }, theta, sigma }: LmmInformation): Matrix {
  const { term, row, col } = structure;
  const count = term.length;
  const n = count + 1;
  const s2 = sigma * sigma;
  const J = zeros(n, n);
  const factors = structure.terms.map((_, t) => relativeFactor(structure, theta, t));
  for (let k = 0; k < count; k++) {
    const T = factors[term[k]!]!;
    for (let c = 0; c < T.cols; c++) {
      J.data[k + count * n]! += 2 * s2 * T.data[row[k]! + c * T.rows]! * T.data[col[k]! + c * T.rows]!;
    }
    for (let l = 0; l < count; l++) {
      if (term[l] !== term[k]) continue;
      const c = col[l]! * T.rows;
      if (row[l] === row[k]) J.data[k + l * n]! += s2 * T.data[col[k]! + c]!;
      if (row[l] === col[k]) J.data[k + l * n]! += s2 * T.data[row[k]! + c]!;
    }
  }
  J.data[count + count * n] = 2 * s2;
  return J;
}

/** H += Σ_k gradient_k ∂²γ_k/∂φ∂φ'. */
function addCurvatureInto(
  H: Matrix,
  { problem: { structure }, sigma }: LmmInformation,
  { gradient, J }: { gradient: Float64Array; J: Matrix },
): void {
  const { term, row, col } = structure;
  const count = term.length;
  const n = H.rows;
  for (let l = 0; l < n; l++) {
    // ∂/∂ log σ of any first derivative is twice that derivative
    let twice = 0;
    for (let k = 0; k < n; k++) twice += 2 * gradient[k]! * J.data[k + l * n]!;
    H.data[l + count * n]! += twice;
    if (l !== count) H.data[count + l * n]! += twice;
  }
  for (let k = 0; k < count; k++)
    for (let l = 0; l < count; l++)
      for (let r = 0; r < count; r++) {
        if (term[l] !== term[k] || term[r] !== term[k] || col[l] !== col[r]) continue;
        const straight = row[l] === row[k] && row[r] === col[k] ? 1 : 0;
        const crossed = row[l] === col[k] && row[r] === row[k] ? 1 : 0;
        H.data[l + r * n]! += gradient[k]! * sigma * sigma * (straight + crossed);
      }
}

/** ∂Φ/∂φ_i = Σ_k (∂γ_k/∂φ_i) Φ X'V⁻¹G_kV⁻¹X Φ. */
function covarianceJacobian({ gls, derivatives }: LmmInformation, J: Matrix): Matrix[] {
  const Phi = gls.inverse;
  const p = Phi.rows;
  const inGamma = derivatives.first.map((own) => multiply(Phi, multiply(leading(own, p), Phi)));
  return Array.from({ length: J.cols }, (_, i) => {
    const sum = zeros(p, p);
    inGamma.forEach((own, k) => {
      addInto(sum, sum, own, J.data[k + i * J.rows]!);
    });
    return sum;
  });
}

/** One df per row of L, whose columns are those of problem.X (the estimable coefficients). */
export function satterthwaiteDf(prepared: Satterthwaite, L: Matrix): Float64Array {
  const rows = coordinates(prepared.information, L);
  return Float64Array.from({ length: L.rows }, (_, i) => {
    const l = Float64Array.from({ length: rows.cols }, (_, j) => rows.data[i + j * rows.rows]!);
    return contrastDf(prepared, l);
  });
}

function contrastDf({ information, covariance, jacobian }: Satterthwaite, l: Float64Array): number {
  const { gls, sigma } = information;
  const variance = sigma * sigma * bilinear(l, gls.inverse, l);
  const g = Float64Array.from(jacobian, (own) => bilinear(l, own, l));
  return (2 * variance * variance) / bilinear(g, covariance, g);
}

/** Share of the largest eigenvalue of LΦL' below which a row adds nothing to the others; lmerTest's √ε. */
const RANK_SHARE = 1.5e-8;
/** df that differ by less are one. */
const SAME_DF = 1e-8;

/** H0: Lβ = `value` (0 unless given). */
export function satterthwaiteF(prepared: Satterthwaite, L: Matrix, value?: Float64Array): ContrastTest {
  const { information } = prepared;
  const { gls, sigma } = information;
  const rows = coordinates(information, L);
  const delta = matVec(L, estimateOf(information));
  if (value) for (let i = 0; i < delta.length; i++) delta[i]! -= value[i]!;
  const { values, vectors } = eigenSymmetric(multiply(rows, multiply(gls.inverse, transpose(rows))));
  const own: number[] = [];
  let sum = 0;
  for (let m = 0; m < values.length; m++) {
    if (!(values[m]! > RANK_SHARE * values[0]!)) break;
    const v = column(vectors, m);
    const t = dot(v, delta);
    sum += (t * t) / (values[m]! * sigma * sigma);
    own.push(contrastDf(prepared, tMatVec(rows, v)));
  }
  const df1 = own.length;
  const df2 = combineDf(own);
  const statistic = sum / df1;
  return { statistic, df1, df2, p: fSf(statistic, df1, df2) };
}

function combineDf(df: readonly number[]): number {
  const spread = mostOf(df) - leastOf(df);
  if (df.length === 1 || spread < SAME_DF) return df.reduce((a, b) => a + b, 0) / df.length;
  if (df.some((own) => own <= 2)) return 2;
  const mean = df.reduce((sum, own) => sum + own / (own - 2), 0);
  return (2 * mean) / (mean - df.length);
}

function dot(a: Float64Array, b: Float64Array): number {
  let s = 0;
  for (let i = 0; i < a.length; i++) s += a[i]! * b[i]!;
  return s;
}
