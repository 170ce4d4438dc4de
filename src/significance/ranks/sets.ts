/** Ranks, their confidence sets and groups, of systems some of which are separated.
 *      rank of j      1 + the number of systems with a larger estimate
 *      set of j       from 1 + the number separated from j and better, to S less the number separated from j and worse
 *      among the k best: every system whose set reaches to k or above
 *      groups         maximal sets of systems no two of which are separated; a letter each, and a system has the letters of all its groups
 *  Reference: Mogstad, Romano, Shaikh & Wilhelm (2024), Rev. Econ. Stud. 91; Piepho (2004), J. Comput. Graph. Stat. 13 (letters);
 *             Bron & Kerbosch (1973), Commun. ACM 16 (maximal sets).
 *  Oracle:    oracle/next/rank-sets.json; enumeration of all subsets of small boards. */

export interface RankSet {
  readonly lower: number;
  readonly upper: number;
}

/** Rounding of two means of the same numbers in another order. */
const SAME = 1e-12;

/** 1 the best; equal estimates share the better rank. */
export function ranksOf(estimates: ArrayLike<number>): number[] {
  const all = Array.from(estimates);
  return all.map(
    (own) => 1 + all.filter((other) => other - own > SAME * Math.max(Math.abs(own), Math.abs(other))).length,
  );
}

/** `better` as of separate.ts. */
export function rankSets(better: Uint8Array, size: number): RankSet[] {
  return Array.from({ length: size }, (_, j) => rankSetOf(better, size, j));
}

export function rankSetOf(better: Uint8Array, size: number, j: number): RankSet {
  let [above, below] = [0, 0];
  for (let k = 0; k < size; k++) {
    above += better[k + j * size]!;
    below += better[j + k * size]!;
  }
  return { lower: 1 + above, upper: size - below };
}

/** Beyond it a board has more groups than anybody reads. */
const MOST_GROUPS = 200;

/** Members in order of `order`, groups by their best member; undefined where they are too many to list. */
export function groupsOf(better: Uint8Array, order: readonly number[]): number[][] | undefined {
  const size = order.length;
  const tied = (a: number, b: number): boolean => better[a + b * size] === 0 && better[b + a * size] === 0;
  const near = order.map((own) => new Set(order.filter((other) => other !== own && tied(own, other))));
  const place = new Map(order.map((own, i) => [own, i]));
  const nearOf = (own: number): Set<number> => near[place.get(own)!]!;
  const groups: number[][] = [];
  const grow = (members: readonly number[], candidates: readonly number[], done: readonly number[]): boolean => {
    if (candidates.length === 0 && done.length === 0) groups.push([...members]);
    if (groups.length > MOST_GROUPS) return false;
    let pivot: number | undefined;
    let most = -1;
    for (const own of [...candidates, ...done]) {
      const count = candidates.filter((other) => nearOf(own).has(other)).length;
      if (count > most) [pivot, most] = [own, count];
    }
    let [left, seen] = [candidates, done];
    for (const own of candidates.filter((other) => pivot === undefined || !nearOf(pivot).has(other))) {
      const mine = nearOf(own);
      const whole = grow(
        [...members, own],
        left.filter((other) => mine.has(other)),
        seen.filter((other) => mine.has(other)),
      );
      if (!whole) return false;
      left = left.filter((other) => other !== own);
      seen = [...seen, own];
    }
    return true;
  };
  if (!grow([], order, [])) return undefined;
  const sorted = groups.map((group) => group.map((own) => place.get(own)!).sort((a, b) => a - b));
  sorted.sort((a, b) => a[0]! - b[0]! || a.at(-1)! - b.at(-1)!);
  return sorted.map((group) => group.map((at) => order[at]!));
}

/** a, b, …, z, aa, ab, … */
export function letterOf(group: number): string {
  const last = String.fromCharCode(97 + (group % 26));
  return group < 26 ? last : letterOf(Math.floor(group / 26) - 1) + last;
}
