/** Flags of `gosset worker`. */
import type { CommandSpec } from "../command.ts";

export const worker: CommandSpec = {
  name: "worker",
  question: "Is the evaluation big enough?",
  summary: "compute pieces of simulations from a queue",
  description:
    "Computes pieces that `--on redis://…` of the same version puts into a queue. Ctrl-C and SIGTERM stop it after the current pieces. Threads: --workers, or one for each processor. Needs the packages bullmq and ioredis.",
  words: [
    [
      "<redis>",
      "redis://host:6379, rediss://user:password@host:6379/0 with TLS, or redis: the address is in GOSSET_REDIS",
    ],
  ],
  takes: [],
  load: async () => (await import("./run.ts")).run,
};
