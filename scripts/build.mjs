/** Compiles the library with tsc into dist, its types readable for older compilers, writes the schemas of its results, bundles the CLI
 *  (`program.mjs`) and the browser app. */
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeParameters } from "./make-parameters.mjs";
import { buildProgram } from "./program.mjs";
import { install, root, runTool } from "./project.mjs";

install();
await writeParameters();
runTool("tsc", ["-b", "tsconfig/program.json"]);

const COMPILED = join(root, "node_modules/.cache/types/src");
const DIST = join(root, "dist");
/** Folders of dist that other steps fill. */
const OTHERS = /^(?:bin|page|schema|bench|pages|wheel)(?:\/|$)/;
// typed arrays are generic from TypeScript 5.7 on; before that the compiler's own `Float64Array<ArrayBuffer>` is an error
const GENERIC_ARRAY = /\b((?:Big)?(?:Float|Int|Uint)\d+(?:Clamped)?Array)<ArrayBuffer(?:Like)?>/g;

const filesBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1));

mkdirSync(DIST, { recursive: true });
const wanted = new Set(
  filesBelow(join(root, "src"))
    .filter((name) => /\.ts$/.test(name) && !/\.(?:test|d)\.ts$/.test(name))
    .flatMap((name) => [name.replace(/\.ts$/, ".js"), name.replace(/\.ts$/, ".d.ts")]),
);
for (const name of filesBelow(DIST)) if (!wanted.has(name) && !OTHERS.test(name)) rmSync(join(DIST, name));
for (const name of wanted) {
  const text = readFileSync(join(COMPILED, name), "utf8");
  mkdirSync(join(DIST, dirname(name)), { recursive: true });
  writeFileSync(join(DIST, name), name.endsWith(".d.ts") ? text.replace(GENERIC_ARRAY, "$1") : text);
}

const { writeSchemas } = await import("./make-schemas.mjs");
writeSchemas();
await buildProgram();

const { writePage } = await import("./make-page.mjs");
await writePage();

// `npx --no-install gosset` looks into node_modules/.bin; npm links a package's own bin only where it is installed as a dependency.
const link = `${root}node_modules/.bin/gosset`;
mkdirSync(`${root}node_modules/.bin`, { recursive: true });
if (lstatSync(link, { throwIfNoEntry: false })) rmSync(link);
symlinkSync("../../dist/bin/gosset.js", link);
