/** Log-likelihoods of additive models as functions of the linear predictor, with four derivatives.
 *    score = ∂ℓ/∂η,   weight = -∂²ℓ/∂η² (observed), its slope and curve by η;   fisher = E weight, its slope and curve
 *  all for dispersion 1. For canonical links the observed and the expected weight are the same arrays.
 *  Reference: McCullagh & Nelder (1989), 2.5; Wood (2011), J. R. Statist. Soc. B 73, §3.2 on Newton weights.
 *  Oracle:    central differences of one another, likelihood.test.ts. */
import { normalCdf, normalPdf } from "../../numeric/dist/normal.ts";
import type { Family, PlainFamilyName } from "../family.ts";
import type { Link, LinkName } from "../link.ts";

/** One observation of weight 1: out = [score, weight, slope, curve], and for links that are not canonical [… fisher, slope, curve]. */
type Derivatives = (out: Float64Array, y: number, eta: number, mu: number, complement: number) => void;

function logitDerivatives(out: Float64Array, y: number, _: number, mu: number, complement: number): void {
  const w = mu * complement;
  out[0] = y === 1 ? complement : y - mu;
  out[1] = w;
  out[2] = w * (complement - mu);
  out[3] = w * (1 - 6 * w);
}

function poissonLog(out: Float64Array, y: number, _: number, mu: number): void {
  out[0] = y - mu;
  out[1] = mu;
  out[2] = mu;
  out[3] = mu;
}

function poissonIdentity(out: Float64Array, y: number, eta: number): void {
  out[0] = y / eta - 1;
  out[1] = y / (eta * eta);
  out[2] = (-2 * y) / (eta * eta * eta);
  out[3] = (6 * y) / (eta * eta * eta * eta);
  out[4] = 1 / eta;
  out[5] = -1 / (eta * eta);
  out[6] = 2 / (eta * eta * eta);
}

function gaussianIdentity(out: Float64Array, y: number, eta: number): void {
  out[0] = y - eta;
  out[1] = 1;
  out[2] = 0;
  out[3] = 0;
}

function gaussianLog(out: Float64Array, y: number, _: number, mu: number): void {
  out[0] = (y - mu) * mu;
  out[1] = (2 * mu - y) * mu;
  out[2] = (4 * mu - y) * mu;
  out[3] = (8 * mu - y) * mu;
  out[4] = mu * mu;
  out[5] = 2 * mu * mu;
  out[6] = 4 * mu * mu;
}

/** log Φ(x): derivatives 1 to 4 through the ratio r = φ/Φ, r' = -r(x + r). */
function logNormalCdf(out: Float64Array, x: number): void {
  // far out the ratio is its continued fraction's start; Φ itself has underflown there
  const r = x > -37 ? normalPdf(x) / normalCdf(x) : -x - 1 / x;
  const r1 = -r * (x + r);
  const r2 = -r1 * (x + r) - r * (1 + r1);
  out[0] = r;
  out[1] = r1;
  out[2] = r2;
  out[3] = -r2 * (x + r) - 2 * r1 * (1 + r1) - r * r2;
}

const upper = new Float64Array(4);
const lower = new Float64Array(4);

function probitDerivatives(out: Float64Array, y: number, eta: number): void {
  logNormalCdf(upper, eta);
  logNormalCdf(lower, -eta);
  out[0] = y * upper[0]! - (1 - y) * lower[0]!;
  out[1] = -y * upper[1]! - (1 - y) * lower[1]!;
  out[2] = -y * upper[2]! + (1 - y) * lower[2]!;
  out[3] = -y * upper[3]! - (1 - y) * lower[3]!;
  // φ²/(Φ(1 - Φ)), by the derivatives of its logarithm
  const fisher = upper[0]! * lower[0]!;
  const change = lower[0]! - upper[0]! - 2 * eta;
  out[4] = fisher;
  out[5] = fisher * change;
  out[6] = fisher * (change * change - 2 - upper[1]! - lower[1]!);
}

/** log(1 - exp(-u)) with u = e^η has the derivative q = u/(e^u - 1), and q' = q(1 - u - q). */
function cloglogDerivatives(out: Float64Array, y: number, eta: number): void {
  const u = Math.exp(Math.min(eta, 6.5));
  const q = u < 1e-300 ? 1 : u / Math.expm1(u);
  const f = 1 - u - q;
  const q1 = q * f;
  const f1 = -u - q1;
  const q2 = q1 * f + q * f1;
  const q3 = q2 * f + 2 * q1 * f1 + q * (-u - q2);
  const miss = (1 - y) * u;
  out[0] = y * q - miss;
  out[1] = -y * q1 + miss;
  out[2] = -y * q2 + miss;
  out[3] = -y * q3 + miss;
  out[4] = u * q;
  out[5] = u * (q + q1);
  out[6] = u * (q + 2 * q1 + q2);
}

const DERIVATIVES: Readonly<Record<PlainFamilyName, Readonly<Partial<Record<LinkName, Derivatives>>>>> = {
  gaussian: { identity: gaussianIdentity, log: gaussianLog },
  binomial: { logit: logitDerivatives, probit: probitDerivatives, cloglog: cloglogDerivatives },
  poisson: { log: poissonLog, identity: poissonIdentity },
};

/** Arrays over the rows, overwritten by `evaluateRows`. */
export interface RowState {
  readonly eta: Float64Array;
  readonly mu: Float64Array;
  readonly score: Float64Array;
  readonly weight: Float64Array;
  readonly slope: Float64Array;
  readonly curve: Float64Array;
  readonly fisher: Float64Array;
  readonly fisherSlope: Float64Array;
  readonly fisherCurve: Float64Array;
}

export function makeRowState(response: Response): RowState {
  const make = (): Float64Array => new Float64Array(response.y.length);
  const [weight, slope, curve] = [make(), make(), make()];
  const observed = { eta: make(), mu: make(), score: make(), weight, slope, curve };
  return isCanonical(response)
    ? { ...observed, fisher: weight, fisherSlope: slope, fisherCurve: curve }
    : { ...observed, fisher: make(), fisherSlope: make(), fisherCurve: make() };
}

export interface Response {
  readonly family: Family<PlainFamilyName>;
  readonly link: Link;
  readonly y: Float64Array;
  /** Prior weights. */
  readonly weights: Float64Array;
}

/** Everything at the linear predictor state.eta; returns the deviance, not finite outside the domain. */
export function evaluateRows(state: RowState, response: Response): number {
  const { family, link, y, weights } = response;
  const derivatives = DERIVATIVES[family.name][link.name]!;
  const canonical = isCanonical(response);
  const out = new Float64Array(7);
  const positive = family.name === "poisson" && link.name === "identity";
  let deviance = 0;
  for (let i = 0; i < y.length; i++) {
    const eta = state.eta[i]!;
    if (positive && !(eta > 0)) return Number.POSITIVE_INFINITY;
    const prior = weights[i]!;
    const mu = link.mu(eta);
    const complement = link.complement(eta);
    derivatives(out, y[i]!, eta, mu, complement);
    state.mu[i] = mu;
    state.score[i] = prior * out[0]!;
    state.weight[i] = prior * out[1]!;
    state.slope[i] = prior * out[2]!;
    state.curve[i] = prior * out[3]!;
    if (!canonical) {
      state.fisher[i] = prior * out[4]!;
      state.fisherSlope[i] = prior * out[5]!;
      state.fisherCurve[i] = prior * out[6]!;
    }
    if (prior > 0) deviance += prior * family.unitDeviance(y[i]!, mu, complement);
  }
  return Math.max(0, deviance);
}

/** The linear predictor to start from: the link at means near the responses. */
export function startingPredictor(state: RowState, { family, link, y, weights }: Response): void {
  for (let i = 0; i < y.length; i++) {
    const mu = family.start(y[i]!, weights[i]!);
    state.eta[i] = link.name === "log" ? Math.log(Math.max(mu, 0.1)) : link.eta(mu);
  }
}

export const isCanonical = ({ family, link }: Response): boolean => family.canonicalLink === link.name;
