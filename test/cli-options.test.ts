/** No option is accepted and ignored: every option of a command changes what it prints, or is refused. A new flag that does nothing fails here.
 *  Options whose effect cannot be seen on these data are named, with the reason. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeProgram } from "../src/cli/program.ts";
import { gosset } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("options");
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

function file(name: string, rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

const noise = (i: number, s: number): string => (((i * 37 + s * 11) % 101) / 100 + s * 0.05).toFixed(2);
const scores = file("scores.csv", [
  "model,other,id,acc,f1,topic,kind,words",
  ...["old", "mid", "new"].flatMap((model, s) =>
    times(
      40,
      (i) =>
        `${model},${i % 2 ? "x" : "y"},"q${i}",${noise(i, s)},${noise(i + 5, s)},t${i % 8},k${i % 2},${10 + ((i * 7) % 23)}`,
    ),
  ),
]);
const ratings = file("ratings.csv", [
  "system,item,rater,batch,rating,length",
  ...["A", "B"].flatMap((s, k) =>
    times(20, (i) =>
      times(
        4,
        (r) =>
          `${s},i${i},r${r},b${i % 5},${1 + ((i * 3 + r * 2 + k * (1 + ((i + r) % 3))) % 5)},${i % 2 ? "long" : "short"}`,
      ),
    ).flat(),
  ),
]);
const votes = file("votes.csv", [
  "prompt,judge,model_a,model_b,winner,topic",
  ...times(
    60,
    (i) =>
      `p${i % 30},j${i % 5},${i % 4 < 2 ? "X,Y" : "Y,X"},${["model_a", "model_b", "model_b", "tie", "model_b"][(i * 7 + (i % 9)) % 5]},t${i % 3}`,
  ),
]);
const labels = file("labels.csv", [
  "id,gold,a,b,topic",
  ...times(60, (i) => `${i},${i % 2 ? "spam" : "ham"},${i % 3 ? "spam" : "ham"},${i % 5 ? "ham" : "spam"},t${i % 6}`),
]);
const text = (seed: number): string[] =>
  times(30, (i) => times(8, (w) => `w${(i * 3 + w * (1 + ((seed * (i + 1)) % 5))) % 17}`).join(" "));
const [hypA, hypB, reference] = [1, 2, 0].map((seed) => file(`text${seed}.txt`, text(seed)));
const documents = file(
  "docs.txt",
  times(30, (i) => `d${i % 10}`),
);

/** Names a column that no file has. */
const reading = file("reading.yaml", ["item: nowhere"]);

/** Values that must change an answer on any of these data, or be refused. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "--tokenize": ["char"],
  ...Object.fromEntries(
    ["--raters", "--items", "--counts", "--ranks", "--best", "--worst", "--stubs", "--one-hot", "--score"].map(
      (name) => [name, ["no_such"]],
    ),
  ),
  "--lists": ["raters"],
  // refused: none of these files has a judge
  "--labels": ["no-such-labels.csv"],
  "--drawn": ["random"],
  "--audit-margin": ["0.1"],
  "--metric": ["f1"],
  // refused: counts alone have a choice of intervals, and no lists were handed out
  "--interval": ["newcombe"],
  "--key": ["no-such-key.csv"],
  "--ref": [reference!],
  "--docs": [documents],
  "--gold": ["gold"],
  "--pred": ["a"],
  "--positive": ["spam"],
  "--systems": ["new,old"],
  "--baseline": ["mid"],
  "--test": ["bootstrap"],
  "--shape": ["as-is"],
  "--a": ["model_a"],
  "--b": ["model_b"],
  "--winner": ["winner"],
  "--by": ["topic"],
  "--cut": ["20"],
  "--ddf": ["none"],
  "--slice": ["topic"],
  "--margin": ["0.2"],
  "--alpha": ["0.3"],
  // too little for the program itself to read the file
  "--max-memory": ["1"],
  "--confidence": ["0.5"],
  "--adjust": ["none"],
  "--table": ["systems"],
  "--errors": ["failures"],
  "--unscored": ["wrong"],
  "--run-kind": ["draws"],
  // refused: no such plan, and no look without one
  "--plan": ["no-such-plan.yaml"],
  "--look": ["2"],
  "--replicates": ["77"],
  "--scope": ["items"],
  "--system": ["other"],
  "--score": ["topic"],
  // refused: no such columns, one file
  "--raters": ["other,another"],
  "--files": ["runs"],
  "--reading": [reading],
  "--item": ["topic"],
  "--rater": ["topic"],
  "--run": ["topic"],
  "--cluster": ["kind"],
  "--task": ["kind"],
  // refused: no times
  "--time": ["kind"],
  "--where": ["topic != 't1'"],
  "--mutate": ["acc = f1"],
  "--input-format": ["jsonl"],
  "--delimiter": [";"],
  "--decimal": [","],
  "--missing": ["t1,0.5,3,tie,spam"],
  "--encoding": ["utf-16le"],
};
const BARE = new Set(["--unpaired", "--no-quote", "--details", "--by-row"]);

interface Call {
  readonly name: string;
  readonly words: readonly string[];
  readonly values?: Readonly<Record<string, readonly string[]>>;
  /** What cannot be seen here, and why. */
  readonly unseen: Readonly<Record<string, string>>;
}

const ALWAYS = {
  "--shape": "no table is reshaped",
  "--bad-rows": "no row is faulty",
  "--direction": "the names tell the same",
  "--by-row": "ids are used",
};
const CALLS: readonly Call[] = [
  {
    name: "scores of three systems",
    words: ["compare", scores],
    values: { "--scope": ["items,runs"] },
    unseen: {
      "--missing": "no score has these texts",
      ...ALWAYS,
      "--scope": "items are the only facet",
      "--replicates": "the t test uses no random replicates",
      "--run": "each item has one row",
      "--no-quote": "ids are not printed",
    },
  },
  {
    name: "ratings",
    words: ["compare", ratings],
    values: {
      "--metric": ["length"],
      "--by": ["length"],
      "--slice": ["length"],
      "--systems": ["B,A"],
      "--baseline": ["B"],
      "--system": ["length"],
      "--item": ["batch"],
      "--rater": ["none"],
      "--run": ["batch"],
      "--cluster": ["batch"],
      "--task": ["batch"],
      "--where": ["length == 'long'"],
      "--mutate": ["rating = rating * 2"],
      "--missing": ["3"],
    },
    unseen: {
      ...ALWAYS,
      "--adjust": "two systems are one pair",
      "--run": "raters are not runs",
      "--no-quote": "no cell is quoted",
      "--decimal": "whole numbers",
    },
  },
  {
    name: "votes",
    words: ["compare", votes],
    values: {
      "--metric": ["topic"],
      "--systems": ["Y,X"],
      "--baseline": ["Y"],
      "--system": ["judge"],
      "--item": ["topic"],
      "--rater": ["none"],
      "--cluster": ["topic"],
      "--mutate": ["score = 1 - score"],
    },
    unseen: {
      ...ALWAYS,
      "--adjust": "two systems are one pair",
      "--item": "the raters decide",
      "--no-quote": "no cell is quoted",
      "--decimal": "no numbers",
      "--replicates": "the test is exact",
      "--confidence": "",
    },
  },
  {
    name: "labels",
    words: ["compare", labels, "--gold", "gold", "--pred", "a,b"],
    values: {
      "--metric": ["mcc"],
      "--systems": ["b,a"],
      "--baseline": ["b"],
      "--system": ["topic"],
      "--cluster": ["none"],
      "--mutate": ["a = b"],
    },
    unseen: {
      "--cluster": "no column is a cluster by itself",
      "--scope": "items are the only facet",
      ...ALWAYS,
      "--gold": "given",
      "--pred": "given",
      "--adjust": "two systems are one pair",
      "--no-quote": "no cell is quoted",
      "--decimal": "no numbers",
      "--replicates": "the test is exact",
    },
  },
  {
    name: "texts",
    words: ["compare", hypA!, hypB!, "--ref", reference!],
    values: { "--metric": ["chrf"], "--systems": ["text2,text1"], "--baseline": ["text2"] },
    unseen: {
      ...ALWAYS,
      "--ref": "given",
      "--adjust": "two systems are one pair",
      "--scope": "sentences are the only facet",
      "--replicates": "the test is exact",
      "--encoding": "",
    },
  },
];

/** Flags of all commands, of files and of pictures, which other tests try. */
const ELSEWHERE = new Set([
  "--plot",
  "--figure",
  "--flips",
  "--paper",
  "--format",
  "--out",
  "--json",
  "--details",
  "--plot-width",
  "--heading",
  "--files",
  "--width",
]);

describe.each(CALLS)("compare of $name", ({ words, values = {}, unseen }) => {
  const options = makeProgram()
    .commands.find((command) => command.name() === words[0])!
    .options.map(({ long }) => long!)
    .filter((name) => !ELSEWHERE.has(name) && !Object.hasOwn(unseen, name));
  const plain = gosset(...words, "--details").stdout;
  it.each(options)("%s is used or refused", (option) => {
    const own = values[option] ?? VALUES[option];
    if (own === undefined && !BARE.has(option)) throw new Error(`${option} is new: say here what it changes`);
    const { status, stdout } = gosset(...words, "--details", option, ...(own ?? []));
    expect([option, status !== 0 || stdout !== plain]).toEqual([option, true]);
  });
});
