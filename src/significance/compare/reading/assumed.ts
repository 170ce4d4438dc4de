/** What was taken for granted in a comparison, in words: how the direction is known, what was paired, averaged and kept together. */
import { groupKeys } from "../../../data/keys.ts";
import { asFactor, type Table } from "../../../data/table.ts";
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
  /** In what the rows of one item and system differ, where one column says it. */
  readonly differing?: string | undefined;
  readonly clusters: number | undefined;
  readonly byRow: boolean;
}

function matchedBy({ units, columns: { item, task }, byRow, n, lost }: Taken): string {
  if (byRow) return `row by row: row i of each system is the same item, ${n} of them`;
  return `${units} are matched by ${task === undefined ? item : `${task} and ${item}`}, ${n} of ${n + lost}`;
}

const averagedOver = (repeat: string | undefined, differing: string | undefined): string =>
  repeat === undefined && differing !== undefined
    ? `rows of one item and system differ in ${differing} and are averaged: the verdict is for these alone`
    : `repeats${repeat === undefined ? "" : ` (${repeat})`} are averaged`;

/** Values beyond which nobody chose them one by one. */
const MOST_VALUES = 20;
const SHOWN_VALUES = 3;

/** The one column with few values that tells the rows of each item and system apart: "template (plain, cot, few-shot, …)". */
export function findDiffering(table: Table, columns: ComparisonColumns): string | undefined {
  const { system, item, task, score, slices: _, ...others } = columns;
  const unit = [system, item, task].flatMap((name) => (name === undefined ? [] : [table.columns.get(name)!]));
  if (groupKeys(unit, table.rows).count === table.rows) return undefined;
  const taken = new Set([system, item, task, score, ...Object.values(others)]);
  const found = [...table.columns].filter(([name, cells]) => {
    if (taken.has(name)) return false;
    const own = groupKeys([cells], table.rows).count;
    return own > 1 && own <= MOST_VALUES && groupKeys([...unit, cells], table.rows).count === table.rows;
  });
  const [only] = found;
  if (only === undefined || found.length > 1) return undefined;
  const { levels, codes } = asFactor(only[1]);
  const values = [...new Set(codes)].map((code) => levels[code] ?? "none");
  const shown = [...values.slice(0, SHOWN_VALUES), ...(values.length > SHOWN_VALUES ? ["…"] : [])];
  return `${only[0]} (${shown.join(", ")})`;
}

export function tellAssumed(taken: Taken): string[] {
  const { columns, higherIsBetter, told, byName, named, units, paired, averaged, clusters, differing } = taken;
  const { score, item, cluster, repeat } = columns;
  const direction =
    higherIsBetter === null || told
      ? []
      : [`${higherIsBetter ? "higher" : "lower"} ${score} is better (${byName ? "by its name" : "the file says so"})`];
  return [
    ...direction,
    ...(paired && !named.has(item) ? [matchedBy(taken)] : []),
    ...(averaged ? [averagedOver(repeat, differing)] : []),
    ...(clusters !== undefined && cluster !== undefined && !named.has(cluster)
      ? [`${units} of one ${cluster} hang together, ${clusters} of them`]
      : []),
  ];
}
