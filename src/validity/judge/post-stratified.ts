/** The pass rate that people would have given, from a judge's verdicts on all outputs and people's on some: stratified by the verdict.
 *      θ = (1 - p)μ₀ + pμ₁      p: share that the judge passes, of all outputs; μ_v: share that people pass among labels with verdict v
 *      L = θ - √{(1-p)²(μ₀-l₀)² + p²(μ₁-l₁)² + (μ₁-μ₀)²(p-l_p)²},  U likewise;  Wilson limits l, u of each share
 *      (where μ₁ < μ₀ the limits of p change places)
 *  Reference: Zou & Donner (2008), Statistics in Medicine 27 (MOVER); Wilson (1927).
 *  Oracle:    closed form; coverage in test/calibration/judge.calibrate.ts.
 *  Limits:    the labels of a verdict are a random sample of the outputs with that verdict. A verdict without labels has the share ½ with
 *             limits 0 and 1. Labels with unequal weights count as their effective number (Kish). */
import { wilsonInterval } from "../../significance/intervals/binomial.ts";

/** Below this sum of sensitivity and specificity the judge narrows nothing. */
export const WEAK = 1.3;

/** Labels with one verdict: how many, and how many people passed; effective numbers where the labels are weighted. */
export interface VerdictLabels {
  readonly n: number;
  readonly passed: number;
}

export interface PostStratified {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  /** Of the verdicts 0 and 1: the share that people pass. */
  readonly shares: readonly [number, number];
  /** Verdicts that occur and have no label. */
  readonly empty: readonly (0 | 1)[];
}

interface Share {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

const NOTHING_KNOWN: Share = { value: 0.5, lower: 0, upper: 1 };

export function postStratify(
  labels: readonly [VerdictLabels, VerdictLabels],
  judged: VerdictLabels,
  confidence = 0.95,
): PostStratified {
  const share = ({ n, passed }: VerdictLabels): Share =>
    n > 0 ? { value: passed / n, ...wilsonInterval(passed / n, n, confidence) } : NOTHING_KNOWN;
  const [low, high] = [share(labels[0]), share(labels[1])];
  const all = share(judged);
  const p = all.value;
  const gap = high.value - low.value;
  const value = (1 - p) * low.value + p * high.value;
  // more verdicts of 1 raise θ where μ₁ > μ₀ and lower it otherwise
  const [down, up] = gap >= 0 ? [p - all.lower, all.upper - p] : [all.upper - p, p - all.lower];
  const reach = (a: number, b: number, c: number): number => Math.hypot((1 - p) * a, p * b, gap * c);
  const empty = ([0, 1] as const).filter((v) => labels[v].n === 0 && (v === 0 ? p < 1 : p > 0));
  return {
    value,
    lower: Math.max(0, value - reach(low.value - low.lower, high.value - high.lower, down)),
    upper: Math.min(1, value + reach(low.upper - low.value, high.upper - high.value, up)),
    shares: [low.value, high.value],
    empty,
  };
}
