/** A table's cells as text, rounded by column, for the renderers to lay out. */
import type { DisplayTable } from "../display.ts";
import { columnCells, columnFormats } from "../display.ts";
import { formatColumn } from "../number-format.ts";

export interface TextCell {
  readonly text: string;
  /** Written by us from a number, so that a renderer may improve its signs; a string is the user's, to be escaped. */
  readonly isNumber: boolean;
}

export interface TextColumn {
  readonly head: string;
  readonly align: "left" | "right";
  readonly cells: readonly TextCell[];
}

export function textColumns(table: DisplayTable): TextColumn[] {
  const formats = columnFormats(table);
  return table.head.map((head, j) => {
    const cells = columnCells(table, j);
    const texts = formatColumn(cells, formats[j]!, table.decimals);
    return {
      head,
      align: formats[j] === "text" ? "left" : "right",
      cells: texts.map((text, i) => ({ text, isNumber: typeof cells[i] === "number" })),
    };
  });
}
