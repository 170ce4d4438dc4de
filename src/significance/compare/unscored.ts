/** Outcomes that are missing are neither right nor wrong. Rows that ended in an error are compared both ways, as failures and as missing. Of
 *  rows without a score the complete cases are compared, next to what the difference can be whatever the missing outcomes are and to what it
 *  would take among them to change the verdict; where the data make that plausible (pair/missingness.ts) it is INCONCLUSIVE for want of
 *  coverage. Option `unscored` says otherwise:
 *    complete   the verdict of the complete cases stands
 *    wrong      every missing outcome, and every item that a system lacks, is a failure
 *    bounds     items that a system lacks count as missing too: the verdict stands only if it holds whatever they are
 *  Whether it holds is seen by comparing again with the missing outcomes at the ends of the scale, for one system and against the other; of
 *  several pairs over items alone each by itself, at the level that max-T leaves a pair, or its p adjusted among those of the other pairs as they are. Where the answer holds for raters, runs, clusters
 *  or prompts too, the interval is that of these comparisons and of the complete cases together, since the one of the bounds knows items only.
 *  Reference: Horowitz & Manski (2000), JASA 95; Imbens & Manski (2004), Econometrica 72.
 *  Oracle:    pair/gaps.ts; enumeration of completions in the tests. */

import { groupKeys } from "../../data/keys.ts";
import { isMissing, selectRows, type Table } from "../../data/table.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { formatNumber } from "../../result/number-format.ts";
import { listNames } from "../../result/quote.ts";
import { addToResult, capitalised, type Diagnostic } from "../../result/result.ts";
import { INCONCLUSIVE, isEquivalent, isOpen } from "../../result/verdict.ts";
import { scoreNumbers } from "../../study/score-facts.ts";
import { adjustP, apart } from "../multiplicity.ts";
import { changeComparison, refuseVerdict } from "./assemble.ts";
import type { ComparedPair, CompareOptions, Comparison } from "./comparison.ts";
import type { Compared } from "./diagnose.ts";
import type { ComparisonColumns } from "./matching/matching.ts";
import { claimedP } from "./pair/facets.ts";
import { boundPair, countGaps, fillGaps, findGaps, type Gaps } from "./pair/gaps.ts";
import { type Missingness, measureMissing } from "./pair/missingness.ts";
import { differenceName, directionOf, isOpposed } from "./pair/typical.ts";
import { decide } from "./pair/verdict.ts";
import { statementOf } from "./pair-sentences.ts";
import { countErrors, type Errored, findErrored, refuseErrors } from "./reading/errors.ts";
import { countOf, signed, writeInterval, writeMargin, writeRange } from "./written-numbers.ts";

/** `systems`: those of one pair, where not all are compared. */
type CompareIn = (rows: Table, systems?: readonly string[]) => Comparison;
type Coverage = NonNullable<Comparison["coverage"]>;
type Bounded = ComparedPair & { readonly bounds: NonNullable<ComparedPair["bounds"]> };

interface Rows {
  readonly table: Table;
  readonly columns: ComparisonColumns;
  readonly systems: readonly string[];
  readonly options: CompareOptions;
}

/** The rows compared as their errors and missing scores allow. */
export function compareMissing(compareIn: CompareIn, rows: Rows): Compared {
  const { table, columns, systems, options } = rows;
  const errored = findErrored(table, columns, systems);
  refuseErrors(errored, options.errors);
  // who names the column in a condition, or computes the score from it, has said how its values count
  const said = [...(options.where ?? []), ...(options.mutate ?? [])];
  const chosen = errored !== undefined && said.some((expression) => expression.includes(errored.column));
  if (errored === undefined || (chosen && options.errors === undefined)) return compareUnscored(compareIn, rows);
  const how = options.errors ?? (options.unscored === undefined ? undefined : "missing");
  if (how === undefined) return compareBothWays(compareIn, { table, errored, score: columns.score });
  const counted = `${tellErrored(errored)} count as ${how}.`;
  const told = note("Errored", counted, how === "missing" ? "Option `errors: failures` counts them as failures." : "");
  const { result, notes } = compareUnscored(compareIn, {
    ...rows,
    table: countErrors(table, columns.score, errored, how),
  });
  return { result, notes: [told, ...notes] };
}

/** Rows of an evaluation that is still running: a row with nothing beyond what is known of its item beforehand was not run yet. It is not a failure. */
function leaveNotRunOut(rows: Rows): Rows {
  const { table, columns, options } = rows;
  if (options.unfinished !== true) return rows;
  const { slices = [], score, ...units } = columns;
  const scores = scoreNumbers(table, score);
  const named: readonly (string | undefined)[] = [...Object.values(units), ...slices, score];
  const count = (...names: readonly string[]): number =>
    groupKeys(
      names.map((name) => table.columns.get(name)!),
      table.rows,
    ).count;
  const items = count(columns.item);
  const found = [...table.columns].filter(([name]) => !named.includes(name) && count(columns.item, name) > items);
  const isEmpty = (row: number): boolean =>
    Number.isNaN(scores[row]!) && found.every(([, cells]) => isMissing(cells, row));
  return { ...rows, table: selectRows(table, (row) => !isEmpty(row)) };
}

function compareUnscored(compareIn: CompareIn, given: Rows): Compared {
  const rows = leaveNotRunOut(given);
  const { table, columns, systems, options } = rows;
  const { unscored: rule, unpaired = false, unfinished = false } = options;
  const gaps = findGaps(table, columns, systems);
  const coverage = systems.map((system, s) => ({ system, ...countGaps(gaps, s) }));
  // without a rule an item that was never run says nothing; with one it may be a crash that left no row
  const absent = rule !== undefined && !unpaired && !unfinished;
  const missing = coverage.some((own) => own.unscored > 0 || (absent && own.absent > 0));
  if (!missing) {
    const empty = given.table.rows - table.rows;
    const complete =
      empty > 0
        ? `${countOf(empty, "rows")} with nothing in them were not run yet, and all others have a score.`
        : "Every row has a score, so option `unscored` has no effect.";
    const result = compareIn(table);
    if (rule !== undefined) return { result, notes: [note("Coverage", complete, "")] };
    return { result, notes: unpaired || unfinished ? [] : warnOfAbsent(result, { gaps, coverage, systems }) };
  }
  if (rule === "wrong") return countAsWrong(compareIn, rows, { gaps, coverage, absent });
  const result = compareIn(table);
  const level = 1 - alphaOfPair(result);
  const bounded = result.pairs.map((pair): Bounded => {
    const at = [systems.indexOf(pair.a), systems.indexOf(pair.b)] as const;
    const { lower, upper, ci } = boundPair(gaps, at, { level, absent, paired: !unpaired });
    const bounds = { lower, upper, ci: { ...ci, level }, lowest: gaps.range[0], highest: gaps.range[1] };
    return { ...pair, bounds: { ...bounds, holds: holds(pair, bounds, result) } };
  });
  const checked = bounded.map((pair) => checkEnds(compareIn, rows, { pair, gaps, absent, result }));
  const weighed = checked.map((pair): Bounded => {
    if (pair.bounds.holds || rule === "bounds" || pair.typical !== undefined) return pair;
    const at = [systems.indexOf(pair.a), systems.indexOf(pair.b)] as const;
    return { ...pair, missing: measureMissing(gaps, at, { pair, margin: options.margin, paired: !unpaired }) };
  });
  const pairs = weighed.map((pair) =>
    pair.bounds.holds || rule === "complete" || pair.missing?.plausible === false
      ? pair
      : leaveOpen(pair, { gaps, coverage, result, absent }),
  );
  const notes = tellBounds(pairs, { gaps, coverage, result, absent, rule });
  const told = notes.length > 0 ? { ...result, diagnostics: withoutUnscored(result.diagnostics) } : result;
  return { result: withPairs(told as Comparison, pairs, coverage), notes };
}

/** Items that a system has no row of are left out, as a run may have been limited. That they are not its failures is an assumption, which is reported where
 *  the verdict hangs on it. */
function warnOfAbsent(
  result: Comparison,
  { gaps, coverage, systems }: Pick<Found, "gaps" | "coverage"> & { readonly systems: readonly string[] },
): Diagnostic[] {
  if (coverage.every(({ absent }) => absent === 0)) return [];
  const level = 1 - alphaOfPair(result);
  const hanging = result.pairs.filter((pair) => {
    if (isOpen(pair.verdict) || !lacksOutcomes(pair, gaps, true)) return false;
    const at = [systems.indexOf(pair.a), systems.indexOf(pair.b)] as const;
    const { lower, upper, ci } = boundPair(gaps, at, { level, absent: true, paired: true });
    return !holds(pair, { lower, upper, ci: { ...ci, level } }, result);
  });
  if (hanging.length === 0) return [];
  const [only] = hanging;
  const what = result.pairs.length === 1 ? only!.verdict : listNames(hanging.map(({ a, b }) => `${b} - ${a}`));
  const message = `${capitalised(tellMissing(coverage, true))}: ${what} assumes that they are missing at random. If they are failures, they could overturn it.`;
  return [warning("Absent", message, "Run them, or use option `unscored: bounds` to allow for any outcome.")];
}

/** Whether the interval of the bounds says what the verdict says; an open question stays open. */
function holds(
  { verdict, difference, equivalence }: ComparedPair,
  { ci }: NonNullable<ComparedPair["bounds"]>,
  { main }: Comparison,
): boolean {
  if (isOpen(verdict) || ci === undefined) return true;
  if (!isEquivalent(verdict)) return difference > 0 ? ci.lower > 0 : ci.upper < 0;
  const margin = (equivalence ?? main.equivalence)?.margin ?? 0;
  return ci.lower > -margin && ci.upper < margin;
}

/** Where the answer holds for more than items (raters, runs, clusters, prompts), an interval over items alone says too much. */
const isOverItems = ({ scope, model, clusters }: Comparison): boolean =>
  model === undefined && clusters === undefined && scope.every((facet) => facet === "items");

/** The bounds of a mean over items have an interval of their own. */
const isOfMeans = ({ typical }: ComparedPair, result: Comparison): boolean =>
  isOverItems(result) && typical === undefined;

/** A verdict is compared again with the missing outcomes of its pair at either end. The interval of an answer that holds for more than items is
 *  then what the intervals of these two answers and of the complete cases cover together. */
function checkEnds(
  compareIn: CompareIn,
  { table, columns, systems }: Rows,
  about: { readonly pair: Bounded; readonly gaps: Gaps; readonly absent: boolean; readonly result: Comparison },
): Bounded {
  const { pair, gaps, absent, result } = about;
  const ofMeans = isOfMeans(pair, result);
  const { ci: _, ...bare } = pair.bounds;
  const plain = ofMeans ? pair : { ...pair, bounds: { ...bare, holds: true } };
  const open = isOpen(pair.verdict);
  if (open && pair.typical === undefined) return plain;
  const alone = isOverItems(result) && result.pairs.length > 1;
  if (alone && !lacksOutcomes(pair, gaps, absent)) return plain;
  const ends = [gaps.range, [gaps.range[1], gaps.range[0]]].map(([ofA, ofB]) => {
    const value = systems.map((name) => (name === pair.a ? ofA! : name === pair.b ? ofB! : Number.NaN));
    const filled = fillGaps(table, columns, { gaps, value, absent });
    try {
      if (alone) return judgeAmong(compareIn(filled, [pair.a, pair.b]).main, pair, result);
      return compareIn(filled).pairs.find(({ a, b }) => a === pair.a && b === pair.b);
    } catch (error) {
      if (error instanceof StatError) return undefined;
      throw error;
    }
  });
  const met = ends.filter((end) => end !== undefined);
  const holdsThere = open || ends.every((end) => end?.verdict === pair.verdict);
  if (ofMeans || met.length < ends.length) return { ...plain, bounds: { ...plain.bounds, holds: holdsThere } };
  const intervals = [pair, ...met].map(({ ci }) => ci);
  const [lower, upper] = [leastOf(intervals.map((own) => own.lower)), mostOf(intervals.map((own) => own.upper))];
  const ci = Number.isFinite(lower) && Number.isFinite(upper) ? { ci: { lower, upper, level: pair.ci.level } } : {};
  return { ...pair, bounds: { ...bare, ...typicalBounds(pair, met), ...ci, holds: holdsThere } };
}

/** A median, and Hodges and Lehmann's difference, never fall where a difference rises: missing outcomes at either end bound them too. */
function typicalBounds(pair: Bounded, ends: readonly ComparedPair[]): { lower?: number; upper?: number } {
  if (pair.typical === undefined) return {};
  const found = ends.map(({ difference }) => difference);
  return { lower: leastOf(found), upper: mostOf(found) };
}

/** Whether one of the two systems lacks an outcome itself. */
const lacksOutcomes = ({ a, b }: ComparedPair, gaps: Gaps, absent: boolean): boolean =>
  [a, b].some((name) => {
    const own = countGaps(gaps, gaps.systems.indexOf(name));
    return own.unscored > 0 || (absent && own.absent > 0);
  });

/** The level of one pair: that of max-T, else Bonferroni's. */
const alphaOfPair = ({ alpha, pairAlpha, pairs }: Comparison): number => pairAlpha ?? alpha / pairs.length;

/** The verdict of one pair compared by itself, as one of several. With max-T p is below α where the pair's own is below the level of a pair;
 *  otherwise it is adjusted among those of the other pairs. Of p of equivalence only the adjusted ones of the others are known; times the
 *  number of pairs none is too small. */
function judgeAmong(
  end: ComparedPair,
  pair: Bounded,
  { pairs, adjust, alpha, pairAlpha, higherIsBetter }: Comparison,
): ComparedPair {
  const at = pairs.findIndex(({ a, b }) => a === pair.a && b === pair.b);
  const p =
    pairAlpha === undefined
      ? adjustP(
          pairs.map((own, k) => (k === at ? end.p : claimedP(own))),
          apart(adjust),
        )[at]!
      : Math.min(1, (end.p * alpha) / pairAlpha);
  const many = adjust === "none" ? 1 : pairs.length;
  const equivalence = end.equivalence && { ...end.equivalence, p: Math.min(1, many * end.equivalence.p) };
  const about = { difference: directionOf(end), opposed: isOpposed(end), ...(equivalence ? { equivalence } : {}) };
  return { ...end, p, verdict: decide({ ...about, p, alpha, higherIsBetter }) };
}

interface Found {
  readonly gaps: Gaps;
  readonly coverage: Coverage;
  readonly absent: boolean;
}

function countAsWrong(compareIn: CompareIn, { table, columns }: Rows, { gaps, coverage, absent }: Found): Compared {
  const { higherIsBetter } = compareIn(table);
  if (higherIsBetter === null)
    throw new StatError(
      "DirectionUnknown",
      `option \`unscored: wrong\` needs to know whether a higher ${columns.score} is better.`,
      "Set option `higherIsBetter` or option `higherIsBetter: false`.",
    );
  const worst = gaps.range[higherIsBetter ? 0 : 1];
  const filled = fillGaps(table, columns, { gaps, value: gaps.systems.map(() => worst), absent });
  const message = `${tellMissing(coverage, absent)} count as ${formatNumber(worst)}, the worst score${gaps.seen ? " that any row has" : ""}.`;
  const result = compareIn(filled);
  return { result: withPairs(result, result.pairs, coverage), notes: [note("Coverage", message, "")] };
}

/** "missing scores (3 of new) and items without a row (2 of base)". */
function tellMissing(coverage: Coverage, absent: boolean): string {
  const rows = coverage.filter((own) => own.unscored > 0).map(({ system, unscored }) => `${unscored} of ${system}`);
  const lacking = coverage.filter((own) => absent && own.absent > 0).map((own) => `${own.absent} of ${own.system}`);
  const told = [
    ...(rows.length === 0 ? [] : [`missing scores (${listNames(rows)})`]),
    ...(lacking.length === 0 ? [] : [`items without a row (${listNames(lacking)})`]),
  ];
  return told.join(" and ");
}

/** The same figures, and a verdict that missing outcomes leave open. */
function leaveOpen(
  pair: ComparedPair,
  { gaps, coverage, result, absent }: Found & { readonly result: Comparison },
): ComparedPair {
  const { exaggeration: _, nextStep: __, ...own } = pair;
  const those = coverage.filter(({ system }) => system === pair.a || system === pair.b);
  const missing = tellMissing(those, absent);
  const reason =
    pair.missing === undefined
      ? `${missing} could overturn ${pair.verdict}. ${capitalised(whatever(gaps))}, the ${differenceName(pair)} is ${boundsOf(pair, result)}.`
      : `${missing} may not be missing at random and could overturn ${pair.verdict}: ${tellTipping(pair, pair.missing, result)}, and ${tellDeparture(pair.missing, result)}.`;
  const why = { id: "reason" as const, text: reason, a: pair.a, b: pair.b, refused: false };
  const told = [...pair.told.filter(({ id }) => id === "figures"), why];
  return {
    ...own,
    verdict: INCONCLUSIVE,
    reason,
    told,
    statement: statementOf(told, result.style),
    advice: `Score these rows, or run the items again.${offerWrong(gaps, result)}`,
  };
}

/** "it would take a difference of -0.6 among the 12 items that lack a score" */
function tellTipping({ verdict }: ComparedPair, { tipping, items }: Missingness, { style, units }: Comparison): string {
  const among = `among the ${countOf(items, units)} that ${items === 1 ? "lacks" : "lack"} a score`;
  if (!Number.isFinite(tipping)) return `no difference ${among} would change ${verdict}`;
  return `it would take a mean difference of ${signed(tipping, style)} ${among} to change ${verdict}`;
}

/** What in the data speaks against missing at random, and how far it reaches. */
function tellDeparture({ shift, excess }: Missingness, { style }: Comparison): string {
  const whole = Math.floor(excess);
  const more = whole < 1 ? "" : `at least ${countOf(whole, "scores")} of one system beyond the other's rate: `;
  return `${more}what is seen lets the difference be off by ${writeMargin(shift, style)}`;
}

/** Scores seen do not bound those that are missing: only a scale does. */
function whatever({ range, seen }: Gaps): string {
  const [low, high] = range.map((end) => formatNumber(end));
  return seen
    ? `if they lie within ${low} to ${high}, the smallest and the largest score seen`
    : `whatever they are (${low} to ${high})`;
}

/** What option `unscored: wrong` would fill in; nothing where no end is known to be wrong. */
function offerWrong({ range, seen }: Gaps, { higherIsBetter }: Comparison): string {
  if (higherIsBetter === null) return "";
  const worst = `${formatNumber(range[higherIsBetter ? 0 : 1])}, the ${higherIsBetter ? "lowest" : "highest"} score${seen ? " seen" : " there is"}`;
  const counted = range[0] === 0 && range[1] === 1 ? "failures" : worst;
  return ` If your benchmark counts them as ${counted}, use option \`unscored: wrong\`.`;
}

/** What is told with its bounds need not be told without. */
const withoutUnscored = (diagnostics: readonly Diagnostic[]): Diagnostic[] =>
  diagnostics.filter(({ code }) => code !== "Unscored");

/** "between +0.5 and +0.7 (95 % interval …)"; an interval narrower than that of the complete cases is not told. */
function boundsOf(pair: ComparedPair, result: Comparison): string {
  const { bounds, ci } = pair;
  const { style } = result;
  const between = `between ${writeRange(bounds!, style).replace(" to ", " and ")}`;
  const own = bounds!.ci;
  if (own === undefined || own.lower > ci.lower || own.upper < ci.upper) return between;
  const told = writeInterval(own, style);
  return isOfMeans(pair, result)
    ? `${between} (${told})`
    : `${between} (${told}, the union of the intervals without them and with all of them at either end of the scale)`;
}

/** " (then -0.3 to +0.9)": with the missing outcomes at either end. */
const wideOf = ({ bounds }: ComparedPair, { style }: Comparison): string =>
  bounds?.ci === undefined ? "" : ` (then ${writeRange(bounds.ci, style)})`;

function tellBounds(
  pairs: readonly ComparedPair[],
  {
    gaps,
    coverage,
    result,
    absent,
    rule,
  }: Found & { readonly result: Comparison; readonly rule: CompareOptions["unscored"] },
): Diagnostic[] {
  const each = pairs
    .filter(({ reason }) => reason === undefined)
    .map(
      (pair) =>
        `${pairs.length === 1 ? `the ${differenceName(pair)} over all items` : `${pair.b} - ${pair.a}`} is ${boundsOf(pair, result)}`,
    );
  // the one pair has said so itself; of several no screen has the paragraph
  const open = pairs.length === 1 ? [] : pairs.filter(({ reason }) => reason !== undefined);
  const tipped = pairs
    .filter((pair) => pair.reason === undefined && pair.missing !== undefined)
    .map((pair) => `${pairs.length === 1 ? "" : `${pair.b} - ${pair.a}: `}${tellTipping(pair, pair.missing!, result)}`);
  if (each.length === 0 && open.length === 0) return [];
  const left = open.map((pair) => `${pair.b} - ${pair.a}${wideOf(pair, result)}`);
  const told = [
    ...(left.length === 0 ? [] : [`they could overturn ${left.join(" and ")}, so the verdict is ${INCONCLUSIVE}`]),
    ...(each.length === 0 ? [] : each),
  ];
  const message = `${tellMissing(coverage, absent)}: ${whatever(gaps)}, ${told.join("; ")}.`;
  const broken = rule === "complete" && pairs.some(({ bounds }) => bounds?.holds === false);
  const over = broken ? " They could overturn the verdict, which uses the complete cases only." : "";
  const sensitivity =
    tipped.length === 0 ? "" : ` Gosset assumes that they are missing at random: ${tipped.join("; ")}.`;
  const fix = "Score them and compare again, or choose with option `unscored` how they count.";
  return [warning("Coverage", `${message}${over}${sensitivity}`, fix)];
}

const withPairs = (result: Comparison, pairs: readonly ComparedPair[], coverage: Coverage): Comparison =>
  changeComparison(result, { pairs, main: pairs[result.pairs.indexOf(result.main)] ?? result.main, coverage });

function tellErrored({ ended, column, systems, scored, kept }: Errored): string {
  const counted = listNames([...systems].map(([name, rows]) => `${rows} of ${name}`));
  const mixed = scored === "mixed" ? ", some scored 0 and some without a score" : "";
  const beside = kept === undefined ? "" : `, without a score; ${kept} with one keep it`;
  return `rows that ended ${ended} (${column}: ${counted}${mixed}${beside})`;
}

/** Rows that ended in an error as failures and as missing: where the verdict hangs on that, there is none. */
function compareBothWays(
  compareIn: CompareIn,
  { table, errored, score }: { readonly table: Table; readonly errored: Errored; readonly score: string },
): Compared {
  const [failures, missing] = (["failures", "missing"] as const).map((own) => {
    try {
      return compareIn(countErrors(table, score, errored, own));
    } catch (error) {
      // too little is left without them
      if (error instanceof StatError) return undefined;
      throw error;
    }
  });
  // scored in two ways, they cannot stand as they are
  const own = errored.scored === "mixed" ? "missing" : errored.scored;
  const chosen = { failures, missing }[own] ?? compareIn(table);
  const other = own === "failures" ? missing : failures;
  const rows = tellErrored(errored);
  if (other === undefined) return { result: chosen, notes: [warning("Errored", `${rows} count as ${own}.`, "")] };
  // both in the digits of the one that stands in the table
  const tell = ({ main }: Comparison): string =>
    `${signed(main.difference, chosen.style)} (${writeRange(main.ci, chosen.style)}), ${main.verdict}`;
  const [asFailures, asMissing] = own === "failures" ? [chosen, other] : [other, chosen];
  const differences = [asFailures, asMissing].map(({ main }) => main.difference);
  // where less is better, 0 is the best score and no failure
  const counted = chosen.higherIsBetter === false ? "as 0, the best score there is," : "as failures";
  const both = `${counted} the difference is ${tell(asFailures)}; left out, ${tell(asMissing)}`;
  const fix =
    chosen.higherIsBetter === false
      ? "Option `errors: missing` leaves them out."
      : "Option `errors: failures` or option `errors: missing` sets how they count.";
  const bounds = { bounds: { lower: leastOf(differences), upper: mostOf(differences) } };
  if (asFailures.main.verdict === asMissing.main.verdict) {
    const notes = [warning("Errored", `${rows}: ${both}.`, fix)];
    return { result: addToResult(chosen, { published: bounds }), notes };
  }
  const reason = `the verdict depends on the ${rows}: ${both}.`;
  return {
    result: addToResult(refuseVerdict(chosen, { reason, fix, meansStand: false }), { published: bounds }),
    notes: [],
  };
}
