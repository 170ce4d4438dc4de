/** Minimum of f(x) over lower <= x <= upper from values of f alone, by quadratic interpolation in a trust region.
 *  A resolution rho falls from `initialRadius` to `finalRadius`; at each rho, steps that minimise the model alternate
 *  with steps that keep the interpolation points well placed.
 *  Reference: Powell (2009), The BOBYQA algorithm, report DAMTP 2009/NA06, Cambridge; Powell (2006), The
 *             NEWUOA software, for the management of the two radii rho <= delta that both share.
 *  Oracle:    closed-form optima; minqa::bobyqa (R), oracle/r/bobyqa.json, for the number of evaluations.
 *  Limits:    a local minimiser; f smooth near the minimum. About n <= 60, each step costing O(n²) to O(n³).
 *             A value that is not finite counts as higher than all values seen. m = 2n + 1 points always. A bent valley
 *             narrower than `finalRadius` is not followed; the search then ends as "stalled", not converged. */

import { dot, multiplyInto, norm } from "./dense.ts";
import { findGeometryStep, type StepLimits } from "./geometry-step.ts";
import {
  denominator,
  evaluateModel,
  gradientAtBestInto,
  type Interpolation,
  lagrangeInto,
  makeInterpolation,
  memorylessModel,
  movePoint,
  refreshModel,
  rowOf,
} from "./interpolation.ts";
import {
  type Bounds,
  type Box,
  clampInto,
  findActive,
  isBlocked,
  type Minimum,
  type MinimumStatus,
  makeBox,
  type Objective,
  rejectStart,
  snapToBounds,
} from "./minimum.ts";
import { findTrustStep, type TrustStep } from "./trust-step.ts";

export interface BobyqaOptions extends Bounds {
  /** Powell's rho_beg: about a tenth of the greatest expected change of a variable. */
  readonly initialRadius?: number | undefined;
  /** Powell's rho_end: the accuracy wanted in x. */
  readonly finalRadius?: number | undefined;
  readonly maxEvaluations?: number | undefined;
}

/** Suits variables of order one, as relative standard deviations are. */
const INITIAL_RADIUS = 0.2;
/** Values of f cannot place a smooth minimum better than about √ε relative to its scale. */
const FINAL_RADIUS = 1e-8;
/** Agreement f-decrease / model-decrease below which a step is bad, above which it is good. */
const BAD = 0.1;
const GOOD = 0.7;
/** Base point is moved when the best point is this many radii away (squared): beyond, y'y loses digits. */
const SHIFT_SQUARED = 1e3;
/** Consecutive steps for which the memoryless model must look better before it takes over. */
const MEMORYLESS_PATIENCE = 3;
const MEMORYLESS_RATIO = 10;

/** Scales this different along the axes call for a check of the answer, which costs 2n evaluations. */
const LOPSIDED = 1000;
/** Its radius: central differences are best near the cube root of rounding. */
const CHECK_RADIUS = 6e-6;
/** Decrease, relative to max(1, |f|), that a step along one axis may still promise at a minimum. */
const PROMISE = 1e-8;

const MESSAGES = {
  radius: "the trust region has shrunk to its final radius",
  budget: "the evaluation budget is used up",
  stalled:
    "the trust region has shrunk to its final radius on a slope: f has a valley narrower than that, or is badly scaled",
};

interface Run {
  readonly objective: Objective;
  readonly box: Box;
  readonly budget: number;
  readonly q: Interpolation;
  rho: number;
  delta: number;
  evaluations: number;
  worst: number;
  /** |f - Q| at the last three trust-region steps. */
  errors: [number, number, number];
  /** Evaluations when rho was last lowered. */
  since: number;
  memoryless: number;
}

export function minimizeBobyqa(objective: Objective, start: ArrayLike<number>, options: BobyqaOptions = {}): Minimum {
  const full = makeBox(start.length, options);
  if (full === null) return rejectStart(start, 0, "a lower bound exceeds its upper bound");
  // A variable with lower = upper has no interpolation points: it is left out of the search.
  const kept: number[] = [];
  for (let i = 0; i < start.length; i++) if (full.lower[i]! < full.upper[i]!) kept.push(i);
  const whole = Float64Array.from(start);
  clampInto(whole, full);
  const embed = (z: Float64Array): Float64Array => {
    const x = Float64Array.from(whole);
    for (let k = 0; k < kept.length; k++) x[kept[k]!] = z[k]!;
    return x;
  };
  if (kept.length === 0) return reportFixed(objective, whole);
  const pick = (v: Float64Array) => Float64Array.from(kept, (i) => v[i]!);
  const inner = search(
    (z) => objective(embed(z)),
    pick(whole),
    { lower: pick(full.lower), upper: pick(full.upper) },
    options,
  );
  const x = embed(inner.x);
  return { ...inner, x, active: findActive(x, full) };
}

function search(objective: Objective, start: Float64Array, box: Box, options: BobyqaOptions): Minimum {
  const n = start.length;
  let rho = options.initialRadius ?? INITIAL_RADIUS;
  for (let i = 0; i < n; i++) rho = Math.min(rho, 0.5 * (box.upper[i]! - box.lower[i]!));
  const run: Run = {
    objective,
    box,
    budget: Math.max(options.maxEvaluations ?? 500 * (n + 1), 2 * n + 2),
    q: makeInterpolation(start),
    rho,
    delta: rho,
    evaluations: 0,
    worst: Number.NEGATIVE_INFINITY,
    errors: [0, 0, 0],
    since: 0,
    memoryless: 0,
  };
  const first = evaluate(run, new Float64Array(n));
  if (!Number.isFinite(first)) return rejectStart(start, 1, "the objective is not finite at the start");
  run.q.values[0] = first;
  placePoints(run);
  const status = descend(run, Math.min(options.finalRadius ?? FINAL_RADIUS, rho));
  const { q } = run;
  const best = { x: positionOf(run, rowOf(q, q.best)), value: q.values[q.best]! };
  const stalled = status.status === "radius" && isLopsided(run, best.x) && !isLevel(run);
  const end = stalled ? "stalled" : status.status === "radius" ? "radius" : "budget";
  const { x, value } = snapToBounds(best, box, (at) => {
    run.evaluations++;
    return { x: at, value: objective(at) };
  });
  return {
    x,
    value,
    evaluations: run.evaluations,
    iterations: status.iterations,
    status: end,
    converged: end === "radius",
    message: MESSAGES[end],
    active: findActive(x, box),
  };
}

/** The outline of the report: trust-region steps, geometry steps, and the fall of rho between them. */
function descend(run: Run, finalRadius: number): { status: MinimumStatus; iterations: number } {
  const { q } = run;
  const g = new Float64Array(q.n);
  for (let iterations = 1; ; iterations++) {
    if (run.evaluations >= run.budget) return { status: "budget", iterations };
    const best = rowOf(q, q.best);
    if (dot(best, best) > SHIFT_SQUARED * run.rho ** 2) refreshOrRebuild(run);
    gradientAtBestInto(g, q);
    const step = findTrustStep(g, q.hessian, limitsOf(run, run.delta));
    const short = step.length < 0.5 * run.rho;
    if (short) {
      if (!isPrecise(run, step) && improveGeometry(run, 10 * run.rho, true)) continue;
    } else {
      const ratio = tryStep(run, step);
      if (ratio >= BAD) continue;
      if (improveGeometry(run, Math.max(2 * run.delta, 10 * run.rho), false)) continue;
      if (ratio > 0 || Math.max(run.delta, step.length) > run.rho) continue;
    }
    if (run.rho <= finalRadius) {
      if (short && step.length > 0) tryStep(run, step);
      return { status: "radius", iterations };
    }
    lowerRho(run, finalRadius);
  }
}

/** Curvatures of the model along the free axes that differ by more than LOPSIDED, or a negative one. */
function isLopsided({ q, box }: Run, x: Float64Array): boolean {
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (let i = 0; i < q.n; i++) {
    if (x[i] === box.lower[i] || x[i] === box.upper[i]) continue;
    least = Math.min(least, q.hessian[i * q.n + i]!);
    most = Math.max(most, q.hessian[i * q.n + i]!);
  }
  return most > LOPSIDED * least;
}

/** Whether fresh points around the best, along the axes, deny that a Newton step along any axis would lower f noticeably.
 *  In a bent valley narrower than rho every step leaves the valley and fails; rho then shrinks to its end on a slope, and the
 *  model, whose points lie in a line along the valley's wall, does not know. */
function isLevel(run: Run): boolean {
  const { q, box } = run;
  run.delta = CHECK_RADIUS;
  placePoints(run);
  const x = positionOf(run, rowOf(q, q.best));
  const g = new Float64Array(q.n);
  gradientAtBestInto(g, q);
  const size = Math.abs(q.values[q.best]!);
  for (let i = 0; i < q.n; i++) {
    if (isBlocked(x[i]!, g[i]!, box.lower[i]!, box.upper[i]!)) continue;
    const curvature = Math.max(q.hessian[i * q.n + i]!, (Number.EPSILON * size) / CHECK_RADIUS ** 2);
    if (g[i]! ** 2 > 2 * curvature * (PROMISE * Math.max(1, size) + curvature * run.rho ** 2)) return false;
  }
  return true;
}

/** Point 0 is the best so far; the others go one radius up and down each axis, or both inward at a bound. */
function placePoints(run: Run): void {
  const { q, box } = run;
  const { n } = q;
  const value = q.values[q.best]!;
  const x = positionOf(run, rowOf(q, q.best));
  let r = run.delta;
  for (let i = 0; i < n; i++) r = Math.min(r, 0.5 * (box.upper[i]! - box.lower[i]!));
  q.base.set(x);
  q.points.fill(0);
  q.gradient.fill(0);
  q.hessian.fill(0);
  q.values[0] = value;
  for (let i = 0; i < n; i++) {
    const up = box.upper[i]! - x[i]!;
    const down = x[i]! - box.lower[i]!;
    const one = up >= r ? r : -r;
    const two = one > 0 ? (down >= r ? -r : Math.min(2 * r, up)) : -Math.min(2 * r, down);
    q.points[(1 + i) * n + i] = one;
    q.points[(1 + n + i) * n + i] = two;
  }
  q.best = 0;
  for (let j = 1; j < q.m; j++) q.values[j] = evaluate(run, rowOf(q, j));
  for (let j = 1; j < q.m; j++) if (q.values[j]! < q.values[q.best]!) q.best = j;
  run.since = run.evaluations;
  refreshModel(q, r);
}

/** f at base + y. A value that is not finite is replaced by one above all others, to push the model away. */
function evaluate(run: Run, y: Float64Array): number {
  run.evaluations++;
  const value = run.objective(positionOf(run, y));
  if (!Number.isFinite(value)) return run.evaluations === 1 ? Number.NaN : barrierOf(run);
  run.worst = Math.max(run.worst, value);
  return value;
}

function barrierOf(run: Run): number {
  const lowest = run.q.values[run.q.best]!;
  return run.worst + (run.worst - lowest) + 1e-3 * Math.max(1, Math.abs(lowest));
}

/** base + y inside the box, on a bound exactly when within rounding of it. */
function positionOf(run: Run, y: Float64Array): Float64Array {
  const { base } = run.q;
  const { lower, upper } = run.box;
  return base.map((b, i) => {
    const x = b + y[i]!;
    const blur = 2 * Number.EPSILON * Math.abs(b);
    return x <= lower[i]! + blur ? lower[i]! : x >= upper[i]! - blur ? upper[i]! : x;
  });
}

/** Room for a step from the best point. */
function limitsOf(run: Run, radius: number): StepLimits {
  const x = positionOf(run, rowOf(run.q, run.q.best));
  return { low: run.box.lower.map((v, i) => v - x[i]!), high: run.box.upper.map((v, i) => v - x[i]!), radius };
}

/** Evaluates a trust-region step, adjusts delta and the model; returns actual over predicted decrease. */
function tryStep(run: Run, step: TrustStep): number {
  const { q } = run;
  const y = addToBest(q, step.d);
  const lowest = q.values[q.best]!;
  let beta = lagrangeInto(q, y);
  if (!isSafe(run, y, beta)) {
    if (!refreshOrRebuild(run)) return -1;
    y.set(addToBest(q, step.d));
    beta = lagrangeInto(q, y);
    if (!isSafe(run, y, beta)) {
      placePoints(run);
      return -1;
    }
  }
  const predicted = evaluateModel(q, y) - evaluateModel(q, rowOf(q, q.best));
  const value = evaluate(run, y);
  recordError(run, value - lowest - predicted, step.length);
  const ratio = predicted < 0 ? (value - lowest) / predicted : -1;
  adjustRadius(run, ratio, step.length);
  const t = choosePoint(run, y, { beta, improved: value < lowest });
  if (t >= 0) movePoint(q, t, y, { value, beta });
  reconsiderModel(run);
  return ratio;
}

function addToBest(q: Interpolation, d: Float64Array): Float64Array {
  return rowOf(q, q.best).map((v, i) => v + d[i]!);
}

/** In exact arithmetic every denominator is at least ℓ_t²; half of that is a sign that H has lost its accuracy. */
function isSafe(run: Run, y: Float64Array, beta: number): boolean {
  const t = choosePoint(run, y, { beta, improved: false });
  return t >= 0 && denominator(run.q, t, beta) > 0.5 * run.q.Hw[t]! ** 2;
}

/** The point to give up: large denominator, far from the best. Never the best, unless it was improved on. */
function choosePoint(run: Run, y: Float64Array, settings: { beta: number; improved: boolean }): number {
  const { q } = run;
  const center = settings.improved ? y : rowOf(q, q.best);
  let chosen = -1;
  let largest = 0;
  for (let j = 0; j < q.m; j++) {
    if (j === q.best && !settings.improved) continue;
    const weight = Math.max(1, (squaredDistance(rowOf(q, j), center) / run.delta ** 2) ** 2);
    const score = weight * denominator(q, j, settings.beta);
    if (score > largest) {
      largest = score;
      chosen = j;
    }
  }
  return chosen;
}

function squaredDistance(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! - b[i]!) ** 2;
  return sum;
}

function recordError(run: Run, error: number, length: number): void {
  run.errors = [Math.abs(error), run.errors[0], run.errors[1]];
  if (length > run.rho) run.since = run.evaluations;
}

function adjustRadius(run: Run, ratio: number, length: number): void {
  const half = 0.5 * run.delta;
  run.delta = ratio < BAD ? Math.min(half, length) : Math.max(half, ratio < GOOD ? length : 2 * length);
  if (run.delta <= 1.5 * run.rho) run.delta = run.rho;
}

/** Replaces Q by the memoryless model when that one's projected gradient has been much smaller three times running:
 *  the curvature remembered from afar is then wrong here. */
function reconsiderModel(run: Run): void {
  const { q, box } = run;
  const best = rowOf(q, q.best);
  const x = positionOf(run, best);
  const other = memorylessModel(q);
  const slope = new Float64Array(q.n);
  const sizeOf = (gradient: Float64Array, hessian: Float64Array): number => {
    multiplyInto(slope, hessian, best);
    let sum = 0;
    for (let i = 0; i < q.n; i++) {
      const gi = slope[i]! + gradient[i]!;
      if (!isBlocked(x[i]!, gi, box.lower[i]!, box.upper[i]!)) sum += gi * gi;
    }
    return sum;
  };
  const better = sizeOf(q.gradient, q.hessian) >= MEMORYLESS_RATIO * sizeOf(other.gradient, other.hessian);
  run.memoryless = better ? run.memoryless + 1 : 0;
  if (run.memoryless < MEMORYLESS_PATIENCE) return;
  q.gradient.set(other.gradient);
  q.hessian.set(other.hessian);
  run.memoryless = 0;
}

/** Moves the point farthest from the best, if it is farther than `reach`; false when all are near enough. */
function improveGeometry(run: Run, reach: number, short: boolean): boolean {
  const { q } = run;
  let t = -1;
  let farthest = reach * reach;
  for (let j = 0; j < q.m; j++) {
    const squared = squaredDistance(rowOf(q, j), rowOf(q, q.best));
    if (squared > farthest) {
      farthest = squared;
      t = j;
    }
  }
  if (t < 0) return false;
  const distance = Math.sqrt(farthest);
  if (short) {
    run.delta = Math.min(0.1 * run.delta, 0.5 * distance);
    if (run.delta <= 1.5 * run.rho) run.delta = run.rho;
  }
  const radius = Math.max(Math.min(0.1 * distance, run.delta), run.rho);
  const step = findGeometryStep(q, t, limitsOf(run, radius));
  const y = addToBest(q, step);
  const beta = lagrangeInto(q, y);
  const sigma = denominator(q, t, beta);
  if (!(sigma > 0.5 * q.Hw[t]! ** 2)) {
    // No safe move for this point: start the set afresh around the best.
    placePoints(run);
    return true;
  }
  const predicted = evaluateModel(q, y) - evaluateModel(q, rowOf(q, q.best));
  const lowest = q.values[q.best]!;
  const value = evaluate(run, y);
  recordError(run, value - lowest - predicted, norm(step));
  movePoint(q, t, y, { value, beta });
  return true;
}

/** With a step shorter than rho/2, are the model's recent errors so small that working on at this rho
 *  cannot pay? Checked against the curvature along the step, and at active bounds against their slopes. */
function isPrecise(run: Run, step: TrustStep): boolean {
  if (run.evaluations <= run.since + 2) return false;
  const { q, rho } = run;
  const error = Math.max(...run.errors);
  const curvature = step.leastCurvature;
  if (curvature > 0 && curvature < Number.POSITIVE_INFINITY && error > 0.125 * rho * rho * curvature) return false;
  const limits = limitsOf(run, run.delta);
  const tolerance = error / rho;
  for (let i = 0; i < q.n; i++) {
    const atLow = step.d[i]! <= limits.low[i]!;
    if (!atLow && step.d[i]! < limits.high[i]!) continue;
    const inward = atLow ? step.gradient[i]! : -step.gradient[i]!;
    if (inward < tolerance && inward + 0.5 * rho * q.hessian[i * q.n + i]! < tolerance) return false;
  }
  return true;
}

function lowerRho(run: Run, finalRadius: number): void {
  const ratio = run.rho / finalRadius;
  const before = run.rho;
  run.rho = ratio <= 16 ? finalRadius : ratio <= 250 ? Math.sqrt(ratio) * finalRadius : 0.1 * before;
  run.delta = Math.max(0.5 * before, run.rho);
  run.since = run.evaluations;
  refreshOrRebuild(run);
}

/** False when the points had to be replaced. */
function refreshOrRebuild(run: Run): boolean {
  if (refreshModel(run.q, run.delta)) return true;
  placePoints(run);
  return false;
}

function reportFixed(objective: Objective, x: Float64Array): Minimum {
  const value = objective(x);
  return {
    x,
    value,
    evaluations: 1,
    iterations: 0,
    status: "radius",
    converged: Number.isFinite(value),
    message: "all variables are fixed by their bounds",
    active: new Int8Array(x.length).fill(-1),
  };
}
