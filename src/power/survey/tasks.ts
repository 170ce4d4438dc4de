/** Can a benchmark show gains of the usual size? The smallest detectable gain beside the typical claimed one, task by task.
 *    accuracies     McNemar's exact test at the best score so far, agreement predicted; its normal approximation for large test sets
 *    other effects  (z_{1-α/2} + z_power) × the smallest standard error among the claims
 *  Reference: Card et al. (2020), EMNLP, Tables 2 and 9.
 *  Oracle:    from/benchmarks.ts (Table 9); the size needed by its formula (survey.test.ts). */

import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { leastOf } from "../../result/extremes.ts";
import { medianOf } from "../../significance/tests/sign-test.ts";
import { type BenchmarkMde, benchmarkMde } from "../from/benchmarks.ts";
import { type OverlapRegression, predictOverlap } from "../scenarios/accuracy-overlap.ts";
import { expectAt, type SurveyClaim } from "./judge.ts";

export type TaskVerdict = "can show" | "cannot show" | "unknown";

export interface SurveyTask {
  readonly task: string;
  readonly claims: number;
  /** Items of the test set: the most that a claim states. */
  readonly n: number;
  /** Best score so far. */
  readonly best: number;
  /** Smallest gain found with the wanted power. */
  readonly mde: number;
  /** Median of the claimed gains above 0. */
  readonly typicalGain: number;
  /** Mean of all claimed gains, its standard error, and how many there are. */
  readonly meanGain: number;
  readonly meanSe: number;
  readonly gains: number;
  /** What all claims predict for a system that is compared with the best one; of accuracies. */
  readonly expectedGain: number;
  /** The smallest gain under other assumptions (from/benchmarks.ts); of accuracies. */
  readonly others?: Pick<BenchmarkMde, "binomial" | "lachenbruch"> & { readonly midP: number };
  /** Whether the test set can show typical gains. */
  readonly verdict: TaskVerdict;
  /** Items with which a typical gain is found with the wanted power. */
  readonly needed: number;
  readonly advice: string;
}

export interface TaskOptions {
  readonly accuracy: boolean;
  readonly overlap: OverlapRegression;
  readonly alpha: number;
  readonly power: number;
  /** Of every task. */
  readonly all: readonly SurveyClaim[];
}

/** Above this the normal approximation tells the exact test's answer to all digits that matter. */
const LARGEST_EXACT = 5000;

/** Median of the gains above 0; NaN without any. */
export function typicalOf(claims: readonly SurveyClaim[]): number {
  const gains = claims.map(({ gain }) => gain).filter((gain) => gain > 0);
  return gains.length === 0 ? Number.NaN : medianOf(Float64Array.from(gains));
}

export function judgeTasks(claims: readonly SurveyClaim[], options: TaskOptions): readonly SurveyTask[] {
  const names = [...new Set(claims.map(({ task }) => task))];
  return names.map((task) =>
    judgeTask(
      task,
      claims.filter((claim) => claim.task === task),
      options,
    ),
  );
}

function judgeTask(task: string, claims: readonly SurveyClaim[], options: TaskOptions): SurveyTask {
  const most = (values: readonly number[]): number =>
    values.reduce((a, b) => (Number.isNaN(a) || b > a ? b : a), Number.NaN);
  const n = most(claims.map((claim) => claim.n));
  const best = most(claims.flatMap(({ baseline, score }) => [baseline, score]));
  const typicalGain = typicalOf(claims);
  const gains = claims.map(({ gain }) => gain).filter((gain) => !Number.isNaN(gain));
  const { mean, se } = momentsOf(gains);
  const { mde, needed, others } = options.accuracy
    ? ofAccuracies({ n, best, typicalGain }, options)
    : { ...ofEffects(claims, { n, typicalGain }, options), others: undefined };
  // no possible gain has the power where the scores are known and the answer is NaN
  const known = !Number.isNaN(typicalGain) && (!Number.isNaN(mde) || (options.accuracy && !Number.isNaN(n + best)));
  const verdict = !known ? "unknown" : typicalGain >= mde ? "can show" : "cannot show";
  return {
    task,
    claims: claims.length,
    n,
    best,
    mde,
    typicalGain,
    ...{ meanGain: mean, meanSe: se, gains: gains.length },
    expectedGain: options.accuracy ? expectAt(options.all, { baseline: best, task }) : Number.NaN,
    ...(others === undefined ? {} : { others }),
    verdict,
    needed,
    advice: adviceOf(verdict, { n, needed }),
  };
}

/** The standard error is NaN of fewer than two. */
export function momentsOf(values: readonly number[]): {
  readonly mean: number;
  readonly sd: number;
  readonly se: number;
} {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const sd = n < 2 ? Number.NaN : Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1));
  return { mean, sd, se: sd / Math.sqrt(n) };
}

interface Benchmark {
  readonly n: number;
  readonly best: number;
  readonly typicalGain: number;
}

function ofAccuracies({ n, best, typicalGain }: Benchmark, { overlap, alpha, power }: TaskOptions) {
  if (Number.isNaN(n + best) || best >= 1) return { mde: Number.NaN, needed: Number.NaN, others: undefined };
  const tests = n <= LARGEST_EXACT ? ["mcnemar-exact", "mcnemar-midp"] : [];
  const { regression, binomial, lachenbruch } = benchmarkMde({ n, baseline: best, overlap }, { power, alpha, tests });
  const d = 1 - predictOverlap(overlap, best, typicalGain);
  const z = [normalQuantileUpper(alpha / 2), normalQuantileUpper(1 - power)] as const;
  const root = z[0] * Math.sqrt(d) + z[1] * Math.sqrt(Math.max(0, d - typicalGain ** 2));
  // a gain that the best score leaves no room for needs no test set
  const possible = typicalGain <= 1 - best && d >= typicalGain;
  return {
    mde: regression[tests[0] ?? "normal"]!,
    needed: possible ? Math.ceil((root / typicalGain) ** 2) : Number.NaN,
    others: { binomial, lachenbruch, midP: regression[tests[1] ?? "normal"]! },
  };
}

function ofEffects(
  claims: readonly SurveyClaim[],
  { n, typicalGain }: Pick<Benchmark, "n" | "typicalGain">,
  { alpha, power }: TaskOptions,
) {
  const known = claims.map((claim) => claim.se).filter((own) => !Number.isNaN(own));
  const se = Math.min(Number.POSITIVE_INFINITY, leastOf(known));
  if (se === Number.POSITIVE_INFINITY) return { mde: Number.NaN, needed: Number.NaN };
  const mde = (normalQuantileUpper(alpha / 2) + normalQuantileUpper(1 - power)) * se;
  return { mde, needed: Math.ceil(n * (mde / typicalGain) ** 2) };
}

function adviceOf(verdict: TaskVerdict, { n, needed }: { readonly n: number; readonly needed: number }): string {
  if (verdict === "unknown") return "too little is stated to say what it can show";
  if (verdict === "can show") return "can show typical gains";
  const enlarge =
    Number.isFinite(needed) && needed > n ? `enlarge to ${needed} items, or retire it` : "enlarge or retire it";
  return `cannot show typical gains: ${enlarge}`;
}
