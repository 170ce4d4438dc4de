/** Card et al. (2020), Fig. 4 and 17, computed anew: power to see a difference in BLEU, by the normal approximation. */

import { bleuFamily, type PowerFigures } from "../src/power.ts";

export interface BleuCell extends PowerFigures {
  readonly p0: number;
  readonly b0: number;
  readonly n: number;
  readonly delta: number;
}

/** Means of Table 3. */
const MEAN_P0 = 0.13;
const MEAN_B0 = 25.8;
const SIZES = [500, 1000, 2000, 3000, 5000];
const DIFFERENCES = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3];

const grid = (laws: readonly (readonly [p0: number, b0: number])[]): BleuCell[] =>
  laws.flatMap(([p0, b0]) =>
    SIZES.flatMap((n) =>
      DIFFERENCES.map((delta) => ({ p0, b0, n, delta, ...bleuFamily.make({ n, delta, p0, b0 }).approximatePower!() })),
    ),
  );

export const computeFigure4 = (): BleuCell[] => grid([[MEAN_P0, MEAN_B0]]);

/** Rows of the figure: P0 varies, then b0. */
export function computeFigure17(
  p0s: readonly number[] = [0.05, 0.2, 0.5],
  b0s: readonly number[] = [13, 26, 52],
): BleuCell[] {
  return grid([...p0s.map((p0) => [p0, MEAN_B0] as const), ...b0s.map((b0) => [MEAN_P0, b0] as const)]);
}
