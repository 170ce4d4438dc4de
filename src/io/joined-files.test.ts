/** Two files about the same outputs: joined on what names their rows, or refused. */
import { describe, expect, it } from "vitest";
import { importFiles } from "./import.ts";

describe("two files about the same outputs", () => {
  const file = (name: string, value: unknown): { name: string; bytes: Uint8Array } => ({
    name,
    bytes: new TextEncoder().encode(JSON.stringify(value)),
  });
  const keys = ["a", "b"].flatMap((model) => Array.from({ length: 30 }, (_, i) => ({ model, doc_id: `d${i}` })));
  const metrics = keys.map((key, i) => ({ ...key, bleu: (i * 7) % 23, rouge_1: ((i * 5) % 19) / 19 }));
  const human = keys.map((key, i) => ({ ...key, fluency: 1 + ((i * 3) % 5), comments: i % 4 }));

  it("are joined on what names them, in any order of rows, and what was done is said", async () => {
    const found = await importFiles([file("x/human.json", human), file("x/metrics.json", [...metrics].reverse())]);
    expect(found.table.rows).toBe(60);
    expect(found.assumptions[0]).toContain("joined on doc_id and model: 60 of 60 rows.");
    const column = (name: string): Float64Array => (found.table.columns.get(name) as { values: Float64Array }).values;
    expect([...column("bleu")]).toEqual(metrics.map(({ bleu }) => bleu));
    expect([...column("fluency")]).toEqual(human.map(({ fluency }) => fluency));
    expect(found).toMatchObject({ systems: ["a", "b"], items: 30 });
  });

  it("have what people said for the main score, in either order of the files", async () => {
    for (const files of [
      [file("x/human.json", human), file("x/metrics.json", metrics)],
      [file("x/metrics.json", metrics), file("x/human.json", human)],
      [file("x/a.json", metrics), file("x/b.json", human)],
    ]) {
      const found = await importFiles(files);
      expect([found.roles.score, found.metrics[0]?.name]).toEqual(["fluency", "fluency"]);
    }
  });

  it("under two names of the key, with several raters in one file, and of two formats", async () => {
    const csv = (name: string, lines: readonly string[]) => ({
      name,
      bytes: new TextEncoder().encode(lines.join("\n")),
    });
    const rated = keys.flatMap(({ model, doc_id }, i) =>
      ["ann", "ben"].map((rater) => `${doc_id},${model},${rater},${(i * (rater === "ann" ? 7 : 5)) % 11}`),
    );
    const people = csv("human.csv", ["document_id,system,annotator,adequacy", ...rated]);
    const found = await importFiles([file("metrics.json", metrics), people]);
    expect(found.assumptions.slice(0, 2)).toEqual([
      "metrics.json and human.csv were joined on doc_id (= document_id) and model (= system): 120 of 120 rows.",
      "A row of metrics.json stands beside each row of human.csv that it belongs to.",
    ]);
    expect(found).toMatchObject({ systems: ["a", "b"], items: 30, roles: { rater: "annotator" } });
    const cells = (name: string): Float64Array => (found.table.columns.get(name) as { values: Float64Array }).values;
    expect([...cells("bleu")]).toEqual(metrics.flatMap(({ bleu }) => [bleu, bleu]));
    expect(found.joined?.parts.map((part) => part.file)).toEqual(["metrics.json", "human.csv"]);
  });

  it("a measure of both is named by its file where one is people's; two runs of one kind are put under one another", async () => {
    const scored = (name: string, step: number) =>
      file(
        name,
        keys.map((key, i) => ({ ...key, score: (i * step) % 13 })),
      );
    const found = await importFiles([scored("bleu.json", 5), scored("human.json", 7)]);
    expect([...found.table.columns.keys()]).toEqual(["model", "doc_id", "bleu_score", "human_score"]);
    const runs = await importFiles([scored("run1.json", 5), scored("run2.json", 7)]);
    expect(runs.joined).toBeUndefined();
    expect(runs.table.rows).toBe(120);
  });

  it("are refused in one line where the key repeats in both, or where its values differ", async () => {
    const twice = <T>(rows: readonly T[]): T[] => [...rows, ...rows];
    await expect(importFiles([file("human.json", twice(human)), file("metrics.json", twice(metrics))])).rejects.toThrow(
      "doc_id and model repeats in human.json and in metrics.json",
    );
    const renamed = metrics.map(({ model, doc_id, ...own }) => ({
      model: `${model}-v2`,
      doc_id: `${doc_id}.txt`,
      ...own,
      extra: 1,
    }));
    const strange = human.map(({ model, doc_id, ...own }) => ({ model, doc_id, p: 1, q: 2, r: 3, s: 4, t: 5, ...own }));
    await expect(importFiles([file("human.json", strange), file("metrics.json", renamed)])).rejects.toThrow(
      /hardly a value in common \("(a|d0)" and "(a-v2|d0\.txt)"\)/,
    );
  });

  it("rows without a partner are counted; files that share no key are refused", async () => {
    const found = await importFiles([file("x/human.json", human.slice(0, 50)), file("x/metrics.json", metrics)]);
    expect(found.table.rows).toBe(50);
    expect(found.assumptions[0]).toContain("50 of 60 rows; 10 only in x/metrics.json, left out.");
    const other = metrics.map(({ bleu, rouge_1 }, i) => ({ bleu, rouge_1, line: i }));
    await expect(importFiles([file("x/human.json", human), file("x/metrics.json", other)])).rejects.toThrow(
      "different columns",
    );
  });
});
