/** Lays out small multiples: frame, axes and marks in pixels. Labels stand at the ends of lines, pushed apart where they would meet. */

import { mostOf } from "../../result/extremes.ts";
import type { Scene, Shape } from "../draw/scene.ts";
import { lineShape, textShape } from "../draw/scene.ts";
import { shorten, textWidth } from "../draw/text-width.ts";
import type { Panel, PanelChart, PanelMark } from "./figure.ts";
import { drawLegend } from "./legend.ts";
import { END_GAP, isCrowded, KEY, nameLines, WIDEST_LABEL } from "./line-names.ts";
import { drawMark, type Frame } from "./panel-marks.ts";
import { nameRules, ruleHead } from "./rule-labels.ts";
import { type Axis, domainOf, makeScale, type Scale } from "./scale.ts";

/** Between panels, unless labels at their edges need more. */
const GAP = 28;
const LEAST_PANEL = 190;

export function layoutPanels(chart: PanelChart, width: number): Scene {
  const room = shareRoom(chart, width);
  const { domains, gutter, keyed, across, gap, inner, panelWidth, height, xScaleOf } = room;
  const shapes: Shape[] = [];
  const legend = drawLegend(chart.legend ?? [], width);
  shapes.push(...legend.shapes);
  const yTitle = chart.y.title === "" ? 0 : 26;
  const labelled = chart.panels.some(({ label }) => label !== undefined) ? 20 : 0;
  const rows = Math.ceil(chart.panels.length / across);
  const ownX = chart.panels.some((panel) => panel.x !== undefined);
  const head = mostOf(
    chart.panels.map((panel) => ruleHead(panel, { left: 0, right: panelWidth, x: xScaleOf(panel, [0, panelWidth]) })),
  );
  const rowHeight = labelled + head + height + 30 + (ownX ? 22 : 0);
  const top = legend.height + yTitle;
  if (yTitle > 0) shapes.push(textShape(0, legend.height + 11, chart.y.title, { style: "t2", size: 11 }));
  chart.panels.forEach((panel, k) => {
    const column = k % across;
    const row = Math.floor(k / across);
    const left = gutter + column * (panelWidth + gap + inner);
    const upper = top + row * rowHeight + labelled + head;
    const xAxis = panel.x ?? chart.x;
    const yAxis = panel.y ?? chart.y;
    const frame: Frame = {
      left,
      right: left + panelWidth,
      top: upper,
      bottom: upper + height,
      x: xScaleOf(panel, [left, left + panelWidth]),
      y: makeScale(yAxis, panel.y === undefined ? domains.y : domainOf(valuesOf([panel], "y"), yAxis), [
        upper + height,
        upper,
      ]),
    };
    const last = column === across - 1 || k === chart.panels.length - 1;
    shapes.push(
      ...drawPanel(panel, frame, {
        ...{ xAxis, yAxis, head, keyed, ends: last, yLabels: column === 0 || panel.y !== undefined },
        // labels may reach to the next panel, or to the edge of the picture
        room: [column === 0 ? 0 : left - gap, last ? width : left + panelWidth + gap],
      }),
    );
    if (ownX)
      shapes.push(
        textShape((left + left + panelWidth) / 2, upper + height + 36, xAxis.title, { style: "t2", anchor: "middle" }),
      );
  });
  let bottom = top + rows * rowHeight;
  if (!ownX && chart.x.title !== "") {
    const used = Math.min(across, chart.panels.length);
    const middle = gutter + (used * panelWidth + (used - 1) * (gap + inner)) / 2;
    shapes.push(textShape(middle, bottom + 10, chart.x.title, { style: "t2", anchor: "middle" }));
    bottom += 18;
  }
  if (chart.note !== undefined) {
    shapes.push(textShape(0, bottom + 14, chart.note, { style: "t3", size: 11 }));
    bottom += 20;
  }
  return { width, height: bottom + 4, shapes };
}

interface Room {
  readonly domains: Readonly<Record<"x" | "y", readonly [number, number]>>;
  /** Pixels of the labels of the y axis, of a panel, and between panels; with axes of their own, panels have inner gutters. */
  readonly gutter: number;
  readonly panelWidth: number;
  readonly gap: number;
  readonly inner: number;
  readonly height: number;
  readonly across: number;
  /** Whether lines are named with their marks. */
  readonly keyed: boolean;
  xScaleOf(panel: Panel, room: readonly [number, number]): Scale;
}

function shareRoom(chart: PanelChart, width: number): Room {
  const domains = { x: sharedDomain(chart, "x"), y: sharedDomain(chart, "y") };
  const gutter = gutterOf(chart, domains.y);
  const height = chart.height ?? (chart.panels.length > 4 ? 170 : 240);
  const keyed = chart.panels.some((panel) => isCrowded(panel, makeScale(chart.y, domains.y, [height, 0]), height));
  const ends = endLabels(chart);
  const widest = Math.min(WIDEST_LABEL, Math.max(0, mostOf(ends.map((name) => textWidth(name, 12, true)))));
  const named = ends.length === 0 ? 12 : widest + END_GAP + (keyed ? KEY : 0) + 4;
  const across = columnsFor(chart, width - gutter - named);
  const inner = ownAxes(chart) ? gutter : 0;
  const widthOf = (right: number, between: number): number =>
    (width - gutter - right - (across - 1) * (between + inner)) / across;
  const xScaleOf: Room["xScaleOf"] = (panel, room) =>
    makeScale(panel.x ?? chart.x, panel.x === undefined ? domains.x : domainOf(valuesOf([panel], "x"), panel.x), room);
  const first = widthOf(named, GAP);
  const [before, after] = overhang(
    chart.panels.map((panel) => xScaleOf(panel, [0, first])),
    first,
  );
  const gap = Math.max(GAP, Math.ceil(before + after) + 16);
  const panelWidth = widthOf(Math.max(named, Math.ceil(after) + 2), gap);
  return { domains, gutter, panelWidth, gap, inner, height, across, keyed, xScaleOf };
}

/** How far labels of the x axis reach beyond the left and the right end of their panels. */
function overhang(scales: readonly Scale[], width: number): readonly [number, number] {
  const beyond = scales.flatMap(({ ticks, labels, at }) =>
    ticks.map((tick, k) => {
      const half = textWidth(labels[k]!) / 2;
      return [Math.max(0, half - at(tick)), Math.max(0, at(tick) + half - width)] as const;
    }),
  );
  const most = (side: 0 | 1): number => Math.max(0, mostOf(beyond.map((own) => own[side])));
  return [most(0), most(1)];
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
  const widest = Math.max(0, mostOf(scales.flatMap(({ labels }) => labels.map((label) => textWidth(label, 12, true)))));
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
  /** Whether lines are named at their ends, and with their mark before the name. */
  readonly ends: boolean;
  readonly keyed: boolean;
  /** Pixels between the frame and its own name, where upright lines are named. */
  readonly head: number;
  /** From where to where labels of the x axis may reach. */
  readonly room: readonly [number, number];
}

function drawPanel(panel: Panel, frame: Frame, options: PanelOptions): Shape[] {
  const { left, right, top, bottom } = frame;
  const zones = panel.marks.filter(({ mark }) => mark === "zone");
  const others = panel.marks.filter(({ mark }) => mark !== "zone");
  const label: Shape[] =
    panel.label === undefined
      ? []
      : [
          textShape(left, top - options.head - 8, shorten(panel.label, right - left, { bold: true }), {
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
    ...nameRules(panel, frame),
    ...(options.ends ? nameLines(panel, frame, options.keyed) : []),
    lineShape([left, bottom], [right, bottom], "axis"),
  ];
}

const wholeOf = (label: string, room: number): { whole?: string } =>
  textWidth(label, 12, true) > room ? { whole: label } : {};

/** Levels that a reference line marks are set in bold instead of a grid line. */
function drawAxes(
  panel: Panel,
  { left, right, bottom, x, y }: Frame,
  { xAxis, yAxis, yLabels, room: reach }: PanelOptions,
): Shape[] {
  const referred = panel.marks.flatMap((mark) => (mark.mark === "rule" && mark.axis === "y" ? [mark.at] : []));
  const tiles = panel.marks.some(({ mark }) => mark === "tiles");
  const shapes: Shape[] = [];
  y.ticks.forEach((tick, k) => {
    const at = y.at(tick);
    const marked = referred.some((own) => Math.abs(own - tick) < 1e-9 * Math.abs(y.domain[1] - y.domain[0]));
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
  const spoken = thinOut(x, xAxis, reach);
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
  let free = Number.NEGATIVE_INFINITY;
  scale.ticks.forEach((tick, k) => {
    const half = textWidth(scale.labels[k]!) / 2 + 8;
    if (scale.at(tick) - half < free || scale.at(tick) - half < left - 8 || scale.at(tick) + half > right + 8) return;
    kept.add(k);
    free = scale.at(tick) + half;
  });
  return kept;
}
