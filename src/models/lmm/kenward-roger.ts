/** Kenward and Roger's adjusted covariance of the coefficients of a linear mixed model, and the df and F tests that go with it.
 *
 *      Φ_A = Φ + 2Φ {Σ_kl W_kl (Q_kl - P_kΦP_l)} Φ        W = 2 M⁻¹,  M_kl = tr PG_kPG_l  (expected information, REML)
 *      P_k = X'V⁻¹G_kV⁻¹X,  Q_kl = X'V⁻¹G_kV⁻¹G_lV⁻¹X      V = Σ γ_k G_k  (linear in γ: no second-derivative term)
 *
 *  F of q rows L: λ (Lβ̂)'(LΦ_AL')⁻¹Lβ̂ / q on (q, m) df; λ and m match mean and variance of F, from A₁ and A₂ of the paper.
 *  Nothing of order n is formed: 600 rows take milliseconds.
 *  Reference: Kenward & Roger (1997), Biometrics 53(3); Halekoh & Højsgaard (2014), J. Stat. Softw. 59(9), section 2.
 *  Oracle:    pbkrtest (R), oracle/r/lmm-inference.json; balanced designs in closed form.
 *  Limits:    defined for REML: for a fit by ML the tests, and β̂ in them, are those of its refit by REML, as in pbkrtest.
 *             Weights are known precisions. */
import { fSf } from "../../numeric/dist/f.ts";
import { cholesky, cholSolve } from "../../numeric/linalg/cholesky.ts";
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import {
  addInto,
  clone,
  type Matrix,
  matVec,
  multiply,
  selectRows,
  transpose,
  zeros,
} from "../../numeric/linalg/matrix.ts";
import { qr } from "../../numeric/linalg/qr.ts";
import { solveLowerInto } from "../../numeric/linalg/triangular.ts";

import {
  coordinates,
  estimateOf,
  expectedTraces,
  type LmmInformation,
  type LmmPoint,
  leading,
  lmmInformation,
} from "./information.ts";
import type { LmmProblem } from "./problem.ts";
import type { ContrastTest } from "./satterthwaite.ts";
import { solveLmm } from "./solve.ts";

export interface KenwardRoger {
  readonly information: LmmInformation;
  /** Φ_A in the columns of problem.X. */
  readonly vcov: Matrix;
  /** β̂ of the REML fit. */
  readonly beta: Float64Array;
  /** The fit was by ML, and the tests belong to its refit by REML. */
  readonly refitted: boolean;
  /** M⁻¹ in units of σ = 1. */
  readonly inverse: Matrix;
  /** Φ P_k Φ in units of σ = 1 and in the coordinates of X R⁻¹. */
  readonly sandwich: readonly Matrix[];
}

export interface KenwardRogerTest extends ContrastTest {
  /** λ, by which the Wald F was multiplied. */
  readonly scaling: number;
}

/** What all contrasts of a fit share. A model fitted by ML is refitted by REML first. */
export function prepareKenwardRoger(problem: LmmProblem, at: LmmPoint): KenwardRoger {
  const reml: LmmProblem = { ...problem, criterion: "REML" };
  const refitted = problem.criterion !== "REML";
  const information = lmmInformation(reml, refitted ? solveLmm(reml, at.response, { start: at.theta }) : at);
  const { gls, derivatives, sigma } = information;
  const Phi = gls.inverse;
  const p = Phi.rows;
  const inverse = invertInformation(expectedTraces(information));
  const first = derivatives.first.map((own) => leading(own, p));
  const count = first.length;
  const seen = first.map((own) => multiply(Phi, own));
  const U = zeros(p, p);
  for (let k = 0; k < count; k++)
    for (let l = 0; l < count; l++) {
      const w = inverse.data[k + l * count]!;
      addInto(U, U, leading(derivatives.second[k]![l]!, p), w);
      addInto(U, U, multiply(first[k]!, seen[l]!), -w);
    }
  const adjusted = clone(Phi);
  addInto(adjusted, adjusted, multiply(Phi, multiply(U, Phi)), 4);
  const { inverseR } = problem;
  const inX = multiply(inverseR, multiply(adjusted, transpose(inverseR)));
  const vcov = zeros(p, p);
  for (let j = 0; j < p; j++)
    for (let i = 0; i < p; i++)
      vcov.data[i + j * p] = (sigma * sigma * (inX.data[i + j * p]! + inX.data[j + i * p]!)) / 2;
  return {
    information,
    vcov,
    beta: estimateOf(information),
    refitted,
    inverse,
    sandwich: seen.map((own) => multiply(own, Phi)),
  };
}

/** Eigenvalues of the information, scaled to a unit diagonal, below this are directions that the data say nothing about. */
const FLAT_SHARE = 1e-10;

/** M⁻¹ by way of D^-½MD^-½, whose entries do not depend on the units of the variances; a pseudo-inverse where M is singular. */
function invertInformation(M: Matrix): Matrix {
  const n = M.rows;
  const scale = Float64Array.from({ length: n }, (_, i) => Math.sqrt(M.data[i * (n + 1)]!));
  const scaled = zeros(n, n);
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n; i++) scaled.data[i + j * n] = M.data[i + j * n]! / (scale[i]! * scale[j]!);
  const { values, vectors } = eigenSymmetric(scaled);
  const out = zeros(n, n);
  values.forEach((value, k) => {
    if (!(value > FLAT_SHARE)) return;
    for (let j = 0; j < n; j++)
      for (let i = 0; i < n; i++) {
        const share = (vectors.data[i + k * n]! * vectors.data[j + k * n]!) / value;
        out.data[i + j * n]! += share / (scale[i]! * scale[j]!);
      }
  });
  return out;
}

/** One df per row of L, whose columns are those of problem.X. */
export function kenwardRogerDf(prepared: KenwardRoger, L: Matrix): Float64Array {
  return Float64Array.from({ length: L.rows }, (_, i) => moments(prepared, selectRows(L, [i])).df2);
}

/** H0: Lβ = `value` (0 unless given). Rows that others determine are left out. */
export function kenwardRogerF(prepared: KenwardRoger, L: Matrix, value?: Float64Array): KenwardRogerTest {
  const kept = qr(transpose(L))
    .pivot.slice(0, qr(transpose(L)).rank)
    .sort();
  const own = selectRows(L, kept);
  const { df2, scaling } = moments(prepared, own);
  const delta = matVec(own, prepared.beta);
  if (value)
    kept.forEach((row, i) => {
      delta[i]! -= value[row]!;
    });
  const factor = cholesky(multiply(own, multiply(prepared.vcov, transpose(own))));
  const solved = factor === undefined ? delta.map(() => Number.NaN) : cholSolve(factor, delta);
  const df1 = own.rows;
  let wald = 0;
  for (let i = 0; i < df1; i++) wald += (delta[i]! * solved[i]!) / df1;
  const statistic = scaling * wald;
  return { statistic, df1, df2, p: fSf(statistic, df1, df2), scaling };
}

/** Denominator df and scaling of F for independent rows. */
function moments({ information, inverse, sandwich }: KenwardRoger, L: Matrix): { df2: number; scaling: number } {
  const q = L.rows;
  const rows = coordinates(information, L);
  const factor = cholesky(multiply(rows, multiply(information.gls.inverse, transpose(rows))));
  if (factor === undefined) return { df2: Number.NaN, scaling: Number.NaN };
  // C^-1 L ΦP_kΦ L' C^-T with CC' = LΦL': the trace of a product with Θ = L'(LΦL')⁻¹L becomes a plain trace
  const seen = sandwich.map((own) => {
    const half = multiply(rows, multiply(own, transpose(rows)));
    solveLowerInto(half, factor);
    const whole = transpose(half);
    solveLowerInto(whole, factor);
    return whole;
  });
  let A1 = 0;
  let A2 = 0;
  seen.forEach((a, k) => {
    seen.forEach((b, l) => {
      const w = 2 * inverse.data[k + l * seen.length]!;
      A1 += w * traceOf(a) * traceOf(b);
      for (let j = 0; j < q; j++) for (let i = 0; i < q; i++) A2 += w * a.data[i + j * q]! * b.data[j + i * q]!;
    });
  });
  return matchMoments(A1, A2, q);
}

function traceOf(A: Matrix): number {
  let s = 0;
  for (let i = 0; i < A.rows; i++) s += A.data[i * (A.rows + 1)]!;
  return s;
}

/** Below this 1 + c₁B counts as 0 (the paper's special cases). */
const VANISHING = 1e-10;
/** A ratio of two quantities below this is taken as 1: both vanish in the exact cases, e.g. Hotelling's T². */
const ZERO_RATIO = 1e-14;
/** So near to 2 df the mean of F does not exist, and λ stays 1. */
const NO_MEAN = 1e-2;

/** Kenward & Roger's section 3: λF has the first two moments of F(q, m). */
function matchMoments(A1: number, A2: number, q: number): { df2: number; scaling: number } {
  const B = (A1 + 6 * A2) / (2 * q);
  const g = ((q + 1) * A1 - (q + 4) * A2) / ((q + 2) * A2);
  const base = 3 * q + 2 * (1 - g);
  const V0 = 1 + (g / base) * B;
  const V1 = 1 - ((q - g) / base) * B;
  const V2 = 1 - ((q + 2 - g) / base) * B;
  const left = 1 - A2 / q;
  const ratio = Math.abs(left) < ZERO_RATIO && Math.abs(V1) < ZERO_RATIO ? 1 : left / V1;
  const rho = (ratio ** 2 * (Math.abs(V0) < VANISHING ? 0 : V0)) / V2 / q;
  const df2 = 4 + (q + 2) / (q * rho - 1);
  return { df2, scaling: Math.abs(df2 - 2) < NO_MEAN ? 1 : (df2 * left) / (df2 - 2) };
}
