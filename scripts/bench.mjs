/** `npm run bench [name…]`: fixed problems, timed one after the other beside R in the same run; JSON lines, then a table of ratios. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { install, root } from "./setup.mjs";

install();
const { build } = await import("esbuild");
const wanted = process.argv.slice(2);
const names = readdirSync(`${root}bench`)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -3))
  .filter((name) => wanted.length === 0 || wanted.includes(name));
mkdirSync(`${root}dist/bench`, { recursive: true });

/** The JSON lines that a program prints; none if it cannot be run. */
function lines(command, args) {
  const { stdout, status } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return status === 0
    ? stdout
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line))
    : [];
}

const rows = [];
for (const name of names) {
  await build({
    entryPoints: [`${root}bench/${name}.ts`],
    outfile: `${root}dist/bench/${name}.mjs`,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
  });
  const ours = lines(process.execPath, ["--expose-gc", `${root}dist/bench/${name}.mjs`]);
  const script = `${root}bench/${name}.R`;
  const theirs = existsSync(script) ? lines("Rscript", [script]) : [];
  if (existsSync(script) && theirs.length === 0) process.stdout.write(`${name}: R is not installed, no ratios\n`);
  for (const result of [...ours, ...theirs]) process.stdout.write(`${JSON.stringify(result)}\n`);
  for (const { problem, seconds } of ours) {
    const other = theirs.find((row) => row.problem === problem);
    rows.push([problem, seconds, other?.seconds]);
  }
}
const figure = (value) => (value === undefined ? "" : value.toPrecision(3));
process.stdout.write(
  `\n${"problem".padEnd(44)}${"gosset, s".padStart(12)}${"R, s".padStart(12)}${"ratio".padStart(10)}\n`,
);
for (const [problem, ours, theirs] of rows) {
  const ratio = theirs === undefined ? "" : `${(theirs / ours).toFixed(1)}x`;
  process.stdout.write(
    `${problem.padEnd(44)}${figure(ours).padStart(12)}${figure(theirs).padStart(12)}${ratio.padStart(10)}\n`,
  );
}
