/** `npm run docs`: the documentation as a site in docs/.dist, without network once its packages are installed. The pages of docs, README and the
 *  reference are set side by side in site/pages, built by VitePress, and every link of the result is followed. Each page also lies there as
 *  Markdown, and llms.txt lists them. `npm run docs -- --look` opens the main pages in Chromium afterwards: axe, width, dark mode, phone. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { build, install, root, run, runTool } from "./project.mjs";

const SITE = join(root, "site");
const PAGES = join(SITE, "pages");
const OUT = join(root, "docs/.dist");
const write = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

install();
if (!existsSync(join(root, "dist/schema")) || !process.argv.includes("--built")) build();
installSite();
const start = process.hrtime.bigint();
rmSync(PAGES, { recursive: true, force: true });
const files = await gather();
for (const [path, text] of files) write(join(PAGES, path), text);
copyAssets();
writeTokens();
run(process.execPath, [join(SITE, "node_modules/vitepress/bin/vitepress.js"), "build"], { cwd: SITE });
for (const [path, text] of files) write(join(OUT, path), text.replace(/^---\n[\s\S]*?\n---\n/, ""));
write(join(OUT, "llms.txt"), llmsText(files));
const broken = brokenLinks();
const seconds = Number(process.hrtime.bigint() - start) / 1e9;
process.stdout.write(`docs/.dist: ${files.size} pages in ${seconds.toFixed(1)} s, ${broken.length} broken links\n`);
for (const one of broken) process.stdout.write(`  ${one}\n`);
if (broken.length > 0) process.exit(1);
if (process.argv.includes("--look")) runTool("vitest", ["run", "--config", "vitest.site.config.ts"]);

function installSite() {
  const digest = createHash("sha256")
    .update(readFileSync(join(SITE, "package-lock.json")))
    .digest("hex");
  const mark = join(SITE, "node_modules/.installed");
  if (existsSync(mark) && readFileSync(mark, "utf8") === digest) return;
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: SITE });
  writeFileSync(mark, digest);
}

/** Every page by its path in the site, with links to where things lie there. */
async function gather() {
  const { makeReference } = await import("./make-reference.mjs");
  const found = new Map();
  const sources = [
    ["README.md", "start.md"],
    ...["CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].map((name) => [name, name.toLowerCase()]),
    ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md") && !name.startsWith(".dist"))
      .sort()
      .map((name) => [`docs/${name}`, name === "README.md" ? "contents.md" : name]),
  ];
  const places = new Map(sources);
  for (const [from, to] of sources) found.set(to, withLinks(readFileSync(join(root, from), "utf8"), from, to, places));
  for (const [name, text] of await makeReference()) found.set(`reference/${name}.md`, text);
  found.set("index.md", readFileSync(join(SITE, "index.md"), "utf8"));
  found.set("try.md", readFileSync(join(SITE, "try.md"), "utf8"));
  return found;
}

/** Links of a page as they are in the repository, turned to the site's; a file that is no page is copied beside them. */
function withLinks(text, from, to, places) {
  return text.replace(/(\]\()([^)\s]+)(\))/g, (whole, open, target, close) => {
    if (/^(?:https?:|mailto:|#)/.test(target)) return whole;
    const [path, anchor] = target.split("#");
    const file = posix.normalize(posix.join(posix.dirname(from), path));
    const hash = anchor === undefined ? "" : `#${anchor}`;
    const page = places.get(file);
    if (page !== undefined) return `${open}${relativeTo(to, page)}${hash}${close}`;
    if (file.startsWith("docs/images/")) return `${open}${relativeTo(to, file.slice("docs/".length))}${close}`;
    if (!existsSync(join(root, file)) || statSync(join(root, file)).isDirectory()) return `${open}/contents.md${close}`;
    write(join(PAGES, "public/source", `${file}.txt`), readFileSync(join(root, file)));
    return `${open}/source/${file}.txt${close}`;
  });
}

function relativeTo(page, target) {
  const path = posix.relative(posix.dirname(page), target);
  return path.startsWith(".") ? path : `./${path}`;
}

function copyAssets() {
  cpSync(join(root, "docs/images"), join(PAGES, "images"), { recursive: true });
  mkdirSync(join(PAGES, "public"), { recursive: true });
  // the page as files to be shown, and as the one file to be saved
  cpSync(join(root, "dist/page"), join(PAGES, "public/app"), { recursive: true });
  cpSync(join(SITE, "mark.svg"), join(PAGES, "public/mark.svg"));
}

/** The tokens of the page; the site's dark mode is a class. */
function writeTokens() {
  const tokens = readFileSync(join(root, "web/style/tokens.css"), "utf8");
  const rule = (selector) => {
    const at = tokens.indexOf(`${selector} {`);
    return tokens.slice(tokens.indexOf("{", at), tokens.indexOf("}", at) + 1);
  };
  write(
    join(SITE, ".vitepress/tokens.css"),
    `:root ${rule(":root")}\n:root.dark ${rule(':root[data-theme="dark"]')}\n`,
  );
}

/** The pages with their first sentence, for programs that read. */
function llmsText(pages) {
  const line = ([path, text]) => {
    const title = /^# (.*)$/m.exec(text)?.[1] ?? path;
    return `- [${title.replaceAll("`", "")}](${path})`;
  };
  const within = (test) => [...pages].filter(([path]) => test(path)).map(line);
  return [
    "# Gosset",
    "",
    "> Can your evaluation results be trusted? Power, significance, reliability and validity for language and machine-learning systems: a command line, a TypeScript library and an offline page.",
    "",
    ...[
      ["Start", (path) => path === "start.md" || path.startsWith("tutorials/")],
      ["How-to guides", (path) => path.startsWith("how-to/") || path === "page.md"],
      [
        "Reference",
        (path) =>
          path.startsWith("reference/") ||
          ["json.md", "library.md", "python.md", "r-users.md", "gallery.md"].includes(path),
      ],
      ["Methods", (path) => path.startsWith("methods/") || path === "calibration.md"],
      [
        "Project",
        (path) => ["changelog.md", "contributing.md", "security.md", "architecture.md", "decisions.md"].includes(path),
      ],
    ].flatMap(([title, test]) => [`## ${title}`, "", ...within(test), ""]),
  ].join("\n");
}

/** Links and images of the built pages whose file or heading does not exist. */
function brokenLinks() {
  const html = readdirSync(OUT, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".html") && !name.startsWith("app/"),
  );
  const text = new Map(html.map((name) => [name, readFileSync(join(OUT, name), "utf8")]));
  const anchors = new Map(
    [...text].map(([name, own]) => [name, new Set([...own.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]))]),
  );
  const faults = [];
  for (const [name, own] of text) {
    for (const [, target] of own.matchAll(/<(?:a|img|link|script|iframe)\b[^>]*?\s(?:href|src)="([^"]*)"/g)) {
      if (/^(?:[a-z]+:|\/\/)/.test(target)) continue;
      const [path, anchor] = decodeURI(target.replaceAll("&amp;", "&")).split("#");
      const file =
        path === ""
          ? name
          : posix.normalize(path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(name), path));
      const place = [file, `${file}.html`, posix.join(file, "index.html")].find(
        (one) => existsSync(join(OUT, one)) && statSync(join(OUT, one)).isFile(),
      );
      if (place === undefined) faults.push(`${name}: ${target}`);
      else if (anchor && anchors.has(place) && !anchors.get(place).has(anchor))
        faults.push(`${name}: ${target} (no such heading)`);
    }
  }
  return [...new Set(faults)];
}
