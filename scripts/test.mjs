/** `npm test`: installs, builds, checks style, types and packaging, runs every test. Any failing step ends it. What follows `--` goes to Vitest:
 *  `npm test -- --coverage` counts lines, which takes half as long again. */
import { spawn } from "node:child_process";
import { install, root, run, runTool, toolPath } from "./setup.mjs";

const seconds = (start) => `${(Number(process.hrtime.bigint() - start) / 1e9).toFixed(1)} s`;

function step(title, work) {
  const start = process.hrtime.bigint();
  process.stdout.write(`\n== ${title}\n`);
  work();
  process.stdout.write(`== ${title}: ok, ${seconds(start)}\n`);
}

/** One of the checks that run side by side: its output is shown when it has ended. */
function check(title, tool, args) {
  const start = process.hrtime.bigint();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [toolPath(tool), ...args], { cwd: root });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => output.push(bytes));
    child.on("close", (code) => {
      process.stdout.write(`\n== ${title}\n${Buffer.concat(output)}`);
      process.stdout.write(`== ${title}: ${code === 0 ? "ok" : "FAILED"}, ${seconds(start)}\n`);
      resolve(code === 0);
    });
  });
}

/** Each takes one core, and the longest by far is the types. */
async function checks() {
  const results = await Promise.all([
    check("types", "tsc", ["-p", "tsconfig.check.json"]),
    (async () => [
      await check("style and lint", "biome", ["check", "."]),
      await check("unused files, exports and dependencies", "knip", ["--no-progress"]),
      await check("package", "publint", ["--strict"]),
      await check("package types", "attw", ["--pack", ".", "--profile", "esm-only", "--quiet"]),
    ])(),
  ]);
  if (!results.flat().every(Boolean)) process.exit(1);
}

install();
step("build", () => run(process.execPath, ["scripts/build.mjs"]));
await checks();
step("tests", () => runTool("vitest", ["run", ...process.argv.slice(2)]));
