/** Names at the ends of lines, pushed apart where they would meet. Names that had to move from their lines carry the lines' marks: colour
 *  alone would not tell in grey print which is which. */
import type { Shape } from "../draw/scene.ts";
import { lineShape, symbolShape, textShape } from "../draw/scene.ts";
import { shorten } from "../draw/text-width.ts";
import type { Panel, PanelMark } from "./figure.ts";
import type { Frame } from "./panel-marks.ts";
import type { Scale } from "./scale.ts";

export const END_GAP = 8;
/** Of lines of labels, so that they do not touch. */
const LABEL_STEP = 15;
export const WIDEST_LABEL = 150;
/** Pixels of the mark before a name, and how far a name may be from its line without it. */
export const KEY = 26;
const NEAR = 8;

interface Named {
  readonly line: Extract<PanelMark, { mark: "line" }>;
  readonly name: string;
  /** Pixels where the name would stand best, and where it stands. */
  readonly wanted: number;
  readonly place: number;
}

/** From the top, each at least one line below the one before; then from the bottom, so that none leaves the panel. */
export function nameLines(panel: Panel, { y, right, top, bottom }: Frame, keyed: boolean): Shape[] {
  return placeNames(panel, y, [top + 8, bottom + 4]).flatMap(({ line: { tone, dash, symbol }, name, place }) => {
    const short = shorten(name, WIDEST_LABEL, { bold: true });
    const [from, middle] = [right + END_GAP, place - 4];
    const key: Shape[] = keyed
      ? [
          {
            ...lineShape([from, middle], [from + KEY - 6, middle], "ln", tone),
            ...(dash === undefined ? {} : { dash }),
          },
          ...(symbol === undefined ? [] : [symbolShape(symbol, [from + (KEY - 6) / 2, middle], 2.8, tone)]),
        ]
      : [];
    return [
      ...key,
      textShape(from + (keyed ? KEY : 0), place, short, {
        style: "t2",
        tone,
        bold: true,
        ...(short === name ? {} : { whole: name }),
      }),
    ];
  });
}

/** Whether names of a panel cannot stand beside the ends of their lines. */
export const isCrowded = (panel: Panel, y: Scale, height: number): boolean =>
  placeNames(panel, y, [8, height + 4]).some(({ wanted, place }) => Math.abs(wanted - place) > NEAR);

function placeNames({ marks }: Panel, y: Scale, ends: readonly [number, number]): Named[] {
  const named = marks
    .flatMap((line) => {
      if (line.mark !== "line" || line.name === undefined) return [];
      const heights = line.points.filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b)).map(([, b]) => y.at(b));
      const mean = heights.reduce((sum, own) => sum + own, 0) / heights.length;
      return heights.length === 0 ? [] : [{ line, name: line.name, wanted: heights.at(-1)! + 4, mean }];
    })
    // lines that end together are named in the order in which they run
    .sort((a, b) => Math.round(a.wanted) - Math.round(b.wanted) || a.mean - b.mean);
  const places = spread(
    named.map(({ wanted }) => Math.round(wanted)),
    LABEL_STEP,
    ends,
  );
  return named.map((own, k) => ({ ...own, place: places[k]! }));
}

/** Places near those wanted, in their order, at least `step` apart and within the ends if they fit. */
export function spread(wanted: readonly number[], step: number, [low, high]: readonly [number, number]): number[] {
  const order = [...wanted.keys()].sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const places = new Array<number>(wanted.length);
  let least = low;
  for (const k of order) {
    places[k] = Math.max(least, wanted[k]!);
    least = places[k]! + step;
  }
  let most = high;
  for (const k of order.reverse()) {
    places[k] = Math.min(most, places[k]!);
    most = places[k]! - step;
  }
  return places;
}
