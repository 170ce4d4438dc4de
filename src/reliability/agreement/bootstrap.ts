/** Intervals of agreement over items, or over clusters of items: the items are a sample, the raters stay.
 *
 *  Every replicate gives item u the weight G(s) (Rubin's bootstrap: a draw from the distributions that the items allow), and one
 *  item's worth of weight to two made-up items with labels of equal probability: G(s/2) to one on which all raters agree, G(s/2)
 *  to one that they label independently. These stand for what a sample with few rare labels cannot show: without them, 20 items
 *  on which raters happen to agree, or on which a rare label was given once, have intervals of no width, and 95 % are 50 %.
 *
 *      s = (n - 2)/(n + 1) · (z/t)²,   z and t the quantiles of N(0, 1) and of t with n - 1 df
 *  makes the spread that of n - 1 degrees of freedom. The ends are quantiles of the replicates at (R + 1)α.
 *  The standard error is the replicates' own, on the scale of n items (s undone).
 *  A replicate in which a coefficient is undefined (all labels the same) is left out of its interval and counted.
 *  Reference: Rubin (1981), Ann. Stat. 9; Davison & Hinkley (1997), Bootstrap Methods and their Application, ch. 5.
 *  Oracle:    simulated data with known agreement: coverage in docs/methods/agreement.md; large-sample errors (agreement.test.ts). */

import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { gammaVariate } from "../../numeric/rng/gamma.ts";
import type { Rng } from "../../numeric/rng.ts";
import { summariseReplicates } from "../../resample/intervals.ts";
import { checkReplicates, eachReplicate, OWN_STREAM } from "../../resample/replicates.ts";
import type { PatternCoefficients } from "./coefficients.ts";
import type { Patterns } from "./patterns.ts";
import type { Ratings } from "./ratings.ts";

export interface AgreementBootstrapOptions {
  readonly replicates: number;
  readonly confidence: number;
  readonly rng: Rng;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface BootstrapEnds {
  readonly se: number;
  readonly lower: number;
  readonly upper: number;
  /** Replicates in which the coefficient is defined. */
  readonly used: number;
}

export interface AgreementStatistics {
  /** From the weights of the patterns. */
  readonly patterns: (weights: Float64Array) => PatternCoefficients;
  /** From the weights of the items: chance agreement of Conger's κ, and Cohen's κ of two raters; absent where they are not wanted. */
  readonly conger?: (weights: Float64Array) => number;
  readonly cohen?: (weights: Float64Array) => number;
}

/** How the coefficients of any ratings are computed. */
export type StatisticsOf = (ratings: Ratings) => {
  readonly patterns: Patterns;
  readonly statistics: AgreementStatistics;
};

export const COEFFICIENTS = ["percent", "alpha", "fleiss", "conger", "cohen", "ac1", "ac2", "randolph"] as const;
export type CoefficientName = (typeof COEFFICIENTS)[number];

/** The coefficients at weights of the items. */
export function evaluateAt(
  itemWeights: Float64Array,
  patternWeights: Float64Array,
  { patterns, conger, cohen }: AgreementStatistics,
): Record<CoefficientName, number> {
  const found = patterns(patternWeights);
  const chance = conger === undefined ? Number.NaN : conger(itemWeights);
  return {
    percent: found.percent,
    alpha: found.alpha.value,
    fleiss: found.weightedFleiss.value,
    conger: 1 - chance < CERTAIN ? Number.NaN : (found.weightedFleiss.observed - chance) / (1 - chance),
    cohen: cohen === undefined ? Number.NaN : cohen(itemWeights),
    ac1: found.ac1.value,
    ac2: found.ac2.value,
    randolph: found.randolph.value,
  };
}

const CERTAIN = 1e-12;

export function bootstrapAgreement(
  ratings: Ratings,
  statisticsOf: StatisticsOf,
  { replicates, confidence, rng, onProgress }: AgreementBootstrapOptions,
): Record<CoefficientName, BootstrapEnds> {
  checkReplicates(replicates);
  const draws = new Map<CoefficientName, Float64Array>(
    COEFFICIENTS.map((name) => [name, new Float64Array(replicates)]),
  );
  const made = withMadeUpItems(ratings, rng.stream(replicates));
  const { patterns, statistics } = statisticsOf(made.ratings);
  const itemWeights = new Float64Array(made.ratings.items);
  const patternWeights = new Float64Array(patterns.count);
  const { clusters, draw } = weightDrawer(ratings, made, confidence);
  const patternsDo = statistics.conger === undefined && statistics.cohen === undefined && ratings.cluster === undefined;
  const drawPatterns = patternDrawer(ratings, made, { patterns, shape: shapeOf(clusters, confidence) });
  eachReplicate({ replicates, rng, onProgress }, OWN_STREAM, (stream, i) => {
    if (patternsDo) drawPatterns(patternWeights, stream);
    else {
      draw(itemWeights, stream);
      patternWeights.fill(0);
      for (let u = 0; u < itemWeights.length; u++) patternWeights[patterns.ofItem[u]!]! += itemWeights[u]!;
    }
    const found = evaluateAt(itemWeights, patternWeights, statistics);
    for (const name of COEFFICIENTS) draws.get(name)![i] = found[name];
  });
  const inflated = Math.sqrt((shapeOf(clusters, confidence) * (clusters + 1) + 1) / clusters);
  const ends = COEFFICIENTS.map((name) => {
    const { sd, lower, upper, used } = summariseReplicates(draws.get(name)!, confidence);
    return [name, { se: inflated * sd, lower, upper, used }] as const;
  });
  return Object.fromEntries(ends) as Record<CoefficientName, BootstrapEnds>;
}

interface MadeUp {
  readonly ratings: Ratings;
  /** The made-up items on which all agree stand from `unanimous` on, those of chance from `chance` on. */
  readonly unanimous: number;
  readonly chance: number;
}

/** Made-up items of each kind: all there are where these are few, else this many drawn once. */
const MADE_UP = 64;

/** The items, then one on which all agree for each label, then all ways in which raters can label an item. Each has the raters of
 *  some item with two labels or more. */
function withMadeUpItems(ratings: Ratings, rng: Rng): MadeUp {
  const { items, start, rater, code, categories } = ratings;
  const q = categories.length;
  const shared = Int32Array.from({ length: items }, (_, u) => u).filter((u) => start[u + 1]! - start[u]! > 1);
  const raters: number[] = [];
  const labels: number[] = [];
  const starts: number[] = [];
  const add = (labelOf: (k: number) => number): void => {
    const u = shared[rng.int(shared.length)]!;
    for (let k = start[u]!; k < start[u + 1]!; k++) {
      raters.push(rater[k]!);
      labels.push(labelOf(k - start[u]!));
    }
    starts.push(code.length + labels.length);
  };
  if (shared.length > 0) {
    for (let c = 0; c < Math.min(q, MADE_UP); c++) {
      const own = q <= MADE_UP ? c : rng.int(q);
      add(() => own);
    }
  }
  const unanimous = starts.length;
  const most = shared.reduce((m, u) => Math.max(m, start[u + 1]! - start[u]!), 0);
  const all = q ** most;
  for (let way = 0; shared.length > 0 && way < Math.min(all, MADE_UP); way++) {
    add(all <= MADE_UP ? (k) => Math.floor(way / q ** k) % q : () => rng.int(q));
  }
  const together = {
    ...ratings,
    items: items + starts.length,
    start: concatenate(start, starts),
    rater: concatenate(rater, raters),
    code: concatenate(code, labels),
  };
  return { ratings: together, unanimous: items, chance: items + unanimous };
}

function concatenate(first: Int32Array, second: readonly number[]): Int32Array {
  const out = new Int32Array(first.length + second.length);
  out.set(first);
  out.set(second, first.length);
  return out;
}

/** From here on s differs from 1 by less than a hundredth, and an exponential costs a fifth of a gamma variate. */
const MANY = 500;
/** With three items or fewer s would be 0. */
const SMALLEST_SHAPE = 0.05;

function shapeOf(n: number, confidence: number): number {
  if (n >= MANY) return 1;
  const tail = (1 - confidence) / 2;
  const ratio = normalQuantileUpper(tail) / tQuantileUpper(tail, Math.max(1, n - 1));
  return Math.max(SMALLEST_SHAPE, ((n - 2) / (n + 1)) * ratio * ratio);
}

/** Overwrites the weights of all items, made-up ones included; they sum to the number of items. */
function weightDrawer(
  { items, cluster }: Ratings,
  { ratings, unanimous, chance }: MadeUp,
  confidence: number,
): { clusters: number; draw: (weights: Float64Array, rng: Rng) => void } {
  const of = cluster === undefined ? undefined : clusterIndex(cluster);
  const clusters = of === undefined ? items : of.reduce((most, c) => Math.max(most, c + 1), 0);
  const shape = shapeOf(clusters, confidence);
  const own = new Float64Array(clusters);
  const draw = (weights: Float64Array, rng: Rng): void => {
    weights.fill(0);
    for (let c = 0; c < clusters; c++) own[c] = gammaVariate(rng, shape);
    for (let u = 0; u < items; u++) weights[u] = own[of === undefined ? u : of[u]!]!;
    if (ratings.items > items) {
      weights[unanimous + rng.int(chance - unanimous)] = gammaVariate(rng, shape / 2);
      weights[chance + rng.int(ratings.items - chance)] = gammaVariate(rng, shape / 2);
    }
    let sum = 0;
    for (const w of weights) sum += w;
    for (let u = 0; u < weights.length; u++) weights[u]! *= items / sum;
  };
  return { clusters, draw };
}

/** The same draws summed over the items of each pattern, which cost as much as there are patterns: k gamma weights of shape s sum to
 *  one of shape ks. */
function patternDrawer(
  { items }: Ratings,
  { ratings, unanimous, chance }: MadeUp,
  { patterns, shape }: { readonly patterns: Patterns; readonly shape: number },
): (weights: Float64Array, rng: Rng) => void {
  const { ofItem } = patterns;
  const counts = new Float64Array(patterns.count);
  for (let u = 0; u < items; u++) counts[ofItem[u]!]! += 1;
  return (weights, rng) => {
    for (let p = 0; p < counts.length; p++) weights[p] = counts[p] === 0 ? 0 : gammaVariate(rng, shape * counts[p]!);
    if (ratings.items > items) {
      weights[ofItem[unanimous + rng.int(chance - unanimous)]!]! += gammaVariate(rng, shape / 2);
      weights[ofItem[chance + rng.int(ratings.items - chance)]!]! += gammaVariate(rng, shape / 2);
    }
    let sum = 0;
    for (const w of weights) sum += w;
    for (let p = 0; p < weights.length; p++) weights[p]! *= items / sum;
  };
}

/** An item without a cluster is one by itself. */
function clusterIndex(cluster: Int32Array): Int32Array {
  const ids = new Map<number, number>();
  let own = 0;
  return cluster.map((c) => {
    if (c < 0) return own++ + ids.size;
    if (!ids.has(c)) ids.set(c, ids.size + own);
    return ids.get(c)!;
  });
}
