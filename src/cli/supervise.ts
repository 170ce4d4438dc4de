/** What may end the whole process is done in a process of its own: decoding Parquet, whose decoder is not ours (V8 aborts when
 *  an array cannot grow, threads included, and asks no `catch`), and running a module of the user's. The command is run once
 *  more as a child, with the same words, input and output; if the child dies, this process is there to say so.
 *  A thread of the child (lifeline.ts) ends it when this process is gone, and when a call of the user's code does not return.
 *  Limits: not where standard input is among the data, which can be read only once, and not within a thread. */
import { spawnSync } from "node:child_process";
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
          `${found.name}: reading it ended the process that read it (${signal}).`,
          "It is damaged, built to do harm, or too large for the memory; if it is sound elsewhere, convert it to CSV.",
        ),
    );
  }
}

/** The same for a module. In the child it returns what is to be called before the user's code, with what is done; what that
 *  returns is to be called after. */
export function superviseModule(path: string, seconds: number): (what: string) => () => void {
  if (!isSupervised()) {
    runInChild((signal, said) =>
      said === ""
        ? new StatError(
            "ModuleDied",
            `module "${path}": it ended the process (${signal}).`,
            "Does it run out of memory?",
          )
        : new StatError(
            "ModuleLate",
            `module "${path}": ${said} did not end within ${seconds} s.`,
            "Mend what loops, or raise --timeout.",
          ),
    );
  }
  return isSupervised() ? startLifeline(seconds) : () => () => {};
}

const isSupervised = (): boolean => isMainThread && process.env[SUPERVISED] !== undefined;

function runInChild(died: (signal: string, said: string) => StatError): void {
  const [program, ...words] = process.argv.slice(1);
  if (program === undefined || words.includes("-") || !isMainThread) return;
  const { status, signal, error, output } = spawnSync(process.execPath, [...process.execArgv, program, ...words], {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: { ...process.env, [SUPERVISED]: "1" },
  });
  // where no process can be started, the work is done in this one
  if (error !== undefined) return;
  if (signal === null) process.exit(status ?? 0);
  if (ASKED.has(signal)) process.kill(process.pid, signal);
  throw died(signal, output[3]?.toString("utf8") ?? "");
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
