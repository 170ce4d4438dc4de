/** Paired permutation test of any score that is a function of summed item statistics: F1 from true and false positives, BLEU from
 *  n-gram counts. Swapping item i adds δ_i = b_i - a_i to the sums of A and takes it from those of B, so that a draw costs a few
 *  additions, and  T = score(ΣA) - score(ΣB)  needs no pass over the items.
 *    exact   items with the same ±δ are exchangeable: Σ over swapped items = C + Σ_t v_t K_t,  K_t ~ Binomial(m_t, 1/2), for each
 *            kind t of difference. All (K_1, K_2, …) are gone through where they are few (two kinds for binary F1); otherwise the
 *            joint distribution of the independent columns is counted in a box, where it fits.
 *    Monte Carlo otherwise, by byte tables.
 *  Reference: Noreen (1989); Yeh (2000), COLING; Riezler & Hagmann (2021), Alg. 4.2; Zmigrod, Vieira & Cotterell (2022), NAACL (exact).
 *  Oracle:    full enumeration for n <= 14; 10^6 Monte-Carlo draws at n = 2000.
 *  Limits:    a score that is undefined for a swap counts as extreme. */
import { binomialPmf } from "../numeric/dist/binomial.ts";
import { makeRng, type Rng } from "../numeric/rng.ts";
import { eachSubset, makeByteTables } from "./byte-tables.ts";
import { countBox, type SwapKind } from "./joint-swaps.ts";
import { packRows } from "./packed-rows.ts";
import {
  extremeness,
  monteCarloP,
  notCountable,
  type PairedPermutationOptions,
  type Permutation,
  REPLICATES,
  sumByCluster,
  TIE,
  undefinedPermutation,
} from "./permutation.ts";

/** Item statistics of two systems on the same items, row by row, and the score of their sums. */
export interface PairedStatistics {
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly width: number;
  readonly scoreOf: (sums: Float64Array) => number;
}

/** States whose score is worked out: half a second for a costly score. */
const MOST_STATES = 1 << 21;

/** The statistic is score(A) - score(B). */
export function permutePairedScores(data: PairedStatistics, options: PairedPermutationOptions = {}): Permutation {
  const { alternative = "two-sided", method = "auto", clusters } = options;
  const swap = makeSwap(data, clusters);
  const statistic = swap.differenceAt(new Float64Array(swap.width));
  if (Number.isNaN(statistic)) return undefinedPermutation(statistic);
  const extreme = extremeness(alternative, statistic, TIE * swap.scale);
  if (method !== "monte-carlo") {
    const p = exactP(swap, extreme, method === "exact" ? 32 * MOST_STATES : MOST_STATES);
    if (p !== undefined) return { statistic, p, method: "exact", replicates: 0, monteCarloSe: 0 };
    if (method === "exact") throw notCountable();
  }
  return { statistic, ...drawP(swap, extreme, options) };
}

export interface ScoreDecision {
  readonly statistic: number;
  /** p < α; false where the statistic is undefined. */
  readonly significant: boolean;
}

/** Whether the test above rejects, from as few draws as leave no doubt: after 256 draws, then 1,024, … it ends where so many extreme ones among n have
 *  a probability below e^-12 if p = α (Chernoff: n KL(p̂, α) > 12), at the latest after those of the test. For simulations, which ask nothing else. */
export function decidePairedScores(
  data: PairedStatistics,
  {
    alpha,
    alternative = "two-sided",
    rng,
  }: Pick<PairedPermutationOptions, "alternative"> & { alpha: number; rng: Rng },
): ScoreDecision {
  const swap = makeSwap(data);
  const statistic = swap.differenceAt(new Float64Array(swap.width));
  if (Number.isNaN(statistic)) return { statistic, significant: false };
  const extreme = extremeness(alternative, statistic, TIE * swap.scale);
  if (swap.width === 0) return { statistic, significant: false };
  const { kinds, start } = findKinds(swap);
  if (kinds.reduce((product, { count }) => product * (count + 1), 1) <= FEW_STATES)
    return { statistic, significant: goThrough(kinds, start, swap, extreme) < alpha };
  const { countOf } = drawing(swap, extreme);
  let [drawn, count] = [0, 0];
  for (let stage = 0; drawn < REPLICATES; stage++) {
    const more = Math.min(REPLICATES - drawn, FIRST_DRAWS * 4 ** stage - drawn);
    count += countOf(more, rng.stream(stage));
    drawn += more;
    if (drawn * divergence(count / drawn, alpha) > DOUBTLESS) break;
  }
  return { statistic, significant: (count + 1) / (drawn + 1) < alpha };
}

/** States that are gone through sooner than drawn from. */
const FEW_STATES = 4096;
const FIRST_DRAWS = 256;
const DOUBTLESS = 12;

/** Kullback and Leibler's, of a share against a probability. */
function divergence(share: number, p: number): number {
  const term = (x: number, y: number): number => (x === 0 ? 0 : x * Math.log(x / y));
  return term(share, p) + term(1 - share, 1 - p);
}

interface Swap {
  /** Columns in which the systems differ. */
  readonly width: number;
  /** δ_i of items that differ, row by row. */
  readonly deltas: Float64Array;
  /** Size of the scores, for comparing them. */
  readonly scale: number;
  /** T after δ's that sum to `moved` (in the columns that differ) have been swapped. */
  differenceAt(moved: Float64Array): number;
}

function makeSwap({ a, b, width, scoreOf }: PairedStatistics, clusters?: Int32Array): Swap {
  const rowsA = clusters ? sumByCluster(a, clusters, width) : a;
  const rowsB = clusters ? sumByCluster(b, clusters, width) : b;
  const totalA = columnSums(a, width);
  const totalB = columnSums(b, width);
  const all = rowsB.map((value, k) => value - rowsA[k]!);
  const { columns, source } = differentColumns(all, width);
  const kept: number[] = [];
  for (let row = 0; row < all.length; row += width) {
    if (columns.some((c) => all[row + c] !== 0)) for (const c of columns) kept.push(all[row + c]!);
  }
  const sumsA = totalA.slice();
  const sumsB = totalB.slice();
  const differenceAt = (moved: Float64Array): number => {
    for (let c = 0; c < width; c++) {
      const j = source[c]!;
      if (j < 0) continue;
      sumsA[c] = totalA[c]! + moved[j]!;
      sumsB[c] = totalB[c]! - moved[j]!;
    }
    return scoreOf(sumsA) - scoreOf(sumsB);
  };
  const scale = Math.max(Math.abs(scoreOf(totalA)), Math.abs(scoreOf(totalB)));
  return { width: columns.length, deltas: Float64Array.from(kept), scale, differenceAt };
}

/** Columns in which the systems differ, each only once (BLEU's lengths and n-gram totals differ alike); `source` says which of them
 *  serves column c, -1 where the systems agree. */
function differentColumns(deltas: Float64Array, width: number): { columns: number[]; source: Int32Array } {
  const columns: number[] = [];
  const source = new Int32Array(width).fill(-1);
  const rows = deltas.length / width;
  const same = (c: number, d: number): boolean => {
    for (let i = 0; i < rows; i++) if (deltas[i * width + c] !== deltas[i * width + d]) return false;
    return true;
  };
  for (let c = 0; c < width; c++) {
    let zero = true;
    for (let i = 0; i < rows && zero; i++) zero = deltas[i * width + c] === 0;
    if (zero) continue;
    source[c] = columns.findIndex((d) => same(c, d));
    if (source[c]! < 0) source[c] = columns.push(c) - 1;
  }
  return { columns, source };
}

function columnSums(rows: Float64Array, width: number): Float64Array {
  const sums = new Float64Array(width);
  for (let row = 0; row < rows.length; row += width) for (let c = 0; c < width; c++) sums[c]! += rows[row + c]!;
  return sums;
}

function exactP(swap: Swap, extreme: (t: number) => boolean, most: number): number | undefined {
  if (swap.width === 0) return 1;
  const { kinds, start } = findKinds(swap);
  const states = kinds.reduce((product, { count }) => product * (count + 1), 1);
  if (states <= most) return goThrough(kinds, start, swap, extreme);
  const box = countBox(kinds, MOST_STATES);
  if (box === null) return undefined;
  const moved = new Float64Array(swap.width);
  let p = 0;
  box.forEach((probability, sums) => {
    for (let c = 0; c < moved.length; c++) moved[c] = start[c]! + sums[c]!;
    if (extreme(swap.differenceAt(moved))) p += probability;
  });
  return Math.min(1, p);
}

/** Kinds of difference up to sign; an item with -v contributes -v + v(1 - B), hence a constant start. */
function findKinds({ deltas, width }: Swap): { kinds: SwapKind[]; start: Float64Array } {
  const kinds = new Map<string, { vector: Float64Array; count: number }>();
  const start = new Float64Array(width);
  for (let row = 0; row < deltas.length; row += width) {
    const delta = deltas.subarray(row, row + width);
    const negative = delta.find((d) => d !== 0)! < 0;
    const vector = negative ? delta.map((d) => 0 - d) : delta.slice();
    if (negative) for (let c = 0; c < width; c++) start[c]! -= vector[c]!;
    const key = vector.join(" ");
    const found = kinds.get(key);
    if (found) found.count++;
    else kinds.set(key, { vector, count: 1 });
  }
  return { kinds: [...kinds.values()], start };
}

function goThrough(
  kinds: readonly SwapKind[],
  start: Float64Array,
  swap: Swap,
  extreme: (t: number) => boolean,
): number {
  const laws = kinds.map(({ count }) => Float64Array.from({ length: count + 1 }, (_, k) => binomialPmf(k, count, 0.5)));
  const levels = [start, ...kinds.map(() => new Float64Array(start.length))];
  const visit = (t: number, probability: number): number => {
    const here = levels[t]!;
    if (t === kinds.length) return extreme(swap.differenceAt(here)) ? probability : 0;
    const { vector, count } = kinds[t]!;
    const next = levels[t + 1]!;
    let p = 0;
    for (let k = 0; k <= count; k++) {
      for (let c = 0; c < here.length; c++) next[c] = here[c]! + k * vector[c]!;
      p += visit(t + 1, probability * laws[t]![k]!);
    }
    return p;
  };
  return Math.min(1, visit(0, 1));
}

function drawP(
  swap: Swap,
  extreme: (t: number) => boolean,
  { replicates = REPLICATES, rng = makeRng(1), onProgress }: PairedPermutationOptions,
): Omit<Permutation, "statistic"> {
  return monteCarloP(drawing(swap, extreme).countOf(replicates, rng, onProgress), replicates);
}

/** The tables are made once; each call counts the extreme ones of so many draws. */
function drawing(swap: Swap, extreme: (t: number) => boolean) {
  const packed = packRows(swap.deltas, swap.width, columnSums(swap.deltas.map(Math.abs), swap.width));
  const moved = new Float64Array(swap.width);
  const tables = makeByteTables(packed.rows, packed.width);
  const countOf = (replicates: number, rng: Rng, onProgress?: PairedPermutationOptions["onProgress"]): number => {
    let count = 0;
    eachSubset(tables, { replicates, rng, ...(onProgress && { onProgress }) }, (_, sums, at) => {
      packed.unpackInto(moved, sums, at);
      if (extreme(swap.differenceAt(moved))) count++;
    });
    return count;
  };
  return { countOf };
}
