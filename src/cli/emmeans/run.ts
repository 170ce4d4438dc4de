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
  marginalMeans,
  StatError,
  type Table,
} from "../../index.ts";
import {
  type ClmFit,
  type ClmmFit,
  CONTRAST_METHODS,
  type GlmFit,
  type GlmmFit,
  type LmFit,
  type LmmFit,
  parseFormula,
} from "../../models.ts";
import { EMMEANS, MEANS_MODEL, type OptionsOf, parseLevels, parseOptions } from "../../questions.ts";
import { ADJUSTMENTS, type Adjustment } from "../../tests.ts";
import type { Context } from "../context.ts";
import {
  categoricalOptions,
  checkThresholds,
  chooseCategorical,
  fitCategorical,
  libraryOptions,
  loadVariables,
} from "../model-options.ts";
import type { DataOptions } from "../options.ts";
import type { Printing } from "../output.ts";

type Asked = OptionsOf<typeof EMMEANS>;
type Given = OptionsOf<typeof MEANS_MODEL>;

export async function run(context: Context<DataOptions>, formula: string, data: string): Promise<void> {
  const { options } = context;
  const asked = parseOptions(EMMEANS, options);
  const given: Given = parseOptions(MEANS_MODEL, options);
  const wanted = meansOptions(asked, given.confidence);
  if (!asked.contrasts?.includes("treatment")) context.refuse(["--reference"], "without --contrast treatment");
  const sd = effectSd(given.effectSize);
  checkThresholds(given.threshold);
  if (given.model !== undefined) categoricalOptions(given.model, given);
  const table = await loadVariables(context, data, [formula], given);
  context.progress.update("Fitting", 0, 0);
  const fit = fitFor(formula, table, given);
  const result = marginalMeans(fit, { ...wanted, data: table });
  const effects =
    sd === undefined ? undefined : effectSizes(fit, { ...wanted, data: table, sd: sd === "default" ? undefined : sd });
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

function fitFor(formula: string, table: Table, given: Given): AnyFit {
  const { ddf, cluster, robust } = given;
  const chosen = chooseCategorical([formula], table, given);
  const mixed = parseFormula(formula).random.length > 0;
  if (ddf !== undefined && (!mixed || chosen !== undefined)) {
    const fix =
      chosen === undefined ? 'Add a random effect such as "(1 | item)", or leave --ddf out.' : "Leave it out.";
    throw new StatError("BadOption", "--ddf is for linear mixed models.", fix);
  }
  if ((mixed || chosen !== undefined) && (cluster !== undefined || robust !== undefined)) {
    const message = `${chosen ?? "a linear mixed model"} takes no --cluster or --robust.`;
    throw new StatError("BadOption", message, "Leave them out, or leave the random effects out.");
  }
  if (chosen !== undefined) return fitCategorical(chosen, formula, table, given);
  const plain = libraryOptions(given);
  if (mixed) return fitLmm(formula, table, { ...plain, ddf });
  const own = { ...plain, cluster, robust };
  return given.family === undefined && given.link === undefined
    ? fitLm(formula, table, own)
    : fitGlm(formula, table, own);
}

const meansOptions = (
  { contrasts, adjust, ...asked }: Asked,
  confidence: number | undefined,
): MarginalMeansOptions => ({
  ...asked,
  contrasts: parseContrast(contrasts ?? []),
  confidence,
  adjust: adjust === undefined ? undefined : parseAdjustment(adjust),
});

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
  const lists = texts.map((text) => parseLevels(text, "--contrast"));
  return new Map(lists.map(([name, weights]) => [name, weights.map((weight) => parseWeight(name, weight))]));
}

function parseWeight(name: string, text: string): number {
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new StatError("BadOption", `--contrast ${name}: "${text}" is not a number.`, "Give one number for each mean.");
}

/** "default": the total SD of a mixed model, else the residual SD. */
function effectSd(given: Given["effectSize"]): "residual" | "total" | "default" | number | undefined {
  if (given === undefined) return undefined;
  const [text] = [given].flat();
  if (text === "residual") return "residual";
  if (text === "all") return "default";
  if (text === "total") return "total";
  const value = Number(text);
  if (value > 0 && Number.isFinite(value)) return value;
  throw new StatError(
    "BadOption",
    `--effect-size ${given}: not a standard deviation.`,
    "Write residual, total, or a positive number.",
  );
}
