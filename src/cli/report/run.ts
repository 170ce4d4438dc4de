/** `gosset report` and `gosset cite`: stored results as a page, and the literature behind them. */
import { checklistResults, citeResults, writePapers } from "../../report.ts";
import type { Context } from "../context.ts";
import { readResultFile } from "../files.ts";
import type { GlobalOptions } from "../options.ts";
import { writeText } from "../output.ts";
import { checkPagePath, writeReport } from "../pictures.ts";

export async function runReport({ options }: Context<GlobalOptions>, paths: readonly string[]): Promise<void> {
  const target = options.out ?? options.html ?? "-";
  if (target !== "-") checkPagePath(target, options.out === undefined ? "--html" : "--out");
  await writeReport(paths.map(readResultFile), target, options);
}

export async function runCite(
  { options }: Context<GlobalOptions & { readonly checklist?: boolean }>,
  paths: readonly string[],
): Promise<void> {
  const results = paths.map(readResultFile);
  writeText(options.checklist ? checklistResults(results) : citeResults(results), options);
}

export async function runPaper({ options }: Context<GlobalOptions>, paths: readonly string[]): Promise<void> {
  writeText(writePapers(paths.map(readResultFile), options.json ? "json" : "tex"), options);
}
