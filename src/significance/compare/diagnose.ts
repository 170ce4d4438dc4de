/** What a reader of a comparison has to be warned of. */

import { finiteCounts } from "../../data/counts.ts";
import { rangeByName } from "../../metrics/range.ts";
import { doesNothing } from "../../question/refuse.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { leastOf } from "../../result/extremes.ts";

import { lookAlikes } from "../../result/look-alikes.ts";
import { formatNumber } from "../../result/number-format.ts";
import { listNames } from "../../result/quote.ts";
import { addToResult, type Diagnostic } from "../../result/result.ts";
import { isClaim, isEquivalent, isInconclusive } from "../../result/verdict.ts";
import { fewDrawnNotes, keepsLevel } from "../tests/bootstrap-test.ts";
import type { ComparedPair, CompareOptions, Comparison, ComparisonData } from "./comparison.ts";
import type { Facet } from "./pair/facets.ts";
import { FEW_RUNS } from "./pair/runs.ts";
import { claimNotes } from "./pair/skewed.ts";
import type { SystemScore } from "./system-scores.ts";
import { countOf, type ScoreStyle, writeInterval, writeScore } from "./written-numbers.ts";

/** Below this many, intervals by t and by the bootstrap are rough. */
const FEW_ITEMS = 30;
const FEW_CLUSTERS = 10;

export function diagnose(
  input: ComparisonData,
  pairs: readonly ComparedPair[],
  { style, scope }: { readonly style: ScoreStyle; readonly scope: readonly Facet[] },
): Diagnostic[] {
  const { units = "items" } = input;
  const n = input.data.items.length;
  const few = `Only ${countOf(n, units)}: power is low, and the interval depends on how the differences are distributed.`;
  return [
    ...(n < FEW_ITEMS ? [warning("FewItems", few, `Run at least a few dozen ${units}.`)] : []),
    ...clusterNotes(input),
    ...rareClasses(input),
    ...drawnNotes(input, pairs),
    ...pairs.filter(({ flips }) => flips !== undefined && flips.gained + flips.lost === 0).map(sameScores),
    ...pairs
      .filter(({ typical, flips }) => typical !== undefined && flips !== undefined && flips.tied > 0)
      .map(tiesNote),
    ...unmatchedNotes(input),
    ...repeatNotes(input),
    ...pairs.filter(({ verdict }) => !isInconclusive(verdict)).flatMap(claimNotes),
    ...pairs.flatMap((pair) => (pairs.length === 1 ? borderNotes(pair) : [])),
    ...(pairs.length === 1
      ? runsNotes(pairs[0]!, { style, scope })
      : pairs.flatMap((p) => runsNotes(p, { style, scope }).filter(isWarning))),
  ];
}

/** The bootstrap, which is used where it was asked for. */
function drawnNotes({ data, clusters, units }: ComparisonData, pairs: readonly ComparedPair[]): Diagnostic[] {
  const n = data.items.length;
  if (!pairs.some(({ test }) => test.name === "bootstrap")) return [];
  if (clusters !== undefined) return fewDrawnNotes(clusters.names.length, "clusters");
  return data.kind === "scores" && keepsLevel(data.means.slice(0, n)) && keepsLevel(data.means.slice(n))
    ? []
    : fewDrawnNotes(n, units ?? "items");
}

function clusterNotes({ clusters }: ComparisonData): Diagnostic[] {
  const count = clusters?.names.length ?? Number.POSITIVE_INFINITY;
  if (count >= FEW_CLUSTERS) return [];
  return [
    warning(
      "FewClusters",
      `Only ${count} clusters of items: they are worth little more than ${count} independent observations.`,
      "Collect items from more clusters. If the items are independent, use option `cluster: none`.",
    ),
  ];
}

/** From here on classes are many, and below it a class is rare: a convention, not a border that was measured. */
const MANY_CLASSES = 10;
const FEW_OF_CLASS = 10;
/** Hits, predicted and true numbers of a class. */
const PARTS_OF_CLASS = 3;

/** A macro mean over many rare classes: each one's figure rests on a few items, and is skewed. */
function rareClasses({ data }: ComparisonData): Diagnostic[] {
  const first = data.kind === "statistics" ? data.statistics[0] : undefined;
  if (first === undefined || !first.metric.name.startsWith("macro ")) return [];
  const { width, n, data: parts, metric } = first;
  const sizes = Array.from({ length: Math.floor(width / PARTS_OF_CLASS) }, (_, k) => {
    let items = 0;
    for (let i = 0; i < n; i++) items += parts[i * width + PARTS_OF_CLASS * k + 2]!;
    return items;
  });
  const rare = sizes.filter((items) => items < FEW_OF_CLASS).length;
  if (sizes.length < MANY_CLASSES || 2 * rare < sizes.length) return [];
  const message = `${rare} of ${sizes.length} classes have fewer than ${FEW_OF_CLASS} items each: in simulations with 20 rare classes 95 % intervals of ${metric.name} covered 92.3 %.`;
  return [warning("RareClasses", message, "Add items of the rare classes, or report the micro average next to it.")];
}

const sameScores = ({ a, b }: ComparedPair): Diagnostic =>
  warning(
    "NoDifference",
    `${a} and ${b} have the same score on every item.`,
    "Check that these are two different runs.",
  );

/** The test of ranks or of signs leaves out differences of 0. */
const tiesNote = ({ a, b, flips, typical }: ComparedPair): Diagnostic => {
  const { tied, gained, lost } = flips!;
  return note(
    "TiesLeftOut",
    `${a} and ${b} have the same score on ${tied} of ${tied + gained + lost} items. The test, the ${typical!.name} and its interval are of the other ${gained + lost}.`,
    "",
  );
};

/** Where equal values leave no variance: of clusters it is their means that are equal, not their items. */
export const whereEqual = (clustered: boolean): string => (clustered ? "on average in every cluster" : "on every item");

/** Why an interval is missing: scores or differences that are all the same leave nothing to measure noise by. */
export function spreadNotes(
  pairs: readonly ComparedPair[],
  systems: readonly SystemScore[],
  { style, clustered }: { readonly style: ScoreStyle; readonly clustered: boolean },
): Diagnostic[] {
  const where = whereEqual(clustered);
  const constant = pairs.filter(({ se, ci, difference }) => se === 0 && Number.isNaN(ci.lower) && difference !== 0);
  const same = systems.filter(({ lower }) => lower !== undefined && Number.isNaN(lower)).map(({ name }) => name);
  const differences = constant.map(({ a, b, difference }) =>
    warning(
      "ConstantDifference",
      `${a} and ${b} differ by the same ${writeScore(Math.abs(difference), style)} ${where}. Without variance there is no interval and no minimum detectable effect.`,
      "Check that the scores of one system were not computed from those of the other. Option `test: sign` tests the direction alone.",
    ),
  );
  if (same.length === 0) return differences;
  const whole = systems.find(({ name, interval }) => same.includes(name) && interval === "jackknife t");
  if (whole !== undefined) {
    const message = `${same.join(", ")}: the score is the same without any one item, as where no item is a hit, so there is no interval.`;
    return [
      ...differences,
      warning("NoSpread", message, "Add items of the rare class, or report how many were found."),
    ];
  }
  const message = `${same.join(", ")} scored the same ${where}. Without variance there is no interval.`;
  return [...differences, note("NoSpread", message, "Check the score.")];
}

function unmatchedNotes({ unmatched = [], itemsLost = 0, data }: ComparisonData): Diagnostic[] {
  const unscored = unmatched
    .filter((u) => u.unscored > 0)
    .map((u) => `${countOf(u.unscored, "rows")} of ${u.system} ${u.unscored === 1 ? "has" : "have"} no score`);
  if (itemsLost === 0) {
    if (unscored.length === 0) return [];
    const message = `${unscored.join("; ")}. Gosset uses the other rows of these items instead.`;
    return [
      warning("Unscored", message, "A missing score is neither right nor wrong. Score these rows and compare again."),
    ];
  }
  const lacking = unmatched
    .filter(({ missing }) => missing > 0)
    .map(
      ({ system, missing, examples }) =>
        `${system} lacks ${missing} (${examples.join(", ")}${missing > examples.length ? ", …" : ""})`,
    );
  const message = `Gosset left out ${itemsLost} of ${itemsLost + data.items.length} items that not every system has a score for: ${[...lacking, ...unscored].join("; ")}.`;
  return [
    warning("Unmatched", message, "A missing item is neither right nor wrong. Run or score it, and compare again."),
  ];
}

/** Repeats are averaged, which changes what n means: say so. */
function repeatNotes(input: ComparisonData): Diagnostic[] {
  const { data, units = "items" } = input;
  if (data.kind !== "scores") return [];
  const most = data.counts.reduce((top, k) => Math.max(top, k), 0);
  if (most < 2) return [];
  const doubled = doubledItems(input);
  if (doubled !== undefined) return [doubled];
  const fewest = data.counts.reduce((least, k) => Math.min(least, k), most);
  const range = fewest === most ? String(most) : `${fewest} to ${most}`;
  return [
    note(
      "RepeatsAveraged",
      `Each system has ${range} scores on each of the ${units}. Gosset averages them, because repeated scores are not additional ${units}.${tellFewer(input, most)}`,
      "Option `test: model` models every score.",
    ),
  ];
}

/** Item-runs that are not there or have no score. */
function tellFewer({ data, systems }: ComparisonData, most: number): string {
  if (data.kind !== "scores") return "";
  const n = data.items.length;
  const fewer = systems.flatMap((name, s) => {
    const own = data.counts.subarray(s * n, (s + 1) * n).reduce((sum, k) => sum + k, 0);
    return own < n * most ? [`${name} has ${own}`] : [];
  });
  return fewer.length === 0 ? "" : ` ${most} on each would be ${n * most}: ${listNames(fewer)}.`;
}

/** Repeats are of most items: where few have several rows, something may have been written twice. */
const FEW_REPEATED = 0.25;

function doubledItems({ data, signature, systems, units = "items" }: ComparisonData): Diagnostic | undefined {
  const { columns } = signature.options;
  if (data.kind !== "scores" || columns?.repeat !== undefined || columns?.rater !== undefined) return undefined;
  const n = data.items.length;
  const again = data.items.map((_, i) => systems.some((_name, s) => data.counts[s * n + i]! > 1));
  const doubled = data.items.filter((_, i) => again[i]);
  if (doubled.length > FEW_REPEATED * n) return undefined;
  return warning(
    "FewRepeated",
    `${doubled.length} of ${n} ${units} have several scores of one system (${listNames(doubled.map(String))}), the others one. Gosset averages them, but they may be duplicates.`,
    "Remove duplicate rows, or name the column that numbers the runs with option `run`.",
  );
}

/** An interval and a test by two methods need not agree at the border. */
function borderNotes({ ci, test, p, verdict }: ComparedPair): Diagnostic[] {
  const alpha = 1 - ci.level;
  if (test.name === "model" || isEquivalent(verdict) || Number.isNaN(p) || Number.isNaN(ci.lower)) return [];
  const excludes = ci.lower > 0 || ci.upper < 0;
  if (excludes === p < alpha) return [];
  const message = `The interval (${ci.method}) ${excludes ? "excludes" : "includes"} 0, but the test does not agree. They are two methods and the case is borderline. The verdict follows the test.`;
  return [note("AtTheBorder", message, "Report both, and collect more items before you build on it.")];
}

const isWarning = ({ severity }: Diagnostic): boolean => severity === "warning";

function runsNotes(
  { runs, a, b, p, verdict, test }: ComparedPair,
  { style, scope }: { readonly style: ScoreStyle; readonly scope: readonly Facet[] },
): Diagnostic[] {
  if (runs === undefined || p === 1) return [];
  // the verdict has taken account of them
  if (scope.includes("runs") && test.name !== "multi-bootstrap") return [];
  const [ofA, ofB] = runs.runs;
  const counts = ofA === ofB ? `${ofA} of each` : `${ofB} of ${b}, ${ofA} of ${a}`;
  const few = leastOf(runs.runs.filter((k) => k > 1)) < FEW_RUNS;
  if (test.name === "multi-bootstrap") {
    const message = `Only a few runs (${counts}): the intervals of the multi-bootstrap are too narrow.`;
    return few ? [warning("FewRuns", message, `Run at least ${FEW_RUNS} seeds of each system.`)] : [];
  }
  const narrow = few ? ", which may be too narrow with so few runs" : "";
  const told = `With runs resampled too (${counts}), ${b} - ${a} has a ${writeInterval(runs, style)} (multi-bootstrap)${narrow}.`;
  if (!isClaim(verdict) || runs.lower > 0 || runs.upper < 0)
    return [note("RunsAndItems", told, "Option `test: multi-bootstrap` bases the verdict on it.")];
  return [
    warning(
      "RunsDiffer",
      `${told} The verdict is about these runs and may not replicate with others.`,
      "Run more seeds, or report the result for these runs only.",
    ),
  ];
}

export interface Compared {
  readonly result: Comparison;
  readonly notes: readonly Diagnostic[];
}

/** Whoever reads a verdict must be able to tell the systems apart. */
export function withLookAlikes(result: Comparison): Comparison {
  const names = result.systems.map(({ name }) => name);
  const alike = lookAlikes(names, "systems");
  return alike.length === 0 ? result : addToResult(result, { reading: alike });
}

/** What an option could not do is said, or refused where nothing of its kind is done. */
export function withIdleOptions(result: Comparison, options: CompareOptions): Comparison {
  // a permutation test draws where it cannot count all: that depends on the data, which nobody knows who sets the option
  const drew = result.pairs.some(({ test, runs }) => test.replicates > 0 || runs !== undefined);
  const counts = result.pairs.some(({ test }) => test.name === "permutation") || result.slices.length > 0;
  const { adjust, replicates } = options;
  if (!drew && !counts && replicates !== undefined)
    throw doesNothing("replicates", replicates, `here: nothing is drawn in the ${result.main.test.label}`);
  const single = adjust !== undefined && adjust !== "none" && result.pairs.length === 1 && result.slices.length === 0;
  const exact = replicates !== undefined && !drew && result.slices.length === 0;
  if (!single && !exact) return result;
  return addToResult(result, {
    reading: [...(single ? [tellOnePair(adjust)] : []), ...(exact ? [tellExact(replicates)] : [])],
    assumed: [
      ...(single ? [`There is one pair, so option adjust has no effect.`] : []),
      ...(exact ? [`The test is exact, so option replicates has no effect.`] : []),
    ],
  });
}

const tellExact = (replicates: number): Diagnostic =>
  note("NothingDrawn", `The test is exact, so option \`replicates: ${replicates}\` has no effect.`, "Leave it out.");

/** A plan or a script may name an adjustment before anybody knows how many systems there will be. */
const tellOnePair = (adjust: string): Diagnostic =>
  note("OnePair", `There is one pair of systems, so option \`adjust: ${adjust}\` has no effect.`, "Leave it out.");

/** A scale that people rate on ends by here. */
const HIGHEST_STEP = 10;
const FEWEST_STEPS = 2;

/** A mean of ratings cannot lie beyond the ends of their scale, which only the name of the score tells: limits beyond all ratings ask for it. */
export function tellBeyondSteps({ systems, metric }: Comparison, values: Float64Array): Diagnostic[] {
  const steps = [...finiteCounts(values).of.keys()].sort((a, b) => a - b);
  const [least, most] = [steps[0] ?? Number.NaN, steps.at(-1) ?? Number.NaN];
  const whole = steps.every(Number.isInteger) && least >= 0 && most <= HIGHEST_STEP;
  if (!whole || most <= 1 || steps.length < FEWEST_STEPS || rangeByName(metric, values) !== undefined) return [];
  const beyond = systems.find(({ lower = least, upper = most }) => lower < least || upper > most);
  if (beyond === undefined) return [];
  const above = (beyond.upper ?? most) > most;
  const [limit, end] = above ? [beyond.upper!, most] : [beyond.lower!, least];
  const message = `the interval of ${beyond.name} ends at ${formatNumber(Number(limit.toPrecision(4)))}, beyond the ${above ? "largest" : "smallest"} ${metric} seen, ${end}.`;
  const fix = `If the scale ends there, name it in the column, as in ${JSON.stringify(`${metric} (${least}-${most})`)}: limits are then cut at its ends.`;
  return [note("BeyondScale", message, fix)];
}
