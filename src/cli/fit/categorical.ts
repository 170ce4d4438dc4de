/** `gosset fit clm|clmm|glmm "<formula>" <data>`: ratings as ordered categories, right and wrong answers, counts. */

import { describeRatings, fitOrdinal, type RatingSummary, type RatingsJson, StatError } from "../../index.ts";
import { type ClmFit, type ClmmFit, warnOfFixedRaters, warnOfMixedMetrics } from "../../models.ts";
import { parseProbability } from "../../questions.ts";
import type { Context } from "../context.ts";
import {
  type CategoricalFlags,
  type CategoricalModel,
  categoricalOptions,
  fitCategorical,
  loadVariables,
  parseThresholds,
} from "../model-options.ts";
import { type Part, profiles } from "./profiles.ts";

interface FitOptions extends Omit<CategoricalFlags, "model"> {
  readonly confidence: string;
  readonly intervals?: "profile";
}

const runOf =
  (model: CategoricalModel) =>
  async (context: Context<FitOptions>, formula: string, data: string): Promise<void> => {
    const { options, progress } = context;
    const confidence = parseProbability(options.confidence, "--confidence");
    // wrong flags are told before the file is read
    categoricalOptions(model, options);
    parseThresholds(options.threshold);
    const table = await loadVariables(context, data, [formula]);
    context.note([...warnOfMixedMetrics(table, [formula]), ...warnOfFixedRaters(table, formula)]);
    progress.update("Fitting", 0, 0);
    const profiled = options.intervals === "profile";
    const fit = fitCategorical(model, [formula, table], { ...options, confidence });
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

/** What makes a clm another model than the plain one. */
interface StructureFlags {
  readonly structure?: "cumulative" | "adjacent" | "continuation" | "stopping";
  readonly nominal?: string;
  readonly scale?: string;
  readonly reverse?: boolean;
  readonly information?: "expected" | "observed";
}

export async function runClm(
  context: Context<FitOptions & StructureFlags>,
  formula: string,
  data: string,
): Promise<void> {
  const { options, progress } = context;
  const { structure, nominal, scale, reverse, information } = options;
  const plain = [structure, nominal, scale, reverse, information].every((own) => own === undefined);
  if (
    plain ||
    (structure === "cumulative" && [nominal, scale, reverse, information].every((own) => own === undefined))
  ) {
    return runOf("clm")(context, formula, data);
  }
  const confidence = parseProbability(options.confidence, "--confidence");
  const { link, family: _family, nAGQ: _points, ...shared } = categoricalOptions("clm", options);
  const threshold = parseThresholds(options.threshold);
  if (options.intervals === "profile") {
    throw new StatError(
      "BadOption",
      "--intervals profile is for the plain clm.",
      "Leave it out; compare models by their log-likelihoods instead.",
    );
  }
  const table = await loadVariables(context, data, [formula, nominal, scale]);
  progress.update("Fitting", 0, 0);
  const fit = fitOrdinal(formula, table, {
    ...shared,
    ...{ structure, nominal, scale, reverse, information, confidence },
    link: link === "log" ? undefined : link,
    threshold: typeof threshold === "string" ? threshold : undefined,
  });
  context.print(fit);
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
