/** B-spline bases: ps (difference penalty, Eilers & Marx) and bs (derivative penalty), on equally spaced knots.
 *
 *  The inner knots reach over the data (or the ends given) by a thousandth of the range on each side; as many knots as the
 *  degree follow outside.
 *  ps: S = Δ'Δ with Δ the differences of order m₂ of neighbouring coefficients.
 *  bs: S = ∫ f^(q)² over the inner knots, for q = m₂ and for every further order given; the derivative has B-spline
 *      coefficients p(β_i - β_{i-1}) / (t_{i+p} - t_i) of one degree less, and Gauss rules integrate their products exactly.
 *  Reference: Eilers & Marx (1996), Stat. Sci. 11(2); Wood (2017), Stat. Comput. 27; de Boor (1978), ch. X, for evaluation.
 *  Oracle:    mgcv (R), oracle/r/basis.json: X and S to 1e-10.
 *  Limits:    one covariate; degree at least 1. Beyond the inner knots the spline goes on linearly; mgcv does the same, except
 *             that at degree 1 it goes on flat above the range. */

import { gaussLegendre } from "../../numeric/gauss.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { crossprod, identity, multiply, zeros } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { findGap } from "./cubic.ts";
import type { BasisRequest, BsplineFunctions, DistinctPoints, RawBasis } from "./margin.ts";

const DEFAULT_K = 10;
/** The inner knots reach this share of the range beyond the data. */
const MARGIN_SHARE = 0.001;

/** ps: m = (degree - 1, order of the differences). */
export function learnPspline(points: DistinctPoints, request: BasisRequest): RawBasis {
  const m1 = orDefault(request.m[0], 2);
  const m2 = orDefault(request.m[1], m1);
  const functions = makeFunctions(points, request, { degree: m1 + 1, orders: [m2] });
  const k = functions.knots.length - functions.degree - 1;
  let difference = identity(k);
  for (let d = 0; d < m2; d++) difference = takeDifferences(difference, () => 1);
  return finish(functions, [crossprod(difference)], [m2]);
}

/** bs: m = (degree, order of the derivative, further orders with a penalty of their own). */
export function learnBspline(points: DistinctPoints, request: BasisRequest): RawBasis {
  const degree = orDefault(request.m[0], 3);
  const given = request.m.slice(1).filter((order) => !Number.isNaN(order));
  const orders = given.length === 0 ? [Math.max(0, degree - 1)] : given;
  const functions = makeFunctions(points, request, { degree, orders });
  if (mostOf(orders) > degree) throw badOrder(request, `a spline of degree ${degree} has no such derivative.`);
  return finish(
    functions,
    orders.map((order) => derivativePenalty(functions, order)),
    orders,
  );
}

function orDefault(given: number | undefined, otherwise: number): number {
  return given === undefined || Number.isNaN(given) ? otherwise : given;
}

function badOrder({ names, m }: BasisRequest, why: string): StatError {
  return new StatError(
    "BadPenaltyOrder",
    `m = ${m.join(", ")} does not suit s(${names[0]!}): ${why}`,
    'use whole numbers such as m = c(2, 2) for bs = "ps" or m = c(3, 2) for bs = "bs".',
  );
}

function finish(functions: BsplineFunctions, S: readonly Matrix[], orders: readonly number[]): RawBasis {
  const k = functions.knots.length - functions.degree - 1;
  return {
    margin: { functions, columns: k, covariates: 1 },
    S,
    ranks: orders.map((order) => k - order),
    nullDim: leastOf(orders),
    centred: true,
    reparametrise: true,
  };
}

function makeFunctions(
  { columns }: DistinctPoints,
  request: BasisRequest,
  { degree, orders }: { degree: number; orders: readonly number[] },
): BsplineFunctions {
  if (![degree, ...orders].every(Number.isInteger) || degree < 1 || leastOf(orders) < 0) {
    throw badOrder(request, "the degree is a whole number from 1, an order one from 0.");
  }
  const { names, knots: given } = request;
  const x = columns[0]!;
  const fallback =
    given !== undefined && given.length > 2 ? given.length - degree - 1 : Math.max(DEFAULT_K, degree + 1);
  const k = orDefault(request.k, fallback);
  const smallest = Math.max(degree, mostOf(orders)) + 1;
  if (k < smallest) {
    const message = `k = ${k} for s(${names[0]!}), but degree ${degree} with penalty order ${orders.join(", ")} needs at least ${smallest}.`;
    throw new StatError("BasisTooSmall", message, `give k = ${smallest} or more, or a lower order m.`);
  }
  if (x.length < 2) {
    const message = `${names[0]!} is ${x[0]!} in every row; no curve can be fitted to it.`;
    throw new StatError("ConstantCovariate", message, "leave the term out.");
  }
  const [low, high] = [x[0]!, x[x.length - 1]!];
  const inner = k - degree + 1;
  if (given !== undefined && given.length > 2) return givenKnots(given, request, { degree, k, low, high });
  const ends = given === undefined ? [low, high] : [Math.min(given[0]!, given[1]!), Math.max(given[0]!, given[1]!)];
  if (!(ends[0]! <= low && ends[1]! >= high)) throw badKnots(request, { k, low, high });
  const reach = MARGIN_SHARE * (ends[1]! - ends[0]!);
  const [from, to] = [ends[0]! - reach, ends[1]! + reach];
  const step = (to - from) / (inner - 1);
  const count = inner + 2 * degree;
  const [start, end] = [from - step * degree, to + step * degree];
  const by = (end - start) / (count - 1);
  return { kind: "bspline", knots: Float64Array.from({ length: count }, (_, j) => start + j * by), degree };
}

interface KnotFrame {
  readonly k: number;
  readonly low: number;
  readonly high: number;
}

function badKnots({ names, knots }: BasisRequest, { k, low, high }: KnotFrame): StatError {
  return new StatError(
    "BadKnots",
    `the ${knots!.length} knots given for ${names[0]!} do not make a basis of k = ${k} over the data (${low} … ${high}).`,
    "give the two ends, or k + degree + 1 distinct knots of which the inner ones enclose the data.",
  );
}

function givenKnots(
  given: ArrayLike<number>,
  request: BasisRequest,
  { degree, ...frame }: KnotFrame & { degree: number },
): BsplineFunctions {
  const knots = Float64Array.from(given).sort();
  const distinct = knots.every((knot, j) => Number.isFinite(knot) && (j === 0 || knot > knots[j - 1]!));
  const encloses = knots[degree]! <= frame.low && knots[knots.length - 1 - degree]! >= frame.high;
  if (knots.length !== frame.k + degree + 1 || !distinct || !encloses) throw badKnots(request, frame);
  return { kind: "bspline", knots, degree };
}

/** Differences of neighbouring rows, each times a weight. */
function takeDifferences(A: Matrix, weight: (i: number) => number): Matrix {
  const D = zeros(A.rows - 1, A.cols);
  for (let j = 0; j < A.cols; j++) {
    for (let i = 0; i < D.rows; i++) {
      D.data[i + j * D.rows] = weight(i) * (A.data[i + 1 + j * A.rows]! - A.data[i + j * A.rows]!);
    }
  }
  return D;
}

function derivativePenalty({ knots, degree }: BsplineFunctions, order: number): Matrix {
  let D = identity(knots.length - degree - 1);
  let t = knots;
  for (let d = 0; d < order; d++) {
    const p = degree - d;
    const outer = t; // the outermost knots play no part in the derivative
    t = t.subarray(1, t.length - 1);
    D = takeDifferences(D, (i) => p / (outer[i + p + 1]! - outer[i + 1]!));
  }
  const p = degree - order;
  const G = bsplineGram({ kind: "bspline", knots: t, degree: p }, knots.subarray(degree, knots.length - degree));
  return crossprod(D, multiply(G, D));
}

/** ∫ B_i B_j over the range of `inner`. */
function bsplineGram(functions: BsplineFunctions, inner: Float64Array): Matrix {
  const { knots, degree } = functions;
  const k = knots.length - degree - 1;
  const G = zeros(k, k);
  const { nodes, weights } = gaussLegendre(degree + 1); // exact for degree 2·degree + 1
  const values = new Float64Array(degree + 1);
  for (let gap = 0; gap + 1 < inner.length; gap++) {
    const half = (inner[gap + 1]! - inner[gap]!) / 2;
    const middle = inner[gap]! + half;
    for (let g = 0; g < nodes.length; g++) {
      const first = bsplineRowInto(values, 0, functions, middle + half * nodes[g]!);
      for (let a = 0; a <= degree; a++) {
        for (let b = 0; b <= degree; b++) {
          G.data[first + a + (first + b) * k]! += half * weights[g]! * values[a]! * values[b]!;
        }
      }
    }
  }
  return G;
}

/** The degree + 1 values at x from `at` on; returns the first function's number. */
export function bsplineRowInto(
  values: Float64Array,
  at: number,
  { knots, degree }: BsplineFunctions,
  x: number,
): number {
  const last = knots.length - 1 - degree;
  const j = findGap(knots, degree, last, x);
  // beyond the ends: value and slope there, the slope being that of the last step of the recursion
  const inside = Math.min(Math.max(x, knots[degree]!), knots[last]!);
  const beyond = degree * (x - inside);
  values[at] = 1;
  for (let d = 1; d <= degree; d++) {
    const push = d === degree ? beyond : 0;
    let carried = 0;
    for (let r = 0; r < d; r++) {
      const right = knots[j + r + 1]!;
      const left = knots[j + r + 1 - d]!;
      const share = values[at + r]! / (right - left);
      values[at + r] = carried + (right - inside - push) * share;
      carried = (inside - left + push) * share;
    }
    values[at + d] = carried;
  }
  return j - degree;
}
