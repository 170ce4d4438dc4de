/** What the choice of raters adds to the variance of a mean of their labels, so that the interval is about new raters too. Over the n units that all
 *  k raters labeled, with the mean squares of raters and of what is left after units and raters:
 *      var = var_units + max(0, MS_R - MS_E)/(nk),   df by Satterthwaite from var_units, MS_R/(nk) with k - 1 and MS_E/(nk) with (n - 1)(k - 1)
 *  The mean over raters already carries MS_E within var_units.
 *  Reference: Satterthwaite (1946), Biometrics Bulletin 2; Shrout & Fleiss (1979), Psychological Bulletin 86 (mean squares).
 *  Oracle:    the variance components of reliability/generalizability; closed form.
 *  Limits:    at least 10 units that all raters labeled, else nothing is added, with a warning. Two raters leave one degree of freedom. */
import { tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import type { RectifiedMean } from "./rectified.ts";

export interface RaterPart {
  /** Raters, and units that all of them labeled. */
  readonly raters: number;
  readonly units: number;
  /** MS_R/(nk) and MS_E/(nk). */
  readonly between: number;
  readonly within: number;
}

const FEWEST_UNITS = 10;

/** Undefined where there is one rater, or too few units that all labeled. */
export function raterPart(voices: readonly Float64Array[]): RaterPart | undefined {
  const k = voices.length;
  const [first] = voices;
  if (k < 2 || first === undefined) return undefined;
  const rows: number[] = [];
  for (let u = 0; u < first.length; u++) if (voices.every((own) => !Number.isNaN(own[u]!))) rows.push(u);
  const n = rows.length;
  if (n < FEWEST_UNITS) return undefined;
  const means = voices.map((own) => rows.reduce((sum, u) => sum + own[u]!, 0) / n);
  const mean = means.reduce((sum, own) => sum + own, 0) / k;
  let rest = 0;
  for (const u of rows) {
    const unit = voices.reduce((sum, own) => sum + own[u]!, 0) / k;
    for (const [r, own] of voices.entries()) rest += (own[u]! - unit - means[r]! + mean) ** 2;
  }
  const between = (n * means.reduce((sum, own) => sum + (own - mean) ** 2, 0)) / (k - 1);
  return { raters: k, units: n, between: between / (n * k), within: rest / ((n - 1) * (k - 1)) / (n * k) };
}

/** The same mean, with an interval that is about new raters too. */
export function withRaters(own: RectifiedMean, part: RaterPart | undefined, confidence: number): RectifiedMean {
  if (part === undefined || Number.isNaN(own.se) || !(part.between > part.within)) return own;
  const { raters: k, units: n, between, within } = part;
  const variance = own.se ** 2 + between - within;
  const parts = own.se ** 4 / own.df + between ** 2 / (k - 1) + within ** 2 / ((n - 1) * (k - 1));
  const df = variance ** 2 / parts;
  const se = Math.sqrt(variance);
  const half = tQuantileUpper((1 - confidence) / 2, df) * se;
  const p = 2 * tSf(Math.abs(own.value) / se, df);
  return { ...own, se, df, lower: own.value - half, upper: own.value + half, p };
}
