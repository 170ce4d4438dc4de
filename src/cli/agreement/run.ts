/** `gosset agreement <data...> --item i --rater r --label y` */
import {
  type AgreementOptions,
  type AnnotationResult,
  type Diagnostic,
  makeRng,
  measureAgreement,
  modelLabels,
  type Roles,
  type SingleVotes,
  StatError,
  singleVotes,
  type Table,
  votesOf,
  type Weighting,
} from "../../index.ts";
import { askRater, isGoldName, NO_ROLES, orderWords, Question, tellDone } from "../../io.ts";
import type { Context } from "../context.ts";
import { loadRatings } from "../load.ts";
import {
  chosen,
  parseCount,
  parseProbability,
  parseShape,
  type RatingOptions,
  type ShapeFlags,
  splitList,
  splitNames,
} from "../options.ts";

interface AgreementCommandOptions extends RatingOptions, ShapeFlags {
  readonly item?: string;
  readonly rater?: string;
  readonly label?: string;
  readonly model?: "dawid-skene";
  readonly certainty?: string;
  readonly scale?: "nominal" | "ordinal" | "interval" | "ratio";
  readonly weighting: string;
  readonly categories?: string;
  readonly cluster?: string;
  readonly replicates: string;
}

export async function run(context: Context<AgreementCommandOptions>, data: readonly string[]): Promise<void> {
  const { options, progress } = context;
  const { item, rater, label, categories } = options;
  const weighting = parseWeighting(options.weighting);
  const replicates = options.replicates.trim() === "0" ? 0 : parseCount(options.replicates, "--replicates");
  const confidence = parseProbability(options.confidence, "--confidence");
  const shape = parseShape(options);
  const isShaped = Object.keys(shape).length > 0;
  if (categories !== undefined) context.refuse(["--ordered"], "beside --categories, which say the order");
  if ((shape.raters ?? shape.counts) !== undefined && (rater !== undefined || label !== undefined)) {
    const flags =
      shape.raters === undefined ? "--counts names one column per label" : "--raters names one column per rater";
    throw new StatError("BadOption", `${flags}.`, "Leave --rater and --label out.");
  }
  const complete = !isShaped && item !== undefined && rater !== undefined && label !== undefined;
  const loaded = await loadRatings(context, data, { complete, told: isShaped ? { ...shape, item } : {} });
  const { roles } = loaded;
  const votes = findVotes(loaded, label);
  if (votes !== undefined) context.note([votes.counted]);
  else if (label === undefined) context.note(tellOtherLabels(loaded));
  const given = votes?.table ?? loaded.table;
  const itemNames = itemColumns(item, roles, votes);
  const raterName = raterColumn(rater, loaded.table, roles);
  const labelName = votes?.label ?? chosen(label, labelColumn(loaded), "label");
  // an order that the caller gives, or a scale without one, needs none of the words
  const ordered = categories !== undefined || options.scale === "nominal" ? undefined : orderWords(given, labelName);
  const table = ordered?.table ?? given;
  const printing = ordered === undefined ? {} : { assumed: [tellDone(ordered.done)] };
  const library: AgreementOptions = {
    item: itemNames,
    rater: raterName,
    label: labelName,
    ...(options.cluster === undefined ? {} : { cluster: options.cluster }),
    ...(categories === undefined ? {} : { categories: splitList(categories) ?? [categories] }),
    ...(options.scale === undefined ? {} : { scale: options.scale }),
    ...(loaded.unnamedRaters === true && (rater ?? roles?.rater) === roles?.rater ? { unnamed: true } : {}),
    weighting,
    replicates,
    confidence,
    rng: makeRng(options.seed),
    onProgress: (done, total) => progress.update("Resampling", done, total),
  };
  if (options.model === "dawid-skene") return context.print(runModel(table, library, options), printing);
  if (replicates === 0) context.refuse(["--cluster", "--confidence"], "where no intervals are drawn (--replicates 0)");
  if (options.certainty !== undefined)
    throw new StatError("BadOption", "--certainty is for --model dawid-skene.", "Leave it out, or add the model.");
  context.print(measureAgreement(table, library), printing);
}

/** What raters said; the gold labels beside it are nobody's rating. */
function labelColumn({ roles, decisions = [] }: Ratings): string | undefined {
  const unrolled = decisions.find(({ role, by }) => (role === "score" || role === "label") && by !== "name");
  const own = unrolled !== undefined && roles?.rater !== undefined ? unrolled.column : undefined;
  return [own, roles?.label, roles?.score].find((name) => name !== undefined && !isGoldName(name));
}

/** Of several criteria one was taken. */
function tellOtherLabels(loaded: Ratings): Diagnostic[] {
  const own = labelColumn(loaded);
  const others = (loaded.roles?.metrics ?? []).filter((name) => name !== own);
  if (own === undefined || others.length === 0) return [];
  const [first] = others;
  const message = `agreement on ${own}; there ${others.length === 1 ? "is" : "are"} also ${others.slice(0, 4).join(", ")}${others.length > 4 ? ", …" : ""}.`;
  return [{ code: "OtherScores", severity: "note", message, fix: `Option \`label: ${first}\` measures another.` }];
}

/** Who is right, by Dawid and Skene's model; what only coefficients use is refused. */
function runModel(table: Table, library: AgreementOptions, options: AgreementCommandOptions): AnnotationResult {
  const { scale, cluster, weighting, certainty } = options;
  for (const [flag, given] of [
    ["--scale", scale !== undefined],
    ["--cluster", cluster !== undefined],
    ["--weighting", weighting !== "none"],
    ["--details", options.details === true],
  ] as const) {
    if (given) throw new StatError("BadOption", `${flag} does nothing in the model of labels.`, "Leave it out.");
  }
  if (library.unnamed)
    throw new StatError(
      "UnnamedRaters",
      "the file does not name its raters, whose errors the model is about.",
      "Use the coefficients, or name the `rater` column.",
    );
  const { item, rater, label, categories, confidence, replicates, rng, onProgress } = library;
  return modelLabels(table, {
    item,
    rater,
    label,
    categories,
    confidence,
    replicates,
    rng,
    onProgress,
    ...(certainty === undefined ? {} : { certainty: parseProbability(certainty, "--certainty") }),
  });
}

/** Votes between systems, unless --label names something else that was asked. */
function findVotes({ table, roles }: Ratings, label: string | undefined): SingleVotes | undefined {
  if (roles === undefined) return label === undefined ? undefined : votesOf(table, label);
  const other = label !== undefined && label !== roles.score && !roles.identifiers.includes(label);
  return other ? undefined : singleVotes(table, roles);
}

type Ratings = Awaited<ReturnType<typeof loadRatings>>;

/** What a rater judges is one system's output on one item, or two of them side by side, unless --item says otherwise. */
function itemColumns(item: string | undefined, roles: Roles | undefined, votes: SingleVotes | undefined): string[] {
  const own = splitNames([chosen(item, roles?.item, "item")], "--item");
  if (votes !== undefined) return votes.pair === undefined ? own : [...own, votes.pair];
  return item === undefined && roles?.system !== undefined ? [...own, roles.system] : own;
}

/** Where nothing names the raters it is asked, also whether each has a column. */
function raterColumn(rater: string | undefined, table: Table, roles: Roles | undefined): string {
  const own = rater ?? roles?.rater;
  if (own === undefined) throw new Question(askRater(table, roles ?? NO_ROLES));
  return own;
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
