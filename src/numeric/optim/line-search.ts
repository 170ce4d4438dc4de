/** A step that satisfies the strong Wolfe conditions
 *      φ(α) <= φ(0) + c1 α φ'(0)   and   |φ'(α)| <= c2 |φ'(0)|,   0 < α <= maxStep.
 *  Reference: Moré & Thuente (1994), ACM TOMS 20(3), 286-307: auxiliary function sec. 2, trial values sec. 4.
 *             Near the minimum, where φ differs from φ(0) by rounding only, the first condition is replaced by
 *             |φ(α) - φ(0)| <= noise, after Hager & Zhang (2005), SIAM J. Optim. 16(1) ("approximate Wolfe").
 *  Limits:    φ'(0) < 0. A φ that is not finite is a wall: the step is pulled back from it and never crosses it again. */

export interface LinePoint {
  readonly step: number;
  readonly value: number;
  readonly slope: number;
}

export interface LineSearchOptions {
  readonly firstStep: number;
  readonly maxStep: number;
  /** Differences of φ up to this size carry no information. */
  readonly noise: number;
  readonly decrease?: number | undefined;
  readonly curvature?: number | undefined;
  readonly maxEvaluations?: number | undefined;
}

/** `wolfe`: both conditions hold. `decreased`: only a lower value was found. `failed`: not even that. */
export interface LineSearchResult<P extends LinePoint> {
  readonly point: P;
  readonly outcome: "wolfe" | "decreased" | "failed";
}

/** Customary c1 and c2 for quasi-Newton directions (Nocedal & Wright 2006, sec. 3.1). */
const DECREASE = 1e-4;
const CURVATURE = 0.9;
/** Moré & Thuente's line searches rarely need 10; the rest is for walls. */
const MAX_EVALUATIONS = 40;
/** Growth of the step while no bracket is known (their delta_max). */
const EXTRAPOLATION = 4;
/** A bracket that does not shrink by this factor in two steps is bisected. */
const SHRINKAGE = 0.66;
/** How far into the remaining interval a step goes after meeting a wall. */
const PULLBACK = 0.3;
/** Brackets narrower than this, relative to their position, hold no further floating-point detail. */
const NARROWEST = 1e-14;
/** Fraction of the noise below which a promised change is not worth an evaluation. */
const DROWNED = 1e-2;

export function searchLine<P extends LinePoint>(
  phi: (step: number) => P,
  start: P,
  options: LineSearchOptions,
): LineSearchResult<P> {
  const { maxStep, noise, decrease = DECREASE, curvature = CURVATURE, maxEvaluations = MAX_EVALUATIONS } = options;
  const slopeBound = curvature * Math.abs(start.slope);
  let low: P = start;
  let high: P | null = null;
  let wall = Number.POSITIVE_INFINITY;
  let auxiliary = true;
  let width1 = Number.POSITIVE_INFINITY;
  let width2 = Number.POSITIVE_INFINITY;
  let best: P = start;
  let step = Math.min(options.firstStep, maxStep);

  for (let evaluation = 0; evaluation < maxEvaluations; evaluation++) {
    const trial = phi(step);
    if (!Number.isFinite(trial.value) || !Number.isFinite(trial.slope)) {
      wall = step;
      step = low.step + PULLBACK * (step - low.step);
      if (isNarrow(low.step, wall)) break;
      continue;
    }
    if (trial.value < best.value) best = trial;
    const sufficient = trial.value <= start.value + decrease * trial.step * start.slope;
    const blurred = Math.abs(trial.value - start.value) <= noise;
    if ((sufficient || blurred) && Math.abs(trial.slope) <= slopeBound) return { point: trial, outcome: "wolfe" };
    // At the end of the permitted interval and still going down: a bound stops us, not the function.
    if (step === maxStep && sufficient && trial.slope <= decrease * start.slope)
      return { point: trial, outcome: "decreased" };
    if (auxiliary && sufficient && trial.slope >= 0) auxiliary = false;

    // ψ(α) = φ(α) - φ(0) - c1 α φ'(0) guides the search until it has a point with ψ <= 0 and φ' >= 0.
    const tilt = auxiliary ? decrease * start.slope : 0;
    const next: Refined<P> = refineBracket(low, high, trial, tilt, noise);
    low = next.low;
    high = next.high;
    step = next.step;
    if (high !== null) {
      const width = Math.abs(high.step - low.step);
      if (isNarrow(low.step, high.step)) break;
      const inside = (step - low.step) * (step - high.step) < 0;
      if (!inside || width > SHRINKAGE * width2) step = low.step + 0.5 * (high.step - low.step);
      width2 = width1;
      width1 = width;
    } else {
      const farthest = low.step + EXTRAPOLATION * Math.max(low.step, trial.step);
      step = Math.min(Math.max(step, low.step + 1.1 * (trial.step - low.step)), farthest);
    }
    if (step >= wall) step = low.step + PULLBACK * (wall - low.step);
    step = Math.min(Math.max(step, 0), maxStep);
    // Nothing left to see: the step repeats, or f rises although the decrease still promised drowns in rounding.
    const drowned = step * Math.abs(start.slope) <= DROWNED * noise;
    if (step === low.step || (drowned && trial.value > start.value + noise)) break;
  }
  return best.value < start.value ? { point: best, outcome: "decreased" } : { point: start, outcome: "failed" };
}

function isNarrow(a: number, b: number): boolean {
  return Math.abs(b - a) <= NARROWEST * Math.max(Math.abs(a), Math.abs(b));
}

interface Refined<P> {
  readonly low: P;
  readonly high: P | null;
  readonly step: number;
}

/** New bracket [low, high] (low = the end with the lower value) and the next trial step. */
function refineBracket<P extends LinePoint>(low: P, high: P | null, trial: P, tilt: number, noise: number): Refined<P> {
  const psiLow = low.value - tilt * low.step;
  const psi = trial.value - tilt * trial.step;
  const slopeLow = low.slope - tilt;
  const slope = trial.slope - tilt;
  const blurred = Math.abs(psi - psiLow) <= noise;
  const a = low.step;
  const t = trial.step;
  const cubic = blurred ? Number.NaN : minimizeCubic(a, psiLow, slopeLow, t, psi, slope);
  const secant = t - (slope * (t - a)) / (slope - slopeLow);

  // Case 1: higher value. The minimum lies between; lean to the cubic when it is nearer to the better end.
  if (psi > psiLow + noise) {
    const quadratic = a + (0.5 * slopeLow * (t - a)) / ((psiLow - psi) / (t - a) + slopeLow);
    const near = Number.isNaN(cubic) || Math.abs(cubic - a) >= Math.abs(quadratic - a);
    return { low, high: trial, step: near ? averageFinite(quadratic, cubic) : cubic };
  }
  // Case 2: not higher, slope changed sign.
  if (slope * slopeLow < 0) {
    const step = Math.abs(cubic - t) >= Math.abs(secant - t) ? cubic : secant;
    return { low: trial, high: low, step };
  }
  // Cases 3 and 4: not higher, same sign of slope: the minimum lies beyond the trial.
  const flatter = Math.abs(slope) <= Math.abs(slopeLow);
  if (high === null) return { low: trial, high: null, step: flatter ? farther(cubic, secant, a, t) : stretch(a, t) };
  if (flatter) {
    const beyond = (s: number) => Number.isFinite(s) && (s - t) * (t - a) > 0;
    const candidates = [cubic, secant].filter(beyond);
    const step =
      candidates.length === 0 ? Number.NaN : candidates.reduce((p, q) => (Math.abs(p - t) < Math.abs(q - t) ? p : q));
    return { low: trial, high, step: keepInside(step, t, high.step) };
  }
  const psiHigh = high.value - tilt * high.step;
  const inner = minimizeCubic(t, psi, slope, high.step, psiHigh, high.slope - tilt);
  return { low: trial, high, step: keepInside(inner, t, high.step) };
}

/** Minimiser of the cubic through values and slopes at a and b; NaN when it has none. */
function minimizeCubic(a: number, fa: number, ga: number, b: number, fb: number, gb: number): number {
  const d1 = ga + gb - (3 * (fa - fb)) / (a - b);
  const d2 = Math.sign(b - a) * Math.sqrt(d1 * d1 - ga * gb);
  return b - ((b - a) * (gb + d2 - d1)) / (gb - ga + 2 * d2);
}

function averageFinite(p: number, q: number): number {
  return Number.isNaN(q) ? p : 0.5 * (p + q);
}

function stretch(a: number, t: number): number {
  return t + EXTRAPOLATION * (t - a);
}

function farther(cubic: number, secant: number, a: number, t: number): number {
  const beyondCubic = cubic > t ? cubic : Number.NEGATIVE_INFINITY;
  const beyondSecant = secant > t ? secant : Number.NEGATIVE_INFINITY;
  const step = Math.max(beyondCubic, beyondSecant);
  return Number.isFinite(step) ? step : stretch(a, t);
}

/** Keeps a trial in the first two thirds from t to the far end; bisects when there is no usable trial. */
function keepInside(step: number, t: number, far: number): number {
  const limit = t + SHRINKAGE * (far - t);
  if (!Number.isFinite(step) || (step - t) * (far - t) <= 0) return 0.5 * (t + far);
  return far > t ? Math.min(step, limit) : Math.max(step, limit);
}
