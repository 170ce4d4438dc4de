/** Two-sample permutation test of a difference of means: under the null hypothesis every choice of n_x of the N values is equally
 *  likely (within each stratum, if there are strata). The difference of means rises with the sum U of the chosen values alone.
 *    exact         lattice values: joint law of (number chosen, sum), value after value; item i is chosen with probability
 *                  (n_x - j)/(N - i) when j were chosen before. Strata are convolved. Few choices: all of them.
 *    Monte Carlo   otherwise, p = (c + 1)/(R + 1), the choices from choices.ts.
 *  Reference: Pagano & Tritchler (1983), J. Am. Stat. Assoc. 78; Streitberg & Röhmel (1986), Stat. Softw. Newsl. 12 (shift algorithm).
 *  Oracle:    coin and full enumeration (R), scipy.stats.permutation_test, oracle/reference/classical.json.
 *  Limits:    assumes exchangeability: with unequal variances and group sizes it does not test means alone (permutation-studentised.ts
 *             does). */

import { checkSize } from "../data/size.ts";
import { lessCenter } from "../numeric/center.ts";
import { convolveProbabilities } from "../numeric/fft.ts";
import { makeRng } from "../numeric/rng.ts";
import { leastOf } from "../result/extremes.ts";
import { CHUNK } from "./byte-tables.ts";
import { makeChoices } from "./choices.ts";
import { findLattice } from "./lattice.ts";
import {
  type Alternative,
  EXACT_COST,
  extremeness,
  FORCED_COST,
  monteCarloP,
  notCountable,
  type Permutation,
  type PermutationOptions,
  REPLICATES,
  TIE,
  undefinedPermutation,
} from "./permutation.ts";

export interface TwoSampleOptions extends PermutationOptions {
  /** Codes of the strata of x and of y: labels are permuted within a stratum only. */
  readonly strata?: readonly [Int32Array, Int32Array] | undefined;
  /** What "two-sided" means where the law is skew: |T| at least as large, or twice the smaller tail (as scipy does). */
  readonly twoSided?: "absolute" | "twice" | undefined;
}

/** Choices that are gone through one by one. */
const MOST_CHOICES = 2e6;
/** Cells of the table of sums: 64 MB. */
const MOST_CELLS = 8e6;

export interface Stratum {
  readonly values: Float64Array;
  /** How many of them are x's. */
  readonly chosen: number;
}

/** The statistic is mean(x) - mean(y). */
export function permuteTwoSample(x: Float64Array, y: Float64Array, options: TwoSampleOptions = {}): Permutation {
  const { method = "auto" } = options;
  checkSize(x, "x");
  checkSize(y, "y");
  const [own, other] = lessCenter(x, y) as [Float64Array, Float64Array];
  const sumX = total(own);
  const statistic = sumX / x.length - total(other) / y.length;
  if (!Number.isFinite(statistic)) return undefinedPermutation(statistic);
  const strata = splitStrata(own, other, options.strata);
  const center = strata.reduce((sum, s) => sum + (s.chosen * total(s.values)) / s.values.length, 0);
  const problem: Problem = { strata, observed: sumX, center };
  if (method !== "monte-carlo") {
    const tails = exactTails(problem, method === "exact" ? FORCED_COST : EXACT_COST);
    if (tails) return { statistic, p: tailP(tails, options), method: "exact", replicates: 0, monteCarloSe: 0 };
    if (method === "exact") throw notCountable();
  }
  return { statistic, ...drawP(problem, options) };
}

const total = (values: Float64Array): number => values.reduce((a, b) => a + b, 0);

function splitStrata(x: Float64Array, y: Float64Array, codes?: readonly [Int32Array, Int32Array]): Stratum[] {
  if (!codes) {
    const values = new Float64Array(x.length + y.length);
    values.set(x);
    values.set(y, x.length);
    return [{ values, chosen: x.length }];
  }
  const found = new Map<number, { x: number[]; y: number[] }>();
  const at = (code: number) => {
    if (!found.has(code)) found.set(code, { x: [], y: [] });
    return found.get(code)!;
  };
  for (const [i, value] of x.entries()) at(codes[0][i]!).x.push(value);
  for (const [i, value] of y.entries()) at(codes[1][i]!).y.push(value);
  return [...found.values()].map((s) => ({ values: Float64Array.from([...s.x, ...s.y]), chosen: s.x.length }));
}

interface Problem {
  readonly strata: readonly Stratum[];
  /** Σ of x, and its expectation under the null hypothesis. */
  readonly observed: number;
  readonly center: number;
}

/** P(U >= u), P(U <= u), and P(|U - center| >= |u - center|). */
interface Tails {
  readonly upper: number;
  readonly lower: number;
  readonly absolute: number;
}

function tailP(
  { upper, lower, absolute }: Tails,
  { alternative = "two-sided", twoSided = "absolute" }: TwoSampleOptions,
) {
  if (alternative === "greater") return Math.min(1, upper);
  if (alternative === "less") return Math.min(1, lower);
  return Math.min(1, twoSided === "twice" ? 2 * Math.min(upper, lower) : absolute);
}

function exactTails(problem: Problem, most: number): Tails | undefined {
  const { strata } = problem;
  const smallest = strata.map(({ values }) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY));
  const shifted = Float64Array.from(strata.flatMap(({ values }, s) => Array.from(values, (v) => v - smallest[s]!)));
  const lattice = findLattice(shifted);
  if (lattice !== null) {
    const law = countSums(strata, lattice.steps, most);
    if (law) {
      const base = strata.reduce((sum, { chosen }, s) => sum + chosen * smallest[s]!, 0);
      return addTails(problem, (visit) => {
        for (const [k, p] of law.entries()) if (p > 0) visit(base + k * lattice.unit, p);
      });
    }
  }
  if (strata.length > 1 || logChoices(strata[0]!) > Math.log(MOST_CHOICES)) return undefined;
  const each = 1 / countChoices(strata[0]!);
  return addTails(problem, (visit) => visitChoices(strata[0]!, (sum) => visit(sum, each)));
}

function addTails({ observed, center }: Problem, each: (visit: (sum: number, p: number) => void) => void): Tails {
  const tie = TIE * Math.max(Math.abs(observed), Math.abs(center), Math.abs(observed - center));
  const far = Math.abs(observed - center) - tie;
  let upper = 0;
  let lower = 0;
  let absolute = 0;
  each((sum, p) => {
    if (sum >= observed - tie) upper += p;
    if (sum <= observed + tie) lower += p;
    if (Math.abs(sum - center) >= far) absolute += p;
  });
  return { upper, lower, absolute };
}

/** Law of the sum of the chosen steps over all strata; undefined if it would cost too much. */
function countSums(strata: readonly Stratum[], steps: Int32Array, most: number): Float64Array | undefined {
  let law: Float64Array = Float64Array.of(1);
  let first = 0;
  for (const { values, chosen } of strata) {
    const own = steps.subarray(first, first + values.length);
    first += values.length;
    // choosing the smaller group and counting from the other side costs less
    const few = Math.min(chosen, values.length - chosen);
    const top = Array.from(own)
      .sort((a, b) => b - a)
      .slice(0, few)
      .reduce((a, b) => a + b, 0);
    if ((few + 1) * (top + 1) > MOST_CELLS || own.length * (few + 1) * (top + 1) > most) return undefined;
    let sums = countChoice(own, few, top);
    if (few !== chosen)
      sums = mirror(
        sums,
        own.reduce((a, b) => a + b, 0),
      );
    law = law.length === 1 && law[0] === 1 ? sums : convolveProbabilities(law, sums).values;
  }
  return law;
}

function countChoice(steps: Int32Array, chosen: number, top: number): Float64Array {
  const size = top + 1;
  const law = new Float64Array((chosen + 1) * size);
  law[0] = 1;
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i]!;
    for (let j = Math.min(i, chosen); j >= 0; j--) {
      const take = (chosen - j) / (steps.length - i);
      const from = j * size;
      const to = from + size + step;
      for (let k = size - 1; k >= 0; k--) {
        const p = law[from + k]!;
        if (p === 0) continue;
        if (take > 0 && k + step < size) law[to + k]! += take * p;
        law[from + k] = (1 - take) * p;
      }
    }
  }
  return law.slice(chosen * size);
}

/** The law of total - U. */
function mirror(sums: Float64Array, total: number): Float64Array {
  const out = new Float64Array(total + 1);
  sums.forEach((p, k) => {
    out[total - k] = p;
  });
  return out;
}

export function logChoices({ values, chosen }: Stratum): number {
  let log = 0;
  for (let i = 1; i <= chosen; i++) log += Math.log((values.length - chosen + i) / i);
  return log;
}

export const countChoices = (stratum: Stratum): number => Math.round(Math.exp(logChoices(stratum)));

/** Σ and Σ of squares of every choice. */
export function visitChoices({ values, chosen }: Stratum, visit: (sum: number, squares: number) => void): void {
  const go = (from: number, left: number, sum: number, squares: number): void => {
    if (left === 0) {
      visit(sum, squares);
      return;
    }
    for (let i = from; i <= values.length - left; i++) {
      const v = values[i]!;
      go(i + 1, left - 1, sum + v, squares + v * v);
    }
  };
  go(0, chosen, 0, 0);
}

function drawP(problem: Problem, options: TwoSampleOptions): Omit<Permutation, "statistic"> {
  const { strata, observed, center } = problem;
  const { alternative = "two-sided", replicates = REPLICATES, rng = makeRng(1), onProgress } = options;
  const tie = TIE * Math.max(Math.abs(observed), Math.abs(center));
  const sides: readonly Alternative[] =
    alternative === "two-sided" && options.twoSided === "twice" ? ["greater", "less"] : [alternative];
  const tests = sides.map((side) => extremeness(side, observed - center, tie));
  const counts = tests.map(() => 0);
  const choices = strata.map(({ values, chosen }) => makeChoices(values, chosen));
  const sums = new Float64Array(CHUNK);
  for (let first = 0; first < replicates; first += CHUNK) {
    const stream = rng.stream(first / CHUNK);
    const here = Math.min(CHUNK, replicates - first);
    sums.fill(0);
    for (const add of choices) add(sums, stream);
    tests.forEach((extreme, t) => {
      for (let r = 0; r < here; r++) if (extreme(sums[r]! - center)) counts[t]!++;
    });
    onProgress?.(first + here, replicates);
  }
  const answer = monteCarloP(leastOf(counts), replicates);
  if (counts.length === 1) return answer;
  return { ...answer, p: Math.min(1, 2 * answer.p), monteCarloSe: 2 * answer.monteCarloSe };
}
