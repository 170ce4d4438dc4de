/** Several metrics in one run: what each says of the main pair, over all items, as the mean over tasks, and task by task. */
import type { DisplayTable } from "../../result/display.ts";
import type { Comparison } from "./comparison.ts";
import { signed, unit, writeRange } from "./narrate.ts";
import type { Verdict } from "./verdict.ts";

export interface GridCell {
  readonly metric: string;
  /** The task, "all items" (each item counts the same) or "mean over tasks" (each task does). */
  readonly task: string;
  readonly n: number;
  readonly a: string;
  readonly b: string;
  readonly scoreA: number;
  readonly scoreB: number;
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
  /** Of a task: adjusted for the number of tasks. Metrics are not adjusted for one another. */
  readonly p: number;
  readonly verdict: Verdict;
}

export const POOLED = "all items";
export const MACRO = "mean over tasks";

export function gridCells({ metric, n, main, slices }: Comparison, task: string | undefined): GridCell[] {
  const { a, b, scoreA, scoreB, difference, ci, p, verdict } = main;
  const shared = { metric, a, b };
  const own = slices.find(({ column }) => column === task);
  return [
    { ...shared, task: POOLED, n, scoreA, scoreB, difference, lower: ci.lower, upper: ci.upper, p, verdict },
    ...(own?.macro === undefined ? [] : [{ ...shared, task: MACRO, n, ...withoutSpread(own.macro) }]),
    ...(own?.slices ?? []).map(({ name, adjusted, p: _, ...slice }) => ({
      ...shared,
      task: name,
      ...slice,
      p: adjusted,
    })),
  ];
}

const withoutSpread = <M extends { readonly se: number; readonly df: number }>({ se: _, df: __, ...rest }: M) => rest;

/** A row for each cell, in the units that the metric is written in. */
export function gridTable(
  compared: readonly { readonly comparison: Comparison; readonly cells: readonly GridCell[] }[],
): DisplayTable {
  return {
    caption: "Every metric, pooled and by task",
    head: ["metric", "task", "items", "difference", "interval", "p", "verdict"],
    formats: ["text", "text", "integer", "text", "text", "p", "text"],
    rows: compared.flatMap(({ comparison: { style }, cells }) =>
      cells.map(({ metric, task, n, difference, lower, upper, p, verdict }) => [
        `${metric}${unit(style)}`,
        task,
        n,
        signed(difference, style),
        writeRange({ lower, upper }, style),
        p,
        verdict,
      ]),
    ),
  };
}
