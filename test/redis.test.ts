/** A real Redis and real workers: a worker, Redis and the coordinator are killed, and the digits are those of one thread. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { gossetJson, program, root } from "./support/cli.ts";
import {
  endAll,
  faultsOf,
  PASSWORD,
  piecesOf,
  redisHere,
  simulationWords,
  start,
  surviveRedis,
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
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, "worker", "redis://:hush@127.0.0.1:1"], {
      cwd: root,
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^gosset: no Redis answers at redis:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)\. .*\n$/);
  });

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
