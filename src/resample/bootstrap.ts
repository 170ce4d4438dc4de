/** Bootstrap replicates: items (or whole clusters of them) drawn with replacement, n at a time.
 *    of a mean                              bootstrapMean
 *    of any score of summed item statistics bootstrapScores   (rows of the two systems side by side for a paired difference)
 *    of any statistic of the drawn items    bootstrapStatistic (also from stored indices)
 *  A clustered mean is the score Σ sum / Σ count over clusters' rows (sum, count): clusters are drawn, of whatever size.
 *    of several such scores from the same draws   bootstrapTogether
 *  Reference: Efron & Tibshirani (1993); Davison & Hinkley (1997), ch. 2; Field & Welsh (2007), JRSS B 69 (clusters).
 *  Oracle:    boot (R) with stored indices, every replicate; Gaussian closed forms.
 *  Limits:    items, or clusters, must be independent; below about 20 of them intervals are too narrow. */
import { checkSize } from "../data/size.ts";
import type { Rng } from "../numeric/rng.ts";
import { drawIndicesInto, LARGEST_PAIR, sumOfDraws } from "./draw-indices.ts";
import { type BitState, startBits } from "./fast-bits.ts";
import { type Jackknife, jackknife, leaveOneOutScores } from "./jackknife.ts";
import { packRows } from "./packed-rows.ts";
import { type DrawOptions, eachReplicate, type Source } from "./replicates.ts";

/** A mean of a hundred items takes no longer than the start of a stream. */
const CHEAP: Source<BitState> = { start: startBits, perStream: 16 };
/** Of statistics that cost more than that. */
const COSTLY: Source<BitState> = { start: startBits };

export interface ReplicateOptions extends DrawOptions {
  /** Also a standard error of each replicate, as studentised intervals need. */
  readonly studentize?: boolean | undefined;
}

export interface Replicates {
  readonly estimate: number;
  readonly values: Float64Array;
  readonly jackknife: Jackknife;
  /** One per replicate, if asked for. */
  readonly standardErrors?: Float64Array;
}

export function bootstrapMean(values: Float64Array, options: ReplicateOptions): Replicates {
  checkSize(values, "the values");
  const n = values.length;
  // deviations from the mean keep all digits in sums and in squares
  const center = values.reduce((a, b) => a + b, 0) / n;
  const deviations = values.map((v) => v - center);
  const leftOut = deviations.map((d) => center - d / (n - 1));
  if (!options.studentize && n <= LARGEST_PAIR) {
    const drawn = new Float64Array(options.replicates);
    eachReplicate(options, CHEAP, (state, i) => {
      drawn[i] = center + sumOfDraws(deviations, state) / n;
    });
    return { estimate: center, values: drawn, jackknife: jackknife(center, leftOut) };
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
  const sumInto = makeSummation(rows, width);
  const sums = new Float64Array(width);
  const standardErrors = options.studentize ? new Float64Array(options.replicates) : undefined;
  const drawnRows = new Float64Array(standardErrors ? rows.length : 0);
  const values = drawReplicates(n, options, (indices, i) => {
    sumInto(sums, indices);
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

/** The sums of drawn rows, n of them. */
function makeSummation(rows: Float64Array, width: number): (sums: Float64Array, indices: Int32Array) => void {
  const n = rows.length / width;
  const bounds = new Float64Array(width);
  for (let k = 0; k < rows.length; k++) bounds[k % width] = Math.max(bounds[k % width]!, n * Math.abs(rows[k]!));
  const packed = packRows(rows, width, bounds);
  const packedSums = new Float64Array(packed.width);
  return (sums, indices) => {
    sumRowsInto(packedSums, packed.rows, indices);
    packed.unpackInto(sums, packedSums);
  };
}

/** Column by column, four at a time, so that the sums stay in registers. */
function sumRowsInto(sums: Float64Array, rows: Float64Array, indices: Int32Array): void {
  const width = sums.length;
  let c = 0;
  for (; c + 4 <= width; c += 4) sumFourInto(sums, rows, indices, c);
  for (; c < width; c++) {
    let sum = 0;
    for (let k = 0; k < indices.length; k++) sum += rows[indices[k]! * width + c]!;
    sums[c] = sum;
  }
}

function sumFourInto(sums: Float64Array, rows: Float64Array, indices: Int32Array, c: number): void {
  const width = sums.length;
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let k = 0; k < indices.length; k++) {
    const at = indices[k]! * width + c;
    s0 += rows[at]!;
    s1 += rows[at + 1]!;
    s2 += rows[at + 2]!;
    s3 += rows[at + 3]!;
  }
  sums[c] = s0;
  sums[c + 1] = s1;
  sums[c + 2] = s2;
  sums[c + 3] = s3;
}

/** Of one of several scores that share their draws. */
export interface SharedReplicates {
  readonly estimate: number;
  readonly values: Float64Array;
  readonly leftOut: Float64Array;
}

/** Scores of the same items: every replicate draws once for all of them, so that any two can be compared. */
export function bootstrapTogether(scores: readonly RowScore[], options: DrawOptions): SharedReplicates[] {
  const all = scores.map(({ rows, width, scoreOf }) => {
    const { statistic, leftOut } = leaveOneOutScores(rows, width, scoreOf);
    const values = new Float64Array(options.replicates);
    return {
      sumInto: makeSummation(rows, width),
      scoreOf,
      sums: new Float64Array(width),
      estimate: statistic,
      leftOut,
      values,
    };
  });
  const indices = new Int32Array(all[0]!.leftOut.length);
  eachReplicate(options, COSTLY, (state, i) => {
    drawIndicesInto(indices, indices.length, state);
    for (const { sumInto, scoreOf, sums, values } of all) {
      sumInto(sums, indices);
      values[i] = scoreOf(sums);
    }
  });
  return all.map(({ estimate, values, leftOut }) => ({ estimate, values, leftOut }));
}

export interface StatisticOptions extends Omit<ReplicateOptions, "rng" | "replicates"> {
  readonly replicates?: number | undefined;
  readonly rng?: Rng | undefined;
  /** The items of every replicate, instead of random ones. */
  readonly indices?: readonly ArrayLike<number>[] | undefined;
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
  options: DrawOptions,
  evaluate: (indices: Int32Array, replicate: number) => number,
): Float64Array {
  const indices = new Int32Array(n);
  const values = new Float64Array(options.replicates);
  eachReplicate(options, CHEAP, (state, i) => {
    drawIndicesInto(indices, n, state);
    values[i] = evaluate(indices, i);
  });
  return values;
}
