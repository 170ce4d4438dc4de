/** Sentences that said less than they should, or something else. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("sentences");
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
function file(name: string, rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

describe("agreement on one screen", () => {
  const level = (i: number, r: number): number =>
    Math.max(
      1,
      Math.min(5, Math.round(3 + 1.5 * Math.sin(2.3 * i) + (0.3 + r / 4) * Math.sin(7.1 * i + 3.7 * r + i * r))),
    );
  const labels = file("labels.csv", [
    "item,rater,score,doc",
    ...times(40, (i) => times(6, (r) => `t${i},ann${r},${level(i, r)},d${i % 8}`)).flat(),
  ]);
  const asked = ["agreement", labels, "--item", "item", "--rater", "rater", "--label", "score", "--replicates", "200"];

  it("fits 80 x 24, and keeps the rest for --details", () => {
    const { stdout } = gosset(...asked);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines[0]).toMatch(/^Krippendorff's α, ordinal: /);
    expect(stdout).not.toMatch(/--flips|Which labels meet/);
    const whole = gosset(...asked, "--details").stdout;
    expect(whole).toMatch(/Which labels meet/);
    // the rater named on the screen is the one without whom α of the table is highest
    const [, named] = /raters (\S+) fits least/.exec(stdout)!;
    const rates = [...whole.matchAll(/^(ann\d) +\d+ +[\d.]+% +-?[\d.]+ +(-?[\d.]+)/gm)].map(
      ([, who, rate]) => [who, Number(rate)] as const,
    );
    expect(rates).toHaveLength(6);
    expect(Math.max(...rates.map(([, rate]) => rate))).toBe(rates.find(([who]) => who === named)![1]);
  });

  it("says over what its intervals are, gives counts of pairs two decimals, and refuses --details of a model that has none", () => {
    expect(gosset(...asked, "--cluster", "doc").stdout).toMatch(/replicates over clusters of items \(doc\)/);
    const pairs = gosset(...asked, "--details").stdout.split("if they met by chance")[1]!;
    const counts = pairs.split("\n").filter((line) => /^\d( +\d+\.\d+)+$/.test(line));
    expect(counts).toHaveLength(5);
    const decimals = new Set(counts.flatMap((line) => [...line.matchAll(/\.(\d+)/g)].map(([, own]) => own!.length)));
    expect([...decimals]).toEqual([2]);
    expect(gossetRefuses(...asked, "--details", "--model", "dawid-skene")).toMatch(/--details does nothing/);
  });
});

describe("what is there, and what it means", () => {
  it("names the files of each format where a folder mixes them", () => {
    const mixed = join(folder, "mixed");
    mkdirSync(mixed);
    writeFileSync(join(mixed, "a.csv"), "system,id,acc\na,1,1\nb,1,0\n");
    writeFileSync(join(mixed, "b.jsonl"), '{"model":"a","id":"1","acc":1}\n{"model":"b","id":"1","acc":0}\n');
    const told = gossetRefuses("describe", mixed);
    expect(told).toMatch(/a\.csv/);
    expect(told).toMatch(/b\.jsonl/);
  });

  it("says which system has the fault, not 'fewer with', of 0/1 scores of which lower is better", () => {
    const faults = file("faults.csv", [
      "system,id,hallucinated",
      ...times(60, (i) => `old,q${i},${i % 3 ? 1 : 0}`),
      ...times(60, (i) => `new,q${i},${i % 4 ? 0 : 1}`),
    ]);
    const { stdout } = gosset("compare", faults, "--details");
    expect(stdout).not.toMatch(/fewer with/);
    expect(stdout).toMatch(/items at 0 with new and at 1 with old/);
  });

  it("does not count tries that ended in an error as failures without a word", () => {
    const tries = file("tries.csv", [
      "model,task_id,try,passed,error",
      ...["a", "b"].flatMap((model, s) =>
        times(20, (i) =>
          times(3, (t) => {
            const broken = (i * 3 + t + s) % 17 === 0;
            return `${model},q${i},${t},${broken ? 0 : (i + t * 2 + s) % 3 ? 1 : 0},${broken ? "timeout" : ""}`;
          }),
        ).flat(),
      ),
    ]);
    const plain = gosset("compare", tries, "--metric", "pass@2").stdout;
    expect(plain.replace(/\s+/g, " ")).toMatch(
      /ended in an error \(column error: \d+ of a, \d+ of b\) count as failures/,
    );
    expect(gosset("compare", tries, "--metric", "pass@2", "--errors", "failures").stdout).not.toMatch(
      /ended in an error/,
    );
    const left = gosset("compare", tries, "--metric", "pass@2", "--errors", "missing").stdout;
    expect(left.replace(/\s+/g, " ")).toMatch(/have no score in passed \(column error says why\)/);
    expect(gosset("score", tries, "--metric", "pass@2").stdout).toMatch(/--details\s+lists them/);
  });

  it("does not promise all runs of a gate after a few", () => {
    const dev = file("dev.csv", [
      "model,id,acc",
      ...["old", "new"].flatMap((model, s) => times(80, (i) => `${model},q${i},${(i * 7 + s * 3) % (4 + s) ? 1 : 0}`)),
    ]);
    const { stdout } = gosset("gate", "check", dev, "--baseline", "old", "--margin", "0.3", "--replicates", "20");
    const [, lower] = /passes in [\d.]+ % \(([\d.]+) to/.exec(stdout.replace(/\s+/g, " "))!;
    expect(Number(lower)).toBeLessThan(90);
  });

  it("does not ask about a property of the items and leave the answer out of the screen", () => {
    const asked = ["compare", "examples/data/summaries.csv", "--by", "domain"];
    const { stdout } = gosset(...asked);
    expect(stdout).toMatch(/^By +the difference is not shown to depend on domain/m);
    expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
    expect(gosset("compare", "examples/data/summaries.csv").stdout).not.toMatch(/^By /m);
  });

  it("does not call a look without a plan 'not as planned'", () => {
    expect(gosset("next", "examples/data/questions.jsonl").stdout).not.toMatch(/Not as planned/);
  });
});
