/** Lays out rows over one axis: a name at the left, marks in the middle, columns of text at the right. Narrow charts leave the columns out,
 *  since the table beside them has the same figures. */
import { mostOf } from "../../result/extremes.ts";
import type { Point, Scene, Shape } from "../draw/scene.ts";
import { lineShape, symbolShape, textShape } from "../draw/scene.ts";
import { centreWithin, shorten, textWidth } from "../draw/text-width.ts";
import type { ChartRow, RowChart, RowMark } from "./figure.ts";
import { drawLegend } from "./legend.ts";
import { domainOf, makeScale, type Scale } from "./scale.ts";

const STEP = 30;
const WIDEST_NAME = 230;
/** Pixels that names keep beside columns, and that marks have at least. */
const LEAST_NAME = 100;
const LEAST_BODY = 200;
const LEAST_SIDE = 80;
const NARROW = 520;
const COLUMN_GAP = 22;
const INDENT = 12;

interface Body {
  readonly scale: Scale;
  readonly left: number;
  readonly right: number;
}

export function layoutRows(chart: RowChart, width: number): Scene {
  const grouped = chart.rows.some(({ heading }) => heading);
  const { columns, names } = shareRoom(chart, width, grouped);
  const left = Math.ceil(names) + (names === 0 ? 8 : 18);
  const right = width - columns.reduce((sum, own) => sum + own + COLUMN_GAP, 0) - (columns.length === 0 ? 14 : 4);
  const legend = drawLegend(chart.legend ?? [], width);
  const headed = chart.sides !== undefined || columns.length > 0 || (chart.refs ?? []).length > 0;
  const top = legend.height + (headed ? 24 : 6);
  const body = { scale: makeScale(chart.x, domainOf(rowValues(chart), chart.x), [left, right]), left, right };
  const places = rowPlaces(chart, top);
  const bottom = places.end;
  return {
    width,
    height: bottom + 44 + (chart.zone === undefined ? 0 : 16),
    shapes: [
      ...legend.shapes,
      ...drawGround(chart, body, { top, bottom, width }),
      ...chart.rows.flatMap((row, k) => drawRow(row, places.at[k]!, body, { names, grouped })),
      ...drawColumns(chart, columns, { width, places: places.at, head: top - 12 }),
    ],
  };
}

/** Names and columns as wide as they are, unless little is left to draw in: then names are cut, and columns left out at last. */
function shareRoom(
  chart: RowChart,
  width: number,
  grouped: boolean,
): { readonly columns: readonly number[]; readonly names: number } {
  const widest = Math.max(0, mostOf(chart.rows.map((row) => nameWidth(row, grouped))));
  const columns = columnWidths(chart);
  const beside = width - LEAST_BODY - columns.reduce((sum, own) => sum + own + COLUMN_GAP, 0) - 22;
  if (width < NARROW || beside < Math.min(widest, LEAST_NAME))
    return { columns: [], names: Math.min(width < NARROW ? width * 0.38 : WIDEST_NAME, widest) };
  return { columns, names: Math.min(WIDEST_NAME, widest, beside) };
}

function nameWidth({ label, heading, bold, remark }: ChartRow, grouped: boolean): number {
  const own = textWidth(label, 12, heading === true || bold === true) + (grouped && !heading ? INDENT : 0);
  return Math.max(heading ? 0 : own, remark === undefined ? 0 : textWidth(remark, 11));
}

function rowPlaces({ rows, step = STEP }: RowChart, top: number): { at: number[]; end: number } {
  const at: number[] = [];
  let y = top + 4;
  rows.forEach((row, k) => {
    const own = row.heading
      ? Math.max(24, step * 0.8) + (k === 0 ? 0 : 6)
      : row.remark === undefined
        ? step
        : Math.max(step, 40);
    at.push(y + own / 2);
    y += own;
  });
  return { at, end: y + 4 };
}

function columnWidths({ columns, rows }: RowChart): number[] {
  return columns.map(({ title }, j) => {
    const cells = rows.map(({ cells = [] }) => textWidth(cells[j]?.text ?? "", 12, cells[j]?.bold));
    return Math.ceil(Math.max(textWidth(title, 11), mostOf(cells))) + 2;
  });
}

function rowValues({ rows, zero, zone, refs = [] }: RowChart): number[] {
  const marks = rows.flatMap(({ marks = [] }) => marks.flatMap(markValues));
  return [
    ...marks,
    ...(zero === undefined ? [] : [zero]),
    ...(zone === undefined ? [] : [zone.from, zone.to]),
    ...refs.map(({ at }) => at),
  ];
}

function markValues(mark: RowMark): number[] {
  switch (mark.mark) {
    case "estimate":
      return [mark.value, mark.lower ?? mark.value, mark.upper ?? mark.value];
    case "dots":
      return [...mark.at];
    case "tick":
      return [mark.at];
    default:
      return [mark.from, mark.to];
  }
}

function drawGround(
  chart: RowChart,
  { scale, left, right }: Body,
  { top, bottom, width }: { readonly top: number; readonly bottom: number; readonly width: number },
): Shape[] {
  const shapes: Shape[] = [];
  const { zero, zone, refs = [], sides } = chart;
  const centred = (own: string, y: number, more: { readonly style: "t2" | "t3"; readonly size?: 11 }): Shape => {
    const short = shorten(own, width, more);
    return textShape(centreWithin((left + right) / 2, short, width, more.size), y, short, {
      ...more,
      anchor: "middle",
    });
  };
  const line = (x: number, style: "ref" | "zero" | "axis" | "grid", from = top, to = bottom): Shape => ({
    type: "path",
    lines: [
      [
        [x, from],
        [x, to],
      ],
    ],
    style,
  });
  if (zone !== undefined) {
    const [a, b] = [scale.at(zone.from), scale.at(zone.to)];
    shapes.push({ type: "rect", x: a, y: top, width: b - a, height: bottom - top, style: "zone" });
    shapes.push(line(a, "ref"), line(b, "ref"));
    shapes.push(centred(zone.label, bottom + 52, { style: "t3", size: 11 }));
  }
  for (const { at, label } of refs) {
    shapes.push(
      line(scale.at(at), "ref"),
      textShape(scale.at(at), top - 6, label, { style: "t0", size: 11, anchor: "middle" }),
    );
  }
  let free = Number.NEGATIVE_INFINITY;
  scale.ticks.forEach((tick, k) => {
    const x = scale.at(tick);
    shapes.push(line(x, "axis", bottom, bottom + 4));
    const half = textWidth(scale.labels[k]!) / 2 + 3;
    if (x - half < free) return;
    free = x + half;
    // the last one, with its unit, would be cut where the axis ends at the edge
    const middle = centreWithin(x, scale.labels[k]!, width);
    shapes.push(textShape(middle, bottom + 18, scale.labels[k]!, { style: "t2", anchor: "middle" }));
  });
  shapes.push(lineShape([left, bottom], [right, bottom], "axis"));
  if (zero !== undefined && zero >= scale.domain[0] && zero <= scale.domain[1])
    shapes.push(line(scale.at(zero), "zero", top - 6, bottom + 4));
  if (sides !== undefined && zero !== undefined) {
    const x = scale.at(zero);
    const side = { style: "t3", size: 11 } as const;
    // a few letters of a name say nothing: then the other side stands alone
    const before = shorten(`← ${sides[0]}`, x - 18, side);
    if (before === `← ${sides[0]}` || x - 18 > LEAST_SIDE)
      shapes.push(textShape(x - 8, top - 12, before, { ...side, anchor: "end" }));
    shapes.push(
      textShape(
        x + 8,
        top - 12,
        shorten(`${sides[1]} →`, width - x - 14 - (right < width - 20 ? width - right : 0), side),
        side,
      ),
    );
  }
  shapes.push(centred(chart.x.title, bottom + 36, { style: "t2" }));
  return shapes;
}

function drawRow(
  row: ChartRow,
  y: number,
  body: Body,
  { names, grouped }: { names: number; grouped: boolean },
): Shape[] {
  const bold = row.heading === true || row.bold === true;
  const indent = grouped && !row.heading ? INDENT : 0;
  const room = row.heading ? Number.POSITIVE_INFINITY : names - indent + 2;
  const short = shorten(row.label, room, { bold });
  const raised = row.remark === undefined ? 0 : 7;
  return [
    textShape(indent, y + 4 - raised, short, {
      style: row.heading ? "t1" : "t0",
      bold,
      ...(short === row.label ? {} : { whole: row.label }),
    }),
    ...(row.remark === undefined
      ? []
      : [textShape(indent, y + 11, shorten(row.remark, room + 10, { size: 11 }), { style: "t3", size: 11 })]),
    ...(row.marks ?? []).flatMap((mark) => drawMark(mark, y, body)),
  ];
}

function drawMark(mark: RowMark, y: number, { scale, left, right }: Body): Shape[] {
  const at = (value: number): number => Math.max(left, Math.min(right, scale.at(value)));
  switch (mark.mark) {
    case "estimate":
      return drawEstimate(mark, y + (mark.shift ?? 0), { scale, left, right });
    case "bar": {
      const [a, b] = [at(mark.from), at(mark.to)];
      const fits = mark.text !== undefined && textWidth(mark.text, 11) + 6 < b - a;
      return [
        {
          type: "rect",
          x: Math.min(a, b),
          y: y - 9,
          width: Math.abs(b - a),
          height: 18,
          style: mark.solid ? "fi" : "bd2",
          tone: mark.tone,
        },
        ...(fits
          ? [textShape((a + b) / 2, y + 4, mark.text!, { style: mark.dark ? "on" : "t0", size: 11, anchor: "middle" })]
          : []),
      ];
    }
    case "stripe":
      return [lineShape([at(mark.from), y], [at(mark.to) + 0.1, y], "stripe", mark.tone)];
    case "spread":
      return [lineShape([at(mark.from), y], [at(mark.to), y], "sd", mark.tone)];
    case "dots":
      return mark.at
        .filter(Number.isFinite)
        .map((value, k) => ({ type: "circle", x: at(value), y: y + jitter(k), r: 2, style: "faint", tone: mark.tone }));
    case "tick":
      return [lineShape([at(mark.at), y - 8], [at(mark.at), y + 8], "iv", mark.tone)];
  }
}

/** Low-discrepancy: neighbours in the list never lie on one another, and the picture is the same every time. */
const GOLDEN = 0.6180339887498949;
const jitter = (k: number): number => (((k * GOLDEN) % 1) - 0.5) * 16;

/** Ends beyond the axis become arrows. */
function drawEstimate(mark: Extract<RowMark, { mark: "estimate" }>, y: number, { scale, left, right }: Body): Shape[] {
  const { value, lower = Number.NaN, upper = Number.NaN, tone, symbol = "circle", small = false } = mark;
  const shapes: Shape[] = [];
  if (!Number.isNaN(lower) && !Number.isNaN(upper)) {
    const [a, b] = [scale.at(lower), scale.at(upper)];
    const [from, to] = [Math.max(left, a), Math.min(right, b)];
    shapes.push(lineShape([from, y], [to, y], small ? "cap" : "iv", tone));
    const cap = small ? 2.5 : 4;
    const end = (x: number, cut: boolean, way: 1 | -1): readonly (readonly Point[])[] =>
      cut
        ? [
            [
              [x - way * 6, y - 5],
              [x, y],
              [x - way * 6, y + 5],
            ],
          ]
        : [
            [
              [x, y - cap],
              [x, y + cap],
            ],
          ];
    shapes.push({
      type: "path",
      lines: [...end(from, a < left - 0.5, -1), ...end(to, b > right + 0.5, 1)],
      style: "cap",
      tone,
    });
  }
  const x = scale.at(value);
  if (Number.isFinite(value) && x >= left - 1 && x <= right + 1)
    shapes.push(symbolShape(symbol, [x, y], small ? 2.6 : 4.6, tone));
  return shapes;
}

function drawColumns(
  { columns, rows }: RowChart,
  widths: readonly number[],
  { width, places, head }: { readonly width: number; readonly places: readonly number[]; readonly head: number },
): Shape[] {
  const shapes: Shape[] = [];
  let right = width;
  for (let j = widths.length - 1; j >= 0; j--) {
    const { title, align = "end" } = columns[j]!;
    const x = align === "end" ? right : right - widths[j]!;
    shapes.push(textShape(x, head, title, { style: "t3", size: 11, anchor: align }));
    rows.forEach(({ cells = [] }, k) => {
      const cell = cells[j];
      if (cell === undefined || cell.text === "") return;
      shapes.push(
        textShape(x, places[k]! + 4, cell.text, {
          style: cell.bold ? "t0" : "t2",
          anchor: align,
          ...(cell.tone ? { tone: cell.tone } : {}),
          ...(cell.bold ? { bold: true } : {}),
        }),
      );
    });
    right -= widths[j]! + COLUMN_GAP;
  }
  return shapes;
}
