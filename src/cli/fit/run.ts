/** `gosset fit lm|glm "<formula>" <data>` */

import {
  type DisplayTable,
  fitGlm,
  fitLm,
  type GlmFit,
  type GlmOptions,
  type LmFit,
  leaveOneOut,
  type Prediction,
  predict,
  type RobustType,
  StatError,
} from "../../index.ts";
import { loadTable } from "../load.ts";
import { type ModelOptions, parseContrasts, parseLevelLists, parseProbability } from "../options.ts";
import { printResult } from "../output.ts";
import { makeProgress, type Progress } from "../progress.ts";
import type { CategoricalModel, FitCategoricalOptions } from "./categorical.ts";
import type { FitGamOptions } from "./gam.ts";
import type { FitLmmOptions } from "./lmm.ts";

export interface FitCommandOptions extends FitLmmOptions, FitCategoricalOptions, FitGamOptions {
  readonly cluster?: string;
  readonly robust?: RobustType;
  readonly loo?: boolean;
  readonly predict?: string;
}

const MODELS: readonly string[] = ["lm", "glm", "lmm", "clm", "clmm", "glmm", "gam"];
const CATEGORICAL: readonly string[] = ["clm", "clmm", "glmm"];

export async function fitCommand(
  model: string,
  formula: string,
  data: string,
  options: FitCommandOptions,
): Promise<void> {
  if (!MODELS.includes(model)) {
    throw new StatError("UnknownModel", `no model "${model}".`, `This version fits ${MODELS.join(", ")}.`);
  }
  if (model === "gam") {
    const { cluster, robust, loo, ml, ddf, intervals, terms, modes, threshold, nagq } = options;
    refuseFlags(model, { cluster, robust, loo, ml, ddf, intervals, terms, modes, threshold, nagq });
    const { fitGamCommand } = await import("./gam.ts");
    return fitGamCommand(formula, data, options);
  }
  refuseFlags(model, {
    method: options.method,
    select: options.select,
    gamma: options.gamma,
    shapes: options.shapes,
  });
  if (CATEGORICAL.includes(model)) {
    const { cluster, robust, loo, predict, ml, ddf, terms, modes } = options;
    const intervals = options.intervals === "profile" ? undefined : options.intervals;
    refuseFlags(model, { cluster, robust, loo, predict, ml, ddf, intervals, terms, modes });
    const { fitCategoricalCommand } = await import("./categorical.ts");
    return fitCategoricalCommand(model as CategoricalModel, [formula, data], options);
  }
  refuseFlags(model, { threshold: options.threshold, nagq: options.nagq });
  if (model === "lmm") {
    refuseFlags("lmm", {
      cluster: options.cluster,
      robust: options.robust,
      loo: options.loo,
      predict: options.predict,
    });
    const { fitLmmCommand } = await import("./lmm.ts");
    return fitLmmCommand(formula, data, options);
  }
  refuseFlags(model, { ml: options.ml, ddf: options.ddf, intervals: options.intervals, modes: options.modes });
  const modelOptions = { ...libraryOptions(model, options), ...robustOptions(options) };
  const progress = makeProgress(options.quiet === true);
  const { table, diagnostics } = await loadTable(data, options, progress);
  progress.update("Fitting", 0, 0);
  const fit = model === "lm" ? fitLm(formula, table, modelOptions) : fitGlm(formula, table, modelOptions);
  const extra = await extras(fit, options, progress);
  progress.end();
  printResult(fit, options, {
    reading: diagnostics,
    tables: extra.tables,
    published: extra.published,
    // CSV holds one table: the one that was asked for beside the coefficients, if any
    csv: extra.tables.length > 0 ? extra.tables.slice(-1) : undefined,
  });
}

/** A flag that the model has no use for would be ignored in silence. */
function refuseFlags(model: string, flags: Readonly<Record<string, unknown>>): void {
  const given = Object.keys(flags).find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  throw new StatError(
    "BadOption",
    `${model} does not take --${given}.`,
    "Leave it out; gosset fit --help says which model takes what.",
  );
}

/** The flags of `fit` and `anova` as options of the library. */
export function libraryOptions(model: string, options: ModelOptions): GlmOptions {
  const contrasts = parseContrasts(options.contrasts);
  const levels = parseLevelLists(options.levels, "--levels");
  const ordered = parseLevelLists(options.ordered, "--ordered");
  const chosen = contrasts.byColumn.size > 0 ? contrasts.byColumn : contrasts.all;
  if (model === "lm" && (options.family !== undefined || options.link !== undefined)) {
    throw new StatError("BadOption", "lm has no family or link.", "Use fit glm, or leave --family and --link out.");
  }
  if (contrasts.all !== undefined && contrasts.byColumn.size > 0) {
    throw new StatError(
      "BadOption",
      "--contrasts was given for all factors and for single ones.",
      "Name every factor, or none.",
    );
  }
  return {
    ...(options.family === undefined ? {} : { family: options.family }),
    ...(options.link === undefined ? {} : { link: options.link }),
    ...(chosen === undefined ? {} : { contrasts: chosen }),
    ...(levels.size === 0 ? {} : { levels }),
    ...(ordered.size === 0 ? {} : { ordered }),
    ...(options.factor.length === 0 ? {} : { factors: options.factor }),
    ...(options.weights === undefined ? {} : { weights: options.weights }),
    ...(options.offset === undefined ? {} : { offset: options.offset }),
  };
}

function robustOptions({ cluster, robust, confidence }: FitCommandOptions): GlmOptions {
  return {
    confidence: parseProbability(confidence, "--confidence"),
    ...(cluster === undefined ? {} : { cluster }),
    ...(robust === undefined ? {} : { robust }),
  };
}

/** What --loo and --predict add. */
async function extras(
  fit: LmFit | GlmFit,
  options: FitCommandOptions,
  progress: Progress,
): Promise<{ tables: DisplayTable[]; published: object }> {
  const tables: DisplayTable[] = [];
  const published: Record<string, unknown> = {};
  if (options.loo) {
    const { rmse, rSquared, predicted } = leaveOneOut(fit, (done, of) => progress.update("Leaving one out", done, of));
    tables.push({ caption: "Leave-one-out prediction", head: ["RMSE", "predictive R²"], rows: [[rmse, rSquared]] });
    published["leaveOneOut"] = { rmse, rSquared, predicted };
  }
  if (options.predict !== undefined) {
    const plain = { ...options, where: [], mutate: options.mutate.filter((text) => !isResponse(fit, text)) };
    const { table } = await loadTable(options.predict, plain, progress);
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
