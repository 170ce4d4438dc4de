/** `npm test`: installs, builds, checks style, types and packaging, runs every test. Any failing step ends it. */
import { install, run, runTool } from "./setup.mjs";

install();
const steps = [
  ["build", () => run(process.execPath, ["scripts/build.mjs"])],
  ["style and lint", () => runTool("biome", ["check", "."])],
  ["types", () => runTool("tsc", ["-p", "tsconfig.check.json"])],
  ["unused files, exports and dependencies", () => runTool("knip", ["--no-progress"])],
  ["package", () => runTool("publint", ["--strict"])],
  ["package types", () => runTool("attw", ["--pack", ".", "--profile", "esm-only", "--quiet"])],
  ["tests", () => runTool("vitest", ["run", "--coverage"])],
];
for (const [title, step] of steps) {
  const start = process.hrtime.bigint();
  process.stdout.write(`\n== ${title}\n`);
  step();
  process.stdout.write(`== ${title}: ok, ${(Number(process.hrtime.bigint() - start) / 1e9).toFixed(1)} s\n`);
}
