/** What the screens say of files of other people's projects, as their owners would read it. */
import { describe, expect, it } from "vitest";
import { compare, describeImported, type Imported, importFiles, score } from "../src/index.ts";
import { times } from "./support/shapes.ts";

const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
const csv = (...lines: readonly string[]) => importFiles([file("t.csv", lines.join("\n"))]);
const numbers = (cells: unknown): number[] => [...(cells as { values: Float64Array }).values];
const screen = (imported: Imported): string =>
  String(describeImported(imported, { target: "t.csv", available: new Set(["compare", "score", "fit lm"]) })).replace(
    /\s+/g,
    " ",
  );

describe("the description of a file", () => {
  it("warns of no scales where a weak system's total is below 1 % and another's above 20", async () => {
    const found = await csv(
      "model,test_cases,pass_rate,pass_num",
      "ada-mini,225,0.9,2",
      "bob-large,225,22.7,51",
      "cy-large,225,52.0,117",
    );
    expect(screen(found)).toContain("Which systems differ in pass_rate");
    expect(screen(found)).not.toMatch(/no verdict|share a scale/);
  });

  it("does not call each file a system where folders are systems and files their runs", async () => {
    const records = (shift: number): string =>
      JSON.stringify({ results: times(6, (i) => ({ task_id: `t${i}`, is_resolved: (i + shift) % 3 === 0 })) });
    const found = await importFiles(
      ["ada/run_1", "ada/run_2", "bob/run_1", "bob/run_2"].map((path, i) => file(`x/${path}/results.json`, records(i))),
    );
    expect(found.systems).toEqual(["ada", "bob"]);
    expect(found.roles.repeat).toBe("run");
    expect(screen(found)).not.toMatch(/[Ee]ach file is taken as one system/);
    expect(screen(found)).toContain("Each level of file is taken as one system");
  });

  it("shows the ends of ids and counts as they are, not rounded", async () => {
    const found = await csv("unit_id,score", ...times(9, (i) => `${1468391946 + 650 * i},${i % 4}`));
    expect(screen(found)).toContain("1468391946 to 1468397146");
  });

  it("calls one level constant", async () => {
    const found = await csv("system,item,tainted,score", ...times(8, (i) => `s${i % 2},${i >> 1},False,${i}`));
    expect(screen(found)).toMatch(/tainted constant/);
  });

  it("takes no column that few rows fill, and no measure is called, for a score beside ratings", async () => {
    const found = await csv(
      "unit,worker,sys1,quality1,copy_of1,sys2,quality2,copy_of2",
      ...times(24, (i) => `u${i % 8},w${i >> 3},A,${50 + i},${i === 3 ? 2 : ""},B,${40 + i},${i === 5 ? 7 : ""}`),
    );
    expect(found.metrics.map(({ name }) => name)).toEqual(["quality"]);
  });
});

describe("what a column is, by what stands beside it", () => {
  it("takes the rows of an ablation for systems, not BLEU-1 and BLEU-4", async () => {
    const found = await csv(
      "variant,n_skipped,BLEU-1,BLEU-4,ROUGE-L,BLEU-corpus,consistency_rate",
      "plain,0,0.131,0.017,0.133,0.014,0.36",
      "short,0,0.126,0.014,0.132,0.011,0.36",
      "full,0,0.127,0.014,0.130,0.012,0.46",
    );
    expect(found.systems).toEqual(["plain", "short", "full"].sort());
    expect(found.roles.wide).toEqual([]);
    // nothing names the rows: the measures are still no systems
    const bare = await csv(
      "x,bleu_1,bleu_4,bleu_corpus",
      ...times(6, (i) => `t${i},0.${i + 1}1,0.0${i + 1},0.0${i + 2}`),
    );
    expect(bare.roles.wide).toEqual([]);
    // one measure of two systems stays a pair of systems
    const pair = await csv("class,AUC_Ada,AUC_Bob", ...times(8, (i) => `c${i},0.6${i},0.7${i}`));
    expect(pair.roles.wide).toEqual(["AUC_Ada", "AUC_Bob"]);
  });

  it("takes named runs of one table for what is compared", async () => {
    const found = await csv(
      "Run,accuracy,f1_macro,f1_weighted",
      "Plain CE,0.64,0.5,0.6",
      "Focal,0.62,0.4,0.6",
      "Both,0.66,0.4,0.7",
    );
    expect(found.roles).toMatchObject({ system: "Run", score: "accuracy" });
    expect(found.items).toBe(0);
  });

  it("names repeats by the list of seeds, which is no score", async () => {
    const lines = times(8, (i) =>
      JSON.stringify({
        model: i % 2 ? "ada" : "bob",
        task_id: `t${i >> 1}`,
        seeds: [0, 1, 2],
        seed_accuracies: [0.1 * i, 0.2, 0.3],
      }),
    );
    const found = await importFiles([file("t.jsonl", lines.join("\n"))]);
    expect(found.metrics.map(({ name }) => name)).toEqual(["seed_accuracies"]);
    expect(found.roles.repeat).toBe("repeat");
    expect(found.table.columns.get("repeat")).toMatchObject({ levels: ["0", "1", "2"] });
    expect(found.assumptions.join(" ")).toContain("column repeat has their seeds");
  });

  it("takes what was asked for as the item where id starts again in each of them", async () => {
    const rows = times(
      96,
      (i) => `thing ${i % 12},${["ada", "bob"][Math.floor(i / 48)]},${Math.floor(i / 12) % 4},${i % 5}`,
    );
    const found = await csv("name,model,id,correctness", ...rows);
    expect(found.roles).toMatchObject({ item: "name", repeat: "id", system: "model" });
    expect([found.items, found.repeats]).toEqual([12, 4]);
    // the same numbers under two kinds are items of a kind
    const kinds = await csv("category,model,id,correctness", ...rows);
    expect(kinds.roles.item).not.toBe("category");
  });

  it("counts rows by their ids where a question comes again in other contexts", async () => {
    const found = await csv(
      "example_id,question,context,label",
      ...times(20, (i) => `${i},who was it ${i % 3 === 0 ? i : 0}?,context number ${i},${i % 3}`),
    );
    expect(found.roles.item).toBe("example_id");
    expect([found.items, found.repeats]).toEqual([20, 1]);
  });
});

describe("a file without a header", () => {
  const line = (i: number): string =>
    `${8000 + i}\tsource text ${i}\ttarget text ${i}\t[${i % 2}, 0, ${i % 3}]\t${i % 2 ? "ERR" : "NOT"}`;

  it("keeps its first row, and the lists in it are ratings", async () => {
    const found = await importFiles([file("t.tsv", times(30, line).join("\n"))]);
    expect(found.summary).toBe("A table of 30 rows and 5 columns, unrolled to 90 rows.");
    expect(found.assumptions.join(" ")).toContain("so the file has no header: its columns are called column1, column2");
    expect(found.roles).toMatchObject({ rater: "rater", score: "column4" });
    const long = times(30, (i) => line(i).replace("source text", `source text ${"of many words ".repeat(8)}`));
    expect((await importFiles([file("t.tsv", long.join("\n"))])).table.rows).toBe(90);
  });

  it("is none where years head the columns or a program wrote the header again", async () => {
    const years = await csv("country,2019,2020", ...times(8, (i) => `land${i},${i},${i + 1}`));
    expect([...years.table.columns.keys()]).toContain("2019");
    const again = await csv("Model,Gender,7", ...times(9, (i) => (i % 3 ? `a,f,${i}` : "Model,Gender,7")));
    expect([...again.table.columns.keys()]).toEqual(["Model", "Gender", "7"]);
  });
});

describe("two systems in one row", () => {
  const names = ["ada", "bob", "cy"];
  const pair = (i: number): string => `${names[i % 3]},${names[(i + 1) % 3]}`;

  it.each([
    ["rating", 1, 7],
    ["preference", 0, 4],
  ])("that %s grades from %i to %i: no score of either, and asked for", async (name, from, to) => {
    const grades = to - from + 1;
    const imported = await csv(
      `prompt_id,model_a,model_b,${name}`,
      ...times(60, (i) => `p${i},${pair(i)},${from + (i % grades)}`),
    );
    expect(imported.roles.score).toBeUndefined();
    expect(screen(imported)).not.toContain("is better");
    expect(() => compare([{ path: "t.csv", imported }])).toThrow(
      `${name} grades model_a against model_b from ${from} to ${to}, and the file does not say which end is whose`,
    );
  });

  it("are votes where 1 and 2 name the side and 0 neither, in a table and in records", async () => {
    const winner = (i: number): number => [1, 2, 0, 1][i % 4]!;
    const table = await csv("prompt_id,model_a,model_b,winner", ...times(12, (i) => `p${i},${pair(i)},${winner(i)}`));
    const records = times(12, (i) => ({
      prompt_id: `p${i}`,
      model_a: names[i % 3],
      model_b: names[(i + 1) % 3],
      winner: winner(i),
    }));
    const json = await importFiles([file("t.json", JSON.stringify(records))]);
    for (const found of [table, json]) {
      expect(numbers(found.table.columns.get("score")).slice(0, 8)).toEqual([1, 0, 0, 1, 0.5, 0.5, 1, 0]);
      expect(found.assumptions.join(" ")).toContain(
        "1 in winner is taken as a vote for model_a, 2 for model_b, and 0 as a tie",
      );
    }
  });

  const answers = (i: number): string => `tell me about ${i % 20},an answer about ${i},another about ${i}`;

  it("are what a column of pairs names, voted on by each annotator", async () => {
    const found = await csv(
      "idx,pair,instruction,response1,response2,annotator1,annotator2",
      ...times(60, (i) => `${i},${names[i % 3]}-v1_${names[(i + 1) % 3]}-v1,${answers(i)},${1 + (i % 2)},${i % 3}`),
    );
    expect(found.systems).toEqual(["ada-v1", "bob-v1", "cy-v1"]);
    expect(found.roles).toMatchObject({ rater: "rater", opponent: "opponent" });
    expect(found.table.rows).toBe(240);
    // row 0: the first annotator votes for ada-v1, the second for nobody
    expect(numbers(found.table.columns.get("score")).slice(0, 2)).toEqual([1, 0]);
  });

  it("are known where columns beside the answers name them", async () => {
    const found = await csv(
      "instruction,output_1,generator_1,output_2,generator_2,preference",
      ...times(40, (i) => `ask ${i},an answer about ${i},ada,another about ${i},bob,${1 + (i % 2)}`),
    );
    expect(found.systems).toEqual(["ada", "bob"]);
    expect(found.assumptions.join(" ")).not.toContain("does not say which systems");
  });

  it("are unknown where only their answers are there: labels without a direction", async () => {
    const found = await csv(
      "id,instruction,response1,response2,annotator1,annotator2",
      ...times(60, (i) => `${i},${answers(i)},${1 + (i % 2)},${i % 3}`),
    );
    expect(screen(found)).not.toContain("is better");
    expect(found.table.columns.get("rating")).toMatchObject({ kind: "factor" });
    expect(found.assumptions.join(" ")).toContain(
      "1 and 2 are taken as preferences for response1 and response2, and 0 as a tie",
    );
  });
});

describe("what is no score", () => {
  it("are the means beside p-values of tests that were made", async () => {
    const imported = await csv(
      "hypothesis,metric,baseline_mean,proposed_mean,test_used,test_statistic,p_value_one_sided",
      "H1,waste_rate,0.038,0.008,paired t,10.1,0.0001",
      "H2,fill_rate,0.71,0.77,paired t,4.2,0.0004",
      "H3,minutes,29.9,3.9,wilcoxon,465,0.0001",
    );
    expect(imported.roles.wide).toEqual([]);
    expect(() => compare([{ path: "t.csv", imported }])).toThrow("the table holds the results of tests");
    // a correlation with its p is a score of a system
    const kept = await csv("system,spearman,p_value", "ada,0.7,0.01", "bob,0.6,0.02", "cy,0.8,0.001");
    expect(kept.roles).toMatchObject({ system: "system", score: "spearman" });
  });

  it("is what was predicted, without what is right", async () => {
    const lines = (shift: number): string =>
      times(20, (i) => JSON.stringify({ id: `${i}`, prediction: 2.5 + ((i + shift) % 7) / 3 })).join("\n");
    const imported = await importFiles([file("x/ada.jsonl", lines(0)), file("x/bob.jsonl", lines(2))]);
    expect(imported.metrics).toEqual([]);
    expect(() => compare([{ path: "x", imported }])).toThrow("prediction holds what was predicted");
  });

  it("has no direction by a plain name in a file that is called after an error", async () => {
    const lines = ["Method,Overall performance", "ada,34.9", "bob,66.8", "cy,50.1"].join("\n");
    const named = await importFiles([file("rmse_evaluation.csv", lines)]);
    expect(named.metrics).toEqual([{ name: "Overall performance", label: "Overall performance" }]);
    expect((await importFiles([file("evaluation.csv", lines)])).metrics[0]?.higherIsBetter).toBe(true);
  });
});

it("totals of classes are no items in a score", async () => {
  const imported = await csv(
    "model,class,precision,recall,support",
    ...times(8, (i) => `${i % 2 ? "ada" : "bob"},c${i >> 1},0.${70 + i},0.${60 + i},50`),
  );
  const told = String(score(imported)).replace(/\s+/g, " ");
  expect(told).toContain("2 systems, 4 tasks");
  expect(told).not.toMatch(/\bitems are\b/);
});
