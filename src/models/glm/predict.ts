/** Prediction for new rows from a fitted lm or glm, coded as the training rows were.
 *  η̂ = x'β̂ + offset, SE² = x' Var(β̂) x; a prediction interval of lm adds the residual variance σ̂².
 *  Reference: Draper & Smith (1998), 3.1 and 8.4; intervals of a glm are made on the link scale and mapped back.
 *  Oracle:    predict.lm and predict.glm (R), oracle/r/lm.json.
 *  Limits:    the intervals are pointwise; a new row's weight is taken as 1. */
import type { Table } from "../../data/table.ts";
import { makeDesign } from "../../formula/design.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { bilinear, type Matrix, selectColumns } from "../../numeric/linalg/matrix.ts";
import { FAMILIES } from "../family.ts";
import { LINKS } from "../link.ts";
import type { LmFit } from "../lm/lm.ts";
import type { GlmFit } from "./glm.ts";

export interface PredictOptions {
  /** "prediction" is for lm: where a single new observation will lie. */
  readonly interval?: "confidence" | "prediction" | undefined;
  readonly confidence?: number | undefined;
}

export interface Prediction {
  /** Rows of the new table that could be predicted (no missing value). */
  readonly rows: Int32Array;
  /** On the scale of the response. */
  readonly value: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  /** Linear predictor and its standard error. */
  readonly eta: Float64Array;
  readonly se: Float64Array;
}

export function predictFixed(fit: LmFit | GlmFit, table: Table, options: PredictOptions = {}): Prediction {
  const { interval = "confidence", confidence = 0.95 } = options;
  const design = makeDesign(fit.design.schema, table, { response: false });
  const X = fit.kept.length === design.X.cols ? design.X : selectColumns(design.X, fit.kept);
  const beta = fit.kind === "lm" ? Float64Array.from(fit.coefficients, (c) => c.value) : fit.beta;
  const { eta, se } = linearPredictor(X, beta, fit.vcov);
  if (design.offset) for (let i = 0; i < eta.length; i++) eta[i]! += design.offset[i]!;
  const known = fit.kind === "glm" && FAMILIES[fit.family].knownDispersion;
  const df = known ? Number.POSITIVE_INFINITY : fit.residualDf;
  const half = tQuantileUpper((1 - confidence) / 2, df);
  const noise = fit.kind === "lm" && interval === "prediction" ? fit.residualSd ** 2 : 0;
  const mu = fit.kind === "lm" ? (e: number) => e : LINKS[fit.link].mu;
  const width = se.map((s) => half * Math.sqrt(s * s + noise));
  return {
    rows: design.rowsUsed,
    eta,
    se,
    value: eta.map((e) => mu(e)),
    lower: eta.map((e, i) => mu(e - width[i]!)),
    upper: eta.map((e, i) => mu(e + width[i]!)),
  };
}

/** x'β and its standard error, row by row. */
export function linearPredictor(X: Matrix, beta: Float64Array, vcov: Matrix): { eta: Float64Array; se: Float64Array } {
  const eta = new Float64Array(X.rows);
  const se = new Float64Array(X.rows);
  const x = new Float64Array(X.cols);
  for (let i = 0; i < X.rows; i++) {
    for (let j = 0; j < X.cols; j++) {
      x[j] = X.data[i + j * X.rows]!;
      eta[i]! += x[j]! * beta[j]!;
    }
    se[i] = Math.sqrt(bilinear(x, vcov, x));
  }
  return { eta, se };
}
