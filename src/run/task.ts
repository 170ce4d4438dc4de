/** Work that can be split: the same task for many inputs, on this thread, on others or on other machines.
 *
 *  Input i is computed with rng.stream(i) and nothing else, so that the answers are the same bits on one worker and on many,
 *  and after a crash and a resume. Inputs and answers are plain data that survives a structured clone; a task is found by its
 *  name where only names can travel. */
import type { Rng } from "../numeric/rng.ts";

export interface Task<In, Out> {
  /** Unique among the tasks that the library exports, e.g. "power/replicates". */
  readonly name: string;
  /** `mark` is told of each step that the task begins, so that a watcher can say where it stopped. */
  run(input: In, rng: Rng, mark?: (step: number) => void): Out;
  /** How its answers are kept in a journal; those of a task without it are recomputed each time. */
  readonly keeping?: Keeping<In, Out>;
}

/** What a journal has to know of a task (journal.ts). */
export interface Keeping<In, Out> {
  /** All that the answer depends on, beside the place and the code: plain data. */
  about(input: In): KeptSet;
  /** Which part of the set the input is. */
  place(input: In): Place;
  /** An answer as JSON can hold it. */
  write(out: Out, input: In): unknown;
  /** What `write` wrote; undefined where it is no answer that this input can have. */
  read(value: unknown, input: In): Out | undefined;
  /** Stands for an answer that is not there. */
  blank(input: In): Out;
}

export interface KeptSet {
  readonly scenario: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly seed: string;
}

export interface Place {
  readonly from: number;
  readonly count: number;
}

/** Rows of numbers that are drawn one after the other (kept-draws.ts). */
export interface KeptDrawing extends KeptSet {
  /** Numbers in a row. */
  readonly width: number;
  /** Can a draw be this? */
  readonly sound: (row: Float64Array) => boolean;
}

export interface DrawKeeper {
  /** Rows of the pieces that are there, by the index of the piece. */
  recall(drawing: KeptDrawing, places: readonly Place[]): ReadonlyMap<number, readonly Float64Array[]>;
  keep(drawing: KeptDrawing, place: Place, rows: readonly Float64Array[]): void;
}

export interface MapOptions<Out> {
  /** Called after each answer, in the order in which they come in. */
  readonly onResult?: ((index: number, out: Out) => void) | undefined;
  /** Answers of an earlier, interrupted run by their input's index: they are not computed again. */
  readonly known?: ReadonlyMap<number, Out> | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Aborting it stops the work and rejects with the code "Cancelled". */
  readonly signal?: AbortSignal | undefined;
}

export interface Runner {
  readonly workers: number;
  map<In, Out>(task: Task<In, Out>, inputs: readonly In[], rng: Rng, options?: MapOptions<Out>): Promise<Out[]>;
  /** Ends the workers; a closed runner cannot be used again. */
  close(): Promise<void>;
}
