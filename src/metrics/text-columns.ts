/** Texts and references in the columns of a long table → one text a system and item, in one order, as the metrics of texts take them. */
import { column, type Table } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { cellTexts, rowsBySystem } from "./score-table.ts";

export interface TextColumns {
  readonly text: string;
  readonly reference: string;
  readonly system?: string | undefined;
  /** Without it the rows of each system are in the same order, with the same references. */
  readonly item?: string | undefined;
}

export interface ColumnTexts {
  readonly hypotheses: Readonly<Record<string, readonly string[]>>;
  readonly references: readonly string[];
  /** The rows of the first system, in the order of the texts. */
  readonly rows: readonly number[];
}

export function textsOfColumns(table: Table, { text, reference, system, item }: TextColumns): ColumnTexts {
  const groups = rowsBySystem(table, system);
  const [texts, references] = [text, reference].map((name) => cellTexts(column(table, name)));
  const names = item === undefined ? undefined : cellTexts(column(table, item));
  const [first = []] = groups.values();
  const order = names === undefined ? undefined : first.map((row) => names[row] ?? "");
  const hypotheses: Record<string, readonly string[]> = {};
  for (const [name, unordered] of groups) {
    const rows = order === undefined ? unordered : inOrder(name, unordered, { names: names!, order, item: item! });
    const odd = rows.findIndex((row, i) => references![row] !== references![first[i]!]);
    if (odd >= 0 || rows.length !== first.length)
      throw new StatError(
        "UnequalReferences",
        `${name} does not have the references (${reference}) of the other systems${odd < 0 ? "" : `, ${item === undefined ? `line ${odd + 1}` : `${item} ${order![odd]}`}`}.`,
        item === undefined ? "Name the items with option `item`, or score the systems apart." : "Score it apart.",
      );
    hypotheses[name] = rows.map((row) => texts![row] ?? "");
  }
  return { hypotheses, references: first.map((row) => references![row] ?? ""), rows: first };
}

function inOrder(
  system: string,
  rows: readonly number[],
  { names, order, item }: { names: readonly (string | null)[]; order: readonly string[]; item: string },
): number[] {
  const at = new Map<string, number>();
  for (const row of rows) {
    const name = names[row] ?? "";
    if (at.has(name))
      throw new StatError(
        "RepeatedItem",
        `${system} has several texts for ${item} ${name}.`,
        "Keep one text for each system and item, or name the items with option `item`.",
      );
    at.set(name, row);
  }
  const lacking = order.find((name) => !at.has(name));
  if (lacking !== undefined || at.size !== order.length) {
    const name = lacking ?? [...at.keys()].find((own) => !order.includes(own));
    throw new StatError(
      "UnequalLength",
      `${item} ${name} is not there for every system (${system} has ${at.size} items, the first system ${order.length}).`,
      "Give every system a text for the same items; an empty one where it said nothing.",
    );
  }
  return order.map((name) => at.get(name)!);
}
