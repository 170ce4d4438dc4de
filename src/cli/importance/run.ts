/** `gosset importance <data> --score y --parameters a,b` */
import { makeRng, measureImportance } from "../../index.ts";
import { parseCount, parseProbability, splitNames } from "../../questions.ts";
import type { Context } from "../context.ts";
import { loadRatings, refuseUnusedOrder } from "../load.ts";
import { parseInteractions, type RatingOptions } from "../options.ts";
import { keepRefits } from "../ways.ts";

interface ImportanceCommandOptions extends RatingOptions {
  readonly parameters: readonly string[];
  readonly object?: string;
  readonly interactions?: readonly (string | true)[] | string | true;
  readonly by?: string;
  readonly budget?: string;
  readonly intervals?: "generalised" | "bootstrap" | "none";
  readonly replicates?: string;
  readonly journal?: string;
}

export async function run(context: Context<ImportanceCommandOptions>, data: string): Promise<void> {
  const { options, progress } = context;
  const parameters = splitNames(options.parameters, "--parameters");
  const interactions = parseInteractions(options.interactions);
  const confidence = parseProbability(options.confidence, "--confidence");
  const complete = options.score !== undefined && parameters.length > 0;
  if (complete) context.refuse(["--system", "--item", "--run", "--task"], "where score and settings are named");
  const study = await loadRatings(context, data, complete);
  const refits = keepRefits(options.journal, context.journal);
  const result = measureImportance(study, {
    score: options.score,
    parameters: parameters.length > 0 ? parameters : undefined,
    interactions,
    confidence,
    ...(options.object === undefined ? {} : { object: options.object }),
    ...(options.by === undefined ? {} : { by: options.by }),
    budget: options.budget,
    ...(options.intervals === undefined ? {} : { intervals: options.intervals }),
    ...(options.replicates === undefined ? {} : { replicates: parseCount(options.replicates, "--replicates") }),
    rng: makeRng(options.seed),
    onProgress: (done, total) => progress.update("Refitting", done, total),
    keeper: refits.keeper,
  });
  refits.check();
  refuseUnusedOrder(options.ordered, [result.score, options.object, options.by, options.budget, ...result.parameters]);
  context.print(result);
}
