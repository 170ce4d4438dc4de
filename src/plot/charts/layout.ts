/** A figure at a width, as a scene: with its title and line of explanation where it stands alone, without where a page says them. */
import type { Scene, Shape } from "../draw/scene.ts";
import { wrapText } from "../draw/text-width.ts";
import type { Figure } from "./figure.ts";
import { layoutPanels } from "./panels.ts";
import { layoutRows } from "./rows.ts";

export interface LayoutOptions {
  /** Pixels; default 860. */
  readonly width?: number | undefined;
  /** Without title and subtitle. */
  readonly bare?: boolean | undefined;
}

const WIDTH = 860;
const MARGIN = 20;

export function layoutFigure(
  { chart, title, subtitle }: Figure,
  { width = WIDTH, bare = false }: LayoutOptions = {},
): Scene {
  const margin = bare ? 0 : MARGIN;
  const inner = width - 2 * margin;
  const body = chart.kind === "panels" ? layoutPanels(chart, inner) : layoutRows(chart, inner);
  if (bare) return { ...body, width };
  const heads: Shape[] = [];
  let y = margin + 12;
  for (const line of wrapText(readable(title), inner, { size: 13, bold: true })) {
    heads.push({ type: "text", x: margin, y, text: line, style: "t1", size: 13 });
    y += 18;
  }
  for (const line of wrapText(readable(subtitle), inner)) {
    if (line !== "") heads.push({ type: "text", x: margin, y, text: line, style: "t2" });
    y += 16;
  }
  const top = y + 4;
  return {
    width,
    height: top + body.height + margin,
    shapes: [...heads, ...body.shapes.map((shape) => moved(shape, margin, top))],
  };
}

/** A system may be called by a whole prompt, or by a book: a picture of as many pages helps nobody. */
const LONGEST_HEAD = 1500;

function readable(text: string): string {
  return text.length <= LONGEST_HEAD ? text : `${text.slice(0, LONGEST_HEAD).replace(/[\ud800-\udbff]$/, "")}…`;
}

function moved(shape: Shape, dx: number, dy: number): Shape {
  if (shape.type !== "path") return { ...shape, x: shape.x + dx, y: shape.y + dy };
  return { ...shape, lines: shape.lines.map((points) => points.map(([x, y]) => [x + dx, y + dy] as const)) };
}
