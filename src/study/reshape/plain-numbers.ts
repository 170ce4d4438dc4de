/** Numbers that a table for readers dresses up → numbers:
 *    "-", "n.a.", "#DIV/0!"            no value, in a column that otherwise holds numbers
 *    "85%" among 61.2                  both in percent; among 0.61 nobody knows, and nothing is done
 *    "85.2 ± 0.4", "$85.2_{\pm 0.4}$"  the value, and what follows in a column of its own: the file does not say what it is
 *    "**85.2**", "85.2†"               the best one in bold, or one with a footnote
 *    "00" among many numbers           0 */
import type { Done } from "../../data/imported.ts";
import { isNoValue } from "../../data/levels.ts";
import { type Column, type FactorColumn, makeTable, type Table } from "../../data/table.ts";
import { listValues } from "../facts.ts";
import { freshName, type Reshaped } from "./reshaped.ts";

const NUMBER = String.raw`[+-]?(?:0|[1-9]\d{0,14}|(?=\.))(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?`;
const PLAIN = new RegExp(`^${NUMBER}$`);
const PADDED = /^0\d{1,9}$/;
const PERCENT = new RegExp(`^(${NUMBER}) ?%$`);
const SPREAD = new RegExp(`^\\$?(${NUMBER}) ?%? ?[_{$( ]{0,4}(?:±|\\+/-|\\\\pm) ?(${NUMBER}) ?%? ?[)}$]{0,3}$`);

interface Cell {
  readonly value: number;
  readonly kind: "none" | "plain" | "padded" | "percent" | "spread";
  readonly beside?: number | undefined;
  readonly marked: boolean;
}

const FEWEST_NUMBERS = 2;
const LONGEST_CELL = 80;
/** More cells with zeros in front make codes of a column. */
const MOST_PADDED = 0.05;

export function findPlainNumbers(table: Table): Reshaped | undefined {
  const done: Done[] = [];
  const entries = [...table.columns].flatMap(([name, cells]): [string, Column][] => {
    const read = cells.kind === "factor" ? readColumn(table, name, cells) : undefined;
    done.push(...(read?.done ?? []));
    return read?.entries ?? [[name, cells]];
  });
  return done.length === 0 ? undefined : { table: makeTable(entries, table.rows), done, hints: [] };
}

function readCell(text: string): Cell | undefined {
  if (text.length > LONGEST_CELL) return undefined;
  const trimmed = text.trim().replace(/\s+/g, " ");
  const bare = trimmed.replace(/^\*\*([^*]+)\*\*$/, "$1").replace(/(?<![*†‡])[*†‡]+$/, "");
  const cell = (kind: Cell["kind"], value = Number.NaN, beside?: number): Cell => ({
    ...{ kind, value, beside },
    marked: bare !== trimmed,
  });
  if (isNoValue(trimmed)) return cell("none");
  if (PLAIN.test(bare)) return cell("plain", Number(bare));
  if (PADDED.test(bare)) return cell("padded", Number(bare));
  const percent = PERCENT.exec(bare);
  if (percent !== null) return cell("percent", Number(percent[1]));
  const spread = SPREAD.exec(bare);
  return spread === null ? undefined : cell("spread", Number(spread[1]), Number(spread[2]));
}

/** The column as numbers, with what stood beside them; undefined where some cell is something else. */
function readColumn(
  table: Table,
  name: string,
  cells: FactorColumn,
): { readonly entries: [string, Column][]; readonly done: readonly Done[] } | undefined {
  const levels = listValues(cells);
  const read = new Map<string, Cell>();
  for (const level of levels) {
    const cell = readCell(level);
    if (cell === undefined) return undefined;
    read.set(level, cell);
  }
  const found = [...read.values()];
  const of = (kind: Cell["kind"]): Cell[] => found.filter((cell) => cell.kind === kind);
  const [none, plain, percent, spread] = [of("none"), of("plain"), of("percent"), of("spread")];
  if (found.length - none.length < FEWEST_NUMBERS) return undefined;
  const padded = cells.codes.filter((code) => read.get(cells.levels[code]!)?.kind === "padded").length;
  if (padded > MOST_PADDED * table.rows) return undefined;
  const marked = found.some((cell) => cell.marked);
  // numbers that the reader of the file kept as texts are names, unless something here explains why
  if (plain.length === levels.length && !marked) return undefined;
  // 61.2 beside 85% is in percent, 0.61 beside 85% may be either
  if (percent.length > 0 && plain.length > 0 && !plain.some(({ value }) => Math.abs(value) > 1)) return undefined;
  const column = (pick: (cell: Cell) => number | undefined): Column => ({
    kind: "numeric",
    values: Float64Array.from(cells.codes, (code) =>
      code < 0 ? Number.NaN : (pick(read.get(cells.levels[code]!)!) ?? Number.NaN),
    ),
  });
  const into = spread.length === 0 ? [] : [freshName(table, `${name}_pm`)];
  const beside = into.map((own): [string, Column] => [own, column((cell) => cell.beside)]);
  const tell = (id: Done["id"], is: boolean): Done[] => (is ? [{ id, columns: [name], into }] : []);
  return {
    entries: [[name, column(({ value }) => value)], ...beside],
    done: [
      ...tell("percent", percent.length > 0),
      ...tell("marks", marked || padded > 0),
      ...tell("plusMinus", spread.length > 0),
      ...tell("noValue", none.length > 0),
    ],
  };
}
