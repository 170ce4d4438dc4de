/** Thin plate regression splines: tp and ts (shrunk), of any number of covariates.
 *
 *  f(x) = Σ δ_i η(‖x - x_i‖) + Σ α_j φ_j(x) with T'δ = 0, where φ spans the polynomials below degree m and T holds them at the
 *  centers; the penalty is δ'Eδ, E_ij = η(‖x_i - x_j‖). The basis keeps the k eigenvectors U of E with the largest |D|:
 *  δ = UZδ_k with T'UZ = 0, so X = [UDZ, T] and S = Z'DZ. Every column is scaled to mean square one over the rows.
 *  To land on mgcv's smoothing parameters, whose scale depends on the basis chosen inside that space, eigenvalues stand in
 *  signed falling order and Z comes from reflections that clear all but the last entries of the rows of T'U. With as many columns
 *  as centers nothing is cut off, and the eigenvectors are left out: U = I, X = [EZ, T], S = Z'EZ.
 *  All distinct points are centers; of more than 2000, the 2000 that R's sample() draws with seed 1, from points numbered by value, or
 *  with several covariates as mgcv numbers them (number.ts).
 *  ts adds a tenth of the smallest positive eigenvalue of S on the polynomials.
 *  With one covariate and m = 2, f is a natural cubic spline, kept by values and curvatures at the centers: a row costs
 *  four products per column however many centers there are.
 *  Reference: Wood (2003), J. R. Stat. Soc. B 65(1), eq. 3 - 8; Wood (2017), Generalized Additive Models, 2nd ed., §5.5.
 *  Oracle:    mgcv (R), oracle/r/basis.json, oracle/r/basis-centers.json: X up to the sign of columns to 1e-8, fits at fixed smoothing
 *             parameters to 1e-8. */
import { eigenvaluesSymmetric } from "../../numeric/linalg/eigen.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { crossprod, mirrorUpperInto, multiply, zeros } from "../../numeric/linalg/matrix.ts";
import { qMatrixInto, qr } from "../../numeric/linalg/qr.ts";
import { StatError } from "../../result/error.ts";
import { tooFewValues } from "./cubic.ts";
import { leadingEigen, type SymmetricOperator } from "./eigen.ts";
import { radialRows } from "./local-rows.ts";
import type { BasisFunctions, BasisRequest, DistinctPoints, Margin, RadialFunctions, RawBasis } from "./margin.ts";
import { columnMoments, rowMoments } from "./moments.ts";
import { orderAsR } from "./number.ts";
import { kernelOperator, polynomialPowers, polynomialValue } from "./radial.ts";
import { sampleAsR } from "./sample.ts";

const MAX_CENTERS = 2000;
const CENTER_SEED = 1;
const SHRINKAGE = 0.1;
/** Columns besides the polynomials by default, for one, two and more covariates. */
const DEFAULT_SIZES = [8, 27, 100] as const;

export function learnThinPlate(
  points: DistinctPoints,
  request: BasisRequest,
  { shrink }: { shrink: boolean },
): RawBasis {
  const { radial, knots } = placeCenters(points, request);
  const M = radial.powers.rows;
  const k = chooseSize(points, request, M);
  const spline = truncate(radial, k);
  const natural = radial.centers.cols === 1 && radial.order === 2;
  const { functions, table } = natural
    ? naturalSpline(knots, spline, radial.shift[0]!)
    : radialTable(radial, spline.UZ);
  const margin: Margin = { functions, table, columns: k, covariates: radial.centers.cols };
  const rows = functions.kind === "radial" ? radialRows(functions, table, points.columns) : undefined;
  const { squares } = rows === undefined ? columnMoments(margin, points) : rowMoments(rows, points.counts);
  const scale = squares.map((sum) => 1 / Math.sqrt(sum / points.rows));
  scaleRows(table, scale);
  if (rows !== undefined) scaleRows(rows, scale);
  const S = zeros(k, k);
  for (let j = 0; j < k - M; j++) {
    for (let i = 0; i < k - M; i++) S.data[i + j * k] = spline.S.data[i + j * (k - M)]! * scale[i]! * scale[j]!;
  }
  if (shrink) {
    const least = eigenvaluesSymmetric(S)[k - M - 1]!;
    for (let j = k - M; j < k; j++) S.data[j + j * k] = SHRINKAGE * least;
  }
  return {
    margin,
    ...(rows === undefined ? {} : { moments: rowMoments(rows, points.counts) }),
    S: [S],
    ranks: [shrink ? k : k - M],
    nullDim: shrink ? 0 : M,
    centred: true,
    reparametrise: true,
  };
}

function scaleRows(A: Matrix, scale: Float64Array): void {
  for (let j = 0; j < A.cols; j++) for (let i = 0; i < A.rows; i++) A.data[i + j * A.rows]! *= scale[i]!;
}

/** m so that 2m > d + 1, which makes f continuous with room to spare. */
function penaltyOrder({ names, m }: BasisRequest): number {
  const d = names.length;
  const given = m[0];
  if (given === undefined || Number.isNaN(given)) return Math.floor((d + 1) / 2) + 1;
  if (m.length === 1 && Number.isInteger(given) && 2 * given > d) return given;
  throw new StatError(
    "BadPenaltyOrder",
    `m = ${m.join(", ")} does not suit a thin plate spline of ${names.join(", ")}.`,
    `give one whole number above ${d / 2}, or leave m out.`,
  );
}

function chooseSize({ counts }: DistinctPoints, { names, k: wanted }: BasisRequest, M: number): number {
  const k = Number.isNaN(wanted) ? M + DEFAULT_SIZES[Math.min(names.length, 3) - 1]! : wanted;
  if (k <= M) {
    throw new StatError(
      "BasisTooSmall",
      `k = ${k} for s(${names.join(",")}), but ${M} columns are polynomials that the penalty leaves alone.`,
      `give k = ${M + 1} or more.`,
    );
  }
  if (k > counts.length) throw tooFewValues(names, { k, distinct: counts.length });
  return k;
}

interface Centers {
  readonly radial: RadialFunctions;
  /** The first covariate at the centers, unshifted. */
  readonly knots: Float64Array;
}

function placeCenters({ columns, counts, rows }: DistinctPoints, request: BasisRequest): Centers {
  if (request.knots !== undefined) {
    const message = `knots were given for ${request.names.join(", ")}, but a thin plate spline takes its own.`;
    throw new StatError("BadKnots", message, 'leave them out, or use bs = "cr".');
  }
  const d = columns.length;
  const shift = Float64Array.from(columns, (x) => exactMean(x, counts, rows));
  const apart = distinctAfterShift(columns, shift);
  const chosen = apart.length <= MAX_CENTERS ? apart : sampleCenters(columns, shift, apart);
  const centers = zeros(chosen.length, d);
  for (let c = 0; c < d; c++) {
    for (let i = 0; i < chosen.length; i++) centers.data[i + c * chosen.length] = columns[c]![chosen[i]!]! - shift[c]!;
  }
  const order = penaltyOrder(request);
  return {
    radial: { kind: "radial", order, centers, shift, powers: polynomialPowers(d, order) },
    knots: Float64Array.from(chosen, (i) => columns[0]![i]!),
  };
}

/** The points that mgcv draws. */
function sampleCenters(columns: readonly Float64Array[], shift: Float64Array, apart: Int32Array): Int32Array {
  const shifted = columns.map((x, c) => Float64Array.from(apart, (i) => x[i]! - shift[c]!));
  const order = columns.length === 1 ? apart.map((_, i) => i) : orderAsR(shifted);
  if (order.length <= MAX_CENTERS) return apart;
  return sampleAsR(order.length, MAX_CENTERS, CENTER_SEED)
    .map((i) => apart[order[i]!]!)
    .sort((a, b) => a - b);
}

/** Splits a double into halves of 26 bits (Dekker 1971), whose products with a count are exact. */
const SPLIT = 2 ** 27 + 1;

function halves(value: number): [high: number, low: number] {
  const spread = value * SPLIT;
  const high = spread - (spread - value);
  return [high, value - high];
}

/** The mean to the last bit, summed with carries (Neumaier 1974): which points coincide once it is subtracted hangs on that bit. */
function exactMean(values: Float64Array, counts: Float64Array, rows: number): number {
  let sum = 0;
  let carry = 0;
  const add = (term: number): void => {
    const next = sum + term;
    carry += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  };
  for (let i = 0; i < values.length; i++) for (const half of halves(values[i]!)) add(half * counts[i]!);
  const mean = (sum + carry) / rows;
  for (const half of halves(mean)) add(-half * rows);
  return mean + (sum + carry) / rows;
}

/** Points that differ by rounding only (0.45 and 0.44999999999999996, averages of the same readings) fall together when the mean is
 *  subtracted, as they do in mgcv: two centers in one place would weigh double in the choice of the eigenvectors. */
function distinctAfterShift(columns: readonly Float64Array[], shift: Float64Array): Int32Array {
  const kept: number[] = [];
  for (let i = 0; i < columns[0]!.length; i++) {
    const last = kept.at(-1);
    const same = last !== undefined && columns.every((x, c) => x[i]! - shift[c]! === x[last]! - shift[c]!);
    if (!same) kept.push(i);
  }
  return Int32Array.from(kept);
}

interface Truncated {
  readonly UZ: Matrix;
  readonly UDZ: Matrix;
  readonly S: Matrix;
}

function truncate(radial: RadialFunctions, k: number): Truncated {
  const { centers, powers } = radial;
  const n = centers.rows;
  const T = zeros(n, powers.rows);
  for (let j = 0; j < powers.rows; j++) {
    for (let i = 0; i < n; i++) T.data[i + j * n] = polynomialValue(powers, j, (c) => centers.data[i + c * n]!);
  }
  const kernel = kernelOperator(radial);
  return k === n ? wholeSpace(kernel, T) : leadingSpace(kernel, T, k);
}

function wholeSpace(kernel: SymmetricOperator, T: Matrix): Truncated {
  const Z = nullSpace(T);
  const EZ = zeros(Z.rows, Z.cols);
  kernel.applyInto(EZ, Z);
  const S = crossprod(Z, EZ);
  mirrorUpperInto(S);
  return { UZ: Z, UDZ: EZ, S };
}

function leadingSpace(kernel: SymmetricOperator, T: Matrix, k: number): Truncated {
  const n = T.rows;
  const leading = leadingEigen(kernel, k);
  const order = Array.from(leading.values.keys()).sort((a, b) => leading.values[b]! - leading.values[a]!);
  const U = zeros(n, k);
  order.forEach((from, to) => {
    U.data.set(leading.vectors.data.subarray(from * n, (from + 1) * n), to * n);
  });
  const D = Float64Array.from(order, (j) => leading.values[j]!);
  const Z = nullSpace(crossprod(U, T));
  const DZ = zeros(k, Z.cols);
  for (let j = 0; j < Z.cols; j++) for (let i = 0; i < k; i++) DZ.data[i + j * k] = D[i]! * Z.data[i + j * k]!;
  const S = crossprod(Z, DZ);
  mirrorUpperInto(S);
  return { UZ: multiply(U, Z), UDZ: multiply(U, DZ), S };
}

/** Orthonormal Z (k × (k - M)) with A'Z = 0 for A k × M: reflection j leaves of column j nothing above entry k - 1 - j. */
function nullSpace(A: Matrix): Matrix {
  const { rows: k, cols: M } = A;
  const upsideDown = zeros(k, M); // so that the usual reflectors, which clear what is below, do it
  for (let j = 0; j < M; j++) for (let i = 0; i < k; i++) upsideDown.data[k - 1 - i + j * k] = A.data[i + j * k]!;
  const Q = zeros(k, k - M);
  for (let j = 0; j < Q.cols; j++) Q.data[k - 1 - j + j * k] = 1;
  qMatrixInto(Q, qr(upsideDown, { pivoting: "none" }));
  for (let j = 0; j < Q.cols; j++) Q.data.subarray(j * k, (j + 1) * k).reverse();
  return Q;
}

interface RawTable {
  readonly functions: BasisFunctions;
  readonly table: Matrix;
}

function radialTable(functions: RadialFunctions, UZ: Matrix): RawTable {
  const { rows: n, cols } = UZ;
  const M = functions.powers.rows;
  const k = cols + M;
  const table = zeros(k, n + M);
  for (let j = 0; j < cols; j++) for (let i = 0; i < n; i++) table.data[j + i * k] = UZ.data[i + j * n]!;
  for (let j = 0; j < M; j++) table.data[cols + j + (n + j) * k] = 1;
  return { functions, table };
}

/** m = 2 in one dimension: η″ = |r|/2, and the curvature grows from center to center by the gap times the sum of δ so far,
 *  because Σδ = Σxδ = 0. */
function naturalSpline(knots: Float64Array, { UZ, UDZ }: Truncated, shift: number): RawTable {
  const { rows: n, cols } = UZ;
  const k = cols + 2;
  const table = zeros(k, 2 * n);
  for (let j = 0; j < cols; j++) {
    let curvature = 0;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      if (i > 0) curvature += sum * (knots[i]! - knots[i - 1]!);
      sum += UZ.data[i + j * n]!;
      table.data[j + 2 * i * k] = UDZ.data[i + j * n]!;
      table.data[j + (2 * i + 1) * k] = i === n - 1 ? 0 : curvature;
    }
  }
  for (let i = 0; i < n; i++) {
    table.data[k - 2 + 2 * i * k] = 1;
    table.data[k - 1 + 2 * i * k] = knots[i]! - shift;
  }
  return { functions: { kind: "cubic", knots, periodic: false }, table };
}
