/** Variances that the data cannot tell apart, in any mixed model: grouping factors that divide the rows in the same way, and
 *  components whose covariance matrices Z_k Z_k' are linearly dependent. The test matrix is
 *
 *      N_ab = tr(Z_a Z_a' Z_b Z_b') = Σ over pairs of levels (Σ_i z_ia z_ib)²,   N_ar = tr(Z_a Z_a'),   N_rr = n
 *  with r the residual, where the model has one of its own or a latent one of fixed size. A null vector of N (scaled to a unit
 *  diagonal) is a combination of variances that leaves the covariance of the data as it is.
 *  Reference: Searle, Casella & McCulloch (1992), Variance Components, 5.3, on the quadratic forms.
 *  Oracle:    designs with a known confounding (lmm/lmm.test.ts, ordinal/clmm.test.ts, glmm/glmm.test.ts). */
import type { RandomBlock } from "../../formula/term.ts";
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { type Matrix, zeros } from "../../numeric/linalg/matrix.ts";
import { warning } from "../../result/diagnostic.ts";
import type { Diagnostic } from "../../result/result.ts";

export interface Partition {
  readonly group: string;
  readonly levels: number;
  /** Level of each row. */
  readonly index: Int32Array;
}

export interface VarianceLabel {
  readonly label: string;
  readonly group: string;
}

/** `N` and `labels` run over the components; N may project the fixed effects out. */
export function confoundingDiagnostics(
  partitions: readonly Partition[],
  labels: readonly VarianceLabel[],
  N: Matrix,
): Diagnostic[] {
  const out: Diagnostic[] = [];
  const same = samePartitions(partitions);
  for (const groups of same) {
    out.push(
      warning(
        "SamePartition",
        `${list(groups)} divide the rows in the same way: where they have the same columns, only the sum of their variances is determined, and its split is arbitrary.`,
        `Keep one of them, and read its variance as that of ${groups.join(" and ")} together.`,
      ),
    );
  }
  for (const components of confoundedComponents(labels, N)) {
    const groups = new Set(components.map(({ group }) => group));
    if (same.some((known) => [...groups].every((group) => known.includes(group)))) continue;
    out.push(
      warning(
        "VariancesConfounded",
        `the data do not identify the variances of ${list(components.map(({ label }) => label))} separately: only a combination of them is determined, and its split is arbitrary.`,
        "Leave one of these terms out, or read them together.",
      ),
    );
  }
  return out;
}

/** Of random terms over the rows used; `residual` where each row has a residual of its own. */
export function blockConfounding(blocks: readonly RandomBlock[], residual: boolean): Diagnostic[] {
  const first: number[] = [];
  const labels: VarianceLabel[] = [];
  for (const { group, names } of blocks) {
    first.push(labels.length);
    for (const name of names) labels.push({ label: `(${name} | ${group})`, group });
  }
  const k = labels.length;
  const size = residual ? k + 1 : k;
  const N = zeros(size, size);
  blocks.forEach((a, i) => {
    for (let j = i; j < blocks.length; j++) addPair(N, first, { blocks, i, j, cells: crossIndex(a, blocks[j]!) });
  });
  if (residual) {
    blocks.forEach(({ Z }, i) => {
      for (let c = 0; c < Z.cols; c++) {
        let trace = 0;
        for (let r = c * Z.rows; r < (c + 1) * Z.rows; r++) trace += Z.data[r]! * Z.data[r]!;
        N.data[first[i]! + c + k * size] = N.data[k + (first[i]! + c) * size] = trace;
      }
    });
    N.data[size * size - 1] = blocks[0]!.Z.rows;
    labels.push({ label: "the residuals", group: "" });
  }
  const partitions = new Map(
    blocks.map(({ group, levels, index }) => [group, { group, levels: levels.length, index }]),
  );
  return confoundingDiagnostics([...partitions.values()], labels, N);
}

interface Cells {
  /** Number of the pair of levels that each row lies in. */
  readonly cell: Int32Array;
  readonly count: number;
}

/** Tables of more pairs of levels than this are not made, but looked up. */
const LARGEST_TABLE = 1 << 22;

function crossIndex(a: RandomBlock, b: RandomBlock): Cells {
  if (a.index === b.index) return { cell: a.index, count: a.levels.length };
  const width = b.levels.length;
  const table = a.levels.length * width <= LARGEST_TABLE ? new Int32Array(a.levels.length * width).fill(-1) : undefined;
  const known = new Map<number, number>();
  const cell = new Int32Array(a.index.length);
  let count = 0;
  for (let i = 0; i < cell.length; i++) {
    const key = a.index[i]! * width + b.index[i]!;
    let found = table === undefined ? (known.get(key) ?? -1) : table[key]!;
    if (found < 0) {
      found = count++;
      if (table === undefined) known.set(key, found);
      else table[key] = found;
    }
    cell[i] = found;
  }
  return { cell, count };
}

interface BlockPair {
  readonly blocks: readonly RandomBlock[];
  readonly i: number;
  readonly j: number;
  readonly cells: Cells;
}

/** N_ab for all columns of two blocks. */
function addPair(N: Matrix, first: readonly number[], { blocks, i, j, cells: { cell, count } }: BlockPair): void {
  const [A, B] = [blocks[i]!.Z, blocks[j]!.Z];
  const sums = new Float64Array(count);
  const n = A.rows;
  for (let a = 0; a < A.cols; a++) {
    for (let b = i === j ? a : 0; b < B.cols; b++) {
      sums.fill(0);
      for (let r = 0; r < n; r++) sums[cell[r]!]! += A.data[r + a * n]! * B.data[r + b * n]!;
      let total = 0;
      for (let c = 0; c < count; c++) total += sums[c]! * sums[c]!;
      const [row, col] = [first[i]! + a, first[j]! + b];
      N.data[row + col * N.rows] = N.data[col + row * N.rows] = total;
    }
  }
}

const list = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items[items.length - 1]!}`;

/** Names of factors, of two or more labels each, with the same partition. */
function samePartitions(partitions: readonly Partition[]): string[][] {
  const classes: Partition[][] = [];
  for (const partition of partitions) {
    const known = classes.find(([first]) => isSamePartition(first!, partition));
    if (known === undefined) classes.push([partition]);
    else known.push(partition);
  }
  return classes.filter((own) => own.length > 1).map((own) => own.map(({ group }) => group));
}

function isSamePartition(a: Partition, b: Partition): boolean {
  const toB = new Int32Array(a.levels).fill(-1);
  const toA = new Int32Array(b.levels).fill(-1);
  for (let i = 0; i < a.index.length; i++) {
    const la = a.index[i]!;
    const lb = b.index[i]!;
    if (toB[la] === -1) toB[la] = lb;
    if (toA[lb] === -1) toA[lb] = la;
    if (toB[la] !== lb || toA[lb] !== la) return false;
  }
  return true;
}

/** Eigenvalue of the scaled matrix below which a combination of covariances vanishes. */
const NULL_EIGENVALUE = 1e-10;
/** Share of a component in such a combination that is not rounding. */
const NULL_SHARE = 1e-4;

/** Sets of components that are linearly dependent. */
function confoundedComponents(labels: readonly VarianceLabel[], N: Matrix): VarianceLabel[][] {
  const k = N.rows;
  const S = zeros(k, k);
  for (let j = 0; j < k; j++) {
    for (let i = 0; i < k; i++) {
      S.data[i + j * k] = N.data[i + j * k]! / Math.sqrt(N.data[i * (k + 1)]! * N.data[j * (k + 1)]!);
    }
  }
  if (S.data.some((value) => !Number.isFinite(value))) return [];
  const { values, vectors } = eigenSymmetric(S);
  const out: VarianceLabel[][] = [];
  values.forEach((value, j) => {
    if (value > NULL_EIGENVALUE) return;
    out.push(labels.filter((_, i) => Math.abs(vectors.data[i + j * k]!) > NULL_SHARE));
  });
  return out;
}
