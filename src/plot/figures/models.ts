/** Fitted models: coefficients with their intervals, spread of the random effects, modes of their levels, and rating distributions. */

import type { FitJson, FixedJson } from "../../models/fit-json.ts";
import type { LmJson } from "../../models/lm/lm.ts";
import type { LmmJson } from "../../models/lmm/lmm.ts";
import { mostOf } from "../../result/extremes.ts";
import type { RatedClmJson, RatedClmmJson, RatingSummaryJson } from "../../significance/means/ratings.ts";
import type { Figure } from "../charts/figure.ts";
import { writeFixed } from "../charts/scale.ts";
import type { Tone } from "../draw/style.ts";
import { latentFigure } from "./distributions.ts";
import { scatterData, scatterMarks } from "./scatter.ts";
import { formatP, interval, percentOf, pText, say, styleFor, write } from "./words.ts";

const MOST_ROWS = 60;
const INTERCEPT = "(Intercept)";
/** As the tables of models have it. */
const LEVEL = 0.05;

/** Of one covariate the data with the line first. */
export function lmFigures(json: LmJson): Figure[] {
  return [...lineFigure(json), ...fitFigures(json)];
}

function lineFigure({ series, formula, fixed, rSquared, nobs }: LmJson): Figure[] {
  const slope = fixed[1];
  if (series === undefined || slope === undefined) return [];
  const y = formula.split("~")[0]!.trim();
  const style = styleFor([slope.se]);
  const told = `${write(slope.estimate, style, true)} (${interval(slope.lower, slope.upper, style, true)}) for each unit of ${series.x}, ${formatP(slope.p)}`;
  return [
    {
      name: "fit",
      title: `${y} by ${series.x}: ${told}`,
      subtitle: `Least squares with its pointwise band, ${say(nobs)} rows${series.density === undefined ? "" : ", cells that stand out more hold more of them"}; R² ${say(Number(rSquared.toFixed(3)))}`,
      description: `${y} changes by ${told}; ${say(nobs)} rows, R² ${say(Number(rSquared.toFixed(3)))}.`,
      chart: { kind: "panels", x: { title: series.x }, y: { title: y }, panels: [{ marks: scatterMarks(series) }] },
      data: scatterData(series, series.x, y),
    },
  ];
}

export function fitFigures(json: FitJson<string>): Figure[] {
  return [...coefficientFigure(json), ...spreadFigure(json)];
}

export function lmmFigures(json: LmmJson): Figure[] {
  return [...fitFigures(json), ...modeFigures(json)];
}

export function ordinalFigures(json: RatedClmJson | RatedClmmJson): Figure[] {
  return [
    ...fitFigures(json),
    ...(json.ratings ?? []).flatMap((factor) => ratingFigures(factor, json.formula.split("~")[0]!.trim())),
  ];
}

export function ratingsFigures(json: RatingSummaryJson): Figure[] {
  return json.factors.flatMap((factor) => ratingFigures(factor, json.response));
}

function coefficientFigure({ fixed, formula }: FitJson<string>): Figure[] {
  const shown = fixed.filter(({ term, estimate }) => term !== INTERCEPT && Number.isFinite(estimate));
  if (shown.length === 0 || shown.length > MOST_ROWS) return [];
  const style = styleFor(shown.map(({ se }) => se));
  const clear = shown.filter(({ p }) => p < LEVEL);
  const text = (own: FixedJson): string =>
    `${own.term} ${write(own.estimate, style, true)} (${interval(own.lower, own.upper, style, true)}), ${formatP(own.p)}`;
  return [
    {
      name: "coefficients",
      title: `${clear.length} of ${shown.length} coefficients ${clear.length === 1 ? "is" : "are"} clear of 0`,
      subtitle: `${formula}; estimates with their intervals, hollow: p of ${LEVEL} or more. The intercept is left out`,
      description: `Coefficients with intervals: ${shown.map(text).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: "coefficient (linear predictor)", format: "signed" },
        zero: 0,
        columns: [{ title: "estimate" }, { title: "interval" }, { title: "p" }],
        rows: shown.map(({ term, estimate, lower, upper, p }) => ({
          label: term,
          marks: [
            {
              mark: "estimate",
              value: estimate,
              lower,
              upper,
              tone: p < LEVEL ? "k1" : "v-inconclusive",
              symbol: p < LEVEL ? "circle" : "ring",
            },
          ],
          cells: [
            { text: write(estimate, style, true), bold: true },
            { text: interval(lower, upper, style, true) },
            { text: pText(p) },
          ],
        })),
      },
      data: {
        head: ["term", "estimate", "se", "lower", "upper", "p"],
        rows: shown.map((own) => [own.term, own.estimate, own.se, own.lower, own.upper, own.p]),
      },
    },
  ];
}

function spreadFigure({
  random,
  ...json
}: FitJson<string> & { readonly residualSd?: number; readonly profile?: LmmJson["profile"] }): Figure[] {
  const parts = [
    ...random.flatMap(({ group, terms, sd, levels }) =>
      terms.map((term, k) => ({
        name: term === INTERCEPT ? group : `${group}: ${term}`,
        sd: sd[k]!,
        remark: `${levels} levels`,
      })),
    ),
    ...(json.residualSd === undefined
      ? []
      : [{ name: "residual", sd: json.residualSd, remark: "single measurements" }]),
  ];
  if (random.length === 0 || parts.length > MOST_ROWS) return [];
  const sorted = [...parts].sort((a, b) => b.sd - a.sd);
  const { decimals } = styleFor(parts.map(({ sd }) => sd));
  return [
    {
      name: "spread",
      title: `Largest spread: ${sorted[0]!.name}, SD ${say(sorted[0]!.sd)}`,
      subtitle: "Standard deviations of the random effects, in the units of the linear predictor",
      description: `Standard deviations of the random effects: ${sorted.map(({ name, sd }) => `${name} ${say(sd)}`).join(", ")}.`,
      chart: {
        kind: "rows",
        x: { title: "standard deviation", domain: [0, Math.max(1e-12, mostOf(sorted.map(({ sd }) => sd))) * 1.05] },
        columns: [{ title: "SD" }],
        rows: sorted.map(({ name, sd, remark }) => ({
          label: name,
          remark,
          marks: [
            { mark: "bar", from: 0, to: sd, tone: "k0" },
            { mark: "estimate", value: sd, tone: "k0" },
          ],
          cells: [{ text: writeFixed(sd, decimals + 1), bold: true }],
        })),
      },
      data: { head: ["effect", "sd"], rows: sorted.map(({ name, sd }) => [name, sd]) },
    },
  ];
}

/** A caterpillar for each grouping factor and term; names only of levels clear of zero. */
function modeFigures({ modes = [] }: LmmJson): Figure[] {
  const kinds = [...new Set(modes.map(({ group, term }) => `${group}\u0000${term}`))];
  return kinds.flatMap((kind): Figure[] => {
    const [group, term] = kind.split("\u0000") as [string, string];
    const own = modes.filter((mode) => mode.group === group && mode.term === term).sort((a, b) => b.mode - a.mode);
    if (own.length < 3 || own.length > 200) return [];
    const dense = own.length > 24;
    const rows = own.map(({ level, mode, sd }) => ({ level, mode, lower: mode - 1.96 * sd, upper: mode + 1.96 * sd }));
    const clear = rows.filter(({ lower, upper }) => lower > 0 || upper < 0);
    const style = styleFor(own.map(({ sd }) => sd));
    return [
      {
        name: `modes-${group}${term === INTERCEPT ? "" : `-${term}`}`,
        title: `${clear.length} of ${own.length} levels of ${group} lie clear of the average${term === INTERCEPT ? "" : ` in ${term}`}`,
        subtitle: "Conditional modes, highest first, ± 1.96 conditional SDs; filled: clear of zero",
        description: `From ${own[0]!.level} (${write(own[0]!.mode, style, true)}) to ${own.at(-1)!.level} (${write(own.at(-1)!.mode, style, true)}); ${clear.length} of ${own.length} are clear of zero.`,
        chart: {
          kind: "rows",
          x: {
            title: `effect of ${group}${term === INTERCEPT ? "" : `: ${term}`} (linear predictor)`,
            format: "signed",
          },
          zero: 0,
          step: dense ? 9 : 22,
          columns: [],
          rows: rows.map(({ level, mode, lower, upper }) => {
            const told = lower > 0 || upper < 0;
            return {
              label: dense ? "" : level,
              marks: [
                {
                  mark: "estimate",
                  value: mode,
                  lower,
                  upper,
                  tone: told ? "k1" : "k0",
                  symbol: told ? "circle" : "ring",
                  small: true,
                },
              ],
            };
          }),
        },
        data: {
          head: ["level", "mode", "lower", "upper"],
          rows: rows.map((row) => [row.level, row.mode, row.lower, row.upper]),
        },
      },
    ];
  });
}

const ratingFigures = (factor: RatingSummaryJson["factors"][number], response: string): Figure[] => [
  ...ratingFigure(factor, response),
  ...latentFigure(factor, response),
];

/** Shares of the categories, one bar a system, from worst to best. */
function ratingFigure({ by, systems }: RatingSummaryJson["factors"][number], response: string): Figure[] {
  const categories = systems[0]?.probabilities.map(({ category }) => category) ?? [];
  if (categories.length < 2 || categories.length > 11) return [];
  const tone = (k: number): Tone =>
    `d${categories.length === 1 ? 5 : 1 + Math.round((8 * k) / (categories.length - 1))}` as Tone;
  const sorted = [...systems].sort((a, b) => b.meanClass - a.meanClass);
  return [
    {
      name: `ratings-${by}`,
      title: `${response}: ${sorted[0]!.level} is rated highest, ${sorted.at(-1)!.level} lowest`,
      subtitle: `Proportions of each rating that the model predicts, by ${by}; lowest rating at the left (orange), highest at the right (blue)`,
      description: `Predicted proportions of each rating. ${sorted.map(({ level, probabilities }) => `${level}: ${probabilities.map(({ category, estimate }) => `${percentOf(estimate)} rated ${category}`).join(", ")}`).join("; ")}.`,
      chart: {
        kind: "rows",
        x: { title: "proportion of ratings", format: "percent", domain: [0, 1] },
        columns: [{ title: "mean" }],
        legend: categories.map((name, k) => ({ name, tone: tone(k), symbol: "square" as const })),
        rows: sorted.map(({ level, probabilities, meanRating, meanClass }) => {
          let from = 0;
          const marks = probabilities.map(({ category, estimate }, k) => {
            const mark = {
              mark: "bar",
              from,
              to: from + estimate,
              tone: tone(k),
              solid: true,
              text: category,
              dark: Math.abs((8 * k) / (categories.length - 1) - 4) > 2.5,
            } as const;
            from += estimate;
            return mark;
          });
          return {
            label: level,
            marks,
            cells: [{ text: writeFixed(meanRating ?? meanClass, 2), bold: true }],
          };
        }),
      },
      data: {
        head: [by, ...categories],
        rows: sorted.map(({ level, probabilities }) => [level, ...probabilities.map(({ estimate }) => estimate)]),
      },
    },
  ];
}
