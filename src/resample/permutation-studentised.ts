/** Studentised two-sample permutation test of a difference of means: Welch's t, recomputed for every way to deal out the values.
 *      t = (x̄ - ȳ)/se,  se² = s²ₓ/n + s²ᵧ/m;   p = share of the deals with |t*| >= |t|
 *  Exact where all values come from one distribution, and right in large samples where only the means are equal: with
 *  unequal spreads and sizes the plain difference of means has another spread when dealt out, its t has not.
 *    exact         all C(n + m, n) deals where there are at most MOST_DEALS
 *    Monte Carlo   otherwise, p = (c + 1)/(R + 1)
 *  The interval x̄ - ȳ ± q se takes q from the same t*, so that it leaves out 0 exactly if p <= 1 - confidence.
 *  Reference: Janssen (1997), Stat. Probab. Lett. 36; Chung & Romano (2013), Ann. Stat. 41(2).
 *  Oracle:    enumeration in R, oracle/r/permutation-studentised.json; type-I errors in docs/methods/permutation.md.
 *  Limits:    at least two values of each; without any spread t is undefined. */
import { checkSize } from "../data/size.ts";
import { lessCenter } from "../numeric/center.ts";
import { makeRng } from "../numeric/rng.ts";
import { type BitState, fastWord, startBits } from "./fast-bits.ts";
import {
  extremeness,
  monteCarloP,
  notCountable,
  type Permutation,
  type PermutationOptions,
  REPLICATES,
  TIE,
  undefinedPermutation,
} from "./permutation.ts";
import { countChoices, logChoices, type Stratum, visitChoices } from "./permutation-two-sample.ts";
import { eachReplicate } from "./replicates.ts";

export interface StudentisedOptions extends PermutationOptions {
  readonly confidence?: number | undefined;
}

export interface StudentisedPermutation extends Permutation {
  /** mean(x) - mean(y), and its standard error; `statistic` is their quotient. */
  readonly difference: number;
  readonly se: number;
  readonly lower: number;
  readonly upper: number;
}

/** Gone through one by one, in some tenths of a second. */
const MOST_DEALS = 500_000;
/** Deals that share a stream: its start costs as much as dealing a hundred values. */
const PER_STREAM = 16;

export function permuteStudentised(
  x: Float64Array,
  y: Float64Array,
  options: StudentisedOptions = {},
): StudentisedPermutation {
  const { alternative = "two-sided", method = "auto" } = options;
  checkSize(x, "x");
  checkSize(y, "y");
  const [own, other] = lessCenter(x, y) as [Float64Array, Float64Array];
  const pool = pooled(own, other);
  const sums = (values: Float64Array): readonly [number, number] => [
    values.reduce((sum, v) => sum + v, 0),
    values.reduce((sum, v) => sum + v * v, 0),
  ];
  const { t: statistic, difference, se } = pool.welch(...sums(pool.values.subarray(0, x.length)));
  const measured = { difference, se };
  if (x.length < 2 || y.length < 2 || !(Number.isFinite(statistic) && se > 0)) {
    return { ...undefinedPermutation(statistic), ...measured, lower: Number.NaN, upper: Number.NaN };
  }
  const stratum: Stratum = { values: pool.values, chosen: x.length };
  const countable = logChoices(stratum) <= Math.log(MOST_DEALS);
  if (method === "exact" && !countable) throw notCountable();
  const exact = method !== "monte-carlo" && countable;
  const drawn = exact ? dealAll(stratum, pool) : dealAtRandom(pool, x.length, options);
  const extreme = extremeness(alternative, statistic, TIE * Math.abs(statistic));
  let count = 0;
  for (const t of drawn) if (extreme(t)) count++;
  const answer = exact
    ? ({ p: count / drawn.length, method: "exact", replicates: 0, monteCarloSe: 0 } as const)
    : monteCarloP(count, drawn.length);
  return { statistic, ...answer, ...measured, ...invert(drawn, exact, measured, options) };
}

interface Pool {
  /** x, then y, less their common mean. */
  readonly values: Float64Array;
  /** From the sum and the sum of squares of those that are x's. */
  readonly welch: (
    sum: number,
    squares: number,
  ) => { readonly t: number; readonly difference: number; readonly se: number };
}

function pooled(x: Float64Array, y: Float64Array): Pool {
  const [n, m] = [x.length, y.length];
  const values = new Float64Array(n + m);
  values.set(x);
  values.set(y, n);
  const center = values.reduce((sum, v) => sum + v, 0) / (n + m);
  let [total, all] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    values[i]! -= center;
    total += values[i]!;
    all += values[i]! ** 2;
  }
  // what sums of squares, and means, that should be equal leave
  const rounding = TIE * all;
  const near = TIE * Math.sqrt(all / (n + m));
  const spread = (sum: number, squares: number, size: number): number => {
    const rest = squares - (sum * sum) / size;
    return rest > rounding ? rest / (size * (size - 1)) : 0;
  };
  return {
    values,
    welch(sum, squares) {
      const gap = sum / n - (total - sum) / m;
      const difference = Math.abs(gap) > near ? gap : 0;
      const se = Math.sqrt(spread(sum, squares, n) + spread(total - sum, all - squares, m));
      // groups without spread whose means differ are as far apart as can be
      const t = se > 0 ? difference / se : difference === 0 ? 0 : Math.sign(difference) * Number.POSITIVE_INFINITY;
      return { t, difference, se };
    },
  };
}

function dealAll(stratum: Stratum, { welch }: Pool): Float64Array {
  const drawn = new Float64Array(countChoices(stratum));
  let at = 0;
  visitChoices(stratum, (sum, squares) => {
    drawn[at++] = welch(sum, squares).t;
  });
  return drawn;
}

function dealAtRandom(
  { values, welch }: Pool,
  chosen: number,
  { replicates = REPLICATES, rng = makeRng(1), onProgress }: StudentisedOptions,
): Float64Array {
  const N = values.length;
  const few = Math.min(chosen, N - chosen);
  const order = new Float64Array(N);
  let [total, all] = [0, 0];
  for (const v of values) {
    total += v;
    all += v * v;
  }
  const drawn = new Float64Array(replicates);
  // every stream starts from the data, so that deals do not depend on those before
  const start = (stream: Parameters<typeof startBits>[0]): BitState => {
    order.set(values);
    return startBits(stream);
  };
  eachReplicate({ replicates, rng, onProgress }, { start, perStream: PER_STREAM }, (state, r) => {
    let [sum, squares] = [0, 0];
    // a partial shuffle: the first `few` places hold a random choice; its bias is below N/2^32
    for (let i = 0; i < few; i++) {
      const j = i + Math.floor((fastWord(state) >>> 0) * TWO_M32 * (N - i));
      const held = order[j]!;
      order[j] = order[i]!;
      order[i] = held;
      sum += held;
      squares += held * held;
    }
    drawn[r] = few === chosen ? welch(sum, squares).t : welch(total - sum, all - squares).t;
  });
  return drawn;
}

const TWO_M32 = 1 / 4294967296;

/** All δ whose t lies below the critical value: the largest that leaves p above 1 - confidence. */
function invert(
  drawn: Float64Array,
  exact: boolean,
  { difference, se }: { readonly difference: number; readonly se: number },
  { alternative = "two-sided", confidence = 0.95 }: StudentisedOptions,
): { readonly lower: number; readonly upper: number } {
  const outward = { "two-sided": Math.abs, greater: (t: number) => t, less: (t: number) => -t }[alternative];
  const sorted = drawn.map(outward).sort();
  const alpha = 1 - confidence;
  // so many may reach t while p <= alpha; counted with a grain of rounding
  const most = exact ? Math.floor(alpha * drawn.length + TIE) : Math.floor(alpha * (drawn.length + 1) + TIE) - 1;
  const critical = most < 0 ? Number.POSITIVE_INFINITY : sorted[sorted.length - 1 - most]!;
  // not even the deal that is furthest out has a p as small as alpha
  if (exact && critical >= sorted[sorted.length - 1]! * (1 - TIE)) {
    return { lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
  }
  return {
    lower: alternative === "less" ? Number.NEGATIVE_INFINITY : difference - critical * se,
    upper: alternative === "greater" ? Number.POSITIVE_INFINITY : difference + critical * se,
  };
}
