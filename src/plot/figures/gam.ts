/** Shapes of additive models: each smooth with its band, surfaces as tiles, and the shapes of features with and without the circular set
 *  side by side (Riezler & Hagmann, Fig. 2.7-2.21). */

import type { GamJson } from "../../models/gam/smooths-display.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import type { NestedJson } from "../../result/result.ts";
import type { CircularityJson } from "../../validity/circularity/findings-json.ts";
import { contourLines, type HeightGrid } from "../charts/contours.ts";
import type { Figure, Panel, PanelMark } from "../charts/figure.ts";
import { linearTicks, writeFixed } from "../charts/scale.ts";
import type { Tone } from "../draw/style.ts";
import { formatP, join, percentOf, say } from "./words.ts";

type Shape = GamJson["shapes"][number];

export function gamFigures(json: GamJson): Figure[] {
  const curves = json.shapes.filter(({ kind }) => kind === "curve");
  const surfaces = json.shapes.filter(({ kind }) => kind === "surface");
  return [
    ...(curves.length === 0 ? [] : [curvesFigure(json, curves)]),
    ...surfaces.map((shape) => surfaceFigure(json, shape)),
  ];
}

const heightOf = ({ effect }: Pick<Shape, "effect">): number => Math.max(...effect) - Math.min(...effect);

const covariateOf = ({ at }: Shape): readonly [string, readonly number[]] => {
  const [name, values] = Object.entries(at)[0]!;
  return [name, values as readonly number[]];
};

/** What rounding leaves, beside effects this much larger. */
const ROUNDING = 1e-9;
/** Shapes below this share of the highest one are small. */
const SMALL = 0.1;

function curvesFigure({ formula, smooths, fixed, devianceExplained }: GamJson, curves: readonly Shape[]): Figure {
  const scale = Math.max(...fixed.map(({ estimate }) => Math.abs(estimate)), ...curves.map(heightOf));
  const rounding = curves.filter((shape) => heightOf(shape) < ROUNDING * scale).map(({ term }) => term);
  const frame = frameOf(curves, rounding.length === curves.length ? scale : 0);
  const pOf = new Map(smooths.map(({ term, p, edf }) => [term, { p, edf }]));
  const panels = curves.map((shape): Panel => {
    const [name, at] = covariateOf(shape);
    const { p = Number.NaN, edf = Number.NaN } = pOf.get(shape.term) ?? {};
    return {
      label: `${shape.term}: ${formatP(p)}, edf ${say(Number(edf.toFixed(1)))}`,
      x: { title: name, domain: [leastOf(at), mostOf(at)] },
      marks: [
        { mark: "rule", axis: "y", at: 0, style: "zero" },
        ...curveMarks(at, shape, { tone: "k1", range: frame.range }),
        { mark: "rug", at: shape.rug ?? [] },
      ],
    };
  });
  const clear = curves
    .map(({ term }) => term)
    .filter((term) => (pOf.get(term)?.p ?? 1) < 0.05 && !rounding.includes(term));
  const noise = rounding.length === 0 ? "" : `; of ${join(rounding)} only rounding is left`;
  const highest = mostOf(curves.map(heightOf));
  // with many rows a shape is significant that explains nothing: its height says so, p does not
  const low = curves.filter((own) => clear.includes(own.term) && heightOf(own) < SMALL * highest);
  const high = clear.filter((term) => !low.some((own) => own.term === term));
  const round = (value: number): string => say(Number(value.toPrecision(2)));
  const small =
    low.length === 0
      ? ""
      : `; ${join(low.map(({ term }) => term))} too, with ${low.length === 1 ? "a height of" : "heights up to"} ${round(mostOf(low.map(heightOf)))} against ${round(highest)}`;
  return {
    name: "shapes",
    title:
      clear.length === 0
        ? `No smooth term is clear of a flat line${noise}`
        : `${join(high)} ${high.length === 1 ? "is" : "are"} clear of a flat line${small}${noise}`,
    subtitle: `${formula}: effect of each covariate on the linear predictor, around its mean, with pointwise bands and the data as marks at the foot; ${percentOf(devianceExplained, 1)} of the deviance is explained${frame.cut ? CUT_BANDS : ""}`,
    description: `${curves.map((shape) => `${shape.term} runs from ${say(leastOf(shape.effect))} to ${say(mostOf(shape.effect))}, ${formatP(pOf.get(shape.term)?.p ?? Number.NaN)}`).join("; ")}.`,
    chart: {
      kind: "panels",
      x: { title: "" },
      y: { title: "effect on the linear predictor", format: "signed" },
      across: 3,
      height: curves.length > 3 ? 160 : 200,
      panels,
    },
    data: {
      head: ["term", "at", "effect", "lower", "upper"],
      rows: curves.flatMap((shape) =>
        covariateOf(shape)[1].map((x, k) => [shape.term, x, shape.effect[k]!, shape.lower[k]!, shape.upper[k]!]),
      ),
    },
  };
}

type Curve = Pick<Shape, "effect" | "lower" | "upper">;

/** What an axis shows of curves with their bands: the curves, and of the bands as much again to both sides. Where data are few a band can
 *  be many times as wide as its curve is high, and the axis of a band flattens every shape. */
export function frameOf(
  curves: readonly Curve[],
  least = 0,
): { readonly range: readonly [number, number]; readonly cut: boolean } {
  const high = mostOf(curves.map(heightOf).concat(least));
  const [low, top] = [
    leastOf(curves.map(({ effect }) => leastOf(effect))),
    mostOf(curves.map(({ effect }) => mostOf(effect))),
  ];
  const [from, to] = [
    leastOf(curves.map(({ lower }) => leastOf(lower))),
    mostOf(curves.map(({ upper }) => mostOf(upper))),
  ];
  const range = [Math.max(from, low - high), Math.min(to, top + high)] as const;
  return { range, cut: from < range[0] || to > range[1] };
}

/** In a subtitle. */
export const CUT_BANDS = "; bands that leave the frame are cut";

export function curveMarks(
  at: readonly number[],
  { effect, lower, upper }: Curve,
  { tone, range: [from, to] }: { readonly tone: Tone; readonly range: readonly [number, number] },
): PanelMark[] {
  const within = (value: number): number => Math.max(from, Math.min(to, value));
  return [
    { mark: "band", points: at.map((x, k) => [x, within(lower[k]!), within(upper[k]!)]), tone },
    { mark: "line", points: at.map((x, k) => [x, effect[k]!]), tone },
  ];
}

/** Places further from all data than this share of the ranges are left blank, as mgcv's vis.gam does. */
const TOO_FAR = 0.1;
const CONTOURS = 6;
/** Of the sequential ramp: on the steps beyond, lines and dots in ink would be lost. */
const STEPS = 5;

function surfaceFigure({ formula }: GamJson, { term, at, effect, points = [] }: Shape): Figure {
  const [[xName, xs], [yName, ys]] = Object.entries(at) as [[string, number[]], [string, number[]]];
  const grid = [...new Set(xs)].sort((a, b) => a - b);
  const other = [...new Set(ys)].sort((a, b) => a - b);
  const [width, height] = [grid.at(-1)! - grid[0]!, other.at(-1)! - other[0]!];
  const [halfWidth, halfHeight] = [width / (grid.length - 1) / 2, height / (other.length - 1) / 2];
  const isFar = (x: number, y: number): boolean =>
    points.length > 0 && points.every(([a, b]) => Math.hypot((a - x) / width, (b - y) / height) > TOO_FAR);
  const shown = effect.map((value, k) => (isFar(xs[k]!, ys[k]!) ? Number.NaN : value));
  // where there are no data a surface may rise far above all that is shown
  const seen = shown.filter((value) => !Number.isNaN(value));
  const [least, greatest] = [leastOf(seen), mostOf(seen)];
  // one way from pale to strong, which print in grey keeps; of two colours around the mean it would make one
  const tone = (value: number): Tone =>
    `s${1 + Math.min(STEPS - 1, Math.floor((STEPS * (value - least)) / (greatest - least || 1)))}` as Tone;
  const tiles = shown.flatMap((value, k) => (Number.isNaN(value) ? [] : [{ x: xs[k]!, y: ys[k]!, tone: tone(value) }]));
  const blank = seen.length < effect.length ? "; blank: no data near" : "";
  return {
    name: `surface-${term}`,
    title: `${term}: from ${say(least)} to ${say(greatest)}`,
    subtitle: `${formula}: effect on the linear predictor around its mean; the stronger the colour, the higher; lines: equal effects, dashed below 0; dots: data${blank}`,
    description: `The joint effect of ${xName} and ${yName} runs from ${say(least)} to ${say(greatest)} where there are data.`,
    chart: {
      kind: "panels",
      x: { title: xName, domain: [grid[0]! - halfWidth, grid.at(-1)! + halfWidth] },
      y: { title: yName, domain: [other[0]! - halfHeight, other.at(-1)! + halfHeight] },
      height: 300,
      panels: [
        {
          marks: [
            { mark: "tiles", tiles, halfWidth, halfHeight },
            { mark: "dots", points, tone: "k0", faint: true, size: 1.5 },
            ...contourMarks({ xs: grid, ys: other, at: (i, j) => shown[i + grid.length * j]! }, [least, greatest]),
          ],
        },
      ],
    },
    data: { head: [xName, yName, "effect"], rows: effect.map((value, k) => [xs[k]!, ys[k]!, value]) },
  };
}

/** Points of a piece of a line that is drawn, and of one that has room for its label. */
const [SHORTEST, LABELLED] = [3, 6];

/** Lines at round levels, each piece with its level. */
function contourMarks(grid: HeightGrid, range: readonly [number, number]): PanelMark[] {
  // a stump at the edge of the data would look like a dash
  const lines = linearTicks(range, CONTOURS).map((level) => ({
    level,
    pieces: contourLines(grid, level).filter(({ length }) => length > SHORTEST),
  }));
  const drawn = lines.flatMap(({ level, pieces }) =>
    pieces.map(
      (points): PanelMark => ({
        ...({ mark: "line", points, tone: "ki", thin: true } as const),
        ...(level < 0 ? { dash: "dash2" as const } : {}),
      }),
    ),
  );
  const labels = lines.flatMap(({ level, pieces }) =>
    pieces
      .filter(({ length }) => length >= LABELLED)
      .map((points): PanelMark => {
        const middle = points[Math.floor(points.length / 2)]!;
        return { mark: "label", at: middle, text: say(Number(level.toPrecision(6))), anchor: "middle", dy: 4 };
      }),
  );
  return [...drawn, ...labels];
}

/** Without the set on the left, with it on the right, one y scale. */
export function circularityFigures(json: NestedJson<CircularityJson>): Figure[] {
  const { nullification, circular, label, features, verdict } = json;
  const curves = (nullification?.curves ?? []).filter(({ before }) => before.at.every((x) => typeof x === "number"));
  if (curves.length === 0) return [];
  const set = join(circular.length > 0 ? circular : json.chosen.features);
  const found = new Map(features.map((own) => [own.feature, own]));
  const frame = frameOf(curves.flatMap(({ before, after }) => [before, after]));
  const panels = curves.flatMap(({ feature, before, after }): Panel[] => {
    const at = before.at as readonly number[];
    const x = { title: feature, domain: [leastOf(at), mostOf(at)] as const };
    const own = found.get(feature);
    const height = (amplitude: { readonly value: number } | undefined): string =>
      amplitude === undefined ? "" : `, height ${writeFixed(amplitude.value, 3)}`;
    return [
      {
        label: `${feature} without ${set}${height(own?.before)}`,
        x,
        marks: [
          { mark: "rule", axis: "y", at: 0, style: "zero" },
          ...curveMarks(at, before, { tone: "k0", range: frame.range }),
          { mark: "rug", at: before.rug ?? [] },
        ],
      },
      {
        label: `with ${set}${height(own?.after)}`,
        x,
        marks: [
          { mark: "rule", axis: "y", at: 0, style: "zero" },
          ...curveMarks(after.at as number[], after, { tone: "k1", range: frame.range }),
          { mark: "rug", at: after.rug ?? [] },
        ],
      },
    ];
  });
  const gone = features.filter(({ state }) => state === "nullified").map(({ feature }) => feature);
  return [
    {
      name: "nullification",
      title:
        gone.length === curves.length
          ? `Once ${set} is in the model, nothing is left for the others to explain`
          : `With ${set} in the model, ${gone.length} of ${curves.length} other features lose their effect`,
      subtitle: `Shape of each feature’s effect on ${label} without and with ${set}, with bands, the data as marks at the foot; verdict: ${verdict}${frame.cut ? CUT_BANDS : ""}`,
      description: `Effects on ${label}. ${curves.map(({ feature }) => `${feature}: height ${say(found.get(feature)?.before?.value ?? Number.NaN)} without and ${say(found.get(feature)?.after?.value ?? Number.NaN)} with ${set}`).join("; ")}.`,
      chart: {
        kind: "panels",
        x: { title: "" },
        y: { title: `effect on ${label}`, format: "signed" },
        across: 2,
        height: 130,
        panels,
      },
      data: {
        head: ["feature", "model", "at", "effect", "lower", "upper"],
        rows: curves.flatMap(({ feature, before, after }) =>
          (["before", "after"] as const).flatMap((when) => {
            const curve = when === "before" ? before : after;
            return curve.at.map((x, k) => [
              feature,
              when === "before" ? "without" : "with",
              x,
              curve.effect[k]!,
              curve.lower[k]!,
              curve.upper[k]!,
            ]);
          }),
        ),
      },
    },
  ];
}
