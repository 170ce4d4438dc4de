/** A table in fixed-width text. One that is too wide first has its texts and heads wrapped; if that is not enough it is
 *  cut into blocks of columns, each opening with the row labels again. Nothing is left out. */

import type { DisplayTable } from "../display.ts";
import { mostOf } from "../extremes.ts";
import { textColumns } from "./cells.ts";
import { displayWidth, neutralise, padEnd, padStart, wrap } from "./width.ts";

const GAP = "  ";
/** Texts are not wrapped narrower than this while cutting the table can help. */
const NARROWEST_TEXT = 14;
const NARROWEST_HEAD = 10;
/** A name up to this long is not broken while cutting the table can help. */
const WHOLE_WORD = 28;
/** Continuation lines of a wrapped text are indented, to tell them from a new row. */
const HANGING = 2;

interface Column {
  readonly head: string;
  readonly cells: readonly string[];
  readonly isText: boolean;
  readonly natural: number;
  readonly narrowest: number;
}

/** What becomes of the line under the head: painted, or left out. */
type Rule = (line: string) => string | undefined;

/** The lines of the table, none wider than `width`. */
export function layoutTable(table: DisplayTable, width: number, rule: Rule = (line) => line): string[] {
  const columns = measure(table, width);
  return cutIntoBlocks(columns, width).flatMap((block, i) => {
    const lines = layoutBlock(block, width, rule);
    return i === 0 ? lines : ["", ...lines];
  });
}

function measure(table: DisplayTable, width: number): Column[] {
  // Beside a first column at its narrowest, any other column can be made to fit.
  const widest = width - NARROWEST_TEXT - GAP.length;
  return textColumns(table).map((column) => {
    const head = neutralise(column.head);
    const cells = column.cells.map((cell) => neutralise(cell.text));
    const cellWidth = Math.max(0, mostOf(cells.map(displayWidth)));
    const natural = Math.max(cellWidth, displayWidth(head));
    const isText = column.align === "left";
    const word = Math.min(NARROWEST_HEAD, Math.max(0, mostOf(head.split(" ").map(displayWidth))));
    const longest = Math.max(0, mostOf(cells.flatMap((cell) => cell.split(" ").map(displayWidth))));
    const narrowest = isText ? Math.max(NARROWEST_TEXT, Math.min(WHOLE_WORD, longest)) : Math.max(cellWidth, word);
    return { head, cells, isText, natural, narrowest: Math.min(natural, narrowest, widest) };
  });
}

function cutIntoBlocks(columns: readonly Column[], width: number): Column[][] {
  if (narrowestTotal(columns) <= width) return columns.length === 0 ? [] : [[...columns]];
  const labels = labelColumns(columns, width);
  const blocks: Column[][] = [];
  let block = [...labels];
  for (const column of columns.slice(labels.length)) {
    if (block.length > labels.length && narrowestTotal([...block, column]) > width) {
      blocks.push(block);
      block = [...labels];
    }
    block.push(column);
  }
  blocks.push(block);
  return blocks;
}

/** Leading columns of text name the rows; as many of them are repeated as leave room for any of the others. */
function labelColumns(columns: readonly Column[], width: number): Column[] {
  let count = 0;
  while (count < columns.length - 1 && columns[count]!.isText) {
    const room = width - narrowestTotal(columns.slice(0, count + 1)) - GAP.length;
    if (columns.slice(count + 1).some((column) => column.narrowest > room)) break;
    count += 1;
  }
  return columns.slice(0, count);
}

function narrowestTotal(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + column.narrowest, GAP.length * (columns.length - 1));
}

function layoutBlock(columns: readonly Column[], width: number, rule: Rule): string[] {
  const widths = fitWidths(columns, width);
  const total = widths.reduce((a, b) => a + b, GAP.length * (columns.length - 1));
  const heads = columns.map((column, j) => wrap(column.head, widths[j]!));
  const height = mostOf(heads.map((lines) => lines.length));
  const bottomAligned = heads.map((lines) => [...Array<string>(height - lines.length).fill(""), ...lines]);
  const lines = joinRow(columns, widths, bottomAligned);
  const under = rule("-".repeat(total));
  if (under !== undefined) lines.push(under);
  for (let i = 0; i < columns[0]!.cells.length; i++) {
    const cells = columns.map((column, j) => wrapCell(column, column.cells[i]!, widths[j]!));
    lines.push(...joinRow(columns, widths, cells));
  }
  return lines;
}

/** Natural widths, the widest column narrowed step by step until the block fits. */
function fitWidths(columns: readonly Column[], width: number): number[] {
  const widths = columns.map((column) => column.natural);
  let excess = widths.reduce((a, b) => a + b, GAP.length * (columns.length - 1)) - width;
  while (excess > 0) {
    let widest = -1;
    for (let j = 0; j < widths.length; j++) {
      if (widths[j]! > columns[j]!.narrowest && (widest < 0 || widths[j]! > widths[widest]!)) widest = j;
    }
    if (widest < 0) break;
    widths[widest]! -= 1;
    excess -= 1;
  }
  return widths;
}

function wrapCell(column: Column, text: string, width: number): string[] {
  if (!column.isText || displayWidth(text) <= width) return wrap(text, width);
  return wrap(text, width, HANGING).map((line, i) => (i === 0 ? line : " ".repeat(HANGING) + line));
}

function joinRow(columns: readonly Column[], widths: readonly number[], cells: readonly string[][]): string[] {
  const height = Math.max(1, mostOf(cells.map((lines) => lines.length)));
  return Array.from({ length: height }, (_, k) =>
    columns
      .map((column, j) => (column.isText ? padEnd : padStart)(cells[j]![k] ?? "", widths[j]!))
      .join(GAP)
      .trimEnd(),
  );
}
