/** Short names for tables and plots: a system is often called after its model, date and settings, and several such names have one beginning.
 *  Limits: short names are for one result; another one may give the same system another letter. */

/** Names up to this length stand as they are. */
const LONGEST_NAME = 23;

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** By name, for the long ones only: what is left of it without the parts that all long names begin and end with, else a letter. All names
 *  stay different. Empty where every name is short. */
export function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const long = [...new Set(names)].filter((name) => [...name].length > LONGEST_NAME);
  if (long.length === 0) return new Map();
  const taken = new Set(names.filter((name) => !long.includes(name)));
  const own = long.length > 1 ? ownParts(long) : [];
  const fit = own.every((part) => part !== "" && [...part].length <= LONGEST_NAME && !taken.has(part));
  if (own.length > 0 && fit && new Set(own).size === own.length) return new Map(long.map((name, i) => [name, own[i]!]));
  const free = labels(long.length + taken.size).filter((label) => !taken.has(label));
  return new Map(long.map((name, i) => [name, free[i]!]));
}

/** A, B … Z, then A1, B1 … */
const labels = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => {
    const round = Math.floor(i / LETTERS.length);
    return `${LETTERS[i % LETTERS.length]!}${round === 0 ? "" : round}`;
  });

/** Names without their common first and last words. */
function ownParts(names: readonly string[]): string[] {
  const words = names.map((name) => name.split(/(?<=[/\s_:@+-])/u));
  const fewest = Math.min(...words.map(({ length }) => length));
  const same = (at: (own: readonly string[]) => string | undefined): boolean => new Set(words.map(at)).size === 1;
  let head = 0;
  while (head < fewest - 1 && same((own) => own[head])) head++;
  let tail = 0;
  while (tail < fewest - 1 - head && same((own) => own.at(-1 - tail))) tail++;
  return words.map((own) =>
    own
      .slice(head, own.length - tail)
      .join("")
      .replace(/(?<![/\s_:@+-])[/\s_:@+-]+$/u, ""),
  );
}

/** "A: model-of-may; B: model-of-june". */
export const legendOf = (short: ReadonlyMap<string, string>): string =>
  [...short].map(([name, label]) => `${label}: ${name}`).join("; ");
