/** Is the difference real, whatever the files hold: the one question that the command line, the page and a script ask. */

import type { Rows } from "../../data/rows.ts";
import { prepareTable } from "../../formula/evaluate/evaluate.ts";
import { COMPARE } from "../../question/compare.ts";
import { refuseUnknown, refuseUnused } from "../../question/refuse.ts";
import { type TotalsOptions, type TotalsResult, testTotals } from "../totals/totals.ts";
import { inputOf, totalsIn } from "./columns.ts";
import { type CompareInput, compare, isTexts } from "./compare.ts";
import type { CompareOptions, Comparison } from "./comparison.ts";

/** Totals without items are compared by the errors that they state, everything else by `compare`. */
export function answerComparison(given: CompareInput | Rows, options: CompareOptions = {}): Comparison | TotalsResult {
  const data = isTexts(given) ? given : inputOf(given);
  const totals = isTexts(data) ? undefined : totalsIn(data, options);
  if (totals === undefined) return compare(data, options);
  refuseUnknown(COMPARE, options);
  refuseUnused(COMPARE, options, "totals");
  const { metric, systems, baseline, higherIsBetter, adjust, alpha, confidence, interval } = options;
  const own = { metric, systems, baseline, higherIsBetter, adjust, alpha, confidence, interval } as TotalsOptions;
  return testTotals({ ...totals, table: prepareTable(totals.table, options) }, own);
}
