/** How scores spread: boxes by system and class, means with their standard deviations (Riezler & Hagmann, Fig. 3.4, 4.4, 4.6), and ranks
 *  that the tests leave open. */
import { adjustmentName } from "../../result/adjustment.ts";
import { mostOf } from "../../result/extremes.ts";
import type { ComparisonJson } from "../../significance/compare/json.ts";
import type { ScoreSpread } from "../../significance/compare/series.ts";
import { CATEGORIES, type ChartRow, type Figure, type PanelMark } from "../charts/figure.ts";
import type { MarkSymbol } from "../draw/scene.ts";
import type { Dash, Tone } from "../draw/style.ts";
import { count, join, say, styleFor, write } from "./words.ts";

interface Look {
  readonly tone: Tone;
  readonly symbol: MarkSymbol;
  readonly dash?: Dash;
}

/** The baseline is hollow and grey, the others have their categories. */
export const lookOf = (s: number): Look => (s === 0 ? { tone: "k0", symbol: "ring" } : CATEGORIES[s - 1]!);

/** Fewer items are shown one by one. */
const FEWEST = 20;
const MOST_ROWS = 60;

export function spreadFigures(json: ComparisonJson): Figure[] {
  const all = json.series?.spread ?? [];
  const columns = [...new Set(all.flatMap(({ column }) => (column === undefined ? [] : [column])))];
  const whole = all.filter(({ column }) => column === undefined);
  return [
    ...(columns.length === 0 ? boxFigure(json, whole) : []),
    ...columns.flatMap((column) => {
      const own = all.filter((one) => one.column === column);
      return [...boxFigure(json, own, column), ...sdFigure(json, own, column)];
    }),
  ];
}

function boxFigure(
  { metric, systems, units, series }: ComparisonJson,
  spread: readonly ScoreSpread[],
  column?: string,
): Figure[] {
  if (spread.length === 0 || spread.length > MOST_ROWS || mostOf(spread.map(({ n }) => n)) < FEWEST) return [];
  const style = { percent: series.percent, decimals: series.decimals };
  const classes = column === undefined ? [undefined] : [...new Set(spread.map(({ value }) => value!))];
  const rows = classes.flatMap((value): ChartRow[] => [
    ...(value === undefined ? [] : [{ label: `${column} ${value}`, heading: true }]),
    ...spread
      .filter((own) => own.value === value)
      .map((own) =>
        boxRow(
          own,
          systems.findIndex(({ name }) => name === own.system),
          style,
        ),
      ),
  ]);
  return [
    {
      name: column === undefined ? "boxes" : `boxes-${column}`,
      title:
        column === undefined
          ? `${metric} of single ${units} by system`
          : `${metric} of single ${units} by system and ${column}`,
      subtitle:
        "Line: least to greatest; box: middle half; bar: median; mark: mean. Not a test: systems share their items",
      description: `How ${metric} spreads. ${spread.map((own) => `${own.system}${own.value === undefined ? "" : `, ${column} ${own.value}`}: median ${write(own.median, style)}, middle half ${write(own.lowerQuartile, style)} to ${write(own.upperQuartile, style)}, ${own.n} ${units}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: metric, format: style.percent ? "percent" : "plain" },
        step: 28,
        columns: [{ title: "mean" }, { title: "SD" }, { title: units }],
        rows,
      },
      data: spreadData(spread, { system: "system", value: "class" }),
    },
  ];
}

/** The numbers behind boxes, under the names of group and class. */
export function spreadData(
  spread: readonly ScoreSpread[],
  names: { readonly system: string; readonly value: string },
): Figure["data"] {
  return {
    head: [names.system, names.value, "n", "mean", "sd", "min", "lowerQuartile", "median", "upperQuartile", "max"],
    rows: spread.map((own) => [
      own.system,
      own.value ?? "",
      ...[own.n, own.mean, own.sd, own.min, own.lowerQuartile, own.median, own.upperQuartile, own.max],
    ]),
  };
}

export function boxRow(
  own: ScoreSpread,
  s: number,
  style: { readonly percent: boolean; readonly decimals: number },
): ChartRow {
  const { tone, symbol } = s > CATEGORIES.length ? lookOf(1) : lookOf(s);
  return {
    label: own.system,
    marks: [
      { mark: "spread", from: own.min, to: own.max, tone },
      { mark: "bar", from: own.lowerQuartile, to: own.upperQuartile, tone },
      { mark: "tick", at: own.median, tone },
      { mark: "estimate", value: own.mean, tone, symbol },
    ],
    cells: [
      { text: write(own.mean, style), bold: true },
      { text: Number.isNaN(own.sd) ? "–" : write(own.sd, style) },
      { text: say(own.n) },
    ],
  };
}

/** Means and one standard deviation to both sides, a panel for each system. */
function sdFigure(
  { metric, systems, units, series }: ComparisonJson,
  spread: readonly ScoreSpread[],
  column: string,
): Figure[] {
  const classes = [...new Set(spread.map(({ value }) => value!))];
  if (systems.length > CATEGORIES.length + 1 || spread.every(({ n }) => n < 2)) return [];
  const style = styleFor(spread.map(({ sd }) => sd));
  const panels = systems.map(({ name }, s) => {
    const { tone, symbol, dash } = lookOf(s);
    const own = spread.filter(({ system }) => system === name);
    const at = (one: ScoreSpread): number => classes.indexOf(one.value!);
    const marks: PanelMark[] = [
      {
        mark: "intervals",
        points: own.map((one) => [at(one), one.mean - one.sd, one.mean + one.sd]),
        tone,
        thin: true,
      },
      {
        mark: "line",
        points: own.map((one) => [at(one), one.mean]),
        tone,
        symbol,
        thin: true,
        ...(dash === undefined ? {} : { dash }),
      },
    ];
    return { label: name, marks };
  });
  return [
    {
      name: `means-${column}`,
      title: `Mean ${metric} by ${column}, system by system`,
      subtitle: `Marks: means over ${units}; thin lines: one standard deviation of single ${units} to both sides, not an interval of the mean`,
      description: `Mean ${metric} ± standard deviation. ${systems.map(({ name }) => `${name}: ${join(spread.filter(({ system }) => system === name).map((own) => `${own.value} ${write(own.mean, style)} ± ${write(own.sd, style)}`))}`).join("; ")}.`,
      chart: {
        kind: "panels",
        x: { title: column, names: classes, domain: [-0.5, classes.length - 0.5] },
        y: { title: metric, format: series.percent ? "percent" : "plain" },
        height: 190,
        panels,
      },
      data: {
        head: ["system", column, "n", "mean", "sd"],
        rows: spread.map((own) => [own.system, own.value ?? "", own.n, own.mean, own.sd]),
      },
    },
  ];
}

/** Dots: ranks as observed; stripes: ranks that the tests allow. */
export function rankFigures({ series, metric, n, units, adjust, alpha }: ComparisonJson): Figure[] {
  const ranks = series?.ranks ?? [];
  if (ranks.length < 3 || ranks.length > MOST_ROWS) return [];
  const sure = ranks.filter(({ from, to }) => from === to);
  const certain = `${sure.length === 0 ? "no rank" : `${sure.length} of ${ranks.length} ranks`} ${sure.length < 2 ? "is" : "are"} certain`;
  const firsts = ranks.filter(({ from }) => from === 1);
  return [
    {
      name: "ranks",
      title:
        firsts.length === 1
          ? `${firsts[0]!.system} is first; ${certain}`
          : `${firsts.length} systems may be first; ${certain}`,
      subtitle: `Rank by ${metric} on ${count(n, units)}; stripes: ranks that all pairwise tests leave open (p adjusted by ${adjustmentName(adjust)}, error rate ${say(alpha)})`,
      description: `Ranks: ${ranks.map(({ system, rank, from, to }) => `${system}: rank ${rank}${from === to ? "" : `, ${from} to ${to} possible`}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: "rank (1: best)", domain: [0.7, ranks.length + 0.3], ticks: ranks.map((_, k) => k + 1) },
        columns: [{ title: "rank" }, { title: "possible" }],
        rows: ranks.map(({ system, rank, from, to }) => ({
          label: system,
          marks: [
            { mark: "stripe", from, to, tone: "k1" },
            { mark: "estimate", value: rank, tone: "k1", symbol: from === to ? "circle" : "ring" },
          ],
          cells: [{ text: String(rank), bold: true }, { text: from === to ? String(from) : `${from} to ${to}` }],
        })),
      },
      data: {
        head: ["system", "rank", "from", "to"],
        rows: ranks.map((own) => [own.system, own.rank, own.from, own.to]),
      },
    },
  ];
}
