/** Intervals of one proportion k/n.   z = upper normal quantile of (1 - confidence)/2
 *    wilson           (k + z²/2 ± z √(k(n-k)/n + z²/4)) / (n + z²)          wilson-cc: Newcombe's continuity-corrected form
 *    clopper-pearson  beta quantiles: never covers too little               jeffreys: quantiles of Beta(k + ½, n - k + ½)
 *    agresti-coull    Wald at (k + z²/2)/(n + z²)                            wald: k/n ± z √(p(1-p)/n)
 *  Reference: Brown, Cai & DasGupta (2001), Stat. Sci. 16; Newcombe (1998), Stat. Med. 17, 857.
 *  Oracle:    prop.test, binom.test (R), statsmodels proportion_confint, oracle/reference/classical.json — 1e-10.
 *  Limits:    Wald fails for small n and near 0 and 1 and is here for comparison. Jeffreys' is closed at 0 for k = 0 and at 1 for k = n. */
import { betaQuantile, betaQuantileUpper } from "../../numeric/dist/beta.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { StatError } from "../../result/error.ts";

export const BINOMIAL_INTERVALS = [
  "wilson",
  "wilson-cc",
  "clopper-pearson",
  "jeffreys",
  "agresti-coull",
  "wald",
] as const;
export type BinomialIntervalMethod = (typeof BINOMIAL_INTERVALS)[number];

export interface ProportionInterval {
  readonly lower: number;
  readonly upper: number;
}

export function binomialInterval(
  successes: number,
  trials: number,
  {
    method = "wilson",
    confidence = 0.95,
  }: { readonly method?: BinomialIntervalMethod; readonly confidence?: number } = {},
): ProportionInterval {
  checkProportion(successes, trials);
  if (trials === 0) return { lower: Number.NaN, upper: Number.NaN };
  const alpha = (1 - confidence) / 2;
  const z = normalQuantileUpper(alpha);
  const [k, n] = [successes, trials];
  const p = k / n;
  switch (method) {
    case "wilson":
      return wilson(k, n, z);
    case "wilson-cc":
      return correctedWilson(k, n, z);
    case "clopper-pearson":
      return {
        lower: k === 0 ? 0 : betaQuantile(alpha, k, n - k + 1),
        upper: k === n ? 1 : betaQuantileUpper(alpha, k + 1, n - k),
      };
    case "jeffreys":
      return {
        lower: k === 0 ? 0 : betaQuantile(alpha, k + 0.5, n - k + 0.5),
        upper: k === n ? 1 : betaQuantileUpper(alpha, k + 0.5, n - k + 0.5),
      };
    case "agresti-coull": {
      const center = (k + (z * z) / 2) / (n + z * z);
      const half = z * Math.sqrt((center * (1 - center)) / (n + z * z));
      return { lower: center - half, upper: center + half };
    }
    case "wald": {
      const half = z * Math.sqrt((p * (1 - p)) / n);
      return { lower: p - half, upper: p + half };
    }
  }
}

/** Wilson's interval of a proportion of n trials, where n is an effective number and need not be whole. */
export const wilsonInterval = (proportion: number, n: number, confidence = 0.95): ProportionInterval =>
  wilson(proportion * n, n, normalQuantileUpper((1 - confidence) / 2));

function wilson(k: number, n: number, z: number): ProportionInterval {
  const center = (k + (z * z) / 2) / (n + z * z);
  const half = (z * Math.sqrt((k * (n - k)) / n + (z * z) / 4)) / (n + z * z);
  return { lower: k === 0 ? 0 : center - half, upper: k === n ? 1 : center + half };
}

function correctedWilson(k: number, n: number, z: number): ProportionInterval {
  const p = k / n;
  const q = 1 - p;
  const end = (sign: number): number =>
    (2 * n * p + z * z + sign * (1 + z * Math.sqrt(z * z + sign * 2 - 1 / n + 4 * p * (n * q - sign)))) /
    (2 * (n + z * z));
  return { lower: k === 0 ? 0 : Math.max(0, end(-1)), upper: k === n ? 1 : Math.min(1, end(1)) };
}

export function checkProportion(successes: number, trials: number): void {
  if (Number.isInteger(trials) && trials >= 0 && Number.isInteger(successes) && successes >= 0 && successes <= trials)
    return;
  throw new StatError(
    "BadCount",
    `${successes} of ${trials} is not a count of successes among trials.`,
    "give whole numbers with 0 <= successes <= trials.",
  );
}
