/** With which probability should each output be labeled, where the judge's expected error on it is known? The cheapest for the precision:
 *      π(u) = 1 for u > τ, else γu,   γ = min(√((c_j/c_l + P(u > τ))/(σ² - E u² 1{u ≤ τ})), 1/τ)
 *      τ of the errors' own values that makes (c_l E π + c_j)(σ² + E u²(1/π - 1)) smallest
 *  with u the root mean squared error of the judge, σ² the variance of labels, c_l and c_j the prices of a label and of a judgment. Labels drawn so
 *  are corrected with `drawn: weights:COLUMN`.
 *  Reference: Angelopoulos, Eisenstein, Berant, Agarwal & Fisch (2025), arXiv:2506.07949.
 *  Oracle:    the documented example of GLIDE's CostOptimalSampler; a grid of all thresholds.
 *  Limits:    errors are taken as known; they are positive and not all equal where judgments are free. */
import { StatError } from "../../result/error.ts";

export interface LabelPrices {
  /** Of a label and of a judgment. */
  readonly labelCost: number;
  readonly judgmentCost: number;
  /** Of people's labels. */
  readonly variance: number;
}

export function costOptimalProbabilities(errors: ArrayLike<number>, prices: LabelPrices): Float64Array {
  const { labelCost, judgmentCost, variance } = prices;
  const u = Float64Array.from(errors);
  if (u.length === 0 || u.some((own) => !(own > 0 && Number.isFinite(own))))
    throw new StatError(
      "BadErrors",
      "expected errors of the judge are not all positive numbers.",
      "Give one for each output.",
    );
  if (!(labelCost > 0 && judgmentCost >= 0 && variance > 0))
    throw new StatError(
      "BadOption",
      "prices and the variance of labels are not above 0.",
      "Give the price of a label, that of a judgment (0 or more), and the variance of labels.",
    );
  const thresholds = [...new Set(u)].sort((a, b) => a - b);
  // without a price of judgments some outputs must be labeled for sure
  const candidates = judgmentCost === 0 ? thresholds.slice(0, -1) : thresholds;
  if (candidates.length === 0)
    throw new StatError(
      "EqualErrors",
      "expected errors are all equal and judgments are free: no draw is cheapest.",
      "Draw at random, or give judgments a price.",
    );
  const draws = candidates.map((tau) => probabilitiesAt(u, tau, prices));
  return draws.reduce((best, own) => (costOf(u, own, prices) < costOf(u, best, prices) ? own : best));
}

function probabilitiesAt(
  u: Float64Array,
  tau: number,
  { labelCost, judgmentCost, variance }: LabelPrices,
): Float64Array {
  let [sure, below] = [0, 0];
  for (const own of u) {
    if (own > tau) sure += 1 / u.length;
    else below += (own * own) / u.length;
  }
  const rest = variance - below;
  const slope = rest > 0 ? Math.sqrt((judgmentCost / labelCost + sure) / rest) : Number.POSITIVE_INFINITY;
  const gamma = Math.min(slope, 1 / tau);
  return u.map((own) => (own > tau ? 1 : gamma * own));
}

/** Price of an output times its variance: what a budget buys. */
function costOf(u: Float64Array, draw: Float64Array, { labelCost, judgmentCost, variance }: LabelPrices): number {
  let [mean, lost] = [0, 0];
  for (let i = 0; i < u.length; i++) {
    mean += draw[i]! / u.length;
    lost += (u[i]! ** 2 * (1 / draw[i]! - 1)) / u.length;
  }
  return (labelCost * mean + judgmentCost) * (variance + lost);
}
