/** A table as CSV text that reads back identical: numbers by their shortest digits, missing as NA, and quotes around every
 *  text that the reader would take for something else (a missing value, several fields, padded with blanks).
 *  Limits: a factor whose levels all are numbers reads back as numbers unless the reader is told (`factors`); levels that
 *  do not occur and an order other than the default are not part of CSV. */
import type { Column, Table } from "../../data/table.ts";
import { MISSING_VALUES } from "./missing.ts";

export interface WriteCsvOptions {
  readonly delimiter?: string | undefined;
}

/** Rows are joined in batches of this many, so that no intermediate list grows with the table. */
const BATCH = 4096;

export function writeCsv(table: Table, options: WriteCsvOptions = {}): string {
  const { delimiter = "," } = options;
  const names = [...table.columns.keys()].map((name) => quoteText(name, delimiter));
  const writers = [...table.columns.values()].map((column) => cellWriter(column, delimiter));
  const parts = [names.join(delimiter)];
  let lines: string[] = [];
  for (let row = 0; row < table.rows; row += 1) {
    lines.push(writers.map((write) => write(row)).join(delimiter));
    if (lines.length === BATCH) {
      parts.push(lines.join("\n"));
      lines = [];
    }
  }
  if (lines.length > 0) parts.push(lines.join("\n"));
  return `${parts.join("\n")}\n`;
}

function cellWriter(column: Column, delimiter: string): (row: number) => string {
  if (column.kind === "numeric") {
    return (row) => (Number.isNaN(column.values[row]!) ? "NA" : numberText(column.values[row]!));
  }
  const levels = column.levels.map((level) => quoteText(level, delimiter));
  return (row) => (column.codes[row]! < 0 ? "NA" : levels[column.codes[row]!]!);
}

/** Shortest digits; minus zero keeps its sign, and an integer too long to be read as a number gets an exponent. */
function numberText(value: number): string {
  if (Object.is(value, -0)) return "-0";
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}

function quoteText(text: string, delimiter: string): string {
  const special =
    text.includes(delimiter) || /["\r\n]/.test(text) || text !== text.trim() || MISSING_VALUES.includes(text.trim());
  return special ? `"${text.replaceAll('"', '""')}"` : text;
}
