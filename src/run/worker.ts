/** A worker thread: finds the task among the exports of the library (or of a module of the user's) and computes what it is sent. */
import { parentPort, workerData } from "node:worker_threads";
import * as library from "../tasks.ts";
import { describeFailure, type WorkAnswer, type WorkRequest } from "./message.ts";
import type { Task } from "./task.ts";

type AnyTask = Task<unknown, unknown>;

const isTask = (value: unknown): value is AnyTask =>
  typeof value === "object" && value !== null && typeof (value as AnyTask).run === "function";

async function findTask({ task, module }: WorkRequest): Promise<AnyTask> {
  const exported: Record<string, unknown> = module === undefined ? library : await import(module);
  const found = Object.values(exported).find((value) => isTask(value) && value.name === task);
  if (found !== undefined) return found as AnyTask;
  // a module that holds a scenario and nothing else
  const family = exported["default"] as library.ScenarioFamily | undefined;
  if (task !== library.powerReplicates.name || typeof family?.make !== "function")
    throw new Error(`there is no task "${task}"`);
  return own.get(family) ?? keep(family, library.makeReplicateTask([family]) as AnyTask);
}

/** Tasks made here keep their last scenario, whose critical values can be costly. */
const own = new WeakMap<object, AnyTask>();
function keep(family: object, task: AnyTask): AnyTask {
  own.set(family, task);
  return task;
}

/** Shared with the thread that hands out the work: the step under way, and how many were begun. */
const steps = workerData as Int32Array | null;
const mark = (step: number): void => {
  if (steps === null) return;
  Atomics.store(steps, 0, step);
  Atomics.add(steps, 1, 1);
};

async function answer(request: WorkRequest): Promise<WorkAnswer> {
  const indices: number[] = [];
  const outs: unknown[] = [];
  let at = request.indices[0]!;
  try {
    const task = await findTask(request);
    const rng = library.makeRng(request.seed);
    for (const [k, index] of request.indices.entries()) {
      at = index;
      outs.push(task.run(request.inputs[k], rng.stream(index), mark));
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
