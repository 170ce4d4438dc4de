import { describe, expect, it } from "vitest";
import type { Imported } from "../../data/imported.ts";
import { meansBySystem } from "../../study/score-facts.ts";
import { importFiles } from "../import.ts";

const read = (files: Readonly<Record<string, unknown>>): Promise<Imported> =>
  importFiles(
    Object.entries(files).map(([name, value]) => ({ name, bytes: new TextEncoder().encode(JSON.stringify(value)) })),
  );
const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, i) => `pallets__flask-${from + i}`);
const means = ({ table, roles }: Imported): Record<string, number> =>
  Object.fromEntries(meansBySystem(table, roles, roles.score!).map(({ system, mean }) => [system, mean]));

describe("SWE-bench", () => {
  const report = (resolved: string[]) => ({
    total_instances: 12,
    submitted_instances: 10,
    resolved_instances: resolved.length,
    completed_ids: ids(1, 8),
    incomplete_ids: ids(11, 12),
    empty_patch_ids: ids(9, 9),
    submitted_ids: ids(1, 10),
    resolved_ids: resolved,
    unresolved_ids: ids(1, 8).filter((id) => !resolved.includes(id)),
    error_ids: ids(10, 10),
    schema_version: 2,
  });

  it("reads a run's report over what was submitted: errors and empty patches are not resolved", async () => {
    const found = await read({ "gpt.run1.json": report(ids(1, 4)), "claude.run1.json": report(ids(1, 6)) });
    expect(found.format).toBe("swe-bench");
    expect([found.items, found.repeats, found.roles.system, found.roles.item, found.roles.score]).toEqual([
      10,
      1,
      "system",
      "item",
      "resolved",
    ]);
    expect(means(found)).toEqual({ "gpt.run1": 0.4, "claude.run1": 0.6 });
    expect(found.metrics[0]!.higherIsBetter).toBe(true);
    expect(found.assumptions.join(" ")).toMatch(/submitted.*2 instances of the data set had no prediction/);
  });

  const submission = (resolved: string[]) => ({ no_generation: ids(40, 41), no_logs: [], resolved });

  it("reads submissions over the benchmark that their folder names", async () => {
    const found = await read({
      "verified/20240620_a/results/results.json": submission(ids(1, 20)),
      "verified/20240721_b/results/results.json": submission(ids(11, 40)),
      "verified/20240721_b/results/resolved_by_repo.json": { "pallets/flask": { resolved: 30, total: 500 } },
    });
    expect([found.items, means(found)]).toEqual([500, { "20240620_a": 0.04, "20240721_b": 0.06 }]);
    expect(found.assumptions.join(" ")).toMatch(/the 500 instances of the benchmark .*; 459 of them/);
  });

  it("without a benchmark counts over what some file names, and says that proportions are too high", async () => {
    const found = await read({ "a/results.json": submission(ids(1, 20)), "b/results.json": submission(ids(11, 40)) });
    expect([found.items, means(found)]).toEqual([41, { a: 20 / 41, b: 30 / 41 }]);
    expect(found.diagnostics.map(({ code }) => code)).toContain("UnlistedInstances");
    await expect(read({ "results.json": { ...submission(ids(1, 20)), no_generation: [] } })).rejects.toThrow(
      /lists 20 resolved instances and not those that were tried/,
    );
  });

  it("reads earlier submissions, which list every instance with a patch", async () => {
    const early = { ...submission(ids(1, 3)), generated: ids(1, 8), with_logs: ids(1, 8), applied: ids(1, 7) };
    const found = await read({ "a.json": early });
    expect([found.items, means(found)]).toEqual([10, { a: 0.3 }]);
  });

  it("reads single instances: details of a run, and one report a folder", async () => {
    const details = Object.fromEntries(ids(1, 4).map((id, i) => [id, { cost: 0.1, api_calls: 9, resolved: i < 1 }]));
    expect(means(await read({ "mini/per_instance_details.json": details }))).toEqual({ mini: 0.25 });
    const single = (id: string, resolved: boolean) => ({ [id]: { patch_exists: true, resolved, tests_status: {} } });
    const files = ids(1, 4).flatMap((id, i) => [
      [`run/a/${id}/report.json`, single(id, i < 2)],
      [`run/b/${id}/report.json`, single(id, i < 3)],
    ]);
    expect(means(await read(Object.fromEntries(files)))).toEqual({ a: 0.5, b: 0.75 });
  });
});
