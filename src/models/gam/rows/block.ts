/** The rows of one part of a GAM design, parametric columns or a smooth, in the space of its functions.
 *
 *  Row i holds `width` values at the functions first + offsets[0 … width); `tables` turns functions into columns. A local basis
 *  keeps four numbers a row however many columns it has, a tensor product of two sixteen. A basis with many more functions
 *  than columns (a thin plate spline has one or two per distinct value) is instead given by its columns: then width = functions,
 *  and rows are made slice by slice.
 *  A factor `by` leaves only the rows of its level, a numeric one scales the rows. */
import type { Column } from "../../../data/table.ts";
import { byValues, type LearnedSmooth, smoothCovariates } from "../../../formula/basis/basis.ts";
import { type LocalRows, localRows, radialRows } from "../../../formula/basis/local-rows.ts";
import { indexPoints, type Margin, type RadialFunctions } from "../../../formula/basis/margin.ts";
import type { SmoothColumns } from "../../../formula/design.ts";
import type { Matrix } from "../../../numeric/linalg/matrix.ts";
import type { QuadrupleRows } from "../../../numeric/linalg/wasm.ts";
import { naturalTables } from "./natural.ts";
import { identityTables, plainTables, type Tables, tensorTables } from "./tables.ts";

/** Rows handled at a time: their values stay in the second-level cache. */
export const SLICE = 4096;
/** More functions per column than this are turned into columns at once, row by row. */
const MOST_FUNCTIONS = 4;
/** Unless there are more columns than this: products of dense rows then cost more than those of sparse ones. */
const MOST_DENSE = 32;
/** Rows turned into columns are kept up to this many numbers (32 MB), else made again for every pass. */
const KEPT_ROWS = 2 ** 22;
/** The columns of a thin plate basis are kept for all distinct points up to this many numbers (128 MB), else made again. */
const KEPT_NUMBERS = 2 ** 24;

/** Position t of a slice has values[width·(at + t) …] at function first[at + t]; without `first`, which is when the block has no
 *  further functions (width = functions), at function 0. */
export interface RowSlice {
  readonly values: Float64Array;
  readonly first?: Int32Array;
  readonly at: number;
}

export interface Block {
  /** First column in the design. */
  readonly start: number;
  readonly tables: Tables;
  readonly width: number;
  readonly offsets: Int32Array;
  /** Design rows that this part has, ascending; absent for all. Position t of a slice is one of these. */
  readonly rows?: Int32Array;
  /** Of the factor `by`: blocks of one factor and different levels share no row. */
  readonly by?: Column;
  /** What each row is multiplied by. */
  readonly scale?: Float64Array;
  /** Positions lo … hi, no more than SLICE; valid until the next call. */
  slice(lo: number, hi: number): RowSlice;
  /** Columns × functions, where it is a plain matrix. */
  readonly table?: Matrix;
  /** All rows, where the part is parametric. */
  readonly matrix?: Matrix;
  /** All rows, where they are kept as four neighbours each, one for every row of the design and unscaled. */
  readonly quadruples?: QuadrupleRows;
}

interface MarginRows {
  readonly width: number;
  readonly tables: Tables;
  readonly table?: Matrix;
  readonly quadruples?: QuadrupleRows;
  slice(lo: number, hi: number): RowSlice;
}

interface Discrete {
  /** Values per covariate that a thin plate basis is evaluated at; 0 for all. */
  readonly bins: number;
}

export function parametricBlock(X: Matrix): Block {
  const { rows: n, cols: k, data } = X;
  const values = new Float64Array(k * Math.min(n, SLICE));
  return {
    start: 0,
    tables: identityTables(k),
    width: k,
    offsets: contiguous(k),
    matrix: X,
    slice(lo, hi) {
      for (let j = 0; j < k; j++) for (let i = lo; i < hi; i++) values[(i - lo) * k + j] = data[i + j * n]!;
      return { values, at: 0 };
    },
  };
}

export function smoothBlock(
  start: number,
  smooth: { readonly learned: LearnedSmooth; readonly columns: SmoothColumns },
  discrete: Discrete,
): Block {
  const { learned, columns } = smooth;
  const weights = byValues(learned, columns.by);
  const rows = learned.by?.kind === "level" ? rowsOf(weights!) : undefined;
  const groups = smoothCovariates(learned, columns.covariates).map((group) =>
    rows === undefined ? group : group.map((x) => Float64Array.from(rows, (row) => x[row]!)),
  );
  const tensor = learned.margins.length > 1 || learned.centring !== undefined;
  const margins = learned.margins.map((margin, m) => marginRows(margin, groups[m]!, { tensor, discrete }));
  const { quadruples, ...part }: Omit<Block, "start"> = tensor
    ? tensorRows(margins, learned, groups[0]![0]!.length)
    : { ...margins[0]!, offsets: contiguous(margins[0]!.width) };
  return {
    ...part,
    start,
    ...(quadruples === undefined || learned.by !== undefined ? {} : { quadruples }),
    ...(rows === undefined ? {} : { rows, by: columns.by! }),
    ...(learned.by?.kind === "numeric" ? { scale: weights! } : {}),
  };
}

function rowsOf(chosen: Float64Array): Int32Array {
  const rows = new Int32Array(chosen.reduce((count, value) => count + (value === 0 ? 0 : 1), 0));
  let at = 0;
  for (let i = 0; i < chosen.length; i++) if (chosen[i] !== 0) rows[at++] = i;
  return rows;
}

function contiguous(width: number): Int32Array {
  return Int32Array.from({ length: width }, (_, j) => j);
}

function marginRows(
  margin: Margin,
  covariates: readonly Float64Array[],
  { tensor, discrete }: { tensor: boolean; discrete: Discrete },
): MarginRows {
  const { functions, table, columns } = margin;
  if (functions.kind === "radial") return radialMargin(functions, table!, binned(covariates, discrete));
  const local = localRows(margin, covariates)!;
  const many = local.functions > MOST_FUNCTIONS * columns;
  if (table !== undefined && many && (tensor || columns <= MOST_DENSE)) return condensedMargin(local, table);
  const tables = tablesOf(margin);
  const dense = local.width === tables.functions; // as a numeric random slope: every row begins at function 0
  return {
    width: local.width,
    tables,
    ...(table === undefined ? {} : { table }),
    ...(local.width === 4 ? { quadruples: { size: local.functions, first: local.first, values: local.values } } : {}),
    slice: (lo) => (dense ? { values: local.values, at: lo } : { values: local.values, first: local.first, at: lo }),
  };
}

function tablesOf({ functions, table, columns }: Margin): Tables {
  if (table === undefined) return identityTables(columns);
  // a spline with many more knots than columns is better off with the curvatures that its table has
  const natural = functions.kind === "cubic" && !functions.periodic && functions.knots.length <= columns + 1;
  return natural ? naturalTables(table, functions.knots) : plainTables(table);
}

/** Rows through the table, made when they are needed or, where there is room, once. */
function condensedMargin({ width, first, values }: LocalRows, table: Matrix): MarginRows {
  const k = table.rows;
  const rows = first.length;
  const kept = k * rows <= KEPT_ROWS;
  const buffer = new Float64Array(k * (kept ? rows : Math.min(rows, SLICE)));
  const base = { width: k, tables: identityTables(k) };
  if (kept) {
    denseRowsInto(buffer, { values, first, at: 0 }, { width, table, count: rows });
    return { ...base, slice: (lo) => ({ values: buffer, at: lo }) };
  }
  return {
    ...base,
    slice(lo, hi) {
      denseRowsInto(buffer, { values, first, at: lo }, { width, table, count: hi - lo });
      return { values: buffer, at: 0 };
    },
  };
}

/** Columns of a slice of rows, one row after the other. */
export function denseRowsInto(
  target: Float64Array,
  { values, first, at }: RowSlice,
  { width, table, count }: { width: number; table: Matrix; count: number },
): void {
  const { rows: k, data } = table;
  target.fill(0, 0, k * count);
  for (let t = 0; t < count; t++) {
    for (let f = 0; f < width; f++) {
      const value = values[width * (at + t) + f]!;
      const from = ((first === undefined ? 0 : first[at + t]!) + f) * k;
      const to = t * k;
      for (let j = 0; j < k; j++) target[to + j]! += value * data[from + j]!;
    }
  }
}

function radialMargin(functions: RadialFunctions, table: Matrix, covariates: readonly Float64Array[]): MarginRows {
  const k = table.rows;
  const base = { width: k, tables: identityTables(k) };
  const points = indexPoints(covariates);
  if (points.counts.length * k > KEPT_NUMBERS) {
    return {
      ...base,
      slice: (lo, hi) => ({
        values: radialRows(
          functions,
          table,
          covariates.map((x) => x.subarray(lo, hi)),
        ).data,
        at: 0,
      }),
    };
  }
  const kept = radialRows(functions, table, points.columns).data;
  const buffer = new Float64Array(k * Math.min(points.rows, SLICE));
  return {
    ...base,
    slice(lo, hi) {
      for (let i = lo; i < hi; i++) {
        const from = points.index[i]! * k;
        for (let j = 0; j < k; j++) buffer[(i - lo) * k + j] = kept[from + j]!;
      }
      return { values: buffer, at: 0 };
    },
  };
}

/** The middle of the bin that each value falls into, for equal bins over the range. */
function binned(covariates: readonly Float64Array[], { bins }: Discrete): readonly Float64Array[] {
  if (bins === 0) return covariates;
  const each = Math.max(1, Math.round(bins ** (1 / covariates.length)));
  return covariates.map((x) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const value of x) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    const step = (high - low) / each;
    if (!(step > 0)) return x;
    return x.map((value) => low + (Math.min(Math.floor((value - low) / step), each - 1) + 0.5) * step);
  });
}

/** Products of the margins' functions, the first margin's varying slowest. */
function tensorRows(margins: readonly MarginRows[], { centring }: LearnedSmooth, rows: number): Omit<Block, "start"> {
  const width = margins.reduce((product, margin) => product * margin.width, 1);
  let offsets = Int32Array.of(0);
  for (const { width: own, tables } of margins) {
    const next = new Int32Array(offsets.length * own);
    for (let a = 0; a < offsets.length; a++) {
      for (let b = 0; b < own; b++) next[a * own + b] = offsets[a]! * tables.functions + b;
    }
    offsets = next;
  }
  const dense = margins.every((margin) => margin.width === margin.tables.functions);
  const longest = Math.min(rows, SLICE);
  const values = new Float64Array(width * longest);
  const first = new Int32Array(longest);
  return {
    tables: tensorTables(
      margins.map(({ tables }) => tables),
      centring,
    ),
    width,
    offsets,
    slice(lo, hi) {
      const count = hi - lo;
      values.fill(1, 0, count); // one value a row before the first margin
      first.fill(0, 0, count);
      let size = 1;
      for (const margin of margins) {
        multiplyRows(values, first, { size, count, margin, slice: margin.slice(lo, hi) });
        size *= margin.width;
      }
      return dense ? { values, at: 0 } : { values, first, at: 0 };
    },
  };
}

/** In place, last row first: values grow from size to size · width a row. */
function multiplyRows(
  values: Float64Array,
  first: Int32Array,
  part: {
    readonly size: number;
    readonly count: number;
    readonly margin: MarginRows;
    readonly slice: RowSlice;
  },
): void {
  const { size, count, margin, slice } = part;
  const { width, tables } = margin;
  for (let t = count - 1; t >= 0; t--) {
    const from = width * (slice.at + t);
    for (let a = size - 1; a >= 0; a--) {
      const factor = values[t * size + a]!;
      const to = (t * size + a) * width;
      for (let b = width - 1; b >= 0; b--) values[to + b] = factor * slice.values[from + b]!;
    }
    first[t] = first[t]! * tables.functions + (slice.first === undefined ? 0 : slice.first[slice.at + t]!);
  }
}
