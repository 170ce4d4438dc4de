/** Card et al. (2020), Fig. 6, computed anew: power of mixed-model tests of Likert ratings for two settings, 3 or 10 raters, 50, 100
 *  or 500 items, and four effects. The paper's axis is β, half the difference; its test is t > 1.96 after a fit by ML.
 *  Oracle: the published 48 cells of 200 experiments each, within the errors of both. */

import type { SimulateOptions } from "../src/power.ts";
import { LIKERT_SETTINGS, likertFamily, type RatingTest, simulatePower } from "../src/power.ts";

export interface LikertCell {
  readonly setting: string;
  readonly raters: number;
  readonly items: number;
  readonly beta: number;
}

export interface LikertCellPower extends LikertCell {
  readonly test: RatingTest;
  readonly power: number;
  readonly se: number;
  /** Of the closed form. */
  readonly approximate: number;
}

const REPLICATES = 200;

/** In the order of the published file. */
export const FIGURE_6_CELLS: readonly LikertCell[] = Object.keys(LIKERT_SETTINGS).flatMap((setting) =>
  [0.05, 0.1, 0.15, 0.2].flatMap((beta) =>
    [50, 100, 500].flatMap((items) => [3, 10].map((raters) => ({ setting, raters, items, beta }))),
  ),
);

/** Cell k draws from rng.stream(k). */
export async function simulateFigure6(
  options: SimulateOptions & { readonly test?: RatingTest },
): Promise<LikertCellPower[]> {
  const { test = "z", replicates = REPLICATES, onProgress, ...rest } = options;
  const cells: LikertCellPower[] = [];
  for (const [k, cell] of FIGURE_6_CELLS.entries()) {
    const params = { ...cell, test };
    const { power, se } = await simulatePower(likertFamily, params, {
      ...rest,
      replicates,
      rng: options.rng.stream(k),
    });
    cells.push({ ...cell, test, power, se, approximate: likertFamily.make(params).approximatePower!().power });
    onProgress?.(k + 1, FIGURE_6_CELLS.length);
  }
  return cells;
}
