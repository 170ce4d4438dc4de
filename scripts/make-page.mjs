/** Writes dist/page: the browser app as static files for any host, and as the one file gosset.html that opens from a disk. The engine is the
 *  library itself, bundled for a worker. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { root } from "./project.mjs";

const EXAMPLES = [
  {
    title: "Two models, 150 word problems",
    about: "Inspect logs of two systems, three epochs each: is the tuned one better?",
    files: ["sums/base.json", "sums/tuned.json"],
  },
  {
    title: "Three systems, nine raters",
    about: "Ratings of summaries from 1 to 5: which differences are real, and do the raters agree?",
    files: ["summaries.csv"],
  },
  {
    title: "Answers to questions",
    about: "One line for each answer, right or wrong",
    files: ["questions.jsonl"],
  },
  {
    title: "Labels by several annotators",
    about: "Do the annotators agree, and how many are enough?",
    files: ["labels.csv"],
  },
  {
    title: "Grades of essays",
    about: "Is the grade nothing but a rule about lengths?",
    files: ["grades.csv"],
  },
  {
    title: "Pairs of sentences from two sources",
    about: "Does a feature give the label away in one domain only?",
    files: ["inference.csv"],
  },
];

/** Packages whose code the bundles carry; their licences go with them. */
const BUNDLED = ["preact", "fflate", "fzstd", "hyparquet", "hyparquet-compressors", "hysnappy", "yaml"];

const target = `${root}dist/page/`;
const sha = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

async function bundle(entry, more = {}) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: ["chrome110", "firefox115", "safari16"],
    minify: true,
    legalComments: "none",
    charset: "ascii",
    jsx: "automatic",
    jsxImportSource: "preact",
    ...more,
  });
  return outputFiles[0].text;
}

/** The style sheet: tokens, the page's own rules, and those of pictures, which the library has. */
async function styleSheet() {
  const marks = await bundle("src/plot.ts", { format: "esm" });
  const { markCss } = await import(`data:text/javascript;base64,${Buffer.from(marks).toString("base64")}`);
  const { transform } = await import("esbuild");
  const read = (name) => readFileSync(`${root}web/style/${name}`, "utf8");
  const { code } = await transform([read("tokens.css"), markCss(), read("page.css")].join("\n"), {
    loader: "css",
    minify: true,
  });
  return code;
}

const examples = () =>
  JSON.stringify(
    EXAMPLES.map(({ files, ...about }) => ({
      ...about,
      files: files.map((path) => ({
        name: path.split("/").at(-1),
        text: readFileSync(`${root}examples/data/${path}`, "utf8"),
      })),
    })),
  );

export function licences(more = []) {
  const texts = [...BUNDLED, ...more].map((name) => {
    const folder = `${root}node_modules/${name}/`;
    const file = readdirSync(folder).find((own) => /^licen[cs]e/i.test(own));
    const { license, version } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(folder + file, "utf8").trim();
    return `${name} ${version}\n\n${text}`;
  });
  return `Gosset is under the Apache licence 2.0. It carries code of these packages:\n\n${texts.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** wasm-unsafe-eval: the kernels of linear algebra, which the engine carries with it. Nothing else may be made into code. */
const policy = ({ script, style, worker, connect }) =>
  [
    "default-src 'none'",
    `script-src ${script} 'wasm-unsafe-eval'`,
    `style-src ${style}`,
    `worker-src ${worker}`,
    `connect-src ${connect}`,
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types gosset",
  ].join("; ");

/** Text within a script element ends at the first end tag. */
function within(kind, id, text) {
  const safe = kind === "application/json" ? text.replaceAll("<", "\\u003c") : text;
  if (/<\/script|<!--/i.test(safe)) throw new Error(`${id}: an end tag within a script`);
  return `<script type="${kind}" id="${id}">${safe}</script>`;
}

export async function writePage() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const [app, engine, css] = await Promise.all([bundle("web/main.tsx"), bundle("web/engine/worker.ts"), styleSheet()]);
  const data = examples();
  const frame = readFileSync(`${root}web/index.html`, "utf8");
  const page = ({ csp, head, body }) =>
    frame
      .replace("{{csp}}", () => csp)
      .replace("{{head}}", () => head)
      .replace("{{body}}", () => body);
  const hosted = page({
    csp: policy({ script: "'self'", style: "'self'", worker: "'self'", connect: "'self'" }),
    head: '<link rel="stylesheet" href="page.css">',
    body: '<script src="app.js" defer></script>',
  });
  const version = createHash("sha256")
    .update(app + engine + css + data + hosted)
    .digest("hex")
    .slice(0, 16);
  const offline = await bundle("web/offline.ts", {
    define: {
      VERSION: JSON.stringify(`gosset-${version}`),
      FILES: JSON.stringify(["./", "app.js", "engine.js", "page.css", "examples.json"]),
    },
  });
  const one = page({
    csp: policy({ script: sha(app), style: sha(css), worker: "blob:", connect: "'none'" }),
    head: `<style>${css}</style>`,
    body: [
      within("text/plain", "engine-source", engine),
      within("application/json", "examples", data),
      within("text/plain", "licences", licences()),
      `<script>${app}</script>`,
    ].join("\n"),
  });
  if (/<\/script|<!--/i.test(app)) throw new Error("app.js: an end tag within a script");
  const files = {
    "index.html": hosted,
    "app.js": app,
    "engine.js": engine,
    "page.css": css,
    "examples.json": data,
    "offline.js": offline,
    "licences.txt": licences(),
    "gosset.html": one,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(`${target}${name}`, text);
  return Object.entries(files).map(([name, text]) => ({ name, bytes: text.length, gzip: gzipSync(text).length }));
}

if (process.argv[1]?.endsWith("make-page.mjs")) {
  for (const { name, bytes, gzip } of await writePage())
    process.stdout.write(`${name}: ${bytes} bytes, ${gzip} with gzip\n`);
}
