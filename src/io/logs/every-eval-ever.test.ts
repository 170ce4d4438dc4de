import { describe, expect, it } from "vitest";
import type { Imported, InputFile } from "../../data/imported.ts";
import type { NumericColumn } from "../../data/table.ts";
import { importFiles } from "../import.ts";

const file = (name: string, text: string): InputFile => ({ name, bytes: new TextEncoder().encode(text) });
const numbers = (imported: Imported, name: string): number[] => [
  ...(imported.table.columns.get(name) as NumericColumn).values,
];
const instance = (model: string, id: string, score: unknown, change: object = {}): string =>
  JSON.stringify({
    schema_version: "0.3.0",
    evaluation_id: "e",
    model_id: model,
    evaluation_name: "bench",
    sample_id: id,
    sample_hash: `h${id}`,
    interaction_type: "single_turn",
    input: { raw: "q", reference: ["a"] },
    evaluation: { score, is_correct: score === 1 },
    metadata: { subject: "law" },
    ...change,
  });
const aggregate = (rows: number): string =>
  JSON.stringify({
    schema_version: "0.3.0",
    evaluation_id: "e",
    model_info: { id: "org/a", name: "a" },
    evaluation_results: [
      {
        evaluation_name: "bench",
        metric_config: { metric_name: "wer", lower_is_better: true },
        score_details: { score: 0.75 },
      },
    ],
    detailed_evaluation_results: { total_rows: rows },
  });

describe("Every Eval Ever", () => {
  it("names the metric and its direction from the aggregate", async () => {
    const log = await importFiles([
      file("u.json", aggregate(2)),
      file("u_samples.jsonl", [instance("org/a", "1", 1), instance("org/a", "2", 0.25)].join("\n")),
    ]);
    expect(log.format).toBe("every-eval-ever");
    expect(log.metrics[0]).toEqual({ name: "wer", label: "wer", higherIsBetter: false });
    expect(numbers(log, "wer")).toEqual([1, 0.25]);
    expect(numbers(log, "is_correct")).toEqual([Number.NaN, 0]);
    expect(log.diagnostics).toEqual([]);
  });

  it("pairs models, counts repeats and missing rows", async () => {
    const log = await importFiles([
      file("u.json", aggregate(9)),
      file(
        "u_samples.jsonl",
        [
          instance("A", "1", 1),
          instance("A", "1", 0),
          instance("A", "2", null, { evaluation: {} }),
          '{"sample_id',
        ].join("\n"),
      ),
      file("v_samples.jsonl", [instance("B", "1", 1), instance("B", "2", 1)].join("\n")),
    ]);
    expect(log.systems).toEqual(["A", "B"]);
    expect([log.items, log.repeats]).toEqual([2, 2]);
    expect(log.diagnostics.map((diagnostic) => diagnostic.code)).toEqual([
      "MissingSamples",
      "UnreadableRecords",
      "UnscoredSamples",
    ]);
  });

  it("reads the standard errors of totals where a record states them", async () => {
    const stated = (model: string, se: number | undefined): string => {
      const value = JSON.parse(aggregate(0));
      value.model_info = { id: model, name: model };
      if (se !== undefined) value.evaluation_results[0].score_details.uncertainty = { standard_error: { value: se } };
      return JSON.stringify(value);
    };
    const both = await importFiles([file("a.json", stated("a", 0.02)), file("b.json", stated("b", undefined))]);
    expect(numbers(both, "standard_error")).toEqual([0.02, Number.NaN]);
    const none = await importFiles([file("a.json", stated("a", undefined))]);
    expect(none.table.columns.has("standard_error")).toBe(false);
  });

  it("reads an aggregate alone as totals", async () => {
    const log = await importFiles([file("u.json", aggregate(1))]);
    expect(numbers(log, "score")).toEqual([0.75]);
    expect(log.items).toBe(0);
  });
});
