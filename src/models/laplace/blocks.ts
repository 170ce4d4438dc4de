/** H = Λ'Z'WZΛ + I by blocks, where random factors are crossed within clusters of levels (or altogether).
 *
 *  The levels of the first term, which has the most, never meet: their part of H is block diagonal. They are eliminated first;
 *  what is left falls into clusters that share no rows, and within a cluster nearly everything meets, so that dense kernels
 *  are in place. With D = LL' the blocks of a cluster's levels, B its other columns and V = L⁻¹B:
 *      S = C - V'V = U'U,   log|H| = log|D| + log|S|,
 *      H⁻¹ on the others: S⁻¹;  across: -L⁻ᵀVS⁻¹;  on a level: L⁻ᵀ(I + VS⁻¹V')L⁻¹.
 *  Reference: Bates, Mächler, Bolker & Walker (2015), J. Stat. Softw. 67(1), eq. 18-20, in block form.
 *  Oracle:    the sparse factorisation of the same matrix (blocks.test.ts).
 *  Limits:    V is dense within clusters: not for designs where a level meets few of its cluster. */
import { choleskyUpperAt } from "../../numeric/linalg/cholesky.ts";
import { addGramUpper, addNN, addScaledAt, dotAt } from "../../numeric/linalg/kernel.ts";
import { factorBlock, solveBlock, solveBlockT } from "../../numeric/linalg/small.ts";
import { solveUpperAt, solveUpperTAt } from "../../numeric/linalg/triangular.ts";
import type { StepCost } from "../random/cost.ts";
import { type Clusters, findClusters } from "./clusters.ts";
import type { FactorLimits, RandomFactor, RandomRows } from "./factor.ts";

/** V may hold this many numbers for each that the rows themselves need. */
const MOST_FILL = 4;

/** Two factors with one layout, or undefined where a sparse factor is better. `lead` is the number of levels and of columns
 *  of the first term. */
export function makeBlockFactors(
  Z: RandomRows,
  lead: { readonly levels: number; readonly size: number },
  { refuse }: FactorLimits,
): readonly [RandomFactor, RandomFactor] | undefined {
  const mostV = MOST_FILL * Z.rows * lead.size * (Z.width - lead.size);
  const clusters = findClusters(Z, { ...lead, mostV });
  if (clusters === undefined) return undefined;
  refuse(costOf(clusters));
  return [makeBlockFactor(Z, clusters), makeBlockFactor(Z, clusters)];
}

/** Of both factors, and of one factorisation. */
function costOf({ q, cluster, sizeV, sizeS }: Clusters): StepCost {
  let multiplications = 0;
  let largest = 0;
  for (const { count, order } of cluster) {
    multiplications += (count * q * order * order) / 2 + order ** 3 / 3;
    largest = Math.max(largest, order);
  }
  return { numbers: 2 * (2 * sizeV + 2 * sizeS + largest * largest), multiplications };
}

interface Blocks {
  readonly Z: RandomRows;
  readonly clusters: Clusters;
  /** L of each level of the first term, q × q by columns. */
  readonly D: Float64Array;
  /** V, one matrix after the other. */
  readonly V: Float64Array;
  /** U in the upper triangles. */
  readonly S: Float64Array;
  /** The same parts of H⁻¹; the triangles of GS are both filled. */
  readonly GD: Float64Array;
  readonly GV: Float64Array;
  readonly GS: Float64Array;
  /** A vector in the order of the clusters: levels of the first term, the others. */
  readonly y: Float64Array;
  readonly r: Float64Array;
  /** Room for the largest S. */
  readonly W: Float64Array;
}

function makeBlockFactor(Z: RandomRows, clusters: Clusters): RandomFactor {
  const { q, levels, others, sizeV, sizeS } = clusters;
  const room = (k: number): Float64Array => new Float64Array(k);
  const F: Blocks = {
    Z,
    clusters,
    D: room(levels * q * q),
    V: room(sizeV),
    S: room(sizeS),
    GD: room(levels * q * q),
    GV: room(sizeV),
    GS: room(sizeS),
    y: room(levels * q),
    r: room(others),
    W: room(clusters.cluster.reduce((most, { order }) => Math.max(most, order), 0) ** 2),
  };
  return {
    factor(w) {
      assemble(F, w);
      return eliminate(F);
    },
    solveInto: (x) => solveInto(x, F),
    logDet: () => logDet(F),
    leveragesInto(h, m) {
      invert(F);
      leveragesInto(h, m, F);
    },
    inverseEntry: (i, j) => inverseEntry(F, i, j),
  };
}

/** The lower triangles of D, B in the place of V, and the upper triangles of C, all without the identity. */
function assemble({ Z, clusters, D, V, S }: Blocks, w: Float64Array): void {
  const { rows, width, zl } = Z;
  const { q, blockOf, crossOf, pairOf } = clusters;
  const rest = width - q;
  D.fill(0);
  V.fill(0);
  S.fill(0);
  let cross = 0;
  let pair = 0;
  for (let i = 0, at = 0; i < rows; i++, at += width) {
    const wi = w[i]!;
    const block = blockOf[i]!;
    for (let a = 0; a < q; a++) {
      const v = wi * zl[at + a]!;
      for (let b = 0; b <= a; b++) D[block + a + b * q]! += v * zl[at + b]!;
      for (let k = 0; k < rest; k++) V[crossOf[cross + k]! + a]! += v * zl[at + q + k]!;
    }
    cross += rest;
    for (let a = 0; a < rest; a++) {
      const v = wi * zl[at + q + a]!;
      for (let b = 0; b <= a; b++) S[pairOf[pair++]!]! += v * zl[at + q + b]!;
    }
  }
}

function eliminate({ clusters, D, V, S }: Blocks): boolean {
  const { q, levels, cluster } = clusters;
  for (let l = 0; l < levels; l++) if (!factorBlock(D, l * q * q, q, 1)) return false;
  for (const { level, count, order, v, s } of cluster) {
    const rows = count * q;
    for (let c = 0; c < order; c++) {
      for (let l = 0; l < count; l++) solveBlock(V, v + c * rows + l * q, D, (level + l) * q * q, q);
      S[s + c * (order + 1)]! += 1;
    }
    addGramUpper(S, s, order, V, v, rows, order, rows, -1);
    if (choleskyUpperAt(S, s, order, order) >= 0) return false;
  }
  return true;
}

function logDet({ clusters, D, S }: Blocks): number {
  const { q, levels, cluster } = clusters;
  let sum = 0;
  for (let l = 0; l < levels; l++) for (let j = 0; j < q; j++) sum += Math.log(D[l * q * q + j * (q + 1)]!);
  for (const { s, order } of cluster) for (let c = 0; c < order; c++) sum += Math.log(S[s + c * (order + 1)]!);
  return 2 * sum;
}

function solveInto(x: Float64Array, { clusters, D, V, S, y, r }: Blocks): void {
  const { q, levels, cluster, placeY, placeR } = clusters;
  for (let j = 0; j < placeY.length; j++) y[placeY[j]!] = x[j]!;
  for (let j = 0; j < placeR.length; j++) r[placeR[j]!] = x[placeY.length + j]!;
  for (let l = 0; l < levels; l++) solveBlock(y, l * q, D, l * q * q, q);
  for (const { level, count, other, order, v, s } of cluster) {
    const rows = count * q;
    for (let c = 0; c < order; c++) r[other + c]! -= dotAt(V, v + c * rows, y, level * q, rows);
    solveUpperTAt(S, s, order, order, r, other, order, 1);
    solveUpperAt(S, s, order, order, r, other, order, 1);
    for (let c = 0; c < order; c++) addScaledAt(y, level * q, V, v + c * rows, rows, -r[other + c]!);
  }
  for (let l = 0; l < levels; l++) solveBlockT(y, l * q, D, l * q * q, q);
  for (let j = 0; j < placeY.length; j++) x[j] = y[placeY[j]!]!;
  for (let j = 0; j < placeR.length; j++) x[placeY.length + j] = r[placeR[j]!]!;
}

function invert(F: Blocks): void {
  const { clusters, D, V, S, GD, GV, GS, W } = F;
  const { q, levels, cluster } = clusters;
  GV.fill(0);
  GS.fill(0);
  GD.fill(0);
  for (let l = 0; l < levels; l++) for (let j = 0; j < q; j++) GD[l * q * q + j * (q + 1)] = 1;
  for (const { level, count, order, v, s } of cluster) {
    const rows = count * q;
    inverseOfUpper(GS, S, { at: s, n: order, W });
    addNN(GV, v, rows, V, v, rows, GS, s, order, rows, order, order, -1);
    // I + VS⁻¹V', a column at a time
    for (let c = 0; c < order; c++) {
      for (let l = 0, at = v + c * rows; l < count; l++, at += q) {
        const block = (level + l) * q * q;
        for (let b = 0; b < q; b++) for (let a = b; a < q; a++) GD[block + a + b * q]! -= GV[at + a]! * V[at + b]!;
      }
    }
    for (let c = 0; c < order; c++) {
      for (let l = 0; l < count; l++) solveBlockT(GV, v + c * rows + l * q, D, (level + l) * q * q, q);
    }
  }
  for (let l = 0; l < levels; l++) sandwichBlock(GD, D, l * q * q, q);
}

/** Both triangles of (U'U)⁻¹ = W'W, W = U⁻ᵀ. */
function inverseOfUpper(
  G: Float64Array,
  U: Float64Array,
  { at, n, W }: { readonly at: number; readonly n: number; readonly W: Float64Array },
): void {
  W.fill(0, 0, n * n);
  for (let c = 0; c < n; c++) W[c * (n + 1)] = 1;
  solveUpperTAt(U, at, n, n, W, 0, n, n);
  addGramUpper(G, at, n, W, 0, n, n, n, 1);
  for (let j = 0; j < n; j++) for (let i = 0; i < j; i++) G[at + j + i * n] = G[at + i + j * n]!;
}

/** L⁻ᵀGL⁻¹ for a symmetric G given by its lower triangle; both triangles. */
function sandwichBlock(G: Float64Array, L: Float64Array, at: number, q: number): void {
  for (let b = 0; b < q; b++) for (let a = 0; a < b; a++) G[at + a + b * q] = G[at + b + a * q]!;
  for (let turn = 0; turn < 2; turn++) {
    for (let b = 0; b < q; b++) solveBlockT(G, at + b * q, L, at, q);
    for (let b = 0; b < q; b++) {
      for (let a = 0; a < b; a++) {
        const g = G[at + a + b * q]!;
        G[at + a + b * q] = G[at + b + a * q]!;
        G[at + b + a * q] = g;
      }
    }
  }
}

function leveragesInto(h: Float64Array, m: Float64Array, { Z, clusters, GD, GV, GS }: Blocks): void {
  const { rows, width, zl } = Z;
  const { q, blockOf, crossOf, pairOf } = clusters;
  const rest = width - q;
  let cross = 0;
  let pair = 0;
  for (let i = 0, at = 0; i < rows; i++, at += width) {
    const block = blockOf[i]!;
    const from = at + q;
    for (let k = from; k < from + rest; k++) m[k] = 0;
    for (let a = 0; a < q; a++) {
      const za = zl[at + a]!;
      let s = 0;
      for (let b = 0; b < q; b++) s += GD[block + a + b * q]! * zl[at + b]!;
      for (let k = 0; k < rest; k++) {
        const g = GV[crossOf[cross + k]! + a]!;
        s += g * zl[from + k]!;
        m[from + k]! += g * za;
      }
      m[at + a] = s;
    }
    cross += rest;
    for (let a = 0; a < rest; a++) {
      let s = 0;
      for (let b = 0; b < a; b++) {
        const g = GS[pairOf[pair++]!]!;
        s += g * zl[from + b]!;
        m[from + b]! += g * zl[from + a]!;
      }
      m[from + a]! += s + GS[pairOf[pair++]!]! * zl[from + a]!;
    }
    let sum = 0;
    for (let a = 0; a < width; a++) sum += zl[at + a]! * m[at + a]!;
    h[i] = sum;
  }
}

function inverseEntry({ clusters, GD, GV, GS }: Blocks, i: number, j: number): number {
  const { q, placeY, placeR, cluster, clusterOf } = clusters;
  const lead = placeY.length;
  const [low, high] = i < j ? [i, j] : [j, i];
  if (high < lead) {
    const [a, b] = [placeY[low]!, placeY[high]!];
    const level = Math.floor(a / q);
    return level === Math.floor(b / q) ? GD[level * q * q + (a % q) + (b % q) * q]! : Number.NaN;
  }
  const { level, other, order, count, v, s } = cluster[clusterOf[placeR[high - lead]!]!]!;
  const column = placeR[high - lead]! - other;
  if (low < lead) {
    const row = placeY[low]! - level * q;
    return row >= 0 && row < count * q ? GV[v + row + column * count * q]! : 0;
  }
  const row = placeR[low - lead]! - other;
  return row >= 0 && row < order ? GS[s + row + column * order]! : 0;
}
