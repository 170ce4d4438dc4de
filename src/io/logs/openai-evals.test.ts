import { describe, expect, it } from "vitest";
import type { Imported, InputFile } from "../../data/imported.ts";
import type { NumericColumn } from "../../data/table.ts";
import { importFiles } from "../import.ts";

const file = (name: string, records: readonly object[]): InputFile => ({
  name,
  bytes: new TextEncoder().encode(records.map((one) => JSON.stringify(one)).join("\n")),
});
const numbers = (imported: Imported, name: string): number[] => [
  ...(imported.table.columns.get(name) as NumericColumn).values,
];
const spec = (model: string): object => ({ spec: { completion_fns: [model], eval_name: "arith.dev.v0", run_id: "r" } });
const event = (id: string | null, type: string, data: object): object => ({
  run_id: "r",
  event_id: 1,
  sample_id: id,
  type,
  data,
  created_at: "x",
});

describe("OpenAI evals", () => {
  it("joins match and metrics events of a sample and checks the final report", async () => {
    const log = await importFiles([
      file("a.jsonl", [
        spec("gpt-a"),
        event("s.0", "sampling", { prompt: "x" }),
        event("s.0", "match", { correct: true, expected: "1", picked: "1" }),
        event("s.0", "metrics", { f1: 0.5, note: "no number" }),
        event("s.1", "match", { correct: false }),
        { final_report: { accuracy: 0.5 } },
      ]),
      file("b.jsonl", [
        spec("gpt-b"),
        event("s.0", "match", { correct: false }),
        event("s.1", "match", { correct: true }),
        { final_report: { accuracy: 0.9 } },
      ]),
    ]);
    expect(log.format).toBe("openai-evals");
    expect(log.systems).toEqual(["gpt-a", "gpt-b"]);
    expect(log.items).toBe(2);
    expect(numbers(log, "match")).toEqual([1, 0, 0, 1]);
    expect(numbers(log, "f1")).toEqual([0.5, Number.NaN, Number.NaN, Number.NaN]);
    expect(log.diagnostics.map((diagnostic) => diagnostic.message)).toEqual([
      "b.jsonl: the final report gives accuracy 0.9, the events give 0.5.",
    ]);
  });

  it("takes a second match of a sample as a repeat, and counts errors and events without sample", async () => {
    const log = await importFiles([
      file("a.jsonl", [
        event("s.0", "match", { correct: true }),
        event("s.0", "match", { correct: false }),
        event("s.1", "error", {}),
        event(null, "match", { correct: true }),
      ]),
    ]);
    expect(log.repeats).toBe(2);
    expect(numbers(log, "match")).toEqual([1, 0, Number.NaN]);
    expect(log.diagnostics.map((diagnostic) => diagnostic.code)).toEqual([
      "UnfinishedRun",
      "ErroredSamples",
      "NoSampleId",
    ]);
  });
});
