/** Names that would be commands or markup, in LaTeX and TikZ and in every other format. That LaTeX of every command compiles is tested with
 *  its JSON (`cli-json.test.ts`), where every command is run. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { render, reviveResult } from "../src/index.ts";
import { plotJson, renderSvg, renderTikz } from "../src/plot.ts";
import { renderReport, writePaper } from "../src/report.ts";
import { gosset } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { installed } from "./support/installed.ts";
import { latexErrors } from "./support/latex.ts";

const folder = makeFolder("names");

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

  it.skipIf(!installed("latex"))("stay text in LaTeX and TikZ", { timeout: 60_000 }, () => {
    const tables = render(reviveResult(json).display(), "latex");
    const pictures = plotJson(json).map((figure) => `\\clearpage\n${renderTikz(figure)}`);
    expect(latexErrors([tables, ...pictures])).toEqual([]);
    expect(latexErrors([writePaper(json)])).toEqual([]);
  });
});
