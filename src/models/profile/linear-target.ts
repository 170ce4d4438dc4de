/** One parameter of a mixed model held fixed, and coordinates for all the others, in which the deviance is then minimised.
 *
 *  A term's covariance is that of its reordered columns, with those of the parameter first, so that the constraint is one on
 *  the leading rows of a triangular factor and the rest stays free:
 *      sd_j = ψ      first row (ψ/σ), free: log σ and the other rows
 *      cor_jk = ψ    first two rows a·(1) and b·(ψ, √(1-ψ²)), free: a, b ≥ 0 and the other rows; σ is profiled out
 *      σ = ψ         all factors free
 *      β_j = ψ       all factors free, σ is profiled out
 *  Oracle: differences of the deviance (linear.test.ts). */
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import type { LmmProblem } from "../lmm/problem.ts";
import type { LmmResponse } from "../lmm/response.ts";
import { type RandomStructure, relativeFactor } from "../random/random.ts";
import { type Deviance, lmmDeviance, triangularFactor } from "./linear-deviance.ts";

export type ProfileKind = "sd" | "cor" | "sigma" | "fixed";

/** Which parameter: a column (and for a correlation another) of a term, or a linear function of β. */
export type ProfileTarget =
  | { readonly kind: "sd"; readonly term: number; readonly j: number }
  | { readonly kind: "cor"; readonly term: number; readonly j: number; readonly k: number }
  | { readonly kind: "sigma" }
  | { readonly kind: "fixed"; readonly l: Float64Array };

/** A free coordinate: an entry of a term's reordered factor, or log σ, or the length b of the second row of a correlation. */
type Coordinate =
  | { readonly kind: "entry"; readonly term: number; readonly row: number; readonly col: number }
  | { readonly kind: "logSigma" }
  | { readonly kind: "length"; readonly term: number };

export interface ConstrainedDeviance {
  readonly size: number;
  readonly lower: Float64Array;
  /** Coordinates of a covariance given by triangular factors and σ. */
  start(theta: Float64Array, sigma: number): Float64Array;
  /** Deviance at x with the parameter at ψ; fills the gradient in x. `byTarget` is ∂D/∂ψ at fixed x. */
  evaluate(x: Float64Array, psi: number, gradient: Float64Array): { value: number; byTarget: number };
}

export function constrainDeviance(
  problem: LmmProblem,
  response: LmmResponse,
  target: ProfileTarget,
): ConstrainedDeviance {
  const { structure } = problem;
  const deviance = lmmDeviance(problem, response);
  const order = structure.terms.map(({ size }, t) => columnOrder(target, t, size));
  const coordinates = freeCoordinates(structure, target);
  return {
    size: coordinates.length,
    lower: Float64Array.from(coordinates, (c) =>
      c.kind === "length" || (c.kind === "entry" && c.row === c.col) ? 0 : Number.NEGATIVE_INFINITY,
    ),
    start: (theta, sigma) => {
      const factors = structure.terms.map((_, t) => reorderedFactor(relativeFactor(structure, theta, t), order[t]!));
      return Float64Array.from(coordinates, (c) => {
        if (c.kind === "logSigma") return Math.log(sigma);
        const T = factors[c.term]!;
        return c.kind === "entry" ? T.data[c.row + c.col * T.rows]! : Math.hypot(T.data[1]!, T.data[1 + T.rows]!);
      });
    },
    evaluate: (x, psi, gradient) => {
      // D is even in σ, and has no value at 0
      if (target.kind === "sigma" && !(psi > 0)) return outside(gradient);
      const point = readPoint(x, psi, { structure, target, coordinates });
      const inColumns = point.factors.map((T, t) => permuteRows(T, order[t]!, true));
      const D = deviance({ ...point, factors: inColumns });
      if (D === undefined) return outside(gradient);
      const byFactor = D.byFactor.map((G, t) => permuteRows(G, order[t]!, false));
      coordinates.forEach((c, i) => {
        gradient[i] = partial(c, { D, byFactor, target, psi, factors: point.factors });
      });
      return { value: D.value, byTarget: targetPartial(target, { D, byFactor, psi, x, coordinates }) };
    },
  };
}

function outside(gradient: Float64Array): { value: number; byTarget: number } {
  gradient.fill(Number.NaN);
  return { value: Number.NaN, byTarget: Number.NaN };
}

/** The columns of the target first. */
function columnOrder(target: ProfileTarget, term: number, size: number): number[] {
  const all = Array.from({ length: size }, (_, i) => i);
  if ((target.kind !== "sd" && target.kind !== "cor") || target.term !== term) return all;
  const first = target.kind === "sd" ? [target.j] : [target.j, target.k];
  return [...first, ...all.filter((i) => !first.includes(i))];
}

function freeCoordinates({ terms }: RandomStructure, target: ProfileTarget): Coordinate[] {
  const out: Coordinate[] = target.kind === "sd" ? [{ kind: "logSigma" }] : [];
  terms.forEach(({ size, correlated }, term) => {
    const own = (target.kind === "sd" || target.kind === "cor") && target.term === term;
    for (let col = 0; col < size; col++)
      for (let row = col; row < (correlated ? size : col + 1); row++) {
        if (own && target.kind === "sd" && row === 0) continue;
        if (own && target.kind === "cor" && row === 1) {
          if (col === 0) out.push({ kind: "length", term });
          continue;
        }
        out.push({ kind: "entry", term, row, col });
      }
  });
  return out;
}

interface Setting {
  readonly structure: RandomStructure;
  readonly target: ProfileTarget;
  readonly coordinates: readonly Coordinate[];
}

/** Factors (in reordered rows), σ where it is not profiled out, and the fixed function. */
function readPoint(x: Float64Array, psi: number, { structure, target, coordinates }: Setting) {
  const factors = structure.terms.map(({ size }) => zeros(size, size));
  let sigma: number | undefined = target.kind === "sigma" ? psi : undefined;
  coordinates.forEach((c, i) => {
    if (c.kind === "logSigma") sigma = Math.exp(x[i]!);
    else if (c.kind === "entry") factors[c.term]!.data[c.row + c.col * factors[c.term]!.rows] = x[i]!;
    else {
      const T = factors[c.term]!;
      T.data[1] = x[i]! * psi;
      T.data[1 + T.rows] = x[i]! * rest(psi);
    }
  });
  if (target.kind === "sd") factors[target.term]!.data[0] = psi / sigma!;
  return {
    factors,
    ...(sigma === undefined ? {} : { sigma }),
    ...(target.kind === "fixed" ? { fixed: { l: target.l, value: psi } } : {}),
  };
}

const rest = (rho: number): number => Math.sqrt(Math.max(0, 1 - rho * rho));

interface Gradients {
  readonly D: Deviance;
  readonly byFactor: readonly Matrix[];
  readonly target: ProfileTarget;
  readonly psi: number;
  readonly factors: readonly Matrix[];
}

function partial(c: Coordinate, { D, byFactor, target, psi }: Gradients): number {
  if (c.kind === "logSigma") {
    // the first row ψ/σ moves too
    return target.kind === "sd" ? D.byLogSigma - (byFactor[target.term]!.data[0]! * psi) / D.sigma : D.byLogSigma;
  }
  const G = byFactor[c.term]!;
  return c.kind === "entry" ? G.data[c.row + c.col * G.rows]! : psi * G.data[1]! + rest(psi) * G.data[1 + G.rows]!;
}

function targetPartial(
  target: ProfileTarget,
  {
    D,
    byFactor,
    psi,
    x,
    coordinates,
  }: Omit<Gradients, "target" | "factors"> & {
    readonly x: Float64Array;
    readonly coordinates: readonly Coordinate[];
  },
): number {
  if (target.kind === "fixed") return D.byFixed;
  if (target.kind === "sigma") return D.byLogSigma / psi;
  const G = byFactor[target.term]!;
  if (target.kind === "sd") return G.data[0]! / D.sigma;
  const length = x[coordinates.findIndex((c) => c.kind === "length")]!;
  return length * (G.data[1]! - (psi / rest(psi)) * G.data[1 + G.rows]!);
}

/** Row i of the result is row order[i] of T, or the reverse. */
function permuteRows(T: Matrix, order: readonly number[], back: boolean): Matrix {
  const out = zeros(T.rows, T.cols);
  for (let j = 0; j < T.cols; j++)
    order.forEach((o, i) => {
      const [to, from] = back ? [o, i] : [i, o];
      out.data[to + j * T.rows] = T.data[from + j * T.rows]!;
    });
  return out;
}

/** The triangular factor of the covariance whose columns are reordered. */
const reorderedFactor = (T: Matrix, order: readonly number[]): Matrix =>
  triangularFactor(permuteRows(T, order, false)).T;
