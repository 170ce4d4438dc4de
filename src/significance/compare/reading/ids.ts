/** Ids that differ by spaces, case or leading zeros only (q7, q007), where files or systems spell them each in their own way. */
import { asFactor, type Table, withColumn } from "../../../data/table.ts";
import { note } from "../../../result/diagnostic.ts";
import type { Diagnostic } from "../../../result/result.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

const folded = (id: string): string => id.normalize("NFC").replaceAll(/\s+/g, " ").trim().toLowerCase();
/** Zeros before a number; those behind a point or a comma are part of a fraction. */
const plain = (id: string): string => folded(id).replaceAll(/(?<![\d.,])0+(?=\d)/g, "");

/** Matched only where no system has both spellings: there they are two items. */
export function matchSpellings(
  table: Table,
  columns: Pick<ComparisonColumns, "item" | "system" | "task">,
): { readonly table: Table; readonly notes: readonly Diagnostic[] } {
  const { item } = columns;
  const cells = table.columns.get(item);
  if (cells?.kind !== "factor") return { table, notes: [] };
  const spellings = new Map<string, number[]>();
  cells.levels.forEach((level, code) => {
    spellings.set(plain(level), [...(spellings.get(plain(level)) ?? []), code]);
  });
  const several = [...spellings.values()].filter((codes) => codes.length > 1);
  if (several.length === 0) return { table, notes: [] };
  const met = spellingsOf(table, columns);
  const alike = several.filter(
    (codes) => !codes.some((code, k) => codes.slice(k + 1).some((other) => met(code, other))),
  );
  if (alike.length === 0) return { table, notes: [] };
  const first = Int32Array.from(cells.levels.keys());
  for (const [own, ...others] of alike) for (const code of others) first[code] = own!;
  const codes = cells.codes.map((code) => (code < 0 ? code : first[code]!));
  const [a, b] = alike[0]!.map((code) => JSON.stringify(cells.levels[code]));
  const zeros = alike.filter((own) => new Set(own.map((code) => folded(cells.levels[code]!))).size > 1).length;
  const how =
    zeros === 0 ? "spaces or case" : zeros === alike.length ? "leading zeros" : "spaces, case or leading zeros";
  const message = `${alike.length} ids are spelled in two ways that differ by ${how} only, such as ${a} and ${b}, and were matched.`;
  return {
    table: withColumn(table, item, { ...cells, codes }),
    notes: [note("SpellingsMatched", message, "Spell ids alike if they are the same items, or give them other names.")],
  };
}

/** Whether one system has both spellings on one task. */
function spellingsOf(
  table: Table,
  { item, system, task }: Pick<ComparisonColumns, "item" | "system" | "task">,
): (one: number, other: number) => boolean {
  const ids = asFactor(table.columns.get(item)!).codes;
  const systems = asFactor(table.columns.get(system)!).codes;
  const tasks = task === undefined ? undefined : asFactor(table.columns.get(task)!).codes;
  const places = new Map<number, Set<string>>();
  ids.forEach((code, row) => {
    const own = places.get(code) ?? new Set<string>();
    places.set(code, own.add(`${systems[row]}/${tasks?.[row] ?? ""}`));
  });
  return (one, other) => [...(places.get(one) ?? [])].some((place) => places.get(other)?.has(place) === true);
}
