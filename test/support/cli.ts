/** The built program, run as a user runs it. `GOSSET_BIN` names another build of it. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MessageChannel, type MessagePort, receiveMessageOnPort, SHARE_ENV, Worker } from "node:worker_threads";
import { expect } from "vitest";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const program = process.env.GOSSET_BIN ?? join(root, "dist/bin/gosset.js");

export interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Thread {
  readonly port: MessagePort;
  readonly done: Int32Array<SharedArrayBuffer>;
}

let thread: Thread | undefined;

function startThread(): Thread {
  const { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./cli-thread.mjs", import.meta.url), {
    workerData: { program, port: port2, done },
    transferList: [port2],
    env: SHARE_ENV,
  });
  worker.unref();
  port1.unref();
  return { port: port1, done };
}

/** One run in a thread that all runs share: most of the time of a process of its own would go into starting it. */
export function gosset(...args: string[]): Run {
  if (process.cwd() !== root.replace(/\/$/, "")) return gossetProcess(...args);
  thread ??= startThread();
  const { port, done } = thread;
  Atomics.store(done, 0, 0);
  port.postMessage(args);
  Atomics.wait(done, 0, 0);
  const answer = receiveMessageOnPort(port);
  if (answer === undefined) {
    thread = undefined;
    throw new Error(`the program ended its thread: gosset ${args.join(" ")}`);
  }
  return answer.message;
}

/** One run in a process of its own. */
export function gossetProcess(...args: string[]): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

/** The JSON object of a run that must end well and say nothing else, without the words that asked for it. */
export function gossetJson(...args: string[]) {
  const { status, stdout, stderr } = gosset(...args, "--json", "--quiet");
  expect([status, stderr]).toEqual([0, ""]);
  const { command, ...answer } = JSON.parse(stdout);
  expect(command).toEqual(["gosset", ...args, "--json", "--quiet"]);
  return answer;
}

/** Bad input: exit code 2, nothing on stdout, one line on stderr, with the commands below it that would answer a question; given back. */
export function gossetRefuses(...args: string[]): string {
  const { status, stdout, stderr } = gosset(...args);
  expect([status, stdout]).toEqual([2, ""]);
  const lines = stderr.trimEnd().split("\n");
  expect(lines.filter((line) => !line.startsWith("  gosset ")).length).toBeLessThanOrEqual(2);
  return stderr;
}

/** The command as a user would paste it into a shell. */
export function runAsPrinted(command: string): number | null {
  const line = command.replace(/^gosset /, `"${process.execPath}" "${program}" `);
  return spawnSync("sh", ["-c", `${line} --quiet > /dev/null`], { cwd: root }).status;
}

/** The words of a command, as a shell sees them. */
export const shellWords = (command: string): string[] =>
  (command.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
