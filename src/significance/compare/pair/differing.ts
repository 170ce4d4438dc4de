/** Every item that two systems differ on, as a list to look through: what each scored, and where asked for, what they were given and said. */

import { asFactor, type Table } from "../../../data/table.ts";
import type { DisplayTable } from "../../../result/display.ts";
import { StatError } from "../../../result/error.ts";
import type { Comparison } from "../comparison.ts";
import { type Cells, readCells } from "../matching/cells.ts";
import type { ComparisonColumns, Groups } from "../matching/matching.ts";
import { gainsOf } from "./items.ts";

/** What two systems scored on the items that both have, in the same order. */
export interface PairItems {
  readonly a: string;
  readonly b: string;
  readonly items: readonly string[];
  readonly scoresA: Float64Array;
  readonly scoresB: Float64Array;
  /** Clusters, tasks, other properties: the group of each item, by the name of its column. */
  readonly groups: ReadonlyMap<string, Groups>;
}

/** Texts of the data by their column: of items (given to all systems), or of a system's answer to an item. */
export interface ItemTexts {
  readonly given: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** By system, then item. */
  readonly said: ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, string>>>;
}

/** One row for each item and pair. */
export function differingItems({ items, texts, higherIsBetter, paired, main }: Comparison): DisplayTable {
  if (items === undefined && main.reason !== undefined) {
    throw new StatError("NoVerdict", `no items can be listed: ${main.reason}`, main.advice);
  }
  if (items === undefined || !paired) {
    throw new StatError(
      "NoSharedItems",
      "the systems share no items, so none can differ.",
      "Compare systems on the same items, or look at the scores themselves.",
    );
  }
  const grouped = [...new Set(items.flatMap(({ groups }) => [...groups.keys()]))];
  const given = [...(texts?.given.keys() ?? [])];
  const said = [...(texts?.said.keys() ?? [])];
  const rows = items.flatMap(({ a, b, items: names, scoresA, scoresB, groups }) => {
    const gains = gainsOf(scoresA, scoresB);
    return names.flatMap((item, i): (string | number)[][] => {
      const gain = gains[i]!;
      if (gain === 0) return [];
      const better = higherIsBetter === null ? [] : [gain > 0 === higherIsBetter ? b : a];
      return [
        [
          ...[b, a, item],
          ...grouped.map((name) => groupOf(groups.get(name), i)),
          ...[scoresB[i]!, scoresA[i]!, gain],
          ...better,
          ...given.map((name) => texts!.given.get(name)!.get(item) ?? ""),
          ...said.flatMap((name) => [b, a].map((system) => texts!.said.get(name)!.get(system)?.get(item) ?? "")),
        ],
      ];
    });
  });
  const head = [
    ...["system", "baseline", "item"],
    ...grouped,
    ...["score", "baseline score", "difference"],
    ...(higherIsBetter === null ? [] : ["better"]),
    ...given,
    ...said.flatMap((name) => [`${name} of system`, `${name} of baseline`]),
  ];
  return { head, rows };
}

const groupOf = (groups: Groups | undefined, i: number): string => groups?.names[groups.codes[i]!] ?? "";

/** Columns that hold texts by their names, beside those whose cells are long. */
const TEXT =
  /^(prompt|question|input|source|src|query|instruction|problem|premise|hypothesis|context|output|response|answer|completion|prediction|predicted|target|reference|gold|text)(_?text)?s?$/i;
const LONG = 40;

/** The texts of a table: a column that says the same for every system belongs to the item. */
export function textsOf(table: Table, columns: ComparisonColumns, systems: readonly string[]): ItemTexts {
  const cells = readCells(table, columns, systems);
  const used = new Set(Object.values(columns).flat());
  const given = new Map<string, ReadonlyMap<string, string>>();
  const said = new Map<string, ReadonlyMap<string, ReadonlyMap<string, string>>>();
  for (const [name, cell] of table.columns) {
    if (cell.kind !== "factor" || used.has(name)) continue;
    if (!TEXT.test(name) && meanLength(cell.levels) < LONG) continue;
    const bySystem = collect(asFactor(cell), cells, systems);
    const [first, ...others] = [...bySystem.values()];
    const same = others.every((own) => [...own].every(([item, text]) => (first!.get(item) ?? text) === text));
    if (same && others.length > 0) given.set(name, new Map([...bySystem.values()].flatMap((own) => [...own])));
    else said.set(name, bySystem);
  }
  return { given, said };
}

const meanLength = (levels: readonly string[]): number =>
  levels.reduce((sum, level) => sum + level.length, 0) / Math.max(1, levels.length);

/** Texts of repeats stand under each other. */
function collect(
  { codes, levels }: { readonly codes: Int32Array; readonly levels: readonly string[] },
  { itemOf, systemOf, itemName }: Cells,
  systems: readonly string[],
): Map<string, Map<string, string>> {
  const found = new Map(systems.map((name) => [name, new Map<string, string>()]));
  for (let row = 0; row < codes.length; row++) {
    const [item, system, code] = [itemOf[row]!, systemOf[row]!, codes[row]!];
    if (item < 0 || system < 0 || code < 0) continue;
    const own = found.get(systems[system]!)!;
    const name = itemName(item);
    const [text, earlier] = [levels[code]!, own.get(name)];
    if (earlier === undefined) own.set(name, text);
    else if (!earlier.split(BETWEEN).includes(text)) own.set(name, `${earlier}${BETWEEN}${text}`);
  }
  return found;
}

const BETWEEN = "\n---\n";
