/** The bases and penalties of smooth terms, on mgcv's scale.
 *
 *  A smooth is f(x) = Σ β_j b_j(x) with penalties λ_i β'S_iβ. learnSmooth turns covariates into plain data: functions, the table
 *  that makes columns of them, and S; smoothRows turns that and covariates, old or new, into design rows.
 *    Constraint: Σ_i f(x_i) = 0 over the rows learned from, absorbed by a Householder reflection of the column means. A
 *                numeric `by` that varies needs none; the levels of a factor `by` share the constraint of all rows.
 *    Scale:      S is divided by ‖S‖₁ / ‖X‖∞² (X before constraint and `by`), kept as penaltyScale, so that smoothing parameters
 *                equal mgcv's: the penalty in units of the raw basis is λ / penaltyScale.
 *    select:     one more penalty, the projection on the space that the others leave alone.
 *  Reference: Wood (2017), Generalized Additive Models, 2nd ed., §5.3 - 5.6 and 5.4.1 (constraints); Marra & Wood (2011).
 *  Oracle:    mgcv's smoothCon() and PredictMat(), oracle/r/basis.json.
 *  Limits:    smooths nested in one another, such as s(x) + te(x, z), are not made identifiable (write s(x) + s(z) + ti(x, z));
 *             t2(), cp, fs, mrf and others are not there; `id` links nothing here. */
import type { Column } from "../../data/table.ts";
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { reflectAt } from "../../numeric/linalg/householder.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { crossprod, selectColumns, transpose, zeros } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import type { SmoothColumns } from "../design.ts";
import type { SmoothTerm } from "../term.ts";
import { covariateValues, learnMargin } from "./learn.ts";
import { marginRowInto, marginScratch, radialRows } from "./local-rows.ts";
import type { BasisRequest, Centring, Margin } from "./margin.ts";
import { absorbPenalty, absorbTable, indexPoints, makeCentring } from "./margin.ts";
import {
  groupCovariates,
  learnTensor,
  marginTable,
  type RawSmooth,
  type TensorMargin,
  tensorRowInto,
  tensorScratch,
} from "./tensor.ts";

/** Columns per margin of te and ti, to the power of the margin's covariates. */
const TENSOR_K = 5;
/** Eigenvalues of S below this share of the largest count as zero (ε^0.66, mgcv's bound). */
const NULL_EIGENVALUE = 2 ** -34.32;
/** A numeric `by` with no more spread than this, relative to its mean, counts as constant. */
const CONSTANT_BY = 1000 * 2 ** -52;

export interface SmoothOptions {
  /** Also penalise the space that no penalty sees, so that the whole term can vanish. */
  readonly select?: boolean | undefined;
  /** Knots by covariate: k values for cr, cs, cc (or the two ends of the cycle); for ps, bs two ends or all of them. */
  readonly knots?: Readonly<Record<string, ArrayLike<number>>> | undefined;
}

export type SmoothBy =
  | { readonly kind: "numeric"; readonly name: string }
  | { readonly kind: "level"; readonly name: string; readonly level: string };

/** Everything that rows for new data need; survives a structured clone. */
export interface LearnedSmooth {
  /** As mgcv labels it: s(x), s(x):gA, te(x,z). */
  readonly label: string;
  readonly of: readonly string[];
  readonly basis: readonly string[];
  /** Levels of each covariate, none for a numeric one. */
  readonly levels: readonly (readonly string[])[];
  readonly by?: SmoothBy;
  /** Columns of the design, constraint absorbed. */
  readonly columns: number;
  /** One for s(); the factors of a tensor product otherwise. */
  readonly margins: readonly Margin[];
  /** The constraint of a tensor product; that of s() is in its table. */
  readonly centring?: Centring;
  /** Whether the smooth sums to zero over the rows learned from. */
  readonly centred: boolean;
  readonly S: readonly Matrix[];
  readonly ranks: readonly number[];
  /** Dimension of the space that no penalty sees. */
  readonly nullDim: number;
  /** S = (penalty of the raw basis) / penaltyScale, one per S. */
  readonly penaltyScale: readonly number[];
}

/** One smooth, or one per level of a factor `by`: all levels, without the first if it is ordered. */
export function learnSmooth(columns: SmoothColumns, options: SmoothOptions = {}): LearnedSmooth[] {
  const { term, covariates, by } = columns;
  if (term.fn === "t2") {
    const message = `${term.label}: t2() is not available.`;
    throw new StatError("UnsupportedSmooth", message, "use te(), or s() + s() + ti().");
  }
  const raw =
    term.fn === "s"
      ? learnSimple(columns, options)
      : learnTensor(tensorParts(columns, options), {
          interaction: term.fn === "ti",
        });
  const smooth: LearnedSmooth = {
    label: term.label,
    of: term.of,
    basis: term.basis,
    levels: covariates.map((column) => (column.kind === "factor" ? column.levels : [])),
    ...constrain(scalePenalties(raw), !variesBy(term, by)),
  };
  const penalised = term.fx ? dropPenalties(smooth) : options.select === true ? addNullPenalty(smooth) : smooth;
  return spreadOverBy(penalised, term, by);
}

function learnSimple({ term, covariates }: SmoothColumns, { knots }: SmoothOptions): RawSmooth {
  const given = term.of.length === 1 ? knots?.[term.of[0]!] : undefined;
  const { raw, moments, points } = learnMargin(term.basis[0]!, covariates, {
    names: term.of,
    k: term.k[0]!,
    m: term.m ?? [],
    knots: given,
  });
  return {
    margins: [raw.margin],
    columns: raw.margin.columns,
    S: raw.S,
    ranks: raw.ranks,
    nullDim: raw.nullDim,
    norm: moments.norm,
    ...(raw.centred ? { means: moments.sums.map((sum) => sum / points.rows) } : {}),
  };
}

function tensorParts({ term, covariates }: SmoothColumns, { knots }: SmoothOptions): TensorMargin[] {
  let from = 0;
  return term.d.map((d, j) => {
    const [start, end] = [from, (from += d)];
    const names = term.of.slice(start, end);
    const k = term.k[j]!;
    const m = term.m === undefined ? undefined : (term.m[j] ?? (term.m.length === 1 ? term.m[0] : undefined));
    const given = d === 1 ? knots?.[names[0]!] : undefined;
    const request: BasisRequest = {
      names,
      k: Number.isNaN(k) ? TENSOR_K ** d : k,
      m: m === undefined ? [] : [m],
      knots: given,
    };
    return { basis: term.basis[j]!, columns: covariates.slice(start, end), request };
  });
}

type Penalised = Omit<RawSmooth, "norm"> & { readonly penaltyScale: readonly number[] };

function scalePenalties({ norm, ...raw }: RawSmooth): Penalised {
  const penaltyScale = raw.S.map((S) => oneNorm(S) / norm ** 2);
  const S = raw.S.map((matrix, i) => ({ ...matrix, data: matrix.data.map((value) => value / penaltyScale[i]!) }));
  return { ...raw, S, penaltyScale };
}

function oneNorm(A: Matrix): number {
  let most = 0;
  for (let j = 0; j < A.cols; j++) {
    let sum = 0;
    for (let i = 0; i < A.rows; i++) sum += Math.abs(A.data[i + j * A.rows]!);
    most = Math.max(most, sum);
  }
  return most;
}

type Constrained = Omit<LearnedSmooth, "label" | "of" | "basis" | "levels" | "by">;

function constrain({ means, ...smooth }: Penalised, wanted: boolean): Constrained {
  if (!wanted || means === undefined) return { ...smooth, centred: false };
  const centring = makeCentring(means);
  const columns = smooth.columns - 1;
  const [margin] = smooth.margins;
  const single = smooth.margins.length === 1 && margin !== undefined;
  return {
    ...smooth,
    columns,
    centred: true,
    ...(single
      ? { margins: [{ ...margin, columns, table: absorbTable(marginTable(margin), centring) }] }
      : { centring }),
    S: smooth.S.map((S) => absorbPenalty(S, centring)),
    ranks: smooth.ranks.map((rank) => Math.min(rank, columns)),
    nullDim: Math.max(0, smooth.nullDim - 1),
  };
}

/** A numeric `by` that varies: then β cannot be traded against the intercept. */
function variesBy({ by: name }: SmoothTerm, by: Column | undefined): boolean {
  if (by === undefined || by.kind === "factor") return false;
  const n = by.values.length;
  const bad = by.values.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    const message = `${name} is ${by.values[bad]!} in row ${bad + 1} of the rows used.`;
    throw new StatError("NotFinite", message, "a numeric by needs a finite number in every row.");
  }
  const mean = by.values.reduce((sum, value) => sum + value, 0) / n;
  const squares = by.values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (n - 1)) > mean * CONSTANT_BY;
}

function dropPenalties(smooth: LearnedSmooth): LearnedSmooth {
  return { ...smooth, S: [], ranks: [], penaltyScale: [], nullDim: smooth.columns };
}

function addNullPenalty(smooth: LearnedSmooth): LearnedSmooth {
  if (smooth.nullDim === 0) return smooth;
  const k = smooth.columns;
  const total = zeros(k, k);
  for (const S of smooth.S) for (let i = 0; i < total.data.length; i++) total.data[i]! += S.data[i]!;
  const { values, vectors } = eigenSymmetric(total);
  const unseen = Array.from(values.keys()).filter((j) => values[j]! < NULL_EIGENVALUE * values[0]!);
  if (unseen.length === 0) return smooth;
  return {
    ...smooth,
    S: [...smooth.S, crossprod(transpose(selectColumns(vectors, unseen)))],
    ranks: [...smooth.ranks, unseen.length],
    penaltyScale: [...smooth.penaltyScale, 1],
    nullDim: 0,
  };
}

function spreadOverBy(smooth: LearnedSmooth, term: SmoothTerm, by: Column | undefined): LearnedSmooth[] {
  if (by === undefined) return [smooth];
  const name = term.by!;
  if (by.kind === "numeric") {
    return [{ ...smooth, label: `${smooth.label}:${name}`, by: { kind: "numeric", name } }];
  }
  const missing = by.codes.indexOf(-1);
  if (missing >= 0) {
    const message = `${name} is missing in row ${missing + 1} of the rows used.`;
    throw new StatError("NotFinite", message, "drop such rows.");
  }
  const seen = new Set(by.codes);
  const present = by.levels.filter((_, code) => seen.has(code));
  return (by.ordered && present.length > 1 ? present.slice(1) : present).map((level) => ({
    ...smooth,
    label: `${smooth.label}:${name}${level}`,
    by: { kind: "level", name, level },
  }));
}

/** Numbers that smoothRowInto needs as scratch. */
export function smoothScratch({ margins, columns }: LearnedSmooth): number {
  return margins.length === 1 ? marginScratch(margins[0]!) : tensorScratch(margins) + columns + 1;
}

/** One design row, without `by`: target[0 … columns). `groups` come from smoothCovariates. */
export function smoothRowInto(
  target: Float64Array,
  { margins, columns, centring }: LearnedSmooth,
  groups: readonly (readonly Float64Array[])[],
  row: number,
  scratch: Float64Array,
): void {
  if (margins.length === 1 && centring === undefined) {
    marginRowInto(target, 0, margins[0]!, groups[0]!, row, scratch);
    return;
  }
  const raw = scratch.subarray(0, columns + 1);
  tensorRowInto(raw, margins, groups, row, scratch.subarray(columns + 1));
  if (centring !== undefined) reflectAt(raw, 0, centring.v, 0, columns + 1, centring.tau);
  const skip = centring === undefined ? 0 : 1;
  for (let j = 0; j < columns; j++) target[j] = raw[j + skip]!;
}

/** Covariates as numbers, grouped by margin; a factor's codes are those of the levels learned, -1 for an unknown one. */
export function smoothCovariates(
  { levels, margins }: LearnedSmooth,
  covariates: readonly Column[],
): readonly (readonly Float64Array[])[] {
  const values = covariates.map((column, c) => {
    const known = levels[c]!;
    if (column.kind === "numeric" || column.levels === known) return covariateValues(column);
    const codes = Int32Array.from(column.levels, (level) => known.indexOf(level));
    return Float64Array.from(column.codes, (code) => codes[code] ?? -1);
  });
  return groupCovariates(margins, values);
}

/** What each row is multiplied by; undefined means one. */
export function byValues({ by: learned }: LearnedSmooth, by: Column | undefined): Float64Array | undefined {
  if (learned === undefined) return undefined;
  if (by === undefined || (by.kind === "numeric") !== (learned.kind === "numeric")) {
    const message = `the smooth needs ${learned.name} as a ${learned.kind === "numeric" ? "numeric column" : "factor"}.`;
    throw new StatError("BadBy", message, "give `by` the same kind of column as in the data learned from.");
  }
  if (by.kind === "numeric") return by.values;
  const level = learned.kind === "level" ? by.levels.indexOf(learned.level) : -1;
  return Float64Array.from(by.codes, (code) => (code === level ? 1 : 0));
}

/** The design of a smooth: one row per row of the covariates, in the order of the term; NaN where a covariate is missing. */
export function smoothRows(smooth: LearnedSmooth, covariates: readonly Column[], by?: Column): Matrix {
  const groups = smoothCovariates(smooth, covariates);
  const weights = byValues(smooth, by);
  const rows = groups[0]![0]!.length;
  const X = zeros(rows, smooth.columns);
  const { functions, table } = smooth.margins[0]!;
  if (smooth.margins.length === 1 && functions.kind === "radial") {
    const { columns, index } = indexPoints(groups[0]!);
    const points = radialRows(functions, table!, columns);
    for (let i = 0; i < rows; i++) scatterRow(X, i, points.data, index[i]! * smooth.columns, weights?.[i] ?? 1);
    return X;
  }
  const row = new Float64Array(smooth.columns);
  const scratch = new Float64Array(smoothScratch(smooth));
  for (let i = 0; i < rows; i++) {
    const weight = weights === undefined ? 1 : weights[i]!;
    if (weight === 0) continue;
    smoothRowInto(row, smooth, groups, i, scratch);
    scatterRow(X, i, row, 0, weight);
  }
  return X;
}

function scatterRow(X: Matrix, i: number, values: Float64Array, at: number, weight: number): void {
  for (let j = 0; j < X.cols; j++) X.data[i + j * X.rows] = weight * values[at + j]!;
}
