/** Multi-bootstrap: seeds (training or sampling runs) and items are both drawn with replacement, since both would differ in a repetition.
 *  Systems share the items; they share seeds where run s of one belongs to run s of the other (same start, same data order), which
 *  makes the comparison sharper. The statistic is mean(A) - mean(B) over drawn runs and items.
 *  Reference: Sellam et al. (2022), The MultiBERTs, ICLR, section 3.
 *  Oracle:    the closed form of the bootstrap variance of a two-way layout (McCullagh 2000, Bernoulli 6).
 *  Limits:    the noise of single answers counts twice, in the runs and in the items: intervals are too wide where runs differ little. With
 *             few seeds (below ten) that differ much they are too narrow. With one, seeds count as fixed. */
import { checkSize } from "../data/size.ts";
import { lessCenter } from "../numeric/center.ts";
import { drawIndicesInto } from "./draw-indices.ts";
import { startBits } from "./fast-bits.ts";
import { countDrawsInto, type DrawOptions, eachReplicate, OWN_STREAM } from "./replicates.ts";

/** Scores of one system: runs x items, one run after the other. */
export interface RunScores {
  readonly runs: number;
  readonly scores: Float64Array;
}

export interface MultiBootstrapOptions extends DrawOptions {
  /** Run s of A and run s of B belong together and are drawn together. */
  readonly pairedRuns?: boolean | undefined;
}

export interface MultiReplicates {
  readonly estimate: number;
  readonly values: Float64Array;
}

export function multiBootstrap(a: RunScores, b: RunScores, options: MultiBootstrapOptions): MultiReplicates {
  const { pairedRuns = false } = options;
  checkSize(a.scores, "the first system");
  checkSize(b.scores, "the second system");
  const [own, other] = lessCenter(a.scores, b.scores) as [Float64Array, Float64Array];
  const items = a.scores.length / a.runs;
  const values = new Float64Array(options.replicates);
  const column = new Float64Array(items);
  const indices = new Int32Array(items);
  const countsA = new Float64Array(a.runs);
  const countsB = pairedRuns ? countsA : new Float64Array(b.runs);
  eachReplicate(options, OWN_STREAM, (stream, i) => {
    countDrawsInto(countsA, stream);
    if (!pairedRuns) countDrawsInto(countsB, stream);
    column.fill(0);
    addRuns(column, { runs: a.runs, scores: own }, countsA, 1);
    addRuns(column, { runs: b.runs, scores: other }, countsB, -1);
    drawIndicesInto(indices, items, startBits(stream));
    let sum = 0;
    for (let k = 0; k < items; k++) sum += column[indices[k]!]!;
    values[i] = sum / items;
  });
  const mean = (scores: Float64Array): number => scores.reduce((sum, v) => sum + v, 0) / scores.length;
  return { estimate: mean(own) - mean(other), values };
}

/** Adds sign times the mean over the drawn runs, item by item. */
function addRuns(column: Float64Array, { runs, scores }: RunScores, counts: Float64Array, sign: number): void {
  const items = column.length;
  for (let s = 0; s < runs; s++) {
    const weight = (sign * counts[s]!) / runs;
    if (weight !== 0) for (let k = 0; k < items; k++) column[k]! += weight * scores[s * items + k]!;
  }
}
