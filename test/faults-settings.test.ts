/** Runs that differ in more than the model were compared without a word: every log that carries settings. */
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

const openai = (own: Setup) =>
  readText(
    `${own.model}.jsonl`,
    lines([
      JSON.stringify({
        spec: {
          completion_fns: [own.model],
          eval_name: "arc.dev.v0",
          run_config: {
            eval_spec: { args: { shots: own.shots } },
            completion_args: { temperature: own.temperature },
            seed: own.shots,
          },
        },
      }),
      ...times(30, (i) =>
        JSON.stringify({
          run_id: "r",
          event_id: i,
          sample_id: `arc.${i}`,
          type: "match",
          data: { correct: right(i, own) },
        }),
      ),
    ]),
  );

const everyEvalEver = (own: Setup) =>
  readFiles(own.model, {
    "a.json": JSON.stringify({
      schema_version: "0.3.0",
      evaluation_id: own.model,
      model_info: { id: own.model },
      eval_library: { name: "helm", version: "1" },
      evaluation_results: [
        {
          evaluation_name: "arc",
          metric_config: { metric_name: "accuracy", lower_is_better: false },
          generation_config: { generation_args: { temperature: own.temperature, shots: own.shots } },
          score_details: { score: 0.5 },
        },
      ],
    }),
    "a_samples.jsonl": lines(
      times(30, (i) =>
        JSON.stringify({
          schema_version: "0.3.0",
          evaluation_id: own.model,
          model_id: own.model,
          evaluation_name: "arc",
          sample_id: `s${i}`,
          interaction_type: "single_turn",
          input: { raw: `q${i}`, reference: "x" },
          answer_attribution: [],
          evaluation: { score: +right(i, own), is_correct: right(i, own) },
        }),
      ),
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
  ["OpenAI evals", async () => [await openai(A), await openai(B)]],
  ["Every Eval Ever", async () => [await everyEvalEver(A), await everyEvalEver(B)]],
  ["promptfoo", async () => [await promptfoo(A, B)]],
];

describe("runs with other settings", () => {
  it.each(LOGS)("%s: were compared without a word", async (_, read) => {
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

  it("runs that are alike have no such block", async () => {
    for (const read of [inspect, lmEval, helm, openai, everyEvalEver]) {
      const result = compare([await read(A), await read({ ...A, model: "m-b" })]);
      expect([told(result), settingsOf(result)]).toEqual([undefined, []]);
    }
    expect(told(compare(await promptfoo(A, { ...A, model: "m-b" })))).toBeUndefined();
  });

  it("one model with two settings: the settings are what is compared", async () => {
    const result = compare([await inspect(A), await inspect({ ...A, temperature: 1 })]);
    expect([told(result)?.severity, told(result)?.message]).toEqual([
      "note",
      "the runs differ in temperature (m-a-0 0, m-a-1 1).",
    ]);
  });

  it("the harness counted a run with other shots as a repeat of the first", async () => {
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

  it("columns of a plain table say it too, where each system has one value", async () => {
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
  ])("%s of each system went unsaid", async (name) => {
    const rows = times(40, (i) => [`${i},A,${i % 3 ? 1 : 0},1`, `${i},B,${i % 4 ? 1 : 0},${i < 2 ? 1 : 8}`]).flat();
    const result = compare(await readText("s.csv", lines([`id,model,correct,${name}`, ...rows])));
    expect(warned(result)).toContain(`the runs differ in ${name} (A 1, B 8 in 95 % of its rows).`);
  });

  it("a document that says how it was run beside its records was read without that", async () => {
    const part = (name: string, temperature: number, every: number) =>
      readText(
        `${name}.json`,
        JSON.stringify({
          config: { temperature, num_fewshot: 5, model: name },
          judge: temperature > 0 ? "gpt-4o" : "claude",
          results: times(40, (i) => ({ id: i, score: i % every ? 1 : 0 })),
        }),
      );
    const result = compare([await part("A", 0, 3), await part("B", 0.7, 4)]);
    expect(warned(result)).toContain("the runs differ in temperature (A 0, B 0.7), judge (A claude, B gpt-4o).");
    expect(warned(result)).not.toContain("PartRead");
  });

  it("columns of two files without systems say it by the names of the files", async () => {
    const one = (shots: number) =>
      lines(["id,shots,correct", ...times(30, (i) => `q${i},${shots},${(i + shots) % 2}`)]);
    const result = compare([await readText("zero.csv", one(0)), await readText("five.csv", one(5))]);
    expect(settingsOf(result)).toEqual([{ name: "shots", values: { zero: "0", five: "5" } }]);
  });
});

describe("assumptions of describe", () => {
  it("with three systems the answer did not say what was assumed", async () => {
    const rows = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"];
    for (const [s, system] of ["x", "y", "refA"].entries())
      for (let i = 0; i < 30; i++)
        for (const rater of ["r1", "r2"])
          rows.push(
            `${system}\td${i % 6}\t${i % 6}\t${i}\t${rater}\tsource ${i}\ttarget\tAccuracy/Omission\t${(i + s) % 3 ? "Minor" : "Major"}`,
          );
    const result = compare(await readText("mqm.tsv", lines(rows)));
    const { assumed } = result.toJSON() as { assumed: string[] };
    for (const part of ["Major 5, Minor 1", "refA reads like a human reference", "hang together"]) {
      expect(
        assumed.some((line) => line.includes(part)),
        part,
      ).toBe(true);
      expect(result.toString().replaceAll(/\s+/g, " ")).toContain(part);
    }
  });

  it("an interval of MQM reached above 0, where no score is", async () => {
    const rows = ["x", "y"].flatMap((system, s) =>
      times(12, (i) => `${system},q${i},${i === 3 + s ? -24 : i % 4 ? 0 : -1}`),
    );
    const result = compare(await readText("m.csv", lines(["system,item,mqm", ...rows])), { test: "model" });
    for (const { upper } of result.systems) expect(upper).toBeLessThanOrEqual(0);
  });
});
