/** Precision, recall and F1 of labels.   P = tp / predicted,  R = tp / true,  F1 = 2 tp / (predicted + true)
 *    binary  of one class, the positive one
 *    micro   counts summed over classes (over all classes of single-label data this is accuracy; `classes` leaves some out)
 *    macro   mean over the classes of each one's own figure
 *  Reference: van Rijsbergen (1979), Information Retrieval; Sokolova & Lapalme (2009), Inf. Process. Manag. 45.
 *  Oracle:    closed form and direct counting in labels.test.ts; scikit-learn's definitions (precision_recall_fscore_support).
 *  Limits:    one label per item. What has no denominator is NaN in binary and micro form; in a macro mean a class that occurs
 *             but is never predicted has precision 0, and a class that does not occur at all is left out, as in scikit-learn. */
import { codeLabels, type Label, type Labels, positiveClass } from "./labels.ts";
import { type ItemStatistics, type Metric, makeStatistics } from "./metric.ts";
import { joinSignature } from "./text-scorer.ts";

export type Average = "binary" | "micro" | "macro";
export type Measure = "f1" | "precision" | "recall";

export interface F1Options {
  readonly measure?: Measure | undefined;
  readonly average?: Average | undefined;
  /** Binary: the class that counts; may be left out for labels such as 0/1, no/yes, false/true. */
  readonly positive?: Label | undefined;
  /** Every label that may occur, in order; default: those that do. Needed so that several systems' rows have one width. */
  readonly labels?: readonly string[] | undefined;
  /** Micro and macro: the classes that count; default: all. */
  readonly classes?: readonly string[] | undefined;
}

/** Each class takes three numbers: hits, predicted, true. */
const PARTS = 3;

export function f1Statistics(gold: Labels, predicted: Labels, options: F1Options = {}): ItemStatistics {
  const { measure = "f1", average = "binary" } = options;
  const coded = codeLabels(gold, predicted, options.labels);
  const counted =
    average === "binary"
      ? [positiveClass(coded.classes, options.positive)]
      : (options.classes ?? coded.classes).map((label) => positiveClass(coded.classes, label));
  const slots = new Int32Array(coded.classes.length).fill(-1);
  counted.forEach((k, slot) => {
    slots[k] = average === "macro" ? slot : 0;
  });
  const what = average === "macro" ? `${counted.length} classes` : counted.map((k) => coded.classes[k]!).join("+");
  const metric = makeF1Metric({ measure, average, slots: average === "macro" ? counted.length : 1, what });
  const statistics = makeStatistics(metric, gold.length);
  for (let i = 0; i < gold.length; i++) {
    const right = slots[coded.gold[i]!]!;
    const given = slots[coded.predicted[i]!]!;
    const at = i * metric.width;
    if (given >= 0) statistics.data[at + PARTS * given + 1] = 1;
    if (right >= 0) statistics.data[at + PARTS * right + 2] = 1;
    if (right >= 0 && coded.gold[i] === coded.predicted[i]) statistics.data[at + PARTS * right] = 1;
  }
  return statistics;
}

const NAMES: Record<Measure, string> = { f1: "F1", precision: "precision", recall: "recall" };

function makeF1Metric(of: { measure: Measure; average: Average; slots: number; what: string }): Metric {
  const { measure, average, slots, what } = of;
  return {
    name: average === "binary" ? NAMES[measure] : `${average} ${NAMES[measure]}`,
    higherIsBetter: true,
    isMean: false,
    range: [0, 1],
    width: PARTS * slots,
    scoreOf: (sums, at = 0) => (slots === 1 ? rate(sums, at, measure) : meanRate(sums, at, { measure, slots })),
    signature: joinSignature([
      ["measure", measure],
      ["average", average],
      [average === "binary" ? "positive" : "classes", average === "macro" ? slots : what],
    ]),
  };
}

function rate(sums: Float64Array, at: number, measure: Measure): number {
  const [hits, given, right] = [sums[at]!, sums[at + 1]!, sums[at + 2]!];
  if (measure === "precision") return hits / given;
  return measure === "recall" ? hits / right : (2 * hits) / (given + right);
}

function meanRate(sums: Float64Array, at: number, { measure, slots }: { measure: Measure; slots: number }): number {
  let total = 0;
  let occurring = 0;
  for (let k = 0; k < slots; k++) {
    const from = at + PARTS * k;
    if (sums[from + 1] === 0 && sums[from + 2] === 0) continue;
    occurring++;
    // no denominator, but the class occurs on the other side: nothing was found
    total += sums[from] === 0 ? 0 : rate(sums, from, measure);
  }
  return total / occurring;
}
