/** A real Redis and real workers: a worker, Redis and the coordinator are killed, and the digits are those of one thread. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, describe, expect, it } from "vitest";
import { inlineRunner, makeRng } from "../src/index.ts";
import { queueRunner } from "../src/run/bullmq.ts";
import type { Task } from "../src/runners.ts";
import { gosset, gossetJson, program, root } from "./support/cli.ts";
import {
  endAll,
  faultsOf,
  PASSWORD,
  piecesOf,
  redisHere,
  simulationWords,
  start,
  surviveRedis,
  wait,
} from "./support/deaths.ts";
import { makeFolder } from "./support/folder.ts";
import { installed } from "./support/installed.ts";

const folder = makeFolder("redis");
afterAll(() => {
  endAll();
  rmSync(folder, { recursive: true, force: true });
});
const REPLICATES = Number(process.env["REDIS_REPLICATES"] ?? 2000);
const words = simulationWords(REPLICATES);

describe.skipIf(!installed("redis"))("Redis", () => {
  it("gives the digits of one thread though a worker every few seconds, Redis and the coordinator are killed", async () => {
    const redis = await redisHere(folder);
    const limit = 200_000;
    const survived = await surviveRedis({ root, program, folder }, redis, {
      replicates: REPLICATES,
      workers: 2,
      every: 3000,
      limit,
    });
    const direct = gossetJson(...words, "--workers", "1");
    expect(faultsOf(survived, JSON.stringify(direct), REPLICATES)).toEqual([]);
    expect(survived.lines).toBe(piecesOf(REPLICATES)); // nothing lost, nothing counted twice
    expect(survived.stderr).toBe("");
    expect(survived.stdout).not.toContain(PASSWORD);
    const gosset = (...args: string[]) => start(process.execPath, [program, ...args], { cwd: root });
    // a search, which no array can do
    const search = "mde likert --items 30 --raters 4 --setting card-low --replicates 300 --seed 3".split(" ");
    const journal = join(folder, "journal");
    const searched = gosset(...search, "--journal", journal, "--on", redis.url, "--json", "--quiet");
    expect(await searched.ended).toBe(0);
    expect({ ...JSON.parse(searched.said.stdout), command: [] }).toEqual({ ...gossetJson(...search), command: [] });
    const listed = gosset("runs", redis.url, "--json", "--quiet");
    expect(await listed.ended).toBe(0);
    expect(JSON.parse(listed.said.stdout)).toMatchObject({
      kind: "runs",
      queue: { waiting: 0, failed: 0, workers: 2 },
    });
    for (const { child } of survived.workers) child.kill("SIGTERM");
    expect(await Promise.all(survived.workers.map(({ ended }) => ended))).toEqual([0, 0]);
    expect(survived.workers[0]!.said.stderr).toContain(
      `working for ${redis.url.replace(`:${PASSWORD}@`, "")} on 1 thread`,
    );
  }, 300_000);

  it("works over TLS with a password in the address, which nobody writes down", async () => {
    const own = mkdtempSync(join(folder, "tls-"));
    const openssl = (line: string): void => {
      const { status, stderr } = spawnSync("openssl", line.split(" "), { cwd: own, encoding: "utf8" });
      expect(status, stderr).toBe(0);
    };
    const key = "-newkey rsa:2048 -nodes";
    openssl(`req -x509 ${key} -days 2 -subj /CN=authority -keyout ca.key -out ca.crt`);
    openssl(`req ${key} -subj /CN=localhost -keyout server.key -out server.csr`);
    writeFileSync(join(own, "names"), "subjectAltName=DNS:localhost");
    openssl("x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt");
    const files =
      "--tls-cert-file server.crt --tls-key-file server.key --tls-ca-cert-file ca.crt --tls-auth-clients no";
    const redis = await redisHere(own, (port) => ["--port", "0", "--tls-port", `${port}`, ...files.split(" ")]);
    await redis.start();
    const trusting = { ...process.env, NODE_EXTRA_CA_CERTS: join(own, "ca.crt") };
    const gosset = (env: NodeJS.ProcessEnv, ...args: string[]) =>
      start(process.execPath, [program, ...args], { cwd: root, env });
    const worker = gosset(trusting, "worker", redis.url, "--workers", "1");
    const journal = join(own, "journal");
    const small = simulationWords(100);
    const run = gosset(trusting, ...small, "--journal", journal, "--on", redis.url, "--json");
    expect(await run.ended, run.said.stderr).toBe(0);
    const { command, ...answer } = JSON.parse(run.said.stdout);
    expect(answer).toEqual(gossetJson(...small));
    expect(command.join(" ")).toContain(redis.url.replace(`:${PASSWORD}@`, ""));
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
    const kept = readdirSync(journal).map((name) => readFileSync(join(journal, name), "utf8"));
    const said = [...kept, run.said.stdout, run.said.stderr, worker.said.stdout, worker.said.stderr].join();
    expect(said).not.toContain(PASSWORD);

    const wrong = redis.url.replace(PASSWORD, "guess0");
    const refused = async (env: NodeJS.ProcessEnv, message: RegExp, ...args: string[]): Promise<void> => {
      const one = gosset(env, ...args);
      expect([await one.ended, one.said.stdout]).toEqual([2, ""]);
      expect(one.said.stderr).toMatch(message);
      expect(one.said.stderr.trimEnd().split("\n")).toHaveLength(1);
      expect(one.said.stderr).not.toMatch(/guess0|s3cret/);
    };
    await refused(trusting, /does not accept this user and password/, "worker", wrong);
    await refused(trusting, /does not accept this user and password/, ...words, "--journal", journal, "--on", wrong);
    await refused(trusting, /does not accept this user and password/, "runs", redis.url.replace(`:${PASSWORD}@`, ""));
    await refused(process.env, /no trusted connection/, "worker", redis.url);
  }, 120_000);

  it("a worker without a Redis at its address ends and says so", () => {
    const { status, stdout, stderr } = gosset("worker", "redis://:hush@127.0.0.1:1");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^gosset: no Redis answers at redis:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)\. .*\n$/);
  });

  it.each([
    [["worker", "http://127.0.0.1:1"], /not the address of a Redis server/],
    [["worker", "redis"], /GOSSET_REDIS is not set/],
    [[...words, "--journal", "x", "--on", "redis://"], /not the address of a Redis server/],
    [[...words, "--on", "redis://h"], /--on without --journal/],
    [[...words, "--journal", "x", "--on", "redis://h", "--shards", "4"], /--shards has no effect/],
    [[...words, "--journal", "x", "--on", "redis://h", "--shard", "0/2"], /--shard and --on together/],
  ] as const)("%j is refused", (args, message) => {
    const { status, stderr } = gosset(...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe.skipIf(!installed("redis"))("strangers at the queue", () => {
  const piece = (change: object): object => ({
    task: "power/replicates",
    input: { scenario: "means", params: MEANS, seed: "1", from: 0, count: 50, ...change },
  });
  const MEANS = {
    n: 10,
    delta: 1,
    sd: 1,
    alpha: 0.05,
    oneSided: false,
    test: "wilcoxon",
    design: "paired",
    shape: "normal",
    clusterSize: 1,
  };

  it("hold no worker for good, and the first SIGTERM ends it", async () => {
    const own = mkdtempSync(join(folder, "jobs-"));
    const redis = await redisHere(own);
    await redis.start();
    const worker = start(process.execPath, [program, "worker", redis.url, "--workers", "1"], { cwd: root });
    while (!worker.said.stderr.includes("working for")) await wait(50);
    const client = new Redis(redis.url);
    const [key] = await client.keys("bull:gosset-*:meta");
    const queue = new Queue(key!.split(":")[1]!, { connection: { url: redis.url } });
    const answer = async (data: unknown): Promise<unknown> => {
      const { id } = await queue.add("piece", data);
      for (;;) {
        const job = await queue.getJob(id!);
        if (job?.finishedOn !== undefined) return job.returnvalue ?? job.failedReason;
        await wait(50);
      }
    };
    for (const change of [{ count: 1e15 }, { count: -1 }, { from: 1e15 }, { params: null }, { scenario: 7 }]) {
      expect([change, await answer(piece(change))]).toEqual([
        change,
        { failure: expect.objectContaining({ code: "BadPiece" }) },
      ]);
    }
    for (const data of [{}, { task: "power/replicates" }, 7, "x"]) expect(await answer(data)).toBeTruthy();
    expect(await answer(piece({}))).toEqual({ out: expect.any(Array) });
    // some minutes of experiments
    await queue.add("piece", piece({ params: { ...MEANS, n: 5_000_000 } }), { attempts: 5 });
    while ((await queue.getActiveCount()) === 0) await wait(50);
    await wait(1000);
    const since = performance.now();
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toBe(0);
    expect(performance.now() - since).toBeLessThan(20_000);
    // it waits for another worker
    expect((await queue.getWaitingCount()) + (await queue.getDelayedCount())).toBe(1);
    await queue.close();
    client.disconnect();
  }, 120_000);

  it.each([7, "x", [], {}, { failure: null }, { failure: { code: 1 } }, { out: [[1]] }])(
    "that answer %j are refused in words",
    async (odd) => {
      const own = mkdtempSync(join(folder, "answers-"));
      const redis = await redisHere(own);
      await redis.start();
      const runner = queueRunner({ url: redis.url, build: "odd", inner: inlineRunner() });
      const client = new Redis(redis.url);
      const task: Task<number, number> = {
        name: "odd",
        run: (input) => input,
        keeping: {
          about: () => ({ scenario: "odd", params: {}, seed: "1" }),
          place: (from) => ({ from, count: 1 }),
          write: (out) => out,
          read: (value) => (typeof value === "number" ? value : undefined),
          blank: () => 0,
        },
      };
      const asked = runner.map(task, [0], makeRng("1"));
      asked.catch(() => {});
      let keys: string[] = [];
      while (keys.length === 0) keys = await client.keys("bull:gosset-*:meta");
      const worker = new Worker(keys[0]!.split(":")[1]!, async () => odd, { connection: { url: redis.url } });
      await expect(asked).rejects.toMatchObject({ code: "PieceFailed", fix: expect.any(String) });
      await worker.close();
      await runner.close();
      client.disconnect();
    },
    60_000,
  );
});
