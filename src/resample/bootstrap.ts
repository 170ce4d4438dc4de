/** Bootstrap replicates: items (or whole clusters of them) drawn with replacement, n at a time.
 *    of a mean                              bootstrapMean
 *    of any score of summed item statistics bootstrapScores   (rows of the two systems side by side for a paired difference)
 *    of any statistic of the drawn items    bootstrapStatistic (also from stored indices)
 *  A clustered mean is the score Σ sum / Σ count over clusters' rows (sum, count): clusters are drawn, of whatever size.
 *  Replicate i depends on (seed, i) alone; STREAM of them share a stream.
 *  Reference: Efron & Tibshirani (1993); Davison & Hinkley (1997), ch. 2; Field & Welsh (2007), JRSS B 69 (clusters).
 *  Oracle:    boot (R) with stored indices, every replicate; Gaussian closed forms.
 *  Limits:    items, or clusters, must be independent; below about 20 of them intervals are too narrow. */
import type { Rng } from "../numeric/rng.ts";
import { drawIndicesInto, LARGEST_PAIR, sumOfDraws } from "./draw-indices.ts";
import { type BitState, startBits } from "./fast-bits.ts";
import { type Jackknife, jackknife, leaveOneOutScores } from "./jackknife.ts";

/** Replicates that share a stream: replicate i is the (i mod STREAM)-th of stream floor(i / STREAM). */
const STREAM = 16;

export interface ReplicateOptions {
  readonly replicates: number;
  readonly rng: Rng;
  /** Also a standard error of each replicate, as studentised intervals need. */
  readonly studentize?: boolean;
  readonly onProgress?: (done: number, of: number) => void;
}

export interface Replicates {
  readonly estimate: number;
  readonly values: Float64Array;
  readonly jackknife: Jackknife;
  /** One per replicate, if asked for. */
  readonly standardErrors?: Float64Array;
}

export function bootstrapMean(values: Float64Array, options: ReplicateOptions): Replicates {
  const n = values.length;
  // deviations from the mean keep all digits in sums and in squares
  const center = values.reduce((a, b) => a + b, 0) / n;
  const deviations = values.map((v) => v - center);
  const leftOut = deviations.map((d) => center - d / (n - 1));
  if (!options.studentize && n <= LARGEST_PAIR) {
    const values = eachReplicate(options, (state) => center + sumOfDraws(deviations, state) / n);
    return { estimate: center, values, jackknife: jackknife(center, leftOut) };
  }
  const standardErrors = options.studentize ? new Float64Array(options.replicates) : undefined;
  const drawn = drawReplicates(n, options, (indices, i) => {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += deviations[indices[k]!]!;
    if (standardErrors) {
      let squares = 0;
      for (let k = 0; k < n; k++) squares += deviations[indices[k]!]! ** 2;
      standardErrors[i] = Math.sqrt(Math.max(0, squares - (sum * sum) / n) / (n * (n - 1)));
    }
    return center + sum / n;
  });
  return {
    estimate: center,
    values: drawn,
    jackknife: jackknife(center, leftOut),
    ...(standardErrors && { standardErrors }),
  };
}

/** Rows of item statistics and the score of their sums. */
export interface RowScore {
  readonly rows: Float64Array;
  readonly width: number;
  readonly scoreOf: (sums: Float64Array) => number;
}

export function bootstrapScores({ rows, width, scoreOf }: RowScore, options: ReplicateOptions): Replicates {
  const n = rows.length / width;
  const sums = new Float64Array(width);
  const standardErrors = options.studentize ? new Float64Array(options.replicates) : undefined;
  const drawnRows = new Float64Array(standardErrors ? rows.length : 0);
  const values = drawReplicates(n, options, (indices, i) => {
    sums.fill(0);
    for (let k = 0; k < n; k++) {
      const at = indices[k]! * width;
      for (let c = 0; c < width; c++) sums[c]! += rows[at + c]!;
    }
    if (standardErrors) {
      for (let k = 0; k < n; k++) {
        for (let c = 0; c < width; c++) drawnRows[k * width + c] = rows[indices[k]! * width + c]!;
      }
      const { statistic, leftOut } = leaveOneOutScores(drawnRows, width, scoreOf);
      standardErrors[i] = jackknife(statistic, leftOut).se;
    }
    return scoreOf(sums);
  });
  const { statistic, leftOut } = leaveOneOutScores(rows, width, scoreOf);
  return {
    estimate: statistic,
    values,
    jackknife: jackknife(statistic, leftOut),
    ...(standardErrors && { standardErrors }),
  };
}

export interface StatisticOptions extends Omit<ReplicateOptions, "rng" | "replicates"> {
  readonly replicates?: number;
  readonly rng?: Rng;
  /** The items of every replicate, instead of random ones. */
  readonly indices?: readonly ArrayLike<number>[];
}

/** `statistic` gets the numbers (0 … n-1) of the drawn items. */
export function bootstrapStatistic(
  n: number,
  statistic: (items: Int32Array) => number,
  { indices, replicates = 0, rng, ...options }: StatisticOptions,
): Replicates {
  const all = Int32Array.from({ length: n }, (_, i) => i);
  const estimate = statistic(all);
  const leftOut = Float64Array.from(all, (_, i) => statistic(all.filter((j) => j !== i)));
  const values = indices
    ? Float64Array.from(indices, (items) => statistic(Int32Array.from(items)))
    : drawReplicates(n, { replicates, rng: rng!, ...options }, (items) => statistic(items));
  return { estimate, values, jackknife: jackknife(estimate, leftOut) };
}

function drawReplicates(
  n: number,
  options: ReplicateOptions,
  evaluate: (indices: Int32Array, replicate: number) => number,
): Float64Array {
  const indices = new Int32Array(n);
  return eachReplicate(options, (state, i) => {
    drawIndicesInto(indices, n, state);
    return evaluate(indices, i);
  });
}

function eachReplicate(
  { replicates, rng, onProgress }: ReplicateOptions,
  draw: (state: BitState, replicate: number) => number,
): Float64Array {
  const values = new Float64Array(replicates);
  for (let first = 0; first < replicates; first += STREAM) {
    const state = startBits(rng.stream(first / STREAM));
    const last = Math.min(first + STREAM, replicates);
    for (let i = first; i < last; i++) values[i] = draw(state, i);
    onProgress?.(last, replicates);
  }
  return values;
}
