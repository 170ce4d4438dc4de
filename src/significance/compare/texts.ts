/** Texts against references: BLEU, chrF, TER, WER, … of several systems on the same sentences.
 *  A metric of the whole set is no mean over sentences, so sentences are swapped between systems and the set is scored again.
 *  Reference: Riezler & Maxwell (2005); Koehn (2004), EMNLP; Graham, Mathur & Baldwin (2014).
 *  Oracle:    sacreBLEU's scores (see metrics/); its paired approximate randomisation differs by random numbers alone. */

import { column, factorColumn, makeTable, type Table } from "../../data/table.ts";
import type { TextMetric } from "../../metrics/catalogue.ts";
import type { ItemStatistics } from "../../metrics/metric.ts";
import { joinRuns, pseudoValues } from "../../metrics/runs.ts";
import { cellTexts, type TextColumns, textsOfColumns } from "../../metrics/score-table.ts";
import { prepareText, type TextOptions, warnUnspaced } from "../../metrics/score-text.ts";
import type { References } from "../../metrics/text-scorer.ts";
import type { RunScores } from "../../resample/multi-bootstrap.ts";
import { sumByCluster } from "../../resample/permutation.ts";
import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import { Fingerprint } from "../../result/fingerprint.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { compareItems } from "./by-items.ts";
import { chooseSystems } from "./columns.ts";
import type { CompareOptions, Comparison, PairwiseOptions } from "./comparison.ts";
import type { Groups } from "./matching/matching.ts";
import type { ItemTexts } from "./pair/differing.ts";

export interface CompareTextOptions extends PairwiseOptions {
  readonly text?: TextOptions | undefined;
  /** The document of each sentence: sentences of one document are swapped together. */
  readonly documents?: readonly string[] | undefined;
  /** Systems, the baseline first, and which of the texts are their runs; default: every text is a system. */
  readonly runs?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Keeps the sentences, for the list of those that differ. */
  readonly texts?: boolean | undefined;
}

/** In the order of comparison, the baseline first. */
export function orderTexts(
  known: readonly string[],
  { systems, baseline }: Pick<CompareOptions, "systems" | "baseline">,
): readonly string[] {
  const table = makeTable([["system", factorColumn(known, { levels: known })]]);
  const names = chooseSystems(table, { system: "system", options: { systems, baseline } });
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new StatError("UnknownSystem", `no system "${unknown}".`, `There is ${known.join(", ")}.`);
  return names;
}

export interface TextColumnOptions extends PairwiseOptions {
  /** The baseline first. */
  readonly systems: readonly string[];
  readonly metric: TextMetric;
  readonly texts?: boolean | undefined;
}

/** Texts and references in the columns of a long table. */
export function compareTextColumns(
  table: Table,
  { cluster, ...columns }: TextColumns & { readonly cluster?: string | undefined },
  { systems, metric, texts = false, ...choices }: TextColumnOptions,
): Comparison {
  const found = textsOfColumns(table, columns);
  const hypotheses = Object.fromEntries(systems.map((name) => [name, found.hypotheses[name]!]));
  const groups = cluster === undefined ? undefined : cellTexts(column(table, cluster));
  const documents = groups === undefined ? {} : { documents: found.rows.map((row) => groups[row] ?? "") };
  return compareTexts(hypotheses, [found.references], { ...choices, text: { metric }, texts, ...documents });
}

/** Texts of systems or of their runs by name, the baseline first; every list has one text a segment. */
export function compareTexts(
  systems: Readonly<Record<string, readonly string[]>>,
  references: References,
  options: CompareTextOptions = {},
): Comparison {
  const { text = {}, documents, runs, texts = false, rng, onProgress: _, ...choices } = options;
  const scorer = prepareText(references, text);
  const names = [...(runs?.keys() ?? Object.keys(systems))];
  const clusters = documents === undefined ? undefined : groupTexts(documents);
  const found = names.map((name) => (runs?.get(name) ?? [name]).map((run) => scorer.statisticsOf(systems[run]!)));
  const { metric, segments } = scorer;
  const items = Array.from({ length: segments }, (_, i) => String(i + 1));
  return compareItems(
    {
      systems: names,
      metric: metric.name,
      higherIsBetter: metric.higherIsBetter,
      metricSignature: metric.signature,
      data: {
        kind: "statistics",
        items,
        ...joinSystems(found, clusters?.codes),
      },
      units: "sentences",
      ...(clusters === undefined ? {} : { clusters }),
      ...(found.every((own) => own.length === 1)
        ? {}
        : { repeated: [{ facet: "runs", levels: mostOf(found.map((own) => own.length)) }] }),
      ...(texts ? { texts: sentencesOf(textsOf(systems, runs), references, items) } : {}),
      diagnostics: warnUnspaced(Object.entries(systems), text),
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

/** The mean of a system's runs, and what they say of other runs. */
function joinSystems(
  systems: readonly (readonly ItemStatistics[])[],
  clusters: Int32Array | undefined,
): { statistics: ItemStatistics[]; runs?: RunScores[] } {
  if (systems.every((own) => own.length === 1)) return { statistics: systems.map(([own]) => own!) };
  const common = systems.map((own) => own.length).reduce(leastCommonMultiple);
  if (common > MOST_COMBINED) {
    const counts = systems.map((own) => own.length).join(", ");
    const fix = "Give equally many runs of each system.";
    throw new StatError(
      "UnequalRuns",
      `the systems have ${counts} runs, which cannot be swapped for one another.`,
      fix,
    );
  }
  const bySource = (run: ItemStatistics): ItemStatistics => {
    if (clusters === undefined) return run;
    const data = sumByCluster(run.data, clusters, run.width);
    return { ...run, data, n: data.length / run.width };
  };
  return {
    statistics: systems.map((own) => joinRuns(own, common / own.length)),
    runs: systems.map((own) => ({ runs: own.length, scores: pseudoValues(own.map(bySource)) })),
  };
}

/** Runs side by side that a row may hold. */
const MOST_COMBINED = 120;

function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y > 0) [x, y] = [y, x % y];
  return (a / x) * b;
}

/** Of a system with several runs, one after the other. */
function textsOf(
  systems: Readonly<Record<string, readonly string[]>>,
  runs: ReadonlyMap<string, readonly string[]> | undefined,
): Readonly<Record<string, readonly string[]>> {
  if (runs === undefined) return systems;
  const joined = (own: readonly string[]): string[] =>
    systems[own[0]!]!.map((_, i) => own.map((run) => systems[run]![i]!).join(" | "));
  return Object.fromEntries([...runs].map(([name, own]) => [name, joined(own)]));
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
