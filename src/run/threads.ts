/** Worker threads of Node. A pool that is started on first use and kept: starting a worker costs more than most pieces of work. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";
import type { WorkAnswer, WorkRequest } from "./message.ts";
import { type AskWorker, shareOut } from "./share.ts";
import type { MapOptions, Runner, Task } from "./task.ts";

export interface ThreadOptions {
  /** Default: as many as the machine runs at once. */
  readonly workers?: number;
  /** The built worker.js; default: the one beside this file. */
  readonly workerUrl?: URL;
  /** URL of a module that holds the tasks, if the library does not. */
  readonly module?: string;
}

/** A user's own module, by its URL: what `module` names, for the thread that hands out the work. */
export const importModule = (url: string): Promise<Record<string, unknown>> => import(url);

export function threadRunner(options: ThreadOptions = {}): Runner {
  const workers = options.workers ?? availableParallelism();
  const url = options.workerUrl ?? new URL("./worker.js", import.meta.url);
  let pool: Worker[] = [];
  let closed = false;
  const stop = async (): Promise<void> => {
    const ended = pool;
    pool = [];
    await Promise.all(ended.map((worker) => worker.terminate()));
  };
  return {
    workers,
    async map<In, Out>(task: Task<In, Out>, inputs: readonly In[], rng: Rng, wanted: MapOptions<Out> = {}) {
      if (closed) throw new StatError("RunnerClosed", "the runner was closed.", "Make a new one.");
      const start = (count: number): readonly AskWorker[] => {
        while (pool.length < count) pool.push(new Worker(url));
        return pool.slice(0, count).map((worker) => (request) => ask(worker, request));
      };
      try {
        return await shareOut([task, inputs, rng], { workers, module: options.module, start }, wanted);
      } catch (error) {
        await stop(); // threads in the middle of something know no other end
        throw error;
      }
    },
    async close() {
      closed = true;
      await stop();
    },
  };
}

function ask(worker: Worker, request: WorkRequest): Promise<WorkAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      worker.off("message", onMessage);
      worker.off("error", onError);
      worker.off("exit", onExit);
      act();
    };
    const onMessage = (answer: WorkAnswer): void => settle(() => resolve(answer))();
    const onError = (error: unknown): void => settle(() => reject(error as Error))();
    const onExit = settle(() =>
      reject(new StatError("WorkerLost", "a worker thread ended early.", "Run it again with `workers: 1`.")),
    );
    worker.on("message", onMessage);
    worker.on("error", onError);
    worker.on("exit", onExit);
    worker.postMessage(request);
  });
}
