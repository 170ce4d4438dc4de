/** The default answer of `compare` fits 80 x 24, whatever the data: one verdict with one p, raters called raters, digits that agree. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { displayWidth } from "../src/result/render/width.ts";
import { gosset, gossetJson } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("screen");
const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));

function file(name: string, rows: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${rows.join("\n")}\n`);
  return path;
}

const SUMMARIES = "examples/data/summaries.csv";
const ratings = file("ratings.csv", [
  "system,item,annotator,rating",
  ...["A", "B"].flatMap((s, k) =>
    times(24, (i) => times(4, (r) => `${s},i${i},r${r},${1 + ((i * 3 + r * 2 + k * (i % 2)) % 5)}`)).flat(),
  ),
]);
const votes = file("votes.csv", [
  "prompt,judge,model_a,model_b,winner",
  ...times(
    60,
    (i) =>
      `p${i % 10},j${i % 5},${i % 4 < 2 ? "X,Y" : "Y,X"},${["model_a", "model_b", "model_b", "tie", "model_b"][(i * 7 + (i % 9)) % 5]}`,
  ),
]);
const right = file("right.csv", [
  "system,id,correct",
  ...times(300, (i) => `old,q${i},${i % 3 ? 1 : 0}`),
  ...times(300, (i) => `new,q${i},${i % 7 ? 1 : 0}`),
]);
const graded = file("graded.csv", [
  "system,id,zorp",
  ...["a", "b"].flatMap((s, k) => times(50, (i) => `${s},q${i},${(((i * 37 + k * 13) % 101) / 10).toFixed(1)}`)),
]);

const long = (s: number): string => `provider/model-with-a-long-name-${"abcd"[s]}-temperature-0.0`;
const longNames = file("long-names.csv", [
  "system,item,correct",
  ...times(4, (s) => times(60, (i) => `${long(s)},q${i},${(i * 7 + s * 3) % (4 + s) ? 1 : 0}`)).flat(),
]);

const CASES: readonly (readonly [string, readonly string[]])[] = [
  ["logs with repeats, errors and warnings", ["examples/data/sums/base.json", "examples/data/sums/tuned.json"]],
  ["clustered questions", ["examples/data/questions.jsonl"]],
  ["ratings of two systems", [SUMMARIES, "--systems", "baseline,rank-loss"]],
  ["ratings of three systems", [SUMMARIES]],
  ["ratings by annotators", [ratings]],
  ["votes", [votes]],
  ["0/1 scores", [right]],
  ["scores whose direction nobody knows", [graded, "--metric", "zorp"]],
  ["four systems with long names", [longNames]],
  ["labels", ["examples/data/labels.csv", "--gold", "label", "--pred", "model_a,model_b"]],
  [
    "texts",
    ["base", "tuned"]
      .map((name) => `examples/data/translations/${name}.txt`)
      .concat("--ref", "examples/data/translations/reference.txt"),
  ],
  ["different items", ["examples/data/questions.jsonl", "--unpaired"]],
  ["a margin", ["examples/data/questions.jsonl", "--margin", "0.05"]],
];

describe.each(CASES)("one screen: %s", (_, words) => {
  const { stdout, status } = gosset("compare", ...words);
  const lines = stdout.trimEnd().split("\n");

  it("fits 80 columns and 24 lines", () => {
    expect(status).toBe(0);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.length).toBeLessThanOrEqual(24);
  });

  it("opens with the verdict of the JSON, and offers the rest", () => {
    const { verdict, pairs } = gossetJson("compare", ...words);
    if (pairs.length === 1) expect(lines[0]).toMatch(new RegExp(`^${verdict}  \\S`));
    else expect(lines.slice(0, 2).join(" ")).toMatch(/is (BETTER|WORSE|HIGHER|LOWER) than|is INCONCLUSIVE/);
    expect(stdout).toContain("More: --details");
    expect(stdout).not.toMatch(/Nothing to do|Fix:/);
  });
});

describe("one screen: many warnings about systems with long names", () => {
  const NAMES = ["meta-llama-3.1-405b-instruct-turbo-quant", "通义千问大语言模型七二亿指令版本二零二四"];
  const [first, second] = NAMES.map((name, k) =>
    file(
      `${name}.jsonl`,
      times(40, (i) =>
        JSON.stringify({
          id: `q${i + 3 * k}`,
          correct: i % 13 === 3 * k ? null : (i * 7 + k) % 5 > 1,
          temperature: k ? 0.7 : 0,
          shots: 5 * k,
          prompt_template: `template ${k}`,
          latency: (i * 37) % 11,
          toxicity: ((i * 17) % 13) / 13,
        }),
      ),
    ),
  );
  const { stdout } = gosset("compare", first!, second!);
  const shown = stdout.trimEnd().split("\n");

  it("is cut by whole sentences, what is left out is counted, and the details have all", () => {
    expect(shown.length).toBeLessThanOrEqual(24);
    expect(Math.max(...shown.map(displayWidth))).toBeLessThanOrEqual(80);
    expect(stdout).not.toMatch(/ …$/m);
    const whole = gosset("compare", first!, second!, "--details").stdout.replace(/\s+/g, " ");
    for (const line of shown.filter((own) => own.startsWith("Warning")))
      expect(whole).toContain(line.replace(/^Warning +/, "").trim());
  });

  it("is not cut where it fits", () => {
    expect(gosset("compare", right).stdout).not.toContain("…");
  });
});

const PLANS: readonly string[] = [
  "power accuracy --n 500 --delta 0.02 --agreement 0.9",
  "power seeds --items 500 --seeds 3 --delta 0.02 --seed-sd 0.01 --item-sd 0.3",
  "power anova --n 20 --groups 3 --f 0.25",
  "power non-inferiority --n 200 --margin 0.05",
  "mde accuracy --n 500 --agreement 0.9",
  "mde means --n 50 --sd 1",
  "size preference --win 0.6",
  "size unpaired --baseline 0.8 --delta 0.1",
  "design seeds --delta 0.03 --seed-sd 0.01 --item-sd 0.3 --run-item-sd 0.2 --power 0.8 --cost-run 20 --cost-item 1",
  "design likert --budget 500 --cost-rating 0.5 --cost-rater 20 --effect 0.1 --setting card-high --replicates 20",
];

describe.each(PLANS)("one screen for a plan: gosset %s", (line) => {
  it("fits 80 columns and 24 lines, opens with the answer in words, and has the rest under --details", () => {
    const { stdout, status } = gosset(...line.split(" "));
    const lines = stdout.trimEnd().split("\n");
    expect(status).toBe(0);
    expect(Math.max(...lines.map((own) => own.length))).toBeLessThanOrEqual(80);
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines[0]).not.toMatch(/^n = |smallest (delta|win|n) /);
    expect(gosset(...line.split(" "), "--details").stdout).toMatch(/^parameter +value +meaning$/m);
  });
});

it("a power of 0.79996 is not printed as 0.8 beside the note that it is below", () => {
  const { stdout } = gosset(..."power accuracy --n 2042 --delta 0.02 --agreement 0.9 --test mcnemar-exact".split(" "));
  expect(stdout).toContain("is detected with power 0.79996 ");
  expect(stdout).toMatch(/^mcnemar-exact +0\.79996 /m);
  expect(stdout).toMatch(/power is below 0\.8/);
});

it("a test without a direction has no wrong sign to speak of", () => {
  const { stdout } = gosset(..."power chi-square --n 100 --w 0.3 --df 2".split(" "));
  expect(stdout).not.toContain("sign.");
});

describe("one screen for ratings", () => {
  it("has one p; the other models stand under --details", () => {
    const words = ["compare", SUMMARIES, "--systems", "baseline,rank-loss"];
    const { stdout } = gosset(...words);
    expect(stdout.match(/\bp [=<>]/g)).toHaveLength(1);
    expect(stdout).toContain("t test over 9 raters");
    const details = gosset(...words, "--details").stdout.replace(/\s+/g, " ");
    expect(details).toContain("cumulative logit mixed model");
    expect(details).toContain("Likelihood-ratio tests");
    expect(stdout).not.toMatch(/logit|Likelihood/);
  });

  it("calls raters raters, and counts the cost in raters", () => {
    const text = gosset("compare", SUMMARIES, "--systems", "baseline,rank-loss").stdout.replace(/\s+/g, " ");
    expect(text).toMatch(/^INCONCLUSIVE 40 items and 9 raters are too few to tell/);
    expect(text).toMatch(/80 % power, you need about \d+ raters in all, if they vary as these 9 do/);
    expect(text).not.toMatch(/worker|annotator/);
  });

  it("says of votes on how many prompts and by how many raters they are", () => {
    const text = gosset("compare", votes).stdout.replace(/\s+/g, " ");
    expect(text).toMatch(/60 battles on 10 prompts by 5 raters are too few to tell|is (better|worse) than/);
  });
});

describe("digits", () => {
  it("are the same within every column of a comparison", () => {
    for (const words of [
      [SUMMARIES, "--details"],
      ["examples/data/sums/base.json", "examples/data/sums/tuned.json", "--slice", "operation", "--details"],
    ]) {
      const { tables } = gossetJson("compare", ...words).display;
      const decimals = new Set(tables.flatMap((table: { decimals?: number }) => table.decimals ?? []));
      expect(decimals.size).toBe(1);
    }
    const text = gosset("compare", SUMMARIES, "--details").stdout;
    const column = [...text.matchAll(/^(?:retrieval|rank-loss|baseline) +([\d.]+) /gm)].map(([, cell]) => cell!);
    expect(new Set(column.map((cell) => cell.split(".")[1]!.length)).size).toBe(1);
  });

  it("the difference printed equals the difference of the printed scores, for every pair of the table", () => {
    const { stdout } = gosset("compare", SUMMARIES);
    const score = new Map(
      [...stdout.matchAll(/^([\w-]+) +(\d\.\d+) +\d/gm)].map(([, name, value]) => [name, Number(value)]),
    );
    const pairs = [...stdout.matchAll(/^([\w-]+) - ([\w-]+) +([+-][\d.]+) /gm)];
    expect(pairs).toHaveLength(3);
    for (const [, b, a, difference] of pairs) expect(score.get(b)! - score.get(a)!).toBeCloseTo(Number(difference), 9);
  });
});

describe("p at the floor of a simulation is said to be so", () => {
  const words = ["compare", right, "--test", "bootstrap", "--replicates", "200"];
  it("on the screen, in the sentence, and in the paper", () => {
    expect(gosset(...words).stdout).toContain("p = 0.0050 (the floor of 200 draws)");
    expect(gossetJson(...words).statement).toContain(
      "p = 0.0050 (bootstrap shift test, 200 draws, the floor of 200 draws)",
    );
    expect(gosset(...words, "--paper").stdout).toContain("the floor of 200 draws");
  });

  it("not where the test is exact", () => {
    expect(gosset("compare", right).stdout).not.toContain("floor");
  });

  it("of a permutation test by itself", () => {
    const x = times(40, (i) => 10 + (i % 7)).join(",");
    const y = times(40, (i) => (i % 5) / 10).join(",");
    const text = gosset(
      "test",
      "permutation",
      "--x",
      x,
      "--y",
      y,
      "--replicates",
      "300",
      "--method",
      "monte-carlo",
    ).stdout.replace(/\s+/g, " ");
    expect(text).toContain("the floor of 300");
  });
});

it("long names stand once on the screen, and the pairs have short ones", () => {
  const { stdout } = gosset("compare", longNames);
  for (let s = 0; s < 4; s++) expect(stdout.split(long(s)).length - 1).toBe(1);
  expect(stdout).toMatch(/^A: provider\/model-with-a-long-name-a|^\w+: provider\/model-with-a-long-name-a/m);
});
