/** Long tables with one row for each metric or criterion: the rows of one of them, since a mean over BLEU and seconds means nothing. */

import type { Imported, ImportedMetric } from "../data/imported.ts";
import { asFactor, renameColumn, selectRows } from "../data/table.ts";
import { declaredDirections } from "./declared.ts";
import { measureDesign } from "./layout.ts";
import { metricDirection } from "./lexicon/metrics.ts";
import { withoutUnit } from "./lexicon/others.ts";

/** The metrics that stand one below the other, in the order of their first rows; none where each has a column. */
export function metricsInRows({ table, roles }: Pick<Imported, "table" | "roles">): ImportedMetric[] {
  if (roles.metric === undefined || roles.score === undefined) return [];
  const { codes, levels } = asFactor(table.columns.get(roles.metric)!);
  const found = [...new Set(codes)].filter((code) => code >= 0).map((code) => levels[code]!);
  const declared = declaredDirections(table, roles.metric);
  return found.map((level) => {
    const direction = declared.get(level) ?? metricDirection(level);
    const name = nameOf(table, roles.metric!, level);
    return { name, label: name, ...(direction === undefined ? {} : { higherIsBetter: direction }) };
  });
}

/** Of metrics that have a code only, the code with what it is of: "criterion 2". */
const nameOf = (table: Imported["table"], metric: string, level: string): string =>
  table.columns.get(metric)!.kind === "numeric" ? `${metric} ${level}` : level;

/** The rows of one metric, with its name over the scores. */
export function takeMetric<I extends Pick<Imported, "table" | "roles" | "metrics">>(imported: I, name: string): I {
  const { metric, score, ...others } = imported.roles;
  const own = metricsInRows(imported).find((found) => found.name === name);
  if (metric === undefined || score === undefined || own === undefined) return imported;
  const { codes, levels } = asFactor(imported.table.columns.get(metric)!);
  const code = levels.findIndex((level) => nameOf(imported.table, metric, level) === name);
  const rows = selectRows(imported.table, (row) => codes[row] === code);
  const free = rows.columns.has(name) ? score : name;
  const table = free === score ? rows : renameColumn(rows, score, free);
  const roles = { ...others, score: free, metrics: [free], identifiers: [...others.identifiers, metric] };
  const { systems, items, repeats } = measureDesign(table, roles);
  return { ...imported, table, roles, systems, items, repeats, metrics: [{ ...own, name: free, column: score }] };
}

/** What a user calls a metric: its name, the tool's label, or the part of either that people say ("f1" of "scores.f1", "acc_norm" of
 *  "acc_norm,none"). Several where the word fits several. */
export function matchMetric(wanted: string, metrics: readonly Pick<ImportedMetric, "name" | "label">[]): string[] {
  const word = fold(wanted);
  const rules: readonly ((text: string) => boolean)[] = [
    (text) => text === wanted,
    (text) => fold(text) === word,
    (text) => bare(text) === word,
    (text) => text.split(/[.,:/|]/).some((part) => fold(part) === word),
    (text) => new RegExp(`(^|[^a-z0-9])${word.replace(/[^a-z0-9]/g, "\\$&")}$`).test(fold(text)),
  ];
  for (const fits of [...rules, (text: string) => lastBare(text) === word]) {
    const found = metrics.filter(({ name, label }) => fits(name) || fits(label)).map(({ name }) => name);
    if (found.length > 0) return [...new Set(found)];
  }
  return [];
}

/** The one column of numbers that the word fits: what nobody took for a score is one where it is asked for. */
export function matchNumber(wanted: string, table: Imported["table"]): string | undefined {
  const numbers = [...table.columns].flatMap(([name, { kind }]) => (kind === "numeric" ? [{ name, label: name }] : []));
  const [found, ...others] = matchMetric(wanted, numbers);
  return others.length === 0 ? found : undefined;
}

/** Without what tables write around a name: "F1 (%)", "WER ↓". */
const bare = (text: string): string => fold(text.replace(/[([][^()[\]]*[)\]]|[%↑↓⬆⬇▲▼*]/gu, " "));

/** "latency_ms" is called latency, and "f1_score" f1. */
const lastBare = (text: string): string => withoutUnit(fold(text.slice(text.lastIndexOf(".") + 1)));

const fold = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
