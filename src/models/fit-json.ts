/** What the JSON of every fitted model has; each kind adds its own beside its fit. See docs/json.md. */
import type { Design } from "../formula/design.ts";
import type { Estimate, Published, ResultJson } from "../result/result.ts";

/** A coefficient, named as R names it; no `df` means a z test. */
export interface FixedJson {
  readonly term: string;
  readonly estimate: number;
  readonly se: number;
  readonly df?: number;
  readonly statistic: number;
  readonly p: number;
  readonly lower: number;
  readonly upper: number;
}

/** SDs and correlations of the effects of one grouping factor; `corr` as rows. */
export interface RandomJson {
  readonly group: string;
  readonly levels: number;
  readonly terms: readonly string[];
  readonly sd: readonly number[];
  readonly corr: readonly (readonly number[])[];
}

/** For a row of new data, counted from 1. */
export interface PredictionJson {
  readonly row: number;
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
}

/** The ends of a profile likelihood. */
export interface ProfileJson {
  readonly name: string;
  readonly kind: string;
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
}

export interface FitJson<K extends string> extends ResultJson<K> {
  readonly formula: string;
  readonly nobs: number;
  readonly rowsDropped: number;
  readonly method: string;
  readonly logLik: number;
  readonly deviance: number;
  readonly aic: number;
  readonly bic: number;
  readonly fixed: readonly FixedJson[];
  /** Names of aliased columns. */
  readonly dropped: readonly string[];
  readonly theta: readonly number[];
  readonly random: readonly RandomJson[];
  readonly singular: boolean;
  readonly converged: boolean;
}

/** Of a mixed model. */
export interface MixedFitJson<K extends string> extends FitJson<K> {
  readonly thetaNames: readonly string[];
}

/** Of a model without random effects. */
export interface RegressionJson<K extends string> extends FitJson<K> {
  readonly sigma: number;
  readonly dfResidual: number;
  readonly predictions?: readonly PredictionJson[];
}

/** Of lm and glm, which take robust covariances. */
export interface RobustJson {
  readonly robust?: { readonly type: string; readonly clusters?: number };
  readonly leaveOneOut?: { readonly rmse: number; readonly rSquared: number; readonly predicted: readonly number[] };
}

interface Fitted {
  readonly design: Design;
  readonly nobs: number;
  readonly logLik: number;
  readonly aic: number;
  readonly bic: number;
  readonly coefficients: readonly Estimate[];
  readonly dropped: readonly string[];
  readonly converged: boolean;
}

type Shared = Omit<Published<FitJson<string>>, "method" | "deviance" | "theta" | "random" | "singular">;

export function fitJson(fit: Fitted): Shared {
  return {
    formula: fit.design.schema.formula.text,
    nobs: fit.nobs,
    rowsDropped: fit.design.dropped.rows,
    logLik: fit.logLik,
    aic: fit.aic,
    bic: fit.bic,
    fixed: fit.coefficients.map(fixedJson),
    dropped: fit.dropped,
    converged: fit.converged,
  };
}

export function fixedJson({ name, value, se, df, statistic, p, lower, upper }: Estimate): FixedJson {
  return { term: name, estimate: value, se, ...(Number.isFinite(df) ? { df } : {}), statistic, p, lower, upper };
}

/** Of a model without random effects. */
export const NOTHING_RANDOM = { theta: [], random: [], singular: false } as const;

export function robustJson({ robust, clusters }: { readonly robust: string; readonly clusters: number }): RobustJson {
  if (robust === "none") return {};
  return { robust: { type: robust, ...(robust.startsWith("CR") ? { clusters } : {}) } };
}
