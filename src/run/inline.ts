/** Everything on this thread. Between inputs the event loop gets a turn now and then, so that progress is drawn and a cancel is
 *  heard. */
import type { Rng } from "../numeric/rng.ts";
import { makeBoard } from "./board.ts";
import type { MapOptions, Runner, Task } from "./task.ts";

/** Long enough to cost nothing, short enough for a progress bar to move and a button to react. */
const TURN_MS = 50;

export function inlineRunner(): Runner {
  return {
    workers: 1,
    async map<In, Out>(task: Task<In, Out>, inputs: readonly In[], rng: Rng, options?: MapOptions<Out>) {
      const board = makeBoard<Out>(inputs.length, options);
      let turn = performance.now();
      for (;;) {
        board.checkCancelled();
        const [i] = board.take(1);
        if (i === undefined) return board.answers;
        board.accept(i, task.run(inputs[i]!, rng.stream(i)));
        if (performance.now() - turn > TURN_MS) {
          await new Promise<void>((resolve) => setTimeout(resolve));
          turn = performance.now();
        }
      }
    },
    async close() {},
  };
}
