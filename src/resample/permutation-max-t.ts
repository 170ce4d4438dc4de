/** All pairs of systems at once: the law of the largest |t| when items (or whole clusters of them) change sign together.
 *      D_g = Σ over unit g of (b - a),   m = ΣD_g/n,   se² = Σ (D_g - n_g m)²/(1 - n_g/n) / n²,   t = m/se      (CR2; s²/n where units are items)
 *  One vector of signs flips the differences of all pairs, so that their dependence stays as it is. p of a pair is the share of flips whose
 *  largest |t*| reaches its |t| (single step); m ± c se with the 1 - α quantile c of the largest |t*| covers all pairs at once.
 *    exact         all 2^G flips up to MOST_FLIPPED units
 *    Monte Carlo   otherwise, p = (c + 1)/(R + 1)
 *  `flipPairs` keeps the flips, for the largest t* of some pairs in one direction, which step-down procedures ask for again and again.
 *  Reference: Westfall & Young (1993), Resampling-Based Multiple Testing, ch. 2; Romano & Wolf (2005), J. Am. Stat. Assoc. 100.
 *  Oracle:    enumeration and t.test in R, mvtnorm's quantile for normal differences: oracle/r/max-t.json.
 *  Limits:    differences of systems that do not differ are symmetric about 0, jointly; that of the others may be anything. */
import { checkSize } from "../data/size.ts";
import { makeRng } from "../numeric/rng.ts";
import { eachSubset, makeByteTables } from "./byte-tables.ts";
import { type PermutationOptions, REPLICATES, TIE } from "./permutation.ts";

export interface MaxTOptions extends Omit<PermutationOptions, "alternative"> {
  /** Systems by their numbers; differences are the second minus the first. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Items in each unit, where units are clusters. */
  readonly sizes?: Float64Array | undefined;
}

export interface MaxT {
  /** Of each pair; NaN without spread. */
  readonly statistics: Float64Array;
  readonly differences: Float64Array;
  readonly standardErrors: Float64Array;
  /** The largest |t*| of each flip, ascending. */
  readonly maxima: Float64Array;
  readonly method: "exact" | "monte-carlo";
  /** Monte-Carlo draws; 0 if exact. */
  readonly replicates: number;
}

/** 65,536 flips. */
const MOST_FLIPPED = 16;

/** All flips of signs, for any families of ordered pairs. */
export interface PairFlips {
  /** t of system j less system k, at [j + k · systems]; NaN without spread, ±Infinity where that leaves a difference. */
  readonly statistics: Float64Array;
  readonly exact: boolean;
  /** In each flip the largest t* of the ordered pairs (j + k · systems each) of every family; `bounds` as of `largestMaxima`. */
  maxima(families: readonly Int32Array[], bounds?: MaximaBounds): Float64Array[];
}

/** What is known of the maxima of each family: they are no larger than these. */
export interface MaximaBounds {
  readonly maxima: readonly Float64Array[];
  readonly keep: number;
}

/** The largest t* of every draw. With bounds only the `keep` largest of all draws are sought: the others stay at their bound, which is smaller. */
export function largestMaxima(
  draws: number,
  largest: (draw: number) => number,
  known?: { readonly bound: Float64Array; readonly keep: number },
): Float64Array {
  if (known === undefined) return Float64Array.from({ length: draws }, (_, r) => largest(r));
  const { bound, keep } = known;
  const found = bound.slice();
  // ascending
  const top = new Float64Array(Math.min(keep, draws)).fill(Number.NEGATIVE_INFINITY);
  const promising = bound.slice().sort()[draws - top.length]!;
  // those of the largest bounds first, after which few of the others can be among the largest
  for (const isFirst of [true, false])
    for (let r = 0; r < draws; r++) {
      if (bound[r]! >= promising !== isFirst || bound[r]! <= top[0]!) continue;
      const own = largest(r);
      found[r] = own;
      if (own <= top[0]!) continue;
      let at = 0;
      for (; at + 1 < top.length && top[at + 1]! < own; at++) top[at] = top[at + 1]!;
      top[at] = own;
    }
  return found;
}

/** `sums` and `sizes` as of `permuteMaxT`. */
export function flipPairs(sums: Float64Array, units: number, options: Omit<MaxTOptions, "pairs">): PairFlips {
  checkSize(sums, "the sums");
  const systems = sums.length / units;
  const pairs = Array.from({ length: systems }, (_, b) => Array.from({ length: b }, (_n, a) => [a, b] as const)).flat();
  const problem = makeProblem(sums, units, { ...options, pairs });
  const exact = units <= MOST_FLIPPED;
  const width = problem.totals.length;
  const flips = exact ? allFlips(problem) : randomFlips(problem, options);
  const statistics = new Float64Array(systems * systems).fill(Number.NaN);
  statisticsInto(statistics, problem, { pairs: problem.pairs, at: problem.totals });
  const count = flips.length / width;
  const maxima = (families: readonly Int32Array[], bounds?: MaximaBounds): Float64Array[] =>
    families.map((family, f) => {
      const asked = new Uint8Array(systems * systems);
      for (const code of family) if (Number.isFinite(statistics[code]!)) asked[code] = 1;
      const own = problem.pairs.filter(({ a, b }) => asked[a + b * systems]! + asked[b + a * systems]! > 0);
      const sides = own.map(({ a, b }) => asked[b + a * systems]! - asked[a + b * systems]!);
      // all flips are half of them, and the same with every sign changed
      const largest = (r: number): number => {
        const at = flips.subarray((r % count) * width, (r % count) * width + width);
        return largestOf(own, problem, { at, sides, sign: r < count ? 1 : -1 });
      };
      return largestMaxima(
        exact ? 2 * count : count,
        largest,
        bounds && { bound: bounds.maxima[f]!, keep: bounds.keep },
      );
    });
  return { statistics, exact, maxima };
}

/** In both orders; a flip that takes all spread away is as far out as can be. */
function statisticsInto(
  target: Float64Array,
  problem: Problem,
  { pairs, at }: { readonly pairs: readonly Pair[]; readonly at: Float64Array },
): void {
  const { systems } = problem;
  for (const pair of pairs) {
    const { t, mean } = statisticOf(pair, problem, at);
    const own = Number.isNaN(t) && mean !== 0 ? Math.sign(mean) * Number.POSITIVE_INFINITY : t;
    target[pair.b + pair.a * systems] = own;
    target[pair.a + pair.b * systems] = -own;
  }
}

/** Of pairs in one order (side 1 or -1) or in both (0). */
function largestOf(
  pairs: readonly Pair[],
  problem: Problem,
  { at, sides, sign }: { readonly at: Float64Array; readonly sides: readonly number[]; readonly sign: number },
): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < pairs.length; i++) {
    const { t, mean } = statisticOf(pairs[i]!, problem, at);
    const side = sides[i]!;
    let own = t;
    if (Number.isNaN(t)) {
      // without spread and without a difference
      if (mean === 0) continue;
      own = Math.sign(mean) * Number.POSITIVE_INFINITY;
    }
    own = side === 0 ? Math.abs(own) : side * sign * own;
    if (own > most) most = own;
  }
  return most;
}

/** `sums`: the scores of system s summed over unit g, at g + s · units. */
export function permuteMaxT(sums: Float64Array, units: number, options: MaxTOptions): MaxT {
  const { method = "auto" } = options;
  checkSize(sums, "the sums");
  const problem = makeProblem(sums, units, options);
  const exact = method === "exact" || (method === "auto" && units <= MOST_FLIPPED);
  const maxima = exact ? flipAll(problem) : flipAtRandom(problem, options);
  const observed = problem.pairs.map((pair) => statisticOf(pair, problem, problem.totals));
  return {
    statistics: Float64Array.from(observed, ({ t }) => t),
    differences: Float64Array.from(observed, ({ mean }) => mean),
    standardErrors: Float64Array.from(observed, ({ se }) => se),
    maxima: maxima.sort(),
    method: exact ? "exact" : "monte-carlo",
    replicates: exact ? 0 : maxima.length,
  };
}

/** p of a pair whose |statistic| is this, adjusted for all pairs. */
export function maxTP({ maxima, method }: MaxT, statistic: number): number {
  if (Number.isNaN(statistic)) return Number.NaN;
  const bound = Math.abs(statistic) * (1 - TIE);
  let count = 0;
  for (let k = maxima.length - 1; k >= 0 && maxima[k]! >= bound; k--) count++;
  return method === "exact" ? count / maxima.length : (count + 1) / (maxima.length + 1);
}

/** The largest |t| that leaves p above 1 - confidence; Infinity where flips are too few for it. */
export function maxTCritical({ maxima, method }: Pick<MaxT, "maxima" | "method">, confidence: number): number {
  const alpha = 1 - confidence;
  const most = Math.floor(alpha * (maxima.length + (method === "exact" ? 0 : 1)) + TIE) - (method === "exact" ? 0 : 1);
  const critical = maxima[maxima.length - 1 - most] ?? Number.POSITIVE_INFINITY;
  // not even the flip that is furthest out has a p as small as alpha
  const unreachable = method === "exact" && critical >= maxima[maxima.length - 1]! * (1 - TIE);
  return most < 0 || unreachable ? Number.POSITIVE_INFINITY : critical;
}

interface Pair {
  readonly a: number;
  readonly b: number;
  /** Σ w D², which no flip changes. */
  readonly squares: number;
}

interface Problem {
  readonly systems: number;
  readonly items: number;
  /** A unit's row: the sums of all systems; then w n_g times them, unless that is one number for all units. */
  readonly rows: Float64Array;
  readonly weight: number | undefined;
  readonly units: number;
  /** Sums of the rows. */
  readonly totals: Float64Array;
  readonly pairs: readonly Pair[];
  /** Σ w n_g². */
  readonly leverage: number;
}

function makeProblem(sums: Float64Array, units: number, { pairs, sizes }: MaxTOptions): Problem {
  const systems = sums.length / units;
  const items = sizes === undefined ? units : sizes.reduce((a, b) => a + b, 0);
  const even = sizes === undefined || sizes.every((size) => size === sizes[0]);
  const width = even ? systems : 2 * systems;
  const rows = new Float64Array(units * width);
  const totals = new Float64Array(width);
  const squares = pairs.map(() => 0);
  let leverage = 0;
  for (let g = 0; g < units; g++) {
    const size = sizes?.[g] ?? 1;
    const w = 1 / (1 - size / items);
    leverage += w * size * size;
    // only differences count: what all systems have in common would cost digits
    let level = 0;
    for (let s = 0; s < systems; s++) level += sums[g + s * units]! / systems;
    for (let s = 0; s < systems; s++) {
      const own = sums[g + s * units]! - level;
      rows[g * width + s] = own;
      totals[s]! += own;
      if (even) continue;
      rows[g * width + systems + s] = w * size * own;
      totals[systems + s]! += w * size * own;
    }
    pairs.forEach(([a, b], k) => {
      squares[k]! += w * (sums[g + b * units]! - sums[g + a * units]!) ** 2;
    });
  }
  return {
    systems,
    items,
    rows,
    weight: even ? leverage / items : undefined,
    units,
    totals,
    pairs: pairs.map(([a, b], k) => ({ a, b, squares: squares[k]! })),
    leverage,
  };
}

/** From the sums over units, as they are or flipped. */
function statisticOf({ a, b, squares }: Pair, { systems, items, weight, leverage }: Problem, at: Float64Array) {
  const sum = at[b]! - at[a]!;
  const mean = sum / items;
  const weighted = weight === undefined ? at[systems + b]! - at[systems + a]! : weight * sum;
  const rest = squares - 2 * mean * weighted + mean * mean * leverage;
  // what sums of squares that should be equal leave
  const spread = rest > TIE * squares ? Math.sqrt(rest) : 0;
  return { mean, se: spread / items, t: spread > 0 ? sum / spread : Number.NaN };
}

/** The largest |t| of the pairs that have spread; a flip that takes it away is as far out as can be. */
function largest(problem: Problem, pairs: readonly Pair[], at: Float64Array): number {
  let top = 0;
  for (const pair of pairs) {
    const { t, mean } = statisticOf(pair, problem, at);
    top = Math.max(top, Number.isNaN(t) ? (mean === 0 ? 0 : Number.POSITIVE_INFINITY) : Math.abs(t));
  }
  return top;
}

const withSpread = (problem: Problem): Pair[] =>
  problem.pairs.filter((pair) => !Number.isNaN(statisticOf(pair, problem, problem.totals).t));

/** Half of all flips, the last unit keeping its sign: sums of the rows, `width` numbers a flip. In Gray's order, one unit at a time. */
function allFlips({ rows, units, totals }: Problem): Float64Array {
  const width = totals.length;
  const at = totals.slice();
  const flips = new Float64Array(2 ** (units - 1) * width);
  const signs = new Int8Array(units).fill(1);
  flips.set(at);
  for (let k = 1; k < 2 ** (units - 1); k++) {
    const g = 31 - Math.clz32(k & -k);
    signs[g] = -signs[g]!;
    for (let c = 0; c < width; c++) at[c]! += 2 * signs[g]! * rows[g * width + c]!;
    flips.set(at, k * width);
  }
  return flips;
}

/** |t| does not change with all signs, so that half of the flips are enough. */
function flipAll(problem: Problem): Float64Array {
  const pairs = withSpread(problem);
  const width = problem.totals.length;
  const flips = allFlips(problem);
  return Float64Array.from({ length: flips.length / width }, (_, k) =>
    largest(problem, pairs, flips.subarray(k * width, (k + 1) * width)),
  );
}

type Drawing = Pick<MaxTOptions, "replicates" | "rng" | "onProgress">;

/** Hands `visit` the number of each random flip, and the sums of the rows in it. */
function eachFlip(
  { rows, totals }: Problem,
  { replicates = REPLICATES, rng = makeRng(1), onProgress }: Drawing,
  visit: (flip: number, at: Float64Array) => void,
): void {
  const width = totals.length;
  const tables = makeByteTables(rows, width);
  const flipped = new Float64Array(width);
  eachSubset(tables, { replicates, rng, ...(onProgress && { onProgress }) }, (i, sums, at) => {
    for (let c = 0; c < width; c++) flipped[c] = totals[c]! - 2 * sums[at + c]!;
    visit(i, flipped);
  });
}

function randomFlips(problem: Problem, options: Drawing): Float64Array {
  const width = problem.totals.length;
  const flips = new Float64Array((options.replicates ?? REPLICATES) * width);
  eachFlip(problem, options, (i, at) => flips.set(at, i * width));
  return flips;
}

function flipAtRandom(problem: Problem, options: Drawing): Float64Array {
  const pairs = withSpread(problem);
  const maxima = new Float64Array(options.replicates ?? REPLICATES);
  eachFlip(problem, options, (i, at) => {
    maxima[i] = largest(problem, pairs, at);
  });
  return maxima;
}
