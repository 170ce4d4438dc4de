/** `--format`, `--out` and `--paper` do what they say on every command: the format by name or by the ending of the file, nothing that
 *  contradicts itself, nothing half-written. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("format");
const at = (name: string): string => join(folder, name);
const SUMMARIES = "examples/data/summaries.csv";
const QUESTIONS = "examples/data/questions.jsonl";

const COMMANDS: readonly (readonly string[])[] = [
  ["describe", SUMMARIES],
  ["score", QUESTIONS],
  ["compare", QUESTIONS],
  ["compare", SUMMARIES],
  ["test", "t", "--x", "1,2,3,4", "--y", "2,3,4,9"],
  ["fit", "lm", "rating ~ system", SUMMARIES],
  ["fit", "lmm", "rating ~ system + (1 | article)", SUMMARIES],
  ["fit", "clm", "rating ~ system", SUMMARIES, "--factor", "rating"],
  ["anova", "rating ~ 1", "rating ~ system", SUMMARIES],
  ["emmeans", "rating ~ system", SUMMARIES, "--by", "system"],
  ["power", "accuracy", "--n", "200", "--delta", "0.05", "--agreement", "0.9"],
  ["mde", "accuracy", "--n", "200", "--agreement", "0.9"],
  ["size", "accuracy", "--delta", "0.05", "--agreement", "0.9"],
  ["curve", "accuracy", "--delta", "0.05", "--agreement", "0.9", "--over", "n=100,200"],
  ["agreement", SUMMARIES],
  ["reliability", SUMMARIES, "--score", "rating", "--object", "article", "--facets", "rater"],
  ["validity", "bias", "examples/data/inference.csv", "--label", "gold", "--domain", "source"],
  ["replicate"],
  ["schema"],
];

/** How an answer in each format begins or what it holds. */
const LOOKS: Readonly<Record<string, RegExp>> = {
  text: /^\S.*\n/,
  json: /^\{"kind":"/,
  markdown: /^\*\*|^#|^\|/m,
  tex: /\\begin\{table\}|\\textbf/,
  csv: /^[^|\n]+,?[^\n]*\n/,
  html: /^<!doctype html><html lang="en">/,
};
const ENDINGS = [
  ["md", "markdown"],
  ["tex", "tex"],
  ["json", "json"],
  ["html", "html"],
  ["csv", "csv"],
  ["txt", "text"],
] as const;

describe.each(COMMANDS.map((words) => [words.slice(0, 2).join(" "), words] as const))("%s", (_, words) => {
  it.each(ENDINGS)("--out x.%s is --format %s", (ending, format) => {
    const plain = gosset(...words, "--format", format, "--quiet");
    expect([plain.status, plain.stderr]).toEqual([0, ""]);
    expect(plain.stdout).toMatch(LOOKS[format]!);
    // a file of every format, not of every command in every format
    if ((COMMANDS.indexOf(words) + ENDINGS.findIndex((own) => own[0] === ending)) % 3 > 0) return;
    const file = at(`answer.${ending}`);
    expect(gosset(...words, "--out", file, "--quiet")).toEqual({ status: 0, stdout: "", stderr: "" });
    const withoutCommand = (text: string): string =>
      text.replace(/"command":\[[^\]]*\]/, "").replace(/<pre><code>gosset.*<\/code><\/pre>/, "");
    expect(withoutCommand(readFileSync(file, "utf8"))).toBe(withoutCommand(plain.stdout));
  });
});

describe("--format", () => {
  const words = COMMANDS[2]!;
  it("takes md and latex for markdown and tex", () => {
    expect(gosset(...words, "--format", "md").stdout).toBe(gosset(...words, "--format", "markdown").stdout);
    expect(gosset(...words, "--format", "latex").stdout).toBe(gosset(...words, "--format", "tex").stdout);
  });

  it("json is --json", () => {
    const own = JSON.parse(gosset(...words, "--format", "json", "--quiet").stdout);
    const { command: _, ...rest } = JSON.parse(gosset(...words, "--json", "--quiet").stdout);
    expect({ ...own, command: undefined }).toEqual({ ...rest, command: undefined });
  });

  it("that contradicts the name of the file is refused, and nothing is written", () => {
    expect(gossetRefuses(...words, "--format", "csv", "--out", at("no.md"))).toMatch(/contradict each other/);
    expect(gossetRefuses(...words, "--json", "--out", at("no.csv"))).toMatch(/--json and --out/);
    expect(gossetRefuses(...words, "--json", "--format", "csv")).toMatch(/--json and --format csv contradict/);
    expect(gossetRefuses(...words, "--plot", "-", "--format", "csv")).toMatch(/--plot - and --format csv contradict/);
    expect(readdirSync(folder).filter((name) => name.startsWith("no."))).toEqual([]);
  });

  it("html is the report, with its pictures and method", () => {
    const page = gosset(...words, "--format", "html").stdout;
    expect(page).toContain("Gosset report");
    expect(page).toContain("<svg");
    expect(page).toContain("<h2>Method</h2>");
    expect(gosset(...words, "--html", at("same.html"), "--quiet").status).toBe(0);
  });
});

describe("nothing half-written", () => {
  it("leaves no file where a picture cannot be drawn, and prints no answer", () => {
    const [first, second] = ["first.csv", "second.csv"].map((name) => at(name)) as [string, string];
    for (const path of [first, second]) writeFileSync(path, "id,correct\na,1\nb,0\nc,1\n");
    const { status, stdout, stderr } = gosset(
      ...["gate", "aa", first, second, "--plot", at("none.svg"), "--out", at("none.txt")],
    );
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/nothing to draw/);
    expect(existsSync(at("none.txt")) || existsSync(at("none.svg"))).toBe(false);
  });

  it("leaves no temporary file behind", () => {
    gosset("describe", SUMMARIES, "--out", at("done.md"));
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("a flag that has no effect by itself is refused", () => {
  it.each([
    [["--figure", "scores"], /--figure scores without --plot/],
    [["--include-text"], /--include-text without a report/],
  ] as const)("%j", (flags, message) => {
    expect(gossetRefuses("compare", QUESTIONS, ...flags)).toMatch(message);
  });

  it.each([
    [["plot", "x.json", "--format", "csv"], /plot does not take --format/],
    [["report", "x.json", "--json"], /report does not take --json/],
    [["cite", "x.json", "--html", "x.html"], /cite does not take --html/],
    [["schema", "compare", "--format", "csv"], /JSON Schema/],
    [["schema", "compare", "--plot", "x.svg"], /schema does not take --plot/],
  ] as const)("%j", (words, message) => {
    expect(gossetRefuses(...words)).toMatch(message);
  });
});

describe("--paper", () => {
  it("gives the sentence, a booktabs table with caption and label, and the literature", () => {
    const text = gosset("compare", QUESTIONS, "--paper").stdout;
    expect(text).toContain(
      "large scores 73.0\\,\\% (correct) and small 68.7\\,\\% on the same 300 items in 60 clusters",
    );
    expect(text).toContain("a difference of +4.3 points (95\\,\\% CI $-$3.0 to +11.6), p = 0.2782");
    expect(text).toMatch(
      /\\caption\{Scores \(correct, in \\%\) of small and large on the same 300 items in 60 clusters/,
    );
    expect(text).toContain("\\label{tab:comparison-correct}");
    expect(text).toContain("$\\Delta$ large $-$ small & +4.3 & $-$3.0 to +11.6 & 0.2782 \\\\");
    for (const rule of ["\\toprule", "\\midrule", "\\bottomrule"]) expect(text).toContain(rule);
    const [, cited = ""] = /\\cite\{([^}]+)\}/.exec(text)!;
    for (const key of cited.split(",")) expect(text).toContain(`{${key},\n`);
    expect(cited).toMatch(/,gosset$/);
  });

  it.each(COMMANDS.filter(([name]) => !["describe", "replicate", "schema"].includes(name!)))(
    "of %s %s has all three parts",
    (...words) => {
      const text = gosset(...words, "--paper").stdout;
      expect(text).toMatch(/^(% (Warning|Note).*\n)*% The sentence\n\S.*\\cite\{.*gosset\}\n/);
      expect(text).toMatch(/\\caption\{.+\}\n\\label\{tab:[a-zA-Z0-9-]+\}\n\\begin\{tabular\}/);
      expect(text).toContain("@misc{gosset,");
      expect(text).not.toMatch(/undefined|NaN|option `/);
    },
  );

  it("ended the sentence of totals in two full stops, and did not say of a model's intervals how sure they are", () => {
    const totals = gosset("compare", "examples/data/leaderboard.csv", "--paper").stdout;
    expect(totals).toMatch(/max-T over 6 pairs, \$\\alpha\$ = 0\.05\)\. \\cite/);
    expect(totals).toContain("intervals, simultaneous; p adjusted by max-T.}");
    const fit = gosset(
      "fit",
      "lmm",
      "rating ~ system + (1 | article)",
      SUMMARIES,
      "--confidence",
      "0.9",
      "--paper",
    ).stdout;
    expect(fit).toContain("systemretrieval 0.492 (90\\,\\% interval");
  });

  it("in JSON gives the parts", () => {
    const parts = JSON.parse(gosset("compare", QUESTIONS, "--paper", "--json").stdout);
    expect(Object.keys(parts)).toEqual(["sentence", "caption", "table", "figure", "citations", "checklist", "version"]);
    expect(parts.sentence).toMatch(/^large scores 73\.0 %/);
  });

  it("is refused where there is no sentence, and in formats that no paper wants", () => {
    expect(gossetRefuses("describe", SUMMARIES, "--paper")).toMatch(/no sentence for a paper/);
    expect(gossetRefuses("compare", QUESTIONS, "--paper", "--format", "csv")).toMatch(/output for a paper is LaTeX/);
    expect(gossetRefuses("cite", "x.json", "--paper")).toMatch(/cite does not take --paper/);
  });
});

describe("the difference printed equals the difference of the printed scores", () => {
  it.each([[QUESTIONS], [SUMMARIES], ["examples/data/labels.csv", "--gold", "label", "--pred", "model_a,model_b"]])(
    "in the sentence of %s",
    (...words) => {
      const { sentence } = JSON.parse(gosset("compare", ...words, "--paper", "--json").stdout);
      const [, b, a, difference] =
        /scores (-?[\d.]+).*? and .*? (-?[\d.]+)(?: %)? on the same .*?difference of ([+-]?[\d.]+)/.exec(sentence)!;
      expect(Number(b) - Number(a)).toBeCloseTo(Number(difference), 6);
    },
  );
});
