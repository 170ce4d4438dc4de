/** How a simulation runs: on the threads of this machine, resumed from a journal, as one shard of many, or not at all where only what is
 *  there already counts. The answer does not depend on it. */
import { type Diagnostic, inlineRunner, type Result, type Runner, StatError } from "../index.ts";
import {
  type FolderJournal,
  journalRunner,
  type MissingPiece,
  type Shard,
  shardRunner,
  surveyRunner,
} from "../runners.ts";
import type { Context } from "./context.ts";
import { PARTIAL } from "./failure.ts";
import { hashModule } from "./module-hash.ts";
import type { GlobalOptions } from "./options.ts";

export interface SimulationOptions extends GlobalOptions {
  readonly journal?: string;
  readonly shard?: string;
  readonly partial?: boolean;
  readonly replicates?: string;
}

/** What one run of the simulation is given. */
export interface How {
  readonly runner: Runner;
  /** Instead of those asked for. */
  readonly replicates?: number | undefined;
}

export interface Simulation {
  /** Why what is drawn next depends on what was drawn, as the end of a sentence; undefined where it does not. */
  readonly adaptive?: string | undefined;
  /** false: nothing is drawn, so that there is nothing to share out or to keep. */
  readonly drawn?: boolean;
  /** Threads unless --workers says otherwise; undefined: one for each processor. */
  readonly threads?: number | undefined;
  /** A user's own module; `stepLimit`: milliseconds for each of its experiments. */
  readonly module?: { readonly path: string; readonly url: string; readonly stepLimit: number } | undefined;
  run(how: How): Promise<Result<string>>;
}

export async function printSimulation(context: Context<SimulationOptions>, simulation: Simulation): Promise<void> {
  const { options } = context;
  checkWays(options, simulation);
  if (options.journal === undefined)
    return context.print(await simulation.run({ runner: threadsFor(context, simulation) }));
  const { module } = simulation;
  const shard = options.shard === undefined ? undefined : parseShard(options.shard);
  const journal = context.journal(options.journal, {
    name: shard === undefined ? "local" : `shard-${shard.shard}-of-${shard.shards}`,
    module: module && hashModule(module.path),
    shard: shard && `${shard.shard}/${shard.shards}`,
  });
  if (shard !== undefined) return printShard(context, simulation, { journal, shard });
  if (options.partial) return printPartial(context, simulation, journal);
  const runner = countMaps(journalRunner(journal, threadsFor(context, simulation)));
  const result = await simulation.run({ runner });
  if (runner.maps() === 0) throw nothingDrawn("--journal");
  context.print(result);
}

function threadsFor({ runner }: Context<SimulationOptions>, { drawn = true, threads, module }: Simulation): Runner {
  if (!drawn) return inlineRunner();
  if (module === undefined) return runner({ threads });
  return runner({ threads, module: module.url, stepLimit: module.stepLimit, heap: MODULE_HEAP });
}

/** Megabytes for all threads of a user's module together: with what the program itself takes, less than a gigabyte. */
const MODULE_HEAP = 512;

/** Ways that contradict each other, or the simulation. */
function checkWays({ journal, shard, partial }: SimulationOptions, { adaptive, drawn = true }: Simulation): void {
  const way = shard !== undefined ? "--shard" : partial ? "--partial" : undefined;
  if (shard !== undefined && partial) {
    throw new StatError(
      "BadOption",
      "--shard and --partial together.",
      "Give --partial alone, to see what all shards have drawn.",
    );
  }
  if (!drawn && (way !== undefined || journal !== undefined)) throw nothingDrawn(way ?? "--journal");
  if (way === undefined) return;
  if (journal === undefined) {
    throw new StatError(
      "BadOption",
      `${way} without --journal.`,
      "Name the folder that all shards write to: --journal runs/a.",
    );
  }
  if (adaptive !== undefined) {
    throw new StatError(
      "BadOption",
      `${way} is not possible ${adaptive}: what is drawn next depends on what was drawn.`,
      "Run it in one process with --journal, which goes on after any end, or give --replicates to power or curve.",
    );
  }
}

const nothingDrawn = (flag: string): StatError =>
  new StatError(
    "BadOption",
    `${flag} does nothing where nothing is drawn: the answer is worked out.`,
    `Leave ${flag} out.`,
  );

function countMaps(inner: Runner): Runner & { maps(): number } {
  let maps = 0;
  return {
    workers: inner.workers,
    map(...given) {
      maps += 1;
      return inner.map(...given);
    },
    close: () => inner.close(),
    maps: () => maps,
  };
}

/** Where a scheduler says which task of an array this is. */
const INDEX_VARIABLES: readonly (readonly [name: string, first: number])[] = [
  ["SLURM_ARRAY_TASK_ID", 0],
  ["JOB_COMPLETION_INDEX", 0],
  ["AWS_BATCH_JOB_ARRAY_INDEX", 0],
  ["SGE_TASK_ID", 1],
];
const MOST_SHARDS = 1_000_000;

/** "3/64", or "/64" with the index of the scheduler. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d*)\/(\d+)$/.exec(text.trim()) ?? [];
  const shards = Number(count);
  if (count === undefined || shards < 1 || shards > MOST_SHARDS) {
    throw new StatError(
      "BadOption",
      `--shard ${text}: not one of a number of shards.`,
      "Write --shard 3/64 (the first is 0), or --shard /64 in a job array.",
    );
  }
  const shard = index === "" ? indexOfScheduler(text) : Number(index);
  if (shard < shards) return { shard, shards };
  throw new StatError(
    "BadOption",
    `--shard ${text}: there is no shard ${shard} of ${shards}${index === "" ? " (the index comes from the scheduler)" : ""}.`,
    `The first is 0, the last ${shards - 1}.`,
  );
}

function indexOfScheduler(text: string): number {
  for (const [name, first] of INDEX_VARIABLES) {
    const value = process.env[name];
    // Grid Engine says "undefined" outside an array
    if (value !== undefined && /^\d+$/.test(value) && Number(value) >= first) return Number(value) - first;
  }
  throw new StatError(
    "BadOption",
    `--shard ${text}: no scheduler says which shard this is.`,
    `Write --shard 0/${text.replace(/^.*\//, "")}, or set ${INDEX_VARIABLES.map(([name]) => name).join(" or ")}.`,
  );
}

interface Sharing {
  readonly journal: FolderJournal;
  readonly shard: Shard;
}

async function printShard(
  context: Context<SimulationOptions>,
  simulation: Simulation,
  { journal, shard: { shard, shards } }: Sharing,
): Promise<void> {
  const { options, progress } = context;
  const runner = shardRunner(journal, threadsFor(context, simulation), { shard, shards });
  await simulation.run({ runner });
  const { pieces, found } = runner.counts;
  if (pieces === 0 && shard === 0) throw nothingDrawn("--shard");
  progress.end();
  const drawn = pieces - found;
  const json = { kind: "shard", shard, shards, pieces, drawn, found, journal: journal.folder };
  const line = `shard ${shard} of ${shards}: ${drawn} pieces drawn, ${found} were in ${journal.folder} already`;
  process.stdout.write(`${options.format === "json" ? JSON.stringify(json) : line}\n`);
}

/** From the longest unbroken run of pieces: what a run with that many replicates gives, bit for bit. */
async function printPartial(
  context: Context<SimulationOptions>,
  simulation: Simulation,
  journal: FolderJournal,
): Promise<void> {
  const whole = surveyRunner(journal);
  const first = await simulation.run({ runner: whole });
  if (whole.pieces === 0) throw nothingDrawn("--partial");
  if (whole.missing.length === 0) return context.print(first);
  const drawn = Math.min(...whole.missing.map(({ from }) => from));
  if (drawn === 0) {
    throw new StatError(
      "NothingDrawn",
      `the journal "${journal.folder}" does not hold the first experiments of this simulation yet.`,
      "Wait for more shards, or run the command without --partial.",
    );
  }
  const result = await simulation.run({ runner: surveyRunner(journal), replicates: drawn });
  const partial = { wanted: whole.wanted, drawn, missingShards: missingShards(journal, whole.missing) };
  context.print(result, { published: { partial }, diagnostics: [partialWarning(partial)] });
  process.exitCode = PARTIAL;
}

const partialWarning = ({ wanted, drawn }: { readonly wanted: number; readonly drawn: number }): Diagnostic => ({
  code: "Partial",
  severity: "warning",
  message: `the answer is partial: it rests on the first ${drawn} of ${wanted} experiments.`,
  fix: "The same command without `partial` draws the rest.",
});

/** Of the largest number of shards that wrote to the journal. */
function missingShards(journal: FolderJournal, missing: readonly MissingPiece[]): number[] {
  const counts = journal.files().map(({ writer }) => Number(/\/(\d+)$/.exec(writer.shard ?? "")?.[1] ?? 0));
  const shards = Math.max(0, ...counts);
  if (shards === 0) return [];
  return [...new Set(missing.map(({ index }) => index % shards))].sort((a, b) => a - b);
}
