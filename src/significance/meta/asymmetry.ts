/** Do small studies show larger effects than large ones? Two tests of a funnel's asymmetry.
 *    Begg & Mazumdar  Kendall's τ_b of the standardised effects (y - ȳ)/√(v - 1/Σw) with v, ȳ the fixed-effect mean. Exact p without ties,
 *                     else z = S/√Var(S) with ties in the variance and without continuity correction, as metafor
 *    Egger            least squares of y/se on 1/se: the intercept is the bias, t on k-2 df; the slope is the effect at se = 0.
 *                     Beside it y on se with known variances: fixed (z), and with τ² by REML (z)
 *  Reference: Begg & Mazumdar (1994), Biometrics 50; Egger, Davey Smith, Schneider & Minder (1997), BMJ 315; Sterne & Egger (2005).
 *  Oracle:    metafor (R): ranktest, regtest, oracle/next/meta-analysis.json — 1e-8, exact p 1e-12.
 *  Limits:    asymmetry need not be publication bias: small test sets may be hard ones. Both tests see little below about ten claims. */

import { lessCenter } from "../../numeric/center.ts";
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { roundingOf, settleTies } from "../../numeric/ties.ts";
import { StatError } from "../../result/error.ts";
import { leastOf, mostOf } from "../../result/extremes.ts";
import { isConstant } from "../samples.ts";
import { rankConcordance } from "../tests/correlation.ts";
import { kendallTail } from "../tests/rank-correlation-law.ts";
import { checkEffects, type MetaInterval } from "./pool.ts";
import { metaRegression } from "./regression.ts";

export interface BeggTest {
  readonly tau: number;
  /** Concordant less discordant pairs. */
  readonly s: number;
  /** Exact without ties, else of z. */
  readonly p: number;
  readonly exact: boolean;
  readonly ties: boolean;
  readonly z: number;
  readonly pNormal: number;
  /** With continuity correction. */
  readonly zCorrected: number;
  readonly pCorrected: number;
  readonly standardised: readonly number[];
}

/** Orders are counted in about k³/2 steps; beyond this many the normal law is as good. */
const MOST_COUNTED = 500;

export function beggTest(effects: ArrayLike<number>, variances: ArrayLike<number>): BeggTest {
  checkEffects(effects, variances, 3);
  const y = lessCenter(Float64Array.from(effects))[0]!;
  const v = Float64Array.from(variances);
  const { beta, vcov } = metaRegression({ effects: y, variances: v }, "fixed")!;
  // effects at the center tie, whatever their variance
  const rounding = roundingOf(y, beta);
  const standardised = y.map((own, i) => {
    const residual = own - beta[0]!;
    return Math.abs(residual) <= rounding ? 0 : residual / Math.sqrt(v[i]! - vcov.data[0]!);
  });
  const { S, tau, ties, variance } = rankConcordance(settleTies(standardised)[0]!, settleTies(v)[0]!);
  const k = y.length;
  const pairs = (k * (k - 1)) / 2;
  const exact = !ties && k <= MOST_COUNTED;
  const corrected = Math.sign(S) * Math.max(0, Math.abs(S) - 1);
  const [z, zCorrected] = [S / Math.sqrt(variance), corrected / Math.sqrt(variance)];
  const pNormal = Math.min(1, 2 * normalSf(Math.abs(z)));
  // the distribution is symmetric about half of the pairs
  const counted = (): number => Math.min(1, 2 * kendallTail((pairs + Math.abs(S)) / 2, k, "upper"));
  return {
    tau,
    s: S,
    p: exact ? counted() : pNormal,
    exact,
    ties,
    z,
    pNormal,
    zCorrected,
    pCorrected: Math.min(1, 2 * normalSf(Math.abs(zCorrected))),
    standardised: Array.from(standardised),
  };
}

export interface EggerTest {
  /** The bias. */
  readonly intercept: number;
  readonly se: number;
  readonly t: number;
  readonly df: number;
  readonly p: number;
  /** The effect of an infinitely large study. */
  readonly limit: MetaInterval & { readonly estimate: number; readonly se: number };
  readonly residualSd: number;
  /** y on se with τ² by REML. */
  readonly mixed: {
    readonly slope: number;
    readonly se: number;
    readonly z: number;
    readonly p: number;
    readonly limit: MetaInterval & { readonly estimate: number };
    readonly tau2: number;
  };
  /** y on se with τ² = 0. */
  readonly fixed: { readonly z: number; readonly p: number; readonly limit: number };
}

/** Standard errors that differ by less than this share of them are the same but for rounding. */
const SAME = 1e-9;

export function eggerTest(
  effects: ArrayLike<number>,
  variances: ArrayLike<number>,
  { confidence = 0.95 }: { readonly confidence?: number } = {},
): EggerTest {
  checkEffects(effects, variances, 3);
  const data = {
    effects: Float64Array.from(effects),
    variances: Float64Array.from(variances),
    moderators: [Float64Array.from(variances, Math.sqrt)],
  };
  const k = data.effects.length;
  const errors = data.moderators[0]!;
  if (mostOf(errors) - leastOf(errors) <= SAME * mostOf(errors)) {
    throw new StatError(
      "NoSpread",
      "all effects have the same standard error: there are no smaller and larger studies.",
      "give studies of different sizes.",
    );
  }
  if (isConstant(data.effects)) {
    throw new StatError("NoSpread", "all effects are equal: no line through them has an error.", "check the effects.");
  }
  const [fixed, mixed] = [metaRegression(data, "fixed")!, metaRegression(data, "reml")!];
  const alpha = (1 - confidence) / 2;
  // y/se on 1/se is y on se with weights 1/v: same sums, and the slope there is the intercept here
  const variance = fixed.rss / (k - 2);
  const se = (j: number): number => Math.sqrt(variance * fixed.vcov.data[j * 3]!);
  const [limit, intercept] = [fixed.beta[0]!, fixed.beta[1]!];
  const t = intercept / se(1);
  const half = tQuantileUpper(alpha, k - 2) * se(0);
  const zOf = (fit: typeof fixed): number => fit.beta[1]! / Math.sqrt(fit.vcov.data[3]!);
  const twoSided = (z: number): number => Math.min(1, 2 * normalSf(Math.abs(z)));
  const reach = normalQuantileUpper(alpha) * Math.sqrt(mixed.vcov.data[0]!);
  return {
    intercept,
    se: se(1),
    t,
    df: k - 2,
    p: Math.min(1, 2 * tSf(Math.abs(t), k - 2)),
    limit: { estimate: limit, se: se(0), lower: limit - half, upper: limit + half },
    residualSd: Math.sqrt(variance),
    mixed: {
      slope: mixed.beta[1]!,
      se: Math.sqrt(mixed.vcov.data[3]!),
      z: zOf(mixed),
      p: twoSided(zOf(mixed)),
      limit: { estimate: mixed.beta[0]!, lower: mixed.beta[0]! - reach, upper: mixed.beta[0]! + reach },
      tau2: mixed.tau2,
    },
    fixed: { z: zOf(fixed), p: twoSided(zOf(fixed)), limit },
  };
}
