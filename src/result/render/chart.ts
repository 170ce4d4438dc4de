/** A chart drawn with characters, for terminals: a mark at every point, dots between those of one series, the axes labelled with values
 *  that occur. Series that meet in a cell show the mark of the first one. */

import type { DisplayChart } from "../display.ts";
import { leastOf, mostOf } from "../extremes.ts";
import { formatNumber } from "../number-format.ts";
import { displayWidth, neutralise, padStart } from "./width.ts";

/** As many series as can be distinguished. */
const MARKS = ["o", "x", "+", "#", "*", "%", "@", "="];
const ROWS = 13;
/** Wider charts are not easier to read. */
const WIDEST = 72;
const BETWEEN = ".";
const GUIDE = "-";

interface Scale {
  readonly from: number;
  readonly to: number;
  /** Of `cells`, the one in which the value lies. */
  cell(value: number): number;
}

export function layoutChart(chart: DisplayChart, width: number): string[] {
  const series = chart.series.slice(0, MARKS.length);
  const points = series.flatMap((one) => one.points).filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  if (points.length < 2) return [];
  const yScale = makeScale(chart.yRange ?? extent(points.map(([, y]) => y)), ROWS);
  const labels = rowLabels(yScale, chart.guide);
  const gutter = mostOf(labels.map(displayWidth));
  const columns = Math.min(WIDEST, width) - gutter - 2;
  const xScale = makeScale(extent(points.map(([x]) => x)), columns);
  const canvas = Array.from({ length: ROWS }, () => new Array<string>(columns).fill(" "));
  if (chart.guide !== undefined) canvas[yScale.cell(chart.guide)]!.fill(GUIDE);
  for (const one of series) drawBetween(canvas, sortedPoints(one.points), { xScale, yScale });
  for (let s = series.length - 1; s >= 0; s--) {
    for (const [x, y] of sortedPoints(series[s]!.points)) canvas[yScale.cell(y)]![xScale.cell(x)] = MARKS[s]!;
  }
  const body = canvas.map((row, k) => `${padStart(labels[k]!, gutter)} |${row.join("")}`.trimEnd()).reverse();
  return [
    neutralise(chart.y),
    ...body,
    `${" ".repeat(gutter)} +${"-".repeat(columns)}`,
    bottomLabels(xScale, columns, { gutter: gutter + 2, name: neutralise(chart.x) }),
    ...legend(chart, width),
  ];
}

type Point = readonly [x: number, y: number];

function sortedPoints(points: readonly Point[]): Point[] {
  return points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y)).sort((a, b) => a[0] - b[0]);
}

function extent(values: readonly number[]): readonly [number, number] {
  return [leastOf(values), mostOf(values)];
}

function makeScale([from, to]: readonly [number, number], cells: number): Scale {
  const span = to - from;
  return {
    from,
    to,
    cell: (value) => {
      const share = span > 0 ? (value - from) / span : 0.5;
      return Math.min(cells - 1, Math.max(0, Math.round(share * (cells - 1))));
    },
  };
}

/** From the lowest row to the highest: the ends, the guide, and the middle if there is room. */
function rowLabels(scale: Scale, guide: number | undefined): string[] {
  const labels = new Array<string>(ROWS).fill("");
  const middle = (scale.from + scale.to) / 2;
  const wanted = [middle, guide, scale.from, scale.to].filter((value) => value !== undefined);
  for (const value of wanted) labels[scale.cell(value)] = formatNumber(value);
  return labels;
}

/** One dot in every column between two points of a series. */
function drawBetween(
  canvas: string[][],
  points: readonly Point[],
  { xScale, yScale }: { xScale: Scale; yScale: Scale },
): void {
  for (let k = 1; k < points.length; k++) {
    const [x0, y0] = points[k - 1]!;
    const [x1, y1] = points[k]!;
    const first = xScale.cell(x0);
    const last = xScale.cell(x1);
    for (let column = first + 1; column < last; column++) {
      const y = y0 + ((y1 - y0) * (column - first)) / (last - first);
      const row = canvas[yScale.cell(y)]!;
      if (row[column] === " " || row[column] === GUIDE) row[column] = BETWEEN;
    }
  }
}

function bottomLabels(scale: Scale, columns: number, { gutter, name }: { gutter: number; name: string }): string {
  const left = formatNumber(scale.from);
  const right = formatNumber(scale.to);
  const room = columns - left.length - right.length;
  const middle = displayWidth(name) <= room - 2 ? name : "";
  const before = Math.max(1, Math.floor((room - displayWidth(middle)) / 2));
  const after = Math.max(1, room - displayWidth(middle) - before);
  return `${" ".repeat(gutter)}${left}${" ".repeat(before)}${middle}${" ".repeat(after)}${right}`;
}

function legend({ series, guideName }: DisplayChart, width: number): string[] {
  const named = series.slice(0, MARKS.length).map(({ name }, s) => `${MARKS[s]} ${neutralise(name)}`);
  const entries = [
    ...(series.length > 1 ? named : []),
    ...(guideName === undefined ? [] : [`${GUIDE}${GUIDE} ${neutralise(guideName)}`]),
    ...(series.length > MARKS.length ? [`${series.length - MARKS.length} more in the table`] : []),
  ];
  const lines: string[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    if (last === undefined || displayWidth(last) + 3 + displayWidth(entry) > width) lines.push(entry);
    else lines[lines.length - 1] = `${last}   ${entry}`;
  }
  return lines;
}
