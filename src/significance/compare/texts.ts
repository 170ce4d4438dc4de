/** Texts against references: BLEU, chrF, chrF++ or TER of several systems on the same sentences.
 *  A metric of the whole set is no mean over sentences, so sentences are swapped between systems and the set is scored again.
 *  Reference: Riezler & Maxwell (2005); Koehn (2004), EMNLP; Graham, Mathur & Baldwin (2014).
 *  Oracle:    sacreBLEU's scores (see metrics/); its paired approximate randomisation differs by random numbers alone. */

import { prepareText, type TextOptions } from "../../metrics/score-text.ts";
import type { References } from "../../metrics/text-scorer.ts";
import { Fingerprint } from "../../result/fingerprint.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { compareItems } from "./by-items.ts";

import type { Comparison, PairwiseOptions } from "./comparison.ts";
import type { Groups } from "./matching/matching.ts";
import type { ItemTexts } from "./pair/differing.ts";

export interface CompareTextOptions extends PairwiseOptions {
  readonly text?: TextOptions;
  /** The document of each sentence: sentences of one document are swapped together. */
  readonly documents?: readonly string[];
  /** Keeps the sentences, for the list of those that differ. */
  readonly texts?: boolean;
}

/** Systems by name, the baseline first; every list has one text a segment. */
export function compareTexts(
  systems: Readonly<Record<string, readonly string[]>>,
  references: References,
  options: CompareTextOptions = {},
): Comparison {
  const { text = {}, documents, texts = false, rng, onProgress: _, ...choices } = options;
  const scorer = prepareText(references, text);
  const names = Object.keys(systems);
  const statistics = names.map((name) => scorer.statisticsOf(systems[name]!));
  const { metric, segments } = scorer;
  const items = Array.from({ length: segments }, (_, i) => String(i + 1));
  return compareItems(
    {
      systems: names,
      metric: metric.name,
      higherIsBetter: metric.higherIsBetter,
      metricSignature: metric.signature,
      data: { kind: "statistics", items, statistics },
      units: "sentences",
      ...(texts ? { texts: sentencesOf(systems, references, items) } : {}),
      ...(documents === undefined ? {} : { clusters: groupTexts(documents) }),
      signature: {
        method: "comparison",
        version: GOSSET_VERSION,
        options: { metric: metric.signature, systems: names, ...choices },
        data: fingerprintOf(systems, references),
        ...(rng === undefined ? {} : { seed: rng.seed }),
      },
    },
    options,
  );
}

function sentencesOf(
  systems: Readonly<Record<string, readonly string[]>>,
  references: References,
  items: readonly string[],
): ItemTexts {
  const of = (lines: readonly (string | null | undefined)[]): Map<string, string> =>
    new Map(items.map((item, i) => [item, lines[i] ?? ""]));
  return {
    given: new Map(references.map((lines, k) => [k === 0 ? "reference" : `reference ${k + 1}`, of(lines)])),
    said: new Map([["text", new Map(Object.entries(systems).map(([name, lines]) => [name, of(lines)]))]]),
  };
}

export function groupTexts(texts: readonly string[]): Groups {
  const names = [...new Set(texts)];
  const place = new Map(names.map((name, k) => [name, k]));
  return { names, codes: Int32Array.from(texts, (text) => place.get(text)!) };
}

function fingerprintOf(systems: Readonly<Record<string, readonly string[]>>, references: References): string {
  const hash = new Fingerprint();
  for (const texts of [...Object.values(systems), ...references]) for (const text of texts) hash.update(text ?? "");
  return hash.digest();
}
