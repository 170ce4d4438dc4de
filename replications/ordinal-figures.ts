/** Howcroft & Rieser (2021), Fig. 2 and 3, computed anew: power of ordinal and linear mixed models on the same ratings, for 50, 100 or
 *  500 items, 3 or 10 ratings of each text, and effects of 0.25 to 1 distances between thresholds.
 *  The designs are theirs: lists of four texts, items/10 raters for each rating, no rater meeting an item twice.
 *  Limits: raters' effects belong to raters here, as the paper says; in the authors' code they were misaligned, so that the curves
 *          agree in shape and order, not in digits. */

import type { SimulateOptions } from "../src/power.ts";
import { ordinalFamily, simulatePower } from "../src/power.ts";

export interface OrdinalCell {
  readonly setting: string;
  readonly items: number;
  readonly ratings: number;
  readonly effect: number;
}

interface ModelPower {
  readonly power: number;
  readonly se: number;
  readonly typeM: number;
  readonly failed: number;
}

export interface OrdinalCellPower extends OrdinalCell {
  readonly clmm: ModelPower;
  readonly lmm: ModelPower;
}

const REPLICATES = 100;
export const HOWCROFT_MAIN = ["howcroft-low", "howcroft-general", "howcroft-high"] as const;

/** Raters per rating of all texts: one for ten items, who rates about 20 texts. */
const ITEMS_PER_RATER = 10;
const LIST_LENGTH = 4;

export function howcroftCells(settings: readonly string[] = HOWCROFT_MAIN): OrdinalCell[] {
  return settings.flatMap((setting) =>
    [50, 100, 500].flatMap((items) =>
      [3, 10].flatMap((ratings) => [0.155, 0.31, 0.465, 0.62].map((effect) => ({ setting, items, ratings, effect }))),
    ),
  );
}

export const howcroftParameters = ({ setting, items, ratings, effect }: OrdinalCell) => ({
  setting,
  items,
  ratings,
  effect,
  design: "lists",
  raters: (items / ITEMS_PER_RATER) * ratings,
  listLength: LIST_LENGTH,
});

/** Cell k draws from rng.stream(k). */
export async function simulateHowcroft(
  cells: readonly OrdinalCell[],
  options: SimulateOptions,
): Promise<OrdinalCellPower[]> {
  const { replicates = REPLICATES, onProgress, ...rest } = options;
  const found: OrdinalCellPower[] = [];
  for (const [k, cell] of cells.entries()) {
    const { analyses } = await simulatePower(ordinalFamily, howcroftParameters(cell), {
      ...rest,
      replicates,
      rng: options.rng.stream(k),
    });
    const [clmm, lmm] = analyses.map(({ power, se, typeM, failed }) => ({ power, se, typeM, failed }));
    found.push({ ...cell, clmm: clmm!, lmm: lmm! });
    onProgress?.(k + 1, cells.length);
  }
  return found;
}
