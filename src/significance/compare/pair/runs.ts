/** Whole runs of systems (seeds, epochs): where each repeat covers all items, another run would differ as well as other items would.
 *  The paired tests take the runs as they are; the multi-bootstrap draws runs and items.
 *  Reference: Sellam et al. (2022), The MultiBERTs, ICLR, section 3.
 *  Oracle:    see resample/multi-bootstrap.ts.
 *  Limits:    runs of two systems are drawn independently; with few runs that differ much the interval is too narrow. */

import { asFactor, column, type Table } from "../../../data/table.ts";
import type { Rng } from "../../../numeric/rng.ts";
import { intervalFromReplicates } from "../../../resample/intervals.ts";
import { multiBootstrap, type RunScores } from "../../../resample/multi-bootstrap.ts";
import { shiftTest } from "../../../resample/shift-test.ts";
import type { Matched } from "../matching/matching.ts";
import type { Interval } from "./pair.ts";

/** Fewer runs than this say little about how runs differ. */
export const FEW_RUNS = 5;
const REPLICATES = 2000;

export interface RunsInterval extends Interval {
  /** Of the difference, over runs and items. */
  readonly se: number;
  /** Of the shift test with the same draws. */
  readonly p: number;
  /** Runs of A and of B. */
  readonly runs: readonly [number, number];
  readonly replicates: number;
}

/** A run that lacks more of the items than this is no run of all of them. */
const LEAST_COVERED = 0.5;

/** Scores of each system by run, NaN where a run lacks an item; undefined unless each run of each system has most items, none twice, and
 *  some system has two runs. */
export function collectRuns(table: Table, repeat: string | undefined, matched: Matched): RunScores[] | undefined {
  if (repeat === undefined) return undefined;
  const { rows, cellOfRow, items, systems, score } = matched;
  const n = items.length;
  const { codes } = asFactor(column(table, repeat));
  const found = systems.map(() => new Map<number, Float64Array>());
  for (let k = 0; k < rows.length; k++) {
    const own = found[Math.floor(cellOfRow[k]! / n)]!;
    const code = codes[rows[k]!]!;
    const scores = own.get(code) ?? new Float64Array(n).fill(Number.NaN);
    own.set(code, scores);
    const item = cellOfRow[k]! % n;
    if (code < 0 || !Number.isNaN(scores[item]!)) return undefined;
    scores[item] = score[rows[k]!]!;
  }
  const covered = (scores: Float64Array): number => scores.reduce((sum, v) => sum + (Number.isNaN(v) ? 0 : 1), 0) / n;
  const whole = found.every((runs) => [...runs.values()].every((scores) => covered(scores) >= LEAST_COVERED));
  if (!whole || !found.some((runs) => runs.size > 1)) return undefined;
  return found.map((runs) => {
    const scores = new Float64Array(runs.size * n);
    [...runs.values()].forEach((own, k) => {
      scores.set(own, k * n);
    });
    return { runs: runs.size, scores };
  });
}

/** Every run has every item, as the multi-bootstrap needs it. */
export const areComplete = (runs: readonly RunScores[]): boolean =>
  runs.every(({ scores }) => !scores.some((v) => Number.isNaN(v)));

export interface DrawOptions {
  readonly confidence: number;
  readonly rng: Rng;
  readonly replicates?: number | undefined;
  readonly onProgress?: ((done: number, of: number) => void) | undefined;
}

/** Of B - A. */
export function drawRuns(a: RunScores, b: RunScores, options: DrawOptions): RunsInterval {
  const { confidence, rng, replicates = REPLICATES, onProgress } = options;
  const drawn = multiBootstrap(b, a, { replicates, rng, ...(onProgress ? { onProgress } : {}) });
  const { lower, upper } = intervalFromReplicates({ ...drawn, confidence, type: "percentile" });
  const { p, sd } = shiftTest(drawn);
  return {
    lower,
    upper,
    level: confidence,
    method: "multi-bootstrap",
    se: sd,
    p,
    runs: [a.runs, b.runs],
    replicates,
  };
}
