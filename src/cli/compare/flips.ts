/** `--flips items.csv`: every item that differs between two systems, as a file of its own. */
import { type Comparison, comparisonTable, type DisplayTable, render, StatError } from "../../index.ts";
import { writeOutput } from "../files.ts";

/** The text of the file, of one metric; made before the answer is printed, so that a refusal prints nothing. */
export function flipsText(result: Comparison, path: string): string {
  if ((result.toJSON() as { readonly grid?: unknown }).grid !== undefined) {
    throw new StatError(
      "BadOption",
      "--flips with several metrics: the file holds the items of one metric.",
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
