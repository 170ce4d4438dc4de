/** H = Λ'Z'WZΛ + I, factored for one vector of weights W, and the entries of H⁻¹ that the gradient needs; sparse layout.
 *
 *  H keeps one pattern for all θ and W: its fill-reducing order and symbolic factorisation are found once, and with them the
 *  places of every product of two columns of a row, in H and in its selected inverse.
 *  Reference: numeric/linalg/symbolic.ts, numeric/linalg/sparse-cholesky.ts, numeric/linalg/selected-inverse.ts.
 *  Limits:    blocks.ts is faster where factors are crossed within clusters of levels. */
import { inverseEntry, makeSelectedInverse, selectedInverseInto } from "../../numeric/linalg/selected-inverse.ts";
import { fromTriplets, type GramPlan, gramSparseInto, planGram } from "../../numeric/linalg/sparse.ts";
import { factorInto, makeFactor, sparseLogDet, sparseSolveInto } from "../../numeric/linalg/sparse-cholesky.ts";
import { analyzeWithin, factorWork, type Symbolic } from "../../numeric/linalg/symbolic.ts";
import type { StepCost } from "../random/cost.ts";

/** What a step may take: `refuse` throws where that is less than it would; `most` is where to stop counting. */
export interface FactorLimits {
  refuse(cost: StepCost): void;
  readonly most: number;
}

/** Rows of ZΛ: row i has the random effects column[i·width + k], with numbers zl[i·width + k] that θ changes. */
export interface RandomRows {
  readonly rows: number;
  readonly width: number;
  /** Random effects in all. */
  readonly size: number;
  readonly column: Int32Array;
  readonly zl: Float64Array;
}

export interface RandomFactor {
  /** Factors H at the present ZΛ; false where it is not positive definite. */
  factor(w: Float64Array): boolean;
  /** x ← H⁻¹x. */
  solveInto(x: Float64Array): void;
  logDet(): number;
  /** m_i = H⁻¹Λ'z_i on the columns of row i, h_i = z_i'Λm_i. */
  leveragesInto(h: Float64Array, m: Float64Array): void;
  /** Entry (i, j) of H⁻¹, after leveragesInto(), for effects of one row. */
  inverseEntry(i: number, j: number): number;
}

/** Two factors and an inverse. */
const COPIES = 3;

/** Two factors with one analysis. */
export function makeSparseFactors(
  Z: RandomRows,
  { refuse, most }: FactorLimits,
): readonly [RandomFactor, RandomFactor] {
  const { rows, width, size, column } = Z;
  const row = Int32Array.from(column, (_, at) => Math.floor(at / width));
  // all columns of a level belong to the pattern, even where a covariate is 0
  const plan = planGram(fromTriplets(rows, size, { i: row, j: column, x: new Float64Array(column.length) }));
  const symbolic = analyzeWithin(plan.gram, { most });
  // columns of equal height are the cheapest
  refuse(
    symbolic === undefined
      ? { numbers: COPIES * most, multiplications: most ** 2 / size }
      : { numbers: COPIES * symbolic.size, multiplications: factorWork(symbolic) },
  );
  return factorsOf(Z, plan, symbolic!);
}

function factorsOf(Z: RandomRows, plan: GramPlan, symbolic: Symbolic): readonly [RandomFactor, RandomFactor] {
  const { zl } = Z;
  const place = plan.position.map((at) => symbolic.target[at]!);
  const inverse = makeSelectedInverse(symbolic);
  const make = (): RandomFactor => {
    const F = makeFactor(symbolic);
    return {
      factor(w) {
        gramSparseInto(plan, w, zl);
        return factorInto(F, plan.gram.values, 1) < 0;
      },
      solveInto: (x) => sparseSolveInto(x, F),
      logDet: () => sparseLogDet(F),
      leveragesInto(h, m) {
        selectedInverseInto(inverse, F);
        sparseLeveragesInto(h, m, { Z, place, G: inverse.values });
      },
      inverseEntry: (i, j) => inverseEntry(inverse, i, j),
    };
  };
  return [make(), make()];
}

interface SparseEntries {
  readonly Z: RandomRows;
  /** Where products a >= b of a row (in order) stand in the panels. */
  readonly place: Int32Array;
  readonly G: Float64Array;
}

function sparseLeveragesInto(h: Float64Array, m: Float64Array, { Z, place, G }: SparseEntries): void {
  const { rows, width, zl } = Z;
  let pair = 0;
  m.fill(0);
  for (let i = 0, at = 0; i < rows; i++, at += width) {
    for (let a = 0; a < width; a++) {
      const za = zl[at + a]!;
      let s = 0;
      for (let b = 0; b < a; b++, pair++) {
        const g = G[place[pair]!]!;
        s += g * zl[at + b]!;
        m[at + b]! += g * za;
      }
      m[at + a]! += s + G[place[pair++]!]! * za;
    }
    let sum = 0;
    for (let a = 0; a < width; a++) sum += zl[at + a]! * m[at + a]!;
    h[i] = sum;
  }
}
