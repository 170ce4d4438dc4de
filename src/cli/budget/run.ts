/** `gosset budget <data> --score y [--system s]` */
import { makeRng, measureBudget, StatError } from "../../index.ts";
import { parseCount, parseProbability, splitNames } from "../../questions.ts";
import type { Context } from "../context.ts";
import { loadRatings, refuseUnusedOrder } from "../load.ts";
import type { RatingOptions } from "../options.ts";

interface BudgetCommandOptions extends RatingOptions {
  readonly configuration: readonly string[];
  readonly budgets?: string;
  readonly replicates: string;
}

export async function run(context: Context<BudgetCommandOptions>, data: string): Promise<void> {
  const { options } = context;
  const configuration = splitNames(options.configuration, "--configuration");
  const budgets = options.budgets?.split(",").map((text) => parseCount(text, "--budgets"));
  if (budgets?.some((own, i) => i > 0 && own <= budgets[i - 1]!)) {
    throw new StatError("BadOption", `--budgets ${options.budgets}: not in rising order.`, "Write --budgets 1,5,10.");
  }
  const confidence = parseProbability(options.confidence, "--confidence");
  const replicates = parseCount(options.replicates, "--replicates");
  const complete = options.score !== undefined;
  const study = await loadRatings(context, data, complete);
  const result = measureBudget(study, {
    score: options.score,
    ...(options.system === undefined ? {} : { system: options.system }),
    ...(configuration.length === 0 ? {} : { configuration }),
    ...(budgets === undefined ? {} : { budgets }),
    ...(options.direction === undefined ? {} : { minimise: options.direction === "lower" }),
    confidence,
    replicates,
    rng: makeRng(options.seed),
  });
  refuseUnusedOrder(options.ordered, [result.score, options.system, ...configuration]);
  context.print(result);
}
