/** `assay fit clm|clmm|glmm "<formula>" <data>`: ratings as ordered categories, right and wrong answers, counts. */
import {
  type ClmFit,
  type ClmmFit,
  fitClm,
  fitClmm,
  fitGlmm,
  type GlmmFit,
  StatError,
  type Table,
} from "../../index.ts";
import { categoricalContract, withDataSteps } from "../contract.ts";
import { loadTable } from "../load.ts";
import { type ModelOptions, parseCount, parseProbability } from "../options.ts";
import { printAnswer } from "../output.ts";
import { makeProgress } from "../progress.ts";
import { libraryOptions, withExtras } from "./fit.ts";

export interface FitCategoricalOptions extends ModelOptions {
  readonly threshold?: "flexible" | "symmetric" | "equidistant";
  readonly nagq?: string;
  readonly confidence: string;
}

export type CategoricalModel = "clm" | "clmm" | "glmm";

export async function fitCategoricalCommand(
  model: CategoricalModel,
  [formula, data]: readonly [string, string],
  options: FitCategoricalOptions,
): Promise<void> {
  const wanted = {
    ...categoricalOptions(model, options),
    confidence: parseProbability(options.confidence, "--confidence"),
  };
  const progress = makeProgress(options.quiet === true);
  const { table, diagnostics } = await loadTable(data, options, progress);
  progress.update("Fitting", 0, 0);
  const fit = fitModel(model, formula, { table, wanted });
  progress.end();
  const all = [...diagnostics, ...fit.diagnostics];
  const contract = { ...categoricalContract(fit, all), signature: withDataSteps(fit.signature, options) };
  printAnswer({ display: withExtras(fit.display(), [], diagnostics), contract, diagnostics: all }, options);
}

type CategoricalOptions = ReturnType<typeof categoricalOptions> & { readonly confidence: number };

function fitModel(
  model: CategoricalModel,
  formula: string,
  { table, wanted }: { table: Table; wanted: CategoricalOptions },
): ClmFit | ClmmFit | GlmmFit {
  const { family, link, threshold, nAGQ, ...shared } = wanted;
  if (model === "glmm") {
    return fitGlmm(formula, table, {
      ...shared,
      ...(family === undefined ? {} : { family }),
      ...(link === undefined ? {} : { link }),
      ...(nAGQ === undefined ? {} : { nAGQ }),
    });
  }
  const own = {
    ...shared,
    ...(link === undefined || link === "log" ? {} : { link }),
    ...(threshold === undefined ? {} : { threshold }),
  };
  if (model === "clm") return fitClm(formula, table, own);
  return fitClmm(formula, table, { ...own, ...(nAGQ === undefined ? {} : { nAGQ }) });
}

/** Flags that this model takes; others are refused, not ignored. */
function categoricalOptions(model: CategoricalModel, options: FitCategoricalOptions) {
  const { family, link, ...shared } = libraryOptions(model, options);
  const refuse = (what: string): never => {
    throw new StatError(
      "BadOption",
      `${model} does not take ${what}.`,
      "Leave it out; assay fit --help says which model takes what.",
    );
  };
  if (model !== "glmm" && family !== undefined) refuse(`--family ${family}`);
  if (family === "gaussian") refuse("--family gaussian (use lmm)");
  if (link === "identity" || (model !== "glmm" && link === "log")) refuse(`--link ${link}`);
  if (model === "glmm" && options.threshold !== undefined) refuse("--threshold");
  if (model === "clm" && options.nagq !== undefined) refuse("--nagq");
  return {
    ...shared,
    family: family as "binomial" | "poisson" | undefined,
    link: link as "log" | "logit" | "probit" | "cloglog" | undefined,
    threshold: options.threshold,
    nAGQ: options.nagq === undefined ? undefined : parseCount(options.nagq, "--nagq"),
  };
}
