import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { seedsFromPilot } from "./pilot-seeds.ts";

const COLUMNS = { score: "score", system: "system", seed: "seed", item: "item" };

function runs(S: number, n: number, [seedSd, cellSd, rest]: readonly [number, number, number]): Table {
  const rng = makeRng("runs");
  const items = Array.from({ length: n }, () => rng.normal());
  const rows = ["base", "new"].flatMap((system, p) => {
    const cells = items.map(() => cellSd * rng.normal());
    return Array.from({ length: S }, (_, r) => {
      const run = seedSd * rng.normal();
      return items.map(
        (item, i) => [system, `${r}`, `i${i}`, item + 0.1 * p + run + cells[i]! + rest * rng.normal()] as const,
      );
    }).flat();
  });
  return makeTable([
    ["system", factorColumn(rows.map((row) => row[0]))],
    ["seed", factorColumn(rows.map((row) => row[1]))],
    ["item", factorColumn(rows.map((row) => row[2]))],
    ["score", numericColumn(rows.map((row) => row[3]))],
  ]);
}

describe("variances of training and of test items from a pilot", () => {
  it("are those of the mean squares of a balanced table", () => {
    const [S, n] = [6, 20];
    const table = runs(S, n, [0.4, 0.3, 0.5]);
    const y = (table.columns.get("score") as { values: Float64Array }).values;
    const at = (p: number, r: number, i: number): number => y[(p * S + r) * n + i]!;
    const range = (size: number) => Array.from({ length: size }, (_, k) => k);
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    const squares = (values: readonly number[]): number => values.reduce((a, b) => a + b * b, 0);
    const runMean = range(2).map((p) => range(S).map((r) => mean(range(n).map((i) => at(p, r, i)))));
    const cellMean = range(2).map((p) => range(n).map((i) => mean(range(S).map((r) => at(p, r, i)))));
    const procedure = runMean.map(mean);
    const itemMean = range(n).map((i) => mean([cellMean[0]![i]!, cellMean[1]![i]!]));
    const whole = mean(procedure);
    const MSs = (n * squares(range(2).flatMap((p) => runMean[p]!.map((m) => m - procedure[p]!)))) / (2 * (S - 1));
    const MSd =
      (S * squares(range(2).flatMap((p) => cellMean[p]!.map((m, i) => m - itemMean[i]! - procedure[p]! + whole)))) /
      (n - 1);
    const rest = range(2).flatMap((p) =>
      range(S).flatMap((r) => range(n).map((i) => at(p, r, i) - runMean[p]![r]! - cellMean[p]![i]! + procedure[p]!)),
    );
    const MSe = squares(rest) / (2 * (S - 1) * (n - 1));
    const { parameters, difference, runs: count, items } = seedsFromPilot(table, COLUMNS);
    expect([count, items]).toEqual([12, 20]);
    expect(difference).toBeCloseTo(procedure[1]! - procedure[0]!, 8);
    expect(parameters["runItemSd"]).toBeCloseTo(Math.sqrt(MSe), 5);
    expect(parameters["seedSd"]).toBeCloseTo(Math.sqrt((MSs - MSe) / n), 5);
    expect(parameters["itemSd"]).toBeCloseTo(Math.sqrt((2 * (MSd - MSe)) / S), 5);
  });

  it("needs two runs of each", () => {
    expect(() => seedsFromPilot(runs(1, 20, [0, 0, 1]), COLUMNS)).toThrow("cannot be seen");
  });
});
