/** The documentation's site. Everything is built from files of this repository; nothing is loaded from elsewhere. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import katex from "katex";

const pages = fileURLToPath(new URL("../pages/", import.meta.url));
const titleOf = (path) =>
  (/^# (.*)$/m.exec(readFileSync(`${pages}${path}.md`, "utf8"))?.[1] ?? path).replace(/ \(.*\)$/, "").replaceAll("`", "");
const entry = (path, text = titleOf(path)) => ({ text, link: `/${path}` });

/** The method pages as docs/README.md groups them. */
function methodGroups() {
  const contents = readFileSync(`${pages}contents.md`, "utf8").split("## Methods")[1].split("## For maintainers")[0];
  return contents
    .split(/\n\n+/)
    .filter((part) => part.startsWith("| "))
    .map((part) => ({
      text: /^\| (.*?) \|/.exec(part)[1].replace(/^./, (first) => first.toUpperCase()),
      items: [...part.matchAll(/\[([^\]]+)\]\(\.?\/?([\w/-]+)\.md\)/g)].map(([, text, path]) => entry(path, text)),
    }));
}

const commands = readdirSync(`${pages}reference/commands`)
  .map((name) => name.replace(/\.md$/, ""))
  .filter((name) => name !== "index");

const start = { text: "Start", items: [entry("start", "Gosset in two minutes"), entry("contents", "All pages"), entry("try", "Try it")] };
const tutorials = {
  text: "Tutorials",
  items: ["is-model-b-better", "human-evaluation", "gate-for-pull-requests"].map((name) => entry(`tutorials/${name}`)),
};
const GUIDES = ["what-can-this-file-tell-me", "is-the-difference-real", "can-it-see-the-difference", "would-it-come-back", "does-it-measure"];
const guides = {
  text: "How-to guides",
  items: [...GUIDES.map((name) => entry(`how-to/${name}`)), entry("page", "Work in the browser")],
};
const reference = {
  text: "Reference",
  items: [
    entry("library", "Library: guide"),
    entry("reference/library", "Library: every function"),
    entry("json", "JSON: guide"),
    entry("reference/schemas", "JSON: every field"),
    entry("python"),
    entry("r-users"),
    entry("gallery"),
  ],
};
const commandList = {
  text: "Commands",
  items: [{ text: "All commands", link: "/reference/commands/" }, ...commands.map((name) => entry(`reference/commands/${name}`))],
};
const project = {
  text: "Project",
  items: ["changelog", "contributing", "architecture", "decisions", "fuzzing", "security"]
    .filter((name) => existsSync(`${pages}${name}.md`))
    .map((name) => entry(name)),
};

/** $…$ and $$…$$ as MathML, which needs no fonts and no styles. */
function math(md) {
  const render = (text, displayMode) => katex.renderToString(text, { displayMode, output: "mathml", throwOnError: true });
  md.inline.ruler.after("escape", "math", (state, silent) => {
    const match = /^\$(?![\s\d])([^$\n]*[^$\s\\])\$(?!\d)/.exec(state.src.slice(state.pos));
    if (match === null) return false;
    if (!silent) state.push("math", "", 0).content = match[1];
    state.pos += match[0].length;
    return true;
  });
  md.block.ruler.before("paragraph", "math_block", (state, from, to, silent) => {
    if (state.src.slice(state.bMarks[from] + state.tShift[from], state.eMarks[from]).trim() !== "$$") return false;
    let end = from + 1;
    while (end < to && state.src.slice(state.bMarks[end], state.eMarks[end]).trim() !== "$$") end += 1;
    if (silent) return true;
    state.push("math_block", "", 0).content = state.getLines(from + 1, end, 0, false);
    state.line = end + 1;
    return true;
  }, { alt: ["paragraph", "list"] });
  md.renderer.rules.math = (tokens, i) => render(tokens[i].content, false);
  md.renderer.rules.math_block = (tokens, i) => `<div class="math" tabindex="0">${render(tokens[i].content, true)}</div>`;
}

export default {
  title: "Gosset",
  description: "Can your evaluation results be trusted? Power, significance, reliability and validity of evaluations.",
  lang: "en-US",
  srcDir: "pages",
  outDir: "../docs/.dist",
  cleanUrls: false,
  lastUpdated: false,
  metaChunk: true,
  // the start page has a landmark, too
  transformHtml: (html) => html.replace('<div class="VPContent is-home"', '<div role="main" class="VPContent is-home"'),
  head: [["link", { rel: "icon", href: "/mark.svg", type: "image/svg+xml" }]],
  markdown: {
    // braces are text
    attrs: { disable: true },
    config: (md) => {
      math(md);
      // every page stays text: what looks like a template is none
      const fence = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (...args) => fence(...args).replace("<code", "<code v-pre");
      // formulas are set as code, and scroll
      md.renderer.rules.code_block = (tokens, i) =>
        `<pre class="formula" v-pre tabindex="0"><code>${md.utils.escapeHtml(tokens[i].content)}</code></pre>\n`;
      // tables scroll by themselves, also by keyboard
      md.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
      md.renderer.rules.table_close = () => "</table></div>\n";
    },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    logo: "/mark.svg",
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Tutorials", link: "/tutorials/is-model-b-better", activeMatch: "/tutorials/" },
      { text: "How-to", link: "/how-to/is-the-difference-real", activeMatch: "/how-to/" },
      { text: "Reference", link: "/reference/commands/", activeMatch: "/reference/" },
      { text: "Methods", link: "/methods/compare", activeMatch: "/methods/" },
      { text: "Gallery", link: "/gallery" },
      { text: "Try it", link: "/try" },
    ],
    sidebar: {
      "/": [start, tutorials, guides, project],
      "/methods/": methodGroups(),
      "/calibration": methodGroups(),
      "/reference/": [reference, commandList],
      "/json": [reference, commandList],
      "/library": [reference, commandList],
      "/python": [reference, commandList],
      "/r-users": [reference, commandList],
      "/gallery": [reference, commandList],
    },
  },
};
