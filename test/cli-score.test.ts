import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("score");
const put = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const reference = put("reference.txt", "the cat sat on the mat\nhello , world\n");
const second = put("second.txt", "a cat was sitting on the mat\nhi world\n");
const good = put("good.txt", "the cat sat on the mat\nhello , world\n");
const poor = put("poor.txt.gz", gzipSync("a cat on mat\nworld hello\n"));
const labels = put(
  "labels.csv",
  "model,id,label,predicted\na,1,spam,spam\na,2,ham,spam\na,3,ham,ham\na,4,spam,ham\nb,1,spam,spam\nb,2,ham,ham\nb,3,ham,ham\nb,4,spam,ham\n",
);
const results = put("results.csv", "system,item,correct,latency_ms\na,1,1,20\na,2,0,40\nb,1,1,10\nb,2,1,30\n");

describe("gosset score on text", () => {
  it("gives the documented JSON object", () => {
    const score = gossetJson("score", good, "--ref", reference, "--metric", "bleu");
    expect(score).toMatchObject({
      kind: "score",
      metric: "BLEU",
      higherIsBetter: true,
      system: "good",
      n: 2,
      bp: 1,
      sysLen: 9,
      refLen: 9,
      counts: [9, 7, 5, 3],
      totals: [9, 7, 5, 3],
      warnings: [],
    });
    expect(score.score).toBeCloseTo(100, 10);
    expect(score.signature).toMatch(/^nrefs:1\|case:mixed\|eff:no\|tok:13a\|smooth:exp\|version:gosset-\d/);
  });

  it("scores several systems against several references, packed or not", () => {
    const score = gossetJson("score", good, poor, "--ref", reference, "--ref", second, "--metric", "ter");
    expect(score.systems.map((row: { name: string }) => row.name)).toEqual(["good", "poor"]);
    expect(score.signature).toMatch(/^nrefs:2\|case:lc\|tok:tercom/);
    expect(score.higherIsBetter).toBe(false);
    // no edits against the first reference; lengths are the mean of both
    expect(score.systems[0]).toMatchObject({ score: 0, edits: 0, refLen: 9 });
    expect(score).not.toHaveProperty("score");
  });

  it("lists sentences as CSV", () => {
    const { stdout, status } = gosset(
      "score",
      good,
      "--ref",
      reference,
      "--metric",
      "chrf",
      "--sentence",
      "--format",
      "csv",
    );
    expect(status).toBe(0);
    expect(stdout).toBe("system,item,chrF2\ngood,1,100\ngood,2,100\n");
    const { items, signature } = gossetJson("score", good, "--ref", reference, "--sentence");
    expect(items).toHaveLength(2);
    expect(signature).toContain("eff:yes");
  });

  it("passes the options of the metrics on", () => {
    const run = (...flags: string[]) => gossetJson("score", poor, "--ref", reference, ...flags);
    expect(run("--tokenize", "char", "--smooth-method", "floor").signature).toContain("tok:char|smooth:floor[0.10]");
    expect(run("--metric", "chrf++", "--beta", "3").metric).toBe("chrF3++");
    expect(run("--metric", "ter", "--no-punct", "--normalized").signature).toContain("norm:yes|punct:no");
    expect(run("--metric", "ter", "--no-punct").score).toBeGreaterThan(run("--metric", "chrf").score);
  });

  it("refuses what cannot be scored, in one line", () => {
    const short = put("short.txt", "one\n");
    const empty = put("empty.txt", "");
    expect(gossetRefuses("score", short, "--ref", reference)).toMatch(
      /reference\.txt" has 2 lines and ".*short\.txt" has 1 line\./,
    );
    expect(gossetRefuses("score", empty, "--ref", reference)).toMatch(/empty\.txt is empty/);
    expect(gossetRefuses("score", good, "--metric", "bleu")).toMatch(/bleu needs references/);
    expect(gossetRefuses("score", good, "--ref", reference, "--metric", "blue")).toMatch(/Did you mean "bleu"/);
    expect(gossetRefuses("score", good, "--ref", reference, "--tokenize", "ja-mecab")).toMatch(/dictionary/);
    expect(gossetRefuses("score", good, "--ref", join(folder, "referenc.txt"))).toMatch(/Did you mean/);
    const cut = put("cut.txt.gz", gzipSync("a b c d e f\n".repeat(99)).subarray(0, 20));
    expect(gossetRefuses("score", cut, "--ref", reference)).toMatch(/damaged/);
  });
});

describe("gosset score on results", () => {
  it("scores labels by system", () => {
    const f1 = gossetJson("score", labels, "--metric", "f1", "--positive", "spam");
    expect(f1.systems.map((row: { score: number }) => row.score)).toEqual([0.5, 2 / 3]);
    const accuracy = gossetJson("score", labels, "--metric", "accuracy");
    expect(accuracy.systems[1]).toMatchObject({ name: "b", score: 0.75, n: 4, ci: { method: "Wilson", level: 0.95 } });
    const mcc = gossetJson(
      "score",
      labels,
      "--metric",
      "mcc",
      "--where",
      "model == 'b'",
      "--gold",
      "label",
      "--pred",
      "predicted",
    );
    expect(mcc.score).toBeCloseTo(2 / Math.sqrt(1 * 2 * 2 * 3), 12);
  });

  it("takes means of score columns, with the better direction", () => {
    expect(gossetJson("score", results)).toMatchObject({ metric: "correct", higherIsBetter: true });
    const slow = gossetJson("score", results, "--metric", "latency_ms");
    expect(slow).toMatchObject({ metric: "latency_ms", higherIsBetter: false });
    expect(slow.systems.map((row: { score: number }) => row.score)).toEqual([30, 20]);
    expect(gossetJson("score", results, "--score", "latency_ms", "--direction", "higher").higherIsBetter).toBe(true);
    expect(gosset("score", results).stdout).toContain("Wilson");
  });

  it("refuses what cannot be scored, in one line", () => {
    expect(gossetRefuses("score", labels, "--metric", "f1")).toMatch(/which of the 2 labels is the positive one/);
    expect(gossetRefuses("score", labels, "--metric", "f1", "--positive", "spm")).toMatch(/Did you mean "spam"/);
    expect(gossetRefuses("score", results, "--metric", "f1")).toMatch(/--gold and --pred/);
    expect(gossetRefuses("score", results, "--metric", "corect")).toMatch(/Did you mean "correct"/);
    expect(gossetRefuses("score", labels, "--metric", "f1", "--gold", "lable")).toMatch(/label/);
    const holes = put("holes.csv", "id,label,predicted\n1,a,a\n2,b,\n3,a,b\n");
    expect(gossetRefuses("score", holes, "--metric", "accuracy")).toMatch(/item 2 has no/);
  });
});
