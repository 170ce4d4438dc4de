/** `npm run bench [name…]`: fixed problems, timed one after the other beside R and Python in the same run; JSON lines, then a table of ratios. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { install, root } from "./project.mjs";

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
  const theirs = ours.filter((row) => row.tool !== undefined);
  for (const [program, ending] of [
    ["Rscript", "R"],
    ["python3", "py"],
  ]) {
    const script = `${root}bench/${name}.${ending}`;
    if (!existsSync(script)) continue;
    const found = lines(program, [script]);
    if (found.length === 0) process.stdout.write(`${name}: ${program} or a package of it is missing, no ratios\n`);
    theirs.push(...found);
  }
  const own = ours.filter((row) => row.tool === undefined);
  for (const result of [...own, ...theirs]) process.stdout.write(`${JSON.stringify(result)}\n`);
  for (const { problem, seconds } of own) {
    const other = theirs.find((row) => row.problem === problem);
    rows.push([problem, seconds, other?.seconds, other?.tool]);
  }
}
const figure = (value) => (value === undefined ? "" : value.toPrecision(3));
process.stdout.write(
  `\n${"problem".padEnd(44)}${"gosset, s".padStart(12)}${"other, s".padStart(12)}${"ratio".padStart(10)}  beside\n`,
);
for (const [problem, ours, theirs, tool] of rows) {
  const ratio = theirs === undefined ? "" : `${(theirs / ours).toFixed(1)}x`;
  process.stdout.write(
    `${problem.padEnd(44)}${figure(ours).padStart(12)}${figure(theirs).padStart(12)}${ratio.padStart(10)}  ${tool ?? ""}`.trimEnd(),
  );
  process.stdout.write("\n");
}
