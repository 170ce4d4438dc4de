/** Prediction from an additive model for new rows, coded as the training rows were.
 *  η̂ = x'β̂ + offset, SE² = x'V_p x with the Bayesian covariance; intervals are made on the link scale and mapped back.
 *  Reference: Wood (2017), Generalized Additive Models, 2nd ed., §6.10 (their coverage is good on average across the rows).
 *  Oracle:    predict.gam (mgcv, R), oracle/r/gam.json. */
import type { Table } from "../../data/table.ts";
import { smoothRows } from "../../formula/basis/basis.ts";
import { makeDesign } from "../../formula/design.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { selectColumns } from "../../numeric/linalg/matrix.ts";
import { FAMILIES } from "../family.ts";
import type { Prediction } from "../glm/predict.ts";
import { LINKS } from "../link.ts";
import type { GamFit } from "./gam.ts";
import { makeGamRows } from "./rows/rows.ts";
import { termEffects } from "./shapes.ts";

export interface GamPredictOptions {
  readonly confidence?: number | undefined;
  /** Also the contribution of each smooth. */
  readonly terms?: boolean | undefined;
}

export interface GamPrediction extends Prediction {
  /** Contributions of the smooths to η, if asked for. */
  readonly terms: readonly { readonly term: string; readonly effect: Float64Array; readonly se: Float64Array }[];
}

export function predictGam(fit: GamFit, table: Table, options: GamPredictOptions = {}): GamPrediction {
  const { confidence = fit.confidence, terms = false } = options;
  const design = makeDesign(fit.design.schema, table, { response: false });
  const X = fit.kept.length === design.X.cols ? design.X : selectColumns(design.X, fit.kept);
  const smooths = fit.fittedSmooths.map(({ learned, term, from }) => ({
    learned,
    columns: design.smooth[term]!,
    from,
  }));
  const n = design.rowsUsed.length;
  const rows = makeGamRows(X, smooths);
  const eta = new Float64Array(n);
  const se = new Float64Array(n);
  rows.linearInto(eta, fit.beta);
  rows.quadraticInto(se, fit.bayesian.data);
  for (let i = 0; i < n; i++) {
    eta[i]! += design.offset?.[i] ?? 0;
    se[i] = Math.sqrt(Math.max(0, se[i]!));
  }
  const df = FAMILIES[fit.family].knownDispersion ? Number.POSITIVE_INFINITY : fit.residualDf;
  const half = tQuantileUpper((1 - confidence) / 2, df);
  const { mu } = LINKS[fit.link];
  return {
    rows: design.rowsUsed,
    eta,
    se,
    value: eta.map((e) => mu(e)),
    lower: eta.map((e, i) => mu(e - half * se[i]!)),
    upper: eta.map((e, i) => mu(e + half * se[i]!)),
    terms: terms
      ? smooths.map(({ learned, columns, from }) => ({
          term: learned.label,
          ...termEffects(smoothRows(learned, columns.covariates, columns.by), {
            from,
            beta: fit.beta,
            covariance: fit.bayesian,
          }),
        }))
      : [],
  };
}
