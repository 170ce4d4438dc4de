/** One mean of many estimated effects, by inverse variances: as if there were one effect (fixed), and as if effects differed (random).
 *    fixed   μ = Σwy/Σw,  w = 1/v,  se = 1/√Σw;   Q = Σw(y - μ)² ~ χ²(k-1) if there is one effect
 *    random  the same with w = 1/(v + τ²), τ² by DerSimonian & Laird or REML (regression.ts)
 *    Knapp & Hartung   se² = Σw(y - μ)²/((k - 1)Σw), t on k-1 df; without the ad-hoc bound, so that it may be the smaller one
 *    I² = τ²/(τ² + s²),  H² = 1 + τ²/s²,  s² = (k-1)/(Σw - Σw²/Σw) at w = 1/v
 *    prediction  μ ± c √(se² + τ²), c of the estimate's own law; Higgins' takes t on k-2
 *    τ² interval by Q-profile: Q(τ²) = χ² quantiles on k-1
 *  Reference: DerSimonian & Laird (1986), Control. Clin. Trials 7; Knapp & Hartung (2003), Stat. Med. 22; Higgins & Thompson (2002), Stat. Med. 21;
 *             Viechtbauer (2007), Stat. Med. 26 (Q-profile); Higgins, Thompson & Spiegelhalter (2009), J. R. Stat. Soc. A 172 (prediction).
 *  Oracle:    metafor (R) with its stopping rule tightened, oracle/next/meta-analysis.json — 1e-8.
 *  Limits:    variances are taken as known; effects are independent: several claims on one test set are not quite. */

import { checkSize } from "../../data/size.ts";
import { chiSquareQuantile, chiSquareQuantileUpper, chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { normalQuantileUpper, normalSf } from "../../numeric/dist/normal.ts";
import { tQuantileUpper, tSf } from "../../numeric/dist/t.ts";
import { findRoot } from "../../numeric/optim/brent.ts";
import { StatError } from "../../result/error.ts";
import { mostOf } from "../../result/extremes.ts";
import { present } from "../../result/present.ts";
import { type Heterogeneity, type MetaRegression, metaRegression } from "./regression.ts";

export interface MetaInterval {
  readonly lower: number;
  readonly upper: number;
}

export interface PooledEffect extends MetaInterval {
  readonly estimate: number;
  readonly se: number;
  /** z, or t where there are degrees of freedom. */
  readonly statistic: number;
  readonly df?: number;
  readonly p: number;
  /** Of the effects, in percent. */
  readonly weights: readonly number[];
}

export interface RandomEffects extends PooledEffect {
  readonly tau2: number;
  readonly tau2Se: number;
  /** Percent. */
  readonly i2: number;
  readonly h2: number;
  readonly prediction: MetaInterval;
  /** Higgins' interval, t on k - 2 df. */
  readonly predictionHiggins: MetaInterval;
  /** Restricted log-likelihood. */
  readonly logLik: number;
}

export interface PooledEffects {
  readonly k: number;
  readonly q: number;
  readonly qDf: number;
  readonly qP: number;
  readonly fixed: PooledEffect;
  readonly dl: RandomEffects;
  readonly dlKnappHartung: RandomEffects;
  readonly reml: RandomEffects;
  readonly remlKnappHartung: RandomEffects;
  /** Of τ², by Q-profile. */
  readonly tau2: MetaInterval;
}

/** Finite effects and positive variances, two at least. */
export function checkEffects(effects: ArrayLike<number>, variances: ArrayLike<number>, least = 2): void {
  if (effects.length !== variances.length) {
    throw new StatError(
      "UnpairedLengths",
      `${effects.length} effects against ${variances.length} variances.`,
      "give one variance for each effect.",
    );
  }
  if (effects.length < least) {
    throw new StatError("TooFew", `${effects.length} effects are too few to pool.`, `give at least ${least}.`);
  }
  for (let i = 0; i < effects.length; i++) {
    const [y, v] = [effects[i]!, variances[i]!];
    if (Number.isFinite(y) && v > 0 && v < Number.POSITIVE_INFINITY) continue;
    throw new StatError(
      "BadEffect",
      `effect ${i + 1} is ${y} with a variance of ${v}.`,
      "give finite effects and variances above 0; leave the others out.",
    );
  }
  checkSize(effects, "effects");
  checkSize(Array.from(variances, Math.sqrt), "standard errors");
  checkSize(
    Array.from(variances, (v) => 1 / Math.sqrt(v)),
    "1/standard errors",
  );
}

export function poolEffects(
  effects: ArrayLike<number>,
  variances: ArrayLike<number>,
  { confidence = 0.95 }: { readonly confidence?: number } = {},
): PooledEffects {
  checkEffects(effects, variances);
  const data = { effects: Float64Array.from(effects), variances: Float64Array.from(variances) };
  const k = data.effects.length;
  const of = (method: Heterogeneity): MetaRegression => metaRegression(data, method)!;
  const [fixed, dl, reml] = [of("fixed"), of("dl"), of("reml")];
  const alpha = (1 - confidence) / 2;
  return {
    k,
    q: fixed.q,
    qDf: k - 1,
    qP: chiSquareSf(fixed.q, k - 1),
    fixed: pooled(fixed, Math.sqrt(fixed.vcov.data[0]!), { alpha }),
    dl: random(dl, k, { alpha, knappHartung: false }),
    dlKnappHartung: random(dl, k, { alpha, knappHartung: true }),
    reml: random(reml, k, { alpha, knappHartung: false }),
    remlKnappHartung: random(reml, k, { alpha, knappHartung: true }),
    tau2: profileTau2(data, alpha),
  };
}

const quantile = (alpha: number, df: number | undefined): number =>
  df === undefined ? normalQuantileUpper(alpha) : tQuantileUpper(alpha, df);

function pooled(
  fit: MetaRegression,
  se: number,
  { alpha, df }: { readonly alpha: number; readonly df?: number },
): PooledEffect {
  const estimate = fit.beta[0]!;
  // effects that are all equal have no spread to test by
  const statistic = se > 0 ? estimate / se : Number.NaN;
  const half = se > 0 ? quantile(alpha, df) * se : Number.NaN;
  const size = Math.abs(statistic);
  const total = fit.weights.reduce((a, b) => a + b, 0);
  return {
    estimate,
    se,
    statistic,
    ...present({ df }),
    p: Math.min(1, 2 * (df === undefined ? normalSf(size) : tSf(size, df))),
    lower: estimate - half,
    upper: estimate + half,
    weights: Array.from(fit.weights, (w) => (100 * w) / total),
  };
}

function random(
  fit: MetaRegression,
  k: number,
  { alpha, knappHartung }: { readonly alpha: number; readonly knappHartung: boolean },
): RandomEffects {
  const plain = Math.sqrt(fit.vcov.data[0]!);
  const se = knappHartung ? plain * Math.sqrt(fit.rss / (k - 1)) : plain;
  const df = knappHartung ? k - 1 : undefined;
  const own = pooled(fit, se, { alpha, ...present({ df }) });
  const typical = (k - 1) / fit.trace;
  const around = (c: number): MetaInterval => {
    const half = c * Math.sqrt(se * se + fit.tau2);
    return { lower: own.estimate - half, upper: own.estimate + half };
  };
  const none = { lower: Number.NaN, upper: Number.NaN };
  return {
    ...own,
    tau2: fit.tau2,
    tau2Se: fit.tau2Se,
    i2: (100 * fit.tau2) / (typical + fit.tau2),
    h2: 1 + fit.tau2 / typical,
    prediction: around(quantile(alpha, df)),
    predictionHiggins: k > 2 ? around(tQuantileUpper(alpha, k - 2)) : none,
    logLik: fit.logLik,
  };
}

/** Q falls in τ² from Q(0) to 0. */
function profileTau2(
  { effects, variances }: { readonly effects: Float64Array; readonly variances: Float64Array },
  alpha: number,
): MetaInterval {
  const k = effects.length;
  const q = (tau2: number): number => {
    const w = variances.map((v) => 1 / (v + tau2));
    const total = w.reduce((a, b) => a + b, 0);
    const mean = w.reduce((sum, own, i) => sum + own * effects[i]!, 0) / total;
    return w.reduce((sum, own, i) => sum + own * (effects[i]! - mean) ** 2, 0);
  };
  const end = (target: number): number => {
    if (q(0) <= target) return 0;
    let top = mostOf(variances);
    while (q(top) > target) top *= 2;
    return findRoot((tau2) => q(tau2) - target, 0, top).root;
  };
  return { lower: end(chiSquareQuantileUpper(alpha, k - 1)), upper: end(chiSquareQuantile(alpha, k - 1)) };
}
