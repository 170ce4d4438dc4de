/** Small files of our own in the shapes that people publish: what is read, and what is said about it. */
import { describe, expect, it } from "vitest";
import { csv, json, means, read, said, times } from "../../test/support/shapes.ts";
import { meansBySystem } from "../data/roles/score-facts.ts";
import { asFactor, type Table } from "../data/table.ts";
import { importFiles } from "./import.ts";

const raters = ({ table }: { readonly table: Table }): number =>
  new Set(asFactor(table.columns.get("rater")!).codes).size;

describe("documents", () => {
  it("an object keyed by item, with lists as text beside the annotators' names", async () => {
    const found = await json(
      Object.fromEntries(
        times(6, (i) => [String(i + 1), { text: `t ${i}`, annotations: `0,${i % 2},1`, annotators: "Ann1,Ann2,Ann3" }]),
      ),
    );
    expect([found.items, found.roles.item, found.roles.rater, found.table.rows]).toEqual([6, "key", "rater", 18]);
    expect(found.metrics[0]).toEqual({ name: "annotations", label: "annotations" });
    expect(said(found)).toMatch(/one entry a key.*in the order of annotators/);
  });

  it("answers by the names of raters who change from item to item, which were one text, and shares of labels six systems", async () => {
    const shares = (i: number) => ({ "1": (i % 4) / 4, "2": 1 - (i % 4) / 4, "3": 0, "4": 0 });
    const entry = (i: number, names: readonly string[], listed: boolean) => ({
      text: { context: `c ${i}` },
      ...(listed ? { annotators: names.join(",") } : {}),
      annotations: Object.fromEntries(names.map((name, k) => [name, String(1 + ((i + k) % 4))])),
      soft_label: shares(i),
    });
    const document = (name: (k: number) => string, listed: boolean) =>
      Object.fromEntries(
        times(30, (i) => [`k${i}`, entry(i, [name(3 * i), name(3 * i + 1), name(3 * i + 2)], listed)]),
      );
    for (const [name, listed] of [
      [(k: number) => `P-${k % 45}x`, true],
      [(k: number) => `Ann${k % 45}`, false],
    ] as const) {
      const found = await json(document(name, listed));
      expect([found.systems.length, found.items, found.roles.item, found.roles.rater]).toEqual([0, 30, "key", "rater"]);
      expect([found.table.rows, raters(found), found.roles.score]).toEqual([90, 45, "annotations"]);
      expect(found.table.columns.get("annotations")?.kind).toBe("numeric");
      expect(said(found)).toContain("what each rater said, by name");
    }
  });

  it("a list of references beside the results is none, and a limit of errors no score", async () => {
    const submission = {
      model_name: "m",
      references: [{ title: "A card", url: "https://example.org/card", type: "model_card" }],
      results: {
        shop: { pass_1: 82.4, pass_2: 75.1 },
        flight: { pass_1: 56, pass_2: 41.5 },
        phone: { pass_1: 34, pass_2: 20.5 },
      },
    };
    const found = await json(submission);
    expect([found.table.rows, found.metrics.map(({ name }) => name)]).toEqual([3, ["pass_1", "pass_2"]]);
    // the only list that there is
    const links = await json({ links: [{ name: "a", url: "https://example.org/a" }] });
    expect(links.metrics).toEqual([]);
    const run = await json([
      { task_id: "a", max_errors: 10, reward: 1 },
      { task_id: "b", max_errors: 20, reward: 0 },
    ]);
    expect(run.metrics.map(({ name }) => name)).toEqual(["reward"]);
  });

  it("who annotated, with a name twice where somebody gave two labels, is no label", async () => {
    const found = await json(
      Object.fromEntries(
        times(12, (i) => [
          `k${i}`,
          {
            annotators: i % 2 ? "Ann1,Ann2,Ann2,Ann3" : "Ann1,Ann2,Ann3",
            annotations: { Ann1: "yes", Ann2: i % 2 ? "no,yes" : "no", Ann3: i % 3 ? "yes" : "no" },
            soft_label: { yes: { "0": 0.25, "1": 0.75 }, no: { "0": 0.5, "1": 0.5 } },
          },
        ]),
      ),
    );
    expect([found.systems.length, found.items, raters(found), found.table.rows]).toEqual([0, 12, 3, 36]);
    expect(found.metrics.map(({ name }) => name)).toEqual(["annotations"]);
  });

  it("numbers of preferences are no measure of trec_eval, and languages may be called iso", async () => {
    const lines = times(
      6,
      (i) => `prefs_num_poss \t${i}\t${10 + i}\nprefs_simp \t${i}\t0.${3 + i}00\nnum_ret\t${i}\t5`,
    );
    const found = await read({ "a.eval": [...lines, "prefs_simp\tall\t0.5"].join("\n") });
    expect(found.metrics.map(({ name }) => name)).toEqual(["prefs_simp"]);
    const cells = times(24, (i) => `m${i % 2},${i < 12 ? "xnli" : "pos"},l${(i >> 1) % 6},${50 + i}.5`);
    const wide = await csv("model,task,wals_iso,score", ...cells);
    expect([wide.items, wide.roles.cluster]).toEqual([12, "task"]);
  });

  it("totals of tasks with their errors, one file a model", async () => {
    const results = (acc: number) => ({
      results: {
        arc: { acc, acc_stderr: 0.01 },
        boolq: { acc: acc + 0.1, acc_stderr: 0.02 },
        wiki: { ppl: 12, ppl_stderr: 0.1 },
        lambada: { ppl: 9, ppl_stderr: 0.1 },
      },
      config: { model: "m" },
    });
    const found = await read({
      "small_step1.json": JSON.stringify(results(0.4)),
      "large_step1.json": JSON.stringify(results(0.6)),
    });
    expect([found.systems, found.roles.task, found.roles.score]).toEqual([["large", "small"], "task", "acc"]);
    expect(found.metrics.map(({ name }) => name)).not.toContain("acc_stderr");
  });

  it("lists of ids by outcome", async () => {
    const found = await json({
      total: 4,
      passed_ids: ["a", "b"],
      failed_ids: ["c"],
      error_ids: ["d"],
      submitted_ids: ["a", "b", "c", "d"],
    });
    expect([found.items, found.roles.score, found.metrics[0]?.higherIsBetter]).toEqual([4, "passed", true]);
    expect(means(found)).toEqual({ "": 0.5 });
  });

  it("verdicts that are null count as the file's own total counts them", async () => {
    const results = times(8, (i) => ({ task_id: `t${i}`, is_resolved: i < 4 ? true : i < 7 ? false : null }));
    const whole = await json({ results, accuracy: 0.5 });
    expect(means(whole)).toEqual({ "": 0.5 });
    expect(said(whole)).toMatch(/the file's own accuracy counts them as failures/);
    expect(means(await json({ results, accuracy: 4 / 7 }))).toEqual({ "": 4 / 7 });
  });

  it("objects whose names are data stay in one column", async () => {
    const found = await json(
      times(40, (i) => ({ task_id: `t${i}`, passed: i % 3 === 0, tests: { [`test_${i}`]: "passed" } })),
    );
    expect([...found.table.columns.keys()]).toEqual(["task_id", "passed", "tests"]);
  });

  it("numbers in quotes, and YAML", async () => {
    const found = await json(times(3, (i) => ({ Model: `m${i}`, Acc: `${90 + i}.50`, Total: 100 })));
    expect([found.roles.score, means(found)]).toEqual(["Acc", { m0: 90.5, m1: 91.5, m2: 92.5 }]);
    const yaml = await read({
      "board.yml": times(5, (i) => `- model: m${i % 4}\n  edit_format: f${i}\n  pass_rate: ${i}.5\n`).join("\n"),
    });
    expect([yaml.format, yaml.systems.length, yaml.roles.score]).toEqual(["yaml", 5, "pass_rate"]);
    expect(said(yaml)).toMatch(/told apart by edit_format/);
    const prose = await read({ "notes.txt": "Note: this is prose.\nIt has two lines.\n" });
    expect(prose.format).toBe("text");
  });
});

describe("folders", () => {
  it("of runs within systems: the upper folder is the system, the lower the repeat", async () => {
    const run = (k: number) =>
      JSON.stringify({ results: times(5, (i) => ({ task_id: `t${i}`, passed: (i + k) % 2 === 0 })) });
    const found = await read({
      "x/a/r1/results.json": run(0),
      "x/a/r2/results.json": run(1),
      "x/b/r7/results.json": run(0),
      "x/b/r9/results.json": run(0),
    });
    expect([found.systems, found.items, found.repeats, found.roles.repeat]).toEqual([["a", "b"], 5, 2, "run"]);
  });

  it("of predictions without ids: rows are paired where the gold labels are identical", async () => {
    const file = (shift: number, gold = 0) =>
      [
        "y_true,y_pred,y_prob",
        ...times(12, (i) => `${(i + gold) % 2},${(i + (i > shift ? 1 : 0)) % 2},0.${i % 10}`),
      ].join("\n");
    const found = await read({ "p/pred_knn.csv": file(8), "p/pred_svm.csv": file(10) });
    const { label, prediction, probability, item, score } = found.roles;
    expect([label, prediction, probability, item, score]).toEqual(["y_true", "y_pred", "y_prob", "row", undefined]);
    expect([found.systems, found.items]).toEqual([["knn", "svm"], 12]);
    const other = await read({ "p/pred_knn.csv": file(8), "p/pred_svm.csv": file(10, 1) });
    expect(other.roles.item).toBeUndefined();
  });

  it("of EvalPlus, in both layouts: plus counts only where base passes", async () => {
    const statuses = [
      ["pass", "pass"],
      ["pass", "fail"],
      ["fail", "pass"],
      ["fail", "fail"],
    ] as const;
    const now = {
      eval: Object.fromEntries(
        statuses.map(([base, plus], i) => [`H/${i}`, [{ task_id: `H/${i}`, base_status: base, plus_status: plus }]]),
      ),
    };
    const words = { pass: "success", fail: "timeout" };
    const then = {
      eval: Object.fromEntries(
        statuses.map(([base, plus], i) => [`H/${i}`, { base: [[words[base], []]], plus: [[words[plus], []]] }]),
      ),
    };
    for (const layout of [now, then]) {
      const found = await json(layout);
      expect([found.format, found.roles.score, found.items]).toEqual(["evalplus", "plus", 4]);
      const mean = (name: string) => meansBySystem(found.table, found.roles, name)[0]!.mean;
      expect([mean("base"), mean("plus")]).toEqual([0.5, 0.25]);
    }
  });
});

describe("tables", () => {
  it("counts per label that add up to the number of raters", async () => {
    const found = await csv(
      ",count,hate,offensive,neither,class,tweet",
      "0,3,0,1,2,2,a",
      "1,3,3,0,0,0,b",
      "2,4,0,4,0,1,c",
      "3,3,0,0,3,2,d",
      "4,3,2,1,0,0,e",
      "5,4,1,3,0,1,f",
    );
    expect([found.items, found.table.rows, found.roles.rater, found.roles.score]).toEqual([6, 20, "rater", "class"]);
    expect(said(found)).toMatch(/add up to count in every row.*class is the label with most/);
    const not = await csv("item,count,hate,offensive,neither", "0,4,0,1,2", "1,3,3,0,0", "2,4,0,4,0");
    expect(not.table.rows).toBe(3);
  });

  it("one-hot systems", async () => {
    const rows = times(9, (i) => `${i % 2},q${i},${[0, 1, 2].map((k) => Number(k === i % 3)).join()}`);
    const found = await csv("good,question,gpt4,llama,mine", ...rows);
    expect([found.systems, found.roles.score, found.items]).toEqual([["gpt4", "llama", "mine"], "good", 9]);
  });

  it("words in their order, not that of the alphabet", async () => {
    const words = ["very bad", "bad", "ok", "good", "very good"];
    const found = await csv(
      "item,system,rater,quality",
      ...times(20, (i) => `${i >> 1},${i % 2 ? "A" : "B"},r${i % 3},${words[i % 5]}`),
    );
    const cells = found.table.columns.get("quality")!;
    expect(cells.kind === "numeric" ? [...cells.values.slice(0, 5)] : []).toEqual([1, 2, 3, 4, 5]);
    expect(said(found)).toMatch(/1 = very bad, 2 = bad, 3 = ok, 4 = good, 5 = very good/);
    // low, medium and high are as often settings
    const setting = await csv(
      "model,effort,acc",
      ...times(6, (i) => `m${i},${["low", "medium", "high"][i % 3]},0.${i}`),
    );
    expect(setting.table.columns.get("effort")?.kind).toBe("factor");
  });

  it("best-worst scaling", async () => {
    const found = await csv(
      "item,rater,option1,option2,option3,option4,best,worst",
      ...times(8, (i) => `${i >> 1},r${i % 2},A,B,C,D,${i < 6 ? "A" : "B"},D`),
    );
    expect([found.roles.system, found.roles.score, found.table.rows]).toEqual(["option", "best_worst", 32]);
    expect(means(found)).toEqual({ A: 0.75, B: 0.25, C: 0, D: -1 });
  });

  it("votes of one judge in both orders: a win counts if both name it", async () => {
    const votes = [
      ["model_1", "model_1"],
      ["model_1", "model_2"],
      ["model_2", "model_2"],
      ["tie", "model_2"],
      ["error", "tie"],
    ];
    const lines = times(20, (i) => {
      const [g1, g2] = votes[i % (i < 1 ? 1 : 4)]!;
      return JSON.stringify({
        question_id: i,
        model_1: "X",
        model_2: "Y",
        g1_winner: i === 19 ? "error" : g1,
        g2_winner: g2,
        judge: ["gpt-4", i % 2 ? "pair" : "math"],
      });
    });
    const found = await read({ "pair.jsonl": lines.join("\n") });
    expect([found.items, found.roles.opponent, found.roles.rater, found.systems]).toEqual([
      20,
      "opponent",
      "judge",
      ["X", "Y"],
    ]);
    // rows 0, 4, 8, …: 5 wins of X; 2, 6, …: 5 of Y; the rest ties; row 19 has no vote
    expect(means(found)["X"]).toBeCloseTo((5 + 0.5 * 9) / 19, 12);
    expect(said(found)).toMatch(/5 votes turned with the order; in 5 of them the answer shown first won both times/);
  });

  it("row numbers, standard errors, ids and prices are no scores", async () => {
    const found = await csv(
      ",win_rate,standard_error,n_total,mode,price_usd",
      ...times(6, (i) => `m${i},${50 + i}.5,1.${i},805,${i % 2 ? "x" : "y"},0.${i}1`),
    );
    expect([found.roles.system, found.roles.metrics]).toEqual(["column1", ["win_rate"]]);
    const texts = await csv(
      ",Prompt,Story,Model",
      ...times(12, (i) => `${i},a prompt of words ${i >> 1},a long story of many words no ${i},${i % 2 ? "A" : "B"}`),
    );
    expect([texts.roles.metrics, texts.roles.item, texts.roles.system]).toEqual([[], "Prompt", "Model"]);
  });

  it("each guess has a reason and a confidence", async () => {
    const found = await csv("model,seed,test_accuracy", "a,1,0.5", "a,2,0.6", "a,3,0.7");
    expect(found.guesses).toEqual([
      { role: "repeat", column: "seed", reason: "by its name", confidence: 0.9 },
      { role: "system", column: "model", reason: "by its name", confidence: 0.9 },
      { role: "score", column: "test_accuracy", reason: "by words of its name", confidence: 0.85 },
    ]);
  });

  it("names that sound like faults but rise with quality leave the direction open", async () => {
    const rows = times(
      40,
      (i) =>
        `q${i},${i % 2 ? "A" : "B"},${(i % 5) / 4},${(((i % 5) + (i % 2)) / 5).toFixed(2) === "1.00" ? 1 : (i % 5) / 4},${(4 - (i % 5)) / 4}`,
    );
    const found = await csv("id,model,Factuality,Frame_Errors,other_errors", ...rows);
    const direction = (name: string) => found.metrics.find((metric) => metric.name === name)?.higherIsBetter;
    expect([direction("Factuality"), direction("Frame_Errors"), direction("other_errors")]).toEqual([
      true,
      undefined,
      false,
    ]);
    expect(found.diagnostics.map(({ code }) => code)).toContain("DirectionInDoubt");
  });
});

describe("TREC", () => {
  it("trec_eval -q, qrels and runs by content", async () => {
    const lines = ["301", "302", "all"].flatMap((topic, k) => [
      `num_ret\t${topic}\t500`,
      `map                   \t${topic}\t0.${k + 1}`,
      `P_10\t${topic}\t0.${k + 2}`,
    ]);
    const found = await read({ "run1.eval": lines.join("\n") });
    expect([found.format, found.items, found.roles.score, means(found)]).toEqual([
      "trec",
      2,
      "map",
      { run1: (0.1 + 0.2) / 2 },
    ]);
    const qrels = await read({ "qrels.txt": times(5, (i) => `30${i} 0 DOC-${i} ${i % 2}`).join("\n") });
    expect([qrels.format, qrels.roles.label, qrels.systems]).toEqual(["trec", "relevance", []]);
    const run = await read({ "x.run": times(5, (i) => `301 Q0 DOC-${i} ${i + 1} ${9 - i}.5 mytag`).join("\n") });
    expect([run.format, run.systems, run.roles.metrics]).toEqual(["trec", ["mytag"], []]);
  });
});

describe("votes under names of one's own", () => {
  it("are read by the columns that the caller names, and refused where no value names a side", async () => {
    const text = ["q,erste,zweite,urteil", ...times(8, (i) => `${i},X,Y,${i % 4 === 0 ? "Y" : "X"}`)].join("\n");
    const file = [{ name: "d.csv", bytes: new TextEncoder().encode(text) }];
    const found = await importFiles(file, { votes: { a: "erste", b: "zweite", winner: "urteil" } });
    expect([found.roles.opponent, means(found)]).toEqual(["opponent", { X: 0.75, Y: 0.25 }]);
    await expect(importFiles(file, { votes: { a: "erste", b: "zweite", winner: "q" } })).rejects.toThrow(
      /names a side/,
    );
  });
});
