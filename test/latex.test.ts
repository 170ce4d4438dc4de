/** LaTeX of results and TikZ of their pictures, compiled where a LaTeX is: tables as `--format latex` prints them, what `--paper` writes, and
 *  names that would be commands. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { render, reviveResult } from "../src/index.ts";
import { plotJson, renderSvg, renderTikz } from "../src/plot.ts";
import { renderReport, writePaper } from "../src/report.ts";
import { gosset } from "./support/cli.ts";
import { JSON_CALLS } from "./support/json-calls.ts";

const folder = mkdtempSync(join(tmpdir(), "gosset-latex-"));
afterAll(() => rmSync(folder, { recursive: true }));
const hasLatex = spawnSync("pdflatex", ["--version"]).status === 0;

const PREAMBLE = ["\\documentclass{article}", "\\usepackage{booktabs}", "\\usepackage{tikz}", "\\begin{document}"];

/** Errors of the compiler; none where it made pages. */
function compile(name: string, parts: readonly string[]): readonly string[] {
  writeFileSync(join(folder, `${name}.tex`), [...PREAMBLE, ...parts, "\\end{document}"].join("\n"));
  const options = ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name];
  const { status } = spawnSync("pdflatex", options, { cwd: folder });
  const log = readFileSync(join(folder, `${name}.log`), "latin1");
  return status === 0 ? [] : [(/^! [\s\S]{0,300}/m.exec(log) ?? [log.slice(-300)])[0]];
}

/** A system, a file, a column and an item that would be markup, a command or the end of one. */
const HOSTILE = "<img src=x onerror=alert(1)>";
const EVIL = "\\input{/etc/passwd}$_^{%&#~";

/** What each is called in the data: told apart by their last word. */
const NAMES = {
  system: `${HOSTILE} system`,
  item: `${HOSTILE} item`,
  column: `${HOSTILE} column`,
  file: `${HOSTILE} file`,
};

describe("names that would be markup", () => {
  const file = join(folder, `x ${NAMES.file.replaceAll("/", "")}.csv`);
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const systems = [EVIL, NAMES.system];
  const rows = Array.from({ length: 36 }, (_, i) =>
    [quoted(`${NAMES.item} ${Math.floor(i / 2)}`), quoted(systems[i % 2]!), ((i * 7) % 11) / 10 + (i % 2) / 5].join(
      ",",
    ),
  );
  writeFileSync(file, [`item,system,${quoted(NAMES.column)}`, ...rows].join("\n"));
  const args = ["compare", file, "--metric", NAMES.column];
  const json = gosset(...args, "--json", "--quiet").stdout;
  const display = () => reviveResult(json).display();
  const TEXTS = {
    html: () => renderReport([json], { includeText: true }),
    svg: () =>
      plotJson(json)
        .map((figure) => renderSvg(figure))
        .join("\n"),
    markdown: () => render(display(), "markdown"),
    latex: () => `${render(display(), "latex")}\n${writePaper(json)}`,
  };
  /** The name as each format writes it, and what it must not become. */
  const WRITTEN = {
    html: { as: (name: string) => name.replaceAll("<", "&lt;").replaceAll(">", "&gt;"), never: /<img/ },
    svg: { as: (name: string) => name.replaceAll("<", "&lt;").replaceAll(">", "&gt;"), never: /<img/ },
    markdown: { as: (name: string) => `alert(1)\\> ${name.split(" ").at(-1)}`, never: /(?<!\\)<img/ },
    latex: { as: (name: string) => `\\textgreater{} ${name.split(" ").at(-1)}`, never: /\\input\{/ },
  };
  /** Pictures name no items; only the command that runs it again names the file. */
  const SHOWN = {
    html: ["system", "item", "column", "file"],
    svg: ["system", "column"],
    markdown: ["system", "item", "column"],
    latex: ["system", "column"],
  } as const;

  it.each(Object.keys(TEXTS) as (keyof typeof TEXTS)[])("stay text in %s", (format) => {
    expect(JSON.parse(json).kind).toBe("comparison");
    const text = TEXTS[format]();
    // what LaTeX skips
    const read = format === "latex" ? text.replace(/(?<!\\)%.*$/gm, "") : text;
    expect(read).not.toMatch(WRITTEN[format].never);
    for (const role of SHOWN[format]) expect(text, role).toContain(WRITTEN[format].as(NAMES[role]));
  });

  it.skipIf(!hasLatex)("stay text in LaTeX and TikZ", { timeout: 60_000 }, () => {
    const tables = render(reviveResult(json).display(), "latex");
    const pictures = plotJson(json).map((figure) => `\\clearpage\n${renderTikz(figure)}`);
    expect(compile("names", [tables, ...pictures])).toEqual([]);
    expect(compile("paper", [writePaper(json)])).toEqual([]);
  });
});

/** One call of every command that is quick. */
const WANTED = [
  "describe {summaries}",
  "plan looks",
  "verify",
  "compare {summaries} --metric rating --by domain",
  "compare {runs} --test bootstrap",
  "compare {votes}",
  "compare {totals}",
  "fit lm rating~system {summaries}",
  "fit glm I(rating>3)",
  "fit lmm",
  "fit glmm",
  "fit clmm",
  "fit gam",
  "anova",
  "emmeans",
  "test permutation",
  "test friedman",
  "test pearson",
  "test partial-conjunction",
  "power accuracy --n 500",
  "power accuracy --n 200",
  "power from-history {history} --baseline old --new new --at",
  "power no-prior",
  "mde accuracy",
  "size accuracy",
  "curve accuracy",
  "design seeds",
  "survey {claims}",
  "agreement {summaries}",
  "reliability {summaries}",
  "importance",
  "budget",
  "score",
  "validity bias",
  "validity invariance",
  "validity circularity",
  "replicate card-figure-1",
  "schema",
];

describe.skipIf(!hasLatex)("LaTeX compiles", () => {
  // one document of all: most of the time of a run of LaTeX goes into starting it
  it("tables, pictures and papers of every command", { timeout: 240_000 }, () => {
    const results = WANTED.map((start) => {
      const [, args] = JSON_CALLS.find(([line]) => line.startsWith(start))!;
      return [start, gosset(...args, "--json", "--quiet").stdout] as const;
    });
    const parts = results.flatMap(([start, json]) => [
      `\\typeout{at ${start.replace(/[^\w ]/g, "")}}`,
      render(reviveResult(json).display(), "latex"),
      ...plotJson(json).map((figure) => `\\clearpage\n${renderTikz(figure)}`),
    ]);
    expect(compile("all", parts)).toEqual([]);
    const papers = results.flatMap(([, json]) => {
      const { kind } = JSON.parse(json);
      return WITHOUT_PAPER.has(kind) ? [] : [writePaper(json)];
    });
    expect(papers.length).toBeGreaterThan(25);
    // each writes the same file of literature
    const own = papers.map((text) => text.replace(/\\begin\{filecontents\}[\s\S]*?\\end\{filecontents\}/, ""));
    expect(compile("papers", [papers[0]!, ...own.slice(1)])).toEqual([]);
  });
});

/** Kinds that say nothing a paper would print. */
const WITHOUT_PAPER = new Set(["describe", "looks", "verification", "survey", "replicate", "schemas", "seed-design"]);
