/** Power and error rate of claims about training procedures against brute force: scores of runs on items are drawn, the mixed model is
 *  fitted and its test (Satterthwaite) run (docs/methods/power-simulation.md). */
import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../src/data/table.ts";
import { fitLmm } from "../../src/models/lmm/lmm.ts";
import { makeRng, type Rng } from "../../src/numeric/rng.ts";
import { seedsFamily } from "../../src/power/scenarios/seeds.ts";
import { computePower } from "../../src/power/solve/solve.ts";

interface Layout {
  readonly items: number;
  readonly seeds: number;
  readonly delta: number;
}
const SDS = { seedSd: 0.05, itemSd: 0.3, runItemSd: 0.2 };
const LAYOUTS: readonly Layout[] = [
  { items: 50, seeds: 3, delta: 0.15 },
  { items: 50, seeds: 10, delta: 0.15 },
];
const RUNS = 500;

function significant({ items, seeds }: Layout, delta: number, rng: Rng): boolean {
  const item = Array.from({ length: items }, () => rng.normal());
  const rows = [0, 1].flatMap((procedure) => {
    const cell = item.map(() => (SDS.itemSd / Math.SQRT2) * rng.normal());
    return Array.from({ length: seeds }, (_, r) => {
      const run = SDS.seedSd * rng.normal();
      return item.map((level, i) => ({
        y: level + delta * procedure + run + cell[i]! + SDS.runItemSd * rng.normal(),
        x: `${procedure}`,
        item: `${i}`,
        cell: `${procedure}:${i}`,
        run: `${procedure}:${r}`,
      }));
    }).flat();
  });
  const text = (name: "x" | "item" | "cell" | "run") => factorColumn(rows.map((row) => row[name]));
  const table = makeTable([
    ["y", numericColumn(rows.map(({ y }) => y))],
    ...(["x", "item", "cell", "run"] as const).map((name) => [name, text(name)] as const),
  ]);
  return fitLmm("y ~ x + (1 | item) + (1 | cell) + (1 | run)", table).coefficients[1]!.p < 0.05;
}

describe.each(LAYOUTS)("$seeds runs of each procedure, $items items", (layout) => {
  it("power and error rate are those of fits to drawn scores", () => {
    const count = (delta: number): number => {
      let hits = 0;
      for (let r = 0; r < RUNS; r++) hits += Number(significant(layout, delta, makeRng("seeds").stream(r)));
      return hits;
    };
    const power = computePower(seedsFamily, { ...layout, ...SDS }).power;
    const [found, nothing] = [count(layout.delta), count(0)];
    process.stdout.write(`${JSON.stringify({ ...layout, power, found: found / RUNS, nothing: nothing / RUNS })}\n`);
    expect(Math.abs(found / RUNS - power)).toBeLessThan(4 * Math.sqrt((power * (1 - power)) / RUNS));
    expect(Math.abs(nothing / RUNS - 0.05)).toBeLessThan(4 * Math.sqrt((0.05 * 0.95) / RUNS));
  }, 900_000);
});
