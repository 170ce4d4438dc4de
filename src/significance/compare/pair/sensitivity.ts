/** What an evaluation with a given standard error can see, and by how much it exaggerates what it sees.
 *    mde          smallest true difference that the two-sided t test finds with the wanted power:
 *                 P(|T(df, δ/se)| > t_(1-α/2)) = power in the direction of δ; of the skewness-adjusted test with its own critical t, on the
 *                 side where it is larger
 *                 0/1 scores: the same of McNemar's tests, exactly, if the systems differ on as many items as now, d of n:
 *                 wins (d + δ)/2, losses (d - δ)/2; beyond d all that differ are wins
 *    exaggeration expected |estimate| / |δ| over significant results, if the true difference is δ (Type-M error)
 *    wrong sign   share of the significant results that have the other sign (Type-S error)
 *  Reference: Card et al. (2020), section 3; Gelman & Carlin (2014), Perspect. Psychol. Sci. 9(6); Lu, Qiu & Deng (2019),
 *             Br. J. Math. Stat. Psychol. 72 (closed form for a normal estimate).
 *  Oracle:    power.t.test (R) for the mde, simulation for that of the skewness-adjusted test; `mde accuracy` for that of 0/1 scores; simulation for the other two.
 *  Limits:    the standard error is taken as the one that a repetition would have; of few levels, by the estimate that is as often too
 *             large as too small (middleSe), so that half of such data state a limit above the true one. */

import { chiSquareQuantile, chiSquareSf } from "../../../numeric/dist/chi-square.ts";
import { noncentralTSf, noncentralTShift } from "../../../numeric/dist/noncentral-t.ts";
import { normalCdf, normalPdf, normalQuantile, normalSf } from "../../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../../numeric/dist/t.ts";
import { findRoot } from "../../../numeric/optim/brent.ts";
import { remembered } from "../../../numeric/remembered.ts";
import type { Spread } from "../../../resample/mean-spread.ts";
import type { McnemarMethod } from "../../tests/mcnemar.ts";
import { enumerateDiscordant, makeCritical } from "../../tests/mcnemar-power.ts";
import { skewedMeanInterval } from "../../tests/skewed-mean.ts";

export interface SensitivityOptions {
  readonly alpha?: number | undefined;
  readonly power?: number | undefined;
  /** Of the differences, if the test is adjusted for it. */
  readonly skewness?: number | undefined;
  /** Standard error of the estimate, where the one that the test divides by counts only a part of it; default the same. */
  readonly whole?: number | undefined;
}

export function detectableDifference(se: number, df: number, options: SensitivityOptions = {}): number {
  const { alpha = 0.05, power = 0.8, skewness, whole = se } = options;
  if (!(se > 0) || !(df > 0)) return Number.NaN;
  if (df === Number.POSITIVE_INFINITY) return se * normalQuantile(1 - alpha / 2) + whole * normalQuantile(power);
  const critical = criticalT(df, alpha, skewness);
  // D / S > t with D ~ N(δ, whole²), S² ~ se² χ²/df is a noncentral t beyond t · se / whole
  return critical < MOST_CRITICAL
    ? whole * noncentralTShift(power, (critical * se) / whole, df)
    : Number.POSITIVE_INFINITY;
}

/** s² is σ²χ²/df, which the fewer df lies the oftener below σ²: the standard error by that estimate of σ² which is as often too large as too small. */
export function middleSe({ se, df }: Spread): number {
  return df >= 1 && df < Number.POSITIVE_INFINITY ? se * Math.sqrt(df / chiSquareQuantile(0.5, df)) : se;
}

/** Far below one df t asks for more than any data show, and the integral over its tail takes for ever. */
const MOST_CRITICAL = 1e3;

/** Whether a true difference of this size is found with the wanted power: one integral, where its smallest such size is a search. */
export function canDetect(size: number, { se, df }: Spread, options: SensitivityOptions = {}): boolean {
  const { alpha = 0.05, power = 0.8, skewness } = options;
  if (!(se > 0) || !(df > 0)) return false;
  if (df === Number.POSITIVE_INFINITY) return detectableDifference(se, df, options) <= size;
  const critical = criticalT(df, alpha, skewness);
  if (!(critical < MOST_CRITICAL)) return false;
  return isCertain(critical, df, size / se, power) || noncentralTSf(critical, df, size / se) >= power;
}

/** T = (Z + δ)/S > t wherever Z > -10 and S < (δ - 10)/t: a bound that spares the integral, whose cost grows with δ, where the spread is rounding. */
function isCertain(t: number, df: number, ncp: number, power: number): boolean {
  if (!(ncp > FAR) || !(t > 0)) return false;
  return 1 - normalCdf(-FAR) - chiSquareSf(df * ((ncp - FAR) / t) ** 2, df) >= power;
}
const FAR = 10;

function criticalT(df: number, alpha: number, skewness: number | undefined): number {
  return skewness === undefined ? tQuantileUpper(alpha / 2, df) : adjustedCritical(skewness, df, alpha);
}

/** The t that the skewness-adjusted test asks for, on the side where it asks for more. */
function adjustedCritical(skewness: number, df: number, alpha: number): number {
  const { lower, upper } = skewedMeanInterval({ n: df + 1, mean: 0, se: 1, df, skewness }, 1 - alpha);
  return Math.max(-lower, upper);
}

/** Right and wrong answers of two systems, compared by one of McNemar's tests. */
export interface DiscordantItems {
  readonly n: number;
  /** Share of items that only one of the systems gets right. */
  readonly discordance: number;
  readonly method: McnemarMethod;
}

/** Infinity where not even a difference of 1 is found with the wanted power. */
export function detectableShare(
  items: DiscordantItems,
  { alpha = 0.05, power = 0.8 }: SensitivityOptions = {},
): number {
  const gap = (delta: number): number => powerOfShare(items, delta, { alpha }) - power;
  const tolerance = { tolerance: SHARE_TOLERANCE };
  const guess = approximateShare(items, { alpha, power });
  const near = guess < 1 / WIDE ? findRoot(gap, guess / WIDE, WIDE * guess, tolerance) : undefined;
  if (near?.converged) return near.root;
  if (gap(1) < 0) return Number.POSITIVE_INFINITY;
  // power at 0 is at most α
  return findRoot((delta) => (delta === 0 ? alpha - power : gap(delta)), 0, 1, tolerance).root;
}

/** Share of items that differ where the true difference is δ. */
const rateOf = (discordance: number, delta: number): number => Math.min(1, Math.max(discordance, delta));

/** δ √n = z_(1-α/2) √r + z_power √(r - δ²), r the share of items that differ: by the normal approximation. */
function approximateShare(
  { n, discordance }: DiscordantItems,
  { alpha, power }: { readonly alpha: number; readonly power: number },
): number {
  let delta = 0;
  for (let round = 0; round < 20; round++) {
    const rate = rateOf(discordance, delta);
    const spread = Math.sqrt(Math.max(0, rate - delta ** 2));
    delta = (normalQuantile(1 - alpha / 2) * Math.sqrt(rate) + normalQuantile(power) * spread) / Math.sqrt(n);
  }
  return delta;
}

/** The approximation is off by less than this factor where it serves to start from. */
const WIDE = 1.25;

/** Digits beyond a thousandth of a point are of no use. */
const SHARE_TOLERANCE = 1e-7;

function powerOfShare(
  { n, discordance, method }: DiscordantItems,
  delta: number,
  { alpha }: { alpha: number },
): number {
  const rate = rateOf(discordance, delta);
  const law = { n, win: (rate + delta) / 2, lose: (rate - delta) / 2 };
  return enumerateDiscordant(law, makeCritical({ method, alpha, twoSided: true, n }), true).power;
}

/** Smallest number of items on which a difference of two shares is found with the wanted power, if as large a share of them differs. */
export function itemsForShare(
  items: Omit<DiscordantItems, "n">,
  delta: number,
  { alpha = 0.05, power = 0.8 }: SensitivityOptions = {},
): number {
  const question = [items.discordance, items.method, delta, alpha, power].join(" ");
  return countOf(question, () => searchItems(items, delta, { alpha, power }));
}

const countOf = remembered<number>(10_000);

function searchItems(
  { discordance, method }: Omit<DiscordantItems, "n">,
  delta: number,
  { alpha, power }: { readonly alpha: number; readonly power: number },
): number {
  const enough = (n: number): boolean => powerOfShare({ n, discordance, method }, delta, { alpha }) >= power;
  // from the normal approximation outwards, then by halving
  const rate = rateOf(discordance, delta);
  const reach =
    normalQuantile(1 - alpha / 2) * Math.sqrt(rate) + normalQuantile(power) * Math.sqrt(Math.max(0, rate - delta ** 2));
  const plain = (reach / delta) ** 2;
  // whole counts cost the exact test about 2/δ items (Fleiss' continuity correction)
  const whole = (plain / 4) * (1 + Math.sqrt(1 + 4 / (plain * delta))) ** 2;
  let many = Math.max(2, Math.ceil(method === "exact" ? whole : plain));
  if (many > EXACT_UP_TO) return many;
  let few = Math.max(1, Math.floor(many / STRIDE));
  while (few > 1 && enough(few)) [few, many] = [Math.floor(few / STRIDE), few];
  while (!enough(many)) [few, many] = [many, Math.ceil(STRIDE * many)];
  while (many - few > Math.max(1, many / FINE)) {
    const middle = Math.floor((few + many) / 2);
    if (enough(middle)) many = middle;
    else few = middle;
  }
  return many;
}

/** The approximation is off by less than this factor, but for the smallest samples. */
const STRIDE = 1.2;
/** From this many items on, one in as many of them is exact enough. */
const FINE = 500;
/** Beyond, the approximate number is within two percent of the exact one. */
const EXACT_UP_TO = 1_000;

export interface Exaggeration {
  readonly power: number;
  readonly typeM: number;
  readonly typeS: number;
}

/** If the true difference were the observed one; without a power, which there says what p says. */
export type ObservedErrors = Omit<Exaggeration, "power">;

/** For a normal estimate with this standard error and a true difference δ. */
export function exaggerationAt(delta: number, se: number, { alpha = 0.05 }: SensitivityOptions = {}): Exaggeration {
  const d = Math.abs(delta) / se;
  if (!(d > 0) || !Number.isFinite(d)) return { power: Number.NaN, typeM: Number.NaN, typeS: Number.NaN };
  const z = normalQuantile(1 - alpha / 2);
  const right = normalSf(z - d);
  const wrong = normalCdf(-z - d);
  const rejected = right + wrong;
  // E|X| over |X| > z, X ~ N(d, 1)
  const size = d * right + normalPdf(z - d) - d * wrong + normalPdf(-z - d);
  return { power: right, typeM: size / rejected / d, typeS: wrong / rejected };
}
