/** `gosset runs <folder>|redis://…` */
import { existsSync } from "node:fs";
import { GOSSET_VERSION, makeResult, type Published, type Result, type ResultJson, StatError } from "../../index.ts";
import { askRedis, describeRedis, type QueueState } from "../../run/bullmq.ts";
import type { FileContent } from "../../runners.ts";
import { type Context, hashBuild } from "../context.ts";
import type { GlobalOptions } from "../options.ts";
import { isRedis, readRedis } from "../ways.ts";

/** One simulation of a journal. */
interface KeptRun {
  readonly set: string;
  readonly scenario: string;
  readonly seed: string;
  readonly params: { readonly [name: string]: unknown };
  /** Experiments that are drawn, and how many of them from the first on without a gap. */
  readonly drawn: number;
  readonly unbroken: number;
  readonly writers: number;
  /** Experiments a second of one writer. */
  readonly perSecond: number;
}

export interface RunsJson extends ResultJson<"runs"> {
  readonly place: string;
  readonly runs: readonly KeptRun[];
  /** Of a queue. */
  readonly queue?: QueueState;
}

export async function run(context: Context<GlobalOptions>, place: string): Promise<void> {
  if (isRedis(place)) {
    const url = readRedis(place);
    return context.print(listRuns(describeRedis(url), [], await askRedis({ url, build: hashBuild() })));
  }
  if (!existsSync(place)) throw new StatError("NoSuchFile", `no folder "${place}".`, "Name the folder of --journal.");
  const journal = context.journal(place);
  journal.refresh();
  context.print(listRuns(place, keptRuns(journal.files())));
}

function keptRuns(files: readonly FileContent[]): KeptRun[] {
  const known = new Map(files.flatMap(({ sets }) => [...sets]));
  return [...known].map(([set, { scenario, seed, params }]) => {
    const writers = files.filter(({ pieces }) => pieces.has(set));
    const pieces = writers.flatMap((file) => file.pieces.get(set)!);
    const counts = new Map(pieces.map(({ from, count }) => [from, count]));
    let unbroken = 0;
    while (counts.has(unbroken)) unbroken += counts.get(unbroken)!;
    const experiments = pieces.reduce((sum, { count }) => sum + count, 0);
    const seconds = writers.reduce((sum, file) => sum + secondsOf(file, set), 0);
    return {
      ...{ set, scenario, seed, params },
      drawn: [...counts.values()].reduce((sum, count) => sum + count, 0),
      unbroken,
      writers: writers.length,
      perSecond: experiments / seconds,
    };
  });
}

/** From the last piece of another simulation, or the start of the writer, to the last of this one. */
function secondsOf({ pieces }: FileContent, set: string): number {
  const own = pieces.get(set)!.map(({ ms }) => ms);
  const first = Math.min(...own);
  const others = [...pieces].flatMap(([name, list]) => (name === set ? [] : list.map(({ ms }) => ms)));
  const start = Math.max(0, ...others.filter((ms) => ms <= first));
  return Math.max(1, Math.max(...own) - start) / 1000;
}

function listRuns(place: string, runs: readonly KeptRun[], queue?: QueueState): Result<"runs"> {
  const fields = {
    signature: { method: "runs", version: GOSSET_VERSION, options: {}, data: "" },
    diagnostics: [],
    place,
    runs,
  };
  return makeResult("runs", fields, {
    display: () => ({
      title: `Runs in ${place}`,
      tables: queue === undefined ? [runTable(runs)] : [queueTable(queue)],
      notes: [],
    }),
    json: (): Published<RunsJson> => ({ place, runs, ...(queue === undefined ? {} : { queue }) }),
  });
}

const runTable = (runs: readonly KeptRun[]) => ({
  head: ["scenario", "seed", "parameters", "drawn", "unbroken", "writers", "per second"],
  rows: runs.map(({ scenario, seed, params, drawn, unbroken, writers, perSecond }) => [
    scenario,
    seed,
    Object.entries(params)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(", "),
    drawn,
    unbroken,
    writers,
    Math.round(perSecond),
  ]),
});

const queueTable = ({ queue, waiting, active, completed, failed, workers }: QueueState) => ({
  head: ["queue", "waiting", "active", "done", "failed", "workers"],
  rows: [[queue, waiting, active, completed, failed, workers]],
});
