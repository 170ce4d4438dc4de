/** Fewest insertions, deletions and substitutions that turn one sequence into the other, each at cost 1.
 *  Reference: Levenshtein (1966); Wagner & Fischer (1974), J. ACM 21(1).
 *  Oracle:    enumeration of all alignments of short sequences.
 *  Limits:    time grows with the product of the lengths, what both begin and end with aside. */

export function editDistance(a: Int32Array, b: Int32Array): number {
  let start = 0;
  let endA = a.length;
  let endB = b.length;
  while (start < endA && start < endB && a[start] === b[start]) start++;
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const columns = endB - start;
  if (columns === 0) return endA - start;
  // row[j]: distance of the symbols of a so far and the first j of b
  const row = Int32Array.from({ length: columns + 1 }, (_, j) => j);
  for (let i = start; i < endA; i++) {
    let diagonal = row[0]!;
    row[0] = diagonal + 1;
    const symbol = a[i];
    let left = row[0];
    for (let j = 1; j <= columns; j++) {
      const above = row[j]!;
      const replaced = diagonal + (symbol === b[start + j - 1] ? 0 : 1);
      const shorter = Math.min(above, left);
      left = replaced <= shorter ? replaced : shorter + 1;
      row[j] = left;
      diagonal = above;
    }
  }
  return row[columns]!;
}
