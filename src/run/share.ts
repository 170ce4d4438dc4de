/** One map shared out among workers that are asked by messages, whatever carries them: threads of Node or workers of a browser. */
import type { Rng } from "../numeric/rng.ts";
import { type Board, cancelled, makeBoard } from "./board.ts";
import { type Failure, failureError, type WorkAnswer, type WorkRequest } from "./message.ts";
import type { MapOptions, Task } from "./task.ts";

/** A worker as this file needs it. */
export type AskWorker = (request: WorkRequest) => Promise<WorkAnswer>;

export interface Sharing {
  readonly workers: number;
  /** URL of a module that holds the task, if the library does not. */
  readonly module?: string | undefined;
  /** The first `count` workers; those that do not run yet are started. */
  start(count: number): readonly AskWorker[];
}

/** Pieces per worker: small enough that all finish at about the same time and progress moves, large enough that messages are few. */
const PIECES_PER_WORKER = 24;

export async function shareOut<In, Out>(
  [task, inputs, rng]: readonly [Task<In, Out>, readonly In[], Rng],
  { workers, module, start }: Sharing,
  wanted: MapOptions<Out> = {},
): Promise<Out[]> {
  const board = makeBoard<Out>(inputs.length, wanted);
  board.checkCancelled();
  const size = Math.max(1, Math.floor(board.open / (workers * PIECES_PER_WORKER)));
  const request = (indices: readonly number[]): WorkRequest => ({
    task: task.name,
    ...(module === undefined ? {} : { module }),
    seed: rng.seed,
    indices,
    inputs: indices.map((i) => inputs[i]),
  });
  const asked = start(Math.min(workers, Math.ceil(board.open / size)));
  const work = Promise.all(asked.map((ask) => serve(ask, { board, request, size })));
  await Promise.race([work.then(throwFirst), untilAborted(wanted.signal, board)]);
  return board.answers;
}

interface Service<Out> {
  readonly board: Board<Out>;
  readonly size: number;
  request(indices: readonly number[]): WorkRequest;
}

/** Feeds one worker until nothing is left; the failure, if any, ends it. */
async function serve<Out>(ask: AskWorker, { board, request, size }: Service<Out>): Promise<Failure | undefined> {
  for (;;) {
    const indices = board.take(size);
    if (indices.length === 0) return undefined;
    const { indices: done, outs, failure } = await ask(request(indices));
    done.forEach((index, k) => {
      board.accept(index, outs[k] as Out);
    });
    if (failure !== undefined) {
      board.giveUp(); // pieces before this one are under way; none after it is begun
      return failure;
    }
  }
}

/** The failure that a single thread would have met first. */
function throwFirst(failures: readonly (Failure | undefined)[]): void {
  const first = failures.filter((f) => f !== undefined).sort((a, b) => a.index - b.index)[0];
  if (first !== undefined) throw failureError(first);
}

/** Never resolves; rejects on abort, after which no piece is begun. */
function untilAborted(signal: AbortSignal | undefined, board: { giveUp(): void }): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => {
      board.giveUp();
      reject(cancelled());
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}
