/** The rows and features that the models of a circularity test see: which features are candidates, how many functions each gets, and how
 *  many rows a search can afford. */
import { isMissing, takeCells } from "../../data/table.ts";
import type { GamMethod } from "../../models/gam/problem.ts";
import { note } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { type CircularityFamily, countDistinct, FEWEST_ROWS, type Feature, type Label } from "./data.ts";
import { MOST_FOR_POWERSET } from "./powerset.ts";
import type { ModelFeature, ModelFrame, SplineBasis } from "./powerset-model.ts";

/** Rows of a search: linear models are cheap, logistic ones, which iterate most where the label is separated, are not. */
const MOST_ROWS: Readonly<Record<CircularityFamily, number>> = { gaussian: 200_000, binomial: 5000 };
/** Rows times squared coefficients of the largest model where not all sets of the candidates are fitted. */
const MOST_WORK = 2e8;
/** Spline functions of all candidates together where not all sets of them are fitted: a logistic model costs their cube in every step of
 *  each of its smoothing parameters. The chosen set gets more (refine.ts). */
const MOST_FUNCTIONS: Readonly<Record<CircularityFamily, number>> = {
  gaussian: Number.POSITIVE_INFINITY,
  binomial: 60,
};
/** Rows that a spline function needs in the search, times the candidates. */
export const ROWS_PER_FUNCTION = 10;

/** So that looking at one more feature costs no row. */
export function isComplete({ column }: Feature, { values }: Label): boolean {
  return values.every((value, i) => Number.isNaN(value) || !isMissing(column, i));
}

export function chooseFamily({ name, values }: Label, asked: CircularityFamily | undefined): CircularityFamily {
  const distinct = countDistinct({ kind: "numeric", values });
  if (asked !== "binomial") return asked ?? (distinct === 2 ? "binomial" : "gaussian");
  if (distinct === 2) return "binomial";
  const few = [...new Set(values)].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const shown = few.length <= 6 ? ` (${few.join(", ")})` : "";
  throw new StatError(
    "LabelOutsideFamily",
    `the binomial family needs a label of two values; ${name} has ${few.length}${shown}.`,
    `use \`family: gaussian\`, or make two of them: \`mutateTable: "positive = ${name} > ${few[0]}"\` \`label: positive\`.`,
  );
}

/** The first by correlation; the two with the strongest curved relation are always among them. */
export function pickCandidates(features: readonly Feature[], count: number): Feature[] {
  const picked = features.slice(0, count);
  const curved = [...features].sort((a, b) => b.association - a.association).slice(0, Math.min(2, count));
  const missing = curved.filter((feature) => !picked.includes(feature));
  const spare = picked.filter((feature) => !curved.includes(feature)).slice(-missing.length);
  const kept = missing.length === 0 ? picked : picked.filter((feature) => !spare.includes(feature));
  return [...kept, ...missing].sort((a, b) => features.indexOf(a) - features.indexOf(b));
}

interface FrameRequest {
  readonly family: CircularityFamily;
  readonly method: GamMethod;
  readonly basis: SplineBasis;
  readonly k: number;
  readonly knots: Readonly<Record<string, number>>;
  readonly candidates: number;
  readonly features: readonly string[] | undefined;
}

export function makeFrame(
  label: Label,
  features: readonly Feature[],
  request: FrameRequest,
): { frame: ModelFrame; diagnostics: Diagnostic[] } {
  const { family, method, basis, k, knots } = request;
  for (const name of Object.keys(knots)) {
    if (features.some((feature) => feature.name === name)) continue;
    throw new StatError("UnknownFeature", `knots are given for ${name}, which is not a candidate.`, "check its name.");
  }
  const rows = Int32Array.from(label.values.keys()).filter(
    (i) => !Number.isNaN(label.values[i]!) && features.every(({ column }) => !isMissing(column, i)),
  );
  if (rows.length < FEWEST_ROWS) {
    const message = `only ${rows.length} rows have the label and all candidates; curves need ${FEWEST_ROWS} or more.`;
    throw new StatError("TooFewRows", message, "name fewer features, without those that are often missing.");
  }
  const values = Float64Array.from(rows, (i) => label.values[i]!);
  const low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const y = family === "binomial" ? values.map((value) => (value > low ? 1 : 0)) : values;
  const byRows = Math.max(3, Math.floor(rows.length / (ROWS_PER_FUNCTION * request.candidates)));
  const affordable = Math.min(byRows, mostFunctions(family, request.candidates));
  const own = features.map(({ name, column }): ModelFeature => {
    const cells = takeCells(column, rows);
    return { name, column: cells, distinct: countDistinct(cells), k: knots[name] ?? Math.min(k, affordable) };
  });
  const usable = own.filter(({ distinct }) => distinct > 1);
  const diagnostics = usable.length === own.length ? [] : [constantNote(own.filter(({ distinct }) => distinct === 1))];
  if (rows.length < label.values.length) diagnostics.push(droppedNote(rows.length, label.values.length));
  if (affordable < k) {
    const few = affordable === byRows ? `only ${rows.length} rows` : `${request.candidates} candidates`;
    const message = `splines have ${affordable} functions rather than ${k}: there are ${few}.`;
    diagnostics.push(
      note("FewerKnots", message, "a rule with sharp steps may be missed; more rows or fewer candidates help."),
    );
  }
  return { frame: { y, features: usable, family, method, basis }, diagnostics };
}

const constantNote = (some: readonly ModelFeature[]): Diagnostic =>
  note("ConstantInRows", `${some.map(({ name }) => name).join(", ")} does not vary in the complete rows.`, "");

const droppedNote = (used: number, all: number): Diagnostic =>
  note("RowsDropped", `${all - used} of ${all} rows miss the label or a candidate and were left out.`, "");

const mostFunctions = (family: CircularityFamily, candidates: number): number =>
  candidates <= MOST_FOR_POWERSET[family]
    ? Number.POSITIVE_INFINITY
    : Math.max(3, Math.floor(MOST_FUNCTIONS[family] / candidates));

/** All rows for the sets of few candidates; with many, so many that the largest model costs no more than those do. */
export function mostRows({ family, features }: ModelFrame, candidates: number): number {
  if (candidates <= MOST_FOR_POWERSET[family]) return MOST_ROWS[family];
  const coefficients = features.slice(0, candidates).reduce((sum, { k }) => sum + k, 1);
  return Math.min(MOST_ROWS[family], Math.max(FEWEST_ROWS, Math.floor(MOST_WORK / coefficients ** 2)));
}

export function thinFrame(frame: ModelFrame, most: number): ModelFrame {
  const n = frame.y.length;
  if (n <= most) return frame;
  const rows = Int32Array.from({ length: most }, (_, r) => Math.floor((r * n) / most));
  return {
    ...frame,
    y: Float64Array.from(rows, (i) => frame.y[i]!),
    features: frame.features.map((feature) => {
      const cells = takeCells(feature.column, rows);
      return { ...feature, column: cells, distinct: countDistinct(cells) };
    }),
  };
}
