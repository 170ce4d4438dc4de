/** Two systems' items, all or some of them. */

import type { ItemStatistics } from "../../metrics/metric.ts";
import type { RunScores } from "../../resample/multi-bootstrap.ts";
import type { ComparedItems } from "./comparison.ts";
import type { PairedItems } from "./items.ts";

export function selectItems(data: ComparedItems, [a, b]: readonly [number, number], rows: Int32Array): PairedItems {
  if (data.kind === "statistics") {
    return { kind: "statistics", a: pickRows(data.statistics[a]!, rows), b: pickRows(data.statistics[b]!, rows) };
  }
  const n = data.items.length;
  const own = (s: number): Float64Array => Float64Array.from(rows, (i) => data.means[i + s * n]!);
  const run = ({ runs, scores }: RunScores): RunScores => {
    const picked = new Float64Array(runs * rows.length);
    for (let r = 0; r < runs; r++)
      picked.set(
        Array.from(rows, (i) => scores[r * n + i]!),
        r * rows.length,
      );
    return { runs, scores: picked };
  };
  const byRun = data.runs && { runs: [run(data.runs[a]!), run(data.runs[b]!)] as const };
  return { kind: "scores", a: own(a), b: own(b), ...byRun };
}

export const withoutRuns = (items: PairedItems): PairedItems =>
  items.kind === "scores" ? { kind: "scores", a: items.a, b: items.b } : items;

function pickRows({ metric, width, data }: ItemStatistics, rows: Int32Array): ItemStatistics {
  const picked = new Float64Array(rows.length * width);
  rows.forEach((row, i) => {
    picked.set(data.subarray(row * width, (row + 1) * width), i * width);
  });
  return { metric, n: rows.length, width, data: picked };
}
