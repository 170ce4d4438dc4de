/** log ∫ e^{h(u)} du over the real line for a smooth, unimodal h, without underflow and without an interval to be told.
 *
 *  1. climb to within about one width of the mode, 2. trapezoid sums about it, halving the step until three sums agree.
 *  On an analytic integrand that decays at both ends the trapezoid rule converges geometrically: halving the step squares the
 *  error (at least), so sums that agree to 1e-12 are exact to rounding. The error oscillates with the position of the grid, as
 *  a cosine of the shift over the step, so grids half a step apart may agree by accident; one a quarter off then does not.
 *  Reference: Trefethen & Weideman (2014), "The exponentially convergent trapezoidal rule", SIAM Review 56, 385-458. */

/** Agreement of the sums over three grids with the same step, shifted by 0, 1/2 and 1/4 of it. */
const AGREEMENT = 1e-12;
/** Rounding of h in units of its largest value: no agreement can be asked beyond that. */
const NOISE = 1e-15;
/** Below this share of the sum the rest of a tail, which falls at least geometrically, is lost in rounding. */
const NEGLIGIBLE = 1e-19;
/** Steps double or halve, so this spans all doubles. */
const MAX_CLIMB = 400;
/** From the width of the mode down to features 2^-16 as wide. */
const MAX_HALVINGS = 16;
/** In widths of a bell, whose sum with this step is off by 2e^{-2π²/step²}, 1e-15. Other shapes begin with it. */
const BELL_STEP = 0.75;

/** `rough`: from one sum, at a quarter of the cost. A bell has 14 digits then, other shapes fewer: for a search that ends with whole sums. */
export function logIntegrateUnimodal(h: (u: number) => number, start: number, scale: number, rough = false): number {
  let mode = start;
  let top = h(mode);
  let step = scale;
  let bend = 1;
  for (let i = 0; i < MAX_CLIMB; i++) {
    const right = h(mode + step);
    const left = h(mode - step);
    if (right > top || left > top) {
      mode += right > left ? step : -step;
      top = Math.max(left, right);
      step *= 2;
      continue;
    }
    bend = 2 * top - left - right;
    if (bend > 4) step /= 2;
    else if (bend < 0.5) step *= 2;
    else break;
  }
  if (top === Number.NEGATIVE_INFINITY) return top;
  const spacing = BELL_STEP * (step / Math.sqrt(bend));
  if (rough) return top + Math.log(spacing * sumGrid(h, mode, top, spacing));
  return top + Math.log(refineTrapezoid(h, mode, top, spacing));
}

function refineTrapezoid(h: (u: number) => number, mode: number, top: number, step: number): number {
  const agreement = AGREEMENT + NOISE * Math.abs(top);
  let sum = step * sumGrid(h, mode, top, step);
  for (let i = 0; i < MAX_HALVINGS; i++) {
    const finer = 0.5 * (sum + step * sumGrid(h, mode + 0.5 * step, top, step));
    if (Math.abs(finer - sum) <= agreement * finer) {
      const quarter = step * sumGrid(h, mode + 0.25 * step, top, step);
      if (Math.abs(finer - quarter) <= agreement * finer) return finer;
    }
    sum = finer;
    step *= 0.5;
  }
  return Number.NaN;
}

/** Σ over the grid start + i·step of e^{h - top}. */
function sumGrid(h: (u: number) => number, start: number, top: number, step: number): number {
  let sum = 0;
  let term = 1;
  for (let i = 0; term > NEGLIGIBLE * sum; i++) sum += term = Math.exp(h(start + i * step) - top);
  term = 1;
  for (let i = 1; term > NEGLIGIBLE * sum; i++) sum += term = Math.exp(h(start - i * step) - top);
  return sum;
}
