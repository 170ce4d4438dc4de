/** What a sparse Cholesky factor looks like before any number is known: order, elimination tree, supernodes.
 *
 *  parent[j] is the first row below the diagonal in column j of L. Neighbouring columns with (nearly) the same rows form a
 *  supernode, a dense panel; a few explicit zeros are accepted where that makes panels wider.
 *  Reference: Davis (2006), Direct Methods for Sparse Linear Systems, ch. 4; Liu (1990) for the elimination tree;
 *             Ashcraft & Grimes (1989) for relaxed supernodes.
 *  Limits:    the structure assumes no numerical cancellation. */
import { minimumDegreeOrder } from "./ordering.ts";
import type { Sparse } from "./sparse.ts";

export interface Symbolic {
  readonly n: number;
  /** order[k]: row of A that is row k of L; position is the inverse. */
  readonly order: Int32Array;
  readonly position: Int32Array;
  /** Supernode s has columns first[s] … first[s+1]-1. */
  readonly first: Int32Array;
  /** Supernode of a column. */
  readonly nodeOf: Int32Array;
  /** rows[rowStart[s] …): the rows of supernode s, its own columns first, ascending. */
  readonly rowStart: Int32Array;
  readonly rows: Int32Array;
  /** Panel s starts at panel[s] and holds L transposed: entry (row r, column c) at panel[s] + r·width + c. */
  readonly panel: Float64Array;
  /** Position in the panels of every entry of A's lower triangle; -1 for an entry above the diagonal, which is ignored. */
  readonly target: Float64Array;
  /** Numbers in all panels, and in the largest update of one supernode by another. */
  readonly size: number;
  readonly largestUpdate: number;
}

/** Panels up to this width are merged however many zeros that costs (they are cheap); wider ones while few are zero. */
const RELAX_WIDTH = 4;
const RELAX_SHARE = 0.1;

/** Symbolic factorisation of a symmetric matrix given by its lower triangle; the order is minimum degree unless given. */
export function analyze(A: Sparse, given?: Int32Array): Symbolic {
  return analyzeWithin(A, { most: Number.POSITIVE_INFINITY }, given)!;
}

/** What a factor may hold and cost. */
export interface FactorLimits {
  /** Entries. */
  readonly most: number;
  /** Multiplications. */
  readonly mostWork?: number | undefined;
}

/** The same, or undefined as soon as L is seen to have more than `most` entries (the count of them takes as many steps) or to take more
 *  work than allowed. */
export function analyzeWithin(
  A: Sparse,
  { most, mostWork = Number.POSITIVE_INFINITY }: FactorLimits,
  given?: Int32Array,
): Symbolic | undefined {
  const n = A.cols;
  const chosen = given ?? minimumDegreeOrder(A);
  const order = postordered(chosen, eliminationTree(permutedUpper(A, invert(chosen))));
  const position = invert(order);
  const upper = permutedUpper(A, position);
  const parent = eliminationTree(upper);
  const counts = columnCounts(upper, parent, most);
  if (counts === undefined || counts.reduce((sum, count) => sum + count * count, 0) > mostWork) return undefined;
  const first = findSupernodes(parent, counts);
  const nodeOf = new Int32Array(n);
  for (let s = 0; s + 1 < first.length; s++) nodeOf.fill(s, first[s]!, first[s + 1]!);
  const { rowStart, rows } = supernodeRows(upper, first, nodeOf);
  const nodes = first.length - 1;
  const panel = new Float64Array(nodes + 1);
  for (let s = 0; s < nodes; s++) {
    panel[s + 1] = panel[s]! + (first[s + 1]! - first[s]!) * (rowStart[s + 1]! - rowStart[s]!);
  }
  const shape = { n, order, position, first, nodeOf, rowStart, rows, panel, size: panel[nodes]! };
  return { ...shape, target: entryTargets(A, shape), largestUpdate: largestUpdate(shape) };
}

function invert(order: Int32Array): Int32Array {
  const position = new Int32Array(order.length);
  for (let k = 0; k < order.length; k++) position[order[k]!] = k;
  return position;
}

interface Pattern {
  readonly start: Int32Array;
  readonly index: Int32Array;
}

/** Strict upper triangle of the permuted matrix, by columns. */
function permutedUpper(A: Sparse, position: Int32Array): Pattern {
  const n = A.cols;
  const start = new Int32Array(n + 1);
  for (let pass = 0; pass < 2; pass++) {
    const index = new Int32Array(pass === 0 ? 0 : start[n]!);
    const at = start.slice();
    for (let j = 0; j < n; j++) {
      for (let t = A.start[j]!; t < A.start[j + 1]!; t++) {
        const i = A.index[t]!;
        if (i <= j) continue;
        const a = position[i]!;
        const b = position[j]!;
        const column = Math.max(a, b);
        if (pass === 0) start[column + 1]!++;
        else index[at[column]!++] = Math.min(a, b);
      }
    }
    if (pass === 1) return { start, index };
    for (let j = 0; j < n; j++) start[j + 1]! += start[j]!;
  }
  return { start, index: new Int32Array(0) };
}

/** Liu's algorithm: every entry (r, c) makes c an ancestor of r; shortcuts keep the climbs short. */
function eliminationTree({ start, index }: Pattern): Int32Array {
  const n = start.length - 1;
  const parent = new Int32Array(n).fill(-1);
  const shortcut = new Int32Array(n).fill(-1);
  for (let c = 0; c < n; c++) {
    for (let t = start[c]!; t < start[c + 1]!; t++) {
      for (let r = index[t]!; r >= 0 && r < c; ) {
        const up = shortcut[r]!;
        shortcut[r] = c;
        if (up < 0) parent[r] = c;
        r = up;
      }
    }
  }
  return parent;
}

/** The order rearranged so that every subtree is contiguous: the same fill, and supernodes become neighbours. */
function postordered(order: Int32Array, parent: Int32Array): Int32Array {
  const n = order.length;
  const child = new Int32Array(n).fill(-1);
  const sibling = new Int32Array(n).fill(-1);
  for (let j = n - 1; j >= 0; j--) {
    const p = parent[j]!;
    if (p < 0) continue;
    sibling[j] = child[p]!;
    child[p] = j;
  }
  const out = new Int32Array(n);
  const stack = new Int32Array(n);
  let at = 0;
  for (let root = 0; root < n; root++) {
    if (parent[root]! >= 0) continue;
    let depth = 0;
    stack[0] = root;
    while (depth >= 0) {
      const j = stack[depth]!;
      const c = child[j]!;
      if (c >= 0) {
        child[j] = sibling[c]!;
        stack[++depth] = c;
      } else {
        out[at++] = order[j]!;
        depth--;
      }
    }
  }
  return out;
}

/** Entries in each column of L, the diagonal included: row c of L is the subtree below c that its entries span. */
function columnCounts({ start, index }: Pattern, parent: Int32Array, most: number): Int32Array | undefined {
  const n = parent.length;
  const count = new Int32Array(n).fill(1);
  const seen = new Int32Array(n);
  let entries = n;
  for (let c = 0; c < n; c++) {
    seen[c] = c + 1;
    for (let t = start[c]!; t < start[c + 1]!; t++) {
      for (let r = index[t]!; seen[r] !== c + 1; r = parent[r]!) {
        seen[r] = c + 1;
        count[r]!++;
        entries++;
      }
    }
    if (entries > most) return undefined;
  }
  return count;
}

/** Multiplications of one factorisation. */
export function factorWork({ first, rowStart }: Symbolic): number {
  let work = 0;
  for (let s = 0; s + 1 < first.length; s++) {
    const width = first[s + 1]! - first[s]!;
    const height = rowStart[s + 1]! - rowStart[s]!;
    for (let c = 0; c < width; c++) work += (height - c) * (height - c);
  }
  return work;
}

/** First columns of the supernodes, then n. A node is merged into its right neighbour when that is its parent and the zeros
 *  this stores stay few; nodes of equal structure store none. */
function findSupernodes(parent: Int32Array, count: Int32Array): Int32Array {
  const n = parent.length;
  const first: number[] = [];
  const width: number[] = [];
  const height: number[] = [];
  const zeros: number[] = [];
  for (let j = 0; j < n; j++) {
    first.push(j);
    width.push(1);
    height.push(count[j]!);
    zeros.push(0);
    for (let top = first.length - 1; top > 0 && parent[first[top]! - 1]! >= first[top]!; top--) {
      // a parent outside this node would skip it
      if (parent[first[top]! - 1]! >= first[top]! + width[top]!) break;
      const w = width[top - 1]! + width[top]!;
      const h = width[top - 1]! + height[top]!;
      const z = zeros[top - 1]! + zeros[top]! + width[top - 1]! * (h - height[top - 1]!);
      if (z > 0 && w > RELAX_WIDTH && z > RELAX_SHARE * w * h) break;
      first.pop();
      width.pop();
      height.pop();
      zeros.pop();
      width[top - 1] = w;
      height[top - 1] = h;
      zeros[top - 1] = z;
    }
  }
  return Int32Array.from([...first, n]);
}

/** Rows of each supernode: its columns, its entries of A, and what its children pass up. */
function supernodeRows(
  upper: Pattern,
  first: Int32Array,
  nodeOf: Int32Array,
): { readonly rowStart: Int32Array; readonly rows: Int32Array } {
  const nodes = first.length - 1;
  const lower = lowerOf(upper);
  const seen = new Int32Array(nodeOf.length).fill(-1);
  const lists: Int32Array[] = [];
  const children: number[][] = Array.from({ length: nodes }, () => []);
  const rowStart = new Int32Array(nodes + 1);
  for (let s = 0; s < nodes; s++) {
    const end = first[s + 1]!;
    const own = Array.from({ length: end - first[s]! }, (_, c) => first[s]! + c);
    const below: number[] = [];
    const add = (r: number) => {
      if (r < end || seen[r] === s) return;
      seen[r] = s;
      below.push(r);
    };
    for (let t = lower.start[first[s]!]!; t < lower.start[end]!; t++) add(lower.index[t]!);
    for (const c of children[s]!) lists[c]!.forEach(add);
    below.sort((a, b) => a - b);
    lists.push(Int32Array.from([...own, ...below]));
    if (below.length > 0) children[nodeOf[below[0]!]!]!.push(s);
    rowStart[s + 1] = rowStart[s]! + lists[s]!.length;
  }
  const rows = new Int32Array(rowStart[nodes]!);
  lists.forEach((list, s) => {
    rows.set(list, rowStart[s]!);
  });
  return { rowStart, rows };
}

function lowerOf({ start, index }: Pattern): Pattern {
  const n = start.length - 1;
  const out = new Int32Array(n + 1);
  for (let t = 0; t < index.length; t++) out[index[t]! + 1]!++;
  for (let j = 0; j < n; j++) out[j + 1]! += out[j]!;
  const at = out.slice();
  const rows = new Int32Array(index.length);
  for (let c = 0; c < n; c++) for (let t = start[c]!; t < start[c + 1]!; t++) rows[at[index[t]!]!++] = c;
  return { start: out, index: rows };
}

type Shape = Omit<Symbolic, "target" | "largestUpdate">;

/** Position of entry (i, j) of A in the panels, or -1 when L has no such entry. */
export function panelPosition(S: Shape, i: number, j: number): number {
  const a = S.position[i]!;
  const b = S.position[j]!;
  const row = Math.max(a, b);
  const col = Math.min(a, b);
  const s = S.nodeOf[col]!;
  const width = S.first[s + 1]! - S.first[s]!;
  let low = S.rowStart[s]!;
  let high = S.rowStart[s + 1]! - 1;
  while (low <= high) {
    const mid = (low + high) >> 1;
    if (S.rows[mid] === row) return S.panel[s]! + (mid - S.rowStart[s]!) * width + col - S.first[s]!;
    if (S.rows[mid]! < row) low = mid + 1;
    else high = mid - 1;
  }
  return -1;
}

function entryTargets(A: Sparse, S: Shape): Float64Array {
  const target = new Float64Array(A.index.length);
  for (let j = 0; j < A.cols; j++) {
    for (let t = A.start[j]!; t < A.start[j + 1]!; t++) {
      target[t] = A.index[t]! < j ? -1 : panelPosition(S, A.index[t]!, j);
    }
  }
  return target;
}

function largestUpdate(S: Shape): number {
  let most = 0;
  for (let s = 0; s + 1 < S.first.length; s++) {
    const end = S.rowStart[s + 1]!;
    for (let t = S.rowStart[s]! + S.first[s + 1]! - S.first[s]!; t < end; ) {
      let u = t;
      while (u < end && S.nodeOf[S.rows[u]!] === S.nodeOf[S.rows[t]!]) u++;
      most = Math.max(most, (u - t) * (end - t));
      t = u;
    }
  }
  return most;
}
