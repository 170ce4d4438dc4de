/** Rating sheets as people keep them, each by what was said of it before. */
import { describe, expect, it } from "vitest";
import { compare } from "../src/significance/compare/compare.ts";
import { csv, means, said, times } from "./support/shapes.ts";

const rate = (i: number, k: number): number => 1 + ((i * 3 + k * 2 + (i >> 2)) % 5);

describe("words that raters chose", () => {
  const sheet = (words: readonly string[], name = "quality") =>
    csv(
      `segment,system,annotator,${name}`,
      ...times(48, (i) => `s${i >> 2},${"PQ"[i % 2]},r${(i >> 1) % 2},${words[rate(i, i % 2) % words.length]}`),
    );

  it("degrees of a property were labels, and compare said that no system is named", async () => {
    const found = await sheet(["not fluent", "slightly fluent", "fluent", "very fluent"], "fluency");
    expect(found.roles.score).toBe("fluency");
    expect(said(found)).toContain("1 = not fluent, 2 = slightly fluent, 3 = fluent, 4 = very fluent");
  });

  it("words nobody can put in order are asked for, in a table that has systems", async () => {
    const found = await sheet(["crimson", "teal", "ochre"]);
    expect(() => compare(found)).toThrow(/quality holds words \(.*crimson.*\), and nothing says which of them is more/);
  });

  it("4 - Good is told as 4 = Good, not as 4 = 4 - Good", async () => {
    const found = await sheet(["1 - Bad", "2 - Poor", "3 - Fair", "4 - Good", "5 - Excellent"]);
    expect(said(found)).toContain("4 = Good");
    expect(said(found)).not.toContain("= 4 -");
  });

  it("grades with signs are grade points", async () => {
    const found = await sheet(["B+", "A-", "C", "A"]);
    expect(said(found)).toContain("2 = C, 3.3 = B+, 3.7 = A-, 4 = A");
  });

  it("what a step means stands behind it", async () => {
    const found = await sheet(["Bad - cannot be understood", "Fair - some errors", "Good - few errors"]);
    expect(found.roles.score).toBe("quality");
  });

  it("degrees of something else than a score leave the score of the table alone", async () => {
    const noise = ["not noisy", "slightly noisy", "very noisy"];
    const found = await csv(
      "item,system,room,accuracy",
      ...times(24, (i) => `s${i >> 1},${"PQ"[i % 2]},${noise[i % 3]},${i % 2}`),
    );
    expect([found.roles.score, found.roles.metrics]).toEqual(["accuracy", ["accuracy"]]);
  });
});

describe("raters in the header", () => {
  const rows = (own: (i: number) => string): string[] => times(16, own);

  it("a1_fluency, a2_fluency are two annotators, of whom one was compared", async () => {
    const found = await csv(
      "id,model,a1_fluency,a1_adequacy,a2_fluency,a2_adequacy",
      ...rows((i) => `${i >> 1},${"PQ"[i % 2]},${times(4, (k) => rate(i, k)).join(",")}`),
    );
    expect([found.roles.rater, found.roles.metrics, found.table.rows]).toEqual(["rater", ["fluency", "adequacy"], 32]);
  });

  it("Lynx_Ann, Orca_Ann beside Lynx_Bob, Orca_Bob were two raters by the name of Ann", async () => {
    const cells = rows((i) => `${i},${times(4, (k) => rate(i, k)).join(",")}`);
    const asked = await csv("item,Lynx_Ann,Orca_Ann,Lynx_Bob,Orca_Bob", ...cells);
    expect(() => compare(asked)).toThrow(/cross Lynx, Orca with Ann, Bob/);
    const known = await csv("item,Ann: GPT-4o,Ann: Llama-3,Bob: GPT-4o,Bob: Llama-3", ...cells);
    expect([known.systems, known.roles.rater]).toEqual([["GPT-4o", "Llama-3"], "rater"]);
  });

  it("votes under names of people were a rater called Ann", async () => {
    const votes = ["A", "B", "tie"];
    const found = await csv(
      "prompt,Ann,Bob,Cleo",
      ...rows((i) => `p${i},${times(3, (k) => votes[(i + k * (i % 3)) % 3]).join(",")}`),
    );
    const raters = found.table.columns.get("rater") as { levels: readonly string[] };
    expect([raters.levels, found.systems]).toEqual([
      ["Ann", "Bob", "Cleo"],
      ["A", "B"],
    ]);
  });

  it("Fluency [Lynx] was a system with brackets", async () => {
    const found = await csv(
      "item,rater,Fluency [Lynx],Adequacy [Lynx],Fluency [Orca],Adequacy [Orca]",
      ...rows((i) => `${i >> 1},r${i % 2},${times(4, (k) => rate(i, k)).join(",")}`),
    );
    expect(found.systems).toEqual(["Lynx", "Orca"]);
  });
});

describe("preferences without columns of systems", () => {
  it("Model 1 much better was no score at all", async () => {
    const words = ["Model 1 much better", "Model 1 slightly better", "About the same", "Model 2 slightly better"];
    const found = await csv("prompt,annotator,verdict", ...times(32, (i) => `p${i >> 1},r${i % 2},${words[i % 4]}`));
    expect(found.systems).toEqual(["Model 1", "Model 2"]);
    // 8 of each: 16 wins and 8 ties of 32
    expect(means(found)["Model 1"]).toBeCloseTo(20 / 32, 12);
    expect(said(found)).toContain("By how much one is better in verdict is not counted");
  });

  it("votes that were swapped were counted for the place", async () => {
    // B is always preferred, wherever it stood
    const found = await csv(
      "prompt,annotator,swapped,preference",
      ...times(32, (i) => `p${i >> 1},r${i % 2},${i % 4 < 2},${i % 8 === 7 ? "tie" : i % 4 < 2 ? "A" : "B"}`),
    );
    expect(means(found).B).toBeCloseTo(30 / 32, 12);
    expect(said(found)).not.toContain("does not say whose");
  });

  it("B>>A names the second side as A<<B does", async () => {
    const found = await csv(
      "prompt,model_a,model_b,label",
      ...times(24, (i) => `p${i},Lynx,Orca,${["B>>A", "B>A", "A=B"][i % 3]}`),
    );
    expect(means(found).Orca).toBeCloseTo((8 + 8 + 4) / 24, 12);
  });
});

describe("best-worst scaling and rankings", () => {
  const orders = ["abcd", "bacd", "dabc", "badc"];
  const at = (i: number, k: number): string => `s${orders[i % 4]![k]}`;
  const place = (i: number, system: string): number => orders[i % 4]!.indexOf(system) + 1;

  it.each([
    ["best,worst", (i: number) => `${at(i, 0)},${at(i, 3)}`],
    ["opt1,opt2,opt3,opt4,most,least", (i: number) => `sa,sb,sc,sd,${at(i, 0)},${at(i, 3)}`],
    ["sa,sb,sc,sd", (i: number) => [..."abcd"].map((own) => ["best", "", "", "worst"][place(i, own) - 1]).join(",")],
    ["sa,sb,sc,sd", (i: number) => [..."abcd"].map((own) => [1, 0, 0, -1][place(i, own) - 1]).join(",")],
  ])("%s held no score", async (head, cells) => {
    const found = await csv(`trial,annotator,${head}`, ...times(24, (i) => `t${i >> 1},r${i % 2},${cells(i)}`));
    expect([found.systems, found.roles.score, found.table.rows]).toEqual([["sa", "sb", "sc", "sd"], "best_worst", 96]);
    expect(means(found)).toEqual({ sa: 0.25, sb: 0.5, sc: -0.5, sd: -0.25 });
    expect(found.metrics[0]?.higherIsBetter).toBe(true);
    if (!head.startsWith("opt")) expect(found.roles.item).toBe("trial");
  });

  it.each([
    ["1st,2nd,3rd,4th", (i: number) => times(4, (k) => at(i, k)).join(",")],
    ["first,second,third,fourth", (i: number) => times(4, (k) => at(i, k)).join(",")],
    ["sa,sb,sc,sd", (i: number) => [..."abcd"].map((own) => place(i, own)).join(",")],
    ["sa,sb,sc,sd", (i: number) => [..."abcd"].map((own) => ["1st", "2nd", "3rd", "4th"][place(i, own) - 1]).join(",")],
    ["ranking", (i: number) => times(4, (k) => at(i, k)).join(" > ")],
  ])("%s as places held no score", async (head, cells) => {
    const found = await csv(`doc,judge,${head}`, ...times(24, (i) => `d${i >> 1},r${i % 2},${cells(i)}`));
    expect([found.systems, found.roles.score, found.roles.item]).toEqual([["sa", "sb", "sc", "sd"], "rank", "doc"]);
    expect(means(found)).toEqual({ sa: 1.75, sb: 1.75, sc: 3.5, sd: 3 });
    expect(found.metrics[0]?.higherIsBetter).toBe(false);
  });

  it("ranks below each other on documents held no score", async () => {
    const found = await csv(
      "doc,judge,system,rank",
      ...times(96, (i) => `d${i >> 3},r${(i >> 2) % 2},s${"abcd"[i % 4]},${place(i >> 2, "abcd"[i % 4]!)}`),
    );
    expect([found.roles.score, found.roles.item]).toEqual(["rank", "doc"]);
  });

  it("ratings that are all different in a few rows are no places", async () => {
    const found = await csv(
      "item,rater,x,y,z",
      ...times(12, (i) => `i${i},r,${rate(i, 0)},${rate(i, 1)},${rate(i, 2)}`),
    );
    expect(found.roles.score).not.toBe("rank");
  });
});

describe("rows and cells that are no results", () => {
  const rows = times(24, (i) => `${i >> 1},${["old", "new"][i % 2]},${i % 3 === 0 ? 1 : 0}`);
  const sums = ["old", "new"].map((own) => rows.filter((row) => row.endsWith(`${own},1`)).length);

  it("the total of each system was an item of its own", async () => {
    const found = await csv("id,system,correct", ...rows, `Total,old,${sums[0]}`, `Total,new,${sums[1]}`);
    expect([found.items, found.table.rows]).toEqual([12, 24]);
    expect(said(found)).toContain("The last 2 rows (id: Total) sum up those above and are left out.");
    // a word that sums nothing up stays
    const word = await csv("id,system,correct", ...rows, "Total,old,1", "Total,new,0");
    expect(word.items).toBe(13);
  });

  it("empty rows at the end were repeats of an item", async () => {
    const found = await csv("id,system,correct,,", ...rows.map((row) => `${row},,`), ",,,,", ",,,,");
    expect([found.items, found.repeats, found.table.rows]).toEqual([12, 1, 24]);
    expect(said(found)).toContain("The last 2 rows are empty and left out.");
  });

  it("85.2 (0.5) was a text", async () => {
    const sets = ["squad", "boolq", "rte", "cola", "sst", "mnli"];
    const found = await csv(
      "system,dataset,accuracy",
      ...sets.flatMap((set, j) => [`old,${set},${70 + j}.1 (0.${j + 2})`, `new,${set},${73 + j}.4 (0.${j + 3})`]),
    );
    expect(found.roles.score).toBe("accuracy");
    expect(said(found)).toContain("accuracy holds values with a number in brackets behind them");
    // another score in brackets is none of its own
    const other = await csv(
      "system,dataset,accuracy",
      ...sets.flatMap((set, j) => [`old,${set},70.1 (69.${j})`, `new,${set},71.${j} (70.2)`]),
    );
    expect(other.roles.score).toBeUndefined();
  });

  it("GPT-4 (acc) was measured by (acc)", async () => {
    const found = await csv("qid,GPT-4 (acc),Llama-3 (acc)", ...times(12, (i) => `q${i},${i % 2},${i % 3 ? 1 : 0}`));
    expect([found.roles.score, found.systems]).toEqual(["acc", ["GPT-4", "Llama-3"]]);
  });
});
