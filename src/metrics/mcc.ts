/** Matthews' correlation, for any number of classes (R_K), and balanced accuracy.
 *    R_K = (c s - Σ t_k p_k) / √((s² - Σ p_k²)(s² - Σ t_k²))     c right of s items; t_k true, p_k predicted of class k
 *    balanced accuracy = mean over the classes that occur of their recall
 *  For two classes R_K is (tp tn - fp fn) / √((tp+fp)(tp+fn)(tn+fp)(tn+fn)).
 *  Reference: Matthews (1975), BBA 405; Gorodkin (2004), Comput. Biol. Chem. 28, eq. 8; Brodersen et al. (2010), ICPR.
 *  Oracle:    closed form and the correlation of 0/1 variables in labels.test.ts.
 *  Limits:    undefined (NaN) where one side has a single class; scikit-learn gives 0 there. */
import { codeLabels, type Labels } from "./labels.ts";
import { type ItemStatistics, type Metric, makeStatistics } from "./metric.ts";
import { joinSignature } from "./text-scorer.ts";

export interface ClassOptions {
  /** Every label that may occur; default: those that do. Needed so that several systems' rows have one width. */
  readonly labels?: readonly string[] | undefined;
}

/** Row: right or not, 1, then the true class and the predicted class as indicators. */
export function mccStatistics(gold: Labels, predicted: Labels, { labels }: ClassOptions = {}): ItemStatistics {
  const coded = codeLabels(gold, predicted, labels);
  const classes = coded.classes.length;
  const metric: Metric = {
    name: "MCC",
    higherIsBetter: true,
    isMean: false,
    range: [-1, 1],
    width: 2 + 2 * classes,
    scoreOf: (sums, at = 0) => correlationOf(sums, at, classes),
    signature: joinSignature([
      ["mcc", "R_K"],
      ["classes", classes],
    ]),
  };
  const statistics = makeStatistics(metric, gold.length);
  for (let i = 0; i < gold.length; i++) {
    const at = i * metric.width;
    statistics.data[at] = Number(coded.gold[i] === coded.predicted[i]);
    statistics.data[at + 1] = 1;
    statistics.data[at + 2 + coded.gold[i]!] = 1;
    statistics.data[at + 2 + classes + coded.predicted[i]!] = 1;
  }
  return statistics;
}

function correlationOf(sums: Float64Array, at: number, classes: number): number {
  const total = sums[at + 1]!;
  let covariance = sums[at]! * total;
  let right = total * total;
  let given = total * total;
  for (let k = 0; k < classes; k++) {
    const t = sums[at + 2 + k]!;
    const p = sums[at + 2 + classes + k]!;
    covariance -= t * p;
    right -= t * t;
    given -= p * p;
  }
  return right > 0 && given > 0 ? covariance / (Math.sqrt(right) * Math.sqrt(given)) : Number.NaN;
}

/** Row: for each class hit or not, and whether it is the true one. */
export function balancedAccuracyStatistics(
  gold: Labels,
  predicted: Labels,
  { labels }: ClassOptions = {},
): ItemStatistics {
  const coded = codeLabels(gold, predicted, labels);
  const classes = coded.classes.length;
  const metric: Metric = {
    name: "balanced accuracy",
    higherIsBetter: true,
    isMean: false,
    range: [0, 1],
    width: 2 * classes,
    scoreOf: (sums, at = 0) => meanRecall(sums, at, classes),
    signature: joinSignature([
      ["balanced-accuracy", "recall"],
      ["classes", classes],
    ]),
  };
  const statistics = makeStatistics(metric, gold.length);
  for (let i = 0; i < gold.length; i++) {
    const at = i * metric.width + 2 * coded.gold[i]!;
    statistics.data[at] = Number(coded.gold[i] === coded.predicted[i]);
    statistics.data[at + 1] = 1;
  }
  return statistics;
}

function meanRecall(sums: Float64Array, at: number, classes: number): number {
  let total = 0;
  let occurring = 0;
  for (let k = 0; k < classes; k++) {
    const count = sums[at + 2 * k + 1]!;
    if (count === 0) continue;
    total += sums[at + 2 * k]! / count;
    occurring++;
  }
  return total / occurring;
}
