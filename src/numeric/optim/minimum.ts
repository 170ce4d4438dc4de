/** What every optimiser of this folder shares: bounds, the answer, and the report on how good it is. */

export type Objective = (x: Float64Array) => number;
/** Returns the value at `x` and fills `gradient`. A value that is not finite means "outside the domain". */
export type GradientObjective = (x: Float64Array, gradient: Float64Array) => number;

export interface Bounds {
  readonly lower?: ArrayLike<number>;
  readonly upper?: ArrayLike<number>;
}

export interface Box {
  readonly lower: Float64Array;
  readonly upper: Float64Array;
}

/** Why an optimiser stopped.
 *  gradient: the (projected) gradient is small;  radius: trust region or simplex is as small as asked;
 *  stalled: no step lowers the value any more;   saddle: gradient small, Hessian not positive definite;
 *  budget: evaluations used up;                  invalid-start: bounds cross, or no finite value at the start. */
export type MinimumStatus = "gradient" | "radius" | "stalled" | "saddle" | "budget" | "invalid-start";

export interface Minimum {
  readonly x: Float64Array;
  readonly value: number;
  readonly evaluations: number;
  readonly iterations: number;
  readonly status: MinimumStatus;
  readonly converged: boolean;
  readonly message: string;
  /** Per variable: -1 at its lower bound, 1 at its upper bound, 0 between. */
  readonly active: Int8Array;
}

export interface GradientMinimum extends Minimum {
  readonly gradient: Float64Array;
  /** max |P(g)_i| · max(1, |x_i|) / max(1, |f|), with P(g) zero where a bound blocks descent. */
  readonly projectedGradient: number;
}

/** Bounds as full arrays, infinite where none were given; null when they cross or are NaN. */
export function makeBox(n: number, bounds: Bounds): Box | null {
  const lower = new Float64Array(n).fill(Number.NEGATIVE_INFINITY);
  const upper = new Float64Array(n).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < n; i++) {
    if (bounds.lower !== undefined) lower[i] = bounds.lower[i]!;
    if (bounds.upper !== undefined) upper[i] = bounds.upper[i]!;
    if (!(lower[i]! <= upper[i]!)) return null;
  }
  return { lower, upper };
}

export function clampInto(x: Float64Array, box: Box): void {
  for (let i = 0; i < x.length; i++) x[i] = Math.min(Math.max(x[i]!, box.lower[i]!), box.upper[i]!);
}

export function findActive(x: Float64Array, box: Box): Int8Array {
  return Int8Array.from(x, (xi, i) => (xi <= box.lower[i]! ? -1 : xi >= box.upper[i]! ? 1 : 0));
}

/** True when the bound that x_i touches forbids the descent that g_i asks for. */
export function isBlocked(xi: number, gi: number, lower: number, upper: number): boolean {
  return (xi <= lower && gi >= 0) || (xi >= upper && gi <= 0);
}

/** Relative projected gradient (Dennis & Schnabel 1983, sec. 7.2), the unit of all gradient tolerances here. */
export function measureGradient(x: Float64Array, value: number, gradient: Float64Array, box: Box): number {
  let worst = 0;
  for (let i = 0; i < x.length; i++) {
    if (isBlocked(x[i]!, gradient[i]!, box.lower[i]!, box.upper[i]!)) continue;
    const size = Math.abs(gradient[i]!) * Math.max(1, Math.abs(x[i]!));
    if (!(size <= worst)) worst = size;
  }
  return worst / Math.max(1, Math.abs(value));
}

export function isFiniteVector(v: Float64Array): boolean {
  for (let i = 0; i < v.length; i++) if (!Number.isFinite(v[i]!)) return false;
  return true;
}

/** How near a bound a coordinate must be to be tried on it: a criterion with zero slope at its bound, as deviances in a
 *  standard deviation have, is otherwise approached for ever and never met. */
const SNAP_DISTANCE = 1e-4;
/** What a bound may cost in f, relative to max(1, |f|): a few roundings. */
const SNAP_COST = 1e-15;

/** Moves coordinates that are almost on a bound onto it, one by one, where that does not raise f beyond its rounding. */
export function snapToBounds<P extends { readonly x: Float64Array; readonly value: number }>(
  start: P,
  box: Box,
  evaluate: (x: Float64Array) => P,
): P {
  let point = start;
  for (let i = 0; i < start.x.length; i++) {
    const xi = start.x[i]!;
    const bound = xi - box.lower[i]! <= box.upper[i]! - xi ? box.lower[i]! : box.upper[i]!;
    if (xi === bound || !Number.isFinite(bound)) continue;
    if (!(Math.abs(xi - bound) <= SNAP_DISTANCE * Math.max(1, Math.abs(bound)))) continue;
    const x = Float64Array.from(point.x);
    x[i] = bound;
    const trial = evaluate(x);
    if (trial.value <= point.value + SNAP_COST * Math.max(1, Math.abs(start.value))) point = trial;
  }
  return point;
}

/** The answer when there is nothing to optimise from. */
export function rejectStart(start: ArrayLike<number>, evaluations: number, message: string): Minimum {
  return {
    x: Float64Array.from(start),
    value: Number.NaN,
    evaluations,
    iterations: 0,
    status: "invalid-start",
    converged: false,
    message,
    active: new Int8Array(start.length),
  };
}
