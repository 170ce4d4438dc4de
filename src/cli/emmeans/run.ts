/** `gosset emmeans "<formula>" <data> --by system [--within length]` */

import {
  type ContrastMethod,
  type CustomContrasts,
  type EffectSizes,
  effectSizes,
  fitGlm,
  fitLm,
  fitLmm,
  type MarginalMeansOptions,
  type MeansScale,
  marginalMeans,
  StatError,
  type Table,
} from "../../index.ts";
import {
  type ClmFit,
  type ClmmFit,
  CONTRAST_METHODS,
  type Ddf,
  type GlmFit,
  type GlmmFit,
  type LmFit,
  type LmmFit,
  parseFormula,
  type RobustType,
} from "../../models.ts";
import { parseProbability } from "../../questions.ts";
import { ADJUSTMENTS, type Adjustment } from "../../tests.ts";
import type { Context } from "../context.ts";
import {
  type CategoricalFlags,
  categoricalOptions,
  chooseCategorical,
  fitCategorical,
  libraryOptions,
  loadVariables,
  parseThresholds,
} from "../model-options.ts";
import { parseLevelLists } from "../options.ts";
import type { Printing } from "../output.ts";

interface EmmeansCommandOptions extends CategoricalFlags {
  readonly by: readonly string[];
  readonly within: readonly string[];
  readonly adjust?: string;
  readonly contrast: readonly string[];
  readonly reference?: string;
  readonly at: readonly string[];
  readonly slopes?: string;
  readonly type?: MeansScale;
  readonly regrid?: boolean;
  readonly average?: "equal" | "proportional";
  /** true without a value: the residual SD. */
  readonly effectSize?: string | true;
  readonly cluster?: string;
  readonly robust?: RobustType;
  readonly confidence: string;
  readonly ddf?: Ddf;
}

export async function run(context: Context<EmmeansCommandOptions>, formula: string, data: string): Promise<void> {
  const { options } = context;
  const wanted = meansOptions(options);
  if (!options.contrast.includes("treatment")) context.refuse(["--reference"], "without --contrast treatment");
  const sd = effectSd(options.effectSize);
  parseThresholds(options.threshold);
  if (options.model !== undefined) categoricalOptions(options.model, options);
  const table = await loadVariables(context, data, [formula]);
  context.progress.update("Fitting", 0, 0);
  const fit = fitFor(formula, table, options);
  const result = marginalMeans(fit, { ...wanted, data: table });
  const effects = sd === undefined ? undefined : effectSizes(fit, { ...wanted, data: table, sd });
  context.print(result, effects === undefined ? {} : sizes(effects));
}

/** The contrasts in SDs, beside the means. */
function sizes(effects: EffectSizes): Printing {
  const { tables, notes } = effects.display();
  return {
    tables: tables.map((own) => ({ ...own, caption: "Contrasts in SDs (Hedges' g)" })),
    notes,
    published: { effectSizes: effects.effects, effectSd: effects.sd, effectInterval: effects.interval },
  };
}

type AnyFit = LmFit | GlmFit | LmmFit | ClmFit | ClmmFit | GlmmFit;

function fitFor(formula: string, table: Table, options: EmmeansCommandOptions): AnyFit {
  const { ddf, cluster, robust } = options;
  const chosen = chooseCategorical([formula], table, options);
  const mixed = parseFormula(formula).random.length > 0;
  if (ddf !== undefined && (!mixed || chosen !== undefined)) {
    throw new StatError(
      "BadOption",
      "--ddf is for linear mixed models.",
      chosen === undefined ? 'Add a random effect such as "(1 | item)", or leave --ddf out.' : "Leave it out.",
    );
  }
  if ((mixed || chosen !== undefined) && (cluster !== undefined || robust !== undefined)) {
    const message = `${chosen ?? "a linear mixed model"} takes no --cluster or --robust.`;
    throw new StatError("BadOption", message, "Leave them out, or leave the random effects out.");
  }
  if (chosen !== undefined) {
    const confidence = parseProbability(options.confidence, "--confidence");
    return fitCategorical(chosen, [formula, table], { ...options, confidence });
  }
  const model = options.family === undefined && options.link === undefined ? "lm" : "glm";
  const plain = libraryOptions(options);
  if (mixed) return fitLmm(formula, table, { ...plain, ...(ddf === undefined ? {} : { ddf }) });
  const own = {
    ...plain,
    ...(cluster === undefined ? {} : { cluster }),
    ...(robust === undefined ? {} : { robust }),
  };
  return model === "lm" ? fitLm(formula, table, own) : fitGlm(formula, table, own);
}

/** The flags as options of the library. */
function meansOptions(options: EmmeansCommandOptions): MarginalMeansOptions {
  const at = parseLevelLists(options.at, "--at");
  return {
    by: splitNames(options.by),
    within: splitNames(options.within),
    contrasts: parseContrast(options.contrast),
    confidence: parseProbability(options.confidence, "--confidence"),
    ...(options.adjust === undefined ? {} : { adjust: parseAdjustment(options.adjust) }),
    ...(options.reference === undefined ? {} : { reference: options.reference }),
    ...(at.size === 0 ? {} : { at }),
    ...(options.slopes === undefined ? {} : { slopes: options.slopes }),
    ...(options.type === undefined ? {} : { type: options.type }),
    ...(options.regrid === undefined ? {} : { regrid: options.regrid }),
    ...(options.average === undefined ? {} : { weights: options.average }),
  };
}

/** `--by a,b` or `--by a --by b`; a comma inside a name is written `\,`. */
function splitNames(texts: readonly string[]): string[] {
  return texts.flatMap((text) => text.split(/(?<!\\),/).map((name) => name.replaceAll("\\,", ",").trim()));
}

function parseAdjustment(text: string): Adjustment {
  const wanted = text.toLowerCase() === "fdr" ? "bh" : text.toLowerCase();
  const found = ADJUSTMENTS.find((name) => name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  throw new StatError(
    "BadOption",
    `--adjust ${text}: there is no such method.`,
    `Choose one of ${ADJUSTMENTS.join(", ")}.`,
  );
}

/** A method by its name, or any number of contrasts written as name=1,-1,0. */
function parseContrast(texts: readonly string[]): ContrastMethod | CustomContrasts | "none" {
  const [first = "pairwise"] = texts;
  if (texts.length <= 1 && !first.includes("=")) {
    if (first === "none" || (CONTRAST_METHODS as readonly string[]).includes(first)) {
      return first as ContrastMethod | "none";
    }
    throw new StatError(
      "BadOption",
      `--contrast ${first}: there are no such contrasts.`,
      `Choose one of ${CONTRAST_METHODS.join(", ")} or none, or write your own: --contrast "new vs old=-1,1,0".`,
    );
  }
  const lists = parseLevelLists(texts, "--contrast");
  return new Map([...lists].map(([name, weights]) => [name, weights.map((weight) => parseWeight(name, weight))]));
}

function parseWeight(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new StatError("BadOption", `--contrast ${name}: "${text}" is not a number.`, "Give one number for each mean.");
}

function effectSd(given: string | true | undefined): "residual" | "total" | number | undefined {
  if (given === undefined) return undefined;
  if (given === true || given === "residual") return "residual";
  if (given === "total") return "total";
  const value = Number(given);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new StatError(
    "BadOption",
    `--effect-size ${given}: not a standard deviation.`,
    "Write residual, total, or a positive number.",
  );
}
