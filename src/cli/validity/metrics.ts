/** `gosset validity metrics <files...>` */
import { makeRng, validateMetrics } from "../../index.ts";
import { METRIC_VALIDITY, parseOptions } from "../../questions.ts";
import type { Context } from "../context.ts";
import type { DataOptions } from "../options.ts";

export async function run(context: Context<DataOptions>, files: readonly string[]): Promise<void> {
  const given = parseOptions(METRIC_VALIDITY.options, context.options);
  context.print(validateMetrics(await context.import(files), { ...given, rng: makeRng(context.options.seed) }));
}
