/** Where to move interpolation point t so that the system W becomes better conditioned: a point near the best one
 *  where the Lagrange function ℓ_t, hence the denominator of the update, is large.
 *  Reference: Powell (2009), DAMTP 2009/NA06, the alternative step: the better of
 *             (a) the best point on the lines through the best point and each other interpolation point,
 *             (b) a constrained Cauchy step of |ℓ_t|.
 *  Limits:    both ignore part of the freedom; the one with the larger exact denominator is returned. */
import { dot, multiplyInto, norm } from "./dense.ts";
import { denominator, type Interpolation, lagrangeFunction, lagrangeInto, rowOf } from "./interpolation.ts";

export interface StepLimits {
  /** Bounds relative to the best point. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly radius: number;
}

/** Displacement from the best point. */
export function findGeometryStep(q: Interpolation, t: number, limits: StepLimits): Float64Array {
  const ell = lagrangeFunction(q, t);
  const line = searchLines(q, t, ell.gradient, limits);
  let chosen = line;
  let largest = exactDenominator(q, t, line);
  for (const sign of [1, -1]) {
    const step = findCauchyStep(ell, sign, limits);
    const sigma = exactDenominator(q, t, step);
    if (sigma > largest) {
      largest = sigma;
      chosen = step;
    }
  }
  return chosen;
}

function exactDenominator(q: Interpolation, t: number, step: Float64Array): number {
  const best = rowOf(q, q.best);
  const y = step.map((v, i) => v + best[i]!);
  return denominator(q, t, lagrangeInto(q, y));
}

/** (a): on the line best + a (y_j - best), ℓ_t is the quadratic with ℓ(0) = 0, ℓ(1) = [j = t], ℓ'(0) = slope. */
function searchLines(q: Interpolation, t: number, gradient: Float64Array, limits: StepLimits): Float64Array {
  const best = rowOf(q, q.best);
  const halfAlpha = 0.5 * q.H[t * q.size + t]!;
  let winner: Float64Array = new Float64Array(q.n);
  let largest = -1;
  for (let j = 0; j < q.m; j++) {
    if (j === q.best) continue;
    const direction = rowOf(q, j).map((v, i) => v - best[i]!);
    const squared = dot(direction, direction);
    const slope = dot(direction, gradient);
    const bend = (j === t ? 1 : 0) - slope;
    const [from, to] = rangeOnLine(direction, limits);
    const stationary = -slope / (2 * bend);
    for (const a of [from, to, Math.min(Math.max(stationary, from), to)]) {
      if (!Number.isFinite(a)) continue;
      const ell = a * (slope + a * bend);
      // alpha·beta is at least this on the line, which prefers points away from both ends.
      const spread = a * (1 - a) * squared;
      const sigma = ell * ell * (ell * ell + halfAlpha * spread * spread);
      if (sigma > largest) {
        largest = sigma;
        winner = clipStep(
          direction.map((v) => a * v),
          limits,
        );
      }
    }
  }
  return winner;
}

/** Interval of a with low <= a·direction <= high and ‖a·direction‖ <= radius. */
function rangeOnLine(direction: Float64Array, limits: StepLimits): [number, number] {
  let to = limits.radius / norm(direction);
  let from = -to;
  for (let i = 0; i < direction.length; i++) {
    const v = direction[i]!;
    if (v === 0) continue;
    const toLow = limits.low[i]! / v;
    const toHigh = limits.high[i]! / v;
    to = Math.min(to, Math.max(toLow, toHigh));
    from = Math.max(from, Math.min(toLow, toHigh));
  }
  return [from, to];
}

function clipStep(step: Float64Array, limits: StepLimits): Float64Array {
  for (let i = 0; i < step.length; i++) step[i] = Math.min(Math.max(step[i]!, limits.low[i]!), limits.high[i]!);
  return step;
}

/** (b): the step of length `radius` along sign·gradient, components cut at the bounds and the others stretched to
 *  make up the length; then shortened to the stationary point of ℓ_t if that lies within. */
function findCauchyStep(
  ell: { gradient: Float64Array; hessian: Float64Array },
  sign: number,
  limits: StepLimits,
): Float64Array {
  const n = ell.gradient.length;
  const step = new Float64Array(n);
  const cut = new Uint8Array(n);
  for (let round = 0; round <= n; round++) {
    let left = limits.radius ** 2;
    let freeSquared = 0;
    for (let i = 0; i < n; i++) {
      if (cut[i] === 1) left -= step[i]! ** 2;
      else freeSquared += ell.gradient[i]! ** 2;
    }
    if (freeSquared === 0 || left <= 0) break;
    const stretch = (sign * Math.sqrt(left)) / Math.sqrt(freeSquared);
    let again = false;
    for (let i = 0; i < n; i++) {
      if (cut[i] === 1) continue;
      const wanted = stretch * ell.gradient[i]!;
      step[i] = Math.min(Math.max(wanted, limits.low[i]!), limits.high[i]!);
      if (step[i] !== wanted) {
        cut[i] = 1;
        again = true;
      }
    }
    if (!again) break;
  }
  const slope = dot(step, ell.gradient);
  const Hs = new Float64Array(n);
  multiplyInto(Hs, ell.hessian, step);
  const curvature = dot(step, Hs);
  const full = Math.abs(slope + 0.5 * curvature);
  const stationary = -slope / curvature;
  if (stationary > 0 && stationary < 1 && Math.abs(0.5 * slope * stationary) > full)
    for (let i = 0; i < n; i++) step[i]! *= stationary;
  return step;
}
