/** A worker thread: finds the task among the exports of the library (or of a module of the user's) and computes what it is sent. */
import { parentPort } from "node:worker_threads";
import * as library from "../tasks.ts";
import { computePieces } from "./compute.ts";
import type { WorkRequest } from "./message.ts";

parentPort?.on("message", async (request: WorkRequest) => {
  const { module } = request;
  const exports = async () => (module === undefined ? library : await import(module));
  parentPort!.postMessage(await computePieces(request, { exports, makeRng: library.makeRng }));
});
