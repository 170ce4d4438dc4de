/** Profile-likelihood intervals of glm, clm, clmm and glmm: SDs of random effects, thresholds, coefficients.
 *
 *  A coefficient or threshold parameter is one coordinate of ψ = (θ, φ), held fixed. An SD is the length of a row of the factor
 *  T(θ), Cov(b) = TT': the row is ψ·w/|w| with w free, so that the constraint holds by itself and all correlations stay free.
 *  The likelihood is the fit's own: exact, Laplace's or adaptive quadrature's.
 *  Reference: Venzon & Moolgavkar (1988), Appl. Stat. 37; Christensen (2018), Cumulative Link Models for Ordinal Regression, 4.
 *  Oracle:    exact roots in R, oracle/r/categorical-inference.json — 2e-8, and for glm oracle/r/families.json; confint() of ordinal and lme4, which interpolate
 *             splines, to 4e-6 and 2e-4.
 *  Limits:    correlations of random effects have no interval of their own. */
import { reopenDeviance } from "../glm/deviance.ts";
import type { GlmFit } from "../glm/glm.ts";
import { laplaceLogLik } from "../laplace/laplace.ts";
import { agqLogLik } from "../laplace/quadrature.ts";
import type { ClmFit } from "../ordinal/clm.ts";
import { solveClm } from "../ordinal/clm-solve.ts";
import type { ClmmFit } from "../ordinal/clmm.ts";
import { prepareClmm, solveClmm } from "../ordinal/clmm-solve.ts";
import { codedLevels, ordinalFrame, usedCategories } from "../ordinal/ordinal.ts";
import { makeClmRows } from "../ordinal/rows.ts";
import { makeThresholds } from "../ordinal/thresholds.ts";
import {
  type ConstrainedProfile,
  type ParameterInterval,
  type ProfiledParameter,
  type ProfileOptions,
  profileParameters,
} from "../profile/profile.ts";
import type { RandomStructure } from "../random/random.ts";
import type { GlmmFit } from "./glmm.ts";
import { prepareGlmm, solveGlmm } from "./solve.ts";

export type CategoricalFit = ClmFit | ClmmFit | GlmmFit;

/** Whatever has a likelihood and no Gaussian errors. */
export type ProfiledFit = CategoricalFit | GlmFit;

export type CategoricalInterval = ParameterInterval<"sd" | "threshold" | "fixed">;

/** In the order SDs, thresholds, coefficients; ±Infinity where the likelihood never falls far enough, NaN where it was lost. */
export function profileCategorical(fit: ProfiledFit, options: ProfileOptions = {}): CategoricalInterval[] {
  const likelihood = reopen(fit);
  return profileParameters(listParameters(fit, likelihood), likelihood.least, {
    confidence: fit.confidence,
    ...options,
  });
}

type Parameter = ProfiledParameter<CategoricalInterval["kind"]>;

/** D = -2ℓ of a fit's model as a function of ψ = (θ, φ). */
interface Likelihood {
  /** NaN outside the parameter space. */
  deviance(psi: Float64Array, gradient: Float64Array): number;
  readonly psi: Float64Array;
  readonly least: number;
  /** Of D at the optimum, row-major. */
  readonly hessian: Float64Array;
  readonly structure: RandomStructure | undefined;
}

/** The likelihood behind a fit, and its optimum found again in a step or two. */
function reopen(fit: ProfiledFit): Likelihood {
  if (fit.kind === "glm") return { ...reopenDeviance(fit), structure: undefined };
  if (fit.kind === "clm") return reopenClm(fit);
  const found = Float64Array.of(...fit.theta, ...fixedValues(fit));
  // separated data may leave a variance unknown
  const from = found.every(Number.isFinite) ? { start: found } : {};
  if (fit.kind === "clmm") {
    const { link, threshold, nAGQ } = fit;
    const problem = prepareClmm(fit.design, codedLevels(fit), {
      link,
      threshold,
      nAGQ,
      maxMemory: Number.POSITIVE_INFINITY,
    });
    return mixedLikelihood(problem, solveClmm(problem, fit.design.y, from));
  }
  const { family, link, nAGQ } = fit;
  const problem = prepareGlmm(fit.design, { family, link, nAGQ, maxMemory: Number.POSITIVE_INFINITY });
  return mixedLikelihood(problem, solveGlmm(problem, fit.design.y, from));
}

const fixedValues = (fit: CategoricalFit): number[] =>
  fit.kind === "glmm" ? Array.from(fit.beta) : [...fit.thresholds, ...fit.coefficients].map(({ value }) => value);

function reopenClm(fit: ClmFit): Likelihood {
  const frame = ordinalFrame(fit.design, codedLevels(fit));
  const used = usedCategories(frame, fit.design.y);
  const thresholds = makeThresholds(fit.threshold, used.levels);
  const { X, offset, weights } = frame;
  const rows = makeClmRows({ y: used.y, X, thresholds, link: fit.link, offset, weights });
  const solution = solveClm(rows, Float64Array.from(fixedValues(fit)));
  const ones = new Float64Array(rows.rows).fill(1);
  return {
    deviance(psi, gradient) {
      if (!rows.setFixed(psi)) return Number.NaN;
      const value = rows.likelihood(rows.eta0);
      gradient.fill(0);
      rows.addScoreTo(gradient, 0, ones);
      for (let k = 0; k < gradient.length; k++) gradient[k]! *= -2;
      return -2 * value;
    },
    psi: solution.phi,
    least: -2 * solution.logLik,
    hessian: solution.information.map((value) => 2 * value),
    structure: undefined,
  };
}

function mixedLikelihood(
  { system, rule }: Pick<ReturnType<typeof prepareClmm>, "system" | "rule">,
  { theta, phi, logLik, hessian, state }: Omit<ReturnType<typeof solveGlmm>, "fixedOnly">,
): Likelihood {
  return {
    deviance(psi, gradient) {
      const value = rule === undefined ? laplaceLogLik(state, psi, gradient) : agqLogLik(state, rule, psi, gradient);
      for (let k = 0; k < gradient.length; k++) gradient[k]! *= -2;
      return -2 * value;
    },
    psi: Float64Array.of(...theta, ...phi),
    least: -2 * logLik,
    hessian: hessian.data.map((value) => 2 * value),
    structure: system.structure,
  };
}

/** No difference on the latent or the log scale that data can show is as large as this. */
const WIDEST = 60;
/** Half-width to begin with where there is no standard error: a third of a latent unit, one with a runaway estimate. */
const FIRST_SD_WIDTH = 0.3;
const FIRST_WIDTH = 1;

function listParameters(fit: ProfiledFit, likelihood: Likelihood): Parameter[] {
  const { structure, psi } = likelihood;
  const count = structure?.term.length ?? 0;
  const sds = (structure?.terms ?? []).flatMap(({ group, names }, t) =>
    names.map((name, j): Parameter => {
      const row = rowEntries(structure!, t, j);
      const estimate = Math.hypot(...row.map((k) => psi[k]!));
      const width = estimate > 0 ? estimate / 2 : FIRST_SD_WIDTH;
      const profile = sdProfile(likelihood, row);
      const reported = "variances" in fit && Number.isNaN(fit.variances[t]!.sd[j]!) ? Number.NaN : estimate;
      return {
        name: `sd_${name}|${group}`,
        kind: "sd",
        estimate,
        reported,
        width,
        lowest: 0,
        highest: Number.POSITIVE_INFINITY,
        furthest: WIDEST,
        profile,
      };
    }),
  );
  const thresholds = "thresholds" in fit ? fit.thresholds : [];
  const fixed = [...thresholds, ...fit.coefficients].map(({ name, value, se }, k): Parameter => {
    const kind = k < thresholds.length ? "threshold" : "fixed";
    const estimate = psi[count + k]!;
    // past 0, however far the estimate has run
    const furthest =
      Math.abs(estimate) + (kind === "threshold" ? WIDEST : WIDEST / largest(fit, k - thresholds.length));
    const width = se > 0 && 2 * se < furthest ? 2 * se : FIRST_WIDTH;
    const moveWith = kind === "threshold" ? companions(thresholds, k, count) : () => {};
    const profile = coordinateProfile(likelihood, count + k, moveWith);
    const reported = Number.isFinite(value) ? estimate : value;
    const range = { lowest: Number.NEGATIVE_INFINITY, highest: Number.POSITIVE_INFINITY, furthest };
    return { name, kind, estimate, reported, width, ...range, profile };
  });
  return [...sds, ...fixed];
}

/** Largest value of a coefficient's column. */
function largest({ design, kept }: ProfiledFit, k: number): number {
  const from = kept[k]! * design.X.rows;
  return design.X.data.subarray(from, from + design.X.rows).reduce((most, x) => Math.max(most, Math.abs(x)), 0) || 1;
}

/** Places in θ of row j of a term's factor. */
function rowEntries({ term, row }: RandomStructure, t: number, j: number): number[] {
  return Array.from(term.keys()).filter((k) => term[k] === t && row[k] === j);
}

/** Moves the other thresholds along with number k, so that they stay in order: spacings in proportion, places by the same step. */
function companions(thresholds: readonly { readonly name: string }[], k: number, count: number) {
  const isSpacing = (name: string): boolean => name.startsWith("spacing");
  const own = isSpacing(thresholds[k]!.name);
  return (at: Float64Array, from: number, to: number): void => {
    thresholds.forEach(({ name }, j) => {
      if (j === k || isSpacing(name) !== own) return;
      at[count + j] = own ? (at[count + j]! * to) / from : at[count + j]! + to - from;
    });
  };
}

/** One coordinate of ψ held fixed. `moveWith` changes the others so that they fit to it. */
function coordinateProfile(
  { deviance, psi: best, hessian }: Likelihood,
  k: number,
  moveWith: (at: Float64Array, from: number, to: number) => void,
): ConstrainedProfile {
  const n = best.length;
  const free = Array.from({ length: n }, (_, j) => j).filter((j) => j !== k);
  const full = new Float64Array(n);
  const g = new Float64Array(n);
  return {
    evaluate(x, psi, gradient) {
      free.forEach((j, i) => {
        full[j] = x[i]!;
      });
      full[k] = psi;
      const value = deviance(full, g);
      free.forEach((j, i) => {
        gradient[i] = g[j]!;
      });
      return { value, byTarget: g[k]! };
    },
    start(psi) {
      const at = best.slice();
      moveWith(at, best[k]!, psi);
      return Float64Array.from(free, (j) => at[j]!);
    },
    hessian: Float64Array.from({ length: free.length ** 2 }, (_, e) => {
      const [i, j] = [Math.floor(e / free.length), e % free.length];
      return hessian[free[i]! * n + free[j]!]! || (i === j ? 1 : 0);
    }),
  };
}

/** A row of T of the length |ψ|. The coordinates of x are those of ψ, the row's being w, whose length is of no consequence. */
function sdProfile(likelihood: Likelihood, row: readonly number[]): ConstrainedProfile {
  if (row.length === 1) return coordinateProfile(likelihood, row[0]!, () => {});
  const { deviance, psi: best } = likelihood;
  const full = new Float64Array(best.length);
  const start = best.slice();
  // a row of zeros has no direction: that of its own column is as good as any
  if (Math.hypot(...row.map((k) => best[k]!)) === 0) start[row[row.length - 1]!] = 1;
  return {
    evaluate(x, psi, gradient) {
      full.set(x);
      const length = Math.hypot(...row.map((k) => x[k]!));
      for (const k of row) full[k] = (psi * x[k]!) / length;
      const value = deviance(full, gradient);
      let byTarget = 0;
      for (const k of row) byTarget += (gradient[k]! * x[k]!) / length;
      // ∂(ψw/|w|)/∂w = ψ(I - ŵŵ')/|w|
      for (const k of row) gradient[k] = (psi / length) * (gradient[k]! - (byTarget * x[k]!) / length);
      return { value, byTarget };
    },
    start: () => start,
  };
}
