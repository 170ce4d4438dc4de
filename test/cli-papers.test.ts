/** Power of tables of classes, of development results with a prior and of ordinal structures from the command line: wrong calls, one line each. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("papers");
const file = (name: string, lines: readonly string[]): string => {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
};
const each = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const DEV = file("dev.csv", [
  "item,system,correct",
  ...each(60, (i) => [`q${i},old,${Number(i % 3 > 0)}`, `q${i},new,${Number(i % 4 > 0 || i % 3 > 0)}`]).flat(),
]);
const SCORES = file("scores.csv", [
  "item,system,bleu",
  ...each(40, (i) => `q${i % 20},${i < 20 ? "a" : "b"},${(i * 7) % 11}.5`),
]);
const LABELS = file("labels.csv", [
  "gold,old,new",
  ...each(60, (i) => `${"abc"[i % 3]},${"abc"[(i * i) % 3]},${"abc"[(i + Number(i % 7 === 0)) % 3]}`),
]);
const EARLIER = file("earlier.csv", [
  "baseline,new,agreement",
  ...each(9, (i) => `${60 + 2 * i},${63 + 2 * i - 0.2 * i},${80 + i + (i % 2)}`),
]);
const TASKS = file("tasks.csv", [
  "baseline,new,task",
  ...each(9, (i) => `${60 + i},${62 + i + (i % 2)},${"ab"[i % 2]}`),
]);
const SHORT = file("short.csv", ["baseline,new", "60,62"]);
const CELLS = "a>a>a:60;b>b>b:40;a>b>a:9;a>a>b:4;b>a>b:6;b>b>a:5";
const F1 = ["f1", "--n", "200", "--metric", "macro-f1", "--cells", CELLS];
const ORDINAL = ["ordinal", "--items", "20", "--raters", "5", "--effect", "0.5", "--setting", "howcroft-low"];

describe("what is answered", () => {
  it("from-dev with a history plans with the drawn estimates", () => {
    const own = gossetJson("power", "from-dev", DEV, "--systems", "old,new", "--n", "500", "--prior", EARLIER);
    expect(own.shrunk.map(({ name }: { name: string }) => name)).toEqual(["delta", "agreement"]);
    expect(own.power.effect).toBe(own.shrunk[0].value);
    const stated = gossetJson("power", "from-dev", DEV, "--systems", "old,new", "--prior", "delta=0.01/0.02");
    expect(stated.shrunk[0].prior).toEqual({ value: 0.01, sd: 0.02 });
  });
});

type Call = readonly [verb: string, args: readonly string[], message: string];
const WRONG: readonly (readonly [string, readonly Call[]])[] = [
  [
    "f1 --cells",
    [
      ["power", [...F1.slice(0, -1), ""], "cells"],
      ["power", [...F1.slice(0, -1), "a>b:3"], "is none"],
      ["power", [...F1.slice(0, -1), "a>a>a"], "is none"],
      ["power", [...F1.slice(0, -1), "a>a>a:x"], "is none"],
      ["power", [...F1.slice(0, -1), "a>a>a:-2"], "is none"],
      ["power", [...F1.slice(0, -1), "a>>a:2"], "is none"],
      ["power", [...F1.slice(0, -1), "a>a>a:2"], "1 labels"],
      ["power", [...F1.slice(0, -1), "a>a>b:0;b>b>b:0"], "total of 0"],
      ["power", [...F1.slice(0, -1), "a>a>a:2;b>b>b:3"], "no difference"],
      ["power", [...F1, "--recall", "0.8"], "--recall 0.8 beside cells"],
      ["power", [...F1, "--positive", "0.5"], "--positive 0.5 beside cells"],
      ["power", [...F1, "--positive-table", "1,0,0,0"], "beside cells"],
      ["power", [...F1, "--gain", "0.9"], "--gain 0.9"],
      ["power", [...F1, "--gain", "0"], "no difference"],
      ["power", [...F1, "--gain", "much"], "--gain much"],
      ["power", [...F1, "--method", "exact"], "no exact answer"],
      ["power", [...F1, "--alpha", "0"], "--alpha 0"],
      ["power", ["f1", "--n", "200", "--metric", "f1", "--cells", CELLS], "f1 with cells"],
      ["power", ["f1", "--metric", "mcc", "--cells", CELLS], "needs n"],
      ["power", ["f1", "--n", "200", "--metric", "micro-f1"], "joint table"],
      ["mde", [...F1, "--gain", "0.1"], "mde solves for gain"],
      ["mde", ["f1", "--metric", "mcc", "--cells", CELLS], "needs n"],
      ["mde", ["f1", "--n", "50", "--metric", "mcc", "--cells", "a>a>a:5;b>b>b:4"], "no gain is possible"],
      ["size", [...F1], "--n 200 is given"],
    ],
  ],
  [
    "from-dev",
    [
      ["power", ["from-dev", DEV, "--prior", "some"], "some"],
      ["power", ["from-dev", DEV, "--prior", "delta=0.1"], "is not a value with its SD"],
      ["power", ["from-dev", DEV, "--prior", "delta=0.1/x"], "is not a value with its SD"],
      ["power", ["from-dev", DEV, "--prior", "delta=/0.1"], "is not a value with its SD"],
      ["power", ["from-dev", DEV, "--prior", "delta=0.1/0"], "SD of 0"],
      ["power", ["from-dev", DEV, "--prior", "delta=0.1/-1"], "SD of -1"],
      ["power", ["from-dev", DEV, "--prior", "delta=2/0.1"], "prior of 2"],
      ["power", ["from-dev", DEV, "--prior", "agreement=1.5/0.1"], "prior of 1.5"],
      ["power", ["from-dev", DEV, "--prior", "delta=0.1/0.1,spread=1/1"], '"spread=1/1"'],
      ["power", ["from-dev", DEV, "--prior", "/nowhere.csv"], "nowhere.csv"],
      ["power", ["from-dev", DEV, "--prior", TASKS], "none is named"],
      ["power", ["from-dev", DEV, "--prior", TASKS, "--prior-for", "c"], 'no task "c"'],
      ["power", ["from-dev", DEV, "--prior", SHORT], "too few"],
      ["power", ["from-dev", DEV, "--prior", DEV], 'no column "baseline"'],
      ["power", ["from-dev", DEV, "--prior", EARLIER, "--prior-columns", "new=old"], "new=old: no such column"],
      ["power", ["from-dev", DEV, "--prior", EARLIER, "--prior-columns", "who=new"], "who=new: no such column"],
      ["power", ["from-dev", DEV, "--prior", "no-prior", "--prior-for", "a"], "--prior-for needs"],
      ["power", ["from-dev", DEV, "--prior-columns", "new=new"], "--prior-columns needs"],
      ["power", ["from-dev", SCORES, "--prior", "no-prior"], "right and wrong answers"],
      ["power", ["from-dev", LABELS, "--metric", "mcc", "--gold", "gold", "--pred", "old,new"], "--n"],
      ["power", ["from-dev", LABELS, "--metric", "macro-f1", "--gold", "gold", "--pred", "old", "--n", "9"], "--pred"],
      ["power", ["from-dev", DEV, "--replicates", "100"], "--replicates without --metric macro-f1"],
      [
        "power",
        [
          ...["from-dev", LABELS, "--metric", "macro-f1", "--gold", "gold", "--pred", "old,new", "--n", "9"],
          ...["--replicates", "100", "--precision", "0.01"],
        ],
        "--replicates next to --precision",
      ],
      [
        "power",
        ["from-dev", LABELS, LABELS, "--metric", "macro-f1", "--gold", "gold", "--pred", "old,new", "--n", "9"],
        "2 files",
      ],
      [
        "power",
        ["from-dev", LABELS, "--metric", "micro-f1", "--gold", "gold", "--pred", "old,new", "--n", "9", "--post-hoc"],
        "takes no --post-hoc",
      ],
    ],
  ],
  [
    "ordinal --structure",
    [
      ["power", [...ORDINAL, "--structure", "sequential"], "--structure"],
      ["power", [...ORDINAL, "--analysis", "probit"], "--analysis"],
      ["power", [...ORDINAL, "--structure", "adjacent", "--thresholds", "-45,0,1"], "has probability 0"],
      ["power", [...ORDINAL, "--structure", "adjacent", "--points", "1"], "--points 1"],
      ["mde", [...ORDINAL, "--structure", "stopping"], "mde solves for effect"],
    ],
  ],
];

describe.each(WRONG)("wrong calls of %s", (_, calls) => {
  it.each(calls)("%s %j", (verb, args, message) => {
    const told = gossetRefuses(verb, ...args);
    expect(told).toContain(message);
    expect(told.trim().split("\n")).toHaveLength(1);
  });
});
