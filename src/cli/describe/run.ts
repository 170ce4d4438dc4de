/** `gosset describe <files or folder...>` */
import { describeImported, type Imported, readStudy } from "../../index.ts";
import { tellDecision } from "../../io.ts";
import type { Context } from "../context.ts";
import { programName } from "../help.ts";
import { loadStudy, readFlags } from "../load.ts";
import { type DataOptions, type RoleOptions, toldOf } from "../options.ts";
import { describeReading, writeReading } from "../reading.ts";

interface DescribeOptions extends DataOptions, RoleOptions {
  readonly why?: boolean | undefined;
  readonly save?: string | undefined;
}

export async function run(context: Context<DescribeOptions>, paths: readonly string[]): Promise<void> {
  const { options } = context;
  const { where, mutate, why, save, shape } = options;
  const told = { ...toldOf(options), metric: options.metric };
  const { files } = told;
  const imported = await loadStudy(paths, options, { files });
  const description = describeImported(imported, {
    roles: told,
    target: paths.join(" "),
    ...(paths.length > 1 ? { paths } : {}),
    program: programName(),
    flags: [
      ...readFlags(options),
      ...where.flatMap((text) => ["--where", text]),
      ...mutate.flatMap((text) => ["--mutate", text]),
    ],
  });
  const study = readStudy(imported, told);
  context.print(description, why ? { notes: tellWhy(study) } : {});
  if (save !== undefined)
    await writeReading(save, describeReading(study, imported, { told, shape: shape === undefined ? {} : { shape } }));
}

/** What decided each role. */
function tellWhy({ decisions, format, roles }: Imported): string[] {
  if (decisions !== undefined) return decisions.map((own) => `${tellDecision(own)}.`);
  const columns = Object.entries(roles).flatMap(([role, name]) =>
    typeof name === "string" ? [`${role} ${name}`] : [],
  );
  return [`The ${format} format says what the columns are: ${columns.join(", ")}.`];
}
