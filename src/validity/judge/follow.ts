/** Stop labeling, or go on? The corrected difference after each batch of labels, by an interval that holds however often one looks.
 *      x_t = D_t - λ_t(G_t - Ḡ), λ_t the slope of the labels before t, shrunk and cut to [0, 1]; |x_t| ≤ R = r(1 + g), g = max |G - Ḡ|/r
 *      (x_t + R)/2R lies in [0, 1]: its betting sequence is that of the mean difference
 *  Reference: Waudby-Smith & Ramdas (2024), JRSS B 86; Zrnic & Candès (2024), ICML (active inference).
 *  Oracle:    oracle/next/always-valid.json through significance/sequential/betting.ts; ever-wrong rate in test/calibration/judge.calibrate.ts.
 *  Limits:    labels come in random order, each of both systems' outputs of an item; scores have known ends. */
import { fingerprint } from "../../data/fingerprint.ts";
import type { FieldsOf } from "../../models/fit.ts";
import type { Display } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { listNames } from "../../result/quote.ts";
import { type JsonOf, makeResult, type Result } from "../../result/result.ts";
import { differenceVerdict, INCONCLUSIVE, type Verdict } from "../../result/verdict.ts";
import { GOSSET_VERSION } from "../../result/version.ts";
import { betsOf, bettingInterval, logCapital } from "../../significance/sequential/betting.ts";
import { type JudgedData, readJudged } from "../../study/judged.ts";
import type { JudgeEstimate, JudgeOptions } from "./judge.ts";

export interface NextJudgeOptions extends Omit<JudgeOptions, "drawn" | "confidence"> {
  /** The two, the baseline first; default: the only two. */
  readonly systems?: readonly string[] | undefined;
  readonly alpha?: number | undefined;
  /** Ends of the scores; default 0 and 1. */
  readonly range?: readonly [lowest: number, highest: number] | undefined;
  readonly higherIsBetter?: boolean | undefined;
}

export interface NextJudge extends Result<"judge-next"> {
  readonly decision: "stop" | "continue";
  readonly a: string;
  readonly b: string;
  readonly labels: number;
  readonly difference: JudgeEstimate;
  /** 1/e after all labels, at its smallest so far. */
  readonly p: number;
  /** Labels after which it could have stopped. */
  readonly stoppedAt?: number;
  readonly verdict: Verdict;
  readonly alpha: number;
}

export type NextJudgeJson = JsonOf<NextJudge>;

export function nextJudge(data: JudgedData, options: NextJudgeOptions = {}): NextJudge {
  const { alpha = 0.05, range = [0, 1], higherIsBetter = true } = options;
  const judged = readJudged(data, options, options.labels);
  const names = options.systems ?? judged.systems;
  if (names.length !== 2)
    throw new StatError(
      "TwoSystems",
      `there are ${names.length} systems: the next label is decided for two.`,
      "Name them with option `systems`.",
    );
  const [a, b] = names.map((name) => judged.systems.indexOf(name)) as [number, number];
  const lost = names.find((name) => !judged.systems.includes(name));
  if (lost !== undefined)
    throw new StatError(
      "UnknownSystem",
      `there is no system "${lost}".`,
      `The systems are ${listNames(judged.systems, 8)}.`,
    );
  const { human, judge, order } = differences(judged, a, b);
  const width = range[1] - range[0];
  const found = followCorrected({ human, judge, order, width }, alpha);
  const done = found.lower > 0 || found.upper < 0;
  const fields = {
    signature: {
      method: "judge next",
      version: GOSSET_VERSION,
      options: { ...options, labels: undefined, alpha, range },
      data: fingerprint(judged.table),
    },
    diagnostics: judged.diagnostics,
    decision: (done ? "stop" : "continue") as "stop" | "continue",
    ...{ a: names[0]!, b: names[1]!, labels: order.length },
    difference: { value: found.value, lower: found.lower, upper: found.upper },
    p: found.p,
    ...(found.stoppedAt === undefined ? {} : { stoppedAt: found.stoppedAt }),
    verdict: done ? differenceVerdict(found.lower > 0, higherIsBetter) : INCONCLUSIVE,
    alpha,
  };
  return makeResult("judge-next", fields, displayNext);
}

function differences(
  { item, items, system, human, judge, outputs }: ReturnType<typeof readJudged>,
  a: number,
  b: number,
) {
  const [first, second] = [new Int32Array(items).fill(-1), new Int32Array(items).fill(-1)];
  for (let u = 0; u < outputs; u++) {
    if (system[u] === a) first[item[u]!] = u;
    else if (system[u] === b) second[item[u]!] = u;
  }
  const both = Array.from({ length: items }, (_, i) => i).filter((i) => first[i]! >= 0 && second[i]! >= 0);
  const minus = (values: Float64Array): Float64Array =>
    Float64Array.from(both, (i) => values[second[i]!]! - values[first[i]!]!);
  const own = minus(human);
  const order = Int32Array.from(both.keys()).filter((k) => !Number.isNaN(own[k]!));
  return { human: own, judge: minus(judge), order };
}

interface Followed {
  readonly human: Float64Array;
  readonly judge: Float64Array;
  /** Units in the order in which they were labeled. */
  readonly order: Int32Array;
  /** Of the scores. */
  readonly width: number;
}

/** With so few labels the slope stays 0. */
const FEWEST_FOR_SLOPE = 10;

export function followCorrected({ human, judge, order, width }: Followed, alpha: number) {
  let center = 0;
  for (const g of judge) center += g / judge.length;
  let far = 0;
  for (const g of judge) far = Math.max(far, Math.abs(g - center));
  const reach = width + far;
  const values = new Float64Array(order.length);
  let [n, sy, sg, syg, sgg, syy] = [0, 0, 0, 0, 0, 0];
  for (const [t, unit] of order.entries()) {
    const [y, g] = [human[unit]!, judge[unit]! - center];
    if (Math.abs(y) > width + 1e-9)
      throw new StatError(
        "OutOfRange",
        `a labeled difference of ${y} lies beyond the ends of the scores.`,
        "Give the ends with option `range`.",
      );
    values[t] = (y - slopeOf({ n, sy, sg, syg, sgg, syy }) * g + reach) / (2 * reach);
    n += 1;
    sy += y;
    sg += g;
    syg += y * g;
    sgg += g * g;
    syy += y * y;
  }
  if (n === 0) return { value: Number.NaN, lower: -width, upper: width, p: 1, stoppedAt: undefined };
  const bets = betsOf(values, alpha);
  // e against no difference after each label: ever reaching 1/α is what may happen in α of data sets
  let [most, stoppedAt]: [number, number | undefined] = [0, undefined];
  let [up, down] = [0, 0];
  for (let t = 0; t < n; t++) {
    const step = logCapital([values[t]!], bets.subarray(t, t + 1), { m: 0.5 });
    up += step.positive;
    down += step.negative;
    most = Math.max(most, 0.5 * Math.exp(up), 0.5 * Math.exp(down));
    if (stoppedAt === undefined && most >= 1 / alpha) stoppedAt = t + 1;
  }
  const back = (share: number): number => 2 * reach * share - reach;
  const last = bettingInterval(values, { alpha });
  let mean = 0;
  for (const value of values) mean += value / n;
  // what was once decided stays decided
  const first = stoppedAt === undefined ? last : bettingInterval(values.subarray(0, stoppedAt), { alpha });
  const [lower, upper] = [Math.max(last.lower, first.lower), Math.min(last.upper, first.upper)];
  return { value: back(mean), lower: back(lower), upper: back(upper), p: Math.min(1, 1 / most), stoppedAt };
}

function slopeOf({
  n,
  sy,
  sg,
  syg,
  sgg,
  syy,
}: Readonly<Record<"n" | "sy" | "sg" | "syg" | "sgg" | "syy", number>>): number {
  if (n < FEWEST_FOR_SLOPE) return 0;
  const [yg, gg, yy] = [syg - (sy * sg) / n, sgg - (sg * sg) / n, syy - (sy * sy) / n];
  if (!(gg > 0)) return 0;
  const slope = yg / gg;
  const residual = Math.max(0, yy - slope * yg);
  const t2 = residual === 0 ? Number.POSITIVE_INFINITY : ((n - 2) * slope * slope * gg) / residual;
  return Math.min(1, Math.max(0, slope * Math.max(0, 1 - 1 / t2)));
}

function displayNext({
  decision,
  a,
  b,
  labels,
  difference,
  p,
  verdict,
  alpha,
  stoppedAt,
}: FieldsOf<NextJudge>): Display {
  const { value, lower, upper } = difference;
  const told =
    decision === "stop"
      ? `${verdict}  stop: ${b} is ${verdict.toLowerCase()} than ${a} after ${stoppedAt ?? labels} labeled items.`
      : `${INCONCLUSIVE}  go on: ${labels} labeled items do not decide between ${a} and ${b}.`;
  return {
    title: told,
    summary: [
      `Corrected difference ${b} - ${a}: ${formatNumber(value)}; at any time within ${formatNumber(lower)} and ${formatNumber(upper)} (${formatNumber(100 * (1 - alpha))} % confidence sequence), p ${formatNumber(p, "p")}.`,
    ],
    tables: [],
    notes: ["Labels are used in the order of the rows, which must not depend on what people said."],
  };
}
