/** Loss of every test row, and how far two sets of predictions lie apart. */
import { StatError } from "../../result/error.ts";
import type { Predictions, Target } from "./learner.ts";

export const LOSSES = ["squared", "absolute", "brier", "log", "error"] as const;
export type Loss = (typeof LOSSES)[number];

export const LOSS_NAMES: Readonly<Record<Loss, string>> = {
  squared: "mean squared error",
  absolute: "mean absolute error",
  brier: "Brier score",
  log: "log loss",
  error: "error rate",
};

/** A probability of exactly 0 for what happened would make a log loss infinite. */
const SMALLEST_PROBABILITY = 1e-12;

/** The loss that fits the predictions, or the one that was asked for, if it does. */
export function chooseLoss(predictions: Predictions, wanted: Loss | undefined): Loss {
  const fitting: Record<Predictions["kind"], readonly Loss[]> = {
    numbers: ["squared", "absolute"],
    probabilities: ["brier", "log", "error"],
    labels: ["error"],
  };
  const possible = fitting[predictions.kind];
  if (wanted === undefined) return possible[0]!;
  if (possible.includes(wanted)) return wanted;
  const message = `the loss "${wanted}" does not fit predictions that are ${predictions.kind}.`;
  throw new StatError("BadLoss", message, `choose ${possible.join(" or ")}.`);
}

export function lossesOf(predictions: Predictions, target: Target, loss: Loss): Float64Array {
  if (target.kind === "numbers") {
    if (predictions.kind !== "numbers")
      throw new StatError("BadPredictions", "the label is a number.", "predict numbers.");
    const away = predictions.values.map((value, i) => Math.abs(value - target.test[i]!));
    return loss === "absolute" ? away : away.map((d) => d * d);
  }
  const n = target.test.length;
  const classes = target.levels.length;
  if (predictions.kind === "labels") {
    return Float64Array.from({ length: n }, (_, i) => (predictions.codes[i] === target.test[i] ? 0 : 1));
  }
  const share = shareReader(predictions.values, n, classes);
  return Float64Array.from({ length: n }, (_, i) =>
    rowLoss(loss, target.test[i]!, { classes, share: (k) => share(i, k) }),
  );
}

function rowLoss(
  loss: Loss,
  truth: number,
  { classes, share }: { classes: number; share: (k: number) => number },
): number {
  if (loss === "log") return -Math.log(Math.max(SMALLEST_PROBABILITY, share(truth)));
  if (loss === "error") {
    let best = 0;
    for (let k = 1; k < classes; k++) if (share(k) > share(best)) best = k;
    return best === truth ? 0 : 1;
  }
  // of two classes the square counts once
  if (classes === 2) return (share(1) - (truth === 1 ? 1 : 0)) ** 2;
  let sum = 0;
  for (let k = 0; k < classes; k++) sum += (share(k) - (k === truth ? 1 : 0)) ** 2;
  return sum;
}

const shareReader =
  (values: Float64Array, n: number, classes: number) =>
  (i: number, k: number): number =>
    classes === 2 ? (k === 1 ? values[i]! : 1 - values[i]!) : values[i + k * n]!;

export interface Change {
  /** Share of rows whose prediction moved by more than CHANGE_TOLERANCE of the scale. */
  readonly share: number;
  /** Mean and largest change: of labels 0 or 1, of probabilities as they are, of numbers in sds of the label. */
  readonly mean: number;
  readonly largest: number;
}

/** Iterative fits (splines above all) stop when their criterion is flat, which leaves predictions some 1e-5 apart. */
const CHANGE_TOLERANCE = 1e-3;

export function changeBetween(a: Predictions, b: Predictions, target: Target): Change {
  const n = target.test.length;
  const scale = target.kind === "numbers" ? spreadOf(target.test) : 1;
  let [moved, sum, largest] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const change = rowChange(a, b, i, n) / scale;
    if (change > CHANGE_TOLERANCE) moved++;
    sum += change;
    largest = Math.max(largest, change);
  }
  return { share: moved / n, mean: sum / n, largest };
}

/** Over the classes, the largest change. */
function rowChange(a: Predictions, b: Predictions, i: number, n: number): number {
  if (a.kind === "labels" || b.kind === "labels") {
    return a.kind === "labels" && b.kind === "labels" && a.codes[i] === b.codes[i] ? 0 : 1;
  }
  let largest = 0;
  for (let at = i; at < a.values.length; at += n) largest = Math.max(largest, Math.abs(a.values[at]! - b.values[at]!));
  return largest;
}

function spreadOf(values: Float64Array): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return sd > 0 ? sd : 1;
}
