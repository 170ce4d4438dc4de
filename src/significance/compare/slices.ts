/** The same comparison within parts of the items (tasks, languages, topics), with p-values adjusted for looking at many parts.
 *  Also in how many of them the difference can be claimed: the partial conjunction bound of Benjamini & Heller (2008), as Dror
 *  et al. (2017), TACL 5, use it. */

import type { ItemStatistics } from "../../metrics/metric.ts";
import { tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { makeRng } from "../../numeric/rng.ts";
import type { RunScores } from "../../resample/multi-bootstrap.ts";
import type { Verdict } from "../../result/verdict.ts";
import { adjustP, apart } from "../multiplicity.ts";
import { partialConjunction } from "../partial-conjunction.ts";
import type { ComparedItems, ComparedPair, ComparisonData, PairwiseOptions } from "./comparison.ts";
import { isShare } from "./conclude.ts";
import type { Groups } from "./matching/matching.ts";
import { claimedP, holdAgainstRuns } from "./pair/facets.ts";
import type { PairedItems } from "./pair/items.ts";
import { withoutRuns } from "./pair/items.ts";
import { comparePair } from "./pair/pair.ts";
import { chooseTest } from "./pair/tests.ts";
import { directionOf, isOpposed } from "./pair/typical.ts";
import { type Direction, decide } from "./pair/verdict.ts";
import { cutDifference, scaleOf } from "./scale.ts";

export interface Slice {
  readonly name: string;
  readonly n: number;
  readonly scoreA: number;
  readonly scoreB: number;
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
  /** As it is, and adjusted for the number of slices. */
  readonly p: number;
  readonly adjusted: number;
  readonly verdict: Verdict;
}

export interface SliceTable {
  readonly column: string;
  readonly a: string;
  readonly b: string;
  readonly slices: readonly Slice[];
  /** In at least this many slices the difference is real, all in all at level α (partial conjunction). */
  readonly atLeast: number;
  /** Every slice counts the same, however many items it has; absent where a slice has no standard error. */
  readonly macro?: MacroAverage;
}

/** The mean over slices, which are taken as they are: other tasks might show something else.
 *      δ = Σ_t δ_t / T,   se² = Σ_t se_t² / T²,   df by Satterthwaite (1946) */
export interface MacroAverage {
  readonly scoreA: number;
  readonly scoreB: number;
  readonly difference: number;
  readonly se: number;
  readonly df: number;
  readonly lower: number;
  readonly upper: number;
  readonly p: number;
  readonly verdict: Verdict;
}

/** More slices than this are a list of items, not a summary. */
export const MOST_SLICES = 60;

export function compareSlices(input: ComparisonData, main: ComparedPair, options: PairwiseOptions): SliceTable[] {
  const [a, b] = [input.systems.indexOf(main.a), input.systems.indexOf(main.b)];
  const rng = options.rng ?? makeRng("1");
  return (
    [...(input.slices ?? [])]
      // a part for each item says nothing of parts
      .filter(
        ([, { names }]) => names.length > 1 && names.length <= MOST_SLICES && names.length < input.data.items.length,
      )
      .map(([column, groups], k) => {
        const parts = compareGroups(input, groups, { a, b, options: { ...options, rng: rng.stream(k) } });
        const slices = parts.map(({ se: _, df: __, ...slice }) => slice);
        const macro = averageSlices(parts, input.higherIsBetter, options);
        const known = slices.map(({ p }) => p).filter((p) => !Number.isNaN(p));
        return {
          column,
          a: main.a,
          b: main.b,
          slices,
          atLeast: known.length === 0 ? 0 : countReal(known, input, options),
          ...(macro ? { macro } : {}),
        };
      })
  );
}

type MeasuredSlice = Slice & { readonly se: number; readonly df: number };

function averageSlices(
  slices: readonly MeasuredSlice[],
  higherIsBetter: Direction,
  { alpha = 0.05, confidence = 0.95 }: PairwiseOptions,
): MacroAverage | undefined {
  const T = slices.length;
  const mean = (pick: (slice: MeasuredSlice) => number): number => slices.reduce((sum, own) => sum + pick(own), 0) / T;
  const variances = slices.map(({ se }) => (se / T) ** 2);
  const variance = variances.reduce((sum, v) => sum + v, 0);
  if (!(variance > 0)) return undefined;
  const df = variance ** 2 / slices.reduce((sum, own, t) => sum + variances[t]! ** 2 / own.df, 0);
  // of the means, whatever the test of each slice is about: the standard errors are theirs
  const [difference, se] = [mean((own) => own.scoreB - own.scoreA), Math.sqrt(variance)];
  const half = tQuantileUpper((1 - confidence) / 2, df) * se;
  const p = 2 * tSf(Math.abs(difference) / se, df);
  const scores = { scoreA: mean(({ scoreA }) => scoreA), scoreB: mean(({ scoreB }) => scoreB) };
  const verdict = decide({ difference, p, alpha, higherIsBetter });
  return { ...scores, difference, se, df, lower: difference - half, upper: difference + half, p, verdict };
}

/** Slices share no items, so their p-values are independent unless clusters or runs reach across slices. */
function countReal(
  p: readonly number[],
  { clusters }: ComparisonData,
  { alpha = 0.05, scope = [] }: PairwiseOptions,
): number {
  const apart = clusters === undefined && !scope.includes("runs");
  return partialConjunction(p, { alpha, method: apart ? "fisher" : "bonferroni" }).k;
}

function compareGroups(
  input: ComparisonData,
  groups: Groups,
  { a, b, options }: { a: number; b: number; options: PairwiseOptions },
): MeasuredSlice[] {
  const { data, clusters, higherIsBetter } = input;
  const { alpha = 0.05, confidence = 0.95, adjust = "holm", scope = ["items"], rng = makeRng("1") } = options;
  const scale = scaleOf(input, isShare(input));
  const parts = groups.names.map((name, g) => {
    const rows = Int32Array.from(groups.codes.keys()).filter((i) => groups.codes[i] === g);
    const items: PairedItems = selectItems(data, [a, b], rows);
    const own = clusters && { clusters: Int32Array.from(rows, (i) => clusters.codes[i]!) };
    // within one cluster its items are all there is to draw from
    const usable: { clusters?: Int32Array } = own && new Set(own.clusters).size > 1 ? own : {};
    const test = options.test ?? chooseTest(items, usable.clusters);
    const plain = comparePair(test === "multi-bootstrap" ? items : withoutRuns(items), {
      ...options,
      test,
      rng: rng.stream(g),
      ...usable,
    });
    const result = holdAgainstRuns(plain, items, { scope, alpha, confidence, units: input.units });
    return { name, n: rows.length, result: { ...result, ci: cutDifference(result.ci, scale) } };
  });
  const adjusted = adjustP(
    parts.map(({ result }) => claimedP(result)),
    apart(adjust),
  );
  return parts.map(({ name, n, result }, g) => ({
    name,
    n,
    scoreA: result.scoreA,
    scoreB: result.scoreB,
    difference: result.difference,
    se: result.se,
    df: result.df,
    lower: result.ci.lower,
    upper: result.ci.upper,
    p: claimedP(result),
    adjusted: adjusted[g]!,
    verdict: decide({
      difference: directionOf(result),
      opposed: isOpposed(result),
      p: adjusted[g]!,
      alpha,
      higherIsBetter,
    }),
  }));
}

function selectItems(data: ComparedItems, [a, b]: readonly [number, number], rows: Int32Array): PairedItems {
  if (data.kind === "statistics") {
    return { kind: "statistics", a: pickRows(data.statistics[a]!, rows), b: pickRows(data.statistics[b]!, rows) };
  }
  const n = data.items.length;
  const own = (s: number): Float64Array => Float64Array.from(rows, (i) => data.means[i + s * n]!);
  const run = ({ runs, scores }: RunScores): RunScores => {
    const picked = new Float64Array(runs * rows.length);
    for (let r = 0; r < runs; r++)
      picked.set(
        Array.from(rows, (i) => scores[r * n + i]!),
        r * rows.length,
      );
    return { runs, scores: picked };
  };
  const byRun = data.runs && { runs: [run(data.runs[a]!), run(data.runs[b]!)] as const };
  return { kind: "scores", a: own(a), b: own(b), ...byRun };
}

function pickRows({ metric, width, data }: ItemStatistics, rows: Int32Array): ItemStatistics {
  const picked = new Float64Array(rows.length * width);
  rows.forEach((row, i) => {
    picked.set(data.subarray(row * width, (row + 1) * width), i * width);
  });
  return { metric, n: rows.length, width, data: picked };
}
