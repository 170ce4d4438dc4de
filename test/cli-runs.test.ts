/** Systems compared over splits, seeds and runs from the command line: what the calls print, and what they refuse. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, shellWords } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { expectClose, type OracleCase } from "./support/oracle.ts";
import { readReference } from "./support/reference.ts";

const folder = makeFolder("runs");
const file = (name: string, lines: readonly string[]): string => {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
};
const each = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const score = (s: number, r: number, i: number): number => ((i * 7 + s * 5) % 11) / 10 + r * 0.4 + s * 0.2;
const LONG = file("runs.csv", [
  "system,seed,item,f1,word",
  ...["a", "b"].flatMap((name, s) =>
    each(3, (r) => each(12, (i) => `${name},${r + 1},q${i},${score(s, r, i).toFixed(2)},x`)).flat(),
  ),
]);
const THREE = file("three.csv", [
  "system,seed,item,f1",
  ...["a", "b", "c"].flatMap((s) => [`${s},1,q1,1`, `${s},2,q1,0`]),
]);
const HOLE = file("hole.csv", ["system,seed,item,f1", "a,1,q1,1", "a,1,q2,0", "b,1,q1,1"]);
const TWICE = file("twice.csv", ["system,seed,item,f1", "a,1,q1,1", "a,1,q1,0", "b,1,q1,1"]);
const TEN = file("ten.csv", [
  "a,b,fold",
  ...each(10, (i) => `${(0.8 + i / 100).toFixed(2)},${(0.79 + ((i * 3) % 7) / 100).toFixed(2)},f${i}`),
]);

const NESTED = file("nested.csv", [
  "rep,fold,other,ours,theirs,word",
  ...each(2, (r) =>
    ["a", "b", "c"].flatMap((fold, k) =>
      ["a", "b", "c"].flatMap((other, l) =>
        each(4, (i) => `${r},${fold},${other},${((i * 7 + k * 5 + l * 3 + r) % 11) / 10},${((i * 5 + k) % 7) / 10},x`),
      ),
    ),
  ).flat(),
]);
const PART = file("part.csv", ["fold,other,ours", "a,a,1", "a,a,2", "b,b,1", "b,b,2", "c,c,1", "c,c,2", "a,b,1"]);
const GAP = file("gap.csv", ["fold,other,ours", "a,a,1", "a,a,", "b,b,1", "b,b,2", "c,c,1", "c,c,2"]);

const { cases } = readReference("cv-seeds.json");
const of = (start: string): readonly OracleCase[] => cases.filter(({ id }) => id.startsWith(start));

describe("JSON of the reference cases", () => {
  it.each(of("nadeau"))("$id", ({ input, expected: e }) => {
    const x = (input["differences"] as number[]).join(",");
    const own = gossetJson(
      "test",
      "cv",
      `--x=${x}`,
      "--n-train",
      String(input["n_train"]),
      "--n-test",
      String(input["n_test"]),
    );
    expect(own).toMatchObject({ kind: "test", test: "cv", df: e.df });
    expectClose([own.estimate, own.effect.se, own.statistic, own.p], [e.mean, e.se, e.t, e.p], { tolerance: 1e-12 });
    expectClose([own.ci.lower, own.ci.upper], e.ci95, { tolerance: 1e-12 });
  });

  it.each(of("5x2cv"))("$id", ({ input, expected: e }) => {
    const x = (input["differences"] as number[][]).map((row) => row.join(",")).join("/");
    const own = gossetJson("test", "5x2cv", `--x=${x}`);
    expect(own).toMatchObject({ kind: "test", test: "5x2cv", df: 5 });
    expectClose([own.statistic, own.p, own.f.statistic, own.f.p], [e.t, e.t_p, e.f, e.f_p], { tolerance: 1e-12 });
    const combined = gossetJson("test", "5x2cv", `--x=${x}`, "--method", "f");
    expect([combined.statistic, combined.df]).toEqual([own.f.statistic, [10, 5]]);
  });

  it.each(of("aso"))("$id", ({ input, expected: e }) => {
    const [x, y] = [input["scores_a"] as number[], input["scores_b"] as number[]].map((v) => v.join(","));
    const own = gossetJson("test", "aso", "--x", x!, "--y", y!, "--replicates", "100");
    expect(own).toMatchObject({ kind: "test", test: "aso", dominates: e.stochastically_dominates });
    if (e.violation_ratio === null) expect(own.epsilon).toBe("NaN");
    else
      expectClose([own.epsilon, own.epsilonReverse], [e.violation_ratio, e.violation_ratio_b_over_a], {
        tolerance: 1e-12,
      });
  });
});

describe("files of runs and splits", () => {
  const long = [LONG, "--score", "f1", "--by", "system", "--item", "item", "--run", "seed"];

  it("clark and multi-bootstrap read a long file as they read the command line", () => {
    const text = (s: number): string => each(3, (r) => each(12, (i) => score(s, r, i).toFixed(2)).join(",")).join("/");
    for (const name of ["clark", "multi-bootstrap"]) {
      const fromFile = gossetJson("test", name, ...long, "--replicates", "300");
      // items of a file are sorted by name: q0, q1, q10 …, which the mean does not mind
      const fromFlags = gossetJson("test", name, "--x", text(0), "--y", text(1), "--replicates", "300");
      expect(fromFile.statistic).toBeCloseTo(fromFlags.statistic, 12);
      expect(fromFile.samples).toEqual(["a", "b"]);
      // the runs are taken as they are
      expect(JSON.stringify(fromFile.diagnostics)).not.toContain("RepeatsAveraged");
    }
    expect(gossetJson("test", "clark", ...long).runs).toEqual([3, 3]);
  });

  it("paired seeds are drawn together", () => {
    const plain = gossetJson("test", "multi-bootstrap", ...long);
    const paired = gossetJson("test", "multi-bootstrap", ...long, "--paired");
    expect(paired.method).toMatch(/runs paired/);
    // run effects are the same for both systems here, so that pairing takes them out
    expect(paired.effect.se).toBeLessThan(plain.effect.se);
  });

  it("splits may be columns of a file", () => {
    const own = gossetJson("test", "cv", TEN, "--x", "a", "--y", "b", "--n-train", "90", "--n-test", "10");
    expect(own.n).toBe(10);
    expect(gossetJson("test", "5x2cv", TEN, "--x", "a", "--y", "b").variances).toHaveLength(5);
  });

  it("z from summary numbers uses --n", () => {
    const own = gossetJson("test", "z", "--x", "15", "--n", "100", "--mu", "25", "--sd", "50");
    expect(own.statistic).toBe(-2);
    expect(gossetJson("test", "z", "--x", "15,18", "--n", "100,120", "--sd", "50,48").n).toBe(220);
  });
});

it("nested folds of two learners: the difference, its interval and the inflation", () => {
  const flags = ["--x", "ours", "--y", "theirs", "--fold", "fold", "--left", "other", "--run", "rep"];
  const own = gossetJson("test", "nested", NESTED, ...flags);
  expect(own).toMatchObject({ kind: "test", test: "nested", folds: 3, repetitions: 2, n: 12 });
  const one = gossetJson("test", "nested", NESTED, "--x", "ours", ...flags.slice(4));
  const two = gossetJson("test", "nested", NESTED, "--x", "theirs", ...flags.slice(4));
  expect((own as { nested: number }).nested).toBeCloseTo(
    (one as { nested: number }).nested - (two as { nested: number }).nested,
    12,
  );
});

const R = `--score f1 --by system --item item --run seed`;
const WRONG: Readonly<Record<string, readonly string[]>> = {
  cv: [
    "",
    "--x 1,2,3",
    "--x 1,2,3 --n-train 80",
    "--x 1,2,3 --n-test 20",
    "--x 1,2,3 --n-train 0 --n-test 20",
    "--x 1,2,3 --n-train 80 --n-test 2.5",
    "--x 1,2,3 --n-train many --n-test 20",
    "--x 1,b,3 --n-train 80 --n-test 20",
    "--x 1,,3 --n-train 80 --n-test 20",
    "--x 1,2,3 --y 1,2 --n-train 80 --n-test 20",
    "--x 1,2/3,4/5,6 --n-train 80 --n-test 20",
    "--x 1,2,3 --n-train 80 --n-test 20 --confidence 2",
    "--x 1,2,3 --n-train 80 --n-test 20 --alternative up",
    "--x 1,2,3 --n-train 80 --n-test 20 --threshold .2",
    "--x 1,2,3 --n-train 80 --n-test 20 --run seed",
    "--x 1,2,3 --n-train 80 --n-test 20 --n 5",
    "--x a --n-train 80 --n-test 20",
    "--score f1 --by system --n-train 80 --n-test 20",
    `${TEN} --x nope --n-train 80 --n-test 20`,
    `${TEN} --n-train 80 --n-test 20`,
    `${LONG} --score f1 --by system --n-train 80 --n-test 20`,
    "nofile.csv --x a --n-train 80 --n-test 20",
  ],
  "5x2cv": [
    "",
    "--x 1,2",
    "--x 1,2/3,4/5,6/7,8",
    "--x 1,2/3,4/5,6/7,8/9,1/2,3",
    "--x 1,2,3/3,4/5,6/7,8/9,1",
    "--x 1/3,4/5,6/7,8/9,1",
    "--x a,b/3,4/5,6/7,8/9,1",
    "--x 1,2/3,4/5,6/7,8/9,1 --y 1,2",
    "--x 1,2/3,4/5,6/7,8/9,1 --y 1,2/3,4/5,6/7,8/9",
    "--x 1,2/3,4/5,6/7,8/9,1 --method g",
    "--x 1,2/3,4/5,6/7,8/9,1 --method f --alternative greater",
    "--x 1,2/3,4/5,6/7,8/9,1 --alternative more",
    "--x 1,2/3,4/5,6/7,8/9,1 --confidence 0",
    "--x 1,2/3,4/5,6/7,8/9,1 --n-train 50",
    "--x 1,2/3,4/5,6/7,8/9,1 --n 50",
    "--x 1,2/3,4/5,6/7,8/9,1 --sd 2",
    "--x 1,2/3,4/5,6/7,8/9,1 --cluster doc",
    `${TEN} --x nope`,
    `${LONG} --x f1`,
    `${LONG} --score f1 --by system`,
    "nofile.csv --x a",
  ],
  aso: [
    "",
    "--x 1,2,3",
    "--y 1,2,3",
    "--x 1,2 --y 3,b",
    "--x 1,2 --y ,",
    "--x 1,2 --y 3,4 --threshold 0",
    "--x 1,2 --y 3,4 --threshold .6",
    "--x 1,2 --y 3,4 --threshold low",
    "--x 1,2 --y 3,4 --replicates 0",
    "--x 1,2 --y 3,4 --replicates few",
    "--x 1,2 --y 3,4 --confidence 95",
    "--x 1,2 --y 3,4 --alternative greater",
    "--x 1,2 --y 3,4 --paired",
    "--x 1,2 --y 3,4 --n 5,5",
    "--x 1,2 --y 3,4 --margin .2",
    "--x 1,2 --y 3,4 --mu 1",
    "--x 1,2/3,4 --y 5,6",
    `${LONG} --score word --by system`,
    `${THREE} --score f1 --by system`,
    `${LONG} --score f1 --by system --systems a,z`,
    "nofile.csv --x a --y b",
  ],
  clark: [
    "",
    "--x 1,0",
    "--x 1,0/1 --y 1,0/0,1",
    "--x 1,0/1,1 --y 1,0,1/0,1,1",
    "--x 1,0/1,b --y 1,0/0,1",
    "--x 1,0 --y 1,0 --replicates 0",
    "--x 1,0 --y 1,0 --confidence 1.5",
    "--x 1,0 --y 1,0 --alternative both",
    "--x 1,0 --y 1,0 --threshold .2",
    "--x 1,0 --y 1,0 --n-test 3",
    "--x 1,0 --y 1,0 --run seed --score f1",
    `${LONG} --x f1 --y f1 --run seed`,
    `${LONG} --score f1 --by system --item item`,
    `${LONG} --score f1 --by system --run seed`,
    `${LONG} --score f1 --item item --run seed`,
    `${LONG} --score f1 --by system --item item --run run`,
    `${LONG} --score nope --by system --item item --run seed`,
    `${LONG} --score word --by system --item item --run seed`,
    `${LONG} ${R} --systems a`,
    `${LONG} ${R} --cluster item`,
    `${THREE} ${R}`,
    `${HOLE} ${R}`,
    `${TWICE} ${R}`,
    `nofile.csv ${R}`,
  ],
  "multi-bootstrap": [
    "",
    "--y 1,0",
    "--x 1,0/1 --y 1,0/0,1",
    "--x 1,0/1,1 --y 1,0,1/0,1,1",
    "--x 1,0/1,1 --y 0,1 --paired",
    "--x x,0/1,1 --y 0,1/1,1",
    "--x 1,0/1,1 --y 0,1/1,1 --interval bca",
    "--x 1,0/1,1 --y 0,1/1,1 --replicates -5",
    "--x 1,0/1,1 --y 0,1/1,1 --confidence no",
    "--x 1,0/1,1 --y 0,1/1,1 --alternative up",
    "--x 1,0/1,1 --y 0,1/1,1 --margin .1",
    "--x 1,0/1,1 --y 0,1/1,1 --threshold .1",
    "--x 1,0/1,1 --y 0,1/1,1 --unpaired",
    `${LONG} --score f1 --by system --item item`,
    `${LONG} --score f1 --by system --run seed`,
    `${LONG} --by system --item item --run seed`,
    `${LONG} ${R} --systems a,c`,
    `${LONG} ${R} --cluster seed`,
    `${THREE} ${R}`,
    `${HOLE} ${R}`,
    `${TWICE} ${R}`,
  ],
  nested: [
    "",
    "--x 1,2,3",
    `${NESTED} --x ours`,
    `${NESTED} --x ours --fold fold`,
    `${NESTED} --x ours --left other`,
    `${NESTED} --fold fold --left other`,
    `${NESTED} --x nope --fold fold --left other`,
    `${NESTED} --x ours --fold nope --left other`,
    `${NESTED} --x ours --fold fold --left nope`,
    `${NESTED} --x ours --fold fold --left other --run nope`,
    `${NESTED} --x word --fold fold --left other --run rep`,
    `${NESTED} --x ours --y word --fold fold --left other --run rep`,
    `${NESTED} --columns ours,theirs,rep --fold fold --left other --run rep`,
    `${NESTED} --score ours --by fold --fold fold --left other`,
    `${NESTED} --x ours --fold fold --left other --run rep --mu zero`,
    `${NESTED} --x ours --fold fold --left other --run rep --confidence 95`,
    `${NESTED} --x ours --fold fold --left other --run rep --n-train 10`,
    `${NESTED} --x ours --fold fold --left other --run rep --method exact`,
    `${NESTED} --x ours --fold fold --left other --run rep --cluster fold`,
    `${PART} --x ours --fold fold --left other`,
    `${GAP} --x ours --fold fold --left other`,
    "nofile.csv --x ours --fold fold --left other",
  ],
  z: [
    "--x 15 --n 100",
    "--x 15 --n 0 --sd 5",
    "--x 15 --n 10.5 --sd 5",
    "--x 15 --n 100 --sd -5",
    "--x 15 --n 100 --sd zero",
    "--x 15,16 --n 100 --sd 5",
    "--x 15 --n 100,90 --sd 5",
    "--x 15,16,17 --n 100,90,80 --sd 5",
    "--x 15,16 --n 100,90 --sd 5,4,3",
    "--x 15 --y 16 --n 100 --sd 5",
    "--x 15 --n 100 --sd 5 --paired",
    "--n 100 --sd 5",
    `${TEN} --x a --n 100`,
    "--x mean --n 100 --sd 5",
    "--x 15 --n 100 --sd 5 --mu nil",
    "--x 15 --n 100 --sd 5 --confidence 7",
    "--x 15 --n 100 --sd 5 --threshold .1",
    "--x 15 --n 100 --sd 5 --table 1,2,3,4",
    "--x 15 --n 100 --sd 5 --margin 1",
    "--x 15 --n 100 --sd 5 --alternative more",
  ],
};

describe.each(Object.entries(WRONG))("wrong calls of test %s", (name, calls) => {
  it.each(calls)("%s", (call) => {
    const { status, stdout, stderr } = gosset("test", name, ...shellWords(call));
    expect([status, stdout]).toEqual([2, ""]);
    const lines = stderr.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(2);
    expect(stderr).not.toMatch(/undefined|\[object|TypeError|at .*\.ts/);
  });
});
