/** Paired permutation (sign-flip, approximate randomisation) test of a mean difference.
 *  Under the null hypothesis the two scores of an item may be swapped: S = Σ ± d_i, and p is the share of the 2^n sign vectors whose S
 *  is at least as extreme as the observed one. Of clustered items whole clusters are swapped.
 *    exact         where the d_i lie on a lattice (0/1, Likert, rounded scores) and the sums can be counted, or n <= 40
 *    Monte Carlo   otherwise: p = (c + 1)/(R + 1), a valid p for any R, with the standard error that R leaves
 *  Reference: Riezler & Hagmann (2021), Alg. 4.2; Phipson & Smyth (2010), Stat. Appl. Genet. Mol. Biol. 9(1); Noreen (1989).
 *  Oracle:    full enumeration for n <= 20; 10^6 Monte-Carlo draws at n = 2000.
 *  Limits:    sums that differ by less than TIE of Σ|d| count as equal. A test of the mean only if differences are symmetric under the
 *             null hypothesis. */
import { checkSize } from "../data/size.ts";
import { makeRng, type Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";
import { eachSubset, makeByteTables } from "./byte-tables.ts";
import { findLattice } from "./lattice.ts";
import { enumeratedTail, latticeTail, MOST_ENUMERATED, signFlipCost } from "./sign-flip-exact.ts";

export type Alternative = "two-sided" | "greater" | "less";

export interface PermutationOptions {
  readonly alternative?: Alternative | undefined;
  /** "auto": exact where that takes well below a second. */
  readonly method?: "auto" | "exact" | "monte-carlo" | undefined;
  readonly replicates?: number | undefined;
  readonly rng?: Rng | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

export interface PairedPermutationOptions extends PermutationOptions {
  /** Code of each item's cluster; the items of a cluster are swapped together. */
  readonly clusters?: Int32Array | undefined;
}

export interface Permutation {
  /** The observed statistic. */
  readonly statistic: number;
  readonly p: number;
  readonly method: "exact" | "monte-carlo";
  /** Monte-Carlo draws; 0 if exact. */
  readonly replicates: number;
  /** Standard error of p that the draws leave; 0 if exact. */
  readonly monteCarloSe: number;
}

/** About a second of work on a slow machine. */
export const EXACT_COST = 4e8;
/** What is done when an exact p is asked for: some ten seconds and half a gigabyte. */
export const FORCED_COST = 2e9;
/** Different orders of addition leave sums that should tie about 1e-13 apart. */
export const TIE = 1e-11;
export const REPLICATES = 10_000;

/** The statistic is the mean of `differences`. */
export function permutePaired(differences: Float64Array, options: PairedPermutationOptions = {}): Permutation {
  const { alternative = "two-sided", method = "auto", clusters } = options;
  checkSize(differences, "the differences");
  const statistic = mean(differences);
  if (!Number.isFinite(statistic)) return undefinedPermutation(statistic);
  const units = (clusters ? sumByCluster(differences, clusters) : differences).filter((d) => d !== 0);
  if (units.length === 0) return { statistic, p: 1, method: "exact", replicates: 0, monteCarloSe: 0 };
  if (method !== "monte-carlo") {
    const p = exactP(units, alternative, method === "exact" ? FORCED_COST : EXACT_COST);
    if (p !== undefined) return { statistic, p, method: "exact", replicates: 0, monteCarloSe: 0 };
    if (method === "exact") throw notCountable();
  }
  return { statistic, ...drawP(units, { ...options, alternative }) };
}

export const undefinedPermutation = (statistic: number): Permutation => ({
  statistic,
  p: Number.NaN,
  method: "exact",
  replicates: 0,
  monteCarloSe: 0,
});

export const notCountable = (): StatError =>
  new StatError(
    "TooManySums",
    "the permutations of these values have too many different sums for an exact p.",
    'use the method "monte-carlo", or round the scores.',
  );

function mean(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/** One sum per cluster; codes need not be consecutive. */
export function sumByCluster(rows: Float64Array, clusters: Int32Array, width = 1): Float64Array {
  const index = new Map<number, number>();
  for (let i = 0; i < clusters.length; i++) if (!index.has(clusters[i]!)) index.set(clusters[i]!, index.size);
  const sums = new Float64Array(index.size * width);
  for (let i = 0; i < clusters.length; i++) {
    const at = index.get(clusters[i]!)! * width;
    for (let c = 0; c < width; c++) sums[at + c]! += rows[i * width + c]!;
  }
  return sums;
}

/** undefined: neither a lattice of countable sums nor few enough items. */
function exactP(units: Float64Array, alternative: Alternative, most: number): number | undefined {
  const lattice = findLattice(units);
  if (lattice !== null && signFlipCost(lattice.steps) <= most) {
    const observed = lattice.steps.reduce((sum, step) => sum + step, 0);
    return oneOrTwoSided((s) => latticeTail(lattice.steps, s), observed, alternative);
  }
  if (units.length > MOST_ENUMERATED) return undefined;
  let observed = 0;
  let scale = 0;
  for (const d of units) {
    observed += d;
    scale += Math.abs(d);
  }
  const tie = TIE * scale;
  return oneOrTwoSided((s) => enumeratedTail(units, s, tie), Math.abs(observed) <= tie ? 0 : observed, alternative);
}

/** S is symmetric about 0, so that both tails of |S| are equal. */
function oneOrTwoSided(tail: (s: number) => number, observed: number, alternative: Alternative): number {
  if (alternative === "greater") return tail(observed);
  if (alternative === "less") return tail(-observed);
  return observed === 0 ? 1 : Math.min(1, 2 * tail(Math.abs(observed)));
}

function drawP(
  units: Float64Array,
  { alternative = "two-sided", replicates = REPLICATES, rng = makeRng(1), onProgress }: PermutationOptions,
): Omit<Permutation, "statistic"> {
  const tables = makeByteTables(units, 1);
  let total = 0;
  let scale = 0;
  for (const d of units) {
    total += d;
    scale += Math.abs(d);
  }
  const extreme = extremeness(alternative, total, TIE * scale);
  let count = 0;
  eachSubset(tables, { replicates, rng, ...(onProgress && { onProgress }) }, (_, sums, at) => {
    if (extreme(total - 2 * sums[at]!)) count++;
  });
  return monteCarloP(count, replicates);
}

/** Is a drawn statistic at least as far out as the observed one? One that is undefined counts as such, on the safe side. */
export function extremeness(alternative: Alternative, observed: number, tie: number): (drawn: number) => boolean {
  if (alternative === "greater") return (drawn) => !(drawn < observed - tie);
  if (alternative === "less") return (drawn) => !(drawn > observed + tie);
  const bound = Math.abs(observed) - tie;
  return (drawn) => !(Math.abs(drawn) < bound);
}

export function monteCarloP(count: number, replicates: number): Omit<Permutation, "statistic"> {
  const p = (count + 1) / (replicates + 1);
  return { p, method: "monte-carlo", replicates, monteCarloSe: Math.sqrt((p * (1 - p)) / (replicates + 1)) };
}
