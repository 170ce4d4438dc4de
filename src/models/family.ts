/** Response distributions of generalised linear models: variance, deviance, log-likelihood, starting values.
 *  Every function takes the mean μ and its complement 1 - μ, so that probabilities near 1 keep their digits.
 *  Reference: McCullagh & Nelder (1989), Generalized Linear Models, table 2.1.
 *  Oracle:    R's glm through oracle/r/lm.json. */
import { logGamma } from "../numeric/special/gamma.ts";
import { log1pmx } from "../numeric/special/log.ts";
import type { LinkName } from "./link.ts";

export type FamilyName = "gaussian" | "binomial" | "poisson";

export interface Family {
  readonly name: FamilyName;
  readonly canonicalLink: LinkName;
  readonly links: readonly LinkName[];
  /** Var(y) = φ V(μ) / w; true where φ is known to be 1. */
  readonly knownDispersion: boolean;
  /** undefined where y is possible, otherwise what a response of the family must be. */
  requirement(y: number): string | undefined;
  variance(mu: number, complement: number): number;
  /** y - μ; from the complements near μ = 1, where the subtraction of a mean that has been rounded to 1 would leave nothing. */
  residual(y: number, mu: number, complement: number): number;
  /** Contribution of one observation of weight 1 to the deviance. */
  unitDeviance(y: number, mu: number, complement: number): number;
  /** Log density of one observation of weight w; for a dispersion known to be 1. */
  logDensity(y: number, mu: number, complement: number, weight: number): number;
  /** A mean to start from, inside the parameter space. */
  start(y: number, weight: number): number;
}

/** (1 + d) log(1 + d) - d without cancellation near d = 0; its limit 1 at d = -1. With d = (y - μ)/μ the Poisson deviance is 2μ of it. */
const relativeEntropy = (d: number): number => (d <= -1 ? 1 : log1pmx(d) + d * Math.log1p(d));

const gaussian: Family = {
  name: "gaussian",
  canonicalLink: "identity",
  links: ["identity", "log"],
  knownDispersion: false,
  requirement: () => undefined,
  variance: () => 1,
  residual: (y, mu) => y - mu,
  unitDeviance: (y, mu) => (y - mu) * (y - mu),
  logDensity: () => Number.NaN,
  start: (y) => y,
};

/** y is the share of successes and the weight the number of trials. */
const binomial: Family = {
  name: "binomial",
  canonicalLink: "logit",
  links: ["logit", "probit", "cloglog"],
  knownDispersion: true,
  requirement: (y) => (y >= 0 && y <= 1 ? undefined : "0 or 1, or a share of successes between 0 and 1"),
  variance: (mu, complement) => mu * complement,
  residual: (y, mu, complement) => (mu > 0.5 ? complement - (1 - y) : y - mu),
  unitDeviance: (y, mu, complement) => {
    if (y === 1) return -2 * Math.log1p(-complement);
    if (y === 0) return -2 * Math.log1p(-mu);
    return 2 * (mu * relativeEntropy((y - mu) / mu) + complement * relativeEntropy((mu - y) / complement));
  },
  logDensity: (y, mu, complement, weight) => {
    const successes = weight * y;
    const failures = weight * (1 - y);
    const choose = logGamma(weight + 1) - logGamma(successes + 1) - logGamma(failures + 1);
    const hit = successes === 0 ? 0 : successes * Math.log(mu);
    const miss = failures === 0 ? 0 : failures * Math.log(complement);
    return choose + hit + miss;
  },
  start: (y, weight) => (weight * y + 0.5) / (weight + 1),
};

const poisson: Family = {
  name: "poisson",
  canonicalLink: "log",
  links: ["log", "identity"],
  knownDispersion: true,
  requirement: (y) => (y >= 0 ? undefined : "a count, 0 or more"),
  variance: (mu) => mu,
  residual: (y, mu) => y - mu,
  unitDeviance: (y, mu) => 2 * mu * relativeEntropy((y - mu) / mu),
  logDensity: (y, mu, _, weight) => weight * ((y === 0 ? 0 : y * Math.log(mu)) - mu - logGamma(y + 1)),
  start: (y) => y + 0.1,
};

export const FAMILIES: Readonly<Record<FamilyName, Family>> = { gaussian, binomial, poisson };
