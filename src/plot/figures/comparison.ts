/** Systems compared: the forest of pairs and slices, scores of each, differences item by item, means within classes. */
import { adjustmentName } from "../../result/adjustment.ts";
import { present } from "../../result/present.ts";
import { countVerdicts, isRefused, markOf } from "../../result/verdict.ts";
import type { ComparedPairJson, ComparisonJson } from "../../significance/compare/json.ts";
import type { OrderCheck } from "../../significance/compare/reading/order.ts";
import { CATEGORIES, type ChartRow, type Figure, type PanelMark } from "../charts/figure.ts";
import type { MarkSymbol } from "../draw/scene.ts";
import type { Tone } from "../draw/style.ts";
import { lookOf, rankFigures, spreadFigures } from "./spread.ts";
import { count, formatP, interval, join, level, type NumberStyle, pText, styleFor, write } from "./words.ts";

export function comparisonFigures(json: ComparisonJson): Figure[] {
  return [
    pairsFigure(json),
    ...scoresFigure(json),
    ...differencesFigure(json),
    ...rankFigures(json),
    ...withinFigure(json),
    ...spreadFigures(json),
    ...orderFigure(json.order, json.metric, differenceStyle(json)),
  ];
}

interface Difference {
  readonly label: string;
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
  readonly p: number;
  readonly verdict: string;
}

function differenceStyle({ pairs, series }: ComparisonJson): NumberStyle {
  const percent = series?.percent === true;
  return series === undefined ? styleFor(pairs.map(({ se }) => se)) : { percent, decimals: series.decimals };
}

function pairsFigure(json: ComparisonJson): Figure {
  const { pairs, slices, metric, n, units, adjust, simultaneous, higherIsBetter } = json;
  const style = differenceStyle(json);
  const margin = json.equivalence?.margin;
  const one = pairs.length === 1;
  const own = sortedPairs(pairs).map(
    (pair): Difference => ({
      label: `${pair.b} − ${pair.a}`,
      difference: pair.difference,
      lower: pair.ci.lower,
      upper: pair.ci.upper,
      p: pair.p,
      verdict: pair.verdict,
    }),
  );
  const parts = slices.flatMap(({ column, a, b, slices: within }): ChartRow[] => [
    { label: one ? `by ${column}` : `${b} − ${a} by ${column}`, heading: true },
    ...within.map((slice) =>
      differenceRow({ ...slice, label: `${slice.name} (${slice.n})`, p: slice.adjusted }, style),
    ),
  ]);
  const rows: ChartRow[] = [
    ...(parts.length === 0 ? [] : [{ label: `All ${count(n, units)}`, heading: true }]),
    ...own.map((difference) => differenceRow(difference, style)),
    ...parts,
  ];
  const [more, less] = one ? [pairs[0]!.b, pairs[0]!.a] : ["first", "second"];
  const sides = sidesOf(higherIsBetter, more, less);
  const adjusted = adjust === "none" || (one && slices.length === 0) ? "" : `; p adjusted by ${adjustmentName(adjust)}`;
  // without this an interval clear of zero beside an open verdict would look like a mistake
  const together =
    adjusted === "" ? "" : simultaneous && slices.length === 0 ? ", simultaneous" : ", each for its pair alone";
  return {
    name: "pairs",
    title: pairsTitle(json),
    subtitle: `Difference in ${metric} on ${count(n, units)}, ${level(pairs[0]!.ci.level)} intervals${together}${adjusted}`,
    description: `Difference in ${metric}${style.percent ? ", points" : ""}. ${own
      .map(
        ({ label, verdict, ...d }) =>
          `${label}: ${write(d.difference, style, true)} (${interval(d.lower, d.upper, style, true)}), ${formatP(d.p)}, ${verdict.toLowerCase()}.`,
      )
      .join(" ")}`,
    chart: {
      kind: "rows",
      x: {
        title: `difference in ${metric}${style.percent ? ", points" : ""}`,
        format: style.percent ? "points" : "signed",
      },
      zero: 0,
      ...(margin === undefined
        ? {}
        : {
            zone: {
              from: -margin,
              to: margin,
              label: `shaded: differences of up to ${write(margin, style)}${style.percent ? " points" : ""} do not matter`,
            },
          }),
      sides,
      columns: [
        { title: "difference" },
        { title: `${level(pairs[0]!.ci.level)} interval` },
        { title: "p" },
        { title: "verdict", align: "start" },
      ],
      rows,
    },
    data: {
      head: ["group", "contrast", "difference", "lower", "upper", "p", "verdict"],
      rows: [
        ...own.map((d) => ["all", d.label, d.difference, d.lower, d.upper, d.p, d.verdict]),
        ...slices.flatMap(({ column, a, b, slices: within }) =>
          within.map((s) => [
            `${column} ${s.name}`,
            `${b} − ${a}`,
            s.difference,
            s.lower,
            s.upper,
            s.adjusted,
            s.verdict,
          ]),
        ),
      ],
    },
  };
}

/** What a difference below zero means, and one above. */
export function sidesOf(higherIsBetter: boolean | null, more: string, less: string): readonly [string, string] {
  if (higherIsBetter === null) return [`${less} higher`, `${more} higher`];
  return higherIsBetter ? [`${less} better`, `${more} better`] : [`${more} better`, `${less} better`];
}

/** Largest first. */
const sortedPairs = (pairs: readonly ComparedPairJson[]): ComparedPairJson[] =>
  [...pairs].sort((a, b) => b.difference - a.difference);

export function differenceRow(
  { label, difference, lower, upper, p, verdict }: Difference,
  style: NumberStyle,
): ChartRow {
  const { tone, symbol } = markOf(verdict);
  return {
    label,
    marks: [{ mark: "estimate", value: difference, lower, upper, tone, symbol }],
    cells: [
      { text: write(difference, style, true), bold: true },
      { text: interval(lower, upper, style, true) },
      { text: pText(p) },
      { text: verdict, tone, bold: true },
    ],
  };
}

function pairsTitle({ pairs, headline }: ComparisonJson): string {
  const { a, b, verdict } = pairs[0]!;
  if (pairs.length === 1) {
    if (!isRefused(verdict)) return headline.replace(/\.$/, "");
    return `These data cannot answer whether ${b} and ${a} differ`;
  }
  return countVerdicts(pairs.map((pair) => pair.verdict));
}

/** Best first; single values behind the mean where there are not too many. */
function scoresFigure(json: ComparisonJson): Figure[] {
  const { systems, metric, higherIsBetter, series } = json;
  const style = differenceStyle(json);
  const sorted = [...systems].sort((a, b) => (higherIsBetter === false ? a.score - b.score : b.score - a.score));
  if (sorted.every(({ lower }) => lower === undefined)) return [];
  const values = new Map((series?.scores ?? []).map(({ system, values: own }) => [system, own]));
  const dotted = values.size > 0;
  const how = [...new Set(sorted.flatMap((system) => (system.interval === undefined ? [] : [system.interval])))];
  return [
    {
      name: "scores",
      title: `${metric} of each system`,
      subtitle: `Score with its own interval (${how.join("; ")})${dotted ? "; pale dots: single items" : ""}. Intervals of two systems say little about their difference`,
      description: `${metric} of each system with its interval: ${sorted.map((s) => `${s.name} ${write(s.score, style)}${style.percent ? " %" : ""} (${interval(s.lower ?? Number.NaN, s.upper ?? Number.NaN, style)})`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: metric, format: style.percent ? "percent" : "plain" },
        columns: [{ title: metric + (style.percent ? " (%)" : "") }, { title: "interval" }],
        rows: sorted.map(({ name, score, lower, upper }) => ({
          label: name,
          marks: [
            ...(values.has(name) ? [{ mark: "dots", at: values.get(name)!, tone: "k0" } as const] : []),
            {
              mark: "estimate",
              value: score,
              ...present({ lower, upper }),
              tone: name === systems[0]!.name ? "k0" : "k1",
              symbol: name === systems[0]!.name ? "ring" : "circle",
            },
          ],
          cells: [
            { text: write(score, style), bold: true },
            { text: interval(lower ?? Number.NaN, upper ?? Number.NaN, style) },
          ],
        })),
      },
      data: {
        head: ["system", "score", "lower", "upper"],
        rows: sorted.map((s) => [s.name, s.score, s.lower ?? Number.NaN, s.upper ?? Number.NaN]),
      },
    },
  ];
}

/** More items than this are drawn as bars. */
const MOST_DOTS = 400;

/** How many items moved how far, one dot an item; gains and losses in the colours of the verdicts, ties hollow. */
function differencesFigure({ series, a, b, flips, metric, higherIsBetter, units }: ComparisonJson): Figure[] {
  const bins = series?.differences ?? [];
  if (bins.length === 0 || flips === undefined) return [];
  const percent = series!.percent;
  const { gained, lost, tied } = flips;
  const signOf = ({ from, to }: { readonly from: number; readonly to: number }): number => {
    const middle = (from + to) / 2;
    return Math.abs(middle) < 1e-9 * (to - from) ? 0 : Math.sign(middle);
  };
  const toneOf = (sign: number): Tone =>
    sign === 0 ? "k0" : higherIsBetter === null ? "ki" : sign > 0 === higherIsBetter ? "v-better" : "v-worse";
  const side = (sign: number): PanelMark => ({
    mark: "bars",
    bars: bins.filter((bin) => signOf(bin) === sign).map(({ from, to, count: high }) => ({ from, to, high })),
    tone: toneOf(sign),
    strong: sign !== 0,
  });
  // each count becomes as many dots, and a stored one may say anything
  const dots = bins.reduce((sum, bin) => sum + Math.abs(bin.count), 0);
  const dotted = gained + lost + tied <= MOST_DOTS && dots <= MOST_DOTS;
  // of a line behind the ties a stub would be left above them
  const ties = bins.some((bin) => signOf(bin) === 0 && bin.count > 0);
  // where values are cut into ranges the ties are in none of them
  const apart = tied - bins.filter((bin) => signOf(bin) === 0).reduce((sum, bin) => sum + bin.count, 0);
  const untold =
    apart > 0 ? `; ${count(apart, units)} without a difference ${apart === 1 ? "is" : "are"} not drawn` : "";
  const marks: PanelMark[] = dotted
    ? [
        {
          mark: "stacks",
          stacks: bins.map((bin) => ({
            ...bin,
            tone: toneOf(signOf(bin)),
            ...(signOf(bin) === 0 ? { hollow: true } : {}),
          })),
        },
      ]
    : [side(-1), side(0), side(1)];
  const does = higherIsBetter === null ? ["is higher", "lower"] : ["does better", "worse"];
  return [
    {
      name: "differences",
      title: `${b} ${does[0]} on ${gained}, ${does[1]} on ${lost}, alike on ${tied} of ${count(gained + lost + tied, units)}`,
      subtitle: `Difference in ${metric}, ${b} − ${a}${dotted ? "; one dot an item" : ""}${untold}`,
      description: `Of ${count(gained + lost + tied, units)}, ${b} ${does[0]} than ${a} on ${gained} and ${does[1]} on ${lost}; ${tied} are tied.`,
      chart: {
        kind: "panels",
        x: {
          ...{ title: `difference of an item${percent ? ", points" : ""}`, format: percent ? "points" : "signed" },
          // no score can differ by more
          ...(percent && bins.every(({ from, to }) => Math.abs(from + to) <= 2.001) ? { ticks: WHOLE_SCALE } : {}),
        },
        y: dotted ? { title: units, ticks: [] } : { title: units },
        height: 200,
        panels: [{ marks: [...(ties ? [] : [{ mark: "rule", axis: "x", at: 0, style: "zero" } as const]), ...marks] }],
      },
      data: { head: ["from", "to", "items"], rows: bins.map(({ from, to, count: items }) => [from, to, items]) },
    },
  ];
}

const WHOLE_SCALE = [-1, -0.5, 0, 0.5, 1];

/** Riezler & Hagmann's interaction plots (Fig. 3.5, 4.7). */
function withinFigure(json: ComparisonJson): Figure[] {
  const { model, metric, systems } = json;
  if (model?.by === undefined || model.means === undefined) return [];
  const { by, means, interaction, dependence = interaction } = model;
  const system = Object.keys(means[0] ?? {}).find(
    (key) => key !== by && systems.some(({ name }) => name === means[0]![key]),
  );
  if (system === undefined || systems.length > CATEGORIES.length + 1) return [];
  const lines = systems.map(({ name }, s) => ({
    name,
    look: lookOf(s),
    dodge: (s - (systems.length - 1) / 2) * 12,
    means: means.filter((mean) => mean[system] === name),
  }));
  return [
    interactionFigure({
      name: "within",
      by,
      metric,
      lines,
      ...(dependence === undefined ? {} : { p: dependence.p }),
    }),
  ];
}

export interface MeansLine {
  readonly name: string;
  readonly look: { readonly tone: Tone; readonly symbol: MarkSymbol; readonly dash?: "dash2" | "dash3" | "dash4" };
  readonly dodge: number;
  readonly means: readonly Readonly<Record<string, string | number>>[];
}

export interface Interaction {
  readonly name: string;
  readonly by: string;
  readonly metric: string;
  /** Where it is not the mean of the metric by the property. */
  readonly title?: string;
  readonly lines: readonly MeansLine[];
  /** Of the interaction. */
  readonly p?: number;
}

export function interactionFigure({ name, by, metric, title, lines, p }: Interaction): Figure {
  const classes = [...new Set(lines.flatMap(({ means }) => means.map((mean) => String(mean[by]))))];
  const at = (mean: Readonly<Record<string, string | number>>): number => classes.indexOf(String(mean[by]));
  const number = (value: string | number | undefined): number => (typeof value === "number" ? value : Number.NaN);
  const style = styleFor(lines.flatMap(({ means }) => means.map((mean) => number(mean["se"]))));
  const marks = lines.flatMap(({ name: line, look, dodge, means }): PanelMark[] => [
    {
      mark: "intervals",
      points: means.map((mean) => [at(mean), number(mean["lower"]), number(mean["upper"])]),
      tone: look.tone,
      dodge,
    },
    {
      mark: "line",
      points: means.map((mean) => [at(mean), number(mean["estimate"])]),
      tone: look.tone,
      symbol: look.symbol,
      ...present({ dash: look.dash }),
      thin: true,
      name: line,
      dodge,
    },
  ]);
  const shown =
    p === undefined
      ? ""
      : p < 0.05
        ? `. The differences depend on ${by}: ${formatP(p)}`
        : `. That the differences depend on ${by} is not shown: ${formatP(p)}`;
  return {
    name,
    title: title ?? `Mean ${metric} by ${by}`,
    subtitle: `${title === undefined ? "Means of" : "By"} the model with their intervals${shown}`,
    description: `${title ?? `Mean ${metric} by ${by}`}. ${lines.map(({ name: line, means }) => `${line}: ${join(means.map((mean) => `${mean[by]} ${write(number(mean["estimate"]), style)}`))}`).join("; ")}.`,
    chart: {
      kind: "panels",
      x: { title: by, names: classes, domain: [-0.5, classes.length - 0.5] },
      y: { title: metric },
      panels: [{ marks }],
    },
    data: {
      head: ["line", by, "estimate", "lower", "upper"],
      rows: lines.flatMap(({ name: line, means }) =>
        means.map((mean) => [line, mean[by]!, number(mean["estimate"]), number(mean["lower"]), number(mean["upper"])]),
      ),
    },
  };
}

function orderFigure(order: OrderCheck | undefined, metric: string, style: NumberStyle): Figure[] {
  if (order === undefined) return [];
  const { series, a, b, earlier, apart, drift, column } = order;
  const [first, second] = earlier >= 0.5 ? [a, b] : [b, a];
  const share = Math.max(earlier, 1 - earlier);
  const when = apart
    ? `${first} was run before ${second}${share === 1 ? "" : ", but for a few rows"}`
    : `${first} was run before ${second} in ${Math.round(100 * share)} % of pairs of rows`;
  const shown =
    drift === undefined
      ? "whether scores drift cannot be seen here"
      : `scores against time: z = ${drift.z.toFixed(2)} (${drift.by === "repeats" ? "repeats of the same items" : "items in different orders"})`;
  return [
    {
      name: "order",
      title: when,
      subtitle: `Mean ${metric} of consecutive rows by ${column}; ${shown}`,
      description: `${when}. ${join(series.map(({ system, points }) => `${system}: ${metric} ${write(points[0]!.mean, style)} at first, ${write(points.at(-1)!.mean, style)} at last`))}.`,
      chart: {
        kind: "panels",
        x: { title: "hours since the first row" },
        y: { title: metric, ...(style.percent ? { format: "percent" as const } : {}) },
        panels: [
          {
            marks: series.map(({ system, points }, s) => ({
              mark: "line" as const,
              points: points.map(({ hours, mean }) => [hours, mean] as const),
              ...lookOf(s),
              name: system,
            })),
          },
        ],
      },
      data: {
        head: ["system", "hours", "mean", "rows"],
        rows: series.flatMap(({ system, points }) => points.map(({ hours, mean, n }) => [system, hours, mean, n])),
      },
    },
  ];
}
