/** Where simulations run: on as many threads as asked for, by default on every processor. One thread needs no worker. */
import { availableParallelism } from "node:os";
import { inlineRunner, type Runner } from "../index.ts";
import { threadRunner } from "../run/threads.ts";

export function simulationRunner(threads: string | undefined, module?: string): Runner {
  const workers = threads === undefined ? availableParallelism() : Number(threads);
  return workers > 1 ? threadRunner({ workers, ...(module === undefined ? {} : { module }) }) : inlineRunner();
}
