/** "Did you mean …": the candidate nearest to a misspelt name. */

/** Damerau-Levenshtein distance: fewest insertions, deletions, substitutions and swaps of neighbours, also when other
 *  edits come between the swapped letters.
 *  Reference: Lowrance & Wagner (1975), J. ACM 22(2), 177-183. */
export function editDistance(from: string, to: string): number {
  const a = Array.from(from);
  const b = Array.from(to);
  const columns = b.length + 2;
  const unreachable = a.length + b.length;
  // d[(i + 1), (j + 1)] is the distance of the first i and j characters; row and column 0 are guards.
  const d = new Int32Array((a.length + 2) * columns).fill(unreachable);
  for (let i = 0; i <= a.length; i++) d[(i + 1) * columns + 1] = i;
  for (let j = 0; j <= b.length; j++) d[columns + j + 1] = j;
  const lastRow = new Map<string, number>();
  for (let i = 1; i <= a.length; i++) {
    let lastColumn = 0;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const row = lastRow.get(b[j - 1]!) ?? 0;
      const swap = d[row * columns + lastColumn]! + (i - row - 1) + 1 + (j - lastColumn - 1);
      const replace = d[i * columns + j]! + (same ? 0 : 1);
      const insert = d[(i + 1) * columns + j]! + 1;
      const remove = d[i * columns + j + 1]! + 1;
      d[(i + 1) * columns + j + 1] = Math.min(replace, insert, remove, swap);
      if (same) lastColumn = j;
    }
    lastRow.set(a[i - 1]!, i);
  }
  return d[(a.length + 1) * columns + b.length + 1]!;
}

/** One slip in three letters is a misspelling; more is another word. */
const LETTERS_PER_SLIP = 3;
const SHORTEST_PREFIX = 3;
/** Longer names are compared by their first characters only: the distance takes quadratic time. */
const LONGEST = 200;

/** The candidate that `name` most likely means, or undefined: equal but for case, else within few edits (the first of
 *  equally near ones), else the only one that begins with it. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(name);
  const allowed = Math.max(1, Math.floor(Array.from(wanted).length / LETTERS_PER_SLIP));
  let best: string | undefined;
  let bestDistance = allowed + 1;
  const beginning: string[] = [];
  for (const candidate of candidates) {
    const folded = fold(candidate);
    if (wanted.length >= SHORTEST_PREFIX && folded.startsWith(wanted)) beginning.push(candidate);
    if (Math.abs(folded.length - wanted.length) > 2 * allowed) continue;
    const distance = editDistance(wanted, folded);
    // A one-letter name is one edit from every other: that is no likeness.
    if (distance < bestDistance && distance < Math.max(wanted.length, folded.length)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? (beginning.length === 1 ? beginning[0] : undefined);
}

/** `Did you mean "system"?`, or else what to do where nothing is near. */
export function suggest(name: string, candidates: Iterable<string>, otherwise: string): string {
  const candidate = nearest(name, candidates);
  return candidate === undefined ? otherwise : `Did you mean "${candidate}"?`;
}

/** `did you mean "system"?`, or an empty string if nothing is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const candidate = nearest(name, candidates);
  return candidate === undefined ? "" : `did you mean "${candidate}"?`;
}

function fold(text: string): string {
  return text.slice(0, LONGEST).normalize("NFC").toLowerCase();
}
