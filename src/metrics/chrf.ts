/** chrF and chrF++: F-score of character n-grams (and word n-grams).
 *    chrFβ = 100 (1 + β²) P R / (β² P + R),   P, R: means over the orders 1 … Nc (characters) and 1 … Nw (words)
 *  Matches, n-grams of the hypothesis and of the reference are summed over the corpus per order. Of several references each
 *  segment counts against the one with which it scores best by itself (of equals the first). Orders without any n-gram on one
 *  side are left out (effective order), or with `epsSmoothing` count as 1e-16 and F is averaged over orders.
 *  Reference: Popović (2015, 2016, 2017), WMT.
 *  Oracle:    sacrebleu 2.6.0, oracle/python/metrics.json — all digits (1e-12).
 *  Limits:    characters are code points, not what a reader sees as one letter. */
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
import { isSpace, splitWords, Vocabulary } from "./words.ts";

export interface ChrfOptions {
  /** Longest n-grams of characters; default 6. */
  readonly charOrder?: number | undefined;
  /** Longest n-grams of words; default 0, chrF++ has 2. */
  readonly wordOrder?: number | undefined;
  /** Weight of recall; default 2. */
  readonly beta?: number | undefined;
  readonly lowercase?: boolean | undefined;
  /** Whether white space counts as characters. */
  readonly whitespace?: boolean | undefined;
  readonly epsSmoothing?: boolean | undefined;
}

const EPSILON = 1e-16;
const MOST_ORDER = 32;
/** A row has for each order: n-grams of the hypothesis, of the reference, and in both. */
const PARTS = 3;

interface Segment {
  readonly characters: Int32Array;
  readonly words: Int32Array;
}

type Settings = { readonly [K in keyof ChrfOptions]-?: NonNullable<ChrfOptions[K]> };

export function prepareChrf(references: References, options: ChrfOptions = {}): TextScorer {
  const set = settings(options);
  const { lists, count } = referencesBySegment(references);
  const vocabulary = new Vocabulary();
  const read = (text: string): Segment => readSegment(set.lowercase ? text.toLowerCase() : text, set, vocabulary);
  const prepared = lists.map((list) => list.map(read));
  const metric = makeChrfMetric(count, set);
  const statisticsOf = (hypotheses: readonly string[]): ItemStatistics => {
    requireSegments(hypotheses, prepared.length);
    const statistics = makeStatistics(metric, hypotheses.length);
    const work = { trie: new NgramTrie(), row: new Float64Array(metric.width), set };
    hypotheses.forEach((text, i) => {
      fillBestRow(statistics.data, i * metric.width, { hypothesis: read(text), references: prepared[i]! }, work);
    });
    return statistics;
  };
  const detailsOf = (sums: Float64Array): Record<string, number> => {
    const { precision, recall } = meanRates(sums, 0, set);
    return { precision: 100 * precision, recall: 100 * recall };
  };
  return { metric, segments: prepared.length, references: count, statisticsOf, detailsOf };
}

function settings(options: ChrfOptions): Settings {
  const {
    charOrder = 6,
    wordOrder = 0,
    beta = 2,
    lowercase = false,
    whitespace = false,
    epsSmoothing = false,
  } = options;
  for (const [what, order, least] of [["characters", charOrder, 1] as const, ["words", wordOrder, 0] as const]) {
    if (!Number.isInteger(order) || order < least || order > MOST_ORDER) {
      const fix = `Give a whole number from ${least} to ${MOST_ORDER}.`;
      throw new StatError("BadOption", `n-grams of ${what} of order ${order}.`, fix);
    }
  }
  if (!(beta > 0 && Number.isFinite(beta))) {
    throw new StatError("BadOption", `beta ${beta}.`, "Give a number above 0.");
  }
  return { charOrder, wordOrder, beta, lowercase, whitespace, epsSmoothing };
}

function makeChrfMetric(references: number | "var", set: Settings): Metric {
  return {
    name: `chrF${set.beta}${"+".repeat(Math.min(2, set.wordOrder))}`,
    higherIsBetter: true,
    isMean: false,
    range: [0, 100],
    width: PARTS * (set.charOrder + set.wordOrder),
    scoreOf: (sums, at = 0) => chrfOf(sums, at, set),
    signature: joinSignature([
      ["nrefs", references],
      ["case", set.lowercase ? "lc" : "mixed"],
      ["eff", set.epsSmoothing ? "no" : "yes"],
      ["nc", set.charOrder],
      ["nw", set.wordOrder],
      ["space", set.whitespace ? "yes" : "no"],
    ]),
  };
}

function readSegment(text: string, { whitespace, wordOrder }: Settings, vocabulary: Vocabulary): Segment {
  return {
    characters: codePoints(text, whitespace),
    words: wordOrder === 0 ? new Int32Array(0) : vocabulary.idsOf(splitWords(text).flatMap(partPunctuation)),
  };
}

function codePoints(text: string, whitespace: boolean): Int32Array {
  const points = new Int32Array(text.length);
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.codePointAt(i)!;
    if (code > 0xffff) i++;
    if (whitespace || !isSpace(code)) points[count++] = code;
  }
  return points.subarray(0, count);
}

const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/;

/** One ASCII punctuation mark at the end of a word, else one at its start, is a word of its own. */
function partPunctuation(word: string): string[] {
  const first = String.fromCodePoint(word.codePointAt(0)!);
  if (word.length === first.length) return [word];
  const last = word.at(-1)!;
  if (ASCII_PUNCTUATION.test(last)) return [word.slice(0, -1), last];
  return ASCII_PUNCTUATION.test(first) ? [first, word.slice(1)] : [word];
}

interface Work {
  readonly trie: NgramTrie;
  readonly row: Float64Array;
  readonly set: Settings;
}

/** The row against the reference with which the segment scores best. */
function fillBestRow(
  data: Float64Array,
  at: number,
  { hypothesis, references }: { hypothesis: Segment; references: readonly Segment[] },
  { trie, row, set }: Work,
): void {
  let best = -1;
  for (const reference of references) {
    row.fill(0);
    const { charOrder, wordOrder } = set;
    fillOrders(row, 0, { hypothesis: hypothesis.characters, reference: reference.characters, order: charOrder, trie });
    if (wordOrder > 0) {
      const words = { hypothesis: hypothesis.words, reference: reference.words, order: wordOrder, trie };
      fillOrders(row, PARTS * charOrder, words);
    }
    const score = references.length === 1 ? 0 : chrfOf(row, 0, set);
    if (score > best) {
      best = score;
      data.set(row, at);
    }
  }
}

function fillOrders(
  row: Float64Array,
  at: number,
  {
    hypothesis,
    reference,
    order,
    trie,
  }: { hypothesis: Int32Array; reference: Int32Array; order: number; trie: NgramTrie },
): void {
  trie.clear();
  trie.addReference(reference, order);
  trie.addMatchesInto(row, hypothesis, { order, at: at + 2, step: PARTS });
  for (let n = 0; n < order; n++) {
    const inReference = Math.max(0, reference.length - n);
    // an order that the reference does not have is not held against the hypothesis
    row[at + PARTS * n] = inReference > 0 ? Math.max(0, hypothesis.length - n) : 0;
    row[at + PARTS * n + 1] = inReference;
  }
}

function chrfOf(sums: Float64Array, at: number, set: Settings): number {
  const factor = set.beta ** 2;
  if (set.epsSmoothing) return meanOfOrders(sums, at, set);
  const { precision, recall } = meanRates(sums, at, set);
  if (precision + recall === 0) return 0;
  return 100 * (((1 + factor) * precision * recall) / (factor * precision + recall));
}

/** Means over the orders that both sides have. */
function meanRates(
  sums: Float64Array,
  at: number,
  { charOrder, wordOrder }: Settings,
): { precision: number; recall: number } {
  let precision = 0;
  let recall = 0;
  let orders = 0;
  for (let n = 0; n < charOrder + wordOrder; n++) {
    const own = sums[at + PARTS * n]!;
    const other = sums[at + PARTS * n + 1]!;
    if (own === 0 || other === 0) continue;
    precision += sums[at + PARTS * n + 2]! / own;
    recall += sums[at + PARTS * n + 2]! / other;
    orders++;
  }
  return orders === 0 ? { precision: 0, recall: 0 } : { precision: precision / orders, recall: recall / orders };
}

function meanOfOrders(sums: Float64Array, at: number, { charOrder, wordOrder, beta }: Settings): number {
  const factor = beta ** 2;
  let total = 0;
  for (let n = 0; n < charOrder + wordOrder; n++) {
    const own = sums[at + PARTS * n]!;
    const other = sums[at + PARTS * n + 1]!;
    const both = sums[at + PARTS * n + 2]!;
    const precision = own > 0 ? both / own : EPSILON;
    const recall = other > 0 ? both / other : EPSILON;
    const weight = factor * precision + recall;
    total += weight > 0 ? ((1 + factor) * precision * recall) / weight : EPSILON;
  }
  return (100 * total) / (charOrder + wordOrder);
}
