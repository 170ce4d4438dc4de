/** Everything that is read off a table of true against predicted labels, from its counts.   C_tp: rows true, columns predicted
 *    class     P = C_kk / predicted_k,  R = C_kk / true_k,  F1 = 2 C_kk / (predicted_k + true_k); NaN where nothing is divided by
 *    macro     mean over all K classes, undefined figures as 0 (scikit-learn's); beside it over the classes that occur, and the F1 of the
 *              averaged precision and recall, which is the other definition in use
 *    micro     over all classes it is accuracy; over a part of them 2 Σ C_kk / Σ(predicted_k + true_k)
 *    MCC       Gorodkin's R_K; NaN where one margin has a single class
 *  Reference: Opitz & Burst (2019), arXiv 1911.03347 (two macro F1); Gorodkin (2004), Comput. Biol. Chem. 28; Cohen (1960).
 *  Oracle:    exact fractions, oracle/next/power-metrics.json — 1e-12.
 *  Limits:    one label per item. */
import { StatError } from "../result/error.ts";

export interface ConfusionFigures {
  readonly n: number;
  readonly accuracy: number;
  /** By class. */
  readonly precision: readonly number[];
  readonly recall: readonly number[];
  readonly f1: readonly number[];
  readonly macroPrecision: number;
  readonly macroRecall: number;
  readonly macroF1: number;
  readonly macroF1Occurring: number;
  readonly macroF1OfAverages: number;
  readonly weightedF1: number;
  readonly microF1: number;
  readonly balancedAccuracy: number;
  readonly mcc: number;
  readonly kappa: number;
  /** Without the classes left out. */
  readonly without?: {
    readonly microPrecision: number;
    readonly microRecall: number;
    readonly microF1: number;
    readonly macroF1: number;
  };
}

/** Counts or shares; `exclude`: classes, from 0, that do not count as findings ("other", "O"). */
export function confusionFigures(
  confusion: readonly (readonly number[])[],
  { exclude = [] }: { readonly exclude?: readonly number[] } = {},
): ConfusionFigures {
  checkConfusion(confusion);
  const classes = Array.from(confusion.keys());
  const hits = classes.map((k) => confusion[k]![k]!);
  const right = confusion.map(sum);
  const given = classes.map((k) => sum(confusion.map((row) => row[k]!)));
  const n = sum(right);
  const precision = classes.map((k) => hits[k]! / given[k]!);
  const recall = classes.map((k) => hits[k]! / right[k]!);
  const f1 = classes.map((k) => (2 * hits[k]!) / (given[k]! + right[k]!));
  const occurring = f1.filter((own) => !Number.isNaN(own));
  const [macroPrecision, macroRecall] = [meanOf(precision.map(orZero)), meanOf(recall.map(orZero))];
  const accuracy = sum(hits) / n;
  return {
    n,
    accuracy,
    precision,
    recall,
    f1,
    macroPrecision,
    macroRecall,
    macroF1: meanOf(f1.map(orZero)),
    macroF1Occurring: meanOf(occurring),
    macroF1OfAverages: orZero((2 * macroPrecision * macroRecall) / (macroPrecision + macroRecall)),
    weightedF1: sum(f1.map((own, k) => orZero(own) * right[k]!)) / n,
    microF1: accuracy,
    balancedAccuracy: meanOf(recall.filter((own) => !Number.isNaN(own))),
    ...chanceCorrected({ hits: sum(hits), n, right, given }),
    ...(exclude.length === 0 ? {} : { without: partOf(classes, { hits, right, given, f1, exclude }) }),
  };
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const meanOf = (values: readonly number[]): number => sum(values) / values.length;
const orZero = (value: number): number => (Number.isNaN(value) ? 0 : value);

interface Margins {
  readonly hits: number;
  readonly n: number;
  readonly right: readonly number[];
  readonly given: readonly number[];
}

function chanceCorrected({ hits, n, right, given }: Margins): { mcc: number; kappa: number } {
  const both = sum(right.map((t, k) => t * given[k]!));
  const spread = (margin: readonly number[]): number => n * n - sum(margin.map((m) => m * m));
  const [varied, variedGiven] = [spread(right), spread(given)];
  const chance = both / (n * n);
  return {
    mcc: varied > 0 && variedGiven > 0 ? (hits * n - both) / (Math.sqrt(varied) * Math.sqrt(variedGiven)) : Number.NaN,
    kappa: chance < 1 ? (hits / n - chance) / (1 - chance) : Number.NaN,
  };
}

interface Counts {
  readonly hits: readonly number[];
  readonly right: readonly number[];
  readonly given: readonly number[];
  readonly f1: readonly number[];
  readonly exclude: readonly number[];
}

function partOf(classes: readonly number[], { hits, right, given, f1, exclude }: Counts) {
  const wrong = exclude.find((k) => !classes.includes(k));
  if (wrong !== undefined) {
    throw new StatError(
      "UnknownLabel",
      `class ${wrong} is left out, and there are ${classes.length}.`,
      "count from 0.",
    );
  }
  const kept = classes.filter((k) => !exclude.includes(k));
  const total = (values: readonly number[]): number => sum(kept.map((k) => values[k]!));
  return {
    microPrecision: total(hits) / total(given),
    microRecall: total(hits) / total(right),
    microF1: (2 * total(hits)) / (total(given) + total(right)),
    macroF1: meanOf(kept.map((k) => orZero(f1[k]!))),
  };
}

function checkConfusion(confusion: readonly (readonly number[])[]): void {
  const size = confusion.length;
  const square = size >= 2 && confusion.every((row) => row.length === size);
  if (!square || confusion.some((row) => row.some((cell) => !(cell >= 0 && Number.isFinite(cell))))) {
    throw new StatError(
      "BadTable",
      `a table of ${size} rows with ${confusion.map((row) => row.length).join(", ")} cells is not one of true against predicted labels.`,
      "give as many columns as rows, at least two, of counts of 0 or more.",
    );
  }
  if (sum(confusion.map(sum)) > 0) return;
  throw new StatError("NoItems", "the table of labels is empty.", "give its counts.");
}
