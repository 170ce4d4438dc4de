/** `gosset compare <files...>`: flags → options → compare() → print. */

import { existsSync } from "node:fs";
import {
  type CompareInput,
  type CompareOptions,
  type Comparison,
  compare,
  comparisonTable,
  type Imported,
  type ImportOptions,
  importFiles,
  isTotalsOnly,
  makeRng,
  type NamedImport,
  prepareTable,
  StatError,
  type TotalsOptions,
  testTotals,
} from "../../index.ts";
import type { Ddf } from "../../models.ts";
import type { Context } from "../context.ts";
import { readTextFile, readWithCompanions } from "../files.ts";
import { importOptions, importPaths, loadParts, namedColumns } from "../load.ts";
import { kebabCase } from "../option-names.ts";
import {
  type DataOptions,
  parseCount,
  parsePositive,
  parseProbability,
  parseShape,
  type ShapeFlags,
  splitList,
} from "../options.ts";
import { showsAll } from "../output.ts";
import { nameSystems, noteMarks, parseTokeniser, readLines, requireSameLength } from "../text-lines.ts";
import { checkFlips, flipsText, refuseFlips, writeFlips } from "./flips.ts";

interface CompareCommandOptions extends DataOptions, ShapeFlags {
  readonly metric?: string;
  readonly ref: readonly string[];
  readonly docs?: string;
  readonly tokenize?: string;
  readonly byRow?: boolean;
  readonly gold?: string;
  readonly pred?: string;
  readonly positive?: string;
  readonly systems?: string;
  readonly baseline?: string;
  readonly test?: CompareOptions["test"];
  readonly by?: string;
  readonly cut?: string;
  readonly slice: readonly string[];
  readonly margin?: string;
  readonly scope?: string;
  readonly alpha?: string;
  readonly confidence?: string;
  readonly adjust?: CompareOptions["adjust"];
  readonly ddf?: Ddf;
  readonly replicates?: string;
  readonly system?: string;
  readonly item?: string;
  readonly rater?: string;
  readonly repeat?: string;
  readonly cluster?: string;
  readonly task?: string;
  readonly time?: string;
  readonly errors?: CompareOptions["errors"];
  readonly unscored?: CompareOptions["unscored"];
  readonly unpaired?: boolean;
  readonly a?: string;
  readonly b?: string;
  readonly winner?: string;
  readonly lowerIsBetter?: boolean;
  readonly higherIsBetter?: boolean;
  readonly table?: string;
  readonly flips?: string;
  readonly plan?: string;
  readonly look?: string;
}

export async function run(context: Context<CompareCommandOptions>, files: readonly string[]): Promise<void> {
  const { options: flags, progress } = context;
  checkFlags(flags);
  checkFlips(flags.flips);
  const options: CompareOptions = {
    ...parseChoices(flags),
    texts: flags.includeText === true && (flags.flips !== undefined || flags.table === "flips"),
    details: showsAll(flags),
    rng: makeRng(flags.seed),
    onProgress: (done, of) => progress.update("Comparing", done, of),
  };
  const votes = votesOf(flags);
  if (flags.ref.length > 0 && votes.votes !== undefined) {
    throw new StatError("BadOption", "--a, --b and --winner are for votes, --ref for texts.", "Give one or the other.");
  }
  if (flags.ref.length > 0) refuseReading(flags);
  else if (flags.docs !== undefined)
    throw new StatError(
      "BadOption",
      "--docs without --ref: it says which sentences belong together.",
      "Add --ref, or use --cluster.",
    );
  const data = flags.ref.length > 0 ? readTexts(files, context) : await readTogether(files, flags);
  const totals = Array.isArray(data) ? totalsOf(data, flags) : undefined;
  if (totals !== undefined) {
    refuseFlips(flags.flips);
    context.print(testTotals(totals, options as TotalsOptions));
    return;
  }
  const result = flags.plan === undefined ? compare(data, options) : await compareByPlan(data, options, flags);
  const csv = flags.format === "csv" ? [comparisonTable(result, flags.table)] : undefined;
  const differing = flags.flips === undefined ? undefined : flipsText(result, flags.flips);
  context.print(result, { csv });
  if (differing !== undefined) writeFlips(flags.flips!, differing);
}

async function compareByPlan(
  data: CompareInput,
  options: CompareOptions,
  { plan: path, look }: CompareCommandOptions,
): Promise<Comparison> {
  const { followPlan, readLock, readPlan } = await import("../../plan.ts");
  const lock = existsSync(`${path}.lock`) ? readLock(readTextFile(`${path}.lock`), `${path}.lock`) : undefined;
  return followPlan(data, {
    ...options,
    plan: readPlan(readTextFile(path!), path),
    lock,
    look: look === undefined ? undefined : parseCount(look, "--look"),
  });
}

/** Totals without items, unless a flag says that rows are items; what would need items is refused. */
function totalsOf(parts: readonly NamedImport[], flags: CompareCommandOptions): Imported | undefined {
  const shaped = Object.keys(parseShape(flags)).length > 0;
  if (!parts.every(({ imported }) => isTotalsOnly(imported)) || flags.item !== undefined || flags.unpaired || shaped)
    return undefined;
  const { by, cut, margin, test, cluster, rater, repeat, gold, pred, task, slice, ddf, replicates, plan } = flags;
  const given = Object.entries({
    plan,
    by,
    cut,
    margin,
    test,
    cluster,
    rater,
    repeat,
    gold,
    pred,
    task,
    ddf,
    replicates,
    slice: slice[0],
  });
  const unused = given.find(([, value]) => value !== undefined)?.[0];
  if (unused !== undefined || flags.adjust === "tukey") {
    const name = unused ?? "adjust tukey";
    throw new StatError(
      "BadOption",
      `--${name} needs the scores of items, and the file holds totals.`,
      "Leave it out, or give items.",
    );
  }
  if (parts.length > 1) {
    throw new StatError(
      "TotalsOnly",
      `${parts.length} files with one number for each system, and no items.`,
      "Put them into one table with a row for each system, data set and run (system, dataset, seed, score), and give that.",
    );
  }
  const { imported } = parts[0]!;
  const own =
    flags.system === undefined ? imported : { ...imported, roles: { ...imported.roles, system: flags.system } };
  return { ...own, table: prepareTable(own.table, flags) };
}

/** Several files without items are totals of one system each, or the two halves of one table: then they are one import. */
async function readTogether(files: readonly string[], flags: CompareCommandOptions): Promise<NamedImport[]> {
  const parts = await loadParts(files, flags, votesOf(flags));
  const plain = parts.every(({ imported: { roles } }) => roles.item === undefined && roles.rater === undefined);
  const apart = !parts[0]!.imported.metrics.some(({ name }) =>
    parts.every(({ imported }) => imported.metrics.some((metric) => metric.name === name)),
  );
  const reading = { ...importOptions(flags), keep: namedColumns(flags) };
  if (parts.length > 1 && apart) {
    const joined = await importPaths(files, reading).catch(() => undefined);
    if (joined?.joined !== undefined) return [{ path: files.join(" "), imported: joined }];
  }
  if (parts.length < 2 || !plain || flags.item !== undefined || flags.unpaired || flags.byRow) return parts;
  const named = readWithCompanions(files, reading.maxMemory).flatMap((own, i) =>
    own.map((file) => ({ ...file, name: files[i]! })),
  );
  try {
    const imported = await importFiles(named, reading);
    return isTotalsOnly(imported) ? [{ path: files.join(" "), imported }] : parts;
  } catch (error) {
    if (error instanceof StatError) return parts;
    throw error;
  }
}

/** --a, --b and --winner go together. */
function votesOf({ a, b, winner }: CompareCommandOptions): Pick<ImportOptions, "votes"> {
  if (a === undefined && b === undefined && winner === undefined) return {};
  if (a !== undefined && b !== undefined && winner !== undefined) return { votes: { a, b, winner } };
  throw new StatError("BadOption", "--a, --b and --winner name the columns of a vote together.", "Give all three.");
}

function readTexts(paths: readonly string[], context: Context<CompareCommandOptions>) {
  const { ref, docs, encoding } = context.options;
  const files = paths.map((path) => readLines(path, encoding));
  const references = ref.map((path) => readLines(path, encoding));
  const documents = docs === undefined ? undefined : readLines(docs, encoding);
  requireSameLength([...references, ...files, ...(documents ? [documents] : [])]);
  context.note(noteMarks([...files, ...references]));
  return {
    hypotheses: Object.fromEntries(nameSystems(paths).map((name, i) => [name, files[i]!.lines])),
    references: references.map(({ lines }) => lines),
    documents: documents?.lines,
  };
}

/** With --ref the files are texts, which are read as they are. */
function refuseReading({
  inputFormat,
  maxMemory,
  shape,
  delimiter,
  decimal,
  missing,
  quote,
  badRows,
  ...flags
}: CompareCommandOptions): void {
  const given = {
    "--input-format": inputFormat,
    "--max-memory": maxMemory,
    "--delimiter": delimiter,
    "--decimal": decimal,
    "--missing": missing,
    "--shape": shape,
  };
  const skip = badRows === "skip" ? "--bad-rows" : undefined;
  const [unrolled] = Object.keys(parseShape(flags)).map((name) => `--${kebabCase(name)}`);
  const found =
    Object.entries(given).find(([, value]) => value !== undefined)?.[0] ??
    skip ??
    unrolled ??
    (quote === false ? "--no-quote" : undefined);
  if (found !== undefined)
    throw new StatError(
      "BadOption",
      `${found} does nothing with --ref: texts are read line by line.`,
      `Leave ${found} out.`,
    );
}

/** Flags that no option of the library stands for. */
function checkFlags({
  table,
  format,
  higherIsBetter,
  lowerIsBetter,
  plan,
  look,
  slice,
  by,
}: CompareCommandOptions): void {
  if (look !== undefined && plan === undefined)
    throw new StatError("BadOption", "--look without --plan: looks are planned.", "Add --plan, or see gosset next.");
  if (table !== undefined && format !== "csv") {
    const fix = "Add --format csv; other formats show every table.";
    throw new StatError("BadOption", `--table ${table} without --format csv.`, fix);
  }
  // a file of one table leaves out what was asked for, unless the table is named
  const [within = by] = slice;
  if (format === "csv" && table === undefined && within !== undefined) {
    const flag = slice.length > 0 ? "--slice" : "--by";
    throw new StatError(
      "BadOption",
      `${flag} ${within} with --format csv, which holds one table.`,
      `Add --table ${within} for its parts, or --table pairs for all items.`,
    );
  }
  if (higherIsBetter && lowerIsBetter) {
    throw new StatError("BadOption", "--higher-is-better and --lower-is-better exclude each other.", "Give one.");
  }
}

/** Texts as numbers and lists; what is absent stays for the library to choose. */
function parseChoices(flags: CompareCommandOptions): CompareOptions {
  const given = <T>(text: string | undefined, parse: (text: string) => T): T | undefined =>
    text === undefined ? undefined : parse(text);
  const { metric, system, item, rater, repeat, cluster, task, time, gold, positive, where, mutate, slice } = flags;
  const { test, adjust, ddf, baseline, by, unpaired, byRow, errors, unscored } = flags;
  return {
    ...{ metric, system, item, rater, repeat, cluster, task, time, gold, positive, where, mutate, slice },
    ...{ test, adjust, ddf, baseline, by, unpaired, byRow, errors, unscored },
    tokenise: given(flags.tokenize, parseTokeniser),
    pred: given(flags.pred, (text) => splitList(text) ?? [text]),
    ...parseShape(flags),
    systems: given(flags.systems, splitList),
    cut: given(flags.cut, parseCuts),
    margin: given(flags.margin, (text) => parsePositive(text, "--margin")),
    scope: given(flags.scope, (text) => (splitList(text) ?? [text]) as CompareOptions["scope"]),
    alpha: given(flags.alpha, (text) => parseProbability(text, "--alpha")),
    confidence: given(flags.confidence, (text) => parseProbability(text, "--confidence")),
    replicates: given(flags.replicates, (text) => parseCount(text, "--replicates")),
    higherIsBetter: flags.lowerIsBetter ? false : flags.higherIsBetter,
  };
}

function parseCuts(text: string): number[] {
  const cuts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (cuts.every(Number.isFinite)) return cuts;
  throw new StatError("BadOption", `--cut ${text}: not a list of numbers.`, "Write for example --cut 15,55.");
}
