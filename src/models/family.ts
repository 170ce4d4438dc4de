/** Response distributions of generalised linear models: variance, deviance, log-likelihood, starting values.
 *  Every function takes the mean μ and its complement 1 - μ, so that probabilities near 1 keep their digits.
 *    quasi-binomial, quasi-Poisson   the variance of the family times a dispersion; no likelihood
 *    negative binomial               V = μ + μ²/θ; a Poisson count whose mean is Gamma distributed
 *    beta                            y in (0, 1), V = μ(1 - μ)/(1 + φ), a = μφ, b = (1 - μ)φ
 *  Reference: McCullagh & Nelder (1989), Generalized Linear Models, table 2.1 and ch. 9; Lawless (1987), Can. J. Stat. 15 (negative
 *             binomial); Ferrari & Cribari-Neto (2004), J. Appl. Stat. 31 (beta), eq. 4 and the information of its appendix A.
 *  Oracle:    R's glm through oracle/r/lm.json; MASS and betareg through oracle/r/families.json. */
import { betaLogPdf } from "../numeric/dist/beta.ts";
import { findRoot } from "../numeric/optim/brent.ts";
import { digamma, logGamma, logGammaDelta, trigamma } from "../numeric/special/gamma.ts";
import { log1pmx } from "../numeric/special/log.ts";
import type { LinkName } from "./link.ts";

/** Families whose only parameters are the mean and, for gaussian, the dispersion. */
export type PlainFamilyName = "gaussian" | "binomial" | "poisson";
export type FamilyName = PlainFamilyName | "quasibinomial" | "quasipoisson" | "negative-binomial" | "beta";

/** A parameter s of the distribution beside its mean: θ or φ. Derivatives are those of one observation's log density. */
export interface Shape {
  readonly name: "theta" | "phi";
  /** NaN before it is estimated; θ may be Infinity, where counts vary no more than Poisson's. */
  readonly value: number;
  score(y: number, mu: number, complement: number): number;
  /** About s at a known mean: observed for θ, as in MASS, expected for φ, as in betareg. */
  information(y: number, mu: number, complement: number): number;
  /** Expected -∂²/∂μ∂s; 0 where mean and shape are orthogonal. */
  cross(mu: number, complement: number): number;
}

export interface Family<Name extends FamilyName = FamilyName> {
  readonly name: Name;
  readonly canonicalLink: LinkName;
  readonly links: readonly LinkName[];
  /** Var(y) = φ V(μ) / w; true where φ is known to be 1. */
  readonly knownDispersion: boolean;
  /** False where only a mean and a variance are stated. */
  readonly hasLikelihood: boolean;
  readonly shape?: Shape;
  /** undefined where y is possible, otherwise what a response of the family must be. */
  requirement(y: number): string | undefined;
  /** What to do about a response that is not. */
  readonly advice?: string;
  /** V(μ); of beta the inverse of the information about μ, which has its place in IRLS. */
  variance(mu: number, complement: number): number;
  /** y - μ, of beta the score by μ times `variance`; from the complements near μ = 1, where the subtraction of a mean that has been rounded to 1 would leave nothing. */
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

const gaussian: Family<"gaussian"> = {
  name: "gaussian",
  canonicalLink: "identity",
  links: ["identity", "log"],
  knownDispersion: false,
  hasLikelihood: true,
  requirement: () => undefined,
  variance: () => 1,
  residual: (y, mu) => y - mu,
  unitDeviance: (y, mu) => (y - mu) * (y - mu),
  logDensity: () => Number.NaN,
  start: (y) => y,
};

/** y is the share of successes and the weight the number of trials. */
const binomial: Family<"binomial"> = {
  name: "binomial",
  canonicalLink: "logit",
  links: ["logit", "probit", "cloglog"],
  knownDispersion: true,
  hasLikelihood: true,
  requirement: (y) => (y >= 0 && y <= 1 ? undefined : "0 or 1, or a proportion of successes between 0 and 1"),
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

const poisson: Family<"poisson"> = {
  name: "poisson",
  canonicalLink: "log",
  links: ["log", "identity"],
  knownDispersion: true,
  hasLikelihood: true,
  requirement: (y) => (y >= 0 ? undefined : "a count, 0 or more"),
  variance: (mu) => mu,
  residual: (y, mu) => y - mu,
  unitDeviance: (y, mu) => 2 * mu * relativeEntropy((y - mu) / mu),
  logDensity: (y, mu, _, weight) => weight * ((y === 0 ? 0 : y * Math.log(mu)) - mu - logGamma(y + 1)),
  start: (y) => y + 0.1,
};

const quasi = <Name extends "quasibinomial" | "quasipoisson">(name: Name, like: Family): Family<Name> => ({
  ...like,
  name,
  knownDispersion: false,
  hasLikelihood: false,
  logDensity: () => Number.NaN,
});

/** log Γ(y + θ) - log Γ(θ) - log y! + θ log θ/(θ + μ) + y log μ/(θ + μ), V = μ + μ²/θ; Poisson's at θ = ∞. */
export function negativeBinomial(theta: number): Family<"negative-binomial"> {
  const flat = theta === Number.POSITIVE_INFINITY;
  return {
    ...poisson,
    name: "negative-binomial",
    links: ["log"],
    shape: {
      name: "theta",
      value: theta,
      score: (y, mu) => digamma(theta + y) - digamma(theta) - Math.log1p(mu / theta) + (mu - y) / (mu + theta),
      information: (y, mu) =>
        trigamma(theta) - trigamma(theta + y) - 1 / theta + 2 / (mu + theta) - (y + theta) / (mu + theta) ** 2,
      cross: () => 0,
    },
    variance: (mu) => mu * (1 + mu / theta),
    // y log(y/μ) - (y + θ) log((y + θ)/(μ + θ)); the terms that are linear in y - μ cancel
    unitDeviance: (y, mu) => {
      const count = mu * relativeEntropy((y - mu) / mu);
      return 2 * (flat ? count : count - (mu + theta) * relativeEntropy((y - mu) / (mu + theta)));
    },
    logDensity: (y, mu, complement, weight) => {
      if (flat) return poisson.logDensity(y, mu, complement, weight);
      const hit = y === 0 ? 0 : logGammaDelta(theta, y) - logGamma(y + 1) + y * Math.log(mu / (mu + theta));
      return weight * (hit - theta * Math.log1p(mu / theta));
    },
  };
}

/** With a = μφ, b = (1 - μ)φ, y* = logit y and μ* = ψ(a) - ψ(b): the score by μ is φ(y* - μ*), its variance φ²(ψ'(a) + ψ'(b)). */
export function betaFamily(phi: number): Family<"beta"> {
  const information = (mu: number, complement: number): number => trigamma(mu * phi) + trigamma(complement * phi);
  const residual = (y: number, mu: number, complement: number): number =>
    logit(y) - digamma(mu * phi) + digamma(complement * phi);
  const saturated = makeSaturated(phi);
  return {
    name: "beta",
    canonicalLink: "logit",
    links: ["logit", "probit", "cloglog"],
    knownDispersion: true,
    hasLikelihood: true,
    shape: {
      name: "phi",
      value: phi,
      score: (y, mu, complement) =>
        mu * residual(y, mu, complement) + Math.log1p(-y) - digamma(complement * phi) + digamma(phi),
      information: (_, mu, complement) =>
        mu * mu * trigamma(mu * phi) + complement * complement * trigamma(complement * phi) - trigamma(phi),
      cross: (mu, complement) => phi * (mu * trigamma(mu * phi) - complement * trigamma(complement * phi)),
    },
    requirement: (y) => (y > 0 && y < 1 ? undefined : "above 0 and below 1"),
    advice:
      "Use the quasibinomial family, which takes 0 and 1, or draw the n shares in first: (y * (n - 1) + 0.5) / n (Smithson & Verkuilen 2006).",
    variance: (mu, complement) => 1 / (phi * phi * information(mu, complement)),
    residual: (y, mu, complement) => residual(y, mu, complement) / (phi * information(mu, complement)),
    unitDeviance: (y, mu, complement) => Math.max(0, 2 * (saturated(y) - betaLogPdf(y, mu * phi, complement * phi))),
    logDensity: (y, mu, complement, weight) => weight * betaLogPdf(y, mu * phi, complement * phi),
    start: (y) => y,
  };
}

const logit = (y: number): number => Math.log(y) - Math.log1p(-y);

/** The largest log density that any mean gives to y at this φ, where μ* = y*; remembered, because IRLS asks again and again. */
function makeSaturated(phi: number): (y: number) => number {
  const known = new Map<number, number>();
  return (y) => {
    let value = known.get(y);
    if (value === undefined) {
      const target = logit(y);
      const shapes = (eta: number): [number, number] => [phi / (1 + Math.exp(-eta)), phi / (1 + Math.exp(eta))];
      const excess = (eta: number): number => {
        const [a, b] = shapes(eta);
        return digamma(a) - digamma(b) - target;
      };
      // μ* is steeper than logit μ: the root lies between it and 0
      const eta = excess(target) === 0 ? target : findRoot(excess, Math.min(0, target), Math.max(0, target)).root;
      value = betaLogPdf(y, ...shapes(Number.isNaN(eta) ? target : eta));
      known.set(y, value);
    }
    return value;
  };
}

export const FAMILIES: { readonly [Name in FamilyName]: Family<Name> } = {
  gaussian,
  binomial,
  poisson,
  quasibinomial: quasi("quasibinomial", binomial),
  quasipoisson: quasi("quasipoisson", poisson),
  "negative-binomial": negativeBinomial(Number.NaN),
  beta: betaFamily(Number.NaN),
};

/** The family at a known θ or φ, where it has one. */
export function familyAt(name: FamilyName, shape: number | undefined): Family {
  if (shape === undefined) return FAMILIES[name];
  return name === "beta" ? betaFamily(shape) : name === "negative-binomial" ? negativeBinomial(shape) : FAMILIES[name];
}
