/** Names of systems and raters as people type them → one spelling each: "Ann " is Ann, and a few "model a" among many "Model A" are Model A.
 *  Two names that are about as frequent and differ in capitals may be two systems: they stay, and that is said. */
import { RATER_NAMES, SYSTEM_NAMES } from "../study/lexicon/names.ts";
import { splitWords } from "../study/lexicon/words.ts";
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
  // blanks never tell two names apart; capitals may
  const forms = new Map<string, number>();
  const padded: string[] = [];
  const spelled = cells.levels.map((level, code) => {
    const own = withoutBlanks(level);
    if (uses[code]! === 0 || own === "") return level;
    forms.set(own, (forms.get(own) ?? 0) + uses[code]!);
    if (own !== level) padded.push(`"${level}" (${tellRows(uses[code]!)}) as "${own}"`);
    return own;
  });
  const groups = new Map<string, string[]>();
  for (const form of forms.keys()) groups.set(form.toLowerCase(), [...(groups.get(form.toLowerCase()) ?? []), form]);
  const joined: string[] = [];
  const apart: string[] = [];
  const slips = new Map<string, string>();
  for (const group of groups.values()) {
    const [most, ...others] = group.sort((a, b) => forms.get(b)! - forms.get(a)!) as [string, ...string[]];
    for (const form of others) {
      const slip = forms.get(form)! <= SLIP * forms.get(most)!;
      if (slip) slips.set(form, most);
      if (slip) joined.push(`"${form}" (${tellRows(forms.get(form)!)}) as "${most}"`);
      else
        apart.push(`${name}: "${most}" and "${form}" differ in capitals alone; both are frequent and are kept as two.`);
    }
  }
  // a blank that no other spelling lacks changes no level
  const told = forms.size < cells.levels.length || slips.size > 0 ? [...padded, ...joined] : joined;
  if (told.length + apart.length === 0) return undefined;
  const reading =
    told.length === 0
      ? []
      : [`${name}: names that differ in capitals or blanks alone are read as one: ${told.join(", ")}.`];
  return {
    cells: factorColumn(
      Array.from(cells.codes, (code) => (code < 0 ? null : (slips.get(spelled[code]!) ?? spelled[code]!))),
    ),
    told: [...reading, ...apart],
  };
}

const tellRows = (count: number): string => (count === 1 ? "1 row" : `${count} rows`);
