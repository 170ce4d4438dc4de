/** Nearest neighbours: the mean target of the k training rows that are closest in standardised features, k about √n.
 *  Ties in distance go to the earlier row. Indicators of text features are not standardised: two texts differ or do not.
 *  Reference: Hastie, Tibshirani & Friedman (2009), 13.3.
 *  Oracle:    full sort, tested.
 *  Limits:    compares every test row with every training row. */
import type { Encoded } from "./learner.ts";

const MOST_NEIGHBOURS = 25;

export function predictKnn(columns: readonly Encoded[], target: Float64Array): Float64Array {
  const n = target.length;
  const k = Math.max(1, Math.min(MOST_NEIGHBOURS, Math.round(Math.sqrt(n)), n));
  const scaled = columns.map(standardise);
  const rows = columns[0]?.test.length ?? 0;
  const distance = new Float64Array(n);
  const nearest = new Int32Array(k);
  const predictions = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    distance.fill(0);
    for (const { train, test } of scaled) {
      const own = test[i]!;
      for (let j = 0; j < n; j++) distance[j]! += (train[j]! - own) ** 2;
    }
    selectNearestInto(nearest, distance);
    let sum = 0;
    for (const j of nearest) sum += target[j]!;
    predictions[i] = sum / k;
  }
  return predictions;
}

function standardise({ train, test, indicator }: Encoded): Pick<Encoded, "train" | "test"> {
  // two texts differ in two indicators, which together count 1
  if (indicator) return { train: train.map((x) => x * Math.SQRT1_2), test: test.map((x) => x * Math.SQRT1_2) };
  const mean = train.reduce((sum, x) => sum + x, 0) / train.length;
  const sd = Math.sqrt(train.reduce((sum, x) => sum + (x - mean) ** 2, 0) / train.length);
  const scale = (x: number): number => (sd > 0 ? (x - mean) / sd : 0);
  return { train: train.map(scale), test: test.map(scale) };
}

/** Indices of the smallest distances, by insertion: k is small. */
function selectNearestInto(nearest: Int32Array, distance: Float64Array): void {
  const k = nearest.length;
  let filled = 0;
  for (let j = 0; j < distance.length; j++) {
    if (filled === k && distance[j]! >= distance[nearest[k - 1]!]!) continue;
    let at = filled < k ? filled++ : k - 1;
    while (at > 0 && distance[nearest[at - 1]!]! > distance[j]!) {
      nearest[at] = nearest[at - 1]!;
      at--;
    }
    nearest[at] = j;
  }
}
