/** What may end the whole process is done in a process of its own: decoding Parquet, whose decoder is not ours (V8 aborts when
 *  an array cannot grow, threads included, and asks no `catch`), and running a module of the user's. The command is run once
 *  more as a child, with the same words, input and output; if the child dies, this process is there to say so.
 *  A thread of the child (lifeline.ts) ends it when this process is gone, and when a call of the user's code does not return.
 *  Limits: not where standard input is among the data, which can be read only once, and not within a thread. */
import { type StdioOptions, spawn, spawnSync } from "node:child_process";
import { isMainThread, Worker } from "node:worker_threads";
import { type InputFile, StatError } from "../index.ts";
import type { Lifeline } from "./lifeline.ts";

const SUPERVISED = "GOSSET_SUPERVISED";
/** Ends that somebody asked for. */
const ASKED = new Set<string>(["SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGQUIT"]);
const MAGIC = [0x50, 0x41, 0x52, 0x31];

/** Does not return if the command was run in a child; throws if the child died. */
export function superviseParquet(files: readonly InputFile[]): void {
  const found = files.find(({ bytes }) => MAGIC.every((byte, i) => bytes[i] === byte));
  if (found === undefined) return;
  if (isSupervised()) startLifeline();
  else {
    runInChild(
      (signal) =>
        new StatError(
          "ReaderDied",
          `${found.name}: the process that read it crashed (${signal}).`,
          "The file is damaged, malicious or too large for the memory. If other programs can read it, convert it to CSV.",
        ),
    );
  }
}

/** The same for a module. In the child it gives what is to be called before the user's code, with what is done; what that
 *  returns is to be called after. */
export async function superviseModule(path: string, seconds: number): Promise<(what: string) => () => void> {
  if (isSupervised()) return startLifeline(seconds);
  const end = await waitForChild();
  if (end === undefined) return () => () => {};
  throw end.said === ""
    ? new StatError(
        "ModuleDied",
        `module "${path}": it ended the process (${end.signal}).`,
        "It may need too much memory.",
      )
    : new StatError(
        "ModuleLate",
        `module "${path}": ${end.said} did not end within ${seconds} s.`,
        "Fix the loop, or raise --timeout.",
      );
}

/** Another command of this program in a process of its own, which ends with this one: its pipes, and what it is told. */
export const SUPERVISED_STDIO = ["ignore", "pipe", "pipe", "pipe"] as StdioOptions;

/** In such a process. */
export function heedParent(): void {
  if (isSupervised()) startLifeline();
}

const isSupervised = (): boolean => isMainThread && process.env[SUPERVISED] !== undefined;

const CHILD_OPTIONS = { stdio: ["inherit", "inherit", "inherit", "pipe"] as StdioOptions };
export const childEnv = (): NodeJS.ProcessEnv => ({ ...process.env, [SUPERVISED]: "1" });

/** This very command; undefined where it cannot be run again. */
function ownCommand(): string[] | undefined {
  const [program, ...words] = process.argv.slice(1);
  if (program === undefined || words.includes("-") || !isMainThread) return undefined;
  return [...process.execArgv, program, ...words];
}

function runInChild(died: (signal: string) => StatError): void {
  const command = ownCommand();
  if (command === undefined) return;
  const { status, signal, error } = spawnSync(process.execPath, command, { ...CHILD_OPTIONS, env: childEnv() });
  // where no process can be started, the work is done in this one
  if (error !== undefined) return;
  if (signal === null) process.exit(status ?? 0);
  if (ASKED.has(signal)) process.kill(process.pid, signal);
  throw died(signal);
}

interface ChildDeath {
  readonly signal: string;
  /** What the lifeline said before. */
  readonly said: string;
}

/** Signals that reach this process are for the child, which may have work to keep. A terminal sends Ctrl-C to both. */
const FORWARDED = (): NodeJS.Signals[] => [
  "SIGTERM",
  "SIGHUP",
  ...(process.stdin.isTTY ? [] : (["SIGINT"] as const)),
  ...(process.env["SLURM_JOB_ID"] === undefined ? [] : (["SIGUSR1"] as const)),
];

/** Resolves where no child can be started, or where it died and nobody asked it to. */
function waitForChild(): Promise<ChildDeath | undefined> {
  const command = ownCommand();
  return new Promise((resolve) => {
    if (command === undefined) return resolve(undefined);
    const child = spawn(process.execPath, command, { ...CHILD_OPTIONS, env: childEnv() });
    let said = "";
    child.stdio[3]?.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
    });
    for (const signal of FORWARDED()) process.on(signal, () => child.kill(signal));
    if (process.stdin.isTTY) process.on("SIGINT", () => {});
    child.once("error", () => resolve(undefined));
    child.once("close", (code, signal) => {
      if (signal === null) process.exit(code ?? 0);
      for (const name of ASKED) process.removeAllListeners(name);
      if (ASKED.has(signal)) process.kill(process.pid, signal);
      resolve({ signal, said });
    });
  });
}

let lifeline: Lifeline | undefined;

/** Started once; what is returned sets and clears its clock. */
function startLifeline(seconds?: number): (what: string) => () => void {
  if (lifeline === undefined) {
    lifeline = { clock: new Int32Array(new SharedArrayBuffer(8)), what: new Uint8Array(new SharedArrayBuffer(64)) };
    new Worker(new URL("./lifeline.js", import.meta.url), { workerData: lifeline }).unref();
  }
  const { clock, what } = lifeline;
  return (name) => {
    what.fill(0);
    new TextEncoder().encodeInto(name, what);
    Atomics.add(clock, 1, 1);
    Atomics.store(clock, 0, Math.ceil((seconds ?? 0) * 1000));
    return () => void Atomics.store(clock, 0, 0);
  };
}
