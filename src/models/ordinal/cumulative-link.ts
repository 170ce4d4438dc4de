/** One observation of a cumulative link model: the logarithm of P = F(a) - F(b), a > b, and what its derivatives are made of.
 *
 *  With f = F', the derivatives of log P up to the third order are polynomials in
 *      A_k = f⁽ᵏ⁾(a)/P,   B_k = f⁽ᵏ⁾(b)/P,   k = 0, 1, 2,
 *  which stay finite in both tails although f and P underflow there: the difference is taken in the tail in which it is
 *  small (probit), or as a product of positive factors (logit: F(a)(1 - F(b))(1 - e^(b-a)); cloglog: e^(-e^b)(1 - e^(e^b-e^a))).
 *  Reference: McCullagh (1980), J. R. Stat. Soc. B 42(2); Christensen (2018), Cumulative Link Models for Ordinal Regression.
 *  Oracle:    derivatives by extrapolated differences, mpmath values of the tails (cumulative-link.test.ts).
 *  Limits:    logit, probit, cloglog. */
import { normalLogCdf, normalLogPdf } from "../../numeric/dist/normal.ts";
import { erfc, erfcx } from "../../numeric/special/erf.ts";
import { log1mexp } from "../../numeric/special/log.ts";

export type CumulativeLink = "logit" | "probit" | "cloglog";

/** log P, then A0, B0, A1, B1, A2, B2; of one observation after the other. */
export type CumulativeTerms = Float64Array;

/** How many numbers an observation has. */
export const TERMS = 7;

export const makeCumulativeTerms = (observations = 1): CumulativeTerms => new Float64Array(TERMS * observations);

/** Fills out[at] … out[at + 6]. a = ∞ for the last category, b = -∞ for the first; NaN where a <= b. */
export type CumulativeKernel = (out: CumulativeTerms, a: number, b: number, at?: number) => void;

export const CUMULATIVE_LINKS: Readonly<Record<CumulativeLink, CumulativeKernel>> = {
  logit: logitTermsInto,
  probit: probitTermsInto,
  cloglog: cloglogTermsInto,
};

/** Products above this are far from underflow. */
const SAFE = 1e-290;

function logitTermsInto(out: CumulativeTerms, a: number, b: number, at = 0): void {
  if (!(a > b)) {
    out.fill(Number.NaN, at, at + TERMS);
    return;
  }
  const ea = Math.exp(-Math.abs(a));
  const eb = Math.exp(-Math.abs(b));
  const Fa = a >= 0 ? 1 / (1 + ea) : ea / (1 + ea);
  const Fb = b >= 0 ? 1 / (1 + eb) : eb / (1 + eb);
  const Sb = b >= 0 ? eb / (1 + eb) : 1 / (1 + eb);
  const ratio = Math.exp(b - a);
  const gap = -Math.expm1(b - a);
  const P = Fa * Sb * gap;
  out[at] = P > SAFE ? Math.log(P) : Math.min(a, 0) - Math.log1p(ea) - Math.max(b, 0) - Math.log1p(eb) + Math.log(gap);
  // f(a)/P = (1 - F(a))/((1 - F(b)) gap),  f(b)/P = F(b)/(F(a) gap)
  const Sa = a >= 0 ? ea / (1 + ea) : 1 / (1 + ea);
  const A0 = (b > 0 ? (ratio * (1 + eb)) / (1 + ea) : Sa / Sb) / gap;
  const B0 = (a < 0 ? (ratio * (1 + ea)) / (1 + eb) : Fb / Fa) / gap;
  const ka = Sa - Fa;
  const kb = Sb - Fb;
  out[at + 1] = A0;
  out[at + 2] = B0;
  out[at + 3] = A0 * ka;
  out[at + 4] = B0 * kb;
  out[at + 5] = A0 * (ka * ka - 2 * Fa * Sa);
  out[at + 6] = B0 * (kb * kb - 2 * Fb * Sb);
}

const INV_SQRT_TWO_PI = 0.3989422804014327;

function probitTermsInto(out: CumulativeTerms, a: number, b: number, at = 0): void {
  if (!(a > b)) {
    out.fill(Number.NaN, at, at + TERMS);
    return;
  }
  // the same difference in the lower tail
  const high = a + b > 0 ? -b : a;
  const low = a + b > 0 ? -a : b;
  const eHigh = Math.exp(-0.5 * high * high);
  const eLow = Math.exp(-0.5 * low * low);
  const P = lowerTail(high, eHigh) - lowerTail(low, eLow);
  let A0: number;
  let B0: number;
  if (P > SAFE) {
    out[at] = Math.log(P);
    A0 = (INV_SQRT_TWO_PI * (high === a ? eHigh : eLow)) / P;
    B0 = (INV_SQRT_TWO_PI * (low === b ? eLow : eHigh)) / P;
  } else {
    const upper = normalLogCdf(high);
    const logP = upper + log1mexp(normalLogCdf(low) - upper);
    out[at] = logP;
    A0 = Math.exp(normalLogPdf(a) - logP);
    B0 = Math.exp(normalLogPdf(b) - logP);
  }
  out[at + 1] = A0;
  out[at + 2] = B0;
  out[at + 3] = A0 === 0 ? 0 : -a * A0;
  out[at + 4] = B0 === 0 ? 0 : -b * B0;
  out[at + 5] = A0 === 0 ? 0 : (a * a - 1) * A0;
  out[at + 6] = B0 === 0 ? 0 : (b * b - 1) * B0;
}

/** Φ(x), given e^{-x²/2}. */
function lowerTail(x: number, e: number): number {
  if (x < -1) return e === 0 ? 0 : 0.5 * e * erfcx(-x * Math.SQRT1_2);
  if (x > 1) return e === 0 ? 1 : 1 - 0.5 * e * erfcx(x * Math.SQRT1_2);
  return 0.5 * erfc(-x * Math.SQRT1_2);
}

function cloglogTermsInto(out: CumulativeTerms, a: number, b: number, at = 0): void {
  if (!(a > b)) {
    out.fill(Number.NaN, at, at + TERMS);
    return;
  }
  const ea = Math.exp(a);
  const eb = Math.exp(b);
  // e^a - e^b, without cancellation
  const gap = a === Number.POSITIVE_INFINITY ? a : b === Number.NEGATIVE_INFINITY ? ea : eb * Math.expm1(a - b);
  const logP = -eb + log1mexp(-gap);
  out[at] = logP;
  const A0 = ea === Number.POSITIVE_INFINITY ? 0 : Math.exp(a - ea - logP);
  const B0 = eb === 0 ? 0 : Math.exp(b - eb - logP);
  out[at + 1] = A0;
  out[at + 2] = B0;
  out[at + 3] = A0 === 0 ? 0 : A0 * (1 - ea);
  out[at + 4] = B0 * (1 - eb);
  out[at + 5] = A0 === 0 ? 0 : A0 * ((1 - ea) ** 2 - ea);
  out[at + 6] = B0 * ((1 - eb) ** 2 - eb);
}
