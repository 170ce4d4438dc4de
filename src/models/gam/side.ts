/** Smooths nested in one another, as s(x) + te(x, z): columns of the larger one that the smaller ones determine are left out.
 *
 *  For a smooth of several covariates, X₁ holds the intercept and every smooth of fewer covariates that shares one with it. What X₁
 *  leaves of its columns is factorised with the largest remaining column leading; columns of which nothing remains are dropped.
 *  Reference: Wood (2017), Generalized Additive Models, 2nd ed., §5.6.3.
 *  Oracle:    mgcv (R), oracle/r/gam.json. */
import { type Matrix, selectColumns, selectRows, zeros } from "../../numeric/linalg/matrix.ts";
import { pivotedCholesky } from "../../numeric/linalg/pivoted-cholesky.ts";
import type { LearnedTerm } from "./problem.ts";

/** Of a squared length: what rounding in X'X leaves of a column that is wholly determined. */
const DETERMINED = 1e-11;

interface SideInput {
  /** X'X of the whole design. */
  readonly gram: Matrix;
  /** Parametric columns. */
  readonly first: number;
  readonly intercept: boolean;
}

/** For each smooth the columns that stay. */
export function sideConstraints(terms: readonly LearnedTerm[], { gram, first, intercept }: SideInput): Int32Array[] {
  const starts: number[] = [];
  let at = first;
  for (const { learned } of terms) {
    starts.push(at);
    at += learned.columns;
  }
  const names = terms.map(({ learned }) => variableNames(learned));
  const kept: Int32Array[] = terms.map(({ learned }) => Int32Array.from({ length: learned.columns }, (_, j) => j));
  const byDimension = terms.map((_, t) => t).sort((a, b) => names[a]!.length - names[b]!.length || a - b);
  byDimension.forEach((t, place) => {
    if (isRandom(terms[t]!)) return;
    const smaller = byDimension
      .slice(0, place)
      .filter((other) => !isRandom(terms[other]!) && names[other]!.some((name) => names[t]!.includes(name)));
    if (smaller.length === 0) return;
    const before = smaller.flatMap((other) => Array.from(kept[other]!, (j) => starts[other]! + j));
    // the constant is in the span of the parametric columns
    const known = [...(intercept ? Array.from({ length: first }, (_, j) => j) : []), ...before];
    const own = Array.from(kept[t]!, (j) => starts[t]! + j);
    kept[t] = determinedBy(gram, known, own);
  });
  return kept;
}

const isRandom = ({ learned }: LearnedTerm): boolean => learned.basis[0] === "re";

/** A covariate counts as another one with another `by`. */
function variableNames({ of, by }: LearnedTerm["learned"]): string[] {
  const suffix = by === undefined ? "" : ` by ${by.name}${by.kind === "level" ? ` ${by.level}` : ""}`;
  return of.map((name) => name + suffix);
}

function determinedBy(gram: Matrix, known: readonly number[], own: readonly number[]): Int32Array {
  const a = pivotedCholesky(block(gram, known, known), DETERMINED);
  const independent = Array.from(a.pivot.subarray(0, Math.max(a.rank, 0)), (j) => known[j]!);
  const r = independent.length;
  // W = L⁻¹ X₁'X₂, so that X₂'X₂ - W'W is what X₁ leaves
  const W = block(gram, independent, own);
  const L = { rows: r, cols: r, data: new Float64Array(r * r) };
  for (let c = 0; c < r; c++) for (let i = c; i < r; i++) L.data[i + c * r] = a.L.data[i + c * a.L.rows]!;
  for (let c = 0; c < W.cols; c++) {
    for (let i = 0; i < r; i++) {
      let value = W.data[i + c * r]!;
      for (let k = 0; k < i; k++) value -= L.data[i + k * r]! * W.data[k + c * r]!;
      W.data[i + c * r] = value / L.data[i * (r + 1)]!;
    }
  }
  const rest = block(gram, own, own);
  const k = own.length;
  const floor = Array.from({ length: k }, (_, j) => rest.data[j * (k + 1)]!).reduce((x, y) => Math.max(x, y), 0);
  for (let c = 0; c < k; c++) {
    for (let i = 0; i < k; i++) {
      let sum = 0;
      for (let t = 0; t < r; t++) sum += W.data[t + i * r]! * W.data[t + c * r]!;
      rest.data[i + c * k]! -= sum;
    }
  }
  const top = Array.from({ length: k }, (_, j) => rest.data[j * (k + 1)]!).reduce((x, y) => Math.max(x, y), 0);
  const left = pivotedCholesky(rest, (DETERMINED * floor) / Math.max(top, Number.MIN_VALUE));
  if (left.rank < 0 || left.rank === k) return Int32Array.from({ length: k }, (_, j) => j);
  return left.pivot.slice(0, left.rank).sort();
}

function block(A: Matrix, rows: readonly number[], cols: readonly number[]): Matrix {
  return rows.length === 0 ? zeros(0, cols.length) : selectColumns(selectRows(A, rows), cols);
}
