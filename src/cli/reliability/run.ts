/** `gosset reliability <data> --score y --object s --facets r,i [--interactions]` */
import { makeRng, measureReliability, type ReliabilityOptions, StatError } from "../../index.ts";
import type { Context } from "../context.ts";
import { loadRatings } from "../load.ts";
import {
  parseCount,
  parseInteractions,
  parseNumber,
  parseNumbers,
  parseProbability,
  type RatingOptions,
  splitNames,
} from "../options.ts";

interface ReliabilityCommandOptions extends RatingOptions {
  readonly score?: string;
  readonly object?: string;
  readonly facets: readonly string[];
  readonly interactions?: readonly (string | true)[] | string | true;
  readonly model?: "lmm" | "glmm" | "clmm";
  readonly n: readonly string[];
  readonly target?: string;
  readonly cost: readonly string[];
  readonly objects?: string;
  readonly by?: string;
  readonly intervals?: "generalised" | "bootstrap" | "none";
  readonly replicates?: string;
}

export async function run(context: Context<ReliabilityCommandOptions>, data: string): Promise<void> {
  const { options, progress } = context;
  const fixed = flagOptions(options);
  const facets = splitNames(options.facets, "--facets");
  const complete = options.score !== undefined && facets.length > 0;
  const { table, roles } = await loadRatings(context, data, complete);
  const result = measureReliability(roles === undefined ? table : { table, roles }, {
    ...fixed,
    score: options.score,
    ...(options.object === undefined ? {} : { object: options.object }),
    facets: facets.length > 0 ? facets : undefined,
    rng: makeRng(options.seed),
    onProgress: (done, total) => progress.update("Refitting", done, total),
  });
  context.print(result);
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
