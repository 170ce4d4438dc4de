/** A worker thread: finds the task among the exports of the library (or of a module of the user's) and computes what it is sent. */
import { parentPort } from "node:worker_threads";
import * as library from "../tasks.ts";
import { describeFailure, type WorkAnswer, type WorkRequest } from "./message.ts";
import type { Task } from "./task.ts";

type AnyTask = Task<unknown, unknown>;

const isTask = (value: unknown): value is AnyTask =>
  typeof value === "object" && value !== null && typeof (value as AnyTask).run === "function";

async function findTask({ task, module }: WorkRequest): Promise<AnyTask> {
  const exported: Record<string, unknown> = module === undefined ? library : await import(module);
  const found = Object.values(exported).find((value) => isTask(value) && value.name === task);
  if (found === undefined) throw new Error(`there is no task "${task}"`);
  return found as AnyTask;
}

async function answer(request: WorkRequest): Promise<WorkAnswer> {
  const indices: number[] = [];
  const outs: unknown[] = [];
  let at = request.indices[0]!;
  try {
    const task = await findTask(request);
    const rng = library.makeRng(request.seed);
    for (const [k, index] of request.indices.entries()) {
      at = index;
      outs.push(task.run(request.inputs[k], rng.stream(index)));
      indices.push(index);
    }
    return { indices, outs };
  } catch (error) {
    return { indices, outs, failure: describeFailure(at, error) };
  }
}

parentPort?.on("message", async (request: WorkRequest) => {
  parentPort!.postMessage(await answer(request));
});
