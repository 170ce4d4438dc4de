/** Link functions g(μ) = η of generalised linear models, with what IRLS needs of them.
 *  The complement 1 - μ has a function of its own: near μ = 1 the subtraction would lose every digit.
 *  Reference: McCullagh & Nelder (1989), Generalized Linear Models, 2.2 and 4.3.
 *  Oracle:    R's make.link through oracle/r/lm.json; closed forms in link.test.ts. */
import { normalCdf, normalPdf, normalQuantile, normalSf } from "../numeric/dist/normal.ts";

export type LinkName = "identity" | "log" | "logit" | "probit" | "cloglog";

export interface Link {
  readonly name: LinkName;
  /** g(μ) */
  eta(mu: number): number;
  /** g⁻¹(η) */
  mu(eta: number): number;
  /** 1 - g⁻¹(η) without cancellation; for links onto (0, 1). */
  complement(eta: number): number;
  /** dμ/dη */
  slope(eta: number): number;
}

/** Beyond this |η| the smaller of μ and 1 - μ is below 1e-300 and its products underflow. */
const LARGEST_ETA = 690;

const clamp = (eta: number): number => Math.max(-LARGEST_ETA, Math.min(LARGEST_ETA, eta));

const identity: Link = {
  name: "identity",
  eta: (mu) => mu,
  mu: (eta) => eta,
  complement: (eta) => 1 - eta,
  slope: () => 1,
};

const log: Link = {
  name: "log",
  eta: Math.log,
  mu: (eta) => Math.exp(clamp(eta)),
  complement: (eta) => -Math.expm1(eta),
  slope: (eta) => Math.exp(clamp(eta)),
};

const logit: Link = {
  name: "logit",
  eta: (mu) => Math.log(mu / (1 - mu)),
  mu: (eta) => 1 / (1 + Math.exp(-clamp(eta))),
  complement: (eta) => 1 / (1 + Math.exp(clamp(eta))),
  slope: (eta) => {
    const e = Math.exp(-Math.abs(clamp(eta)));
    return e / ((1 + e) * (1 + e));
  },
};

/** Φ(-37) is the smallest tail that a product of two tails can still hold. */
const LARGEST_PROBIT = 37;
const clampProbit = (eta: number): number => Math.max(-LARGEST_PROBIT, Math.min(LARGEST_PROBIT, eta));

const probit: Link = {
  name: "probit",
  eta: normalQuantile,
  mu: (eta) => normalCdf(clampProbit(eta)),
  complement: (eta) => normalSf(clampProbit(eta)),
  slope: (eta) => normalPdf(clampProbit(eta)),
};

/** exp(-exp(6.5)) is about 1e-289. */
const LARGEST_CLOGLOG = 6.5;
const clampCloglog = (eta: number): number => Math.max(-LARGEST_ETA, Math.min(LARGEST_CLOGLOG, eta));

const cloglog: Link = {
  name: "cloglog",
  eta: (mu) => Math.log(-Math.log1p(-mu)),
  mu: (eta) => -Math.expm1(-Math.exp(clampCloglog(eta))),
  complement: (eta) => Math.exp(-Math.exp(clampCloglog(eta))),
  slope: (eta) => {
    const e = clampCloglog(eta);
    return Math.exp(e - Math.exp(e));
  },
};

export const LINKS: Readonly<Record<LinkName, Link>> = { identity, log, logit, probit, cloglog };
