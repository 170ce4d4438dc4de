/** What an ordinal model says about ratings: the probability of each category, and which of two texts is rated higher.
 *
 *      P(y = j) = F(τ_j - η) - F(τ_{j-1} - η);   P(y_B > y_A) = Σ_j P(y_B = j) P(y_A < j) for independent ratings
 *  In a mixed model these are the probabilities for an average level of every grouping factor (random effects 0).
 *  Reference: Agresti (2010), Analysis of Ordinal Categorical Data, 3.2 and 5.
 *  Oracle:    predict(clm, type = "prob") of ordinal (R). */
import type { Table } from "../../data/table.ts";
import { makeDesign } from "../../formula/design.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import type { ClmFit } from "./clm.ts";
import type { ClmmFit } from "./clmm.ts";
import { CUMULATIVE_LINKS, type CumulativeLink, makeCumulativeTerms } from "./cumulative-link.ts";

/** Rows × categories. */
export function categoryProbabilities(link: CumulativeLink, cuts: ArrayLike<number>, eta: ArrayLike<number>): Matrix {
  const P = zeros(eta.length, cuts.length + 1);
  const out = makeCumulativeTerms();
  for (let i = 0; i < eta.length; i++) {
    for (let j = 0; j <= cuts.length; j++) {
      const a = j < cuts.length ? cuts[j]! - eta[i]! : Number.POSITIVE_INFINITY;
      const b = j > 0 ? cuts[j - 1]! - eta[i]! : Number.NEGATIVE_INFINITY;
      CUMULATIVE_LINKS[link](out, a, b);
      P.data[i + j * P.rows] = Math.exp(out[0]!);
    }
  }
  return P;
}

export interface OrdinalPrediction {
  /** Rows of the new table that could be predicted (no missing value). */
  readonly rows: Int32Array;
  /** On the latent scale. */
  readonly eta: Float64Array;
  /** Rows × categories of the fit. */
  readonly probabilities: Matrix;
}

/** For new rows, random effects taken as 0. */
export function predictClm(fit: ClmFit | ClmmFit, table: Table): OrdinalPrediction {
  const design = makeDesign(fit.design.schema, table, { response: false, random: false });
  const n = design.rowsUsed.length;
  const eta = design.offset ? design.offset.slice() : new Float64Array(n);
  fit.coefficients.forEach(({ value }, k) => {
    const column = fit.kept[k]! * n;
    for (let i = 0; i < n; i++) eta[i]! += value * design.X.data[column + i]!;
  });
  return { rows: design.rowsUsed, eta, probabilities: categoryProbabilities(fit.link, fit.cuts, eta) };
}

export interface Superiority {
  /** P(second rated above first), equal, below. */
  readonly above: number;
  readonly equal: number;
  readonly below: number;
}

/** Two independent ratings with linear predictors `first` and `second`. */
export function superiorityOf(
  link: CumulativeLink,
  cuts: ArrayLike<number>,
  first: number,
  second: number,
): Superiority {
  const { data, cols } = categoryProbabilities(link, cuts, [first, second]);
  let [above, equal, below, underFirst, underSecond] = [0, 0, 0, 0, 0];
  for (let j = 0; j < cols; j++) {
    const [p, q] = [data[2 * j]!, data[2 * j + 1]!];
    above += q * underFirst;
    below += p * underSecond;
    equal += p * q;
    underFirst += p;
    underSecond += q;
  }
  return { above, equal, below };
}
