/** `gosset anova "<f0>" "<f1>" <data>` */

import {
  type CategoricalComparison,
  type MixedComparison,
  type NestedComparison,
  StatError,
  type Table,
  testNestedCategorical,
  testNestedFormulas,
  testNestedMixed,
  warnOfRepeats,
} from "../../index.ts";
import { parseFormula, tellUnusedCoding, warnOfMixedMetrics } from "../../models.ts";
import { ANOVA, type OptionsOf, parseOptions } from "../../questions.ts";
import type { Context } from "../context.ts";
import {
  categoricalOptions,
  checkThresholds,
  chooseCategorical,
  libraryOptions,
  loadVariables,
} from "../model-options.ts";
import type { DataOptions } from "../options.ts";

type Given = OptionsOf<typeof ANOVA>;
type Comparison = NestedComparison | MixedComparison | CategoricalComparison;

export async function run(context: Context<DataOptions>, smaller: string, larger: string, data: string): Promise<void> {
  const given: Given = parseOptions(ANOVA, context.options);
  checkThresholds(given.threshold);
  if (given.model !== undefined) categoricalOptions(given.model, given);
  const table = await loadVariables(context, data, [smaller, larger], given);
  context.note(tellUnusedCoding([smaller, larger], table, libraryOptions(given)));
  const mixed = [smaller, larger].some((text) => parseFormula(text).random.length > 0);
  if (!mixed) context.refuse(["--reml"], "without random effects");
  context.note(warnOfMixedMetrics(table, [smaller, larger]));
  if (!mixed) context.note(warnOfRepeats(table, [smaller, larger], false));
  context.progress.update("Fitting", 0, 0);
  context.print(compare([smaller, larger], table, given));
}

function compare(texts: readonly [string, string], table: Table, given: Given): Comparison {
  const model = chooseCategorical(texts, table, given);
  if (model !== undefined) {
    if (given.reml)
      throw new StatError(
        "BadOption",
        `${model} does not take --reml.`,
        "Leave it out: a likelihood-ratio test compares ML fits.",
      );
    const threshold = checkThresholds(given.threshold);
    return testNestedCategorical(texts, table, { ...categoricalOptions(model, given), model, threshold });
  }
  const options = libraryOptions(given);
  if (texts.some((text) => parseFormula(text).random.length > 0))
    return testNestedMixed(texts, table, { ...options, criterion: given.reml ? "REML" : "ML" });
  const plain = given.family === undefined && given.link === undefined;
  return testNestedFormulas(texts, table, { model: plain ? "lm" : "glm", ...options });
}
