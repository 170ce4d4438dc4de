/** Prediction for new rows from a mixed model, for an average level of every grouping factor or for the levels that the fit has seen.
 *      population   η̂ = x'β̂ + offset,           SE² = x' Var(β̂) x
 *      conditional  η̂ = x'β̂ + z'b̂ + offset,     b̂ the conditional modes; a level that the fit has not seen has b̂ = 0
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), 5.1.
 *  Oracle:    predict.merMod (lme4, R) with re.form = NA and NULL, allow.new.levels = TRUE: oracle/r/predict-mixed.json.
 *  Limits:    a conditional prediction has no standard error here: that of the modes would have to join that of β̂ (NaN). With a link
 *             the population value is that of a level whose effects are 0, not the mean over levels. */
import type { Table } from "../../data/table.ts";
import { type Design, makeDesign } from "../../formula/design.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { type Matrix, selectColumns } from "../../numeric/linalg/matrix.ts";
import { linearPredictor, type Prediction } from "../glm/predict.ts";
import { LINKS } from "../link.ts";
import type { LmmFit } from "../lmm/lmm.ts";
import type { ClmmFit } from "../ordinal/clmm.ts";
import { categoryProbabilities, type OrdinalPrediction, predictClm } from "../ordinal/probabilities.ts";
import type { GlmmFit } from "./glmm.ts";

export interface MixedPredictOptions {
  /** "population" (default): random effects 0; "conditional": those of the levels that the fit has seen. */
  readonly effects?: "population" | "conditional" | undefined;
  readonly confidence?: number | undefined;
}

export function predictMixed(fit: LmmFit | GlmmFit, table: Table, options: MixedPredictOptions = {}): Prediction {
  const { effects = "population", confidence = 0.95 } = options;
  const conditional = effects === "conditional";
  const design = makeDesign(fit.design.schema, table, { response: false, random: conditional, newGroups: "allow" });
  const X = fit.kept.length === design.X.cols ? design.X : selectColumns(design.X, fit.kept);
  const beta = Float64Array.from(fit.coefficients, ({ value }) => value);
  const { eta, se } = linearPredictor(X, beta, fit.vcov);
  if (design.offset) for (let i = 0; i < eta.length; i++) eta[i]! += design.offset[i]!;
  if (conditional) {
    addModesInto(eta, design, fit.modes);
    se.fill(Number.NaN);
  }
  const mu = fit.kind === "lmm" ? (e: number) => e : LINKS[fit.link].mu;
  const half = tQuantileUpper((1 - confidence) / 2, Number.POSITIVE_INFINITY);
  return {
    rows: design.rowsUsed,
    eta,
    se,
    value: eta.map((e) => mu(e)),
    lower: eta.map((e, i) => mu(e - half * se[i]!)),
    upper: eta.map((e, i) => mu(e + half * se[i]!)),
  };
}

/** Probabilities of the categories. */
export function predictClmm(
  fit: ClmmFit,
  table: Table,
  { effects = "population" }: MixedPredictOptions = {},
): OrdinalPrediction {
  const population = predictClm(fit, table);
  if (effects === "population") return population;
  const design = makeDesign(fit.design.schema, table, { response: false, newGroups: "allow" });
  // rows without a group are left out here and not there
  const place = new Map(Array.from(population.rows, (row, i) => [row, i]));
  const eta = Float64Array.from(design.rowsUsed, (row) => population.eta[place.get(row)!]!);
  addModesInto(eta, design, fit.modes);
  return { rows: design.rowsUsed, eta, probabilities: categoryProbabilities(fit.link, fit.cuts, eta) };
}

function addModesInto(eta: Float64Array, design: Design, modes: readonly Matrix[]): void {
  design.random.forEach(({ index, Z }, block) => {
    const b = modes[block]!;
    for (let k = 0; k < Z.cols; k++)
      for (let i = 0; i < eta.length; i++)
        if (index[i]! >= 0) eta[i]! += Z.data[i + k * Z.rows]! * b.data[index[i]! + k * b.rows]!;
  });
}
