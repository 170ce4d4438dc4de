/** Flags of `gosset worker`. */
import type { CommandSpec } from "../command.ts";

export const worker: CommandSpec = {
  name: "worker",
  question: "Is the evaluation big enough?",
  summary: "compute pieces of simulations that others ask for",
  description:
    "Computes what `--on redis://…` of the same version puts into a queue, until it is ended: Ctrl-C and SIGTERM let the pieces\nunder way end. Threads: --workers, or one for each processor. Needs the packages bullmq and ioredis.",
  words: [
    [
      "<redis>",
      "redis://host:6379, rediss://user:password@host:6379/0 with TLS, or redis: the address is in GOSSET_REDIS",
    ],
  ],
  takes: [],
  load: async () => (await import("./run.ts")).run,
};
