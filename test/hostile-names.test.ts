/** Names that would be markup, commands or links, as system, file, column and item, in four formats of four results: all stay text. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { render, reviveResult } from "../src/index.ts";
import { plotJson, renderSvg, renderTikz } from "../src/plot.ts";
import { renderReport, writePaper } from "../src/report.ts";
import { gosset } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";

const folder = makeFolder("names");

const IMAGE = "<img src=x onerror=alert(1)>";
const SCRIPT = "</script><script>alert(1)</script>";
const INPUT = "\\input{/etc/passwd}$%&#_{}";
const LINK = "|[x](javascript:alert(1))";

const COLUMNS = { item: `${LINK} item`, system: `${IMAGE} system`, rater: `${SCRIPT} rater`, score: `${INPUT} score` };
const SYSTEMS = [IMAGE, SCRIPT, `${INPUT}${LINK}`];
const RATERS = ["`r1` ```", "r\u202e2", "r\n3", `${IMAGE} r4`];
const ITEMS = Array.from({ length: 12 }, (_, i) => `${[IMAGE, SCRIPT, INPUT, LINK, "```", "a\nb"][i % 6]} ${i}`);
const FILE = join(folder, `${IMAGE} ${SCRIPT.replaceAll("/", "")} \\input{x}$%&#_{} ${LINK} \`x\` \u202e.csv`);

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
writeFileSync(
  FILE,
  [
    Object.values(COLUMNS).map(quoted).join(","),
    ...ITEMS.flatMap((item, i) =>
      SYSTEMS.flatMap((system, s) =>
        RATERS.map((rater, r) =>
          [...[item, system, rater].map(quoted), 1 + ((i * 7 + s * 5 + r * 3 + ((i * s * r) % 4)) % 5)].join(","),
        ),
      ),
    ),
  ].join("\n"),
);

const { item, system, rater, score } = COLUMNS;
const CALLS: Readonly<Record<string, readonly string[]>> = {
  compare: ["compare", FILE, "--metric", score, "--item", item, "--system", system, "--rater", rater],
  reliability: ["reliability", FILE, "--score", score, "--object", item, "--facets", rater, "--replicates", "20"],
  agreement: ["agreement", FILE, "--item", item, "--rater", rater, "--label", score, "--replicates", "20"].concat(
    "--where",
    `\`${system}\` == "${IMAGE}"`,
  ),
  fit: ["fit", "lmm", `\`${score.replaceAll("\\", "\\\\")}\` ~ \`${system}\` + (1 | \`${item}\`)`, FILE, "--modes"],
};

const ELEMENTS =
  /^(!doctype|html|head|meta|title|style|body|main|div|span|p|b|i|a|ul|ol|li|nav|dl|dt|dd|h[1-6]|section|article|figure|figcaption|table|caption|thead|tbody|tr|th|td|abbr|sup|pre|code|br|svg|g|path|rect|circle|text|tspan|desc|metadata|math|m[a-z]+|semantics|annotation)$/;

/** Elements that no renderer writes, handlers and links that would run. */
function markupIn(text: string): string[] {
  const tags = [...text.matchAll(/<\/?([!a-zA-Z][\w!-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/g)];
  return tags
    .filter(([, name, rest]) => !ELEMENTS.test(name!) || /\son\w+\s*=|(?:href|src)="(?!#|data:text\/csv)/i.test(rest!))
    .map(([whole]) => whole.slice(0, 80));
}

/** What is left unescaped of what Markdown reads as more than text, outside of code. */
function markdownIn(text: string): string[] {
  const prose = text.replace(/^( *)(`{3,})[^\n]*\n[\s\S]*?^\1\2 *$/gm, "").replaceAll(/\\[!-/:-@[-`{-~]/g, "");
  const rows = prose.split("\n").filter((line) => line.startsWith("|"));
  const widths = rows.map((row) => row.split("|").length);
  const torn = rows.filter((_, k) => k > 0 && rows[k - 1] !== undefined && widths[k]! < 3);
  return [...torn, ...(prose.match(/(?:<(?! \d)|[`\]])[^\n]{0,40}/g) ?? [])];
}

/** Commands that no renderer writes. */
const latexIn = (text: string): string[] =>
  text.replace(/(?<!\\)%.*$/gm, "").match(/\\(?:input|write|include|openin|immediate)\b[^\n]{0,40}/g) ?? [];

const TEXTS: Readonly<Record<string, (json: string) => { readonly text: string; readonly found: readonly string[] }>> =
  {
    HTML: (json) => {
      const text = renderReport([json], { includeText: true });
      return { text, found: markupIn(text) };
    },
    SVG: (json) => {
      const text = plotJson(json).map((figure) => renderSvg(figure)).join("\n"); // biome-ignore format: one line
      return { text, found: markupIn(text) };
    },
    Markdown: (json) => {
      const text = render(reviveResult(json).display(), "markdown");
      return { text, found: markdownIn(text) };
    },
    LaTeX: (json) => {
      const text = [render(reviveResult(json).display(), "latex"), writePaper(json)].join("\n");
      return { text, found: latexIn(text) };
    },
  };

/** The harmless part of a name, by which it is found again in every format. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  compare: ["HTML", "SVG", "Markdown", "LaTeX"],
  reliability: ["HTML", "Markdown", "LaTeX"],
  agreement: ["HTML", "SVG", "Markdown", "LaTeX"],
  fit: ["HTML", "SVG", "Markdown", "LaTeX"],
};

describe("names that would be more than text", () => {
  const results = new Map(
    Object.entries(CALLS).map(([name, args]) => [name, gosset(...args, "--json", "--quiet")] as const),
  );

  it.each(Object.keys(CALLS))("%s reads them", (name) => {
    const { status, stderr } = results.get(name)!;
    expect([status, stderr]).toEqual([0, ""]);
  });

  it.each(Object.keys(CALLS).flatMap((name) => Object.keys(TEXTS).map((format) => [name, format] as const)))(
    "%s stays text in %s",
    (name, format) => {
      const { text, found } = TEXTS[format]!(results.get(name)!.stdout);
      expect(found).toEqual([]);
      expect(text.match(/.{0,30}[\u202a-\u202e\u2066-\u2069]/g) ?? []).toEqual([]);
      if (SHOWN[name]!.includes(format)) expect(text).toMatch(/alert\(1\)|passwd/);
    },
  );

  const hasLatex = spawnSync("pdflatex", ["--version"]).status === 0;
  it.skipIf(!hasLatex)("LaTeX and TikZ of all compile", { timeout: 60_000 }, () => {
    const parts = [...results.values()].flatMap(({ stdout }) => [
      render(reviveResult(stdout).display(), "latex"),
      `\\clearpage\n${renderTikz(plotJson(stdout)[0]!)}`,
    ]);
    const preamble = ["\\documentclass{article}", "\\usepackage{booktabs}", "\\usepackage{tikz}", "\\begin{document}"];
    writeFileSync(join(folder, "all.tex"), [...preamble, ...parts, "\\end{document}"].join("\n"));
    const options = ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "all"];
    const { status } = spawnSync("pdflatex", options, { cwd: folder });
    const log = readFileSync(join(folder, "all.log"), "latin1");
    expect(status === 0 ? "" : (/^! [\s\S]{0,400}/m.exec(log)?.[0] ?? log.slice(-300))).toBe("");
  });
});
