/** Marks of one panel in pixels: zones, bands, lines, dots, bars, rules, tiles, labels. */
import { leastOf, mostOf } from "../../result/extremes.ts";
import type { Shape } from "../draw/scene.ts";
import { lineShape, symbolShape, textShape } from "../draw/scene.ts";
import type { PanelMark } from "./figure.ts";
import type { Scale } from "./scale.ts";

/** Where a panel lies, and what is where in it. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: Scale;
  readonly y: Scale;
}

export function drawMark(mark: PanelMark, frame: Frame): Shape[] {
  const { x, y, left, right, top, bottom } = frame;
  const finite = ([a, b]: readonly [number, number]): boolean => Number.isFinite(a) && Number.isFinite(b);
  switch (mark.mark) {
    case "zone": {
      const shape =
        mark.axis === "x"
          ? { x: x.at(mark.from), y: top, width: x.at(mark.to) - x.at(mark.from), height: bottom - top }
          : { x: left, y: y.at(mark.to), width: right - left, height: y.at(mark.from) - y.at(mark.to) };
      return [
        { type: "rect", ...shape, style: "zone" },
        ...(mark.label === undefined
          ? []
          : mark.axis === "y"
            ? [textShape(right + 6, shape.y + shape.height / 2 + 4, mark.label, { style: "t3", size: 11 })]
            : [
                textShape(shape.x + shape.width / 2, top + 12, mark.label, { style: "t3", size: 11, anchor: "middle" }),
              ]),
      ];
    }
    case "band": {
      const points = mark.points.filter(([a, b, c]) => [a, b, c].every(Number.isFinite));
      if (points.length < 2) return [];
      const upper = points.map(([a, , c]) => [x.at(a), y.at(c)] as const);
      const lower = points.map(([a, b]) => [x.at(a), y.at(b)] as const).reverse();
      return [
        {
          type: "path",
          lines: [[...upper, ...lower]],
          closed: true,
          style: mark.strong ? "bd2" : "bd",
          tone: mark.tone,
        },
      ];
    }
    case "line": {
      const shift = mark.dodge ?? 0;
      const points = mark.points.filter(finite).map(([a, b]) => [x.at(a) + shift, y.at(b)] as const);
      const path = mark.step
        ? points.flatMap((p, k) => (k === 0 ? [p] : [[p[0], points[k - 1]![1]] as const, p]))
        : points;
      return [
        ...(path.length < 2
          ? []
          : [
              {
                type: "path",
                lines: [path],
                style: mark.thin ? "thin" : "ln",
                tone: mark.tone,
                ...(mark.dash === undefined ? {} : { dash: mark.dash }),
              } as const,
            ]),
        ...(mark.symbol === undefined
          ? []
          : points.map((point) => symbolShape(mark.symbol!, point, mark.thin ? 3.4 : 2.8, mark.tone))),
      ];
    }
    case "dots":
      return mark.points.filter(finite).map(([a, b]) => {
        const at = [x.at(a), y.at(b)] as const;
        const size = mark.size ?? 2.5;
        return mark.faint
          ? { type: "circle", x: at[0], y: at[1], r: size, style: "faint", tone: mark.tone }
          : symbolShape(mark.symbol ?? "circle", at, size, mark.tone);
      });
    case "intervals":
      return mark.points
        .filter(([a, b, c]) => [a, b, c].every(Number.isFinite))
        .map(([a, b, c]) => {
          const at = x.at(a) + (mark.dodge ?? 0);
          return lineShape([at, y.at(b)], [at, y.at(c)], mark.thin ? "sd" : "cap", mark.tone);
        });
    case "bars":
      return mark.bars
        .filter(({ high, low = 0 }) => high !== low)
        .map(({ from, to, low = 0, high }) => {
          const [a, b] = [x.at(from), x.at(to)];
          const gap = b - a > 30 ? 0.2 * (b - a) : b - a > 6 ? 1 : 0;
          return {
            type: "rect",
            x: a + gap / 2,
            y: y.at(high),
            width: Math.max(0.5, b - a - gap),
            height: Math.max(0, y.at(low) - y.at(high)),
            style: mark.strong ? "fi" : "bd2",
            tone: mark.tone,
          } as const;
        });
    case "stacks":
      return drawStacks(mark, frame);
    case "rule":
      return drawRule(mark, frame);
    case "segment":
      return [
        {
          type: "path",
          lines: [
            [
              [x.at(mark.from[0]), y.at(mark.from[1])],
              [x.at(mark.to[0]), y.at(mark.to[1])],
            ],
          ],
          style: mark.style,
        },
      ];
    case "rug":
      return [
        {
          type: "path",
          lines: mark.at.filter(Number.isFinite).map((value) => [
            [x.at(value), bottom - 6],
            [x.at(value), bottom - 1],
          ]),
          style: "rug",
        },
      ];
    case "tiles":
      return mark.tiles.flatMap((tile) => drawTile(tile, mark, frame));
    case "label": {
      const { at, anchor = "start", tone, bold, dx = 0, dy = 0 } = mark;
      return [
        textShape(x.at(at[0]) + dx, y.at(at[1]) + dy, mark.text, {
          style: "t0",
          anchor,
          halo: true,
          ...(tone ? { tone } : {}),
          ...(bold ? { bold } : {}),
        }),
      ];
    }
  }
}

/** Pixels: the widest dot, and the room above a heap for its number. */
const WIDEST_DOT = 10;
const NUMBER_ROOM = 20;

/** Heaps as high as the panel, as wide as the highest needs; all dots are of one size. */
function drawStacks({ stacks }: Extract<PanelMark, { mark: "stacks" }>, { x, top, bottom }: Frame): Shape[] {
  const width = 0.86 * leastOf(stacks.map(({ from, to }) => x.at(to) - x.at(from)));
  const most = Math.max(1, mostOf(stacks.map(({ count }) => count)));
  const columnsFor = (size: number): number =>
    Math.ceil(most / Math.max(1, Math.floor((bottom - top - NUMBER_ROOM) / size)));
  let size = Math.min(WIDEST_DOT, width);
  while (size > 0.5 && columnsFor(size) * size > width) size *= 0.97;
  const columns = columnsFor(size);
  return stacks.flatMap(({ from, to, count, tone, hollow }): Shape[] => {
    if (count === 0) return [];
    const middle = (x.at(from) + x.at(to)) / 2;
    const left = middle - ((Math.min(columns, count) - 1) * size) / 2;
    const dots = Array.from({ length: count }, (_, k): Shape => {
      const place = [left + (k % columns) * size, bottom - 3 - size * (0.5 + Math.floor(k / columns))] as const;
      return symbolShape(hollow ? "ring" : "circle", place, 0.42 * size - (hollow ? 0.4 : 0), tone);
    });
    const above = bottom - 3 - size * Math.ceil(count / columns) - 5;
    const number = textShape(middle, above, String(count), { style: "t2", size: 11, anchor: "middle", halo: true });
    return [...dots, number];
  });
}

function drawRule(mark: Extract<PanelMark, { mark: "rule" }>, { x, y, left, right, top, bottom }: Frame): Shape[] {
  const line =
    mark.axis === "x"
      ? ([
          [x.at(mark.at), top],
          [x.at(mark.at), bottom],
        ] as const)
      : ([
          [left, y.at(mark.at)],
          [right, y.at(mark.at)],
        ] as const);
  const shapes: Shape[] = [
    // a rim of paper: dashes on a filled bar would be lost in grey print
    ...(mark.over ? [{ type: "path", lines: [line], style: "rim" } as const] : []),
    { type: "path", lines: [line], style: mark.style, ...(mark.tone ? { tone: mark.tone } : {}) },
  ];
  // those of upright lines stand above the frame
  if (mark.label === undefined || mark.axis === "x") return shapes;
  return [
    ...shapes,
    textShape(mark.start ? left + 4 : right - 2, y.at(mark.at) - 5, mark.label, {
      ...({ style: "t2", size: 11, halo: true } as const),
      anchor: mark.start ? "start" : "end",
    }),
  ];
}

function drawTile(
  tile: Extract<PanelMark, { mark: "tiles" }>["tiles"][number],
  { halfWidth, halfHeight }: Extract<PanelMark, { mark: "tiles" }>,
  { x, y }: Frame,
): Shape[] {
  const [x0, x1] = [x.at(tile.x - halfWidth), x.at(tile.x + halfWidth)];
  const [y0, y1] = [y.at(tile.y + halfHeight), y.at(tile.y - halfHeight)];
  const [top, bottom] = [Math.min(y0, y1), Math.max(y0, y1)];
  return [
    {
      type: "rect",
      x: x0,
      y: top,
      width: x1 - x0 - (halfWidth === 0.5 ? 1 : -0.3),
      height: bottom - top - (halfHeight === 0.5 ? 1 : -0.3),
      style: "fi",
      tone: tile.tone,
    },
    ...(tile.text === undefined
      ? []
      : [
          textShape((x0 + x1) / 2, (top + bottom) / 2 + 4, tile.text, {
            style: tile.dark ? "on" : "t0",
            anchor: "middle",
          }),
        ]),
  ];
}
