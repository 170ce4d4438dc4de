/** Quantile of the standard normal distribution, from whichever tail is small.
 *
 *  Rational fits: Φ⁻¹(1/2 + q) / q in 0.425² - q² for |q| <= 0.425; in the tail a function of r = √(-log p), fitted on
 *  [1.59, 5] and [5, 27.4], which covers all doubles. Beyond (log scale only): Newton on log Φ, which is concave.
 *  Reference: the split into regions follows Wichura (1988), Appl. Statist. 37, 477-484 (AS 241);
 *             own coefficients, oracle/python/rational-fits.py (truncation error below 1e-15).
 *  Oracle:    mpmath, oracle/reference/distributions-core.json, oracle/python/distributions.json — 1e-14 relative. */

import { erfcx } from "./erf.ts";
import { twiceExpMinusOne } from "./log.ts";

const LOG_TWO_PI_HALF = 0.9189385332046728;
const SQRT_HALF = Math.SQRT1_2;
const SQRT_TWO_OVER_PI = 0.7978845608028654;
/** Half-width of the central region in probability, and the variable the tail fits start from. */
const CENTRAL = 0.425;
/** Largest r of the tail fit; p = exp(-r²) underflows before. */
const FAR_R = 27.4;
/** Newton's error squares from about 1e-3 at the start; four steps are enough, eight cost nothing. */
const MAX_NEWTON = 8;

/** Φ⁻¹(1/2 + q), |q| <= 0.425. */
function normalQuantileCentral(q: number): number {
  const t = CENTRAL * CENTRAL - q * q;
  const p =
    3.3871328727963665 +
    t *
      (148.75654077063152 +
        t *
          (2548.2248573022625 +
            t *
              (21627.48116049056 +
                t *
                  (95692.73551269759 +
                    t *
                      (213550.16248438213 +
                        t * (214247.3801984238 + t * (74060.81462563902 + t * 3907.007639023816)))))));
  const d =
    1 +
    t *
      (46.92338689522055 +
        t *
          (871.2838940641986 +
            t *
              (8176.878340636071 +
                t *
                  (41169.98166790856 +
                    t *
                      (109244.70555458817 +
                        t * (140376.82723612545 + t * (72342.69749284587 + t * 9398.46451720659)))))));
  return (q * p) / d;
}

/** The z with upper tail exp(-r²), 1.6 <= r <= 5. */
function tailNear(r: number): number {
  const t = r - 1.6;
  const p =
    1.4234371107496835 +
    t *
      (4.62316788807755 +
        t *
          (5.772381605045006 +
            t *
              (3.6991116024470876 +
                t *
                  (1.341345588561172 +
                    t *
                      (0.2812209329246948 +
                        t * (0.03272820636517564 + t * (0.0018507482943710052 + t * 3.577772894609616e-5)))))));
  const q =
    1 +
    t *
      (2.048154552625263 +
        t *
          (1.6844543402730878 +
            t *
              (0.7156642904804068 +
                t *
                  (0.16772986310615504 +
                    t * (0.021188585406872237 + t * (0.0012683487985931713 + t * 2.529792735339141e-5))))));
  return p / q;
}

/** The z with upper tail exp(-r²), 5 <= r <= 27.4. */
function tailMiddle(r: number): number {
  const t = r - 5;
  const p =
    6.657904643501098 +
    t *
      (5.627986827910051 +
        t *
          (1.914429843166566 +
            t *
              (0.3367877061817572 +
                t *
                  (0.032766966251131555 +
                    t *
                      (0.0017471720750320257 +
                        t *
                          (4.726867882717365e-5 +
                            t *
                              (5.256163437646542e-7 + t * (7.117026375843684e-10 + t * -1.0067116111324603e-11))))))));
  const q =
    1 +
    t *
      (0.6244949083424103 +
        t *
          (0.15095008824034892 +
            t *
              (0.01785369723850111 +
                t *
                  (0.001078676424723275 +
                    t *
                      (3.1582565143561225e-5 +
                        t * (3.689489193577084e-7 + t * (5.388291866377266e-10 + t * -7.118511947808531e-12)))))));
  return p / q;
}

/** The z with log(1 - Φ(z)) = logQ far out: Newton on z ↦ log(1 - Φ(z)), whose derivative is minus the inverse Mills ratio. */
function tailFar(logQ: number): number {
  let z = Math.sqrt(-2 * logQ);
  z = Math.sqrt(2 * (-logQ - LOG_TWO_PI_HALF - Math.log(z)));
  for (let i = 0; i < MAX_NEWTON; i++) {
    const mills = erfcx(z * SQRT_HALF);
    // log(1 - Φ(z)) = -z²/2 + log(erfcx(z/√2) / 2); the difference to logQ first, where both are large
    const step = ((-0.5 * z * z - logQ + Math.log(0.5 * mills)) * mills) / SQRT_TWO_OVER_PI;
    z += step;
    if (Math.abs(step) <= 1e-15 * z) break;
  }
  return z;
}

/** z > 0 with upper tail probability exp(logQ), for logQ <= log 0.075. */
function normalTailQuantile(logQ: number): number {
  if (logQ === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY;
  const r = Math.sqrt(-logQ);
  if (r <= 5) return tailNear(r);
  if (r <= FAR_R) return tailMiddle(r);
  return tailFar(logQ);
}

/** Φ⁻¹(p). */
export function normalQuantileOf(p: number): number {
  if (!(p >= 0 && p <= 1)) return Number.NaN;
  const q = p - 0.5;
  if (Math.abs(q) <= CENTRAL) return normalQuantileCentral(q);
  return q < 0 ? -normalTailQuantile(Math.log(p)) : normalTailQuantile(Math.log(1 - p));
}

/** Φ⁻¹(e^{logP}). */
export function normalQuantileOfLog(logP: number): number {
  if (!(logP <= 0)) return Number.NaN;
  // log 0.075 = -2.59…, log 0.925 = -0.0779…
  if (logP < -2.590267165445826) return -normalTailQuantile(logP);
  if (logP > -0.0779615414697118) return normalTailQuantile(Math.log(-Math.expm1(logP)));
  // e^{logP} - 1/2 without cancellation near the median
  return normalQuantileCentral(0.5 * twiceExpMinusOne(logP));
}
