/** `gosset survey`: a table of claims from a file, and what is said about wrong ones. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { readOracle } from "./support/oracle.ts";

const folder = makeFolder("survey");

function write(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

const CLAIMS = write("claims.csv", [
  "paper,benchmark,items,sota,accuracy,when",
  "A,SST-2,1821,94.0,94.6,2018",
  "B,SST-2,1821,94.6,95.1,2019",
  "C,SST-2,1821,95.1,96.8,2019-06",
  "D,RTE,3000,70.1,76.2,2018",
  "E,RTE,3000,76.2,80.0,2019",
  "F,RTE,3000,80.0,83.2,2020",
]);
const COLUMNS = ["--n", "items", "--baseline", "sota", "--score", "accuracy", "--task", "benchmark", "--id", "paper"];

describe("survey", () => {
  it("has the fields of the contract", () => {
    const found = gossetJson("survey", CLAIMS, ...COLUMNS, "--date", "when");
    expect(found.kind).toBe("survey");
    expect(found.claims[0]).toMatchObject({ id: "A", n: 1821, baseline: 94, score: 94.6 });
    expect(Object.keys(found.claims[0])).toEqual(expect.arrayContaining(["power", "p"]));
    expect(found.tasks.map(({ task, verdict }: { task: string; verdict: string }) => [task, verdict])).toEqual([
      ["SST-2", "cannot show"],
      ["RTE", "can show"],
    ]);
    for (const [part, names] of Object.entries({
      begg: ["tau", "p"],
      egger: ["intercept", "se", "p"],
      fixed: ["estimate", "se"],
      random: ["estimate", "se", "tau2", "method"],
    })) {
      expect(Object.keys(found[part])).toEqual(expect.arrayContaining(names));
    }
    expect(found.records.map(({ shown }: { shown: number }) => shown)).toEqual([1, 2]);
  });

  it("gives metafor's numbers from a file of effects", () => {
    const { cases } = readOracle("next/meta-analysis.json");
    const { reml } = cases.find(({ id }) => id === "pool-meta2")!.expected;
    const found = gossetJson("survey", "oracle/next/data/meta2.csv", "--effect", "yi", "--variance", "vi");
    expect(found.random.estimate).toBeCloseTo(reml.estimate, 10);
    expect(found.random.tau2).toBeCloseTo(reml.tau2, 12);
    expect(found.random.method).toBe("reml");
  });

  it("says in words what the benchmarks can show", () => {
    const { stdout } = gosset("survey", CLAIMS, ...COLUMNS, "--prior", "0.2", "--teams", "2");
    expect(stdout.replace(/\s+/g, " ")).toMatch(/cannot show typical gains: enlarge to \d+ items, or retire it/);
    expect(stdout.replace(/\s+/g, " ")).toMatch(
      /If 20 % of the ideas tried are true gains, [\d.]+ % of the significant results are/,
    );
  });
});

describe("twenty wrong calls", () => {
  const bad = (name: string, ...rows: string[]): string => write(name, rows);
  const WRONG: readonly (readonly [string[], string])[] = [
    [["/nowhere.csv"], "nowhere.csv"],
    [[bad("empty.csv", "n,baseline,score")], "no rows"],
    [[CLAIMS, "--n", "item"], 'Did you mean "items"'],
    [[CLAIMS, "--baseline", "sotta"], "--baseline sotta: no such column"],
    [[bad("gains.csv", "task,n", "a,10")], "claimed gains"],
    [[bad("vague.csv", "gain,task", "0.1,a")], "how exact"],
    [[bad("zero.csv", "n,baseline,score", "0,0.5,0.6")], "row 1"],
    [[bad("half.csv", "n,baseline,score", "10.5,0.5,0.6")], "n = 10.5"],
    [[bad("high.csv", "n,baseline,score", "10,50,160")], "score = 160"],
    [[bad("negative.csv", "n,baseline,score", "10,-0.5,0.6")], "baseline = -0.5"],
    [[bad("words.csv", "n,baseline,score", "10,high,0.6")], 'holds "high"'],
    [[bad("p.csv", "effect,p", "0.1,1.5")], "p = 1.5"],
    [[bad("var.csv", "effect,variance", "0.1,0", "0.2,0.1")], "variance of 0"],
    [[bad("agree.csv", "n,baseline,score,agreement", "10,0.5,0.6,-0.2")], "agreement = -0.2"],
    [[CLAIMS, ...COLUMNS, "--alpha", "2"], "--alpha 2"],
    [[CLAIMS, ...COLUMNS, "--power", "0.01"], "power"],
    [[CLAIMS, ...COLUMNS, "--prior", "1"], "--prior 1"],
    [[CLAIMS, ...COLUMNS, "--bias", "0.1"], "--prior"],
    [[CLAIMS, ...COLUMNS, "--prior", "0.2", "--bias", "2"], "bias = 2"],
    [[CLAIMS, ...COLUMNS, "--teams", "1.5"], "--teams 1.5"],
    [[CLAIMS, ...COLUMNS, "--dev", "accuracy"], "--dev-items"],
    [[CLAIMS, ...COLUMNS, "--random", "ml"], "ml"],
    [[CLAIMS, ...COLUMNS, "--overlap", "nli"], "overlap = nli"],
    [[CLAIMS, ...COLUMNS, "--scale", "5-1"], "scale 5-1"],
    [[CLAIMS, ...COLUMNS, "--date", "paper"], "is not a date"],
  ];
  it.each(WRONG)("survey %j", (args, message) => {
    const told = gossetRefuses("survey", ...args);
    expect(told).toContain(message);
    expect(told.trim().split("\n")).toHaveLength(1);
  });
});
