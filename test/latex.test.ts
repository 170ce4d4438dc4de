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

describe("names that would be markup", () => {
  const file = join(folder, `x ${HOSTILE.replaceAll("/", "")}.csv`);
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const systems = ["base", HOSTILE, EVIL];
  const rows = Array.from({ length: 36 }, (_, i) =>
    [quoted(`${HOSTILE} ${Math.floor(i / 3)}`), quoted(systems[i % 3]!), ((i * 7) % 11) / 10 + (i % 3) / 5].join(","),
  );
  writeFileSync(file, [`item,system,${quoted(`${HOSTILE} score`)}`, ...rows].join("\n"));
  const args = ["compare", file, "--metric", `${HOSTILE} score`];
  const json = gosset(...args, "--json", "--quiet").stdout;

  it("stay text in HTML, SVG and Markdown", () => {
    expect(JSON.parse(json).kind).toBe("comparison");
    const page = renderReport([json], { includeText: true });
    expect(page).not.toContain("<img");
    expect(page).toContain("&lt;img src=x");
    for (const figure of plotJson(json)) expect(renderSvg(figure)).not.toContain("<img");
    const markdown = render(reviveResult(json).display(), "markdown");
    expect(markdown).not.toMatch(/(?<!\\)<img/);
  });

  it.skipIf(!hasLatex)("stay text in LaTeX and TikZ", { timeout: 60_000 }, () => {
    const tables = render(reviveResult(json).display(), "latex");
    const pictures = plotJson(json).map((figure) => `\\clearpage\n${renderTikz(figure)}`);
    expect(compile("names", [tables, ...pictures])).toEqual([]);
    expect(compile("paper", [writePaper(json)])).toEqual([]);
  });
});

/** One call of every kind that is quick. */
const WANTED = [
  "describe {summaries}",
  "compare {summaries} --metric rating",
  "fit lmm",
  "fit clmm",
  "fit gam",
  "anova",
  "emmeans",
  "test permutation",
  "test friedman",
  "power accuracy --n 500",
  "mde accuracy",
  "size accuracy",
  "curve accuracy",
  "survey {claims}",
  "agreement {summaries}",
  "reliability {summaries}",
  "budget",
  "score",
  "validity bias",
  "replicate card-figure-1",
];

const PAPERS = new Set(["compare {summaries} --metric rating", "fit lmm", "test permutation", "agreement {summaries}"]);

describe.skipIf(!hasLatex)("LaTeX compiles", () => {
  it.each(WANTED)("%s: its tables, its pictures, and what a paper takes", { timeout: 60_000 }, (start) => {
    const [, args] = JSON_CALLS.find(([line]) => line.startsWith(start))!;
    const json = gosset(...args, "--json", "--quiet").stdout;
    const tables = render(reviveResult(json).display(), "latex");
    const pictures = plotJson(json).map((figure) => `\\clearpage\n${renderTikz(figure)}`);
    expect([start, ...compile("all", [tables, ...pictures])]).toEqual([start]);
    if (PAPERS.has(start)) expect([start, ...compile("paper", [writePaper(json)])]).toEqual([start]);
  });
});
