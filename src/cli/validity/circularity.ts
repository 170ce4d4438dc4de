/** `gosset validity circularity <data> --label target` */
import { type CircularityOptions, column, type Runner, StatError, type Table, testCircularity } from "../../index.ts";
import { allOptions, CIRCULARITY, isBuiltIn, parseOptions, refuseAlone, refuseUnused } from "../../questions.ts";
import { journalRunner } from "../../runners.ts";
import type { Context } from "../context.ts";
import { orderLabels, refuseOrderOfOthers } from "../load.ts";
import type { RatingOptions } from "../options.ts";
import { commandWords, withLearnerCommand } from "./learner-process.ts";

export async function run(context: Context<RatingOptions>, data: string): Promise<void> {
  const { options: flags, progress } = context;
  const given = parseOptions(CIRCULARITY.options, flags);
  const asked = parseOptions(CIRCULARITY.command, flags);
  const { features = [], exclude = [], predictions = [], ablated = [], label } = given;
  if (label === undefined && predictions.length === 0)
    throw new StatError("BadOption", "no label column is named.", "Write --label column, or --predictions column.");
  refuseAlone(allOptions(CIRCULARITY), { ...given, ...asked });
  const { learner, timeout, journal } = asked;
  const builtIn = learner === undefined || isBuiltIn(learner);
  refuseUnused(CIRCULARITY, asked, builtIn ? "builtIn" : "command");
  const words = builtIn ? [] : commandWords(learner);
  const table = orderLabels(await context.load(data), flags.ordered);
  for (const name of exclude) column(table, name);
  refuseOrderOfOthers(table, flags.ordered, { features, exclude, others: [label, ...predictions, ...ablated] });
  const test = asked.test === undefined ? undefined : await context.load(asked.test);
  const threads = searchRunner(context, table);
  const runner = journal === undefined ? threads : journalRunner(context.journal(journal), threads);
  const answer = (own: CircularityOptions["learner"]) =>
    testCircularity(table, {
      ...{ ...given, test, learner: own, learnerName: learner, runner },
      onProgress: (stage, done, total) => progress.update(stage, done, total),
    });
  const result = builtIn
    ? await answer(learner)
    : await withLearnerCommand({ words, timeout, label: label ?? "" }, answer);
  context.print(result);
}

/** Below this a search takes less time than the start of a thread. */
const ROWS_FOR_THREADS = 2000;

export const searchRunner = ({ runner }: Context<RatingOptions>, table: Table): Runner =>
  runner(table.rows >= ROWS_FOR_THREADS ? {} : { threads: 1 });
