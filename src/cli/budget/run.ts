/** `gosset budget <data> --score y [--system s]` */
import { makeRng, measureBudget, StatError } from "../../index.ts";
import type { Context } from "../context.ts";
import { loadRatings, refuseUnusedOrder } from "../load.ts";
import { chosen, parseCount, parseProbability, type RatingOptions, splitNames } from "../options.ts";

interface BudgetCommandOptions extends RatingOptions {
  readonly score?: string;
  readonly system?: string;
  readonly configuration: readonly string[];
  readonly budgets?: string;
  readonly minimise?: boolean;
  readonly maximise?: boolean;
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
  const { table, roles } = await loadRatings(context, data, { complete });
  const result = measureBudget(table, {
    score: chosen(options.score, roles?.score, "score"),
    ...(options.system === undefined ? {} : { system: options.system }),
    ...(configuration.length === 0 ? {} : { configuration }),
    ...(budgets === undefined ? {} : { budgets }),
    ...(options.minimise === undefined && options.maximise === undefined ? {} : { minimise: isMinimised(options) }),
    confidence,
    replicates,
    rng: makeRng(options.seed),
  });
  refuseUnusedOrder(options.ordered, [options.score ?? roles?.score, options.system, ...configuration]);
  context.print(result);
}

function isMinimised({ minimise, maximise }: BudgetCommandOptions): boolean {
  if (minimise && maximise)
    throw new StatError("BadOption", "--minimise and --maximise exclude each other.", "Keep one.");
  return minimise === true;
}
