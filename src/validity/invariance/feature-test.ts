/** One feature's test: losses under the original coding against those under random permissible ones (see invariance.ts). */

import { tQuantileUpper } from "../../numeric/dist/t.ts";
import type { Rng } from "../../numeric/rng.ts";
import type { Scale } from "../../reliability/agreement/weights.ts";
import { permutePaired } from "../../resample/permutation.ts";
import { permuteTwoSample } from "../../resample/permutation-two-sample.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import type { Change } from "../learner/score.ts";

export interface MeasuredFeature {
  readonly feature: string;
  readonly scale: Scale;
  readonly transforms: number;
  /** Of the predictions: share of rows, mean and largest. */
  readonly changed: Change;
  /** Mean loss of the original coding and over the transformations, with the smallest and the largest of them. */
  readonly original: number;
  readonly transformed: number;
  readonly range: readonly [number, number];
  /** transformed - original, with an interval over the test rows. */
  readonly difference: number;
  readonly lower: number;
  readonly upper: number;
  readonly test: "randomisation" | "paired permutation" | "re-runs";
  readonly p: number;
  /** Paired permutation test over the test rows, two-sided; beside the randomisation p where that decides. */
  readonly pairedP: number;
}

export interface FeatureLosses {
  readonly feature: string;
  readonly scale: Scale;
  /** Loss of every test row. */
  readonly original: Float64Array;
  readonly transformed: readonly Float64Array[];
  /** Of a random learner: re-runs with the original coding, the first one among them. */
  readonly repeats: readonly Float64Array[];
  readonly change: Change;
  readonly clusters: Int32Array | undefined;
  readonly confidence: number;
  readonly rng: Rng;
}

/** Mean losses closer than this share are equal but for rounding. */
const LOSS_TIE = 1e-9;

export function judgeFeature(given: FeatureLosses): MeasuredFeature {
  const { feature, scale, original, transformed, repeats, change, clusters, confidence, rng } = given;
  const reference = repeats.length > 0 ? meanRows(repeats) : original;
  const differences = meanRows(transformed).map((loss, i) => loss - reference[i]!);
  const means = transformed.map(meanOf);
  const pairedP = permutePaired(differences, { rng, clusters }).p;
  const base = meanOf(reference);
  const random = repeats.length > 0;
  const test = scale === "nominal" ? "randomisation" : random ? "re-runs" : "paired permutation";
  const p =
    scale === "nominal"
      ? randomisationP(meanOf(original), means)
      : random
        ? permuteTwoSample(Float64Array.from(means), Float64Array.from(repeats, meanOf), { rng }).p
        : pairedP;
  return {
    feature,
    scale,
    transforms: transformed.length,
    changed: change,
    original: base,
    transformed: meanOf(Float64Array.from(means)),
    range: [leastOf(means), mostOf(means)],
    difference: meanOf(differences),
    ...meanInterval(differences, clusters, confidence),
    test,
    p,
    pairedP,
  };
}

/** Share of codings, the original among them, with a loss as small as the original's. */
export function randomisationP(original: number, transformed: readonly number[]): number {
  const tie = LOSS_TIE * Math.abs(original);
  const asGood = transformed.filter((loss) => loss <= original + tie).length;
  return (1 + asGood) / (transformed.length + 1);
}

function meanRows(rows: readonly Float64Array[]): Float64Array {
  const sums = new Float64Array(rows[0]!.length);
  for (const row of rows) for (let i = 0; i < sums.length; i++) sums[i]! += row[i]!;
  return sums.map((sum) => sum / rows.length);
}

const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** t interval of a mean over rows, or over clusters of rows. */
function meanInterval(
  differences: Float64Array,
  clusters: Int32Array | undefined,
  confidence: number,
): { lower: number; upper: number } {
  const n = differences.length;
  const mean = meanOf(differences);
  const sums = new Map<number, number>();
  differences.forEach((d, i) => {
    const unit = clusters?.[i] ?? i;
    sums.set(unit, (sums.get(unit) ?? 0) + (d - mean));
  });
  const groups = sums.size;
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  const se = Math.sqrt((squares * groups) / (groups - 1)) / n;
  const half = tQuantileUpper((1 - confidence) / 2, groups - 1) * se;
  return { lower: mean - half, upper: mean + half };
}
