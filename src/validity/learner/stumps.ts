/** Boosted stumps: f(x) = f₀ + ν Σ_m (left_m if x_j <= cut_m, else right_m), Newton steps on squared or logistic loss.
 *  Cuts are training values at up to BINS ranks of each feature, so that any increasing map of a feature leaves all predictions as
 *  they are; a sum of stumps is one step function per feature, which is how it is stored.
 *  Reference: Friedman (2001), Ann. Stat. 29; Friedman, Hastie & Tibshirani (2000), Ann. Stat. 28.
 *  Oracle:    the first split by enumeration; invariance under increasing maps, tested.
 *  Limits:    no interactions. */
import type { Encoded } from "./learner.ts";

const ROUNDS = 150;
const SHRINKAGE = 0.1;
const BINS = 64;
/** Smallest number of training rows on either side of a cut. */
const FEWEST = 5;
/** Keeps Newton steps finite where all labels of a side agree. */
const RIDGE = 1;

interface Binned {
  /** Upper ends of the bins but the last. */
  readonly cuts: Float64Array;
  readonly codes: Int32Array;
  /** f_j by bin. */
  readonly effect: Float64Array;
}

export function predictStumps(columns: readonly Encoded[], target: Float64Array, binary: boolean): Float64Array {
  const n = target.length;
  const mean = target.reduce((sum, y) => sum + y, 0) / n;
  const start = binary ? Math.log((mean * n + 0.5) / ((1 - mean) * n + 0.5)) : mean;
  const eta = new Float64Array(n).fill(start);
  const features = columns.map(({ train }) => binFeature(train));
  const gradient = new Float64Array(n);
  const hessian = new Float64Array(n);
  for (let m = 0; m < ROUNDS; m++) {
    for (let i = 0; i < n; i++) {
      const mu = binary ? 1 / (1 + Math.exp(-eta[i]!)) : eta[i]!;
      gradient[i] = target[i]! - mu;
      hessian[i] = binary ? mu * (1 - mu) : 1;
    }
    const split = bestSplit(features, gradient, hessian);
    if (split === undefined) break;
    const { codes, effect } = split.feature;
    for (let b = 0; b < effect.length; b++) effect[b]! += SHRINKAGE * (b <= split.bin ? split.left : split.right);
    for (let i = 0; i < n; i++) eta[i]! += SHRINKAGE * (codes[i]! <= split.bin ? split.left : split.right);
  }
  const rows = columns[0]?.test.length ?? 0;
  return Float64Array.from({ length: rows }, (_, i) => {
    let sum = start;
    columns.forEach(({ test }, j) => {
      sum += features[j]!.effect[binOf(test[i]!, features[j]!.cuts)]!;
    });
    return binary ? 1 / (1 + Math.exp(-sum)) : sum;
  });
}

function binFeature(values: Float64Array): Binned {
  const sorted = values.slice().sort();
  const n = sorted.length;
  const cuts = new Set<number>();
  for (let b = 1; b < BINS; b++) cuts.add(sorted[Math.max(0, Math.ceil((b * n) / BINS) - 1)]!);
  // the last bin has no upper end
  cuts.delete(sorted[n - 1]!);
  const ends = Float64Array.from(cuts).sort();
  return {
    cuts: ends,
    codes: Int32Array.from(values, (x) => binOf(x, ends)),
    effect: new Float64Array(ends.length + 1),
  };
}

/** Number of cuts below x. */
function binOf(x: number, cuts: Float64Array): number {
  let [low, high] = [0, cuts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x <= cuts[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Split {
  readonly feature: Binned;
  readonly bin: number;
  readonly left: number;
  readonly right: number;
}

/** A gain must beat the best so far by this share: rounding must not choose between equal splits. */
const TIE = 1e-9;

function bestSplit(features: readonly Binned[], gradient: Float64Array, hessian: Float64Array): Split | undefined {
  let best: Split | undefined;
  let bestGain = 0;
  for (const feature of features) {
    const bins = feature.effect.length;
    const [g, h, counts] = [new Float64Array(bins), new Float64Array(bins), new Float64Array(bins)];
    for (let i = 0; i < gradient.length; i++) {
      const b = feature.codes[i]!;
      g[b]! += gradient[i]!;
      h[b]! += hessian[i]!;
      counts[b]! += 1;
    }
    const total = { g: sumOf(g), h: sumOf(h) };
    let [gl, hl, nl] = [0, 0, 0];
    for (let b = 0; b < bins - 1; b++) {
      gl += g[b]!;
      hl += h[b]!;
      nl += counts[b]!;
      if (nl < FEWEST || gradient.length - nl < FEWEST) continue;
      const left = gl / (hl + RIDGE);
      const right = (total.g - gl) / (total.h - hl + RIDGE);
      const gain = gl * left + (total.g - gl) * right;
      if (gain > bestGain * (1 + TIE)) {
        bestGain = gain;
        best = { feature, bin: b, left, right };
      }
    }
  }
  return best;
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
