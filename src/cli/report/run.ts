/** `gosset report`, `gosset paper` and `gosset cite`: stored results as a page, as LaTeX, and the literature behind them. */
import { extname } from "node:path";
import { StatError } from "../../index.ts";
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
  const format = paperFormat(options);
  writeText(writePapers(paths.map(readResultFile), format), options);
}

/** LaTeX, or JSON where --json or the name of --out says so; no name that promises another format. */
function paperFormat({ json, out = "" }: GlobalOptions): "json" | "tex" {
  const ending = extname(out).toLowerCase();
  const fits = json ? ["", ".txt", ".json"] : ["", ".txt", ".tex", ".json"];
  if (!fits.includes(ending))
    throw new StatError(
      "BadOption",
      `--out ${out}: ${json ? "--json writes no" : "output for a paper is LaTeX or JSON, not"} ${ending}.`,
      `Let it end in ${json ? ".json" : ".tex or .json"}.`,
    );
  return json || ending === ".json" ? "json" : "tex";
}
