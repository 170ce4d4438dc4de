/** Power of human evaluations by simulation, one thread, in processor seconds; bench/power.R runs the same cells with lme4, lmerTest
 *  and ordinal. The whole grids are timed here only: Card's Fig. 6 as it is (48 cells of 200 experiments), Howcroft & Rieser's Fig. 2
 *  from a few of its 100 experiments a cell (`--full`: all of them). */

import { FIGURE_6_CELLS } from "../replications/likert-figures.ts";
import { howcroftCells, howcroftParameters } from "../replications/ordinal-figures.ts";
import { makeRng } from "../src/numeric/rng.ts";
import type { Scenario } from "../src/power/scenario.ts";
import { likertFamily } from "../src/power/scenarios/likert.ts";
import { ordinalFamily } from "../src/power/scenarios/ordinal.ts";
import { report } from "./support/stopwatch.ts";

function cpuSeconds(run: () => void): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function draw(scenario: Scenario, count: number): void {
  const rng = makeRng("bench");
  for (let i = 0; i < count; i++) scenario.simulate!(rng.stream(i));
}

/** Seconds of one experiment: drawn, fitted, tested; the design is prepared before. */
function experiment(problem: string, scenario: Scenario, count: number): void {
  draw(scenario, Math.min(count, 10));
  report(problem, cpuSeconds(() => draw(scenario, count)) / count, { experiments: count });
}

for (const [raters, items, count] of [
  [3, 50, 400],
  [3, 100, 400],
  [10, 100, 400],
  [10, 500, 200],
] as const) {
  const cell = { raters, items, beta: 0.05, setting: "card-high" };
  experiment(`Card cell ${raters} x ${items}: ML, t > 1.96`, likertFamily.make({ ...cell, test: "z" }), count);
  experiment(`Card cell ${raters} x ${items}: REML, Satterthwaite`, likertFamily.make(cell), count);
}
for (const [items, ratings, count] of [
  [50, 3, 40],
  [100, 3, 40],
  [50, 10, 20],
  [100, 10, 20],
  [500, 3, 10],
  [500, 10, 6],
] as const) {
  const params = howcroftParameters({ setting: "howcroft-general", items, ratings, effect: 0.31 });
  for (const analysis of ["lmm", "clmm"]) {
    // linear cells take milliseconds, of which a run of hundreds, as users ask for, shows the compiled code
    const experiments = analysis === "lmm" ? 400 : count;
    experiment(
      `Howcroft cell ${items} x ${ratings}: ${analysis}`,
      ordinalFamily.make({ ...params, analysis }),
      experiments,
    );
  }
}

report(
  "Card Fig. 6: 48 cells x 200 experiments",
  cpuSeconds(() => {
    for (const cell of FIGURE_6_CELLS) draw(likertFamily.make({ ...cell, test: "z" }), 200);
  }),
);

const full = process.argv.includes("--full");
const PER_CELL = full ? 100 : 4;
const seconds = cpuSeconds(() => {
  for (const cell of howcroftCells()) draw(ordinalFamily.make(howcroftParameters(cell)), PER_CELL);
});
report("Howcroft Fig. 2: 72 cells x 100 experiments, both models", (seconds * 100) / PER_CELL, {
  experimentsRun: 72 * PER_CELL,
});
