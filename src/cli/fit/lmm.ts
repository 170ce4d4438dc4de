/** `gosset fit lmm "<formula>" <data>` */

import { bootstrapIntervals, type DisplayTable, fitLmm, type LmmJson, makeRng } from "../../index.ts";
import {
  type Ddf,
  type LmmFit,
  profileIntervals,
  type3Lmm,
  warnOfFixedRaters,
  warnOfMixedMetrics,
} from "../../models.ts";
import { parseCount, parseProbability } from "../../questions.ts";
import { journalDraws } from "../../runners.ts";
import type { Context } from "../context.ts";
import { libraryOptions, loadVariables } from "../model-options.ts";
import type { ModelOptions } from "../options.ts";
import type { Progress } from "../progress.ts";

interface FitLmmOptions extends ModelOptions {
  readonly ml?: boolean;
  readonly ddf?: Ddf;
  readonly confidence: string;
  readonly intervals?: "profile" | "bootstrap";
  readonly replicates: string;
  readonly journal?: string;
  readonly terms?: boolean;
  readonly modes?: boolean;
}

export async function run(context: Context<FitLmmOptions>, formula: string, data: string): Promise<void> {
  const { options, progress } = context;
  if (options.intervals !== "bootstrap") context.refuse(["--replicates", "--journal"], "without --intervals bootstrap");
  const modelOptions = {
    ...libraryOptions(options),
    confidence: parseProbability(options.confidence, "--confidence"),
    criterion: options.ml ? ("ML" as const) : ("REML" as const),
    ...(options.ddf === undefined ? {} : { ddf: options.ddf }),
  };
  const replicates = parseCount(options.replicates, "--replicates");
  const table = await loadVariables(context, data, [formula]);
  context.note([...warnOfMixedMetrics(table, [formula]), ...warnOfFixedRaters(table, formula)]);
  progress.update("Fitting", 0, 0);
  const fit = fitLmm(formula, table, modelOptions);
  const parts = [
    options.terms ? termTests(fit) : undefined,
    options.intervals === "profile" ? profiles(fit, progress) : undefined,
    options.intervals === "bootstrap" ? bootstraps(fit, replicates, context) : undefined,
    options.modes ? modes(fit) : undefined,
  ].filter((part) => part !== undefined);
  context.print(fit, {
    seed: options.intervals === "bootstrap" ? options.seed : undefined,
    tables: parts.map((part) => part.table),
    published: Object.assign({}, ...parts.map((part) => part.published)),
  });
}

interface Part {
  readonly table: DisplayTable;
  /** Of the JSON. */
  readonly published: Partial<LmmJson>;
}

function termTests(fit: LmmFit): Part {
  const tests = type3Lmm(fit);
  return {
    table: {
      caption: "Terms (type III F tests)",
      head: ["term", "F", "df", "residual df", "p"],
      formats: ["text", "statistic", "df", "df", "p"],
      rows: tests.map(({ term, statistic, df1, df2, p }) => [term, statistic, df1, df2, p]),
    },
    published: { terms: tests },
  };
}

function profiles(fit: LmmFit, progress: Progress): Part {
  const onProgress = (done: number, of: number): void => progress.update("Profiling", done, of);
  const intervals = profileIntervals(fit, { onProgress });
  return {
    table: {
      caption: `Profile-likelihood intervals (${fit.confidence * 100}%)`,
      head: ["parameter", "ML estimate", "from", "to"],
      rows: intervals.map(({ name, estimate, lower, upper }) => [name, estimate, lower, upper]),
    },
    published: { profile: intervals },
  };
}

function bootstraps(fit: LmmFit, replicates: number, { options, progress, journal }: Context<FitLmmOptions>): Part {
  const onProgress = (done: number, of: number): void => progress.update("Bootstrap", done, of);
  const keeper = options.journal === undefined ? undefined : journalDraws(journal(options.journal));
  const drawn = bootstrapIntervals(fit, makeRng(options.seed), { replicates, onProgress, keeper });
  const { intervals, singular, notConverged } = drawn;
  return {
    table: {
      caption: `Parametric bootstrap, ${replicates} replicates (${singular} singular, ${notConverged} not converged), percentile intervals`,
      head: ["parameter", "estimate", "bootstrap SE", "from", "to"],
      rows: intervals.map(({ name, estimate, se, percentile }) => [name, estimate, se, percentile[0], percentile[1]]),
    },
    published: { bootstrap: { replicates, singular, notConverged, intervals } },
  };
}

/** Conditional modes with their SDs: the data of a caterpillar plot. */
function modes(fit: LmmFit): Part {
  const rows = fit.design.random.flatMap(({ group, levels, names }, b) =>
    levels.flatMap((level, i) =>
      names.map((term, j) => {
        const at = i + j * levels.length;
        return { group, level, term, mode: fit.modes[b]!.data[at]!, sd: fit.modeSds[b]!.data[at]! };
      }),
    ),
  );
  return {
    table: {
      caption: "Conditional modes (BLUPs)",
      head: ["group", "level", "term", "mode", "SD"],
      rows: rows.map(({ group, level, term, mode, sd }) => [group, level, term, mode, sd]),
    },
    published: { modes: rows },
  };
}
