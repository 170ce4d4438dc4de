/** What new users got wrong answers for: which way is better, and metrics that were averaged into one number. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("direction");

function file(name: string, rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

/** 60 items; B has the thing on 18 more of them than A. */
function binary(name: string, yes: string, no: string): string[] {
  const has = { A: (i: number) => i < 20, B: (i: number) => i >= 2 && i < 40 };
  return [
    `model,id,${name}`,
    ...(["A", "B"] as const).flatMap((s) => Array.from({ length: 60 }, (_, i) => `${s},q${i},${has[s](i) ? yes : no}`)),
  ];
}

describe("a system that hallucinates more was called BETTER", () => {
  it.each([
    ["hallucinated", "Y", "N", "WORSE"],
    ["is_hallucination", "true", "false", "WORSE"],
    ["toxicity", "1", "0", "WORSE"],
    ["unsafe", "yes", "no", "WORSE"],
    ["num_errors", "1", "0", "WORSE"],
    ["error_free", "1", "0", "BETTER"],
    ["correct", "T", "F", "BETTER"],
    ["refusal", "1", "0", "HIGHER"],
    ["tokens", "10", "2", "HIGHER"],
    ["result", "pass", "fail", "BETTER"],
  ])("%s (%s, %s) is %s", (name, yes, no, verdict) => {
    const path = file(`${name}.csv`, binary(name, yes, no));
    const { verdict: found, higherIsBetter, notes } = gossetJson("compare", path, "--metric", name);
    expect(found).toBe(verdict);
    expect(higherIsBetter).toBe(verdict === "HIGHER" ? null : verdict === "BETTER");
    const text = gosset("compare", path, "--metric", name).stdout;
    expect(text.startsWith(verdict)).toBe(true);
    if (verdict === "HIGHER") {
      expect(notes.join(" ")).toMatch(/--direction higher or --direction lower decides it/);
      expect(text).not.toMatch(/BETTER|WORSE|is better\)/);
      expect(gossetJson("compare", path, "--metric", name, "--direction", "lower").verdict).toBe("WORSE");
    }
  });

  it("describe, compare, score and JSON agree", () => {
    const path = file("agree.csv", binary("hallucinated", "Y", "N"));
    expect(gosset("describe", path).stdout).toMatch(/score is hallucinated, lower is better/);
    expect(gossetJson("compare", path).higherIsBetter).toBe(false);
    const open = file("open.csv", binary("tokens", "10", "2"));
    expect(gosset("describe", open).stdout).not.toMatch(/is better/);
    expect(gosset("score", open, "--score", "tokens").stdout).toMatch(/Nothing says whether higher is better/);
    expect(gossetJson("score", open, "--score", "tokens").higherIsBetter).toBe(null);
  });

  it("equivalence needs no direction, but there is no non-inferiority without one", () => {
    const path = file("margin.csv", binary("tokens", "2", "2.01"));
    const { verdict, equivalence } = gossetJson("compare", path, "--metric", "tokens", "--margin", "1");
    expect([verdict, equivalence.nonInferiorityP]).toEqual(["EQUIVALENT", "NaN"]);
  });
});

describe("a long table of metrics was averaged over the metrics", () => {
  const rows = ["model,id,metric,value"];
  for (let i = 0; i < 40; i++) {
    for (const [s, shift] of [
      ["old", 0],
      ["new", 1],
    ] as const) {
      rows.push(`${s},q${i},bleu,${30 + ((i * 7) % 11) + shift * (1 + (i % 3))}`);
      rows.push(
        `${s},q${i},wer,${(0.2 + ((i * 5) % 7) / 50 + shift * (0.02 + (i % 5) / 100) + (i % 4) / 100).toFixed(3)}`,
      );
      rows.push(`${s},q${i},latency_ms,${500 + ((i * 13) % 17)}`);
    }
  }
  const path = file("metrics.csv", rows);

  it("each metric is compared by itself, in its own direction, and the others are named", () => {
    const { metric, systems, verdict, n, notes } = gossetJson("compare", path);
    expect([metric, verdict, n]).toEqual(["bleu", "BETTER", 40]);
    expect(systems[0].score).toBeLessThan(41);
    expect(notes.join(" ")).toMatch(/compared by bleu; there are also wer, latency_ms\. --metric wer/i);
    const wer = gossetJson("compare", path, "--metric", "WER");
    expect([wer.metric, wer.higherIsBetter, wer.verdict]).toEqual(["wer", false, "WORSE"]);
    expect(wer.systems[0].score).toBeLessThan(1);
  });

  it("a condition may name the metric", () => {
    expect(gossetJson("compare", path, "--where", "metric == 'wer'").metric).toBe("wer");
  });

  it("a name that is none of them is refused, with their names", () => {
    expect(gossetRefuses("compare", path, "--metric", "chrf")).toMatch(/bleu, wer, latency_ms/);
    expect(gossetRefuses("compare", path, "--metric", "value")).toMatch(/bleu, wer, latency_ms/);
  });

  it("the last part of a name is enough, where it is the last part of one only", () => {
    const nested = file("nested.jsonl", [
      ...["A", "B"].flatMap((model) =>
        Array.from({ length: 40 }, (_, i) =>
          JSON.stringify({
            id: i,
            model,
            scores: { em: i % 2, f1: ((i * 7 + model.length) % 10) / 10, "acc,none": 1 },
          }),
        ),
      ),
    ]);
    expect(gossetJson("compare", nested, "--metric", "f1").metric).toBe("scores.f1");
  });
});

describe("the answer on two systems did not fit a screen", () => {
  it("verdict, one table and two sentences: 80 columns and 24 lines", () => {
    const path = file("screen.csv", binary("correct", "1", "0"));
    for (const words of [[path], ["examples/data/sums/base.json", "examples/data/sums/tuned.json"]]) {
      const lines = gosset("compare", ...words)
        .stdout.trimEnd()
        .split("\n");
      expect(lines.length).toBeLessThanOrEqual(24);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    }
    expect(gosset("compare", path, "--details").stdout).toMatch(/right only with B/);
  });

  it("the difference printed is that of the scores printed, and the assumed direction is said", () => {
    const { stdout } = gosset("compare", file("screen.csv", binary("correct", "1", "0")));
    const number = (name: string): number => Number(new RegExp(`^${name} +([-+.\\d]+)`, "m").exec(stdout)![1]);
    expect(number("B") - number("A")).toBeCloseTo(number("difference"), 6);
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /Assumed Higher correct is better \(by its name\)\. Items are matched by id, 60 of 60/,
    );
  });
});
