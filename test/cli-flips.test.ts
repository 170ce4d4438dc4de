/** `compare --flips items.csv` writes every item that differs between two systems, and nothing of the data's texts unless asked. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCsv } from "../src/io.ts";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("flips");
const at = (name: string): string => join(folder, name);

function file(name: string, lines: readonly string[]): string {
  writeFileSync(at(name), `${lines.join("\n")}\n`);
  return at(name);
}

function flips(...words: string[]): string[][] {
  const out = at("out.csv");
  const { status, stderr } = gosset("compare", ...words, "--flips", out, "--quiet");
  expect([status, stderr]).toEqual([0, ""]);
  return readFileSync(out, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
}

const right = file("right.csv", [
  "system,id,doc,correct,prompt,answer",
  ...[0, 1, 1, 0, 1, 1, 0, 1].map((v, i) => `old,q${i},d${i % 4},${v},What is ${i}?,old says ${i}`),
  ...[1, 1, 0, 0, 1, 1, 1, 1].map((v, i) => `new,q${i},d${i % 4},${v},What is ${i}?,new says ${i}`),
]);

describe("paired 0/1 scores", () => {
  it("has exactly the items that differ, with both scores, the difference and the cluster", () => {
    expect(flips(right, "--cluster", "doc")).toEqual([
      ["system", "baseline", "item", "cluster", "score", "baseline score", "difference", "better"],
      ["new", "old", "q0", "d0", "1", "0", "1", "new"],
      ["new", "old", "q2", "d2", "0", "1", "-1", "old"],
      ["new", "old", "q6", "d2", "1", "0", "1", "new"],
    ]);
  });

  it("counts what the answer counts as gained and lost", () => {
    const rows = flips("examples/data/questions.jsonl").slice(1);
    const { flips: counted } = gossetJson("compare", "examples/data/questions.jsonl");
    expect(rows.filter((row) => row.at(-1) === "large").length).toBe(counted.gained);
    expect(rows.filter((row) => row.at(-1) === "small").length).toBe(counted.lost);
  });

  it("holds texts only with --include-text: what was given once, what was said of both", () => {
    expect(flips(right, "--cluster", "none")[0]).not.toContain("prompt");
    const [head, first] = flips(right, "--cluster", "none", "--include-text");
    expect(head!.slice(-3)).toEqual(["prompt", "answer of system", "answer of baseline"]);
    expect(first!.slice(-3)).toEqual(["What is 0?", "new says 0", "old says 0"]);
  });

  it("is JSON where its name says so", () => {
    gosset("compare", right, "--cluster", "none", "--flips", at("out.json"), "--quiet");
    const rows = JSON.parse(readFileSync(at("out.json"), "utf8"));
    expect(rows).toHaveLength(3);
    expect(rows[0]).toMatchObject({ item: "q0", score: 1, "baseline score": 0, difference: 1, better: "new" });
  });
});

describe("other data", () => {
  it("graded scores: the difference is that of the scores, and equal items are left out", () => {
    const rows = flips("examples/data/summaries.csv", "--systems", "baseline,retrieval").slice(1);
    for (const [, , , score, base, difference] of rows) {
      expect(Number(score) - Number(base)).toBeCloseTo(Number(difference), 12);
      expect(Number(difference)).not.toBe(0);
    }
    const { flips: counted } = gossetJson("compare", "examples/data/summaries.csv", "--systems", "baseline,retrieval");
    expect(rows.length).toBe(counted.gained + counted.lost);
  });

  it("several systems: all pairs, or those with the baseline", () => {
    const pairs = (...words: string[]): string[] => [
      ...new Set(
        flips("examples/data/summaries.csv", ...words)
          .slice(1)
          .map(([b, a]) => `${b} ${a}`),
      ),
    ];
    expect(pairs()).toEqual(["rank-loss baseline", "retrieval baseline", "retrieval rank-loss"]);
    expect(pairs("--baseline", "baseline")).toEqual(["rank-loss baseline", "retrieval baseline"]);
  });

  it("tasks have a column of their own", () => {
    const tasks = file("tasks.csv", [
      "system,task,id,acc",
      ...["a", "b"].flatMap((system, s) =>
        Array.from({ length: 12 }, (_, i) => `${system},${i % 2 ? "math" : "code"},q${i},${(i + s) % 3 ? 1 : 0}`),
      ),
    ]);
    const [head, first] = flips(tasks);
    expect(head).toEqual(["system", "baseline", "item", "task", "score", "baseline score", "difference", "better"]);
    expect(["math", "code"]).toContain(first![3]);
  });

  it("votes: each side's proportion of the wins on every prompt that is not even", () => {
    const votes = file("votes.csv", [
      "prompt,judge,model_a,model_b,winner",
      ...["model_a", "model_b", "model_b", "tie", "model_b", "model_b"].map(
        (winner, i) => `p${i % 3},j${i % 2},X,Y,${winner}`,
      ),
    ]);
    expect(flips(votes).slice(1)).toEqual([
      ["Y", "X", "p0", "0.25", "0.75", "-0.5", "X"],
      ["Y", "X", "p1", "1", "0", "1", "Y"],
      ["Y", "X", "p2", "1", "0", "1", "Y"],
    ]);
  });

  it("labels: right or wrong, with the labels themselves where asked for", () => {
    const words = ["examples/data/labels.csv", "--gold", "label", "--pred", "model_a,model_b", "--metric", "f1"];
    const [head, first] = flips(...words, "--positive", "spam", "--include-text");
    expect(head!.slice(-3)).toEqual(["label", "label of system", "label of baseline"]);
    expect(first!.slice(-3)).toEqual(["spam", "spam", "ham"]);
    expect(first!.slice(3, 5)).toEqual(["1", "0"]);
  });

  it("texts: the metric of each sentence by itself", () => {
    const folder = "examples/data/translations";
    const words = [`${folder}/base.txt`, `${folder}/tuned.txt`, "--ref", `${folder}/reference.txt`];
    const rows = flips(...words).slice(1);
    const sentences = readCsv(
      gosset("score", `${folder}/tuned.txt`, "--ref", `${folder}/reference.txt`, "--sentence", "--format", "csv")
        .stdout,
    );
    expect(sentences.table.rows).toBeGreaterThanOrEqual(rows.length);
    for (const [, , , score, base] of rows) expect(score).not.toBe(base);
  });

  it("where nobody knows which way is better, nobody is called better", () => {
    const unknown = file("unknown.csv", [
      "system,id,zorp",
      ...["a", "b"].flatMap((system, s) => Array.from({ length: 9 }, (_, i) => `${system},q${i},${(i * 7 + s) % 5}`)),
    ]);
    expect(flips(unknown, "--metric", "zorp")[0]!.at(-1)).toBe("difference");
  });
});

describe("cells of a spreadsheet", () => {
  it("no text begins like a formula; numbers stay as they are, and JSON is not altered", () => {
    const sheet = file("sheet.csv", [
      "system,id,correct",
      ...["old", "new"].flatMap((system, s) =>
        ["=1+1", "+2", "-3", "@sum", "plain"].map((id) => `${system},"${id}",${s}`),
      ),
    ]);
    const rows = flips(sheet).slice(1);
    expect(rows.map(([, , item]) => item)).toEqual(["'=1+1", "+2", "-3", "'@sum", "plain"]);
    gosset("compare", sheet, "--flips", at("sheet.json"), "--quiet");
    expect(JSON.parse(readFileSync(at("sheet.json"), "utf8"))[0].item).toBe("=1+1");
    const losing = flips(sheet, "--systems", "new,old").slice(1);
    expect(losing[0]![5]).toBe("-1");
  });
});

describe("it is refused, and nothing is printed or written", () => {
  it.each([
    [["examples/data/questions.jsonl", "--unpaired"], at("no.csv"), /share no items/],
    [["examples/data/questions.jsonl"], at("no.txt"), /end in \.csv or \.json/],
    [[right, "--metric", "correct", "--include-text"], undefined, /without a report, --flips or --comment/],
  ] as const)("%j", (words, out, message) => {
    expect(gossetRefuses("compare", ...words, ...(out === undefined ? [] : ["--flips", out]))).toMatch(message);
    if (out !== undefined) expect(existsSync(out)).toBe(false);
  });

  it("of totals", () => {
    const totals = file("totals.csv", ["model,accuracy,accuracy_stderr", "a,0.61,0.02", "b,0.66,0.02"]);
    expect(gossetRefuses("compare", totals, "--flips", at("no.csv"))).toMatch(
      /--flips has no effect with totals, which have no items/,
    );
  });

  it("of several metrics at once", () => {
    const two = file("two.csv", [
      "system,id,acc,f1",
      ...["a", "b"].flatMap((system, s) =>
        Array.from({ length: 9 }, (_, i) => `${system},q${i},${(i + s) % 2},${((i * 7 + s) % 10) / 10}`),
      ),
    ]);
    expect(gossetRefuses("compare", two, "--metric", "all", "--flips", at("no.csv"))).toMatch(/several metrics/);
  });
});
