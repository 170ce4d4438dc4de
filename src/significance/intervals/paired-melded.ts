/** Interval of the difference of two paired proportions that agrees with McNemar's exact or mid-p test: it excludes 0 exactly if the
 *  test rejects.   Δ = ψ(2θ - 1), ψ the share of discordant pairs, θ the share of them that favour the first; m = b + c of n pairs
 *    exact   lower end: the α/2 quantile of Ψ(2Θ - 1), Θ ~ Beta(b, c + 1), Ψ ~ Beta(m, n - m + 1) where the quantile is above 0
 *            and Beta(m + 1, n - m) where it is below: the distributions behind Clopper & Pearson's limits; upper end by symmetry
 *    mid-p   both ends from the even mixtures of Beta(b, c + 1) and Beta(b + 1, c), of Beta(m, n - m + 1) and Beta(m + 1, n - m)
 *  The distribution is  P(Ψ(2Θ - 1) <= d) = ∫ f_Ψ(ψ) F_Θ((1 + d/ψ)/2) dψ.  Over ψ, since F_Θ is never steeper there than f_Ψ.
 *  Reference: Fay & Lumbard (2021), Stat. Med. 40(5), 1147; Fay, Proschan & Brittain (2015), Biometrics 71 (melding).
 *  Oracle:    the definition by R's pbeta and integrate, oracle/r/paired-melded.json — 1e-8; coverage by enumeration.
 *  Limits:    conservative, as the exact test is; independent pairs. */
import { betaCdf, betaPdf, betaQuantile, betaQuantileUpper } from "../../numeric/dist/beta.ts";
import { gaussLegendre } from "../../numeric/gauss.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import { remembered } from "../../numeric/remembered.ts";
import type { ProportionInterval } from "./binomial.ts";

/** A beta distribution; a first parameter of 0 is the point 0, a second of 0 the point 1. */
type Beta = readonly [number, number];
/** An even mixture of one or two. */
type Mixture = readonly Beta[];

/** Of the density of ψ on each side of the bend at |d|: enough for twelve digits, since the integrand is a density times a smooth step. */
const NODES = 48;
/** The density of ψ is integrated between its quantiles of this size. */
const TAIL = 1e-14;
/** Ends to this many digits: they are printed with four. */
const TOLERANCE = 1e-12;

export function meldedInterval(
  [b, c, n]: readonly [b: number, c: number, n: number],
  confidence: number,
  midP = false,
): ProportionInterval {
  const tail = (1 - confidence) / 2;
  return intervalOf([b, c, n, confidence, midP].join(" "), () => ({
    lower: lowerEnd(b, c, n, tail, midP),
    upper: -lowerEnd(c, b, n, tail, midP),
  }));
}

const intervalOf = remembered<ProportionInterval>(10_000);

function lowerEnd(...[b, c, n, tail, midP]: [b: number, c: number, n: number, tail: number, midP: boolean]): number {
  const m = b + c;
  const [low, high]: readonly [Beta, Beta] = [
    [m, n - m + 1],
    [m + 1, n - m],
  ];
  const theta: Mixture = midP
    ? [
        [b, c + 1],
        [b + 1, c],
      ]
    : [[b, c + 1]];
  const below = mixtureCdf(theta, 0.5);
  const positive = below < tail;
  const psi: Mixture = midP ? [low, high] : positive ? [low] : [high];
  const excess = (d: number): number => chance(d, theta, psi) - tail;
  if (positive) return findRoot(excess, 0, 1, { tolerance: TOLERANCE }).root;
  // where even -1 is more likely than the tail, nothing below can be excluded
  if (excess(-1) >= 0) return -1;
  return excess(0) <= 0 ? 0 : findRoot(excess, -1, 0, { tolerance: TOLERANCE }).root;
}

/** P(Ψ(2Θ - 1) <= d). */
function chance(d: number, theta: Mixture, psi: Mixture): number {
  if (d === 0) return mixtureCdf(theta, 0.5);
  const step = (at: number): number => (at <= 0 ? Number(d >= 0) : mixtureCdf(theta, (1 + d / at) / 2));
  return psi.reduce((sum, beta) => sum + expect(step, beta, Math.abs(d)), 0) / psi.length;
}

/** E f(Ψ), where f bends at `bend`. */
function expect(f: (psi: number) => number, [p, q]: Beta, bend: number): number {
  if (p === 0) return f(0);
  if (q === 0) return f(1);
  const [from, to] = [betaQuantile(TAIL, p, q), betaQuantileUpper(TAIL, p, q)];
  const middle = Math.min(to, Math.max(from, bend));
  return panel(f, [p, q], [from, middle]) + panel(f, [p, q], [middle, to]);
}

function panel(f: (psi: number) => number, [p, q]: Beta, [from, to]: readonly [number, number]): number {
  const half = (to - from) / 2;
  if (half === 0) return 0;
  const { nodes, weights } = gaussLegendre(NODES);
  let sum = 0;
  for (let i = 0; i < nodes.length; i++) {
    const psi = from + half * (1 + nodes[i]!);
    sum += weights[i]! * betaPdf(psi, p, q) * f(psi);
  }
  return sum * half;
}

function mixtureCdf(mixture: Mixture, x: number): number {
  const cdf = ([p, q]: Beta): number =>
    p === 0 ? Number(x >= 0) : q === 0 ? Number(x >= 1) : betaCdf(Math.max(0, Math.min(1, x)), p, q);
  return mixture.reduce((sum, beta) => sum + cdf(beta), 0) / mixture.length;
}
