/** Lays out small multiples: frame, axes and marks in pixels. Labels stand at the ends of lines, pushed apart where they would meet. */

import type { Scene, Shape } from "../draw/scene.ts";
import { lineShape, textShape } from "../draw/scene.ts";
import { shorten, textWidth } from "../draw/text-width.ts";
import type { Panel, PanelChart, PanelMark } from "./figure.ts";
import { drawLegend } from "./legend.ts";
import { END_GAP, nameLines, WIDEST_LABEL } from "./line-names.ts";
import { drawMark, type Frame } from "./panel-marks.ts";
import { type Axis, domainOf, makeScale, type Scale } from "./scale.ts";

const GAP = 28;
const LEAST_PANEL = 190;

export function layoutPanels(chart: PanelChart, width: number): Scene {
  const domains = { x: sharedDomain(chart, "x"), y: sharedDomain(chart, "y") };
  const gutter = gutterOf(chart, domains.y);
  const ends = endLabels(chart);
  const right =
    ends.length === 0
      ? 12
      : Math.min(WIDEST_LABEL, Math.max(...ends.map((name) => textWidth(name, 12, true)))) + END_GAP + 4;
  const across = columnsFor(chart, width - gutter - right);
  const panelWidth = (width - gutter - right - (across - 1) * (GAP + (ownAxes(chart) ? gutter : 0))) / across;
  const height = chart.height ?? (chart.panels.length > 4 ? 170 : 240);
  const shapes: Shape[] = [];
  const legend = drawLegend(chart.legend ?? [], width);
  shapes.push(...legend.shapes);
  const yTitle = chart.y.title === "" ? 0 : 26;
  const labelled = chart.panels.some(({ label }) => label !== undefined) ? 20 : 0;
  const rows = Math.ceil(chart.panels.length / across);
  const ownX = chart.panels.some((panel) => panel.x !== undefined);
  const rowHeight = labelled + height + 30 + (ownX ? 22 : 0);
  const top = legend.height + yTitle;
  if (yTitle > 0) shapes.push(textShape(0, legend.height + 11, chart.y.title, { style: "t2", size: 11 }));
  chart.panels.forEach((panel, k) => {
    const column = k % across;
    const row = Math.floor(k / across);
    const left = gutter + column * (panelWidth + GAP + (ownAxes(chart) ? gutter : 0));
    const upper = top + row * rowHeight + labelled;
    const xAxis = panel.x ?? chart.x;
    const yAxis = panel.y ?? chart.y;
    const frame: Frame = {
      left,
      right: left + panelWidth,
      top: upper,
      bottom: upper + height,
      x: makeScale(xAxis, panel.x === undefined ? domains.x : domainOf(valuesOf([panel], "x"), xAxis), [
        left,
        left + panelWidth,
      ]),
      y: makeScale(yAxis, panel.y === undefined ? domains.y : domainOf(valuesOf([panel], "y"), yAxis), [
        upper + height,
        upper,
      ]),
    };
    const last = column === across - 1 || k === chart.panels.length - 1;
    shapes.push(
      ...drawPanel(panel, frame, { xAxis, yAxis, yLabels: column === 0 || panel.y !== undefined, ends: last }),
    );
    if (ownX)
      shapes.push(
        textShape((left + left + panelWidth) / 2, upper + height + 36, xAxis.title, { style: "t2", anchor: "middle" }),
      );
  });
  let bottom = top + rows * rowHeight;
  if (!ownX && chart.x.title !== "") {
    const used = Math.min(across, chart.panels.length);
    const middle = gutter + (used * panelWidth + (used - 1) * GAP) / 2;
    shapes.push(textShape(middle, bottom + 10, chart.x.title, { style: "t2", anchor: "middle" }));
    bottom += 18;
  }
  if (chart.note !== undefined) {
    shapes.push(textShape(0, bottom + 14, chart.note, { style: "t3", size: 11 }));
    bottom += 20;
  }
  return { width, height: bottom + 4, shapes };
}

const ownAxes = ({ panels }: PanelChart): boolean => panels.some(({ y }) => y !== undefined);

function columnsFor({ panels, across = 4 }: PanelChart, room: number): number {
  const fit = Math.max(1, Math.floor((room + GAP) / (LEAST_PANEL + GAP)));
  const most = Math.max(1, Math.min(across, panels.length, fit));
  // as many in each row, as far as that goes
  return Math.ceil(panels.length / Math.ceil(panels.length / most));
}

/** Names at the ends of lines. */
function endLabels({ panels }: PanelChart): string[] {
  return [
    ...new Set(
      panels.flatMap(({ marks }) =>
        marks.flatMap((own) =>
          own.mark === "line" && own.name
            ? [own.name]
            : own.mark === "zone" && own.axis === "y" && own.label
              ? [own.label]
              : [],
        ),
      ),
    ),
  ];
}

function gutterOf(chart: PanelChart, domain: readonly [number, number]): number {
  const room = chart.height ?? 240;
  const scales = [
    makeScale(chart.y, domain, [room, 0]),
    ...chart.panels.flatMap((panel) =>
      panel.y === undefined ? [] : [makeScale(panel.y, domainOf(valuesOf([panel], "y"), panel.y), [room, 0])],
    ),
  ];
  const widest = Math.max(0, ...scales.flatMap(({ labels }) => labels.map((label) => textWidth(label, 12, true))));
  return Math.min(180, Math.ceil(widest) + 14);
}

const sharedDomain = (chart: PanelChart, axis: "x" | "y"): readonly [number, number] =>
  panelDomain(
    chart.panels.filter((panel) => panel[axis] === undefined),
    chart[axis],
    axis,
  );

/** Bars stand on the axis. */
function panelDomain(panels: readonly Panel[], own: Axis, axis: "x" | "y"): readonly [number, number] {
  const [low, high] = domainOf(valuesOf(panels, axis), own);
  const standing = axis === "y" && panels.some(({ marks }) => marks.some(({ mark }) => mark === "bars"));
  return standing && own.domain === undefined ? [Math.max(0, low), high] : [low, high];
}

function valuesOf(panels: readonly Panel[], axis: "x" | "y"): number[] {
  return panels.flatMap(({ marks }) => marks.flatMap((mark) => markValues(mark, axis)));
}

function markValues(mark: PanelMark, axis: "x" | "y"): number[] {
  const k = axis === "x" ? 0 : 1;
  switch (mark.mark) {
    case "line":
    case "dots":
      return mark.points.map((point) => point[k]);
    case "band":
    case "intervals":
      return mark.points.flatMap(([x, lower, upper]) => (axis === "x" ? [x] : [lower, upper]));
    case "bars":
      return mark.bars.flatMap(({ from, to, low = 0, high }) => (axis === "x" ? [from, to] : [low, high]));
    case "stacks":
      return mark.stacks.flatMap(({ from, to, count }) => (axis === "x" ? [from, to] : [0, count]));
    case "rule":
      return mark.axis === axis ? [mark.at] : [];
    case "rug":
      return axis === "x" ? [...mark.at] : [];
    case "tiles":
      return mark.tiles.flatMap((tile) =>
        axis === "x"
          ? [tile.x - mark.halfWidth, tile.x + mark.halfWidth]
          : [tile.y - mark.halfHeight, tile.y + mark.halfHeight],
      );
    default:
      return [];
  }
}

interface PanelOptions {
  readonly xAxis: Axis;
  readonly yAxis: Axis;
  readonly yLabels: boolean;
  /** Whether lines are named at their ends. */
  readonly ends: boolean;
}

function drawPanel(panel: Panel, frame: Frame, options: PanelOptions): Shape[] {
  const { left, right, top, bottom } = frame;
  const zones = panel.marks.filter(({ mark }) => mark === "zone");
  const others = panel.marks.filter(({ mark }) => mark !== "zone");
  const label: Shape[] =
    panel.label === undefined
      ? []
      : [
          textShape(left, top - 8, shorten(panel.label, right - left, { bold: true }), {
            style: "t0",
            bold: true,
            ...wholeOf(panel.label, right - left),
          }),
        ];
  return [
    ...label,
    ...zones.flatMap((mark) => drawMark(mark, frame)),
    ...drawAxes(panel, frame, options),
    ...others.flatMap((mark) => drawMark(mark, frame)),
    ...(options.ends ? nameLines(panel, frame) : []),
    lineShape([left, bottom], [right, bottom], "axis"),
  ];
}

const wholeOf = (label: string, room: number): { whole?: string } =>
  textWidth(label, 12, true) > room ? { whole: label } : {};

/** Levels that a reference line marks are set in bold instead of a grid line. */
function drawAxes(
  panel: Panel,
  { left, right, bottom, x, y }: Frame,
  { xAxis, yAxis, yLabels }: PanelOptions,
): Shape[] {
  const referred = panel.marks.flatMap((mark) => (mark.mark === "rule" && mark.axis === "y" ? [mark.at] : []));
  const tiles = panel.marks.some(({ mark }) => mark === "tiles");
  const shapes: Shape[] = [];
  y.ticks.forEach((tick, k) => {
    const at = y.at(tick);
    const marked = referred.some((own) => Math.abs(own - tick) < 1e-9);
    if (!marked && !tiles) shapes.push(lineShape([left, at], [right, at], "grid"));
    if (yLabels) {
      shapes.push(
        textShape(left - 8, at + 4, y.labels[k]!, {
          style: marked ? "t0" : "t2",
          bold: marked,
          anchor: "end",
          ...(yAxis.names ? { size: 12 as const } : {}),
        }),
      );
    }
  });
  const spoken = thinOut(x, xAxis, [left, right]);
  x.ticks.forEach((tick, k) => {
    const at = x.at(tick);
    if (xAxis.names === undefined) shapes.push(lineShape([at, bottom], [at, bottom + 4], "axis"));
    if (spoken.has(k)) {
      const room = xAxis.names === undefined ? Number.POSITIVE_INFINITY : (right - left) / x.ticks.length - 4;
      const label = shorten(x.labels[k]!, room);
      shapes.push(
        textShape(at, bottom + 18, label, {
          style: "t2",
          anchor: "middle",
          ...(label === x.labels[k] ? {} : { whole: x.labels[k]! }),
        }),
      );
    }
  });
  return shapes;
}

/** Labels that fit beside each other. */
function thinOut(scale: Scale, axis: Axis, [left, right]: readonly [number, number]): ReadonlySet<number> {
  if (axis.names !== undefined) return new Set(scale.ticks.keys());
  const kept = new Set<number>();
  const beyond = (half: number, at: number): boolean => at - half < left - GAP / 2 || at + half > right + GAP / 2;
  let free = Number.NEGATIVE_INFINITY;
  scale.ticks.forEach((tick, k) => {
    const half = textWidth(scale.labels[k]!) / 2 + 3;
    if (scale.at(tick) - half < free || beyond(half, scale.at(tick))) return;
    kept.add(k);
    free = scale.at(tick) + half;
  });
  return kept;
}
