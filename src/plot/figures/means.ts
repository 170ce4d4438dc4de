/** Marginal means, with lines through classes where there are some, and their differences as a forest. */
import { adjustmentName } from "../../result/adjustment.ts";
import type { EmmeansJson } from "../../significance/means/means.ts";
import { CATEGORIES, type ChartRow, type Figure } from "../charts/figure.ts";
import { interactionFigure } from "./comparison.ts";
import { capital, formatP, interval, join, level, pText, styleFor, withMinus, write } from "./words.ts";

const MOST_ROWS = 60;

/** What is averaged, where it is not the response itself. */
const SCALES: Readonly<Record<string, (response: string) => string>> = {
  prob: (response) => `probability of each ${response}`,
  "cum-prob": (response) => `probability of each ${response} or less`,
  "exc-prob": (response) => `probability of more than each ${response}`,
  latent: (response) => `latent mean of ${response}`,
  "mean-class": (response) => `mean ${response}`,
};

export function emmeansFigures(json: EmmeansJson): Figure[] {
  return [...meansFigure(json), ...contrastFigure(json)];
}

function meansFigure({ means, by, within, confidence, type, link, formula, slopes }: EmmeansJson): Figure[] {
  const response = formula.split("~")[0]!.trim();
  const what = slopes === undefined ? (SCALES[type]?.(response) ?? response) : `slope of ${slopes}`;
  const linear = type === "link" && link !== "identity";
  const [line, along] = [by[0], within[0]];
  const values = line === undefined ? [] : [...new Set(means.map(({ levels }) => String(levels[line])))];
  if (
    line !== undefined &&
    along !== undefined &&
    by.length === 1 &&
    within.length === 1 &&
    values.length <= CATEGORIES.length
  ) {
    return [
      interactionFigure({
        name: "means",
        by: along,
        metric: what,
        // a share is no mean, and the points of a scale are no property of the items
        ...(SCALES[type] === undefined ? {} : { title: `${capital(what)}, by ${line}` }),
        lines: values.map((value, k) => ({
          name: value,
          look: CATEGORIES[k]!,
          dodge: (k - (values.length - 1) / 2) * 12,
          means: means
            .filter(({ levels }) => String(levels[line]) === value)
            .map(({ levels, estimate, se, lower, upper }) => ({ ...levels, estimate, se, lower, upper })),
        })),
      }),
    ];
  }
  if (means.length > MOST_ROWS) return [];
  const style = styleFor(means.map(({ se }) => se));
  return [
    {
      name: "means",
      title: `${SCALES[type] === undefined ? what : capital(what)} by ${join(by)}`,
      subtitle: `Marginal means${linear ? " on the scale of the linear predictor" : ""}, ${level(confidence)} intervals of the means; differences are tested beside`,
      description: `Marginal means with intervals: ${means.map(({ name, estimate, lower, upper }) => `${name} ${write(estimate, style)} (${interval(lower, upper, style)})`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: `${what}${linear ? " (linear predictor)" : ""}` },
        columns: [{ title: "mean" }, { title: `${level(confidence)} interval` }],
        rows: means.map(({ name, estimate, lower, upper }) => ({
          label: name,
          marks: [{ mark: "estimate", value: estimate, lower, upper, tone: "k1" }],
          cells: [{ text: write(estimate, style), bold: true }, { text: interval(lower, upper, style) }],
        })),
      },
      data: {
        head: ["mean", "estimate", "se", "lower", "upper"],
        rows: means.map((own) => [own.name, own.estimate, own.se, own.lower, own.upper]),
      },
    },
  ];
}

function contrastFigure({ contrasts, adjust, confidence, contrastType, within }: EmmeansJson): Figure[] {
  if (contrasts.length === 0 || contrasts.length > MOST_ROWS) return [];
  const ratios = contrastType !== "difference";
  const neutral = ratios ? 1 : 0;
  const style = styleFor(contrasts.map(({ se }) => se));
  const clear = contrasts.filter(({ p }) => p < 1 - confidence).length;
  const group = (own: EmmeansJson["contrasts"][number]): string =>
    within.map((name) => `${name} ${own.within?.[name]}`).join(", ");
  const groups = [...new Set(contrasts.map(group))];
  const rows = groups.flatMap((name): ChartRow[] => [
    ...(name === "" ? [] : [{ label: name, heading: true }]),
    ...contrasts
      .filter((own) => group(own) === name)
      .map(({ contrast, estimate, lower, upper, p }): ChartRow => {
        const told = p < 1 - confidence;
        return {
          label: withMinus(contrast),
          marks: [
            {
              mark: "estimate",
              value: estimate,
              lower,
              upper,
              tone: told ? "k1" : "v-inconclusive",
              symbol: told ? "circle" : "ring",
            },
          ],
          cells: [
            { text: write(estimate, style, !ratios), bold: true },
            { text: interval(lower, upper, style, !ratios) },
            { text: pText(p) },
          ],
        };
      }),
  ]);
  return [
    {
      name: "contrasts",
      title: `${clear} of ${contrasts.length} contrasts ${clear === 1 ? "is" : "are"} clear of ${neutral}`,
      subtitle: `${ratios ? "Ratios" : "Differences"} of marginal means, ${level(confidence)} intervals, p adjusted by ${adjustmentName(adjust)}; hollow: p of ${Number((1 - confidence).toFixed(4))} or more`,
      description: `Contrasts with intervals: ${contrasts.map(({ contrast, estimate, lower, upper, p, ...own }) => `${withMinus(contrast)}${within.map((name) => `, ${name} ${own.within?.[name]}`).join("")}: ${write(estimate, style, !ratios)} (${interval(lower, upper, style, !ratios)}), ${formatP(p)}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: {
          title: contrastType,
          format: ratios ? "plain" : "signed",
          ...(ratios && contrasts.every(({ lower }) => lower > 0) ? { kind: "log" as const } : {}),
        },
        zero: neutral,
        columns: [{ title: contrastType }, { title: `${level(confidence)} interval` }, { title: "p" }],
        rows,
      },
      data: {
        head: ["within", "contrast", "estimate", "se", "lower", "upper", "p"],
        rows: contrasts.map((own) => [group(own), own.contrast, own.estimate, own.se, own.lower, own.upper, own.p]),
      },
    },
  ];
}
