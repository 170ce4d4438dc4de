/** Satterthwaite degrees of freedom of the cluster-robust (CR2) t test of any linear function x'β of a fitted lm or glm.
 *  Reference: Pustejovsky & Tipton (2018), J. Bus. Econ. Stat. 36(4), eq. 11-13.
 *  Oracle:    clubSandwich::Wald_test (R), oracle/r/emmeans.json — 1e-10.
 *  Limits:    one pass over the data for each function. */

import { column, isMissing, selectRows, type Table } from "../../data/table.ts";
import { makeSignature } from "../../models/fit.ts";
import { clusterCodes } from "../../models/fixed-design.ts";
import { type GlmFit, reopenGlm } from "../../models/glm/glm.ts";

import { factorOf, type LmFit, prepareLm } from "../../models/lm/lm.ts";
import { prepareClusterDf, type WorkingModel } from "../../models/sandwich.ts";
import { clone } from "../../numeric/linalg/matrix.ts";
import { qr } from "../../numeric/linalg/qr.ts";
import { StatError } from "../../result/error.ts";

export function clusterDf(fit: LmFit | GlmFit, data: Table): (x: Float64Array) => number {
  const { cluster = "" }: { readonly cluster?: string } = fit.signature.options;
  const cells = column(data, cluster);
  const table = selectRows(data, (row) => !isMissing(cells, row)); // the rows that the fit started from
  checkTable(fit, table);
  const { model, rows } = fit.kind === "lm" ? lmWorkingModel(fit) : glmWorkingModel(fit);
  const all = clusterCodes(table, fit.design, cluster)!;
  const codes = Int32Array.from(rows, (row) => all[row]!);
  return prepareClusterDf(model, codes);
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
  const problem = prepareLm(fit.design);
  const { rootWeights, rows } = problem;
  const weights = rootWeights ? rootWeights.map((r) => r * r) : new Float64Array(rows.length).fill(1);
  return { model: { factor: factorOf(problem), weights, residuals: fit.residuals }, rows };
}

/** U = dμ/dβ, working weights 1/Var(y), as for the covariance of a glm. */
function glmWorkingModel(fit: GlmFit): RowModel {
  const { X, rows, weights, link, family } = reopenGlm(fit);
  const scaled = clone(X);
  const target = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const eta = fit.linearPredictor[i]!;
    target[i] = family.variance(fit.fitted[i]!, link.complement(eta)) / weights[i]!;
    const scale = link.slope(eta) / Math.sqrt(target[i]!);
    for (let j = 0; j < X.cols; j++) scaled.data[i + j * X.rows]! *= scale;
  }
  const residuals = Float64Array.from(rows, (row, i) => fit.design.y[row]! - fit.fitted[i]!);
  const factor = qr(scaled, { pivoting: "none" });
  return { model: { factor, weights: target.map((v) => 1 / v), target, residuals }, rows };
}
