/** What marginal means, contrasts and effect sizes need of a fitted model, whatever its kind: coefficients, their covariance, the
 *  degrees of freedom of a linear function x'β, and the way back to the scale of the response.
 *    lm   t on the residual df; with cluster-robust CR2 the Satterthwaite df of x'β itself (cluster-df.ts), otherwise clusters - 1
 *    glm  z, or t where the dispersion is estimated; robust as for lm
 *    lmm  t with Satterthwaite's or Kenward-Roger's df of x'β itself, as the fit was told; z with ddf "none"
 *    glmm z; the linear predictor of an average level of every grouping factor (random effects 0)
 *    clm, clmm  z; the latent scale x'β less the mean threshold, which takes the place of the intercept
 *  Limits:    CR2 without the fitted table falls back to the smallest df of the coefficients involved, which is conservative. */
import type { Table } from "../../data/table.ts";
import type { Design } from "../../formula/design.ts";

import type { GlmFit } from "../../models/glm/glm.ts";
import type { GlmmFit } from "../../models/glmm/glmm.ts";
import type { LmFit } from "../../models/lm/lm.ts";
import type { LmmFit } from "../../models/lmm/lmm.ts";
import { contrastDfOf } from "../../models/lmm/lmm.ts";
import type { ClmFit } from "../../models/ordinal/clm.ts";
import type { ClmmFit } from "../../models/ordinal/clmm.ts";
import { makeThresholds } from "../../models/ordinal/thresholds.ts";
import { type Matrix, multiply, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic, Signature } from "../../result/result.ts";
import { clusterDf } from "./cluster-df.ts";
import { IDENTITY_SCALE, linkScale, type ResponseScale, transformationScale } from "./response-scale.ts";

/** A standard deviation that effects can be measured in, with the df it was estimated on (Infinity: known). */
export interface EffectSd {
  readonly sd: number;
  readonly df: number;
  /** What it is the SD of, for the reader. */
  readonly name: string;
  /** Every contrast's SE is this SD times a constant of the design: the interval can then be exact. */
  readonly scalesSe: boolean;
}

export interface MarginalModel {
  readonly kind: "marginal";
  readonly design: Design;
  /** Columns of the design that have a coefficient. */
  readonly kept: Int32Array;
  /** One coefficient per kept column, then one per entry of `constants`. */
  readonly beta: Float64Array;
  readonly vcov: Matrix;
  /** Weights of parameters beyond the design in every mean, e.g. -1/J for each of J thresholds; absent for most models. */
  readonly constants?: Float64Array;
  /** Degrees of freedom of the test of x'β, x in the order of beta; Infinity gives z tests. */
  dfFor(x: Float64Array): number;
  readonly scale: ResponseScale;
  /** Coefficients that have no finite estimate, in the order of beta. */
  readonly infinite?: readonly boolean[];
  /** The SD within cells, and where there are random effects that of a single new observation. */
  readonly effectSd?: { readonly residual: EffectSd; readonly total?: EffectSd };
  readonly nobs: number;
  readonly signature: Signature;
  readonly diagnostics: readonly Diagnostic[];
}

/** What means can be estimated from. */
export type MarginalSource = LmFit | GlmFit | LmmFit | GlmmFit | ClmFit | ClmmFit | MarginalModel;

/** `data`: the table that was fitted, for the exact df of cluster-robust tests. */
export function marginalModelOf(fit: MarginalSource, data?: Table): MarginalModel {
  if (fit.kind === "marginal") return fit;
  if (fit.kind === "lmm") return mixedMarginalModel(fit);
  if (fit.kind === "glmm") return glmmMarginalModel(fit);
  if (fit.kind === "clm" || fit.kind === "clmm") return latentModel(fit);
  const df = dfRule(fit, data);
  const effectSd = effectSdOf(fit);
  return {
    kind: "marginal",
    design: fit.design,
    kept: fit.kept,
    beta: fit.kind === "lm" ? Float64Array.from(fit.coefficients, (c) => c.value) : fit.beta,
    vcov: fit.vcov,
    dfFor: df.dfFor,
    scale: fit.kind === "lm" ? transformationScale(fit.design.schema) : linkScale(fit.link),
    infinite: fit.coefficients.map((c) => !Number.isFinite(c.value)),
    ...(effectSd === undefined ? {} : { effectSd: { residual: effectSd } }),
    nobs: fit.nobs,
    signature: fit.signature,
    diagnostics: [...fit.diagnostics, ...df.diagnostics],
  };
}

function glmmMarginalModel(fit: GlmmFit): MarginalModel {
  const sd = latentSd(fit.link);
  return {
    kind: "marginal",
    design: fit.design,
    kept: fit.kept,
    beta: fit.beta,
    vcov: fit.vcov,
    dfFor: () => Number.POSITIVE_INFINITY,
    scale: linkScale(fit.link),
    infinite: fit.coefficients.map((c) => !Number.isFinite(c.value)),
    ...(sd === undefined ? {} : { effectSd: { residual: sd } }),
    nobs: fit.nobs,
    signature: fit.signature,
    diagnostics: fit.diagnostics,
  };
}

/** The intercept's column stands for the constant that the thresholds give: minus their mean, as in emmeans. */
function latentModel(fit: ClmFit | ClmmFit): MarginalModel {
  const intercept = fit.design.assign.indexOf(0);
  if (intercept < 0) {
    throw new StatError(
      "NoIntercept",
      `the formula ${fit.design.schema.formula.text} leaves the intercept out, whose place the thresholds take.`,
      "Write it with the intercept: the model is the same.",
    );
  }
  const separated = fit.diagnostics.some(({ code }) => code === "Separation");
  const sd = latentSd(fit.link);
  return {
    kind: "marginal",
    design: fit.design,
    kept: Int32Array.of(intercept, ...fit.kept),
    beta: Float64Array.of(-mean(fit.cuts), ...fit.coefficients.map((c) => c.value)),
    vcov: latentCovariance(fit),
    dfFor: () => Number.POSITIVE_INFINITY,
    scale: { ...IDENTITY_SCALE, name: fit.link },
    // the estimate is then infinite wherever its SE says so
    ...(separated ? { infinite: [true, ...fit.coefficients.map(() => true)] } : {}),
    ...(sd === undefined ? {} : { effectSd: { residual: sd } }),
    nobs: fit.nobs,
    signature: fit.signature,
    diagnostics: fit.diagnostics,
  };
}

const mean = (values: Float64Array): number => values.reduce((a, b) => a + b, 0) / values.length;

/** Of (-mean threshold, β): JVJ', J linear because τ = Aα. */
function latentCovariance({ threshold, levels, parameterVcov: V, coefficients }: ClmFit | ClmmFit): Matrix {
  const { A } = makeThresholds(threshold, levels);
  const size = coefficients.length + 1;
  const J = zeros(size, V.rows);
  for (let k = 0; k < A.cols; k++) J.data[k * size] = -mean(A.data.subarray(k * A.rows, (k + 1) * A.rows));
  for (let k = 1; k < size; k++) J.data[k + (A.cols + k - 1) * size] = 1;
  return multiply(multiply(J, V), transpose(J));
}

/** The fit's own choice of df: Satterthwaite, Kenward-Roger (whose covariance the fit has already), or z. */
function mixedMarginalModel(fit: LmmFit): MarginalModel {
  const random =
    (fit.residualSd ** 2 * (fit.rSquared.conditional - fit.rSquared.marginal)) / (1 - fit.rSquared.conditional);
  const sd = { df: fit.nobs - fit.kept.length, scalesSe: false };
  return {
    kind: "marginal",
    design: fit.design,
    kept: fit.kept,
    beta: Float64Array.from(fit.coefficients, (c) => c.value),
    vcov: fit.vcov,
    dfFor: mixedDf(fit),
    scale: transformationScale(fit.design.schema),
    effectSd: {
      residual: { ...sd, sd: fit.residualSd, name: "residual SD" },
      total: { ...sd, sd: Math.sqrt(fit.residualSd ** 2 + random), name: "SD of a new observation" },
    },
    nobs: fit.nobs,
    signature: fit.signature,
    diagnostics: fit.diagnostics,
  };
}

function mixedDf(fit: LmmFit): (x: Float64Array) => number {
  const rule = contrastDfOf(fit);
  return (x) => rule({ rows: 1, cols: x.length, data: x })[0]!;
}

interface DfRule {
  readonly dfFor: (x: Float64Array) => number;
  readonly diagnostics: readonly Diagnostic[];
}

function dfRule(fit: LmFit | GlmFit, data: Table | undefined): DfRule {
  if (fit.robust !== "CR2") {
    const df = fit.coefficients[0]?.df ?? Number.NaN; // one for all
    return { dfFor: () => df, diagnostics: [] };
  }
  if (data !== undefined) return { dfFor: clusterDf(fit, data), diagnostics: [] };
  const own = fit.coefficients.map((c) => c.df);
  return {
    dfFor: (x) => own.reduce((least, df, j) => (x[j] === 0 ? least : Math.min(least, df)), Number.POSITIVE_INFINITY),
    diagnostics: [
      note(
        "ApproximateDf",
        "the df of each cluster-robust test is the smallest of the coefficients involved, which is conservative.",
        "Give the fitted table as `data` for the Satterthwaite df of each contrast.",
      ),
    ],
  };
}

/** SD of the logistic distribution, the latent scale of a logit model (Hasselblad & Hedges 1995). */
const LOGISTIC_SD = Math.PI / Math.sqrt(3);

function effectSdOf(fit: LmFit | GlmFit): EffectSd | undefined {
  if (fit.kind === "lm") {
    const scalesSe = fit.robust === "none";
    return { sd: fit.residualSd, df: fit.residualDf, name: "residual SD", scalesSe };
  }
  // shares and overdispersed counts have no latent variable behind them
  if (fit.family === "binomial") return latentSd(fit.link);
  if (fit.family !== "gaussian" || fit.link !== "identity") return undefined;
  return {
    sd: Math.sqrt(fit.dispersion),
    df: fit.residualDf,
    name: "residual SD",
    scalesSe: fit.robust === "none",
  };
}

function latentSd(link: string): EffectSd | undefined {
  const known = { df: Number.POSITIVE_INFINITY, scalesSe: false };
  if (link === "logit") return { sd: LOGISTIC_SD, name: "SD of the latent logistic scale", ...known };
  return link === "probit" ? { sd: 1, name: "SD of the latent normal scale", ...known } : undefined;
}
