/** `gosset agreement <data...> --item i --rater r --label y` */
import {
  type AgreementOptions,
  type AnnotationResult,
  makeRng,
  measureAgreement,
  modelLabels,
  type Ratings,
  StatError,
  type Weighting,
} from "../../index.ts";
import { parseCount, parseProbability, splitList, splitNames } from "../../questions.ts";
import type { Context } from "../context.ts";
import { loadRatings } from "../load.ts";
import type { RatingOptions } from "../options.ts";

interface AgreementCommandOptions extends RatingOptions {
  /** The same as --score, where it is a text. */
  readonly label?: string;
  readonly model?: "dawid-skene";
  readonly certainty?: string;
  readonly scale?: "nominal" | "ordinal" | "interval" | "ratio";
  readonly weighting: string;
  readonly categories?: string;
  readonly replicates: string;
}

export async function run(context: Context<AgreementCommandOptions>, data: readonly string[]): Promise<void> {
  const { options, progress } = context;
  const { rater, categories, score, label = score, raters = [], counts = [] } = options;
  const weighting = parseWeighting(options.weighting);
  const replicates = options.replicates.trim() === "0" ? 0 : parseCount(options.replicates, "--replicates");
  const confidence = parseProbability(options.confidence, "--confidence");
  const item = options.item === undefined ? undefined : splitNames([options.item], "--item");
  if (categories !== undefined) context.refuse(["--ordered"], "beside --categories, which say the order");
  if (raters.length > 0) context.refuse(["--rater", "--label", "--score"], "beside --raters: one column per rater");
  if (counts.length > 0) context.refuse(["--rater", "--label", "--score"], "beside --counts: one column per label");
  const complete = item !== undefined && rater !== undefined && label !== undefined;
  if (complete) context.refuse(["--system", "--gold"], "where --item, --rater and --label are named");
  if (options.label !== undefined) context.refuse(["--score"], "beside --label");
  const study = await loadRatings(context, data, complete);
  const { metric } = options;
  if ("roles" in study && metric === study.roles.score && label !== undefined && label !== metric)
    throw new StatError("BadOption", `--metric ${metric} and --label ${label} name two columns.`, "Name one of them.");
  const library: AgreementOptions = {
    ...{ item, rater, label },
    ...(options.cluster === undefined ? {} : { cluster: options.cluster }),
    ...(categories === undefined ? {} : { categories: splitList(categories) ?? [categories] }),
    ...(options.scale === undefined ? {} : { scale: options.scale }),
    weighting,
    replicates,
    confidence,
    rng: makeRng(options.seed),
    onProgress: (done, total) => progress.update("Resampling", done, total),
  };
  if (options.model === "dawid-skene") return context.print(runModel(study, library, context));
  if (replicates === 0) context.refuse(["--cluster", "--confidence"], "where no intervals are drawn (--replicates 0)");
  if (options.certainty !== undefined)
    throw new StatError("BadOption", "--certainty is for --model dawid-skene.", "Leave it out, or add the model.");
  context.print(measureAgreement(study, library));
}

/** Who is right, by Dawid and Skene's model; what only coefficients use is refused. */
function runModel(
  study: Ratings,
  library: AgreementOptions,
  { options: { certainty }, refuse }: Context<AgreementCommandOptions>,
): AnnotationResult {
  refuse(["--scale", "--cluster", "--weighting", "--details"], "in the model of labels");
  const { item, rater, label, categories, confidence, replicates, rng, onProgress } = library;
  return modelLabels(study, {
    ...{ item, rater, label, categories, confidence, replicates, rng, onProgress },
    ...(certainty === undefined ? {} : { certainty: parseProbability(certainty, "--certainty") }),
  });
}

function parseWeighting(text: string): Weighting {
  if (text === "none" || text === "linear" || text === "quadratic") return text;
  const rows = text
    .split(";")
    .map((row) => row.split(",").map((cell) => (cell.trim() === "" ? Number.NaN : Number(cell))));
  if (text.includes(";") && rows.flat().every(Number.isFinite)) return rows;
  throw new StatError(
    "BadOption",
    `--weighting ${text}: no such weights.`,
    "Write none, linear, quadratic, or rows of numbers such as 1,.5,0;.5,1,.5;0,.5,1.",
  );
}
