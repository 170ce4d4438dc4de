/** Inverse of the incomplete beta ratio, as odds w = x / (1 - x): both x = w/(1+w) and 1 - x = 1/(1+w) keep their digits.
 *
 *  In logit x the beta density is log-concave, hence so are both tails, and Newton's method on the logarithm of a tail
 *  converges from any start; Halley's correction makes it cubic. The smaller tail is always the one matched.
 *  Reference: Abramowitz & Stegun (1964), 26.5.22 (start for comparable shapes); DiDonato & Morris (1992),
 *             ACM TOMS 18, 360-373, leading term of their asymptotic expansion (start for one large shape).
 *  Oracle:    mpmath, oracle/reference/distributions-core.json and oracle/python/distributions.json — 1e-12 relative. */

import { betaDeviationFromOdds } from "./beta.ts";
import { betaTailInto, logBetaKernel, logBetaLeading } from "./beta-tail.ts";
import type { TailOptions } from "./incomplete-gamma.ts";
import { inverseGammaP } from "./incomplete-gamma.ts";
import { log1mexp } from "./log.ts";
import { normalQuantileOfLog } from "./normal-quantile.ts";
import { tailLog, tailLogComplement } from "./tail.ts";

/** Once the logarithm of the tail is this close, one more Halley step (cubic) reaches full accuracy. */
const NEARLY_THERE = 1e-6;
/** Good starts need 2 to 5 steps; the bound is for the flattest corners. */
const MAX_STEPS = 200;
/** Beyond this |logit| the odds under- or overflow. */
const LARGEST_LOGIT = 700;
/** Shapes within this ratio of each other count as both large for the normal start. */
const COMPARABLE = 20;

const TAIL = new Float64Array(2);

/** The x with I_x(a, b) = p, or 1 - I_x(a, b) = p with lower: false; with log: true, p is the logarithm. */
export function inverseBetaI(p: number, a: number, b: number, options: TailOptions = {}): number {
  const odds = inverseBetaOdds(p, a, b, options);
  return odds === Number.POSITIVE_INFINITY ? 1 : odds / (1 + odds);
}

/** The same as odds x / (1 - x), for callers who need 1 - x or the ratio. */
export function inverseBetaOdds(p: number, a: number, b: number, options: TailOptions = {}): number {
  const { lower = true, log = false } = options;
  if (!(a > 0 && b > 0) || Number.isNaN(p) || (log ? p > 0 : p < 0 || p > 1)) return Number.NaN;
  if (a === Number.POSITIVE_INFINITY || b === Number.POSITIVE_INFINITY) return Number.NaN;
  const flip = log ? p > -Math.LN2 : p > 0.5;
  const isLower = flip ? !lower : lower;
  const target = log ? (flip ? log1mexp(p) : p) : Math.log(flip ? 1 - p : p);
  if (target === Number.NEGATIVE_INFINITY) return isLower ? 0 : Number.POSITIVE_INFINITY;
  // the lower tail of beta(b, a) at 1 - x is the upper tail of beta(a, b) at x
  return isLower ? solveLower(a, b, target) : 1 / solveLower(b, a, target);
}

/** Odds w where log I_{w/(1+w)}(a, b) = target <= log(1/2). */
function solveLower(a: number, b: number, target: number): number {
  const logit = startLogit(a, b, target);
  // I_x = x^a / (a B) up to a factor 1 + O(x): exact when x is this small
  if (logit < -LARGEST_LOGIT) return Math.exp((target - logBetaLeading(a, b)) / a);
  let w = Math.exp(Math.min(logit, LARGEST_LOGIT));
  for (let i = 0; i < MAX_STEPS && w > 0 && w < Number.POSITIVE_INFINITY; i++) {
    const x = w / (1 + w);
    const y = 1 / (1 + w);
    const lambda = betaDeviationFromOdds(a, b, w);
    const value = betaTailInto(TAIL, a, b, x, y, lambda) ? tailLog(TAIL) : tailLogComplement(TAIL);
    const error = value - target;
    // g = d log I / d logit x; its logarithmic derivative is λ - g
    const g = Math.exp(logBetaKernel(a, b, x, y, lambda) - value);
    const newton = -error / g;
    const curvature = 0.5 * newton * (lambda - g);
    w *= Math.exp(newton / (1 + Math.max(-0.5, Math.min(1, curvature))));
    if (Math.abs(error) < NEARLY_THERE) break;
  }
  return w;
}

function startLogit(a: number, b: number, target: number): number {
  if (a < 1 && b < 1) return startFromLeadingPower(a, b, target);
  const small = Math.min(a, b);
  if (small > 1 && Math.max(a, b) < COMPARABLE * small) {
    const z = -normalQuantileOfLog(target);
    if (z * z < small) return startFromNormal(a, b, z);
  }
  return startFromGamma(a, b, target);
}

/** x^a / (a B(a, b)) = p as x → 0, or the same at the other end if that is where p lies. */
function startFromLeadingPower(a: number, b: number, target: number): number {
  const logX = (target - logBetaLeading(a, b)) / a;
  if (logX < -Math.LN2) return logX - Math.log1p(-Math.exp(logX));
  const logY = Math.min((log1mexp(target) - logBetaLeading(b, a)) / b, -Math.LN2);
  return Math.log1p(-Math.exp(logY)) - logY;
}

/** Abramowitz & Stegun 26.5.22, z the normal deviate of the upper tail. */
function startFromNormal(a: number, b: number, z: number): number {
  const ra = 1 / (2 * a - 1);
  const rb = 1 / (2 * b - 1);
  const h = 2 / (ra + rb);
  const k = (z * z - 3) / 6;
  const w = (z * Math.sqrt(h + k)) / h - (rb - ra) * (k + 5 / 6 - 2 / (3 * h));
  return Math.log(a / b) - 2 * w;
}

/** One shape much larger: -log x (b small) or -log(1 - x) (a small) is close to a gamma variable over n. */
function startFromGamma(a: number, b: number, target: number): number {
  if (a >= b) {
    const z = inverseGammaP(b, target, { lower: false, log: true }) / (a + 0.5 * (b - 1));
    return -z - Math.log(-Math.expm1(-z));
  }
  const z = inverseGammaP(a, target, { log: true }) / (b + 0.5 * (a - 1));
  if (z === 0) return (target - logBetaLeading(a, b)) / a;
  return Math.log(-Math.expm1(-z)) + z;
}
