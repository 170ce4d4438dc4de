import type { Diagnostic } from "./result.ts";

/** How a renderer should round a column; the cells themselves keep full precision. See number-format.ts for the rules. */
export type CellFormat = "text" | "number" | "statistic" | "df" | "p" | "integer" | "percent";
export const CELL_FORMATS: readonly CellFormat[] = ["text", "number", "statistic", "df", "p", "integer", "percent"];

export interface DisplayTable {
  readonly caption?: string;
  readonly head: readonly string[];
  /** One per column; the default is "number" where every cell is a number or empty, and "text" elsewhere. */
  readonly formats?: readonly CellFormat[];
  /** Of every "number" column, where the table is to have as many as a sentence beside it; default: what the column needs. */
  readonly decimals?: number;
  readonly rows: readonly (readonly (string | number)[])[];
}

/** Curves over a common axis; a renderer that cannot draw leaves them out, since a table says the same. */
export interface DisplayChart {
  /** What the axes show. */
  readonly x: string;
  readonly y: string;
  readonly series: readonly { readonly name: string; readonly points: readonly (readonly [x: number, y: number])[] }[];
  /** Ends of the vertical axis; default: of the values. */
  readonly yRange?: readonly [number, number];
  /** A level to compare with, and its name. */
  readonly guide?: number;
  readonly guideName?: string;
}

/** One point of a list, with the commands or lines that belong to it, which no renderer may wrap or alter. */
export interface DisplayItem {
  readonly text: string;
  readonly code?: readonly string[];
}

/** The heading of what to ask next. */
export const NEXT = "Next";

export interface DisplaySection {
  readonly heading: string;
  readonly items: readonly DisplayItem[];
  /** A picture in letters, for a terminal: where figures are drawn it is left out. */
  readonly drawn?: true;
}

/** The answer in the order of reading: the sentence, the numbers, what they mean, and the fine print under its labels. */
export interface Screen {
  /** The verdict in one sentence; a word in capitals and two spaces before it are the verdict itself. */
  readonly title: string;
  readonly tables: readonly DisplayTable[];
  /** After the tables. */
  readonly summary: readonly string[];
  /** "Claim", "Assumed", and what each says. */
  readonly facts: readonly { readonly label: string; readonly text: string }[];
}

/** What a result shows, as data at full precision; every output format renders from it. */
export interface Display {
  readonly title: string;
  /** Plain sentences or `name: value` lines between the title and the tables. */
  readonly summary?: readonly string[];
  readonly tables: readonly DisplayTable[];
  /** After the tables. */
  readonly charts?: readonly DisplayChart[];
  readonly notes: readonly string[];
  /** Lists under headings, after the notes. */
  readonly sections?: readonly DisplaySection[];
  /** The same on one screen, for a terminal that did not ask for details. */
  readonly screen?: Screen;
  /** Printed after the notes; `makeResult` puts the result's own here. */
  readonly diagnostics?: readonly Diagnostic[];
}

/** The format of each column, with the default filled in where the table states none. */
export function columnFormats(table: DisplayTable): CellFormat[] {
  return table.head.map((_, j) => table.formats?.[j] ?? defaultFormat(table, j));
}

function defaultFormat(table: DisplayTable, j: number): CellFormat {
  const filled = columnCells(table, j).filter((cell) => cell !== "");
  return filled.length > 0 && filled.every((cell) => typeof cell === "number") ? "number" : "text";
}

/** The cells of column j; a row that is too short has an empty cell there. */
export function columnCells(table: DisplayTable, j: number): (string | number)[] {
  return table.rows.map((row) => row[j] ?? "");
}
