/** What can be asked of any fit, under one name each: predictions for new rows, a new response, profile intervals. */

import type { Table } from "../data/table.ts";
import { poissonQuantile } from "../numeric/dist/poisson.ts";
import { gammaVariate } from "../numeric/rng/gamma.ts";
import type { Rng } from "../numeric/rng.ts";
import { refuseUnknownNames } from "../question/refuse.ts";
import { StatError } from "../result/error.ts";
import type { FamilyName } from "./family.ts";
import type { GamFit } from "./gam/gam.ts";
import { type GamPrediction, type GamPredictOptions, predictGam } from "./gam/predict.ts";
import type { GlmFit } from "./glm/glm.ts";
import { type Prediction, type PredictOptions, predictFixed } from "./glm/predict.ts";
import type { GlmmFit } from "./glmm/glmm.ts";
import { type MixedPredictOptions, predictClmm, predictMixed } from "./glmm/predict.ts";
import { type CategoricalInterval, type ProfiledFit, profileCategorical } from "./glmm/profile.ts";
import { simulateGlmm } from "./glmm/simulate.ts";
import type { LmFit } from "./lm/lm.ts";
import type { LmmFit } from "./lmm/lmm.ts";
import { simulateLmm } from "./lmm/simulate.ts";
import type { ClmFit } from "./ordinal/clm.ts";
import type { ClmmFit } from "./ordinal/clmm.ts";
import { type OrdinalPrediction, predictClm } from "./ordinal/probabilities.ts";
import { drawCategory, simulateClmm } from "./ordinal/simulate.ts";
import { type ProfileInterval, profileIntervals } from "./profile/linear.ts";
import type { ProfileOptions } from "./profile/profile.ts";

export type AnyFit = LmFit | GlmFit | LmmFit | GlmmFit | ClmFit | ClmmFit | GamFit;

const PREDICT_OPTIONS = {
  interval: true,
  confidence: true,
  effects: true,
  terms: true,
} as const satisfies Record<keyof (PredictOptions & MixedPredictOptions & GamPredictOptions), true>;

/** What a fit says of new rows, coded as its own rows were. Rows with a missing value are left out (`rows` has the others). */
export function predict(fit: LmFit | GlmFit, table: Table, options?: PredictOptions | undefined): Prediction;
export function predict(fit: LmmFit | GlmmFit, table: Table, options?: MixedPredictOptions): Prediction;
export function predict(fit: ClmFit | ClmmFit, table: Table, options?: MixedPredictOptions): OrdinalPrediction;
export function predict(fit: GamFit, table: Table, options?: GamPredictOptions): GamPrediction;
export function predict(
  fit: AnyFit,
  table: Table,
  options: PredictOptions & MixedPredictOptions & GamPredictOptions = {},
): Prediction | OrdinalPrediction | GamPrediction {
  refuseUnknownNames("predict", options, PREDICT_OPTIONS);
  if (fit.kind === "lm" || fit.kind === "glm") return predictFixed(fit, table, options);
  if (fit.kind === "gam") return predictGam(fit, table, options);
  if (fit.kind === "clm") return predictClm(fit, table);
  if (fit.kind === "clmm") return predictClmm(fit, table, options);
  return predictMixed(fit, table, options);
}

/** A response like the one that was fitted, one value per row of the design: numbers, shares of successes, counts, or codes of
 *  categories from 0. Random effects are redrawn; rows of weight 0 get NaN. */
export function simulate(fit: AnyFit, rng: Rng): Float64Array {
  if (fit.kind === "lmm") return simulateLmm(fit, rng);
  if (fit.kind === "glmm") return simulateGlmm(fit, rng);
  if (fit.kind === "clmm") return simulateClmm(fit, rng);
  if (fit.kind === "clm") return simulateClm(fit, rng);
  const weights = fit.design.weights;
  if (fit.kind === "lm") {
    return fit.fitted.map((mu, i) =>
      drawResponse(rng, "gaussian", { mu, variance: fit.residualSd ** 2, weight: weights?.[i] ?? 1 }),
    );
  }
  const variance = fit.kind === "glm" ? fit.dispersion : fit.scale;
  const shape = fit.kind === "glm" && fit.shape !== undefined ? fit.shape.value : Number.NaN;
  return fit.fitted.map((mu, i) => drawResponse(rng, fit.family, { mu, variance, shape, weight: weights?.[i] ?? 1 }));
}

interface Law {
  readonly mu: number;
  readonly variance: number;
  readonly weight: number;
  /** θ or φ. */
  readonly shape?: number;
}

function drawResponse(rng: Rng, family: FamilyName, { mu, variance, weight, shape = Number.NaN }: Law): number {
  if (!(weight > 0)) return Number.NaN;
  if (family === "gaussian") return mu + Math.sqrt(variance / weight) * rng.normal();
  if (family === "poisson") return poissonQuantile(rng.uniform(), mu);
  if (family === "binomial") return rng.binomial(Math.round(weight), Math.min(1, mu)) / Math.round(weight);
  if (family === "negative-binomial") {
    // without overdispersion θ is infinite, or unknown where every count is 0
    const mean = Number.isFinite(shape) ? (mu * gammaVariate(rng, shape)) / shape : mu;
    return poissonQuantile(rng.uniform(), mean);
  }
  if (family === "beta") return drawBeta(rng, mu * shape, (1 - mu) * shape);
  throw new StatError(
    "NoSimulation",
    `responses of the family ${family} cannot be drawn: it states a mean and a variance, not a distribution.`,
    "Simulate from a fit of another family: binomial or beta, poisson or negative-binomial.",
  );
}

/** Inside (0, 1) also where one of the Gamma variates underflows. */
function drawBeta(rng: Rng, a: number, b: number): number {
  const [x, y] = [gammaVariate(rng, a), gammaVariate(rng, b)];
  return Math.min(1 - Number.EPSILON, Math.max(Number.MIN_VALUE, x / (x + y)));
}

function simulateClm(fit: ClmFit, rng: Rng): Float64Array {
  const { design, cuts, link, kept, coefficients } = fit;
  const n = design.y.length;
  const eta = design.offset ? design.offset.slice() : new Float64Array(n);
  coefficients.forEach(({ value }, k) => {
    for (let i = 0; i < n; i++) eta[i]! += value * design.X.data[i + kept[k]! * n]!;
  });
  return drawCategory(rng, { link, cuts, eta });
}

const PROFILE_OPTIONS = {
  confidence: true,
  parameters: true,
  onProgress: true,
} as const satisfies Record<keyof ProfileOptions, true>;

/** Profile likelihood intervals of a generalised, mixed or ordinal model: ends where the likelihood ratio test rejects. */
export function profile(fit: LmmFit, options?: ProfileOptions): ProfileInterval[];
export function profile(fit: ProfiledFit, options?: ProfileOptions): CategoricalInterval[];
export function profile(
  fit: LmmFit | ProfiledFit,
  options: ProfileOptions = {},
): (ProfileInterval | CategoricalInterval)[] {
  refuseUnknownNames("profile", options, PROFILE_OPTIONS);
  return fit.kind === "lmm" ? profileIntervals(fit, options) : profileCategorical(fit, options);
}
