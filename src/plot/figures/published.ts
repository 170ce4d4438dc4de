/** Data of published figures redrawn: clouds of points panel by panel, boxes by group and class, means with their standard deviations. */

import type { Scatter } from "../../numeric/straight-line.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import type { ScoreSpread } from "../../significance/compare/series.ts";
import { CATEGORIES, type ChartRow, type Figure, type PanelMark } from "../charts/figure.ts";
import type { ReplicatedAbout } from "./replications.ts";
import { scatterMarks } from "./scatter.ts";
import { boxRow, spreadData } from "./spread.ts";
import { count, join, say, styleFor, titled, write } from "./words.ts";

/** Panels share both axes unless `own`. */
export interface ReplicatedScatter {
  readonly kind: "scatter";
  readonly name: string;
  readonly x: string;
  readonly y: string;
  /** Whether x and y are the same thing measured twice: the line where they are equal is drawn. */
  readonly identity?: boolean;
  readonly own?: boolean;
  readonly panels: readonly (Scatter & {
    readonly label: string;
    /** Beside the cloud, named in a legend. */
    readonly curves?: readonly { readonly name: string; readonly points: readonly (readonly [number, number])[] }[];
  })[];
}

/** `system` is the group of a row, `value` the class above it. */
export interface ReplicatedBoxes {
  readonly kind: "boxes";
  readonly name: string;
  readonly measure: string;
  readonly by: string;
  readonly spread: readonly ScoreSpread[];
}

/** One panel a setting, which has levels of its own. */
export interface ReplicatedMeans {
  readonly kind: "means";
  readonly name: string;
  readonly measure: string;
  readonly panels: readonly {
    readonly setting: string;
    readonly levels: readonly { readonly level: string; readonly mean: number; readonly sd: number }[];
  }[];
}

export function publishedScatter(
  { name, x, y, identity = false, own = false, panels }: ReplicatedScatter,
  about: ReplicatedAbout,
): Figure[] {
  const cells = panels.some(({ density }) => density !== undefined);
  const line = panels.some((panel) => (panel.line ?? []).length > 0);
  const told = panels.map((panel) => `${panel.label}: ${count(pointsIn(panel), "points")}`);
  const curves = [...new Set(panels.flatMap((panel) => (panel.curves ?? []).map((own) => own.name)))];
  return [
    {
      name: `${about.id}-${name}`,
      title: `${about.where}: ${about.shows}`,
      subtitle: `${titled(y)} by ${x}${cells ? ", cells that stand out more hold more points" : ""}${line ? "; lines: least squares with their bands" : ""}${identity ? "; dashed: equal" : ""}`,
      description: `${y} against ${x}: ${join(told)}.`,
      chart: {
        kind: "panels",
        x: { title: x },
        y: { title: y },
        across: 4,
        panels: panels.map((panel) => ({
          label: panel.label,
          ...(own ? { x: { title: x }, y: { title: y } } : {}),
          marks: [
            ...scatterMarks(panel),
            ...(panel.curves ?? []).map(({ points }, k): PanelMark => ({ mark: "line", points, ...lookOfCurve(k) })),
            ...(identity ? [identityLine(panel)] : []),
          ],
        })),
        ...(curves.length === 0 ? {} : { legend: curves.map((own, k) => ({ name: own, ...lookOfCurve(k) })) }),
      },
      data: {
        head: ["panel", x, y, ...(cells ? ["points"] : [])],
        rows: panels.flatMap(({ label, points = [], density, curves: own = [] }) => [
          ...(density === undefined
            ? points.map(([a, b]) => [label, a, b, ...(cells ? [1] : [])])
            : density.cells.map((cell) => [label, ...cell])),
          ...own.flatMap((curve) => curve.points.map(([a, b]) => [curve.name, a, b, ...(cells ? [0] : [])])),
        ]),
      },
    },
  ];
}

/** The cloud has the first look. */
function lookOfCurve(k: number): Pick<Extract<PanelMark, { mark: "line" }>, "tone" | "dash"> {
  const { tone, dash } = CATEGORIES[1 + (k % (CATEGORIES.length - 1))]!;
  return { tone, ...(dash === undefined ? {} : { dash }) };
}

const pointsIn = ({ points = [], density }: Scatter): number =>
  density === undefined ? points.length : density.cells.reduce((sum, [, , own]) => sum + own, 0);

function identityLine({ points = [], density }: Scatter): PanelMark {
  const places = density === undefined ? points : density.cells.map(([x, y]) => [x, y] as const);
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const low = Math.max(leastOf(xs), leastOf(ys));
  const high = Math.min(mostOf(xs), mostOf(ys));
  return { mark: "segment", from: [low, low], to: [high, high], style: "ref" };
}

/** Boxes below this share of the axis are not to be seen behind the bar of their median. */
const HIDDEN = 0.005;

export function publishedBoxes({ name, measure, by, spread }: ReplicatedBoxes, about: ReplicatedAbout): Figure[] {
  const groups = [...new Set(spread.map(({ system }) => system))];
  const classes = [...new Set(spread.map(({ value }) => value))];
  const style = styleFor(spread.map(({ sd }) => sd / 3));
  const width = mostOf(spread.map(({ max }) => max)) - leastOf(spread.map(({ min }) => min));
  const hidden = spread.filter((own) => own.upperQuartile - own.lowerQuartile < HIDDEN * width);
  const names = hidden.map(({ system, value }) => (value === undefined ? system : `${by} ${value}, ${system}`));
  const rows = classes.flatMap((value): ChartRow[] => [
    ...(value === undefined ? [] : [{ label: `${by} ${value}`, heading: true }]),
    ...spread
      .filter((own) => own.value === value)
      .map((own) => boxRow(own, classes.length === 1 ? 1 : groups.indexOf(own.system), style)),
  ]);
  return [
    {
      name: `${about.id}-${name}`,
      title: `${about.where}: ${about.shows}`,
      subtitle: `${titled(measure)}. Line: least to greatest; box: middle half; bar: median; mark: mean${names.length === 0 ? "" : `; the box of ${join(names)} is narrower than its bar`}`,
      description: `How ${measure} spreads. ${spread.map((own) => `${own.value === undefined ? "" : `${by} ${own.value}, `}${own.system}: median ${write(own.median, style)}, middle half ${write(own.lowerQuartile, style)} to ${write(own.upperQuartile, style)}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: measure },
        step: 28,
        columns: [{ title: "mean" }, { title: "SD" }, { title: "n" }],
        rows,
      },
      data: spreadData(spread, { system: "group", value: by }),
    },
  ];
}

export function publishedMeans({ name, measure, panels }: ReplicatedMeans, about: ReplicatedAbout): Figure[] {
  const all = panels.flatMap(({ levels }) => levels);
  const style = styleFor(all.map(({ sd }) => sd));
  return [
    {
      name: `${about.id}-${name}`,
      title: `${about.where}: ${about.shows}`,
      subtitle: `Marks: mean ${measure}; thin lines: ± one standard deviation, not an interval of the mean`,
      description: `Mean ${measure} ± standard deviation. ${panels.map(({ setting, levels }) => `${setting}: ${join(levels.map((own) => `${own.level} ${write(own.mean, style)} ± ${write(own.sd, style)}`))}`).join("; ")}.`,
      chart: {
        kind: "panels",
        x: { title: "" },
        y: { title: measure },
        across: 4,
        height: 150,
        panels: panels.map(({ setting, levels }) => ({
          label: setting,
          x: { title: "", names: levels.map(({ level }) => level), domain: [-0.5, levels.length - 0.5] as const },
          marks: [
            {
              mark: "intervals",
              points: levels.map((own, k) => [k, own.mean - own.sd, own.mean + own.sd] as const),
              tone: "k1",
              thin: true,
            },
            {
              mark: "line",
              points: levels.map((own, k) => [k, own.mean] as const),
              tone: "k1",
              symbol: "circle",
              thin: true,
            },
          ],
        })),
      },
      data: {
        head: ["setting", "level", "mean", "sd"],
        rows: panels.flatMap(({ setting, levels }) => levels.map((own) => [setting, own.level, own.mean, own.sd])),
      },
    },
  ];
}

/** A range of numbers in words, for descriptions. */
export const rangeOf = (values: readonly number[]): string =>
  `${say(Number(leastOf(values).toPrecision(3)))} to ${say(Number(mostOf(values).toPrecision(3)))}`;
