/** Profile-likelihood intervals for every parameter of a linear mixed model: SDs, correlations, σ and β.
 *
 *      ζ(ψ) = sign(ψ - ψ̂) √(min D given ψ - D̂),     the ends of the interval are the roots of ζ(ψ) = ∓√χ²_{1, level}
 *
 *  D is the ML deviance, also for a REML fit (a restricted likelihood says nothing about β). Every point of the profile is a
 *  minimisation over all other parameters with the analytic gradient (linear-target.ts); ζ is nearly a straight line and
 *  its slope is known, ζ' = ∂D/∂ψ / 2ζ, so that Newton's method within a bracket needs a handful of points.
 *  An SD whose profile does not reach the cut-off at 0 has the lower end 0, a correlation ends at ±1.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), section 5.1; Venzon & Moolgavkar (1988), Appl. Stat. 37.
 *  Oracle:    exact ends by root finding in R (lme4's devfun), oracle/r/lmm-inference.json; lme4's confint interpolates splines
 *             and agrees to about 1e-4.
 *  Limits:    profiles are followed from the optimum outwards: a second, separate mode is not looked for. */
import { chiSquareQuantile } from "../../numeric/dist/chi-square.ts";
import { minimizeQuasiNewton } from "../../numeric/optim/quasi-newton.ts";
import { StatError } from "../../result/error.ts";
import { fixedCovariance } from "../lmm/objective.ts";
import type { LmmProblem } from "../lmm/problem.ts";
import { lmmProducts } from "../lmm/products.ts";
import { type LmmSolution, solveLmm } from "../lmm/solve.ts";
import { varianceComponents } from "../random/random.ts";
import { type ConstrainedDeviance, constrainDeviance, type ProfileKind, type ProfileTarget } from "./linear-target.ts";

export interface ProfileInterval {
  /** As lme4 names them: sd_(Intercept)|Subject, cor_Days.(Intercept)|Subject, sigma, and the coefficients. */
  readonly name: string;
  readonly kind: ProfileKind;
  /** By maximum likelihood. */
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
}

export interface ProfileOptions {
  readonly confidence?: number;
  /** Names of the parameters wanted; default: all. */
  readonly parameters?: readonly string[];
  readonly onProgress?: (done: number, total: number, name: string) => void;
}

interface Parameter {
  readonly name: string;
  readonly target: ProfileTarget;
  readonly estimate: number;
  /** ψ as the target measures it, ψ̂ + origin. */
  readonly origin: number;
  /** A first guess at the half-width. */
  readonly width: number;
  readonly lowest: number;
  readonly highest: number;
}

export function profileLmm(
  problem: LmmProblem,
  solution: LmmSolution,
  { confidence = 0.95, parameters, onProgress }: ProfileOptions = {},
): ProfileInterval[] {
  if (!(confidence > 0 && confidence < 1)) {
    throw new StatError(
      "BadOption",
      `a confidence level of ${confidence} is not between 0 and 1.`,
      "Use for example 0.95.",
    );
  }
  const ml: LmmProblem = { ...problem, criterion: "ML" };
  const best = problem.criterion === "ML" ? solution : solveLmm(ml, solution.response, { start: solution.theta });
  const products = lmmProducts(ml, best.response);
  const all = listParameters(ml, best);
  const wanted = parameters === undefined ? all : parameters.map((name) => findParameter(all, name));
  return wanted.map((parameter, i) => {
    const cut = Math.sqrt(chiSquareQuantile(confidence, 1));
    const profile: Profile = { parameter, deviance: constrainDeviance(products, parameter.target), best, cut };
    const { name, target, estimate } = parameter;
    const interval = { name, kind: target.kind, estimate, lower: findEnd(profile, -1), upper: findEnd(profile, 1) };
    onProgress?.(i + 1, wanted.length, name);
    return interval;
  });
}

function findParameter(all: readonly Parameter[], name: string): Parameter {
  const found = all.find((parameter) => parameter.name === name);
  if (found) return found;
  const names = all.map((parameter) => parameter.name).join(", ");
  throw new StatError(
    "UnknownParameter",
    `the model has no parameter "${name}" (${names}).`,
    "Use one of these names.",
  );
}

/** In the order of θ, then σ, then β: the order of lme4's profile. */
function listParameters(problem: LmmProblem, { theta, sigma, beta, response }: LmmSolution): Parameter[] {
  const { structure, inverseR, design, kept } = problem;
  const components = varianceComponents(structure, theta, sigma);
  const free = { origin: 0, lowest: Number.NEGATIVE_INFINITY, highest: Number.POSITIVE_INFINITY };
  const random = Array.from(structure.term, (term, k): Parameter => {
    const { group, names, sd, corr } = components[term]!;
    const [j, i] = [structure.col[k]!, structure.row[k]!];
    if (i === j) {
      const estimate = sd[j]!;
      const name = `sd_${names[j]!}|${group}`;
      const width = estimate > 0 ? estimate / 2 : sigma / 10;
      return { ...free, name, target: { kind: "sd", term, j }, estimate, width, lowest: 0 };
    }
    const name = `cor_${names[i]!}.${names[j]!}|${group}`;
    const estimate = corr.data[i + j * sd.length]!;
    return { ...free, name, target: { kind: "cor", term, j, k: i }, estimate, width: 0.3, lowest: -1, highest: 1 };
  });
  const covariance = fixedCovariance(problem, theta);
  const fixed = Array.from(beta, (estimate, j): Parameter => {
    const l = Float64Array.from({ length: beta.length }, (_, c) => inverseR.data[j + c * inverseR.rows]!);
    const width = 2 * sigma * Math.sqrt(covariance.data[j * (beta.length + 1)]!);
    const name = design.names[kept[j]!]!;
    return { ...free, name, target: { kind: "fixed", l }, estimate, width, origin: -response.beta0[j]! };
  });
  const width = sigma * Math.sqrt(2 / problem.nobs);
  const residual: Parameter = { ...free, name: "sigma", target: { kind: "sigma" }, estimate: sigma, width, lowest: 0 };
  return [...random, residual, ...fixed];
}

interface Profile {
  readonly parameter: Parameter;
  readonly deviance: ConstrainedDeviance;
  readonly best: LmmSolution;
  readonly cut: number;
}

/** Relative to the half-width of the interval. */
const ROOT_TOLERANCE = 1e-10;
const MAX_POINTS = 100;
/** ζ below this is rounding of the deviance, and has no slope worth using. */
const SMALL_ZETA = 1e-3;
/** The likelihood vanishes at σ = 0; the search stays this share of σ̂ above it. */
const LEAST_SIGMA = 1e-6;

function findEnd(profile: Profile, side: -1 | 1): number {
  const { parameter, cut } = profile;
  const { lowest, highest, origin, target } = parameter;
  const center = Number.isNaN(parameter.estimate) ? 0 : parameter.estimate;
  const bound = side < 0 ? lowest : highest;
  const follow = makeFollower(profile);
  if (Number.isFinite(bound) && target.kind !== "sigma") {
    if (center === bound || follow(bound + origin).zeta <= cut) return bound;
    follow.restart();
  }
  let inside = center; // ζ < cut
  let outside = target.kind === "sigma" && side < 0 ? LEAST_SIGMA * center : bound; // ζ > cut, or not tried yet
  let psi = clampStep(center + side * parameter.width, inside, outside);
  for (let points = 0; points < MAX_POINTS; points++) {
    const { zeta, slope } = follow(psi + origin);
    if (Number.isNaN(zeta)) return Number.NaN;
    if (zeta < cut) inside = psi;
    else outside = psi;
    let next = zeta > SMALL_ZETA ? psi + (cut - zeta) / slope : Number.NaN;
    if (!((next - inside) * side > 0 && (outside - next) * side > 0)) next = between(inside, outside, center, side);
    const scale = Math.max(Math.abs(psi - center), Number.MIN_VALUE);
    if (Math.abs(next - psi) <= ROOT_TOLERANCE * scale || Math.abs(outside - inside) <= ROOT_TOLERANCE * scale)
      return next;
    psi = clampStep(next, inside, outside, 4 * Math.abs(psi - center));
  }
  return Number.NaN;
}

/** Halfway into a bracket, or twice as far out as long as there is none. */
function between(inside: number, outside: number, center: number, side: number): number {
  if (Number.isFinite(outside)) return (inside + outside) / 2;
  return center + 2 * (inside - center) + side * Number.MIN_VALUE;
}

/** No step leaves the bracket, and none goes further than `most` beyond what is known. */
function clampStep(next: number, inside: number, outside: number, most = Number.POSITIVE_INFINITY): number {
  const step = Math.min(Math.abs(next - inside), most);
  const moved = inside + Math.sign(next - inside) * step;
  const beyond = Number.isFinite(outside) && Math.abs(moved - inside) >= Math.abs(outside - inside);
  return beyond ? (inside + outside) / 2 : moved;
}

interface Follower {
  (psi: number): { zeta: number; slope: number };
  /** Begins the next point at the optimum again. */
  restart(): void;
}

/** Points of a profile, each minimisation beginning where the last one ended. */
function makeFollower({ deviance, best }: Profile): Follower {
  const start = deviance.start(best.theta, best.sigma);
  let x = start;
  const follow = (psi: number) => {
    const found = minimizeQuasiNewton((at, gradient) => deviance.evaluate(at, psi, gradient).value, x, {
      lower: deviance.lower,
    });
    x = found.x;
    const { byTarget } = deviance.evaluate(x, psi, new Float64Array(x.length));
    const zeta = found.converged ? Math.sqrt(Math.max(0, found.value - best.objective)) : Number.NaN;
    return { zeta, slope: byTarget / (2 * zeta) };
  };
  return Object.assign(follow, {
    restart: () => {
      x = start;
    },
  });
}
