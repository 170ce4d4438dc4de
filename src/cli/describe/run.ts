/** `gosset describe <file or folder>` */
import { describeImported, importFiles } from "../../index.ts";
import type { Context } from "../context.ts";
import { readWithCompanions } from "../files.ts";
import { programName } from "../help.ts";
import { importOptions, readFlags } from "../load.ts";
import type { GlobalOptions, ReadOptions } from "../options.ts";

/** Commands of this version; the questions behind others are marked as not available yet. */
const AVAILABLE: ReadonlySet<string> = new Set([
  "describe",
  "fit lm",
  "fit glm",
  "fit lmm",
  "fit clm",
  "fit clmm",
  "fit glmm",
  "fit gam",
  "anova",
  "emmeans",
  "compare",
  "test",
  "score",
  "agreement",
  "reliability",
  "importance",
  "budget",
  "mde accuracy",
  "mde likert",
  "mde means",
  "mde preference",
  "validity bias",
  "validity circularity",
]);

export async function run(context: Context<GlobalOptions & ReadOptions>, path: string): Promise<void> {
  const { options } = context;
  const imported = await importFiles(readWithCompanions(path), importOptions(options));
  const description = describeImported(imported, {
    target: path,
    available: AVAILABLE,
    program: programName(),
    flags: readFlags(options),
  });
  context.print(description);
}
