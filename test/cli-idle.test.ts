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
    [[...TEXTS, "--beta", "3"], /--beta has no effect with BLEU/],
    [[...TEXTS, "--where", "x > 1"], /--where has no effect with texts and references/],
    [[...TEXTS, "--smooth-value", "3"], /--smooth-value has no effect/],
    [["score", "examples/data/questions.jsonl", "--lowercase"], /--lowercase has no effect/],
    [
      ["score", "examples/data/questions.jsonl", "--details"],
      /--details has no effect where no item has repeated attempts/,
    ],
    [[...T, "--replicates", "77"], /--replicates has no effect with t\./],
    [[...T, "--no-correct"], /--no-correct has no effect with t: it is for wilcoxon and rank-sum/],
    [[...T, "--x", "words"], /--x has no effect next to --score/],
    [[...T, "--item", "article", "--equal"], /--equal has no effect in a paired t test/],
    [["test", "mcnemar", "--table", "30,12,4,40", "--where", "x > 1"], /--where has no effect without a file/],
    [
      ["fit", "lmm", "rating ~ system + (1 | article)", SUMMARIES, "--replicates", "9"],
      /without --intervals bootstrap/,
    ],
    [["anova", "rating ~ 1", "rating ~ system", SUMMARIES, "--reml"], /--reml has no effect without random effects/],
    [
      ["emmeans", "rating ~ system", SUMMARIES, "--by", "system", "--reference", "baseline"],
      /--reference has no effect/,
    ],
    [
      ["reliability", SUMMARIES, "--score", "rating", "--object", "article", "--facets", "rater", "--objects", "9"],
      /without --target/,
    ],
    [[...LISTS("likert"), "--setting", "card-high"], /--list-length has no effect without simulation/],
    [[...LISTS("ordinal"), "--setting", "howcroft-general"], /--list-length has no effect without simulation/],
    [[...BLEU, "--randomisations", "60"], /--randomisations has no effect without simulation/],
    [[...BLEU, "--test", "normal"], /--test has no effect without simulation/],
    [
      ["curve", "bleu", "--n", "900", "--delta", "1", "--over", "randomisations=100,900", "--method", "approx"],
      /--randomisations has no effect without simulation/,
    ],
    [
      ["power", "bleu", "--n", "90", "--delta", "3", "--approximation", "saddlepoint"],
      /--approximation has no effect in a simulation/,
    ],
    [[...NAMED("circularity"), "--label", "words"], /--exclude has no effect where the features are named/],
    [[...NAMED("audit"), "--label", "words"], /--exclude has no effect where the features are named/],
    [[...ALPHA, "--replicates", "0", "--cluster", "words"], /--cluster has no effect when no intervals are computed/],
    [[...ALPHA, "--categories", "1,2,3,4,5", "--ordered", "rating=5,4,3,2,1"], /--ordered has no effect next to --cat/],
    [
      ["emmeans", "rating ~ system", SUMMARIES, "--by", "system", "--contrast", "none", "--adjust", "holm"],
      /--adjust has no effect without contrasts/,
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
      /--overlap has no effect beside --agreement/,
    ],
    [["gate", "aa", SUMMARIES, SUMMARIES, "--direction", "lower"], /--direction lower has no effect with two runs/],
  ] as const)("%j", (words, message) => {
    expect(gossetRefuses(...words)).toMatch(message);
  });
});

describe("a comparison of nested models says which options on coding have no effect in it", () => {
  const told = (...words: string[]): string =>
    JSON.stringify(gossetJson("anova", "rating ~ words", "rating ~ words + system", SUMMARIES, ...words).notes);
  it("of predictors", () => {
    expect(told("--contrasts", "sum")).toContain("--contrasts has no effect: how a factor is coded");
    expect(told("--levels", "system=retrieval,baseline,rank-loss")).toContain("--levels has no effect with system");
    expect(told("--ordered", "system=retrieval,baseline,rank-loss")).toContain("--ordered has no effect with system");
  });

  it("but not of what becomes a factor by them, nor of the response", () => {
    expect(told("--ordered", "rating=5,4,3,2,1")).not.toContain("has no effect");
    expect(told("--factor", "words")).not.toContain("has no effect");
  });
});

it("a coding of factors that a formula has none of is told", () => {
  const told = (...given: string[]): string => JSON.stringify(gossetJson("fit", "lm", ...given, SUMMARIES).notes);
  const ordered = ["--ordered", "system=retrieval,baseline,rank-loss"];
  expect(told("rating ~ words", "--contrasts", "sum")).toContain("--contrasts sum has no effect: no factor");
  expect(told("rating ~ system", "--contrasts", "sum", ...ordered)).toContain("--contrasts sum has no effect");
  expect(told("rating ~ system", "--contrasts", "sum")).not.toContain("has no effect");
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
