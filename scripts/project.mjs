/** What every script needs first: the root, a recent Node, the locked packages, a build. Uses Node's own modules only. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const LOWEST_NODE = 20;

/** Runs a command with its output shown; a failure ends this process with the command's code. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (error) {
    process.stderr.write(`${command} could not be started: ${error.message}\n`);
    process.exit(1);
  }
  if (status !== 0) process.exit(status ?? 1);
}

/** A program of node_modules/.bin. Two compilers have a tsc there: the one that builds is named by its folder. */
export const toolPath = (name) => `${root}node_modules/${name === "tsc" ? "typescript/bin/tsc" : `.bin/${name}`}`;

export function runTool(name, args, options = {}) {
  run(process.execPath, [toolPath(name), ...args], options);
}

function checkNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major < LOWEST_NODE) {
    process.stderr.write(`Gosset needs Node ${LOWEST_NODE} or later; this is ${process.version}.\n`);
    process.exit(2);
  }
}

/** Installs exactly what the lock file says, unless that has been done already. */
export function install() {
  checkNode();
  const digest = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .digest("hex");
  const mark = `${root}node_modules/.gosset-installed`;
  if (existsSync(mark) && readFileSync(mark, "utf8") === digest) return;
  process.stdout.write("Installing the locked dependencies (npm ci)\n");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  writeFileSync(mark, digest);
}

export function build() {
  run(process.execPath, [`${root}scripts/build.mjs`]);
}
