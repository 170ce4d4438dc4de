/** A real Redis and real workers: a worker, Redis and the coordinator are killed, and the digits are those of one thread. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { gossetJson, program, root } from "./support/cli.ts";
import { installed, required } from "./support/installed.ts";

const there = installed(["redis-server"], ["redis-server"]);
const folder = mkdtempSync(join(tmpdir(), "gosset-redis-"));
const journal = join(folder, "journal");
const PASSWORD = "s3cret";
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Of those that must not end by themselves. */
const watched: Running[] = [];
async function until(what: () => boolean): Promise<void> {
  while (!what()) {
    for (const { child, said } of watched) expect(child.exitCode, said.stderr).toBeNull();
    await wait(30);
  }
}

interface Running {
  readonly child: ChildProcess;
  readonly said: { stdout: string; stderr: string };
  readonly ended: Promise<number | null>;
}
function start(command: string, args: readonly string[]): Running {
  const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (said.stdout += chunk));
  child.stderr.on("data", (chunk) => (said.stderr += chunk));
  return { child, said, ended: new Promise((resolve) => child.on("close", resolve)) };
}
const gosset = (...args: string[]): Running => start(process.execPath, [program, ...args]);

const REPLICATES = process.env["REDIS_REPLICATES"] ?? "2000";
const words =
  `power likert --items 50 --raters 3 --effect 0.05 --setting card-high --seed 42 --replicates ${REPLICATES}`.split(
    " ",
  );
const lines = (): number =>
  !existsSync(journal)
    ? 0
    : readdirSync(journal)
        .flatMap((name) => readFileSync(join(journal, name), "utf8").split("\n"))
        .filter((line) => /^[0-9a-f]{8} /.test(line)).length;

describe.skipIf(!there && !required)("Redis", async () => {
  const port = await freePort();
  const url = `redis://:${PASSWORD}@127.0.0.1:${port}`;
  const redis = async (): Promise<Running> => {
    const own = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--save", ""];
    const server = start("redis-server", [...own, "--requirepass", PASSWORD]);
    await until(() => server.said.stdout.includes("Ready to accept connections"));
    return server;
  };

  it("gives the digits of one thread though a worker, Redis and the coordinator are killed", async () => {
    const total = Math.ceil(Number(REPLICATES) / 50) + 20;
    const share =
      (part: number): (() => boolean) =>
      () =>
        lines() >= part * total;
    const server = await redis();
    const worker = (): Running => gosset("worker", url, "--workers", "1");
    const [first, second] = [worker(), worker()];
    const shared = [...words, "--journal", journal, "--on", url, "--json", "--quiet"];
    const coordinator = gosset(...shared);
    watched.push(coordinator);
    await until(share(0.15));
    first.child.kill("SIGKILL");
    const third = worker();
    await until(share(0.35));
    server.child.kill("SIGKILL");
    await server.ended;
    await wait(500);
    await redis();
    await until(share(0.55));
    watched.length = 0;
    coordinator.child.kill("SIGKILL");
    await coordinator.ended;
    const again = gosset(...shared);
    const status = await again.ended;
    expect([status, again.said.stderr]).toEqual([0, ""]);
    expect(lines()).toBe(total); // nothing lost, nothing counted twice
    const answer = JSON.parse(again.said.stdout);
    expect(JSON.stringify(answer)).not.toContain(PASSWORD);
    const { command: _, ...rest } = answer;
    expect(rest).toEqual(gossetJson(...words, "--workers", "1"));
    // a search, which no array can do
    const search = "mde likert --items 30 --raters 4 --setting card-low --replicates 300 --seed 3".split(" ");
    const searched = gosset(...search, "--journal", journal, "--on", url, "--json", "--quiet");
    expect(await searched.ended).toBe(0);
    expect({ ...JSON.parse(searched.said.stdout), command: [] }).toEqual({ ...gossetJson(...search), command: [] });
    const listed = gosset("runs", url, "--json", "--quiet");
    expect(await listed.ended).toBe(0);
    expect(JSON.parse(listed.said.stdout)).toMatchObject({
      kind: "runs",
      queue: { waiting: 0, failed: 0, workers: 2 },
    });
    for (const one of [second, third]) one.child.kill("SIGTERM");
    expect(await Promise.all([second.ended, third.ended])).toEqual([0, 0]);
    expect(second.said.stderr).toContain(`working for redis://127.0.0.1:${port} on 1 thread`);
  }, 240_000);

  it.each([
    [["worker", "http://127.0.0.1:1"], /no address of a Redis server/],
    [["worker", "redis"], /GOSSET_REDIS is not set/],
    [[...words, "--journal", "x", "--on", "redis://"], /no address of a Redis server/],
    [[...words, "--on", "redis://h"], /--on without --journal/],
    [[...words, "--journal", "x", "--on", "redis://h", "--shards", "4"], /--shards does nothing/],
    [[...words, "--journal", "x", "--on", "redis://h", "--shard", "0/2"], /--shard and --on together/],
  ] as const)("%j is refused", (args, message) => {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: root, encoding: "utf8" });
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});
