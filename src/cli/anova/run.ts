/** `gosset anova "<f0>" "<f1>" <data>` */
import {
  type CategoricalComparison,
  compareNestedCategorical,
  compareNestedFormulas,
  compareNestedMixed,
  type MixedComparison,
  type NestedComparison,
  parseFormula,
  StatError,
  type Table,
} from "../../index.ts";
import {
  type CategoricalFlags,
  categoricalOptions,
  chooseCategorical,
  parseThresholds,
} from "../fit/categorical-model.ts";
import { libraryOptions } from "../fit/run.ts";
import { loadTable } from "../load.ts";
import { printResult } from "../output.ts";
import { makeProgress } from "../progress.ts";

interface AnovaOptions extends CategoricalFlags {
  readonly reml?: boolean;
}

type Comparison = NestedComparison | MixedComparison | CategoricalComparison;

export async function anovaCommand(
  texts: readonly [string, string],
  data: string,
  options: AnovaOptions,
): Promise<void> {
  parseThresholds(options.threshold);
  if (options.model !== undefined) categoricalOptions(options.model, options);
  const progress = makeProgress(options.quiet === true);
  const { table, diagnostics } = await loadTable(data, options, progress);
  progress.update("Fitting", 0, 0);
  const result = compare(texts, table, options);
  progress.end();
  printResult(result, options, { reading: diagnostics });
}

function compare(texts: readonly [string, string], table: Table, options: AnovaOptions): Comparison {
  const chosen = chooseCategorical(texts, table, options);
  if (chosen !== undefined) {
    if (options.reml) {
      throw new StatError("BadOption", `${chosen} does not take --reml.`, "Leave it out: likelihoods are compared.");
    }
    const threshold = parseThresholds(options.threshold);
    return compareNestedCategorical(texts, table, {
      ...categoricalOptions(chosen, options),
      model: chosen,
      ...(threshold === undefined ? {} : { threshold }),
    });
  }
  const model = options.family === undefined && options.link === undefined ? "lm" : "glm";
  const modelOptions = libraryOptions(model, options);
  return texts.some((text) => parseFormula(text).random.length > 0)
    ? compareNestedMixed(texts, table, { ...modelOptions, criterion: options.reml ? "REML" : "ML" })
    : compareNestedFormulas(texts, table, { model, ...modelOptions });
}
