/** `assay anova "<f0>" "<f1>" <data>` */
import { compareFormulas, compareMixed, parseFormula, StatError } from "../../index.ts";
import { comparisonContract, withDataSteps } from "../contract.ts";
import { loadTable } from "../load.ts";
import type { ModelOptions } from "../options.ts";
import { printAnswer } from "../output.ts";
import { makeProgress } from "../progress.ts";
import { libraryOptions, withExtras } from "./fit.ts";

interface AnovaOptions extends ModelOptions {
  readonly reml?: boolean;
}

export async function anovaCommand(
  texts: readonly [string, string],
  data: string,
  options: AnovaOptions,
): Promise<void> {
  const model = options.family === undefined && options.link === undefined ? "lm" : "glm";
  const modelOptions = libraryOptions(model, options);
  const progress = makeProgress(options.quiet === true);
  const { table, diagnostics } = await loadTable(data, options, progress);
  progress.update("Fitting", 0, 0);
  const mixed = texts.some((text) => parseFormula(text).random.length > 0);
  if (mixed && model === "glm") {
    throw new StatError(
      "UnsupportedTerm",
      "a glm has no random effects in this version.",
      "Leave --family and --link out for a linear mixed model.",
    );
  }
  const result = mixed
    ? compareMixed(texts, table, { ...modelOptions, criterion: options.reml ? "REML" : "ML" })
    : compareFormulas(texts, table, { model, ...modelOptions });
  progress.end();
  const all = [...diagnostics, ...result.diagnostics];
  const display = withExtras(result.display(), [], diagnostics);
  printAnswer(
    {
      display,
      contract: { ...comparisonContract(result, all), signature: withDataSteps(result.signature, options) },
      diagnostics: all,
    },
    options,
  );
}
