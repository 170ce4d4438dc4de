/** A rating scale of few points as cuts of a normal latent scale.
 *      rating = number of thresholds below  x effect + rater + item + e,   e ~ N(0, 1),   x = 0 (baseline) or 1 (new system)
 *    means         P(rating > j | x) = Φ((x effect - τ_j)/s_x),  s_x² = 1 + variances of the random effects at x
 *    information   of one rating about its latent mean:  Σ_j (φ(τ_{j-1} - m) - φ(τ_j - m))² / P_j, averaged over m
 *  Reference: McCullagh (1980), J. R. Stat. Soc. B 42; Howcroft & Rieser (2021), EMNLP, eq. 2.
 *  Oracle:    brute-force draws; information 1 in the limit of many narrow points. */

import { normalCdf, normalPdf } from "../../numeric/dist/normal.ts";
import { gaussHermite } from "../../numeric/gauss.ts";
import type { Rng } from "../../numeric/rng.ts";
import { StatError } from "../../result/error.ts";
import type { RandomSds } from "../published-settings.ts";

/** Thresholds that are known, or drawn for each experiment: the lowest one, then distances |N(mean, sd²)|. */
export type RatingScale =
  | { readonly kind: "fixed"; readonly thresholds: Float64Array }
  | {
      readonly kind: "drawn";
      readonly points: number;
      readonly lowest: number;
      readonly lowestSd: number;
      readonly distance: number;
      readonly distanceSd: number;
    };

export const pointsOf = (scale: RatingScale): number =>
  scale.kind === "fixed" ? scale.thresholds.length + 1 : scale.points;

/** "-1.78,-1.16,-0.54" */
export function parseThresholds(text: string): Float64Array {
  const values = Float64Array.from(text.split(","), (part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const rising = values.every((value, k) => Number.isFinite(value) && (k === 0 || value > values[k - 1]!));
  if (rising) return values;
  throw new StatError(
    "BadParameter",
    `thresholds = ${text}: not rising numbers.`,
    "write them as -1.8,-1.1,-0.5,0.1,0.8.",
  );
}

export function drawThresholds(scale: RatingScale, rng: Rng): Float64Array {
  if (scale.kind === "fixed") return scale.thresholds;
  const { points, lowest, lowestSd, distance, distanceSd } = scale;
  const thresholds = new Float64Array(points - 1);
  thresholds[0] = lowest + lowestSd * rng.normal();
  for (let j = 1; j < points - 1; j++)
    thresholds[j] = thresholds[j - 1]! + Math.abs(distance + distanceSd * rng.normal());
  return thresholds;
}

/** Those of a typical experiment. */
export function typicalThresholds(scale: RatingScale): Float64Array {
  if (scale.kind === "fixed") return scale.thresholds;
  const { points, lowest, distance } = scale;
  return Float64Array.from({ length: points - 1 }, (_, j) => lowest + j * distance);
}

/** Nobody tells more points apart, and a model has a threshold between any two. */
const MOST_POINTS = 1000;

/** The same latent range with another number of points: fewer merge neighbouring ones as evenly as can be, more cut it evenly. */
export function withPoints(scale: RatingScale, points: number | undefined): RatingScale {
  const now = pointsOf(scale);
  if (points === undefined || points === now) return scale;
  if (points < 2 || points > MOST_POINTS)
    throw new StatError(
      "BadParameter",
      `points = ${points}.`,
      `a scale has at least 2 points, and at most ${MOST_POINTS}.`,
    );
  const cuts = typicalThresholds(scale);
  if (cuts.length < 2 && points > 2) {
    throw new StatError(
      "BadParameter",
      `points = ${points}: one threshold spans no range to cut.`,
      "give the thresholds of a scale with more points.",
    );
  }
  const [low, high] = [cuts[0]!, cuts[cuts.length - 1]!];
  if (scale.kind === "drawn") {
    if (points === 2) return { ...scale, points, lowest: (low + high) / 2 };
    const finer = (now - 2) / (points - 2);
    return { ...scale, points, distance: scale.distance * finer, distanceSd: scale.distanceSd * finer };
  }
  const kept = (j: number): number => cuts[Math.round(((j + 1) * now) / points) - 1]!;
  const even = (j: number): number => low + (j * (high - low)) / (points - 2);
  return {
    kind: "fixed",
    thresholds: Float64Array.from({ length: points - 1 }, (_, j) => (points < now ? kept(j) : even(j))),
  };
}

/** Mean distance of neighbouring thresholds; NaN where there is one. */
export function stepOf(scale: RatingScale): number {
  const cuts = typicalThresholds(scale);
  return (cuts[cuts.length - 1]! - cuts[0]!) / (cuts.length - 1);
}

/** Category of a latent value, from 0. */
export function categoryOf(latent: number, thresholds: Float64Array): number {
  let category = 0;
  while (category < thresholds.length && latent > thresholds[category]!) category++;
  return category;
}

/** True difference between the systems' mean ratings, in points. */
export function meanDifference(thresholds: Float64Array, effect: number, sds: RandomSds): number {
  const levels = 1 + sds.raterIntercept ** 2 + sds.itemIntercept ** 2;
  const baseline = Math.sqrt(levels);
  const system = Math.sqrt(levels + sds.raterSlope ** 2 + sds.itemSlope ** 2);
  let difference = 0;
  for (const cut of thresholds) difference += normalCdf((effect - cut) / system) - normalCdf(-cut / baseline);
  return difference;
}

/** Nodes of the average over random effects. */
const NODES = 21;

/** Mean information of a rating about its latent mean; 1 for a continuous scale. */
export function ratingInformation(thresholds: Float64Array, effect: number, sds: RandomSds): number {
  const spread = Math.sqrt(
    sds.raterIntercept ** 2 + sds.itemIntercept ** 2 + (sds.raterSlope ** 2 + sds.itemSlope ** 2) / 2,
  );
  const { nodes, weights } = gaussHermite(NODES, "normal");
  let sum = 0;
  nodes.forEach((node, k) => {
    sum += weights[k]! * informationAt(thresholds, effect / 2 + spread * node);
  });
  return sum;
}

function informationAt(thresholds: Float64Array, mean: number): number {
  let information = 0;
  let density = 0;
  let below = 0;
  for (let j = 0; j <= thresholds.length; j++) {
    const last = j === thresholds.length;
    const nextDensity = last ? 0 : normalPdf(thresholds[j]! - mean);
    const nextBelow = last ? 1 : normalCdf(thresholds[j]! - mean);
    const p = nextBelow - below;
    if (p > 0) information += (density - nextDensity) ** 2 / p;
    density = nextDensity;
    below = nextBelow;
  }
  return information;
}
