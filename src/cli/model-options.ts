/** Flags of models as options of the library; and clm, clmm and glmm: which of them was meant, with which options, and the fit. */
import { fitClm, fitClmm, fitGlmm, StatError, type Table } from "../index.ts";
import {
  type ClmFit,
  type ClmmFit,
  type Contrast,
  type FamilyName,
  type GlmmFit,
  parseFormula,
  tellUnusedColumns,
} from "../models.ts";
import type { OptionsOf, VARIABLES } from "../questions.ts";
import type { Context } from "./context.ts";
import { requireNumbers } from "./load.ts";
import type { DataOptions } from "./options.ts";

export type CategoricalModel = "clm" | "clmm" | "glmm";

/** As the table of a model says it (src/question/models.ts). */
export interface ModelGiven<Family extends FamilyName = FamilyName> extends OptionsOf<typeof VARIABLES> {
  readonly family?: Family | undefined;
  readonly link?: "identity" | "log" | "logit" | "probit" | "cloglog" | undefined;
  readonly maxMemory?: number | undefined;
  readonly confidence?: number | undefined;
}

export interface CategoricalGiven extends ModelGiven {
  readonly model?: CategoricalModel | undefined;
  /** One kind, or for anova two: the smaller model's first. */
  readonly threshold?: string | readonly string[] | undefined;
  readonly nAGQ?: number | undefined;
}

type Threshold = "flexible" | "symmetric" | "equidistant";
const THRESHOLDS: readonly string[] = ["flexible", "symmetric", "equidistant"];
const CONTRASTS: readonly string[] = ["treatment", "sum", "helmert", "poly"];

/** The table of a model, whose weights and offset must be numbers; what is said about columns is about those of the formulas. */
export async function loadVariables(
  { load, note }: Context<DataOptions>,
  path: string,
  formulas: readonly (string | undefined)[],
  given: ModelGiven,
): Promise<Table> {
  const table = await load(path);
  const named = formulas.filter((text) => text !== undefined);
  note(tellUnusedColumns(named, table, libraryOptions(given)));
  requireNumbers(table, "--weights", given.weights);
  requireNumbers(table, "--offset", given.offset);
  return table;
}

/** How columns become variables, with family and link, as options of the library. */
export function libraryOptions<Family extends FamilyName>(given: ModelGiven<Family>) {
  const { levels, ordered, factors, weights, offset, family, link, maxMemory } = given;
  const contrasts = given.contrasts && parseContrasts(given.contrasts);
  return { contrasts, levels, ordered, factors, weights, offset, family, link, maxMemory };
}

/** `sum` for every factor, or `col=sum` for one. */
function parseContrasts(texts: readonly string[]): Contrast | Readonly<Record<string, Contrast>> {
  const byColumn: Record<string, Contrast> = {};
  let all: Contrast | undefined;
  for (const text of texts) {
    const at = text.lastIndexOf("=");
    const name = text.slice(at + 1);
    if (!CONTRASTS.includes(name)) {
      const message = `--contrasts ${text}: no contrast "${name}".`;
      throw new StatError("BadOption", message, `Choose one of ${CONTRASTS.join(", ")}.`);
    }
    if (at < 0) all = name as Contrast;
    else byColumn[text.slice(0, at)] = name as Contrast;
  }
  if (all === undefined) return byColumn;
  if (Object.keys(byColumn).length === 0) return all;
  const message = "--contrasts is given both for all factors and for single factors.";
  throw new StatError("BadOption", message, "Name every factor, or none.");
}

/** The model that the flags and the response ask for; undefined where it is lm, glm or lmm. */
export function chooseCategorical(
  texts: readonly string[],
  table: Table,
  given: CategoricalGiven,
): CategoricalModel | undefined {
  if (given.model !== undefined) return given.model;
  const formulas = texts.map((text) => parseFormula(text));
  const mixed = formulas.some(({ random }) => random.length > 0);
  const isOrdered = formulas.every(({ responseLabel }) => {
    const column = table.columns.get(responseLabel);
    return given.ordered?.[responseLabel] !== undefined || (column?.kind === "factor" && column.ordered);
  });
  if (given.threshold !== undefined || (isOrdered && given.family === undefined)) return mixed ? "clmm" : "clm";
  const glm = given.family !== undefined || given.link !== undefined;
  if (mixed && glm) return "glmm";
  if (given.nAGQ === undefined) return undefined;
  const fix = "Add --model clmm or --model glmm, or leave it out.";
  throw new StatError("BadOption", "--nagq is for clmm and glmm.", fix);
}

/** Flags that this model takes; others are refused, not ignored. */
export function categoricalOptions(model: CategoricalModel, given: CategoricalGiven) {
  const { family, link, ...shared } = libraryOptions(given);
  const refuse = (what: string): never => {
    const fix = "Leave it out; gosset fit --help says which model takes what.";
    throw new StatError("BadOption", `${model} does not take ${what}.`, fix);
  };
  if (model !== "glmm" && family !== undefined) refuse(`--family ${family}`);
  if (family === "gaussian") refuse("--family gaussian (use lmm)");
  if (family !== undefined && family !== "binomial" && family !== "poisson") refuse(`--family ${family}`);
  if (link === "identity" || (model !== "glmm" && link === "log")) refuse(`--link ${link}`);
  if (model === "glmm" && given.threshold !== undefined) refuse("--threshold");
  if (model === "clm" && given.nAGQ !== undefined) refuse("--nagq");
  return {
    ...shared,
    family: family as "binomial" | "poisson" | undefined,
    link: link as Exclude<typeof link, "identity">,
    nAGQ: given.nAGQ,
  };
}

/** One kind of thresholds for both models, or one for each. */
export function checkThresholds(
  given: string | readonly string[] | undefined,
): Threshold | readonly [Threshold, Threshold] | undefined {
  if (given === undefined) return undefined;
  const kinds = [given].flat();
  const unknown = kinds.find((kind) => !THRESHOLDS.includes(kind));
  if (unknown !== undefined || kinds.length > 2) {
    const what = unknown === undefined ? "more than two kinds" : `no thresholds "${unknown}"`;
    throw new StatError("BadOption", `--threshold ${kinds}: ${what}.`, `Choose from ${THRESHOLDS.join(", ")}.`);
  }
  return kinds.length === 2 ? (kinds as [Threshold, Threshold]) : (kinds[0] as Threshold);
}

export function fitCategorical(
  model: CategoricalModel,
  formula: string,
  table: Table,
  given: CategoricalGiven,
): ClmFit | ClmmFit | GlmmFit {
  const { family, link, ...shared } = categoricalOptions(model, given);
  const threshold = checkThresholds(given.threshold);
  if (typeof threshold === "object") {
    const message = `--threshold ${given.threshold}: a model has one kind of thresholds.`;
    throw new StatError("BadOption", message, "Name one; gosset anova compares two.");
  }
  const own = { ...shared, confidence: given.confidence };
  if (model === "glmm") return fitGlmm(formula, table, { ...own, family, link });
  const ordinal = { ...own, threshold, link: link === "log" ? undefined : link };
  return model === "clm" ? fitClm(formula, table, ordinal) : fitClmm(formula, table, ordinal);
}
