/** A simulation that is shared out by a real Redis or a real Slurm of this machine while everything in it is killed once or more. For the tests,
 *  which do it once, and for scripts/endurance.mjs, which does it as often as wanted: hence no word of a test runner here. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

/** The program and where it is run. */
export interface Place {
  readonly root: string;
  readonly program: string;
  /** Of this run alone: journal, server, cluster. */
  readonly folder: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly said: { stdout: string; stderr: string };
  readonly ended: Promise<number | null>;
}

/** Pieces are cheap, so that the time goes into deaths: 50 experiments take some tens of milliseconds. */
export const simulationWords = (replicates: number): string[] =>
  `power likert --items 50 --raters 3 --effect 0.05 --setting card-high --seed 42 --replicates ${replicates}`.split(
    " ",
  );
/** Of 50 experiments each, with the thousand without an effect. */
export const piecesOf = (replicates: number): number => Math.ceil(replicates / 50) + 20;

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Every process that was started here and may have to be ended. */
const started = new Set<ChildProcess>();
export function endAll(): void {
  for (const child of started) child.kill("SIGKILL");
}

export function start(command: string, args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  started.add(child);
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (said.stdout += chunk));
  child.stderr.on("data", (chunk) => (said.stderr += chunk));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  void ended.then(() => started.delete(child));
  return { child, said, ended } satisfies Running;
}

/** The lines of pieces in all files of a journal. */
export function pieceLines(journal: string): string[] {
  if (!existsSync(journal)) return [];
  return readdirSync(journal)
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(journal, name), "utf8").split("\n"))
    .filter((line) => /^[0-9a-f]{8} /.test(line));
}

export interface Survival {
  /** Of the last coordinator. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Lines of the journal, and how many different pieces they are of. */
  readonly lines: number;
  readonly pieces: number;
  /** What was killed, in words. */
  readonly deaths: string;
}

function survivalOf(last: Running, status: number | null, journal: string, deaths: string): Survival {
  const lines = pieceLines(journal);
  const places = lines.map((line) => /"set":"\w+","from":\d+,"count":\d+/.exec(line)![0]);
  return { status, ...last.said, lines: lines.length, pieces: new Set(places).size, deaths };
}

/** What is wrong with it, given the answer of one thread; empty where it survived. */
export function faultsOf(survival: Survival, direct: string, replicates: number): string[] {
  const { status, stdout, stderr, pieces } = survival;
  if (status !== 0) return [`exit code ${status}: ${stderr.trim().split("\n").at(-1)}`];
  const answer = (text: string): string => {
    const { command: _, ...rest } = JSON.parse(text);
    return JSON.stringify(rest);
  };
  return [
    ...(answer(stdout) === answer(direct) ? [] : ["another answer than that of one thread"]),
    ...(pieces === piecesOf(replicates) ? [] : [`${pieces} pieces in the journal instead of ${piecesOf(replicates)}`]),
  ];
}

// --- Redis

export const PASSWORD = "s3cret";

export interface RedisHere {
  readonly url: string;
  start(): Promise<Running>;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** A server of our own behind a password; `flags` replace the plain port, as for TLS. */
export async function redisHere(folder: string, flags?: (port: number) => readonly string[]): Promise<RedisHere> {
  const port = await freePort();
  return {
    url: `${flags === undefined ? "redis" : "rediss"}://:${PASSWORD}@localhost:${port}`,
    async start() {
      const own = [
        "--bind",
        "127.0.0.1",
        "--dir",
        folder,
        "--appendonly",
        "yes",
        "--save",
        "",
        "--requirepass",
        PASSWORD,
      ];
      const server = start("redis-server", [...(flags?.(port) ?? ["--port", `${port}`]), ...own], { cwd: folder });
      while (!server.said.stdout.includes("Ready to accept connections")) {
        if (server.child.exitCode !== null) throw new Error(server.said.stdout);
        await wait(30);
      }
      return server;
    },
  };
}

export interface RedisDeaths {
  readonly replicates: number;
  readonly workers: number;
  /** A worker is killed so often, in milliseconds, once it has worked for as long: on a busy machine none would outlive its start. */
  readonly every: number;
  /** Milliseconds after which the run counts as stuck. */
  readonly limit: number;
}

export interface RedisSurvival extends Survival {
  readonly server: Running;
  /** Alive at the end. */
  readonly workers: readonly Running[];
}

/** Workers are killed all the time, Redis after a third of the pieces, the coordinator after the half. */
export async function surviveRedis(place: Place, redis: RedisHere, deaths: RedisDeaths): Promise<RedisSurvival> {
  const { root, program, folder } = place;
  const journal = join(folder, "journal");
  const total = piecesOf(deaths.replicates);
  const gosset = (...args: string[]): Running => start(process.execPath, [program, ...args], { cwd: root });
  const worker = (): Running => gosset("worker", redis.url, "--workers", "1");
  const coordinate = (): Running =>
    gosset(...simulationWords(deaths.replicates), "--journal", journal, "--on", redis.url, "--json", "--quiet");
  let server = await redis.start();
  const workers = Array.from({ length: deaths.workers }, worker);
  let killed = 0;
  const since = new Map<Running, number>();
  let last = performance.now();
  const killing = setInterval(() => {
    const now = performance.now();
    for (const one of workers) if (!since.has(one) && one.said.stderr.includes("working for")) since.set(one, now);
    const victim = workers.findIndex((one) => now - (since.get(one) ?? now) >= deaths.every);
    if (victim < 0 || now - last < deaths.every) return;
    last = now;
    workers.splice(victim, 1)[0]!.child.kill("SIGKILL");
    workers.push(worker());
    killed += 1;
  }, 100);
  const late = performance.now() + deaths.limit;
  const reach = async (part: number, running: Running): Promise<void> => {
    while (pieceLines(journal).length < part * total) {
      if (running.child.exitCode !== null) throw new Error(`the coordinator ended: ${running.said.stderr}`);
      if (performance.now() > late) throw new Error(`stuck at ${pieceLines(journal).length} of ${total} pieces`);
      await wait(30);
    }
  };
  try {
    const first = coordinate();
    await reach(0.35, first);
    server.child.kill("SIGKILL");
    await server.ended;
    await wait(500);
    server = await redis.start();
    await reach(0.55, first);
    first.child.kill("SIGKILL");
    await first.ended;
    const second = coordinate();
    await reach(1, second);
    clearInterval(killing);
    const status = await second.ended;
    return {
      ...survivalOf(second, status, journal, `${killed} workers (${deaths.workers} at a time), Redis, coordinator`),
      server,
      workers,
    };
  } finally {
    clearInterval(killing);
  }
}

// --- Slurm

export interface SlurmHere {
  readonly environment: NodeJS.ProcessEnv;
  run(verb: string, ...args: readonly string[]): void;
  /** Lines of a program of Slurm. */
  ask(name: string, ...args: readonly string[]): string[];
}

/** Three nodes of one processor; `run("start")` and `run("stop")` begin and end it. */
export function slurmHere({ root, folder }: Place): SlurmHere {
  const cluster = join(folder, "cluster");
  const environment = {
    ...process.env,
    SLURM_CONF: join(cluster, "slurm.conf"),
    PATH: `${process.env["PATH"]}:/usr/sbin`,
  };
  return {
    environment,
    run: (verb, ...rest) =>
      void execFileSync(join(root, "test/support/slurm.sh"), [verb, cluster, ...rest], {
        stdio: ["ignore", "inherit", "inherit"],
      }),
    ask: (name, ...args) =>
      spawnSync(name, args, { env: environment, encoding: "utf8" })
        .stdout.split("\n")
        .filter((line) => line !== ""),
  };
}

/** The process that runs a task, by what its environment says. */
function taskProcess(shard: string | undefined, { environment }: SlurmHere): number {
  for (const name of readdirSync("/proc").filter((own) => /^\d+$/.test(own))) {
    try {
      const own = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
      const command = readFileSync(`/proc/${name}/comm`, "utf8");
      const ours =
        own.includes(`SLURM_CONF=${environment["SLURM_CONF"]}`) && own.includes(`SLURM_ARRAY_TASK_ID=${shard}`);
      if (ours && !command.startsWith("slurm")) return Number(name);
    } catch {} // ended, or another user's
  }
  return 0;
}

export interface SlurmDeaths {
  readonly replicates: number;
  readonly limit: number;
}

/** A task is killed, another cancelled, a node, the coordinator and the controller are killed, one after the other. */
export async function surviveSlurm(
  place: Place,
  slurm: SlurmHere,
  { replicates, limit }: SlurmDeaths,
): Promise<Survival> {
  const { root, program, folder } = place;
  const journal = join(folder, "journal");
  const total = piecesOf(replicates);
  const words = [...simulationWords(replicates), "--journal", journal, "--on", "slurm:main", "--shards", "8"];
  const coordinate = (): Running =>
    start(process.execPath, [program, ...words, "--json", "--quiet"], { cwd: root, env: slurm.environment });
  const late = performance.now() + limit;
  const reach = async (part: number, { child, said }: Running): Promise<void> => {
    while (pieceLines(journal).length < part * total) {
      if (child.exitCode !== null) throw new Error(`the coordinator ended: ${said.stderr}`);
      if (performance.now() > late) throw new Error(`stuck at ${pieceLines(journal).length} of ${total} pieces`);
      await wait(50);
    }
  };
  // on a busy machine none may be running between two of them
  const running = async (format: string): Promise<string | undefined> => {
    for (let tries = 0; tries < 40; tries++) {
      const [found] = slurm.ask("squeue", "-h", "-t", "R", "-o", format);
      if (found !== undefined) return found;
      await wait(250);
    }
    return undefined;
  };
  const first = coordinate();
  await reach(0.1, first);
  // a task may end between the question and the kill: then another one is looked for
  let task = 0;
  for (let tries = 0; tries < 40 && task === 0; tries++) {
    task = taskProcess(await running("%K"), slurm);
    if (task === 0) await wait(100);
  }
  if (task > 0) process.kill(task, "SIGKILL");
  await reach(0.25, first);
  const cancelled = await running("%i");
  if (cancelled !== undefined) slurm.ask("scancel", cancelled);
  await reach(0.35, first);
  const [node = "n1"] = slurm.ask("squeue", "-h", "-t", "R", "-o", "%N");
  slurm.run("kill-node", node);
  await reach(0.45, first);
  first.child.kill("SIGKILL");
  await first.ended;
  const second = coordinate();
  await reach(0.55, second);
  slurm.run("kill-controller");
  await wait(1500);
  slurm.run("start-controller");
  slurm.run("start-node", node);
  await reach(1, second);
  const status = await second.ended;
  const deaths = [
    task > 0 ? "task" : "",
    cancelled === undefined ? "" : "cancelled task",
    `slurmd ${node}`,
    "coordinator",
    "slurmctld",
  ];
  return survivalOf(second, status, journal, deaths.filter((death) => death !== "").join(", "));
}
