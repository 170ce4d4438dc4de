/** Leave-one-out prediction: every row from a model fitted to all the others.
 *  Least squares has a closed form, ŷ_(i) = y_i - e_i/(1 - h_i); a glm is refitted from the full solution, n times.
 *  Reference: Allen (1974), Technometrics 16; Cook & Weisberg (1982), Residuals and Influence in Regression, 2.2.
 *  Oracle:    R's lm and glm refitted without each row, oracle/r/lm.json.
 *  Limits:    a row that alone determines a coefficient (h = 1) has no prediction: NaN. */

import { selectRows } from "../../numeric/linalg/matrix.ts";
import { hatValues } from "../../numeric/linalg/qr.ts";
import { factorOf, type LmFit, prepareLm } from "../lm/lm.ts";
import { OWN_COEFFICIENT } from "../sandwich.ts";
import { type GlmFit, reopenGlm } from "./glm.ts";
import { solveShaped } from "./shape.ts";
import { type GlmProblem, informationFactor, solveGlm } from "./solve.ts";

export interface LeaveOneOut {
  /** Prediction of each used row (on the scale of the response). */
  readonly predicted: Float64Array;
  readonly observed: Float64Array;
  /** √ mean (y - ŷ)² */
  readonly rmse: number;
  /** 1 - Σ(y-ŷ)² / Σ(y-ȳ)²; below 0 when the model predicts worse than the mean. */
  readonly rSquared: number;
}

export function leaveOneOut(fit: LmFit | GlmFit, onProgress?: (done: number, of: number) => void): LeaveOneOut {
  return fit.kind === "lm" ? closedForm(fit) : refitted(fit, onProgress);
}

/** Diagonal of the hat matrix: how much each row's response moves its own fitted value. */
export function leverage(fit: LmFit | GlmFit): Float64Array {
  if (fit.kind === "lm") return hatValues(factorOf(prepareLm(fit.design)));
  const problem = reopenGlm(fit);
  return hatValues(informationFactor(problem, solveGlm(problem, fit.design.y, fit.beta)));
}

function closedForm(fit: LmFit): LeaveOneOut {
  const h = leverage(fit);
  const observed = fit.fitted.map((f, i) => f + fit.residuals[i]!);
  const predicted = observed.map((y, i) => {
    const left = 1 - h[i]!;
    return left < OWN_COEFFICIENT ? Number.NaN : y - fit.residuals[i]! / left;
  });
  return summarise(observed, predicted);
}

function refitted(fit: GlmFit, onProgress?: (done: number, of: number) => void): LeaveOneOut {
  const problem = reopenGlm(fit);
  const n = problem.rows.length;
  const observed = Float64Array.from(problem.rows, (row) => fit.design.y[row]!);
  const predicted = new Float64Array(n);
  const h = leverage(fit);
  for (let i = 0; i < n; i++) {
    predicted[i] = 1 - h[i]! < OWN_COEFFICIENT ? Number.NaN : predictWithout(problem, fit, i);
    onProgress?.(i + 1, n);
  }
  return summarise(observed, predicted);
}

function predictWithout(problem: GlmProblem, fit: GlmFit, out: number): number {
  const others = Int32Array.from(problem.rows.keys()).filter((i) => i !== out);
  const rest = {
    ...problem,
    rows: others.map((i) => problem.rows[i]!),
    X: selectRows(problem.X, others),
    weights: Float64Array.from(others, (i) => problem.weights[i]!),
    offset: Float64Array.from(others, (i) => problem.offset[i]!),
  };
  const { beta } = fit.shape ? solveShaped(rest, fit.design.y) : solveGlm(rest, fit.design.y, fit.beta);
  let eta = problem.offset[out]!;
  for (let j = 0; j < beta.length; j++) eta += problem.X.data[out + j * problem.X.rows]! * beta[j]!;
  return problem.link.mu(eta);
}

function summarise(observed: Float64Array, predicted: Float64Array): LeaveOneOut {
  const mean = observed.reduce((a, b) => a + b, 0) / observed.length;
  let error = 0;
  let total = 0;
  for (let i = 0; i < observed.length; i++) {
    error += (observed[i]! - predicted[i]!) ** 2;
    total += (observed[i]! - mean) ** 2;
  }
  return { observed, predicted, rmse: Math.sqrt(error / observed.length), rSquared: 1 - error / total };
}
