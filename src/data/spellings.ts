/** Names of systems and raters as people type them → one spelling each: "Ann " is Ann, and a few "model a" among many "Model A" are Model A.
 *  Two names that are about as frequent and differ in capitals may be two systems: they stay, and that is said. */
import { RATER_NAMES, SYSTEM_NAMES, splitWords } from "./roles/names.ts";
import { type Column, type FactorColumn, factorColumn, makeTable, type Table } from "./table.ts";

/** A spelling with more rows than this share of the most frequent one's is no slip. */
const SLIP = 0.25;

interface Spelled {
  readonly cells: FactorColumn;
  readonly told: readonly string[];
}

export function joinSpellings(table: Table): { readonly table: Table; readonly reading: readonly string[] } {
  const reading: string[] = [];
  const entries = [...table.columns].map(([name, cells]): [string, Column] => {
    const plain = splitWords(name).join("_");
    if (cells.kind === "numeric" || !(SYSTEM_NAMES.includes(plain) || RATER_NAMES.includes(plain)))
      return [name, cells];
    const found = spellColumn(name, cells);
    reading.push(...(found?.told ?? []));
    return [name, found?.cells ?? cells];
  });
  return reading.length === 0 ? { table, reading } : { table: makeTable(entries, table.rows), reading };
}

const withoutBlanks = (text: string): string => text.normalize("NFC").trim().replace(/\s+/gu, " ");

function spellColumn(name: string, cells: FactorColumn): Spelled | undefined {
  const uses = new Int32Array(cells.levels.length);
  for (const code of cells.codes) if (code >= 0) uses[code]! += 1;
  const groups = new Map<string, number[]>();
  cells.levels.forEach((level, code) => {
    const key = withoutBlanks(level).toLowerCase();
    if (uses[code]! > 0 && key !== "") groups.set(key, [...(groups.get(key) ?? []), code]);
  });
  const joined: string[] = [];
  const apart: string[] = [];
  const spelled = [...cells.levels];
  for (const codes of groups.values()) {
    if (codes.length < 2) continue;
    const [most, ...others] = [...codes].sort((a, b) => uses[b]! - uses[a]!) as [number, ...number[]];
    const own = withoutBlanks(cells.levels[most]!);
    spelled[most] = own;
    for (const code of others) {
      const level = cells.levels[code]!;
      const slip = withoutBlanks(level) === own || uses[code]! <= SLIP * uses[most]!;
      if (slip) spelled[code] = own;
      if (slip) joined.push(`"${level}" (${uses[code] === 1 ? "1 row" : `${uses[code]} rows`}) as "${own}"`);
      else
        apart.push(
          `${name}: "${own}" and "${level}" differ in capitals or blanks alone; both are frequent and are kept as two.`,
        );
    }
  }
  if (joined.length + apart.length === 0) return undefined;
  const told =
    joined.length === 0
      ? []
      : [`${name}: names that differ in capitals or blanks alone are read as one: ${joined.join(", ")}.`];
  return {
    cells: factorColumn(Array.from(cells.codes, (code) => (code < 0 ? null : spelled[code]!))),
    told: [...told, ...apart],
  };
}
