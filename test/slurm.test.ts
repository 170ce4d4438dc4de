/** A real Slurm of three nodes on this machine: a simulation is shared out, everything is killed once, and the digits are those of one thread. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program, root } from "./support/cli.ts";
import { installed, required } from "./support/installed.ts";

const there = installed(["slurmctld", "slurmd", "munged"], ["slurm-wlm", "munge"]);

const folder = mkdtempSync(join(tmpdir(), "gosset-slurm-"));
const cluster = join(folder, "cluster");
const journal = join(folder, "journal");
const environment = {
  ...process.env,
  SLURM_CONF: join(cluster, "slurm.conf"),
  PATH: `${process.env["PATH"]}:/usr/sbin`,
};
const slurm = (...args: string[]): void =>
  void execFileSync(join(root, "test/support/slurm.sh"), [args[0]!, cluster, ...args.slice(1)], {
    stdio: ["ignore", "inherit", "inherit"],
  });
const ask = (name: string, ...args: string[]): string[] =>
  spawnSync(name, args, { env: environment, encoding: "utf8" })
    .stdout.split("\n")
    .filter((line) => line !== "");

const REPLICATES = process.env["SLURM_REPLICATES"] ?? "4000";
const words =
  `power likert --items 50 --raters 3 --effect 0.05 --setting card-high --seed 42 --replicates ${REPLICATES}`.split(
    " ",
  );
const shared = [...words, "--journal", journal, "--on", "slurm:main", "--shards", "8", "--json", "--quiet"];

const lines = (): string[] =>
  !existsSync(journal)
    ? []
    : readdirSync(journal)
        .filter((name) => name.endsWith(".jsonl"))
        .flatMap((name) => readFileSync(join(journal, name), "utf8").split("\n"))
        .filter((line) => /^[0-9a-f]{8} /.test(line));
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
async function until(what: () => boolean): Promise<void> {
  while (!what()) await wait(50);
}

interface Coordinator {
  readonly child: ChildProcess;
  readonly ended: Promise<{ status: number | null; stdout: string; stderr: string }>;
}
function coordinate(): Coordinator {
  const child = spawn(process.execPath, [program, ...shared], { cwd: root, env: environment });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (said.stdout += chunk));
  child.stderr.on("data", (chunk) => (said.stderr += chunk));
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) =>
    child.on("close", (status) => resolve({ status, ...said })),
  );
  return { child, ended };
}

/** The process that runs a task, by what its environment says. */
function taskProcess(shard: string): number {
  for (const name of readdirSync("/proc").filter((own) => /^\d+$/.test(own))) {
    try {
      const own = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
      const command = readFileSync(`/proc/${name}/comm`, "utf8");
      const ours = own.includes(`SLURM_CONF=${environment.SLURM_CONF}`) && own.includes(`SLURM_ARRAY_TASK_ID=${shard}`);
      if (ours && !command.startsWith("slurm")) return Number(name);
    } catch {} // ended, or another user's
  }
  return 0;
}

describe.skipIf(!there && !required)("Slurm", () => {
  beforeAll(() => slurm("start"), 60_000);
  afterAll(() => {
    slurm("stop");
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  it("gives the digits of one thread though task, node, controller and coordinator are killed and a task is cancelled", async () => {
    const total = Math.ceil(Number(REPLICATES) / 50) + 20;
    const share =
      (part: number): (() => boolean) =>
      () =>
        lines().length >= part * total;
    const first = coordinate();
    await until(share(0.1));
    const [running] = ask("squeue", "-h", "-t", "R", "-o", "%K");
    const task = taskProcess(running!);
    if (task > 0) process.kill(task, "SIGKILL");
    await until(share(0.25));
    spawnSync("scancel", ask("squeue", "-h", "-t", "R", "-o", "%i").slice(0, 1), { env: environment });
    await until(share(0.35));
    const [node = "n1"] = ask("squeue", "-h", "-t", "R", "-o", "%N");
    slurm("kill-node", node);
    await until(share(0.45));
    first.child.kill("SIGKILL");
    await first.ended;
    const second = coordinate();
    await until(share(0.55));
    slurm("kill-controller");
    await wait(1500);
    slurm("start-controller");
    slurm("start-node", node);
    const { status, stdout, stderr } = await second.ended;
    expect([status, stderr]).toEqual([0, ""]);
    const direct = spawnSync(process.execPath, [program, ...words, "--workers", "1", "--json"], {
      cwd: root,
      encoding: "utf8",
    });
    const answer = (text: string): object => ({ ...JSON.parse(text), command: [] });
    expect(answer(stdout)).toEqual(answer(direct.stdout));
    const places = lines().map((line) => /"set":"\w+","from":\d+,"count":\d+/.exec(line)![0]);
    expect(new Set(places).size).toBe(total);
    expect(task).toBeGreaterThan(0);
  }, 300_000);

  it("refuses what Slurm refuses, with its reason", () => {
    const other = [...words, "--journal", join(folder, "other"), "--on", "slurm:nowhere"];
    const { status, stderr } = spawnSync(process.execPath, [program, ...other], {
      cwd: root,
      env: environment,
      encoding: "utf8",
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^gosset: sbatch: .*invalid partition.*\n$/i);
  });
});
