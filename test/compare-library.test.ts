/** compare() of the library gives the verdict of `gosset compare`, for every comparison that the tests of the command make: the same files,
 *  told once in flags and once in options. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type CompareOptions,
  type Comparison,
  compare,
  importFiles,
  makeRng,
  type NamedImport,
  type Texts,
  table,
} from "../src/index.ts";
import { gossetJson } from "./support/cli.ts";
import * as data from "./support/comparison-data.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("library");

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function read(path: string): Promise<NamedImport> {
  const names = statSync(path).isDirectory()
    ? readdirSync(path).map((name) => [name, join(path, name)])
    : [[basename(path), path]];
  const files = names.map(([name, at]) => ({ name: name!, bytes: new Uint8Array(readFileSync(at!)) }));
  return { path, imported: await importFiles(files) };
}

const textLines = (text: string): string[] => text.trimEnd().split("\n");

interface Case {
  readonly name: string;
  readonly files: readonly string[];
  readonly flags: readonly string[];
  readonly options: CompareOptions;
  /** Instead of the files, where they are texts. */
  readonly texts?: Texts;
}

/** What a verdict rests on. */
const summary = (of: Comparison | ReturnType<typeof gossetJson>): object => {
  const main = "main" in of ? (of as Comparison).main : of;
  const { verdict, difference, ci, p } = main as Comparison["main"];
  return JSON.parse(JSON.stringify({ kind: of.kind, n: of.n, verdict, difference, ci, p }, writeNumber));
};

const writeNumber = (_: string, value: unknown): unknown =>
  typeof value === "number" && !Number.isFinite(value) ? String(value) : value;

function check(cases: readonly Case[]): void {
  it.each(cases)("$name", async ({ files, flags, options, texts }) => {
    const parts: NamedImport[] = [];
    if (texts === undefined) for (const path of files) parts.push(await read(path));
    const result = compare(texts ?? parts, { rng: makeRng("1"), ...options });
    expect(summary(result)).toEqual(summary(gossetJson("compare", ...files, ...flags)));
  });
}

const one = (name: string, text: string, flags: readonly string[] = [], options: CompareOptions = {}): Case => ({
  name: [name, ...flags].join(" "),
  files: [file(name, text)],
  flags,
  options,
});

const base = "examples/data/sums/base.json";
const tuned = "examples/data/sums/tuned.json";
const questions = "examples/data/questions.jsonl";
const summaries = "examples/data/summaries.csv";
const plain = data.answersText([60, 20, 5, 15]);
const documents = data.documentTexts();
const two = data.scoredText(["0.5", "0.7", "0.4", "0.5", "0.9", "0.8", "0.3", "0.7"]);

describe("items, clusters and runs", () => {
  const same = data.answersText([40, 13, 4, 20]);
  const once = data.answersText([30, 10, 4, 6]);
  check([
    one("plain.csv", plain),
    one("same.csv", same, ["--test", "permutation"], { test: "permutation" }),
    one("same.csv", same, ["--test", "mcnemar-exact"], { test: "mcnemar-exact" }),
    one("same.csv", same, ["--test", "sign"], { test: "sign" }),
    one("turned.csv", plain, ["--baseline", "alt"], { baseline: "alt" }),
    one("turned.csv", plain, ["--direction", "lower"], { higherIsBetter: false }),
    one("once.csv", once),
    one("thrice.csv", data.threeEpochs(once)),
    one("clustered.csv", documents.clustered, ["--cluster", "document"], { cluster: "document" }),
    one("single.csv", documents.single),
    one("topics.csv", data.topicsText()),
    one("topics.csv", data.topicsText(), ["--cluster", "topic"], { cluster: "topic" }),
    one("tiny.csv", data.answersText([1, 2, 0, 0])),
    one("close.csv", data.answersText([480, 6, 5, 109]), ["--margin", "0.05"], { margin: 0.05 }),
    one("equal.csv", data.answersText([3, 0, 0, 0]), ["--margin", "0.05"], { margin: 0.05 }),
    one("two.csv", two),
    one("sliced.csv", data.SLICED, ["--slice", "lang"], { slice: ["lang"] }),
    one("order.csv", data.IN_ORDER),
  ]);
});

describe("logs and raters", () => {
  const again = file("again.json", readFileSync(base, "utf8"));
  const bootstrap = { test: "bootstrap", replicates: 500 } as const;
  const drawn = ["--test", "bootstrap", "--replicates", "500"];
  check([
    { name: "two logs", files: [base, tuned], flags: [], options: {} },
    {
      name: "two logs, drawn",
      files: [base, tuned],
      flags: [...drawn, "--seed", "7"],
      options: { ...bootstrap, rng: makeRng("7") },
    },
    {
      name: "two logs, drawn otherwise",
      files: [base, tuned],
      flags: [...drawn, "--seed", "8"],
      options: { ...bootstrap, rng: makeRng("8") },
    },
    { name: "a folder", files: ["examples/data/sums"], flags: [], options: {} },
    { name: "the same log twice", files: [base, again], flags: [], options: {} },
    { name: "a log and a table", files: [base, file("other.csv", data.otherText())], flags: [], options: {} },
    { name: "clustered questions", files: [questions], flags: [], options: {} },
    { name: "raters", files: [summaries], flags: [], options: {} },
    {
      name: "raters, averaged, against a baseline",
      files: [summaries],
      flags: ["--baseline", "baseline", "--test", "permutation"],
      options: { baseline: "baseline", test: "permutation" },
    },
    { name: "raters by a property", files: [summaries], flags: ["--by", "domain"], options: { by: "domain" } },
    one("rated.csv", data.likedText(), ["--metric", "rating"], { metric: "rating" }),
    one("ratings.csv", data.slopedText()),
    {
      name: "different items",
      files: [file("left.csv", data.LEFT), file("right.csv", data.RIGHT)],
      flags: ["--unpaired"],
      options: { unpaired: true },
    },
  ]);
});

describe("texts, labels and votes", () => {
  const [a, b] = [file("bad.txt", data.BAD), file("good.txt", data.GOOD)];
  const [ref, docs] = [file("ref.txt", data.REFERENCE), file("docs.txt", data.DOCUMENTS)];
  const texts: Texts = {
    hypotheses: { bad: textLines(data.BAD), good: textLines(data.GOOD) },
    references: [textLines(data.REFERENCE)],
  };
  const labelled = (metric: string): Case =>
    one(
      "labels.csv",
      data.labelsText(),
      ["--gold", "truth", "--pred", "guess", "--metric", metric, ...(metric === "f1" ? ["--positive", "1"] : [])],
      { gold: "truth", pred: ["guess"], metric, ...(metric === "f1" ? { positive: "1" } : {}) },
    );
  check([
    ...["bleu", "chrf", "ter"].map((metric) => ({
      name: `texts by ${metric}`,
      files: [a, b],
      flags: ["--ref", ref, "--metric", metric],
      options: { metric },
      texts,
    })),
    {
      name: "texts by document",
      files: [a, b],
      flags: ["--ref", ref, "--docs", docs, "--metric", "chrf"],
      options: { metric: "chrf" },
      texts: { ...texts, documents: textLines(data.DOCUMENTS) },
    },
    ...["f1", "mcc", "macro-f1"].map(labelled),
    one("wide.csv", data.WIDE_LABELS, ["--gold", "gold", "--pred", "model_a,model_b"], {
      gold: "gold",
      pred: ["model_a", "model_b"],
    }),
    one("bare.csv", data.BARE_LABELS, ["--gold", "gold", "--pred", "model_b,model_a", "--metric", "macro-f1"], {
      gold: "gold",
      pred: ["model_b", "model_a"],
      metric: "macro-f1",
    }),
    one("sentiment.csv", data.SENTIMENT, ["--gold", "label", "--pred", "model_a,model_b"], {
      gold: "label",
      pred: ["model_a", "model_b"],
    }),
    one("arena.jsonl", data.battleLines([7, 4, 19], ["x", "y"])),
    one("arena3.jsonl", data.THREE_WAY_BATTLES),
    one(
      "words.csv",
      data.scoredText(["good", "bad", "bad", "good", "good", "bad"]),
      ["--mutate", "right = score == 'good'", "--metric", "right"],
      { mutate: ["right = score == 'good'"], metric: "right" },
    ),
    one("columns.json", '{"A": [0.1, 0.2, 0.4], "B": [0.3, 0.5, 0.2]}', ["--systems", "A,B"], { systems: ["A", "B"] }),
  ]);
});

describe("a table of one's own", () => {
  it("is compared as the file that holds it", async () => {
    const { imported } = await read(file("plain.csv", plain));
    const result = compare(imported.table);
    expect(summary(result)).toEqual(summary(compare([{ path: "plain.csv", imported }])));
    expect(summary(compare(imported))).toEqual(summary(result));
  });

  it("is refused in words of options", async () => {
    const { imported } = await read(file("plain.csv", plain));
    expect(() => compare(imported, { metric: "corect" })).toThrow("option `metric` corect: no such column.");
    expect(() => compare(imported, { cut: [1] })).toThrow("option `cut` has no effect without option `by`.");
  });
});

describe("files of other programs", () => {
  const own = (
    name: string,
    files: readonly string[],
    flags: readonly string[] = [],
    options: CompareOptions = {},
  ) => ({
    name,
    files,
    flags,
    options,
  });
  const log = (...names: string[]): string[] => names.map((name) => `test/fixtures/logs/${name}`);
  const ratings = ["oracle/reference/data/mt.csv"];
  check([
    own("two Inspect logs", log("inspect/small.json", "inspect/large.json")),
    own("prompts of promptfoo", log("promptfoo/results.json")),
    own("MQM ratings", log("wmt_mqm/mqm.tsv")),
    own("systems by length", ratings, ["--by", "len", "--cut", "15,25", "--ddf", "none"], {
      by: "len",
      cut: [15, 25],
      ddf: "none",
    }),
    own("systems by a model", ratings, ["--test", "model", "--ddf", "none"], { test: "model", ddf: "none" }),
    own("systems by a model, with finite df", ratings, ["--test", "model"], { test: "model" }),
  ]);
});

describe("what compare takes in a script", () => {
  const rows = Array.from({ length: 24 }, (_, i) => ({
    system: i % 2 === 0 ? "base" : "new",
    item: `q${i >> 1}`,
    correct: i % 3 === 0,
  }));

  it("rows as objects are the table of them", () => {
    expect(compare(rows).toJSON()).toEqual(compare(table(rows)).toJSON());
  });

  it.each([
    ["a path", "scores.csv"],
    ["nothing", undefined],
    ["numbers", [1, 2, 3]],
  ])("%s is refused with what to write", (_, given) => {
    expect(() => compare(given as never)).toThrow(/The library opens no files/);
  });
});
