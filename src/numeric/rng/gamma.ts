/** Gamma variates of any shape and scale 1.
 *
 *    shape ≥ 1:  d = shape - 1/3, c = 1/√(9d), v = (1 + cz)³; accept dv where log u < z²/2 + d - dv + d log v
 *    shape < 1:  G(shape + 1) · u^(1/shape)
 *  Reference: Marsaglia & Tsang (2000), ACM Trans. Math. Softw. 26(3).
 *  Oracle:    gammaCdf: uniform probability transforms (gamma.test.ts). */
import type { Rng } from "../rng.ts";
import { portableExp, portableLog } from "./portable-math.ts";

export function gammaVariate(rng: Rng, shape: number): number {
  if (shape === 1) return rng.exponential();
  if (shape < 1) return gammaVariate(rng, shape + 1) * portableExp(portableLog(rng.uniform()) / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const z = rng.normal();
    const root = 1 + c * z;
    if (root <= 0) continue;
    const v = root * root * root;
    if (portableLog(rng.uniform()) < (z * z) / 2 + d * (1 - v + portableLog(v))) return d * v;
  }
}
