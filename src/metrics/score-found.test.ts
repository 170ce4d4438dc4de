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

  it("have intervals over the documents: Wilson's with the answers that CR2's error is worth, and its df", () => {
    const found = score(table(8));
    expect(found.clusters).toEqual({ column: "document", levels: 8 });
    // whole documents are right or wrong: eight cluster means, three of them 0, se² = p(1-p)/7, qt(.975, 7)
    const [n, p, t] = [7, 5 / 8, 2.364624251592785];
    const center = (p + t ** 2 / (2 * n)) / (1 + t ** 2 / n);
    const half = (t * Math.sqrt((p * (1 - p)) / n + t ** 2 / (4 * n * n))) / (1 + t ** 2 / n);
    const { ci } = found.systems[0]!;
    expect([ci!.lower, ci!.upper]).toEqual([expect.closeTo(center - half, 10), expect.closeTo(center + half, 10)]);
    expect(found.toString().replace(/\s+/g, " ")).toContain("the 8 levels of document that items lie in are assumed");
  });

  it("are independent where a document has one item, or where option cluster says so", () => {
    for (const found of [score(table(40)), score(table(8), { cluster: "none" })]) {
      expect([found.clusters, found.systems[0]!.ci!.method]).toEqual([undefined, "Wilson"]);
      expect(found.diagnostics.map(({ code }) => code)).not.toContain("ClustersIgnored");
    }
  });

  it("in fewer than five found documents are warned of, and clustered where they are named", () => {
    expect(score(table(4)).diagnostics.map(({ code }) => code)).toContain("ClustersIgnored");
    expect(score(table(4), { cluster: "document" }).clusters?.levels).toBe(4);
  });

  it("have a jackknife over documents for metrics that are no means", () => {
    const labelled = makeTable([
      ...["item", "document"].map((name) => [name, table(8).columns.get(name)!] as const),
      ["gold", factorColumn(rows.map((i) => (i % 3 ? "x" : "y")))],
      ["predicted", factorColumn(rows.map((i) => (i % 8 < 5 === i % 3 > 0 ? "x" : "y")))],
    ]);
    const own = { gold: "gold", pred: "predicted", metric: "f1", positive: "x" } as const;
    const f1 = (keep: (i: number) => boolean): number => {
      const used = rows.filter(keep).map((i) => [i % 3 ? "x" : "y", i % 8 < 5 === i % 3 > 0 ? "x" : "y"] as const);
      const count = (g: string, p: string): number => used.filter(([x, y]) => x === g && y === p).length;
      return (2 * count("x", "x")) / (2 * count("x", "x") + count("x", "y") + count("y", "x"));
    };
    const left = Array.from({ length: 8 }, (_, d) => f1((i) => i % 8 !== d));
    const mean = left.reduce((sum, v) => sum + v, 0) / 8;
    const se = Math.sqrt((7 / 8) * left.reduce((sum, v) => sum + (v - mean) ** 2, 0));
    const { ci } = score(labelled, { ...own, cluster: "document" }).systems[0]!;
    expect(ci!.lower).toBeCloseTo(Math.max(0, f1(() => true) - 2.364624251592785 * se), 10);
  });
});
