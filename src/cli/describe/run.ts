/** `gosset describe <files or folder...>` */
import { describeImported, prepareTable, withRows } from "../../index.ts";
import type { Context } from "../context.ts";
import { programName } from "../help.ts";
import { importOptions, importPaths, namedColumns, readFlags } from "../load.ts";
import { type DataOptions, type GlobalOptions, parseShape, type ShapeFlags, splitNames } from "../options.ts";

/** Commands of this version; the questions behind others are marked as not available yet. */
const AVAILABLE: ReadonlySet<string> = new Set([
  "describe",
  "fit lm",
  "fit glm",
  "fit lmm",
  "fit clm",
  "fit clmm",
  "fit glmm",
  "fit gam",
  "anova",
  "emmeans",
  "compare",
  "test",
  "score",
  "agreement",
  "reliability",
  "importance",
  "budget",
  "mde accuracy",
  "mde likert",
  "mde means",
  "mde preference",
  "validity metrics",
  "validity bias",
  "validity circularity",
]);

interface DescribeOptions extends GlobalOptions, DataOptions, ShapeFlags {
  readonly systems?: string;
  readonly metric?: string;
  readonly system?: string;
  readonly item?: string;
  readonly rater?: string;
  readonly repeat?: string;
  readonly cluster?: string;
  readonly task?: string;
}

export async function run(context: Context<DescribeOptions>, paths: readonly string[]): Promise<void> {
  const { options } = context;
  const { metric, system, item, rater, repeat, cluster, task, where, mutate } = options;
  const systems = options.systems === undefined ? {} : { systems: splitNames([options.systems], "--systems") };
  const told = { ...parseShape(options), ...systems, system, item, rater, repeat, cluster, task };
  const reading = { ...importOptions(options), keep: namedColumns(options) };
  const imported = await importPaths(paths, reading);
  const rows = withRows(imported, prepareTable(imported.table, options));
  const description = describeImported(rows, {
    roles: { ...told, score: metric },
    target: paths.join(" "),
    ...(paths.length > 1 ? { paths } : {}),
    available: AVAILABLE,
    program: programName(),
    flags: [
      ...readFlags(options),
      ...where.flatMap((text) => ["--where", text]),
      ...mutate.flatMap((text) => ["--mutate", text]),
    ],
  });
  context.print(description);
}
