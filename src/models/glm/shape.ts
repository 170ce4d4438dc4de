/** The parameter that a family has beside its mean, by maximum likelihood: θ of the negative binomial, φ of beta.
 *
 *      ℓ(β̂(s), s) is maximal where ∂ℓ/∂s = 0 at β̂(s);  s on the log scale, β̂(s) by IRLS from the one before
 *  The root of the profile's score is where MASS::glm.nb ends, which takes turns between β and θ; no turn is lost where β and s are
 *  correlated (beta with means near 0 or 1).
 *      SE(θ)     from the observed information at the fitted means, as theta.ml; β and θ are orthogonal
 *      Var(β, φ) the inverse of the joint expected information, as betareg
 *  θ has no finite estimate where the counts vary no more than Poisson's, Σ w((y - μ)² - y) ≤ 0 at the Poisson means: the limit is
 *  the Poisson model, and is given with a note. φ has none where the means fit perfectly: refused.
 *  Reference: Venables & Ripley (2002), Modern Applied Statistics with S, 7.4; Lawless (1987), Can. J. Stat. 15; Ferrari &
 *             Cribari-Neto (2004), J. Appl. Stat. 31.
 *  Oracle:    MASS::glm.nb and betareg (R), oracle/r/families.json.
 *  Limits:    one shape for all rows. */
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import { note, warning } from "../../result/diagnostic.ts";
import { StatError } from "../../result/error.ts";
import type { Diagnostic } from "../../result/result.ts";
import { FAMILIES, familyAt, negativeBinomial } from "../family.ts";
import { type GlmProblem, type GlmSolution, solveGlm } from "./solve.ts";

export interface GlmShape {
  /** "theta": variance μ + μ²/θ; "phi": variance μ(1 - μ)/(1 + φ). */
  readonly name: "theta" | "phi";
  readonly value: number;
  readonly se: number;
}

export interface ShapedSolution extends GlmSolution {
  /** With the family at the estimated shape. */
  readonly problem: GlmProblem;
  readonly shape: GlmShape;
  readonly diagnostics: readonly Diagnostic[];
}

/** A shape outside e^∓25 or so is distinguished by no data; at the upper end counts are Poisson and shares fitted perfectly. */
const LOWEST = -25;
const HIGHEST = 25;
const ROOT_TOLERANCE = 1e-12;

export function solveShaped(problem: GlmProblem, response: Float64Array): ShapedSolution {
  return problem.family.name === "beta" ? solveBeta(problem, response) : solveNegativeBinomial(problem, response);
}

function solveNegativeBinomial(problem: GlmProblem, response: Float64Array): ShapedSolution {
  const limit = { ...problem, family: negativeBinomial(Number.POSITIVE_INFINITY) };
  const poisson = solveGlm(limit, response);
  const { rows, weights } = problem;
  let [excess, relative, total, events] = [0, 0, 0, 0];
  rows.forEach((row, i) => {
    const [y, mu, w] = [response[row]!, poisson.mu[i]!, weights[i]!];
    excess += w * ((y - mu) ** 2 - y);
    relative += w * (y / mu - 1) ** 2;
    total += w;
    events += w * y;
  });
  const unknown = { name: "theta" as const, se: Number.NaN };
  if (events === 0) {
    return { ...poisson, problem: limit, shape: { ...unknown, value: Number.NaN }, diagnostics: [noCounts()] };
  }
  const root = excess > 0 ? rootOfScore(problem, response, { shape: total / relative, beta: poisson.beta }) : HIGHEST;
  if (root >= HIGHEST) {
    const shape = { ...unknown, value: Number.POSITIVE_INFINITY };
    return { ...poisson, problem: limit, shape, diagnostics: [noOverdispersion()] };
  }
  return solutionAt(problem, response, { root, beta: poisson.beta });
}

function solveBeta(problem: GlmProblem, response: Float64Array): ShapedSolution {
  const means = solveGlm({ ...problem, family: FAMILIES.quasibinomial }, response);
  let [scatter, total] = [0, 0];
  problem.rows.forEach((row, i) => {
    const mu = means.mu[i]!;
    scatter += (problem.weights[i]! * (response[row]! - mu) ** 2) / (mu * means.complement[i]!);
    total += problem.weights[i]!;
  });
  const root = rootOfScore(problem, response, { shape: total / scatter, beta: means.beta });
  if (root >= HIGHEST) {
    throw new StatError(
      "PerfectFit",
      "the fitted means equal the responses, so that the precision of the beta family has no finite estimate.",
      "Remove terms, or collect responses that differ within the groups that the terms make.",
    );
  }
  return solutionAt(problem, response, { root, beta: means.beta });
}

interface Start {
  readonly shape: number;
  readonly beta: Float64Array;
}

/** log s at which the profile's score is 0; HIGHEST where it is positive up to there. */
function rootOfScore(problem: GlmProblem, response: Float64Array, start: Start): number {
  let { beta } = start;
  const score = (logShape: number): number => {
    const at = atShape(problem, logShape);
    const solution = solveGlm(at, response, beta);
    beta = solution.beta;
    const own = at.family.shape!;
    return own.value * sumOver(at, solution, (i, mu, complement) => own.score(response[at.rows[i]!]!, mu, complement));
  };
  const clamp = (x: number): number => Math.max(LOWEST, Math.min(HIGHEST, x));
  const first = clamp(Number.isNaN(start.shape) ? 0 : Math.log(start.shape));
  let [lower, upper] = [first, first];
  // towards infinity the score of θ fades away on either side of 0: the direction is its sign's, not its size's
  if (score(first) > 0) {
    for (let step = 1; score(upper) > 0; step *= 2) {
      if (upper === HIGHEST) return HIGHEST;
      lower = upper;
      upper = clamp(upper + step);
    }
  } else {
    for (let step = 1; lower > LOWEST && !(score(lower) > 0); step *= 2) {
      upper = lower;
      lower = clamp(lower - step);
    }
  }
  return findRoot(score, lower, upper, { tolerance: ROOT_TOLERANCE }).root;
}

const atShape = (problem: GlmProblem, logShape: number): GlmProblem => ({
  ...problem,
  family: familyAt(problem.family.name, Math.exp(logShape)),
});

function sumOver(
  { rows, weights }: GlmProblem,
  { mu, complement }: GlmSolution,
  of: (i: number, mu: number, complement: number) => number,
): number {
  let sum = 0;
  for (let i = 0; i < rows.length; i++) sum += weights[i]! * of(i, mu[i]!, complement[i]!);
  return sum;
}

function solutionAt(
  problem: GlmProblem,
  response: Float64Array,
  { root, beta }: { readonly root: number; readonly beta: Float64Array },
): ShapedSolution {
  const at = atShape(problem, root);
  const solution = solveGlm(at, response, beta);
  const { name, value, information } = at.family.shape!;
  const own = sumOver(at, solution, (i, mu, complement) => information(response[at.rows[i]!]!, mu, complement));
  return { ...solution, problem: at, shape: { name, value, se: Math.sqrt(1 / own) }, diagnostics: [] };
}

/** Var(β̂) and the shape's SE with the correlation of the two: `inverse` is (X'WX)⁻¹, and [A + aa'/s, s⁻¹] the blocks of the inverse
 *  of the joint information, a = Ak, s = k_φφ - k'a. */
export function jointCovariance(
  { problem, eta, mu, complement, shape, ...rest }: ShapedSolution,
  response: Float64Array,
  inverse: Matrix,
): { vcov: Matrix; shape: GlmShape } {
  if (shape.name === "theta") return { vcov: inverse, shape };
  const { X, link, weights, family, rows } = problem;
  const { cross, information } = family.shape!;
  const p = X.cols;
  const k = new Float64Array(p);
  for (let i = 0; i < rows.length; i++) {
    const c = weights[i]! * cross(mu[i]!, complement[i]!) * link.slope(eta[i]!);
    for (let j = 0; j < p; j++) k[j]! += c * X.data[i + j * X.rows]!;
  }
  const a = k.map((_, i) => k.reduce((sum, v, j) => sum + inverse.data[i + j * p]! * v, 0));
  const at = { ...rest, eta, mu, complement };
  const own = sumOver(problem, at, (i, m, c) => information(response[rows[i]!]!, m, c));
  const left = own - k.reduce((sum, v, j) => sum + v * a[j]!, 0);
  const data = inverse.data.map((v, e) => v + (a[e % p]! * a[Math.floor(e / p)]!) / left);
  return { vcov: { ...inverse, data }, shape: { ...shape, se: Math.sqrt(1 / left) } };
}

const noCounts = (): Diagnostic =>
  warning(
    "NoCounts",
    "every count is 0: the data say nothing about θ, and no mean has a finite estimate.",
    "Collect data with at least one count, or report an upper limit of the rate.",
  );

const noOverdispersion = (): Diagnostic =>
  note(
    "NoOverdispersion",
    "the counts vary no more than Poisson counts do: θ has no finite estimate, and the fit is the Poisson model's.",
    "Report the poisson family.",
  );
