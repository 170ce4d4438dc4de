/** `node scripts/endurance.mjs`: simulations on a real Redis and a real Slurm of this machine while everything in them is killed, again and again.
 *
 *    --slurm 20        repetitions of 21,000 experiments on three nodes: a task, a slurmd, slurmctld and the coordinator killed -9, a task cancelled
 *    --redis 20        repetitions of 21,000 experiments on 2 and, every other time, 4 workers: one killed -9 every few seconds, Redis and the coordinator too
 *    --every 3         seconds between two deaths of workers
 *    --overhead        instead: the wall time beside threads on as many processors, of Redis with pieces of a second and of Slurm with shards of a minute
 *    --rounds 3        of the overhead; the smallest time of each way counts
 *    --ways redis,slurm  of the overhead
 *
 *  Prints a line a repetition and a summary; exit code 1 where an answer is not that of one thread, a piece is missing or one is counted twice.
 *  Needs redis-server, slurm-wlm and munge. Times mean something on a quiet machine only. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, root } from "./project.mjs";

const REPLICATES = 20_000;
/** A repetition that takes longer is stuck. */
const LIMIT = 1_200_000;
const program = `${root}dist/bin/gosset.js`;
const { values } = parseArgs({
  options: {
    slurm: { type: "string", default: "0" },
    redis: { type: "string", default: "0" },
    every: { type: "string", default: "3" },
    overhead: { type: "boolean", default: false },
    rounds: { type: "string", default: "3" },
    ways: { type: "string", default: "redis,slurm" },
  },
});

build();
const deaths = await loadDeaths();
process.on("exit", deaths.endAll);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** What the tests do once, as a module that Node can load. */
async function loadDeaths() {
  const { build: bundle } = await import("esbuild");
  const outfile = `${root}node_modules/.cache/gosset/deaths.mjs`;
  const common = { bundle: true, format: "esm", platform: "node", target: "node20" };
  await bundle({ absWorkingDir: root, entryPoints: ["test/support/deaths.ts"], outfile, ...common });
  return import(outfile);
}

async function endure() {
  const { faultsOf, piecesOf, redisHere, simulationWords, slurmHere, surviveRedis, surviveSlurm } = deaths;
  const counts = { Slurm: Number(values.slurm), Redis: Number(values.redis) };
  if (counts.Slurm + counts.Redis === 0) {
    process.stderr.write("Nothing to do: --slurm 20 --redis 20, or --overhead.\n");
    process.exit(2);
  }
  const begun = performance.now();
  const direct = gosset([...simulationWords(REPLICATES), "--workers", "1", "--json", "--quiet"]);
  say(`one thread: ${seconds(performance.now() - begun)} for ${REPLICATES + 1000} experiments`);
  const ways = {
    async Slurm(place) {
      const slurm = slurmHere(place);
      slurm.run("start");
      try {
        return await surviveSlurm(place, slurm, { replicates: REPLICATES, limit: LIMIT });
      } finally {
        deaths.endAll();
        slurm.run("stop");
      }
    },
    async Redis(place, k) {
      try {
        const redis = await redisHere(place.folder);
        const settings = { workers: k % 2 === 0 ? 2 : 4, every: 1000 * Number(values.every) };
        const survived = await surviveRedis(place, redis, { replicates: REPLICATES, limit: LIMIT, ...settings });
        const twice = survived.lines === survived.pieces ? [] : [`${survived.lines - survived.pieces} pieces twice`];
        return { ...survived, faults: twice };
      } finally {
        deaths.endAll();
      }
    },
  };
  for (const [name, survive] of Object.entries(ways)) {
    const times = [];
    let sound = 0;
    for (let k = 0; k < counts[name]; k++) {
      const folder = mkdtempSync(join(tmpdir(), "gosset-endurance-"));
      const start = performance.now();
      const survived = await survive({ root, program, folder }, k).catch((error) => ({ faults: [error.message] }));
      const took = performance.now() - start;
      const faults = [
        ...(survived.faults ?? []),
        ...(survived.status === undefined ? [] : faultsOf(survived, direct, REPLICATES)),
      ];
      if (faults.length === 0) {
        sound += 1;
        rmSync(folder, { recursive: true, force: true });
      }
      times.push(took);
      const pieces = `${survived.pieces ?? 0} of ${piecesOf(REPLICATES)} pieces in ${survived.lines ?? 0} lines`;
      const verdict = faults.length === 0 ? "the answer of one thread" : `FAULT: ${faults.join("; ")} (${folder})`;
      say(`${name} ${k + 1}: ${seconds(took)}, killed: ${survived.deaths ?? "?"}; ${pieces}; ${verdict}`);
    }
    if (times.length === 0) continue;
    times.sort((a, b) => a - b);
    const range = `${seconds(times[0])} to ${seconds(times.at(-1))}, median ${seconds(times[times.length >> 1])}`;
    say(`${name}: ${sound} of ${times.length} repetitions gave the answer of one thread; ${range}`);
    if (sound < times.length) process.exitCode = 1;
  }
}

/** Pieces of about a second: 50 ordinal and linear mixed models each. */
const SLOW = "power ordinal --items 30 --raters 3 --effect 0.3 --setting howcroft-general --seed 7".split(" ");
const PROCESSORS = 2;
const REDIS_SECONDS = 60;
const SHARD_SECONDS = 60;
/** Three after each other on each processor, as most shards of a run do not wait for Slurm's first look at the queue. */
const SHARDS = 3 * PROCESSORS;

async function measureOverhead(rounds) {
  const piece = measurePiece();
  say(`a piece takes ${piece.toFixed(2)} s`);
  const ways = values.ways.split(",");
  if (ways.includes("redis"))
    await compareWays("Redis, pieces of a second", rounds, { piece, work: REDIS_SECONDS * PROCESSORS }, overRedis);
  if (ways.includes("slurm"))
    await compareWays("Slurm, shards of a minute", rounds, { piece, work: SHARD_SECONDS * SHARDS }, overSlurm);
}

/** Seconds of one piece on one thread, without the start of the program. */
function measurePiece() {
  const time = (replicates) =>
    clock(() => gosset([...SLOW, "--replicates", `${replicates}`, "--workers", "1", "--quiet"]));
  const [short, long] = [time(50), time(1500)];
  return (long - short) / 1000 / (pieceCount(1500) - pieceCount(50));
}

/** With those without an effect, of which there are as many up to a thousand. */
function pieceCount(replicates) {
  return Math.ceil(replicates / 50) + Math.ceil(Math.min(1000, replicates) / 50);
}

async function compareWays(name, rounds, { piece, work }, over) {
  const pieces = Math.round(work / piece);
  const replicates = 50 * (pieces > 40 ? pieces - 20 : Math.ceil(pieces / 2));
  const words = [...SLOW, "--replicates", `${replicates}`, "--json", "--quiet"];
  const best = { threads: Number.POSITIVE_INFINITY, other: Number.POSITIVE_INFINITY };
  for (let k = 0; k < rounds; k++) {
    let direct = "";
    const threads = await inFolder((folder) =>
      clock(() => {
        direct = gosset([...words, "--workers", `${PROCESSORS}`, "--journal", join(folder, "journal")]);
      }),
    );
    const { ms, answer } = await over(words);
    const same =
      JSON.stringify({ ...JSON.parse(direct), command: [] }) === JSON.stringify({ ...JSON.parse(answer), command: [] });
    best.threads = Math.min(best.threads, threads);
    best.other = Math.min(best.other, ms);
    say(
      `${name}, round ${k + 1}: threads ${seconds(threads)}, there ${seconds(ms)}, ${same ? "same answer" : "ANOTHER ANSWER"}`,
    );
    if (!same) process.exitCode = 1;
  }
  const percent = 100 * (best.other / best.threads - 1);
  say(
    `${name}: ${seconds(best.other)} beside ${seconds(best.threads)} of ${PROCESSORS} threads: ${percent.toFixed(1)} % more`,
  );
}

/** Workers wait already, as they do where there are some. */
function overRedis(words) {
  return inFolder(async (folder) => {
    const redis = await deaths.redisHere(folder);
    await redis.start();
    const options = { cwd: root };
    const workers = Array.from({ length: PROCESSORS }, () =>
      deaths.start(process.execPath, [program, "worker", redis.url, "--workers", "1"], options),
    );
    while (workers.some(({ said }) => !said.stderr.includes("working for"))) await deaths.wait(50);
    const begun = performance.now();
    const journal = ["--journal", join(folder, "journal"), "--on", redis.url];
    const run = deaths.start(process.execPath, [program, ...words, ...journal], options);
    const status = await run.ended;
    const ms = performance.now() - begun;
    deaths.endAll();
    if (status !== 0) throw new Error(run.said.stderr);
    return { ms, answer: run.said.stdout };
  });
}

function overSlurm(words) {
  return inFolder(async (folder) => {
    process.env["SLURM_HERE_NODES"] = Array.from({ length: PROCESSORS }, (_, k) => `n${k + 1}`).join(" ");
    const slurm = deaths.slurmHere({ root, program, folder });
    slurm.run("start");
    try {
      const begun = performance.now();
      const where = ["--journal", join(folder, "journal"), "--on", "slurm:main", "--shards", `${SHARDS}`];
      const run = deaths.start(process.execPath, [program, ...words, ...where], { cwd: root, env: slurm.environment });
      const status = await run.ended;
      if (status !== 0) throw new Error(run.said.stderr);
      return { ms: performance.now() - begun, answer: run.said.stdout };
    } finally {
      slurm.run("stop");
    }
  });
}

async function inFolder(act) {
  const folder = mkdtempSync(join(tmpdir(), "gosset-endurance-"));
  try {
    return await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function gosset(words) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status === 0) return stdout;
  process.stderr.write(stderr);
  process.exit(1);
}

function clock(act) {
  const begun = performance.now();
  act();
  return performance.now() - begun;
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}

if (values.overhead) await measureOverhead(Number(values.rounds));
else await endure();
