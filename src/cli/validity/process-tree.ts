/** All processes that a command started, wherever they went: its process group; those whose environment carries the mark that
 *  it was given, where the system shows environments (Linux: also what began a session of its own or lost its parent);
 *  elsewhere its descendants by parent, which loses those whose parents ended; on Windows what `taskkill /T` finds.
 *  A process that clears its environment and leaves the group and the session is out of reach without the help of the
 *  system (cgroups, job objects). */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The variable of the environment that holds the mark. */
export const MARK = "GOSSET_LEARNER";
/** From the request to end to the end by force; with it a learner that is late ends within a second of its time. */
const GRACE_MS = 500;
const LOOK_MS = 20;
/** What forks while it is being ended is found in another round. */
const MOST_ROUNDS = 20;

export interface Tree {
  /** Of the command that was started, which leads its group; 0 where it is not known. */
  readonly pid: number;
  readonly mark: string;
}

const hasEnvironments = (): boolean => process.platform === "linux" && existsSync("/proc/self/environ");

/** Process ids that carry the mark. */
export function marked(mark: string): number[] {
  if (!hasEnvironments()) return [];
  const wanted = Buffer.from(`${MARK}=${mark}\0`);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/environ`).includes(wanted);
      } catch {
        return false; // somebody else's, or gone
      }
    })
    .map(Number);
}

/** Descendants by parent, where environments cannot be seen. */
export function descendants(pid: number): number[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const pairs = (stdout ?? "").split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const found = new Set([pid]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const [own, parent] of pairs) if (found.has(parent!)) found.add(own!);
  }
  found.delete(pid);
  return [...found];
}

function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch {
    return false; // it has ended
  }
}

/** Whether anything was there to be signalled. */
function signalTree({ pid, mark }: Tree, signal: NodeJS.Signals | 0): boolean {
  if (process.platform === "win32") {
    if (signal !== 0 && pid > 0) spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
    return false;
  }
  const others = hasEnvironments() ? marked(mark) : pid > 0 ? descendants(pid) : [];
  const reached = others.map((other) => send(other, signal));
  // 0 would be this process's own group
  return (pid > 0 && send(-pid, signal)) || reached.includes(true);
}

/** Asks all to end, and ends by force what is left after the grace period. */
export async function endTree(tree: Tree): Promise<void> {
  if (!signalTree(tree, "SIGTERM")) return;
  const until = performance.now() + GRACE_MS;
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    if (!signalTree(tree, 0)) return;
  }
  killTree(tree);
}

/** At once and by force, for a process that is about to end. */
export function killTree(tree: Tree): void {
  for (let round = 0; round < MOST_ROUNDS && signalTree(tree, "SIGKILL"); round++);
}
