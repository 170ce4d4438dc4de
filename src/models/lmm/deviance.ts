/** The ML deviance of a mixed model as a function of its covariance factors and σ, not profiled over σ, with its gradient, and
 *  optionally with one linear function of β held fixed: what profile likelihoods are made of.
 *
 *      D = n log 2πσ² + log|H| + e'H⁻¹e/σ² - Σ log w,    H = W⁻¹ + ZΛΛ'Z',    e = y - Xβ̃
 *      ∂D/∂Λ_t = 2 (S_t - d_td_t'/σ²) Λ_t,    S_t = Σ_levels (Z_t'H⁻¹Z_t)_ll,    d_t = Z_t'H⁻¹e (levels in columns)
 *      l'β̃ = b:  e'H⁻¹e grows by (l'β̂ - b)²/(l'(X'H⁻¹X)⁻¹l)
 *
 *  β̃ minimises e'H⁻¹e, so its derivative drops out.
 *  Oracle: the engine's objective at its own σ; differences (profile/linear.test.ts). */
import { type Matrix, matVec, multiply, zeros } from "../../numeric/linalg/matrix.ts";
import { type Gls, type LmmMoments, lmmMoments, solveGls } from "./moments.ts";
import type { LmmProducts, Slice } from "./products.ts";
import { traceBlocks } from "./traces.ts";

export interface DeviancePoint {
  /** One square factor per term, relative to σ. */
  readonly factors: readonly Matrix[];
  /** The best one when missing. */
  readonly sigma?: number;
  /** l'β = value, in the coordinates of X R⁻¹ and less the least-squares fit. */
  readonly fixed?: { readonly l: Float64Array; readonly value: number };
}

export interface Deviance {
  readonly value: number;
  readonly sigma: number;
  /** ∂D/∂Λ_t, one matrix per term. */
  readonly byFactor: readonly Matrix[];
  readonly byLogSigma: number;
  /** ∂D/∂b of the fixed function, else 0. */
  readonly byFixed: number;
}

/** Undefined where the covariance is not finite. */
export function lmmDeviance(products: LmmProducts, { factors, sigma, fixed }: DeviancePoint): Deviance | undefined {
  const moments = lmmMoments(products, factors);
  const gls = moments && solveGls(moments);
  if (moments === undefined || gls === undefined) return undefined;
  const { beta, rss, byValue } = constrain(gls, fixed);
  const n = products.nobs;
  const s2 = sigma === undefined ? rss / n : sigma * sigma;
  const traces = traceBlocks(moments);
  const scores = residualScores(moments, beta);
  return {
    value: n * Math.log(2 * Math.PI * s2) + moments.logDet + rss / s2 - products.logWeights,
    sigma: Math.sqrt(s2),
    byFactor: factors.map((T, t) => {
      const inside = zeros(T.rows, T.rows);
      for (let i = 0; i < inside.data.length; i++)
        inside.data[i] = 2 * (traces[t]!.data[i]! - scores[t]!.data[i]! / s2);
      return multiply(inside, T);
    }),
    byLogSigma: 2 * n - (2 * rss) / s2,
    byFixed: byValue / s2,
  };
}

function constrain({ beta, inverse, rss }: Gls, fixed: DeviancePoint["fixed"]) {
  if (fixed === undefined) return { beta, rss, byValue: 0 };
  const { l, value } = fixed;
  const along = matVec(inverse, l);
  let variance = 0;
  let gap = -value;
  for (let j = 0; j < l.length; j++) {
    variance += l[j]! * along[j]!;
    gap += l[j]! * beta[j]!;
  }
  const step = gap / variance;
  return { beta: beta.map((b, j) => b - along[j]! * step), rss: rss + gap * step, byValue: -2 * step };
}

/** Σ over levels of d d', one matrix per term. */
function residualScores({ R1, R2, products }: LmmMoments, beta: Float64Array): Matrix[] {
  const residual = (R: Matrix): Float64Array => {
    const d = R.data.slice(beta.length * R.rows);
    for (let j = 0; j < beta.length; j++) for (let i = 0; i < R.rows; i++) d[i]! -= beta[j]! * R.data[i + j * R.rows]!;
    return d;
  };
  const d1 = residual(R1);
  const d2 = residual(R2);
  return products.slices.map((slices) => {
    const out = zeros(slices.length, slices.length);
    slices.forEach((a, i) => {
      slices.slice(0, i + 1).forEach((b, j) => {
        const s = sumProducts(a.eliminated ? d1 : d2, a, b);
        out.data[i + j * out.rows] = out.data[j + i * out.rows] = s;
      });
    });
    return out;
  });
}

function sumProducts(d: Float64Array, a: Slice, b: Slice): number {
  let s = 0;
  for (let l = 0; l < a.levels; l++) s += d[a.start + l * a.stride]! * d[b.start + l * b.stride]!;
  return s;
}
