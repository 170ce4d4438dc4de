/** `npm test`: installs the npm packages, builds, checks style, types and packaging, runs every test. Any failing step ends it.
 *  `npm test -- reading` runs the tests of one room (`rooms.mjs`) against the sources. Words with dashes go to Vitest: `npm test -- --coverage`
 *  counts lines, which takes half as long again. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline/promises";
import { describeParts, installParts, isRootOfDebian, lacking, PARTS } from "./machine.mjs";
import { install, root, run, runTool, toolPath } from "./project.mjs";
import { roomNames, testsOfRoom } from "./rooms.mjs";

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
    check("types", "tsc", ["-b", "tsconfig"]),
    (async () => [
      await check("style and lint", "biome", ["check", "."]),
      await check("unused files, exports and dependencies", "knip", ["--no-progress"]),
      await check("package", "publint", ["--strict"]),
      await check("package types", "attw", ["--pack", ".", "--profile", "esm-only", "--quiet"]),
    ])(),
  ]);
  if (!results.flat().every(Boolean)) process.exit(1);
}

/** Whether to install what is missing: a machine for tests does, a person in a terminal is asked, nobody else is. */
async function mayInstall(names) {
  const { CI, REQUIRE_ALL } = process.env;
  if (isRootOfDebian() && (CI !== undefined || REQUIRE_ALL !== undefined)) return true;
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Some tests lack something here:\n${describeParts(names)}Install it? [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** Installs what tests lack where that may be done; what is still lacking is told, and its tests are skipped. */
async function readyMachine() {
  const names = lacking();
  if (names.length > 0 && (await mayInstall(names))) {
    process.stdout.write(`Installing what tests use of this machine:\n${describeParts(names)}`);
    installParts(names);
  }
  const still = names.filter((name) => !PARTS[name].there());
  for (const name of still)
    process.stdout.write(`Skipped for lack of ${name}: ${PARTS[name].why} (npm run setup installs it)\n`);
  process.env.GOSSET_LACKS = still.join(",");
}

const options = process.argv.slice(2).filter((word) => word.startsWith("-"));
const rooms = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const files = rooms.map((room) => testsOfRoom(room));
const absent = rooms.find((_, k) => files[k].length === 0);
if (absent !== undefined) {
  process.stderr.write(`There is no room ${absent}. Rooms: ${roomNames().join(", ")}\n`);
  process.exit(2);
}

install();
if (rooms.length > 0) runTool("vitest", ["run", ...new Set(files.flat()), ...options]);
else {
  await readyMachine();
  step("build", () => run(process.execPath, ["scripts/build.mjs"]));
  await checks();
  step("tests", () => runTool("vitest", ["run", ...options]));
}
