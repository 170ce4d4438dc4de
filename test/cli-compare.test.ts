import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRng } from "../src/numeric/rng.ts";
import { mcnemarP } from "../src/significance/tests/mcnemar.ts";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import {
  answersText,
  BAD,
  battleLines,
  DOCUMENTS,
  documentTexts,
  GOOD,
  LEFT,
  labelsText,
  otherText,
  REFERENCE,
  RIGHT,
  THREE_WAY_BATTLES,
  threeEpochs,
  topicsText,
} from "./support/comparison-data.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("compare");

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const answers = (name: string, counts: readonly number[]): string => file(name, answersText(counts));

const base = "examples/data/sums/base.json";
const tuned = "examples/data/sums/tuned.json";

describe("gosset compare", () => {
  it("keeps the JSON contract", () => {
    const result = gossetJson("compare", answers("plain.csv", [60, 20, 5, 15]));
    expect(result).toMatchObject({
      kind: "comparison",
      metric: "correct",
      n: 100,
      test: "mcnemar-midp",
      verdict: "BETTER",
      warnings: [],
      seed: "1",
    });
    // the order of first appearance, not of the alphabet: the baseline comes first
    expect(result.systems.map(({ name, score }: { name: string; score: number }) => [name, score])).toEqual([
      ["zero", 0.65],
      ["alt", 0.8],
    ]);
    expect(result.difference).toBeCloseTo(0.15, 12);
    expect(result.p).toBeCloseTo(mcnemarP(20, 5, { method: "mid-p" }), 12);
    expect(result.ci).toMatchObject({ level: 0.95, method: "mid-p (Fay & Lumbard)" });
    expect(result.ci.lower).toBeLessThan(0.15);
    expect(result.ci.upper).toBeGreaterThan(0.15);
    expect(result.mde80).toBeGreaterThan(0.1);
  });

  it("exact permutation, exact McNemar and the sign test are one test", () => {
    const path = answers("same.csv", [40, 13, 4, 20]);
    const p = ["permutation", "mcnemar-exact", "sign"].map((test) => gossetJson("compare", path, "--test", test).p);
    expect(p[1]).toBeCloseTo(p[0]!, 12);
    expect(p[2]).toBeCloseTo(p[0]!, 12);
  });

  it("turns with the baseline, and with the direction of the score", () => {
    const path = answers("turned.csv", [60, 20, 5, 15]);
    const turned = gossetJson("compare", path, "--baseline", "alt");
    expect([turned.a, turned.b, turned.verdict]).toEqual(["alt", "zero", "WORSE"]);
    expect(turned.difference).toBeCloseTo(-0.15, 12);
    expect(gossetJson("compare", path, "--direction", "lower").verdict).toBe("WORSE");
    expect(gosset("compare", path, "--details").stdout).toContain("Baseline: zero.");
  });

  it("averages epochs: three copies of a run are no more items", () => {
    const once = answers("once.csv", [30, 10, 4, 6]);
    const thrice = file("thrice.csv", threeEpochs(readFileSync(once, "utf8")));
    const [one, three] = [gossetJson("compare", once), gossetJson("compare", thrice)];
    expect(three.n).toBe(50);
    expect(three.p).toBeCloseTo(one.p, 12);
    expect(three.difference).toBeCloseTo(one.difference, 12);
    expect(three.notes.join(" ")).toContain("repeated scores are not additional items");
  });

  it("counts clusters as units: answers that are copies within a document add nothing", () => {
    const texts = documentTexts();
    const [clustered, plain] = [file("clustered.csv", texts.clustered), file("single.csv", texts.single)];
    const result = gossetJson("compare", clustered, "--cluster", "document");
    expect([result.n, result.clusters]).toEqual([70, 14]);
    expect(result.p).toBeCloseTo(gossetJson("compare", plain, "--test", "mcnemar-exact").p, 12);
  });

  it("takes kinds of items for clusters only if told so", () => {
    const path = file("topics.csv", topicsText());
    expect(gossetJson("compare", path).clusters).toBeUndefined();
    const told = gossetJson("compare", path, "--cluster", "topic");
    expect([told.clusters, told.test]).toEqual([3, "t"]);
  });

  it("gives the same digits for the same seed, and others for another", () => {
    const run = (seed: string) =>
      gosset("compare", base, tuned, "--test", "bootstrap", "--replicates", "500", "--json", "--quiet", "--seed", seed)
        .stdout;
    expect(run("7")).toBe(run("7"));
    expect(JSON.parse(run("7")).p).not.toBe(JSON.parse(run("8")).p);
  });

  it("has the p of `test bootstrap` on the same data, seed and draws", () => {
    const rng = makeRng("shift");
    const rows = Array.from({ length: 30 }, (_, i) => {
      const [a, b] = [rng.exponential(), rng.exponential() + 0.4];
      return [`a,q${i},d${i % 12},${a.toFixed(3)}`, `b,q${i},d${i % 12},${b.toFixed(3)}`];
    }).flat();
    const path = file("shift.csv", `system,item,doc,score\n${rows.join("\n")}\n`);
    const settings = ["--seed", "9", "--replicates", "800"];
    for (const cluster of ["none", "doc"]) {
      const compared = gossetJson("compare", path, "--test", "bootstrap", ...settings, "--cluster", cluster);
      const columns = ["--score", "score", "--by", "system", "--item", "item"];
      const own = cluster === "none" ? [] : ["--cluster", cluster];
      const tested = gossetJson("test", "bootstrap", path, ...columns, ...own, ...settings);
      expect(compared.p).toBe(tested.p);
      expect(compared.difference).toBeCloseTo(-tested.statistic, 12);
    }
  });

  it("reads as sentences at 80 columns", () => {
    const { stdout, status } = gosset("compare", base, tuned, "--details");
    expect(status).toBe(0);
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    const text = stdout.replace(/\s+/g, " ");
    expect(text).toContain("INCONCLUSIVE: example/tuned-7b against example/base-7b on match");
    expect(text).toMatch(/on the same 150 items: a difference of \+4\.0 points/);
    expect(text).toContain("this is not evidence that the systems are equally good");
    expect(text).toMatch(/80 % power, you need about \d+ items in all with 3 scores each, or about \d+ scores/);
    const runs = gosset("compare", base, tuned, "--run-kind", "trainings").stdout.replace(/\s+/g, " ");
    expect(runs).toMatch(/80 % power, you need about \d+ such runs of each system on these 150 items/);
    expect(runs).toContain("3 runs of each system on 150 items are too few to tell");
    expect(text).toContain("missing scores (2 of example/tuned-7b)");
  });

  it("tells a test set that could not show anything", () => {
    const text = gosset("compare", answers("tiny.csv", [1, 2, 0, 0]), "--details").stdout.replace(/\s+/g, " ");
    expect(text).toContain("cannot detect any difference with 80 % power, not even one of 100 points");
    expect(text).toContain("3 items are too few to plan from");
  });

  it("tests equivalence within a margin, and does not take three equal answers for proof", () => {
    const close = answers("close.csv", [480, 6, 5, 109]);
    expect(gossetJson("compare", close, "--margin", "0.05")).toMatchObject({
      verdict: "EQUIVALENT",
      equivalence: { margin: 0.05 },
    });
    const few = gossetJson("compare", answers("equal.csv", [3, 0, 0, 0]), "--margin", "0.05");
    expect(few.verdict).toBe("INCONCLUSIVE");
    expect(few.equivalence.p).toBeGreaterThan(0.3);
  });

  it("compares every other system with a baseline, adjusted for their number", () => {
    const result = gossetJson(
      "compare",
      "examples/data/summaries.csv",
      "--baseline",
      "baseline",
      "--test",
      "permutation",
    );
    expect(result.pairs.map(({ a, b }: { a: string; b: string }) => `${b} - ${a}`)).toEqual([
      "rank-loss - baseline",
      "retrieval - baseline",
    ]);
    expect([result.adjust, result.simultaneous]).toEqual(["max-t", true]);
    // Dunnett's p lies between that of one pair and Bonferroni's
    for (const { p, testDetails } of result.pairs) {
      expect(p).toBeGreaterThan(testDetails.p);
      expect(p).toBeLessThan(2 * testDetails.p);
    }
  });

  it("models raters, and names differences second minus first in every table", () => {
    const result = gossetJson("compare", "examples/data/summaries.csv", "--by", "domain");
    expect([result.testDetails.name, result.model.kind]).toEqual(["model", "clmm"]);
    expect(result.model.formula).toContain("(1 | rater)");
    for (const contrast of result.model.within) {
      const [b, a] = contrast.contrast.split(" - ").map((name: string) => name.replace(/[()]/g, ""));
      const mean = (system: string): number =>
        result.model.means.find(
          (m: { system: string; domain: string }) => m.system === system && m.domain === contrast.within.domain,
        ).estimate;
      expect(contrast.estimate).toBeCloseTo(mean(b) - mean(a), 10);
    }
  });
});

describe("what describe offers", () => {
  it.each(["examples/data/questions.jsonl", "examples/data/summaries.csv", "examples/data/sums"])(
    "runs as printed: %s",
    (path) => {
      const { answers: offered } = gossetJson("describe", path);
      const { command } = offered.find((answer: { command: string }) => / compare /.test(answer.command));
      const args = command.replace(/^.*?gosset /, "").split(" ");
      expect(gossetJson(...args).kind).toBe("comparison");
    },
  );
});

describe("files that meet", () => {
  it("the same model twice: the files' names tell the runs apart", () => {
    const result = gossetJson("compare", base, file("again.json", readFileSync(base, "utf8")));
    expect([result.a, result.b, result.difference, result.p]).toEqual(["base", "again", 0, 1]);
    expect(result.warnings.join(" ")).toContain("have the same score on every item");
  });

  it("a log and a table: items that one lacks are left out, counted and named", () => {
    const table = file("other.csv", otherText());
    const result = gossetJson("compare", base, table);
    expect([result.n, result.itemsLost]).toEqual([40, 111]);
    expect(result.unmatched).toEqual([
      expect.objectContaining({ system: "example/base-7b", missing: 1, examples: ["extra"] }),
      expect.objectContaining({ system: "other", missing: 110, unscored: 1 }),
    ]);
  });

  it("different items: refused with a way out, and compared as samples if asked to", () => {
    const [a, b] = [file("left.csv", LEFT), file("right.csv", RIGHT)];
    expect(gossetRefuses("compare", a, b)).toContain("--unpaired");
    const result = gossetJson("compare", a, b, "--unpaired");
    expect([result.paired, result.n, result.difference]).toEqual([false, 6, 1]);
    expect(result.test).toBe("t"); // 20 ways to deal out six values leave no small p
    expect(gossetJson("compare", a, b, "--unpaired", "--test", "permutation").p).toBeCloseTo(2 / 20, 12);
  });
});

describe("texts and labels", () => {
  const ref = file("ref.txt", REFERENCE);
  const a = file("bad.txt", BAD);
  const b = file("good.txt", GOOD);

  it("scores the whole text again for every swap", () => {
    for (const metric of ["bleu", "chrf", "ter"]) {
      const result = gossetJson("compare", a, b, "--ref", ref, "--metric", metric);
      expect(result.verdict).toBe("INCONCLUSIVE"); // 2 of 16 swaps are as extreme
      expect(result.p).toBeCloseTo(1 / 8, 12);
      expect(result.systems[1].score).toBeCloseTo(
        gossetJson("score", b, "--ref", ref, "--metric", metric).score as number,
        10,
      );
      expect(result.higherIsBetter).toBe(metric !== "ter");
    }
  });

  it("swaps whole documents", () => {
    const docs = file("docs.txt", DOCUMENTS);
    const result = gossetJson("compare", a, b, "--ref", ref, "--docs", docs, "--metric", "chrf");
    expect([result.clusters, result.p]).toEqual([2, 0.5]); // 2 of 4 swaps
  });

  it("takes F1 and MCC from the labels of each item", () => {
    const path = file("labels.csv", labelsText());
    for (const metric of ["f1", "mcc", "macro-f1"]) {
      const positive = metric === "f1" ? ["--positive", "1"] : [];
      const flags = ["--gold", "truth", "--pred", "guess", "--metric", metric, ...positive];
      const result = gossetJson("compare", path, ...flags);
      const scores = gossetJson("score", path, ...flags);
      const own = scores.systems.map(({ name, score }: { name: string; score: number }) => [name, score]);
      expect(result.systems.map(({ name, score }: { name: string; score: number }) => [name, score])).toEqual(own);
      expect([result.verdict, result.ci.method]).toEqual(["BETTER", "BCa bootstrap"]);
      if (positive.length > 0) continue;
      expect(gossetRefuses("compare", path, ...flags, "--positive", "1")).toContain(
        `--positive has no effect with ${metric}`,
      );
    }
  });
});

describe("battles", () => {
  it("of two systems are the sign test of wins against losses", () => {
    const path = file("arena.jsonl", battleLines([7, 4, 19], ["x", "y"]));
    const result = gossetJson("compare", path);
    expect([result.metric, result.n, result.units]).toEqual(["win share", 30, "battles"]);
    expect(result.p).toBeCloseTo(mcnemarP(19, 7, { method: "exact" }), 12);
    expect(result.systems.find(({ name }: { name: string }) => name === "y").score).toBeCloseTo(21 / 30, 12);
  });

  it("does not call what two systems of an arena did head to head a difference of their scores", () => {
    const path = file("arena3.jsonl", THREE_WAY_BATTLES);
    const text = gosset("compare", path).stdout.replace(/\s+/g, " ");
    expect(text).toContain("pair head to head 95 % CI");
    expect(text).toMatch(/Scores chance to beat an average opponent.* head to head is wins minus losses/);
    const { pairs, n } = gossetJson("compare", path);
    const [head, ...lines] = gosset("compare", path, "--format", "csv").stdout.trim().split("\n");
    const at = head!.split(",").indexOf("n");
    const battles = lines.map((line) => Number(line.split(",")[at]));
    expect([battles.length, battles.reduce((sum, k) => sum + k, 0)]).toEqual([pairs.length, n]);
    // advice is about one of the pairs
    expect(text).not.toMatch(/[.] To detect the observed difference/);
  });

  it("of three are ranked by strength", () => {
    const result = gossetJson("compare", file("arena3.jsonl", THREE_WAY_BATTLES));
    const ranked = [...result.systems].sort((p, q) => q.score - p.score).map(({ name }) => name);
    expect(ranked).toEqual(["z", "y", "x"]);
    expect(result.pairs).toHaveLength(3);
  });
});

describe("bad input is one clear line", () => {
  const path = answers("bad.csv", [20, 5, 5, 20]);
  it.each([
    [["compare", base], "one system only"],
    [["compare", path, "--metric", "corect"], 'Did you mean "correct"?'],
    [["compare", path, "--systems", "zero,alto"], 'Did you mean "alt"?'],
    [["compare", path, "--baseline", "zeroo"], 'Did you mean "zero"?'],
    [["compare", path, "--item", "itme"], 'Did you mean "item"?'],
    [["compare", path, "--slice", "nothing"], "no such column"],
    [["compare", path, "--metric", "item"], "not numeric"],
    [["compare", path, "--margin", "0"], "not a number above 0"],
    [["compare", path, "--margin", "2"], "0.02 for 2 points"],
    [["compare", path, "--by", "item", "--cut", "low"], "not a list of numbers"],
    [["compare", path, "--cut", "3"], "--cut has no effect without --by"],
    [["compare", path, "--adjust", "tukey"], "it is for a mixed model"],
    [["compare", path, "--where", "correct > 2"], "no row satisfies"],
    [["compare", path, "--test", "multi-bootstrap"], "resamples runs and items"],
    [["compare", path, "--test", "nonsense"], "Allowed choices"],
    [["compare", path, "--gold", "correct"], "--pred is missing"],
    [["compare", join(folder, "absent.csv")], "no file"],
    [["compare", file("empty.csv", ""), path], "is empty"],
    [["compare", file("one.csv", "system,item,score\na,q1,0.5\na,q2,0.5\nb,q1,0.75\nb,q3,1\n")], "one item in common"],
  ])("%j", (args, text) => {
    expect(gossetRefuses(...args)).toContain(text);
  });
});
