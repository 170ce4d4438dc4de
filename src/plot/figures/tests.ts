/** Classical tests: the effect with its interval, Demšar's diagram of mean ranks, Tukey's differences; and scores of single systems. */
import type { ScoreJson } from "../../metrics/score.ts";
import type { TestJson } from "../../significance/test-result.ts";
import type { Figure, RowChart } from "../charts/figure.ts";
import { writeFixed } from "../charts/scale.ts";
import { resampledFigure } from "./distributions.ts";
import { scatterData, scatterMarks } from "./scatter.ts";
import { formatP, interval, level, type NumberStyle, pText, say, styleFor, titled, withMinus, write } from "./words.ts";

export function testFigures(json: TestJson): Figure[] {
  if (json.meanRanks !== undefined && json.criticalDifference !== undefined) return [rankFigure(json)];
  if (json.differences !== undefined && json.differences.length > 0) return [tukeyFigure(json)];
  return [...resampledFigure(json), ...scatterFigure(json), ...effectFigure(json)];
}

/** Points, or beyond 5,000 of them counts in cells; Pearson's correlation with its line. */
function scatterFigure({ series = {}, samples, effect, ci, p, method, n }: TestJson): Figure[] {
  const { points = [], density, line = [] } = series;
  if (points.length < 3 && density === undefined) return [];
  const [x = "x", y = "y"] = samples ?? [];
  const style = { percent: false, decimals: 2 };
  const bounded = Number.isFinite(ci.lower) || Number.isFinite(ci.upper);
  const range = bounded ? ` (${interval(ci.lower, ci.upper, style, true)})` : "";
  const shown = `${symbolOf(effect.name)} ${write(effect.estimate, style, true)}${range}`;
  return [
    {
      name: "scatter",
      title: `${x} and ${y}: ${shown}, ${formatP(p)}`,
      subtitle: `${method}, ${say(n)} points${density === undefined ? "" : ", cells that stand out more hold more of them"}${bounded ? `; ${level(ci.level)} interval` : ""}${line.length === 0 ? "" : "; line: least squares with its band"}`,
      description: `${n} points of ${x} and ${y}; ${shown}, ${formatP(p)}.`,
      chart: { kind: "panels", x: { title: x }, y: { title: y }, panels: [{ marks: scatterMarks(series) }] },
      data: scatterData(series, x, y),
    },
  ];
}

function effectFigure(json: TestJson): Figure[] {
  const { effect, ci, p, method, n } = json;
  // the partial conjunction is a test without an effect
  const { estimate, name: own } = (effect as TestJson["effect"] | undefined) ?? { estimate: Number.NaN, name: "" };
  const name = symbolOf(own);
  if (name === "" || !Number.isFinite(estimate) || !(Number.isFinite(ci.lower) || Number.isFinite(ci.upper))) return [];
  const style = styleFor([(ci.upper - ci.lower) / 4, effect.se].filter(Number.isFinite));
  const clear = p < 1 - ci.level;
  const { neutral, signed, ratio } = nullOf(json);
  const [value, range] = [write(estimate, style, signed), interval(ci.lower, ci.upper, style, signed)];
  return [
    {
      name: "effect",
      title: `${titled(name)}: ${value} (${range}), ${formatP(p)}`,
      subtitle: `${method}, n = ${say(n)}; ${level(ci.level)} interval (${ci.method})`,
      description: `${name} is ${value}, ${level(ci.level)} interval ${range}, ${formatP(p)}.`,
      chart: {
        kind: "rows",
        x: {
          title: ratio ? `${name} (log scale)` : name,
          format: signed ? "signed" : "plain",
          ...(ratio && ci.lower > 0 && Number.isFinite(ci.upper) ? { kind: "log" as const } : {}),
        },
        ...(neutral === undefined ? {} : { zero: neutral }),
        ...marginOf(json, style),
        columns: [{ title: "estimate" }, { title: `${level(ci.level)} interval` }, { title: "p" }],
        rows: [
          {
            label: name,
            marks: [
              {
                mark: "estimate",
                value: estimate,
                lower: ci.lower,
                upper: ci.upper,
                tone: clear ? "k1" : "v-inconclusive",
                symbol: clear ? "circle" : "ring",
              },
            ],
            cells: [{ text: value, bold: true }, { text: range }, { text: pText(p) }],
          },
        ],
      },
      data: { head: ["effect", "estimate", "lower", "upper", "p"], rows: [[name, estimate, ci.lower, ci.upper, p]] },
    },
  ];
}

const SYMBOLS: Readonly<Record<string, string>> = { rho: "ρ", "tau-b": "τ-b" };
const symbolOf = (name: string): string => SYMBOLS[name] ?? name;

interface NullValue {
  /** What the effect is where the null hypothesis holds. */
  readonly neutral?: number;
  /** Whether its sign says which way it goes. */
  readonly signed: boolean;
  readonly ratio?: boolean;
}

const CORRELATIONS = ["pearson", "spearman", "kendall", "somers"];

function nullOf({ effect, hypothesis, test }: TestJson): NullValue {
  const stated = /^the (?:mean|median|proportion) is (-?[\d.]+(?:e-?\d+)?)$/.exec(hypothesis)?.[1];
  if (stated !== undefined) return { neutral: Number(stated), signed: false };
  if (effect.name === "odds ratio") return { neutral: 1, signed: false, ratio: true };
  if (effect.name.startsWith("P(")) return { neutral: 0.5, signed: false };
  const signed = /difference|shift/.test(effect.name) || CORRELATIONS.includes(test);
  return signed ? { neutral: 0, signed } : { signed };
}

/** What does not matter: to both sides, or to the side of the worse. */
function marginOf({ test, figures }: TestJson, style: NumberStyle): Pick<RowChart, "zone" | "refs"> {
  const margin = (figures as TestJson["figures"] | undefined)?.["margin"];
  if (margin === undefined || !Number.isFinite(margin)) return {};
  if (test === "non-inferiority") return { refs: [{ at: -margin, label: `margin ${write(-margin, style, true)}` }] };
  const label = `shaded: differences of up to ${write(margin, style)} do not matter`;
  return test === "equivalence" ? { zone: { from: -margin, to: margin, label } } : {};
}

/** Systems over the mean rank; what lies within the critical difference of one another is joined. */
function rankFigure({ meanRanks = [], criticalDifference = Number.NaN, samples, method, p, n }: TestJson): Figure {
  const named = meanRanks
    .map((rank, k) => ({ name: samples?.[k] ?? `system ${k + 1}`, rank }))
    .sort((a, b) => a.rank - b.rank);
  const joined = named.filter(({ rank }) => rank - named[0]!.rank < criticalDifference);
  return {
    name: "ranks",
    title:
      joined.length === 1
        ? `${named[0]!.name} has the lowest mean rank, clear of all others`
        : `${joined.length} systems do not differ significantly from the lowest mean rank`,
    subtitle: `Mean ranks over ${say(n)} blocks (rank 1: the smallest score); stripes: the critical difference of ${say(Number(criticalDifference.toFixed(3)))} (Nemenyi). ${method}: ${formatP(p)}`,
    description: `Mean ranks: ${named.map(({ name, rank }) => `${name} ${say(Number(rank.toFixed(3)))}`).join(", ")}; mean ranks closer than ${say(Number(criticalDifference.toFixed(3)))} do not differ significantly.`,
    chart: {
      kind: "rows",
      x: { title: "mean rank", domain: [1, Math.max(2, named.length)] },
      columns: [{ title: "mean rank" }],
      rows: named.map(({ name, rank }) => ({
        label: name,
        marks: [
          {
            mark: "stripe",
            from: Math.max(1, rank - criticalDifference / 2),
            to: Math.min(named.length, rank + criticalDifference / 2),
            tone: "k0",
          },
          { mark: "estimate", value: rank, tone: rank === named[0]!.rank ? "k1" : "ki" },
        ],
        cells: [{ text: writeFixed(rank, 3), bold: true }],
      })),
    },
    data: { head: ["system", "meanRank"], rows: named.map(({ name, rank }) => [name, rank]) },
  };
}

function tukeyFigure({ differences = [], method, p, ci }: TestJson): Figure {
  const style = styleFor(differences.map(({ lower, upper }) => (upper - lower) / 4));
  const clear = differences.filter((own) => own.p < 1 - ci.level).length;
  return {
    name: "differences",
    title: `${clear} of ${differences.length} pairs differ`,
    subtitle: `${method}: ${formatP(p)}; differences with Tukey’s ${level(ci.level)} intervals, hollow: not clear of 0`,
    description: `Differences with Tukey’s intervals: ${differences.map((own) => `${withMinus(own.pair)} ${write(own.difference, style, true)} (${interval(own.lower, own.upper, style, true)}), ${formatP(own.p)}`).join("; ")}.`,
    chart: {
      kind: "rows",
      x: { title: "difference", format: "signed" },
      zero: 0,
      columns: [{ title: "difference" }, { title: `${level(ci.level)} interval` }, { title: "p" }],
      rows: differences.map(({ pair, difference, lower, upper, p: own }) => ({
        label: withMinus(pair),
        marks: [
          {
            mark: "estimate",
            value: difference,
            lower,
            upper,
            tone: own < 1 - ci.level ? "k1" : "v-inconclusive",
            symbol: own < 1 - ci.level ? "circle" : "ring",
          },
        ],
        cells: [
          { text: write(difference, style, true), bold: true },
          { text: interval(lower, upper, style, true) },
          { text: pText(own) },
        ],
      })),
    },
    data: {
      head: ["pair", "difference", "lower", "upper", "p"],
      rows: differences.map((own) => [own.pair, own.difference, own.lower, own.upper, own.p]),
    },
  };
}

export function scoreFigures({ systems, metric, higherIsBetter }: ScoreJson): Figure[] {
  const known = systems.flatMap(({ name, score, ci }) =>
    ci === undefined ? [] : [{ name, score, lower: ci.lower, upper: ci.upper, level: ci.level }],
  );
  if (known.length === 0) return [];
  const style = styleFor(known.map(({ lower, upper }) => (upper - lower) / 4));
  const sorted = [...known].sort((a, b) => (higherIsBetter === false ? a.score - b.score : b.score - a.score));
  return [
    {
      name: "scores",
      title: `${metric} of ${known.length === 1 ? known[0]!.name : `${known.length} systems`}`,
      subtitle:
        known.length === 1
          ? `The score with its ${level(known[0]!.level)} interval`
          : `Scores with ${level(known[0]!.level)} intervals; two overlapping intervals do not say that systems are equal`,
      description: `${metric} with intervals: ${sorted.map(({ name, score, lower, upper }) => `${name} ${write(score, style)} (${interval(lower, upper, style)})`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: metric },
        columns: [{ title: metric }, { title: "interval" }],
        rows: sorted.map(({ name, score, lower, upper }) => ({
          label: name,
          marks: [{ mark: "estimate", value: score, lower, upper, tone: "k1" }],
          cells: [{ text: write(score, style), bold: true }, { text: interval(lower, upper, style) }],
        })),
      },
      data: {
        head: ["system", "score", "lower", "upper"],
        rows: sorted.map((own) => [own.name, own.score, own.lower, own.upper]),
      },
    },
  ];
}
