import { describe, expect, it } from "vitest";
import type { Column } from "../data/table.ts";
import { importFiles } from "../io/import.ts";
import { mergeImported, type NamedImport } from "./merge.ts";

async function read(path: string, text: string): Promise<NamedImport> {
  const name = path.replace(/^.*\//, "");
  return { path, imported: await importFiles([{ name, bytes: new TextEncoder().encode(text) }]) };
}

const cells = (of: Column | undefined): (string | number | undefined)[] =>
  of?.kind === "factor" ? [...of.codes].map((code) => of.levels[code]) : [...(of?.values ?? [])];

/** An Inspect log of one model: right and wrong by item. */
const inspect = (model: string, letters: string): string =>
  JSON.stringify({
    version: 2,
    status: "success",
    eval: { model, task: "sums", created: "2025-01-01T00:00:00+00:00", scorers: [{ name: "match" }] },
    results: { scores: [{ name: "match", metrics: { accuracy: { name: "accuracy" } } }] },
    samples: [...letters].map((value, i) => ({
      id: `q${i + 1}`,
      epoch: 1,
      input: `question ${i + 1}`,
      target: "x",
      metadata: { parity: i % 2 === 0 ? "even" : "odd" },
      scores: value === "-" ? {} : { match: { value } },
    })),
  });

describe("merging files", () => {
  it("keeps systems apart by their names, in the order of the files", async () => {
    const merged = mergeImported([
      await read("runs/z.json", inspect("zeta", "CIC")),
      await read("runs/a.json", inspect("alpha", "CCC")),
    ]);
    expect(merged.systems).toEqual(["zeta", "alpha"]);
    expect(cells(merged.table.columns.get("system"))).toEqual(["zeta", "zeta", "zeta", "alpha", "alpha", "alpha"]);
    expect(cells(merged.table.columns.get("match"))).toEqual([1, 0, 1, 1, 1, 1]);
    expect(merged.roles).toMatchObject({ system: "system", item: "item", score: "match" });
    expect(merged.roles.covariates).toContain("parity");
    expect(merged.metrics[0]).toMatchObject({ name: "match", higherIsBetter: true });
  });

  it("takes the same model in two files for two runs, named after the files", async () => {
    const merged = mergeImported([
      await read("before/run.json", inspect("gpt", "CIC")),
      await read("after/new.json", inspect("gpt", "CCC")),
    ]);
    expect(merged.systems).toEqual(["run", "new"]);
    const alike = mergeImported([
      await read("before/run.json", inspect("gpt", "CIC")),
      await read("after/run.json", inspect("gpt", "CCC")),
    ]);
    expect(new Set(alike.systems).size).toBe(2);
  });

  it("names a table without systems after its file, and joins columns that mean the same", async () => {
    const merged = mergeImported([
      await read("base.csv", "question_id,correct\n1,0\n2,1\n3,1\n"),
      await read("new.jsonl", '{"item":1,"correct":1}\n{"item":2,"correct":1}\n{"item":3,"correct":0}\n'),
    ]);
    expect(merged.systems).toEqual(["base", "new"]);
    expect(cells(merged.table.columns.get("item")).map(String)).toEqual(["1", "2", "3", "1", "2", "3"]);
    expect(cells(merged.table.columns.get("correct"))).toEqual([0, 1, 1, 1, 1, 0]);
  });

  it("joins two formats on one score each, and keeps missing scores missing", async () => {
    const merged = mergeImported([
      await read("log.json", inspect("gpt", "C-I")),
      await read("table.csv", "system,item,accuracy\nother,q1,1\nother,q2,0\nother,q3,1\n"),
    ]);
    expect(merged.systems).toEqual(["gpt", "other"]);
    expect(merged.metrics.map(({ name }) => name)).toEqual(["score"]);
    expect(cells(merged.table.columns.get("score"))).toEqual([1, Number.NaN, 0, 1, 0, 1]);
  });

  it("refuses files without a common score, and names what each has", async () => {
    const parts = [
      await read("a.csv", "system,item,accuracy,f1\nx,1,1,0.5\nx,2,0,0.25\nx,3,1,0.75\n"),
      await read("b.csv", "system,item,bleu,ter\ny,1,10.5,0.5\ny,2,20.5,0.25\ny,3,30.5,0.75\n"),
    ];
    expect(() => mergeImported(parts)).toThrow(/no score in common \(a\.csv: .*accuracy.*; b\.csv: .*bleu/);
  });

  it("counts verdicts as 1 and 0", async () => {
    const part = await read("one.csv", "system,item,verdict\na,1,pass\na,2,fail\nb,1,fail\nb,2,pass\n");
    expect(cells(mergeImported([part]).table.columns.get("verdict"))).toEqual([1, 0, 0, 1]);
  });

  it("leaves one file as it is", async () => {
    const part = await read("one.csv", "system,item,score\na,1,0.5\nb,1,0.25\n");
    expect(mergeImported([part]).table).toBe(part.imported.table);
  });
});
