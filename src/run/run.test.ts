import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRng, type Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";
import { inlineRunner } from "./inline.ts";
import type { Runner, Task } from "./task.ts";
import { threadRunner } from "./threads.ts";

const fixture = new URL("../../test/support/tasks.mjs", import.meta.url);
const workerUrl = new URL("../../dist/bin/worker.js", import.meta.url);
const tasks = (await import(fixture.href)) as {
  sumOfDraws: Task<number, number>;
  endsThread: Task<{ at: number; own: number; tries: number; file: string }, number>;
  failsAt: Task<{ at: readonly number[]; own: number }, number>;
};
const inputs = Array.from({ length: 100 }, (_, i) => 1 + (i % 7));
const threads = (workers: number): Runner => threadRunner({ workers, workerUrl, module: fixture.href });
const built = existsSync(workerUrl);

async function mapWith(runner: Runner, rng: Rng = makeRng("run")): Promise<number[]> {
  try {
    return await runner.map(tasks.sumOfDraws, inputs, rng);
  } finally {
    await runner.close();
  }
}

describe("inline runner", () => {
  it("gives input i the stream i, in the order of the inputs", async () => {
    const rng = makeRng("run");
    const expected = inputs.map((n, i) => {
      const own = rng.stream(i);
      let sum = 0;
      for (let k = 0; k < n; k++) sum += own.normal();
      return sum;
    });
    expect(await mapWith(inlineRunner())).toEqual(expected);
  });

  it("does not compute again what is known, and reports what it computes", async () => {
    const whole = await mapWith(inlineRunner());
    const known = new Map(whole.slice(0, 40).map((out, i) => [i, out]));
    const seen: number[] = [];
    const progress: number[] = [];
    const resumed = await inlineRunner().map(tasks.sumOfDraws, inputs, makeRng("run"), {
      known,
      onResult: (index) => seen.push(index),
      onProgress: (done) => progress.push(done),
    });
    expect(resumed).toEqual(whole);
    expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => 40 + i));
    expect(progress).toEqual(Array.from({ length: 61 }, (_, i) => 40 + i));
  });

  it("stops when it is cancelled", async () => {
    const stop = new AbortController();
    const answers = inlineRunner().map(tasks.sumOfDraws, inputs, makeRng("run"), {
      signal: stop.signal,
      onResult: (index) => {
        if (index === 5) stop.abort();
      },
    });
    await expect(answers).rejects.toThrow(StatError);
    await expect(answers).rejects.toMatchObject({ code: "Cancelled" });
  });
});

describe.skipIf(!built)("worker threads (needs npm run build)", () => {
  it.each([1, 2, 3])("give the same bits on %i workers", async (workers) => {
    expect(await mapWith(threads(workers))).toEqual(await mapWith(inlineRunner()));
  });

  it("work on after a first map, and refuse when closed", async () => {
    const runner = threads(2);
    const first = await runner.map(tasks.sumOfDraws, inputs, makeRng("a"));
    const second = await runner.map(tasks.sumOfDraws, inputs, makeRng("b"));
    expect(second).toEqual(await mapWith(inlineRunner(), makeRng("b")));
    expect(second).not.toEqual(first);
    await runner.close();
    await expect(runner.map(tasks.sumOfDraws, inputs, makeRng("a"))).rejects.toMatchObject({ code: "RunnerClosed" });
  });

  it("reject with the failure that one thread would have met first", async () => {
    const runner = threads(2);
    const bad = inputs.map((_, own) => ({ at: [97, 31, 32, 60], own }));
    await expect(runner.map(tasks.failsAt, bad, makeRng("x"))).rejects.toThrow("input 31 is bad");
    await runner.close();
  });

  it("stop when they are cancelled, and the pool can be used again", async () => {
    const runner = threads(2);
    const stop = new AbortController();
    const answers = runner.map(tasks.sumOfDraws, inputs, makeRng("run"), {
      signal: stop.signal,
      onResult: () => stop.abort(),
    });
    await expect(answers).rejects.toMatchObject({ code: "Cancelled" });
    expect(await mapWith(runner)).toEqual(await mapWith(inlineRunner()));
  });

  it("take the pieces of a lost thread again, and name the piece that ends every one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "gosset-threads-"));
    const dying = (tries: number) => inputs.map((_, own) => ({ own, at: 40, tries, file: join(folder, `${tries}`) }));
    const runner = threads(2);
    expect(await runner.map(tasks.endsThread, dying(2), makeRng("x"))).toEqual(inputs.map((_, i) => i));
    await expect(runner.map(tasks.endsThread, dying(99), makeRng("x"))).rejects.toMatchObject({ code: "WorkerLost" });
    expect(await mapWith(runner)).toEqual(await mapWith(inlineRunner()));
    rmSync(folder, { recursive: true });
  });
});
