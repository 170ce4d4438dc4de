/** Workers of a browser, each behind a message port, since one that is itself a worker cannot start others everywhere. Whoever owns the
 *  workers hands one end of a channel to each (`serveWork`) and the other ends to the one that has work (`portRunner`). */
import type { Rng } from "../numeric/rng.ts";
import * as library from "../tasks.ts";
import { computePieces } from "./compute.ts";
import type { WorkAnswer, WorkRequest } from "./message.ts";
import { type AskWorker, shareOut } from "./share.ts";
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
    map: <In, Out>(task: Task<In, Out>, inputs: readonly In[], rng: Rng, wanted: MapOptions<Out> = {}) =>
      shareOut([task, inputs, rng], { workers: lines.length, start: (count) => lines.slice(0, count) }, wanted),
    // the workers belong to whoever started them
    async close() {},
  };
}

/** Answers carry the number of their question: one that was asked before an abort may still come. */
function askThrough(port: MessagePort): AskWorker {
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
