/** Whether the parts of a document are repetitions of one thing: told by the names that they share. */
import type { JsonRecord } from "./records.ts";

/** Two keyed parts are alike if they share so many of their names. */
export const ALIKE = 0.5;
const MOST_COMPARED = 200;

/** Every part has a neighbour with mostly the same names: then they are repetitions of one thing, not the sections of a document. */
export function areAlike(parts: readonly JsonRecord[], share = 1): boolean {
  if (parts.length < 2) return false;
  const shapes = new Map<string, { names: Set<string>; count: number }>();
  for (const part of parts) {
    const names = Object.keys(part);
    const key = JSON.stringify(names.sort());
    const known = shapes.get(key);
    if (known === undefined) shapes.set(key, { names: new Set(names), count: 1 });
    else known.count += 1;
    if (shapes.size > MOST_COMPARED) return false;
  }
  const list = [...shapes.values()];
  const shared = countShared(list.map(({ names }) => names));
  const alike = list.filter(
    (one, i) =>
      one.count > 1 ||
      list.some((other, j) => i !== j && shareOf(shared[i]![j]!, one.names.size, other.names.size) >= ALIKE),
  );
  return alike.reduce((sum, { count }) => sum + count, 0) >= share * parts.length;
}

/** How many names each two of the sets share, in one pass over the names: there may be a million of them. */
function countShared(sets: readonly ReadonlySet<string>[]): Int32Array[] {
  const owners = new Map<string, number[]>();
  sets.forEach((names, i) => {
    for (const name of names) {
      const own = owners.get(name);
      if (own === undefined) owners.set(name, [i]);
      else own.push(i);
    }
  });
  const shared = sets.map(() => new Int32Array(sets.length));
  for (const own of owners.values()) for (const i of own) for (const j of own) shared[i]![j]! += 1;
  return shared;
}

/** Names in both over names in either. */
function shareOf(shared: number, a: number, b: number): number {
  const all = a + b - shared;
  return all === 0 ? 0 : shared / all;
}

export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return shareOf([...a].filter((name) => b.has(name)).length, a.size, b.size);
}
