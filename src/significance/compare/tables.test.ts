import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { twoSampleTTest } from "../tests/t-test.ts";
import { compare } from "./compare.ts";
import type { GridCell } from "./tables.ts";

/** Task x has 30 items and task y 12; B gains another amount on each. */
const score = (i: number, s: number, task: string): number =>
  ((i * 37) % 19) / 19 + s * (task === "x" ? 0.1 + ((i * 7) % 5) / 20 : ((i * 3) % 4) / 30 - 0.02);
const rows = [..."ab"].flatMap((system, s) =>
  ["x", "y"].flatMap((task) =>
    Array.from({ length: task === "x" ? 30 : 12 }, (_, i) => ({ system, task, item: `${i}`, acc: score(i, s, task) })),
  ),
);
const table = makeTable([
  ["system", factorColumn(rows.map((row) => row.system))],
  ["task", factorColumn(rows.map((row) => row.task))],
  ["item", factorColumn(rows.map((row) => row.item))],
  ["acc", numericColumn(rows.map((row) => row.acc))],
  ["wer", numericColumn(rows.map((row) => (row.task === "x" ? 1 - row.acc : Number.NaN)))],
]);

describe("pooled by items and averaged over tasks", () => {
  const gains = (task: string): number[] =>
    Array.from({ length: task === "x" ? 30 : 12 }, (_, i) => score(i, 1, task) - score(i, 0, task));

  it("the macro average of two tasks has the t and df of Welch's test of one task's gains against minus the other's", () => {
    const { slices, main } = compare(table, { metric: "acc" });
    const macro = slices[0]!.macro!;
    const welch = twoSampleTTest(
      gains("x"),
      gains("y").map((d) => -d),
    );
    expect(macro.p).toBeCloseTo(welch.p, 12);
    expect(macro.difference / macro.se).toBeCloseTo(welch.statistic, 10);
    const mean = (values: readonly number[]): number => values.reduce((sum, v) => sum + v, 0) / values.length;
    expect(macro.difference).toBeCloseTo((mean(gains("x")) + mean(gains("y"))) / 2, 12);
    expect(main.difference).toBeCloseTo(mean([...gains("x"), ...gains("y")]), 12);
  });

  it("every metric by task in one run, rows of a task without the metric being no rows without a score", () => {
    const result = compare(table, { metric: "all" });
    const { grid } = result.toJSON() as { grid: readonly GridCell[] };
    expect(grid.map(({ metric, task }) => `${metric} ${task}`)).toEqual([
      "acc all items",
      "acc mean over tasks",
      "acc x",
      "acc y",
      "wer all items",
    ]);
    expect(grid.at(-1)).toMatchObject({ n: 30, verdict: "BETTER" });
    const wer = compare(table, { metric: "wer" });
    expect(wer.diagnostics.map(({ code }) => code)).toContain("OtherTasks");
  });
});
