/** Shapes met in other people's result files, in small files of our own: what is understood, and what must not be said. */
import { describe, expect, it } from "vitest";
import type { Imported } from "../data/imported.ts";
import { compare } from "../significance/compare/compare.ts";
import { testTotals } from "../significance/totals/totals.ts";
import { meansBySystem } from "../study/score-facts.ts";
import { withToldRoles } from "../study/understand.ts";
import { importFiles } from "./import.ts";

const read = (files: Readonly<Record<string, string>>): Promise<Imported> =>
  importFiles(Object.entries(files).map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) })));
const csv = (...lines: readonly string[]): Promise<Imported> => read({ "d.csv": lines.join("\n") });
const json = (value: unknown): Promise<Imported> => read({ "d.json": JSON.stringify(value) });
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const means = ({ table, roles }: Imported): Record<string, number> =>
  Object.fromEntries(meansBySystem(table, roles, roles.score!).map(({ system, mean }) => [system, mean]));
const MODELS = ["gpt-x", "llama-y", "qwen-z"];

describe("leaderboards", () => {
  it("by benchmark: each share or percentage is a score, the average is the main one, and it is asked for", async () => {
    const rows = MODELS.map((Model, i) => ({ Model, Riddles: 71.5 - i, Sudoku: 31.2 + i, MMLU: 80.1, Average: 51.3 }));
    const found = await json(rows.map((row, i) => ({ ...row, Average: row.Average + i, MMLU: row.MMLU + i / 2 })));
    expect([found.systems.length, found.roles.score, found.roles.metrics.length]).toEqual([3, "Average", 4]);
    expect(() => testTotals(found)).toThrow(/is Average the score\?/);
  });

  it("an object keyed by model has systems for keys, never its measures", async () => {
    const totals = (i: number) => ({ rmse_mean: 0.5 + i, rmse_std: 0.1, r2_mean: 0.9 - i / 10, r2_std: 0.01 });
    const found = await json({ alpha: totals(0), beta: totals(1), gamma: totals(2) });
    expect([found.roles.system, found.roles.score, found.roles.wide]).toEqual(["key", "rmse_mean", []]);
    expect(found.metrics[0]!.higherIsBetter).toBe(false);
    expect(() => testTotals(found)).toThrow(/rmse_std is a standard deviation, but nothing says over how many/);
    const listed = await json(
      Object.fromEntries(
        MODELS.map((name, i) => [
          name,
          { link: `https://x/${i % 2}`, "pass@1": { humaneval: 60.5 + i, mbpp: 70 - i } },
        ]),
      ),
    );
    expect([listed.roles.system, listed.roles.wide.length, listed.roles.cluster]).toEqual(["key", 0, undefined]);
  });

  it("the number of puzzles is a number of items; an error in percent is not that of a share", async () => {
    const puzzles = await csv("Model,Puzzle Acc,Total Puzzles", "gpt-x,92.6,1000", "llama-y,71.2,1000", "old,3.1,16");
    expect(testTotals(puzzles).spread).toEqual({ kind: "share", columns: ["Total Puzzles"] });
    const shares = await csv("model,score,win_rate,standard_error", "gpt-x,0.22,14.1,1.04", "llama-y,0.31,21.3,1.25");
    expect(() => testTotals(shares)).toThrow(/nothing that says how far chance goes/);
  });

  it("models as columns and tasks as rows", async () => {
    const found = await csv(
      ",llama,mistral,zephyr",
      ...times(8, (i) => `task${i},0.${31 + i},0.${42 + i},0.${50 + i}`),
    );
    expect([found.roles.item, found.roles.wide]).toEqual(["column1", ["llama", "mistral", "zephyr"]]);
  });

  it("a report by class has no systems", async () => {
    const found = await csv(",precision,recall,f1-score,support", "cat,0.9,0.8,0.85,50", "dog,0.7,0.75,0.72,40");
    expect(found.roles.system).toBeUndefined();
    expect(found.diagnostics.map(({ message }) => message).join(" ")).toMatch(/a report by class/);
  });
});

describe("documents", () => {
  it("with results beside a list of models: the results are the rows, and a difficulty is no rating", async () => {
    const levels = ["easy", "medium", "hard"];
    const performances = times(24, (i) => ({
      question_id: `q${i % 12}`,
      model: MODELS[Math.floor(i / 12)],
      difficulty: levels[(i % 12) % 3],
      "pass@1": i % 3 ? 100 : 20,
    }));
    const found = await json({ performances, models: MODELS.slice(0, 2).map((name) => ({ name, link: "x" })) });
    expect([found.systems.length, found.items, found.roles.score]).toEqual([2, 12, "pass@1"]);
  });

  it("settings of the run are no scores", async () => {
    const found = await json(
      times(12, (i) => ({ question: `q ${i}`, answer: i, configs: { repetition_penalty: 1 + (i % 2), top_p: 0.9 } })),
    );
    expect(found.roles.metrics).toEqual([]);
  });
});

describe("votes", () => {
  it("of several raters in one row are as many votes", async () => {
    const votes = times(10, (i) => `${i},a,b,${i % 2 ? "model_1" : "model_2"},model_1,tie`);
    const found = await csv("question_id,model_1,model_2,winner1,winner2,winner3", ...votes);
    expect([found.roles.rater, found.table.rows, found.items]).toEqual(["rater", 60, 10]);
    expect(means(found)).toEqual({ a: (0.5 + 1 + 0.5) / 3, b: (0.5 + 0 + 0.5) / 3 });
  });

  it("the title of a survey is no item, the task of the workers is", async () => {
    const rows = times(12, (i) => `H${i % 4},Judge texts,w${i % 3},sysA,sysB,${i % 2 ? "A" : "B"}`);
    const found = await csv("HITId,Title,WorkerId,Input.systemA,Input.systemB,Answer.best", ...rows);
    expect([found.roles.item, found.items, found.roles.rater]).toEqual(["HITId", 4, "WorkerId"]);
  });

  it("questions to workers are no systems, and which of them is meant is asked", async () => {
    const rows = times(12, (i) => `${i % 4},${i % 2},${(i >> 1) % 2},0`);
    const found = await csv("Input.story_id,Answer.syntax.1,Answer.incoherence.1,Answer.incorrectness.1", ...rows);
    expect([found.roles.item, found.roles.wide, found.roles.score]).toEqual([
      "Input.story_id",
      [],
      "Answer.incoherence.1",
    ]);
  });
});

describe("cells and separators", () => {
  it("one row a system, one column a metric, all items in a cell", async () => {
    const scores = (k: number) => `"[${times(60, (i) => ((i * k) % 7) / 2).join(", ")}]"`;
    const found = await csv(
      "Model,Coherence,BLEU",
      ...MODELS.map((name, k) => `${name},${scores(k + 1)},${scores(k + 2)}`),
    );
    expect([found.systems.length, found.items, found.table.rows, found.roles.score]).toEqual([3, 60, 180, "Coherence"]);
  });

  it("draws of a bootstrap are no items", async () => {
    const draws = (k: number) => `"[${times(60, (i) => 1000 + i * k).join(", ")}]"`;
    const found = await csv("model,score,results", ...MODELS.map((name, k) => `${name},${1000 + k},${draws(k + 1)}`));
    expect([found.table.rows, found.items]).toEqual([3, 0]);
  });

  it("single spaces between fields, and fields without a header are no sentences", async () => {
    const rows = MODELS.flatMap((name) => times(6, (i) => `${name} -${i}.25 ${i + 1}`));
    const found = await read({ "a.tsv": ["system mqm_avg seg_id", ...rows].join("\n") });
    expect([found.systems.length, found.items, found.roles.score]).toEqual([3, 6, "mqm_avg"]);
    const fields = times(8, (i) => `t${i}  x:y  first  D-${i} ${i % 2}`).join("\n");
    await expect(read({ "prefs.test": fields })).rejects.toThrow(/5 fields in every line.*without a header, not text/);
  });
});

describe("what a search wrote down", () => {
  it("params are settings, user_attrs are not, and value takes the direction of what it goes with", async () => {
    const rows = times(12, (i) => `${i},${1 + i / 3},${0.001 * (i + 1)},${i % 3},${0.5 + i / 4},${0.95 - i / 20}`);
    const found = await csv("number,value,params_lr,params_depth,user_attrs_avg_mae,user_attrs_avg_r2", ...rows);
    expect(found.roles.parameters).toEqual(["params_lr", "params_depth"]);
    expect(found.metrics.find(({ name }) => name === "value")!.higherIsBetter).toBe(false);
  });

  it("folds stand behind their mean", async () => {
    const varied = await csv(
      "param_C,split0_test_score,mean_test_score,std_test_score",
      ...times(6, (i) => `${i % 2},0.9${i},0.8${i},0.05`),
    );
    expect(varied.roles.score).toBe("mean_test_score");
  });

  it("the main score is one that most rows have and that varies", async () => {
    const rows = times(9, (i) => `run${i},${i === 0 ? 53 : ""},${i > 1 ? 20 + i : ""}`);
    expect((await csv("run,accuracy,rougeL", ...rows)).roles.score).toBe("rougeL");
  });
});

it("scores that nothing but a word tells are asked for where another has as much for it", async () => {
  const rows = MODELS.flatMap((name, k) => times(8, (i) => `${name},q${i},${(i + k) % 4},${(i * k) % 3}`));
  const found = await csv("model,question_id,typing mistakes,wrong answers", ...rows);
  expect(found.guesses!.filter(({ role }) => role === "score").map(({ confidence }) => confidence)).toEqual([
    0.65, 0.65,
  ]);
  expect(() => compare([{ path: "d.csv", imported: found }])).toThrow(/is typing mistakes the score\?.*wrong answers/);
});

describe("two header rows", () => {
  it("are one header: systems over criteria are unrolled, and measures over mean and std are totals", async () => {
    const rows = times(8, (i) => `q${i},${1 + (i % 5)},${5 - (i % 5)},${1 + ((i + 2) % 5)},${1 + ((i * 2) % 5)}`);
    const rated = await csv("item,System A,,System B,", ",fluency,adequacy,fluency,adequacy", ...rows);
    expect([rated.systems, rated.items, rated.roles.metrics]).toEqual([
      ["System A", "System B"],
      8,
      ["fluency", "adequacy"],
    ]);
    expect(rated.assumptions[0]).toMatch(/first two rows are both header/);
    const totals = await csv(
      ",accuracy,accuracy,f1,f1",
      ",mean,std,mean,std",
      "model,,,,",
      "gpt-x,0.8,0.01,0.7,0.02",
      "b,0.7,0.02,0.6,0.01",
    );
    expect([totals.roles.system, totals.roles.score, totals.roles.metrics]).toEqual([
      "model",
      "accuracy.mean",
      ["accuracy.mean", "f1.mean"],
    ]);
  });

  it("a third line with one cell is a row too short, no index of theirs", async () => {
    const read = csv("item,A,,B,", ",f,g,f,g", "x", "1,2,3,4,5", "2,3,4,5,6", "3,4,5,6,7");
    await expect(read).rejects.toThrow("line 3: 1 field where 5 are expected");
  });

  it("a name that comes twice over numbers is no second header", async () => {
    const found = await csv("item,score,score", "a,1,2", "b,2,3", "c,3,3");
    expect([...found.table.columns.keys()]).toEqual(["item", "score", "score_2"]);
  });
});

it("one number for each system, task and language: a task in a language is an item", async () => {
  const rows = ["gpt-x", "llama-y"].flatMap((model, m) =>
    ["nli", "qa"].flatMap((task, t) =>
      ["de", "fr", "sw"].map((lang, l) => `${model},${task},${lang},0.${50 + 10 * m + 3 * t + l}`),
    ),
  );
  const found = await csv("model,task,language,accuracy", ...rows);
  expect([found.systems.length, found.items, found.repeats, found.roles.cluster]).toEqual([2, 6, 1, "task"]);
  const totals = await csv("model,task,language,accuracy,n", ...rows.map((row) => `${row},100`));
  expect(totals.items).toBe(0);
});

describe("roles that the caller names", () => {
  it("are taken, the others are guessed around them, and none takes a guess back", async () => {
    const rows = MODELS.flatMap((name, k) => times(6, (i) => `${name},a${i},${(i + k) % 4},${i * 2}`));
    const found = await csv("model,article,typing mistakes,length", ...rows);
    expect([found.roles.system, found.roles.item, found.roles.score]).toEqual(["model", "article", "typing mistakes"]);
    const told = withToldRoles(found, { score: "length", item: "none" });
    expect([told.roles.score, told.roles.item, told.items, told.roles.system]).toEqual([
      "length",
      undefined,
      0,
      "model",
    ]);
    expect(told.guesses!.find(({ column }) => column === "length")).toMatchObject({
      reason: "as you say",
      confidence: 1,
    });
    expect(() => withToldRoles(found, { item: "articel" })).toThrow(/no such column/);
  });
});
