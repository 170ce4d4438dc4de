/** Result files that begin with their totals and then list only the cases that failed (BFCL's score files):
 *      {"accuracy": 0.9, "correct_count": 90, "total_count": 100}
 *      {"id": "simple_7", "valid": false, …}                        one line for each of the other 10
 *  The cases that are not listed passed. Of several files with one total each case that any of them lists is known by name in all of them; the rest
 *  passed in every file, so that pairs are complete. Where the numbers do not add up the file is left as it is. */

import { asFactor, type Column, factorColumn, makeTable, type Table } from "../data/table.ts";
import { ITEM_NAMES } from "../study/lexicon/names.ts";
import { splitWords } from "../study/lexicon/words.ts";
import type { ImportBudget } from "./budget.ts";
import type { Reading } from "./join-tables.ts";
import { stemOf } from "./logs/lines.ts";

interface Failures {
  readonly reading: Reading;
  readonly total: number;
  readonly item: string;
  readonly verdict: string;
  readonly failed: readonly string[];
  /** Columns that are the same in every failed case: the model, the category. */
  readonly constant: readonly (readonly [string, string])[];
}

export function completeFailures(readings: readonly Reading[], budget: ImportBudget): readonly Reading[] {
  const found = readings.map(findFailures);
  if (found.length === 0 || found.some((own) => own === undefined)) return readings;
  const all = found as Failures[];
  // a total is a number that the file claims
  const rows = all.reduce((sum, { total }) => sum + total, 0);
  budget.checkTable(rows, 2, readings[0]!.name);
  // cases of other categories have other names
  const groups = new Map<string, Group>();
  for (const own of all) {
    const group = groups.get(keyOf(own)) ?? { files: 0, named: new Set<string>() };
    groups.set(keyOf(own), group);
    group.files += 1;
    for (const id of own.failed) group.named.add(id);
  }
  return all.map((own) => complete(own, groups.get(keyOf(own))!));
}

/** Files that list cases of one set. */
interface Group {
  files: number;
  /** Cases that any of them lists. */
  readonly named: Set<string>;
}

const keyOf = ({ total, reading }: Failures): string => JSON.stringify([total, stemOf(reading.name)]);

function findFailures(reading: Reading): Failures | undefined {
  const { table } = reading;
  const number = (name: string): number => {
    const cells = table.columns.get(name);
    return cells?.kind === "numeric" ? cells.values[0]! : Number.NaN;
  };
  const [total, correct] = [number("total_count"), number("correct_count")];
  if (!(total > 0) || table.rows - 1 !== total - correct) return undefined;
  const once = ["total_count", "correct_count"].every((name) => {
    const cells = table.columns.get(name) as { values: Float64Array };
    return cells.values.every((value, row) => Number.isNaN(value) === row > 0);
  });
  const item = [...table.columns.keys()].find((name) => ITEM_NAMES.includes(splitWords(name).join("_")));
  const verdict = [...table.columns].find(([, cells]) => cells.kind === "factor" && isFalse(cells))?.[0];
  if (!once || item === undefined) return undefined;
  const ids = textsOf(table.columns.get(item)!).slice(1);
  if (ids.some((id) => id === undefined) || new Set(ids).size < ids.length) return undefined;
  const constant = [...table.columns].flatMap(([name, cells]): (readonly [string, string])[] => {
    if (name === item || name === verdict || cells.kind === "numeric") return [];
    const [first, ...others] = textsOf(cells).slice(1);
    return first !== undefined && !/^[[{]/.test(first) && others.every((text) => text === first) ? [[name, first]] : [];
  });
  return { reading, total, item, verdict: verdict ?? "valid", failed: ids as string[], constant };
}

const isFalse = (cells: Column): boolean => {
  const known = textsOf(cells).filter((text) => text !== undefined);
  return known.length > 0 && known.every((text) => text === "false");
};

function textsOf(cells: Column): (string | undefined)[] {
  const { codes, levels } = asFactor(cells);
  return Array.from(codes, (code) => (code < 0 ? undefined : levels[code]));
}

function complete({ reading, total, item, verdict, failed, constant }: Failures, { files, named }: Group): Reading {
  if (named.size > total) return reading;
  const rest = Array.from({ length: total - named.size }, (_, i) => `passed everywhere ${i + 1}`);
  const items = [...named, ...rest];
  const own = new Set(failed);
  const table: Table = makeTable([
    [item, factorColumn(items)],
    ...constant
      .filter(([name]) => files > 1 || /model|system|category|task/i.test(name))
      .map(([name, value]) => [name, factorColumn(items.map(() => value))] as const),
    [verdict, factorColumn(items.map((id) => (own.has(id) ? "false" : "true")))],
  ]);
  const told = `The first line holds the totals, and only failed cases are listed: the ${total - failed.length} of ${total} that are not listed passed${named.size < total ? "; those that no file lists are numbered" : ""}.`;
  return { ...reading, table, diagnostics: [], reading: [...(reading.reading ?? []), told] };
}
