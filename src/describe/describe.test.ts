import { describe, expect, it } from "vitest";
import type { Imported, InputFile } from "../data/imported.ts";
import { importFiles } from "../io/import.ts";
import { foldCommand } from "../result/fold-command.ts";
import { quoteFormula, quoteName, quoteShell } from "../result/quote.ts";
import { type Description, describeImported } from "./describe.ts";
import type { Answer } from "./offers/command.ts";

const file = (name: string, text: string): InputFile => ({ name, bytes: new TextEncoder().encode(text) });
const csv = (...rows: readonly string[]): Promise<Imported> => importFiles([file("d.csv", rows.join("\n"))]);
const show = (imported: Imported, target = "d.csv"): Description => describeImported(imported, { target });
const commands = (description: Description): string[] => description.answers.map((answer) => answer.command);
const starting = (description: Description, start: string): Answer[] =>
  description.answers.filter((answer) => answer.command.startsWith(start));

/** Ratings of 30 items under two models, by two raters where `raters` says so. */
function ratings(raters: readonly string[], value: (item: number, model: number, rater: number) => number): string[] {
  const rows = ["item,model,worker,rating"];
  for (let item = 0; item < 30; item += 1) {
    ["A", "B"].forEach((model, m) => {
      raters.forEach((rater, r) => {
        rows.push(`i${item},${model},${rater},${value(item, m, r)}`);
      });
    });
  }
  return rows;
}

describe("what a description claims", () => {
  const text = (found: Description): string => found.toString().replace(/\s+/g, " ");

  it("says of raters only what follows from who rated which output", async () => {
    // the second rater saw other systems' outputs of the same items
    const rows = ratings(["x"], (item, m) => 1 + ((item + m) % 5)).map((row) => row.replace(/,B,x,/, ",B,y,"));
    const crossed = show(await csv(...rows)).diagnostics.find(({ code }) => code === "NoOverlap");
    expect(crossed?.message).toMatch(/^no system's output of an item was rated by two raters/);
    expect(crossed?.message).not.toMatch(/mixed up/);
    const alone = Array.from({ length: 20 }, (_, i) => `i${i},${i % 2 ? "x" : "y"},${1 + (i % 5)}`);
    const single = show(await csv("item,rater,rating", ...alone)).diagnostics.find(({ code }) => code === "NoOverlap");
    expect(single?.message).toMatch(/^no item was rated by two raters/);
  });

  it("does not say that models leave items out", async () => {
    const log = await importFiles([
      file("a.jsonl", '{"model_a": "x", "model_b": "y", "winner": "model_a", "question_id": 1}\n'.repeat(2)),
    ]);
    expect(log.format).toBe("arena");
    const seen = (system: string, city: string) => ({
      promptIdx: 0,
      provider: { id: system },
      prompt: { raw: "p" },
      vars: { city },
      testCase: { vars: { city }, assert: [{ type: "equals" }] },
      success: city !== "Oslo",
      gradingResult: { pass: city !== "Oslo", componentResults: [{}] },
    });
    const results = [seen("a", "Rome"), seen("a", "Oslo"), seen("b", "Rome"), seen("b", "Bonn")];
    const gaps = await importFiles([file("p.json", JSON.stringify({ evalId: "e", results: { version: 3, results } }))]);
    const gap = gaps.diagnostics.find(({ code }) => code === "UnmatchedItems");
    expect(gap?.message).toMatch(/^1 of 3 items/);
    expect(gap?.fix).toMatch(/fitted to all rows/);
  });

  it("prints commands as the program was started, with the words that reading needs", async () => {
    const imported = await csv(...ratings(["x", "y"], (item, m, r) => 1 + ((item + m + r) % 5)));
    const options = { target: "d.csv", program: "npx gosset", flags: ["--delimiter", ";"] };
    for (const { command } of describeImported(imported, options).answers) {
      expect(command).toMatch(/^npx gosset /);
      expect(command.endsWith('--delimiter ";"')).toBe(command.includes(" d.csv"));
    }
  });

  it("counts one row as one, and calls a column of ones constant", async () => {
    const found = show(await csv("a,b", "1,1"));
    expect(text(found)).toMatch(/A table of 1 row and 2 columns\./);
    expect(text(found)).toMatch(/a constant 0 1/);
    expect(text(found)).toMatch(/nothing yet\. It depends on the questions below/);
  });

  it("tells the ends of a narrow range apart", async () => {
    const rows = Array.from({ length: 9 }, (_, i) => `${i},${1_000_000_000_000 + i}`);
    expect(text(show(await csv("item,big", ...rows)))).toMatch(/1000000000000 to 1000000000008/);
    expect(text(show(await csv("item,big", ...rows.slice(0, 2))))).toMatch(/1000000000000, 1000000000001/);
  });

  it.each([
    ["pass,fail,error", /The cells of score are not numbers: "error", "fail", "pass"/],
    ["0.5,0.7,x,0.2", /The cells of score are not numbers: "x"/],
  ])("asks what %s means under the name of a score", async (cells, message) => {
    const rows = cells.split(",").map((cell, i) => `${i},a,${cell}`);
    const found = show(await csv("item,model,score", ...rows));
    expect(text(found)).toMatch(message);
    expect(text(found)).toMatch(/option `missing`/);
  });

  it.each([
    ["True", "False", undefined],
    ["pass", "fail", undefined],
    ["correct", "incorrect", "verdict=incorrect,correct"],
  ])("offers commands that count %s as success", async (good, bad, levels) => {
    const rows = Array.from({ length: 40 }, (_, i) => `${i >> 1},${i % 2 ? "a" : "b"},${i % 3 ? good : bad}`);
    const found = show(await csv("item,model,verdict", ...rows));
    expect(commands(found)[0]).toBe("gosset score d.csv --metric verdict");
    const [glm] = starting(found, "gosset fit glm");
    expect(glm?.command).toMatch(/^gosset fit glm "verdict ~ model" d\.csv --family binomial/);
    expect(/--levels (\S+)/.exec(glm!.command)?.[1]).toBe(levels);
    // items met twice: their rows are no independent answers, so the interval of a plain share does not hold
    const twice = show(await csv("item,model,verdict", ...rows, ...rows));
    expect(commands(twice)[0]).toBe(
      `gosset fit lm "verdict_01 ~ 0 + model" d.csv --mutate "verdict_01 = verdict == '${good}'" --cluster item`,
    );
  });
});

describe("what a description says", () => {
  it("follows the contract", async () => {
    const found = show(await csv(...ratings(["x", "y"], (item, m, r) => 1 + ((item + m + r) % 5))));
    const json = JSON.parse(JSON.stringify(found));
    expect(json).toMatchObject({
      kind: "describe",
      format: "csv",
      rows: 120,
      systems: ["A", "B"],
      items: 30,
      repeats: 1,
      metrics: ["rating"],
      warnings: [],
    });
    expect(json.columns[1]).toEqual({
      name: "model",
      type: "factor",
      values: "category",
      role: "system",
      missing: 0,
      distinct: 2,
      levels: ["A", "B"],
    });
    expect(json.columns[3]).toMatchObject({ name: "rating", type: "numeric", role: "score", min: 1, max: 5 });
    expect(json.scores.map((entry: { mean: number }) => entry.mean)).toEqual([3, 3]);
    expect(json.answers.every((answer: Answer) => typeof answer.question === "string")).toBe(true);
  });

  it("offers ratings with raters a comparison, models with all its terms, agreement and reliability", async () => {
    expect(commands(show(await csv(...ratings(["x", "y"], (item, m, r) => 1 + ((item + m + r) % 5)))))).toEqual([
      "gosset compare d.csv --metric rating",
      'gosset fit lmm "rating ~ model + (model | item) + (model | worker)" d.csv',
      'gosset fit clmm "rating ~ model + (model | item) + (model | worker)" d.csv --factor rating',
      "gosset agreement d.csv --item item,model --rater worker --label rating",
      "gosset reliability d.csv --score rating --object item,model --facets worker",
      "gosset mde likert --items 30 --raters 2 --pilot d.csv --columns score=rating,system=model,rater=worker,item=item --method approx",
    ]);
  });

  it("offers no curves for three classes without an order, but a comparison of the columns that predict them", async () => {
    const table = (classes: string): Promise<Imported> =>
      csv(
        "item,gold,pred_a,pred_b",
        ...Array.from({ length: 60 }, (_, i) =>
          [i, 1, i % 5, i % 7].map((k, j) => (j === 0 ? k : classes[(i * k) % classes.length])).join(","),
        ),
      );
    const compare = "gosset compare d.csv --gold gold --pred pred_a,pred_b --metric accuracy";
    expect(commands(show(await table("xyz")))).toEqual([compare]);
    expect(commands(show(await table("xy")))).toEqual([
      compare,
      "gosset validity circularity d.csv --label gold --features pred_a,pred_b",
    ]);
  });

  it("offers no agreement where nobody rated the same item, and says so", async () => {
    const rows = ratings(["x"], (item, m) => 1 + ((item * 7 + m) % 5)).map((row, i) =>
      i % 2 === 1 ? row.replace(",x,", ",y,") : row,
    );
    const found = show(await csv(...rows));
    expect(starting(found, "gosset agreement")).toEqual([]);
    expect(found.diagnostics.map((diagnostic) => diagnostic.code)).toContain("NoOverlap");
  });

  it("offers one system no comparison", async () => {
    const rows = ["system,item,correct", ...Array.from({ length: 40 }, (_, i) => `A,${i},${i % 3 === 0 ? 1 : 0}`)];
    const found = show(await csv(...rows));
    expect(commands(found)).toEqual([
      "gosset score d.csv --metric correct",
      "gosset mde accuracy --n 40 --baseline 0.35",
    ]);
  });

  it("uses the binomial model for shares, unless a system is always or never right", async () => {
    const rows = (of: (item: number, system: number) => number): string[] => [
      "system,item,correct",
      ...Array.from(
        { length: 80 },
        (_, i) => `${i % 2 === 0 ? "A" : "B"},${Math.floor(i / 2)},${of(Math.floor(i / 2), i % 2)}`,
      ),
    ];
    const mixed = show(
      await csv(...rows((item, system) => (item % 4 === 0 || (system === 1 && item % 4 === 1) ? 1 : 0))),
    );
    expect(commands(mixed)).toContain('gosset fit glm "correct ~ system" d.csv --family binomial --cluster item');
    // 40 items, 10 on which the systems differ
    expect(commands(mixed)).toContain("gosset mde accuracy --n 40 --agreement 0.75");
    const separated = show(await csv(...rows((item, system) => (system === 1 ? 1 : item % 2))));
    expect(commands(separated)).toContain('gosset fit lm "correct ~ system" d.csv --cluster item');
    expect(starting(separated, "gosset fit glm")).toEqual([]);
  });

  it("offers nothing for a constant score and says why", async () => {
    const found = show(await csv("system,item,correct", "A,1,1", "A,2,1", "B,1,1", "B,2,1"));
    expect(found.answers).toEqual([]);
    expect(found.diagnostics.map((diagnostic) => diagnostic.code)).toEqual(["ConstantScore"]);
    expect(found.toString()).toMatch(/nothing yet/);
  });

  it("does not compare systems that were run on different tasks", async () => {
    const rows = [
      "model,task,item,score",
      ...Array.from({ length: 40 }, (_, i) => `${i < 20 ? "A,t1" : "B,t2"},${i},${(i % 7) / 10}`),
    ];
    const found = show(await csv(...rows));
    expect(starting(found, "gosset compare")).toEqual([]);
    expect(found.diagnostics.map((diagnostic) => diagnostic.code)).toContain("NoSharedItems");
  });

  it("stays within one metric where rows hold several", async () => {
    const rows = ["model,item,metric,value"];
    for (let i = 0; i < 20; i += 1)
      for (const model of ["A", "B"])
        rows.push(`${model},${i},bleu,${(i * 3) % 11}.5`, ...(i < 5 ? [`${model},${i},ter,0.${i}`] : []));
    expect(commands(show(await csv(...rows)))[0]).toBe(
      `gosset fit lm "value ~ 0 + model" d.csv --where "metric == 'bleu'" --cluster item`,
    );
  });

  it("offers no regression of both rows of a battle, which are one vote", async () => {
    const battles = Array.from({ length: 30 }, (_, i) => ({
      question_id: `q${i}`,
      model_a: ["x", "y", "z"][i % 3],
      model_b: ["y", "z", "x"][i % 3],
      winner: ["model_a", "model_b", "tie"][(i * 7) % 4] ?? "tie",
    }));
    const found = show(await importFiles([file("b.json", JSON.stringify(battles))]), "b.json");
    expect(commands(found)[0]).toBe("gosset compare b.json --metric score");
    expect(commands(found).filter((command) => command.includes(" fit "))).toEqual([]);
    expect(found.answers[0]?.note).toMatch(/opponents/);
    expect(found.diagnostics).toEqual([]);
  });

  it("offered to plan two of three systems by the battles of all", async () => {
    const battles = Array.from({ length: 30 }, (_, i) => ({
      question_id: `q${i}`,
      model_a: ["x", "y", "z"][i % 3],
      model_b: ["y", "z", "x"][i % 3],
      winner: i % 4 ? "model_a" : "model_b",
    }));
    const found = show(await importFiles([file("b.json", JSON.stringify(battles))]), "b.json");
    const [planned] = starting(found, "gosset mde");
    expect([planned?.question, planned?.command]).toEqual([
      "What is the minimum detectable effect between x and y with data of this size?",
      "gosset mde preference --n 10",
    ]);
  });

  it("prints a paragraph, the columns, the means and the questions", async () => {
    const found = show(await csv("system,item,ter", "A,1,0.5", "A,2,0.25", "A,3,0.5", "B,1,0.75", "B,2,", "B,3,0.25"));
    expect(found.toString()).toBe(
      [
        "d.csv: table (CSV)",
        "",
        "A table of 6 rows and 3 columns. It has 2 systems, 3 items. The score is ter,",
        "  lower is better.",
        "",
        "Columns",
        "column  holds     role    missing  values",
        "--------------------------------------------------",
        "system  2 levels  system        0  A, B",
        "item    integer   item          0  1, 2, 3",
        "ter     number    score         1  0.25, 0.5, 0.75",
        "",
        "Mean ter over rows",
        "system  rows  missing    mean",
        "-----------------------------",
        "A          3        0  0.4167",
        "B          2        1  0.5000",
        "",
        "What these data can answer:",
        "- How high is the mean ter of each system, with an interval? (only 3 clusters",
        "  (item): standard errors are rough)",
        '    gosset fit lm "ter ~ 0 + system" d.csv --cluster item',
        "- Is the difference between A and B real?",
        "    gosset compare d.csv --metric ter",
        "- How far is each system's ter from that of A? (only 3 clusters (item): standard",
        "  errors are rough)",
        '    gosset fit lm "ter ~ system" d.csv --cluster item',
        "- How do the systems differ, adjusted for items?",
        '    gosset fit lmm "ter ~ system + (1 | item)" d.csv',
      ].join("\n"),
    );
  });
});

describe("quoting", () => {
  it("uses backticks only where R would", () => {
    expect(["score", "Ann.Per.Ex", ".x", "größe"].map(quoteName)).toEqual(["score", "Ann.Per.Ex", ".x", "größe"]);
    expect(["Eval number", "1st", "_x", "if", "a`b", ".1"].map(quoteName)).toEqual([
      "`Eval number`",
      "`1st`",
      "`_x`",
      "`if`",
      "`a\\`b`",
      "`.1`",
    ]);
  });

  it("is safe in a shell", () => {
    expect(quoteShell("../a/b-c_1.csv.gz")).toBe("../a/b-c_1.csv.gz");
    expect(quoteShell("a b")).toBe('"a b"');
    expect(quoteShell("it's $HOME")).toBe("'it'\\''s $HOME'");
    expect(quoteFormula("`a b` ~ 1")).toBe("'`a b` ~ 1'");
  });
});

describe("commands over several lines", () => {
  it("stay what they are when a shell joins the lines again", () => {
    const command = `gosset fit lm "rating ~ system * words + domain" 'some file'\\''s name.csv' --cluster article --levels "system=a b,c" --quiet`;
    const lines = foldCommand(command);
    expect(lines.length).toBeGreaterThan(1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(74);
    expect(lines.join("\n").replace(/ \\\n\s+/g, " ")).toBe(command);
    expect(lines.some((line) => /--cluster \\$/.test(line))).toBe(false);
  });
});

describe("roles of a rating table", () => {
  it("takes the article as the item, not the number of words that goes with it", async () => {
    const rows = ["system,article,rater,rating,words"];
    for (let a = 1; a <= 12; a++)
      for (const s of ["A", "B"])
        for (const r of ["x", "y"]) rows.push(`${s},art${a},${r},${(a % 5) + 1},${100 + 7 * a}`);
    const facts = show(await csv(...rows));
    const role = (name: string) => facts.columns.find((c) => c.name === name)!.role;
    expect([role("article"), role("words"), role("rating")]).toEqual(["item", "covariate", "score"]);
  });
});
