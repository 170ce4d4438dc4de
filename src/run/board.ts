/** The state of one map: which answers are known, what is left to do, and who must be told. Shared by all runners. */
import { StatError } from "../result/error.ts";
import type { MapOptions } from "./task.ts";

export interface Board<Out> {
  readonly answers: Out[];
  /** How many inputs had no answer at the start. */
  readonly open: number;
  /** The next indices without an answer that nobody has taken, ascending; none when all are taken. */
  take(count: number): readonly number[];
  /** Whoever took them is gone: they are taken again, first of all. */
  putBack(indices: readonly number[]): void;
  /** Nothing more is to be taken; what is under way may end. */
  giveUp(): void;
  accept(index: number, out: Out): void;
  /** Throws if the caller has had enough. */
  checkCancelled(): void;
}

export function makeBoard<Out>(total: number, options: MapOptions<Out> = {}): Board<Out> {
  const { known, onResult, onProgress, signal } = options;
  const answers = new Array<Out>(total);
  let open: number[] = [];
  for (let i = 0; i < total; i++) {
    if (known?.has(i)) answers[i] = known.get(i)!;
    else open.push(i);
  }
  const missing = open.length;
  let taken = 0;
  let givenUp = false;
  let done = total - missing;
  if (done > 0) onProgress?.(done, total);
  return {
    answers,
    open: missing,
    take(count) {
      const piece = open.slice(taken, taken + count);
      taken += piece.length;
      return piece;
    },
    putBack(indices) {
      if (givenUp) return;
      open = [...indices, ...open.slice(taken)];
      taken = 0;
    },
    giveUp() {
      givenUp = true;
      taken = open.length;
    },
    accept(index, out) {
      answers[index] = out;
      done += 1;
      onResult?.(index, out);
      onProgress?.(done, total);
    },
    checkCancelled() {
      if (signal?.aborted) throw cancelled();
    },
  };
}

export const cancelled = (): StatError =>
  new StatError(
    "Cancelled",
    "the work was cancelled before it was done.",
    "Run it again; with a journal it goes on where it was.",
  );
