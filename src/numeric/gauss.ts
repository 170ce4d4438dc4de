/** Gauss rules: nodes x_i and weights w_i with  ∫ f(x) ω(x) dx = Σ w_i f(x_i)  exactly for polynomials of degree < 2n.
 *      Hermite   ω = exp(-x²) ("physicist"), exp(-x²/2) ("probabilist"), or the N(0, 1) density ("normal") on the line
 *      Legendre  ω = 1 on [-1, 1]
 *  The nodes are the roots of the orthonormal polynomials  √b_{k+1} q_{k+1} = x q_k - √b_k q_{k-1},  and
 *  w = μ₀ / Σ_{k<n} q_k(x)²: both are isolated by Sturm counts and polished with about 30 digits (double-double).
 *  Reference: Golub & Welsch (1969), Math. Comp. 23 (the recurrence and its Jacobi matrix); Dekker (1971), Numer. Math.
 *             18 (double-double arithmetic).
 *  Oracle:    mpmath at 60 digits, oracle/mpmath/gauss.json: nodes and weights to a few units in the last place.
 *  Limits:    n <= 350 for Hermite (beyond, weights underflow), n <= 1000 for Legendre; otherwise all NaN. */

export interface GaussRule {
  /** Ascending. */
  readonly nodes: Float64Array;
  readonly weights: Float64Array;
}

export interface HermiteRule extends GaussRule {
  /** w_i / ω(x_i): for integrands that are not written as f·ω. They neither under- nor overflow. */
  readonly scaledWeights: Float64Array;
}

export type HermiteKind = "physicist" | "probabilist" | "normal";

const MAX_HERMITE = 350;
const MAX_LEGENDRE = 1000;
/** Bisections that leave the root isolated to nine digits; two Newton steps then reach double precision. */
const BISECTIONS = 34;
const NEWTON_STEPS = 3;

/** An unevaluated sum hi + lo with |lo| <= ulp(hi)/2. */
type DoubleDouble = readonly [hi: number, lo: number];

interface Family {
  readonly mu0: number;
  /** √b_k for k = 0..n. */
  readonly roots: readonly DoubleDouble[];
  /** All nodes lie below this. */
  readonly reach: number;
}

interface Polished {
  readonly node: DoubleDouble;
  /** Σ q_k² at the node. */
  readonly sum: number;
}

const hermiteRules = new Map<string, HermiteRule>();
const legendreRules = new Map<number, GaussRule>();

/** Treat the arrays as constants: rules are computed once and shared. */
export function gaussHermite(n: number, kind: HermiteKind = "physicist"): HermiteRule {
  if (!(Number.isInteger(n) && n >= 1 && n <= MAX_HERMITE)) return { ...undefinedRule(n), scaledWeights: nanArray(n) };
  const key = `${kind}${n}`;
  const known = hermiteRules.get(key);
  if (known !== undefined) return known;
  const perStep = kind === "physicist" ? 0.5 : 1; // b_k = k/2 or k
  const family: Family = {
    mu0: kind === "physicist" ? Math.sqrt(Math.PI) : kind === "probabilist" ? Math.sqrt(2 * Math.PI) : 1,
    roots: Array.from({ length: n + 1 }, (_, k) => rootOf([k * perStep, 0])),
    reach: 2 * Math.sqrt(perStep * n) + 1,
  };
  const nodes = new Float64Array(n);
  const weights = new Float64Array(n);
  const scaledWeights = new Float64Array(n);
  fillSymmetric(n, family, ({ node, sum }, i) => {
    nodes[i] = node[0];
    weights[i] = family.mu0 / sum;
    // 1/ω = exp(x²) or exp(x²/2)·const, with x² carried beyond double precision: its error would be magnified.
    const square = multiply(node, node);
    const c = kind === "physicist" ? 1 : 0.5;
    const constant = kind === "normal" ? Math.sqrt(2 * Math.PI) : 1;
    scaledWeights[i] = weights[i]! * constant * Math.exp(c * square[0]) * (1 + c * square[1]);
  });
  const rule = { nodes, weights, scaledWeights };
  hermiteRules.set(key, rule);
  return rule;
}

export function gaussLegendre(n: number): GaussRule {
  if (!(Number.isInteger(n) && n >= 1 && n <= MAX_LEGENDRE)) return undefinedRule(n);
  const known = legendreRules.get(n);
  if (known !== undefined) return known;
  const family: Family = {
    mu0: 2,
    roots: Array.from({ length: n + 1 }, (_, k) => rootOf(divide([k * k, 0], [4 * k * k - 1, 0]))),
    reach: 1,
  };
  const nodes = new Float64Array(n);
  const weights = new Float64Array(n);
  fillSymmetric(n, family, ({ node, sum }, i) => {
    nodes[i] = node[0];
    weights[i] = family.mu0 / sum;
  });
  const rule = { nodes, weights };
  legendreRules.set(n, rule);
  return rule;
}

function nanArray(n: number): Float64Array {
  return new Float64Array(Number.isInteger(n) && n > 0 ? n : 0).fill(Number.NaN);
}

function undefinedRule(n: number): GaussRule {
  return { nodes: nanArray(n), weights: nanArray(n) };
}

/** Visits all nodes; the nonpositive half is the mirror image of the other. */
function fillSymmetric(n: number, family: Family, visit: (p: Polished, index: number) => void): void {
  for (let above = 0; above < Math.ceil(n / 2); above++) {
    const isMiddle = 2 * above === n - 1;
    const p = polish(n, family, isMiddle ? 0 : isolate(n, family, above), isMiddle);
    visit(p, n - 1 - above);
    visit({ node: [0 - p.node[0], 0 - p.node[1]], sum: p.sum }, above);
  }
}

/** The positive node with `above` nodes above it, to about nine digits: bisection on the number of eigenvalues of the
 *  Jacobi matrix below x, which is the number of negative pivots of J - xI. */
function isolate(n: number, family: Family, above: number): number {
  let lo = 0;
  let hi = family.reach;
  for (let step = 0; step < BISECTIONS; step++) {
    const x = 0.5 * (lo + hi);
    let below = 0;
    let pivot = -x;
    for (let k = 1; ; k++) {
      if (pivot < 0) below++;
      if (k === n) break;
      const off = family.roots[k]![0];
      pivot = -x - (off * off) / (pivot === 0 ? Number.MIN_VALUE : pivot);
    }
    if (n - below <= above) hi = x;
    else lo = x;
  }
  return 0.5 * (lo + hi);
}

/** Newton in double precision, one more step in double-double, and the sum of squares at that node. */
function polish(n: number, family: Family, guess: number, exact: boolean): Polished {
  let x = guess;
  for (let step = 0; step < NEWTON_STEPS && !exact; step++) x -= newtonRatio(n, family, x);
  let node: DoubleDouble = [x, 0];
  if (!exact) {
    const value = evaluate(n, family, node).value;
    const slope = value[0] === 0 ? 1 : derivativeAt(n, family, x);
    node = quickSum(x, -value[0] / slope);
  }
  return { node, sum: evaluate(n, family, node).sum };
}

function newtonRatio(n: number, family: Family, x: number): number {
  let q0 = 0;
  let q1 = 1;
  let d0 = 0;
  let d1 = 0;
  for (let k = 0; k < n; k++) {
    const back = family.roots[k]![0];
    const ahead = family.roots[k + 1]![0];
    const q2 = (x * q1 - back * q0) / ahead;
    const d2 = (q1 + x * d1 - back * d0) / ahead;
    q0 = q1;
    q1 = q2;
    d0 = d1;
    d1 = d2;
  }
  return q1 / d1;
}

function derivativeAt(n: number, family: Family, x: number): number {
  // q_n' = Σ_{k<n} q_k² / (√b_n q_{n-1}) at a root (Christoffel-Darboux).
  let q0 = 0;
  let q1 = 1;
  let sum = 0;
  for (let k = 0; k < n; k++) {
    sum += q1 * q1;
    const q2 = (x * q1 - family.roots[k]![0] * q0) / family.roots[k + 1]![0];
    q0 = q1;
    q1 = q2;
  }
  return sum / (family.roots[n]![0] * q0);
}

/** q_n(x) and Σ_{k<n} q_k(x)², the recurrence in double-double, the sum compensated. */
function evaluate(n: number, family: Family, x: DoubleDouble): { value: DoubleDouble; sum: number } {
  let q0: DoubleDouble = [0, 0];
  let q1: DoubleDouble = [1, 0];
  let sum: DoubleDouble = [0, 0];
  for (let k = 0; k < n; k++) {
    sum = add(sum, multiply(q1, q1));
    const back = multiply(family.roots[k]!, q0);
    const q2 = divide(add(multiply(x, q1), [-back[0], -back[1]]), family.roots[k + 1]!);
    q0 = q1;
    q1 = q2;
  }
  return { value: q1, sum: sum[0] };
}

/** a + b exactly, for |a| >= |b|. */
function quickSum(a: number, b: number): DoubleDouble {
  const s = a + b;
  return [s, b - (s - a)];
}

function add(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const s = a[0] + b[0];
  const t = s - a[0];
  return quickSum(s, a[0] - (s - t) + (b[0] - t) + a[1] + b[1]);
}

/** Splits into halves of 26 bits so that products of halves are exact (Veltkamp). */
const SPLITTER = 2 ** 27 + 1;

function multiply(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const p = a[0] * b[0];
  const ta = SPLITTER * a[0];
  const aHigh = ta - (ta - a[0]);
  const aLow = a[0] - aHigh;
  const tb = SPLITTER * b[0];
  const bHigh = tb - (tb - b[0]);
  const bLow = b[0] - bHigh;
  const error = aHigh * bHigh - p + aHigh * bLow + aLow * bHigh + aLow * bLow;
  return quickSum(p, error + a[0] * b[1] + a[1] * b[0]);
}

function divide(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const first = a[0] / b[0];
  const back = multiply(b, [first, 0]);
  const rest = add(a, [-back[0], -back[1]]);
  return quickSum(first, rest[0] / b[0]);
}

function rootOf(a: DoubleDouble): DoubleDouble {
  if (a[0] <= 0) return [0, 0];
  const first = Math.sqrt(a[0]);
  const square = multiply([first, 0], [first, 0]);
  const rest = add(a, [-square[0], -square[1]]);
  return quickSum(first, rest[0] / (2 * first));
}
