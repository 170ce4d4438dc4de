/** Lines of equal height over a grid, by marching squares: each cell is crossed where its edges pass the level, and the crossings are joined.
 *  Limits: a saddle is cut in one of its two ways; cells with an undefined corner have no line. */

type XY = readonly [x: number, y: number];

export interface HeightGrid {
  readonly xs: readonly number[];
  readonly ys: readonly number[];
  /** Of column i and row j; NaN where there is none. */
  at(i: number, j: number): number;
}

/** A crossing of an edge: where it lies, and which edge it is. */
interface Crossing {
  readonly key: string;
  readonly place: XY;
}

/** Pieces as long as they can be joined. */
export function contourLines(grid: HeightGrid, level: number): XY[][] {
  const { xs, ys, at } = grid;
  const links = new Map<string, string[]>();
  const places = new Map<string, XY>();
  for (let j = 0; j + 1 < ys.length; j++) {
    for (let i = 0; i + 1 < xs.length; i++) {
      const found = crossings(grid, i, j, level);
      if ([at(i, j), at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)].some(Number.isNaN)) continue;
      for (let k = 0; k + 1 < found.length; k += 2) {
        const [a, b] = [found[k]!, found[k + 1]!];
        for (const { key, place } of [a, b]) places.set(key, place);
        links.set(a.key, [...(links.get(a.key) ?? []), b.key]);
        links.set(b.key, [...(links.get(b.key) ?? []), a.key]);
      }
    }
  }
  return joinLinks(links).map((keys) => keys.map((key) => places.get(key)!));
}

/** Of the four edges of a cell, in order around it. */
function crossings({ xs, ys, at }: HeightGrid, i: number, j: number, level: number): Crossing[] {
  const edges = [
    [i, j, i + 1, j],
    [i + 1, j, i + 1, j + 1],
    [i, j + 1, i + 1, j + 1],
    [i, j, i, j + 1],
  ] as const;
  return edges.flatMap(([i0, j0, i1, j1]): Crossing[] => {
    const [a, b] = [at(i0, j0), at(i1, j1)];
    if (a >= level === b >= level) return [];
    const share = (level - a) / (b - a);
    const place = [xs[i0]! + share * (xs[i1]! - xs[i0]!), ys[j0]! + share * (ys[j1]! - ys[j0]!)] as const;
    return [{ key: `${i0},${j0},${i1},${j1}`, place }];
  });
}

/** Open pieces from their ends, then closed ones. */
function joinLinks(links: Map<string, string[]>): string[][] {
  const pieces: string[][] = [];
  const starts = [...[...links].filter(([, to]) => to.length === 1).map(([key]) => key), ...links.keys()];
  for (const start of starts) {
    const piece = [start];
    for (let here = start; ; ) {
      const next = links.get(here)?.pop();
      if (next === undefined) break;
      const back = links.get(next)!;
      back.splice(back.indexOf(here), 1);
      piece.push(next);
      here = next;
    }
    if (piece.length > 1) pieces.push(piece);
  }
  return pieces;
}
