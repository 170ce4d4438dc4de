/** `gosset reliability <data...> --score y --object s --facets r,i [--interactions]` */
import {
  column,
  makeRng,
  measureReliability,
  pivotLonger,
  type ReliabilityOptions,
  StatError,
  type Table,
  withColumn,
} from "../../index.ts";
import { parseCount, parseNumber, parseProbability, splitNames } from "../../questions.ts";
import type { Context } from "../context.ts";
import { loadRatings, refuseUnusedOrder } from "../load.ts";
import { parseInteractions, parseNumbers, type RatingOptions } from "../options.ts";
import { keepRefits } from "../ways.ts";

interface ReliabilityCommandOptions extends RatingOptions {
  readonly object?: string;
  readonly facets: readonly string[];
  readonly columns: readonly string[];
  readonly interactions?: readonly (string | true)[] | string | true;
  readonly model?: "lmm" | "glmm" | "clmm";
  readonly n: readonly string[];
  readonly target?: string;
  readonly cost: readonly string[];
  readonly objects?: string;
  readonly by?: string;
  readonly intervals?: "generalised" | "bootstrap" | "none";
  readonly replicates?: string;
  readonly journal?: string;
}

export async function run(context: Context<ReliabilityCommandOptions>, data: readonly string[]): Promise<void> {
  const { options, progress } = context;
  if (options.target === undefined) context.refuse(["--cost", "--objects"], "without --target, whose price it is");
  const fixed = flagOptions(options);
  const facets = splitNames(options.facets, "--facets");
  const columns = splitNames(options.columns, "--columns");
  const complete = columns.length > 0 || (options.score !== undefined && facets.length > 0);
  if (complete) context.refuse(["--system", "--rater", "--run"], "where the score and what varies are named");
  if (complete || options.object !== undefined) context.refuse(["--item"], "beside --object, or without it");
  const loaded = await loadRatings(context, data, complete);
  const rows = "roles" in loaded ? loaded.table : loaded;
  const wide = columns.length > 0 ? stackColumns(rows, columns, options) : undefined;
  const named = wide ?? { score: options.score, object: options.object, facets };
  const refits = keepRefits(options.journal, context.journal);
  const result = measureReliability(wide?.table ?? loaded, {
    ...fixed,
    score: named.score,
    ...(named.object === undefined ? {} : { object: named.object }),
    facets: named.facets.length > 0 ? named.facets : undefined,
    rng: makeRng(options.seed),
    onProgress: (done, total) => progress.update("Refitting", done, total),
    keeper: refits.keeper,
  });
  refits.check();
  const { score, object, facets: varied } = result;
  refuseUnusedOrder(options.ordered, [score, object, ...varied, options.by]);
  context.print(result);
}

/** One column per rater, item of a scale or run becomes one row per score; without --object every row is an object. */
function stackColumns(table: Table, columns: readonly string[], options: ReliabilityCommandOptions) {
  if (columns.length < 2)
    throw new StatError("BadOption", "--columns names one column.", "Name two or more: --columns q1,q2,q3.");
  for (const [flag, given] of [
    ["--score", options.score !== undefined],
    ["--facets", options.facets.length > 0],
  ] as const) {
    if (given)
      throw new StatError(
        "BadOption",
        `--columns holds scores and what varies: ${flag} is not for it.`,
        "Leave it out.",
      );
  }
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
  const numbered = options.object === undefined ? withColumn(table, row, rows) : table;
  const long = pivotLonger(numbered, { columns, namesTo: facet, valuesTo: score });
  return { table: long, score, object: options.object ?? row, facets: [facet] };
}

function flagOptions(options: ReliabilityCommandOptions): Omit<ReliabilityOptions, "score" | "facets"> {
  const costs = parseCosts(options.cost);
  return {
    interactions: parseInteractions(options.interactions),
    confidence: parseProbability(options.confidence, "--confidence"),
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.n.length === 0 ? {} : { numbers: parseNumbers(options.n) }),
    ...(options.target === undefined ? {} : { target: parseProbability(options.target, "--target") }),
    ...(costs === undefined && options.objects === undefined
      ? {}
      : {
          costs: {
            ...(costs ?? { score: 1 }),
            ...(options.objects === undefined ? {} : { objects: parseCount(options.objects, "--objects") }),
          },
        }),
    ...(options.by === undefined ? {} : { by: options.by }),
    ...(options.intervals === undefined ? {} : { intervals: options.intervals }),
    ...(options.replicates === undefined ? {} : { replicates: parseCount(options.replicates, "--replicates") }),
  };
}

/** `rater=20,score=0.5`. */
function parseCosts(texts: readonly string[]): { facets: Record<string, number>; score: number } | undefined {
  if (texts.length === 0) return undefined;
  const facets: Record<string, number> = {};
  let score = 0;
  for (const part of splitNames(texts, "--cost")) {
    const at = part.lastIndexOf("=");
    const price = at < 1 ? Number.NaN : parseNumber(part.slice(at + 1), `--cost ${part.slice(0, at)}=`);
    if (!(price >= 0)) {
      throw new StatError("BadOption", `--cost ${part}: not a price.`, "Write --cost rater=20,score=0.5.");
    }
    if (part.slice(0, at) === "score") score = price;
    else facets[part.slice(0, at)] = price;
  }
  return { facets, score };
}
