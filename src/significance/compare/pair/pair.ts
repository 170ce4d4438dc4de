/** Two systems on the same items: difference, interval, test, and what the items could have shown.
 *  The permutation test, exact where it can be, holds for any metric; with 0/1 scores it is McNemar's exact test. `chooseTest` prefers McNemar's
 *  mid-p test of 0/1 scores, t where few clusters leave little to swap, and t adjusted for skewness where scores of single items are no 0 and 1. Intervals: of 0/1 scores, and of votes with ties, the one that
 *  agrees with the test (Fay & Lumbard's with the exact and mid-p tests, Tango's with the asymptotic one and with those that have none of their
 *  own), of other means by t (CR2 where items are clustered; adjusted for skewness with that test), of metrics that are not means by the
 *  BCa bootstrap. */

import { tQuantileUpper } from "../../../numeric/dist/t.ts";
import { makeRng, type Rng } from "../../../numeric/rng.ts";
import { roundingOf } from "../../../numeric/ties.ts";
import type { SharedReplicates } from "../../../resample/bootstrap.ts";
import { type Spread, spreadOfMean } from "../../../resample/mean-spread.ts";
import { StatError } from "../../../result/error.ts";
import { type PairedIntervalMethod, pairedProportionInterval } from "../../intervals/paired-proportions.ts";
import type { SkewedMean } from "../../tests/skewed-mean.ts";
import type { FacetCheck } from "./facets.ts";
import { gainsOf, isBinary, type PairedItems, sideBySide, tableOf } from "./items.ts";
import { areComplete, drawRuns, type RunsInterval } from "./runs.ts";
import { differenceOfDraws, drawScores } from "./score-draws.ts";
import { type DiscordantItems, detectableDifference, detectableShare, middleSe } from "./sensitivity.ts";
import { compareSkewed } from "./skewed.ts";
import { spreadOfScores } from "./spread.ts";
import { type ComparisonTest, mcnemarMethodOf, type PairTest, runPairTest, type TestName } from "./tests.ts";
import { typicalDifference } from "./typical.ts";

export interface PairOptions {
  readonly test?: TestName | undefined;
  readonly alpha?: number | undefined;
  readonly confidence?: number | undefined;
  readonly clusters?: Int32Array | undefined;
  readonly replicates?: number | undefined;
  /** Bootstrap draws of both systems' scores, if they were made before. */
  readonly draws?: readonly [SharedReplicates, SharedReplicates] | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export interface Interval {
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  readonly method: string;
}

export interface PairComparison {
  readonly scoreA: number;
  readonly scoreB: number;
  /** Why a significant difference is no verdict: other means of the same scores point the other way. */
  readonly opposed?: string | undefined;
  /** B - A, in the units of the score: of the means, or where `typical` is there what a test of ranks or signs is about. */
  readonly difference: number;
  readonly typical?: {
    /** As a table calls the difference. */
    readonly name: "Hodges-Lehmann difference" | "median difference";
    /** What leans that way: "by signed ranks", "on 80 of the 100 items that differ". */
    readonly by: string;
    /** B - A by the means, which the scores of the systems are. */
    readonly mean: number;
    /** 1 where the test finds B higher, -1 where lower, 0 for neither. */
    readonly direction: number;
  };
  readonly se: number;
  readonly df: number;
  /** Of the items' differences, where test and interval are adjusted for it; NaN without spread. */
  readonly skewness?: number;
  /** The same means with more of the values that few items have. */
  readonly further?: readonly SkewedMean[] | undefined;
  readonly ci: Interval;
  readonly test: PairTest;
  /** The smallest true difference that 80 % of such evaluations would find. */
  readonly mde80: number;
  /** With runs drawn as well as items, where the repeats are whole runs. */
  readonly runs?: RunsInterval;
  /** What the difference was also held against: p counts as the largest of all. */
  readonly facets?: readonly FacetCheck[];
}

export function comparePair(items: PairedItems, options: PairOptions = {}): PairComparison {
  const { alpha = 0.05, confidence = 0.95, clusters, rng = makeRng("1"), test: name = "permutation" } = options;
  const measured = items.kind === "scores" ? measureMeans(items, clusters) : measureScores(items, clusters);
  const runs = drawPairRuns(items, { ...options, confidence, rng: rng.stream(2) });
  if (name === "multi-bootstrap") return compareRuns(measured, runs ?? refuseRuns(items, clusters), { alpha });
  if (name === "skewness-adjusted-t") {
    const own = compareSkewed(items, measured, { alpha, confidence, ...(clusters ? { clusters } : {}) });
    return { ...own, ...(runs ? { runs } : {}) };
  }
  // the shift test draws as bootstrapTest does with the same seed
  const test = runPairTest(name, items, { ...options, rng: name === "bootstrap" ? rng : rng.stream(0) });
  const shares = discordantItems(items, name, clusters);
  const se = clusters === undefined ? measured.se : middleSe(measured);
  const mde80 = shares ? detectableShare(shares, { alpha }) : detectableDifference(se, measured.df, { alpha });
  const own = clusters ? { clusters } : {};
  if (items.kind === "scores") {
    const ci = meanInterval(items, measured, { confidence, test: name, ...own });
    // without spread they say what the mean says, which is no certainty
    const typical =
      measured.se > 0 && isOfRanks(name, items)
        ? typicalDifference(name, items, { mean: measured.difference, confidence })
        : undefined;
    return { ...measured, ci, ...typical, test, mde80, ...(runs ? { runs } : {}) };
  }
  const [a, b] = options.draws ?? drawScores([items.a, items.b], { rng: rng.stream(1), ...own });
  const ci = differenceOfDraws(a!, b!, confidence);
  // no item changes the difference: draws without spread are no certainty
  if (measured.se === 0)
    return { ...measured, ci: { ...ci, lower: Number.NaN, upper: Number.NaN }, test, mde80: Number.NaN };
  return { ...measured, ci, test, mde80 };
}

/** Right and wrong answers that one of McNemar's tests compares. */
export function discordantItems(
  items: PairedItems,
  test: ComparisonTest,
  clusters?: Int32Array,
): DiscordantItems | undefined {
  const method = mcnemarMethodOf(test);
  if (method === undefined || clusters !== undefined || items.kind !== "scores") return undefined;
  const table = tableOf(items.a, items.b);
  if (table === undefined) return undefined;
  const [, gained, lost] = table;
  return { n: items.a.length, discordance: (gained + lost) / items.a.length, method };
}

function drawPairRuns(
  items: PairedItems,
  { clusters, test, replicates, ...options }: PairOptions & { readonly confidence: number; readonly rng: Rng },
): RunsInterval | undefined {
  if (items.kind === "statistics" || items.runs === undefined || clusters !== undefined) return undefined;
  if (!areComplete(items.runs)) return undefined;
  const many = test === "multi-bootstrap" && replicates !== undefined ? { replicates } : {};
  return drawRuns(items.runs[0], items.runs[1], { ...options, ...many });
}

/** Everything by the multi-bootstrap: its interval, its shift test, its standard error. */
function compareRuns(measured: Measured, runs: RunsInterval, { alpha }: { readonly alpha: number }): PairComparison {
  const { p, se, replicates, lower, upper, level, method } = runs;
  const test: PairTest = {
    name: "multi-bootstrap",
    label: `multi-bootstrap over runs and items, ${replicates.toLocaleString("en")} draws`,
    statistic: measured.difference,
    p,
    replicates,
    monteCarloSe: Math.sqrt((p * (1 - p)) / replicates),
  };
  const mde80 = detectableDifference(se, measured.df, { alpha });
  return { ...measured, se, ci: { lower, upper, level, method }, test, mde80, runs };
}

function refuseRuns(items: PairedItems, clusters?: Int32Array): never {
  const why =
    items.kind === "statistics"
      ? `${items.a.metric.name} is not a score of single items`
      : clusters !== undefined
        ? "these items are clustered, which it cannot resample"
        : "no column numbers whole runs of the systems, each on all items";
  throw new StatError(
    "NoRuns",
    `the multi-bootstrap resamples runs and items: ${why}.`,
    "Name the column of seeds or runs with option `run` (and option `cluster: none`), or use another test.",
  );
}

type Measured = Pick<PairComparison, "scoreA" | "scoreB" | "difference" | "se" | "df">;

function measureMeans({ a, b }: Extract<PairedItems, { kind: "scores" }>, clusters?: Int32Array): Measured {
  const gains = gainsOf(a, b);
  const rounding = roundingOf(a, b);
  const { se, df } = spreadOfMean(gains, clusters);
  // the mean of the differences, since the means of scores far from 0 have lost its digits
  const found = mean(gains);
  const difference = Math.abs(found) <= rounding ? 0 : found;
  return { scoreA: mean(a), scoreB: mean(b), difference, se: se <= rounding ? 0 : se, df };
}

function measureScores({ a, b }: Extract<PairedItems, { kind: "statistics" }>, clusters?: Int32Array): Measured {
  const { rows, width, differenceOf, scoreOf } = sideBySide(a, b, clusters);
  const sums = new Float64Array(width);
  for (let at = 0; at < rows.length; at++) sums[at % width]! += rows[at]!;
  const spread: Spread = spreadOfScores(rows, width, differenceOf);
  return { scoreA: scoreOf(sums, 0), scoreB: scoreOf(sums, a.width), difference: differenceOf(sums), ...spread };
}

/** Of right and wrong answers: tests whose interval is not Tango's. Swapping items and counting signs are McNemar's exact test. */
const EXACT = ["exact", "exact (Fay & Lumbard)"] as const;
const SHARE_INTERVALS: Partial<Record<TestName, readonly [PairedIntervalMethod, string]>> = {
  permutation: EXACT,
  sign: EXACT,
  "mcnemar-exact": EXACT,
  "mcnemar-midp": ["mid-p", "mid-p (Fay & Lumbard)"],
};

interface IntervalOptions {
  readonly confidence: number;
  readonly test: TestName;
  readonly clusters?: Int32Array | undefined;
}

function meanInterval(
  { a, b }: Extract<PairedItems, { kind: "scores" }>,
  { difference, se, df }: Measured,
  { confidence, test, clusters }: IntervalOptions,
): Interval {
  const own = SHARE_INTERVALS[test];
  const binary = isBinary(a) && isBinary(b);
  const whole = binary || own !== undefined || test === "wilcoxon";
  const table = clusters === undefined && test !== "t" && whole ? tableOf(a, b) : undefined;
  if (table !== undefined) {
    const [method, name] = own ?? (["tango", "Tango"] as const);
    const { lower, upper } = pairedProportionInterval(table, { method, confidence });
    return { lower, upper, level: confidence, method: name };
  }
  // no spread at all is no certainty
  const half = se > 0 ? tQuantileUpper((1 - confidence) / 2, df) * se : Number.NaN;
  const method = clusters === undefined ? "t" : "CR2 t";
  return { lower: difference - half, upper: difference + half, level: confidence, method };
}

/** Of answers right or wrong and of votes the mean says what signs and ranks say. */
const isOfRanks = (name: TestName, { a, b }: Extract<PairedItems, { kind: "scores" }>): name is "sign" | "wilcoxon" =>
  (name === "sign" || name === "wilcoxon") && tableOf(a, b) === undefined;

const mean = (values: Float64Array): number => values.reduce((sum, v) => sum + v, 0) / values.length;
