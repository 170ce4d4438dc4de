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

/** A run in the shared thread, with what it took of the processor. */
export interface MeasuredRun extends Run {
  readonly seconds: number;
}

export interface Surroundings {
  readonly cwd?: string;
  /** Added to the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of the heap, in MB: a run that needs more ends its thread. */
  readonly memory?: number;
}

interface Thread {
  readonly port: MessagePort;
  readonly done: Int32Array<SharedArrayBuffer>;
}

/** By the heap that they have. */
const threads = new Map<number | undefined, Thread>();

function startThread(memory: number | undefined): Thread {
  const { port1, port2 } = new MessageChannel();
  const done = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./cli-thread.mjs", import.meta.url), {
    workerData: { program, port: port2, done },
    transferList: [port2],
    env: SHARE_ENV,
    ...(memory === undefined ? {} : { resourceLimits: { maxOldGenerationSizeMb: memory } }),
  });
  worker.unref();
  port1.unref();
  return { port: port1, done };
}

/** One run in a thread that all runs share: most of the time of a process of its own would go into starting it. This thread sleeps meanwhile,
 *  so that the folder and the variables of the process may be those of the run. */
export function runShared(args: readonly string[], surroundings: Surroundings = {}): MeasuredRun {
  const { cwd = process.cwd(), env = {}, memory } = surroundings;
  const thread = threads.get(memory) ?? startThread(memory);
  threads.set(memory, thread);
  const { port, done } = thread;
  const [folder, variables] = [process.cwd(), { ...process.env }];
  process.chdir(cwd);
  Object.assign(process.env, env);
  Atomics.store(done, 0, 0);
  port.postMessage(args);
  Atomics.wait(done, 0, 0);
  process.chdir(folder);
  for (const name of Object.keys(env)) {
    if (variables[name] === undefined) delete process.env[name];
    else process.env[name] = variables[name];
  }
  const answer = receiveMessageOnPort(port);
  if (answer === undefined) {
    threads.delete(memory);
    throw new Error(`the program ended its thread: gosset ${args.join(" ")}`);
  }
  return answer.message;
}

export function gosset(...args: string[]): Run {
  const { status, stdout, stderr } = runShared(args);
  return { status, stdout, stderr };
}

/** One run in a process of its own. */
export const gossetProcess = (...args: string[]): Run => runProcess(args);

/** The same in another folder, or with something piped to it. */
export function runProcess(args: readonly string[], { cwd = root, input }: { cwd?: string; input?: string } = {}): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    ...(input === undefined ? {} : { input }),
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

/** The command as a user would paste it into a shell, which takes it apart. */
export function runAsPrinted(command: string, cwd = root): number | null {
  const words = command.replace(/^gosset /, "");
  const { stdout, status } = spawnSync("sh", ["-c", `printf '%s\\0' ${words} --quiet`], { cwd, encoding: "utf8" });
  expect([status, command]).toEqual([0, expect.stringMatching(/^gosset /)]);
  return runShared(stdout.split("\0").slice(0, -1), { cwd }).status;
}

/** The words of a command, as a shell sees them. */
export const shellWords = (command: string): string[] =>
  (command.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
