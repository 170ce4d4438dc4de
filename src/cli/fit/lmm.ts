/** `gosset fit lmm "<formula>" <data>` */

import { bootstrapIntervals, type DisplayTable, fitLmm, type LmmJson, makeRng } from "../../index.ts";
import { type LmmFit, profileIntervals, type3Lmm, warnOfFixedRaters, warnOfMixedMetrics } from "../../models.ts";
import { FIT, type OptionsOf, parseOptions, refuseAlone } from "../../questions.ts";
import { journalDraws } from "../../runners.ts";
import type { Context } from "../context.ts";
import { libraryOptions, loadVariables } from "../model-options.ts";
import type { DataOptions } from "../options.ts";
import type { Progress } from "../progress.ts";

export async function run(context: Context<DataOptions>, formula: string, data: string): Promise<void> {
  const { options, progress } = context;
  const given = parseOptions(FIT.lmm, options);
  refuseAlone(FIT.lmm, given);
  const table = await loadVariables(context, data, [formula], given);
  context.note([...warnOfMixedMetrics(table, [formula]), ...warnOfFixedRaters(table, formula)]);
  progress.update("Fitting", 0, 0);
  const { confidence, ml, ddf, intervals } = given;
  const fit = fitLmm(formula, table, { ...libraryOptions(given), confidence, criterion: ml ? "ML" : "REML", ddf });
  const parts = [
    given.terms ? termTests(fit) : undefined,
    intervals === "profile" ? profiles(fit, progress) : undefined,
    intervals === "bootstrap" ? bootstraps(fit, given, context) : undefined,
    given.modes ? modes(fit) : undefined,
  ].filter((part) => part !== undefined);
  context.print(fit, {
    seed: intervals === "bootstrap" ? options.seed : undefined,
    tables: parts.map((part) => part.table),
    published: Object.assign({}, ...parts.map((part) => part.published)),
  });
}

type Given = OptionsOf<typeof FIT.lmm>;

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

function bootstraps(fit: LmmFit, given: Given, { options, progress, journal }: Context<DataOptions>): Part {
  const { replicates = 1000 } = given;
  const onProgress = (done: number, of: number): void => progress.update("Bootstrap", done, of);
  const keeper = given.journal === undefined ? undefined : journalDraws(journal(given.journal));
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
