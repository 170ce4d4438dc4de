/** Column sums, sums of squares and the ∞-norm of the design of a margin, in time proportional to the functions that are not
 *  zero: with φ the functions at a point, Σ table·φ = table·Σφ and Σ (table·φ)² comes from the banded Σφφ'.
 *  The ∞-norm max Σ_j |x_j| of a cubic basis: where no column changes sign between two knots, the sum of absolute values is a
 *  cubic there too, with the column sums of the signed table as coefficients. Columns keep their sign if their Bernstein
 *  coefficients do.
 *  Oracle:    the rows themselves, rows.test.ts. */
import { dotAt } from "../../numeric/linalg/kernel.ts";
import { type Matrix, matVec } from "../../numeric/linalg/matrix.ts";
import { type LocalRows, localRows, radialRows } from "./local-rows.ts";
import type { ColumnMoments, CubicFunctions, DistinctPoints, Margin } from "./margin.ts";
import { functionWidth } from "./margin.ts";

/** Bernstein coefficients below this share of the largest count as zero: they move the norm by rounding only. */
const NEGLIGIBLE = 1e-15;

/** Over all rows, from the distinct points and their counts. */
export function columnMoments(margin: Margin, points: DistinctPoints): ColumnMoments {
  const { functions, table } = margin;
  if (functions.kind === "radial") return rowMoments(radialRows(functions, table!, points.columns), points.counts);
  const rows = localRows(margin, points.columns)!;
  const { sums, band } = functionMoments(rows, points.counts);
  const width = functionWidth(functions);
  if (table === undefined) {
    const squares = sums.map((_, a) => band[a * width]!);
    return { sums, squares, norm: localNorm(rows, undefined) };
  }
  const norm = functions.kind === "cubic" ? cubicNorm(rows, table, { functions, points }) : localNorm(rows, table);
  return { sums: matVec(table, sums), squares: bandSquares(table, band, width), norm };
}

/** Σφ and, in band[a·width + d], Σ φ_a φ_{a+d}. */
function functionMoments(
  { width, functions, first, values }: LocalRows,
  counts: Float64Array,
): { sums: Float64Array; band: Float64Array } {
  const sums = new Float64Array(functions);
  const band = new Float64Array(functions * width);
  for (let i = 0; i < counts.length; i++) {
    const at = width * i;
    for (let a = 0; a < width; a++) {
      const weighted = counts[i]! * values[at + a]!;
      const own = first[i]! + a;
      sums[own]! += weighted;
      for (let b = a; b < width; b++) band[own * width + b - a]! += weighted * values[at + b]!;
    }
  }
  return { sums, band };
}

/** The diagonal of table·G·table' for the banded G. */
function bandSquares(table: Matrix, band: Float64Array, width: number): Float64Array {
  const { rows: k, cols: count, data } = table;
  const squares = new Float64Array(k);
  for (let a = 0; a < count; a++) {
    for (let d = 0; d < Math.min(width, count - a); d++) {
      const weight = (d === 0 ? 1 : 2) * band[a * width + d]!;
      if (weight === 0) continue;
      for (let j = 0; j < k; j++) squares[j]! += weight * data[j + a * k]! * data[j + (a + d) * k]!;
    }
  }
  return squares;
}

function cubicNorm(
  { first, values }: LocalRows,
  table: Matrix,
  { functions, points }: { functions: CubicFunctions; points: DistinctPoints },
): number {
  const { knots } = functions;
  const x = points.columns[0]!;
  const signed = new Float64Array(4);
  let gap = -1;
  let keeps = false;
  let norm = 0;
  for (let i = 0; i < x.length; i++) {
    if (first[i] !== gap) {
      gap = first[i]!;
      keeps = signedSumsInto(signed, table, gap, knots[gap / 2 + 1]! - knots[gap / 2]!);
    }
    const inside = x[i]! >= knots[0]! && x[i]! <= knots[knots.length - 1]!;
    const at = 4 * i;
    const sum =
      keeps && inside ? dotAt(values, at, signed, 0, 4) : absoluteSum(table, gap, values.subarray(at, at + 4));
    norm = Math.max(norm, sum);
  }
  return norm;
}

/** The table's columns first … first + 3, summed with the sign that each basis column has in this gap of width h; false when
 *  one changes its sign. */
function signedSumsInto(signed: Float64Array, table: Matrix, first: number, h: number): boolean {
  const { rows: k, data } = table;
  signed.fill(0);
  let most = 0;
  for (let pass = 0; pass < 2; pass++) {
    for (let j = 0; j < k; j++) {
      const at = j + first * k;
      const [v0, c0, v1, c1] = [data[at]!, data[at + k]!, data[at + 2 * k]!, data[at + 3 * k]!];
      const b1 = (2 * v0 + v1) / 3 - (h * h * (2 * c0 + c1)) / 18;
      const b2 = (v0 + 2 * v1) / 3 - (h * h * (c0 + 2 * c1)) / 18;
      const high = Math.max(v0, b1, b2, v1);
      const low = Math.min(v0, b1, b2, v1);
      if (pass === 0) most = Math.max(most, high, -low);
      else {
        if (high > NEGLIGIBLE * most && low < -NEGLIGIBLE * most) return false;
        const sign = high > -low ? 1 : -1;
        for (let w = 0; w < 4; w++) signed[w]! += sign * data[at + w * k]!;
      }
    }
  }
  return true;
}

function absoluteSum(table: Matrix, first: number, values: Float64Array): number {
  const { rows: k, data } = table;
  let total = 0;
  for (let j = 0; j < k; j++) {
    let entry = 0;
    for (let w = 0; w < values.length; w++) entry += values[w]! * data[j + (first + w) * k]!;
    total += Math.abs(entry);
  }
  return total;
}

function localNorm({ width, first, values }: LocalRows, table: Matrix | undefined): number {
  let norm = 0;
  for (let i = 0; i < first.length; i++) {
    const own = values.subarray(width * i, width * (i + 1));
    let total = 0;
    if (table !== undefined) total = absoluteSum(table, first[i]!, own);
    else for (let w = 0; w < width; w++) total += Math.abs(own[w]!);
    norm = Math.max(norm, total);
  }
  return norm;
}

/** From rows that are there already: columns × points. */
export function rowMoments({ rows: k, data }: Matrix, counts: Float64Array): ColumnMoments {
  const sums = new Float64Array(k);
  const squares = new Float64Array(k);
  let norm = 0;
  for (let i = 0; i < counts.length; i++) {
    let total = 0;
    for (let j = 0; j < k; j++) {
      const value = data[j + i * k]!;
      sums[j]! += counts[i]! * value;
      squares[j]! += counts[i]! * value * value;
      total += Math.abs(value);
    }
    norm = Math.max(norm, total);
  }
  return { sums, squares, norm };
}
