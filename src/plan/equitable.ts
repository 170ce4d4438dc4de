/** Edges of a bipartite graph in k colors such that at every vertex the colors differ by at most one edge: raters and items as vertices, the
 *  systems as colors. It exists for every bipartite graph and every k.
 *    split     the edges of two colors: an Euler tour of each component, edges to a vertex of its own where a degree is odd, colored in turn
 *    repeated  over the pairs of colors until no vertex is off; each split that changes anything lowers the sum of squared counts
 *  Reference: de Werra (1971), "Equitable colorations of graphs", RIRO 5; Gabow (1976), Int. J. Comput. Inf. Sci. 5 (Euler splits).
 *  Oracle:    counting (lists.test.ts). */

export interface Edge {
  readonly left: number;
  readonly right: number;
}

/** The color of each edge, from `start` where that is given. */
export function colorEquitably(edges: readonly Edge[], colors: number, start?: Int32Array): Int32Array {
  const own = start?.slice() ?? Int32Array.from(edges, (_, k) => k % colors);
  for (let round = 0; round < edges.length + 2; round++) {
    const pair = firstUneven(edges, own, colors);
    if (pair === undefined) return own;
    splitPair(edges, own, pair);
  }
  return own;
}

/** Two colors that differ by more than one at some vertex. */
function firstUneven(edges: readonly Edge[], colors: Int32Array, k: number): readonly [number, number] | undefined {
  for (const side of ["left", "right"] as const) {
    const counts = new Map<number, Int32Array>();
    edges.forEach((edge, e) => {
      const at = edge[side];
      if (!counts.has(at)) counts.set(at, new Int32Array(k));
      counts.get(at)![colors[e]!]! += 1;
    });
    for (const own of counts.values()) {
      const most = own.indexOf(Math.max(...own));
      const least = own.indexOf(Math.min(...own));
      if (own[most]! - own[least]! > 1) return [most, least];
    }
  }
  return undefined;
}

/** The edges of two colors, colored in turn along Euler tours. */
function splitPair(edges: readonly Edge[], colors: Int32Array, [a, b]: readonly [number, number]): void {
  const chosen = Array.from(edges.keys()).filter((e) => colors[e] === a || colors[e] === b);
  const lefts = 1 + chosen.reduce((most, e) => Math.max(most, edges[e]!.left), -1);
  const rights = 1 + chosen.reduce((most, e) => Math.max(most, edges[e]!.right), -1);
  // vertices: left ones, a spare left one, right ones, a spare right one
  const [spareLeft, spareRight] = [lefts, lefts + 1 + rights];
  const ends: [number, number][] = chosen.map((e) => [edges[e]!.left, lefts + 1 + edges[e]!.right]);
  const degree = new Int32Array(spareRight + 1);
  for (const [u, v] of ends) {
    degree[u]! += 1;
    degree[v]! += 1;
  }
  for (let u = 0; u < lefts; u++) if (degree[u]! % 2 === 1) ends.push([u, spareRight]);
  for (let v = lefts + 1; v < spareRight; v++) if (degree[v]! % 2 === 1) ends.push([spareLeft, v]);
  // both spare ones have an odd degree, or neither
  if (ends.filter(([, v]) => v === spareRight).length % 2 === 1) ends.push([spareLeft, spareRight]);
  const at: number[][] = Array.from({ length: spareRight + 1 }, () => []);
  ends.forEach(([u, v], e) => {
    at[u]!.push(e);
    at[v]!.push(e);
  });
  const used = new Uint8Array(ends.length);
  for (let first = 0; first <= spareRight; first++) {
    // all degrees are even, so that a walk ends where it began; in a bipartite graph after an even number of edges
    for (let vertex = first; ; ) {
      while (at[vertex]!.length > 0 && used[at[vertex]!.at(-1)!]) at[vertex]!.pop();
      const edge = at[vertex]!.pop();
      if (edge === undefined) break;
      used[edge] = 1;
      const [u, v] = ends[edge]!;
      if (edge < chosen.length) colors[chosen[edge]!] = u === vertex ? a : b;
      vertex = u === vertex ? v : u;
    }
  }
}
