/** Where the variance comes from, what more raters or runs would give, and what a search buys (Riezler & Hagmann, Fig. 3.1-3.5). */

import type { BudgetJson } from "../../reliability/budget.ts";
import type { ComponentJson, ReliabilityJson } from "../../reliability/generalizability/components-json.ts";
import type { ImportanceJson } from "../../reliability/importance.ts";
import { mostOf } from "../../result/extremes.ts";
import { present } from "../../result/present.ts";
import { CATEGORIES, type ChartRow, type Figure, type PanelMark } from "../charts/figure.ts";
import { interactionFigure } from "./comparison.ts";
import { interval, join, level, percentOf, say, styleFor, write } from "./words.ts";

export function reliabilityFigures(json: ReliabilityJson): Figure[] {
  const { object, phi, phiCi, score } = json;
  const share = json.components.find(({ term }) => term === object);
  const lead =
    object === undefined || share === undefined
      ? undefined
      : `${percentOf(share.percent / 100)} of the variance of one ${score} is ${object}`;
  return [
    componentsFigure(json.components, {
      ...present({ object }),
      confidence: phiCi.level,
      title: lead ?? `Where the variance of one ${score} comes from`,
    }),
    ...whatIfFigure(json, phi),
  ];
}

export function importanceFigures(json: ImportanceJson): Figure[] {
  const { components, object, parameters, score } = json;
  const settings = components.filter(({ term }) => parameters.includes(term));
  const largest = settings.reduce<ComponentJson | undefined>(
    (a, b) => (a === undefined || b.percent > a.percent ? b : a),
    undefined,
  );
  return [
    componentsFigure(components, {
      ...present({ object }),
      confidence: json.ci.level,
      title:
        largest === undefined
          ? `Where the variance of ${score} comes from`
          : `Of the settings, ${largest.term} moves ${score} most: ${percentOf(largest.percent / 100, 1)} of the variance`,
    }),
    ...json.interactions.map(({ parameter, property, means, p }) =>
      interactionFigure({
        name: `within-${parameter}`,
        by: property,
        metric: score,
        p,
        lines: [...new Set(means.map((mean) => mean[parameter]!))].slice(0, CATEGORIES.length).map((value, k) => ({
          name: `${parameter} ${value}`,
          look: CATEGORIES[k]!,
          dodge: 10 * k - 10,
          means: means.filter((mean) => mean[parameter] === value),
        })),
      }),
    ),
  ];
}

function componentsFigure(
  components: readonly ComponentJson[],
  { object, confidence, title }: { readonly object?: string; readonly confidence: number; readonly title: string },
): Figure {
  const sorted = [...components].sort((a, b) => b.percent - a.percent);
  const bounded = sorted.some(({ percentLower }) => !Number.isNaN(percentLower));
  const style = styleFor(sorted.map(({ variance }) => variance));
  const rows = sorted.map(({ term, percent, percentLower, percentUpper, variance, levels }): ChartRow => {
    const tone = term === object ? "k1" : "k0";
    const remark =
      term === object
        ? "what is measured"
        : /^residual$/i.test(term)
          ? "what is left: averaging helps"
          : levels === undefined
            ? undefined
            : `${levels} levels`;
    return {
      label: term,
      bold: term === object,
      ...present({ remark }),
      marks: [
        { mark: "bar", from: 0, to: percent / 100, tone },
        { mark: "estimate", value: percent / 100, lower: percentLower / 100, upper: percentUpper / 100, tone },
      ],
      cells: [
        { text: percentOf(percent / 100, 1), bold: true },
        ...(bounded ? [{ text: interval(percentLower, percentUpper, { percent: false, decimals: 1 }) }] : []),
        { text: write(variance, style) },
      ],
    };
  });
  return {
    name: "components",
    title,
    subtitle: `Proportions of the variance of one measurement, ${bounded ? `${level(confidence)} intervals, ` : ""}largest first`,
    description: `Proportions of the variance: ${sorted.map(({ term, percent }) => `${term} ${percentOf(percent / 100, 1)}`).join(", ")}.`,
    chart: {
      kind: "rows",
      x: {
        title: "proportion of variance",
        format: "percent",
        domain: [
          0,
          Math.min(
            1,
            Math.max(
              0.1,
              mostOf(
                sorted.flatMap(({ percent, percentUpper }) => [
                  percent / 100,
                  Number.isNaN(percentUpper) ? 0 : percentUpper / 100,
                ]),
              ),
            ),
          ),
        ],
      },
      columns: [
        { title: "share" },
        ...(bounded ? [{ title: `${level(confidence)} interval (%)` }] : []),
        { title: "variance" },
      ],
      rows,
    },
    data: {
      head: ["term", "variance", "percent", "lower", "upper"],
      rows: sorted.map((own) => [own.term, own.variance, own.percent, own.percentLower, own.percentUpper]),
    },
  };
}

/** Numbers that a logarithmic axis of counts names. */
const COUNTS = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 5000, 10_000];

/** Koo & Li's words for a coefficient. */
const WORDS: readonly (readonly [from: number, to: number, word: string])[] = [
  [0, 0.5, "poor"],
  [0.5, 0.75, "moderate"],
  [0.75, 0.9, "good"],
  [0.9, 1, "excellent"],
];

function whatIfFigure({ whatIf, facets, cheapest, object, observed }: ReliabilityJson, phi: number): Figure[] {
  const varied = facets.filter((facet) => new Set(whatIf.map(({ n }) => n[facet])).size > 1);
  const [across, lines] = [...varied].sort(
    (a, b) => new Set(whatIf.map(({ n }) => n[b])).size - new Set(whatIf.map(({ n }) => n[a])).size,
  );
  if (across === undefined || varied.length > 2) return [];
  const values =
    lines === undefined ? [undefined] : [...new Set(whatIf.map(({ n }) => n[lines]!))].slice(0, CATEGORIES.length);
  const target = cheapest?.target;
  const marks = values.flatMap((value, k): PanelMark[] => {
    const own = whatIf
      .filter(({ n }) => lines === undefined || n[lines] === value)
      .sort((a, b) => a.n[across]! - b.n[across]!);
    const { tone, dash, symbol } = CATEGORIES[k]!;
    return [
      ...(values.length === 1
        ? [
            {
              mark: "band",
              points: own.map(({ n, lower, upper }) => [n[across]!, lower, upper] as const),
              tone,
            } as const,
          ]
        : []),
      {
        mark: "line",
        points: own.map((point) => [point.n[across]!, point.phi]),
        tone,
        symbol,
        ...present({ dash }),
        ...(value === undefined ? {} : { name: `${value} of ${lines}` }),
      },
    ];
  });
  const zones: PanelMark[] =
    values.length > 1
      ? []
      : WORDS.filter((_, k) => k % 2 === 1).map(([from, to]) => ({ mark: "zone", axis: "y", from, to }));
  const words: PanelMark[] =
    values.length > 1
      ? []
      : WORDS.map(([from, to, word]) => ({
          mark: "zone",
          axis: "y",
          from: (from + to) / 2,
          to: (from + to) / 2,
          label: word,
        }));
  const best = whatIf.reduce((a, b) => (b.phi > a.phi ? b : a));
  const two = { percent: false, decimals: 2 };
  const numbers = (n: Readonly<Record<string, number>>): string =>
    join(facets.map((facet, k) => `${n[facet]} ${k > 0 ? "" : n[facet] === 1 ? "level " : "levels "}of ${facet}`));
  const bounded = values.length === 1 && whatIf.some(({ lower }) => Number.isFinite(lower));
  const asked =
    target === undefined
      ? ""
      : cheapest!.reached
        ? `; an estimate of ${say(target)} takes ${numbers(cheapest!.n)}`
        : `; the target of ${say(target)} is not reached by the estimates`;
  return [
    {
      name: "what-if",
      title: `Reliability φ is ${write(phi, two)} for one measurement, ${write(best.phi, two)} for the mean over ${numbers(best.n)}${asked}`,
      subtitle: `Reliability φ${object === undefined ? "" : ` of ${object}`} by the number of levels of ${join(varied)} that each score is the mean of${bounded ? ", with its interval" : ""}${values.length === 1 ? "; words of Koo & Li (2016)" : ""}`,
      description: `Reliability φ by the number of levels of ${across}: ${write(phi, two)} for a single measurement, ${write(observed.phi, two)} for the data as they are (${numbers(observed.n)}), ${write(best.phi, two)} at the most tried${asked}.`,
      chart: {
        kind: "panels",
        x: { title: `levels of ${across}`, domain: [1, mostOf(whatIf.map(({ n }) => n[across]!))] },
        y: { title: "reliability φ", domain: [0, 1], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
        panels: [
          {
            marks: [
              ...zones,
              ...words,
              ...(target === undefined
                ? []
                : [
                    {
                      mark: "rule",
                      axis: "y",
                      at: target,
                      style: "ref",
                      label: `target ${say(target)}`,
                      start: true,
                    } as const,
                  ]),
              ...marks,
              ...observedMark(observed, across, values.length === 1),
            ],
          },
        ],
      },
      data: {
        head: [...facets, "phi", "lower", "upper", "relative"],
        rows: whatIf.map(({ n, phi: own, lower, upper, relative }) => [
          ...facets.map((facet) => n[facet]!),
          own,
          lower,
          upper,
          relative,
        ]),
      },
    },
  ];
}

/** The data as they are, where the curve passes through them. */
function observedMark({ n, phi }: ReliabilityJson["observed"], across: string, alone: boolean): PanelMark[] {
  const at = n[across];
  if (!alone || at === undefined || at < 1) return [];
  return [
    { mark: "dots", points: [[at, phi]], tone: "k1", symbol: "ring", size: 5 },
    {
      mark: "label",
      at: [at, phi],
      text: `as measured: ${write(phi, { percent: false, decimals: 2 })}`,
      tone: "k1",
      bold: true,
      // above the curve where the axis is near
      ...(phi < 0.12 ? { dx: -4, dy: -12 } : { dx: 8, dy: 16 }),
    },
  ];
}

export function budgetFigures({ curves, crossings, score, minimise, ci }: BudgetJson): Figure[] {
  if (curves.length > CATEGORIES.length || curves.every(({ points }) => points.length < 2)) return [];
  const style = styleFor(curves.flatMap(({ points }) => points.map(({ sd }) => sd)));
  const marks = curves.flatMap(({ system, points }, k): PanelMark[] => {
    const { tone, dash, symbol } = CATEGORIES[k]!;
    return [
      { mark: "band", points: points.map(({ budget, meanLower, meanUpper }) => [budget, meanLower, meanUpper]), tone },
      {
        mark: "line",
        points: points.map(({ budget, expected }) => [budget, expected]),
        tone,
        symbol,
        ...present({ dash }),
        ...(curves.length === 1 ? {} : { name: system }),
      },
    ];
  });
  const best = minimise ? "lowest" : "best";
  const crossed = crossings.map(
    ({ from, to, betterBefore, betterAfter }) =>
      `between ${from} and ${to} runs the lead goes from ${betterBefore} to ${betterAfter}`,
  );
  const largest = curves.map(
    ({ system, points }) =>
      `${system === "" ? "" : `${system}: `}${write(points[0]!.expected, style)} after ${points[0]!.budget}, ${write(points.at(-1)!.expected, style)} after ${points.at(-1)!.budget}`,
  );
  return [
    {
      name: "budget",
      title:
        crossed.length > 0
          ? `Which system looks better depends on the budget: ${crossed[0]}`
          : `Expected ${best} ${score} by the size of the search`,
      subtitle: `Mean ${best} ${score} among so many random configurations; bands: ${level(ci.level)} bootstrap intervals of that mean`,
      description: `Expected ${best} ${score}: ${largest.join("; ")} configurations${crossed.length === 0 ? "" : `; ${crossed.join("; ")}`}.`,
      chart: {
        kind: "panels",
        x: { title: "configurations tried (log scale)", kind: "log", ticks: COUNTS },
        y: { title: `expected ${best} ${score}` },
        panels: [{ marks }],
      },
      data: {
        head: ["system", "budget", "expected", "sd", "meanLower", "meanUpper"],
        rows: curves.flatMap(({ system, points }) =>
          points.map((p) => [system, p.budget, p.expected, p.sd, p.meanLower, p.meanUpper]),
        ),
      },
    },
  ];
}
