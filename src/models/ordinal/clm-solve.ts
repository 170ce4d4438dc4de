/** Maximum likelihood of a cumulative link model by Newton's method; the log-likelihood is concave in (α, β).
 *  Reference: Burridge (1981), J. R. Stat. Soc. B 43, on concavity; McCullagh (1980), J. R. Stat. Soc. B 42(2).
 *  Oracle:    ordinal (R): clm, oracle/r/ordinal.json — estimates and SEs 1e-8. */
import { logisticQuantile } from "../../numeric/dist/logistic.ts";
import { normalQuantile } from "../../numeric/dist/normal.ts";
import { minimizeNewton } from "../../numeric/optim/newton.ts";
import type { CumulativeLink } from "./cumulative-link.ts";
import type { ClmRows } from "./rows.ts";
import { nearestParameters, type Thresholds } from "./thresholds.ts";

export interface ClmSolution {
  /** (α, β). */
  readonly phi: Float64Array;
  readonly logLik: number;
  /** Information at φ, row-major. */
  readonly information: Float64Array;
  readonly converged: boolean;
  readonly definite: boolean;
  readonly gradient: number;
  readonly iterations: number;
}

/** Inverse links. */
export const QUANTILE: Readonly<Record<CumulativeLink, (p: number) => number>> = {
  logit: logisticQuantile,
  probit: normalQuantile,
  cloglog: (p) => Math.log(-Math.log1p(-p)),
};

/** Steps towards an infinite estimate end here; a finite maximum takes five to ten. */
const MAX_ITERATIONS = 60;

/** α at the cumulative shares of the categories, β = 0. */
export function clmStart(y: Int32Array, thresholds: Thresholds, link: CumulativeLink, p: number): Float64Array {
  const m = thresholds.A.rows;
  const counts = new Float64Array(m + 1);
  for (const c of y) counts[c]! += 1;
  const tau = new Float64Array(m);
  let below = 0;
  for (let j = 0; j < m; j++) {
    below += counts[j]!;
    tau[j] = QUANTILE[link](below / y.length);
  }
  const phi = new Float64Array(p);
  phi.set(nearestParameters(thresholds, tau));
  return phi;
}

export function solveClm(rows: ClmRows, start: Float64Array): ClmSolution {
  const p = rows.fixedCount;
  const ones = new Float64Array(rows.rows).fill(1);
  const evaluate = (phi: Float64Array, gradient: Float64Array): number => {
    if (!rows.setFixed(phi)) return Number.NaN;
    const value = rows.likelihood(rows.eta0);
    gradient.fill(0);
    rows.addScoreTo(gradient, 0, ones);
    for (let k = 0; k < p; k++) gradient[k] = -gradient[k]!;
    return -value;
  };
  const hessianInto = (H: Float64Array, phi: Float64Array): void => {
    rows.setFixed(phi);
    rows.likelihood(rows.eta0);
    H.fill(0);
    rows.addInformationTo(H);
  };
  const found = minimizeNewton({ evaluate, hessianInto }, start, { maxIterations: MAX_ITERATIONS });
  const information = new Float64Array(p * p);
  hessianInto(information, found.x);
  return {
    phi: found.x,
    logLik: -found.value,
    information,
    converged: found.converged,
    definite: found.positiveDefinite,
    gradient: found.projectedGradient,
    iterations: found.iterations,
  };
}
