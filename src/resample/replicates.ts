/** The loop behind every bootstrap.
 *  Replicate i depends on (seed, i) alone: it draws from rng.stream(i), or, where a replicate costs less than the start of a stream,
 *  shares stream floor(i / perStream) with its neighbours.
 *    units with replacement   countDrawsInto: how often each of n items, clusters or units of a stratum is drawn
 *    from a fitted model      the caller simulates from the stream (parametric bootstrap)
 *  Reference: Davison & Hinkley (1997), Bootstrap Methods and their Application, ch. 2.
 *  Oracle:    the law of all 3,125 draws of five items. */
import type { Rng } from "../numeric/rng.ts";
import { StatError } from "../result/error.ts";
import { DRAWS_A_PIECE } from "../run/kept-draws.ts";
import type { DrawKeeper, KeptDrawing } from "../run/task.ts";

export interface DrawOptions {
  readonly replicates: number;
  readonly rng: Rng;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** How the replicates come by their random numbers. */
export interface Source<S> {
  /** Called once a stream. */
  readonly start: (stream: Rng) => S;
  readonly perStream?: number | undefined;
}

/** Each replicate from its own stream. */
export const OWN_STREAM: Source<Rng> = { start: (stream) => stream };

export function eachReplicate<S>(
  { replicates, rng, onProgress }: DrawOptions,
  { start, perStream = 1 }: Source<S>,
  draw: (source: S, replicate: number) => void,
): void {
  for (let first = 0; first < replicates; first += perStream) {
    const source = start(rng.stream(first / perStream));
    const last = Math.min(first + perStream, replicates);
    for (let i = first; i < last; i++) draw(source, i);
    onProgress?.(last, replicates);
  }
}

export interface RowDrawing extends Omit<KeptDrawing, "seed"> {
  draw(stream: Rng, replicate: number): Float64Array;
}

/** Replicates of which each is a row of numbers; those that an earlier run kept are not drawn again. */
export function drawRows(
  options: DrawOptions & { readonly keeper?: DrawKeeper | undefined },
  drawing: RowDrawing,
): Float64Array[] {
  const { replicates, rng, onProgress, keeper } = options;
  if (keeper === undefined) {
    const rows: Float64Array[] = [];
    eachReplicate(options, OWN_STREAM, (stream, i) => void rows.push(drawing.draw(stream, i)));
    return rows;
  }
  const kept = { ...drawing, seed: rng.seed };
  const places = Array.from({ length: Math.ceil(replicates / DRAWS_A_PIECE) }, (_, k) => {
    const from = k * DRAWS_A_PIECE;
    return { from, count: Math.min(DRAWS_A_PIECE, replicates - from) };
  });
  const known = keeper.recall(kept, places);
  return places.flatMap((place, k) => {
    const { from, count } = place;
    let rows = known.get(k);
    if (rows === undefined) {
      rows = Array.from({ length: count }, (_, j) => {
        onProgress?.(from + j, replicates);
        return drawing.draw(rng.stream(from + j), from + j);
      });
      keeper.keep(kept, place, rows);
    }
    onProgress?.(from + count, replicates);
    return rows;
  });
}

/** As many draws with replacement as there are units: how often each is drawn. */
export function countDrawsInto(times: Float64Array, stream: Rng): void {
  const n = times.length;
  times.fill(0);
  for (let k = 0; k < n; k++) times[stream.int(n)]! += 1;
}

export function checkReplicates(replicates: number): void {
  if (Number.isInteger(replicates) && replicates > 1) return;
  throw new StatError("BadOption", `${replicates} replicates make no interval.`, "Use a whole number, such as 1000.");
}
