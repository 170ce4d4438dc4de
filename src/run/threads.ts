/** Worker threads of Node. A pool that is started on first use and kept: starting a worker costs more than most pieces of work. */
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";
import { type Board, cancelled, makeBoard } from "./board.ts";
import { type Failure, throwFirst, type WorkAnswer, type WorkRequest } from "./message.ts";
import type { MapOptions, Runner, Task } from "./task.ts";

export interface ThreadOptions {
  /** Default: as many as the machine runs at once. */
  readonly workers?: number | undefined;
  /** The built worker.js; default: the one beside this file. */
  readonly workerUrl?: URL | undefined;
  /** URL of a module that holds the tasks, if the library does not: a scenario as its default export, or a task among its exports. */
  readonly module?: string | undefined;
  /** Milliseconds that one step of a task may take, such as one experiment of a simulation; no limit unless given. */
  readonly stepLimit?: number | undefined;
  /** Megabytes of heap for all workers together, of which each gets its share; default: as Node chooses. */
  readonly heap?: number | undefined;
}

/** A worker with what it says of the step under way (worker.ts). */
interface Thread {
  readonly worker: Worker;
  readonly steps: Int32Array;
}

/** A user's own module, by its URL: what `module` names, for the thread that hands out the work. */
export const importModule = (url: string): Promise<Record<string, unknown>> => import(url);

/** What is sent to a thread at once should take about this long: messages are few, and little is lost when all has to end. */
const BATCH_MS = 100;
const LARGEST_BATCH = 64;
/** Threads that an input may cost before it is held to be the cause. */
const MOST_LOSSES = 3;
/** When work is cancelled, what is under way may end within this time. */
const GRACE_MS = 5000;
/** Megabytes with which a worker can load the library and work. */
const LEAST_HEAP = 64;
/** How often a step under way is looked at. */
const WATCH_MS = 100;

export function threadRunner(options: ThreadOptions = {}): Runner {
  const workers = options.workers ?? availableParallelism();
  const url = options.workerUrl ?? new URL("./worker.js", import.meta.url);
  const heap = options.heap === undefined ? undefined : Math.max(LEAST_HEAP, Math.floor(options.heap / workers));
  const start = (): Thread => startThread(url, heap);
  const pool: Thread[] = [];
  let closed = false;
  const stop = async (): Promise<void> => {
    await Promise.all(pool.splice(0).map(({ worker }) => worker.terminate()));
  };
  return {
    workers,
    async map<In, Out>(task: Task<In, Out>, inputs: readonly In[], rng: Rng, wanted: MapOptions<Out> = {}) {
      if (closed) throw new StatError("RunnerClosed", "the runner was closed.", "Make a new one.");
      const board = makeBoard<Out>(inputs.length, wanted);
      board.checkCancelled();
      const needed = Math.min(workers, board.open);
      for (let place = 0; place < needed; place++) {
        // one that ended while nobody listened has no number any more
        if ((pool[place]?.worker.threadId ?? -1) < 0) pool[place] = start();
      }
      const request = (indices: readonly number[]): WorkRequest => ({
        task: task.name,
        module: options.module,
        seed: rng.seed,
        indices,
        inputs: indices.map((i) => inputs[i]),
      });
      const service: Service<Out> = {
        board,
        request,
        workers: needed,
        stepLimit: options.stepLimit,
        replace: (place) => (pool[place] = start()),
        losses: new Map(),
        over: false,
      };
      const work = Promise.all(pool.slice(0, needed).map((thread, place) => serve(thread, place, service)));
      const ended = work.then(throwFirst).then(board.checkCancelled);
      try {
        await (wanted.signal === undefined ? ended : orAborted(ended, wanted.signal, board));
      } catch (error) {
        service.over = true;
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

function startThread(url: URL, heap: number | undefined): Thread {
  const steps = new Int32Array(new SharedArrayBuffer(8));
  const resourceLimits = heap === undefined ? {} : { maxOldGenerationSizeMb: heap };
  return { worker: new Worker(url, { workerData: steps, resourceLimits }), steps };
}

interface Service<Out> {
  readonly board: Board<Out>;
  readonly workers: number;
  readonly stepLimit: number | undefined;
  request(indices: readonly number[]): WorkRequest;
  /** A new thread in the place of one that is lost. */
  replace(place: number): Thread;
  /** How often a thread was lost over an input. */
  readonly losses: Map<number, number>;
  /** Threads that end from now on are no loss. */
  over: boolean;
}

/** Feeds one worker until nothing is left; the failure, if any, ends it. */
async function serve<Out>(first: Thread, place: number, service: Service<Out>): Promise<Failure | undefined> {
  const { board, request, stepLimit } = service;
  let thread = first;
  let size = 1;
  for (;;) {
    const indices = board.take(size);
    if (indices.length === 0) return undefined;
    const start = performance.now();
    const answer = await ask(thread, request(indices), stepLimit);
    if ("lost" in answer) {
      if (service.over) return undefined;
      blame(indices[0]!, answer.lost, service);
      board.putBack(indices);
      thread = service.replace(place);
      size = 1; // so that the next one is lost over the very input that is to blame
      continue;
    }
    answer.indices.forEach((index, k) => {
      board.accept(index, answer.outs[k] as Out);
    });
    if (answer.failure !== undefined) {
      board.giveUp(); // pieces before this one are under way; none after it is begun
      return answer.failure;
    }
    // never so many at once that others stand idle at the end
    const share = Math.ceil(board.open / (8 * service.workers));
    const fitting = Math.round((BATCH_MS * indices.length) / Math.max(performance.now() - start, 0.01));
    size = Math.max(1, Math.min(fitting, 2 * size, share, LARGEST_BATCH));
  }
}

function blame<Out>(index: number, why: string, { losses }: Service<Out>): void {
  const times = (losses.get(index) ?? 0) + 1;
  losses.set(index, times);
  if (times < MOST_LOSSES) return;
  throw new StatError(
    "WorkerLost",
    `${times} worker threads ended early over the same piece of work (${why}).`,
    "It may need more memory than there is: make the experiment smaller, or run it with `workers: 1`.",
  );
}

function ask(
  { worker, steps }: Thread,
  request: WorkRequest,
  stepLimit: number | undefined,
): Promise<WorkAnswer | { readonly lost: string }> {
  return new Promise((resolve, reject) => {
    const begun = Atomics.load(steps, 1);
    const where = (): string => (Atomics.load(steps, 1) === begun ? "" : `, at step ${Atomics.load(steps, 0) + 1}`);
    const end = (act: () => void): void => {
      stopWatch();
      worker.off("message", onMessage);
      worker.off("error", onError);
      worker.off("exit", onExit);
      act();
    };
    const lose = (why: string): void => end(() => resolve({ lost: `${why}${where()}` }));
    const onMessage = (answer: WorkAnswer): void => end(() => resolve(answer));
    const onError = (error: unknown): void => {
      if ((error as NodeJS.ErrnoException | null)?.code === "ERR_WORKER_OUT_OF_MEMORY")
        end(() => reject(outOfMemory(where())));
      else lose(error instanceof Error ? error.message : String(error));
    };
    const onExit = (): void => lose("no reason given");
    const stopWatch = watchSteps(steps, stepLimit, () => end(() => reject(tooLong(stepLimit!, where()))));
    worker.on("message", onMessage);
    worker.on("error", onError);
    worker.on("exit", onExit);
    worker.postMessage(request);
  });
}

const outOfMemory = (where: string): StatError =>
  new StatError("OutOfMemory", `a worker ran out of memory${where}.`, "Make the experiment smaller, or raise `heap`.");

const tooLong = (limit: number, where: string): StatError =>
  new StatError(
    "StepTooLong",
    `the work did not get on for ${limit / 1000} s${where}.`,
    "Fix the loop, or raise `stepLimit`.",
  );

/** Calls `late` if no step is begun for `limit` ms; returns what ends the watch. */
function watchSteps(steps: Int32Array, limit: number | undefined, late: () => void): () => void {
  if (limit === undefined) return () => {};
  let last = Atomics.load(steps, 1);
  let since = performance.now();
  const look = (): void => {
    const now = Atomics.load(steps, 1);
    if (now === last && performance.now() - since >= limit) late();
    if (now !== last) since = performance.now();
    last = now;
  };
  const timer = setInterval(look, Math.min(limit, WATCH_MS));
  return () => clearInterval(timer);
}

/** The work; after an abort what is under way may still come in, for a while. */
async function orAborted(
  work: Promise<void>,
  signal: AbortSignal,
  board: Pick<Board<unknown>, "giveUp">,
): Promise<void> {
  let late: ReturnType<typeof setTimeout> | undefined;
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      board.giveUp();
      late = setTimeout(() => reject(cancelled()), GRACE_MS);
    };
  });
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", onAbort);
  }
}
