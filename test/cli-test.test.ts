import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const QUESTIONS = "examples/data/questions.jsonl";
const folder = makeFolder("test");
const wide = join(folder, "wide.csv");
writeFileSync(wide, "id,a,b,c,doc\n1,3,2,1,x\n2,5,4,4,x\n3,4,4,2,y\n4,5,1,3,y\n5,2,3,1,z\n6,5,3,2,z\n");

describe("gosset test on numbers", () => {
  it("gives the documented JSON object", () => {
    const own = gossetJson("test", "mcnemar", "--table", "40,12,5,43", "--method", "exact");
    expect(own).toMatchObject({ kind: "test", test: "mcnemar", n: 100, warnings: [], alternative: "two-sided" });
    expect(own.p).toBeCloseTo(0.14346313476562506, 12);
    expect(own.effect).toMatchObject({ name: "difference in share right", estimate: 0.07 });
    expect(own.ci).toMatchObject({ level: 0.95, method: "exact (Fay & Lumbard)" });
  });

  it("takes samples, counts and correlations", () => {
    const p = (...args: string[]): number => gossetJson("test", ...args).p;
    expect(p("t", "--x", "1,2,3,5", "--y", "2,3,4,4", "--paired")).toBeCloseTo(0.3910022, 6);
    expect(p("proportions", "--x", "45,56", "--n", "100,100")).toBeCloseTo(0.1197764, 6);
    expect(p("fisher", "--table", "8,1/2,5")).toBeCloseTo(0.03496503496503494, 10);
    expect(p("williams", "--n", "50", "--r", "0.7,0.6,0.8")).toBeCloseTo(0.13576802324562848, 10);
    expect(p("binomial", "--x", "7", "--n", "20")).toBeCloseTo(0.26317596435546875, 12);
    expect(p("permutation", "--x", "1,1,0,1,1,1", "--y", "0,0,1,0,0", "--unpaired")).toBeCloseTo(0.0801, 3);
    expect(gossetJson("test", "partial-conjunction", "--p", "0.001,0.04,0.012,0.3").k).toBe(2);
    expect(gossetJson("test", "anova", "--x", "1,2,3/2,3,4/7,8,9").df).toEqual([2, 6]);
  });

  it("repeats random digits with the same seed", () => {
    const numbers = Array.from({ length: 60 }, (_, i) => Math.sin(i * 1.7).toFixed(6)).join(",");
    const run = (seed: string) =>
      gossetJson(
        "test",
        "bootstrap",
        "--x",
        numbers,
        "--y",
        numbers.split(",").reverse().join(","),
        "--seed",
        seed,
        "--replicates",
        "500",
      );
    expect(run("5").ci).toEqual(run("5").ci);
    expect(run("5").ci).not.toEqual(run("6").ci);
    expect(run("5").seed).toBe("5");
  });
});

describe("gosset test on files", () => {
  it("pairs systems by item in long files", () => {
    const exact = gossetJson(
      "test",
      "mcnemar",
      QUESTIONS,
      "--score",
      "correct",
      "--by",
      "system",
      "--item",
      "item",
      "--method",
      "exact",
    );
    const swaps = gossetJson(
      "test",
      "permutation",
      QUESTIONS,
      "--score",
      "correct",
      "--by",
      "system",
      "--item",
      "item",
    );
    expect(swaps.exact).toBe(true);
    expect(swaps.p).toBeCloseTo(exact.p, 12);
    const clustered = gossetJson(
      "test",
      "t",
      QUESTIONS,
      "--score",
      "correct",
      "--by",
      "system",
      "--item",
      "item",
      "--cluster",
      "passage",
    );
    expect(clustered.method).toMatch(/clusters/);
    expect(clustered.effect.estimate).toBeCloseTo(exact.effect.estimate, 12);
    const turned = gossetJson(
      "test",
      "permutation",
      QUESTIONS,
      "--score",
      "correct",
      "--by",
      "system",
      "--item",
      "item",
      "--systems",
      "small,large",
    );
    expect(turned.effect.estimate).toBeCloseTo(-exact.effect.estimate, 12);
  });

  it("reads columns of wide files", () => {
    expect(gossetJson("test", "wilcoxon", wide, "--x", "a", "--y", "b").statistic).toBe(13);
    expect(gossetJson("test", "friedman", wide, "--columns", "a,b,c").meanRanks).toHaveLength(3);
    expect(gossetJson("test", "kendall", wide, "--x", "a", "--y", "b")).toMatchObject({ test: "kendall" });
    expect(gossetJson("test", "equivalence", wide, "--x", "a", "--y", "b", "--margin", "10").p).toBeLessThan(0.001);
    expect(
      gossetJson(
        "test",
        "mcnemar",
        wide,
        "--x",
        "hit",
        "--y",
        "other",
        "--mutate",
        "hit = a > 3",
        "--mutate",
        "other = b > 3",
        "--cluster",
        "doc",
      ).n,
    ).toBe(3);
  });

  it("prints a table that fits 80 columns", () => {
    const { stdout, status } = gosset("test", "mcnemar", "--table", "40,12,5,43");
    expect(status).toBe(0);
    expect(stdout).toContain("McNemar's test, exact");
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    for (const line of gosset("test", "--help").stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each([
    [["test", "mcnemr", "--table", "1,2,3,4"], /Did you mean "mcnemar"/],
    [["test", "t", "--x", "1,two,3"], /"two" is not a number/],
    [["test", "t"], /needs two samples/],
    [["test", "mcnemar", "--table", "1,2,3"], /3 counts/],
    [["test", "mcnemar", "--table", "1,-2,3,4"], /not a count/],
    [["test", "equivalence", "--x", "1,2,3", "--y", "1,2,4"], /--margin/],
    [["test", "wilcoxon", "--x", "1,2,3", "--y", "1,2"], /3 values against 2/],
    [["test", "wilcoxon", "--x", "1,2", "--y", "1,2", "--zeros", "no"], /Allowed choices are wilcoxon, pratt, split/],
    [["test", "t", wide, "--x", "aa", "--y", "b"], /aa/],
    [["test", "sign", QUESTIONS, "--score", "correct", "--by", "system"], /--item/],
    [["test", "t", "--score", "s", "--by", "g"], /no file/],
    [["test", "t", "--x", "1,2", "--y", "2,3", "--confidence", "95"], /--confidence/],
  ])("refuses %j", (args, message) => {
    expect(gossetRefuses(...(args as string[]))).toMatch(message as RegExp);
  });
});

describe("gosset test, told in full", () => {
  it("names the columns behind x and y", () => {
    const { stdout } = gosset("test", "t", wide, "--x", "a", "--y", "b", "--paired");
    expect(stdout).toContain("First (x): a; second (y): b; differences are the first minus the second.");
    expect(gossetJson("test", "t", wide, "--x", "a", "--y", "b", "--paired").samples).toEqual(["a", "b"]);
    expect(gosset("test", "t", "--x", "1,2,4", "--y", "2,3,3", "--paired").stdout).not.toContain("First (x)");
  });

  it("mcnemar is exact by default, as in compare and power, and names the mid-p beside it", () => {
    const own = gossetJson("test", "mcnemar", "--table", "40,12,5,43");
    expect(own.p).toBeCloseTo(0.14346313476562506, 12);
    expect(own.figures["p, mid-p"]).toBeCloseTo(
      gossetJson("test", "mcnemar", "--table", "40,12,5,43", "--method", "mid-p").p,
      12,
    );
  });
});
