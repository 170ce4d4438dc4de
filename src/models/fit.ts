/** What fitted models share: coefficients with their tests, dropped columns, signatures, and how they read. */

import { fingerprint } from "../data/fingerprint.ts";
import { selectColumns, type Table } from "../data/table.ts";
import type { Design } from "../formula/design.ts";
import { tQuantileUpper, tSf } from "../numeric/dist/t.ts";
import type { Matrix } from "../numeric/linalg/matrix.ts";
import type { DisplayTable } from "../result/display.ts";
import { formatNumber } from "../result/number-format.ts";
import type { Estimate, Result, Signature } from "../result/result.ts";
import { GOSSET_VERSION } from "../result/version.ts";

export interface Fit<K extends string> extends Result<K> {
  readonly design: Design;
  /** Covariance of the coefficients, in their order. */
  readonly vcov: Matrix;
  readonly coefficients: readonly Estimate[];
  /** Names of columns that the others determine; they have no coefficient of their own. */
  readonly dropped: readonly string[];
  readonly logLik: number;
  /** Number of estimated parameters, variances included. */
  readonly df: number;
  readonly nobs: number;
  readonly aic: number;
  readonly bic: number;
  readonly converged: boolean;
}

/** The data of a result, without what makeResult adds. */
export type FieldsOf<R> = Omit<R, "kind" | "display" | "toString" | "toJSON">;

export interface CoefficientInput {
  readonly names: readonly string[];
  readonly values: Float64Array;
  readonly vcov: Matrix;
  /** Of the t tests; Infinity gives z tests. One for all, or one per coefficient. */
  readonly df: number | Float64Array;
  readonly confidence: number;
}

/** Wald tests against 0 and intervals. */
export function waldEstimates({ names, values, vcov, df, confidence }: CoefficientInput): Estimate[] {
  return names.map((name, j) => {
    const own = typeof df === "number" ? df : df[j]!;
    return waldEstimate(name, values[j]!, { se: Math.sqrt(vcov.data[j + j * vcov.rows]!), df: own, confidence });
  });
}

export function waldEstimate(
  name: string,
  value: number,
  { se, df, confidence }: { se: number; df: number; confidence: number },
): Estimate {
  const statistic = value / se;
  const half = tQuantileUpper((1 - confidence) / 2, df) * se;
  const p = 2 * tSf(Math.abs(statistic), df);
  return { name, value, se, df, statistic, p: Math.min(1, p), lower: value - half, upper: value + half };
}

export function informationCriteria(logLik: number, df: number, nobs: number): { aic: number; bic: number } {
  return { aic: -2 * logLik + 2 * df, bic: -2 * logLik + Math.log(nobs) * df };
}

export function makeSignature(method: string, table: Table, design: Design, given: object): Signature {
  // options per column may come as Maps, which JSON would drop; how much memory there is decides no digit
  const options = Object.fromEntries(
    Object.entries(given)
      .filter(([key]) => key !== "maxMemory")
      .map(([key, value]) => [key, value instanceof Map ? Object.fromEntries(value) : value]),
  );
  return {
    method,
    version: GOSSET_VERSION,
    options,
    data: fingerprint(selectColumns(table, [...design.schema.columns.keys()])),
  };
}

/** The coefficient table of every regression; `ownDf` where each coefficient has degrees of freedom of its own. */
export function coefficientTable(
  coefficients: readonly Estimate[],
  statistic: "t" | "z",
  { confidence, ownDf }: { readonly confidence: number; readonly ownDf: boolean },
): DisplayTable {
  const level = `${formatNumber(100 * confidence)}%`;
  const head = ["term", "estimate", "SE", ...(ownDf ? ["df"] : []), statistic, "p", `${level} from`, "to"];
  const formats = ["text", "number", "number", ...(ownDf ? ["df"] : []), "statistic", "p", "number", "number"] as const;
  const rows = coefficients.map((c) => [
    c.name,
    c.value,
    c.se,
    ...(ownDf ? [c.df] : []),
    c.statistic,
    c.p,
    c.lower,
    c.upper,
  ]);
  return { head, formats: [...formats] as NonNullable<DisplayTable["formats"]>, rows };
}

/** How many rows there were; why some are missing is said by a diagnostic. */
export function rowsSentence({ rowsUsed, dropped }: Design): string {
  return dropped.rows === 0
    ? `${rowsUsed.length} rows.`
    : `${rowsUsed.length} of ${rowsUsed.length + dropped.rows} rows.`;
}
