/** What a reader of a comparison has to be warned of. */

import { doesNothing } from "../../question/refuse.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { leastOf } from "../../result/extremes.ts";

import { lookAlikes } from "../../result/look-alikes.ts";
import { listNames } from "../../result/quote.ts";
import { addToResult, type Diagnostic } from "../../result/result.ts";
import { fewDrawnNotes, keepsLevel } from "../tests/bootstrap-test.ts";
import type { ComparedPair, CompareOptions, Comparison, ComparisonData } from "./comparison.ts";
import { countOf, type ScoreStyle, writeInterval, writeScore } from "./narrate.ts";
import type { Facet } from "./pair/facets.ts";
import { FEW_RUNS } from "./pair/runs.ts";
import { claimNotes } from "./pair/skewed.ts";
import { isClaim } from "./pair/verdict.ts";
import type { SystemScore } from "./system-scores.ts";

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
  const few = `only ${countOf(n, units)}: unless these are typical of all, the result says little.`;
  return [
    ...(n < FEW_ITEMS ? [warning("FewItems", few, `Run more ${units} before you conclude anything.`)] : []),
    ...clusterNotes(input),
    ...drawnNotes(input, pairs),
    ...pairs.filter(({ flips }) => flips !== undefined && flips.gained + flips.lost === 0).map(sameScores),
    ...unmatchedNotes(input),
    ...repeatNotes(input),
    ...pairs.filter(({ verdict }) => verdict !== "INCONCLUSIVE").flatMap(claimNotes),
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
      `the items lie in ${count} clusters, which count as little more than ${count} observations.`,
      "Collect items from more sources; if the items are independent after all, say option `cluster: none`.",
    ),
  ];
}

const sameScores = ({ a, b }: ComparedPair): Diagnostic =>
  warning(
    "NoDifference",
    `the scores of ${a} and ${b} are the same on every item.`,
    "Check that these are two different runs.",
  );

/** Why an interval is missing: scores or differences that are all the same leave nothing to measure noise by. */
export function spreadNotes(
  pairs: readonly ComparedPair[],
  systems: readonly SystemScore[],
  style: ScoreStyle,
): Diagnostic[] {
  const constant = pairs.filter(({ se, ci, difference }) => se === 0 && Number.isNaN(ci.lower) && difference !== 0);
  const same = systems.filter(({ lower }) => lower !== undefined && Number.isNaN(lower)).map(({ name }) => name);
  const differences = constant.map(({ a, b, difference }) =>
    warning(
      "ConstantDifference",
      `every item differs by the same ${writeScore(Math.abs(difference), style)} between ${a} and ${b}: without spread there is no interval, and nothing says how small a difference could be seen.`,
      "Check that the scores of one were not computed from the other's; option `test: sign` asks whether their direction is chance.",
    ),
  );
  if (same.length === 0) return differences;
  const message = `the scores of ${same.join(", ")} are the same on every item: without spread there is no interval.`;
  return [...differences, note("NoSpread", message, "Check the score.")];
}

function unmatchedNotes({ unmatched = [], itemsLost = 0, data }: ComparisonData): Diagnostic[] {
  const unscored = unmatched
    .filter((u) => u.unscored > 0)
    .map((u) => `${countOf(u.unscored, "rows")} of ${u.system} ${u.unscored === 1 ? "has" : "have"} no score`);
  if (itemsLost === 0) {
    if (unscored.length === 0) return [];
    const message = `${unscored.join("; ")}; the other rows of these items stand for them.`;
    return [
      warning("Unscored", message, "A missing score is neither right nor wrong: score the rows and compare again."),
    ];
  }
  const lacking = unmatched
    .filter(({ missing }) => missing > 0)
    .map(
      ({ system, missing, examples }) =>
        `${system} lacks ${missing} (${examples.join(", ")}${missing > examples.length ? ", …" : ""})`,
    );
  const message = `${itemsLost} of ${itemsLost + data.items.length} items were left out because not every system has a score on them: ${[...lacking, ...unscored].join("; ")}.`;
  return [
    warning("Unmatched", message, "A missing item is neither right nor wrong: run or score it, and compare again."),
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
      `each system has ${range} scores on each of the ${units}; they were averaged, since repeats are not more ${units}.${tellFewer(input, most)}`,
      "Option `test: model` takes every score for itself.",
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
    `${doubled.length} of ${n} ${units} have several scores of one system (${listNames(doubled.map(String))}), the others one: they were averaged, but may be duplicates.`,
    "Remove rows that were written twice; or name the column that tells repeats apart with option `run`.",
  );
}

/** An interval and a test by two methods need not agree at the border. */
function borderNotes({ ci, test, p, verdict }: ComparedPair): Diagnostic[] {
  const alpha = 1 - ci.level;
  if (test.name === "model" || verdict === "EQUIVALENT" || Number.isNaN(p) || Number.isNaN(ci.lower)) return [];
  const excludes = ci.lower > 0 || ci.upper < 0;
  if (excludes === p < alpha) return [];
  const message = `the interval (${ci.method}) ${excludes ? "just excludes" : "includes"} 0 and the test does not agree: they are two methods, and the case is at the border. The verdict follows the test.`;
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
    const message = `with so few runs (${counts}) the multi-bootstrap is too sure of itself.`;
    return few ? [warning("FewRuns", message, `Run at least ${FEW_RUNS} seeds of each system.`)] : [];
  }
  const narrow = few ? "; with so few runs it may still be too narrow" : "";
  const told = `drawing runs (${counts}) as well as items gives ${b} - ${a} a ${writeInterval(runs, style)} (multi-bootstrap)${narrow}.`;
  if (!isClaim(verdict) || runs.lower > 0 || runs.upper < 0)
    return [note("RunsAndItems", told, "Option `test: multi-bootstrap` decides by it.")];
  return [
    warning(
      "RunsDiffer",
      `${told} The verdict holds for these runs; other runs of the same systems may not show it.`,
      "Run more seeds, or claim it of these runs only.",
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
  const drew =
    result.pairs.some(({ test, runs }) => test.replicates > 0 || runs !== undefined) || result.adjust === "max-t";
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
      ...(single ? [`There is one pair, so ${adjust} adjusts nothing.`] : []),
      ...(exact ? [`The test is exact, so replicates ${replicates} draws nothing.`] : []),
    ],
  });
}

const tellExact = (replicates: number): Diagnostic =>
  note(
    "NothingDrawn",
    `the test counts all swaps: option \`replicates: ${replicates}\` has nothing to draw.`,
    "Leave it out.",
  );

/** A plan or a script may name an adjustment before anybody knows how many systems there will be. */
const tellOnePair = (adjust: string): Diagnostic =>
  note("OnePair", `one pair of systems: option \`adjust: ${adjust}\` has nothing to adjust p for.`, "Leave it out.");
