/** `gosset fit lm|glm "<formula>" <data>` */

import { type DisplayTable, fitGlm, fitLm, leaveOneOut, predict, warnOfRepeats } from "../../index.ts";
import type { GlmFit, GlmOptions, LmFit, Prediction, RobustType } from "../../models.ts";
import { warnOfMixedMetrics } from "../../models.ts";
import { parseProbability } from "../../questions.ts";
import type { Context } from "../context.ts";
import { libraryOptions, loadVariables } from "../model-options.ts";
import type { ModelOptions } from "../options.ts";
import { profiles } from "./profiles.ts";

interface FitOptions extends ModelOptions {
  readonly confidence: string;
  readonly cluster?: string;
  readonly robust?: RobustType;
  readonly firth?: boolean;
  readonly loo?: boolean;
  readonly intervals?: "profile";
  readonly predict?: string;
}

export const runLm = (context: Context<FitOptions>, formula: string, data: string): Promise<void> =>
  runLinear(context, { model: "lm", formula, data });
export const runGlm = (context: Context<FitOptions>, formula: string, data: string): Promise<void> =>
  runLinear(context, { model: "glm", formula, data });

async function runLinear(
  context: Context<FitOptions>,
  { model, formula, data }: { readonly model: "lm" | "glm"; readonly formula: string; readonly data: string },
): Promise<void> {
  const { options, progress } = context;
  const modelOptions = { ...libraryOptions(options), ...robustOptions(options) };
  const table = await loadVariables(context, data, [formula]);
  context.note([...warnOfMixedMetrics(table, [formula]), ...warnOfRepeats(table, [formula], options.cluster)]);
  progress.update("Fitting", 0, 0);
  const fit = model === "lm" ? fitLm(formula, table, modelOptions) : fitGlm(formula, table, modelOptions);
  const profiled = fit.kind === "glm" && options.intervals === "profile" ? profiles(fit, progress) : undefined;
  const extra = await extras(fit, context);
  const tables = [...(profiled?.tables ?? []), ...extra.tables];
  context.print(fit, {
    tables,
    notes: profiled?.notes ?? [],
    diagnostics: profiled?.diagnostics ?? [],
    published: { ...profiled?.published, ...extra.published },
    // CSV holds one table: the one that was asked for beside the coefficients, if any
    csv: tables.length > 0 ? tables.slice(-1) : undefined,
  });
}

function robustOptions({ cluster, robust, confidence, firth }: FitOptions): GlmOptions {
  return {
    confidence: parseProbability(confidence, "--confidence"),
    ...(cluster === undefined ? {} : { cluster }),
    ...(robust === undefined ? {} : { robust }),
    ...(firth === undefined ? {} : { firth }),
  };
}

/** What --loo and --predict add. */
async function extras(
  fit: LmFit | GlmFit,
  { options, progress, load }: Context<FitOptions>,
): Promise<{ tables: DisplayTable[]; published: object }> {
  const tables: DisplayTable[] = [];
  const published: Record<string, unknown> = {};
  if (options.loo) {
    const { rmse, rSquared, predicted } = leaveOneOut(fit, (done, of) => progress.update("Leaving one out", done, of));
    tables.push({ caption: "Leave-one-out prediction", head: ["RMSE", "predictive R²"], rows: [[rmse, rSquared]] });
    published["leaveOneOut"] = { rmse, rSquared, predicted };
  }
  if (options.predict !== undefined) {
    const mutate = options.mutate.filter((text) => !isResponse(fit, text));
    const table = await load(options.predict, { where: [], mutate });
    const rows = predictedRows(predict(fit, table, { confidence: fit.confidence }), table.rows);
    tables.push({
      caption: `Predictions for ${options.predict}`,
      head: ["row", "predicted", "from", "to"],
      formats: ["integer", "number", "number", "number"],
      rows,
    });
    published["predictions"] = rows.map(([row, estimate, lower, upper]) => ({ row, estimate, lower, upper }));
  }
  return { tables, published };
}

/** One line per row of the new data; NaN where a value is missing. */
function predictedRows(made: Prediction, count: number): number[][] {
  const rows = Array.from({ length: count }, (_, row) => [row + 1, Number.NaN, Number.NaN, Number.NaN]);
  made.rows.forEach((row, i) => {
    rows[row] = [row + 1, made.value[i]!, made.lower[i]!, made.upper[i]!];
  });
  return rows;
}

/** New data need not have what the response was computed from. */
const isResponse = (fit: LmFit | GlmFit, text: string): boolean =>
  text.split("=")[0]!.trim() === fit.design.schema.formula.responseLabel;
