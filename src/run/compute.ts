/** A worker's side of the work: finds the task by its name and computes what it is sent. */
import type { Rng } from "../numeric/rng.ts";
import { describeFailure, type WorkAnswer, type WorkRequest } from "./message.ts";
import type { Task } from "./task.ts";

type AnyTask = Task<unknown, unknown>;

/** What a worker knows: exports among which tasks are looked for, and how a stream of random numbers begins. */
export interface Known {
  readonly exports: () => Promise<Readonly<Record<string, unknown>>>;
  readonly makeRng: (seed: string) => Rng;
  /** Told of each step that a task begins. */
  readonly mark?: (step: number) => void;
}

/** Answered by a thread as soon as it can work. */
export const readyTask: Task<null, null> = { name: "run/ready", run: () => null };

const isTask = (value: unknown): value is AnyTask =>
  typeof value === "object" && value !== null && typeof (value as AnyTask).run === "function";

export async function computePieces(request: WorkRequest, known: Known): Promise<WorkAnswer> {
  const indices: number[] = [];
  const outs: unknown[] = [];
  let at = request.indices[0]!;
  try {
    const found = Object.values(await known.exports()).find((value) => isTask(value) && value.name === request.task);
    if (found === undefined) throw new Error(`there is no task "${request.task}"`);
    const rng = known.makeRng(request.seed);
    for (const [k, index] of request.indices.entries()) {
      at = index;
      outs.push((found as AnyTask).run(request.inputs[k], rng.stream(index), known.mark));
      indices.push(index);
    }
    return { indices, outs };
  } catch (error) {
    return { indices, outs, failure: describeFailure(at, error) };
  }
}
