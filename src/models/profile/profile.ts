/** Ends of a profile-likelihood interval: one parameter held at ψ, all the others chosen best.
 *
 *      ζ(ψ) = √(D(ψ) - D̂),   D(ψ) = min -2ℓ given ψ;     the ends are the roots of ζ(ψ) = √χ²_{1, level} on either side of ψ̂
 *
 *  Each point is a BFGS minimisation that begins at the one before, with the curvature found there. ζ is nearly a straight line
 *  and its slope is known by the envelope theorem, ζ' = (∂D/∂ψ)/2ζ, so that Newton's method within a bracket takes a handful of
 *  points. A side on which D stays below the cut however far one goes has no end: ±∞ (separated data), or the end of the range
 *  of an SD, 0.
 *  Reference: Venzon & Moolgavkar (1988), Appl. Stat. 37; Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), 5.1.
 *  Oracle:    roots of the profile found in R, oracle/r/categorical-inference.json and oracle/r/lmm-inference.json.
 *  Limits:    followed from the optimum outwards; a second, separate mode is not looked for. */
import { chiSquareQuantile } from "../../numeric/dist/chi-square.ts";
import { minimizeQuasiNewton } from "../../numeric/optim/quasi-newton.ts";
import { checkConfidence, StatError } from "../../result/error.ts";

export interface ProfileOptions {
  readonly confidence?: number | undefined;
  /** Names of the parameters wanted; default: all. */
  readonly parameters?: readonly string[] | undefined;
  readonly onProgress?: ((done: number, total: number, name: string) => void) | undefined;
}

export interface ParameterInterval<Kind extends string> {
  readonly name: string;
  readonly kind: Kind;
  readonly estimate: number;
  readonly lower: number;
  readonly upper: number;
}

/** -2ℓ in the free coordinates x with the parameter at ψ. */
export interface ConstrainedProfile {
  /** Fills `gradient` in x; `byTarget` is ∂D/∂ψ at fixed x. NaN outside the parameter space. */
  evaluate(x: Float64Array, psi: number, gradient: Float64Array): { value: number; byTarget: number };
  /** Coordinates to begin with at ψ where those of the point before are outside the parameter space; outside too only where
   *  ψ itself is. */
  start(psi: number): Float64Array;
  /** Row-major Hessian of D in x at the optimum, if it is known. */
  readonly hessian?: Float64Array;
  /** Bounds of x; none when missing. */
  readonly lower?: Float64Array;
}

export interface ProfiledParameter<Kind extends string> {
  /** As lme4 and ordinal name them: sd_(Intercept)|item, cor_x.(Intercept)|item, sigma, 1|2, systemB. */
  readonly name: string;
  readonly kind: Kind;
  readonly profile: ConstrainedProfile;
  /** ψ̂, where the profile begins. */
  readonly estimate: number;
  /** The fit's own estimate: NaN where it has none, infinite where data are separated. */
  readonly reported: number;
  /** A first guess at the half-width. */
  readonly width: number;
  /** Ends of the range that ψ may take, or ∓∞. */
  readonly lowest: number;
  readonly highest: number;
  /** Beyond this distance from the estimate an end counts as infinite. */
  readonly furthest: number;
}

/** Relative to the half-width of the interval: the last step, after which a bracketed search has no more to find than that. */
const ROOT_TOLERANCE = 1e-9;
const MAX_POINTS = 60;
/** ζ below this is rounding of the deviance, and has no slope worth using. */
const SMALL_ZETA = 1e-3;
/** Gradient, relative to the deviance, at which the others are at their best: D is then right to about its square. */
const GRADIENT_TOLERANCE = 1e-8;
/** A step out goes at most this much further than what is known. */
const STRETCH = 3;
/** What a deviance a little above the least one may still be without the profile being lost. */
const LOST = 1e-2;

/** Intervals of all parameters, or of those asked for. `least` is D̂. */
export function profileParameters<Kind extends string>(
  all: readonly ProfiledParameter<Kind>[],
  least: number,
  { confidence = 0.95, parameters, onProgress }: ProfileOptions,
): ParameterInterval<Kind>[] {
  checkConfidence(confidence);
  const wanted = parameters === undefined ? all : parameters.map((name) => findParameter(all, name));
  const cut = Math.sqrt(chiSquareQuantile(confidence, 1));
  return wanted.map((parameter, i) => {
    const { name, kind, reported } = parameter;
    const end = (side: -1 | 1): number => findEnd({ parameter, least, cut, side });
    const interval = { name, kind, estimate: reported, lower: end(-1), upper: end(1) };
    onProgress?.(i + 1, wanted.length, name);
    return interval;
  });
}

function findParameter<Kind extends string>(
  all: readonly ProfiledParameter<Kind>[],
  name: string,
): ProfiledParameter<Kind> {
  const found = all.find((parameter) => parameter.name === name);
  if (found) return found;
  const names = all.map((parameter) => parameter.name).join(", ");
  const message = `the model has no parameter "${name}" (${names}).`;
  throw new StatError("UnknownParameter", message, "Use one of these names.");
}

interface Side {
  readonly parameter: ProfiledParameter<string>;
  /** D̂. */
  readonly least: number;
  readonly cut: number;
  readonly side: -1 | 1;
}

function findEnd(search: Side): number {
  const { parameter, cut, side } = search;
  const { estimate: center, width, lowest, highest, furthest } = parameter;
  const end = side < 0 ? lowest : highest;
  const bounded = Number.isFinite(end);
  const bound = bounded ? end : center + side * furthest;
  let follow = makeFollower(search);
  if (bounded) {
    if ((end - center) * side <= 0 || follow(end).zeta <= cut) return end;
    follow = makeFollower(search);
  }
  let inside = center; // ζ < cut
  let outside = Number.NaN; // ζ > cut, once known
  let psi = clampTo(center + side * width, bound, side);
  for (let points = 0; points < MAX_POINTS; points++) {
    const { zeta, slope } = follow(psi);
    if (Number.isNaN(zeta)) return Number.NaN;
    if (zeta < cut) {
      inside = psi;
      if (psi === bound) return bounded ? end : side * Number.POSITIVE_INFINITY;
    } else outside = psi;
    const known = !Number.isNaN(outside);
    let next = zeta > SMALL_ZETA && Number.isFinite(zeta) ? psi + (cut - zeta) / slope : Number.NaN;
    const between = (next - inside) * side > 0 && (!known || (outside - next) * side > 0);
    if (!between) next = known ? (inside + outside) / 2 : center + STRETCH * (inside - center);
    const scale = Math.abs(psi - center);
    if (Math.abs(next - psi) <= ROOT_TOLERANCE * scale || (known && outside === inside)) return next;
    if (!known) next = clampTo(limitStep(next, inside, center), bound, side);
    psi = next;
  }
  return Number.NaN;
}

const clampTo = (psi: number, bound: number, side: number): number =>
  side < 0 ? Math.max(psi, bound) : Math.min(psi, bound);

/** A flat profile promises an end at the other end of the world. */
function limitStep(next: number, inside: number, center: number): number {
  const most = STRETCH * Math.abs(inside - center);
  return Math.abs(next - center) <= most || most === 0 ? next : center + Math.sign(next - center) * most;
}

/** No likelihood at ψ. */
const OUTSIDE = { zeta: Number.POSITIVE_INFINITY, slope: Number.NaN };

/** Points of a profile, each beginning where the last one ended. */
function makeFollower({
  parameter: { profile, estimate },
  least,
}: Side): (psi: number) => { zeta: number; slope: number } {
  let x = profile.start(estimate);
  let hessian = profile.hessian;
  return (psi) => {
    const first = new Float64Array(x.length);
    if (!Number.isFinite(profile.evaluate(x, psi, first).value)) {
      const start = profile.start(psi);
      if (!Number.isFinite(profile.evaluate(start, psi, first).value)) return OUTSIDE;
      x = start;
    }
    const objective = (at: Float64Array, gradient: Float64Array): number => profile.evaluate(at, psi, gradient).value;
    if (x.length > 0) {
      const found = minimizeQuasiNewton(objective, x, {
        gradientTolerance: GRADIENT_TOLERANCE,
        relativeNoise: 1e-14,
        ...(profile.lower === undefined ? {} : { lower: profile.lower }),
        hessian,
      });
      if (!Number.isFinite(found.value)) return { zeta: Number.NaN, slope: Number.NaN };
      ({ x, hessian } = found);
    }
    const { value, byTarget } = profile.evaluate(x, psi, new Float64Array(x.length));
    // far below the optimum: that was not one
    if (value < least - LOST) return { zeta: Number.NaN, slope: Number.NaN };
    const zeta = Math.sqrt(Math.max(0, value - least));
    return { zeta, slope: byTarget / (2 * zeta) };
  };
}
