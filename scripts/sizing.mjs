/** How many machines are worth their while: measures the pieces of Howcroft & Rieser's grid (72 cells x 1,000 experiments), in seconds of processor
 *  time so that a busy machine does not matter, and what starting a task costs; then simulates the schedule of shards on some numbers of processors.
 *  `node scripts/sizing.mjs [experiments measured for each cell]` prints the table of docs/methods/many-machines.md. */
import { spawnSync } from "node:child_process";
import { findScenario, powerReplicates } from "../dist/power.js";
import { root } from "./project.mjs";

const { build } = await import("esbuild");
const grid = `${root}dist/bench/ordinal-figures.mjs`;
await build({
  entryPoints: [`${root}replications/ordinal-figures.ts`],
  outfile: grid,
  bundle: true,
  packages: "external",
  format: "esm",
  platform: "node",
});
const { howcroftCells, howcroftParameters } = await import(grid);

const PIECE = 50;
const REPLICATES = 1000;
const measured = Number(process.argv[2] ?? 8);
const family = findScenario("ordinal");

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

/** Seconds of one experiment, by what it costs: the effect and the setting matter little. */
const costs = new Map();
function costOf(cell) {
  const key = `${cell.items} x ${cell.ratings}`;
  if (!costs.has(key)) {
    const params = howcroftParameters(cell);
    family.make(params);
    // compiled before it is measured
    powerReplicates.run({ scenario: "ordinal", params, seed: "warm", from: 0, count: costs.size === 0 ? 20 : 2 });
    const start = cpu();
    powerReplicates.run({ scenario: "ordinal", params, seed: "size", from: 0, count: measured });
    costs.set(key, (cpu() - start) / measured);
  }
  return costs.get(key);
}

const perPiece = REPLICATES / PIECE;
const pieces = howcroftCells().flatMap((cell) => Array.from({ length: perPiece }, () => PIECE * costOf(cell)));
const work = pieces.reduce((sum, own) => sum + own, 0);

/** A task that draws nothing: the start of the program. */
const startUp = Number(
  spawnSync(
    "bash",
    [
      "-c",
      `TIMEFORMAT='%U %S'; time "${process.execPath}" "${root}dist/bin/gosset.js" power ordinal --items 10 --ratings 3 --effect 0.3 --setting howcroft-general --method approx > /dev/null 2>&1`,
    ],
    { encoding: "utf8" },
  )
    .stderr.trim()
    .split(" ")
    .reduce((sum, own) => sum + Number(own), 0),
);

/** Wall time of `shards` tasks on `cores` processors: the next task goes to whoever is free. Piece k is of shard k mod N. */
function schedule(cores, shards) {
  const tasks = Array.from({ length: shards }, () => startUp);
  pieces.forEach((own, k) => {
    tasks[k % shards] += own;
  });
  const free = new Float64Array(Math.min(cores, shards));
  for (const task of tasks) {
    let first = 0;
    for (let i = 1; i < free.length; i++) if (free[i] < free[first]) first = i;
    free[first] += task;
  }
  return Math.max(...free);
}

const seconds = (value) =>
  value < 100
    ? `${value.toFixed(1)} s`
    : value < 6000
      ? `${(value / 60).toFixed(1)} min`
      : `${(value / 3600).toFixed(1)} h`;
for (const [key, cost] of costs)
  process.stdout.write(
    `items x ratings ${key}: ${(1000 * cost).toFixed(1)} ms an experiment, ${seconds(PIECE * cost)} a piece\n`,
  );
process.stdout.write(`start of a task ${startUp.toFixed(2)} s; ${pieces.length} pieces, ${seconds(work)} of work\n\n`);
process.stdout.write(
  "| processors | shards | wall time | speed-up | of the processors' time is work |\n| --- | --- | --- | --- | --- |\n",
);
for (const cores of [1, 10, 100, 1000, 10_000]) {
  const best = [cores, 2 * cores, 4 * cores]
    .map((shards) => Math.min(shards, pieces.length))
    .map((shards) => ({ shards, wall: schedule(cores, shards) }))
    .sort((a, b) => a.wall - b.wall)[0];
  const used = Math.min(cores, best.shards);
  process.stdout.write(
    `| ${cores.toLocaleString("en")} | ${best.shards.toLocaleString("en")} | ${seconds(best.wall)} | ${(work / best.wall).toFixed(0)} | ${((100 * work) / (cores * best.wall)).toFixed(0)} %${used < cores ? ` (${used.toLocaleString("en")} used)` : ""} |\n`,
  );
}
