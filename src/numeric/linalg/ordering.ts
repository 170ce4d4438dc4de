/** Fill-reducing order of a sparse symmetric matrix: approximate minimum degree.
 *
 *  Eliminating a variable joins its neighbours; the quotient graph keeps such a clique as one "element" instead of
 *  its edges. At each step a variable of least (bounded) degree goes; variables with the same neighbours are merged
 *  and go together; elements that lie within the newest are dropped.
 *  Reference: Amestoy, Davis & Duff (1996), SIAM J. Matrix Anal. Appl. 17(4): the degree bound and its algorithm 2.
 *  Oracle:    CHOLMOD's fill on grids (oracle/r/sparse-fill.json, within 10 %); trees and arrows, which need no fill.
 *  Limits:    rows with more than max(16, 10√n) neighbours are set aside and ordered last. */
import type { Sparse } from "./sparse.ts";

/** A row counts as dense beyond DENSE_FACTOR·√n neighbours, but never below DENSE_MIN. */
const DENSE_FACTOR = 10;
const DENSE_MIN = 16;

/** The quotient graph. A node is a live variable (weight > 0), a live element (members set), or gone. */
interface Quotient {
  /** Neighbours of variable i: adj[start[i] …): first elements[i] elements, then variables, length[i] in all. */
  readonly adj: Int32Array;
  readonly start: Int32Array;
  readonly elements: Int32Array;
  readonly length: Int32Array;
  /** Number of original variables that a live variable stands for. */
  readonly weight: Int32Array;
  /** Upper bound on the weight of a variable's neighbours. */
  readonly degree: Int32Array;
  /** Variables of a live element (merged ones linger with weight 0), and their total weight. */
  readonly members: (Int32Array | undefined)[];
  readonly size: Int32Array;
  /** Chain of the variables merged into i. */
  readonly nextMerged: Int32Array;
  readonly lastMerged: Int32Array;
  /** Variables by degree, doubly linked; -1 ends a list. */
  readonly head: Int32Array;
  readonly next: Int32Array;
  readonly prev: Int32Array;
  /** A node was met in this round when its mark is the current stamp. */
  readonly mark: Int32Array;
  stamp: number;
  /** Weight of an element outside the newest one, valid when outsideStamp is current. */
  readonly outside: Int32Array;
  readonly outsideStamp: Int32Array;
  readonly hash: Int32Array;
}

/** order[k] is the row to eliminate as the k-th. Reads the pattern of the lower triangle. */
export function minimumDegreeOrder(A: Sparse): Int32Array {
  const n = A.cols;
  const g = makeQuotient(A);
  const dense = setDenseAside(g);
  const total = n - dense.length;
  const order = new Int32Array(n);
  const buffer = new Int32Array(n);
  const hashHead = new Int32Array(n).fill(-1);
  let done = 0;
  let least = 0;
  while (done < total) {
    while (g.head[least]! < 0) least++;
    const p = g.head[least]!;
    unlink(g, p);
    const Lp = buffer.subarray(0, formElement(g, p, buffer));
    g.weight[p] = 0;
    measureOutside(g, Lp);
    pruneNeighbours(g, p, Lp);
    for (let i = p; i >= 0; i = g.nextMerged[i]!) order[done++] = i;
    mergeIndistinguishable(g, Lp, hashHead);
    least = Math.min(least, closeElement(g, p, Lp, total - done));
  }
  order.set(dense, done);
  return order;
}

function makeQuotient(A: Sparse): Quotient {
  const n = A.cols;
  const length = new Int32Array(n);
  for (let j = 0; j < n; j++) {
    for (let t = A.start[j]!; t < A.start[j + 1]!; t++) {
      const i = A.index[t]!;
      if (i > j) {
        length[i]!++;
        length[j]!++;
      }
    }
  }
  const start = new Int32Array(n + 1);
  for (let i = 0; i < n; i++) start[i + 1] = start[i]! + length[i]!;
  const adj = new Int32Array(start[n]!);
  const at = start.slice();
  for (let j = 0; j < n; j++) {
    for (let t = A.start[j]!; t < A.start[j + 1]!; t++) {
      const i = A.index[t]!;
      if (i > j) {
        adj[at[i]!++] = j;
        adj[at[j]!++] = i;
      }
    }
  }
  const ints = (fill: number) => new Int32Array(n).fill(fill);
  return {
    adj,
    start,
    elements: ints(0),
    length,
    weight: ints(1),
    degree: length.slice(),
    members: new Array<Int32Array | undefined>(n).fill(undefined),
    size: ints(0),
    nextMerged: ints(-1),
    lastMerged: Int32Array.from({ length: n }, (_, i) => i),
    head: new Int32Array(n + 1).fill(-1),
    next: ints(-1),
    prev: ints(-1),
    mark: ints(0),
    stamp: 0,
    outside: ints(0),
    outsideStamp: ints(0),
    hash: ints(0),
  };
}

/** Takes rows that meet nearly everything out of the graph, puts the others into the degree lists. Returns the former. */
function setDenseAside(g: Quotient): Int32Array {
  const n = g.weight.length;
  const limit = Math.max(DENSE_MIN, DENSE_FACTOR * Math.sqrt(n));
  const dense: number[] = [];
  for (let i = 0; i < n; i++) {
    if (g.degree[i]! > limit) {
      dense.push(i);
      g.weight[i] = 0;
    } else link(g, i);
  }
  return Int32Array.from(dense.sort((a, b) => g.degree[a]! - g.degree[b]!));
}

function link(g: Quotient, i: number): void {
  const d = g.degree[i]!;
  const first = g.head[d]!;
  g.next[i] = first;
  g.prev[i] = -1;
  if (first >= 0) g.prev[first] = i;
  g.head[d] = i;
}

function unlink(g: Quotient, i: number): void {
  const before = g.prev[i]!;
  const after = g.next[i]!;
  if (before >= 0) g.next[before] = after;
  else g.head[g.degree[i]!] = after;
  if (after >= 0) g.prev[after] = before;
}

/** The neighbours of p, directly or through its elements, which are absorbed; they leave the degree lists. */
function formElement(g: Quotient, p: number, Lp: Int32Array): number {
  const { adj, mark, weight } = g;
  const stamp = ++g.stamp;
  mark[p] = stamp;
  let count = 0;
  const from = g.start[p]!;
  for (let t = 0; t < g.length[p]!; t++) {
    const node = adj[from + t]!;
    const isElement = t < g.elements[p]!;
    if (isElement && g.members[node] === undefined) continue;
    const list = isElement ? g.members[node]! : adj.subarray(from + t, from + t + 1);
    for (let u = 0; u < list.length; u++) {
      const i = list[u]!;
      if (weight[i]! === 0 || mark[i] === stamp) continue;
      mark[i] = stamp;
      unlink(g, i);
      Lp[count++] = i;
    }
    if (isElement) g.members[node] = undefined;
  }
  return count;
}

/** outside[e] = weight of element e not shared with the new element, for every e that touches it. */
function measureOutside(g: Quotient, Lp: Int32Array): void {
  const { adj, outside, outsideStamp, stamp } = g;
  for (let a = 0; a < Lp.length; a++) {
    const i = Lp[a]!;
    const from = g.start[i]!;
    for (let t = from; t < from + g.elements[i]!; t++) {
      const e = adj[t]!;
      if (g.members[e] === undefined) continue;
      if (outsideStamp[e] !== stamp) {
        outsideStamp[e] = stamp;
        outside[e] = g.size[e]!;
      }
      outside[e]! -= g.weight[i]!;
    }
  }
}

/** Drops from each neighbour's list what the new element p covers, and puts p in; a neighbour left with p alone goes with p. */
function pruneNeighbours(g: Quotient, p: number, Lp: Int32Array): void {
  const { adj, mark, weight, stamp } = g;
  for (let a = 0; a < Lp.length; a++) {
    const i = Lp[a]!;
    const from = g.start[i]!;
    let to = from;
    let degree = 0;
    let hash = p;
    for (let t = from; t < from + g.elements[i]!; t++) {
      const e = adj[t]!;
      if (g.members[e] === undefined) continue;
      if (g.outside[e] === 0) {
        g.members[e] = undefined; // lies within p
        continue;
      }
      degree += g.outside[e]!;
      hash += e;
      adj[to++] = e;
    }
    const firstVariable = to;
    for (let t = from + g.elements[i]!; t < from + g.length[i]!; t++) {
      const v = adj[t]!;
      if (weight[v]! === 0 || mark[v] === stamp) continue;
      degree += weight[v]!;
      hash += v;
      adj[to++] = v;
    }
    if (to === from) {
      appendMerged(g, p, i);
      continue;
    }
    adj[to] = adj[firstVariable]!; // p takes the last element's place; at least one entry was dropped, so there is room
    adj[firstVariable] = p;
    g.elements[i] = firstVariable - from + 1;
    g.length[i] = to - from + 1;
    g.degree[i] = Math.min(g.degree[i]!, degree);
    g.hash[i] = hash % weight.length;
  }
}

function appendMerged(g: Quotient, into: number, i: number): void {
  g.nextMerged[g.lastMerged[into]!] = i;
  g.lastMerged[into] = g.lastMerged[i]!;
  g.weight[i] = 0;
}

/** Variables of the new element with equal lists become one. */
function mergeIndistinguishable(g: Quotient, Lp: Int32Array, hashHead: Int32Array): void {
  const { next, hash, weight } = g; // `next` is free while the variables are out of the degree lists
  for (let a = 0; a < Lp.length; a++) {
    const i = Lp[a]!;
    if (weight[i] === 0) continue;
    next[i] = hashHead[hash[i]!]!;
    hashHead[hash[i]!] = i;
  }
  for (let a = 0; a < Lp.length; a++) {
    if (weight[Lp[a]!] === 0) continue;
    const bucket = hash[Lp[a]!]!;
    for (let i = hashHead[bucket]!; i >= 0; i = next[i]!) {
      if (weight[i] === 0 || next[i]! < 0) continue;
      const stamp = ++g.stamp;
      for (let t = g.start[i]!; t < g.start[i]! + g.length[i]!; t++) g.mark[g.adj[t]!] = stamp;
      for (let j = next[i]!; j >= 0; j = next[j]!) {
        if (weight[j] === 0 || !sameList(g, i, j, stamp)) continue;
        const w = weight[i]! + weight[j]!;
        appendMerged(g, i, j);
        weight[i] = w;
      }
    }
    hashHead[bucket] = -1;
  }
}

/** List lengths agree and every node of j's list is marked, hence equal sets. */
function sameList(g: Quotient, i: number, j: number, stamp: number): boolean {
  if (g.length[i] !== g.length[j] || g.elements[i] !== g.elements[j]) return false;
  const from = g.start[j]!;
  for (let t = from; t < from + g.length[j]!; t++) if (g.mark[g.adj[t]!] !== stamp) return false;
  return true;
}

/** Stores element p and returns its variables to the degree lists with their new bounds; gives the least of these. */
function closeElement(g: Quotient, p: number, Lp: Int32Array, left: number): number {
  let size = 0;
  let count = 0;
  for (let a = 0; a < Lp.length; a++) {
    const i = Lp[a]!;
    if (g.weight[i] === 0) continue;
    size += g.weight[i]!;
    Lp[count++] = i;
  }
  if (count === 0) return g.weight.length;
  g.members[p] = Lp.slice(0, count);
  g.size[p] = size;
  let least = g.weight.length;
  for (let a = 0; a < count; a++) {
    const i = Lp[a]!;
    // the least of three bounds: all that is left; the old bound plus the new element; the lists added up. The lesser of
    // the last two, without the new element, is in degree[i] since pruneNeighbours
    const bound = Math.min(left, g.degree[i]! + size) - g.weight[i]!;
    g.degree[i] = bound;
    link(g, i);
    if (bound < least) least = bound;
  }
  return least;
}
