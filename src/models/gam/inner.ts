/** Coefficients of an additive model for given smoothing parameters:
 *
 *      minimise  D(β) + β'S_λβ,   D the deviance;   at the minimum  X'score = S_λβ
 *
 *  What both ways to the minimum share; see linear.ts (gaussian, identity link) and newton.ts (everything else).
 *  Reference: Wood (2011), J. R. Statist. Soc. B 73, 3-36, §3.2-3.3. */
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import type { Response, RowState } from "./likelihood.ts";
import { addPenalties, penaltyTimes, toWorking, toWorkingInto, type WorkingBasis } from "./penalty.ts";
import type { GamProblem } from "./problem.ts";

/** The fit at one value of the smoothing parameters, in working coordinates. */
export interface GamState {
  readonly rho: Float64Array;
  readonly lambda: Float64Array;
  readonly basis: WorkingBasis;
  readonly coefficients: Float64Array;
  readonly deviance: number;
  /** β'S_λβ */
  readonly penalty: number;
  /** X'WX with the observed weights, A = X'WX + S_λ, A⁻¹ and log|A|. */
  readonly information: Matrix;
  readonly A: Matrix;
  readonly inverse: Matrix;
  readonly logDet: number;
  /** The same with the expected weights: what edf and covariances are made of. */
  readonly expected: { readonly information: Matrix; readonly A: Matrix; readonly inverse: Matrix };
  readonly converged: boolean;
  readonly iterations: number;
}

export interface GamInner {
  readonly response: Response;
  /** Whether no derivative of the weights is needed. */
  readonly linear: boolean;
  /** undefined where no fit can be made at these parameters; `start` are coefficients of the design. */
  fit(rho: Float64Array, start?: Float64Array): GamState | undefined;
  /** X'WX of the design before anything is fitted, for the start of a search. */
  startingInformation(): Matrix;
  /** The rows at a state's coefficients. */
  rowsAt(state: GamState): RowState;
}

export type BasisFor = (lambda: Float64Array) => WorkingBasis;

/** Directions that nothing determines get a penalty of their own, of the size of the data's; undefined if there are none. */
export function nullRidge({ nullSpace, gram }: GamProblem, basis: WorkingBasis): Matrix | undefined {
  if (nullSpace.cols === 0) return undefined;
  const { q } = basis;
  const R = zeros(q, q);
  let size = 0;
  for (let i = 0; i < gram.rows; i++) size += gram.data[i * (gram.rows + 1)]! / gram.rows;
  for (let d = 0; d < nullSpace.cols; d++) {
    const v = toWorking(nullSpace.data.subarray(d * nullSpace.rows, (d + 1) * nullSpace.rows), basis);
    for (let c = 0; c < q; c++) for (let r = 0; r < q; r++) R.data[r + c * q]! += size * v[r]! * v[c]!;
  }
  return R;
}

/** A = information + ridge + S_λ. */
export function penalised(
  information: Matrix,
  ridge: Matrix | undefined,
  { basis, lambda }: { basis: WorkingBasis; lambda: Float64Array },
): Matrix {
  const A = { ...information, data: information.data.slice() };
  if (ridge !== undefined) for (let i = 0; i < A.data.length; i++) A.data[i]! += ridge.data[i]!;
  addPenalties(A, basis, lambda);
  return A;
}

/** S_λx */
export function penaltyGradient({ penalties, q }: WorkingBasis, lambda: Float64Array, x: Float64Array): Float64Array {
  const v = new Float64Array(q);
  penalties.forEach((penalty, j) => {
    const part = penaltyTimes(penalty, lambda[j]!, x);
    for (let i = penalty.from; i < penalty.from + penalty.size; i++) v[i]! += part[i]!;
  });
  return v;
}

/** X'WX in working coordinates for weights over the rows. */
export function workingCross({ rows }: GamProblem, basis: WorkingBasis, weights: Float64Array): Matrix {
  const raw = zeros(rows.p, rows.p);
  rows.crossInto(raw.data, weights);
  const G = zeros(basis.q, basis.q);
  toWorkingInto(G, raw, basis);
  return G;
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
