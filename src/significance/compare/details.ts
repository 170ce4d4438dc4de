/** A comparison as tables and notes, at full precision. */

import type { CellFormat, Display, DisplaySection, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { capitalised } from "../../result/result.ts";
import type { ComparedPair, Comparison } from "./comparison.ts";
import { comparisonFacts, type Fields, isAdjusted, isLeftOpen } from "./comparison-facts.ts";
import { notesOf } from "./comparison-sentences.ts";
import type { Flip, Flips } from "./conclude.ts";
import { bestFirst } from "./conclude.ts";
import type { ModelComparison } from "./model.ts";
import { differenceName, isOpposed } from "./pair/typical.ts";
import { tellConditions } from "./reading/conditions.ts";
import { tellScope } from "./scope.ts";
import { COVERAGE, headlineOf, pairsName, screenOf } from "./screen.ts";
import type { SliceTable } from "./slices.ts";
import { countOf, inUnits, type ScoreStyle, sharpened, unit, writeScore } from "./written-numbers.ts";

/** More pairs than this hide what matters: the table then shows those of the best system. */
const MOST_PAIRS = 15;

export function displayComparison(comparison: Fields): Display {
  const { main, pairs, systems, metric, style, higherIsBetter, slices, model, conditions = [] } = comparison;
  const many = pairs.length > 1;
  const direction = [
    higherIsBetter === null ? "direction unknown" : higherIsBetter ? "higher is better" : "lower is better",
    ...tellScope(comparison.scope, comparison.repeated, comparison.units),
    ...(conditions.length === 0 ? [] : [`for ${tellConditions(conditions)} only`]),
  ].join("; ");
  const on = metric === "score" ? "" : ` on ${metric}`;
  const shown = shownPairs(comparison);
  const facts = comparisonFacts(comparison, { pairs: shown, onScreen: shown, parts: false, named: true });
  return {
    title: many
      ? `${capitalised(headlineOf(comparison))} ${systems.length} systems${on}; ${direction}.`
      : `${main.verdict}${isLeftOpen(main) && !isOpposed(main) ? COVERAGE : ""}: ${main.b} against ${main.a}${on} (${direction})`,
    summary: [main.statement, ...(main.advice === "" ? [] : [main.advice])],
    tables: [
      systemTable(comparison),
      ...(many ? [pairTable(comparison)] : []),
      ...slices.map((table) => sliceTable(table, comparison)),
      ...(model === undefined ? [] : modelTables(model, pairs, style)),
    ],
    notes: notesOf(facts, style),
    sections: main.flips === undefined || many ? [] : flipSections(comparison, main.flips),
    screen: screenOf(comparison, {
      pairs: shown,
      systems: ranked(comparison),
      slices: slices.map((table) => sliceTable(table, comparison)),
    }),
  };
}

const ranked = ({ systems, higherIsBetter }: Pick<Comparison, "systems" | "higherIsBetter">) =>
  bestFirst(systems, higherIsBetter);

function systemTable(comparison: Fields): DisplayTable {
  const { style, metric, systems } = comparison;
  const level = formatNumber(100 * comparison.main.ci.level);
  const bounded = systems.some(({ lower }) => lower !== undefined);
  const raw = systems.some(isAdjusted);
  const formats: CellFormat[] = ["text", "number", ...(bounded ? (["number", "number"] as const) : [])];
  return {
    head: [
      "system",
      `${metric}${unit(style)}`,
      ...(bounded ? [`${level}% CI lower`, "upper"] : []),
      ...(raw ? ["raw mean"] : []),
    ],
    formats: raw ? [...formats, "number"] : formats,
    decimals: style.decimals,
    rows: ranked(comparison).map(({ name, score, lower = Number.NaN, upper = Number.NaN, rawMean = Number.NaN }) => [
      name,
      inUnits(score, style),
      ...(bounded ? [inUnits(lower, style), inUnits(upper, style)] : []),
      ...(raw ? [inUnits(rawMean, style)] : []),
    ]),
  };
}

/** All, or of many those of the best system. */
function shownPairs(comparison: Fields): readonly ComparedPair[] {
  const { pairs } = comparison;
  if (pairs.length <= MOST_PAIRS) return pairs;
  const best = ranked(comparison)[0]!.name;
  return pairs.filter(({ a, b }) => a === best || b === best);
}

function pairTable(comparison: Fields): DisplayTable {
  const { style } = comparison;
  const shown = shownPairs(comparison);
  const tost = shown.some(({ equivalence }) => equivalence !== undefined) ? [`margin${unit(style)}`, "p (TOST)"] : [];
  return {
    head: ["pair", `${pairsName(comparison)}${unit(style)}`, "CI lower", "CI upper", "p", ...tost, "verdict"],
    formats: [
      "text",
      "number",
      "number",
      "number",
      "p",
      ...(tost.length === 0 ? [] : (["number", "p"] as const)),
      "text",
    ],
    decimals: sharpened(
      style,
      shown.map(({ ci }) => ci),
    ).decimals,
    rows: shown.map(({ a, b, difference, ci, p, equivalence, verdict }) => [
      `${b} - ${a}`,
      inUnits(difference, style),
      inUnits(ci.lower, style),
      inUnits(ci.upper, style),
      p,
      ...(tost.length === 0 ? [] : [inUnits(equivalence?.margin ?? Number.NaN, style), equivalence?.p ?? Number.NaN]),
      verdict,
    ]),
  };
}

function sliceTable({ column, a, b, slices, macro }: SliceTable, { main, n, units, style }: Fields): DisplayTable {
  const averaged = macro && [
    `mean of ${slices.length}`,
    "",
    ...[macro.difference, macro.lower, macro.upper].map((value) => inUnits(value, style)),
    macro.p,
    macro.verdict,
  ];
  const whole = [main.difference, main.ci.lower, main.ci.upper].map((value) => inUnits(value, style));
  return {
    // the unit stands in the caption: a head that wraps costs every table a line
    caption: `${b} - ${a} by ${column}${unit(style)}`,
    head: [column, "items", differenceName(main), "CI lower", "CI upper", "adjusted p", "verdict"],
    formats: ["text", "integer", "number", "number", "number", "p", "text"],
    decimals: style.decimals,
    rows: [
      ...slices.map(({ name, n: own, difference, lower, upper, adjusted, verdict }) => [
        name,
        own,
        ...[difference, lower, upper].map((value) => inUnits(value, style)),
        adjusted,
        verdict,
      ]),
      [`all ${units}`, n, ...whole, main.p, main.verdict],
      ...(averaged ? [averaged] : []),
    ],
  };
}

function flipSections({ main: { a, b }, style, units, higherIsBetter }: Fields, flips: Flips): DisplaySection[] {
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
      ...systems.map((system) => inUnits(found.get(`${system}\0${name}`) ?? Number.NaN, style)),
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
    head: [by!, "pair", `difference${unit(style)}`, "CI lower", "CI upper", "p"],
    formats: ["text", "text", "number", "number", "number", "p"],
    decimals: style.decimals,
    rows: within!.contrasts.map(({ within: levels, estimate, lower, upper, p }, k) => {
      const { a, b } = pairs[k % pairs.length]!;
      const name = Object.values(levels ?? {}).join(", ");
      return [name, `${b} - ${a}`, inUnits(estimate, style), inUnits(lower, style), inUnits(upper, style), p];
    }),
  };
}
