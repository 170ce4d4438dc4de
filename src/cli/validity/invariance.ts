/** `gosset validity invariance <train> --test <file> --label y --scales "id=nominal"` */
import { type InvarianceOptions, type InvarianceResult, makeRng, parseScales, testInvariance } from "../../index.ts";
import { INVARIANCE, isBuiltIn, parseOptions, refuseUnused } from "../../questions.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";
import { commandWords, withLearnerCommand } from "./learner-process.ts";

export async function run(context: Context<DataOptions>, data: string): Promise<void> {
  const { options: flags, progress } = context;
  const given = parseOptions(INVARIANCE.options, flags);
  const asked = parseOptions(INVARIANCE.command, flags);
  const { learner: name = "gam", timeout } = asked;
  const builtIn = isBuiltIn(name);
  refuseUnused(INVARIANCE, asked, builtIn ? "builtIn" : "command");
  const words = builtIn ? [] : commandWords(name);
  const scales = parseScales(asked.scales);
  const train = await context.load(data);
  const test = await context.load(asked.test);
  const withLearner = (learner: NonNullable<InvarianceOptions["learner"]>): Promise<InvarianceResult> =>
    testInvariance(train, test, {
      ...{ ...given, scales, learner, learnerName: name, rng: makeRng(flags.seed) },
      onProgress: (done, of) => progress.update("Fitting", done, of),
    });
  const result = builtIn
    ? await withLearner(name)
    : await withLearnerCommand({ words, timeout, label: given.label }, withLearner);
  context.print(result);
}
