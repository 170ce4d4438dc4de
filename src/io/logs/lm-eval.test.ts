import { describe, expect, it } from "vitest";
import type { Imported, InputFile } from "../../data/imported.ts";
import type { NumericColumn } from "../../data/table.ts";
import { importFiles } from "../import.ts";

const numbers = (imported: Imported, name: string): number[] => [
  ...(imported.table.columns.get(name) as NumericColumn).values,
];
const file = (name: string, text: string): InputFile => ({ name, bytes: new TextEncoder().encode(text) });

const sample = (id: number, score: unknown, change: object = {}): object => ({
  doc_id: id,
  doc: { problem: `p${id}`.repeat(50), level: `Level ${id % 2}`, words: id },
  target: "3",
  arguments: { gen_args_0: {} },
  resps: [["x"]],
  filtered_resps: ["x"],
  filter: "none",
  metrics: ["exact_match"],
  doc_hash: `h${id}`,
  prompt_hash: `q${id}`,
  exact_match: score,
  ...change,
});
const lines = (...records: readonly object[]): string =>
  `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;
const results = (model: string, effective = 3): string =>
  JSON.stringify({
    results: { math: { alias: "math", "exact_match,none": 0.5, "exact_match_stderr,none": 0.1 } },
    "n-samples": { math: { original: effective, effective } },
    higher_is_better: { math: { exact_match: true } },
    config: { model: "hf", model_args: `pretrained=${model},dtype=float`, random_seed: 0, numpy_seed: 1234 },
  });
const DATE = "2026-01-21T03-44-18.458309";

describe("lm-evaluation-harness", () => {
  it("takes the model and the seeds from the results file of the same folder", async () => {
    const log = await importFiles([
      file(`m1/samples_math_${DATE}.jsonl`, lines(sample(0, 1), sample(1, 0), sample(2, 1))),
      file(`m1/results_${DATE}.json`, results("org/m1")),
      file(`m2/samples_math_${DATE}.jsonl`, lines(sample(0, 0), sample(1, 0), sample(2, 1))),
      file(`m2/results_${DATE}.json`, results("org/m2")),
    ]);
    expect(log.format).toBe("lm-eval");
    expect(log.systems).toEqual(["org/m1", "org/m2"]);
    expect([log.items, log.repeats]).toEqual([3, 1]);
    expect(numbers(log, "exact_match")).toEqual([1, 0, 1, 0, 0, 1]);
    expect(log.metrics).toEqual([{ name: "exact_match", label: "exact_match", higherIsBetter: true }]);
    expect(log.roles.covariates).toEqual(["level", "words"]);
    expect(log.assumptions.join(" ")).toMatch(/random_seed 0, numpy_seed 1234/);
    expect(log.diagnostics).toEqual([]);
  });

  it("makes one metric per filter and one row per document", async () => {
    const log = await importFiles([
      file(
        "samples_gsm8k.jsonl",
        lines(
          sample(0, 1, { filter: "strict-match" }),
          sample(0, 0, { filter: "flexible-extract" }),
          sample(1, 0, { filter: "strict-match" }),
          sample(1, 1, { filter: "flexible-extract" }),
        ),
      ),
    ]);
    expect(log.table.rows).toBe(2);
    expect(log.metrics.map((metric) => metric.name)).toEqual([
      "exact_match.strict_match",
      "exact_match.flexible_extract",
    ]);
    expect(numbers(log, "exact_match.flexible_extract")).toEqual([0, 1]);
    expect(log.assumptions[0]).toMatch(/No results file/);
  });

  it("keeps apart documents with the same id and another hash", async () => {
    const log = await importFiles([
      file("a/samples_math.jsonl", lines(sample(0, 1))),
      file("b/samples_math.jsonl", lines(sample(0, 1, { doc_hash: "other" }))),
    ]);
    expect(log.systems).toEqual(["a", "b"]);
    expect(log.items).toBe(2);
    expect(log.diagnostics.map((diagnostic) => diagnostic.code)).toContain("SameIdOtherContent");
  });

  it("warns of other prompts and of missing documents, and counts what is no score", async () => {
    const log = await importFiles([
      file("a/samples_math.jsonl", lines(sample(0, 1), sample(1, null), sample(2, [1.5, 3]))),
      file("a/results_x.json", results("A", 5)),
      file(
        "b/samples_math.jsonl",
        `${lines(sample(0, 1, { prompt_hash: "z" }), sample(1, 1), sample(2, 1))}{"doc_id": 3, "do`,
      ),
      file("b/results_x.json", results("B", 3)),
    ]);
    const found = Object.fromEntries(log.diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.message]));
    expect(found["MissingSamples"]).toMatch(/3 of the 5 documents/);
    expect(found["PromptsDiffer"]).toMatch(/^1 document /);
    expect(found["UnreadableRecords"]).toMatch(/^1 record .*b\/samples_math.jsonl, line 4/);
    expect(found["NotPerItem"]).toMatch(/exact_match/);
    expect(found["UnscoredSamples"]).toMatch(/^2 samples/);
    expect(numbers(log, "exact_match")).toEqual([1, Number.NaN, Number.NaN, 1, 1, 1]);
  });

  it("reads a results file alone as totals", async () => {
    const log = await importFiles([file(`results_${DATE}.json`, results("org/m"))]);
    expect(log.items).toBe(0);
    expect(numbers(log, "score")).toEqual([0.5]);
    expect(numbers(log, "stderr")).toEqual([0.1]);
    expect(log.diagnostics[0]?.code).toBe("TotalsOnly");
  });

  it("numbers a second run of the same model", async () => {
    const log = await importFiles([
      file("samples_math_2026-01-01T00-00-00.jsonl", lines(sample(0, 1))),
      file("results_2026-01-01T00-00-00.json", results("A", 1)),
      file("samples_math_2026-01-02T00-00-00.jsonl", lines(sample(0, 0))),
      file("results_2026-01-02T00-00-00.json", results("A", 1)),
    ]);
    expect(log.repeats).toBe(2);
    expect(numbers(log, "run")).toEqual([1, 2]);
  });
});
