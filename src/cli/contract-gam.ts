/** An additive model as the documented JSON object of `--json`; see docs/json.md. */
import type { Diagnostic, Estimate, GamFit, GamShape } from "../index.ts";
import { contractHead } from "./contract.ts";

export function gamContract(fit: GamFit, diagnostics: readonly Diagnostic[]): object {
  return {
    ...contractHead("gam", diagnostics),
    formula: fit.design.schema.formula.text,
    nobs: fit.nobs,
    rowsDropped: fit.design.dropped.rows,
    method: fit.method,
    family: fit.family,
    link: fit.link,
    criterion: fit.criterion,
    logLik: fit.logLik,
    deviance: fit.deviance,
    nullDeviance: fit.nullDeviance,
    devianceExplained: fit.devianceExplained,
    adjustedRSquared: fit.adjustedRSquared,
    aic: fit.aic,
    bic: fit.bic,
    edf: fit.edf,
    dfResidual: fit.residualDf,
    sigma: Math.sqrt(fit.scale),
    scale: fit.scale,
    theta: [],
    fixed: fit.coefficients.map(fixedRow),
    dropped: fit.dropped,
    random: [],
    smooths: fit.smooths.map(({ term, edf, refDf, statistic, p, sp, edges, size }) => ({
      term,
      edf,
      refDf,
      statistic,
      p,
      sp: sp.length === 1 ? sp[0]! : sp,
      edge: edges.length === 1 ? edges[0]! : edges,
      columns: size,
    })),
    shapes: fit.shapes.map(shapeContract),
    iterations: fit.iterations,
    singular: false,
    converged: fit.converged,
    signature: fit.signature,
  };
}

function fixedRow({ name, value, se, df, statistic, p, lower, upper }: Estimate): object {
  return { term: name, estimate: value, se, ...(Number.isFinite(df) ? { df } : {}), statistic, p, lower, upper };
}

function shapeContract({ term, kind, at, effect, se, lower, upper }: GamShape): object {
  return { term, kind, at: Object.fromEntries(at.map(({ name, values }) => [name, values])), effect, se, lower, upper };
}
