/** Whether the column of option `by` is a property of items, raters or runs, as a comparison within its classes needs: what an output is like (its
 *  length, how it ended) differs between the systems of one item, and its classes compare other items of one with other items of the other. */

import { groupKeys } from "../../../data/keys.ts";
import { isMissing, selectRows, type Table } from "../../../data/table.ts";
import { StatError } from "../../../result/error.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

/** So many values of an item, on average, are more than slips. */
const SEVERAL = 1.05;

export function refuseOutputProperty(
  whole: Table,
  { system, item, rater, repeat }: Omit<ComparisonColumns, "score">,
  by: string,
): void {
  if (by === system || by === item) {
    const what = by === system ? "the systems, which are compared already" : "the items, each of which is one class";
    const fix = "Name a property that several items share.";
    throw new StatError("BadOption", `option \`by: ${by}\`: ${by} names ${what}.`, fix);
  }
  if (by === rater) {
    const what = "the raters, who are a sample in the model and cannot be its classes as well";
    const fix = "Compare one of them at a time with option `where`, or name a property of items or raters.";
    throw new StatError("BadOption", `option \`by: ${by}\`: ${by} names ${what}.`, fix);
  }
  const cells = whole.columns.get(by)!;
  const table = selectRows(whole, (row) => !isMissing(cells, row));
  const count = (...names: (string | undefined)[]): number =>
    groupKeys(
      names.flatMap((name) => (name === undefined ? [] : [table.columns.get(name)!])),
      table.rows,
    ).count;
  const follows = (name: string | undefined): boolean => name !== undefined && count(name, by) === count(name);
  if (follows(item) || follows(rater) || follows(repeat)) return;
  // conditions that every item met under every system are several values of each
  const isOfOutput = count(item, system, rater, repeat, by) === count(item, system, rater, repeat);
  const several = count(item, rater, repeat, by) > SEVERAL * count(item, rater, repeat);
  if (!isOfOutput || !several) return;
  throw new StatError(
    "NotOfItems",
    `option \`by: ${by}\`: ${by} is not the same for every ${system} on one ${item}: it belongs to the output, and its classes would compare other items of one system with other items of the other.`,
    "Name a property of the items or of the raters; what an output is like can be compared as a score with option `metric`.",
  );
}
