/** Predictions of two noisy labellers as the statistics of F1, for tests of permutation. */
import { makeRng } from "../../src/numeric/rng.ts";
import type { PairedStatistics } from "../../src/resample/permutation-scores.ts";

export const f1 = (sums: Float64Array): number => (2 * sums[0]!) / (2 * sums[0]! + sums[1]! + sums[2]!);

/** Rows (tp, fp, fn) of two noisy labellers. */
export function labelData(n: number, seed: string): PairedStatistics {
  const rng = makeRng(seed);
  const a = new Float64Array(3 * n);
  const b = new Float64Array(3 * n);
  for (let i = 0; i < n; i++) {
    const gold = rng.uniform() < 0.3;
    for (const [rows, hit] of [
      [a, 0.85],
      [b, 0.83],
    ] as const) {
      const said = rng.uniform() < hit ? gold : !gold;
      rows[3 * i + (gold ? (said ? 0 : 2) : 1)] = gold || said ? 1 : 0;
    }
  }
  return { a, b, width: 3, scoreOf: f1 };
}
