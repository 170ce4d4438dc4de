/** Minimises the convex quadratic  g'd + ½ d'Bd  over the box  lower <= x + d <= upper  (primal active-set method).
 *  Reference: Nocedal & Wright (2006), Numerical Optimization, sec. 16.5 specialised to bounds.
 *  Limits:    B symmetric positive definite; exact up to rounding, O(free³) per change of the active set. */
import { choleskyUpperAt } from "../linalg/cholesky.ts";
import { solveUpperAt, solveUpperTAt } from "../linalg/triangular.ts";
import { multiplyInto } from "./dense.ts";
import type { Box } from "./minimum.ts";

export interface BoxWorkspace {
  readonly factor: Float64Array;
  readonly rhs: Float64Array;
  readonly slope: Float64Array;
  readonly free: Int32Array;
  /** -1, 1: held at that bound; 0: free. */
  readonly held: Int8Array;
}

export function makeBoxWorkspace(n: number): BoxWorkspace {
  return {
    factor: new Float64Array(n * n),
    rhs: new Float64Array(n),
    slope: new Float64Array(n),
    free: new Int32Array(n),
    held: new Int8Array(n),
  };
}

/** Every pass frees or holds one variable; a strictly convex problem cannot need many times n of them. */
const PASSES_PER_VARIABLE = 10;

/** Writes the minimiser into d; false when B restricted to the free variables is not positive definite. */
export function solveBoxInto(
  d: Float64Array,
  x: Float64Array,
  g: Float64Array,
  B: Float64Array,
  box: Box,
  work: BoxWorkspace,
): boolean {
  const n = x.length;
  d.fill(0);
  for (let i = 0; i < n; i++)
    work.held[i] = x[i]! <= box.lower[i]! && g[i]! >= 0 ? -1 : x[i]! >= box.upper[i]! && g[i]! <= 0 ? 1 : 0;
  for (let pass = 0; pass < PASSES_PER_VARIABLE * n + 1; pass++) {
    multiplyInto(work.slope, B, d);
    for (let i = 0; i < n; i++) work.slope[i]! += g[i]!;
    const count = solveFree(B, n, work);
    if (count < 0) return false;
    if (!advance(d, x, box, work, count)) continue;
    if (!release(d, g, B, work)) return true;
  }
  // Cycling by rounding: d is feasible and no worse than any earlier pass.
  return true;
}

/** Newton step of the free variables into work.rhs; returns their number, or -1 when B is not positive definite. */
function solveFree(B: Float64Array, n: number, work: BoxWorkspace): number {
  const { factor, rhs, slope, free, held } = work;
  let count = 0;
  for (let i = 0; i < n; i++) if (held[i] === 0) free[count++] = i;
  for (let a = 0; a < count; a++) {
    for (let b = 0; b <= a; b++) factor[a * count + b] = B[free[a]! * n + free[b]!]!;
    rhs[a] = -slope[free[a]!]!;
  }
  // lower and row by row here is upper and column by column there
  if (choleskyUpperAt(factor, 0, count, count) >= 0) return -1;
  solveUpperTAt(factor, 0, count, count, rhs, 0, count, 1);
  solveUpperAt(factor, 0, count, count, rhs, 0, count, 1);
  return count;
}

/** Goes along the Newton step to its end (true) or to the first bound, which is then held (false). */
function advance(d: Float64Array, x: Float64Array, box: Box, work: BoxWorkspace, count: number): boolean {
  const { rhs, free, held } = work;
  let length = 1;
  let hit = -1;
  for (let a = 0; a < count; a++) {
    const i = free[a]!;
    const p = rhs[a]!;
    const room = p < 0 ? box.lower[i]! - x[i]! - d[i]! : box.upper[i]! - x[i]! - d[i]!;
    if (p !== 0 && room / p < length) {
      length = Math.max(0, room / p);
      hit = i;
    }
  }
  for (let a = 0; a < count; a++) {
    const i = free[a]!;
    d[i]! += length * rhs[a]!;
    if (i === hit) {
      held[i] = rhs[a]! < 0 ? -1 : 1;
      d[i] = (rhs[a]! < 0 ? box.lower[i]! : box.upper[i]!) - x[i]!;
    }
  }
  return hit < 0;
}

/** Frees the held variable whose multiplier most wants it free; false when none does: d is optimal. */
function release(d: Float64Array, g: Float64Array, B: Float64Array, work: BoxWorkspace): boolean {
  const { slope, held } = work;
  multiplyInto(slope, B, d);
  let worst = 0;
  let chosen = -1;
  for (let i = 0; i < d.length; i++) {
    const pull = held[i]! * (slope[i]! + g[i]!);
    if (held[i] !== 0 && pull > worst) {
      worst = pull;
      chosen = i;
    }
  }
  if (chosen < 0) return false;
  held[chosen] = 0;
  return true;
}
