/** Items that some systems have and others lack: counted, and named. */
import { StatError } from "../../result/error.ts";
import type { Cells } from "./cells.ts";
import type { Unmatched } from "./matching.ts";

/** Names shown of items that a system lacks. */
const EXAMPLES = 3;

export function describeUnmatched(
  { itemCount, itemName }: Cells,
  counts: Int32Array,
  { systems, unscored }: { systems: readonly string[]; unscored: Int32Array },
): Unmatched[] {
  const hasAny = Array.from({ length: itemCount }, (_, i) => systems.some((_s, s) => counts[i + s * itemCount]! > 0));
  return systems.flatMap((system, s) => {
    const lacking: number[] = [];
    for (let i = 0; i < itemCount; i++) if (hasAny[i] && counts[i + s * itemCount] === 0) lacking.push(i);
    if (lacking.length === 0 && unscored[s] === 0) return [];
    const examples = lacking.slice(0, EXAMPLES).map(itemName);
    return [{ system, missing: lacking.length, unscored: unscored[s]!, examples }];
  });
}

export function nothingInCommon(systems: readonly string[], { itemCount }: Cells, counts: Int32Array): StatError {
  const has = (s: number, item: number): boolean => counts[item + s * itemCount]! > 0;
  const own = systems.map((_, s) => countItems(itemCount, (item) => has(s, item)));
  const empty = systems.filter((_, s) => own[s] === 0);
  if (empty.length > 0 && systems.length === 2) {
    return new StatError(
      "NothingMatches",
      `no item of ${empty.join(" and ")} has a score.`,
      "Score the outputs first, or name another score with option `metric`.",
    );
  }
  const message = `no item has a score from every system (${systems.map((name, s) => `${name} has ${own[s]}`).join(", ")} scored).`;
  let best = { shared: 0, a: 0, b: 0 };
  for (let b = 1; b < systems.length; b++) {
    for (let a = 0; a < b; a++) {
      const shared = countItems(itemCount, (item) => has(a, item) && has(b, item));
      if (shared > best.shared) best = { shared, a, b };
    }
  }
  const some = `Name systems that share items, for example option \`systems: ${systems[best.a]},${systems[best.b]}\` (${best.shared} in common).`;
  const none =
    "Check that they were run on the same data, and name the column that identifies an item with option `item`; option `unpaired` compares them as independent samples.";
  return new StatError("NothingMatches", message, best.shared > 0 ? some : none);
}

function countItems(items: number, holds: (item: number) => boolean): number {
  let n = 0;
  for (let item = 0; item < items; item++) if (holds(item)) n += 1;
  return n;
}
