/** `gosset compare <files...>`: flags → options → compare() → print. */

import { existsSync } from "node:fs";
import {
  answerComparison,
  type CompareInput,
  type CompareOptions,
  type Comparison,
  comparisonTable,
  type ImportOptions,
  makeRng,
  StatError,
} from "../../index.ts";
import type { Ddf } from "../../models.ts";
import type { Context } from "../context.ts";
import { readTextFile } from "../files.ts";
import { nameOf, SHAPE_FLAGS } from "../flags.ts";
import { loadParts } from "../load.ts";
import {
  type DataOptions,
  parseCount,
  parsePositive,
  parseProbability,
  type RoleOptions,
  splitList,
  toldOf,
} from "../options.ts";
import { showsAll } from "../output.ts";
import { nameSystems, noteMarks, parseTokeniser, readLines, requireSameLength } from "../text-lines.ts";
import { checkFlips, flipsText, refuseFlips, writeFlips } from "./flips.ts";

interface CompareCommandOptions extends DataOptions, RoleOptions {
  readonly ref: readonly string[];
  readonly docs?: string;
  readonly tokenize?: string;
  readonly positive?: string;
  readonly baseline?: string;
  readonly test?: CompareOptions["test"];
  readonly by?: string;
  readonly cut?: string;
  readonly slice: readonly string[];
  readonly margin?: string;
  readonly scope?: string;
  readonly runKind?: CompareOptions["runKind"];
  readonly alpha?: string;
  readonly confidence?: string;
  readonly adjust?: CompareOptions["adjust"];
  readonly ddf?: Ddf;
  readonly replicates?: string;
  readonly time?: string;
  readonly errors?: CompareOptions["errors"];
  readonly unscored?: CompareOptions["unscored"];
  readonly unpaired?: boolean;
  readonly a?: string;
  readonly b?: string;
  readonly winner?: string;
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
  if (flags.ref.length > 0) {
    refuseReading(flags);
    context.refuse([...SHAPE_FLAGS.map(nameOf), "--score", "--reading"], "with --ref: texts are read line by line");
  }
  if (flags.ref.length === 0 && flags.docs !== undefined)
    throw new StatError(
      "BadOption",
      "--docs without --ref: it says which sentences belong together.",
      "Add --ref, or use --cluster.",
    );
  const data = flags.ref.length > 0 ? readTexts(files, context) : await loadParts(files, flags, votes);
  const result = flags.plan === undefined ? answerComparison(data, options) : await compareByPlan(data, options, flags);
  if (result.kind === "totals") {
    refuseFlips(flags.flips);
    return context.print(result);
  }
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
  heading,
  quote,
  badRows,
  reading,
}: CompareCommandOptions): void {
  const given = {
    "--input-format": inputFormat,
    "--max-memory": maxMemory,
    "--delimiter": delimiter,
    "--decimal": decimal,
    "--missing": missing,
    "--heading": heading,
    "--shape": shape,
    "--reading": reading,
  };
  const skip = badRows === "skip" ? "--bad-rows" : undefined;
  const found =
    Object.entries(given).find(([, value]) => value !== undefined)?.[0] ??
    skip ??
    (quote === false ? "--no-quote" : undefined);
  if (found !== undefined)
    throw new StatError(
      "BadOption",
      `${found} does nothing with --ref: texts are read line by line.`,
      `Leave ${found} out.`,
    );
}

/** Flags that no option of the library stands for. */
function checkFlags({ table, format, plan, look, slice, by }: CompareCommandOptions): void {
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
}

/** Texts as numbers and lists; what is absent stays for the library to choose. */
function parseChoices(flags: CompareCommandOptions): CompareOptions {
  const given = <T>(text: string | undefined, parse: (text: string) => T): T | undefined =>
    text === undefined ? undefined : parse(text);
  const { metric, time, positive, where, mutate, slice } = flags;
  const { test, adjust, ddf, baseline, by, unpaired, errors, unscored, runKind } = flags;
  return {
    ...toldOf(flags),
    ...{ metric, time, positive, where, mutate, slice },
    ...{ test, adjust, ddf, baseline, by, unpaired, errors, unscored, runKind },
    tokenise: given(flags.tokenize, parseTokeniser),
    cut: given(flags.cut, parseCuts),
    margin: given(flags.margin, (text) => parsePositive(text, "--margin")),
    scope: given(flags.scope, (text) => (splitList(text) ?? [text]) as CompareOptions["scope"]),
    alpha: given(flags.alpha, (text) => parseProbability(text, "--alpha")),
    confidence: given(flags.confidence, (text) => parseProbability(text, "--confidence")),
    replicates: given(flags.replicates, (text) => parseCount(text, "--replicates")),
  };
}

function parseCuts(text: string): number[] {
  const cuts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  if (cuts.every(Number.isFinite)) return cuts;
  throw new StatError("BadOption", `--cut ${text}: not a list of numbers.`, "Write for example --cut 15,55.");
}
