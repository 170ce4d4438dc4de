/** What is wrong with a picture's layout: text beyond its edges, texts on one another, sentences with holes. */

import { layoutFigure } from "../../src/plot/charts/layout.ts";
import type { TextShape } from "../../src/plot/draw/scene.ts";
import { textWidth } from "../../src/plot/draw/text-width.ts";
import type { Figure } from "../../src/plot.ts";

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Of letters without accents: what the eye takes for the text. */
function boxOf({ x, y, text, size = 12, bold, style, anchor = "start" }: TextShape): Box {
  const width = textWidth(text, size, bold === true || style === "t1");
  const left = x - { start: 0, middle: 0.5, end: 1 }[anchor] * width;
  return { text, left, right: left + width, top: y - 0.72 * size, bottom: y + 0.1 * size };
}

/** Pixels that do not matter: widths are those of one font. */
const SLACK = 2;

export function layoutFaults(figure: Figure, width: number): string[] {
  const scene = layoutFigure(figure, { width });
  const boxes = scene.shapes.flatMap((shape) => (shape.type === "text" ? [boxOf(shape)] : []));
  const beyond = boxes.filter(
    (box) =>
      box.left < -SLACK || box.right > scene.width + SLACK || box.top < -SLACK || box.bottom > scene.height + SLACK,
  );
  const meeting = boxes.flatMap((a, i) =>
    boxes
      .slice(i + 1)
      .filter(
        (b) =>
          a.left < b.right - SLACK && b.left < a.right - SLACK && a.top < b.bottom - SLACK && b.top < a.bottom - SLACK,
      )
      .map((b) => `"${a.text}" meets "${b.text}"`),
  );
  const words = [figure.title, figure.subtitle, figure.description];
  return [
    ...beyond.map(({ text }) => `"${text}" lies beyond the edge at ${width} px`),
    ...meeting,
    ...words
      .filter((text) => /NaN|undefined|Infinity|\[object/.test(text) || text.trim() === "")
      .map((text) => `a hole in: ${text}`),
  ];
}
