/** What was taken for granted in a comparison, in words: how the direction is known, what was paired, averaged and kept together. */
import type { ComparisonColumns } from "../matching/matching.ts";

export interface Taken {
  readonly columns: ComparisonColumns;
  /** The direction, and whether the user, the file or the name said it; null where nobody did. */
  readonly higherIsBetter: boolean | null;
  readonly told: boolean;
  readonly byName: boolean;
  /** Columns that the user named. */
  readonly named: ReadonlySet<string>;
  readonly n: number;
  readonly lost: number;
  readonly units: string;
  readonly paired: boolean;
  readonly averaged: boolean;
  readonly clusters: number | undefined;
  readonly byRow: boolean;
}

function matchedBy({ units, columns: { item, task }, byRow, n, lost }: Taken): string {
  if (byRow) return `row by row: row i of each system is the same item, ${n} of them`;
  return `${units} are matched by ${task === undefined ? item : `${task} and ${item}`}, ${n} of ${n + lost}`;
}

export function tellAssumed(taken: Taken): string[] {
  const { columns, higherIsBetter, told, byName, named, units, paired, averaged, clusters } = taken;
  const { score, item, cluster, repeat } = columns;
  const direction =
    higherIsBetter === null || told
      ? []
      : [`${higherIsBetter ? "higher" : "lower"} ${score} is better (${byName ? "by its name" : "the file says so"})`];
  return [
    ...direction,
    ...(paired && !named.has(item) ? [matchedBy(taken)] : []),
    ...(averaged ? [`repeats${repeat === undefined ? "" : ` (${repeat})`} are averaged`] : []),
    ...(clusters !== undefined && cluster !== undefined && !named.has(cluster)
      ? [`${units} of one ${cluster} hang together, ${clusters} of them`]
      : []),
  ];
}
