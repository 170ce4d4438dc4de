/** How a simulation runs: on the threads of this machine, resumed from a journal, as one shard of many, or not at all where only what is
 *  there already counts. The answer does not depend on it. */
import { type Diagnostic, GOSSET_VERSION, inlineRunner, type Runner, StatError } from "../index.ts";
import { describeRedis, queueRunner } from "../run/bullmq.ts";
import {
  type FolderJournal,
  journalRunner,
  type MissingPiece,
  type Shard,
  shardRunner,
  surveyRunner,
} from "../runners.ts";
import { type Context, hashBuild } from "./context.ts";
import { PARTIAL } from "./failure.ts";
import { hashModule } from "./files.ts";
import {
  checkWays,
  isRedis,
  nothingDrawn,
  parseShard,
  readRedis,
  type Simulation,
  type SimulationOptions,
} from "./ways.ts";

export async function printSimulation(context: Context<SimulationOptions>, simulation: Simulation): Promise<void> {
  const { options } = context;
  checkWays(options, simulation);
  if (options.journal === undefined)
    return context.print(await simulation.run({ runner: threadsFor(context, simulation) }));
  if (options.printJob !== undefined) return (await import("./jobs.ts")).printJob(context, simulation);
  const { module } = simulation;
  const shard = options.shard === undefined ? undefined : parseShard(options.shard);
  const journal = context.journal(options.journal, {
    name: shard === undefined ? "local" : `shard-${shard.shard}-of-${shard.shards}`,
    module: module && hashModule(module.path),
    shard: shard && `${shard.shard}/${shard.shards}`,
  });
  if (shard !== undefined) return printShard(context, simulation, { journal, shard });
  if (options.partial) return printPartial(context, simulation, journal);
  const { on } = options;
  const redis = on !== undefined && isRedis(on) ? readRedis(on) : undefined;
  if (on !== undefined && redis === undefined)
    await (await import("./jobs.ts")).drawOnSlurm(context, simulation, journal);
  const threads = threadsFor(context, simulation);
  const inner = redis === undefined ? threads : workersOf(context, redis, threads);
  const runner = countMaps(journalRunner(journal, inner));
  const result = await simulation.run({ runner });
  if (runner.maps() === 0) throw nothingDrawn("--journal");
  context.print(result);
}

function threadsFor({ runner }: Context<SimulationOptions>, { drawn = true, threads, module }: Simulation): Runner {
  if (!drawn) return inlineRunner();
  if (module === undefined) return runner({ threads });
  return runner({ threads, module: module.url, stepLimit: module.stepLimit, heap: MODULE_HEAP });
}

/** `gosset worker` on any machines. */
function workersOf({ options, heed }: Context<SimulationOptions>, url: string, inner: Runner): Runner {
  const build = hashBuild();
  const onLonely = (): void => {
    if (options.quiet) return;
    process.stderr.write(
      `gosset: no worker of Gosset ${GOSSET_VERSION}${build === undefined ? "" : ` (build ${build})`} is connected to ${describeRedis(url)}: start one of this version with gosset worker. Waiting.\n`,
    );
  };
  return heed(queueRunner({ url, build, inner, onLonely }));
}

/** Megabytes for all threads of a user's module together: with what the program itself takes, less than a gigabyte. */
const MODULE_HEAP = 512;

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
  const line = `shard ${shard} of ${shards}: ${drawn} pieces computed, ${found} were in ${journal.folder} already`;
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
      `the journal "${journal.folder}" does not have the first experiments of this simulation yet.`,
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
  message: `partial answer: it uses the first ${drawn} of ${wanted} experiments.`,
  fix: "Run the command without `partial` to compute the rest.",
});

/** Of the largest number of shards that wrote to the journal. */
function missingShards(journal: FolderJournal, missing: readonly MissingPiece[]): number[] {
  const counts = journal.files().map(({ writer }) => Number(/\/(\d+)$/.exec(writer.shard ?? "")?.[1] ?? 0));
  const shards = Math.max(0, ...counts);
  if (shards === 0) return [];
  return [...new Set(missing.map(({ index }) => index % shards))].sort((a, b) => a - b);
}
