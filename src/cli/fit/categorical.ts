/** `gosset fit clm|clmm|glmm "<formula>" <data>`: ratings as ordered categories, right and wrong answers, counts. */

import {
  type Diagnostic,
  type DisplayTable,
  describeRatings,
  type RatingSummary,
  type RatingsJson,
} from "../../index.ts";
import { type ClmFit, type ClmmFit, type GlmmFit, profileCategorical } from "../../models.ts";
import type { Context } from "../context.ts";
import {
  type CategoricalFlags,
  type CategoricalModel,
  categoricalOptions,
  fitCategorical,
  loadVariables,
  parseThresholds,
} from "../model-options.ts";
import { parseProbability } from "../options.ts";
import type { Progress } from "../progress.ts";

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
    const table = await loadVariables(context, data);
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

export const runClm = runOf("clm");
export const runClmm = runOf("clmm");
export const runGlmm = runOf("glmm");

interface Part {
  readonly tables: readonly DisplayTable[];
  /** Of the JSON. */
  readonly published: object;
  readonly notes?: readonly string[];
  readonly diagnostics?: readonly Diagnostic[];
}

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
            `Above, equal, below: two independent ratings${average}. Steps: the latent difference in mean distances of thresholds. p: Tukey.`,
          ]
        : [],
      diagnostics: summary.diagnostics,
    },
  ];
}

function profiles(fit: ClmFit | ClmmFit | GlmmFit, progress: Progress): Part {
  const onProgress = (done: number, of: number): void => progress.update("Profiling", done, of);
  progress.update("Profiling", 0, 0);
  const intervals = profileCategorical(fit, { onProgress });
  const lost = intervals.filter(({ lower, upper }) => Number.isNaN(lower) || Number.isNaN(upper));
  const endless = intervals.filter(
    ({ lower, upper }) => !Number.isFinite(lower + upper) && !Number.isNaN(lower + upper),
  );
  return {
    tables: [
      {
        caption: `Profile-likelihood intervals (${fit.confidence * 100}%)`,
        head: ["parameter", "estimate", "from", "to"],
        formats: ["text", "number", "number", "number"],
        rows: intervals.map(({ name, estimate, lower, upper }) => [name, estimate, lower, upper]),
      },
    ],
    published: { profile: intervals },
    diagnostics: [
      ...(endless.length === 0
        ? []
        : [
            said(
              "EndlessInterval",
              `the likelihood of ${endless.map(({ name }) => name).join(", ")} never falls far enough on one side: the data allow any value there.`,
              "Report the finite end only.",
            ),
          ]),
      ...(lost.length === 0
        ? []
        : [
            said(
              "ProfileLost",
              `the profile of ${lost.map(({ name }) => name).join(", ")} could not be followed to its end.`,
              "Simplify the random part, or use the Wald interval with care.",
            ),
          ]),
    ],
  };
}

const said = (code: string, message: string, fix: string): Diagnostic => ({ code, severity: "warning", message, fix });

const ratingsJson = ({ factors, proportionalOdds }: RatingSummary): RatingsJson => ({
  ratings: factors,
  ...(proportionalOdds === undefined ? {} : { proportionalOdds }),
});
