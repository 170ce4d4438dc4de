/** What a learner is: training rows with labels and test rows without in, predictions out. The built-in ones by name.
 *    linear    least squares; of classes, one indicator each
 *    logistic  logistic regression; of more than two classes, one against the rest, normalised
 *    gam       additive splines (s(x) for numbers with enough values), likewise
 *    knn       nearest neighbours on standardised features: mean, or shares of the classes
 *    stumps    boosted one-split trees on ranks: an additive step function
 *  Reference: the models of fitLm, fitGlm, fitGam; knn.ts, stumps.ts.
 *  Limits:    rows must be complete. Text features become indicators; a text that training rows lack has none. */
import type { Column, Table } from "../../data/table.ts";
import { column } from "../../data/table.ts";
import { predictKnn } from "./knn.ts";
import { predictModel } from "./models.ts";
import { predictStumps } from "./stumps.ts";

export const LEARNERS = ["gam", "logistic", "linear", "knn", "stumps"] as const;
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
