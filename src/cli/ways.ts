/** The ways in which a simulation can run, as flags name them: what they mean, and which of them go together. */
import { type Result, type Runner, StatError } from "../index.ts";
import { describeRedis } from "../run/bullmq.ts";
import { type DrawKeeper, type Journal, journalDraws, type Shard } from "../runners.ts";
import type { GlobalOptions } from "./options.ts";

export interface SimulationOptions extends GlobalOptions {
  readonly journal?: string | undefined;
  readonly shard?: string | undefined;
  readonly partial?: boolean | undefined;
  readonly on?: string | undefined;
  readonly shards?: string | undefined;
  readonly maxTime?: string | undefined;
  readonly printJob?: "slurm" | "k8s" | undefined;
  readonly replicates?: string | undefined;
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

/** Keeps the refits of a bootstrap in the journal, where one is named; `check` refuses one that nothing was refitted for. */
export function keepRefits(
  folder: string | undefined,
  open: (folder: string) => Journal,
): { readonly keeper: DrawKeeper | undefined; check(): void } {
  if (folder === undefined) return { keeper: undefined, check() {} };
  const inner = journalDraws(open(folder));
  let used = false;
  const recall: DrawKeeper["recall"] = (...given) => {
    used = true;
    return inner.recall(...given);
  };
  return {
    keeper: { ...inner, recall },
    check() {
      if (used) return;
      throw new StatError(
        "BadOption",
        "--journal has no effect here: only bootstrap fits (--intervals bootstrap) are kept.",
        "Leave --journal out.",
      );
    },
  };
}

/** Ways that contradict each other, or the simulation. */
export function checkWays(options: SimulationOptions, { adaptive, drawn = true, module }: Simulation): void {
  const { journal, shard, partial, on, printJob } = options;
  const ways = [
    shard === undefined ? "" : "--shard",
    partial ? "--partial" : "",
    on === undefined ? "" : "--on",
    printJob === undefined ? "" : "--print-job",
  ].filter((way) => way !== "");
  const [way, second] = ways;
  if (second !== undefined) {
    throw new StatError("BadOption", `${way} and ${second} together.`, `Give one: ${WAY_WORDS}.`);
  }
  if (on !== undefined && !isRedis(on) && !/^slurm(:[^:\s]+)?$/.test(on)) {
    throw new StatError(
      "BadOption",
      `--on ${on}: not a place to run simulations.`,
      "Write --on slurm, --on slurm:partition or --on redis://host:6379.",
    );
  }
  const only = options.shards !== undefined ? "--shards" : options.maxTime !== undefined ? "--max-time" : undefined;
  if (only !== undefined && (on === undefined || isRedis(on)) && printJob === undefined) {
    throw new StatError("BadOption", `${only} has no effect without --on slurm or --print-job.`, `Leave ${only} out.`);
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
  if (on !== undefined && isRedis(on)) {
    if (module === undefined) return;
    throw new StatError(
      "BadOption",
      "--on redis:// with a module: its code is not sent to workers.",
      "Run it with --on slurm, or on the threads of this machine.",
    );
  }
  if (adaptive !== undefined) {
    throw new StatError(
      "BadOption",
      `${way} is not possible ${adaptive}: the next replicates depend on the earlier ones.`,
      "Run it in one process with --journal, which resumes after an interruption, or on workers with --on redis://host.",
    );
  }
}

export const isRedis = (place: string): boolean => /^rediss?:\/\//.test(place) || place === "redis";

/** The address as given, or with the bare word that of GOSSET_REDIS: what stands on the command line can be read by every user of a machine.
 *  Its password must not go into the command that an answer states. */
export function readRedis(place: string): string {
  const url = place === "redis" ? process.env["GOSSET_REDIS"] : place;
  if (url === undefined || url === "")
    throw new StatError("BadOption", "GOSSET_REDIS is not set.", "Set it to redis://host:6379, or write that instead.");
  if (place !== "redis") {
    const shown = describeRedis(place);
    process.argv = process.argv.map((word) => word.replace(place, shown));
  }
  return url;
}

const WAY_WORDS =
  "--shard computes a part, --partial answers from what is there, --on computes elsewhere, --print-job writes the job";

export const nothingDrawn = (flag: string): StatError =>
  new StatError(
    "BadOption",
    `${flag} has no effect: this answer is computed without simulation.`,
    `Leave ${flag} out.`,
  );

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
      `--shard ${text}: not a shard of a number of shards.`,
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
    `--shard ${text}: no scheduler variable gives the index of the shard.`,
    `Write --shard 0/${text.replace(/^.*\//, "")}, or set ${INDEX_VARIABLES.map(([name]) => name).join(" or ")}.`,
  );
}
