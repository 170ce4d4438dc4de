/** Results as the documented JSON objects of `--json`; see docs/json.md. */
import {
  type CategoricalComparison,
  type ClmFit,
  type ClmmFit,
  type Diagnostic,
  type Estimate,
  type GlmFit,
  type GlmmFit,
  GOSSET_VERSION,
  type LmFit,
  type LmmFit,
  type Matrix,
  type MixedComparison,
  type NestedComparison,
  type RatingSummary,
  type Signature,
} from "../index.ts";

/** What every object opens with: warnings are what may mislead, notes what is worth knowing. */
export function contractHead(kind: string, diagnostics: readonly Diagnostic[]): object {
  const said = (severity: Diagnostic["severity"]): string[] =>
    diagnostics.filter((d) => d.severity === severity).map((d) => `${capitalised(d.message)} ${capitalised(d.fix)}`);
  return { kind, version: GOSSET_VERSION, warnings: said("warning"), notes: said("note") };
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How the rows came about, beside the signature of the fit: enough to repeat the run. */
export function withDataSteps(
  signature: Signature,
  { where, mutate }: { where: readonly string[]; mutate: readonly string[] },
): object {
  return { ...signature, ...(where.length === 0 ? {} : { where }), ...(mutate.length === 0 ? {} : { mutate }) };
}

function fixedRow({ name, value, se, df, statistic, p, lower, upper }: Estimate): object {
  return { term: name, estimate: value, se, ...(Number.isFinite(df) ? { df } : {}), statistic, p, lower, upper };
}

/** `diagnostics` are those of the reading and of the fit. */
export function fitContract(fit: LmFit | GlmFit, diagnostics: readonly Diagnostic[]): object {
  const own =
    fit.kind === "lm"
      ? {
          method: fit.design.weights ? "WLS" : "OLS",
          deviance: fit.residualSumOfSquares,
          sigma: fit.residualSd,
          residualSd: fit.residualSd,
          rSquared: fit.rSquared,
          adjustedRSquared: fit.adjustedRSquared,
          ...(Number.isNaN(fit.fTest.statistic) ? {} : { fTest: fit.fTest }),
        }
      : {
          method: "ML",
          family: fit.family,
          link: fit.link,
          deviance: fit.deviance,
          nullDeviance: fit.nullDeviance,
          devianceExplained: 1 - fit.deviance / fit.nullDeviance,
          sigma: Math.sqrt(fit.dispersion),
          scale: fit.dispersion,
        };
  return {
    ...contractHead(fit.kind, diagnostics),
    formula: fit.design.schema.formula.text,
    nobs: fit.nobs,
    rowsDropped: fit.design.dropped.rows,
    ...own,
    logLik: fit.logLik,
    aic: fit.aic,
    bic: fit.bic,
    dfResidual: fit.residualDf,
    theta: [],
    fixed: fit.coefficients.map(fixedRow),
    dropped: fit.dropped,
    random: [],
    ...(fit.robust === "none"
      ? {}
      : { robust: { type: fit.robust, ...(fit.robust.startsWith("CR") ? { clusters: fit.clusters } : {}) } }),
    singular: false,
    converged: fit.converged,
    signature: fit.signature,
  };
}

export function mixedContract(fit: LmmFit, diagnostics: readonly Diagnostic[]): object {
  return {
    ...contractHead("lmm", diagnostics),
    formula: fit.design.schema.formula.text,
    nobs: fit.nobs,
    rowsDropped: fit.design.dropped.rows,
    method: fit.criterion,
    ddf: fit.ddf,
    logLik: fit.logLik,
    deviance: fit.deviance,
    aic: fit.aic,
    bic: fit.bic,
    sigma: fit.residualSd,
    theta: fit.theta,
    thetaNames: fit.thetaNames,
    fixed: fit.coefficients.map(fixedRow),
    dropped: fit.dropped,
    random: fit.variances.map(({ group, levels, names, sd, corr }) => ({
      group,
      levels,
      terms: names,
      sd,
      corr: toRows(corr),
    })),
    residualSd: fit.residualSd,
    rSquared: fit.rSquared,
    optimum: fit.optimum,
    singular: fit.singular,
    converged: fit.converged,
    signature: fit.signature,
  };
}

export function categoricalContract(fit: ClmFit | ClmmFit | GlmmFit, diagnostics: readonly Diagnostic[]): object {
  const method = fit.kind === "clm" ? "ML" : fit.nAGQ > 1 ? `AGQ (${fit.nAGQ} points)` : "Laplace";
  const own =
    fit.kind === "glmm"
      ? { family: fit.family }
      : {
          threshold: fit.threshold,
          levels: fit.levels,
          thresholds: fit.thresholds.map(({ name, value, se }) => ({ name, estimate: value, se })),
        };
  const random =
    fit.kind === "clm"
      ? { theta: [], random: [], singular: false }
      : {
          theta: fit.theta,
          thetaNames: fit.thetaNames,
          random: fit.variances.map(({ group, levels, names, sd, corr }) => ({
            group,
            levels,
            terms: names,
            sd,
            corr: toRows(corr),
          })),
          singular: fit.singular,
        };
  return {
    ...contractHead(fit.kind, diagnostics),
    formula: fit.design.schema.formula.text,
    nobs: fit.nobs,
    rowsDropped: fit.design.dropped.rows,
    method,
    link: fit.link,
    ...own,
    logLik: fit.logLik,
    deviance: -2 * fit.logLik,
    aic: fit.aic,
    bic: fit.bic,
    fixed: fit.coefficients.map(fixedRow),
    dropped: fit.dropped,
    ...random,
    optimum: fit.optimum,
    converged: fit.converged,
    signature: fit.signature,
  };
}

/** Beside the fit: what it says about ratings. */
export function ratingsContract({ factors, proportionalOdds }: RatingSummary): object {
  return { ratings: factors, ...(proportionalOdds === undefined ? {} : { proportionalOdds }) };
}

const toRows = ({ rows, cols, data }: Matrix): number[][] =>
  Array.from({ length: rows }, (_, i) => Array.from({ length: cols }, (__, j) => data[i + j * rows]!));

export function comparisonContract(
  result: NestedComparison | MixedComparison | CategoricalComparison,
  diagnostics: readonly Diagnostic[],
): object {
  return {
    ...contractHead("lrt", diagnostics),
    compared: result.compared,
    nobs: result.nobs,
    rowsDropped: result.rowsDropped,
    models: result.models,
    chisq: result.chisq,
    df: result.df,
    p: result.p,
    ...(result.fTest ? { fTest: result.fTest } : {}),
    ...("criterion" in result ? { method: result.criterion } : {}),
    ...("method" in result ? { method: result.method } : {}),
    ...("thresholds" in result ? { thresholds: result.thresholds } : {}),
    ...("mixture" in result ? { mixture: result.mixture } : {}),
    signature: result.signature,
  };
}
