/** A runner that remembers its answers, so that a simulation that was stopped can be told with what it had. */
import type { MapOptions, Rng, Runner, Task } from "../../src/index.ts";

export interface Remembering extends Runner {
  /** What has come in so far: inputs with their answers. */
  readonly memory: ReadonlyMap<string, readonly [input: unknown, out: unknown]>;
}

export function rememberingRunner(inner: Runner, onAnswer: () => void): Remembering {
  const memory = new Map<string, readonly [unknown, unknown]>();
  return {
    workers: inner.workers,
    memory,
    map<In, Out>(task: Task<In, Out>, inputs: readonly In[], rng: Rng, options: MapOptions<Out> = {}) {
      const keys = inputs.map((input) => JSON.stringify(input));
      const known = new Map(options.known ?? []);
      keys.forEach((key, i) => {
        const found = memory.get(key);
        if (found !== undefined) known.set(i, found[1] as Out);
      });
      const onResult = (i: number, out: Out): void => {
        memory.set(keys[i]!, [inputs[i], out]);
        options.onResult?.(i, out);
        onAnswer();
      };
      return inner.map(task, inputs, rng, { ...options, known, onResult });
    },
    close: () => inner.close(),
  };
}
