/** Share of the variance of a linear mixed model that its fixed effects (marginal R²) and its fixed and random effects together
 *  (conditional R²) explain, and the intraclass correlation of its random effects.
 *
 *      R²_m = s²_f / (s²_f + s²_r + σ²),    R²_c = (s²_f + s²_r) / (s²_f + s²_r + σ²),    ICC = s²_r / (s²_r + σ²)
 *      s²_f = variance of Xβ̂ over the rows,   s²_r = Σ_terms mean over the rows of z'Σ_t z
 *
 *  With random slopes the variance of a row depends on its covariates; Johnson averages it over the rows.
 *  Reference: Nakagawa & Schielzeth (2013), Methods Ecol. Evol. 4; Johnson (2014), Methods Ecol. Evol. 5.
 *  Oracle:    the formulas on lme4's estimates (R), oracle/r/lmm-inference.json.
 *  Limits:    σ² is the residual variance of a row of weight 1; the offset counts as neither fixed nor random. */
import { matVec } from "../../numeric/linalg/matrix.ts";
import { varianceComponents } from "../random/random.ts";
import type { LmmProblem } from "./problem.ts";

export interface LmmRSquared {
  readonly marginal: number;
  readonly conditional: number;
  /** Variance of the random effects over that of random effects and residual. */
  readonly icc: number;
  readonly variances: {
    readonly fixed: number;
    readonly random: number;
    readonly residual: number;
    /** One per term, in the order of θ. */
    readonly terms: readonly { readonly group: string; readonly names: readonly string[]; readonly variance: number }[];
  };
}

export function lmmRSquared(
  problem: LmmProblem,
  { theta, sigma, beta }: { readonly theta: Float64Array; readonly sigma: number; readonly beta: Float64Array },
): LmmRSquared {
  const fixed = sampleVariance(matVec(problem.X, beta));
  const components = varianceComponents(problem.structure, theta, sigma);
  const place = new Map(problem.factors.flatMap((factor) => factor.terms.map((own) => [own.term, { factor, ...own }])));
  const terms = components.map(({ group, names, cov }, t) => {
    const { factor, column } = place.get(t)!;
    const { Z } = factor;
    let sum = 0;
    for (let a = 0; a < cov.rows; a++)
      for (let b = 0; b < cov.rows; b++) {
        let moment = 0;
        for (let i = 0; i < Z.rows; i++)
          moment += Z.data[i + (column + a) * Z.rows]! * Z.data[i + (column + b) * Z.rows]!;
        sum += (cov.data[a + b * cov.rows]! * moment) / Z.rows;
      }
    return { group, names, variance: sum };
  });
  const random = terms.reduce((sum, { variance }) => sum + variance, 0);
  const residual = sigma * sigma;
  const total = fixed + random + residual;
  return {
    marginal: fixed / total,
    conditional: (fixed + random) / total,
    icc: random / (random + residual),
    variances: { fixed, random, residual, terms },
  };
}

/** With n - 1, as R's var. */
function sampleVariance(values: Float64Array): number {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  return values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1);
}
