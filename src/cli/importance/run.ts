/** `gosset importance <data> --score y --parameters a,b` */
import { makeRng, measureImportance } from "../../index.ts";
import { IMPORTANCE, parseOptions } from "../../questions.ts";
import type { Context } from "../context.ts";
import { loadRatings, refuseRoles, refuseUnusedOrder } from "../load.ts";
import type { RatingOptions } from "../options.ts";
import { keepRefits } from "../ways.ts";

export async function run(context: Context<RatingOptions>, data: string): Promise<void> {
  const { options: flags, progress } = context;
  const given = parseOptions(IMPORTANCE.options, flags);
  const asked = parseOptions(IMPORTANCE.command, flags);
  const complete = given.score !== undefined && given.parameters !== undefined;
  if (complete) refuseRoles(asked, ["system", "item", "run", "task"], "when score and settings are named");
  const study = await loadRatings(context, data, complete);
  const refits = keepRefits(asked.journal, context.journal);
  const result = measureImportance(study, {
    ...{ ...given, rng: makeRng(flags.seed), keeper: refits.keeper },
    onProgress: (done, total) => progress.update("Refitting", done, total),
  });
  refits.check();
  refuseUnusedOrder(flags.ordered, [result.score, given.object, given.by, given.budget, ...result.parameters]);
  context.print(result);
}
