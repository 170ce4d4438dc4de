/** Gates under known laws: what `gate check` predicts against runs of the gate itself, and the error of nine tasks. Figures: docs/methods/gate.md. */
import { describe, expect, it } from "vitest";
import { makeRng } from "../../src/numeric/rng.ts";
import { checkGate, gate, readPolicy } from "../../src/plan.ts";
import { drawLogs, type GateLaw } from "../support/gate-law.ts";

const RUNS = 1000;
const COLUMNS = { item: "item", task: "task", metric: "accuracy", higherIsBetter: true };
const TASKS = ["a", "b", "c"];

const CASES: readonly (readonly [name: string, policy: string, law: GateLaw, pilot: number])[] = [
  [
    "one task, 0/1",
    "margin: 0.08",
    { tasks: ["a"], items: 200, scores: "binary", cluster: 1, missing: 0, loss: {} },
    20_000,
  ],
  [
    "three tasks, 0/1, tiers, rows without a score",
    "margin: 0.1\ntasks: { a: {}, b: {}, c: { tier: supporting, margin: 0.05 } }",
    { tasks: TASKS, items: 250, scores: "binary", cluster: 1, missing: 0.01, loss: {} },
    8_000,
  ],
  [
    "two tasks, graded, clusters of 5, fixed sequence",
    "margin: 0.03\ncorrection: fixed-sequence\ntasks: { a: {}, b: {} }",
    { tasks: ["a", "b"], items: 200, scores: "graded", cluster: 5, missing: 0, loss: {} },
    10_000,
  ],
];

const losses = (policy: string, tasks: readonly string[], level: number): Record<string, number> => {
  const { fallback, tasks: own } = readPolicy(policy);
  return Object.fromEntries(
    tasks.map((task) => {
      const { allowance } = own[task] ?? fallback!;
      return [task, allowance.kind === "absolute" ? level * allowance.value : 0];
    }),
  );
};

describe("gate check against runs of the gate", () => {
  it.each(CASES)("%s", (_name, policy, law, pilotItems) => {
    const choices = { ...COLUMNS, policy: readPolicy(policy), ...(law.cluster > 1 ? { cluster: "doc" } : {}) };
    const pilot = drawLogs({ ...law, items: pilotItems }, makeRng("pilot"));
    const check = checkGate(pilot, { ...choices, items: law.items, replicates: RUNS, rng: makeRng("check") });
    const lines = [0, 1, 2].map((level) => {
      const counts = { pass: 0, fail: 0, inconclusive: 0 };
      const own = { ...law, loss: losses(policy, law.tasks, level) };
      for (let k = 0; k < RUNS; k++) counts[gate(drawLogs(own, makeRng("run", level, k)), choices).outcome] += 1;
      return { level, counts, predicted: check.scenarios[level]! };
    });
    for (const { level, counts, predicted } of lines) {
      const shown = (["pass", "fail", "inconclusive"] as const).map(
        (name) => `${name} ${counts[name]} (${Math.round(predicted[name] * RUNS)})`,
      );
      process.stdout.write(`${level} margins lost: ${shown.join(", ")} of ${RUNS}, predicted in brackets\n`);
    }
    for (const { counts, predicted } of lines) {
      for (const name of ["pass", "fail"] as const) {
        const [rate, expected] = [counts[name] / RUNS, predicted[name]];
        const p = Math.max(0.5 / RUNS, (rate + expected) / 2);
        expect(Math.abs(rate - expected)).toBeLessThan(4 * Math.sqrt((2 * p * (1 - p)) / RUNS));
      }
    }
  });
});

describe("nine unchanged tasks", () => {
  it.each(["holm", "fixed-sequence"])("%s: the gate fails at most 5 %% of the time", (correction) => {
    const tasks = Array.from({ length: 9 }, (_, k) => `t${k}`);
    const law: GateLaw = { tasks, items: 120, scores: "binary", cluster: 1, missing: 0, loss: {} };
    const policy = readPolicy(`margin: 0.1\ncorrection: ${correction}`);
    let fails = 0;
    for (let k = 0; k < RUNS; k++)
      if (gate(drawLogs(law, makeRng("nine", k)), { ...COLUMNS, policy }).outcome === "fail") fails += 1;
    process.stdout.write(`${correction}: ${fails} of ${RUNS} unchanged suites of nine tasks fail at 0.05\n`);
    expect(fails / RUNS).toBeLessThan(0.05 + 3 * Math.sqrt((0.05 * 0.95) / RUNS));
  });
});
