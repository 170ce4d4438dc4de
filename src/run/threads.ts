/** Worker threads of Node. A pool that is started on first use and kept: starting a worker costs more than most pieces of work. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";
import { type Board, cancelled, makeBoard } from "./board.ts";
import { type Failure, failureError, type WorkAnswer, type WorkRequest } from "./message.ts";
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

/** Pieces per worker: small enough that all finish at about the same time and progress moves, large enough that messages are few. */
const PIECES_PER_WORKER = 24;

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
      const board = makeBoard<Out>(inputs.length, wanted);
      board.checkCancelled();
      const size = Math.max(1, Math.floor(board.open / (workers * PIECES_PER_WORKER)));
      const needed = Math.min(workers, Math.ceil(board.open / size));
      while (pool.length < needed) pool.push(new Worker(url));
      const request = (indices: readonly number[]): WorkRequest => ({
        task: task.name,
        ...(options.module === undefined ? {} : { module: options.module }),
        seed: rng.seed,
        indices,
        inputs: indices.map((i) => inputs[i]),
      });
      const work = Promise.all(pool.slice(0, needed).map((worker) => serve(worker, { board, request, size })));
      try {
        await Promise.race([work.then(throwFirst), untilAborted(wanted.signal)]);
      } catch (error) {
        await stop(); // threads in the middle of something know no other end
        throw error;
      }
      return board.answers;
    },
    async close() {
      closed = true;
      await stop();
    },
  };
}

interface Service<Out> {
  readonly board: Board<Out>;
  readonly size: number;
  request(indices: readonly number[]): WorkRequest;
}

/** Feeds one worker until nothing is left; the failure, if any, ends it. */
async function serve<Out>(worker: Worker, { board, request, size }: Service<Out>): Promise<Failure | undefined> {
  for (;;) {
    const indices = board.take(size);
    if (indices.length === 0) return undefined;
    const { indices: done, outs, failure } = await ask(worker, request(indices));
    done.forEach((index, k) => {
      board.accept(index, outs[k] as Out);
    });
    if (failure !== undefined) {
      board.giveUp(); // pieces before this one are under way; none after it is begun
      return failure;
    }
  }
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

/** The failure that a single thread would have met first. */
function throwFirst(failures: readonly (Failure | undefined)[]): void {
  const first = failures.filter((f) => f !== undefined).sort((a, b) => a.index - b.index)[0];
  if (first !== undefined) throw failureError(first);
}

/** Never resolves; rejects on abort. */
function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(cancelled()), { once: true });
  });
}
