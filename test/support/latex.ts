/** What LaTeX says is wrong with a document. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREAMBLE = ["\\documentclass{article}", "\\usepackage{booktabs}", "\\usepackage{tikz}", "\\begin{document}"];

/** Errors of the compiler; none where it made pages. */
export function latexErrors(parts: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), "gosset-latex-"));
  writeFileSync(join(folder, "x.tex"), [...PREAMBLE, ...parts, "\\end{document}"].join("\n"));
  const options = ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "x"];
  const { status } = spawnSync("pdflatex", options, { cwd: folder });
  const log = readFileSync(join(folder, "x.log"), "latin1");
  rmSync(folder, { recursive: true });
  const last = [...log.matchAll(/^at .*$/gm)].at(-1)?.[0] ?? "";
  return status === 0 ? [] : [`${last} ${(/^! [\s\S]{0,300}/m.exec(log) ?? [log.slice(-300)])[0]}`];
}
