/** Discordant items one after the other, looked at as often as one likes: a mixture of likelihood ratios against "each side wins half".
 *      E(p) = B(a + s, b + f) / (B(a, b) p^s (1 - p)^f),   s wins and f losses, prior Beta(a, b);   e = E(½)
 *      confidence sequence {p: E(p) < 1/α};   one-sided (p ≤ ½): E(½) · P(Beta(a+s, b+f) > ½) / P(Beta(a, b) > ½)
 *  Under the null hypothesis P(e ever reaches 1/α) ≤ α (Ville), so 1/e is a p-value at any time.
 *  Reference: Robbins (1970), Annals of Mathematical Statistics 41; Ramdas et al. (2023), Statistical Science 38.
 *  Oracle:    oracle/next/always-valid.json (mpmath, 40 digits).
 *  Limits:    items must be independent: repeats of one item are one item, and order must not depend on outcomes. */
import { betaLogPdf, betaLogSf } from "../../numeric/dist/beta.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import { StatError } from "../../result/error.ts";

export interface MixtureOptions {
  /** Of the prior; 1 and 1, all shares alike, by default. */
  readonly a?: number | undefined;
  readonly b?: number | undefined;
  readonly alpha?: number | undefined;
}

export interface MixtureEvidence {
  readonly wins: number;
  readonly losses: number;
  readonly logE: number;
  readonly eValue: number;
  /** Against p ≤ ½. */
  readonly logEOneSided: number;
  readonly eValueOneSided: number;
  /** Of the share of wins among discordant items. */
  readonly lower: number;
  readonly upper: number;
}

/** The evidence of counts as they stand. */
export function mixtureEvidence(wins: number, losses: number, options: MixtureOptions = {}): MixtureEvidence {
  const { a, b, alpha } = checkMixture(options);
  for (const count of [wins, losses])
    if (!(Number.isInteger(count) && count >= 0))
      throw new StatError("BadCount", `${count} is not a number of items.`, "give whole numbers from 0.");
  const logEAt = (p: number): number => logEvidence(wins, losses, { a, b, p });
  const logE = logEAt(0.5);
  const logEOneSided = logE + betaLogSf(0.5, a + wins, b + losses) - betaLogSf(0.5, a, b);
  const best = wins + losses === 0 ? 0.5 : wins / (wins + losses);
  const excess = (p: number): number => logEAt(p) + Math.log(alpha);
  return {
    wins,
    losses,
    logE,
    eValue: Math.exp(logE),
    logEOneSided,
    eValueOneSided: Math.exp(logEOneSided),
    lower: wins === 0 ? 0 : findRoot(excess, LEAST, Math.min(best, MOST)).root,
    upper: losses === 0 ? 1 : findRoot(excess, Math.max(best, LEAST), MOST).root,
  };
}

/** log E(p): E is the density of the prior at p over that of the posterior. */
export const logEvidence = (
  wins: number,
  losses: number,
  { a = 1, b = 1, p = 0.5 }: { readonly a?: number; readonly b?: number; readonly p?: number } = {},
): number => betaLogPdf(p, a, b) - betaLogPdf(p, a + wins, b + losses);

/** Roots are looked for within these. */
const LEAST = Number.MIN_VALUE;
const MOST = 1 - Number.EPSILON / 2;

function checkMixture({ a = 1, b = 1, alpha = 0.05 }: MixtureOptions): { a: number; b: number; alpha: number } {
  if (!(a > 0 && b > 0 && Number.isFinite(a + b)))
    throw new StatError("BadPrior", `Beta(${a}, ${b}) is not a prior.`, "give two positive numbers.");
  if (!(alpha > 0 && alpha < 1))
    throw new StatError("BadOption", `alpha ${alpha} is not between 0 and 1.`, "give a proportion.");
  return { a, b, alpha };
}

export interface EProcess {
  /** After each item; items that decide nothing (0) leave all as it is. */
  readonly steps: readonly MixtureEvidence[];
  /** Smallest 1/e so far, at most 1. */
  readonly p: readonly number[];
  /** All confidence sets so far at once. */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** The item, from 1, after which e had reached 1/α; undefined where it never did. */
  readonly crossing?: number;
  readonly crossingOneSided?: number;
}

/** Items in the order in which they came: above 0 a win, below 0 a loss, 0 neither. */
export function followPairs(signs: ArrayLike<number>, options: MixtureOptions = {}): EProcess {
  const { alpha } = checkMixture(options);
  const steps: MixtureEvidence[] = [];
  const [p, lower, upper]: [number[], number[], number[]] = [[], [], []];
  let [wins, losses] = [0, 0];
  let step = mixtureEvidence(0, 0, options);
  for (let i = 0; i < signs.length; i++) {
    const sign = Math.sign(signs[i]!);
    if (Number.isNaN(sign))
      throw new StatError("MissingScore", `item ${i + 1} has no score.`, "leave it out, and say so.");
    wins += sign > 0 ? 1 : 0;
    losses += sign < 0 ? 1 : 0;
    if (sign !== 0) step = mixtureEvidence(wins, losses, options);
    steps.push(step);
    p.push(Math.min(p.at(-1) ?? 1, 1 / step.eValue));
    lower.push(Math.max(lower.at(-1) ?? 0, step.lower));
    upper.push(Math.min(upper.at(-1) ?? 1, step.upper));
  }
  const reach = -Math.log(alpha);
  const crossing = steps.findIndex(({ logE }) => logE >= reach);
  const oneSided = steps.findIndex(({ logEOneSided }) => logEOneSided >= reach);
  return {
    ...{ steps, p, lower, upper },
    ...(crossing < 0 ? {} : { crossing: crossing + 1 }),
    ...(oneSided < 0 ? {} : { crossingOneSided: oneSided + 1 }),
  };
}
