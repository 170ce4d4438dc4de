/** Several runs of one system on the same items, scored by a metric of the whole set: the mean of the runs' scores is again a function of
 *  sums over items, those of all runs side by side, so that items can be swapped and drawn as with one run.
 *     score(Σ_i (s_1i, …, s_ki)) = mean_r score_r(Σ_i s_ri)
 *  Pseudo-values  n θ_r - (n - 1) θ_r(-i)  stand for scores of single items where runs and items are distinguished (Efron & Tibshirani 1993, ch. 11);
 *  of a mean they are the items' own scores.
 *  Oracle:    closed forms for means (runs.test.ts). */
import { type ItemStatistics, leaveOneOutScores, type Metric, scoreOf } from "./metric.ts";

/** Each run `times` times: systems with other numbers of runs then have rows of one width. */
export function joinRuns(runs: readonly ItemStatistics[], times = 1): ItemStatistics {
  const [first] = runs;
  const { metric: own, n, width } = first!;
  const count = runs.length * times;
  const metric: Metric = {
    ...own,
    width: width * count,
    scoreOf(sums, at = 0) {
      let total = 0;
      for (let r = 0; r < count; r++) total += own.scoreOf(sums, at + r * width);
      return total / count;
    },
  };
  const data = new Float64Array(n * metric.width);
  for (let r = 0; r < count; r++) {
    const source = runs[r % runs.length]!.data;
    for (let i = 0; i < n; i++) data.set(source.subarray(i * width, (i + 1) * width), i * metric.width + r * width);
  }
  return { metric, n, width: metric.width, data };
}

/** Of item i in run r at [r * n + i]. */
export function pseudoValues(runs: readonly ItemStatistics[]): Float64Array {
  const n = runs[0]!.n;
  const values = new Float64Array(runs.length * n);
  runs.forEach((run, r) => {
    const whole = scoreOf(run);
    leaveOneOutScores(run).forEach((rest, i) => {
      values[r * n + i] = n * whole - (n - 1) * rest;
    });
  });
  return values;
}
