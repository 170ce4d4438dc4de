/** Names that would be markup, commands or links, as system, file, column, item, rater and class, in four formats of every kind of result
 *  that prints names out of data: all stay text. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KINDS_OF_COMMAND } from "../src/cli/schema/kinds.ts";
import { render, reviveResult } from "../src/index.ts";
import { plotJson, renderSvg, renderTikz } from "../src/plot.ts";
import { renderReport, writePaper } from "../src/report.ts";
import { gosset } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { HOSTILE_CALLS } from "./support/hostile-calls.ts";
import { installed } from "./support/installed.ts";
import { latexErrors } from "./support/latex.ts";

const folder = makeFolder("stored names");

/** Kinds of what is asked with numbers only, and of what Gosset says of itself. */
const WITHOUT_NAMES =
  "curve design judge-plan looks mde no-prior power replicate replications schemas seed-design size".split(" ");

const ELEMENTS =
  /^(!doctype|html|head|meta|title|style|body|main|div|span|p|b|i|a|ul|ol|li|nav|dl|dt|dd|h[1-6]|section|article|figure|figcaption|table|caption|thead|tbody|tr|th|td|abbr|sup|pre|code|br|svg|g|path|rect|circle|text|tspan|desc|metadata|math|m[a-z]+|semantics|annotation)$/;

/** Elements that no renderer writes, handlers and links that would run. */
function markupIn(text: string): string[] {
  const tags = [...text.matchAll(/<\/?([!a-zA-Z][\w!-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>/g)];
  return tags
    .filter(([, name, rest]) => {
      const handler = /\son\w+\s*=/i.test(rest!.replaceAll(/"[^"]*"/g, '""'));
      return !ELEMENTS.test(name!) || handler || /(?:href|src)="(?!#|data:text\/csv)/i.test(rest!);
    })
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

/** Nothing where the kind has no sentence for a paper. */
function paperOf(json: string): string {
  try {
    return writePaper(json);
  } catch (error) {
    if ((error as { readonly code?: string }).code === "NoPaper") return "";
    throw error;
  }
}

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
      const text = [render(reviveResult(json).display(), "latex"), paperOf(json)].join("\n");
      return { text, found: latexIn(text) };
    },
  };

/** Answers that name nothing of the data by themselves; the report says the call. */
const NAMELESS = ["gate", "gate check", "gate aa", "score classes", "power from-history", "judge sample"];

/** What a terminal or a browser would act on: signs that turn the direction of writing. */
const DIRECTIONS = /.{0,30}[\u202a-\u202e\u2066-\u2069]/g;

describe("names that would be more than text", () => {
  const results = new Map(
    Object.entries(HOSTILE_CALLS).map(([name, args]) => [name, gosset(...args, "--json", "--quiet")] as const),
  );
  // stored under other names than the data have, so that they are listed
  const stored = join(folder, "stored.json");
  const compared = JSON.parse(results.get("compare")!.stdout);
  writeFileSync(stored, JSON.stringify({ ...compared, systems: [...compared.systems].reverse() }));
  results.set("verify", gosset("verify", stored, "--json", "--quiet"));
  const kindOf = (name: string): string => JSON.parse(results.get(name)!.stdout).kind;

  it.each([...results.keys()])("%s stays text", (name) => {
    const { status, stdout, stderr } = results.get(name)!;
    // a gate that fails and a stored result that differs are answers
    expect([/^gate|verify/.test(name) ? 0 : status, stderr]).toEqual([0, ""]);
    for (const [format, write] of Object.entries(TEXTS)) {
      const { text, found } = write(stdout);
      expect([format, ...found]).toEqual([format]);
      expect([format, ...(text.match(DIRECTIONS) ?? [])]).toEqual([format]);
      const hidden = text === "" || (NAMELESS.includes(name) && format !== "HTML");
      if (!hidden) expect([format, /alert\(1\)|passwd/.test(text)]).toEqual([format, true]);
    }
  });

  it("every kind that prints names was among them", () => {
    const found = new Set([...results.keys()].map(kindOf));
    const expected = new Set(Object.values(KINDS_OF_COMMAND).flat());
    expect([...expected].filter((kind) => !found.has(kind) && !WITHOUT_NAMES.includes(kind))).toEqual([]);
  });

  it.skipIf(!installed("latex"))("LaTeX and TikZ of all compile", { timeout: 60_000 }, () => {
    const parts = [...results.values()].flatMap(({ stdout }) => [
      render(reviveResult(stdout).display(), "latex"),
      ...plotJson(stdout).map((figure) => `\\clearpage\n${renderTikz(figure)}`),
    ]);
    expect(latexErrors(parts)).toEqual([]);
  });
});
