import { describe, expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { powerReplicates } from "../power.ts";
import { inlineRunner } from "./inline.ts";
import { portRunner, serveWork } from "./web-workers.ts";

/** Workers in this thread: messages go the same way. */
function pool(count: number) {
  const channels = Array.from({ length: count }, () => new MessageChannel());
  for (const { port1 } of channels) serveWork(port1 as unknown as MessagePort);
  const close = (): void => {
    for (const { port1 } of channels) port1.close();
  };
  return { runner: portRunner(channels.map(({ port2 }) => port2 as unknown as MessagePort)), close };
}

const params = { n: 60, delta: 0.1, agreement: 0.8 };
const inputs = Array.from({ length: 7 }, (_, k) => ({
  ...{ scenario: "accuracy", params, seed: "3" },
  ...{ from: 50 * k, count: 50 },
}));

describe("workers behind ports", () => {
  it("give what one thread gives, in the order of the inputs", async () => {
    const { runner, close } = pool(3);
    const own = await runner.map(powerReplicates, inputs, makeRng("3"));
    const alone = await inlineRunner().map(powerReplicates, inputs, makeRng("3"));
    close();
    expect(own).toEqual(alone);
    expect(own[0]![0]!.right).toBeGreaterThan(0);
  });

  it("stop when asked, and keep what had come in", async () => {
    const { runner, close } = pool(2);
    const stop = new AbortController();
    const kept: number[] = [];
    const work = runner.map(powerReplicates, inputs, makeRng("3"), {
      signal: stop.signal,
      onResult: (index) => {
        kept.push(index);
        if (kept.length === 2) stop.abort();
      },
    });
    await expect(work).rejects.toMatchObject({ code: "Cancelled" });
    close();
    expect(kept.length).toBeLessThan(inputs.length);
  });

  it("say which input failed", async () => {
    const { runner, close } = pool(2);
    const wrong = [{ ...inputs[0]!, scenario: "no-such" }];
    await expect(runner.map(powerReplicates, wrong, makeRng("3"))).rejects.toMatchObject({ code: "UnknownScenario" });
    close();
  });
});
