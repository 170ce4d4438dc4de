/** `--flips items.csv`: every item that differs between two systems, as a file of its own. */
import { type Comparison, comparisonTable, type DisplayTable, render, StatError } from "../../index.ts";
import { writeOutput } from "../files.ts";

/** Before anything is computed. */
export function checkFlips(path: string | undefined): void {
  if (path === undefined || /\.(csv|json)$/i.test(path)) return;
  throw new StatError("BadOption", `--flips ${path}: no kind of table.`, "Let its name end in .csv or .json.");
}

export function refuseFlips(path: string | undefined): void {
  if (path === undefined) return;
  const fix = "Leave it out, or give the scores of items.";
  throw new StatError("NoSharedItems", `--flips ${path}: totals have no items that could differ.`, fix);
}

/** The text of the file, of one metric; made before the answer is printed, so that a refusal prints nothing. */
export function flipsText(result: Comparison, path: string): string {
  if ((result.toJSON() as { readonly grid?: unknown }).grid !== undefined) {
    throw new StatError(
      "BadOption",
      "--flips with several metrics: it holds the items of one.",
      "Name one with --metric.",
    );
  }
  const table = comparisonTable(result, "flips");
  if (/\.json$/i.test(path)) return `${JSON.stringify(recordsOf(table), null, 1)}\n`;
  return render({ title: "", tables: [table], notes: [] }, "csv").replaceAll("\r\n", "\n");
}

export const writeFlips = (path: string, text: string): void => writeOutput(path, text);

const recordsOf = ({ head, rows }: DisplayTable): object[] =>
  rows.map((row) => Object.fromEntries(head.map((name, j) => [name, row[j] ?? ""])));
