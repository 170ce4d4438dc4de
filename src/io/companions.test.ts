import { expect, it } from "vitest";
import { companionsIn } from "./companions.ts";

it("finds the parts of one run, whichever of them is named", () => {
  const helm = companionsIn(() => ["stats.json", "run_spec.json", "notes.json", "scenario.json"]);
  expect(helm("stats.json")).toEqual(["run_spec.json", "scenario.json"]);
  const logs = companionsIn(() => [
    "samples_a_2024-01-02.jsonl",
    "samples_b_2024-01-02.jsonl",
    "results_2024-01-02.json",
    "results_2024-01-03.json",
    "results.csv",
  ]);
  expect(logs("samples_a_2024-01-02.jsonl")).toEqual(["results_2024-01-02.json"]);
  expect(logs("results_2024-01-02.json")).toEqual(["samples_a_2024-01-02.jsonl", "samples_b_2024-01-02.jsonl"]);
  expect(logs("results.csv")).toEqual([]);
});

it("lists a folder once for all its logs and not at all for tables: two hundred of fifty thousand took 8 s", () => {
  let listed = 0;
  const companions = companionsIn(() => {
    listed += 1;
    return ["results_2024-01-02.json", "results_2024-01-03.json"];
  });
  for (let i = 0; i < 3; i++) expect(companions(`table-${i}.csv`)).toEqual([]);
  expect(listed).toBe(0);
  for (let i = 2; i < 5; i++) companions(`samples_a_2024-01-0${i}.jsonl`);
  expect(listed).toBe(1);
});
