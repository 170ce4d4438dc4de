/** `gosset power from-dev`: flags → options → planFromDev() → print. */
import {
  asFactor,
  type Diagnostic,
  makeRng,
  type NamedImport,
  type NextQuestion,
  type PlanFromDevOptions,
  planFromDev,
  StatError,
  type Table,
} from "../../index.ts";
import {
  analysePower,
  cellsOf,
  type DevPrior,
  f1Family,
  findScenario,
  type HistoryColumns,
  type PriorValue,
} from "../../power.ts";
import { parseCount, parseProbability, splitList } from "../../questions.ts";
import { quoteShell } from "../../text.ts";
import type { Context } from "../context.ts";
import { importOptions, importPaths, readFlags } from "../load.ts";
import type { DataOptions } from "../options.ts";
import { sayingFlags } from "../scenario-parameters.ts";
import { commandsOf } from "./next.ts";

interface DevCommandOptions extends DataOptions {
  readonly n?: string | undefined;
  readonly metric?: string | undefined;
  readonly gold?: string | undefined;
  readonly pred?: string | undefined;
  readonly systems?: string | undefined;
  readonly system?: string | undefined;
  readonly item?: string | undefined;
  readonly rater?: string | undefined;
  readonly cluster?: string | undefined;
  readonly test?: string | undefined;
  readonly alpha: string;
  readonly postHoc?: boolean | undefined;
  readonly prior?: string | undefined;
  readonly priorColumns?: string | undefined;
  readonly priorFor?: string | undefined;
  readonly replicates?: string | undefined;
  readonly precision?: string | undefined;
}

/** Flags that a joint table of labels has no use for. */
const NOT_OF_CLASSES = [
  ...(["systems", "system", "item", "rater", "cluster", "test", "postHoc"] as const),
  ...(["prior", "priorColumns", "priorFor"] as const),
];

const NO_LABEL = "(none)";

/** `from-dev --metric macro-f1 --gold label --pred old,new --n 1000`: power of the joint table of labels and answers. */
async function runClasses(context: Context<DevCommandOptions>, files: readonly string[]): Promise<void> {
  const { options } = context;
  const { gold, metric, n } = options;
  const idle = NOT_OF_CLASSES.find((name) => options[name] !== undefined);
  if (idle !== undefined) {
    const flag = `--${idle.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new StatError("BadOption", `--metric ${metric} takes no ${flag}.`, "Leave it out.");
  }
  if (files.length > 1)
    throw new StatError(
      "BadOption",
      `${files.length} files.`,
      `--metric ${metric} reads one, with both systems' labels.`,
    );
  const pred = options.pred === undefined ? [] : (splitList(options.pred) ?? [options.pred]);
  if (gold === undefined || pred.length !== 2 || n === undefined) {
    const missing = gold === undefined ? "--gold" : pred.length !== 2 ? "--pred old,new" : "--n";
    throw new StatError(
      "MissingFlag",
      `--metric ${metric} needs ${missing}.`,
      "Write --gold label --pred old,new --n 1000.",
    );
  }
  const table = await context.load(files[0]!);
  const labels = [gold, ...pred].map((name) => {
    const own = table.columns.get(name);
    if (own === undefined)
      throw new StatError(
        "UnknownColumn",
        `no column "${name}".`,
        `The columns are ${[...table.columns.keys()].join(", ")}.`,
      );
    const { codes, levels } = asFactor(own);
    return Array.from(codes, (code) => (code < 0 ? NO_LABEL : levels[code]!));
  });
  // a row without a right label says nothing; one without an answer is a wrong answer
  const known = labels[0]!.flatMap((label, i) => (label === NO_LABEL ? [] : [i]));
  const [right, before, after] = labels.map((own) => known.map((i) => own[i]!));
  const params = {
    n: parseCount(n, "--n"),
    metric: metric!,
    cells: cellsOf(right!, before!, after!),
    alpha: parseProbability(options.alpha, "--alpha"),
  };
  const { replicates, precision } = options;
  if (replicates !== undefined && precision !== undefined)
    throw new StatError("BadOption", "--replicates next to --precision, which says when to stop.", "Leave one out.");
  context.print(
    await analysePower(f1Family, params, {
      rng: makeRng(options.seed),
      ...(replicates === undefined ? {} : { replicates: parseCount(replicates, "--replicates") }),
      ...(precision === undefined ? {} : { precision: parseProbability(precision, "--precision") }),
      onProgress: (done, total) => context.progress.update("Simulating", done, total),
    }),
  );
}

export async function run(context: Context<DevCommandOptions>, files: readonly string[]): Promise<void> {
  const { options } = context;
  if (options.metric === "macro-f1" || options.metric === "micro-f1" || (options.metric === "mcc" && options.gold)) {
    return runClasses(context, files);
  }
  const drawing = (["replicates", "precision"] as const).find((name) => options[name] !== undefined);
  if (drawing !== undefined)
    throw new StatError("BadOption", `--${drawing} without --metric macro-f1: nothing is simulated.`, "Leave it out.");
  const choices = { ...parseChoices(options), prior: await readPrior(context) };
  const parts: NamedImport[] = [];
  for (const path of files) {
    parts.push({ path, imported: await importPaths([path], importOptions(options)) });
  }
  // which scenario it is, the data say; the names of the tests are those of its parameter `test`
  const result = await sayingFlags(findScenario("means"), async () => planFromDev(parts, choices));
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

/** `no-prior`, `delta=0.01/0.01,agreement=0.9/0.03`, or a file. */
async function readPrior({ options }: Context<DevCommandOptions>): Promise<DevPrior | undefined> {
  const { prior, priorColumns, priorFor } = options;
  const ofFile = priorColumns === undefined ? (priorFor === undefined ? undefined : "--prior-for") : "--prior-columns";
  const named = prior === undefined || prior === "no-prior" || /^(delta|agreement)=/.test(prior);
  if (named && ofFile !== undefined)
    throw new StatError("BadOption", `${ofFile} needs a file of earlier comparisons.`, "Give it with --prior.");
  if (prior === undefined) return undefined;
  if (prior === "no-prior") return { kind: "no-prior" };
  if (named) return { kind: "stated", ...statedValues(prior) };
  const { table } = await importPaths([prior], importOptions(options));
  const columns = historyColumns(table, priorColumns);
  return { kind: "history", table, columns, task: priorFor };
}

function statedValues(text: string): { delta?: PriorValue; agreement?: PriorValue } {
  return Object.fromEntries(
    text.split(",").map((part) => {
      const [, name, value, sd] = /^(delta|agreement)=([^/]*)\/([^/]*)$/.exec(part.trim()) ?? [];
      const own = { value: Number(value), sd: Number(sd) };
      if (name !== undefined && value!.trim() !== "" && sd!.trim() !== "" && Number.isFinite(own.value + own.sd))
        return [name, own];
      throw new StatError(
        "BadOption",
        `--prior ${text}: "${part}" is not a value with its SD.`,
        "Write --prior delta=0.01/0.01,agreement=0.9/0.03.",
      );
    }),
  );
}

const HISTORY_ROLES = ["baseline", "new", "agreement", "task"] as const;

/** Columns with the names of the roles are taken where none are named. */
function historyColumns(table: Table, given: string | undefined): HistoryColumns {
  const said = new Map(
    (given === undefined ? [] : (splitList(given) ?? [given])).map(
      (part) => part.split("=", 2) as [string, string | undefined],
    ),
  );
  for (const [role, name] of said) {
    if ((HISTORY_ROLES as readonly string[]).includes(role) && name !== undefined && table.columns.has(name)) continue;
    const message = `--prior-columns ${role}${name === undefined ? "" : `=${name}`}: no such column.`;
    const fix = `Write ${HISTORY_ROLES.join("=…,")}=…; the columns are ${[...table.columns.keys()].join(", ")}.`;
    throw new StatError("UnknownColumn", message, fix);
  }
  const nameOf = (role: string): string | undefined => said.get(role) ?? (table.columns.has(role) ? role : undefined);
  const [baseline, candidate, agreement, task] = HISTORY_ROLES.map(nameOf);
  if (baseline === undefined || candidate === undefined) {
    const role = baseline === undefined ? "baseline" : "new";
    const fix = `Name it: --prior-columns ${role}=…; the columns are ${[...table.columns.keys()].join(", ")}.`;
    throw new StatError("MissingFlag", `the file of --prior has no column "${role}".`, fix);
  }
  return {
    ...{ baseline, candidate },
    ...(agreement === undefined ? {} : { agreement }),
    ...(task === undefined ? {} : { task }),
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
  const message = `the pilot is read from one file: ${JOINED} stands for a table with a row for each rating.`;
  const fix = "Write it with the columns that the command names.";
  return { flags, notes: [{ code: "OneFile", severity: "note", message, fix }] };
}

/** As splitList reads it. */
const listed = (names: readonly string[]): string => names.map((name) => name.replaceAll(",", "\\,")).join(",");
