/** Power of a mixed-model test of two systems, in closed form but for an average over what the variances may be estimated as.
 *
 *  With systems coded -1/+1 the half difference β of a balanced design of W raters, I items and N ratings has
 *      Var β̂ = σ_w1²/W + σ_i1²/I + σ²/N                                                    (slopes of raters and items, residual)
 *  In the analysis of variance of the ratings' half differences this is V = V_w + V_i - V_e, with
 *      V_w = σ_w1²/W + σ²/N on W - 1 df,   V_i = σ_i1²/I + σ²/N on I - 1,   V_e = σ²/N on N/2 - W - I + 1 df.
 *  The experiment sees V̂_w = max(V_w χ²/df, V_e) and V̂_i alike (a variance is not estimated below 0), takes Satterthwaite's
 *      df̂ = V̂² / (V̂_w²/df_w + V̂_i²/df_i + V_e²/df_e)    (terms of variances estimated as 0 left out)
 *  and rejects where |β̂| > t(df̂) √V̂. Given V̂ the estimate is normal; the figures are averaged over V̂_w and V̂_i. Where the df are many
 *  this is the noncentral t distribution; where they are few, as with three raters, it follows the real test, which that does not.
 *  Tests against the normal distribution belong to fits by ML, whose V̂_w has the mean (W - 1)/W V_w.
 *  Reference: Westfall, Kenny & Judd (2014), J. Exp. Psychol. Gen. 143 (crossed random factors); Satterthwaite (1946), Biometrics Bull. 2.
 *  Oracle:    Cov β̂ of the mixed model at the true variances (exact for crossed designs); noncentral t; simulation of the test itself.
 *  Limits:    in lists the raters' and items' levels are not wholly balanced, which costs some per cent of precision. */
import { chiSquareQuantile } from "../../numeric/dist/chi-square.ts";
import { normalQuantileUpper } from "../../numeric/dist/normal.ts";
import { tQuantileUpper } from "../../numeric/dist/t.ts";
import { type RatingDesign, ratingCount } from "../designs/designs.ts";
import { normalFigures } from "../normal-figures.ts";
import type { PowerFigures } from "../scenario.ts";

/** Standard deviations that reach the difference, systems coded -1/+1. */
export interface SlopeSds {
  readonly raterSlope: number;
  readonly itemSlope: number;
  readonly residual: number;
}

/** The variance of an estimate and the mean squares that it is estimated from. */
export interface EstimateVariance {
  readonly total: number;
  readonly ofRaters: number;
  readonly ofItems: number;
  readonly error: number;
  readonly dfRaters: number;
  readonly dfItems: number;
  readonly dfError: number;
  /** Satterthwaite's df at the true variances. */
  readonly df: number;
}

export interface ApproximateTest {
  readonly alpha: number;
  readonly twoSided: boolean;
  /** The estimate over its standard error by ML against the normal distribution, whatever the df. */
  readonly z?: boolean;
  /** Quantiles at which the estimated variances of raters and items are taken. */
  readonly points?: readonly [raters: number, items: number];
}

/** Of the difference between the systems, 2β. `unit` 1: of β itself. */
export function differenceVariance(design: RatingDesign, sds: SlopeSds, unit = 2): EstimateVariance {
  const { items, raters } = design;
  const n = ratingCount(design);
  const scale = unit * unit;
  const error = (scale * sds.residual * sds.residual) / n;
  const ofRaters = (scale * sds.raterSlope * sds.raterSlope) / raters + error;
  const ofItems = (scale * sds.itemSlope * sds.itemSlope) / items + error;
  const parts = {
    ofRaters,
    ofItems,
    error,
    dfRaters: raters - 1,
    dfItems: items - 1,
    dfError: Math.max(1, n / 2 - raters - items + 1),
  };
  const total = ofRaters + ofItems - error;
  return { ...parts, total, df: satterthwaite(ofRaters, ofItems, parts) };
}

type MeanSquares = Pick<EstimateVariance, "error" | "dfRaters" | "dfItems" | "dfError">;

function satterthwaite(ofRaters: number, ofItems: number, { error, dfRaters, dfItems, dfError }: MeanSquares): number {
  const total = ofRaters + ofItems - error;
  // a mean square that is no larger than the residual's has been pooled with it
  const raters = ofRaters > error ? (ofRaters * ofRaters) / dfRaters : 0;
  const items = ofItems > error ? (ofItems * ofItems) / dfItems : 0;
  const residual = raters > 0 === items > 0 ? (error * error) / dfError : 0;
  return (total * total) / (raters + items + residual);
}

/** Points of the averages: four digits of the power; and enough for a first search. */
const FINE: readonly [number, number] = [48, 8];
export const COARSE: readonly [number, number] = [12, 2];

export function approximateFigures(effect: number, variance: EstimateVariance, test: ApproximateTest): PowerFigures {
  const { alpha, twoSided, z = false, points = FINE } = test;
  const tail = twoSided ? alpha / 2 : alpha;
  const { dfRaters, dfItems, error } = variance;
  const likelihood = (df: number): number => (z ? df / (df + 1) : 1);
  const scalesW = chiSquareScales(dfRaters, points[0]).map((u) =>
    Math.max(error, variance.ofRaters * u * likelihood(dfRaters)),
  );
  const scalesI = chiSquareScales(dfItems, points[1]).map((v) =>
    Math.max(error, variance.ofItems * v * likelihood(dfItems)),
  );
  const sd = Math.sqrt(variance.total);
  const normal = normalQuantileUpper(tail);
  const sums = { power: 0, rejection: 0, size: 0, wrong: 0 };
  for (const ofRaters of scalesW) {
    for (const ofItems of scalesI) {
      const critical = z ? normal : tQuantileUpper(tail, satterthwaite(ofRaters, ofItems, variance));
      const threshold = critical * Math.sqrt(ofRaters + ofItems - error);
      const { power, rejection, typeM, typeS } = normalFigures({ effect, sd, threshold, twoSided });
      if (!(rejection > 0)) continue;
      sums.power += power;
      sums.rejection += rejection;
      sums.size += typeM * rejection;
      sums.wrong += typeS * rejection;
    }
  }
  const count = scalesW.length * scalesI.length;
  return {
    power: sums.power / count,
    rejection: sums.rejection / count,
    typeM: sums.size / sums.rejection,
    typeS: sums.wrong / sums.rejection,
  };
}

/** χ²/df in the middle of `count` equally probable ranges. */
function chiSquareScales(df: number, count: number): number[] {
  return Array.from({ length: count }, (_, k) => chiSquareQuantile((k + 0.5) / count, df) / df);
}
