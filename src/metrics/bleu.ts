/** BLEU of a corpus.   BLEU = 100 · BP · exp( Σ_{n ≤ N} ln p_n / N ),  BP = min(1, exp(1 - r/c))
 *  p_n: clipped n-gram matches over n-grams of the hypotheses, both summed over the corpus; c: their length; r: the sum of the
 *  reference lengths nearest to each hypothesis (of two equally near the shorter).
 *  Smoothing of p_n = 0: exp halves 1/total once more for each empty order; floor puts a small number in its place; add-k adds
 *  k to numerator and denominator above unigrams. Effective order leaves out orders that a short text cannot have.
 *  Reference: Papineni et al. (2002), ACL; Chen & Cherry (2014), WMT, for smoothing; Post (2018), WMT, for the defaults.
 *  Oracle:    sacrebleu 2.6.0, oracle/python/metrics.json — all digits (1e-12).
 *  Limits:    a corpus without a single match scores 0, whatever the smoothing. */

import { SMOOTHINGS, TOKENISERS } from "../question/choices.ts";
import { StatError } from "../result/error.ts";
import { type ItemStatistics, type Metric, makeStatistics } from "./metric.ts";
import { NgramTrie } from "./ngram-trie.ts";
import {
  joinSignature,
  type References,
  referencesBySegment,
  requireSegments,
  type TextScorer,
} from "./text-scorer.ts";
import { type TokeniserName, tokenise } from "./tokenise.ts";
import { trimEnd, Vocabulary } from "./words.ts";

export type Smoothing = (typeof SMOOTHINGS)[number];

export interface BleuOptions {
  readonly tokenise?: TokeniserName | undefined;
  readonly smoothing?: Smoothing | undefined;
  /** Of floor (default 0.1) and add-k (default 1). */
  readonly smoothingValue?: number | undefined;
  readonly lowercase?: boolean | undefined;
  /** For scores of single sentences. */
  readonly effectiveOrder?: boolean | undefined;
  /** Longest n-grams. */
  readonly order?: number | undefined;
}

const DEFAULT_VALUES: Partial<Record<Smoothing, number>> = { floor: 0.1, "add-k": 1 };
/** Stands for ln 0: finite, so that a mean over orders has no NaN, and so low that exp of it is 0. */
const LOG_OF_ZERO = -9999999999;
const MOST_ORDER = 16;

/** A row: hypothesis length, reference length, matches of order 1 … N, n-grams of order 1 … N. */
const LENGTHS = 2;

export function prepareBleu(references: References, options: BleuOptions = {}): TextScorer {
  const { tokenise: tokeniser = "13a", lowercase = false, order = 4 } = options;
  checkOptions(options);
  const { lists, count } = referencesBySegment(references);
  const vocabulary = new Vocabulary();
  const read = (text: string): Int32Array =>
    vocabulary.idsOf(tokenise(trimEnd(lowercase ? text.toLowerCase() : text), tokeniser));
  const prepared = lists.map((list) => list.map(read));
  const metric = makeBleuMetric(count, options);
  const statisticsOf = (hypotheses: readonly string[]): ItemStatistics => {
    requireSegments(hypotheses, prepared.length);
    const statistics = makeStatistics(metric, hypotheses.length);
    const trie = new NgramTrie();
    hypotheses.forEach((text, i) => {
      fillRow(statistics.data, i * metric.width, { hypothesis: read(text), references: prepared[i]!, order, trie });
    });
    return statistics;
  };
  const detailsOf = (sums: Float64Array): Record<string, number | number[]> => {
    const { precisions, brevityPenalty } = bleuParts(sums, 0, settings(options));
    return {
      precisions,
      bp: brevityPenalty,
      ratio: sums[1]! > 0 ? sums[0]! / sums[1]! : 0,
      sysLen: sums[0]!,
      refLen: sums[1]!,
      counts: Array.from(sums.subarray(LENGTHS, LENGTHS + order)),
      totals: Array.from(sums.subarray(LENGTHS + order)),
    };
  };
  return { metric, segments: prepared.length, references: count, statisticsOf, detailsOf };
}

function checkOptions({ tokenise: name = "13a", smoothing = "exp", smoothingValue, order = 4 }: BleuOptions): void {
  if (!TOKENISERS.includes(name)) {
    throw new StatError("BadOption", `no tokeniser "${name}".`, `Choose one of ${TOKENISERS.join(", ")}.`);
  }
  if (!SMOOTHINGS.includes(smoothing)) {
    throw new StatError("BadOption", `no smoothing "${smoothing}".`, `Choose one of ${SMOOTHINGS.join(", ")}.`);
  }
  if (smoothingValue !== undefined && !(smoothingValue >= 0 && Number.isFinite(smoothingValue))) {
    throw new StatError("BadOption", `smoothing value ${smoothingValue}.`, "Give a number of at least 0.");
  }
  if (!Number.isInteger(order) || order < 1 || order > MOST_ORDER) {
    throw new StatError("BadOption", `n-grams of order ${order}.`, `Give a whole number from 1 to ${MOST_ORDER}.`);
  }
}

interface Settings {
  readonly smoothing: Smoothing;
  readonly value: number;
  readonly effectiveOrder: boolean;
  readonly order: number;
}

function settings({ smoothing = "exp", smoothingValue, effectiveOrder = false, order = 4 }: BleuOptions): Settings {
  return { smoothing, value: smoothingValue ?? DEFAULT_VALUES[smoothing] ?? 0, effectiveOrder, order };
}

function makeBleuMetric(references: number | "var", options: BleuOptions): Metric {
  const set = settings(options);
  const valued = DEFAULT_VALUES[set.smoothing] !== undefined;
  return {
    name: "BLEU",
    higherIsBetter: true,
    isMean: false,
    range: [0, 100],
    width: LENGTHS + 2 * set.order,
    scoreOf: (sums, at = 0) => bleuParts(sums, at, set).score,
    signature: joinSignature([
      ["nrefs", references],
      ["case", options.lowercase ? "lc" : "mixed"],
      ["eff", set.effectiveOrder ? "yes" : "no"],
      ["tok", options.tokenise ?? "13a"],
      ["smooth", valued ? `${set.smoothing}[${set.value.toFixed(2)}]` : set.smoothing],
    ]),
  };
}

function fillRow(
  data: Float64Array,
  at: number,
  segment: { hypothesis: Int32Array; references: readonly Int32Array[]; order: number; trie: NgramTrie },
): void {
  const { hypothesis, references, order, trie } = segment;
  const length = hypothesis.length;
  data[at] = length;
  data[at + 1] = nearestLength(length, references);
  trie.clear();
  for (const reference of references) trie.addReference(reference, order);
  trie.addMatchesInto(data, hypothesis, { order, at: at + LENGTHS, step: 1 });
  for (let n = 0; n < order; n++) data[at + LENGTHS + order + n] = Math.max(0, length - n);
}

function nearestLength(length: number, references: readonly Int32Array[]): number {
  let nearest = references[0]!.length;
  for (const { length: other } of references) {
    const gain = Math.abs(nearest - length) - Math.abs(other - length);
    if (gain > 0 || (gain === 0 && other < nearest)) nearest = other;
  }
  return nearest;
}

function bleuParts(
  sums: Float64Array,
  at: number,
  { smoothing, value, effectiveOrder, order }: Settings,
): { score: number; precisions: number[]; brevityPenalty: number } {
  const length = sums[at]!;
  const reference = sums[at + 1]!;
  const brevityPenalty = length >= reference ? 1 : length > 0 ? Math.exp(1 - reference / length) : 0;
  const precisions = new Array<number>(order).fill(0);
  let any = false;
  for (let n = 0; n < order; n++) any ||= sums[at + LENGTHS + n]! > 0;
  if (!any) return { score: 0, precisions, brevityPenalty };
  let halving = 1;
  let used = order;
  for (let n = 0; n < order; n++) {
    const added = smoothing === "add-k" && n > 0 ? value : 0;
    const matches = sums[at + LENGTHS + n]! + added;
    const total = sums[at + LENGTHS + order + n]! + added;
    if (total === 0) break;
    if (effectiveOrder) used = n + 1;
    if (matches > 0) precisions[n] = (100 * matches) / total;
    else if (smoothing === "exp") precisions[n] = 100 / ((halving *= 2) * total);
    else if (smoothing === "floor") precisions[n] = (100 * value) / total;
  }
  let logs = 0;
  for (let n = 0; n < used; n++) logs += precisions[n] === 0 ? LOG_OF_ZERO : Math.log(precisions[n]!);
  return { score: brevityPenalty * Math.exp(logs / used), precisions, brevityPenalty };
}
