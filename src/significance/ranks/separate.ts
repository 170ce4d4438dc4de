/** Which systems are separated, by one-sided tests of ordered pairs (j, k): "j is no better than k".
 *      t_jk = (θ̂_j - θ̂_k) / se_jk,      c = the 1 - α quantile of max t*_jk over the family of pairs
 *  A pair with t_jk > c is separated. Step-down: separated pairs leave the family, c is computed again, until nothing new is separated. The
 *  probability of one wrong separation or more in the family is at most α.
 *    simultaneous   one family of all pairs in both orders; its first c is that of single-step max-T of two-sided tests
 *    marginal       a family for each system, of the pairs that it is in
 *  Reference: Romano & Wolf (2005), Econometrica 73 (step-down); Mogstad, Romano, Shaikh & Wilhelm (2024), Rev. Econ. Stud. 91 (ranks).
 *  Oracle:    oracle/next/rank-sets.json (draws given, integers exactly); csranks (R), oracle/r/rank-sets.json. */
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { tSf } from "../../numeric/dist/t.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { makeRng, type Rng } from "../../numeric/rng.ts";
import { drawJointly } from "../../resample/joint-draws.ts";
import { flipPairs, largestMaxima, type MaximaBounds, maxTCritical } from "../../resample/permutation-max-t.ts";

/** How far the differences of S systems go by chance. An ordered pair is j + k · S. */
export interface JointLaw {
  readonly size: number;
  /** Observed t_jk on the scale of the draws; NaN where nothing can be said. */
  readonly statistics: Float64Array;
  /** Of every draw the largest t* in each family; `bounds` are the maxima of families that these are parts of. */
  maxima(families: readonly Int32Array[], bounds?: MaximaBounds): Float64Array[];
  /** The t that a proportion α of these maxima exceeds. */
  critical(maxima: Float64Array, alpha: number): number;
}

export interface Separations {
  /** 1 at [j + k · S] where j is separated from k and better. */
  readonly better: Uint8Array;
  /** One for each step. */
  readonly critical: readonly number[];
}

export interface StepOptions {
  readonly alpha: number;
  readonly stepDown?: boolean | undefined;
}

/** One family of all ordered pairs. */
export function separateAll(law: JointLaw, options: StepOptions): Separations {
  const S = law.size;
  const all = Int32Array.from({ length: S * S }, (_, code) => code).filter((code) => code % S !== Math.floor(code / S));
  return stepDown(law, [all], options)[0]!;
}

/** A family for each system. */
export function separateEach(law: JointLaw, options: StepOptions): Separations[] {
  const S = law.size;
  const families = Array.from({ length: S }, (_, j) => {
    const others = Array.from({ length: S }, (_n, k) => k).filter((k) => k !== j);
    return Int32Array.from(others.flatMap((k) => [j + k * S, k + j * S]));
  });
  return stepDown(law, families, options);
}

function stepDown(
  law: JointLaw,
  families: readonly Int32Array[],
  { alpha, stepDown: stepwise = true }: StepOptions,
): Separations[] {
  const S = law.size;
  const found = families.map(() => ({ better: new Uint8Array(S * S), critical: [] as number[] }));
  let open: { readonly k: number; readonly left: Int32Array; readonly bound?: Float64Array }[];
  open = families.map((left, k) => ({ k, left }));
  while (open.length > 0) {
    const known = open.flatMap(({ bound }) => bound ?? []);
    // of every later step the families are parts of the earlier ones, and only the largest maxima count
    const bounds = known.length === 0 ? undefined : { maxima: known, keep: Math.ceil(alpha * known[0]!.length) + 2 };
    const maxima = law.maxima(
      open.map(({ left }) => left),
      bounds,
    );
    open = open.flatMap(({ k, left }, i) => {
      const own = found[k]!;
      const c = law.critical(maxima[i]!, alpha);
      own.critical.push(c);
      const kept = left.filter((code) => {
        const isBetter = law.statistics[code]! > c;
        if (isBetter) own.better[code] = 1;
        return !isBetter;
      });
      return stepwise && kept.length < left.length && kept.length > 0 ? [{ k, left: kept, bound: maxima[i]! }] : [];
    });
  }
  return found;
}

/** Estimates with the standard errors of their differences, and what their t is held against. */
export interface JointEstimates {
  /** Larger is better. */
  readonly estimates: Float64Array;
  /** Var(θ̂_j - θ̂_k), 0 where the two are one. */
  readonly variances: Matrix;
  /** Of each difference, or of all; default: infinite. */
  readonly df?: number | Matrix | undefined;
}

/** Differences beyond this many standard errors are one. */
const FURTHEST = 37;

/** t of few degrees of freedom as the normal deviate with the same tail. */
const normalScale = (t: number, df: number): number => {
  if (!(Math.abs(t) < FURTHEST) || !Number.isFinite(df)) return t;
  return Math.sign(t) * Math.min(FURTHEST, normalQuantileUpper(tSf(Math.abs(t), df)));
};

export const dfOf = ({ df = Number.POSITIVE_INFINITY }: JointEstimates, code: number): number =>
  typeof df === "number" ? df : df.data[code]!;

/** Normal draws of all differences together; with few degrees of freedom a t counts as the normal deviate that has its tail. */
export function normalLaw(
  given: JointEstimates,
  { replicates, rng }: { readonly replicates: number; readonly rng: Rng },
): JointLaw {
  const { estimates, variances } = given;
  const draws = drawJointly(variances, { replicates, rng });
  const S = estimates.length;
  const statistics = new Float64Array(S * S).fill(Number.NaN);
  for (let j = 0; j < S; j++)
    for (let k = 0; k < S; k++) {
      const se = Math.sqrt(variances.data[j + k * S]!);
      if (se > 0) statistics[j + k * S] = normalScale((estimates[j]! - estimates[k]!) / se, dfOf(given, j + k * S));
    }
  return lawOfDraws(statistics, { draws, variances });
}

/** `draws` are centered: θ* - θ̂, estimate s of draw r at [s + r · S]. */
export function lawOfDraws(
  statistics: Float64Array,
  { draws, variances }: { readonly draws: Float64Array; readonly variances: Matrix },
): JointLaw {
  const S = variances.rows;
  const inverse = variances.data.map((v) => (v > 0 ? 1 / Math.sqrt(v) : 0));
  const maxima = (families: readonly Int32Array[], bounds?: MaximaBounds): Float64Array[] =>
    families.map((family, f) => {
      const { both, single } = pairsOf(family, inverse, S);
      const largest = (r: number): number =>
        Math.max(largestOf(both, draws, r * S, true), largestOf(single, draws, r * S, false));
      return largestMaxima(draws.length / S, largest, bounds && { bound: bounds.maxima[f]!, keep: bounds.keep });
    });
  return { size: S, statistics, maxima, critical: (own, alpha) => quantile(own, 1 - alpha) };
}

interface ScaledPairs {
  readonly better: Int32Array;
  readonly worse: Int32Array;
  readonly scale: Float64Array;
}

/** Pairs that are in a family in both orders, of which one |t*| tells, and the others. */
function pairsOf(family: Int32Array, inverse: Float64Array, S: number): { both: ScaledPairs; single: ScaledPairs } {
  const has = new Uint8Array(S * S);
  for (const code of family) if (inverse[code]! > 0) has[code] = 1;
  const codes = family.filter((code) => has[code] === 1);
  const turned = (code: number): number => Math.floor(code / S) + (code % S) * S;
  const scaled = (own: Int32Array): ScaledPairs => ({
    better: own.map((code) => code % S),
    worse: own.map((code) => Math.floor(code / S)),
    scale: Float64Array.from(own, (code) => inverse[code]!),
  });
  return {
    both: scaled(codes.filter((code) => has[turned(code)] === 1 && code < turned(code))),
    single: scaled(codes.filter((code) => has[turned(code)] === 0)),
  };
}

function largestOf({ better, worse, scale }: ScaledPairs, draws: Float64Array, at: number, twoSided: boolean): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < scale.length; i++) {
    const t = (draws[at + better[i]!]! - draws[at + worse[i]!]!) * scale[i]!;
    const own = twoSided && t < 0 ? -t : t;
    if (own > most) most = own;
  }
  return most;
}

/** R's type 7. */
function quantile(values: Float64Array, p: number): number {
  const sorted = values.slice().sort();
  const h = (sorted.length - 1) * p;
  const low = Math.floor(h);
  const at = sorted[low]!;
  return h === low ? at : at + (h - low) * (sorted[low + 1]! - at);
}

/** Joint flips of the signs of units: exact for differences that are symmetric about 0. */
export function flipLaw(
  sums: Float64Array,
  { sizes, replicates, rng = makeRng("1") }: { sizes: Float64Array; replicates: number; rng?: Rng },
): JointLaw {
  const units = sizes.length;
  const { statistics, exact, maxima } = flipPairs(sums, units, { sizes, replicates, rng });
  // an infinite t is judged by its own chance (ranks.ts), not by flips
  const finite = statistics.map((t) => (Number.isFinite(t) ? t : Number.NaN));
  const method = exact ? "exact" : "monte-carlo";
  const critical = (own: Float64Array, alpha: number): number =>
    maxTCritical({ maxima: own.slice().sort(), method }, 1 - alpha);
  return { size: sums.length / units, statistics: finite, maxima, critical };
}
