/** `gosset validity metrics <files...>` */
import { type MetricValidityOptions, makeRng, validateMetrics } from "../../index.ts";
import { parseCount, parseProbability, splitNames } from "../../questions.ts";
import type { Context } from "../context.ts";
import type { DataOptions, GlobalOptions } from "../options.ts";

interface MetricsCommandOptions extends GlobalOptions, DataOptions {
  readonly human?: string;
  readonly metrics: readonly string[];
  readonly item?: string;
  readonly system?: string;
  readonly cluster?: string;
  readonly coefficient: NonNullable<MetricValidityOptions["coefficient"]>;
  readonly lowerIsBetter: readonly string[];
  readonly higherIsBetter: readonly string[];
  readonly replicates: string;
  readonly alpha: string;
  readonly confidence: string;
}

export async function run(context: Context<MetricsCommandOptions>, files: readonly string[]): Promise<void> {
  const { options } = context;
  const replicates = parseCount(options.replicates, "--replicates");
  const alpha = parseProbability(options.alpha, "--alpha");
  const confidence = parseProbability(options.confidence, "--confidence");
  const metrics = splitNames(options.metrics, "--metrics");
  const { human, item, system, cluster, coefficient } = options;
  const result = validateMetrics(await context.import(files), {
    ...{ human, item, system, cluster, coefficient, replicates, alpha, confidence },
    ...(metrics.length === 0 ? {} : { metrics }),
    lowerIsBetter: splitNames(options.lowerIsBetter, "--lower-is-better"),
    higherIsBetter: splitNames(options.higherIsBetter, "--higher-is-better"),
    rng: makeRng(options.seed),
  });
  context.print(result);
}
