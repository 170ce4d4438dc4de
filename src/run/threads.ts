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
  /** URL of a module that holds the tasks, if the library does not: a scenario as its default export, or a task among its exports. */
  readonly module?: string;
  /** Milliseconds that one step of a task may take, such as one experiment of a simulation; no limit unless given. */
  readonly stepLimit?: number;
  /** Megabytes of heap for all workers together, of which each gets its share; default: as Node chooses. */
  readonly heap?: number;
}

/** A worker with what it says of the step under way (see worker.ts). */
interface Place {
  readonly worker: Worker;
  readonly steps: Int32Array;
}

/** A user's own module, by its URL: what `module` names, for the thread that hands out the work. */
export const importModule = (url: string): Promise<Record<string, unknown>> => import(url);

/** Pieces per worker: small enough that all finish at about the same time and progress moves, large enough that messages are few. */
const PIECES_PER_WORKER = 24;
/** Megabytes with which a worker can load the library and work. */
const LEAST_HEAP = 64;
/** How often a step under way is looked at. */
const WATCH_MS = 100;

export function threadRunner(options: ThreadOptions = {}): Runner {
  const workers = options.workers ?? availableParallelism();
  const url = options.workerUrl ?? new URL("./worker.js", import.meta.url);
  const share = options.heap === undefined ? undefined : Math.max(LEAST_HEAP, Math.floor(options.heap / workers));
  let pool: Place[] = [];
  let closed = false;
  const stop = async (): Promise<void> => {
    const ended = pool;
    pool = [];
    await Promise.all(ended.map(({ worker }) => worker.terminate()));
  };
  return {
    workers,
    async map<In, Out>(task: Task<In, Out>, inputs: readonly In[], rng: Rng, wanted: MapOptions<Out> = {}) {
      if (closed) throw new StatError("RunnerClosed", "the runner was closed.", "Make a new one.");
      const board = makeBoard<Out>(inputs.length, wanted);
      board.checkCancelled();
      const size = Math.max(1, Math.floor(board.open / (workers * PIECES_PER_WORKER)));
      const needed = Math.min(workers, Math.ceil(board.open / size));
      while (pool.length < needed) pool.push(startPlace(url, share));
      const request = (indices: readonly number[]): WorkRequest => ({
        task: task.name,
        ...(options.module === undefined ? {} : { module: options.module }),
        seed: rng.seed,
        indices,
        inputs: indices.map((i) => inputs[i]),
      });
      const { stepLimit } = options;
      const work = Promise.all(pool.slice(0, needed).map((place) => serve(place, { board, request, size, stepLimit })));
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

function startPlace(url: URL, heap: number | undefined): Place {
  const steps = new Int32Array(new SharedArrayBuffer(8));
  const resourceLimits = heap === undefined ? {} : { maxOldGenerationSizeMb: heap };
  return { worker: new Worker(url, { workerData: steps, resourceLimits }), steps };
}

interface Service<Out> {
  readonly board: Board<Out>;
  readonly size: number;
  readonly stepLimit: number | undefined;
  request(indices: readonly number[]): WorkRequest;
}

/** Feeds one worker until nothing is left; the failure, if any, ends it. */
async function serve<Out>(place: Place, service: Service<Out>): Promise<Failure | undefined> {
  const { board, request, size, stepLimit } = service;
  for (;;) {
    const indices = board.take(size);
    if (indices.length === 0) return undefined;
    const { indices: done, outs, failure } = await ask(place, request(indices), stepLimit);
    done.forEach((index, k) => {
      board.accept(index, outs[k] as Out);
    });
    if (failure !== undefined) {
      board.giveUp(); // pieces before this one are under way; none after it is begun
      return failure;
    }
  }
}

function ask({ worker, steps }: Place, request: WorkRequest, stepLimit: number | undefined): Promise<WorkAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      stopWatch();
      worker.off("message", onMessage);
      worker.off("error", onError);
      worker.off("exit", onExit);
      act();
    };
    const fail = (error: StatError): void => settle(() => reject(error));
    const begun = Atomics.load(steps, 1);
    const where = (): string => (Atomics.load(steps, 1) === begun ? "" : `, at step ${Atomics.load(steps, 0) + 1}`);
    const stopWatch = watchSteps(steps, stepLimit, () => {
      const message = `the work did not get on for ${stepLimit! / 1000} s${where()}.`;
      fail(new StatError("StepTooLong", message, "Mend what loops, or raise the limit on a step."));
    });
    const onMessage = (answer: WorkAnswer): void => settle(() => resolve(answer));
    const onError = (error: unknown): void => fail(workerError(error, where()));
    const onExit = (): void =>
      fail(new StatError("WorkerLost", `a worker thread ended early${where()}.`, "Run it again with `workers: 1`."));
    worker.on("message", onMessage);
    worker.on("error", onError);
    worker.on("exit", onExit);
    worker.postMessage(request);
  });
}

function workerError(error: unknown, where: string): StatError {
  const { code, message } = (typeof error === "object" && error !== null ? error : {}) as NodeJS.ErrnoException;
  if (code === "ERR_WORKER_OUT_OF_MEMORY")
    return new StatError("OutOfMemory", `a worker ran out of memory${where}.`, "Mend what fills it, or give it more.");
  return new StatError("WorkerLost", `a worker thread failed${where}: ${message ?? String(error)}.`, "Mend the task.");
}

/** Calls `late` once if no step is begun for `limit` ms; returns what ends the watch. */
function watchSteps(steps: Int32Array, limit: number | undefined, late: () => void): () => void {
  if (limit === undefined) return () => {};
  let last = Atomics.load(steps, 1);
  let since = performance.now();
  const timer = setInterval(
    () => {
      const now = Atomics.load(steps, 1);
      if (now !== last) {
        last = now;
        since = performance.now();
      } else if (performance.now() - since >= limit) late();
    },
    Math.min(limit, WATCH_MS),
  );
  return () => clearInterval(timer);
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
