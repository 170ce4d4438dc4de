/** Job arrays to be submitted by hand: what is printed is valid, and what it runs is a shard. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Job } from "kubernetes-models/batch/v1";
import { afterAll, expect, it } from "vitest";
import { parse } from "yaml";
import { gosset, gossetJson, gossetRefuses, program, root, shellWords } from "./support/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "gosset jobs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const words = "power means --n 60 --delta 0.35 --test wilcoxon --seed 5 --replicates 600".split(" ");
const print = (kind: string, ...more: string[]): string => {
  const { status, stdout, stderr } = gosset(...words, ...more, "--print-job", kind);
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
};
const direct = gossetJson(...words);

it("a script for Slurm holds the whole array, and its task runs", () => {
  const journal = join(folder, "by hand");
  const script = print("slurm", "--journal", journal, "--shards", "3", "--max-time", "2h", "--workers", "2");
  expect(script).toMatch(/^#!\/bin\/bash\n# Submit: /);
  for (const option of ["--array=0-2", "--cpus-per-task=2", "--time=120", "--requeue", "--signal=B:USR1@60"]) {
    expect(script).toContain(`#SBATCH ${option}\n`);
  }
  const task = script.trimEnd().split("\n").at(-1)!;
  expect(task).toMatch(/^exec gosset power means .* --shard \/3 --workers "\$\{SLURM_CPUS_PER_TASK:-1\}"$/);
  const path = join(folder, "script.sh");
  writeFileSync(path, script.replace("exec gosset", `exec "${process.execPath}" "${program}"`));
  for (const index of ["0", "1", "2"]) {
    const env = { ...process.env, SLURM_ARRAY_TASK_ID: index, SLURM_CPUS_PER_TASK: "1" };
    expect(spawnSync("sh", [path], { cwd: root, env }).status).toBe(0);
  }
  expect(readdirSync(journal)).toHaveLength(3);
  expect(gossetJson(...words, "--journal", journal, "--partial")).toEqual(direct);
});

it("a manifest for Kubernetes is valid, and its container runs as the index that it is told", () => {
  const text = print("k8s", "--journal", "/journal", "--shards", "40", "--max-time", "1h");
  const manifest = parse(text);
  // typed against kubernetes-types where it is made: no unknown fields
  new Job(manifest).validate();
  expect(manifest.spec).toMatchObject({ completionMode: "Indexed", completions: 12, activeDeadlineSeconds: 3600 });
  expect(() => new Job({ ...manifest, spec: { ...manifest.spec, completions: "12" } }).validate()).toThrow();
  const [container] = manifest.spec.template.spec.containers;
  const journal = join(folder, "k8s");
  const args = container.args.map((word: string) => (word === "/journal" ? journal : word));
  process.env["JOB_COMPLETION_INDEX"] = "11";
  const { stdout } = gosset(...args);
  delete process.env["JOB_COMPLETION_INDEX"];
  expect(stdout).toMatch(/^shard 11 of 12: 1 pieces computed/);
  const answer = /# Answer: {2}(gosset .*?) {6}/.exec(text)![1]!;
  expect(shellWords(answer).slice(1)).toEqual([...words, "--journal", "/journal"]);
});

it.each([
  [["--journal", "x", "--print-job", "pbs"], /slurm, k8s/],
  [["--print-job", "slurm"], /--print-job without --journal/],
  [["--journal", "x", "--print-job", "k8s"], /absolute path/],
  [["--journal", "x", "--print-job", "slurm", "--shards", "2000"], /at most 1000/],
  [["--journal", "x", "--print-job", "slurm", "--shards", "0"], /--shards 0/],
  [["--journal", "x", "--print-job", "slurm", "--max-time", "soon"], /--max-time soon: not a time/],
  [["--journal", "x", "--print-job", "slurm", "--shard", "0/2"], /--shard and --print-job together/],
  [["--journal", "x", "--shards", "3"], /--shards has no effect without/],
  [["--journal", "x", "--max-time", "3h"], /--max-time has no effect without/],
  [["--journal", "x", "--on", "pbs"], /--on pbs: not a place/],
  [["--on", "slurm"], /--on without --journal/],
])("%j is refused", (more, message) => {
  expect(gossetRefuses(...words, ...more)).toMatch(message);
});

it("a search is not shared out", () => {
  expect(gossetRefuses("mde", "means", "--n", "50", "--journal", "x", "--on", "slurm")).toMatch(
    /--on is not possible in mde/,
  );
  const exact = "power accuracy --n 99 --delta 0.1 --agreement 0.8 --journal x --print-job slurm".split(" ");
  expect(gossetRefuses(...exact)).toMatch(/this answer is computed without simulation/);
});

it("the examples are what is printed", () => {
  const example = "power likert --items 100 --raters 5 --effect 0.1 --setting card-high --replicates 20000".split(" ");
  for (const [kind, journal, name] of [
    ["slurm", "runs/a", "power.slurm.sh"],
    ["k8s", "/journal", "power.k8s.yaml"],
  ] as const) {
    const args = [...example, "--journal", journal, "--shards", "64", "--max-time", "2h", "--print-job", kind];
    expect(gosset(...args).stdout).toBe(readFileSync(join(root, "examples/cluster", name), "utf8"));
  }
});

it("the image runs as an ordinary user, with the packages that are tested", () => {
  const file = readFileSync(join(root, "Dockerfile"), "utf8");
  const { devDependencies, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect(/^USER (\d+):/m.exec(file)![1]).not.toBe("0");
  for (const name of ["bullmq", "ioredis"]) expect(file).toContain(`${name}@${devDependencies[name]}`);
  expect(engines.node).toBe(`>=${/FROM node:(\d+)/.exec(file)![1]}`);
  expect(file).toMatch(/^ENTRYPOINT \["gosset"\]$/m);
});
