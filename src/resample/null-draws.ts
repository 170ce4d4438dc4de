/** A few thousand draws of a statistic under the null hypothesis of a permutation test, for pictures: p comes from elsewhere, exactly where
 *  that is possible.
 *  Oracle:    mean 0 and the variance Σd²/n², or that of drawing without replacement, within Monte-Carlo error. */
import { makeRng } from "../numeric/rng.ts";
import { eachSubset, makeByteTables } from "./byte-tables.ts";
import { sumByCluster } from "./permutation.ts";

const DRAWS = 5000;
/** Draws times values: some tens of milliseconds. */
const MOST_WORK = 2e7;
const FEWEST = 500;
const SEED = "null-draws";

/** Mean differences after random swaps, of whole clusters where there are some. */
export function drawFlips(differences: Float64Array, clusters?: Int32Array): Float64Array {
  const units = clusters ? sumByCluster(differences, clusters) : differences;
  const tables = makeByteTables(units, 1);
  const total = units.reduce((sum, value) => sum + value, 0);
  const drawn = new Float64Array(drawsFor(units.length));
  eachSubset(tables, { replicates: drawn.length, rng: makeRng(SEED) }, (i, sums, at) => {
    drawn[i] = (total - 2 * sums[at]!) / differences.length;
  });
  return drawn;
}

/** Differences of means after the values were dealt out again. */
export function drawDeals(x: Float64Array, y: Float64Array): Float64Array {
  const all = Float64Array.from([...x, ...y]);
  const total = all.reduce((sum, value) => sum + value, 0);
  const rng = makeRng(SEED);
  return Float64Array.from({ length: drawsFor(all.length) }, (_, i) => {
    rng.stream(i).shuffleInto(all);
    let sum = 0;
    for (let k = 0; k < x.length; k++) sum += all[k]!;
    return sum / x.length - (total - sum) / y.length;
  });
}

const drawsFor = (values: number): number => Math.max(FEWEST, Math.min(DRAWS, Math.floor(MOST_WORK / values)));
