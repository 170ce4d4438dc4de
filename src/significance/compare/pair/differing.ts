/** What a list of the items that differ is made of: what each system scored, and where asked for, what the systems were given and said. */

import { asFactor, type Table } from "../../../data/table.ts";
import { isTextName } from "../../../study/lexicon/given.ts";
import { type Cells, readCells } from "../matching/cells.ts";
import type { ComparisonColumns, Groups } from "../matching/matching.ts";

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

/** Columns hold texts by their names, or where the cells are long. */
const LONG = 40;

/** The texts of a table: a column that says the same for every system belongs to the item. */
export function textsOf(table: Table, columns: ComparisonColumns, systems: readonly string[]): ItemTexts {
  const cells = readCells(table, columns, systems);
  const used = new Set(Object.values(columns).flat());
  const given = new Map<string, ReadonlyMap<string, string>>();
  const said = new Map<string, ReadonlyMap<string, ReadonlyMap<string, string>>>();
  for (const [name, cell] of table.columns) {
    if (cell.kind !== "factor" || used.has(name)) continue;
    if (!isTextName(name) && meanLength(cell.levels) < LONG) continue;
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
