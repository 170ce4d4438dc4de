/** Two systems' right and wrong answers to the same items, counted. */

import { StatError } from "../result/error.ts";
import { pairedSample } from "./samples.ts";
/** [both right, only the first, only the second, neither] */
export type PairedTable = readonly [number, number, number, number];

/** The table of two columns of 0 and 1. */
export function pairedTable(x: ArrayLike<number>, y: ArrayLike<number>): PairedTable {
  const plain = x.length === y.length ? countPlain(x, y) : undefined;
  if (plain !== undefined) return plain;
  const pairs = pairedSample(x, y);
  const counts: [number, number, number, number] = [0, 0, 0, 0];
  pairs.x.forEach((own, i) => {
    const other = pairs.y[i]!;
    if ((own !== 0 && own !== 1) || (other !== 0 && other !== 1)) {
      throw new StatError(
        "NotBinary",
        `row ${pairs.kept[i]! + 1} has ${own} and ${other}: McNemar's test takes 0 and 1.`,
        "use a test of means (t, permutation, wilcoxon) for other scores.",
      );
    }
    counts[own === 1 ? (other === 1 ? 0 : 1) : other === 1 ? 2 : 3]!++;
  });
  return counts;
}

/** Where nothing is missing and all is 0 or 1. */
function countPlain(x: ArrayLike<number>, y: ArrayLike<number>): PairedTable | undefined {
  const counts = new Int32Array(4);
  for (let i = 0; i < x.length; i++) {
    const own = x[i]!;
    const other = y[i]!;
    if ((own !== 0 && own !== 1) || (other !== 0 && other !== 1)) return undefined;
    counts[3 - 2 * own - other]! += 1;
  }
  const [both, first, second, neither] = counts;
  return [both!, first!, second!, neither!];
}
