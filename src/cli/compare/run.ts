/** `gosset compare <files...>`: flags → options → compare() → print. */

import { existsSync } from "node:fs";
import {
  answerComparison,
  type CompareInput,
  type CompareOptions,
  type Comparison,
  comparisonTable,
  correctComparison,
  type DisplayTable,
  type Drawn,
  type JudgeCorrection,
  makeRng,
  render,
  StatError,
} from "../../index.ts";
import {
  allOptions,
  COMPARE,
  doesNothing,
  type OptionsOf,
  parseOptions,
  READ,
  refuseAlone,
  refuseUnused,
  SAVED_READING,
} from "../../questions.ts";
import { countedTotals } from "../../tests.ts";
import type { Context } from "../context.ts";
import { readTextFile, writeOutput } from "../files.ts";
import { loadLabels, loadParts, loadTable } from "../load.ts";
import type { DataOptions } from "../options.ts";
import { showsAll } from "../output.ts";
import { nameSystems, noteMarks, readLines, requireSameLength } from "../text-lines.ts";

type Asked = OptionsOf<typeof COMPARE.command>;

export async function run(context: Context<DataOptions>, files: readonly string[]): Promise<void> {
  const { options: flags, progress } = context;
  const given: CompareOptions = parseOptions(COMPARE.options, flags);
  const asked: Asked = parseOptions(COMPARE.command, flags);
  const { flips, table, labels } = asked;
  refuseAlone(allOptions(COMPARE), { ...given, ...asked, format: flags.format });
  if (labels !== undefined) return context.print(await compareByLabels(context, files, { given, asked, labels }));
  if (flags.format === "csv") requireTable(asked, given);
  const options: CompareOptions = {
    ...given,
    texts: flags.includeText === true && (flips !== undefined || table === "flips"),
    details: showsAll(flags),
    rng: makeRng(flags.seed),
    onProgress: (done, of) => progress.update("Comparing", done, of),
  };
  const readData = async (): Promise<CompareInput> =>
    readCounts(files) ??
    (asked.references === undefined ? loadParts(files, flags, votesOf(asked)) : readTexts(files, asked, context));
  const result =
    asked.plan === undefined
      ? answerComparison(await readData(), options)
      : await compareByPlan(context, files, { options, asked, readData });
  if (result.kind === "totals") {
    refuseUnused(COMPARE, asked, "totals");
    return context.print(result);
  }
  const csv = flags.format === "csv" ? [comparisonTable(result, table)] : undefined;
  const differing = flips === undefined ? undefined : flipsText(result, flips);
  context.print(result, { csv });
  if (differing !== undefined) writeOutput(flips!, differing);
}

/** What a comparison by people's labels has a use for, of the command's own options. */
const BESIDE_LABELS: ReadonlySet<string> = new Set([
  ...["labels", "drawn", "auditMargin", "details"],
  ...Object.keys({ ...READ, ...SAVED_READING }),
]);

async function compareByLabels(
  { options: flags, progress }: Context<DataOptions>,
  files: readonly string[],
  { given, asked, labels }: { readonly given: CompareOptions; readonly asked: Asked; readonly labels: string },
): Promise<JudgeCorrection> {
  for (const [name, value] of Object.entries(asked))
    if (value !== undefined && value !== false && !BESIDE_LABELS.has(name))
      throw doesNothing(name, value, "with option `labels`, by which the difference is corrected");
  const { drawn, auditMargin } = asked;
  const data = await loadParts(files, flags);
  const people = await loadLabels(labels, flags, progress);
  return correctComparison(data, { labels: people, drawn: drawn as Drawn | undefined, auditMargin }, given);
}

interface Planned {
  readonly options: CompareOptions;
  readonly asked: Asked;
  readonly readData: () => Promise<CompareInput>;
}

/** The lists of a plan with raters have columns of known names. */
async function compareByPlan(
  { options: flags, progress }: Context<DataOptions>,
  files: readonly string[],
  { options, asked: { plan: path, look, key }, readData }: Planned,
): Promise<Comparison> {
  const { followPlan, readLock, readPlan } = await import("../../plan.ts");
  const lock = existsSync(`${path}.lock`) ? readLock(readTextFile(`${path}.lock`), `${path}.lock`) : undefined;
  const plan = readPlan(readTextFile(path!), path);
  const about = { ...options, plan, lock, look };
  if (plan.ratings === undefined && key !== undefined)
    throw new StatError("BadOption", `--key is for a plan with ratings, and ${path} has none.`, "Leave it out.");
  if (plan.ratings === undefined) return followPlan(await readData(), about);
  if (files.length > 1)
    throw new StatError(
      "BadOption",
      `${files.length} files of filled lists.`,
      "Give one table with the rows of all raters.",
    );
  const { table } = await loadTable(files[0]!, flags, progress);
  const lists = key === undefined ? undefined : (await loadTable(key, flags, progress)).table;
  return followPlan(table, { ...about, key: lists });
}

/** 74/80 91/120, or old=74/80 new=91/120: right answers of how many, in place of files. */
function readCounts(words: readonly string[]): CompareInput | undefined {
  const read = words.map((word) => /^(?:([^=]+)=)?(\d+)\/(\d+)$/.exec(word));
  if (read.length < 2 || read.some((own) => own === null) || words.some((word) => existsSync(word))) return undefined;
  return countedTotals(
    read.map((own, k) => ({ system: own![1] ?? words[k]!, successes: Number(own![2]), n: Number(own![3]) })),
  );
}

const votesOf = ({ a, b, winner }: Asked) =>
  a === undefined || b === undefined || winner === undefined ? {} : { votes: { a, b, winner } };

function readTexts(paths: readonly string[], asked: Asked, context: Context<DataOptions>) {
  refuseUnused(COMPARE, asked, "texts");
  const { references: ref = [], documents: docs, encoding } = asked;
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

/** A file of one table leaves out what was asked for, unless the table is named. */
function requireTable({ table }: Asked, { slice: [within] = [], by }: CompareOptions): void {
  const named = within ?? by;
  if (table !== undefined || named === undefined) return;
  throw new StatError(
    "BadOption",
    `--${within === undefined ? "by" : "slice"} ${named} with --format csv: CSV output is one table.`,
    `Add --table ${named} for its parts, or --table pairs for all items.`,
  );
}

/** Of `--flips`: every item that differs between two systems, as the text of a file, of one metric; made before the answer is printed, so that a refusal prints nothing. */
function flipsText(result: Comparison, path: string): string {
  if ((result.toJSON() as { readonly grid?: unknown }).grid !== undefined) {
    throw new StatError(
      "BadOption",
      "--flips with several metrics: the file holds the items of one metric.",
      "Name one with --metric.",
    );
  }
  const table = comparisonTable(result, "flips");
  if (/\.json$/i.test(path)) return `${JSON.stringify(recordsOf(table), null, 1)}\n`;
  return render({ title: "", tables: [table], notes: [] }, "csv").replaceAll("\r\n", "\n");
}

const recordsOf = ({ head, rows }: DisplayTable): object[] =>
  rows.map((row) => Object.fromEntries(head.map((name, j) => [name, row[j] ?? ""])));
