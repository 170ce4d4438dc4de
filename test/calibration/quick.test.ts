/** The quick part of the bank (`npm run calibrate compare` has all of it): the same cells through the same measurement, so many data sets that a
 *  method with 15 % false verdicts is caught for certain and a right one fails once in ten thousand choices of seeds. */
import { describe, expect, it } from "vitest";
import { binomialCdf } from "../../src/numeric/dist/binomial.ts";
import { CELLS, type Cell } from "./compare/cells.ts";
import { add, EMPTY, measure, type Tally } from "./compare/measure.ts";
import { judge } from "./compare/report.ts";

/** A few of each family. */
const QUICK = [
  "binary-50",
  "paired-normal-20",
  "paired-likert-20",
  "paired-lognormal-20",
  "paired-lognormal-50",
  "paired-exponential-50",
  "paired-heavy-20",
  "paired-zeros-20",
  "clusters-8",
  "unpaired-20-200-3-1",
  "unpaired-50-50-3-1",
  "margin-normal-20",
  "margin-exponential-20",
  "margin-exponential-50",
  "mde-normal-50",
];
const SETS = 500;
const STRICTNESS = 1e-4;
/** A p of .05 is known to ± .007, which moves no rate; the bank has as many draws as users have. */
const REPLICATES = 999;
/** Some seconds; a machine may be busy with other things. */
const PATIENCE = 600_000;

function cellOf(id: string): Cell {
  const cell = CELLS.find((one) => one.id === id)!;
  return { ...cell, options: { replicates: REPLICATES, ...cell.options } };
}
const tallyOf = (counted: number): Tally => ({ ...EMPTY, sets: SETS, counted, covered: SETS });

describe("verdicts keep their error rate", () => {
  it("by counts that would betray a method with 15 % false verdicts", () => {
    const cell = cellOf("binary-50");
    let most = 0;
    while (judge(cell, tallyOf(most + 1), STRICTNESS) !== "too many") most++;
    expect(most).toBeGreaterThan(0.05 * SETS);
    expect(binomialCdf(most, SETS, 0.15)).toBeLessThan(STRICTNESS);
  });

  it.each(QUICK)("%s", { timeout: PATIENCE }, async (id) => {
    const cell = cellOf(id);
    let tally = EMPTY;
    for (let i = 0; i < SETS; i++) tally = add(tally, await measure(cell, i));
    expect(judge(cell, tally, STRICTNESS), `${tally.counted} of ${SETS}`).toMatch(/kept|cautious/);
    if (cell.asks !== "null") return;
    const missed = { ...tally, counted: SETS - tally.covered };
    expect(judge(cell, missed, STRICTNESS), `${missed.counted} intervals of ${SETS} missed`).toMatch(/kept|cautious/);
  });
});
