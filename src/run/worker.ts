/** A worker thread: finds the task among the exports of the library (or of a module of the user's) and computes what it is sent. */
import { parentPort, workerData } from "node:worker_threads";
import * as library from "../tasks.ts";
import { computePieces } from "./compute.ts";
import type { WorkRequest } from "./message.ts";

/** A module may hold a scenario and nothing else. Its task is made once, since it keeps what is costly to find. */
const made = new WeakMap<object, Record<string, unknown>>();

async function exportsOf(module: string): Promise<Record<string, unknown>> {
  const exported: Record<string, unknown> = await import(module);
  const family = exported["default"] as library.ScenarioFamily | undefined;
  if (typeof family?.make !== "function") return exported;
  const known = made.get(family);
  if (known !== undefined) return known;
  // a task of the module's own comes first
  const all = { ...exported, [library.powerReplicates.name]: library.makeReplicateTask([family]) };
  made.set(family, all);
  return all;
}

/** Shared with the thread that hands out the work: the step under way, and how many were begun. */
const steps = workerData as Int32Array | null;
const mark = (step: number): void => {
  if (steps === null) return;
  Atomics.store(steps, 0, step);
  Atomics.add(steps, 1, 1);
};

parentPort?.on("message", async (request: WorkRequest) => {
  const { module } = request;
  const exports = async () => (module === undefined ? library : await exportsOf(module));
  parentPort!.postMessage(await computePieces(request, { exports, makeRng: library.makeRng, mark }));
});
