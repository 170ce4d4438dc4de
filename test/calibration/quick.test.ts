/** The quick part of the bank (`npm run calibrate compare` has all of it): the same cells through the same measurement, so many data sets that a
 *  method with 15 % false verdicts is caught for certain and a right one fails once in ten thousand choices of seeds. */
import { describe, expect, it } from "vitest";
import { binomialCdf } from "../../src/numeric/dist/binomial.ts";
import { CELLS, type Cell } from "./compare/cells.ts";
import { add, EMPTY, measure, type Tally } from "./compare/measure.ts";
import { findRow, judge, writeReport } from "./compare/report.ts";

/** A few of each family. */
const QUICK = [
  "binary-50",
  "paired-normal-20",
  "paired-likert-20",
  "paired-lognormal-20",
  "paired-lognormal-50",
  "paired-heavy-20",
  "systems-4-exponential-30",
  "clusters-8",
  "unpaired-20-200-3-1",
  "unpaired-50-50-3-1",
  "margin-normal-20",
  "margin-exponential-20",
  "mde-normal-50",
];
const SETS = 500;
/** What whole runs and votes on few prompts did before the verdict knew them was 30 % and more: fewer data sets see that. */
const WIDE = ["runs-3-0.3", "votes-8-5-0.3", "listed-same", "ballots-8", "seed-columns-8-3"];
const WIDE_SETS = 150;
/** One degree of freedom carries no verdict, in no data set. */
const BARE = "raters-2-crossed-30-0.6";
const BARE_SETS = 25;
/** Nothing tells the systems from their batches. */
const REFUSED = "batch";
const STRICTNESS = 1e-4;
/** Where flips and deals are drawn: a p of .05 is known to ± .007, which moves no rate; the bank has as many draws as users have. */
const REPLICATES = 999;
const DRAWN = new Set(["Different items"]);
/** Some seconds; a machine may be busy with other things. */
const PATIENCE = 600_000;

function cellOf(id: string): Cell {
  const cell = CELLS.find((one) => one.id === id)!;
  return DRAWN.has(cell.group) ? { ...cell, options: { replicates: REPLICATES, ...cell.options } } : cell;
}
const tallyOf = (counted: number, sets: number): Tally => ({ ...EMPTY, sets, counted, covered: sets });

async function tallySets(cell: Cell, sets: number): Promise<Tally> {
  let tally = EMPTY;
  for (let i = 0; i < sets; i++) tally = add(tally, await measure(cell, i));
  return tally;
}

describe("verdicts keep their error rate", () => {
  it.each([
    [SETS, 0.15],
    [WIDE_SETS, 0.3],
  ])("by counts of %i data sets that would betray a method with false verdicts at a rate of %f", (sets, rate) => {
    const cell = cellOf("binary-50");
    let most = 0;
    while (judge(cell, tallyOf(most + 1, sets), STRICTNESS) !== "too many") most++;
    expect(most).toBeGreaterThan(0.05 * sets);
    expect(binomialCdf(most, sets, rate)).toBeLessThan(STRICTNESS);
  });

  it("a row of the page stays until its cell is measured again", () => {
    const [measured, other] = ["margin-normal-20", "paired-normal-20"].map((id) => cellOf(id));
    const before = writeReport(new Map([measured!, other!].map(({ id }) => [id, tallyOf(30, 1000)])), "0");
    const after = writeReport(new Map([[measured!.id, tallyOf(50, 1000)]]), "0", before);
    // the two have the same words, in sections of their own
    expect(findRow(after, measured!)).toEqual([expect.stringContaining("5.0 % (50)")]);
    expect(findRow(after, other!)).toEqual(findRow(before, other!));
    expect(findRow(before, other!)).toEqual([expect.stringContaining("3.0 % (30)")]);
  });

  it.each(QUICK)("%s", { timeout: PATIENCE }, async (id) => {
    const cell = cellOf(id);
    const tally = await tallySets(cell, SETS);
    expect(judge(cell, tally, STRICTNESS), `${tally.counted} of ${SETS}`).toMatch(/kept|cautious|reached/);
    if (cell.asks !== "null") return;
    const missed = { ...tally, counted: SETS - tally.covered };
    expect(judge(cell, missed, STRICTNESS), `${missed.counted} intervals of ${SETS} missed`).toMatch(/kept|cautious/);
  });

  it.each(WIDE)("%s", { timeout: PATIENCE }, async (id) => {
    const cell = cellOf(id);
    const tally = await tallySets(cell, WIDE_SETS);
    expect(judge(cell, tally, STRICTNESS), `${tally.counted} of ${WIDE_SETS}`).toMatch(/kept|cautious/);
  });

  it(REFUSED, { timeout: PATIENCE }, async () => {
    const { none } = await tallySets(cellOf(REFUSED), BARE_SETS);
    expect(none).toBe(BARE_SETS);
  });

  it(BARE, { timeout: PATIENCE }, async () => {
    const { inconclusive } = await tallySets(cellOf(BARE), BARE_SETS);
    expect(inconclusive).toBe(BARE_SETS);
  });
});
