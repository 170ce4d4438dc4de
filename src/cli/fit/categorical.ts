/** `gosset fit clm|clmm|glmm "<formula>" <data>`: ratings as ordered categories, right and wrong answers, counts. */

import { describeRatings, fitOrdinal, type RatingSummary, type RatingsJson, StatError } from "../../index.ts";
import { type ClmFit, type ClmmFit, warnOfFixedRaters, warnOfMixedMetrics } from "../../models.ts";
import { FIT, type OptionsOf, parseOptions } from "../../questions.ts";
import type { Context } from "../context.ts";
import {
  type CategoricalGiven,
  type CategoricalModel,
  fitCategorical,
  libraryOptions,
  loadVariables,
} from "../model-options.ts";
import type { DataOptions } from "../options.ts";
import { type Part, profiles } from "./profiles.ts";

type Given = CategoricalGiven & { readonly intervals?: "profile" | undefined };

const runOf =
  (model: CategoricalModel) =>
  async (context: Context<DataOptions>, formula: string, data: string): Promise<void> => {
    const { options, progress } = context;
    const given: Given = parseOptions(FIT[model], options);
    const table = await loadVariables(context, data, [formula], given);
    context.note([...warnOfMixedMetrics(table, [formula]), ...warnOfFixedRaters(table, formula)]);
    progress.update("Fitting", 0, 0);
    const profiled = given.intervals === "profile";
    const fit = fitCategorical(model, formula, table, given);
    const parts = [...(fit.kind === "glmm" ? [] : ratings(fit)), ...(profiled ? [profiles(fit, progress)] : [])];
    const tables = parts.flatMap((part) => part.tables);
    context.print(fit, {
      diagnostics: parts.flatMap((part) => part.diagnostics ?? []),
      tables,
      notes: parts.flatMap((part) => part.notes ?? []),
      published: Object.assign({}, ...parts.map((part) => part.published)),
      // CSV holds one table: the one that was asked for beside the coefficients, if any
      csv: profiled ? tables.slice(-1) : undefined,
    });
  };

export async function runClm(context: Context<DataOptions>, formula: string, data: string): Promise<void> {
  const { options, progress } = context;
  const given: OptionsOf<typeof FIT.clm> = parseOptions(FIT.clm, options);
  const { structure, nominal, scale, reverse, information, threshold, link, confidence } = given;
  // what makes it another model than the plain one
  const others = [nominal, scale, reverse, information];
  if ((structure ?? "cumulative") === "cumulative" && others.every((own) => own === undefined))
    return runOf("clm")(context, formula, data);
  if (given.intervals === "profile") {
    const fix = "Leave it out; compare models by their log-likelihoods instead.";
    throw new StatError("BadOption", "--intervals profile is for the plain clm.", fix);
  }
  const { family: _, link: __, ...shared } = libraryOptions({ ...given, link: undefined });
  const table = await loadVariables(context, data, [formula, nominal, scale], given);
  progress.update("Fitting", 0, 0);
  const model = { structure, nominal, scale, reverse, information, confidence, link, threshold };
  context.print(fitOrdinal(formula, table, { ...shared, ...model }));
}
export const runClmm = runOf("clmm");
export const runGlmm = runOf("glmm");

/** What the model says about ratings; nothing where the formula lets the thresholds stand alone. */
function ratings(fit: ClmFit | ClmmFit): Part[] {
  if (fit.coefficients.length === 0 || !fit.design.assign.includes(0)) return [];
  const summary = describeRatings(fit);
  const groups = fit.kind === "clmm" ? fit.groups.map(({ group }) => group) : [];
  const average = groups.length === 0 ? "" : ` for an average ${groups.join(" and ")} (random effects 0)`;
  const pairs = summary.factors.some((factor) => factor.pairs.length > 0);
  return [
    {
      tables: summary.display().tables,
      published: ratingsJson(summary),
      notes: pairs
        ? [
            `Above, equal, below: probabilities for two independent ratings${average}. Categories: the latent difference divided by the mean distance of thresholds. p: Tukey.`,
          ]
        : [],
      diagnostics: summary.diagnostics,
    },
  ];
}

const ratingsJson = ({ factors, proportionalOdds }: RatingSummary): RatingsJson => ({
  ratings: factors,
  ...(proportionalOdds === undefined ? {} : { proportionalOdds }),
});
