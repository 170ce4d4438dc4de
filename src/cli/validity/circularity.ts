/** `gosset validity circularity <data> --label target` */

import {
  type AblationWay,
  type CircularityFamily,
  type CircularityOptions,
  column,
  LEARNERS,
  type LearnerName,
  type Runner,
  type SplineBasis,
  StatError,
  type Table,
  testCircularity,
} from "../../index.ts";
import type { GamMethod } from "../../models.ts";
import { parseCount, parseProbability, splitNames } from "../../questions.ts";
import { journalRunner } from "../../runners.ts";
import type { Context } from "../context.ts";
import { orderLabels, refuseOrderOfOthers } from "../load.ts";
import type { RatingOptions } from "../options.ts";
import { commandWords, parseSeconds, withLearnerCommand } from "./learner-process.ts";

interface CircularityCommandOptions extends RatingOptions {
  readonly label?: string;
  readonly predictions: readonly string[];
  readonly ablated: readonly string[];
  readonly features: readonly string[];
  readonly exclude: readonly string[];
  readonly candidates?: string;
  readonly family?: CircularityFamily;
  readonly k: string;
  readonly knots: readonly string[];
  readonly method: GamMethod;
  readonly basis?: SplineBasis;
  readonly closeness: string;
  readonly learner?: string;
  readonly test?: string;
  readonly ablate?: string;
  readonly timeout: string;
  readonly journal?: string;
}

export async function run(context: Context<CircularityCommandOptions>, data: string): Promise<void> {
  const { options, progress } = context;
  const given = libraryOptions(options);
  const { learner } = options;
  const builtIn = learner === undefined || (LEARNERS as readonly string[]).includes(learner);
  if (builtIn) context.refuse(["--timeout"], "without a --learner that is a command");
  const words = builtIn ? [] : commandWords(learner);
  const timeout = 1000 * parseSeconds(options.timeout);
  const table = orderLabels(await context.load(data), options.ordered);
  const { features = [], exclude = [], predictions = [], ablated = [] } = given;
  for (const name of exclude) column(table, name);
  refuseOrderOfOthers(table, options.ordered, {
    ...{ features, exclude },
    others: [options.label, ...predictions, ...ablated],
  });
  const test = options.test === undefined ? undefined : await context.load(options.test);
  const threads = searchRunner(context, table);
  const { journal } = options;
  const runner = journal === undefined ? threads : journalRunner(context.journal(journal), threads);
  const answer = (own: CircularityOptions["learner"]) =>
    testCircularity(table, {
      ...given,
      ...{ test, learner: own, learnerName: learner },
      runner,
      onProgress: (stage, done, total) => progress.update(stage, done, total),
    });
  const result = builtIn
    ? await answer(learner as LearnerName | undefined)
    : await withLearnerCommand({ words, timeout, label: options.label ?? "" }, answer);
  context.print(result);
}

/** Checked before the file is read. */
function libraryOptions(options: CircularityCommandOptions): CircularityOptions {
  const predictions = splitNames(options.predictions, "--predictions");
  if (options.label === undefined && predictions.length === 0) {
    throw new StatError("BadOption", "no label is named.", "Write --label column, or --predictions column.");
  }
  const features = splitNames(options.features, "--features");
  const idle = (["test", "ablate"] as const).find((name) => options[name] !== undefined);
  if (options.learner === undefined && idle !== undefined)
    throw new StatError("BadOption", `--${idle} belongs to --learner.`, `Give --learner gam, or leave --${idle} out.`);
  if (options.learner !== undefined && options.label === undefined)
    throw new StatError("BadOption", "--learner needs a label.", "Write --label column.");
  const ablate = options.ablate?.split(",").map((way) => way.trim() as AblationWay);
  return {
    ...(ablate === undefined ? {} : { ablate }),
    ...(options.label === undefined ? {} : { label: options.label }),
    predictions,
    ablated: splitNames(options.ablated, "--ablated"),
    ...(features.length === 0 ? {} : { features }),
    exclude: splitNames(options.exclude, "--exclude"),
    ...(options.candidates === undefined ? {} : { candidates: parseCount(options.candidates, "--candidates") }),
    ...(options.family === undefined ? {} : { family: options.family }),
    k: parseCount(options.k, "--k"),
    knots: parseKnots(options.knots),
    method: options.method,
    ...(options.basis === undefined ? {} : { basis: options.basis }),
    closeness: parseProbability(options.closeness, "--closeness"),
    confidence: parseProbability(options.confidence, "--confidence"),
  };
}

/** `bili=100,asat=20`. */
function parseKnots(texts: readonly string[]): Record<string, number> {
  const knots: Record<string, number> = {};
  for (const part of splitNames(texts, "--knots")) {
    const at = part.lastIndexOf("=");
    if (at < 1) throw new StatError("BadOption", `--knots ${part}: no feature=number.`, "Write --knots bili=100.");
    knots[part.slice(0, at)] = parseCount(part.slice(at + 1), `--knots ${part.slice(0, at)}`);
  }
  return knots;
}

/** Below this a search takes less time than the start of a thread. */
const ROWS_FOR_THREADS = 2000;

export const searchRunner = ({ runner }: Context<RatingOptions>, table: Table): Runner =>
  runner(table.rows >= ROWS_FOR_THREADS ? {} : { threads: 1 });
