/** Logs of other programs on the command line: files of our own making (test/fixtures/make-logs.mjs), in each program's form. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses, root, shellWords } from "./support/cli.ts";
import { expectClose } from "./support/oracle.ts";

const LOGS = "test/fixtures/logs";
const ANSWERS = ["inspect", "lm_eval", "helm", "promptfoo", "every_eval_ever"];

describe("24 answers of two systems, written by five programs", () => {
  it.each(ANSWERS)("%s: the same comparison", (name) => {
    const { n, p, systems, difference } = gossetJson("compare", join(LOGS, name));
    expect(n).toBe(24);
    // the larger system errs at 5, 10, 15 and 20, the smaller one at the multiples of 3
    const scores = (systems as { score: number }[]).map(({ score }) => score).sort((a, b) => a - b);
    expectClose(scores, [16 / 24, 20 / 24], { tolerance: 1e-12 });
    expect(Math.abs(difference)).toBeCloseTo(4 / 24, 12);
    // 7 items against 3 decide: 2 P(X ≤ 3), X ~ Bin(10, 1/2)
    expect(p).toBeCloseTo((2 * (1 + 10 + 45 + 120)) / 1024, 12);
  });

  it("MQM: the penalties of the lines", () => {
    const { n, systems } = gossetJson("compare", join(LOGS, "wmt_mqm"));
    expect(n).toBe(24);
    const penalty: Record<string, number> = { small: 0, large: 0 };
    const lines = readFileSync(join(root, LOGS, "wmt_mqm/mqm.tsv"), "utf8")
      .trim()
      .split("\n")
      .slice(1);
    for (const line of lines) {
      const cells = line.split("\t");
      penalty[cells[0]!]! += cells[8] === "Major" ? 5 : cells[8] === "Minor" ? 1 : 0;
    }
    // two raters a segment
    for (const { name, score } of systems as { name: string; score: number }[]) {
      expect(score).toBeCloseTo(-penalty[name]! / 48, 12);
    }
  });

  it("texts are compared by their reference, and without one it is asked for", () => {
    const texts = join(LOGS, "mt_text");
    const files = ["small.txt", "large.txt"].map((name) => join(texts, name));
    const { n, systems } = gossetJson(
      "compare",
      ...files,
      "--ref",
      join(texts, "reference.txt"),
      "--replicates",
      "200",
    );
    expect(n).toBe(24);
    const [small, large] = systems as { score: number }[];
    expect(small!.score).toBeLessThan(large!.score);
    expect(gossetRefuses("compare", ...files)).toContain("--ref");
  });

  it("one file of a pair is one system only, and a folder of everything names its formats", () => {
    expect(gossetRefuses("compare", join(LOGS, "inspect/small.json"))).toContain("one system only");
    expect(gossetRefuses("describe", LOGS)).toMatch(/\d formats: every-eval-ever/);
  });
});

describe("describe", () => {
  const files = readdirSync(join(root, LOGS)).map((name) => join(LOGS, name));

  it.each(files)("%s: every command that it offers runs", (path) => {
    const facts = gossetJson("describe", path);
    expect(facts.rows).toBeGreaterThan(0);
    const ready = facts.answers as { command: string }[];
    expect(ready.length).toBeGreaterThan(0);
    for (const { command } of ready) {
      const { status, stderr } = gosset(...shellWords(command).slice(1), "--quiet");
      expect([command, status, stderr]).toEqual([command, 0, ""]);
    }
  });
});
