/** `gosset budget <data> --score y [--system s]` */
import { makeRng, measureBudget, StatError } from "../../index.ts";
import { parseCount, parseProbability } from "../options.ts";
import { printResult } from "../output.ts";
import { makeProgress } from "../progress.ts";
import { chosen, loadRatings, type RatingOptions, splitNames } from "../rating-data.ts";

interface BudgetCommandOptions extends RatingOptions {
  readonly score?: string;
  readonly system?: string;
  readonly configuration: readonly string[];
  readonly budgets?: string;
  readonly minimise?: boolean;
  readonly replicates: string;
}

export async function budgetCommand(data: string, options: BudgetCommandOptions): Promise<void> {
  const configuration = splitNames(options.configuration, "--configuration");
  const budgets = options.budgets?.split(",").map((text) => parseCount(text, "--budgets"));
  if (budgets?.some((own, i) => i > 0 && own <= budgets[i - 1]!)) {
    throw new StatError("BadOption", `--budgets ${options.budgets}: not in rising order.`, "Write --budgets 1,5,10.");
  }
  const confidence = parseProbability(options.confidence, "--confidence");
  const replicates = parseCount(options.replicates, "--replicates");
  const progress = makeProgress(options.quiet === true);
  const complete = options.score !== undefined;
  const { table, roles, diagnostics } = await loadRatings(data, options, { complete, progress });
  const result = measureBudget(table, {
    score: chosen(options.score, roles?.score, "score"),
    ...(options.system === undefined ? {} : { system: options.system }),
    ...(configuration.length === 0 ? {} : { configuration }),
    ...(budgets === undefined ? {} : { budgets }),
    minimise: options.minimise === true,
    confidence,
    replicates,
    rng: makeRng(options.seed),
  });
  progress.end();
  printResult(result, options, { reading: diagnostics });
}
