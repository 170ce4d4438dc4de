/** Satterthwaite degrees of freedom of the cluster-robust (CR2) t test of any linear function x'β.
 *  The model is written in new coefficients γ = Tβ whose j-th is x'β itself; CR2 does not depend on the coefficients chosen, so
 *  the df that robustCovariance gives for γ_j is that of x'β.   T = I with row j replaced by x, j the largest entry of x.
 *  Reference: Pustejovsky & Tipton (2018), J. Bus. Econ. Stat. 36(4), eq. 11-13.
 *  Oracle:    clubSandwich::Wald_test (R), oracle/r/emmeans.json — 1e-10.
 *  Limits:    one pass over the data for each function. */
import { column, isMissing, selectRows, type Table } from "../data/table.ts";
import { FAMILIES } from "../models/family.ts";
import { makeSignature } from "../models/fit.ts";
import { type GlmFit, prepareGlm } from "../models/glm.ts";
import { LINKS } from "../models/link.ts";
import { type LmFit, prepareLm } from "../models/lm.ts";
import { clusterCodes } from "../models/model-design.ts";
import { robustCovariance, type WorkingModel } from "../models/sandwich.ts";
import { clone, type Matrix, multiply, selectColumns, transpose } from "../numeric/linalg/matrix.ts";
import { qr, qrInverseGram } from "../numeric/linalg/qr.ts";
import { StatError } from "../result/error.ts";

export function clusterDf(fit: LmFit | GlmFit, data: Table): (x: Float64Array) => number {
  const { cluster } = fit.signature.options as { readonly cluster: string };
  const cells = column(data, cluster);
  const table = selectRows(data, (row) => !isMissing(cells, row)); // the rows that the fit started from
  checkTable(fit, table);
  const { model, rows } = fit.kind === "lm" ? lmWorkingModel(fit) : glmWorkingModel(fit);
  const all = clusterCodes(table, fit.design, cluster)!;
  const codes = Int32Array.from(rows, (row) => all[row]!);
  return (x) => {
    const at = largestIndex(x);
    if (!(Math.abs(x[at]!) > 0)) return Number.NaN;
    return robustCovariance(inCoefficients(model, x, at), "CR2", codes).df[at]!;
  };
}

function checkTable(fit: LmFit | GlmFit, table: Table): void {
  if (makeSignature("", table, fit.design, {}).data === fit.signature.data) return;
  throw new StatError(
    "OtherTable",
    "`data` is not the table that the model was fitted to.",
    "Give the same table to the fit and to the means.",
  );
}

interface RowModel {
  readonly model: WorkingModel;
  /** Rows of the design that the model uses. */
  readonly rows: Int32Array;
}

function lmWorkingModel(fit: LmFit): RowModel {
  const { X, kept, inverse, rootWeights, rows } = prepareLm(fit.design);
  const weights = rootWeights ? rootWeights.map((r) => r * r) : new Float64Array(rows.length).fill(1);
  const U = selectColumns(X, kept);
  return { model: { U, bread: inverse, weights, residuals: fit.residuals, leverage: noLeverage }, rows };
}

/** CR2 does not ask for leverages. */
const noLeverage = (): Float64Array => new Float64Array(0);

/** U = dμ/dβ, working weights 1/Var(y), as for the covariance of a glm. */
function glmWorkingModel(fit: GlmFit): RowModel {
  const { X, rows, weights } = prepareGlm(fit.design, fit.family, fit.link);
  const link = LINKS[fit.link];
  const family = FAMILIES[fit.family];
  const U = clone(X);
  const scaled = clone(X);
  const target = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const eta = fit.linearPredictor[i]!;
    target[i] = family.variance(fit.fitted[i]!, link.complement(eta)) / weights[i]!;
    const slope = link.slope(eta);
    for (let j = 0; j < X.cols; j++) {
      U.data[i + j * X.rows]! *= slope;
      scaled.data[i + j * X.rows]! *= slope / Math.sqrt(target[i]!);
    }
  }
  const bread = qrInverseGram(qr(scaled, { pivoting: "none" }));
  const residuals = Float64Array.from(rows, (row, i) => fit.design.y[row]! - fit.fitted[i]!);
  const model = { U, bread, weights: target.map((v) => 1 / v), target, residuals, leverage: noLeverage };
  return { model, rows };
}

/** The model in γ = Tβ:  U T⁻¹, and T bread T'. */
function inCoefficients(model: WorkingModel, x: Float64Array, at: number): WorkingModel {
  const p = x.length;
  const T: Matrix = { rows: p, cols: p, data: new Float64Array(p * p) };
  const inverse = clone(T);
  for (let j = 0; j < p; j++) {
    T.data[j + j * p] = inverse.data[j + j * p] = 1;
  }
  for (let j = 0; j < p; j++) {
    T.data[at + j * p] = x[j]!;
    inverse.data[at + j * p] = (j === at ? 1 : -x[j]!) / x[at]!;
  }
  return {
    ...model,
    U: multiply(model.U, inverse),
    bread: multiply(multiply(T, model.bread), transpose(T)),
  };
}

function largestIndex(x: Float64Array): number {
  let at = 0;
  for (let j = 1; j < x.length; j++) if (Math.abs(x[j]!) > Math.abs(x[at]!)) at = j;
  return at;
}
