/** Exact power of a test of wins against losses, ties not counted: McNemar's tests and the sign test.
 *  Each of n items is a win with probability w and a loss with l; m = wins + losses ~ Binomial(n, w + l), and given m the wins are
 *  X ~ Binomial(m, q), q = w/(w + l). The test rejects for X >= k(m) and, two-sided, X <= m - k(m):
 *    power = Σ_m P(m) P(X >= k(m)),     E[X; X >= k] = m q P(Binomial(m - 1, q) >= k - 1)   for Type-M, on the scale (2X - m)/n.
 *  Only the m within nine standard deviations have mass that counts: O(√n) terms. k(m) comes from the tests' own p values; the unconditional
 *  test rejects |Z| >= z*, z* the least z whose largest tail probability over the discordance rate is at most α, found by halving.
 *  Reference: Duffy (1984), Biometrics 40; Gelman & Carlin (2014), Perspect. Psychol. Sci. 9 (Type-M and Type-S).
 *  Oracle:    enumeration by scipy, oracle/reference/power.json (appendix C, Fig. 1, 3, 7, 8) — 1e-10 (power/scenarios/accuracy.test.ts).
 *  Limits:    z* to 1e-10 up to n = 20,000 and 1e-8 beyond, where different tables' z lie closer together than that. */
import { binomialCdf, binomialPmf, binomialSf } from "../../numeric/dist/binomial.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { StatError } from "../../result/error.ts";
import { type McnemarMethod, mcnemarP } from "./mcnemar.ts";
import { unconditionalTail } from "./mcnemar-unconditional.ts";

export interface DiscordantLaw {
  readonly n: number;
  readonly win: number;
  readonly lose: number;
}

export interface DiscordantPower {
  /** Significant with the right sign. */
  readonly power: number;
  readonly rejection: number;
  readonly typeM: number;
  readonly typeS: number;
}

/** Beyond this many standard deviations a binomial has less than 1e-18 of its mass. */
const REACH = 9;

/** `critical(m)`: least significant number of wins, Infinity where there is none. The right sign is that of w - l. */
export function enumerateDiscordant(
  law: DiscordantLaw,
  critical: (m: number) => number,
  twoSided: boolean,
): DiscordantPower {
  const { n } = law;
  const win = Math.max(law.win, law.lose);
  const lose = Math.min(law.win, law.lose);
  const rate = Math.min(1, win + lose);
  const q = win / (win + lose);
  let right = 0;
  let wrong = 0;
  let size = 0; // E[|2X - m|; significant]
  const add = (m: number, mass: number): void => {
    const k = critical(m);
    if (!(k <= m)) return;
    // P(Bin(m - 1, q) >= k - 1) = P(Bin(m, q) >= k) + (1 - q) P(Bin(m - 1, q) = k - 1), and the like below
    const upper = k === 0 ? 1 : binomialSf(k - 1, m, q);
    const one = k === 0 ? 1 : upper + (1 - q) * binomialPmf(k - 1, m - 1, q);
    right += mass * upper;
    size += mass * m * (2 * q * one - upper);
    if (!twoSided) return;
    const lower = binomialCdf(m - k, m, q);
    const other = lower - (1 - q) * binomialPmf(m - k, m - 1, q);
    wrong += mass * lower;
    size += mass * m * (lower - 2 * q * other);
  };
  eachDiscordant(n, rate, add);
  const rejection = right + wrong;
  return {
    power: right,
    rejection,
    typeM: size / n / (win - lose) / rejection,
    typeS: wrong / rejection,
  };
}

/** Every m with mass, from the mode outwards, by the ratio of neighbours. */
function eachDiscordant(n: number, rate: number, visit: (m: number, mass: number) => void): void {
  if (rate >= 1) {
    visit(n, 1);
    return;
  }
  const mean = n * rate;
  // the skew end of a small mean reaches further
  const reach = REACH * Math.sqrt(mean * (1 - rate)) + 4 * REACH;
  const from = Math.max(0, Math.floor(mean - reach));
  const to = Math.min(n, Math.ceil(mean + reach));
  const mode = Math.min(to, Math.max(from, Math.floor((n + 1) * rate)));
  const odds = rate / (1 - rate);
  const top = binomialPmf(mode, n, rate);
  for (let m = mode, mass = top; m <= to; m++) {
    visit(m, mass);
    mass *= ((n - m) / (m + 1)) * odds;
  }
  for (let m = mode - 1, mass = top; m >= from; m--) {
    mass *= (m + 1) / (n - m) / odds;
    visit(m, mass);
  }
}

export interface CriticalOptions {
  readonly method: McnemarMethod;
  readonly alpha: number;
  readonly twoSided: boolean;
  /** All pairs. */
  readonly n: number;
}

/** p values that equal α in exact arithmetic must count as significant. */
const P_ROUNDING = 1e-12;
const FINE_UP_TO = 20_000;
const FINE = 1e-10;
const COARSE = 1e-8;
/** z√m/2 that should be whole is off by rounding. */
const STEP_ROUNDING = 1e-9;

/** The last region asked for: solvers come back with the same test again and again. */
let last: { readonly key: string; readonly critical: (m: number) => number } | undefined;

/** Least significant number of wins among m discordant pairs; Infinity where even m of m is not. */
export function makeCritical(options: CriticalOptions): (m: number) => number {
  // given the discordant pairs, only the unconditional test looks at the others
  const n = options.method === "unconditional" ? options.n : 0;
  const key = [options.method, options.alpha, options.twoSided, n].join(" ");
  if (last?.key === key) return last.critical;
  const find = searchCritical(options);
  const critical = remember(find);
  last = { key, critical };
  return critical;
}

/** Neighbours are asked for one after the other. */
const BLOCK = 4096;

/** A function of whole numbers that is worked out once for each. */
function remember(find: (m: number) => number): (m: number) => number {
  const blocks = new Map<number, Float64Array>();
  let at = -1;
  let block: Float64Array = new Float64Array(0);
  return (m) => {
    const index = Math.floor(m / BLOCK);
    if (index !== at) {
      block = blocks.get(index) ?? new Float64Array(BLOCK).fill(Number.NaN);
      blocks.set(index, block);
      at = index;
    }
    const known = block[m - index * BLOCK]!;
    if (!Number.isNaN(known)) return known;
    const found = find(m);
    block[m - index * BLOCK] = found;
    return found;
  };
}

function searchCritical(options: CriticalOptions): (m: number) => number {
  const { method, alpha, twoSided, n } = options;
  if (method === "unconditional") {
    const z = unconditionalCriticalZ(n, alpha, twoSided);
    return (m) => {
      const least = Math.ceil((m + z * Math.sqrt(m)) / 2 - STEP_ROUNDING);
      return m === 0 || least > m ? Number.POSITIVE_INFINITY : Math.max(0, least);
    };
  }
  const rejects = significance(options);
  const z = normalQuantileUpper(twoSided ? alpha / 2 : alpha);
  return (m) => {
    if (m === 0) return Number.POSITIVE_INFINITY;
    let least = Math.min(m, Math.max(0, Math.ceil((m + z * Math.sqrt(m)) / 2)));
    while (least > 0 && rejects(least - 1, m - least + 1)) least--;
    while (least <= m && !rejects(least, m - least)) least++;
    return least > m ? Number.POSITIVE_INFINITY : least;
  };
}

/** Whether `wins` against `losses` is significant in favour of the wins. */
export function significance({
  method,
  alpha,
  twoSided,
  n,
}: CriticalOptions): (wins: number, losses: number) => boolean {
  const limit = alpha * (1 + P_ROUNDING);
  const alternative = twoSided ? "two-sided" : "greater";
  return (wins, losses) => (!twoSided || wins > losses) && mcnemarP(wins, losses, { method, alternative, n }) <= limit;
}

/** Beyond this the search for the critical value takes many seconds and a gigabyte. */
const MOST_UNCONDITIONAL = 10_000_000;

export function unconditionalCriticalZ(n: number, alpha: number, twoSided: boolean): number {
  if (n > MOST_UNCONDITIONAL) {
    throw new StatError(
      "TooCostly",
      `the unconditional test of ${n} items; it is computed up to ${MOST_UNCONDITIONAL}.`,
      "give fewer items, or take the mid-p test.",
    );
  }
  const limit = alpha * (1 + P_ROUNDING);
  const rejects = (z: number): boolean => unconditionalTail(z, n, twoSided) <= limit;
  // no |z| is larger than √n, which all pairs discordant in one direction give
  const top = Math.sqrt(n) + 1;
  const guess = normalQuantileUpper(twoSided ? alpha / 2 : alpha);
  let lo = Math.min(guess, top);
  let step = 0.1;
  while (lo > 0 && rejects(lo)) {
    lo = Math.max(0, lo - step);
    step *= 2;
  }
  let hi = lo;
  step = 0.1;
  do {
    hi = Math.min(top, hi + step);
    step *= 2;
  } while (hi < top && !rejects(hi));
  const tolerance = n <= FINE_UP_TO ? FINE : COARSE;
  while (hi - lo > tolerance) {
    const middle = (lo + hi) / 2;
    if (rejects(middle)) hi = middle;
    else lo = middle;
  }
  return hi;
}
