/** `gosset fit lm|glm "<formula>" <data>` */
import { fitGlm, fitLm, leaveOneOut, predict, warnOfRepeats } from "../../index.ts";
import { type GlmFit, type LmFit, warnOfMixedMetrics } from "../../models.ts";
import { FIT, type OptionsOf, parseOptions } from "../../questions.ts";
import type { Context } from "../context.ts";
import { libraryOptions, loadVariables } from "../model-options.ts";
import type { DataOptions } from "../options.ts";
import type { Progress } from "../progress.ts";
import { predictions } from "./predictions.ts";
import { type Part, profiles } from "./profiles.ts";

const runOf =
  (model: "lm" | "glm") =>
  async (context: Context<DataOptions>, formula: string, data: string): Promise<void> => {
    const { progress } = context;
    const given: OptionsOf<typeof FIT.glm> = parseOptions(FIT[model], context.options);
    const { cluster, robust, confidence, firth } = given;
    const options = { ...libraryOptions(given), cluster, robust, confidence, firth };
    const table = await loadVariables(context, data, [formula], given);
    context.note([...warnOfMixedMetrics(table, [formula]), ...warnOfRepeats(table, [formula], cluster)]);
    progress.update("Fitting", 0, 0);
    const fit = model === "lm" ? fitLm(formula, table, options) : fitGlm(formula, table, options);
    const parts = [
      ...(fit.kind === "glm" && given.intervals === "profile" ? [profiles(fit, progress)] : []),
      ...(given.loo ? [leftOut(fit, progress)] : []),
      ...(given.predict === undefined ? [] : [await predictedRows(fit, given.predict, context)]),
    ];
    const tables = parts.flatMap((part) => part.tables);
    context.print(fit, {
      tables,
      notes: parts.flatMap(({ notes = [] }) => notes),
      diagnostics: parts.flatMap(({ diagnostics = [] }) => diagnostics),
      published: Object.assign({}, ...parts.map(({ published }) => published)),
      // CSV holds one table: the one that was asked for beside the coefficients, if any
      csv: tables.length > 0 ? tables.slice(-1) : undefined,
    });
  };

export const runLm = runOf("lm");
export const runGlm = runOf("glm");

const predictedRows = (fit: LmFit | GlmFit, path: string, context: Context<DataOptions>): Promise<Part> =>
  predictions(fit, path, context, (rows) => predict(fit, rows, { confidence: fit.confidence }));

function leftOut(fit: LmFit | GlmFit, progress: Progress): Part {
  const { rmse, rSquared, predicted } = leaveOneOut(fit, (done, of) => progress.update("Leaving one out", done, of));
  return {
    tables: [{ caption: "Leave-one-out prediction", head: ["RMSE", "predictive R²"], rows: [[rmse, rSquared]] }],
    published: { leaveOneOut: { rmse, rSquared, predicted } },
  };
}
