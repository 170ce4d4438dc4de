/** Translation edit rate.   TER = 100 · Σ edits / Σ reference words
 *  Of several references the edits are those to the nearest, the length is their mean.
 *  Reference: Snover, Dorr, Schwartz, Micciulla & Makhoul (2006), AMTA.
 *  Oracle:    sacrebleu 2.6.0, oracle/python/metrics.json — all digits (1e-12).
 *  Limits:    the search for shifts is tercom's greedy one (see edits.ts): an upper bound of the true rate. */
import { type ItemStatistics, type Metric, makeStatistics } from "../metric.ts";
import {
  joinSignature,
  type References,
  referencesBySegment,
  requireSegments,
  type TextScorer,
} from "../text-scorer.ts";
import { trimEnd, Vocabulary } from "../words.ts";
import { EditCounter } from "./edits.ts";
import { type TerTokens, terWords } from "./tokenise.ts";

export type TerOptions = TerTokens;

/** A row: edits, mean length of the references. */
const WIDTH = 2;

export function prepareTer(references: References, options: TerOptions = {}): TextScorer {
  const { lists, count } = referencesBySegment(references);
  const vocabulary = new Vocabulary();
  const read = (text: string): Int32Array => vocabulary.idsOf(terWords(trimEnd(text), options));
  // sacrebleu normalises references twice, which matters for "it's," alone: the second time its 's is set apart
  const prepared = lists.map((list) => list.map((text) => read(terWords(trimEnd(text), options).join(" "))));
  const metric = makeTerMetric(count, options);
  const statisticsOf = (hypotheses: readonly string[]): ItemStatistics => {
    requireSegments(hypotheses, prepared.length);
    const statistics = makeStatistics(metric, hypotheses.length);
    const counter = new EditCounter();
    hypotheses.forEach((text, i) => {
      const hypothesis = read(text);
      const own = prepared[i]!;
      let edits = Number.POSITIVE_INFINITY;
      let length = 0;
      for (const reference of own) {
        edits = Math.min(edits, counter.count(hypothesis, reference));
        length += reference.length;
      }
      statistics.data[i * WIDTH] = edits;
      statistics.data[i * WIDTH + 1] = length / own.length;
    });
    return statistics;
  };
  const detailsOf = (sums: Float64Array): Record<string, number> => ({ edits: sums[0]!, refLen: sums[1]! });
  return { metric, segments: prepared.length, references: count, statisticsOf, detailsOf };
}

function makeTerMetric(references: number | "var", options: TerOptions): Metric {
  return {
    name: "TER",
    higherIsBetter: false,
    isMean: false,
    range: [0, Number.POSITIVE_INFINITY],
    width: WIDTH,
    scoreOf: (sums, at = 0) => terOf(sums[at]!, sums[at + 1]!),
    signature: joinSignature([
      ["nrefs", references],
      ["case", options.caseSensitive ? "mixed" : "lc"],
      ["tok", "tercom"],
      ["norm", options.normalized ? "yes" : "no"],
      ["punct", options.noPunctuation ? "no" : "yes"],
      ["asian", options.asianSupport ? "yes" : "no"],
    ]),
  };
}

/** Without a reference word any edit is a full error. */
function terOf(edits: number, length: number): number {
  if (length > 0) return 100 * (edits / length);
  return edits > 0 ? 100 : 0;
}
