/** `gosset worker redis://host:6379` */

import { describeRedis, startQueueWorker } from "../../run/bullmq.ts";
import { threadRunner } from "../../runners.ts";
import { powerReplicates } from "../../tasks.ts";
import { neutralise } from "../../text.ts";
import { type Context, hashBuild, ownProcessors } from "../context.ts";
import type { GlobalOptions } from "../options.ts";
import { readRedis } from "../ways.ts";

export async function run({ options, progress, ended }: Context<GlobalOptions>, address: string): Promise<void> {
  const url = readRedis(address);
  const threads = options.workers === undefined ? ownProcessors() : Number(options.workers);
  const say = (text: string): void => {
    if (!options.quiet) process.stderr.write(`gosset: ${neutralise(text)}\n`);
  };
  let last = "";
  const worker = await startQueueWorker({
    url,
    build: hashBuild(),
    threads,
    startThread: () => threadRunner({ workers: 1 }),
    tasks: [powerReplicates],
    onJob: (done) => progress.update(`Pieces: ${done}`, 0, 0),
    onError: (message) => {
      if (message !== last) say(`Redis: ${message}`);
      last = message;
    },
  });
  say(`working for ${describeRedis(url)} on ${threads} ${threads === 1 ? "thread" : "threads"}; stop it with Ctrl-C.`);
  const signal = ended();
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await worker.close();
}
