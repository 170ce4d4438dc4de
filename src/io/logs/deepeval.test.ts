import { describe, expect, it } from "vitest";
import type { Imported } from "../../data/imported.ts";
import { asFactor, column } from "../../data/table.ts";
import { meansBySystem } from "../../study/score-facts.ts";
import { importFiles } from "../import.ts";

const read = (files: Readonly<Record<string, unknown>>): Promise<Imported> =>
  importFiles(
    Object.entries(files).map(([name, value]) => ({ name, bytes: new TextEncoder().encode(JSON.stringify(value)) })),
  );
const means = ({ table, roles }: Imported, score = roles.score!): Record<string, number> =>
  Object.fromEntries(meansBySystem(table, roles, score).map(({ system, mean }) => [system, mean]));

interface Told {
  readonly name?: string;
  readonly relevancy: number | null;
  readonly toxicity: number;
}

const testCase = (i: number, { name = `test_case_${i}`, relevancy, toxicity }: Told) => ({
  name,
  input: `What is in box ${i}?`,
  actualOutput: "A ball.",
  success: (relevancy ?? 0) >= 0.7 && toxicity <= 0.5,
  flaky: false,
  metricsData: [
    {
      name: "Answer Relevancy",
      threshold: 0.7,
      ...(relevancy === null ? { error: "time-out" } : { score: relevancy, success: relevancy >= 0.7 }),
      evaluationModel: "judge-1",
      strictMode: false,
    },
    { name: "Toxicity", threshold: 0.5, score: toxicity, success: toxicity <= 0.5, evaluationModel: "judge-1" },
  ],
  runDuration: 1.5,
  order: i,
});
const run = (told: readonly Told[], more: object = {}) => ({
  testCases: told.map((own, i) => testCase(i, own)),
  conversationalTestCases: [],
  metricsScores: [{ metric: "Answer Relevancy", scores: [0.9], passes: 1, fails: 0, errors: 0 }],
  prompts: [],
  testPassed: 1,
  testFailed: 1,
  runDuration: 3,
  ...more,
});
const OLD: readonly Told[] = [
  { relevancy: 0.9, toxicity: 0 },
  { relevancy: 0.5, toxicity: 0.1 },
  { relevancy: 0.8, toxicity: 0.7 },
  { relevancy: 1, toxicity: 0 },
];
const NEW: readonly Told[] = OLD.map(({ relevancy }) => ({ relevancy, toxicity: 0.2 }));

describe("DeepEval", () => {
  it("reads test cases as items, folders as systems, and each metric with the direction of its own verdicts", async () => {
    const found = await read({
      "old/.deepeval/.latest_test_run.json": { testRunData: run(OLD) },
      "new/.deepeval/.latest_test_run.json": { testRunData: run(NEW) },
    });
    expect([found.format, found.items, found.repeats, found.roles.score]).toEqual(["deepeval", 4, 1, "success"]);
    expect(means(found)).toEqual({ old: 0.5, new: 0.75 });
    expect(means(found, "Toxicity")["old"]).toBeCloseTo(0.2, 12);
    expect(found.metrics.map(({ label, higherIsBetter }) => [label, higherIsBetter])).toEqual([
      ["success", true],
      ["Answer Relevancy", true],
      ["Toxicity", false],
    ]);
    expect(found.assumptions).toContain("Thresholds: Answer Relevancy ≥ 0.7; Toxicity ≤ 0.5.");
    expect(found.decisions).toBeUndefined();
  });

  it("names runs by their identifier or model, where these tell them apart", async () => {
    const named = (name: string, told: readonly Told[]) => run(told, { hyperparameters: { model: name } });
    expect(means(await read({ "1.json": named("small", OLD), "2.json": named("large", NEW) }))).toEqual({
      small: 0.5,
      large: 0.75,
    });
  });

  it("tells cases of one test function apart by their inputs, in any order", async () => {
    const told = OLD.map((own) => ({ ...own, name: "test_answers" }));
    const { testCases, ...rest } = run(told);
    const found = await read({ "a.json": run(told), "b.json": { ...rest, testCases: [...testCases].reverse() } });
    expect([found.items, found.repeats]).toEqual([4, 1]);
    const rows = asFactor(column(found.table, "item"));
    expect([...rows.codes].map((code) => rows.levels[code])).toEqual(
      [1, 2, 3, 4, 4, 3, 2, 1].map((i) => `test_answers ${i}`),
    );
  });

  it("leaves a metric without a score missing and counts it; the copy of a run is not a second run", async () => {
    const told = [...OLD, { relevancy: null, toxicity: 0 }];
    const found = await read({
      "x/.latest_test_run.json": { testRunData: run(told) },
      "x/.latest_run_full.json": run(told),
    });
    expect([found.systems, found.items]).toEqual([["x"], 5]);
    expect(found.diagnostics.find(({ code }) => code === "MetricErrors")!.message).toMatch(/^1 metric has no score/);
    expect(means(found, "Answer_Relevancy")["x"]).toBeCloseTo(0.8, 12);
  });

  it("refuses a link to a run", async () => {
    await expect(read({ ".latest_test_run.json": { testRunLink: "https://example.org/run" } })).rejects.toThrow(
      /holds a link to a test run and no results/,
    );
  });
});
