/** Flags that were accepted and did nothing are refused, and `gosset --help` groups commands by question. */
import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { makeProgram } from "../src/cli/program.ts";
import { gosset, gossetJson, gossetRefuses, program } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const SUMMARIES = "examples/data/summaries.csv";
const T = ["test", "t", SUMMARIES, "--score", "rating", "--by", "system", "--systems", "baseline,retrieval"];
const TEXTS = ["score", "examples/data/translations/base.txt", "--ref", "examples/data/translations/reference.txt"];
const BLEU = ["mde", "bleu", "--n", "2000", "--method", "approx"];
const words = (text: string): string[] => text.split(" ");
const LISTS = (scenario: string) => [
  ...words(`mde ${scenario} --items 50 --ratings 3 --per-rater 20`),
  ...words("--list-length 7 --method approx"),
];
const ALPHA = ["agreement", SUMMARIES, ...words("--item article,system --rater rater --label rating")];
const NAMED = (test: string) => ["validity", test, SUMMARIES, "--features", "rating", "--exclude", "article"];
const folder = makeFolder("idle");

describe("a flag that was accepted and ignored is refused", () => {
  it.each([
    [[...TEXTS, "--beta", "3"], /--beta does nothing with BLEU/],
    [[...TEXTS, "--where", "x > 1"], /--where does nothing with texts and references/],
    [[...TEXTS, "--smooth-value", "3"], /--smooth-value does nothing/],
    [["score", "examples/data/questions.jsonl", "--lowercase"], /--lowercase does nothing/],
    [["score", "examples/data/questions.jsonl", "--details"], /--details does nothing where no item is right or wrong/],
    [[...T, "--replicates", "77"], /--replicates does nothing with t\./],
    [[...T, "--no-correct"], /--no-correct does nothing with t: it is for wilcoxon and rank-sum/],
    [[...T, "--x", "words"], /--x does nothing next to --score/],
    [[...T, "--item", "article", "--equal"], /--equal does nothing in a paired t test/],
    [["test", "mcnemar", "--table", "30,12,4,40", "--where", "x > 1"], /--where does nothing without a file/],
    [
      ["fit", "lmm", "rating ~ system + (1 | article)", SUMMARIES, "--replicates", "9"],
      /without --intervals bootstrap/,
    ],
    [["anova", "rating ~ 1", "rating ~ system", SUMMARIES, "--reml"], /--reml does nothing without random effects/],
    [
      ["emmeans", "rating ~ system", SUMMARIES, "--by", "system", "--reference", "baseline"],
      /--reference does nothing/,
    ],
    [
      ["reliability", SUMMARIES, "--score", "rating", "--object", "article", "--facets", "rater", "--objects", "9"],
      /without --target/,
    ],
    [[...LISTS("likert"), "--setting", "card-high"], /--list-length does nothing where nothing is drawn/],
    [[...LISTS("ordinal"), "--setting", "howcroft-general"], /--list-length does nothing where nothing is drawn/],
    [[...BLEU, "--randomisations", "60"], /--randomisations does nothing where nothing is drawn/],
    [[...BLEU, "--test", "normal"], /--test does nothing where nothing is drawn/],
    [
      ["curve", "bleu", "--n", "900", "--delta", "1", "--over", "randomisations=100,900", "--method", "approx"],
      /--randomisations does nothing where nothing is drawn/,
    ],
    [
      ["power", "bleu", "--n", "90", "--delta", "3", "--approximation", "saddlepoint"],
      /--approximation does nothing in a simulation/,
    ],
    [[...NAMED("circularity"), "--label", "words"], /--exclude does nothing where the features are named/],
    [[...NAMED("audit"), "--label", "words"], /--exclude does nothing where the features are named/],
    [[...ALPHA, "--replicates", "0", "--cluster", "words"], /--cluster does nothing where no intervals are drawn/],
    [[...ALPHA, "--categories", "1,2,3,4,5", "--ordered", "rating=5,4,3,2,1"], /--ordered does nothing next to --cat/],
    [
      ["emmeans", "rating ~ system", SUMMARIES, "--by", "system", "--contrast", "none", "--adjust", "holm"],
      /--adjust does nothing without contrasts/,
    ],
    [
      [
        ...words("validity bias --label rating --domain domain --features words --interval fisher --cluster article"),
        SUMMARIES,
      ],
      /--interval fisher takes the rows for independent, and --cluster says that they are not/,
    ],
    [
      [
        ...words("fit lm --levels system=baseline,retrieval,rank-loss --ordered system=retrieval,baseline,rank-loss"),
        "rating ~ system",
        SUMMARIES,
      ],
      /--levels and --ordered both order system/,
    ],
    [
      [
        ...words("power from-history --baseline words --new rating --agreement words --overlap squad --at 0.8"),
        SUMMARIES,
      ],
      /--overlap does nothing beside --agreement/,
    ],
    [["gate", "aa", SUMMARIES, SUMMARIES, "--direction", "lower"], /--direction lower does nothing with two runs/],
  ] as const)("%j", (words, message) => {
    expect(gossetRefuses(...words)).toMatch(message);
  });
});

describe("a comparison of nested models says which options on coding do nothing in it", () => {
  const told = (...words: string[]): string =>
    JSON.stringify(gossetJson("anova", "rating ~ words", "rating ~ words + system", SUMMARIES, ...words).notes);
  it("of predictors", () => {
    expect(told("--contrasts", "sum")).toContain("--contrasts does nothing: how a factor is coded");
    expect(told("--levels", "system=retrieval,baseline,rank-loss")).toContain("--levels does nothing with system");
    expect(told("--ordered", "system=retrieval,baseline,rank-loss")).toContain("--ordered does nothing with system");
  });

  it("but not of what becomes a factor by them, nor of the response", () => {
    expect(told("--ordered", "rating=5,4,3,2,1")).not.toContain("does nothing");
    expect(told("--factor", "words")).not.toContain("does nothing");
  });
});

it("a coding of factors that a formula has none of is told", () => {
  const told = (...given: string[]): string => JSON.stringify(gossetJson("fit", "lm", ...given, SUMMARIES).notes);
  const ordered = ["--ordered", "system=retrieval,baseline,rank-loss"];
  expect(told("rating ~ words", "--contrasts", "sum")).toContain("--contrasts sum does nothing: no factor");
  expect(told("rating ~ system", "--contrasts", "sum", ...ordered)).toContain("--contrasts sum does nothing");
  expect(told("rating ~ system", "--contrasts", "sum")).not.toContain("does nothing");
});

const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

describe("sentences that said something else", () => {
  const said = (...args: string[]): string => gosset(...args, "--quiet").stdout.replace(/\s+/g, " ");

  it("the smallest margin was a smallest largest loss", () => {
    const told = said(...words("mde non-inferiority --n 500 --design paired-accuracy --discordance 0.1"));
    expect(told).toMatch(/^The smallest margin within which “not worse” is shown with a power of 0.8 is/);
    expect(told).not.toMatch(/looks larger than it is/);
  });

  it("a flag with an empty value is shown as such, and a value of colons as it is", () => {
    expect(gossetRefuses("mde", "bleu", "--n", "2000", "--alpha", "")).toMatch(/^gosset: --alpha "": not/);
    expect(gossetRefuses("describe", SUMMARIES, "--delimiter", "::")).toMatch(/^gosset: --delimiter :::/);
  });
});

it("options of other commands are refused by every command that does not list them", () => {
  const tree = makeProgram();
  const commands = leaves(tree);
  const everywhere = new Set(tree.options.map(({ long }) => long));
  const all = new Map(commands.flatMap(({ options }) => options).map((option) => [option.long!, option]));
  let refused = 0;
  for (const command of commands) {
    const own = new Set(command.options.map(({ long }) => long));
    for (const [long, option] of all) {
      if (own.has(long) || everywhere.has(long)) continue;
      expect(command.parseOptions(option.required ? [long, "1"] : [long]).unknown).toContain(long);
      refused += 1;
    }
  }
  expect(commands.length).toBeGreaterThan(80);
  expect(refused).toBeGreaterThan(10_000);
});

describe("a table with a metric column", () => {
  const path = join(folder, "long.csv");
  writeFileSync(
    path,
    `${["model,id,metric,value", ...["a", "b"].flatMap((m, k) => Array.from({ length: 12 }, (_, i) => [`${m},q${i},bleu,${30 + i + k}`, `${m},q${i},wer,0.${1 + ((i + k) % 8)}`]).flat())].join("\n")}\n`,
  );
  it("is scored by one metric, not by the mean over all", () => {
    expect(gossetJson("score", path)).toMatchObject({ metric: "bleu", higherIsBetter: true });
    expect(gossetJson("score", path, "--metric", "wer")).toMatchObject({ metric: "wer", higherIsBetter: false });
    expect(gossetRefuses("score", path, "--metric", "ber")).toMatch(/the rows are scores by bleu, wer/);
  });

  it("is described with its metrics", () => {
    expect(gossetJson("describe", path).metrics).toEqual(["bleu", "wer"]);
    expect(gosset("describe", path).stdout.replace(/\s+/g, " ")).toContain(
      "holds 2 metrics, one below the other: bleu",
    );
  });
});

it("gosset --help groups commands by question, and a model's help has its own flags only", () => {
  const { stdout } = gosset("--help");
  for (const question of ["What is in this file?", "Is the difference real?", "Is the evaluation big enough?"])
    expect(stdout).toContain(question);
  const help = gosset("fit", "lmm", "--help").stdout;
  expect(help).toContain("--ddf");
  expect(help).not.toMatch(/--nagq|--threshold|--smooth|--firth|--family/);
  expect(gosset("fit", "clm", "--help").stdout).not.toContain("identity");
});

it("Ctrl-C ends a long comparison at once, and leaves no half-written file", async () => {
  const rows = ["a", "b"].flatMap((s, k) =>
    Array.from({ length: 4000 }, (_, i) => `${s},q${i},${Math.sin(i * 7 + k)}`),
  );
  const data = join(folder, "long-run.csv");
  writeFileSync(data, `system,id,score\n${rows.join("\n")}\n`);
  const args = ["compare", data, "--test", "bootstrap", "--replicates", "2000000", "--out", join(folder, "never.json")];
  const child = spawn(process.execPath, [program, ...args]);
  const ended = new Promise<string | null>((resolve) => child.on("exit", (_, signal) => resolve(signal)));
  setTimeout(() => child.kill("SIGINT"), 1500);
  expect(await ended).toBe("SIGINT");
  expect(readdirSync(folder).filter((name) => name.startsWith("never"))).toEqual([]);
});
