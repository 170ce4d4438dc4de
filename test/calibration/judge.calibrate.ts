/** Coverage and false verdicts of judges corrected by people's labels, over designs with known truth; writes docs/calibration-judges.md.
 *      npm run calibrate judge                        all designs
 *      CELLS=raters,Sp 0.4 npm run calibrate judge    those whose group or name has one of these words; the other rows stay */
import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CELLS, runCell, SETS } from "./judge/bank.ts";
import { fails, writePage } from "./judge/page.ts";

const PAGE = "docs/calibration-judges.md";
const words = process.env["CELLS"]?.split(",") ?? [""];
const chosen = CELLS.filter(({ group, name }) => words.some((word) => `${group}: ${name}`.includes(word)));

/** Intervals of rare kinds and of long tails with few labels, of which the page and the product warn. */
const MOST_FAILING = 5;

it(`${chosen.length} designs`, () => {
  expect(chosen.length).toBeGreaterThan(0);
  const rows = chosen.map((cell) => {
    const row = runCell(cell, SETS);
    writeFileSync(PAGE, writePage([row], CELLS, readFileSync(PAGE, "utf8")));
    return row;
  });
  expect(rows.filter((row) => fails(row).length > 0).length).toBeLessThanOrEqual(MOST_FAILING);
});
