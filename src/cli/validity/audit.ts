/** `gosset validity audit <data>` */
import { auditValidity, column, makeRng, parseScales } from "../../index.ts";
import { AUDIT, parseOptions } from "../../questions.ts";
import type { Context } from "../context.ts";
import { orderLabels, refuseOrderOfOthers } from "../load.ts";
import type { RatingOptions } from "../options.ts";
import { searchRunner } from "./circularity.ts";

export async function run(context: Context<RatingOptions>, data: string): Promise<void> {
  const { options: flags, progress } = context;
  const given = parseOptions(AUDIT.options, flags);
  const { scales } = parseOptions(AUDIT.command, flags);
  const { label, domain, features = [], exclude = [], predictions = [] } = given;
  const declared = scales === undefined ? undefined : parseScales(scales);
  const table = orderLabels(await context.load(data), flags.ordered);
  for (const name of exclude) column(table, name);
  refuseOrderOfOthers(table, flags.ordered, { features, exclude, others: [label, domain, ...predictions] });
  const result = await auditValidity(table, {
    ...{ ...given, scales: declared, rng: makeRng(flags.seed), runner: searchRunner(context, table) },
    onProgress: (stage, done, total) => progress.update(stage, done, total),
  });
  context.print(result);
}
