/** Rows that share an item or a rater which a model does not know: its standard errors take them for independent. */

import { groupKeys } from "../../data/keys.ts";
import { asFactor, column, type Table } from "../../data/table.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { listNames, quoteName } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import { isUnique, listValues, profileTable } from "../facts.ts";
import { isMetricName } from "../lexicon/metrics.ts";
import { ITEM_NAMES, METRIC_NAMES, RATER_NAMES, SYSTEM_NAMES } from "../lexicon/names.ts";
import { plainName } from "../lexicon/words.ts";

const WORD = /`([^`]+)`|[\p{L}.][\p{L}\p{N}._]*/gu;
/** Fewer levels are conditions, not a sample of items or raters. */
const FEWEST_LEVELS = 3;

/** `formulas` without random effects; `cluster` is what the errors are robust to, false where the model has no such option.
 *  Standard errors are too small for what differs between items or raters and too large for what varies within them: p may err either way. */
export function warnOfRepeats(table: Table, formulas: readonly string[], cluster?: string | false): Diagnostic[] {
  const used = new Set([...formulas.flatMap(namesIn), cluster]);
  const ignored = profileTable(table).filter(
    (profile) =>
      [...ITEM_NAMES, ...RATER_NAMES].includes(plainName(profile.name)) &&
      !used.has(profile.name) &&
      profile.values !== "real" &&
      profile.distinct >= FEWEST_LEVELS &&
      !isUnique(profile) &&
      !(typeof cluster === "string" && liesWithin(table, profile.name, cluster)),
  );
  if (ignored.length === 0) return [];
  const told = ignored.map(({ name, distinct }) => `${name} (${distinct} levels)`).join(" and ");
  const random = ignored.map(({ name }) => `(1 | ${quoteName(name)})`).join(" + ");
  return [
    warning(
      "RepeatsIgnored",
      `the ${table.rows} rows repeat ${told}, which the model does not know: it takes the rows for independent, so p may be too small or too large.`,
      `Add ${random} and fit a mixed model (lmm, glmm, clmm)${ignored.length === 1 && cluster === undefined ? `, or name option \`cluster: ${ignored[0]!.name}\` where there is one` : ""}.`,
    ),
  ];
}

/** Rows of several metrics under one another, which a model without their column takes for values of one thing. */
export function warnOfMixedMetrics(table: Table, formulas: readonly string[]): Diagnostic[] {
  const used = new Set(formulas.flatMap(namesIn));
  const profiles = profileTable(table);
  const items = profiles.filter((own) => ITEM_NAMES.includes(plainName(own.name)));
  const found = profiles.find((own) => {
    if (own.column.kind !== "factor" || own.distinct < 2 || own.distinct * 2 > table.rows || used.has(own.name))
      return false;
    if (listValues(own.column).every(isMetricName)) return true;
    // where each item has one "dimension" it is a kind of items
    const keys = (name: string) => groupKeys([column(table, name), own.column], table.rows).count;
    return METRIC_NAMES.includes(plainName(own.name)) && !items.some(({ name, distinct }) => keys(name) === distinct);
  });
  if (found === undefined) return [];
  const levels = listValues(found.column);
  return [
    warning(
      "MetricsMixed",
      `the rows are values of ${levels.length} metrics (column ${found.name}: ${listNames(levels)}), and the model, which has no such column, takes them for one: its estimates are about a mix of them.`,
      `Keep the rows of one metric, as in option \`where: ${quoteName(found.name)} == "${levels[0]}"\`.`,
    ),
  ];
}

/** Each level lies in one cluster: errors that know the clusters know it too. */
function liesWithin(table: Table, name: string, cluster: string): boolean {
  if (!table.columns.has(cluster)) return false;
  const [own, clusters] = [asFactor(column(table, name)).codes, asFactor(column(table, cluster)).codes];
  const of = new Map<number, number>();
  return own.every((code, row) => {
    const known = of.get(code) ?? clusters[row]!;
    of.set(code, known);
    return code < 0 || known === clusters[row];
  });
}

/** Raters, crossed with a factor of the model, who may differ in it, though the model has them differ in level only: its p is about these raters. */
export function warnOfFixedRaters(table: Table, formula: string): Diagnostic[] {
  const [fixed = "", ...random] = formula.split(/(?=\([^()]*\|)/);
  const names = new Set(namesIn(fixed.slice(fixed.indexOf("~") + 1)));
  const profiles = profileTable(table);
  const rater = profiles.find(
    (profile) =>
      RATER_NAMES.includes(plainName(profile.name)) &&
      profile.distinct > 1 &&
      profile.distinct < MANY_RATERS &&
      profile.values !== "real",
  );
  const system = profiles.find((profile) => SYSTEM_NAMES.includes(plainName(profile.name)) && names.has(profile.name));
  if (rater === undefined || system === undefined) return [];
  const own = random.filter((term) => namesIn(term).includes(rater.name));
  // a slope, or a term of both
  if (own.length === 0 || own.some((term) => namesIn(term).includes(system.name))) return [];
  if (!meets(table, rater.name, system.name)) return [];
  const [r, s] = [quoteName(rater.name), quoteName(system.name)];
  return [
    note(
      "RatersTakenAsTheyAre",
      `the ${rater.distinct} levels of ${rater.name} met several levels of ${system.name}, and no term lets them differ in what they prefer: p of ${system.name} is about these raters, not about others.`,
      `For a claim about other raters add (1 | ${r}:${s}), as compare does.`,
    ),
  ];
}

/** From here on raters differ little as a sample. */
const MANY_RATERS = 30;

/** Whether one of the raters met two systems. */
function meets(table: Table, rater: string, system: string): boolean {
  const [who, what] = [rater, system].map((name) => asFactor(column(table, name)).codes) as [Int32Array, Int32Array];
  const first = new Map<number, number>();
  return who.some((code, row) => {
    if (code < 0 || what[row]! < 0) return false;
    const before = first.get(code) ?? what[row]!;
    first.set(code, before);
    return before !== what[row];
  });
}

const namesIn = (formula: string): string[] => [...formula.matchAll(WORD)].map(([word, quoted]) => quoted ?? word);
