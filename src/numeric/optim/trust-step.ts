/** Approximate minimiser of the quadratic  g'd + ½ d'Hd  subject to  ‖d‖ <= radius  and  low <= d <= high.
 *  Conjugate gradients over the free variables, restarted when a bound becomes active, until the minimum or the
 *  sphere is reached; on the sphere, rotations in the plane of d and the gradient.
 *  Reference: Powell (2009), DAMTP 2009/NA06, the trust-region subproblem.
 *  Limits:    H may be indefinite; low <= 0 <= high. The sphere stage finds a good point, not the global minimum. */
import { dot, multiplyInto, norm } from "./dense.ts";

export interface TrustStep {
  readonly d: Float64Array;
  readonly length: number;
  /** Gradient of the model at d. */
  readonly gradient: Float64Array;
  /** Decrease of the model, >= 0. */
  readonly decrease: number;
  /** Least curvature met by conjugate gradients; 0 when the sphere was reached, Infinity when no curvature was seen. */
  readonly leastCurvature: number;
}

/** Stop when a further step could gain at most this share of the decrease made so far. */
const ENOUGH = 0.01;
/** acos near 1 loses half the digits: an angle this far below 0 is 0. */
const ANGLE_BLUR = 1e-7;
/** Angles tried per rotation before the parabola through the best three. */
const ANGLES = 16;

interface State {
  readonly H: Float64Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly radius: number;
  readonly d: Float64Array;
  readonly gradient: Float64Array;
  readonly free: Uint8Array;
  decrease: number;
}

export function findTrustStep(
  g: Float64Array,
  H: Float64Array,
  limits: { low: Float64Array; high: Float64Array; radius: number },
): TrustStep {
  const state: State = {
    H,
    ...limits,
    d: new Float64Array(g.length),
    gradient: Float64Array.from(g),
    free: Uint8Array.from(g, (gi, i) =>
      (limits.low[i]! >= 0 && gi >= 0) || (limits.high[i]! <= 0 && gi <= 0) ? 0 : 1,
    ),
    decrease: 0,
  };
  const { onSphere, leastCurvature } = followConjugateGradients(state);
  if (onSphere) rotateOnSphere(state);
  const { d, gradient, decrease } = state;
  return { d, length: norm(d), gradient, decrease, leastCurvature: onSphere ? 0 : leastCurvature };
}

function followConjugateGradients(state: State): { onSphere: boolean; leastCurvature: number } {
  const { H, d, gradient, free, radius } = state;
  const n = d.length;
  const s = new Float64Array(n);
  const Hs = new Float64Array(n);
  let leastCurvature = Number.POSITIVE_INFINITY;
  let beta = 0;
  // Each round either holds a new bound, or is one of at most n conjugate steps since the last.
  for (let round = 0, since = 0; round < n * (n + 1); round++) {
    const reduced = freeNormSquared(gradient, free);
    if (reduced === 0 || Math.sqrt(reduced) * radius <= ENOUGH * state.decrease) break;
    for (let i = 0; i < n; i++) s[i] = free[i] === 1 ? beta * s[i]! - gradient[i]! : 0;
    const slope = dot(s, gradient);
    if (!(slope < 0)) break;
    multiplyInto(Hs, H, s);
    const curvature = dot(s, Hs);
    const toSphere = stepToSphere(d, s, radius);
    if (!(toSphere > 0)) return { onSphere: true, leastCurvature };
    const toMinimum = curvature > 0 ? -slope / curvature : Number.POSITIVE_INFINITY;
    const bound = stepToBound(state, s, Math.min(toSphere, toMinimum));
    const gain = -bound.step * (slope + 0.5 * bound.step * curvature);
    for (let i = 0; i < n; i++) {
      d[i]! += bound.step * s[i]!;
      gradient[i]! += bound.step * Hs[i]!;
    }
    state.decrease += Math.max(0, gain);
    if (bound.index < 0 && curvature > 0) leastCurvature = Math.min(leastCurvature, curvature / dot(s, s));
    if (bound.index >= 0) {
      hold(state, bound.index, Math.sign(s[bound.index]!));
      beta = 0;
      since = 0;
      continue;
    }
    if (toSphere <= toMinimum) return { onSphere: true, leastCurvature };
    if (++since >= n || gain <= ENOUGH * state.decrease) break;
    beta = freeNormSquared(gradient, free) / reduced;
  }
  return { onSphere: false, leastCurvature };
}

/** d is on the sphere: turn its free part p towards s ⟂ p in the plane of p and the gradient,
 *  d(θ) = held part + p cos θ + s sin θ, as far as the bounds and a quarter of π permit. */
function rotateOnSphere(state: State): void {
  const { d, gradient, free, H } = state;
  const n = d.length;
  const s = new Float64Array(n);
  const p = new Float64Array(n);
  const Hp = new Float64Array(n);
  const Hs = new Float64Array(n);
  for (let round = 0; round < 2 * n; round++) {
    let pp = 0;
    let pg = 0;
    for (let i = 0; i < n; i++) {
      p[i] = free[i] === 1 ? d[i]! : 0;
      pp += p[i]! * p[i]!;
      pg += p[i]! * gradient[i]!;
    }
    const gg = freeNormSquared(gradient, free);
    const area = gg * pp - pg * pg;
    if (!(area > (ENOUGH * state.decrease) ** 2) || area <= 1e-24 * gg * pp) return;
    for (let i = 0; i < n; i++) s[i] = free[i] === 1 ? pg * d[i]! - pp * gradient[i]! : 0;
    // ‖s‖ = ‖p‖ exactly, or rounding in the area would leave the sphere.
    const scale = Math.sqrt(pp) / norm(s);
    if (!Number.isFinite(scale)) return;
    for (let i = 0; i < n; i++) s[i]! *= scale;
    const limit = largestTurn(state, p, s);
    multiplyInto(Hp, H, p);
    multiplyInto(Hs, H, s);
    const turn = findTurn([pg, dot(s, gradient), dot(p, Hp), dot(p, Hs), dot(s, Hs)], limit.angle);
    const c = Math.cos(turn.angle) - 1;
    const r = Math.sin(turn.angle);
    for (let i = 0; i < n; i++) {
      d[i]! += c * p[i]! + r * s[i]!;
      gradient[i]! += c * Hp[i]! + r * Hs[i]!;
    }
    state.decrease += turn.gain;
    if (limit.index >= 0 && turn.angle === limit.angle) hold(state, limit.index, limit.side);
    else if (turn.gain <= ENOUGH * state.decrease) return;
  }
}

function freeNormSquared(v: Float64Array, free: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < v.length; i++) if (free[i] === 1) sum += v[i]! * v[i]!;
  return sum;
}

/** Puts variable i on its bound (side -1: low, 1: high) and takes it out of the search. */
function hold(state: State, i: number, side: number): void {
  state.free[i] = 0;
  state.d[i] = side < 0 ? state.low[i]! : state.high[i]!;
}

/** Positive root t of ‖d + t s‖ = radius, in the form without cancellation. */
function stepToSphere(d: Float64Array, s: Float64Array, radius: number): number {
  const room = radius * radius - dot(d, d);
  if (room <= 0) return 0;
  const ds = dot(d, s);
  const ss = dot(s, s);
  const root = Math.sqrt(ds * ds + ss * room);
  return ds > 0 ? room / (root + ds) : (root - ds) / ss;
}

/** Shortens a step along s so that it ends at the first bound met; index -1 when none is. */
function stepToBound(state: State, s: Float64Array, longest: number): { step: number; index: number } {
  let step = longest;
  let index = -1;
  for (let i = 0; i < s.length; i++) {
    if (s[i] === 0) continue;
    const room = (s[i]! < 0 ? state.low[i]! : state.high[i]!) - state.d[i]!;
    if (room / s[i]! < step) {
      step = Math.max(0, room / s[i]!);
      index = i;
    }
  }
  return { step, index };
}

/** Largest θ <= π/4 with low <= p cos θ + s sin θ <= high, and the bound that sets it. */
function largestTurn(state: State, p: Float64Array, s: Float64Array): { angle: number; index: number; side: number } {
  let angle = Math.PI / 4;
  let index = -1;
  let side = 0;
  for (let i = 0; i < p.length; i++) {
    if (state.free[i] === 0) continue;
    const amplitude = Math.hypot(p[i]!, s[i]!);
    const phase = Math.atan2(s[i]!, p[i]!);
    for (const toward of [-1, 1]) {
      const bound = toward < 0 ? state.low[i]! : state.high[i]!;
      if (!(Math.abs(bound) <= amplitude) || amplitude === 0) continue;
      // amplitude · cos(θ - phase) leaves through the lower bound while falling, through the upper while rising.
      const theta = phase - toward * Math.acos(bound / amplitude);
      const first = theta < -ANGLE_BLUR ? theta + 2 * Math.PI : Math.max(0, theta);
      if (first < angle) {
        angle = first;
        index = i;
        side = toward;
      }
    }
  }
  return { angle, index, side };
}

/** The θ in (0, limit] that lowers the model most: samples, then a parabola through the best and its neighbours. */
function findTurn(products: readonly number[], limit: number): { angle: number; gain: number } {
  const [pg, sg, pHp, pHs, sHs] = products as [number, number, number, number, number];
  const change = (theta: number): number => {
    const c = Math.cos(theta) - 1;
    const r = Math.sin(theta);
    return c * pg + r * sg + 0.5 * c * c * pHp + c * r * pHs + 0.5 * r * r * sHs;
  };
  let bestK = 0;
  let lowest = 0;
  for (let k = 1; k <= ANGLES; k++) {
    const value = change((limit * k) / ANGLES);
    if (value < lowest) {
      lowest = value;
      bestK = k;
    }
  }
  if (bestK === ANGLES) return { angle: limit, gain: -lowest };
  // Before the first sample the slope sg < 0 still promises a gain; the parabola uses it through change(0) = 0.
  const k = Math.max(1, bestK);
  const h = limit / ANGLES;
  const left = change((k - 1) * h);
  const right = change((k + 1) * h);
  const middle = change(k * h);
  const bend = left + right - 2 * middle;
  const angle = bend > 0 ? Math.max(0, k * h + (0.5 * h * (left - right)) / bend) : bestK * h;
  const value = change(angle);
  return value < lowest ? { angle, gain: -value } : { angle: bestK * h, gain: -lowest };
}
