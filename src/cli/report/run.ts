/** `gosset report` and `gosset cite`: stored results as a page, and the literature behind them. */
import { checklistResults, citeResults } from "../../report.ts";
import type { Context } from "../context.ts";
import { readTextFile } from "../files.ts";
import type { GlobalOptions } from "../options.ts";
import { writeText } from "../output.ts";
import { checkPicturePaths, writeReport } from "../pictures.ts";

export async function runReport({ options }: Context<GlobalOptions>, paths: readonly string[]): Promise<void> {
  const target = options.out ?? options.html ?? "-";
  if (target !== "-") checkPicturePaths({ html: target });
  await writeReport(paths.map(readTextFile), target, options);
}

export async function runCite(
  { options }: Context<GlobalOptions & { readonly checklist?: boolean }>,
  paths: readonly string[],
): Promise<void> {
  const results = paths.map(readTextFile);
  writeText(options.checklist ? checklistResults(results) : citeResults(results), options);
}
