/** Parquet files are read in a process of their own. Their decoder is not ours, and a fault in it can end the whole
 *  process, threads included (V8 aborts when an array cannot grow), where no `catch` is asked. So the command is run once
 *  more as a child, with the same words, input and output; if the child dies, this process is there to say so.
 *  Limits: not where standard input is among the data, which can be read only once, and not within a thread. */
import { spawnSync } from "node:child_process";
import { isMainThread } from "node:worker_threads";
import { type InputFile, StatError } from "../index.ts";

const SUPERVISED = "GOSSET_SUPERVISED";
/** Ends that somebody asked for. */
const ASKED = new Set<string>(["SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGQUIT"]);
const MAGIC = [0x50, 0x41, 0x52, 0x31];

/** Does not return if the command was run in a child; throws if the child died. */
export function superviseParquet(files: readonly InputFile[]): void {
  const found = files.find(({ bytes }) => MAGIC.every((byte, i) => bytes[i] === byte));
  const [program, ...words] = process.argv.slice(1);
  if (found === undefined || program === undefined || words.includes("-")) return;
  if (!isMainThread || process.env[SUPERVISED] !== undefined) return;
  const { status, signal, error } = spawnSync(process.execPath, [...process.execArgv, program, ...words], {
    stdio: "inherit",
    env: { ...process.env, [SUPERVISED]: "1" },
  });
  // where no process can be started, the file is read in this one
  if (error !== undefined) return;
  if (signal === null) process.exit(status ?? 0);
  if (ASKED.has(signal)) process.kill(process.pid, signal);
  throw new StatError(
    "ReaderDied",
    `${found.name}: reading it ended the process that read it (${signal}).`,
    "It is damaged, built to do harm, or too large for the memory; if it is sound elsewhere, convert it to CSV.",
  );
}
