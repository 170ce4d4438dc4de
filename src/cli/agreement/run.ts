/** `gosset agreement <data...> --item i --rater r --label y` */
import {
  type AgreementOptions,
  type AnnotationResult,
  asFactor,
  type Column,
  type Diagnostic,
  makeRng,
  measureAgreement,
  modelLabels,
  pivotLonger,
  type Roles,
  type SingleVotes,
  StatError,
  singleVotes,
  type Table,
  votesOf,
  type Weighting,
  withColumn,
} from "../../index.ts";
import { isGoldName, orderWords } from "../../io.ts";
import { quoteShell } from "../../text.ts";
import type { Context } from "../context.ts";
import { loadRatings } from "../load.ts";
import { chosen, parseCount, parseProbability, type RatingOptions, splitList, splitNames } from "../options.ts";

interface AgreementCommandOptions extends RatingOptions {
  readonly item?: string;
  readonly rater?: string;
  readonly label?: string;
  readonly raters: readonly string[];
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
  const columns = splitNames(options.raters, "--raters");
  if (categories !== undefined) context.refuse(["--ordered"], "beside --categories, which say the order");
  if (columns.length > 0 && (rater !== undefined || label !== undefined)) {
    throw new StatError("BadOption", "--raters names one column per rater.", "Leave --rater and --label out.");
  }
  const complete = columns.length > 0 || (item !== undefined && rater !== undefined && label !== undefined);
  const loaded = await loadRatings(context, data, complete);
  const { roles } = loaded;
  const wide = columns.length > 0 ? stackRaters(loaded.table, columns, item) : undefined;
  const votes = wide === undefined ? findVotes(loaded, label) : undefined;
  if (votes !== undefined) context.note([votes.counted]);
  else if (wide === undefined && label === undefined) context.note(tellOtherLabels(roles));
  const given = wide?.table ?? votes?.table ?? loaded.table;
  const itemNames = wide?.item ?? itemColumns(item, roles, votes);
  const raterName = wide?.rater ?? raterColumn(rater, loaded.table, roles);
  const labelName = wide?.label ?? votes?.label ?? chosen(label, labelColumn(roles), "label");
  // an order that the caller gives, or a scale without one, needs none of the words
  const ordered = categories !== undefined || options.scale === "nominal" ? undefined : orderWords(given, labelName);
  const table = ordered?.table ?? given;
  const printing = ordered === undefined ? {} : { assumed: [ordered.told] };
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
function labelColumn(roles: Roles | undefined): string | undefined {
  return [roles?.label, roles?.score].find((name) => name !== undefined && !isGoldName(name));
}

/** Of several criteria one was taken. */
function tellOtherLabels(roles: Roles | undefined): Diagnostic[] {
  const own = labelColumn(roles);
  const others = (roles?.metrics ?? []).filter((name) => name !== own);
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

/** Where nothing names the raters, columns with the same few labels may be theirs. */
function raterColumn(rater: string | undefined, table: Table, roles: Roles | undefined): string {
  const own = rater ?? roles?.rater;
  if (own !== undefined) return own;
  const taken = new Set([roles?.item, roles?.system, roles?.task, roles?.cluster]);
  const labels = [...table.columns].flatMap(([name, cells]) => {
    const used = taken.has(name) ? [] : listLabels(cells);
    return used.length > 1 && used.length <= MOST_LABELS ? [{ name, used }] : [];
  });
  const alike = labels.filter((one) =>
    labels.some((other) => other !== one && one.used.every((label) => other.used.includes(label))),
  );
  const named = alike.length > 1 ? alike.map(({ name }) => name).join(",") : "a,b,c";
  throw new StatError(
    "MissingFlag",
    "the file does not say which column is the rater.",
    `Name it with --rater; if each rater has a column, name those: --raters ${quoteShell(named)}.`,
  );
}

const MOST_LABELS = 20;

const listLabels = (cells: Column): string[] => {
  const { codes, levels } = asFactor(cells);
  const used = new Set(codes);
  return levels.filter((_, code) => used.has(code));
};

/** One column per rater becomes one row per label; without --item every row is an item. */
function stackRaters(table: Table, columns: readonly string[], item: string | undefined) {
  const fresh = (name: string): string => (table.columns.has(name) ? fresh(`${name}_`) : name);
  const [row, rater, label] = [fresh("row"), fresh("rater"), fresh("label")];
  const rows = { kind: "numeric", values: Float64Array.from({ length: table.rows }, (_, i) => i + 1) } as const;
  const numbered = item === undefined ? withColumn(table, row, rows) : table;
  const long = pivotLonger(numbered, { columns, namesTo: rater, valuesTo: label });
  return { table: long, item: item === undefined ? [row] : splitNames([item], "--item"), rater, label };
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
