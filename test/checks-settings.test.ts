/** Runs that differ in more than the model: every log that carries settings says so. */

import { describe, expect, it } from "vitest";
import { type Comparison, compare, type NamedImport } from "../src/index.ts";
import { lines, readFiles, readText, times, warned } from "./support/read-text.ts";

interface Setup {
  readonly model: string;
  readonly temperature: number;
  readonly shots: number;
}

const A: Setup = { model: "m-a", temperature: 0, shots: 0 };
const B: Setup = { model: "m-b", temperature: 0.7, shots: 5 };
const right = (i: number, { model }: Setup): boolean => (i * 7 + model.length + (model === "m-b" ? 3 : 0)) % 5 > 1;

const inspect = (own: Setup) =>
  readText(
    `${own.model}-${own.temperature}.json`,
    JSON.stringify({
      version: 2,
      status: "success",
      eval: {
        task: "arc",
        model: own.model,
        model_generate_config: { temperature: own.temperature, max_connections: own.shots + 7 },
        task_args: { shots: own.shots },
        scorers: [{ name: "match" }],
      },
      plan: { steps: [{ solver: own.shots === 0 ? "generate" : "basic_agent" }] },
      samples: times(30, (i) => ({
        id: i,
        epoch: 1,
        input: `q${i}`,
        scores: { match: { value: right(i, own) ? "C" : "I" } },
      })),
    }),
  );

const lmEval = (own: Setup) =>
  readFiles(own.model, {
    "results_1.json": JSON.stringify({
      results: { arc: { "acc,none": 0.5 } },
      model_name: own.model,
      "n-shot": { arc: own.shots },
      versions: { arc: 1 },
      config: {
        model_args: `pretrained=${own.model},dtype=float16`,
        gen_kwargs: { temperature: own.temperature },
        random_seed: own.shots,
      },
    }),
    "samples_arc.jsonl": lines(
      times(30, (i) =>
        JSON.stringify({
          doc_id: i,
          doc: {},
          doc_hash: `h${i}`,
          filter: "none",
          metrics: ["acc"],
          acc: +right(i, own),
        }),
      ),
    ),
  });

const helm = (own: Setup) =>
  readFiles(own.model, {
    "run_spec.json": JSON.stringify({
      name: `mmlu:model=${own.model}`,
      adapter_spec: {
        model: own.model,
        model_deployment: `x/${own.model}`,
        max_train_instances: own.shots,
        temperature: own.temperature,
      },
    }),
    "per_instance_stats.json": JSON.stringify(
      times(30, (i) => ({
        instance_id: `id${i}`,
        train_trial_index: 0,
        stats: [{ name: { name: "exact_match", split: "test" }, count: 1, mean: +right(i, own) }],
      })),
    ),
  });

const promptfoo = (...all: readonly Setup[]) =>
  readText(
    "results.json",
    JSON.stringify({
      evalId: "e",
      config: {
        providers: all.map((own) => ({
          id: own.model,
          config: { temperature: own.temperature, shots: own.shots, apiKey: undefined },
        })),
      },
      results: {
        version: 3,
        results: all.flatMap((own) =>
          times(30, (i) => ({
            provider: { id: own.model },
            prompt: { raw: "{{q}}" },
            promptIdx: 0,
            testIdx: i,
            vars: { q: `q${i}` },
            testCase: { vars: { q: `q${i}` }, assert: [{ type: "equals" }] },
            success: right(i, own),
            score: +right(i, own),
          })),
        ),
      },
    }),
  );

const settingsOf = (result: Comparison) =>
  (result.toJSON() as { settings?: { name: string; values: Record<string, string> }[] }).settings ?? [];
const told = (result: Comparison) => result.diagnostics.find(({ code }) => code === "SettingsDiffer");

const LOGS: [string, () => Promise<NamedImport[]>][] = [
  ["Inspect", async () => [await inspect(A), await inspect(B)]],
  ["lm-evaluation-harness", async () => [await lmEval(A), await lmEval(B)]],
  ["HELM", async () => [await helm(A), await helm(B)]],
  ["promptfoo", async () => [await promptfoo(A, B)]],
];

describe("runs with other settings", () => {
  it.each(LOGS)("%s: are compared with a warning that names the settings", async (_, read) => {
    const result = compare(await read());
    const found = Object.fromEntries(settingsOf(result).map(({ name, values }) => [name, values]));
    expect(found["temperature"]).toEqual({ "m-a": "0", "m-b": "0.7" });
    expect(found["shots"]).toEqual({ "m-a": "0", "m-b": "5" });
    // the model, the seed and how many calls ran at once are no settings of the comparison
    for (const name of ["model", "pretrained", "random_seed", "seed", "max_connections"])
      expect(found[name], name).toBeUndefined();
    expect(told(result)?.severity).toBe("warning");
    expect(told(result)?.message).toMatch(/^the runs differ in .*temperature \(m-a 0, m-b 0.7\)/);
    expect(result.toString()).toContain("the runs differ in");
  });

  it("has no such block for runs that are alike", async () => {
    for (const read of [inspect, lmEval, helm]) {
      const result = compare([await read(A), await read({ ...A, model: "m-b" })]);
      expect([told(result), settingsOf(result)]).toEqual([undefined, []]);
    }
    expect(told(compare(await promptfoo(A, { ...A, model: "m-b" })))).toBeUndefined();
  });

  it("compares the settings of one model", async () => {
    const result = compare([await inspect(A), await inspect({ ...A, temperature: 1 })]);
    expect([told(result)?.severity, told(result)?.message]).toEqual([
      "note",
      "the runs differ in temperature (m-a-0 0, m-a-1 1).",
    ]);
  });

  it("takes a run of the harness with other shots for another system", async () => {
    const [one, two] = [A, { ...A, shots: 5 }].map((own, k) => ({
      [`${k}/results_1.json`]: JSON.stringify({
        results: { arc: {} },
        model_name: own.model,
        "n-shot": { arc: own.shots },
        config: {},
      }),
      [`${k}/samples_arc.jsonl`]: lines(
        times(30, (i) =>
          JSON.stringify({ doc_id: i, doc_hash: `h${i}`, filter: "none", metrics: ["acc"], acc: +((i + k) % 3 > 0) }),
        ),
      ),
    }));
    const { imported } = await readFiles("runs", { ...one, ...two });
    expect([imported.systems, imported.repeats]).toEqual([["m-a", "m-a (2)"], 1]);
  });

  it("reads columns of a plain table where each system has one value", async () => {
    const rows = ["A", "B"].flatMap((model, s) =>
      times(30, (i) => `${model},q${i},${0.7 * s},${i % 2 ? "v1" : "v2"},${(i + s) % 2}`),
    );
    const result = compare(await readText("t.csv", lines(["model,id,temperature,version,correct", ...rows])));
    expect(settingsOf(result)).toEqual([{ name: "temperature", values: { A: "0", B: "0.7" } }]);
  });

  it.each([
    "k_shot",
    "max_gen_toks",
    "thinking_budget",
    "num_beams",
    "config.temperature",
    "params.seed",
    "eval_version",
  ])("names %s of each system", async (name) => {
    const rows = times(40, (i) => [`${i},A,${i % 3 ? 1 : 0},1`, `${i},B,${i % 4 ? 1 : 0},${i < 2 ? 1 : 8}`]).flat();
    const result = compare(await readText("s.csv", lines([`id,model,correct,${name}`, ...rows])));
    expect(warned(result)).toContain(`the runs differ in ${name} (A 1, B 8 in 95 % of its rows).`);
  });

  it("reads columns of two files without systems by the names of the files", async () => {
    const one = (shots: number) =>
      lines(["id,shots,correct", ...times(30, (i) => `q${i},${shots},${(i + shots) % 2}`)]);
    const result = compare([await readText("zero.csv", one(0)), await readText("five.csv", one(5))]);
    expect(settingsOf(result)).toEqual([{ name: "shots", values: { zero: "0", five: "5" } }]);
  });
});
