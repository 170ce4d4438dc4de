/** Draws docs/images/terminal.svg: a real run of the program, as a terminal shows it. */
import { spawnSync } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { root } from "./project.mjs";

const args = ["compare", "examples/data/sums/base.json", "examples/data/sums/tuned.json"];
const { stdout } = spawnSync(process.execPath, [`${root}dist/bin/gosset.js`, ...args], { cwd: root, encoding: "utf8" });
const typed = "$ npx gosset compare base.json tuned.json";
// the verdict and its table; what follows are lists of items
const SHOWN = 19;
const lines = [typed, "", ...stdout.trimEnd().split("\n").slice(0, SHOWN)];

const LINE = 19;
const PAD = 22;
const width = 2 * PAD + 8.45 * Math.max(...lines.map((line) => line.length));
const height = 2 * PAD + LINE * lines.length + 18;
const escapeXml = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
const text = lines.map((line, i) => {
  const fill = i === 0 ? "#7fd1b9" : i === 2 ? "#ffffff" : "#d5dbe3";
  return `<text x="${PAD}" y="${PAD + 30 + i * LINE}" fill="${fill}" xml:space="preserve">${escapeXml(line)}</text>`;
});
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(typed)} and its answer">
<rect width="100%" height="100%" rx="10" fill="#16202c"/>
<g fill="#3a4a5c"><circle cx="22" cy="18" r="5"/><circle cx="40" cy="18" r="5"/><circle cx="58" cy="18" r="5"/></g>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
${text.join("\n")}
</g>
</svg>
`;
writeFileSync(`${root}docs/images/terminal.svg.tmp`, svg);
renameSync(`${root}docs/images/terminal.svg.tmp`, `${root}docs/images/terminal.svg`);
