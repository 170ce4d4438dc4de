/** Metrics that are means over items: accuracy, exact match, error rates and any numeric score.   score = Σ value / Σ count
 *  A row is (value, 1), or (0, 0) where the item has no value: a missing item is neither right nor wrong, it is missing.
 *  Reference: Rajpurkar et al. (2016), EMNLP, for the normalisation of answers in exact match.
 *  Limits:    rows must be independent items; average repeated runs of an item first. */

import type { NORMALISATIONS } from "../question/choices.ts";
import { StatError } from "../result/error.ts";
import { metricDirection } from "../study/lexicon/metrics.ts";
import { codeLabels, type Labels } from "./labels.ts";
import { type ItemStatistics, type Metric, makeStatistics } from "./metric.ts";
import { joinSignature } from "./text-scorer.ts";
import { splitWords } from "./words.ts";

export interface MeanOptions {
  readonly name?: string | undefined;
  /** Default: by the name; null where that does not tell. */
  readonly higherIsBetter?: boolean | null | undefined;
}

export function meanStatistics(values: ArrayLike<number>, options: MeanOptions = {}): ItemStatistics {
  const { name = "mean score", higherIsBetter = metricDirection(name) ?? null } = options;
  return fill(values, makeMean(name, higherIsBetter, joinSignature([["mean", name]])));
}

/** Share of items whose predicted label is the right one. */
export function accuracyStatistics(gold: Labels, predicted: Labels): ItemStatistics {
  const coded = codeLabels(gold, predicted);
  const metric = makeMean("accuracy", true, joinSignature([["accuracy", "labels"]]));
  return fill(
    Float64Array.from(coded.gold, (label, i) => Number(label === coded.predicted[i])),
    metric,
  );
}

/** Differences that do not count: upper or lower case; ASCII punctuation; the words a, an, the; white space. */
export type Normalisation = (typeof NORMALISATIONS)[number];

/** Share of answers that equal one of their references. */
export function exactMatchStatistics(
  answers: readonly string[],
  references: readonly (string | readonly string[])[],
  { ignore = [] }: { ignore?: readonly Normalisation[] } = {},
): ItemStatistics {
  if (answers.length !== references.length) {
    throw new StatError(
      "UnequalLength",
      `${answers.length} answers and ${references.length} references.`,
      "Give one reference, or one list of references, per answer.",
    );
  }
  const hits = answers.map((answer, i) => {
    const own = references[i]!;
    const list = typeof own === "string" ? [own] : own;
    const wanted = normaliseAnswer(answer, ignore);
    return Number(list.some((reference) => normaliseAnswer(reference, ignore) === wanted));
  });
  const norm = ignore.length === 0 ? "none" : [...ignore].sort().join("+");
  return fill(
    hits,
    makeMean(
      "exact match",
      true,
      joinSignature([
        ["exact", "yes"],
        ["ignore", norm],
      ]),
    ),
  );
}

const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/g;
const ARTICLES = /\b(a|an|the)\b/gi;

/** In SQuAD's order: case, punctuation, articles, white space. */
export function normaliseAnswer(text: string, ignore: readonly Normalisation[]): string {
  let plain = text;
  if (ignore.includes("case")) plain = plain.toLowerCase();
  if (ignore.includes("punctuation")) plain = plain.replace(ASCII_PUNCTUATION, "");
  if (ignore.includes("articles")) plain = plain.replace(ARTICLES, " ");
  return ignore.includes("spaces") || ignore.includes("articles") ? splitWords(plain).join(" ") : plain;
}

function makeMean(name: string, higherIsBetter: boolean | null, signature: string): Metric {
  return {
    name,
    higherIsBetter,
    isMean: true,
    width: 2,
    scoreOf: (sums, at = 0) => sums[at]! / sums[at + 1]!,
    signature,
  };
}

function fill(values: ArrayLike<number>, metric: Metric): ItemStatistics {
  const statistics = makeStatistics(metric, values.length);
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i]!)) continue;
    statistics.data[2 * i] = values[i]!;
    statistics.data[2 * i + 1] = 1;
  }
  return statistics;
}
