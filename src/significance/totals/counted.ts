/** Right answers of how many, without a file: 74 of 80 against 91 of 120. */
import { factorColumn, makeTable, numericColumn, type Table } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";

export interface SystemCount {
  readonly system: string;
  readonly successes: number;
  readonly n: number;
}

/** As `answerComparison` takes it. */
export function countedTotals(counts: readonly SystemCount[]): Table {
  for (const { system, successes, n } of counts)
    if (!(Number.isInteger(successes) && Number.isInteger(n) && n > 0 && successes >= 0 && successes <= n))
      throw new StatError("BadCounts", `${system}: ${successes} of ${n} is not a count.`, "Write for example 74/80.");
  const names = counts.map(({ system }) => system);
  const twice = names.find((name, k) => names.indexOf(name) < k);
  if (twice !== undefined)
    throw new StatError("SameName", `two systems are called ${twice}.`, "Name them, for example old=74/80 new=74/80.");
  return makeTable([
    ["system", factorColumn(names)],
    ["success_rate", numericColumn(counts.map(({ successes, n }) => successes / n))],
    ["successes", numericColumn(counts.map(({ successes }) => successes))],
    ["n", numericColumn(counts.map(({ n }) => n))],
  ]);
}
