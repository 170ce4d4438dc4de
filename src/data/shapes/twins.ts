/** A table of totals in which a few systems have several rows (the same model with other settings): the rows are told apart by what differs. */
import { ITEM_NAMES, REPEAT_NAMES, SYSTEM_NAMES, splitWords, TASK_NAMES } from "../roles/names.ts";
import { profileTable } from "../roles/profile.ts";
import { factorColumn, type Table, withColumn } from "../table.ts";
import { cellText, freshName, type Reshaped } from "./reshaped.ts";

/** Share of the rows that must have a name of their own. */
const MOSTLY = 0.8;
const FEWEST_ROWS = 5;
const LONGEST_SETTING = 40;

export function findTwins(table: Table): Reshaped | undefined {
  const profiles = profileTable(table);
  const plain = profiles.map(({ name }) => splitWords(name).join("_"));
  if (table.rows < FEWEST_ROWS || plain.some((name) => [...ITEM_NAMES, ...REPEAT_NAMES, ...TASK_NAMES].includes(name)))
    return undefined;
  const system = SYSTEM_NAMES.map((alias) => profiles[plain.indexOf(alias)]).find((found) => found !== undefined);
  if (system === undefined || system.column.kind !== "factor" || system.missing > 0) return undefined;
  if (system.distinct === table.rows || system.distinct < MOSTLY * table.rows) return undefined;
  const rows = new Map<string, number[]>();
  for (let row = 0; row < table.rows; row += 1) {
    const name = cellText(system.column, row)!;
    rows.set(name, [...(rows.get(name) ?? []), row]);
  }
  const labels = new Array<string>(table.rows);
  const settings = new Set<string>();
  for (const [name, own] of rows) {
    const setting =
      own.length === 1
        ? undefined
        : profiles.find((profile) => profile !== system && tellsApart(table, profile.name, own));
    if (own.length > 1 && setting === undefined) return undefined;
    if (setting !== undefined) settings.add(setting.name);
    for (const row of own) labels[row] = setting === undefined ? name : `${name} (${cellText(setting.column, row)})`;
  }
  const column = freshName(table, "system");
  return {
    table: withColumn(table, column, factorColumn(labels)),
    reading: [
      `${system.name} names ${table.rows} rows with ${system.distinct} names: rows of the same name are told apart by ${[...settings].join(", ")} (column ${column}).`,
    ],
    hints: [
      { role: "system", column, reason: `${system.name}, told apart by ${[...settings].join(", ")}`, confidence: 0.8 },
    ],
  };
}

function tellsApart(table: Table, name: string, rows: readonly number[]): boolean {
  const cells = table.columns.get(name)!;
  if (cells.kind !== "factor") return false;
  const texts = rows.map((row) => cellText(cells, row));
  return texts.every((text) => text !== null && text.length <= LONGEST_SETTING) && new Set(texts).size === rows.length;
}
