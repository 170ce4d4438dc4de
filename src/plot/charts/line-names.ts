/** Names at the ends of lines, pushed apart where they would meet. */
import type { Shape } from "../draw/scene.ts";
import { textShape } from "../draw/scene.ts";
import { shorten } from "../draw/text-width.ts";
import type { Panel } from "./figure.ts";
import type { Frame } from "./panel-marks.ts";

export const END_GAP = 8;
/** Of lines of labels, so that they do not touch. */
const LABEL_STEP = 15;
export const WIDEST_LABEL = 150;

/** From the top, each at least one line below the one before; then from the bottom, so that none leaves the panel. */
export function nameLines({ marks }: Panel, { x, y, right, top, bottom }: Frame): Shape[] {
  const named = marks.flatMap((mark) => {
    if (mark.mark !== "line" || mark.name === undefined || mark.points.length === 0) return [];
    const last = mark.points.filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b)).at(-1);
    return last === undefined ? [] : [{ name: mark.name, tone: mark.tone, x: x.at(last[0]), y: y.at(last[1]) + 4 }];
  });
  const places = spread(
    named.map((own) => own.y),
    LABEL_STEP,
    [top + 8, bottom + 4],
  );
  return named.map(({ name, tone }, k) => {
    const short = shorten(name, WIDEST_LABEL, { bold: true });
    return textShape(right + END_GAP, places[k]!, short, {
      style: "t2",
      tone,
      bold: true,
      ...(short === name ? {} : { whole: name }),
    });
  });
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
