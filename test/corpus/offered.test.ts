/** What a question offers: the likeliest columns first, none of a kind that answers it wrongly. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { answerComparison, type Imported, importFiles, measureAgreement } from "../../src/index.ts";
import type { Told } from "../../src/io.ts";
import { Question } from "../../src/study/tell.ts";

const here = dirname(fileURLToPath(import.meta.url));
const read = (path: string): Promise<Imported> =>
  importFiles([{ name: path, bytes: readFileSync(join(here, "published-tables", path)) }]);

/** The question, with its answers. */
function askedBy(answer: () => unknown): [string, readonly Told[]] {
  try {
    answer();
  } catch (error) {
    if (error instanceof Question) return [error.ask.id, error.ask.answers];
    throw error;
  }
  throw new Error("nothing is asked");
}

describe("compare offers", () => {
  it.each<[string, string, readonly Told[]]>([
    ["no cut-offs as items", "retrieval-at-cutoffs.csv", []],
    ["no splits as items", "results-by-split.csv", []],
    ["no days as items", "accuracy-by-day.csv", []],
    ["no steps of a training as items", "learning-curves.csv", []],
    ["languages as items of a long table", "metrics-by-language-long.csv", [{ item: "lang" }]],
    [
      "both columns that make an item",
      "segments-that-restart-in-each-document.csv",
      [{ run: "doc" }, { item: "seg,doc" }, { run: "rows" }],
    ],
    ["every model of a wide table, LR too", "models-in-columns-by-fold.csv", [{ systems: ["SVM", "RF", "LR"] }]],
    ["runs whose cells are names as systems", "measures-by-query-and-run.csv", [{ system: "run" }]],
    ["no golden answers as a system", "crowd-export-with-golden-answers.tsv", []],
    ["no preferences as systems", "preferences-for-a-place.csv", []],
    [
      "predictions beside gold labels",
      "annotations-beside-gold-wide.csv",
      [{ gold: "gold", pred: ["alice", "bob", "carol"] }],
    ],
  ])("%s", async (_, path, answers) => {
    const imported = await read(path);
    expect(askedBy(() => answerComparison(imported))[1]).toEqual(answers);
  });

  it("no average among the columns of items", async () => {
    const [leaderboard, languages] = await Promise.all(
      ["leaderboard-of-benchmarks-with-average.csv", "systems-by-language-with-average.csv"].map(read),
    );
    const first = (imported: Imported) => askedBy(() => answerComparison(imported))[1][0];
    expect(first(leaderboard!)).toEqual({ items: ["MMLU", "GSM8K", "HellaSwag", "ARC", "TruthfulQA", "Winogrande"] });
    expect(first(languages!)).toEqual({ items: ["de", "fr", "es", "ru", "zh", "ja", "cs"] });
  });

  it("values as scores, and not what says how sure they are", async () => {
    const imported = await read("means-with-plus-minus.csv");
    const [, answers] = askedBy(() => answerComparison(imported));
    expect(answers).toEqual(["CoLA", "SST-2", "MRPC", "Avg"].map((score) => ({ score })));
  });
});

describe("agreement offers", () => {
  it.each<[string, string, readonly Told[]]>([
    [
      "people, and not the gold labels beside them",
      "annotations-beside-gold-wide.csv",
      [{ raters: ["alice", "bob", "carol"] }],
    ],
    ["no criteria as raters", "criteria-of-three-systems-in-columns.csv", []],
    ["no benchmarks as raters", "leaderboard-of-benchmarks-with-average.csv", []],
    ["no limits of an interval as raters", "elo-with-limits.csv", []],
    ["the criterion as part of the item", "criteria-by-raters-long.csv", [{ item: "id,system,criterion" }]],
    ["words as labels", "preferences-for-a-place.csv", [{ score: "preference" }]],
    ["the document as part of the item", "segments-that-restart-in-each-document.csv", [{ item: "seg,sys,doc" }]],
  ])("%s", async (_, path, answers) => {
    const imported = await read(path);
    expect(askedBy(() => measureAgreement(imported))[1]).toEqual(answers);
  });
});
