/** What evaluation tools and benchmarks export, in small files of our own with their layout: systems, items, scores, repeats. */
import { describe, expect, it } from "vitest";
import type { Imported } from "../../data/imported.ts";
import { testTotals } from "../../significance/totals/totals.ts";
import { meansBySystem } from "../../study/score-facts.ts";
import { importFiles } from "../import.ts";

const read = (files: Readonly<Record<string, unknown>>): Promise<Imported> =>
  importFiles(
    Object.entries(files).map(([name, value]) => ({
      name,
      bytes: new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value)),
    })),
  );
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const means = ({ table, roles }: Imported, score = roles.score!): Record<string, number> =>
  Object.fromEntries(meansBySystem(table, roles, score).map(({ system, mean }) => [system, mean]));
const brief = ({ systems, items, repeats, roles }: Imported) => [systems.length, items, repeats, roles.score];

describe("evaluation tools", () => {
  it("LangSmith: rows with results by key, and the table that it downloads", async () => {
    const rows = times(12, (i) => ({
      run: { id: `r${i}`, name: "target", outputs: { a: "x" } },
      example: { id: `e${i}`, inputs: { q: `question ${i}` } },
      evaluation_results: {
        results: [
          { key: "correctness", score: i % 2, comment: "c" },
          { key: "concise", score: 0.5 },
        ],
      },
    }));
    expect(brief(await read({ "rows.json": rows }))).toEqual([0, 12, 1, "correctness"]);
    const lines = times(12, (i) => `run${i},question ${i},answer,gold ${i},${i % 2},${i / 10},ex${i}`);
    const header = "id,inputs.question,outputs.output,reference.answer,feedback.correctness,execution_time,example_id";
    const table = await read({ "export.csv": [header, ...lines].join("\n") });
    expect(brief(table)).toEqual([0, 12, 1, "feedback.correctness"]);
  });

  it("Langfuse: one row for each score of a trace", async () => {
    const rows = times(10, (i) =>
      ["correctness", "helpfulness"].map((name) => ({ id: `s${i}${name}`, traceId: `t${i}`, name, value: i % 2 })),
    ).flat();
    const found = await read({ "scores.json": rows });
    expect([found.roles.item, found.roles.metric, found.roles.score, found.items]).toEqual([
      "traceId",
      "name",
      "value",
      10,
    ]);
  });

  it("Braintrust: scores and the model within the metadata", async () => {
    const lines = times(20, (i) =>
      JSON.stringify({
        id: `b${i}`,
        input: `question ${i % 10}`,
        output: "o",
        scores: { Factuality: i / 20 },
        metadata: { model: i < 10 ? "gpt-x" : "llama-y" },
      }),
    );
    const found = await read({ "experiment.jsonl": lines.join("\n") });
    expect([found.systems, found.roles.score]).toEqual([["gpt-x", "llama-y"], "scores.Factuality"]);
  });
});

describe("harnesses", () => {
  it("lighteval: totals of tasks with errors; the average over them is no task", async () => {
    const results = (acc: number) => ({
      config_general: { model_name: "m" },
      results: {
        "suite|arc|25": { acc, acc_stderr: 0.03 },
        "suite|boolq|0": { acc: acc + 0.1, acc_stderr: 0.04 },
        all: { acc: acc + 0.05, acc_stderr: 0.035 },
      },
      versions: {},
    });
    const found = await read({ "m1/results.json": results(0.4), "m2/results.json": results(0.5) });
    const { systems, tasks, pairs } = testTotals(found);
    expect([tasks, systems.map(({ name }) => name)]).toEqual([2, ["m2", "m1"]]);
    expect(systems[0]!.score).toBeCloseTo(0.55, 12);
    expect(systems[0]!.se).toBeCloseTo(0.05 / 2, 12);
    expect(pairs[0]!.difference).toBeCloseTo(0.1, 12);
  });

  it("lm-evaluation-harness: the metric that most tasks have, not a mixture of metrics", async () => {
    const results = (acc: number) => ({
      results: {
        arc: { "acc,none": acc, "acc_stderr,none": 0.01, "acc_norm,none": 0.9, "acc_norm_stderr,none": 0.01 },
        boolq: { "acc,none": acc + 0.1, "acc_stderr,none": 0.01 },
      },
      configs: { arc: {} },
      "n-samples": { arc: { effective: 100 }, boolq: { effective: 200 } },
      model_name: `org/m${acc}`,
    });
    const found = await read({ "a.json": results(0.4), "b.json": results(0.5) });
    expect(testTotals(found)).toMatchObject({ metric: "acc", higherIsBetter: true });
    expect(testTotals(found).systems[0]!.score).toBeCloseTo(0.55, 12);
    expect(testTotals(found, { metric: "acc_norm" }).systems[0]!.score).toBeCloseTo(0.9, 12);
  });

  it("MTEB: a task in a language is an item, in both layouts", async () => {
    const file = (task: string, scores: readonly number[]) => ({
      task_name: task,
      mteb_version: "1.18.0",
      scores: {
        validation: [{ hf_subset: "en", languages: ["eng-Latn"], main_score: 0.1 }],
        test: scores.map((main_score, i) => ({
          hf_subset: ["en", "de"][i],
          languages: ["x"],
          main_score,
          ndcg_at_1: 0.9,
        })),
      },
    });
    const found = await read({
      "results/org__small/0123456789abcdef0123/Intents.json": file("Intents", [0.5, 0.7]),
      "results/org__small/0123456789abcdef0123/Sorting.json": file("Sorting", [0.3]),
      "results/org__large/fedcba98765432100123/Intents.json": file("Intents", [0.6, 0.8]),
      "results/org__large/fedcba98765432100123/Sorting.json": {
        mteb_dataset_name: "Sorting",
        test: { main_score: 0.4 },
      },
    });
    expect(brief(found)).toEqual([2, 3, 1, "main_score"]);
    expect(means(found)["org__small"]).toBeCloseTo(0.5, 12);
    expect(means(found)["org__large"]).toBeCloseTo(0.6, 12);
  });
});

describe("code and agents", () => {
  it("Harbor: one file a trial; an exception is a failure, and their number is said", async () => {
    const trial = (agent: string, task: number, reward: number | undefined) => ({
      task_name: `task-${task}`,
      trial_name: `task-${task}__x`,
      agent_info: { name: agent, model_info: { name: "gpt-x" } },
      verifier_result: reward === undefined ? null : { rewards: { reward } },
      exception_info: reward === undefined ? { exception_type: "AgentTimeoutError" } : null,
    });
    const files = ["one", "two"].flatMap((agent) =>
      times(4, (i) => [`jobs/${agent}/t${i}/result.json`, trial(agent, i, i === 3 ? undefined : i % 2)] as const),
    );
    const found = await read(Object.fromEntries(files));
    expect(brief(found)).toEqual([2, 4, 1, "reward"]);
    expect(means(found)).toEqual({ "one gpt-x": 0.25, "two gpt-x": 0.25 });
    expect(found.assumptions).toContain(
      "2 of 8 trials ended in an exception without a reward: they count as failures.",
    );
  });

  it("tau-bench: the simulations, not the tasks that they were about", async () => {
    const found = await read({
      "tau.json": {
        info: { num_trials: 3 },
        tasks: times(4, (i) => ({ id: String(i), description: "d" })),
        simulations: times(12, (i) => ({
          id: `s${i}`,
          task_id: String(i % 4),
          trial: Math.floor(i / 4),
          reward_info: { reward: i % 2 },
          agent_cost: 0.1,
        })),
      },
    });
    expect(brief(found)).toEqual([0, 4, 3, "reward_info.reward"]);
  });

  it("SWE-bench: whether an item was resolved comes before whether the run was completed", async () => {
    const ids = times(10, (i) => `repo-${i}`);
    const report = (n: number) => ({
      completed_ids: ids.slice(1),
      submitted_ids: ids,
      resolved_ids: ids.slice(0, n),
      error_ids: [],
    });
    const found = await read({ "a/report.json": report(4), "b/report.json": report(6) });
    expect(brief(found)).toEqual([2, 10, 1, "resolved"]);
    expect(means(found)).toEqual({ a: 0.4, b: 0.6 });
  });
});
