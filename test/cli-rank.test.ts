/** `gosset rank`: what it prints, what it asks and refuses. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRng } from "../src/numeric/rng.ts";
import { gosset } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("rank");
const file = (name: string, lines: readonly string[]): string => {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
};
const rng = makeRng("cli rank");
const BOARD = file("board.csv", [
  "system,item,accuracy",
  ...Array.from({ length: 120 }, (_, i) => {
    const hard = rng.normal();
    return ["low", "mid", "also-mid", "high"].map(
      (name, s) => `${name},q${i},${Number(hard + [-1.5, 0, 0.05, 1.5][s]! + rng.normal() > 0)}`,
    );
  }).flat(),
]);
const TOTALS = file("totals.csv", ["model,zeal,zeal_stderr", "a,0.9,0.01", "b,0.89,0.01", "c,0.5,0.01"]);
/** Users prefer what they prefer; zero wins all of its votes. */
const VOTES = file("votes.csv", [
  "model_a,model_b,winner,judge",
  ...Array.from({ length: 400 }, (_, i) => {
    const names = ["weak", "fair", "good"];
    const a = rng.int(3);
    const b = (a + 1 + rng.int(2)) % 3;
    const x = 0.8 * (a - b) + Math.log(1 / rng.uniform() - 1);
    return `${names[a]},${names[b]},${Math.abs(x) < 0.3 ? "tie" : x > 0 ? "model_a" : "model_b"},u${i % 25}`;
  }),
  ...Array.from({ length: 4 }, (_, i) => `zero,weak,model_a,u${i}`),
]);
// biome-ignore lint/suspicious/noExplicitAny: JSON
const json = (...words: string[]): any => JSON.parse(gosset(...words, "--json").stdout);

describe("gosset rank", () => {
  it("prints sets, groups and what neighbors need", () => {
    const { stdout, status } = gosset("rank", BOARD, "--details");
    expect(status).toBe(0);
    expect(stdout).toMatch(/high is the best of 4 systems by accuracy \(95 % confidence\)/);
    expect(stdout).toMatch(/Ranks by accuracy, with 95 % rank confidence sets/);
    expect(stdout).toMatch(/Neighbors, with simultaneous 95 % intervals/);
    expect(stdout).toMatch(/Fragility of the first place: leaving out \d+ chosen items of 120/);
    expect(stdout).toMatch(/P\(best\) is not a confidence statement/);
  });

  it("has the same in its JSON, which another seed and other options change", () => {
    const plain = json("rank", BOARD);
    expect(plain.kind).toBe("ranking");
    expect(plain.systems.map(({ name }: { name: string }) => name).sort()).toEqual(["also-mid", "high", "low", "mid"]);
    expect(plain.groups.map(({ systems }: { systems: string[] }) => systems.length)).toEqual([1, 2, 1]);
    const top = json("rank", BOARD, "--top", "2", "--confidence", "0.5", "--replicates", "500", "--seed", "7");
    expect(top.top).toMatchObject({ k: 2 });
    expect(top.top.may.length).toBeGreaterThanOrEqual(2);
    expect(top.critical[0]).toBeLessThan(plain.critical[0]);
    expect(json("rank", BOARD, "--systems", "low,high").systems).toHaveLength(2);
  });

  it("draws every system with its rank set, also a hundred of them", () => {
    const many = file("many.csv", [
      "model,zeal,zeal_stderr",
      ...Array.from({ length: 100 }, (_, i) => `model-${i},${(i / 100).toFixed(2)},0.02`),
    ]);
    for (const [path, names] of [
      [BOARD, ["low", "mid", "also-mid", "high"]],
      [many, Array.from({ length: 100 }, (_, i) => `model-${i}`)],
    ] as const) {
      const words = path === many ? ["--metric", "zeal", "--direction", "higher"] : [];
      const { stdout, status } = gosset("rank", path, ...words, "--plot", "-");
      expect(status).toBe(0);
      expect(stdout).toMatch(/<svg/);
      for (const name of names) expect(stdout).toContain(name);
    }
  });

  it("ranks totals once the direction is said", () => {
    expect(gosset("rank", TOTALS, "--metric", "zeal")).toMatchObject({ status: 2 });
    expect(gosset("rank", TOTALS, "--metric", "zeal").stderr).toMatch(
      /is a higher or a lower zeal better\? .* --direction higher or --direction lower/s,
    );
    const found = json("rank", TOTALS, "--metric", "zeal", "--direction", "lower");
    expect(found.systems[0]).toMatchObject({ name: "c", lower: 1, upper: 1 });
    expect(found.systems[2]).toMatchObject({ name: "a", lower: 2, upper: 3 });
  });

  it("ranks votes by strengths, clustered by who voted, and names systems without a finite one", () => {
    const found = json("rank", VOTES);
    expect(found.of).toBe("votes");
    expect(found.systems.map(({ name }: { name: string }) => name)).toEqual(["good", "fair", "weak"]);
    expect(found.votes).toMatchObject({
      ties: "davidson",
      groups: [{ name: "rater", levels: 25 }],
      unranked: ["zero"],
    });
    expect(found.warnings.join(" ")).toMatch(/Not ranked: zero, which won all of its 4 votes/);
    expect(found.votes.order).not.toBeNull();
    expect(json("rank", VOTES, "--order", "none").votes.order).toBeNull();
    const half = json("rank", VOTES, "--ties", "half");
    expect(half.votes.tie).toBeNull();
    expect(half.systems[0].score).not.toBe(found.systems[0].score);
    expect(gosset("rank", VOTES, "--details").stdout).toMatch(/Wins of the row over the column/);
  });

  it.each([
    [["rank", BOARD, "--ties", "half"], /--ties/],
    [["rank", VOTES, "--direction", "lower"], /--direction/],
    [["rank", BOARD, "--top", "9"], /there are 4 systems/],
    [["rank", BOARD, "--tpo", "2"], /Did you mean --top/],
    [["rank", BOARD, "--confidence", "2"], /--confidence 2/],
    [["rank", BOARD, "--systems", "low"], /one system has no rank/i],
  ])("refuses %j in one line", (words, message) => {
    const { status, stderr } = gosset(...words);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n").length).toBeLessThanOrEqual(2);
  });
});
