/** Coverage and false verdicts of judges corrected by people's labels, over designs with known truth; writes docs/calibration-judges.md.
 *      npm run calibrate judge */
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CELLS, runCell } from "./judge/bank.ts";
import { fails, writePage } from "./judge/page.ts";

const SETS = 2000;

/** What the page says of each: intervals of rare kinds, of long tails with few labels, and PPI++ where its own intervals are too short. */
const MOST_FAILING = 20;

it(`${CELLS.length} designs`, () => {
  const rows = CELLS.map((cell) => runCell(cell, SETS));
  writeFileSync("docs/calibration-judges.md", writePage(rows));
  expect(rows.filter((row) => fails(row).length > 0).length).toBeLessThanOrEqual(MOST_FAILING);
});
