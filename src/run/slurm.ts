/** Job arrays of Slurm. The journal is the truth, not what Slurm says of a job: tasks are known by the job's name alone, and what neither
 *  runs nor is in the journal is submitted again. So a lost task, node, controller or coordinator costs time and nothing else.
 *
 *    kill -9 and the end of its time: Slurm does not start a task again;     a lost node: it does, while the first may still run;
 *    a controller killed within a second of sbatch has forgotten the job;    held tasks stay held for ever: they are cancelled. */
import { execFile } from "node:child_process";
import { StatError } from "../result/error.ts";
import { quoteShell } from "../result/quote.ts";

export interface SlurmJob {
  readonly name: string;
  readonly shards: number;
  /** What a task runs, before its `--shard`. */
  readonly command: readonly string[];
  /** Where tasks write what they print. */
  readonly folder: string;
  readonly cpus: number;
  readonly partition?: string | undefined;
  /** Of a task. */
  readonly minutes?: number | undefined;
}

/** Before the end of its time a task is told to keep what it has and end: `B:` reaches the task itself, which `exec` puts in the place of the shell. */
const SAVE_SECONDS = 60;
const POLL_MS = 1000;
/** Slurm may be away for so long. */
const SILENT_MS = 600_000;
/** Submissions that bring nothing. */
const MOST_ROUNDS = 6;
/** Slurm's own limit of an array (MaxArraySize 1001) unless its administrator raised it. */
export const MOST_SLURM_SHARDS = 1000;

const optionsOf = ({ name, folder, cpus, partition, minutes }: SlurmJob): string[] => [
  `--job-name=${name}`,
  `--cpus-per-task=${cpus}`,
  ...(partition === undefined ? [] : [`--partition=${partition}`]),
  ...(minutes === undefined ? [] : [`--time=${minutes}`]),
  "--requeue",
  "--open-mode=append",
  `--signal=B:USR1@${SAVE_SECONDS}`,
  `--output=${folder}/%x.%a.out`,
];

const taskLine = ({ command, shards }: SlurmJob): string =>
  `exec ${command.map(quoteShell).join(" ")} --shard /${shards} --workers "\${SLURM_CPUS_PER_TASK:-1}"`;

/** $'…', as names with controls are quoted, is none of dash. */
const SHELL = "#!/bin/bash";

/** The script of the whole array, to be submitted by hand. */
export function writeSlurmScript(job: SlurmJob, remarks: readonly string[]): string {
  const quoted = (option: string): string => {
    if (/["\\\p{C}]/u.test(option))
      throw new StatError(
        "BadOption",
        `${option}: a line of a Slurm script cannot hold quotes, backslashes or control characters.`,
        "Give the folder or the partition another name.",
      );
    return /\s/.test(option) ? `"${option}"` : option;
  };
  return [
    SHELL,
    ...remarks.map((remark) => `# ${remark}`),
    ...[`--array=0-${job.shards - 1}`, ...optionsOf(job)].map((option) => `#SBATCH ${quoted(option)}`),
    taskLine(job),
    "",
  ].join("\n");
}

export interface Missing {
  readonly shards: readonly number[];
  readonly pieces: number;
}

export interface Following {
  /** What the journal lacks now. */
  missing(): Promise<Missing>;
  /** What is being waited for. */
  tell(words: string, missing: Missing): void;
  readonly signal: AbortSignal;
}

interface QueuedTask {
  readonly id: string;
  readonly index: number;
  readonly reason: string;
}

/** Submits what is missing, and again what was lost, until nothing is. Attaches to tasks of that name that are there already. */
export async function followSlurm(job: SlurmJob, { missing, tell, signal }: Following): Promise<void> {
  let heard = performance.now();
  let rounds = 0;
  let before = Number.POSITIVE_INFINITY;
  let suspects: ReadonlySet<number> | undefined;
  for (;;) {
    // asked first: a task that ends in between has written all it has
    const queued = await askQueue(job, signal);
    const open = await missing();
    if (open.shards.length === 0) return;
    if (queued === undefined) {
      if (performance.now() - heard > SILENT_MS) throw silent();
      tell("Slurm does not answer", open);
    } else {
      heard = performance.now();
      const held = queued.filter(({ reason }) => /held|NeverSatisfied|BadConstraints/i.test(reason));
      if (held.length > 0)
        await call(
          "scancel",
          held.map(({ id }) => id),
          signal,
        );
      const active = new Set(queued.filter((task) => !held.includes(task)).map(({ index }) => index));
      const idle = open.shards.filter((shard) => !active.has(shard));
      // a shared disk may show a line late: what is missing twice is missing
      const lost = idle.filter((shard) => suspects === undefined || suspects.has(shard));
      suspects = new Set(idle);
      if (lost.length > 0) {
        rounds = open.pieces < before ? 1 : rounds + 1;
        before = open.pieces;
        if (rounds > MOST_ROUNDS) throw exhausted(job, lost[0]!);
        if (await submit(job, lost, signal)) suspects = new Set();
      }
      tell(`Slurm, ${active.size + lost.length} tasks`, open);
    }
    await pause(POLL_MS, signal);
  }
}

/** false where the controller is away: it will be asked again. */
async function submit(job: SlurmJob, shards: readonly number[], signal: AbortSignal): Promise<boolean> {
  const script = `${SHELL}\n${taskLine(job)}\n`;
  const { code, stderr } = await call(
    "sbatch",
    ["--parsable", `--array=${ranges(shards)}`, ...optionsOf(job)],
    signal,
    script,
  );
  if (code === 0) return true;
  if ((await askQueue(job, signal)) === undefined) return false;
  throw new StatError(
    "SlurmRefused",
    `sbatch: ${firstLine(stderr)}`,
    "Name another partition, fewer shards or less time.",
  );
}

/** Undefined where Slurm does not answer: then nothing is known, and nothing is done. */
async function askQueue({ name }: SlurmJob, signal: AbortSignal): Promise<QueuedTask[] | undefined> {
  const { code, stdout } = await call("squeue", ["-h", "-r", "--me", `--name=${name}`, "-o", "%i|%K|%r"], signal);
  if (code !== 0) return undefined;
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [id = "", index = "", reason = ""] = line.split("|");
      return { id, index: Number(index), reason };
    });
}

interface Called {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function call(program: string, args: readonly string[], signal: AbortSignal, input = ""): Promise<Called> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { timeout: 30_000, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const { code } = (error ?? {}) as { readonly code?: string | number | null };
      if (signal.aborted) reject(interrupted());
      else if (code === "ENOENT") reject(noSlurm(program));
      else resolve({ code: error === null ? 0 : typeof code === "number" ? code : 1, stdout, stderr });
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end(input);
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(interrupted());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

/** "0-3,7" */
export function ranges(numbers: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const n of [...numbers].sort((a, b) => a - b)) {
    const last = parts.at(-1);
    if (last !== undefined && n === last[1] + 1) last[1] = n;
    else parts.push([n, n]);
  }
  return parts.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

const firstLine = (text: string): string =>
  text
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.trim() ?? "no reason given.";

const interrupted = (): StatError =>
  new StatError("Cancelled", "the tasks are not followed any more; they go on.", "Run it again to follow them.");

const noSlurm = (program: string): StatError =>
  new StatError(
    "NoSlurm",
    `there is no ${program} on this machine.`,
    "Run it where Slurm is, or write the script with `printJob: slurm` and submit it there.",
  );

const silent = (): StatError =>
  new StatError(
    "SlurmSilent",
    "Slurm has not answered for ten minutes.",
    "Run the same command again when it does: tasks go on.",
  );

const exhausted = ({ folder, name }: SlurmJob, shard: number): StatError =>
  new StatError(
    "TasksFail",
    `shard ${shard} was submitted ${MOST_ROUNDS} times without a new piece.`,
    `See what it printed: ${folder}/${name}.${shard}.out`,
  );
