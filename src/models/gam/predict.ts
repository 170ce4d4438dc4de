/** Prediction from an additive model for new rows, coded as the training rows were.
 *  η̂ = x'β̂ + offset, SE² = x'V_p x with the Bayesian covariance; intervals are made on the link scale and mapped back.
 *  Reference: Wood (2017), Generalized Additive Models, 2nd ed., §6.10 (their coverage is good on average across the rows).
 *  Oracle:    predict.gam (mgcv, R), oracle/r/gam.json. */
import type { Table } from "../../data/table.ts";
import { smoothRows } from "../../formula/basis/basis.ts";
import { type Design, makeDesign } from "../../formula/design.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { selectColumns } from "../../numeric/linalg/matrix.ts";
import { note } from "../../result/diagnostic.ts";
import { formatNumber } from "../../result/number-format.ts";
import type { Diagnostic } from "../../result/result.ts";
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
  /** Rows outside the data that the curves were learned from. */
  readonly diagnostics: readonly Diagnostic[];
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
    diagnostics: outsideData(fit.design, design),
  };
}

/** Beyond the data by more than this share of their range a curve is guessed from its slope at the end. */
const FAR = 0.1;

/** One note for each covariate of a smooth that stands far outside of what was seen. */
function outsideData(seen: Design, asked: Design): Diagnostic[] {
  const said = new Map<string, Diagnostic>();
  asked.smooth.forEach(({ term, covariates }, s) => {
    if (term.basis.includes("re")) return;
    covariates.forEach((column, c) => {
      const known = seen.smooth[s]!.covariates[c]!;
      if (column.kind !== "numeric" || known.kind !== "numeric") return;
      const [low, high] = rangeOf(known.values);
      const slack = FAR * (high - low);
      const far = column.values.filter((x) => x < low - slack || x > high + slack);
      if (far.length === 0) return;
      const [from, to] = rangeOf(far);
      const where = from === to ? formatNumber(from) : `${formatNumber(from)} to ${formatNumber(to)}`;
      const text = `${far.length} of ${column.values.length} rows lie far outside the data: ${term.of[c]} is ${where} there and was ${formatNumber(low)} to ${formatNumber(high)} in the fit. The curve is an extrapolation there, and its interval ignores that.`;
      said.set(term.of[c]!, note("OutsideData", text, "Fit rows from that range, or do not report these predictions."));
    });
  });
  return [...said.values()];
}

function rangeOf(values: Float64Array): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const x of values) {
    low = Math.min(low, x);
    high = Math.max(high, x);
  }
  return [low, high];
}
