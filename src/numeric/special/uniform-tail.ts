/** Uniform asymptotic expansion of the incomplete gamma and beta ratios for large parameters, near and around the mean.
 *
 *  Both densities are √(h/2π) e^{-hζ²/2} f(ζ) / G in a variable ζ that is zero at the mean, with
 *    gamma:  h = a,          ζ²/2 = λ - 1 - log λ,  λ = x/a
 *    beta:   h = ab/(a+b),   hζ²/2 = -a log(x/x₀) - b log((1-x)/(1-x₀)),  x₀ = a/(a+b)
 *  so the lower tail is  erfc(-ζ√(h/2))/2 - e^{-hζ²/2} S(ζ) / √(2πh),  where S′ - hζS = h (1 - f/G).
 *  With f = Σ dₙ ζⁿ and S = Σ βₙ ζⁿ / G this gives  β_{n-1} = dₙ + (n+1) β_{n+1} / h  and  G = 1 + β₁ / h.
 *  The gamma case is the beta case with p = b/(a+b) = 1, q = a/(a+b) = 0.
 *  Reference: Temme (1987), "On the computation of the incomplete gamma functions for large values of the parameters", in
 *             Algorithms for Approximation, 479-489 (the recurrence for βₙ); Temme (1992), J. Comput. Appl. Math. 41, 145-157
 *             (the beta case).
 *  Oracle:    mpmath through incomplete-gamma.test.ts and beta.test.ts, shapes from 20 to 5e9.
 *  Limits:    h >= UNIFORM_MIN_SCALE and |ζ| <= UNIFORM_MAX_ZETA; truncation below 1e-16 there. */

import { erfcx } from "./erf.ts";

/** f has its nearest singularity at |ζ| = 2√π; 28 terms leave (0.9 / 3.54)²⁸ < 1e-16. */
const TERMS = 28;
export const UNIFORM_MAX_ZETA = 0.9;
/** Where ζ and 1/√h are small a few terms are enough: n of them leave ((|ζ| + √(n/h)) / 3.5)ⁿ⁻¹ < 1e-17 up to the reach beside n. */
const FEWER_TERMS = [
  { terms: 6, reach: 0.0013 },
  { terms: 8, reach: 0.013 },
  { terms: 12, reach: 0.099 },
  { terms: 18, reach: 0.34 },
] as const;
/** The backward recurrence needs n/h < 1 where dₙ still matters. */
export const UNIFORM_MIN_SCALE = 20;

interface Where {
  readonly terms: number;
  /** Place of the first. */
  readonly from: number;
}
const WHOLE: Where = { terms: TERMS, from: 0 };

/** Coefficients dₙ of f(ζ) = ζ/v, where v = Σ vₙ ζⁿ solves  ζ (1 + pv)(1 - qv) = v v′,  p + q = 1. */
function uniformCoefficientsInto(d: Float64Array, p: number, q: number, { terms, from }: Where = WHOLE): void {
  // s = v²:  n s_n / 2 = (p - q) v_{n-2} - p q s_{n-2}, and v_{n-1} follows from s_n = Σ v_i v_{n-i}
  V[1] = 1;
  SQ[0] = 0;
  SQ[1] = 0;
  SQ[2] = 1;
  for (let n = 3; n <= terms + 2; n++) {
    const s = (2 / n) * ((p - q) * V[n - 2]! - p * q * SQ[n - 2]!);
    SQ[n] = s;
    let cross = 0;
    for (let i = 2; i <= n - 2; i++) cross += V[i]! * V[n - i]!;
    V[n - 1] = 0.5 * (s - cross);
  }
  d[from] = 1;
  for (let n = 1; n < terms; n++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += d[from + i]! * V[n - i + 1]!;
    d[from + n] = -sum;
  }
}
const V = new Float64Array(TERMS + 3);
const SQ = new Float64Array(TERMS + 3);

/** Coefficients of the gamma case, p = 1. */
const GAMMA_D = new Float64Array(TERMS);
uniformCoefficientsInto(GAMMA_D, 1, 0);

/** Those of former beta cases, each in the place that p gives it: quantiles, tables and integrals over two of them ask for the same shapes again
 *  and again. The place says nothing of the digits. */
const PLACES = 1 << 14;
const BETA_D = new Float64Array(PLACES * TERMS);
const BETA_P = new Float64Array(PLACES);
const BETA_TERMS = new Uint8Array(PLACES);
const bits = new Float64Array(1);
const halves = new Int32Array(bits.buffer);

function placeOf(p: number): number {
  bits[0] = p;
  return Math.imul(halves[0]! ^ Math.imul(halves[1]!, 0x85ebca6b), 0x9e3779b1) >>> 18;
}

function termsFor(h: number, zeta: number): number {
  for (const { terms, reach } of FEWER_TERMS) if (zeta + Math.sqrt(terms / h) <= reach) return terms;
  return TERMS;
}

/** S(ζ) / √(2πh). */
function remainder(d: Float64Array, h: number, zeta: number, terms: number, from: number): number {
  let after = 0;
  let here = 0;
  let even = 0;
  let odd = 0;
  const z2 = zeta * zeta;
  // here = β_{n-1}, after = β_n; sums the even and the odd powers apart
  for (let n = terms - 1; n >= 1; n--) {
    const next = d[from + n]! + ((n + 1) / h) * after;
    after = here;
    here = next;
    if (n & 1) even = even * z2 + next;
    else odd = odd * z2 + next;
  }
  return (even + zeta * odd) / ((1 + after / h) * Math.sqrt(2 * Math.PI * h));
}

const zetaSize = (h: number, exponent: number): number => Math.sqrt((-2 * exponent) / h);

/** Writes the tail on the side of ζ; exponent = -hζ²/2. Returns true when that is the lower tail. */
function uniformInto(
  tail: Float64Array,
  d: Float64Array,
  h: number,
  exponent: number,
  above: boolean,
  terms = TERMS,
  from = 0,
): boolean {
  const size = zetaSize(h, exponent);
  const half = 0.5 * erfcx(Math.sqrt(-exponent));
  const rest = remainder(d, h, above ? size : -size, terms, from);
  tail[0] = exponent;
  tail[1] = above ? half + rest : half - rest;
  return !above;
}

/** Gamma shape a; exponent = a (1 - λ + log λ), above: x > a. */
export function uniformGammaInto(tail: Float64Array, a: number, exponent: number, above: boolean): boolean {
  return uniformInto(tail, GAMMA_D, a, exponent, above);
}

/** Lower tail of the beta for x below the mean; exponent = a log(x/x₀) + b log(y/y₀). */
export function uniformBetaInto(tail: Float64Array, a: number, b: number, exponent: number): boolean {
  const p = b / (a + b);
  const h = (a / (a + b)) * b;
  const terms = termsFor(h, zetaSize(h, exponent));
  const place = placeOf(p);
  if (p !== BETA_P[place] || terms > BETA_TERMS[place]!) {
    uniformCoefficientsInto(BETA_D, p, a / (a + b), { terms, from: place * TERMS });
    BETA_P[place] = p;
    BETA_TERMS[place] = terms;
  }
  return uniformInto(tail, BETA_D, h, exponent, false, terms, place * TERMS);
}
