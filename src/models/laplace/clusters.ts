/** Clusters of random effects that share no rows, and where the entries of a row stand in their matrices (blocks.ts).
 *
 *  A cluster has levels of the first term and the effects of the other terms that meet them, through any chain of rows. Lists
 *  of items that go to the same raters make small clusters; a factor within another makes one for each of its levels. */
import type { RandomRows } from "./factor.ts";

interface Cluster {
  /** First level of the first term, and how many. */
  readonly level: number;
  readonly count: number;
  /** First of the other effects, and how many. */
  readonly other: number;
  readonly order: number;
  /** Where its V, count·q × order, and its S, order × order, begin. */
  readonly v: number;
  readonly s: number;
}

export interface Clusters {
  /** Columns of the first term. */
  readonly q: number;
  readonly levels: number;
  readonly others: number;
  readonly cluster: readonly Cluster[];
  /** Cluster of each of the other effects, in the order of the clusters. */
  readonly clusterOf: Int32Array;
  /** Place of every effect of the first term, and of the others, in the order of the clusters. */
  readonly placeY: Int32Array;
  readonly placeR: Int32Array;
  /** Of row i: its block in D; the top of its part of each other column of V; its pairs a >= b of other columns in S. */
  readonly blockOf: Int32Array;
  readonly crossOf: Int32Array;
  readonly pairOf: Int32Array;
  readonly sizeV: number;
  readonly sizeS: number;
}

/** Undefined where V would need more than `mostV` numbers. The first term has `levels` levels with `size` columns each. */
export function findClusters(
  Z: RandomRows,
  { levels, size: q, mostV }: { readonly levels: number; readonly size: number; readonly mostV: number },
): Clusters | undefined {
  const lead = levels * q;
  const others = Z.size - lead;
  const root = joinRows(Z, lead, q);
  const number = new Map<number, number>();
  const sizes: { count: number; order: number }[] = [];
  const clusterOfEffect = Int32Array.from(root, (r, j) => {
    if (!number.has(r)) {
      number.set(r, sizes.length);
      sizes.push({ count: 0, order: 0 });
    }
    const k = number.get(r)!;
    if (j >= lead) sizes[k]!.order++;
    else if (j % q === 0) sizes[k]!.count++;
    return k;
  });
  const cluster: Cluster[] = [];
  let [level, other, v, s] = [0, 0, 0, 0];
  for (const { count, order } of sizes) {
    cluster.push({ level, count, other, order, v, s });
    level += count;
    other += order;
    v += count * q * order;
    s += order * order;
  }
  if (v > mostV) return undefined;
  const places = { placeY: new Int32Array(lead), placeR: new Int32Array(others) };
  const next = cluster.map((one) => ({ y: one.level * q, r: one.other }));
  const clusterOf = new Int32Array(others);
  clusterOfEffect.forEach((k, j) => {
    if (j < lead) places.placeY[j] = next[k]!.y++;
    else {
      clusterOf[next[k]!.r] = k;
      places.placeR[j - lead] = next[k]!.r++;
    }
  });
  const shape = { q, levels, others, cluster, clusterOf, ...places, sizeV: v, sizeS: s };
  return { ...shape, ...rowPlaces(Z, shape) };
}

/** For every effect a representative of all that its rows join; the q columns of a level of the first term belong together. */
function joinRows({ rows, width, size, column }: RandomRows, lead: number, q: number): Int32Array {
  const up = Int32Array.from({ length: size }, (_, j) => (j < lead ? j - (j % q) : j));
  const find = (from: number): number => {
    let j = from;
    while (up[j]! !== j) {
      up[j] = up[up[j]!]!;
      j = up[j]!;
    }
    return j;
  };
  for (let i = 0, at = 0; i < rows; i++, at += width) {
    const top = find(column[at]!);
    for (let k = q; k < width; k++) up[find(column[at + k]!)] = top;
  }
  return up.map((_, j) => find(j));
}

type Shape = Omit<Clusters, "blockOf" | "crossOf" | "pairOf">;

function rowPlaces({ rows, width, column }: RandomRows, shape: Shape) {
  const { q, cluster, clusterOf, placeY, placeR } = shape;
  const rest = width - q;
  const lead = placeY.length;
  const blockOf = new Int32Array(rows);
  const crossOf = new Int32Array(rows * rest);
  const pairOf = new Int32Array((rows * rest * (rest + 1)) / 2);
  let cross = 0;
  let pair = 0;
  for (let i = 0, at = 0; i < rows; i++, at += width) {
    const y = placeY[column[at]!]!;
    blockOf[i] = y * q;
    for (let a = 0; a < rest; a++) {
      const r = placeR[column[at + q + a]! - lead]!;
      const { level, count, other, order, v, s } = cluster[clusterOf[r]!]!;
      crossOf[cross++] = v + (y - level * q) + (r - other) * count * q;
      for (let b = 0; b <= a; b++) {
        const t = placeR[column[at + q + b]! - lead]!;
        pairOf[pair++] = s + Math.min(r, t) - other + (Math.max(r, t) - other) * order;
      }
    }
  }
  return { blockOf, crossOf, pairOf };
}
