/** Tensor products of bases: te, and ti without the margins' main effects.
 *
 *  Row of the product = Kronecker product of the rows of the margins, the first varying slowest; margin i contributes the
 *  penalty I ⊗ … ⊗ S_i ⊗ … ⊗ I with S_i divided by its largest eigenvalue. A margin of one covariate whose coefficients are not
 *  values of the function (ps, bs, tp, ts) is first reparametrised to its values at equally spaced points over its range,
 *  so that every penalty measures roughness along its own covariate. In ti every margin is centred before the product.
 *  Reference: Wood (2006), Biometrics 62(4), §3; Wood (2017), Generalized Additive Models, 2nd ed., §5.6.
 *  Oracle:    mgcv (R), oracle/r/basis.json.
 *  Limits:    margins with one penalty each. */
import type { Column } from "../../data/table.ts";
import { eigenvaluesSymmetric } from "../../numeric/linalg/eigen.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { crossprod, identity, mirrorUpperInto, multiply, zeros } from "../../numeric/linalg/matrix.ts";
import { conditionNumber, pseudoInverse, svd } from "../../numeric/linalg/svd.ts";
import { StatError } from "../../result/error.ts";
import { refuseColumns } from "../size.ts";
import { covariateValues, learnMargin } from "./learn.ts";
import { marginRowInto, marginScratch } from "./local-rows.ts";
import type { BasisRequest, ColumnMoments, Margin, RawBasis } from "./margin.ts";
import { absorbPenalty, absorbTable, functionCount, makeCentring } from "./margin.ts";

/** Beyond this condition number (mgcv's bound, ε^-0.66) values at equally spaced points do not determine the coefficients. */
const MAX_CONDITION = 2 ** 34.32;

/** A smooth before scaling and constraint. */
export interface RawSmooth {
  readonly margins: readonly Margin[];
  readonly columns: number;
  readonly S: readonly Matrix[];
  readonly ranks: readonly number[];
  readonly nullDim: number;
  /** Column means, where a constraint is wanted. */
  readonly means?: Float64Array;
  /** ∞-norm of the design. */
  readonly norm: number;
}

export interface TensorMargin {
  readonly basis: string;
  readonly columns: readonly Column[];
  readonly request: BasisRequest;
}

export function learnTensor(parts: readonly TensorMargin[], { interaction }: { interaction: boolean }): RawSmooth {
  const bases = parts.map((part) => prepareMargin(part, interaction));
  const margins = bases.map(({ margin }) => margin);
  const sizes = margins.map(({ columns }) => columns);
  const columns = sizes.reduce((product, size) => product * size, 1);
  const names = parts.flatMap(({ request }) => request.names);
  const fix = "Lower k (a whole number for each margin), or add smooths of fewer covariates.";
  refuseColumns(`the product of ${names.join(", ")}`, columns, 0, fix);
  const covariates = parts.flatMap((part) => part.columns.map(covariateValues));
  const centred = !interaction && bases.every((raw) => raw.centred);
  return {
    margins,
    columns,
    S: bases.map((raw, i) => spreadPenalty(raw.S[0]!, sizes, i)),
    ranks: bases.map((raw, i) => (columns / sizes[i]!) * raw.ranks[0]!),
    nullDim: bases.reduce((product, raw) => product * raw.nullDim, 1),
    ...productMoments(margins, covariates, { columns, centred }),
  };
}

function prepareMargin({ basis, columns, request }: TensorMargin, interaction: boolean): RawBasis {
  const { raw, moments, points } = learnMargin(basis, columns, request);
  if (raw.S.length !== 1) {
    throw new StatError(
      "UnsupportedSmooth",
      `the margin ${request.names.join(",")} has ${raw.S.length} penalties, and a tensor product takes one per margin.`,
      "give m two numbers, e.g. m = c(3, 2).",
    );
  }
  const centred = interaction && raw.centred ? centreBasis(raw, moments, points.rows) : raw;
  const valued = raw.reparametrise && columns.length === 1 ? toValues(centred, points.columns[0]!) : centred;
  const largest = eigenvaluesSymmetric(valued.S[0]!)[0]!;
  const S = { ...valued.S[0]!, data: valued.S[0]!.data.map((value) => value / largest) };
  return { ...valued, S: [S] };
}

/** The table of a margin, written out where the functions are the columns. */
export function marginTable({ table, functions }: Margin): Matrix {
  return table ?? identity(functionCount(functions));
}

function centreBasis(raw: RawBasis, { sums }: ColumnMoments, rows: number): RawBasis {
  const centring = makeCentring(sums.map((sum) => sum / rows));
  const columns = raw.margin.columns - 1;
  return {
    ...raw,
    margin: { ...raw.margin, columns, table: absorbTable(marginTable(raw.margin), centring) },
    S: raw.S.map((S) => absorbPenalty(S, centring)),
    ranks: raw.ranks.map((rank) => Math.min(rank, columns)),
    nullDim: Math.max(0, raw.nullDim - 1),
  };
}

/** New coefficients: the values at as many equally spaced points as there are columns. */
function toValues(raw: RawBasis, x: Float64Array): RawBasis {
  const { margin } = raw;
  const k = margin.columns;
  const [low, high] = [x[0]!, x[x.length - 1]!];
  const at = Float64Array.from({ length: k }, (_, j) => (j === k - 1 ? high : low + (j * (high - low)) / (k - 1)));
  const scratch = new Float64Array(marginScratch(margin));
  const rows = zeros(k, k); // column i: the row at point i, i.e. X'
  for (let i = 0; i < k; i++) marginRowInto(rows.data, i * k, margin, [at], i, scratch);
  const decomposed = svd(rows);
  if (!(conditionNumber(decomposed) < MAX_CONDITION)) return raw;
  const Pt = pseudoInverse(decomposed); // P' with XP = I at these points
  const S = multiply(Pt, multiply(raw.S[0]!, crossprod(Pt, identity(k))));
  mirrorUpperInto(S);
  return { ...raw, margin: { ...margin, table: multiply(Pt, marginTable(margin)) }, S: [S] };
}

/** I ⊗ S ⊗ I, with S in place i. */
function spreadPenalty(S: Matrix, sizes: readonly number[], i: number): Matrix {
  const before = sizes.slice(0, i).reduce((product, size) => product * size, 1);
  const after = sizes.slice(i + 1).reduce((product, size) => product * size, 1);
  const k = S.rows;
  const n = before * k * after;
  const spread = zeros(n, n);
  for (let outer = 0; outer < before; outer++) {
    for (let c = 0; c < k; c++) {
      for (let r = 0; r < k; r++) {
        for (let inner = 0; inner < after; inner++) {
          const row = (outer * k + r) * after + inner;
          const col = (outer * k + c) * after + inner;
          spread.data[row + col * n] = S.data[r + c * k]!;
        }
      }
    }
  }
  return spread;
}

function productMoments(
  margins: readonly Margin[],
  covariates: readonly Float64Array[],
  { columns, centred }: { columns: number; centred: boolean },
): { norm: number; means?: Float64Array } {
  const rows = covariates[0]!.length;
  const row = new Float64Array(columns);
  const scratch = new Float64Array(tensorScratch(margins));
  const groups = groupCovariates(margins, covariates);
  const means = new Float64Array(columns);
  let norm = 0;
  for (let i = 0; i < rows; i++) {
    tensorRowInto(row, margins, groups, i, scratch);
    let total = 0;
    for (let j = 0; j < columns; j++) {
      means[j]! += row[j]!;
      total += Math.abs(row[j]!);
    }
    norm = Math.max(norm, total);
  }
  for (let j = 0; j < columns; j++) means[j]! /= rows;
  return centred ? { norm, means } : { norm };
}

/** The covariates of each margin. */
export function groupCovariates(margins: readonly Margin[], covariates: readonly Float64Array[]): Float64Array[][] {
  let from = 0;
  return margins.map((margin) => covariates.slice(from, (from += margin.covariates)));
}

export function tensorScratch(margins: readonly Margin[]): number {
  return margins.reduce((most, margin) => Math.max(most, marginScratch(margin) + margin.columns), 0);
}

/** The product of the margins' rows, before any constraint. */
export function tensorRowInto(
  target: Float64Array,
  margins: readonly Margin[],
  groups: readonly (readonly Float64Array[])[],
  row: number,
  scratch: Float64Array,
): void {
  target[0] = 1;
  let size = 1;
  for (let m = 0; m < margins.length; m++) {
    const margin = margins[m]!;
    const k = margin.columns;
    const at = scratch.length - k;
    marginRowInto(scratch, at, margin, groups[m]!, row, scratch);
    for (let a = size - 1; a >= 0; a--) {
      const factor = target[a]!;
      for (let b = 0; b < k; b++) target[a * k + b] = factor * scratch[at + b]!;
    }
    size *= k;
  }
}
