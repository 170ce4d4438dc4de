/** Systems on different items: the difference within classes of the items (easy, hard), averaged with the classes' share of all items, so that a
 *  system with more of the hard ones is not called worse for them.
 *      δ = Σ_c w_c (b̄_c - ā_c),  w_c = n_c / n,   se² = Σ_c w_c² (s²_ac / n_ac + s²_bc / n_bc),  Satterthwaite's df
 *  Reference: Cochran (1968), Biometrics 24 (adjustment by subclassification); Simpson (1951), JRSS B 13; Satterthwaite (1946), Biometrics Bull. 2.
 *  Oracle:    Welch's t test where there is one class; lm with equal weights by hand (strata.test.ts).
 *  Limits:    classes without two items of each system have no difference. */

import { asFactor, column, type Table } from "../../data/table.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { pearsonChiSquare } from "../tests/fisher.ts";
import { classify } from "./matching/bins.ts";

/** Scores of a system's items, with the class of each. */
export interface StratifiedSample {
  readonly scores: Float64Array;
  readonly classes: Int32Array;
}

export interface Stratified {
  readonly scoreA: number;
  readonly scoreB: number;
  readonly difference: number;
  readonly se: number;
  readonly df: number;
  readonly p: number;
  /** Of each class. */
  readonly within: readonly { readonly name: string; readonly difference: number; readonly items: number }[];
}

interface Part {
  readonly n: number;
  readonly mean: number;
  /** Squared error of the mean. */
  readonly error: number;
}

/** B - A; undefined where a class that has items lacks two of either system. */
export function compareWithin(
  a: StratifiedSample,
  b: StratifiedSample,
  levels: readonly string[],
): Stratified | undefined {
  const parts = levels
    .map((name, code) => ({ name, a: partOf(a, code), b: partOf(b, code) }))
    .filter((part) => part.a.n + part.b.n > 0);
  if (parts.some((part) => part.a.n < 2 || part.b.n < 2)) return undefined;
  const total = parts.reduce((sum, part) => sum + part.a.n + part.b.n, 0);
  let [scoreA, scoreB, variance, below] = [0, 0, 0, 0];
  for (const part of parts) {
    const w = (part.a.n + part.b.n) / total;
    scoreA += w * part.a.mean;
    scoreB += w * part.b.mean;
    for (const own of [part.a, part.b]) {
      variance += w ** 2 * own.error;
      below += (w ** 2 * own.error) ** 2 / (own.n - 1);
    }
  }
  const [difference, se, df] = [scoreB - scoreA, Math.sqrt(variance), variance ** 2 / below];
  return {
    ...{ scoreA, scoreB, difference, se, df },
    p: 2 * tSf(Math.abs(difference) / se, df),
    within: parts.map((part) => ({
      name: part.name,
      difference: part.b.mean - part.a.mean,
      items: part.a.n + part.b.n,
    })),
  };
}

function partOf({ scores, classes }: StratifiedSample, code: number): Part {
  const own = scores.filter((_, i) => classes[i] === code);
  const n = own.length;
  const mean = own.reduce((sum, v) => sum + v, 0) / n;
  return { n, mean, error: own.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (n - 1) / n };
}

/** A system's mean if all classes had their share of all items, with its t interval. */
export function standardized(
  own: StratifiedSample,
  all: readonly StratifiedSample[],
  { levels, confidence }: { readonly levels: readonly string[]; readonly confidence: number },
): { readonly score: number; readonly lower: number; readonly upper: number; readonly interval: string } {
  const total = all.reduce((sum, { scores }) => sum + scores.length, 0);
  let [score, variance, below] = [0, 0, 0];
  levels.forEach((_, code) => {
    const n = all.reduce((sum, sample) => sum + sample.classes.filter((c) => c === code).length, 0);
    if (n === 0) return;
    const part = partOf(own, code);
    const error = (n / total) ** 2 * part.error;
    score += (n / total) * part.mean;
    variance += error;
    below += error ** 2 / (part.n - 1);
  });
  const half = tQuantileUpper((1 - confidence) / 2, variance ** 2 / below) * Math.sqrt(variance);
  return { score, lower: score - half, upper: score + half, interval: "t over classes" };
}

/** The column that tells the classes, as a factor; refused where it cannot. */
export function classesOf(table: Table, by: string, cuts: readonly number[] | undefined) {
  return classify(column(table, by), by, cuts);
}

export function refuseThinClasses(by: string): never {
  throw new StatError(
    "ThinClass",
    `option \`by: ${by}\`: a class has fewer than two items of one of the systems, so that nothing can be compared within it.`,
    "Leave such classes out with option `where`, or cut a column of numbers into fewer classes with option `cut`.",
  );
}

/** More classes than this are names, not conditions. */
const MOST_CLASSES = 12;
/** The classes' shares differ between the systems beyond chance. */
const MIX_ALPHA = 0.01;

/** A property of the items whose mix differs between two systems and without which their difference is another: in sign, or not significant. */
export function findOtherMix(
  table: Table,
  candidates: readonly string[],
  {
    samplesBy,
    names,
    found,
  }: {
    samplesBy(codes: Int32Array): readonly [StratifiedSample, StratifiedSample];
    readonly names: readonly [string, string];
    readonly found: { readonly difference: number; readonly p: number; readonly alpha: number };
  },
): string | undefined {
  for (const name of candidates) {
    const { levels, codes } = asFactor(column(table, name));
    if (levels.length < 2 || levels.length > MOST_CLASSES) continue;
    const [a, b] = samplesBy(codes);
    const counts = levels.map((_, code) => [a, b].map(({ classes }) => classes.filter((c) => c === code).length));
    const { chisq, df } = pearsonChiSquare(counts.filter(([x, y]) => x! + y! > 0));
    if (!(chiSquareSf(chisq, df) < MIX_ALPHA)) continue;
    const within = compareWithin(a, b, levels);
    if (within === undefined) continue;
    const turned = within.difference * found.difference < 0;
    if (!turned && within.p < found.alpha) continue;
    const way = (d: number): string => `${formatNumber(Math.abs(d))} ${d > 0 ? "higher" : "lower"}`;
    const told = turned
      ? `${way(within.difference)} within the classes of ${name}`
      : `not significantly so within the classes of ${name}`;
    return `${names[1]} scores ${way(found.difference)} than ${names[0]} over all items, and ${told}, whose mix differs between the systems: option \`by: ${name}\` compares within them.`;
  }
  return undefined;
}
