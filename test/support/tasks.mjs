/** Tasks for the tests of the runners; plain JavaScript, since worker threads of Node 20 load no TypeScript. */
import { appendFileSync, readFileSync } from "node:fs";

export const sumOfDraws = {
  name: "test/sum-of-draws",
  run(count, rng) {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += rng.normal();
    return sum;
  },
};

export const failsAt = {
  name: "test/fails-at",
  run({ at, own }) {
    if (at.includes(own)) throw Object.assign(new Error(`input ${own} is bad`), { own });
    return own;
  },
};

/** Ends its thread until it was tried as often as it says; the tries are counted in a file. */
export const endsThread = {
  name: "test/ends-thread",
  run({ own, at, tries, file }) {
    if (own === at) {
      appendFileSync(file, "x");
      // waits: a thread that ends at once would take its message with it
      if (readFileSync(file, "utf8").length <= tries) process.exit(1);
    }
    return own;
  },
};
