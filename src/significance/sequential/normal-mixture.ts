/** A confidence sequence of a mean: Robbins's normal mixture, for values of known spread, and in large samples for any.
 *      radius = sd √(2(nρ² + 1)/(n²ρ²) · log(√(nρ² + 1)/α)),   e = (1 + nρ²)^{-½} exp(x²/2),  x = ρS/√(nρ² + 1),  S = n·mean/sd
 *      one-sided: 2(1 + nρ²)^{-½} exp(x²/2) Φ(x) = 1/α
 *  Reference: Robbins (1970); Howard et al. (2021), Annals of Statistics 49; Waudby-Smith et al. (2024), Annals of Statistics 52.
 *  Oracle:    oracle/next/always-valid.json (mpmath, 40 digits).
 *  Limits:    with an estimated spread the guarantee is asymptotic; small samples want the betting sequence (betting.ts). */
import { normalLogCdf } from "../../numeric/dist/normal.ts";
import { expandBracket, findRoot } from "../../numeric/optim/brent.ts";
import { StatError } from "../../result/error.ts";

export interface NormalMixtureOptions {
  readonly n: number;
  readonly sd: number;
  /** Spread of the mixture in units of sd: the effect that it is best for. */
  readonly rho: number;
  readonly alpha?: number | undefined;
}

export interface NormalMixture {
  readonly mean: number;
  readonly radius: number;
  readonly radiusOneSided: number;
  readonly lower: number;
  readonly upper: number;
  /** Against a mean of 0, and of at most 0. */
  readonly eValue: number;
  readonly eValueOneSided: number;
  readonly p: number;
}

export function normalMixture(mean: number, options: NormalMixtureOptions): NormalMixture {
  const { n, sd, rho, alpha = 0.05 } = options;
  if (!(n >= 1 && sd > 0 && rho > 0 && alpha > 0 && alpha < 1))
    throw new StatError(
      "BadOption",
      `n ${n}, sd ${sd}, rho ${rho}, alpha ${alpha}: one of them is out of range.`,
      "give positive numbers, alpha below 1.",
    );
  const spread = n * rho * rho + 1;
  const radius = sd * Math.sqrt(((2 * spread) / (n * rho) ** 2) * Math.log(Math.sqrt(spread) / alpha));
  const x = (rho * n * mean) / (sd * Math.sqrt(spread));
  const logE = 0.5 * x * x - 0.5 * Math.log(spread);
  const logOneSided = (at: number): number => Math.LN2 - 0.5 * Math.log(spread) + 0.5 * at * at + normalLogCdf(at);
  const excess = (at: number): number => logOneSided(at) + Math.log(alpha);
  const { lo, hi } = expandBracket(excess, 0, 2);
  const bound = findRoot(excess, lo, hi).root;
  const eValue = Math.exp(logE);
  return {
    mean,
    radius,
    radiusOneSided: (bound * sd * Math.sqrt(spread)) / (n * rho),
    lower: mean - radius,
    upper: mean + radius,
    eValue,
    eValueOneSided: Math.exp(logOneSided(x)),
    p: Math.min(1, 1 / eValue),
  };
}

/** The ρ whose radius is smallest at n: √((-W₋₁(-α²/e) - 1)/n), where W e^W = -α²/e and W < -1. */
export function bestRho(n: number, alpha = 0.05): number {
  // u = -W solves u - log u = 1 - 2 log α, u > 1
  const target = 1 - 2 * Math.log(alpha);
  const excess = (u: number): number => u - Math.log(u) - target;
  const { root } = findRoot(excess, 1, 2 * target + 2);
  return Math.sqrt((root - 1) / n);
}

/** The sequence of a running mean with its own spread (divisor n); the first step has none. */
export function followMean(
  values: ArrayLike<number>,
  { rho, alpha = 0.05 }: Pick<NormalMixtureOptions, "rho" | "alpha">,
): { readonly mean: number[]; readonly lower: number[]; readonly upper: number[] } {
  const [mean, lower, upper]: [number[], number[], number[]] = [[], [], []];
  let [centre, squares] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const step = values[i]! - centre;
    centre += step / (i + 1);
    squares += step * (values[i]! - centre);
    const sd = Math.sqrt(squares / (i + 1));
    const radius = sd > 0 ? normalMixture(centre, { n: i + 1, sd, rho, alpha }).radius : Number.NaN;
    mean.push(centre);
    lower.push(centre - radius);
    upper.push(centre + radius);
  }
  return { mean, lower, upper };
}
