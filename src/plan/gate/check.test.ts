/** Predicted rates against runs of the gate itself under the law that the pilot was drawn from. */
import { describe, expect, it } from "vitest";
import { drawLogs, type GateLaw } from "../../../test/support/gate-law.ts";
import { makeRng } from "../../numeric/rng.ts";
import { checkGate } from "./check.ts";
import { gate } from "./gate.ts";
import { readPolicy } from "./policy.ts";

const LAW: GateLaw = { tasks: ["a", "b"], items: 150, scores: "binary", cluster: 1, missing: 0, loss: {} };
const POLICY = readPolicy("margin: 0.1\nmetric: accuracy\nhigher-is-better: true\ntasks: { b: { tier: supporting } }");
const columns = { item: "item", task: "task" };

describe("gate check", () => {
  it("predicts what the gate does, within binomial error", () => {
    const pilot = drawLogs({ ...LAW, items: 1500 }, makeRng("pilot"));
    const replicates = 150;
    const check = checkGate(pilot, { policy: POLICY, ...columns, items: LAW.items, replicates, rng: makeRng("check") });
    expect(check.scenarios.slice(0, 3).map(({ margins }) => margins)).toEqual([0, 1, 2]);
    const runs = 80;
    for (const level of [0, 2]) {
      let [pass, fail] = [0, 0];
      for (let k = 0; k < runs; k++) {
        const law = { ...LAW, loss: { a: 0.1 * level, b: 0.1 * level } };
        const { outcome } = gate(drawLogs(law, makeRng("runs", level, k)), { policy: POLICY, ...columns });
        if (outcome === "pass") pass += 1;
        if (outcome === "fail") fail += 1;
      }
      const predicted = check.scenarios[level]!;
      const near = (rate: number, expected: number): void => {
        const p = (rate * runs + expected * replicates) / (runs + replicates);
        expect(Math.abs(rate - expected)).toBeLessThan(
          4 * Math.sqrt((p * (1 - p) + 1e-3) * (1 / runs + 1 / replicates)),
        );
      };
      near(pass / runs, predicted.pass);
      near(fail / runs, predicted.fail);
      expect(predicted.pass + predicted.fail + predicted.inconclusive).toBeCloseTo(1, 12);
    }
    const [needed] = check.needed;
    expect(needed!.items.map(({ task }) => task)).toEqual(["b", "a"]);
  });

  it("is the same for the same seed, and tells the true loss", () => {
    const pilot = drawLogs({ ...LAW, items: 60 }, makeRng("pilot"));
    const check = () =>
      checkGate(pilot, {
        policy: readPolicy("margin: 0.1\nmetric: accuracy"),
        ...columns,
        replicates: 20,
        rng: makeRng(3),
        higherIsBetter: true,
      });
    expect(check().scenarios).toEqual(check().scenarios);
    expect(check().scenarios[2]!.difference).toBeCloseTo(-0.2, 12);
  });

  it("refuses a gate that no record could pass, or fail", () => {
    const pilot = drawLogs({ ...LAW, tasks: ["a"], items: 30 }, makeRng("small"));
    const check = (policy: string, items?: number) => () =>
      checkGate(pilot, {
        policy: readPolicy(`metric: accuracy\nhigher-is-better: true\n${policy}`),
        ...columns,
        replicates: 10,
        items,
      });
    expect(check("margin: 0.02\nitems: 100")).toThrow(/no record could ever pass.*coverage/);
    expect(check("no-worse-than: 0.999\nitems: 2", 5)).toThrow(/no record could ever pass/);
    expect(check("margin: 0.3\nitems: 2", 3)).toThrow(/no record could ever/);
  });

  it.each([
    [{ replicates: 3 }, /replicates 3/],
    [{ items: 1 }, /items 1/],
    [{ repeats: 0.5 }, /repeats 0.5/],
  ])("refuses %j", (wrong, message) => {
    const pilot = drawLogs({ ...LAW, items: 20 }, makeRng("bad"));
    expect(() => checkGate(pilot, { policy: POLICY, ...columns, ...wrong })).toThrow(message);
  });

  const searched = (law: Partial<GateLaw>, policy: string, options = {}) =>
    checkGate(drawLogs({ ...LAW, tasks: ["a"], ...law }, makeRng("search")), {
      policy: readPolicy(`metric: accuracy\nhigher-is-better: true\n${policy}`),
      ...columns,
      replicates: 200,
      rng: makeRng(3),
      ...options,
    });

  it("has the wanted rates at the number of items that it names, and not at two thirds of it", () => {
    const [needed] = searched({}, "margin: 0.1").needed;
    const { items } = needed!.items[0]!;
    const [at, below] = [items, Math.round((items * 2) / 3)].map((n) => {
      const { scenarios } = searched({}, "margin: 0.1", { items: n });
      return Math.min(scenarios[0]!.pass, scenarios[2]!.fail);
    });
    expect(at).toBeGreaterThan(0.8 - 4 * Math.sqrt((0.8 * 0.2) / 200));
    expect(below).toBeLessThan(0.8);
  });

  it("says what leaves the gate open where no number of items is enough", () => {
    const missing = searched({ missing: 0.2 }, "margin: 0.05\ncoverage: 0.5");
    expect(missing.needed[0]).toMatchObject({ items: [], open: { reason: "coverage", always: true } });
    expect(String(missing).replace(/\s+/g, " ")).toMatch(/missing scores keep the gate inconclusive at any number/);
    expect(String(missing)).not.toMatch(/too small for this noise/);
    expect(searched({ missing: 0.2 }, "margin: 0.05\ncoverage: 0.5\nunscored: complete").needed[0]!.items).not.toEqual(
      [],
    );
    const noise = searched({ items: 40 }, "margin: 0.01");
    expect(noise.needed[0]).toMatchObject({ items: [], open: { reason: "underpowered", always: false } });
    expect(String(noise)).toMatch(/too\s+small\s+for\s+this\s+noise/);
  });
});
