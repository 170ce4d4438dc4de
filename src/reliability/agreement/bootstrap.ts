/** Bootstrap of agreement over items, or over clusters of items: the items are a sample, the raters stay.
 *
 *  One draw of items serves all coefficients; replicate i draws from rng.stream(i). Percentile intervals at (R + 1)α.
 *  A replicate in which a coefficient is undefined (all labels the same) is left out of its interval and counted.
 *  Reference: Davison & Hinkley (1997), Bootstrap Methods and their Application, ch. 5. */
import { replicateQuantile } from "../../models/lmm/bootstrap.ts";
import type { Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
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
  if (!(Number.isInteger(replicates) && replicates > 1)) {
    throw new StatError("BadOption", `${replicates} replicates make no interval.`, "Use a whole number, such as 1000.");
  }
  const draws = new Map<CoefficientName, Float64Array>(
    COEFFICIENTS.map((name) => [name, new Float64Array(replicates)]),
  );
  const itemWeights = new Float64Array(ratings.items);
  const patternWeights = new Float64Array(patterns.count);
  const draw = itemDrawer(ratings);
  for (let i = 0; i < replicates; i++) {
    draw(itemWeights, rng.stream(i));
    patternWeights.fill(0);
    for (let u = 0; u < ratings.items; u++) patternWeights[patterns.ofItem[u]!]! += itemWeights[u]!;
    const found = evaluateAt(itemWeights, patternWeights, statistics);
    for (const name of COEFFICIENTS) draws.get(name)![i] = found[name];
    onProgress?.(i + 1, replicates);
  }
  const ends = COEFFICIENTS.map((name) => [name, summarize(draws.get(name)!, confidence)] as const);
  return Object.fromEntries(ends) as Record<CoefficientName, BootstrapEnds>;
}

/** Overwrites the weights with how often each item is drawn. */
function itemDrawer({ items, cluster }: Ratings): (weights: Float64Array, rng: Rng) => void {
  if (cluster === undefined) {
    const picks = new Int32Array(items);
    return (weights, rng) => {
      rng.sampleWithReplacementInto(picks, items);
      weights.fill(0);
      for (let u = 0; u < items; u++) weights[picks[u]!]! += 1;
    };
  }
  // an item without a cluster is one by itself
  const ids = new Map<number, number>();
  let own = 0;
  const of = cluster.map((c) => {
    if (c < 0) return own++ + ids.size;
    if (!ids.has(c)) ids.set(c, ids.size + own);
    return ids.get(c)!;
  });
  const count = ids.size + own;
  const times = new Float64Array(count);
  const picks = new Int32Array(count);
  return (weights, rng) => {
    rng.sampleWithReplacementInto(picks, count);
    times.fill(0);
    for (const c of picks) times[c]! += 1;
    for (let u = 0; u < items; u++) weights[u] = times[of[u]!]!;
  };
}

function summarize(draws: Float64Array, confidence: number): BootstrapEnds {
  const sorted = draws.filter((value) => !Number.isNaN(value)).sort();
  const used = sorted.length;
  const mean = sorted.reduce((sum, value) => sum + value, 0) / used;
  const variance = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (used - 1);
  return {
    se: Math.sqrt(variance),
    lower: replicateQuantile(sorted, (1 - confidence) / 2),
    upper: replicateQuantile(sorted, (1 + confidence) / 2),
    used,
  };
}
