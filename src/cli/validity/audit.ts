/** `gosset validity audit <data>` */
import { auditValidity, column, makeRng, parseScales } from "../../index.ts";
import { parseProbability, splitNames } from "../../questions.ts";
import type { Context } from "../context.ts";
import { orderLabels, refuseOrderOfOthers } from "../load.ts";
import type { RatingOptions } from "../options.ts";
import { searchRunner } from "./circularity.ts";

interface AuditCommandOptions extends RatingOptions {
  readonly label?: string;
  readonly predictions: readonly string[];
  readonly domain?: string;
  readonly features: readonly string[];
  readonly exclude: readonly string[];
  readonly scales?: string;
}

export async function run(context: Context<AuditCommandOptions>, data: string): Promise<void> {
  const { options, progress } = context;
  const scales = options.scales === undefined ? undefined : parseScales(options.scales);
  const predictions = splitNames(options.predictions, "--predictions");
  const features = splitNames(options.features, "--features");
  const confidence = parseProbability(options.confidence, "--confidence");
  const table = orderLabels(await context.load(data), options.ordered);
  const exclude = splitNames(options.exclude, "--exclude");
  for (const name of exclude) column(table, name);
  refuseOrderOfOthers(table, options.ordered, {
    ...{ features, exclude },
    others: [options.label, options.domain, ...predictions],
  });
  const result = await auditValidity(table, {
    ...(options.label === undefined ? {} : { label: options.label }),
    ...(predictions.length === 0 ? {} : { predictions }),
    ...(options.domain === undefined ? {} : { domain: options.domain }),
    ...(features.length === 0 ? {} : { features }),
    exclude,
    confidence,
    ...(scales === undefined ? {} : { scales }),
    rng: makeRng(options.seed),
    runner: searchRunner(context, table),
    onProgress: (stage, done, total) => progress.update(stage, done, total),
  });
  context.print(result);
}
