/** The ML deviance of a mixed model as a function of its covariance factors and σ, not profiled over σ, with its gradient, and
 *  optionally with one linear function of β held fixed: what profile likelihoods are made of.
 *
 *      D = n log 2πσ² + log|H| + e'H⁻¹e/σ² - Σ log w,    H = W⁻¹ + ZΛΛ'Z',    e = y - Xβ̃
 *      l'β̃ = b:  e'H⁻¹e grows by (l'β̂ - b)²/(l'(X'H⁻¹X)⁻¹l)
 *
 *  β̃ minimises e'H⁻¹e, so its derivative drops out, and that in the factors is the fit's own (lmm/gradient.ts) with 1/σ² as the
 *  weight of r². A factor M that is no triangle is M = TQ with T lower triangular and orthonormal Q: D depends on MM' = TT'
 *  alone, and ∂D/∂M = (∂D/∂T)Q, all entries of T counted.
 *  Oracle: the engine's objective at its own σ; differences (linear-deviance.test.ts). */
import { identity, type Matrix, matVec, multiply, zeros } from "../../numeric/linalg/matrix.ts";
import { derivativesInto, type FactorEntries, fixedInverse } from "../lmm/gradient.ts";
import { factorAt, projectResponse } from "../lmm/objective.ts";
import type { LmmFactor, LmmProblem } from "../lmm/problem.ts";
import type { LmmResponse } from "../lmm/response.ts";
import type { RandomStructure } from "../random/random.ts";

export interface DeviancePoint {
  /** One square factor per term, relative to σ; the covariances of terms without correlations stay diagonal. */
  readonly factors: readonly Matrix[];
  /** The best one when missing. */
  readonly sigma?: number;
  /** l'β = value, in the coordinates of X R⁻¹ and less the least-squares fit. */
  readonly fixed?: { readonly l: Float64Array; readonly value: number };
}

export interface Deviance {
  readonly value: number;
  readonly sigma: number;
  /** ∂D/∂M, one matrix per term. */
  readonly byFactor: readonly Matrix[];
  readonly byLogSigma: number;
  /** ∂D/∂b of the fixed function, else 0. */
  readonly byFixed: number;
}

/** D at any point, for one response; undefined where the covariance is not finite. */
export function lmmDeviance(
  problem: LmmProblem,
  response: LmmResponse,
): (point: DeviancePoint) => Deviance | undefined {
  const ml: LmmProblem = { ...problem, criterion: "ML" };
  const { structure, nobs: n, work, logWeights } = ml;
  const { entries, start, count } = allEntries(structure, ml.factors);
  const byEntry = new Float64Array(count);
  return ({ factors, sigma, fixed }) => {
    const turned = factors.map(triangularFactor);
    if (!factorAt(ml, thetaOf(structure, turned))) return undefined;
    const { rss, byValue } = constrain(ml, projectResponse(ml, response), fixed);
    const s2 = sigma === undefined ? rss / n : sigma * sigma;
    derivativesInto(byEntry, ml, response, { weight: 1 / s2, entries });
    return {
      value: n * Math.log(2 * Math.PI * s2) + work.scalars[0]! + rss / s2 - logWeights,
      sigma: Math.sqrt(s2),
      byFactor: turned.map(({ T, Q }, t) => multiply({ ...T, data: byEntry.subarray(start[t]!, start[t + 1]!) }, Q)),
      byLogSigma: 2 * n - (2 * rss) / s2,
      byFixed: byValue / s2,
    };
  };
}

/** M = TQ, T lower triangular with a diagonal ≥ 0, the rows of Q orthonormal, or 0 where M has no full rank. */
export function triangularFactor(M: Matrix): { readonly T: Matrix; readonly Q: Matrix } {
  const q = M.rows;
  if (isLowerTriangular(M)) return { T: M, Q: identity(q) };
  const T = zeros(q, q);
  const Q = zeros(q, q);
  for (let i = 0; i < q; i++) {
    const left = Float64Array.from({ length: q }, (_, c) => M.data[i + c * q]!);
    for (let b = 0; b < i; b++) {
      let s = 0;
      for (let k = 0; k < q; k++) s += Q.data[b + k * q]! * left[k]!;
      T.data[i + b * q] = s;
      for (let k = 0; k < q; k++) left[k]! -= s * Q.data[b + k * q]!;
    }
    const length = Math.hypot(...left);
    T.data[i + i * q] = length;
    if (length > 0) for (let k = 0; k < q; k++) Q.data[i + k * q] = left[k]! / length;
  }
  return { T, Q };
}

function isLowerTriangular({ rows: q, data }: Matrix): boolean {
  for (let j = 0; j < q; j++) {
    if (!(data[j * (q + 1)]! >= 0)) return false;
    for (let i = 0; i < j; i++) if (data[i + j * q] !== 0) return false;
  }
  return true;
}

function thetaOf({ term, row, col }: RandomStructure, turned: readonly { readonly T: Matrix }[]): Float64Array {
  return Float64Array.from(term, (t, k) => {
    const { T } = turned[t]!;
    return T.data[row[k]! + col[k]! * T.rows]!;
  });
}

/** Puts the best γ with l'γ = value into problem.work instead of the best of all. */
function constrain(problem: LmmProblem, rss: number, fixed: DeviancePoint["fixed"]) {
  if (fixed === undefined) return { rss, byValue: 0 };
  const { l, value } = fixed;
  const { gamma } = problem.work;
  const along = matVec(fixedInverse(problem), l);
  let variance = 0;
  let gap = -value;
  for (let j = 0; j < l.length; j++) {
    variance += l[j]! * along[j]!;
    gap += l[j]! * gamma[j]!;
  }
  const step = gap / variance;
  for (let j = 0; j < l.length; j++) gamma[j]! -= along[j]! * step;
  return { rss: rss + gap * step, byValue: -2 * step };
}

interface AllEntries {
  readonly entries: readonly FactorEntries[];
  /** First place of each term, whose matrix follows by columns. */
  readonly start: Int32Array;
  readonly count: number;
}

/** Every entry of the T of every term. */
function allEntries({ terms }: RandomStructure, factors: readonly LmmFactor[]): AllEntries {
  const start = new Int32Array(terms.length + 1);
  terms.forEach(({ size }, t) => {
    start[t + 1] = start[t]! + size * size;
  });
  const entries = factors.map((factor): FactorEntries => {
    const [theta, row, col]: number[][] = [[], [], []];
    for (const { term, column } of factor.terms) {
      const { size } = terms[term]!;
      for (let e = 0; e < size * size; e++) {
        theta!.push(start[term]! + e);
        row!.push(column + (e % size));
        col!.push(column + Math.floor(e / size));
      }
    }
    return { theta: Int32Array.from(theta!), row: Int32Array.from(row!), col: Int32Array.from(col!) };
  });
  return { entries, start, count: start[terms.length]! };
}
