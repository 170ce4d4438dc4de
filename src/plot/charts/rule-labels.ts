/** What upright lines are called, above the frame, where no mark and no grid line runs through it. Each name stands beside its line, in the
 *  lowest row in which it meets neither another name nor another line. */
import { mostOf } from "../../result/extremes.ts";
import type { Shape } from "../draw/scene.ts";
import { lineShape, textShape } from "../draw/scene.ts";
import { textWidth } from "../draw/text-width.ts";
import type { Panel, PanelMark } from "./figure.ts";
import type { Frame } from "./panel-marks.ts";

type Rule = Extract<PanelMark, { mark: "rule" }>;

interface Place {
  readonly rule: Rule;
  readonly label: string;
  readonly at: number;
  /** 0 is next to the frame. */
  readonly row: number;
  readonly leftward: boolean;
}

const ROW = 15;
/** Pixels between a line and its name, and between names. */
const BESIDE = 5;

/** Height of what stands above the frame. */
export function ruleHead(panel: Panel, frame: Pick<Frame, "left" | "right" | "x">): number {
  return Math.max(0, mostOf(placeRules(panel, frame).map(({ row }) => ROW * (row + 1) + 2)));
}

/** Names, and their lines from the frame up to them. */
export function nameRules(panel: Panel, frame: Frame): Shape[] {
  return placeRules(panel, frame).flatMap(({ rule, label, at, row, leftward }) => {
    const base = frame.top - 5 - ROW * row;
    return [
      lineShape([at, base - 9], [at, frame.top], rule.style, rule.tone),
      textShape(at + (leftward ? -BESIDE : BESIDE), base, label, {
        style: "t0",
        size: 11,
        anchor: leftward ? "end" : "start",
      }),
    ];
  });
}

/** From the right, so that a name at the right of its line meets only what is placed. */
function placeRules({ marks }: Panel, { left, right, x }: Pick<Frame, "left" | "right" | "x">): Place[] {
  const named = marks
    .flatMap((rule) =>
      rule.mark === "rule" && rule.axis === "x" && rule.label !== undefined
        ? [{ rule, label: rule.label, at: x.at(rule.at) }]
        : [],
    )
    .sort((a, b) => b.at - a.at);
  const placed: Place[] = [];
  for (const [k, own] of named.entries()) {
    const isFree = (row: number, leftward: boolean): boolean => {
      const [from, to] = extent(own, leftward);
      if (from < left - 1 || to > right + 1) return false;
      const meetsName = placed.some((other) => {
        const [a, b] = extent(other, other.leftward);
        return other.row === row && from < b + BESIDE && a < to + BESIDE;
      });
      const crossing = [...placed.filter((other) => other.row >= row), ...named.slice(k + 1)];
      return !meetsName && !crossing.some(({ at }) => at > from - 2 && at < to + 2);
    };
    const rows = [...named.keys()];
    const free = rows.flatMap((row) => [false, true].map((leftward) => ({ row, leftward })));
    const chosen = free.find(({ row, leftward }) => isFree(row, leftward));
    placed.push({ ...own, ...(chosen ?? { row: rows.length - 1, leftward: own.at > (left + right) / 2 }) });
  }
  return placed;
}

function extent({ label, at }: Pick<Place, "label" | "at">, leftward: boolean): readonly [number, number] {
  const width = textWidth(label, 11);
  return leftward ? [at - BESIDE - width, at - BESIDE] : [at + BESIDE, at + BESIDE + width];
}
