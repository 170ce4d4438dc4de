/** Items that one system gets right in some tries and wrong in others. */
import { groupKeys } from "../../data/keys.ts";
import { asFactor, column, type Table } from "../../data/table.ts";
import { findTried, type TriedItem, type TriesColumns } from "./tries.ts";

export interface FlakyItem {
  readonly item: string;
  readonly right: number;
  readonly tries: number;
}

export interface Flakiness {
  readonly system: string;
  /** Items that were tried more than once. */
  readonly items: number;
  /** Of these: right in every try, in none, and in some. */
  readonly always: number;
  readonly never: number;
  readonly flips: number;
  /** Those that flip, the most even first. */
  readonly flaky: readonly FlakyItem[];
}

/** Of each system, where 0/1 scores were repeated; empty elsewhere. */
export function measureFlakiness(table: Table, columns: TriesColumns, systems?: readonly string[]): Flakiness[] {
  if (!hasRepeats(table, columns)) return [];
  const several = findTried(table, columns)?.filter(({ tries }) => tries > 1) ?? [];
  if (several.length === 0) return [];
  const label = labeller(table, columns);
  const system = columns.system === undefined ? undefined : asFactor(column(table, columns.system));
  const nameOf = ({ row }: TriedItem): string =>
    system === undefined ? "system" : (system.levels[system.codes[row]!] ?? "(missing)");
  const groups = new Map<string, TriedItem[]>((systems ?? []).map((name) => [name, []]));
  for (const own of several) {
    const group = groups.get(nameOf(own));
    if (group !== undefined) group.push(own);
    else if (systems === undefined) groups.set(nameOf(own), [own]);
  }
  return [...groups].map(([name, items]) => describeTries(name, items, label));
}

/** Whether some item has two rows of one system. */
function hasRepeats(table: Table, { system, item, task }: TriesColumns): boolean {
  const keys = [item, system, task].flatMap((name) => (name === undefined ? [] : [column(table, name)]));
  return groupKeys(keys, table.rows).count < table.rows;
}

function describeTries(system: string, items: readonly TriedItem[], label: (row: number) => string): Flakiness {
  const flips = items.filter(({ tries, right }) => right > 0 && right < tries);
  const even = ({ tries, right }: TriedItem): number => Math.abs(right / tries - 0.5);
  return {
    system,
    items: items.length,
    always: items.filter(({ tries, right }) => right === tries).length,
    never: items.filter(({ right }) => right === 0).length,
    flips: flips.length,
    flaky: [...flips]
      .sort((a, b) => even(a) - even(b))
      .map(({ row, right, tries }) => ({ item: label(row), right, tries })),
  };
}

/** Items by their id, with the task where there are several. */
function labeller(table: Table, { item, task }: TriesColumns): (row: number) => string {
  const own = asFactor(column(table, item));
  const tasks = task === undefined ? undefined : asFactor(column(table, task));
  const several = tasks !== undefined && tasks.levels.length > 1;
  return (row) => {
    const name = own.levels[own.codes[row]!] ?? "";
    return several ? `${tasks.levels[tasks.codes[row]!] ?? ""}/${name}` : name;
  };
}
