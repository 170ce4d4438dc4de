/** Parts of the criteria's derivatives that REML, ML, GCV and UBRE share; see criterion.ts. */
import { type Matrix, tMatVec, zeros } from "../../numeric/linalg/matrix.ts";
import { multiplyLarge } from "../../numeric/linalg/product.ts";
import { dot, type GamInner, type GamState, workingCross } from "./inner.ts";
import { fromWorking, fromWorkingMatrix, penaltyTimes, toWorking } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";

export interface GamDerivatives {
  readonly gradient: Float64Array;
  /** m × m */
  readonly hessian: Float64Array;
  /** What the change of the weights adds to the Hessian, beyond the gradient's own part; zero where it was left out. */
  readonly weightPart: Float64Array;
  /** ∂β/∂ρ_j in working coordinates. */
  readonly coefficientSlopes: readonly Float64Array[];
  /** r_j - λ_j tr(A⁻¹S_j): what is left of each penalty's coefficients. */
  readonly leftover: Float64Array;
  /** For REML and ML, by ρ and log φ (or ρ alone where φ is known), before φ is profiled out. */
  readonly fullHessian: Matrix;
}

export interface Slopes {
  /** λ_jS_jβ */
  readonly pulls: readonly Float64Array[];
  readonly first: readonly Float64Array[];
  /** X'diag(∂w/∂ρ_j)X, absent for a linear model. */
  readonly drift: readonly Matrix[];
}

export function weightDrift(
  problem: GamProblem,
  { state, first, slope }: { state: GamState; first: readonly Float64Array[]; slope: Float64Array },
): Matrix[] {
  const eta = new Float64Array(slope.length);
  return first.map((direction) => {
    problem.rows.linearInto(eta, fromWorking(direction, state.basis));
    for (let i = 0; i < eta.length; i++) eta[i]! *= slope[i]!;
    return workingCross(problem, state.basis, eta);
  });
}

/** Products V·λ_jS_j, kept as their columns that are not zero (those of the penalty's coordinates). */
export function penaltyColumns(V: Matrix, { basis, lambda }: GamState): Matrix[] {
  const q = V.rows;
  return basis.penalties.map(({ from, size, S, diagonal }, j) => {
    const block = { rows: q, cols: size, data: V.data.subarray(from * q, (from + size) * q) };
    if (!diagonal) {
      const product = multiplyLarge(block, S);
      for (let i = 0; i < product.data.length; i++) product.data[i]! *= lambda[j]!;
      return product;
    }
    const product = zeros(q, size);
    for (let c = 0; c < size; c++) {
      const factor = lambda[j]! * S.data[c * (size + 1)]!;
      for (let i = 0; i < q; i++) product.data[i + c * q] = factor * block.data[i + c * q]!;
    }
    return product;
  });
}

/** tr(P_j R_k) for products given by their columns of the penalties' coordinates. */
export function traceOfColumns({ basis }: GamState, P: Matrix, j: number, R: Matrix, k: number): number {
  const q = P.rows;
  const [a, b] = [basis.penalties[j]!, basis.penalties[k]!];
  let sum = 0;
  for (let c = 0; c < a.size; c++) {
    for (let r = 0; r < b.size; r++) sum += P.data[b.from + r + c * q]! * R.data[a.from + c + r * q]!;
  }
  return sum;
}

export function traceOfPenalty({ basis }: GamState, P: Matrix, j: number): number {
  const { from, size } = basis.penalties[j]!;
  let sum = 0;
  for (let c = 0; c < size; c++) sum += P.data[from + c + c * P.rows]!;
  return sum;
}

/** Dense V·∂A/∂ρ_j from the penalty's columns and the drift of the weights. */
export function denseProduct({ basis }: GamState, V: Matrix, columns: Matrix, j: number, drift: Matrix): Matrix {
  const q = V.rows;
  const product = multiplyLarge(V, drift);
  const { from, size } = basis.penalties[j]!;
  for (let c = 0; c < size; c++)
    for (let i = 0; i < q; i++) product.data[i + (from + c) * q]! += columns.data[i + c * q]!;
  return product;
}

export function traceOfProduct(P: Matrix, R: Matrix): number {
  const q = P.rows;
  let sum = 0;
  for (let c = 0; c < q; c++) for (let i = 0; i < q; i++) sum += P.data[i + c * q]! * R.data[c + i * q]!;
  return sum;
}

/** l'∂²β/∂ρ_j∂ρ_k for a fixed l, as a function of j and k: with a = A⁻¹l,
 *  -a'(∂A/∂ρ_k ∂β/∂ρ_j + λ_jS_j ∂β/∂ρ_k), and l'∂β/∂ρ_j once more where j = k. */
export function secondSlopes(
  state: GamState,
  { first, drift }: Slopes,
  l: Float64Array,
): (j: number, k: number) => number {
  const a = tMatVec(state.inverse, l);
  const pulled = state.basis.penalties.map((penalty, j) => penaltyTimes(penalty, state.lambda[j]!, a));
  const moved = pulled.map((pull, k) => {
    const own = drift[k];
    return own === undefined ? pull : tMatVec(own, a).map((value, i) => value + pull[i]!);
  });
  return (j, k) => (j === k ? dot(l, first[j]!) : 0) - dot(moved[k]!, first[j]!) - dot(pulled[j]!, first[k]!);
}

/** For V: X'(h ∘ slope) and X'diag(h ∘ curve)X with h_i = x_i'Vx_i, of the observed or the expected weights. */
export function hatDerivatives(
  problem: GamProblem,
  inner: GamInner,
  { state, V, kind, exact }: { state: GamState; V: Matrix; kind: "observed" | "expected"; exact: boolean },
): { g: Float64Array; C: Matrix | undefined } {
  const rows = inner.rowsAt(state);
  const [slope, curve] = kind === "observed" ? [rows.slope, rows.curve] : [rows.fisherSlope, rows.fisherCurve];
  const h = new Float64Array(slope.length);
  problem.rows.quadraticInto(h, fromWorkingMatrix(V, state.basis).data);
  const raw = new Float64Array(problem.rows.p);
  problem.rows.transposeInto(
    raw,
    h.map((value, i) => value * slope[i]!),
  );
  const g = toWorking(raw, state.basis);
  if (!exact) return { g, C: undefined };
  const curved = h.map((value, i) => value * curve[i]!);
  return { g, C: workingCross(problem, state.basis, curved) };
}

/** Ax for every x. */
export function timesAll(A: Matrix, vectors: readonly Float64Array[]): Float64Array[] {
  return vectors.map((x) => tMatVec(A, x));
}
