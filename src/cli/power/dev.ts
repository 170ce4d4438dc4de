/** `gosset power from-dev`: flags → options → planFromDev() → print. */
import {
  asFactor,
  type Diagnostic,
  importFiles,
  makeRng,
  type NamedImport,
  type NextQuestion,
  type PlanFromDevOptions,
  planFromDev,
  quoteShell,
  StatError,
} from "../../index.ts";
import { analysePower, cellsOf, f1Family } from "../../power.ts";
import type { Context } from "../context.ts";
import { readWithCompanions } from "../files.ts";
import { importOptions, readFlags } from "../load.ts";
import { type DataOptions, parseCount, parseProbability, splitList } from "../options.ts";
import { commandsOf } from "./next.ts";

interface DevCommandOptions extends DataOptions {
  readonly n?: string;
  readonly metric?: string;
  readonly gold?: string;
  readonly pred?: string;
  readonly systems?: string;
  readonly system?: string;
  readonly item?: string;
  readonly rater?: string;
  readonly cluster?: string;
  readonly test?: string;
  readonly alpha: string;
  readonly postHoc?: boolean;
}

/** `from-dev --metric macro-f1 --gold label --pred old,new --n 1000`: power of the joint table of labels and answers. */
async function runClasses(context: Context<DevCommandOptions>, path: string): Promise<void> {
  const { options } = context;
  const { gold, metric, n } = options;
  const pred = options.pred === undefined ? [] : (splitList(options.pred) ?? [options.pred]);
  if (gold === undefined || pred.length !== 2 || n === undefined) {
    const missing = gold === undefined ? "--gold" : pred.length !== 2 ? "--pred old,new" : "--n";
    throw new StatError(
      "MissingFlag",
      `--metric ${metric} needs ${missing}.`,
      "Write --gold label --pred old,new --n 1000.",
    );
  }
  const table = await context.load(path);
  const labels = [gold, ...pred].map((name) => {
    const own = table.columns.get(name);
    if (own === undefined)
      throw new StatError(
        "UnknownColumn",
        `no column "${name}".`,
        `The columns are ${[...table.columns.keys()].join(", ")}.`,
      );
    const { codes, levels } = asFactor(own);
    return Array.from(codes, (code) => (code < 0 ? "(none)" : levels[code]!));
  });
  const params = {
    n: parseCount(n, "--n"),
    metric: metric!,
    cells: cellsOf(labels[0]!, labels[1]!, labels[2]!),
    alpha: parseProbability(options.alpha, "--alpha"),
  };
  context.print(await analysePower(f1Family, params, { rng: makeRng(options.seed) }));
}

export async function run(context: Context<DevCommandOptions>, files: readonly string[]): Promise<void> {
  const { options } = context;
  if (options.metric === "macro-f1" || options.metric === "micro-f1" || (options.metric === "mcc" && options.gold)) {
    return runClasses(context, files[0]!);
  }
  const choices = parseChoices(options);
  const parts: NamedImport[] = [];
  for (const path of files) {
    parts.push({ path, imported: await importFiles(readWithCompanions(path), importOptions(options)) });
  }
  const result = planFromDev(parts, choices);
  const { flags, notes } = pilotFlags(result.next, { parts, options });
  context.print(result, { reading: notes, commands: commandsOf(result.next, flags) });
}

function parseChoices(options: DevCommandOptions): PlanFromDevOptions {
  const { n, systems, pred, metric, gold, system, item, rater, cluster, where, mutate, test, postHoc } = options;
  return {
    ...{ metric, gold, system, item, rater, cluster, where, mutate, test, postHoc },
    pred: pred === undefined ? undefined : (splitList(pred) ?? [pred]),
    systems: systems === undefined ? undefined : splitList(systems),
    n: n === undefined ? undefined : parseCount(n, "--n"),
    alpha: parseProbability(options.alpha, "--alpha"),
  };
}

/** Stands for the long table that several files, a column for each system, or rows left out are first to be made. */
const JOINED = "ratings.csv";

interface Read {
  readonly parts: readonly NamedImport[];
  readonly options: DevCommandOptions;
}

/** The ratings as a pilot, which commands read from one long table. */
function pilotFlags(
  next: readonly NextQuestion[],
  { parts, options }: Read,
): { readonly flags: readonly string[]; readonly notes: readonly Diagnostic[] } {
  const pilot = next.find((question) => question.pilot !== undefined)?.pilot;
  if (pilot === undefined) return { flags: [], notes: [] };
  const { systems = [], ...roles } = pilot;
  const asRead = parts.length === 1 && options.where.length + options.mutate.length === 0;
  const own = asRead ? parts[0]! : undefined;
  const isLong = own !== undefined && Object.values(roles).every((name) => own.imported.table.columns.has(name));
  const named = Object.entries(roles).map(([role, name]) => `${role}=${name}`);
  const flags = [
    `--pilot ${isLong ? quoteShell(own.path) : JOINED}`,
    ...(isLong ? readFlags(options).map(quoteShell) : []),
    `--columns ${quoteShell(listed(named))}`,
    `--systems ${quoteShell(listed(systems))}`,
  ];
  if (isLong) return { flags, notes: [] };
  const message = `the pilot is read from one file: ${JOINED} stands for a table with a row for each rating used here.`;
  const fix = "Write it with the columns that the command names.";
  return { flags, notes: [{ code: "OneFile", severity: "note", message, fix }] };
}

/** As splitList reads it. */
const listed = (names: readonly string[]): string => names.map((name) => name.replaceAll(",", "\\,")).join(",");
