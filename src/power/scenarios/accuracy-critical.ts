/** The critical region of a McNemar test: for each number m of discordant pairs the least number of wins that is significant.
 *  The tests' own p values decide (significance/tests/mcnemar.ts); the unconditional test rejects |Z| >= z*, z* the least z whose
 *  largest tail probability over the discordance rate is at most α, found by halving.
 *  Limits: z* to 1e-10 up to n = 20,000 and 1e-8 beyond, where different tables' z lie closer together than that. */
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { type McnemarMethod, mcnemarP } from "../../significance/tests/mcnemar.ts";
import { unconditionalTail } from "../../significance/tests/mcnemar-unconditional.ts";

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

/** The last region asked for: solvers for the effect come back with the same n again and again. */
let last: { readonly key: string; readonly critical: (m: number) => number } | undefined;

/** Least significant number of wins among m discordant pairs; Infinity where even m of m is not. */
export function makeCritical(options: CriticalOptions): (m: number) => number {
  const key = [options.method, options.alpha, options.twoSided, options.n].join(" ");
  if (last?.key === key) return last.critical;
  const find = searchCritical(options);
  const known = new Map<number, number>();
  const critical = (m: number): number => {
    const found = known.get(m) ?? find(m);
    known.set(m, found);
    return found;
  };
  last = { key, critical };
  return critical;
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

export function unconditionalCriticalZ(n: number, alpha: number, twoSided: boolean): number {
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
