/** What the bases of smooth terms share: the functions a basis is made of, the margin that combines them into columns, and
 *  the distinct covariate points that a basis is learned from.
 *
 *  A design row is  table · φ(x):  φ holds the values of elementary functions at x, of which a local basis has at most four
 *  that are not zero, side by side; `table` maps them to the columns, with every reparametrisation and the centring
 *  constraint already in it. */
import { makeReflectorAt, reflectAt } from "../../numeric/linalg/householder.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { mirrorUpperInto, zeros } from "../../numeric/linalg/matrix.ts";

/** A cubic spline by its values (function 2j) and second derivatives (2j + 1) at the knots: four neighbours are not zero.
 *  Linear beyond the end knots, or periodic. */
export interface CubicFunctions {
  readonly kind: "cubic";
  readonly knots: Float64Array;
  readonly periodic: boolean;
}

/** B-splines of one degree: degree + 1 neighbours are not zero. Linear beyond the inner knots. */
export interface BsplineFunctions {
  readonly kind: "bspline";
  readonly knots: Float64Array;
  readonly degree: number;
}

/** One function per combination of levels (the first factor varies fastest), times the product of the numeric covariates. */
export interface LevelFunctions {
  readonly kind: "levels";
  /** Levels of each covariate; 0 marks a numeric one. */
  readonly sizes: Int32Array;
}

/** Thin plate functions η(‖x - center‖), then the polynomials that the penalty leaves alone; none is zero. */
export interface RadialFunctions {
  readonly kind: "radial";
  /** Order of the derivatives in the penalty. */
  readonly order: number;
  /** Centers × covariates, after the shift. */
  readonly centers: Matrix;
  /** Taken from each covariate first. */
  readonly shift: Float64Array;
  /** Polynomials × covariates: the exponents. */
  readonly powers: Matrix;
}

export type LocalFunctions = CubicFunctions | BsplineFunctions | LevelFunctions;
export type BasisFunctions = LocalFunctions | RadialFunctions;

/** A basis of one or more covariates: row(x) = table · φ(x). */
export interface Margin {
  readonly functions: BasisFunctions;
  /** Columns × functions; absent where the functions are the columns. */
  readonly table?: Matrix;
  readonly columns: number;
  /** How many covariates it takes, in the order of the term. */
  readonly covariates: number;
}

/** Sums over the rows learned from. */
export interface ColumnMoments {
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  /** Largest sum of absolute entries in a row: the ∞-norm. */
  readonly norm: number;
}

/** A basis as built, before scaling and constraint. */
export interface RawBasis {
  readonly margin: Margin;
  readonly S: readonly Matrix[];
  readonly ranks: readonly number[];
  /** Dimension of the space that no penalty sees. */
  readonly nullDim: number;
  /** Of the design over the rows learned from, where building the basis gave them. */
  readonly moments?: ColumnMoments;
  /** Random effects carry no constraint: their penalty already pulls to zero. */
  readonly centred: boolean;
  /** In a tensor product, whether to make the coefficients values of the function, so that penalties act alike. */
  readonly reparametrise: boolean;
}

/** The distinct points of some covariates, in lexicographic order, and how many rows have each. */
export interface DistinctPoints {
  readonly columns: readonly Float64Array[];
  readonly counts: Float64Array;
  /** The sum of the counts. */
  readonly rows: number;
}

export interface BasisRequest {
  /** Names of the covariates, for messages. */
  readonly names: readonly string[];
  /** NaN for the default. */
  readonly k: number;
  /** Orders as given; empty or NaN for the default. */
  readonly m: readonly number[];
  readonly knots?: ArrayLike<number> | undefined;
}

export function functionCount(functions: BasisFunctions): number {
  switch (functions.kind) {
    case "cubic":
      return 2 * functions.knots.length;
    case "bspline":
      return functions.knots.length - functions.degree - 1;
    case "levels":
      return functions.sizes.reduce((product, size) => product * Math.max(size, 1), 1);
    case "radial":
      return functions.centers.rows + functions.powers.rows;
  }
}

/** How many neighbouring functions can differ from zero at one point. */
export function functionWidth(functions: BasisFunctions): number {
  switch (functions.kind) {
    case "cubic":
      return 4;
    case "bspline":
      return functions.degree + 1;
    case "levels":
      return 1;
    case "radial":
      return functionCount(functions);
  }
}

export function distinctPoints(covariates: readonly Float64Array[]): DistinctPoints {
  const rows = covariates[0]!.length;
  if (covariates.length > 1) return indexPoints(covariates);
  const x = covariates[0]!.slice().sort();
  const counts = new Float64Array(rows);
  let distinct = 0;
  for (let i = 0; i < rows; i++) {
    if (i === 0 || x[i] !== x[distinct - 1]) x[distinct++] = x[i]!;
    counts[distinct - 1]! += 1;
  }
  return { columns: [x.slice(0, distinct)], counts: counts.slice(0, distinct), rows };
}

/** The distinct points, and which of them each row has. */
export function indexPoints(covariates: readonly Float64Array[]): DistinctPoints & { readonly index: Uint32Array } {
  const rows = covariates[0]!.length;
  const order = Uint32Array.from({ length: rows }, (_, i) => i).sort((a, b) => {
    for (const x of covariates) if (x[a] !== x[b]) return x[a]! - x[b]!;
    return 0;
  });
  const index = new Uint32Array(rows);
  const firsts: number[] = [];
  for (let i = 0; i < rows; i++) {
    const row = order[i]!;
    if (i === 0 || covariates.some((x) => x[row] !== x[order[i - 1]!])) firsts.push(row);
    index[row] = firsts.length - 1;
  }
  const counts = new Float64Array(firsts.length);
  for (const point of index) counts[point]! += 1;
  return { columns: covariates.map((x) => Float64Array.from(firsts, (row) => x[row]!)), counts, rows, index };
}

/** The reflection H with H·c = ±‖c‖e₁: coefficients Hβ with the first one zero are those with c'β = 0. */
export interface Centring {
  /** ±‖c‖, then the tail of the reflector. */
  readonly v: Float64Array;
  readonly tau: number;
}

/** The constraint c'β = 0, where c holds the column means: the smooth sums to zero over the data. */
export function makeCentring(means: Float64Array): Centring {
  const v = means.slice();
  return { v, tau: makeReflectorAt(v, 0, v.length) };
}

/** Rows with the constraint absorbed: (Hx)₂…ₖ for every column x of the table. */
export function absorbTable(table: Matrix, { v, tau }: Centring): Matrix {
  const k = table.rows;
  const absorbed = zeros(k - 1, table.cols);
  const x = new Float64Array(k);
  for (let j = 0; j < table.cols; j++) {
    x.set(table.data.subarray(j * k, (j + 1) * k));
    reflectAt(x, 0, v, 0, k, tau);
    absorbed.data.set(x.subarray(1), j * (k - 1));
  }
  return absorbed;
}

/** The penalty on the coefficients that remain: HSH without its first row and column. */
export function absorbPenalty(S: Matrix, centring: Centring): Matrix {
  const half = absorbTable(S, centring); // (HS)₂…ₖ, (k-1) × k
  const k = S.rows;
  const turned = zeros(k, k - 1);
  for (let j = 0; j < k; j++) for (let i = 0; i < k - 1; i++) turned.data[j + i * k] = half.data[i + j * (k - 1)]!;
  const absorbed = absorbTable(turned, centring);
  mirrorUpperInto(absorbed);
  return absorbed;
}
