/** Error rates of whole texts.   rate = 100 · Σ edits / Σ length of the references
 *  A row of an item holds its edits and its length. Of several references the edits are those to the nearest, the length is their mean.
 *    WER   edits of words between white space:   100 (S + D + I) / (S + D + C)
 *    CER   edits of characters, white space within the text included
 *  White space at the ends does not count; case and punctuation do, unless `lowercase`.
 *  Reference: the definitions of jiwer 3 (its default transforms), which gives shares where this gives percent.
 *  Oracle:    cases counted by hand; edit distances by enumeration of all alignments.
 *  Limits:    no normalization of numbers, contractions or punctuation: normalize the texts first where that is wanted. */
import { type ItemStatistics, type Metric, makeStatistics } from "./metric.ts";
import {
  joinSignature,
  type References,
  referencesBySegment,
  requireSegments,
  type TextScorer,
} from "./text-scorer.ts";
import { splitWords, trim, Vocabulary } from "./words.ts";

export interface ErrorRateOptions {
  readonly lowercase?: boolean | undefined;
}

/** How texts become symbols, and how many edits lie between two of them. */
export interface EditCount {
  readonly name: string;
  readonly signature: readonly (readonly [string, string | number])[];
  readonly read: (text: string) => Int32Array;
  /** References, where they are read in another way. */
  readonly readReference?: (text: string) => Int32Array;
  readonly edits: (hypothesis: Int32Array, reference: Int32Array) => number;
  /** The length of the references in a report. */
  readonly length: "refLen" | "refChars";
}

/** A row: edits, mean length of the references. */
const WIDTH = 2;

export function prepareErrorRate(references: References, how: EditCount): TextScorer {
  const { lists, count } = referencesBySegment(references);
  const prepared = lists.map((list) => list.map(how.readReference ?? how.read));
  const metric: Metric = {
    name: how.name,
    higherIsBetter: false,
    isMean: false,
    range: [0, Number.POSITIVE_INFINITY],
    width: WIDTH,
    scoreOf: (sums, at = 0) => rateOf(sums[at]!, sums[at + 1]!),
    signature: joinSignature([["nrefs", count], ...how.signature]),
  };
  const statisticsOf = (hypotheses: readonly string[]): ItemStatistics => {
    requireSegments(hypotheses, prepared.length);
    const statistics = makeStatistics(metric, hypotheses.length);
    hypotheses.forEach((text, i) => {
      const hypothesis = how.read(text);
      const own = prepared[i]!;
      let edits = Number.POSITIVE_INFINITY;
      let length = 0;
      for (const reference of own) {
        edits = Math.min(edits, how.edits(hypothesis, reference));
        length += reference.length;
      }
      statistics.data[i * WIDTH] = edits;
      statistics.data[i * WIDTH + 1] = length / own.length;
    });
    return statistics;
  };
  const detailsOf = (sums: Float64Array): Record<string, number> => ({ edits: sums[0]!, [how.length]: sums[1]! });
  return { metric, segments: prepared.length, references: count, statisticsOf, detailsOf };
}

/** Without any reference symbol any edit is a full error. */
function rateOf(edits: number, length: number): number {
  if (length > 0) return 100 * (edits / length);
  return edits > 0 ? 100 : 0;
}

export function prepareWer(references: References, { lowercase = false }: ErrorRateOptions = {}): TextScorer {
  const vocabulary = new Vocabulary();
  return prepareErrorRate(references, {
    name: "WER",
    signature: caseOf(lowercase),
    read: (text) => vocabulary.idsOf(splitWords(lowercase ? text.toLowerCase() : text)),
    edits: editDistance,
    length: "refLen",
  });
}

export function prepareCer(references: References, { lowercase = false }: ErrorRateOptions = {}): TextScorer {
  return prepareErrorRate(references, {
    name: "CER",
    signature: caseOf(lowercase),
    read: (text) => codePoints(trim(lowercase ? text.toLowerCase() : text)),
    edits: editDistance,
    length: "refChars",
  });
}

const caseOf = (lowercase: boolean) => [["case", lowercase ? "lc" : "mixed"] as const];

const codePoints = (text: string): Int32Array => Int32Array.from(text, (letter) => letter.codePointAt(0)!);

/** Fewest insertions, deletions and substitutions that turn one sequence into the other. Time grows with the product of the lengths, what both
 *  begin and end with aside.   Levenshtein (1966); Wagner & Fischer (1974), J. ACM 21(1). */
export function editDistance(a: Int32Array, b: Int32Array): number {
  let start = 0;
  let endA = a.length;
  let endB = b.length;
  while (start < endA && start < endB && a[start] === b[start]) start++;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const columns = endB - start;
  if (columns === 0) return endA - start;
  // row[j]: distance of the symbols of a so far and the first j of b
  const row = Int32Array.from({ length: columns + 1 }, (_, j) => j);
  for (let i = start; i < endA; i++) {
    let diagonal = row[0]!;
    row[0] = diagonal + 1;
    const symbol = a[i];
    let left = row[0];
    for (let j = 1; j <= columns; j++) {
      const above = row[j]!;
      const replaced = diagonal + (symbol === b[start + j - 1] ? 0 : 1);
      const shorter = Math.min(above, left);
      left = replaced <= shorter ? replaced : shorter + 1;
      row[j] = left;
      diagonal = above;
    }
  }
  return row[columns]!;
}
