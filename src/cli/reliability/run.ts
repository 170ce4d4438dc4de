/** `gosset reliability <data...> --score y --object s --facets r,i [--interactions]` */
import { column, makeRng, measureReliability, pivotLonger, StatError, type Table, withColumn } from "../../index.ts";
import { allOptions, type OptionsOf, parseOptions, RELIABILITY, refuseAlone } from "../../questions.ts";
import type { Context } from "../context.ts";
import { loadRatings, refuseRoles, refuseUnusedOrder } from "../load.ts";
import type { RatingOptions } from "../options.ts";
import { keepRefits } from "../ways.ts";

type Asked = OptionsOf<typeof RELIABILITY.command>;

export async function run(context: Context<RatingOptions>, data: readonly string[]): Promise<void> {
  const { options: flags, progress } = context;
  const given = parseOptions(RELIABILITY.options, flags);
  const asked = parseOptions(RELIABILITY.command, flags);
  refuseAlone(allOptions(RELIABILITY), { ...given, ...asked });
  const { columns } = asked;
  const complete = columns !== undefined || (given.score !== undefined && given.facets !== undefined);
  if (complete) refuseRoles(asked, ["system", "rater", "run"], "when the score and the facets are named");
  if (complete || given.object !== undefined) refuseRoles(asked, ["item"], "with `object`, or without it");
  const loaded = await loadRatings(context, data, complete);
  const rows = "roles" in loaded ? loaded.table : loaded;
  const { table: wide = undefined, ...stacked } =
    columns === undefined ? {} : stackColumns(rows, columns, given.object);
  const refits = keepRefits(asked.journal, context.journal);
  const result = measureReliability(wide ?? loaded, {
    ...{ ...given, ...stacked, costs: costsOf(asked) },
    rng: makeRng(flags.seed),
    onProgress: (done, total) => progress.update("Refitting", done, total),
    keeper: refits.keeper,
  });
  refits.check();
  const { score, object, facets: varied } = result;
  refuseUnusedOrder(flags.ordered, [score, object, ...varied, given.by]);
  context.print(result);
}

/** One column per rater, item of a scale or run becomes one row per score; without --object every row is an object. */
function stackColumns(table: Table, columns: readonly string[], object: string | undefined) {
  if (columns.length < 2)
    throw new StatError("BadOption", "--columns names one column.", "Name two or more: --columns q1,q2,q3.");
  const fresh = (name: string): string => (table.columns.has(name) ? fresh(`${name}_`) : name);
  const [row, facet, score] = [fresh("row"), fresh("column"), fresh("score")];
  const twice = columns.find((name, i) => columns.indexOf(name) !== i);
  if (twice !== undefined)
    throw new StatError("BadOption", `--columns names ${twice} twice.`, "Name each column once.");
  for (const name of columns) {
    if (column(table, name).kind === "numeric") continue;
    throw new StatError("NotNumeric", `column ${name} is not numeric.`, "Name columns of numbers.");
  }
  const rows = { kind: "numeric", values: Float64Array.from({ length: table.rows }, (_, i) => i + 1) } as const;
  const numbered = object === undefined ? withColumn(table, row, rows) : table;
  const long = pivotLonger(numbered, { columns, namesTo: facet, valuesTo: score });
  return { table: long, score, object: object ?? row, facets: [facet] };
}

/** `rater=20,score=0.5`. */
function costsOf({ cost, objects }: Asked) {
  if (cost === undefined) return objects === undefined ? undefined : { score: 1, objects };
  const { score = 0, ...facets } = cost;
  return { facets, score, objects };
}
