import { describe, expect, it } from "vitest";
import type { Imported, InputFile } from "../../data/imported.ts";
import type { NumericColumn } from "../../data/table.ts";
import { importFiles } from "../import.ts";

const file = (name: string, value: unknown): InputFile => ({
  name,
  bytes: new TextEncoder().encode(JSON.stringify(value)),
});
const numbers = (imported: Imported, name: string): number[] => [
  ...(imported.table.columns.get(name) as NumericColumn).values,
];
const stat = (name: string, mean: number | undefined, split = "test"): object => ({
  name: { name, split },
  count: mean === undefined ? 0 : 1,
  sum: mean ?? 0,
  ...(mean === undefined ? {} : { mean }),
});
const instance = (id: string, score: number | undefined, change: object = {}): object => ({
  instance_id: id,
  train_trial_index: 0,
  stats: [
    stat("num_prompt_tokens", 10),
    stat("batch_size", 1),
    stat("exact_match", score),
    stat("exact_match@5", score),
  ],
  ...change,
});
const spec = (model: string): object => ({
  name: `mmlu:subject=law,model=${model.replace("/", "_")}`,
  adapter_spec: { model },
  groups: ["mmlu"],
});
const run = (
  folder: string,
  model: string,
  instances: readonly object[],
  totals: readonly object[] = [],
): InputFile[] => [
  file(`${folder}/run_spec.json`, spec(model)),
  file(`${folder}/scenario.json`, { name: "mmlu", definition_path: "x" }),
  file(`${folder}/stats.json`, totals.length > 0 ? totals : [stat("exact_match", 0.5)]),
  file(`${folder}/per_instance_stats.json`, instances),
];

describe("HELM runs", () => {
  it("pairs run folders of several models on the instance", async () => {
    const log = await importFiles([
      ...run("r/one", "org/a", [instance("id1", 1), instance("id2", 0)]),
      ...run("r/two", "org/b", [instance("id1", 0), instance("id2", 1)]),
    ]);
    expect(log.format).toBe("helm");
    expect(log.systems).toEqual(["org/a", "org/b"]);
    expect([log.items, log.repeats]).toEqual([2, 1]);
    expect(numbers(log, "exact_match")).toEqual([1, 0, 0, 1]);
    expect(log.metrics.map((metric) => metric.name)).toEqual(["exact_match", "exact_match_5"]);
    expect(log.table.columns.has("batch_size")).toBe(false);
    expect(log.diagnostics).toEqual([]);
  });

  it("gives perturbed rows their own level and keeps trials as repeats", async () => {
    const log = await importFiles(
      run(
        "one",
        "org/a",
        [
          instance("id1", 1),
          instance("id1", 0, { perturbation: { name: "typos" } }),
          instance("id1", 1, { train_trial_index: 1 }),
          instance("id2", undefined),
        ],
        [stat("exact_match", 1)],
      ),
    );
    const perturbation = log.table.columns.get("perturbation");
    expect(perturbation?.kind === "factor" && perturbation.levels).toEqual(["none", "typos"]);
    expect(log.roles.perturbation).toBe("perturbation");
    expect(log.repeats).toBe(2);
    expect(numbers(log, "exact_match")).toEqual([1, 0, 1, Number.NaN]);
    expect(log.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["UnscoredInstances"]);
  });

  it("says when stats.json disagrees with the instances", async () => {
    const log = await importFiles(run("one", "org/a", [instance("id1", 1)], [stat("exact_match", 0.25)]));
    expect(log.diagnostics[0]?.message).toMatch(/exact_match 0.25 on split test, the instances give 1/);
  });

  it("names the model from the folder when run_spec.json is missing", async () => {
    const log = await importFiles([
      file("boolq,model=x_y/per_instance_stats.json", [instance("id1", 1), instance("id2", 0)]),
    ]);
    expect(log.systems).toEqual(["x_y"]);
    expect(log.assumptions[0]).toMatch(/No run_spec/);
  });

  it("asks for the instances when only totals are there", async () => {
    await expect(importFiles(run("one", "a", []).slice(0, 3))).rejects.toThrow(/no per_instance_stats/);
  });
});
