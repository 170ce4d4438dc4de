import { describe, expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn } from "../data/table.ts";
import { score } from "./score-found.ts";
import { scoreText } from "./score-text.ts";

const systems = factorColumn(["a", "a", "a", "a", "b", "b", "b", "b"]);
const items = factorColumn(["1", "2", "3", "4", "1", "2", "3", "4"]);
const gold = factorColumn(["x", "x", "y", "y", "x", "x", "y", "y"]);
const predicted = factorColumn(["x", "x", "y", "x", "x", "y", "x", "y"]);
const labels = makeTable([
  ["system", systems],
  ["item", items],
  ["label", gold],
  ["predicted", predicted],
]);

describe("score", () => {
  it("takes labels for a metric of labels, whichever columns hold them", () => {
    const { systems: found } = score(labels, { metric: "accuracy" });
    expect(found.map(({ name, score: own }) => [name, own])).toEqual([
      ["a", 0.75],
      ["b", 0.5],
    ]);
    // precision 2/3, recall 1
    expect(score(labels, { metric: "f1", positive: "x" }).systems[0]!.score).toBeCloseTo(0.8, 12);
    expect(() =>
      score(
        makeTable([
          ["system", systems],
          ["n", numericColumn([1, 2, 3, 4, 5, 6, 7, 8])],
        ]),
        { metric: "f1" },
      ),
    ).toThrow(
      expect.objectContaining({ code: "NoLabels", fix: expect.stringContaining("option `gold` and option `pred`") }),
    );
  });

  it("takes BLEU for translations beside their reference", () => {
    const texts = ["the cat sat on the mat", "a dog ran in the park today"];
    const references = ["the cat sat on a mat", "the dog ran in the park today"];
    const table = makeTable([
      ["text", factorColumn(texts)],
      ["reference", factorColumn(references)],
    ]);
    const roles = {
      text: "text",
      reference: "reference",
      metrics: [],
      parameters: [],
      covariates: [],
      identifiers: [],
    };
    const found = score({ table, roles, metrics: [] });
    expect(found.metric).toBe("BLEU");
    expect(found.systems[0]!.score).toBe(scoreText(texts, [references]).systems[0]!.score);
  });

  it("averages the main score, and refuses to call any number an accuracy", () => {
    const table = makeTable([
      ["system", systems],
      ["item", items],
      ["score", numericColumn([1, 2, 3, 4, 2, 2, 2, 2])],
    ]);
    expect(score(table).systems.map((own) => own.score)).toEqual([2.5, 2]);
    expect(() => score(table, { metric: "accuracy" })).toThrow(/`metric` accuracy: the score column "score" holds 2/);
    expect(() => score(table, { metric: "bleu" })).toThrow(/needs references/);
    expect(() => score(table, { score: "scroe" })).toThrow(/no column "scroe"/);
  });
});

describe("items in documents", () => {
  const rows = Array.from({ length: 40 }, (_, i) => i);
  const table = (documents: number) =>
    makeTable([
      ["item", factorColumn(rows.map((i) => `i${i}`))],
      ["document", factorColumn(rows.map((i) => `d${i % documents}`))],
      ["accuracy", numericColumn(rows.map((i) => (i % 8 < 3 ? 0 : 1)))],
    ]);

  it("had intervals as of independent items, without a word of the documents", () => {
    const [found] = score(table(8)).diagnostics.filter(({ code }) => code === "ClustersIgnored");
    expect(found?.message).toContain("the 40 items lie in 8 levels of document");
    expect(score(table(40)).diagnostics.map(({ code }) => code)).not.toContain("ClustersIgnored");
  });
});
