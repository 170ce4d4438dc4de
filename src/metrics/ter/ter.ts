/** Translation edit rate.   TER = 100 · Σ edits / Σ reference words
 *  Of several references the edits are those to the nearest, the length is their mean.
 *  Reference: Snover, Dorr, Schwartz, Micciulla & Makhoul (2006), AMTA.
 *  Oracle:    sacrebleu 2.6.0, oracle/python/metrics.json — all digits (1e-12).
 *  Limits:    the search for shifts is tercom's greedy one (see edits.ts): an upper bound of the true rate. */
import { prepareErrorRate } from "../error-rate.ts";
import type { References, TextScorer } from "../text-scorer.ts";
import { trimEnd, Vocabulary } from "../words.ts";
import { EditCounter } from "./edits.ts";
import { type TerTokens, terWords } from "./tokenise.ts";

export type TerOptions = TerTokens;

export function prepareTer(references: References, options: TerOptions = {}): TextScorer {
  const vocabulary = new Vocabulary();
  const counter = new EditCounter();
  const read = (text: string): Int32Array => vocabulary.idsOf(terWords(trimEnd(text), options));
  return prepareErrorRate(references, {
    name: "TER",
    signature: [
      ["case", options.caseSensitive ? "mixed" : "lc"],
      ["tok", "tercom"],
      ["norm", options.normalized ? "yes" : "no"],
      ["punct", options.noPunctuation ? "no" : "yes"],
      ["asian", options.asianSupport ? "yes" : "no"],
    ],
    read,
    // sacrebleu normalises references twice, which matters for "it's," alone: the second time its 's is set apart
    readReference: (text) => read(terWords(trimEnd(text), options).join(" ")),
    edits: (hypothesis, reference) => counter.count(hypothesis, reference),
    length: "refLen",
  });
}
