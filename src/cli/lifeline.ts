/** A thread of a supervised process (supervise.ts), awake while the main thread computes. It ends the process
 *    - when its parent is gone, however that ended: the pipe between them closes. First as Ctrl-C would, then by force;
 *    - when a call of the user's code, announced by the main thread, does not return in its time: the parent is told which. */
import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { workerData } from "node:worker_threads";

/** Memory that the main thread shares with this one. */
export interface Lifeline {
  /** Milliseconds that the call under way may take, 0 where there is none; and how many calls were begun. */
  readonly clock: Int32Array;
  /** Its name in UTF-8. */
  readonly what: Uint8Array;
}

/** The end of the pipe that the parent holds; see supervise.ts. */
const PARENT = 3;
/** For removing temporary files. */
const GRACE_MS = 1000;
const LOOK_MS = 100;

const { clock, what } = workerData as Lifeline;

let ending = false;
function end(): void {
  if (ending) return;
  ending = true;
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.kill(process.pid, "SIGKILL"), GRACE_MS);
}

new Socket({ fd: PARENT, readable: true, writable: false }).on("error", end).on("close", end).resume();

let last = -1;
let since = 0;
setInterval(() => {
  const limit = Atomics.load(clock, 0);
  const call = Atomics.load(clock, 1);
  if (limit === 0 || call !== last) {
    last = limit === 0 ? -1 : call;
    since = performance.now();
  } else if (performance.now() - since >= limit) {
    const name = Uint8Array.from(what);
    writeSync(PARENT, name.subarray(0, name.indexOf(0)));
    process.kill(process.pid, "SIGKILL");
  }
}, LOOK_MS);
