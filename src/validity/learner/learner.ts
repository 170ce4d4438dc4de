/** What a learner is: training rows with labels and test rows without in, predictions out. The built-in ones by name.
 *    linear    least squares; of classes, one indicator each
 *    logistic  logistic regression; of more than two classes, one against the rest, normalised
 *    gam       additive splines (s(x) for numbers with enough values), likewise
 *    knn       nearest neighbours on standardised features: mean, or shares of the classes
 *    stumps    boosted one-split trees on ranks: an additive step function
 *  Reference: the models of fitLm, fitGlm, fitGam; predictKnn, stumps.ts.
 *  Limits:    rows must be complete. Text features become indicators; a text that training rows lack has none. */
import { type Column, column, makeTable, type Table } from "../../data/table.ts";
import { fitGam } from "../../models/gam/gam.ts";
import { predictGam } from "../../models/gam/predict.ts";
import { fitGlm } from "../../models/glm/glm.ts";
import { predictFixed } from "../../models/glm/predict.ts";
import { fitLm } from "../../models/lm/lm.ts";
import type { LEARNERS } from "../../question/choices.ts";
import { predictStumps } from "./stumps.ts";

export type LearnerName = (typeof LEARNERS)[number];

/** What is to be learned, shared by training and test rows. */
export type Target =
  | { readonly kind: "numbers"; readonly train: Float64Array; readonly test: Float64Array }
  | {
      readonly kind: "classes";
      readonly levels: readonly string[];
      readonly train: Int32Array;
      readonly test: Int32Array;
    };

/** Probabilities: one per row of the second of two classes, else one per row and class, class by class. */
export type Predictions =
  | { readonly kind: "numbers"; readonly values: Float64Array }
  | { readonly kind: "probabilities"; readonly values: Float64Array }
  | { readonly kind: "labels"; readonly codes: Int32Array };

/** Any learner: fits to the training rows, whose label is among the columns, and predicts the test rows, which have none. */
export type Learner = (train: Table, test: Table) => Predictions | Promise<Predictions>;

/** A numeric column of the matrix that the built-in learners see. */
export interface Encoded {
  readonly train: Float64Array;
  readonly test: Float64Array;
  /** An indicator of a text feature. */
  readonly indicator: boolean;
  /** The indicator of its first text, which models with an intercept can do without. */
  readonly reference: boolean;
}

/** Predicts one numeric target (0 and 1 for a class) for the test rows. */
export type OneTarget = (columns: readonly Encoded[], target: Float64Array, binary: boolean) => Float64Array;

export function builtInLearner(name: LearnerName, features: readonly string[], target: Target): Learner {
  const predictOne: OneTarget =
    name === "knn"
      ? predictKnn
      : name === "stumps"
        ? predictStumps
        : (columns, y, binary) => predictModel(name, columns, y, binary);
  return (train, test) => {
    const columns = features.flatMap((feature) => encode(column(train, feature), column(test, feature)));
    if (target.kind === "numbers") return { kind: "numbers", values: predictOne(columns, target.train, false) };
    return { kind: "probabilities", values: classProbabilities(columns, target, predictOne) };
  };
}

/** Text: one indicator per level of the training rows. */
function encode(train: Column, test: Column): Encoded[] {
  if (train.kind === "numeric" && test.kind === "numeric") {
    return [{ train: train.values, test: test.values, indicator: false, reference: false }];
  }
  const [own, other] = [textsOf(train), textsOf(test)];
  const indicate = (texts: readonly string[], level: string): Float64Array =>
    Float64Array.from(texts, (text) => (text === level ? 1 : 0));
  return [...new Set(own)].sort().map((level, k) => ({
    train: indicate(own, level),
    test: indicate(other, level),
    indicator: true,
    reference: k === 0,
  }));
}

const textsOf = (cells: Column): string[] =>
  cells.kind === "numeric"
    ? Array.from(cells.values, String)
    : Array.from(cells.codes, (code) => cells.levels[code] ?? "");

function classProbabilities(
  columns: readonly Encoded[],
  { levels, train, test }: Target & { readonly kind: "classes" },
  predictOne: OneTarget,
): Float64Array {
  const inside = (p: number): number => Math.max(0, Math.min(1, p));
  const indicatorOf = (k: number): Float64Array => Float64Array.from(train, (code) => (code === k ? 1 : 0));
  if (levels.length === 2) return predictOne(columns, indicatorOf(1), true).map(inside);
  const n = test.length;
  const values = new Float64Array(n * levels.length);
  levels.forEach((_, k) => {
    const y = indicatorOf(k);
    // a class that only test rows have cannot be predicted
    if (y.some((own) => own === 1)) values.set(predictOne(columns, y, true).map(inside), k * n);
  });
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = 0; k < levels.length; k++) sum += values[i + k * n]!;
    for (let k = 0; k < levels.length; k++) values[i + k * n] = sum > 0 ? values[i + k * n]! / sum : 1 / levels.length;
  }
  return values;
}

const MOST_NEIGHBOURS = 25;

/** Nearest neighbours: the mean target of the k training rows that are closest in standardised features, k about √n. Ties in distance
 *  go to the earlier row. Reference: Hastie, Tibshirani & Friedman (2009), 13.3. */
function predictKnn(columns: readonly Encoded[], target: Float64Array): Float64Array {
  const n = target.length;
  const k = Math.max(1, Math.min(MOST_NEIGHBOURS, Math.round(Math.sqrt(n)), n));
  const scaled = columns.map(standardise);
  const rows = columns[0]?.test.length ?? 0;
  const distance = new Float64Array(n);
  const nearest = new Int32Array(k);
  const predictions = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    distance.fill(0);
    for (const { train, test } of scaled) {
      const own = test[i]!;
      for (let j = 0; j < n; j++) distance[j]! += (train[j]! - own) ** 2;
    }
    selectNearestInto(nearest, distance);
    let sum = 0;
    for (const j of nearest) sum += target[j]!;
    predictions[i] = sum / k;
  }
  return predictions;
}

function standardise({ train, test, indicator }: Encoded): Pick<Encoded, "train" | "test"> {
  // two texts differ in two indicators, which together count 1
  if (indicator) return { train: train.map((x) => x * Math.SQRT1_2), test: test.map((x) => x * Math.SQRT1_2) };
  const mean = train.reduce((sum, x) => sum + x, 0) / train.length;
  const sd = Math.sqrt(train.reduce((sum, x) => sum + (x - mean) ** 2, 0) / train.length);
  const scale = (x: number): number => (sd > 0 ? (x - mean) / sd : 0);
  return { train: train.map(scale), test: test.map(scale) };
}

/** Indices of the smallest distances, by insertion: k is small. */
function selectNearestInto(nearest: Int32Array, distance: Float64Array): void {
  const k = nearest.length;
  let filled = 0;
  for (let j = 0; j < distance.length; j++) {
    if (filled === k && distance[j]! >= distance[nearest[k - 1]!]!) continue;
    let at = filled < k ? filled++ : k - 1;
    while (at > 0 && distance[nearest[at - 1]!]! > distance[j]!) {
      nearest[at] = nearest[at - 1]!;
      at--;
    }
    nearest[at] = j;
  }
}

/** Knots of a spline, and the fewest different values that it is worth. */
const KNOTS = 10;
const FEWEST_VALUES = 5;

/** Linear, logistic and additive models, the columns under plain names, so that any file will do. */
function predictModel(
  name: Exclude<LearnerName, "knn" | "stumps">,
  columns: readonly Encoded[],
  target: Float64Array,
  binary: boolean,
): Float64Array {
  const used = columns.filter(({ train, reference }) => !reference && train.some((value) => value !== train[0]));
  const rows = columns[0]?.test.length ?? 0;
  const table = (which: "train" | "test", y?: Float64Array): Table =>
    makeTable(
      [
        ...(y === undefined ? [] : [["y", { kind: "numeric" as const, values: y }] as const]),
        ...used.map((own, j) => [`x${j}`, { kind: "numeric" as const, values: own[which] }] as const),
      ],
      which === "train" ? target.length : rows,
    );
  const [train, test] = [table("train", target), table("test")];
  const linear = `y ~ ${used.length === 0 ? "1" : used.map((_, j) => `x${j}`).join(" + ")}`;
  const family = { family: binary ? ("binomial" as const) : ("gaussian" as const) };
  if (name === "linear") return predictFixed(fitLm(linear, train), test).value;
  if (name === "logistic") return predictFixed(fitGlm(linear, train, family), test).value;
  const terms = used.map((own, j) => gamTerm(`x${j}`, own));
  if (!terms.some((term) => term.startsWith("s("))) return predictFixed(fitGlm(linear, train, family), test).value;
  return predictGam(fitGam(`y ~ ${terms.join(" + ")}`, train, family), test).value;
}

function gamTerm(name: string, { train, indicator }: Encoded): string {
  const values = new Set(train).size;
  return indicator || values < FEWEST_VALUES ? name : `s(${name}, k = ${Math.min(KNOTS, values)})`;
}
