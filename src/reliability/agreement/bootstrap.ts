/** Bootstrap of agreement over items, or over clusters of items: the items are a sample, the raters stay.
 *
 *  One draw of items serves all coefficients; replicate i draws from rng.stream(i). Percentile intervals at (R + 1)α.
 *  A replicate in which a coefficient is undefined (all labels the same) is left out of its interval and counted.
 *  Reference: Davison & Hinkley (1997), Bootstrap Methods and their Application, ch. 5. */
import type { Rng } from "../../numeric/rng.ts";
import { summariseReplicates } from "../../resample/intervals.ts";
import { checkReplicates, countDrawsInto, eachReplicate, OWN_STREAM } from "../../resample/replicates.ts";
import type { PatternCoefficients } from "./coefficients.ts";
import type { Patterns } from "./patterns.ts";
import type { Ratings } from "./ratings.ts";

export interface AgreementBootstrapOptions {
  readonly replicates: number;
  readonly confidence: number;
  readonly rng: Rng;
  readonly onProgress?: (done: number, total: number) => void;
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
  /** From the weights of the items: chance agreement of Conger's κ (NaN where it is not wanted), and Cohen's κ of two raters. */
  readonly conger: (weights: Float64Array) => number;
  readonly cohen?: (weights: Float64Array) => number;
}

export const COEFFICIENTS = ["percent", "alpha", "fleiss", "conger", "cohen", "ac1", "ac2"] as const;
export type CoefficientName = (typeof COEFFICIENTS)[number];

/** The coefficients at weights of the items. */
export function evaluateAt(
  itemWeights: Float64Array,
  patternWeights: Float64Array,
  { patterns, conger, cohen }: AgreementStatistics,
): Record<CoefficientName, number> {
  const found = patterns(patternWeights);
  const chance = conger(itemWeights);
  return {
    percent: found.percent,
    alpha: found.alpha.value,
    fleiss: found.weightedFleiss.value,
    conger: 1 - chance < CERTAIN ? Number.NaN : (found.weightedFleiss.observed - chance) / (1 - chance),
    cohen: cohen === undefined ? Number.NaN : cohen(itemWeights),
    ac1: found.ac1.value,
    ac2: found.ac2.value,
  };
}

const CERTAIN = 1e-12;

export function bootstrapAgreement(
  ratings: Ratings,
  patterns: Patterns,
  statistics: AgreementStatistics,
  { replicates, confidence, rng, onProgress }: AgreementBootstrapOptions,
): Record<CoefficientName, BootstrapEnds> {
  checkReplicates(replicates);
  const draws = new Map<CoefficientName, Float64Array>(
    COEFFICIENTS.map((name) => [name, new Float64Array(replicates)]),
  );
  const itemWeights = new Float64Array(ratings.items);
  const patternWeights = new Float64Array(patterns.count);
  const draw = itemDrawer(ratings);
  eachReplicate({ replicates, rng, onProgress }, OWN_STREAM, (stream, i) => {
    draw(itemWeights, stream);
    patternWeights.fill(0);
    for (let u = 0; u < ratings.items; u++) patternWeights[patterns.ofItem[u]!]! += itemWeights[u]!;
    const found = evaluateAt(itemWeights, patternWeights, statistics);
    for (const name of COEFFICIENTS) draws.get(name)![i] = found[name];
  });
  const ends = COEFFICIENTS.map((name) => {
    const { sd, lower, upper, used } = summariseReplicates(draws.get(name)!, confidence);
    return [name, { se: sd, lower, upper, used }] as const;
  });
  return Object.fromEntries(ends) as Record<CoefficientName, BootstrapEnds>;
}

/** Overwrites the weights with how often each item is drawn. */
function itemDrawer({ items, cluster }: Ratings): (weights: Float64Array, stream: Rng) => void {
  if (cluster === undefined) return countDrawsInto;
  // an item without a cluster is one by itself
  const ids = new Map<number, number>();
  let own = 0;
  const of = cluster.map((c) => {
    if (c < 0) return own++ + ids.size;
    if (!ids.has(c)) ids.set(c, ids.size + own);
    return ids.get(c)!;
  });
  const times = new Float64Array(ids.size + own);
  return (weights, stream) => {
    countDrawsInto(times, stream);
    for (let u = 0; u < items; u++) weights[u] = times[of[u]!]!;
  };
}
