/** Tables of totals and their neighbours as projects publish them: which column is the system, which number is the result, and what is neither. */
import { describe, expect, it } from "vitest";
import { times } from "../../test/support/shapes.ts";
import { importFiles } from "./import.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const csv = (...lines: readonly string[]) => importFiles([{ name: "board.csv", bytes: bytes(lines.join("\n")) }]);
const json = (value: unknown, name = "board.json") => importFiles([{ name, bytes: bytes(JSON.stringify(value)) }]);

describe("a leaderboard", () => {
  it("has the last of its tries for the main score where each counts those before it", async () => {
    const tries = await csv(
      "model,pass_rate_1,pass_rate_2,test_cases",
      "ada,20,41,225",
      "bob,18,52,225",
      "eve,9,9,225",
    );
    expect(tries.metrics.map(({ name }) => name).slice(0, 2)).toEqual(["pass_rate_2", "pass_rate_1"]);
    // two measures that are numbered, of which neither holds the other
    const parts = await csv(
      "model,pass_rate_1,pass_rate_2,test_cases",
      "ada,20,41,225",
      "bob,18,12,225",
      "eve,9,9,225",
    );
    expect(parts.roles.score).toBe("pass_rate_1");
  });

  it("has its average for the main score, wherever it stands", async () => {
    const wer = await csv(
      "Model,Radio WER,Radio CER,Street WER,Average WER,Average CER",
      "ada,31,12,44,37.5,15",
      "bob,28,11,40,34,13",
    );
    expect([wer.metrics[0]?.name, wer.metrics[0]?.higherIsBetter]).toEqual(["Average WER", false]);
    const wins = await csv("model,win_rate_talk,win_rate_avg", "ada,0.3,0.4", "bob,0.5,0.6");
    expect(wins.metrics[0]?.name).toBe("win_rate_avg");
    // the average of something else is not the average of this
    const other = await csv("model,pass_rate,average_reward", "ada,0.3,0.4", "bob,0.5,0.6");
    expect(other.metrics[0]?.name).toBe("pass_rate");
  });

  it("does not take the size, the licence or the price of a model for a result", async () => {
    const { metrics, assumptions } = await csv(
      "model,Model size (B),Latency Mean (s),de_news,fr_news,Avg",
      ...times(8, (i) => `m${i},${1 + i * 1.5},${0.2 + i / 10},${5.1 + i},${6.3 + i},${5.7 + i}`),
    );
    expect(metrics.map(({ name }) => name)).toEqual(["Avg", "de_news", "fr_news", "Latency Mean (s)"]);
    expect(assumptions.join(" ")).not.toMatch(/Model size|Latency/);
  });

  it("is no sweep: a number of parameters does not make settings of its results", async () => {
    const { roles } = await csv(
      "rank,model,family,params_b,lawfulness,openness,safety,overall_pass_rate,n_tasks",
      ...times(
        6,
        (i) => `${i + 1},m${i},f${i % 5},${7 * (i + 1)},${80.5 - i},${70.25 - i},${60.5 + i},${90.6 - i},139`,
      ),
    );
    expect(roles).toMatchObject({ system: "model", parameters: [] });
  });

  it("is named by its first column also where links stand beside few numbers", async () => {
    const { roles, systems } = await csv(
      "name,win_rate,avg_length,link,samples,filter",
      ...times(6, (i) => `sys ${i},${70.5 - i},${1000 + 7 * i},,https://example.org/${i}.json,minimal`),
    );
    expect([roles.system, roles.score, systems.length]).toEqual(["name", "win_rate", 6]);
  });

  it("keyed by system has them for systems, not what they all were run on", async () => {
    const one = (i: number) => ({
      provider: "cloud",
      model_key: `tiny-${i}`,
      overall_pct: 70.5 + i,
      n_tasks: 139,
      params_b: i,
    });
    const keyed = await json(Object.fromEntries(times(5, (i) => [`tiny-${i}`, one(i)])));
    expect([keyed.roles.system, keyed.systems.length]).toEqual(["model_key", 5]);
    const scores = (i: number) => ({
      size: "128k",
      scores: Object.fromEntries(
        ["all", "cpp", "java", "rust"].map((lang, k) => [
          lang,
          { "0.5": { "pass@1": (i + k) / 20 }, "0.8": { "pass@1": (i + k) / 25 } },
        ]),
      ),
    });
    const nested = await json(Object.fromEntries(times(6, (i) => [`gpt-${i}`, scores(i)])));
    expect([nested.roles.system, nested.systems.length, nested.items]).toEqual(["key", 6, 3]);
    expect(nested.assumptions.join(" ")).toMatch(/scores\.all sums up the others and is left out/);
  });

  it("under several variants has no items: how a system was run is none", async () => {
    const rows = ["all", "hard", "easy"].flatMap((variant) => times(5, (i) => `m${i},${0.5 + i / 20},${variant}`));
    const { roles } = await csv("model_id,score,variant", ...rows);
    expect([roles.system, roles.item]).toEqual(["model_id", undefined]);
  });
});

describe("what is no system", () => {
  it("pass@1, pass@10 and pass@100 of one run are one measure at three depths", async () => {
    const { systems, roles } = await json({ "pass@1": 0.15, "pass@10": 0.25, "pass@100": 0.31 });
    expect([systems, roles.wide, roles.metrics]).toEqual([[], [], ["pass@1", "pass@10", "pass@100"]]);
  });

  it("the verdicts of a judge", async () => {
    const rows = times(20, (i) =>
      ["A>B", "B>A"].map((decision, k) => ({ pair_id: `p${i}`, decision, score: (i + k) % 5 })),
    );
    const { roles } = await json(rows.flat());
    expect(roles.system).toBeUndefined();
  });

  it("the parts of an Excel workbook", async () => {
    const { writeZip } = await import("./packed/write-zip.ts");
    const book = writeZip(
      new Map([
        ["[Content_Types].xml", bytes("<Types/>")],
        ["xl/workbook.xml", bytes("<workbook/>")],
      ]),
    );
    await expect(importFiles([{ name: "stats.xlsx", bytes: book }])).rejects.toMatchObject({
      code: "OfficeFile",
      message: "stats.xlsx is an Excel workbook, which is not read.",
    });
  });
});

describe("what else projects publish", () => {
  it("a dimension that each task has is a kind of task, no measure", async () => {
    const file = (model: string, k: number) => ({
      name: `runs/${model}.json`,
      bytes: bytes(
        JSON.stringify(
          times(30, (i) => ({
            task_id: `t${i}`,
            dimension: ["law", "care", "safety"][i % 3],
            passed: (i + k) % 3 > 0,
            model_used: model,
          })),
        ),
      ),
    });
    const { roles, metrics } = await importFiles([file("llama-a", 0), file("llama-b", 1)]);
    expect([roles.metric, roles.item, metrics[0]?.name]).toEqual([undefined, "task_id", "passed"]);
    // a criterion under which each item comes again stays one
    const rated = await json(
      times(20, (i) =>
        ["law", "care"].map((criterion, k) => ({
          item: `t${i}`,
          system: `s${i % 2}`,
          criterion,
          rating: 1 + ((i + k) % 5),
        })),
      ).flat(),
    );
    expect(rated.roles.metric).toBe("criterion");
  });

  it("scores written as text are numbers, ids written as text are not", async () => {
    const { table, metrics } = await json(
      times(30, (i) => ({
        session_id: `s${i % 15}`,
        model: `m${i < 15 ? 1 : 2}`,
        label: String(i % 3),
        score: String(1 + (i % 9)),
      })),
    );
    expect([table.columns.get("score")?.kind, table.columns.get("label")?.kind]).toEqual(["numeric", "factor"]);
    expect(metrics[0]?.name).toBe("score");
  });

  it("a file is not cut within the number of its name", async () => {
    const file = (model: string) => ({
      name: `${model}_results.jsonl`,
      bytes: bytes(times(12, (i) => JSON.stringify({ task_id: `t${i}`, passed: i % 2 === 0 })).join("\n")),
    });
    const { systems } = await importFiles([file("anna_7b"), file("ben-coder_6.7b")]);
    expect(systems).toEqual(["anna_7b", "ben-coder_6.7b"]);
  });
});

describe("documents by several keys", () => {
  const value = (i: number) => ((i * 37) % 100) / 100;

  it("queries under runs are items, also with the measure between them", async () => {
    const query = (r: number, i: number) => ({ ndcg_cut_10: value(i + r), P_5: value(i * 3 + r) });
    const runs = await json(
      Object.fromEntries(
        ["one", "two", "three"].map((run, r) => [run, Object.fromEntries(times(40, (i) => [`q${i}`, query(r, i)]))]),
      ),
    );
    expect([runs.systems, runs.items, runs.roles.system]).toEqual([["one", "three", "two"], 40, "key"]);
    expect(runs.metrics.map(({ name, higherIsBetter }) => [name, higherIsBetter])).toEqual([
      ["ndcg_cut_10", true],
      ["P_5", true],
    ]);
    const measured = await json(
      Object.fromEntries(
        ["NDCG@10", "MAP@10"].map((m, r) => [m, Object.fromEntries(times(40, (i) => [`q${i}`, value(i + r)]))]),
      ),
    );
    expect(measured).toMatchObject({ items: 40, roles: { metric: "key", item: "key_2", score: "value" } });
  });

  it("problems under levels are items, and the levels their tasks", async () => {
    const level = (l: number) =>
      Object.fromEntries(times(10, (i) => [`${l}_${i}_matmul.py`, { speed_score: value(i + l), device: "x" }]));
    const { roles, items } = await json({ level1: level(1), level2: level(2), level3: level(3) });
    expect([roles.item, items, roles.task]).toEqual(["key_2", 30, "key"]);
  });

  it("few of either are asked about", async () => {
    const { guesses } = await json(
      Object.fromEntries(
        ["x", "y", "z"].map((m, r) => [
          m,
          Object.fromEntries(times(5, (i) => [`set ${i}`, { "ndcg@10": value(i + r), "recall@100": value(i * r) }])),
        ]),
      ),
    );
    expect(guesses?.find(({ role }) => role === "system")?.confidence).toBeLessThan(0.6);
  });

  it("totals of tasks under the date of their run, beside versions", async () => {
    const total = (i: number) => ({ acc: value(i), acc_stderr: 0.01, prompt_name: `p${i}` });
    const results = Object.fromEntries(times(8, (i) => [`task${i}`, { [`2022-07-0${i + 1}-15-16-12`]: total(i) }]));
    const versions = Object.fromEntries(times(8, (i) => [`task${i}`, 0]));
    const { roles, table, assumptions } = await json({ results, versions });
    expect([roles.task, roles.score, table.rows, roles.repeat]).toEqual(["task", "acc", 8, undefined]);
    expect(assumptions.join(" ")).toMatch(/its keys are column task and date/);
  });

  it("records by system beside one other thing, which is left out", async () => {
    const board = Object.fromEntries(times(8, (i) => [`org--gpt-${i}`, { "pass@1": 70 + i, win_rate: value(i) }]));
    const { systems, diagnostics } = await json({ ...board, heatmap: { a: { b: [1, 2] } } });
    expect(systems.length).toBe(8);
    expect(diagnostics.map(({ message }) => message).join(" ")).toMatch(/left out: heatmap/);
  });
});

describe("verdicts within cells", () => {
  it("of promptfoo's CSV: a column a prompt, a row a test", async () => {
    const cell = (i: number, k: number) =>
      (i + k) % 7 === 6
        ? "[ERROR] timed out"
        : (i + k) % 3 === 0
          ? "[FAIL] (0.25) too long\n---\nanswer"
          : "[PASS] (1.00) answer";
    const rows = times(12, (i) => `topic ${i},"${cell(i, 0)}","${cell(i, 1)}"`);
    const { systems, items, metrics, table, assumptions } = await csv(
      "topic,[acme:small] Be brief,[acme:large] Be brief",
      ...rows,
    );
    expect([systems, items]).toEqual([["[acme:large] Be brief", "[acme:small] Be brief"], 12]);
    expect(metrics.map(({ name }) => name)).toEqual(["pass", "score"]);
    const pass = table.columns.get("pass") as { values: Float64Array };
    expect([...pass.values].slice(0, 4)).toEqual([0, 1, 1, 1]);
    expect([...pass.values].filter(Number.isNaN).length).toBe(2);
    expect(assumptions.join(" ")).toMatch(/2 of 24 cells are errors/);
  });

  it("of an agent's runs, with the totals in a file beside them", async () => {
    const line = (i: number, k: number) => ({
      index: i,
      error: null,
      output: {
        status: "completed",
        result: { is_correct: (i * k) % 3 === 0, answer: "x" },
        history: [{ role: "user", content: "hi" }],
      },
      time: { timestamp: 1.69e12 + i },
    });
    const run = (agent: string, k: number) => [
      { name: `${agent}/runs.jsonl`, bytes: bytes(times(20, (i) => JSON.stringify(line(i, k))).join("\n")) },
      { name: `${agent}/overall.json`, bytes: bytes(JSON.stringify({ total: 20, custom: { overall: { acc: 0.4 } } })) },
    ];
    const { roles, systems, items, metrics, diagnostics } = await importFiles([...run("ada", 1), ...run("bob", 2)]);
    expect([systems, metrics[0]?.name, roles.system]).toEqual([["ada", "bob"], "is_correct", "file"]);
    expect([roles.item, items]).toEqual(["index", 20]);
    expect(diagnostics.some(({ code }) => code === "FilesSkipped")).toBe(true);
  });
});

describe("votes and directions", () => {
  it("left and right without a word for systems are sides where the same names stand on both", async () => {
    const models = ["ada", "bob", "cyd"];
    const { roles, systems, table, assumptions } = await json(
      times(60, (i) => ({
        _id: `b${i}`,
        leftPart: models[i % 3],
        rightPart: models[(i >> 1) % 3],
        rating: ["A is better", "B is better", "Tie", "Both are bad"][i % 4],
      })),
    );
    expect([systems, roles.opponent]).toEqual([models, "opponent"]);
    const self = times(60, (i) => i).filter((i) => i % 3 === (i >> 1) % 3).length;
    expect(table.rows).toBe(2 * (60 - self));
    expect(assumptions.join(" ")).toMatch(new RegExp(`${self} of 60 votes have the same system on both sides`));
  });

  it("labels that two models predicted are no votes between them", async () => {
    const { roles } = await csv(
      "item,label,model_a,model_b",
      ...times(30, (i) => `q${i},${i % 2 ? "pos" : "neg"},${i % 3 ? "pos" : "neg"},${i % 5 ? "neg" : "pos"}`),
    );
    expect(roles.opponent).toBeUndefined();
  });

  it("a score beside stereotypes says nothing of better and worse", async () => {
    const head = "sent_more,sent_less,score,stereo_antistereo,bias_type";
    const rows = times(20, (i) => `a${i},b${i},${i % 2},${i % 3 === 0 ? "antistereo" : "stereo"},age`);
    const { metrics } = await csv(head, ...rows);
    expect(metrics.map(({ name, higherIsBetter }) => [name, higherIsBetter])).toEqual([["score", undefined]]);
    const other = await csv("item,system,score", ...times(20, (i) => `q${i % 10},s${i % 2},${i % 5}`));
    expect(other.metrics[0]?.higherIsBetter).toBe(true);
  });
});

describe("a Markdown table", () => {
  const lines = [
    "| Model | Score ↑ | n |",
    "|:---|---:|---:|",
    "| **ada** | 61.5 | 200 |",
    "| [bob](https://example.org) | 58.0 | 200 |",
  ];

  it("is a table, with links and bold as plain text", async () => {
    const { systems, roles, assumptions } = await importFiles([{ name: "board.md", bytes: bytes(lines.join("\n")) }]);
    expect([systems, roles.score]).toEqual([["ada", "bob"], "Score ↑"]);
    expect(assumptions).toContain("The file is a Markdown table.");
  });

  const prose = (n: number): string[] => times(n, (i) => `Sentence number ${i} of a text.`);
  const small = ["| key | value | why |", "|---|---|---|", "| seed | 1 | none |"];
  const rows = (n: number): string[] => [
    "| Model | Score | n |",
    "|---|---|---|",
    ...times(n, (i) => `| m${i} | ${50 + i} | 200 |`),
  ];
  const markdown = (text: readonly string[], heading?: string) =>
    importFiles([{ name: "notes.md", bytes: bytes(text.join("\n")) }], heading === undefined ? {} : { heading });

  it("within prose is read where the text is all there is, with what was read", async () => {
    const { systems, assumptions } = await markdown(["# Results", ...prose(20), ...lines]);
    expect(systems).toEqual(["ada", "bob"]);
    expect(assumptions).toContain('The Markdown table under "Results" is read, the text around it is not.');
    const readme = { name: "README.md", bytes: bytes([...prose(20), ...lines].join("\n")) };
    const table = { name: "t.csv", bytes: bytes("model,item,score\na,1,1\na,2,0\nb,1,1\nb,2,1") };
    expect((await importFiles([readme, table])).files).toEqual(["t.csv"]);
  });

  it("of several the clearly largest is read, and the others are named", async () => {
    const text = ["# Setup", ...small, "## Main results", ...prose(3), ...rows(6)];
    const found = await markdown(text);
    expect(found.systems).toHaveLength(6);
    expect(found.assumptions.join(" ")).toMatch(
      /Of 2 Markdown tables the largest is read, "Main results" \(6 rows\).*"Setup" \(1 row\)/,
    );
    expect((await markdown(text, "setup")).table.rows).toBe(1);
    // what stands in a block of code is an example
    expect((await markdown(["# A", ...rows(3), "```", "# B", ...rows(30), "```"])).table.rows).toBe(3);
  });

  it("of several alike none is read until one is named by its heading", async () => {
    const text = ["# English", ...rows(6), "# German", ...rows(5), "And once more:", ...rows(4)];
    await expect(markdown(text)).rejects.toThrow(
      'notes.md holds 3 tables: "English" (6 rows), "German" (5 rows), "German (2)" (4 rows).',
    );
    expect((await markdown(text, "German")).table.rows).toBe(5);
    expect((await markdown(text, "german (2)")).table.rows).toBe(4);
    await expect(markdown(text, "French")).rejects.toThrow('no table stands under a heading "French"');
    await expect(markdown(text, "germ")).rejects.toThrow('2 tables stand under a heading "germ"');
    await expect(importFiles([{ name: "t.csv", bytes: bytes("a,b\n1,2\n3,4") }], { heading: "x" })).rejects.toThrow(
      "`heading` names a table of a Markdown text, and t.csv holds none.",
    );
  });
});

it("signs of percent in many columns are one remark", async () => {
  const { diagnostics } = await csv("Model,Overall Acc,Live Acc,Base", "ada,49.36%,61.2%,10%", "bob,33.1%,41.5%,5%");
  const notes = diagnostics.filter(({ code }) => code === "PercentSign").map(({ message }) => message);
  expect(notes).toEqual(['columns Overall Acc, Live Acc, Base: "49.36%" was read as 49.36, in percent, and so on.']);
});
