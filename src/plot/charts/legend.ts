/** One row, or a few, of names with their marks: where labels cannot stand at the marks themselves. */
import { type Shape, symbolShape } from "../draw/scene.ts";
import { textWidth } from "../draw/text-width.ts";
import type { LegendEntry } from "./figure.ts";

const KEY = 24;
const GAP = 20;
const ROW = 20;

export function drawLegend(
  entries: readonly LegendEntry[],
  width: number,
): { readonly shapes: Shape[]; readonly height: number } {
  const shapes: Shape[] = [];
  let x = 0;
  let y = 10;
  for (const { name, tone, symbol, dash } of entries) {
    const wide = KEY + 6 + textWidth(name, 12) + GAP;
    if (x > 0 && x + wide - GAP > width) {
      x = 0;
      y += ROW;
    }
    if (symbol !== "square" || dash !== undefined) {
      shapes.push({ type: "path", lines: [[[x, y - 4], [x + KEY, y - 4]]], style: "ln", tone, ...(dash === undefined ? {} : { dash }) }); // biome-ignore format: one line
    }
    if (symbol !== undefined) shapes.push(symbolShape(symbol, [x + KEY / 2, y - 4], 3.4, tone));
    shapes.push({ type: "text", x: x + KEY + 6, y, text: name, style: "t0" });
    x += wide;
  }
  return { shapes, height: entries.length === 0 ? 0 : y + 12 };
}
