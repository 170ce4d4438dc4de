/** Flags of models as options of the library; and clm, clmm and glmm: which of them was meant, with which options, and the fit. */

import { fitClm, fitClmm, fitGlmm, StatError, type Table } from "../index.ts";
import {
  type ClmFit,
  type ClmmFit,
  type FamilyName,
  type GlmmFit,
  type GlmOptions,
  parseFormula,
  tellUnusedColumns,
} from "../models.ts";
import { parseCount, parseSize } from "../questions.ts";
import type { Context } from "./context.ts";
import { requireNumbers } from "./load.ts";
import { type ModelOptions, parseContrasts, parseLevelLists } from "./options.ts";

export type CategoricalModel = "clm" | "clmm" | "glmm";

export interface CategoricalFlags extends ModelOptions {
  readonly model?: CategoricalModel;
  /** One kind, or for anova two with a comma: the smaller model's first. */
  readonly threshold?: string;
  readonly nagq?: string;
}

type Threshold = "flexible" | "symmetric" | "equidistant";
const THRESHOLDS: readonly string[] = ["flexible", "symmetric", "equidistant"];

/** The table of a model, whose weights and offset must be numbers; what is said about columns is about those of the formulas. */
export async function loadVariables(
  { options, load, note }: Context<ModelOptions>,
  path: string,
  formulas: readonly (string | undefined)[],
): Promise<Table> {
  const table = await load(path);
  const named = formulas.filter((text) => text !== undefined);
  note(tellUnusedColumns(named, table, libraryOptions(options)));
  requireNumbers(table, "--weights", options.weights);
  requireNumbers(table, "--offset", options.offset);
  return table;
}

/** How columns become variables, with family and link, as options of the library. */
export function libraryOptions<Family extends FamilyName>(
  options: ModelOptions<Family>,
): Omit<GlmOptions, "family"> & { readonly family?: Family; readonly maxMemory?: number } {
  const contrasts = parseContrasts(options.contrasts);
  const levels = parseLevelLists(options.levels, "--levels");
  const ordered = parseLevelLists(options.ordered, "--ordered");
  const chosen = contrasts.byColumn.size > 0 ? contrasts.byColumn : contrasts.all;
  if (contrasts.all !== undefined && contrasts.byColumn.size > 0) {
    throw new StatError(
      "BadOption",
      "--contrasts is given both for all factors and for single factors.",
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
    ...(options.maxMemory === undefined ? {} : { maxMemory: parseSize(options.maxMemory) }),
  };
}

/** The model that the flags and the response ask for; undefined where it is lm, glm or lmm. */
export function chooseCategorical(
  texts: readonly string[],
  table: Table,
  options: CategoricalFlags,
): CategoricalModel | undefined {
  if (options.model !== undefined) return options.model;
  const formulas = texts.map((text) => parseFormula(text));
  const mixed = formulas.some(({ random }) => random.length > 0);
  const ordered = parseLevelLists(options.ordered, "--ordered");
  const isOrdered = formulas.every(({ responseLabel }) => {
    const column = table.columns.get(responseLabel);
    return ordered.has(responseLabel) || (column?.kind === "factor" && column.ordered);
  });
  if (options.threshold !== undefined || (isOrdered && options.family === undefined)) return mixed ? "clmm" : "clm";
  const glm = options.family !== undefined || options.link !== undefined;
  if (mixed && glm) return "glmm";
  if (options.nagq === undefined) return undefined;
  throw new StatError(
    "BadOption",
    "--nagq is for clmm and glmm.",
    "Add --model clmm or --model glmm, or leave it out.",
  );
}

/** Flags that this model takes; others are refused, not ignored. */
export function categoricalOptions(model: CategoricalModel, options: CategoricalFlags) {
  const { family, link, ...shared } = libraryOptions(options);
  const refuse = (what: string): never => {
    throw new StatError(
      "BadOption",
      `${model} does not take ${what}.`,
      "Leave it out; gosset fit --help says which model takes what.",
    );
  };
  if (model !== "glmm" && family !== undefined) refuse(`--family ${family}`);
  if (family === "gaussian") refuse("--family gaussian (use lmm)");
  if (family !== undefined && family !== "binomial" && family !== "poisson") refuse(`--family ${family}`);
  if (link === "identity" || (model !== "glmm" && link === "log")) refuse(`--link ${link}`);
  if (model === "glmm" && options.threshold !== undefined) refuse("--threshold");
  if (model === "clm" && options.nagq !== undefined) refuse("--nagq");
  return {
    ...shared,
    ...(family === undefined ? {} : { family: family as "binomial" | "poisson" }),
    ...(link === undefined ? {} : { link: link as "log" | "logit" | "probit" | "cloglog" }),
    ...(options.nagq === undefined ? {} : { nAGQ: parseCount(options.nagq, "--nagq") }),
  };
}

/** One kind of thresholds for both models, or one for each. */
export function parseThresholds(text: string | undefined): Threshold | readonly [Threshold, Threshold] | undefined {
  if (text === undefined) return undefined;
  const kinds = text.split(",").map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !THRESHOLDS.includes(kind));
  if (unknown !== undefined || kinds.length > 2) {
    const what = unknown === undefined ? "more than two kinds" : `no thresholds "${unknown}"`;
    throw new StatError("BadOption", `--threshold ${text}: ${what}.`, `Choose from ${THRESHOLDS.join(", ")}.`);
  }
  return kinds.length === 2 ? (kinds as [Threshold, Threshold]) : (kinds[0] as Threshold);
}

export function fitCategorical(
  model: CategoricalModel,
  [formula, table]: readonly [string, Table],
  options: CategoricalFlags & { readonly confidence: number },
): ClmFit | ClmmFit | GlmmFit {
  const { family, link, nAGQ, ...shared } = categoricalOptions(model, options);
  const threshold = parseThresholds(options.threshold);
  if (typeof threshold === "object") {
    const message = `--threshold ${options.threshold}: a model has one kind of thresholds.`;
    throw new StatError("BadOption", message, "Name one; gosset anova compares two.");
  }
  const own = { ...shared, confidence: options.confidence, ...(nAGQ === undefined ? {} : { nAGQ }) };
  if (model === "glmm") {
    return fitGlmm(formula, table, {
      ...own,
      ...(family === undefined ? {} : { family }),
      ...(link === undefined ? {} : { link }),
    });
  }
  const ordinal = {
    ...own,
    ...(link === undefined || link === "log" ? {} : { link }),
    ...(threshold === undefined ? {} : { threshold }),
  };
  return model === "clm" ? fitClm(formula, table, ordinal) : fitClmm(formula, table, ordinal);
}
