/** Is the difference real, whatever the files hold: the one question that the command line, the page and a script ask. */

import { prepareTable } from "../../formula/evaluate/evaluate.ts";
import { StatError } from "../../result/error.ts";
import { type TotalsResult, testTotals } from "../totals/totals.ts";
import { totalsIn } from "./columns.ts";
import { type CompareInput, compare } from "./compare.ts";
import type { CompareOptions, Comparison } from "./comparison.ts";

/** Totals without items are compared by the errors that they state, everything else by `compare`. */
export function answerComparison(data: CompareInput, options: CompareOptions = {}): Comparison | TotalsResult {
  const totals = "hypotheses" in data ? undefined : totalsIn(data, options);
  if (totals === undefined) return compare(data, options);
  const { adjust, ...choices } = options;
  if (adjust === "tukey" || adjust === "max-t") throw needsItems(`adjust: ${adjust}`);
  const given = OF_ITEMS.find((name) => options[name] !== undefined && options[name]?.toString() !== "");
  if (given !== undefined) throw needsItems(given);
  return testTotals({ ...totals, table: prepareTable(totals.table, options) }, { ...choices, adjust });
}

/** Options that totals have no use for. */
const OF_ITEMS = "by cut margin test cluster rater run gold pred slice ddf replicates".split(
  " ",
) as (keyof CompareOptions)[];

const needsItems = (option: string): StatError =>
  new StatError(
    "BadOption",
    `option \`${option}\` needs the scores of items, and the file holds totals.`,
    "Leave it out, or give items.",
  );
