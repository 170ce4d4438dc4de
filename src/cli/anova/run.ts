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
import type { Context } from "../context.ts";
import {
  type CategoricalFlags,
  categoricalOptions,
  chooseCategorical,
  libraryOptions,
  loadVariables,
  parseThresholds,
} from "../model-options.ts";

interface AnovaOptions extends CategoricalFlags {
  readonly reml?: boolean;
}

type Comparison = NestedComparison | MixedComparison | CategoricalComparison;

export async function run(
  context: Context<AnovaOptions>,
  smaller: string,
  larger: string,
  data: string,
): Promise<void> {
  const { options } = context;
  parseThresholds(options.threshold);
  if (options.model !== undefined) categoricalOptions(options.model, options);
  const table = await loadVariables(context, data, [smaller, larger]);
  context.note(tellUnusedCoding([smaller, larger], table, libraryOptions(options)));
  const mixed = [smaller, larger].some((text) => parseFormula(text).random.length > 0);
  if (!mixed) context.refuse(["--reml"], "without random effects");
  context.note(warnOfMixedMetrics(table, [smaller, larger]));
  if (!mixed) context.note(warnOfRepeats(table, [smaller, larger], false));
  context.progress.update("Fitting", 0, 0);
  const result = compare([smaller, larger], table, options);
  context.print(result);
}

function compare(texts: readonly [string, string], table: Table, options: AnovaOptions): Comparison {
  const chosen = chooseCategorical(texts, table, options);
  if (chosen !== undefined) {
    if (options.reml) {
      throw new StatError(
        "BadOption",
        `${chosen} does not take --reml.`,
        "Leave it out: a likelihood-ratio test compares ML fits.",
      );
    }
    const threshold = parseThresholds(options.threshold);
    return testNestedCategorical(texts, table, {
      ...categoricalOptions(chosen, options),
      model: chosen,
      ...(threshold === undefined ? {} : { threshold }),
    });
  }
  const model = options.family === undefined && options.link === undefined ? "lm" : "glm";
  const modelOptions = libraryOptions(options);
  return texts.some((text) => parseFormula(text).random.length > 0)
    ? testNestedMixed(texts, table, { ...modelOptions, criterion: options.reml ? "REML" : "ML" })
    : testNestedFormulas(texts, table, { model, ...modelOptions });
}
