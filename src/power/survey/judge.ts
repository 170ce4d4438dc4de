/** Each claim judged: was its test set large enough for the gain that the other claims would have led one to expect, and is the gain significant?
 *    expected   accuracies: gain ~ baseline + task over the other claims (tasks with two claims at least, else gain ~ baseline); other effects:
 *               the random-effects mean of the others (DerSimonian & Laird)
 *    power      accuracies: Duffy's formula for McNemar's test; others: that of a z test
 *    p          as reported; else McNemar's with continuity correction on the implied table, or that of z = gain/se
 *  Reference: Card et al. (2020), EMNLP, section 3.3, Table 10 and Fig. 14.
 *  Oracle:    judgeClaims on Card et al.'s claims (survey.test.ts), which R's lm checks.
 *  Limits:    the claim itself is left out of what is expected of it; claims that were never published are not there at all. */
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { metaRegression } from "../../significance/meta/regression.ts";
import { impliedP, plannedPower, predictGain } from "../from/claims.ts";
import { normalFigures } from "../normal-figures.ts";
import { USUAL_POWER } from "../result.ts";
import type { OverlapRegression } from "../scenarios/accuracy-overlap.ts";
import { disagreementOf, type ReadClaim, type ReadClaims, varianceOf } from "./claims.ts";

export interface SurveyClaim {
  readonly id: string;
  readonly task: string;
  readonly n: number;
  readonly baseline: number;
  readonly score: number;
  readonly gain: number;
  /** Of the gain. */
  readonly se: number;
  /** What the other claims predict. */
  readonly expected: number;
  /** To find the expected gain. */
  readonly power: number;
  readonly p: number;
  /** Whether p was reported; otherwise it is implied by the other figures. */
  readonly reported: boolean;
  readonly significant: boolean;
  readonly powered: boolean;
  readonly date?: string;
}

export interface JudgeOptions {
  readonly overlap: OverlapRegression;
  readonly alpha: number;
}

/** In shares; NaN where a figure cannot be had. */
export function judgeRows(claims: ReadClaims, { overlap, alpha }: JudgeOptions): readonly SurveyClaim[] {
  const { rows, accuracy } = claims;
  const variances = rows.map((claim) => varianceOf(claim, accuracy, overlap));
  const expected = accuracy ? expectedByRegression(rows) : expectedByMean(rows, variances);
  return rows.map((claim, i) => {
    const se = Math.sqrt(variances[i]!);
    const power = powerAt(claim, expected[i]!, { se, accuracy, overlap, alpha });
    const reported = !Number.isNaN(claim.p);
    const p = reported ? claim.p : pOf(claim, { se, accuracy, overlap });
    return {
      id: claim.id,
      task: claim.task,
      n: claim.n,
      baseline: claim.baseline,
      score: claim.score,
      gain: claim.gain,
      se,
      expected: expected[i]!,
      power,
      p,
      reported,
      significant: p < alpha,
      powered: power >= USUAL_POWER,
      ...(claim.date === "" ? {} : { date: claim.date }),
    };
  });
}

interface Exactness {
  readonly se: number;
  readonly accuracy: boolean;
  readonly overlap: OverlapRegression;
}

function powerAt(
  claim: ReadClaim,
  gain: number,
  { se, accuracy, overlap, alpha }: Exactness & { readonly alpha: number },
): number {
  if (Number.isNaN(gain) || gain === 0) return Number.NaN;
  if (accuracy && Number.isNaN(claim.variance)) {
    return plannedPower(claim.n, gain, { disagreement: disagreementOf(claim, gain, overlap), alpha });
  }
  const threshold = normalQuantileUpper(alpha / 2) * se;
  return normalFigures({ effect: gain, sd: se, threshold, twoSided: true }).power;
}

function pOf(claim: ReadClaim, { se, accuracy, overlap }: Exactness): number {
  if (accuracy && Number.isNaN(claim.variance)) {
    if (Number.isNaN(claim.gain) || Number.isNaN(claim.n)) return Number.NaN;
    return impliedP(claim.n, Math.abs(claim.gain), disagreementOf(claim, claim.gain, overlap));
  }
  return Math.min(1, 2 * normalSf(Math.abs(claim.gain) / se));
}

/** A line through fewer claims than this says nothing. */
const FEWEST_OTHERS = 3;

function expectedByRegression(rows: readonly ReadClaim[]): number[] {
  const complete = rows.flatMap(({ baseline, gain }, i) => (Number.isNaN(baseline + gain) ? [] : [i]));
  const counts = new Map<string, number>();
  for (const i of complete) counts.set(rows[i]!.task, (counts.get(rows[i]!.task) ?? 0) + 1);
  const byTask = counts.size > 1;
  return rows.map(({ baseline, task }, i) => {
    const others = complete.filter((j) => j !== i);
    const tasks = new Set(others.map((j) => rows[j]!.task)).size;
    if (Number.isNaN(baseline) || others.length < FEWEST_OTHERS) return Number.NaN;
    const withTask = byTask && tasks > 1 && others.length > tasks + 1;
    const table = historyOf(others.map((j) => rows[j]!));
    const columns = { baseline: "baseline", candidate: "candidate", ...(withTask ? { task: "task" } : {}) };
    return predictGain(table, columns, { baseline, task });
  });
}

/** What all claims predict at a baseline; NaN of too few. With the task in it where the tasks have enough claims. */
export function expectAt(
  claims: readonly SurveyClaim[],
  at: { readonly baseline: number; readonly task: string },
): number {
  const complete = claims.filter(({ baseline, gain }) => !Number.isNaN(baseline + gain));
  const tasks = new Set(complete.map(({ task }) => task)).size;
  if (Number.isNaN(at.baseline) || complete.length < FEWEST_OTHERS) return Number.NaN;
  const withTask = tasks > 1 && complete.length > tasks + 1;
  const columns = { baseline: "baseline", candidate: "candidate", ...(withTask ? { task: "task" } : {}) };
  return predictGain(historyOf(complete), columns, at);
}

const historyOf = (rows: readonly Pick<ReadClaim, "baseline" | "gain" | "task">[]): Table =>
  makeTable([
    ["baseline", numericColumn(rows.map(({ baseline }) => baseline))],
    ["candidate", numericColumn(rows.map(({ baseline, gain }) => baseline + gain))],
    ["task", factorColumn(rows.map(({ task }) => task))],
  ]);

function expectedByMean(rows: readonly ReadClaim[], variances: readonly number[]): number[] {
  const complete = rows.flatMap(({ gain }, i) => (Number.isNaN(gain + variances[i]!) ? [] : [i]));
  return rows.map((_, i) => {
    const others = complete.filter((j) => j !== i);
    if (others.length < FEWEST_OTHERS) return Number.NaN;
    const effects = Float64Array.from(others, (j) => rows[j]!.gain);
    const own = { effects, variances: Float64Array.from(others, (j) => variances[j]!) };
    return metaRegression(own, "dl")!.beta[0]!;
  });
}
