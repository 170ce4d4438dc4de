/** What screens, papers and checklists say, and what they do not. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeProgram } from "../src/cli/program.ts";
import { compare, makeRng, scoreText } from "../src/index.ts";
import { importFiles } from "../src/io/import.ts";
import { gate, simplePolicy } from "../src/plan.ts";
import { ADJUSTMENTS, PAIR_TESTS } from "../src/tests.ts";
import { gosset, root } from "./support/cli.ts";
import { makeFolder, writesTo } from "./support/folder.ts";
import { codesOf, flat, lines, readText, times } from "./support/read-text.ts";

const folder = makeFolder("compare-sentences");
const file = writesTo(folder);

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
    const [, named] = /Rater (\S+) agrees least/.exec(stdout)!;
    const rates = [...whole.matchAll(/^(ann\d) +\d+ +[\d.]+% +-?[\d.]+ +(-?[\d.]+)/gm)].map(
      ([, who, rate]) => [who, Number(rate)] as const,
    );
    expect(rates).toHaveLength(6);
    expect(Math.max(...rates.map(([, rate]) => rate))).toBe(rates.find(([who]) => who === named)![1]);
  });
});

describe("what is there, and what it means", () => {
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
    expect(stdout).toMatch(/^By +The difference is not shown to depend on domain/m);
    expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
    expect(gosset("compare", "examples/data/summaries.csv").stdout).not.toMatch(/^By /m);
  });

  it("does not call a look without a plan 'not as planned'", () => {
    expect(gosset("next", "examples/data/questions.jsonl").stdout).not.toMatch(/Not as planned/);
  });
});

const read = (path: string, rows: readonly string[]) =>
  importFiles([{ name: path, bytes: new TextEncoder().encode(rows.join("\n")) }]);
const part = async (path: string, rows: readonly string[]) => [{ path, imported: await read(path, rows) }];

/** Scores between 0 and 1 that look like chance and are the same each time. */
const noise = (k: number): number => {
  const x = Math.sin(12.9898 * (k + 1)) * 43758.5453;
  return x - Math.floor(x);
};

const numbers = (n: number): number[] => Array.from({ length: n }, (_, k) => k);

const MODELS = ["alpha", "bravo", "charlie", "delta", "echo"];
const fiveRows = [
  "model,item,correct",
  ...MODELS.flatMap((model, m) =>
    numbers(80).map((i) => `${model},q${i},${noise(131 * m + i) < (m === 4 ? 0.85 : 0.4) ? 1 : 0}`),
  ),
];

describe("a gate on a file of several systems", () => {
  it("asks which one is the candidate instead of pooling them", async () => {
    const files = { candidate: await part("five.csv", fiveRows), baseline: ["alpha"] };
    const policy = simplePolicy({ margin: 0.02 });
    expect(() => gate(files, { policy })).toThrow(/bravo, charlie, delta.*which one is the candidate/);
    const one = gate(files, { policy, systems: ["alpha", "echo"] });
    expect(one.runs).toEqual({ baseline: ["alpha"], candidate: ["echo"] });
    expect(one.tasks[0]!.candidate).toBeGreaterThan(0.7);
    expect(one.toString()).not.toContain("averaged");
    expect(() => gate(files, { policy, systems: ["bravo", "charlie"] })).toThrow(/which one is the candidate/);
    expect(() => gate(files, { policy, systems: ["alpha", "foxtrot"] })).toThrow(/no system "foxtrot"/);
  });
});

describe("many systems on a screen", () => {
  it("shows the pairs of the system that the headline is about first", async () => {
    const screen = compare(await read("five.csv", fiveRows), {}).display().screen!;
    expect(screen.title).toContain("echo");
    const pairs = screen.tables[1]!.rows.map(([name]) => String(name));
    expect(pairs).toHaveLength(6);
    expect(pairs.slice(0, 4).every((name) => name.includes("echo"))).toBe(true);
  });
});

it("keeps the warnings with --paper", () => {
  const path = file("paper.csv", [
    "item,system,score",
    ...times(12, (i) => ["old", "new"].map((system, s) => `${i},${system},${((i * 7 + 3 * s) % 11) / 10}`)).flat(),
  ]);
  const { stdout, stderr } = gosset("compare", path, "--paper", "--direction", "higher");
  expect(stdout).toMatch(/^% [^\n]*12 items[^\n]*\n% The sentence\n/);
  expect(stderr).toContain("12 items");
});

it("advises no option that compare does not take", () => {
  const path = file("commas.csv", [
    "item;system;score",
    ...times(20, (i) => ["A", "B"].map((s, k) => `${i};${s};${1 + ((i + k) % 4)},5`)).flat(),
  ]);
  const { stdout } = gosset("compare", path, "--details");
  expect(stdout).toContain("was read as 1.5");
  expect(stdout).not.toContain("--factor");
});

describe("one rater", () => {
  const ratings = (raters: readonly string[]): string =>
    `item,system,rater,rating\n${Array.from({ length: 30 }, (_, i) =>
      raters.map((rater) => `i${i},a,${rater},${1 + (i % 4)}\ni${i},b,${rater},${1 + ((i * 3 + 1) % 5)}`).join("\n"),
    ).join("\n")}\n`;

  it("is said of a column of raters with one name in it", async () => {
    const text = flat(compare(await readText("one.csv", ratings(["Kim"]))));
    expect(text).toContain("All rows are by one rater (Kim): the verdict is about this one only.");
  });

  it("is not said of several", async () => {
    const text = compare(await readText("three.csv", ratings(["Kim", "Lee", "Max"]))).toString();
    expect(text).not.toContain("All rows are by one");
  });
});

async function rated() {
  const rng = makeRng("rated");
  const rows = times(30, (i) =>
    ["base", "new"].flatMap((system) =>
      ["Ada", "Bea", "Cem"].map((rater) => `d${i},${system},${rater},${(50 + 9 * rng.normal()).toFixed(2)}`),
    ),
  );
  return readText("rated.csv", lines(["item,system,rater,rating", ...rows.flat()]));
}

const screen = (result: { display(): { screen?: unknown } }): string => JSON.stringify(result.display().screen);

describe("raters that were averaged", () => {
  it("are named with independent samples", async () => {
    const result = compare(await rated(), { unpaired: true });
    expect(result.repeated).toEqual([{ facet: "raters", levels: 3 }]);
    expect(screen(result)).toContain("for these three raters");
  });
});

describe("an adjustment of one pair", () => {
  it("is said to change nothing", async () => {
    const data = await rated();
    const codes = (adjust: "BH" | "none") => codesOf(compare(data, { adjust }));
    expect(codes("BH")).toContain("OnePair");
    expect(screen(compare(data, { adjust: "BH" }))).toContain("There is one pair, so option adjust has no effect.");
    expect(codes("none")).not.toContain("OnePair");
  });
});

describe("several systems and two raters", () => {
  it("share an error of two degrees of freedom, and are told how many raters a verdict takes", async () => {
    const rng = makeRng("two raters");
    const rows = times(180, (i) => {
      const score = Math.min(5, Math.max(1, Math.round(2 + (((i / 2) | 0) % 3) * 0.7 + rng.normal())));
      return `${(i / 6) | 0},${"ABC"[((i / 2) | 0) % 3]},r${i % 2},${score}`;
    });
    const result = compare(await readText("two.csv", lines(["item,system,rater,rating", ...rows])));
    expect(new Set(result.pairs.map(({ verdict }) => verdict))).toEqual(new Set(["INCONCLUSIVE"]));
    expect(result.main.facets!.map(({ df }) => Math.round(df))).toEqual([2]);
    expect(result.display().screen!.summary.join(" ")).toMatch(/you need about \d+ raters in all/);
  });
});

describe("a script without spaces", () => {
  const references = ["今天天气很好我们去公园", "他在家里看书学习中文"];
  const hypotheses = {
    a: ["今天天气好我们去公园", "他在家看书学习中文"],
    b: ["今天天气很好去公园", "他在家里学习中文"],
  };

  it("is warned of, until a tokenizer is named", () => {
    const plain = compare({ hypotheses, references: [references] });
    expect(codesOf(plain)).toContain("NoSpaces");
    const chinese = compare({ hypotheses, references: [references] }, { tokenise: "zh" });
    expect(codesOf(chinese)).not.toContain("NoSpaces");
    expect(chinese.systems[0]!.score).toBeGreaterThan(10);
    expect(codesOf(compare({ hypotheses, references: [references] }, { metric: "chrf" }))).not.toContain("NoSpaces");
    expect(codesOf(scoreText(hypotheses, [references]))).toContain("NoSpaces");
  });
});

const rng = makeRng("variants");

it("says that an interval without ends is unbounded", async () => {
  const rows = times(80, (i) =>
    ["A", "B"].map((s, k) => {
      const rating = Math.round(3 + k / 2 + rng.normal());
      return `${i},${s},${(i % 10 === 0) === (k === 0) ? "ben" : "anna"},${Math.max(1, Math.min(5, rating))}`;
    }),
  ).flat();
  const result = compare(await readText("r.csv", lines(["item,system,rater,rating", ...rows])));
  expect(result.main.ci.upper).toBe(Number.POSITIVE_INFINITY);
  const text = String(result).replace(/\s+/g, " ");
  expect(text).toContain("unbounded");
  expect(text).toContain("or a bounded interval");
  expect(text).not.toMatch(/undefined to|\d\.\d{5}/);
});

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /(?<!\.test)\.tsx?$/.test(entry.name) ? [path] : [];
  });

it('no fix says "Nothing to do": what needs none has none', () => {
  const found = ["src", "web/doors"]
    .flatMap((folder) => sources(join(root, folder)))
    .filter((path) => /["'`]nothing to do/i.test(readFileSync(path, "utf8")));
  expect(found).toEqual([]);
});

it.each([
  ["--test", [...PAIR_TESTS, "model"]],
  ["--adjust", [...ADJUSTMENTS, "max-t"]],
])("compare %s offers what the library has", (flag, names) => {
  const compare = makeProgram().commands.find((command) => command.name() === "compare")!;
  const { argChoices = [] } = compare.options.find(({ long }) => long === flag)!;
  expect([...argChoices].map(String).sort()).toEqual([...names].sort());
});
