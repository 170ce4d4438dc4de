/** Minimum of f(x) over lower <= x <= upper by a simplex of n + 1 points, restarted until a restart brings nothing.
 *  The fallback where f is not smooth; `bobyqa.ts` needs far fewer evaluations where it is.
 *  Reference: Nelder & Mead (1965), Comput. J. 7; steps as in Lagarias, Reeds, Wright & Wright (1998), SIAM J. Optim.
 *             9(1), sec. 2; coefficients that suit n > 2 of Gao & Han (2012), Comput. Optim. Appl. 51.
 *  Limits:    points outside the box are moved onto it. No proof of convergence; the restarts catch simplices that
 *             collapsed away from a minimum. A value that is not finite counts as +Infinity. */
import {
  type Bounds,
  type Box,
  clampInto,
  findActive,
  type Minimum,
  makeBox,
  type Objective,
  rejectStart,
  snapToBounds,
} from "./minimum.ts";

export interface NelderMeadOptions extends Bounds {
  /** Edge of the first simplex. */
  readonly initialSize?: number;
  /** Stop when the simplex is this small, relative to max(1, |x_i|), in every coordinate. */
  readonly sizeTolerance?: number;
  /** ... and its values differ by no more than this, relative to max(1, |f|). */
  readonly valueTolerance?: number;
  readonly maxEvaluations?: number;
  readonly maxRestarts?: number;
}

interface Simplex {
  readonly objective: Objective;
  readonly box: Box;
  readonly points: Float64Array[];
  readonly values: Float64Array;
  evaluations: number;
  iterations: number;
}

const SIZE_TOLERANCE = 1e-8;
const VALUE_TOLERANCE = 1e-14;
const INITIAL_SIZE = 0.2;
const MAX_RESTARTS = 20;
/** A restart that gains less than this, relative to max(1, |f|), confirms the minimum. */
const RESTART_GAIN = 1e-12;
/** Each restart's simplex is this fraction of the one before, so that the confirmations become local. */
const RESTART_SHRINKAGE = 0.5;

export function minimizeNelderMead(
  objective: Objective,
  start: ArrayLike<number>,
  options: NelderMeadOptions = {},
): Minimum {
  const n = start.length;
  const box = makeBox(n, options);
  if (box === null) return rejectStart(start, 0, "a lower bound exceeds its upper bound");
  const simplex: Simplex = {
    objective,
    box,
    points: Array.from({ length: n + 1 }, () => Float64Array.from(start)),
    values: new Float64Array(n + 1),
    evaluations: 0,
    iterations: 0,
  };
  clampInto(simplex.points[0]!, box);
  simplex.values[0] = evaluate(simplex, simplex.points[0]!);
  if (simplex.values[0] === Number.POSITIVE_INFINITY)
    return rejectStart(start, 1, "the objective is not finite at the start");

  const budget = options.maxEvaluations ?? 2000 * (n + 1);
  let size = options.initialSize ?? INITIAL_SIZE;
  let small = false;
  let confirmed = false;
  for (let restart = 0; restart <= (options.maxRestarts ?? MAX_RESTARTS) && !confirmed; restart++) {
    const before = simplex.values[0]!;
    spread(simplex, size);
    small = contract(simplex, budget, options);
    if (!small) break;
    confirmed = restart > 0 && before - simplex.values[0]! <= RESTART_GAIN * Math.max(1, Math.abs(before));
    size *= RESTART_SHRINKAGE;
  }
  const best = { x: simplex.points[0]!, value: simplex.values[0]! };
  const { x, value } = snapToBounds(best, box, (at) => ({ x: at, value: evaluate(simplex, at) }));
  return {
    x,
    value,
    evaluations: simplex.evaluations,
    iterations: simplex.iterations,
    status: confirmed ? "radius" : small ? "stalled" : "budget",
    converged: confirmed,
    message: confirmed
      ? "the simplex is small and a restart found nothing lower"
      : small
        ? "restarts kept finding lower values until none were left"
        : "the evaluation budget is used up",
    active: findActive(x, box),
  };
}

function evaluate(simplex: Simplex, x: Float64Array): number {
  simplex.evaluations++;
  const value = simplex.objective(x);
  return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
}

/** A fresh simplex around point 0, each edge turned inward where the box leaves no room. */
function spread(simplex: Simplex, size: number): void {
  const { points, values, box } = simplex;
  const origin = points[0]!;
  for (let i = 0; i < origin.length; i++) {
    const x = Float64Array.from(origin);
    const edge = size * Math.max(1, Math.abs(origin[i]!));
    const up = box.upper[i]! - origin[i]!;
    const down = origin[i]! - box.lower[i]!;
    x[i]! += up >= edge || up >= down ? Math.min(edge, up) : -Math.min(edge, down);
    points[i + 1] = x;
    values[i + 1] = evaluate(simplex, x);
  }
}

/** Runs the simplex until it is small (true) or the budget is used up (false); leaves the best point at index 0. */
function contract(simplex: Simplex, budget: number, options: NelderMeadOptions): boolean {
  const { points, values } = simplex;
  const n = points.length - 1;
  const expansion = 1 + 2 / Math.max(n, 2);
  const contraction = 0.75 - 1 / (2 * Math.max(n, 2));
  const center = new Float64Array(n);
  while (true) {
    sortSimplex(simplex);
    if (isSmall(simplex, options)) return true;
    if (simplex.evaluations >= budget) return false;
    simplex.iterations++;
    center.fill(0);
    for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) center[i]! += points[j]![i]! / n;
    const worst = points[n]!;
    const reach = (factor: number): { x: Float64Array; value: number } => {
      const x = center.map((c, i) => c + factor * (worst[i]! - c));
      clampInto(x, simplex.box);
      return { x, value: evaluate(simplex, x) };
    };
    const reflected = reach(-1);
    let accepted: { x: Float64Array; value: number } | null = reflected;
    if (reflected.value < values[0]!) {
      const expanded = reach(-expansion);
      if (expanded.value < reflected.value) accepted = expanded;
    } else if (!(reflected.value < values[n - 1]!)) {
      const outside = reflected.value < values[n]!;
      const contracted = reach(outside ? -contraction : contraction);
      accepted = contracted.value < Math.min(reflected.value, values[n]!) ? contracted : null;
    }
    if (accepted === null) shrink(simplex);
    else {
      points[n] = accepted.x;
      values[n] = accepted.value;
    }
  }
}

/** Gao & Han's factor 1 - 1/n, which for n <= 2 is the classical ½. */
function shrink(simplex: Simplex): void {
  const { points, values } = simplex;
  const n = points.length - 1;
  const factor = n > 2 ? 1 - 1 / n : 0.5;
  for (let j = 1; j <= n; j++) {
    for (let i = 0; i < n; i++) points[j]![i] = points[0]![i]! + factor * (points[j]![i]! - points[0]![i]!);
    values[j] = evaluate(simplex, points[j]!);
  }
}

function sortSimplex(simplex: Simplex): void {
  const { points, values } = simplex;
  for (let j = 1; j < points.length; j++) {
    const p = points[j]!;
    const v = values[j]!;
    let k = j - 1;
    for (; k >= 0 && values[k]! > v; k--) {
      points[k + 1] = points[k]!;
      values[k + 1] = values[k]!;
    }
    points[k + 1] = p;
    values[k + 1] = v;
  }
}

function isSmall(simplex: Simplex, options: NelderMeadOptions): boolean {
  const { points, values } = simplex;
  const best = points[0]!;
  const n = best.length;
  const spreadOfValues = values[n]! - values[0]!;
  if (!(spreadOfValues <= (options.valueTolerance ?? VALUE_TOLERANCE) * Math.max(1, Math.abs(values[0]!)))) {
    // A plateau of rounding: values that no longer change with x cannot be told apart by shrinking further.
    if (!isNarrow(points, Number.EPSILON)) return false;
  }
  return isNarrow(points, options.sizeTolerance ?? SIZE_TOLERANCE);
}

function isNarrow(points: readonly Float64Array[], tolerance: number): boolean {
  const best = points[0]!;
  for (let i = 0; i < best.length; i++) {
    const limit = 4 * tolerance * Math.max(1, Math.abs(best[i]!));
    for (let j = 1; j < points.length; j++) if (Math.abs(points[j]![i]! - best[i]!) > limit) return false;
  }
  return true;
}
