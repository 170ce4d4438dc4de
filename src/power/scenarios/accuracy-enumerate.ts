/** Exact power of a test of wins against losses, ties not counted: McNemar's test and the sign test.
 *  Each of n items is a win with probability w and a loss with l; m = wins + losses ~ Binomial(n, w + l), and given m the wins are
 *  X ~ Binomial(m, q), q = w/(w + l). The test rejects for X >= k(m) and, two-sided, X <= m - k(m):
 *    power = Σ_m P(m) P(X >= k(m)),     E[X; X >= k] = m q P(Binomial(m - 1, q) >= k - 1)   for Type-M, on the scale (2X - m)/n.
 *  Only the m within nine standard deviations have mass that counts: O(√n) terms.
 *  Reference: Duffy (1984), Biometrics 40; Gelman & Carlin (2014), Perspect. Psychol. Sci. 9 (Type-M and Type-S).
 *  Oracle:    enumeration by scipy, oracle/reference/power.json (appendix C, Fig. 1, 3, 7, 8) — 1e-10. */

import { binomialCdf, binomialPmf, binomialSf } from "../../numeric/dist/binomial.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import type { Rng } from "../../numeric/rng.ts";
import { normalFigures } from "../normal-figures.ts";
import type { Outcome, PowerFigures } from "../scenario.ts";
import { type CriticalOptions, significance, unconditionalCriticalZ } from "./accuracy-critical.ts";

export interface DiscordantLaw {
  readonly n: number;
  readonly win: number;
  readonly lose: number;
}

/** Beyond this many standard deviations a binomial has less than 1e-18 of its mass. */
const REACH = 9;

/** `critical(m)`: least significant number of wins, Infinity where there is none. The right sign is that of w - l. */
export function enumerateDiscordant(
  law: DiscordantLaw,
  critical: (m: number) => number,
  twoSided: boolean,
): PowerFigures {
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

/** Duffy's normal approximation of the asymptotic test:  Φ((√n Δ - z√d)/√(d - Δ²)),  Δ = w - l, d = w + l. */
export function approximateDiscordant(
  { n, win, lose }: DiscordantLaw,
  { alpha, twoSided }: { readonly alpha: number; readonly twoSided: boolean },
): PowerFigures {
  const effect = win - lose;
  const rate = win + lose;
  const z = normalQuantileUpper(twoSided ? alpha / 2 : alpha);
  const sd = Math.sqrt(Math.max(0, rate - effect * effect) / n);
  return normalFigures({ effect, sd, threshold: z * Math.sqrt(rate / n), twoSided });
}

/** One simulated comparison, tested as a user would test it: by the p value, not by a table of critical values. */
export function simulateDiscordant(
  { n, win, lose }: DiscordantLaw,
  options: CriticalOptions,
): (rng: Rng) => readonly Outcome[] {
  const favours = options.method === "unconditional" ? beyondCriticalZ(options) : significance(options);
  const right = Math.sign(win - lose);
  return (rng) => {
    const m = rng.binomial(n, Math.min(1, win + lose));
    const wins = rng.binomial(m, Math.min(1, win / (win + lose)));
    const [expected, other] = right > 0 ? [wins, m - wins] : [m - wins, wins];
    const significant = favours(expected, other) || (options.twoSided && favours(other, expected));
    return [{ estimate: (2 * wins - m) / n, significant }];
  };
}

/** The unconditional p value takes a search for each table; its critical z takes one, when the first experiment is drawn. */
function beyondCriticalZ({ n, alpha, twoSided }: CriticalOptions): (wins: number, losses: number) => boolean {
  let z: number | undefined;
  return (wins, losses) => {
    z ??= unconditionalCriticalZ(n, alpha, twoSided);
    return wins + losses > 0 && (wins - losses) / Math.sqrt(wins + losses) >= z;
  };
}
