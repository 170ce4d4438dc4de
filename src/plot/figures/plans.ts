/** Answers to one question of planning: power around the size or effect at hand, and what earlier comparisons or outputs foretell. */

import type { DevJson } from "../../power/from/dev.ts";
import type { HistoryJson } from "../../power/from/history.ts";
import type { NoPriorJson } from "../../power/from/no-prior.ts";
import type { OutputsJson } from "../../power/from/outputs.ts";
import type { PowerJson } from "../../power/result.ts";
import type { PowerSeries } from "../../power/series.ts";
import type { MdeJson } from "../../power/solve/mde.ts";
import type { SizeJson } from "../../power/solve/size.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import type { Figure, PanelMark } from "../charts/figure.ts";
import { simulatedEffects } from "./distributions.ts";
import { axisOf, nounOf, saidAt } from "./parameters.ts";
import { capital, count, percentOf, say, styleFor, write } from "./words.ts";

const TARGET = 0.8;
/** Points that do not hide each other. */
const FEW = 50;
const POWER_AXIS = { title: "power", domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1], format: "percent" } as const;

/** What a picture of a power analysis reads of it, whether it stands alone or within another answer. */
type PowerFields = Omit<PowerJson, "command" | "assumed" | "diagnostics" | "display">;

export function powerFigures(json: PowerFields): Figure[] {
  const { series = {}, power, effect, typeM, typeS, title, alpha } = json;
  return [
    ...simulatedEffects({ effects: series.effects ?? [], effect, power, typeM, typeS, title, alpha }),
    ...sizeFigure(json),
  ];
}

function sizeFigure(json: PowerFields): Figure[] {
  const { series = {}, power, title, effect, effectWords } = json;
  const { curve = [], size } = series;
  if (curve.length < 3 || size === undefined) return [];
  const words = effectWords ?? `difference of ${say(effect)}`;
  return [
    powerCurve({
      title: `A true ${words} is found in ${percentOf(power)} of evaluations of this size`,
      subtitle: `${capital(title)}: power by ${nounOf(json, size.parameter)}, the other parameters as given; dashed: 80 %`,
      axis: axisOf(json, size.parameter),
      series: { curve },
      marked: { at: size.value, power, label: `${say(size.value)}: ${percentOf(power)}` },
      target: TARGET,
    }),
  ];
}

export function mdeFigures(json: MdeJson): Figure[] {
  const { series, mde, power, target, title, parameter } = json;
  if (Number.isNaN(mde)) return [];
  const shown = say(Number(mde.toPrecision(3)));
  const noun = nounOf(json, parameter);
  return [
    powerCurve({
      title: `The smallest ${noun} that is found in ${percentOf(target)} of evaluations is ${shown}`,
      subtitle: `${capital(title)}: power by the ${noun}, the other parameters as given`,
      axis: axisOf(json, parameter),
      series,
      marked: { at: mde, power, label: shown },
      target,
    }),
  ];
}

export function sizeFigures(json: SizeJson): Figure[] {
  const { series, n, power, target, title, parameter } = json;
  return [
    powerCurve({
      title: `${percentOf(target)} power takes ${saidAt(json, parameter, n)}`,
      subtitle: `${capital(title)}: power by ${nounOf(json, parameter)}, the other parameters as given`,
      axis: axisOf(json, parameter),
      series,
      marked: { at: n, power, label: say(n) },
      target,
    }),
  ];
}

interface Curve {
  readonly title: string;
  readonly subtitle: string;
  readonly axis: string;
  readonly series: PowerSeries;
  readonly marked: { readonly at: number; readonly power: number; readonly label: string };
  readonly target: number;
}

/** A line where power was worked out, dots where experiments were drawn. */
function powerCurve({ title, subtitle, axis, series, marked, target }: Curve): Figure {
  const { curve = [], tried = [] } = series;
  const all = [...curve, ...tried];
  const drawn = tried.reduce((sum, { replicates }) => sum + replicates, 0);
  const line: PanelMark[] =
    curve.length === 0 ? [] : [{ mark: "line", points: curve.map(({ at, power }) => [at, power]), tone: "k0" }];
  const dots: PanelMark[] =
    tried.length === 0
      ? []
      : [{ mark: "dots", points: tried.map(({ at, power }) => [at, power]), tone: "k0", faint: true, size: 4 }];
  const leftward = marked.at > (leastOf(all.map(({ at }) => at)) + mostOf(all.map(({ at }) => at))) / 2;
  return {
    name: "power",
    title,
    subtitle: `${subtitle}${tried.length === 0 ? "" : `; dots: ${count(drawn, "simulated experiments")} at ${count(tried.length, "places")}`}`,
    description: `Power by ${axis}: ${all.map(({ at, power }) => `${say(Number(at.toPrecision(4)))} ${percentOf(power)}`).join(", ")}; marked: ${marked.label}.`,
    chart: {
      kind: "panels",
      x: { title: axis },
      y: POWER_AXIS,
      height: 220,
      panels: [
        {
          marks: [
            { mark: "rule", axis: "y", at: target, style: "ref" },
            ...line,
            ...dots,
            { mark: "segment", from: [marked.at, 0], to: [marked.at, marked.power], style: "lead" },
            { mark: "dots", points: [[marked.at, marked.power]], tone: "k1", size: 5 },
            {
              mark: "label",
              at: [marked.at, marked.power],
              text: marked.label,
              tone: "k1",
              bold: true,
              anchor: leftward ? "end" : "start",
              dx: leftward ? -9 : 9,
              dy: leftward ? -9 : 16,
            },
          ],
        },
      ],
    },
    data: {
      head: [axis, "power", "replicates"],
      rows: [
        ...curve.map(({ at, power }) => [at, power, 0]),
        ...tried.map(({ at, power, replicates }) => [at, power, replicates]),
      ],
    },
  };
}

/** Earlier differences by what they started from (Card et al., Fig. 9 and 11). */
export function historyFigures({ series, delta, comparisons, power, signature }: HistoryJson): Figure[] {
  const { points, line } = series;
  const { at = Number.NaN }: { readonly at?: number } = signature.options;
  const base = at > 1 ? at / 100 : at;
  const style = styleFor([(delta.upper - delta.lower) / 4], true);
  const words = `${write(delta.value, style, true)} points (${write(delta.lower, style, true)} to ${write(delta.upper, style, true)})`;
  return [
    {
      name: "history",
      title: `Over a baseline of ${percentOf(base, 1)} a difference of ${words} is predicted`,
      subtitle: `${count(comparisons, "earlier comparisons")}; line: regression on the baseline, band: where a new comparison is expected to lie`,
      description: `${count(comparisons, "comparisons")} by the accuracy of the baseline; at ${percentOf(base, 1)} the predicted difference is ${words}.`,
      chart: {
        kind: "panels",
        x: { title: "accuracy of the baseline", format: "percent" },
        y: { title: "difference, points", format: "points" },
        panels: [
          {
            marks: [
              { mark: "rule", axis: "y", at: 0, style: "zero" },
              { mark: "band", points: line.map((own) => [own.x, own.lower, own.upper]), tone: "k0" },
              { mark: "dots", points, tone: "k1", ...(points.length > FEW ? { faint: true, size: 3 } : { size: 4 }) },
              { mark: "line", points: line.map((own) => [own.x, own.y]), tone: "ki" },
              { mark: "intervals", points: [[base, delta.lower, delta.upper]], tone: "k2" },
              { mark: "dots", points: [[base, delta.value]], tone: "k2", symbol: "square", size: 5 },
            ],
          },
        ],
      },
      data: { head: ["baseline", "difference"], rows: points.map(([x, y]) => [x, y]) },
    },
    ...(power === undefined ? [] : powerFigures(power)),
  ];
}

const BOUNDS = { lower: "least disagreement", middle: "middle", upper: "no agreement beyond chance" } as const;

/** What can be seen whatever the two systems share. */
export function noPriorFigures({ rows, n, baseline, target }: NoPriorJson): Figure[] {
  const shown = rows.filter(({ mdeExact }) => Number.isFinite(mdeExact));
  if (shown.length === 0) return [];
  const style = styleFor([0.01], true);
  const sizes = shown.map(({ mdeExact }) => mdeExact);
  const [low, high] = [write(leastOf(sizes), style), write(mostOf(sizes), style)];
  return [
    {
      name: "mde",
      title: `${count(n, "items")} show differences from ${low} to ${high} points on, by how much the systems agree`,
      subtitle: `Smallest true difference found in ${percentOf(target)} of evaluations, baseline ${percentOf(baseline)}; hollow: Lachenbruch’s approximation`,
      description: `${shown.map((own) => `${BOUNDS[own.bound]}: ${write(own.mdeExact, style)} points`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: "smallest difference, points", format: "points" },
        zero: 0,
        columns: [{ title: "exact" }, { title: "approximation" }],
        rows: shown.map(({ bound, mde, mdeExact, disagreement }) => ({
          label: BOUNDS[bound],
          remark: `${percentOf(disagreement, 1)} of items differ`,
          marks: [
            { mark: "estimate", value: mde, tone: "k0", symbol: "ring" },
            { mark: "estimate", value: mdeExact, tone: "k1" },
          ],
          cells: [{ text: write(mdeExact, style), bold: true }, { text: write(mde, style) }],
        })),
      },
      data: {
        head: ["bound", "disagreement", "mde", "mdeExact", "power", "size"],
        rows: rows.map((own) => [own.bound, own.disagreement, own.mde, own.mdeExact, own.power, own.size]),
      },
    },
  ];
}

/** Power by the number of sentences: by the fitted law and by drawing them again. */
export function outputsFigures({ plans, metric, systems, delta, replicates }: OutputsJson): Figure[] {
  const sorted = [...plans].sort((a, b) => a.n - b.n);
  const last = sorted.at(-1);
  if (last === undefined) return [];
  const clip = (share: number): number => Math.max(0, Math.min(1, share));
  return [
    {
      name: "power",
      title: `${say(last.n)} sentences find a difference of ${say(Number(delta.toPrecision(3)))} in ${metric} in ${percentOf(last.resampledPower)} of evaluations`,
      subtitle: `${systems[1]} against ${systems[0]}: power by drawing sentences again (${say(replicates)} times, bars: 95 % Monte-Carlo intervals), line: by the fitted law`,
      description: `${sorted.map((own) => `${say(own.n)} sentences: ${percentOf(own.resampledPower)} drawn, ${Number.isNaN(own.modelPower) ? "no law" : `${percentOf(own.modelPower)} by the law`}`).join("; ")}.`,
      chart: {
        kind: "panels",
        x: { title: "sentences" },
        y: POWER_AXIS,
        height: 220,
        panels: [
          {
            marks: [
              { mark: "rule", axis: "y", at: TARGET, style: "ref" },
              { mark: "line", points: sorted.map((own) => [own.n, own.modelPower]), tone: "k0" },
              {
                mark: "intervals",
                points: sorted.map((own) => [
                  own.n,
                  clip(own.resampledPower - 1.96 * own.se),
                  clip(own.resampledPower + 1.96 * own.se),
                ]),
                tone: "k1",
              },
              { mark: "dots", points: sorted.map((own) => [own.n, own.resampledPower]), tone: "k1", size: 4 },
            ],
          },
        ],
      },
      data: {
        head: ["n", "modelPower", "resampledPower", "se"],
        rows: sorted.map((own) => [own.n, own.modelPower, own.resampledPower, own.se]),
      },
    },
  ];
}

/** What development results say: power of the study planned from them. */
export const devFigures = ({ power }: DevJson): Figure[] => (power === undefined ? [] : powerFigures(power));
