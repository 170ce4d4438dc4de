/** dist/bin: the CLI and its helpers, bundled by esbuild straight from the sources, so that it starts from a few files. About a second. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { directImports } from "./direct-imports.mjs";
import { writeParameters } from "./make-parameters.mjs";
import { root } from "./project.mjs";

const folder = join(root, "dist/bin");

/** Options of esbuild; what it makes is given to `writeProgram` instead of written. */
export const PROGRAM = {
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
  write: false,
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
  plugins: [directImports(join(root, "src"))],
};

/** Writes the files that differ and removes those of former builds; what has not changed is not touched, since it may be running. */
export function writeProgram({ outputFiles }) {
  mkdirSync(folder, { recursive: true });
  for (const { path, contents } of outputFiles)
    if (!existsSync(path) || !readFileSync(path).equals(contents)) writeFileSync(path, contents);
  const made = new Set(outputFiles.map(({ path }) => basename(path)));
  for (const name of readdirSync(folder)) if (!made.has(name)) rmSync(join(folder, name));
  chmodSync(join(folder, "gosset.js"), 0o755);
}

export async function buildProgram() {
  await writeParameters();
  const { build } = await import("esbuild");
  writeProgram(await build(PROGRAM));
}
