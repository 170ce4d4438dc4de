/** Columns of 0 and 1 of which exactly one is 1 in every row (gpt4, llama, mathwell) → one column with their names. */
import { SYSTEM_LEVEL } from "../roles/names.ts";
import { type Column, factorColumn, makeTable, type Table } from "../table.ts";
import { freshName, type Reshaped } from "./reshaped.ts";

const FEWEST = 3;
const MOST = 60;
/** Share of the names that must read like systems. */
const TELLING = 0.3;

export function findOneHot(table: Table): Reshaped | undefined {
  const names = [...table.columns].map(([name, cells]) => (isIndicator(cells) ? name : undefined));
  for (const run of runsOf(names)) {
    if (!onePerRow(table, run)) continue;
    const telling = run.filter((name) => SYSTEM_LEVEL.test(name)).length / run.length;
    if (telling >= TELLING) return collapse(table, run, telling);
  }
  return undefined;
}

function isIndicator(cells: Column): boolean {
  if (cells.kind !== "numeric") return false;
  let ones = 0;
  for (const value of cells.values) {
    if (value !== 0 && value !== 1) return false;
    ones += value;
  }
  return ones > 0 && ones < cells.values.length;
}

/** Parts of runs of neighbouring indicators, long ones first. */
function runsOf(names: readonly (string | undefined)[]): string[][] {
  const found: string[][] = [];
  for (let from = 0; from < names.length; from += 1) {
    for (let to = from; to < names.length && to - from < MOST && names[to] !== undefined; to += 1) {
      if (to - from + 1 >= FEWEST) found.push(names.slice(from, to + 1) as string[]);
    }
  }
  return found.sort((a, b) => b.length - a.length);
}

function onePerRow(table: Table, names: readonly string[]): boolean {
  const columns = names.map((name) => (table.columns.get(name) as { values: Float64Array }).values);
  for (let row = 0; row < table.rows; row += 1) {
    let sum = 0;
    for (const values of columns) sum += values[row]!;
    if (sum !== 1) return false;
  }
  return true;
}

function collapse(table: Table, names: readonly string[], telling: number): Reshaped {
  const columns = names.map((name) => (table.columns.get(name) as { values: Float64Array }).values);
  const chosen = Array.from(
    { length: table.rows },
    (_, row) => names[columns.findIndex((values) => values[row] === 1)]!,
  );
  const gone = new Set(names);
  const kept = [...table.columns].filter(([name]) => !gone.has(name));
  const system = freshName(makeTable(kept, table.rows), "system");
  return {
    table: makeTable([[system, factorColumn(chosen)], ...kept], table.rows),
    reading: [
      `Exactly one of ${names.join(", ")} is 1 in every row: they name the system and became column ${system}.`,
    ],
    hints: [
      {
        role: "system",
        column: system,
        reason: `exactly one of ${names.join(", ")} is 1 in every row, and ${Math.round(100 * telling)} % of the names read like systems`,
        confidence: 0.9,
      },
    ],
  };
}
