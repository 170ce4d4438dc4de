/** `gosset budget <data> --score y [--system s]` */
import { makeRng, measureBudget } from "../../index.ts";
import { BUDGET, parseOptions } from "../../questions.ts";
import type { Context } from "../context.ts";
import { loadRatings, refuseUnusedOrder } from "../load.ts";
import type { RatingOptions } from "../options.ts";

export async function run(context: Context<RatingOptions>, data: string): Promise<void> {
  const { options: flags } = context;
  const given = parseOptions(BUDGET.options, flags);
  const { budgets, higherIsBetter } = parseOptions(BUDGET.command, flags);
  const study = await loadRatings(context, data, given.score !== undefined);
  const minimise = higherIsBetter === undefined ? undefined : !higherIsBetter;
  const result = measureBudget(study, { ...given, budgets, minimise, rng: makeRng(flags.seed) });
  refuseUnusedOrder(flags.ordered, [result.score, given.system, ...(given.configuration ?? [])]);
  context.print(result);
}
