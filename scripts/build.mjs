/** Compiles the library with tsc, makes its types readable for older compilers, writes the schemas of its results, bundles the CLI
 *  with esbuild, so that it starts from a few files, and the browser app. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { install, root, runTool } from "./setup.mjs";

install();
runTool("tsc", ["-b"]);

// typed arrays are generic from TypeScript 5.7 on; before that the compiler's own `Float64Array<ArrayBuffer>` is an error
const GENERIC_ARRAY = /\b((?:Big)?(?:Float|Int|Uint)\d+(?:Clamped)?Array)<ArrayBuffer(?:Like)?>/g;
for (const name of readdirSync(`${root}dist`, { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".d.ts")) continue;
  const path = `${root}dist/${name}`;
  const text = readFileSync(path, "utf8");
  const plain = text.replace(GENERIC_ARRAY, "$1");
  if (plain !== text) writeFileSync(path, plain);
}

const { writeSchemas } = await import("./make-schemas.mjs");
writeSchemas();

const { build } = await import("esbuild");
rmSync(`${root}dist/bin`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: {
    gosset: "src/cli/main.ts",
    worker: "src/run/worker.ts",
    lifeline: "src/cli/lifeline.ts",
    watch: "src/cli/validity/watch.ts",
    // beside the others for a checkout; the package leaves it out
    replicate: "replications/run.ts",
  },
  outdir: "dist/bin",
  bundle: true,
  splitting: true,
  chunkNames: "[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node20",
  packages: "external",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  banner: { js: "#!/usr/bin/env node" },
});
chmodSync(`${root}dist/bin/gosset.js`, 0o755);

const { writePage } = await import("./make-page.mjs");
await writePage();

// `npx --no-install gosset` looks into node_modules/.bin; npm links a package's own bin only where it is installed as a dependency.
const link = `${root}node_modules/.bin/gosset`;
mkdirSync(`${root}node_modules/.bin`, { recursive: true });
if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
symlinkSync("../../dist/bin/gosset.js", link);
