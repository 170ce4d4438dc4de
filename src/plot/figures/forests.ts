/** Results that are a list of figures: totals of systems, abilities from preferences, standardised effects, and the means of a file. */

import type { DescribeJson } from "../../describe/describe.ts";
import { adjustmentName } from "../../result/adjustment.ts";
import { differenceVerdict, INCONCLUSIVE, markOf } from "../../result/verdict.ts";
import type { BradleyTerryJson } from "../../significance/bradley-terry.ts";
import type { EffectSizesJson } from "../../significance/means/effect-size.ts";
import type { TotalsJson } from "../../significance/totals/totals.ts";
import type { ChartRow, Figure } from "../charts/figure.ts";
import { sidesOf } from "./comparison.ts";
import { count, formatP, interval, level, pText, say, styleFor, withMinus, write } from "./words.ts";

const MOST_ROWS = 60;

export function totalsFigures(json: TotalsJson): Figure[] {
  return [...totalsPairs(json), ...totalsScores(json)];
}

function totalsPairs({ pairs: all, metric, higherIsBetter, adjust, simultaneous, confidence }: TotalsJson): Figure[] {
  if (all.length === 0 || all.length > MOST_ROWS) return [];
  const pairs = [...all].sort((a, b) => b.difference - a.difference);
  const style = styleFor(pairs.map(({ se }) => se));
  const told = pairs.filter(({ verdict }) => verdict !== "open").length;
  const open = pairs.length - told;
  const [more, less] = pairs.length === 1 ? [pairs[0]!.b, pairs[0]!.a] : ["first", "second"];
  const looks = pairs.map(({ verdict }) => {
    const word = verdict === "open" ? INCONCLUSIVE : differenceVerdict(verdict === "higher", higherIsBetter);
    return { ...markOf(word), word };
  });
  return [
    {
      name: "pairs",
      title: `${told} of ${count(pairs.length, "pairs")} ${told === 1 ? "differs" : "differ"}${open === 0 ? "" : `; ${open} ${open === 1 ? "stays" : "stay"} open`}`,
      subtitle: `Difference in ${metric}, from totals and their standard errors alone; ${level(confidence)} intervals${pairs.length > 1 ? `, ${simultaneous ? "simultaneous" : "each for its pair alone"}; p adjusted by ${adjustmentName(adjust)}` : ""}`,
      description: `Differences in ${metric}: ${pairs.map((own, k) => `${own.b} − ${own.a}: ${write(own.difference, style, true)} (${interval(own.lower, own.upper, style, true)}), ${formatP(own.adjusted)}, ${looks[k]!.word.toLowerCase()}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: `difference in ${metric}`, format: "signed" },
        zero: 0,
        sides: sidesOf(higherIsBetter, more, less),
        columns: [
          { title: "difference" },
          { title: `${level(confidence)} interval` },
          { title: "p" },
          { title: "verdict", align: "start" },
        ],
        rows: pairs.map(({ a, b, difference, lower, upper, adjusted }, k) => {
          const { tone, symbol, word } = looks[k]!;
          return {
            label: `${b} − ${a}`,
            marks: [{ mark: "estimate", value: difference, lower, upper, tone, symbol }],
            cells: [
              { text: write(difference, style, true), bold: true },
              { text: interval(lower, upper, style, true) },
              { text: pText(adjusted) },
              { text: word, tone, bold: true },
            ],
          };
        }),
      },
      data: {
        head: ["a", "b", "difference", "lower", "upper", "adjusted", "verdict"],
        rows: pairs.map((own) => [own.a, own.b, own.difference, own.lower, own.upper, own.adjusted, own.verdict]),
      },
    },
  ];
}

interface Listed {
  readonly name: string;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

/** One row each, with its interval. */
function listed(rows: readonly Listed[], style: ReturnType<typeof styleFor>, signed = false): ChartRow[] {
  return rows.map(({ name, value, lower, upper }) => ({
    label: name,
    marks: [{ mark: "estimate", value, lower, upper, tone: "k1" }],
    cells: [{ text: write(value, style, signed), bold: true }, { text: interval(lower, upper, style, signed) }],
  }));
}

const listText = (rows: readonly Listed[], style: ReturnType<typeof styleFor>, signed = false): string =>
  `${rows.map(({ name, value, lower, upper }) => `${name} ${write(value, style, signed)} (${interval(lower, upper, style, signed)})`).join("; ")}.`;

const listData = (rows: readonly Listed[], what: string): Figure["data"] => ({
  head: [what, "value", "lower", "upper"],
  rows: rows.map((own) => [own.name, own.value, own.lower, own.upper]),
});

function totalsScores({ systems, metric, confidence, higherIsBetter }: TotalsJson): Figure[] {
  if (systems.length === 0 || systems.length > MOST_ROWS) return [];
  const style = styleFor(systems.map(({ se }) => se));
  const rows = systems
    .map(({ name, score, lower, upper }) => ({ name, value: score, lower, upper }))
    .sort((a, b) => (higherIsBetter === false ? a.value - b.value : b.value - a.value));
  return [
    {
      name: "scores",
      title: `${metric} of each system`,
      subtitle: `Totals with ${level(confidence)} intervals; intervals of two systems say little about their difference`,
      description: listText(rows, style),
      chart: {
        kind: "rows",
        x: { title: metric },
        columns: [{ title: metric }, { title: "interval" }],
        rows: listed(rows, style),
      },
      data: listData(rows, "system"),
    },
  ];
}

export function bradleyTerryFigures({ abilities, reference, test }: BradleyTerryJson): Figure[] {
  if (abilities.length < 2 || abilities.length > MOST_ROWS) return [];
  const style = styleFor(abilities.map(({ se }) => se));
  const rows = [...abilities].sort((a, b) => b.value - a.value);
  return [
    {
      name: "abilities",
      title: `${rows[0]!.name} wins most, ${rows.at(-1)!.name} least`,
      subtitle: `Log odds of winning against ${reference}, with intervals; that all are equal: ${formatP(test.p)}`,
      description: listText(rows, style, true),
      chart: {
        kind: "rows",
        x: { title: `log odds against ${reference}`, format: "signed" },
        zero: 0,
        columns: [{ title: "ability" }, { title: "interval" }],
        rows: listed(rows, style, true),
      },
      data: listData(rows, "player"),
    },
  ];
}

export function effectSizeFigures({ effects, sd, confidence, formula }: EffectSizesJson): Figure[] {
  if (effects.length === 0 || effects.length > MOST_ROWS) return [];
  const style = styleFor(effects.map(({ se }) => se));
  const rows = effects.map(({ contrast, within, d, lower, upper }) => ({
    name: within === undefined ? withMinus(contrast) : `${withMinus(contrast)}, ${Object.values(within).join(", ")}`,
    value: d,
    lower,
    upper,
  }));
  return [
    {
      name: "effect-sizes",
      title: `Differences in standard deviations (${say(Number(sd.sd.toPrecision(3)))})`,
      subtitle: `${formula}: Cohen’s d with ${level(confidence)} intervals`,
      description: listText(rows, style, true),
      chart: {
        kind: "rows",
        x: { title: "d", format: "signed" },
        zero: 0,
        columns: [{ title: "d" }, { title: "interval" }],
        rows: listed(rows, style, true),
      },
      data: listData(rows, "contrast"),
    },
  ];
}

/** Means of a file, metric by metric: what there is, nothing tested. */
export function describeFigures({ scores, metrics }: DescribeJson): Figure[] {
  const known = scores.filter(({ system, mean }) => system !== "" && Number.isFinite(mean));
  return metrics.slice(0, 3).flatMap((metric): Figure[] => {
    const own = known.filter((one) => one.metric === metric).sort((a, b) => b.mean - a.mean);
    if (own.length < 2 || own.length > MOST_ROWS) return [];
    const style = styleFor([(own[0]!.mean - own.at(-1)!.mean) / 10]);
    return [
      {
        name: `means-${metric}`,
        title: `Mean ${metric} of each system`,
        subtitle: "As the file has it, missing scores left out; nothing is tested here",
        description: `Means: ${own.map(({ system, mean, n }) => `${system} ${write(mean, style)} (${n} rows)`).join("; ")}.`,
        chart: {
          kind: "rows",
          x: { title: metric },
          columns: [{ title: "mean" }, { title: "rows" }],
          rows: own.map(({ system, mean, n }) => ({
            label: system,
            marks: [{ mark: "estimate", value: mean, tone: "k0" }],
            cells: [{ text: write(mean, style), bold: true }, { text: say(n) }],
          })),
        },
        data: {
          head: ["system", "mean", "n", "missing"],
          rows: own.map((one) => [one.system, one.mean, one.n, one.missing]),
        },
      },
    ];
  });
}
