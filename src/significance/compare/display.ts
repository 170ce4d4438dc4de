/** A comparison as tables and sentences. */

import type { FieldsOf } from "../../models/fit.ts";
import { adjustmentName } from "../../result/adjustment.ts";
import type { CellFormat, Display, DisplaySection, DisplayTable } from "../../result/display.ts";
import { formatNumber, formatP } from "../../result/number-format.ts";
import { isInconclusive } from "../../result/verdict.ts";
import { familyWiseSentence } from "../multiplicity.ts";
import type { ComparedPair, Comparison } from "./comparison.ts";
import type { Flip, Flips } from "./conclude.ts";
import { apart, bestFirst } from "./conclude.ts";
import type { ModelComparison } from "./model.ts";
import { countOf, type ScoreStyle, shown, unit, writeScore } from "./narrate.ts";
import { differenceName, isOpposed } from "./pair/typical.ts";
import { wasCut } from "./scale.ts";
import { tellScope } from "./scope.ts";
import { pairsName, screenOf } from "./screen.ts";
import type { SliceTable } from "./slices.ts";

/** More pairs than this hide what matters: the table then shows those of the best system. */
const MOST_PAIRS = 15;

export function displayComparison(comparison: FieldsOf<Comparison>): Display {
  const { main, pairs, systems, metric, style, testChoice, higherIsBetter, slices, model } = comparison;
  const many = pairs.length > 1;
  const direction = [
    higherIsBetter === null ? "direction not known" : higherIsBetter ? "higher is better" : "lower is better",
    ...tellScope(comparison.scope, comparison.repeated, comparison.units),
  ].join("; ");
  const by = metric === "score" ? "" : ` by ${metric}`;
  return {
    title: many
      ? `${systems.length} systems${by} (${direction})`
      : `${main.verdict}${isInconclusive(main.verdict) && main.reason !== undefined && !isOpposed(main) ? " (coverage)" : ""}: ${main.b} against ${main.a}${by} (${direction})`,
    summary: [main.statement, ...(main.advice === "" ? [] : [main.advice])],
    tables: [
      systemTable(comparison),
      ...(many ? [pairTable(comparison)] : []),
      ...slices.map((table) => sliceTable(table, comparison)),
      ...(model === undefined ? [] : modelTables(model, pairs, style)),
    ],
    notes: [
      `Test: ${testChoice}`,
      ...modelMeansNote(comparison),
      ...orderNotes(comparison),
      ...(comparison.metricSignature === undefined ? [] : [`Signature: ${comparison.metricSignature}`]),
      ...omnibusNote(comparison),
      ...slices.flatMap(sliceNotes(comparison)),
      ...adjustmentNotes(comparison),
      ...cutNote(comparison),
    ],
    sections: main.flips === undefined || many ? [] : flipSections(comparison, main.flips),
    screen: screenOf(comparison, {
      pairs: shownPairs(comparison),
      systems: ranked(comparison),
      slices: slices.map((table) => sliceTable(table, comparison)),
    }),
  };
}

/** A model's mean that is not the mean over rows; equal ones differ by less than this share. */
const ROUNDING = 1e-9;
const isAdjusted = ({ score, rawMean }: Comparison["systems"][number]): boolean =>
  rawMean !== undefined && Math.abs(rawMean - score) > ROUNDING * Math.max(Math.abs(rawMean), Math.abs(score));

function modelMeansNote({ systems, model }: FieldsOf<Comparison>): string[] {
  if (model === undefined) return [];
  return systems.some(isAdjusted)
    ? [
        "Scores are means of the model, as if each system had met every item and rater equally often; raw means are over rows.",
      ]
    : ["Scores are means of the model; here they equal the raw means over rows."];
}

function orderNotes({ systems, pairs }: FieldsOf<Comparison>): string[] {
  const [first] = systems;
  const against = pairs.every(({ a }) => a === first!.name);
  return against
    ? [`Baseline: ${first!.name}; differences are the other system minus it (option \`baseline\` names another).`]
    : ["Differences are the first named of a pair minus the second; the verdict is on the first."];
}

/** Where an interval ends because the scale does. */
function cutNote({ systems, pairs, metric, style }: FieldsOf<Comparison>): string[] {
  const cut = systems.some(({ interval }) => wasCut(interval)) || pairs.some(({ ci }) => wasCut(ci.method));
  if (!cut || style.scale === undefined) return [];
  const [from, to] = style.scale.map((end) => (style.percent ? `${100 * end} %` : formatNumber(end)));
  const limits = to === "Inf" ? `is never below ${from}` : `lies between ${from} and ${to}`;
  return [`${metric === "score" ? "The score" : metric} ${limits}: intervals that would reach further end there.`];
}

function adjustmentNotes(comparison: FieldsOf<Comparison>): string[] {
  const { pairs, adjust, simultaneous, alpha } = comparison;
  if (pairs.length < 2) return [];
  const hidden = pairs.length - shownPairs(comparison).length;
  const left = hidden > 0 ? [`Shown are the pairs of the best system; the other ${hidden} are in the JSON.`] : [];
  if (adjust === "none")
    return [
      `p and intervals are not adjusted for the number of pairs: ${familyWiseSentence(pairs.length, alpha)}.`,
      ...left,
    ];
  const how = adjustmentName(adjust);
  return [
    simultaneous
      ? `p of the pairs adjusted by ${how}; the intervals of all pairs hold together.`
      : `p of the pairs adjusted by ${how}; each interval holds for itself alone.`,
    ...left,
  ];
}

function omnibusNote({ omnibus, systems, higherIsBetter }: FieldsOf<Comparison>): string[] {
  if (omnibus === undefined) return [];
  const { statistic, df, p, ranks, criticalDifference } = omnibus;
  const test = `Friedman's test that all ${systems.length} systems are alike: chi-square ${formatNumber(statistic, "statistic")} on ${formatNumber(df, "df")} df, ${formatP(p)}.`;
  if (ranks === undefined || criticalDifference === undefined) return [test];
  const told = systems.map(({ name }, s) => `${name} ${ranks[s]!.toFixed(2)}`);
  return [
    test,
    `Mean ranks over the data sets, 1 the ${higherIsBetter === null ? "highest" : "best"}: ${told.join(", ")}; two differ by Nemenyi's test where they are ${criticalDifference.toFixed(2)} apart (critical difference).`,
  ];
}

const sliceNotes =
  ({ adjust }: FieldsOf<Comparison>) =>
  ({ column, slices, atLeast }: SliceTable): string[] => {
    const method = apart(adjust);
    const how = method === "none" ? "not adjusted" : `adjusted by ${adjustmentName(method)}`;
    const named = slices.filter(({ verdict }) => !isInconclusive(verdict)).length;
    const counted =
      atLeast > named
        ? [
            `At least ${atLeast} of the ${slices.length} levels of ${column} show a difference, of either sign, though only ${named} can be named (partial conjunction).`,
          ]
        : [];
    return [`p by ${column} ${how} over ${slices.length} levels; each interval holds for itself alone.`, ...counted];
  };

const ranked = ({ systems, higherIsBetter }: Pick<Comparison, "systems" | "higherIsBetter">) =>
  bestFirst(systems, higherIsBetter);

function systemTable(comparison: FieldsOf<Comparison>): DisplayTable {
  const { style, metric, systems } = comparison;
  const level = formatNumber(100 * comparison.main.ci.level);
  const bounded = systems.some(({ lower }) => lower !== undefined);
  const raw = systems.some(isAdjusted);
  const formats: CellFormat[] = ["text", "number", ...(bounded ? (["number", "number"] as const) : [])];
  return {
    head: [
      "system",
      `${metric}${unit(style)}`,
      ...(bounded ? [`${level}% from`, "to"] : []),
      ...(raw ? ["raw mean"] : []),
    ],
    formats: raw ? [...formats, "number"] : formats,
    decimals: style.decimals,
    rows: ranked(comparison).map(({ name, score, lower = Number.NaN, upper = Number.NaN, rawMean = Number.NaN }) => [
      name,
      shown(score, style),
      ...(bounded ? [shown(lower, style), shown(upper, style)] : []),
      ...(raw ? [shown(rawMean, style)] : []),
    ]),
  };
}

/** All, or of many those of the best system. */
function shownPairs(comparison: FieldsOf<Comparison>): readonly ComparedPair[] {
  const { pairs } = comparison;
  if (pairs.length <= MOST_PAIRS) return pairs;
  const best = ranked(comparison)[0]!.name;
  return pairs.filter(({ a, b }) => a === best || b === best);
}

const PAIR_FORMATS: readonly CellFormat[] = ["text", "number", "number", "number", "p", "text"];

function pairTable(comparison: FieldsOf<Comparison>): DisplayTable {
  const { style } = comparison;
  return {
    head: ["pair", `${pairsName(comparison)}${unit(style)}`, "from", "to", "p", "verdict"],
    formats: PAIR_FORMATS,
    decimals: style.decimals,
    rows: shownPairs(comparison).map(({ a, b, difference, ci, p, verdict }) => [
      `${b} - ${a}`,
      shown(difference, style),
      shown(ci.lower, style),
      shown(ci.upper, style),
      p,
      verdict,
    ]),
  };
}

function sliceTable(
  { column, a, b, slices, macro }: SliceTable,
  { main, n, units, style }: FieldsOf<Comparison>,
): DisplayTable {
  const averaged = macro && [
    `mean of ${slices.length}`,
    "",
    ...[macro.difference, macro.lower, macro.upper].map((value) => shown(value, style)),
    macro.p,
    macro.verdict,
  ];
  const whole = [main.difference, main.ci.lower, main.ci.upper].map((value) => shown(value, style));
  return {
    caption: `${b} - ${a} by ${column}`,
    head: [column, "items", `${differenceName(main)}${unit(style)}`, "from", "to", "adjusted p", "verdict"],
    formats: ["text", "integer", "number", "number", "number", "p", "text"],
    decimals: style.decimals,
    rows: [
      ...slices.map(({ name, n: own, difference, lower, upper, adjusted, verdict }) => [
        name,
        own,
        ...[difference, lower, upper].map((value) => shown(value, style)),
        adjusted,
        verdict,
      ]),
      [`all ${units}`, n, ...whole, main.p, main.verdict],
      ...(averaged ? [averaged] : []),
    ],
  };
}

function flipSections(
  { main: { a, b }, style, units, higherIsBetter }: FieldsOf<Comparison>,
  flips: Flips,
): DisplaySection[] {
  const only = (system: string): string => {
    if (units === "battles") return `won by ${system}`;
    if (higherIsBetter === null) return `higher with ${system}`;
    return higherIsBetter ? `right only with ${system}` : `at 0 with ${system} and at 1 with ${system === b ? a : b}`;
  };
  const section = (count: number, system: string, largest: readonly Flip[]): DisplaySection[] => {
    if (count === 0) return [];
    const counted = countOf(count, units);
    const more = count > largest.length ? ", …" : "";
    if (flips.single && style.percent) {
      const names = largest.map(({ item }) => item).join(", ");
      return [{ heading: `${counted} ${only(system)}`, items: [{ text: `${names}${more}` }] }];
    }
    const items = largest.map(({ item, scoreA, scoreB }) => {
      const [own, other] = system === b ? [scoreB, scoreA] : [scoreA, scoreB];
      return { text: `${item}: ${writeScore(own, style)} against ${writeScore(other, style)}` };
    });
    const how = `${count === 1 ? "scores" : "score"} ${higherIsBetter === false ? "lower" : "higher"}`;
    return [{ heading: `${counted} ${how} with ${system}${more === "" ? "" : ", furthest apart first"}`, items }];
  };
  return [...section(flips.gained, b, flips.largestGains), ...section(flips.lost, a, flips.largestLosses)];
}

/** Likelihood-ratio tests, means by class, pairs within classes. */
function modelTables(model: ModelComparison, pairs: readonly ComparedPair[], style: ScoreStyle): DisplayTable[] {
  const { systems, interaction, dependence, within, by } = model;
  const tests: DisplayTable = {
    caption: "Likelihood-ratio tests (ML)",
    head: ["of", "chi-square", "df", "p"],
    formats: ["text", "statistic", "df", "p"],
    rows: [
      ...(systems
        ? [[by === undefined ? "systems" : "systems, in any class", systems.chisq, systems.df, systems.p] as const]
        : []),
      ...(interaction && dependence === undefined
        ? [[`difference depends on ${by}`, interaction.chisq, interaction.df, interaction.p] as const]
        : []),
    ],
  };
  const ratios = tests.rows.length === 0 ? [] : [tests];
  if (within === undefined || by === undefined) return ratios;
  const depends: DisplayTable[] =
    dependence === undefined
      ? []
      : [
          {
            caption: `Does the difference depend on ${by}?`,
            head: ["test", "F", "df", "of", "p"],
            formats: ["text", "statistic", "df", "df", "p"],
            rows: [[dependence.method, dependence.statistic, dependence.df1, dependence.df2, dependence.p]],
          },
        ];
  return [...ratios, ...depends, meansTable(model, style), withinTable(model, pairs, style)];
}

/** The data of an interaction plot: lines that are parallel mean that the difference does not depend on the class. */
function meansTable({ within, means, by, classes }: ModelComparison, style: ScoreStyle): DisplayTable {
  const systems = means.means.map(({ name }) => name);
  const found = new Map(
    within!.means.map(({ levels, estimate }) => [`${levels[within!.by[0]!]}\0${levels[by!]}`, estimate]),
  );
  return {
    caption: `Means by ${by}${unit(style)}`,
    head: [by!, "items", ...systems],
    formats: ["text", "integer", ...systems.map(() => "number" as const)],
    decimals: style.decimals,
    rows: classes!.map(({ name, items }) => [
      name,
      items,
      ...systems.map((system) => shown(found.get(`${system}\0${name}`) ?? Number.NaN, style)),
    ]),
  };
}

function withinTable(
  { within, by, dependence }: ModelComparison,
  pairs: readonly ComparedPair[],
  style: ScoreStyle,
): DisplayTable {
  return {
    caption: `Pairs within ${by}${dependence?.method.startsWith("Welch") ? ", t over the items of each" : ""}${pairs.length > 1 ? ", adjusted within each class" : ""}`,
    head: [by!, "pair", `difference${unit(style)}`, "from", "to", "p"],
    formats: ["text", "text", "number", "number", "number", "p"],
    decimals: style.decimals,
    rows: within!.contrasts.map(({ within: levels, estimate, lower, upper, p }, k) => {
      const { a, b } = pairs[k % pairs.length]!;
      const name = Object.values(levels ?? {}).join(", ");
      return [name, `${b} - ${a}`, shown(estimate, style), shown(lower, style), shown(upper, style), p];
    }),
  };
}
