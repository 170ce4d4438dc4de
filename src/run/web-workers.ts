/** Workers of a browser, each behind a message port, since one that is itself a worker cannot start others everywhere. Whoever owns the
 *  workers hands one end of a channel to each (`serveWork`) and the other ends to the one that has work (`portRunner`). */
import type { Rng } from "../numeric/rng.ts";
import * as library from "../tasks.ts";
import { type Board, makeBoard } from "./board.ts";
import { computePieces } from "./compute.ts";
import { type Failure, throwFirst, type WorkAnswer, type WorkRequest } from "./message.ts";
import type { MapOptions, Runner, Task } from "./task.ts";

/** Answers what comes through the port. */
export function serveWork(port: MessagePort): void {
  port.onmessage = async ({ data }: MessageEvent<{ readonly id: number; readonly request: WorkRequest }>) => {
    const exports = async () => library;
    port.postMessage({ id: data.id, answer: await computePieces(data.request, { exports, makeRng: library.makeRng }) });
  };
}

export function portRunner(ports: readonly MessagePort[]): Runner {
  const lines = ports.map(askThrough);
  return {
    workers: lines.length,
    async map<In, Out>(task: Task<In, Out>, inputs: readonly In[], rng: Rng, wanted: MapOptions<Out> = {}) {
      const board = makeBoard<Out>(inputs.length, wanted);
      board.checkCancelled();
      // what is under way may end; nothing is begun after an abort
      wanted.signal?.addEventListener("abort", board.giveUp, { once: true });
      const request = (index: number): WorkRequest => ({
        ...{ task: task.name, seed: rng.seed },
        ...{ indices: [index], inputs: [inputs[index]] },
      });
      throwFirst(await Promise.all(lines.map((ask) => serve(ask, board, request))));
      board.checkCancelled();
      return board.answers;
    },
    // the workers belong to whoever started them
    async close() {},
  };
}

type Ask = (request: WorkRequest) => Promise<WorkAnswer>;

/** Feeds one worker until nothing is left; the failure, if any, ends it. */
async function serve<Out>(
  ask: Ask,
  board: Board<Out>,
  request: (index: number) => WorkRequest,
): Promise<Failure | undefined> {
  for (;;) {
    const [index] = board.take(1);
    if (index === undefined) return undefined;
    const { outs, failure } = await ask(request(index));
    if (failure !== undefined) {
      board.giveUp();
      return failure;
    }
    board.accept(index, outs[0] as Out);
  }
}

/** Answers carry the number of their question: one that was asked before an abort may still come. */
function askThrough(port: MessagePort): Ask {
  const waiting = new Map<number, (answer: WorkAnswer) => void>();
  let next = 0;
  port.onmessage = ({ data }: MessageEvent<{ readonly id: number; readonly answer: WorkAnswer }>) => {
    waiting.get(data.id)?.(data.answer);
    waiting.delete(data.id);
  };
  return (request) =>
    new Promise((resolve) => {
      const id = next++;
      waiting.set(id, resolve);
      port.postMessage({ id, request });
    });
}
