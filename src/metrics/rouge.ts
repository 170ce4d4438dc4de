/** ROUGE-1, ROUGE-2 and ROUGE-L, as Google's rouge_score gives them: lower case, words of a-z and 0-9, F measure; with its use_stemmer, words
 *  of more than three letters are stemmed (porter.ts).
 *      ROUGE-n   P = Σ min(counts) / n-grams of the output,  R = … / n-grams of the reference,  F = 2PR / (P + R)
 *      ROUGE-L   the same with the longest common subsequence of the words
 *  A system's score is the mean over items, in shares; of several references the one with the highest F counts, as in score_multi.
 *  Reference: Lin (2004), ACL Workshop on Text Summarization Branches Out; the code of rouge_score (google-research).
 *  Oracle:    examples counted by hand; enumeration of all subsequences.
 *  Limits:    no ROUGE-Lsum; other scripts than Latin have no words under this tokeniser. */
import { mostOf } from "../result/extremes.ts";
import { type ItemStatistics, type Metric, makeStatistics } from "./metric.ts";
import { porterStem } from "./porter.ts";
import {
  joinSignature,
  type References,
  referencesBySegment,
  requireSegments,
  type TextScorer,
} from "./text-scorer.ts";

export type RougeName = "rouge1" | "rouge2" | "rougeL";

export function prepareRouge(references: References, name: RougeName, stem = false): TextScorer {
  const { lists, count } = referencesBySegment(references);
  const targets = lists.map((list) => list.map((text) => rougeWords(text, stem)));
  const metric: Metric = {
    name,
    higherIsBetter: true,
    isMean: true,
    width: 2,
    range: [0, 1],
    scoreOf: (sums, at = 0) => sums[at]! / sums[at + 1]!,
    signature: joinSignature([
      [name, "f"],
      ["nrefs", count],
      ["tok", "rouge_score"],
      ["stemmer", stem ? "porter" : "no"],
    ]),
  };
  return {
    metric,
    segments: lists.length,
    references: count,
    statisticsOf: (hypotheses) => scoreAll(metric, hypotheses, { name, targets, stem }),
    detailsOf: () => ({}),
  };
}

function scoreAll(
  metric: Metric,
  hypotheses: readonly string[],
  { name, targets, stem }: { name: RougeName; targets: readonly (readonly string[][])[]; stem: boolean },
): ItemStatistics {
  requireSegments(hypotheses, targets.length);
  const statistics = makeStatistics(metric, hypotheses.length);
  hypotheses.forEach((text, i) => {
    const words = rougeWords(text, stem);
    statistics.data[2 * i] = mostOf(targets[i]!.map((target) => rouge(words, target, name)));
    statistics.data[2 * i + 1] = 1;
  });
  return statistics;
}

/** Shorter words are not stemmed. */
const SHORT_WORD = 3;

export function rougeWords(text: string, stem = false): string[] {
  const words = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .split(" ")
    .filter((word) => word !== "");
  return stem ? words.map((word) => (word.length > SHORT_WORD ? porterStem(word) : word)) : words;
}

function rouge(words: readonly string[], target: readonly string[], name: RougeName): number {
  if (name === "rougeL") return fMeasure(longestCommon(words, target), words.length, target.length);
  const n = name === "rouge1" ? 1 : 2;
  const [own, wanted] = [countGrams(words, n), countGrams(target, n)];
  let shared = 0;
  for (const [gram, times] of own) shared += Math.min(times, wanted.get(gram) ?? 0);
  return fMeasure(shared, Math.max(0, words.length - n + 1), Math.max(0, target.length - n + 1));
}

function fMeasure(shared: number, own: number, wanted: number): number {
  if (shared === 0) return 0;
  const [precision, recall] = [shared / own, shared / wanted];
  return (2 * precision * recall) / (precision + recall);
}

function countGrams(words: readonly string[], n: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let i = 0; i + n <= words.length; i++) {
    const gram = words.slice(i, i + n).join(" ");
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

/** Length of the longest common subsequence, row by row. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let above = new Int32Array(b.length + 1);
  for (const word of a) {
    const row = new Int32Array(b.length + 1);
    for (let j = 1; j <= b.length; j++)
      row[j] = word === b[j - 1] ? above[j - 1]! + 1 : Math.max(above[j]!, row[j - 1]!);
    above = row;
  }
  return above[b.length]!;
}
