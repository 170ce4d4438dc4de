import { describe, expect, it } from "vitest";
import { makeRng } from "../numeric/rng.ts";
import { guardFamily } from "./guard.ts";
import type { ScenarioFamily } from "./scenario.ts";
import { simulatePower } from "./simulate.ts";

/** A family whose third experiment is `third()`; all others are sound. */
function family(third: () => unknown, over: object = {}): ScenarioFamily {
  return {
    name: "runs",
    title: "runs",
    effect: "delta",
    size: "n",
    parameters: [{ name: "delta", kind: "number", meaning: "gain" }],
    effectRange: () => ({ from: 0, to: 1 }),
    make: ({ delta }) => {
      let drawn = 0;
      return {
        name: "runs",
        title: "runs",
        effect: delta as number,
        alpha: 0.05,
        parameters: [],
        assumptions: [],
        diagnostics: [],
        analyses: ["my test"],
        simulate: () => (++drawn === 3 ? third() : [{ estimate: 1, significant: true }]) as never,
        ...over,
      };
    },
  };
}
const run = (own: ScenarioFamily) => simulatePower(own, { delta: 1 }, { rng: makeRng(1), replicates: 5 });

describe("experiments of a scenario that somebody else wrote", () => {
  const faults: [string, unknown, string][] = [
    ["NaN", [{ estimate: Number.NaN, significant: false }], "runs, replicate 3, my test: estimate is NaN"],
    ["a text", [{ estimate: 1, significant: "no" }], 'replicate 3, my test: significant is "no"'],
    ["a number for a switch", [{ estimate: 1, significant: 0 }], "significant is 0"],
    ["no estimate", [{ significant: false }], "estimate is undefined"],
    ["undefined", undefined, "runs, replicate 3: undefined"],
    ["a number", 5, "replicate 3: 5"],
    ["a promise", Promise.resolve([]), "replicate 3: a promise"],
    ["too few", [], "replicate 3: a list of 0"],
    ["too many", [{ estimate: 1, significant: true }, {}], "replicate 3: a list of 2"],
    ["null for an outcome", [null], "my test: null"],
    ["a text for failed", [{ estimate: 1, significant: true, failed: "yes" }], 'failed is "yes"'],
  ];
  for (const [name, value, message] of faults) {
    it(`that give ${name} are refused with the replicate and the value, never counted`, async () => {
      await expect(run(family(() => value))).rejects.toMatchObject({
        code: "BadOutcome",
        message: expect.stringContaining(message),
      });
    });
  }

  it("that throw are named, and errors with a way out pass", async () => {
    const boom = () => {
      throw new Error("boom");
    };
    await expect(run(family(boom))).rejects.toMatchObject({
      code: "ScenarioFailed",
      message: "runs, replicate 3: `simulate(rng)` failed: boom.",
    });
    const kind = () => {
      throw Object.assign(new Error("no data."), { code: "NoData", fix: "Give some." });
    };
    await expect(run(family(kind))).rejects.toMatchObject({ code: "NoData", message: "no data.", fix: "Give some." });
  });

  it("that have no answer say so, and are counted as failed", async () => {
    const result = await run(family(() => [{ estimate: Number.NaN, significant: false, failed: true }]));
    expect(result.analyses[0]).toMatchObject({ failed: 1, power: 4 / 5 });
  });
});

describe("a guarded family", () => {
  const sound = () => [{ estimate: 1, significant: true }];
  const faults: [object, string][] = [
    [{ effect: Number.NaN }, "effect of what make(params) returned is NaN"],
    [{ effect: 0 }, "effect of what make(params) returned is 0"],
    [{ alpha: "0.05" }, 'alpha of what make(params) returned is "0.05"'],
    [{ analyses: [] }, "analyses of what make(params) returned is a list of 0"],
    [{ diagnostics: undefined }, "diagnostics of what make(params) returned is undefined"],
    [{ name: "other" }, 'name of what make(params) returned is "other"'],
    [{ simulate: 5 }, "a way to answer of what make(params) returned is 5"],
  ];
  for (const [over, message] of faults) {
    it(`refuses a scenario: ${message}`, () => {
      expect(() => guardFamily(family(sound, over)).make({ delta: 1 })).toThrow(message);
    });
  }

  it("refuses figures that are none, and passes those that are", () => {
    const figures = (power: unknown) =>
      guardFamily(family(sound, { exactPower: () => ({ power }) })).make({ delta: 1 });
    expect(() => figures(Number.NaN).exactPower!()).toThrow("the power of exactPower() is NaN");
    expect(() => figures(1.5).exactPower!()).toThrow("is 1.5");
    expect(figures(0.25).exactPower!().power).toBe(0.25);
  });

  it("tells of each call before and after it, also of one that throws", () => {
    const calls: string[] = [];
    const onCall = (name: string) => {
      calls.push(name);
      return () => void calls.push("after");
    };
    const guarded = guardFamily({ ...family(sound), effectRange: () => ({ from: 1, to: 0 }) }, { onCall });
    guarded.make({ delta: 1 });
    expect(() => guarded.effectRange({})).toThrow("effectRange is an object");
    expect(calls).toEqual(["make(params)", "after", "effectRange(params)", "after"]);
  });
});
