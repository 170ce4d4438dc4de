/** One gate decision from paired scores. For each task, with g = candidate - baseline in the direction of better:
 *    loss shown         H: g ≥ 0 is rejected          one-sided p, adjusted over the tasks that decide
 *    loss within margin H: g ≤ -margin is rejected    one-sided p at α: all critical tasks must show it, so that no adjustment is needed
 *  A task passes if its loss is shown to be within the margin, fails if a loss is shown and is not shown to be within it, and is inconclusive otherwise.
 *    0/1 scores of single items   loss by the mid-p tail of McNemar's table, margin by Tango's score
 *    other scores                 both tails of the skewness-adjusted t; relative margins on candidate - (1 - share)·baseline
 *    clustered items              t with the CR2 standard error and its df
 *    no-worse-than                the candidate's scores against that number (0/1: exact binomial tails)
 *  Hence, if all tasks are as before, the gate fails with probability about α, at most α where the tails are exact (Holm or a fixed sequence), and if one critical task lost its
 *  margin it passes with probability about α (intersection-union).
 *  Reference: Berger (1982), Technometrics 24; Holm (1979); Westfall & Krishen (2001) for sequences; Tango (1998), Stat. Med. 17.
 *  Oracle:    binomial tails and Tango's score by their own tests; error rates in docs/methods/gate.md. */

import { binomialCdf, binomialSf } from "../../numeric/dist/binomial.ts";
import { normalSf } from "../../numeric/dist/normal.ts";
import { tCdf, tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { spreadOfMean } from "../../resample/mean-spread.ts";
import { present } from "../../result/present.ts";
import { binomialInterval } from "../../significance/intervals/binomial.ts";
import { pairedProportionInterval, tangoScore } from "../../significance/intervals/paired-proportions.ts";
import { adjustP } from "../../significance/multiplicity.ts";
import { mcnemarP } from "../../significance/tests/mcnemar.ts";
import { measureSkewedMean, skewedMeanInterval, skewedMeanTails } from "../../significance/tests/skewed-mean.ts";
import type { Allowance, Correction, Tier } from "./policy.ts";

/** Why a gate is inconclusive. */
export const GATE_REASONS = [
  "judge-changed",
  "settings-changed",
  "order-confounded",
  "baseline-unstable",
  "population-changed",
  "coverage",
  "labels",
  "underpowered",
] as const;
export type GateReason = (typeof GATE_REASONS)[number];
export type GateOutcome = "pass" | "fail" | "inconclusive";

/** Mean scores of the items that both sides have. */
export interface PairedScores {
  readonly baseline: Float64Array;
  readonly candidate: Float64Array;
  readonly clusters?: Int32Array | undefined;
  /** Each item was scored once a side, with 0 or 1. */
  readonly binary: boolean;
  /** Width of the scale. */
  readonly width: number;
}

export interface TaskTest {
  /** Items with scores on both sides. */
  readonly n: number;
  readonly baseline: number;
  readonly candidate: number;
  /** Candidate minus baseline, or minus the score that it must reach, in the units of the score. */
  readonly difference: number;
  /** At 1 - 2α: a one-sided bound on either side. */
  readonly lower: number;
  readonly upper: number;
  /** The loss that is allowed, in the units of the score. */
  readonly margin: number;
  /** One-sided: of a loss, and of a loss within the margin. */
  readonly lossP: number;
  readonly marginP: number;
  /** Of the items' differences, where the tails of their mean decide. */
  readonly skewness?: number;
  /** Of a share against a number: what the exact tails do with so many items. */
  readonly rates?: FloorRates;
  /** Where people's labels correct the scores: items with labels of both sides, and the difference by the judge alone. */
  readonly people?: {
    readonly labels: number;
    readonly judge: { readonly value: number; readonly lower: number; readonly upper: number };
  };
}

/** Of a candidate whose true share is exactly the number: how often it fails and passes. `sure` is the true share that passes with 80 %. */
export interface FloorRates {
  readonly fail: number;
  readonly pass: number;
  readonly sure: number;
}

export interface TestOptions {
  readonly allowance: Allowance;
  readonly higherIsBetter: boolean;
  readonly alpha: number;
}

export function testTask(scores: PairedScores, { allowance, higherIsBetter, alpha }: TestOptions): TaskTest {
  const n = scores.candidate.length;
  const sign = higherIsBetter ? 1 : -1;
  const [baseline, candidate] = [mean(scores.baseline), mean(scores.candidate)];
  const known = { n, baseline, candidate };
  const figures = tailsOf(scores, { allowance, sign, alpha, baseline });
  const [lower, upper] = sign > 0 ? [figures.lower, figures.upper] : [-figures.upper, -figures.lower];
  const against = allowance.kind === "floor" ? allowance.score : baseline;
  return {
    ...known,
    difference: withoutResidue(candidate - against, candidate),
    lower,
    upper,
    margin: figures.margin,
    lossP: figures.lossP,
    marginP: figures.marginP,
    ...present({ skewness: figures.skewness, rates: figures.rates }),
  };
}

/** Equal means of sums in another order differ in their last bit. */
const ROUNDING = 1e-14;
const withoutResidue = (difference: number, of: number): number =>
  Math.abs(difference) <= ROUNDING * Math.abs(of) ? 0 : difference;

interface Tails {
  readonly lower: number;
  readonly upper: number;
  readonly margin: number;
  readonly lossP: number;
  readonly marginP: number;
  readonly skewness?: number | undefined;
  readonly rates?: FloorRates;
}

interface Question {
  readonly allowance: Allowance;
  readonly sign: 1 | -1;
  readonly alpha: number;
  readonly baseline: number;
}

const UNKNOWN = { lower: Number.NaN, upper: Number.NaN, lossP: Number.NaN, marginP: Number.NaN };

/** What a candidate may lose in units of the score; a floor allows no loss below it. */
export function marginOf(allowance: Allowance, baseline: number): number {
  if (allowance.kind === "absolute") return allowance.value;
  return allowance.kind === "relative" ? allowance.share * Math.abs(baseline) : 0;
}

function tailsOf(scores: PairedScores, question: Question): Tails {
  const { allowance, sign, alpha, baseline } = question;
  const margin = marginOf(allowance, baseline);
  const n = scores.candidate.length;
  if (n < 2) return { ...UNKNOWN, margin };
  const plain = scores.binary && scores.clusters === undefined;
  if (plain && allowance.kind === "floor") return shareTails(scores.candidate, allowance.score, question);
  if (plain && allowance.kind === "absolute") return flipTails(scores, margin, question);
  const { baseline: a, candidate: b } = scores;
  const gains =
    allowance.kind === "floor" ? b.map((v) => sign * (v - allowance.score)) : b.map((v, i) => sign * (v - a[i]!));
  const loss = meanTails(gains, scores, { mu: 0, alpha });
  const known = { lower: loss.lower, upper: loss.upper, margin, skewness: loss.skewness };
  if (allowance.kind !== "relative") {
    const within = margin === 0 ? loss : meanTails(gains, scores, { mu: -margin, alpha });
    return { ...known, lossP: loss.below, marginP: within.above };
  }
  // the share of a score that is itself uncertain: candidate - (1 - share)·baseline
  const kept = gains.map((g, i) => g + allowance.share * Math.abs(a[i]!));
  const within = meanTails(kept, scores, { mu: 0, alpha });
  return { ...known, lossP: loss.below, marginP: within.above };
}

/** McNemar's table: items that only one side got right. */
function flipTails({ baseline, candidate }: PairedScores, margin: number, { sign, alpha }: Question): Tails {
  let [gained, lost] = [0, 0];
  for (let i = 0; i < baseline.length; i++) {
    const d = sign * (candidate[i]! - baseline[i]!);
    if (d > 0) gained += 1;
    else if (d < 0) lost += 1;
  }
  const n = baseline.length;
  const { lower, upper } = pairedProportionInterval([0, gained, lost, n - gained - lost], {
    method: "tango",
    confidence: 1 - 2 * alpha,
  });
  return {
    lower,
    upper,
    margin,
    lossP: mcnemarP(lost, gained, { method: "mid-p", alternative: "greater", n }),
    marginP: margin >= 1 ? 0 : normalSf(tangoScore(gained, lost, n, -margin)),
  };
}

/** A share of right answers against a number. */
function shareTails(candidate: Float64Array, floor: number, { sign, alpha }: Question): Tails {
  const rates = floorRates(candidate.length, { floor, sign, alpha });
  const n = candidate.length;
  const right = candidate.reduce((sum, v) => sum + v, 0);
  const share = Math.min(1, Math.max(0, floor));
  const { lower, upper } = binomialInterval(right, n, { method: "clopper-pearson", confidence: 1 - 2 * alpha });
  const [below, above] = [binomialCdf(right, n, share), binomialSf(right - 1, n, share)];
  const ends = sign > 0 ? [lower - floor, upper - floor] : [floor - upper, floor - lower];
  return {
    lower: ends[0]!,
    upper: ends[1]!,
    margin: 0,
    lossP: sign > 0 ? below : above,
    marginP: sign > 0 ? above : below,
    rates,
  };
}

/** Wanted chance that a better candidate passes. */
const SURE = 0.8;

/** By the critical counts of both tails. */
function floorRates(
  n: number,
  { floor, sign, alpha }: { readonly floor: number; readonly sign: 1 | -1; readonly alpha: number },
): FloorRates {
  // lower is better: the same of the share of what is not
  const share = Math.min(1, Math.max(0, sign > 0 ? floor : 1 - floor));
  const firstAbove = firstCount(n, (count) => binomialSf(count - 1, n, share) < alpha);
  const firstWithin = firstCount(n, (count) => !(binomialCdf(count, n, share) < alpha));
  const passes = (at: number): number => (firstAbove > n ? 0 : binomialSf(firstAbove - 1, n, at));
  let [low, high] = [share, 1];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (low + high) / 2;
    if (passes(middle) < SURE) low = middle;
    else high = middle;
  }
  const sure = firstAbove > n ? Number.NaN : sign > 0 ? high : 1 - high;
  return { fail: firstWithin === 0 ? 0 : binomialCdf(firstWithin - 1, n, share), pass: passes(share), sure };
}
const BISECTIONS = 40;

/** The first of 0, …, n for which a condition that stays true holds; n + 1 where it never does. */
function firstCount(n: number, holds: (count: number) => boolean): number {
  let [low, high] = [0, n + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface MeanTails {
  readonly lower: number;
  readonly upper: number;
  /** P(as small a mean | mu), P(as large a mean | mu). */
  readonly below: number;
  readonly above: number;
  /** Where no clusters and no constant values have other tails. */
  readonly skewness?: number;
}

function meanTails(
  values: Float64Array,
  { clusters, width }: PairedScores,
  { mu, alpha }: { readonly mu: number; readonly alpha: number },
): MeanTails {
  if (values.every((v) => v === values[0])) return constantTails(values, { mu, alpha, width });
  if (clusters !== undefined) {
    const { se, df } = spreadOfMean(values, clusters);
    const at = mean(values);
    const half = tQuantileUpper(alpha, df) * se;
    const t = (at - mu) / se;
    return { lower: at - half, upper: at + half, below: tCdf(t, df), above: tSf(t, df) };
  }
  const of = measureSkewedMean(values);
  const { lower, upper } = skewedMeanTails(of, mu);
  return { ...skewedMeanInterval(of, 1 - 2 * alpha), below: lower, above: upper, skewness: of.skewness };
}

/** Values without spread: as many items without any change bound the share of items that change, and a constant change has the sign test. */
function constantTails(
  values: Float64Array,
  { mu, alpha, width }: { readonly mu: number; readonly alpha: number; readonly width: number },
): MeanTails {
  const [n, at] = [values.length, values[0]!];
  const { lower, upper } = pairedProportionInterval([0, 0, 0, n], { method: "tango", confidence: 1 - 2 * alpha });
  const ends = { lower: at + width * lower, upper: at + width * upper };
  if (at === 0) {
    const tail = (delta: number): number => (delta >= 1 ? 0 : normalSf(tangoScore(0, 0, n, -delta)));
    return { ...ends, below: mu > 0 ? tail(mu / width) : 1, above: mu < 0 ? tail(-mu / width) : 1 };
  }
  return { ...ends, below: at < mu ? 0.5 ** n : 1, above: at > mu ? 0.5 ** n : 1 };
}

export interface SuiteTask {
  readonly tier: Tier;
  readonly test?: TaskTest | undefined;
  /** Why the task cannot be judged whatever its scores. */
  readonly blocked?: GateReason | undefined;
}

export interface Judged {
  readonly outcome: GateOutcome;
  readonly reason: GateReason | null;
  /** p of a loss, adjusted over the tasks that decide. */
  readonly adjustedP: number;
}

/** Tasks in the order of the policy. */
export function judgeTasks(
  tasks: readonly SuiteTask[],
  { alpha, correction }: { readonly alpha: number; readonly correction: Correction },
): Judged[] {
  const p = tasks.map(({ tier, test, blocked }) =>
    tier === "advisory" || blocked !== undefined ? Number.NaN : (test?.lossP ?? Number.NaN),
  );
  const adjusted = correction === "holm" ? Array.from(adjustP(p, "holm")) : inSequence(p);
  return tasks.map(({ tier, test, blocked }, k) => {
    const adjustedP = tier === "advisory" ? (test?.lossP ?? Number.NaN) : adjusted[k]!;
    if (blocked !== undefined) return { outcome: "inconclusive", reason: blocked, adjustedP };
    if (test !== undefined && test.marginP < alpha) return { outcome: "pass", reason: null, adjustedP };
    if (adjustedP < alpha) return { outcome: "fail", reason: null, adjustedP };
    return { outcome: "inconclusive", reason: "underpowered", adjustedP };
  });
}

/** Each at α, until the first that shows nothing: the largest p so far. */
function inSequence(p: readonly number[]): number[] {
  let largest = 0;
  return p.map((own) => {
    if (Number.isNaN(own)) return Number.NaN;
    largest = Math.max(largest, own);
    return largest;
  });
}

/** The outcome of the whole: critical tasks must pass, supporting ones must not fail. */
export function joinOutcomes(
  tasks: readonly { readonly tier: Tier; readonly outcome: GateOutcome; readonly reason: GateReason | null }[],
): {
  readonly outcome: GateOutcome;
  readonly reason: GateReason | null;
} {
  const decide = tasks.filter(({ tier }) => tier !== "advisory");
  if (decide.some(({ outcome }) => outcome === "fail")) return { outcome: "fail", reason: null };
  const open = decide.filter(({ tier, outcome }) => tier === "critical" && outcome === "inconclusive");
  if (open.length > 0) {
    const reasons = open.map(({ reason }) => reason);
    return {
      outcome: "inconclusive",
      reason: GATE_REASONS.find((reason) => reasons.includes(reason)) ?? "underpowered",
    };
  }
  return { outcome: "pass", reason: null };
}

const mean = (values: Float64Array): number => values.reduce((sum, v) => sum + v, 0) / values.length;
