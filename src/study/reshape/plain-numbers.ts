/** Numbers that a table for readers dresses up → numbers:
 *    "-", "n.a.", "#DIV/0!"         no value, in a column that otherwise holds numbers
 *    "85%" among 61.2               both in percent; among 0.61 nobody knows, and nothing is done
 *    "85.2 ± 0.4", "85.2 (0.4)",    as in LaTeX ($85.2_{\pm 0.4}$): the value, and what follows in a column of its own: the file does not say what it is
 *    "85.2 [84.1, 86.0]"            the value and its limits
 *    "**85.2**", "85.2†"            the best one in bold, or one with a footnote
 *    "7.24 s", "612ms", "$0.012"    the number, where every cell has a unit; of units of one kind (s, ms) all are read in the larger one
 *  Rows that repeat the header (a program appended to its file), or hold a heading among dashes, are no data and left out. */

import { isNoValue } from "../../data/levels.ts";
import { type Column, type FactorColumn, factorColumn, makeTable, selectRows, type Table } from "../../data/table.ts";
import { listNames } from "../../result/quote.ts";
import { cellText, freshName, type Reshaped, usedLevels } from "./reshaped.ts";

const NUMBER = String.raw`[+-]?(?:0|[1-9]\d{0,14}|(?=\.))(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const PLAIN = new RegExp(`^${NUMBER}$`);
const PERCENT = new RegExp(`^(${NUMBER})\\s*[%％]$`);
const WITH_SPREAD = new RegExp(
  `^\\$?(${NUMBER})\\s*%?\\s*\\(?\\s*\\$?(?:_\\{?)?(?:±|\\+/-|\\+-|\\\\pm\\$?)\\s*(${NUMBER})\\s*%?\\s*\\)?\\}?\\$?$`,
);
/** With decimals: a whole number may be a count. */
const WITH_BRACKETS = new RegExp(`^(${NUMBER})\\s*%?\\s*\\(\\s*(\\d{0,3}\\.\\d+)\\s*%?\\s*\\)$`);
const WITH_LIMITS = new RegExp(
  `^(${NUMBER})\\s*[[(]\\s*(${NUMBER})\\s*(?:,|;|–|to|-(?=\\s*[\\d.]))\\s*(${NUMBER})\\s*[\\])]$`,
);
const WITH_UNIT = new RegExp(`^(${NUMBER}) ?([\\p{L}µ/]{1,12})$`, "u");
const WITH_SIGN = new RegExp(`^([$€£¥]) ?(${NUMBER})$|^(${NUMBER}) ?([$€£¥])$`);
const DASH = /^[-–—]{1,3}$/;

interface Cell {
  readonly value: number;
  readonly kind: "none" | "plain" | "percent" | "spread" | "limits" | "unit";
  readonly unit?: Unit;
  readonly beside: readonly number[];
  readonly marked: boolean;
}

export function findPlainNumbers(whole: Table): Reshaped | undefined {
  const { table, reading } = withoutHeadings(whole);
  const entries: [string, Column][] = [];
  const told: string[] = [];
  const spreads: [string, string][] = [];
  for (const [name, cells] of table.columns) {
    const single = cells.kind === "factor" ? unwrap(cells) : undefined;
    if (single !== undefined) told.push(`${name}: each cell is a list of one text, which is read.`);
    const read =
      cells.kind === "factor" && single === undefined
        ? readColumn(table, name, cells, table.rows < whole.rows)
        : undefined;
    entries.push(...(read?.entries ?? [[name, single ?? cells] satisfies [string, Column]]));
    if (read?.told !== undefined) told.push(read.told);
    if (read?.beside !== undefined) spreads.push([name, read.beside]);
  }
  if (spreads.length > 0) {
    const bracketed = spreads.some(([name]) => usedLevels(table.columns.get(name)!).some((text) => text.endsWith(")")));
    told.push(tellSpreads(spreads, bracketed ? "a number in brackets" : "a ±"));
  }
  const missing = entries.filter(([name, cells]) => cells.kind === "numeric" && hasDashes(table, name)).map(([n]) => n);
  if (missing.length > 0) told.push(`${listNames(missing)}: a dash or the like is no value.`);
  if (told.length === 0 && reading.length === 0) return undefined;
  return { table: makeTable(entries, table.rows), reading: [...reading, ...told], hints: [] };
}

/** Once for all columns that have one. */
function tellSpreads(spreads: readonly (readonly [string, string])[], sign: string): string {
  const [names, columns] = [0, 1].map((k) => listNames(spreads.map((pair) => pair[k]!)));
  const [hold, are] = spreads.length === 1 ? ["holds", "is column"] : ["hold", "stands in"];
  return `${names} ${hold} values with ${sign} behind them: what ${sign === "a ±" ? "follows it" : "it holds"} ${are} ${columns}, and the file does not say whether that is a standard deviation, a standard error or half an interval.`;
}

/** ["positive"] in every cell, as tools write a choice of which several would be allowed. */
function unwrap(cells: FactorColumn): FactorColumn | undefined {
  const levels = usedLevels(cells);
  const texts = new Map(levels.map((level) => [level, /^\s*\[\s*"([^"\\]*)"\s*\]\s*$/.exec(level)?.[1]]));
  if (levels.length < 2 || [...texts.values()].includes(undefined)) return undefined;
  return factorColumn(Array.from(cells.codes, (code) => (code < 0 ? null : texts.get(cells.levels[code]!)!)));
}

/** Rows that say again what the columns are called, or nothing but one heading. */
function withoutHeadings(table: Table): { readonly table: Table; readonly reading: readonly string[] } {
  const columns = [...table.columns];
  if (columns.length < FEWEST_COLUMNS || columns.filter(([, cells]) => cells.kind === "factor").length < FEWEST_COLUMNS)
    return { table, reading: [] };
  const repeats = columns.some(([name, cells]) => cells.kind === "factor" && cells.levels.includes(name));
  const dashes = columns.some(([, cells]) => cells.kind === "factor" && cells.levels.some((level) => DASH.test(level)));
  if (!repeats && !dashes) return { table, reading: [] };
  const texts = (row: number): (string | null)[] => columns.map(([, cells]) => cellText(cells, row));
  const isHeader = (row: number): boolean => repeats && texts(row).every((text, j) => text === columns[j]![0]);
  const isHeading = (row: number): boolean =>
    dashes && texts(row).filter((text) => text === null || !DASH.test(text)).length === 1;
  const rows = Array.from({ length: table.rows }, (_, row) => row);
  const [headers, headings] = [rows.filter(isHeader), rows.filter(isHeading)];
  const gone = new Set([...headers, ...headings]);
  if (gone.size === 0 || gone.size === table.rows) return { table, reading: [] };
  const count = (list: readonly number[]): string => (list.length === 1 ? "1 row" : `${list.length} rows`);
  return {
    table: selectRows(table, (row) => !gone.has(row)),
    reading: [
      ...(headers.length === 0 ? [] : [`${count(headers)} of the file repeat the header and are left out.`]),
      ...(headings.length === 0
        ? []
        : [`${count(headings)} of the file hold a heading among dashes and are left out.`]),
    ].map((text) => text.replace(/^1 row of the file (repeat|hold) (.*) and are /, "1 row of the file $1s $2 and is ")),
  };
}

interface Unit {
  readonly name: string;
  readonly kind: string;
  /** In the smallest unit of its kind. */
  readonly size: number;
}

const UNITS: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ["time", 1e-3, "µs us microseconds"],
      ["time", 1, "ms msec msecs millisecond milliseconds"],
      ["time", 1e3, "s sec secs second seconds sek sekunden"],
      ["time", 6e4, "min mins minute minutes"],
      ["time", 36e5, "h hr hrs hour hours std"],
      ["memory", 1e-3, "kb kib"],
      ["memory", 1, "mb mib"],
      ["memory", 1e3, "gb gib"],
      ["tokens", 1, "tok toks token tokens"],
      ["speed", 1, "tok/s tokens/s t/s it/s req/s qps rps tps"],
      ["words", 1, "word words"],
      ["characters", 1, "char chars characters"],
      ["points", 1, "pt pts point points pp punkte"],
      ["stars", 1, "star stars"],
      ["dollars", 1, "$ usd"],
      ["euros", 1, "€ eur"],
      ["pounds", 1, "£ gbp"],
      ["yen", 1, "¥ jpy"],
    ] as const
  ).flatMap(([kind, size, names]) => names.split(" ").map((name) => [name, { name, kind, size }] as const)),
);

/** The number and its unit; undefined for other words behind a number, which may name things. */
function readUnit(text: string): Pick<Cell, "value" | "unit"> | undefined {
  const word = WITH_UNIT.exec(text);
  const sign = WITH_SIGN.exec(text);
  const unit = UNITS.get((word?.[2] ?? sign?.[1] ?? sign?.[4] ?? "").toLowerCase());
  return unit === undefined ? undefined : { value: Number(word?.[1] ?? sign?.[2] ?? sign?.[3]), unit };
}

/** All cells in the largest unit that occurs; undefined where they are of several kinds. */
function inOneUnit(
  cells: readonly Cell[],
): { readonly name: string; readonly size: number; readonly from: string[] } | undefined {
  const units = [...new Set(cells.map(({ unit }) => unit!))];
  if (new Set(units.map(({ kind }) => kind)).size !== 1) return undefined;
  const [largest] = units.sort((a, b) => b.size - a.size) as [Unit];
  return {
    name: largest.name,
    size: largest.size,
    from: units.filter(({ size }) => size < largest.size).map(({ name }) => name),
  };
}

const FEWEST_COLUMNS = 2;
const FEWEST_NUMBERS = 2;
const LONGEST_CELL = 80;

function readCell(text: string): Cell | undefined {
  // a number for readers is short, and patterns with several blanks take long over a long run of them
  if (text.length > LONGEST_CELL) return undefined;
  const trimmed = text.trim().replace(/\s+/g, " ");
  if (isNoValue(trimmed)) return { value: Number.NaN, kind: "none", beside: [], marked: false };
  const bare = trimmed.replace(/^\*\*(.+)\*\*$/, "$1").replace(/^(.*\d%?)\s*[*†‡]+$/, "$1");
  const marked = bare !== trimmed;
  if (PLAIN.test(bare)) return { value: Number(bare), kind: "plain", beside: [], marked };
  const percent = PERCENT.exec(bare);
  if (percent !== null) return { value: Number(percent[1]), kind: "percent", beside: [], marked };
  const spread = WITH_SPREAD.exec(bare);
  if (spread !== null) return { value: Number(spread[1]), kind: "spread", beside: [Number(spread[2])], marked };
  const bracketed = WITH_BRACKETS.exec(bare);
  // what is nearly as large may be another score
  if (bracketed !== null && 2 * Number(bracketed[2]) < Math.abs(Number(bracketed[1])))
    return { value: Number(bracketed[1]), kind: "spread", beside: [Number(bracketed[2])], marked };
  const measured = readUnit(bare);
  if (measured !== undefined) return { ...measured, kind: "unit", beside: [], marked };
  const limits = WITH_LIMITS.exec(bare);
  const [value, low, high] = [Number(limits?.[1]), Number(limits?.[2]), Number(limits?.[3])];
  return low <= value && value <= high ? { value, kind: "limits", beside: [low, high], marked } : undefined;
}

/** The column as numbers, with what stood beside them; undefined where some cell is something else. */
function readColumn(
  table: Table,
  name: string,
  cells: FactorColumn,
  cut: boolean,
): { readonly entries: [string, Column][]; readonly told?: string; readonly beside?: string } | undefined {
  const levels = usedLevels(cells);
  const read = new Map(levels.map((level) => [level, readCell(level)]));
  const found = [...read.values()].filter((cell) => cell !== undefined);
  const of = (kind: Cell["kind"]): Cell[] => found.filter((cell) => cell.kind === kind);
  const values = found.length - of("none").length;
  if (found.length < levels.length || values < FEWEST_NUMBERS) return undefined;
  // numbers that the reader of the file kept as texts are names, unless something here explains why
  if (of("plain").filter(({ marked }) => !marked).length === levels.length && !cut) return undefined;
  const [plain, percent, spread, limits] = [of("plain"), of("percent"), of("spread"), of("limits")];
  const united = of("unit");
  const unit = united.length === 0 ? undefined : inOneUnit(united);
  // 7 beside 7.2 s may be anything
  if (united.length > 0 && (unit === undefined || united.length < values)) return undefined;
  if (spread.length > 0 && limits.length > 0) return undefined;
  // 61.2 beside 85% is in percent, 0.61 beside 85% may be either
  if (percent.length > 0 && plain.length > 0 && !plain.some(({ value }) => Math.abs(value) > 1)) return undefined;
  const column = (pick: (cell: Cell) => number | undefined): Column => ({
    kind: "numeric",
    values: Float64Array.from(cells.codes, (code) =>
      code < 0 ? Number.NaN : (pick(read.get(cells.levels[code]!)!) ?? Number.NaN),
    ),
  });
  const own: [string, Column] = [name, column((cell) => inUnit(cell, unit?.size))];
  if (unit !== undefined) {
    const others = unit.from.length === 0 ? "" : `, those in ${listNames(unit.from)} turned into it`;
    return { entries: [own], told: `${name} is in ${unit.name}${others}: the numbers are read.` };
  }
  if (spread.length > 0) {
    const beside = freshName(table, `${name}_pm`);
    return { entries: [own, [beside, column((cell) => cell.beside[0])]], beside };
  }
  if (limits.length > 0) {
    const [low, high] = [freshName(table, `${name}_lower`), freshName(table, `${name}_upper`)];
    const told = `${name} holds values with two limits behind them, which are columns ${low} and ${high}.`;
    return { entries: [own, [low, column((cell) => cell.beside[0])], [high, column((cell) => cell.beside[1])]], told };
  }
  const parts = [
    ...(percent.length > 0
      ? [plain.length > 0 ? "some cells have a sign of percent, and all are read as percent" : "numbers in percent"]
      : []),
    ...(found.some(({ marked }) => marked) ? ["asterisks and the like beside numbers are left out"] : []),
  ];
  return { entries: [own], ...(parts.length === 0 ? {} : { told: `${name}: ${parts.join("; ")}.` }) };
}

const inUnit = ({ value, unit }: Cell, size: number | undefined): number =>
  unit === undefined || size === undefined || unit.size === size ? value : (value * unit.size) / size;

function hasDashes(table: Table, name: string): boolean {
  const cells = table.columns.get(name);
  return cells?.kind === "factor" && usedLevels(cells).some((level) => isNoValue(level));
}
