/** Ratings by raters who differ from object to object (nested), or whose names nobody kept: the one-way layout.   y_ij = μ + ν_i + ε_ij
 *      k₀ = (N - Σ n_i² / N) / (a - 1)        ratings an object, of a objects with n_i ratings, N in all
 *      σ̂_ν² = (B - W)/k₀,  σ̂² = W             B, W: mean squares between and within objects
 *      ICC(1) = (B - W) / (B + (k₀-1) W),  ICC(k) = (B - W)/B, of the mean of k₀ ratings;   F = B/W on (a-1, N-a) df
 *  Intervals from F quantiles; exact where every object has as many ratings, else approximate.
 *  Reference: Shrout & Fleiss (1979), Psychol. Bull. 86; Donner (1986), Int. Stat. Rev. 54 (unequal numbers); Riezler & Hagmann (2021), eq. 3.15.
 *  Oracle:    oracle/reference/reliability.json, to 1e-10.
 *  Limits:    what raters differ by counts as error, since nothing tells it from error. Negative where objects differ less than chance.
 *             Ratings that agree on every object leave F and its limits undefined: NaN. */
import { checkSize } from "../../data/size.ts";
import { lessCenter } from "../../numeric/center.ts";
import { fQuantileUpper, fSf } from "../../numeric/dist/f.ts";
import { StatError } from "../../result/error.ts";

export interface OneWay {
  readonly objects: number;
  readonly ratings: number;
  readonly k0: number;
  readonly msBetween: number;
  readonly msWithin: number;
  readonly f: number;
  readonly df1: number;
  readonly df2: number;
  readonly p: number;
  readonly icc1: number;
  readonly icc1Lower: number;
  readonly icc1Upper: number;
  /** Of the mean of k₀ ratings. */
  readonly icc1k: number;
  readonly icc1kLower: number;
  readonly icc1kUpper: number;
  /** Unconstrained: may be negative. */
  readonly varianceObject: number;
  readonly varianceWithin: number;
  readonly balanced: boolean;
}

/** Share of B below which W is the square of rounding errors. */
const NO_ERROR = 1e-28;

/** `object`: codes from 0 of what each score belongs to. */
export function oneWayIntraclass(
  scores: ArrayLike<number>,
  object: ArrayLike<number>,
  { confidence = 0.95 }: { readonly confidence?: number } = {},
): OneWay {
  checkSize(scores, "the scores");
  const values = lessCenter(Float64Array.from(scores))[0]!;
  const sums = new Map<number, { n: number; sum: number }>();
  for (let i = 0; i < values.length; i++) {
    const own = sums.get(object[i]!) ?? { n: 0, sum: 0 };
    own.n += 1;
    own.sum += values[i]!;
    sums.set(object[i]!, own);
  }
  const [a, N] = [sums.size, values.length];
  if (a < 2) throw new StatError("TooFew", `${a} object${a === 1 ? "" : "s"}.`, "give at least two.");
  if (N === a) throw new StatError("TooFew", "every object has one rating.", "give some of them two or more.");
  const grand = values.reduce((sum, v) => sum + v, 0) / N;
  let [between, within, squares] = [0, 0, 0];
  for (const { n, sum } of sums.values()) {
    between += n * (sum / n - grand) ** 2;
    squares += n * n;
  }
  for (let i = 0; i < N; i++) {
    const { n, sum } = sums.get(object[i]!)!;
    within += (values[i]! - sum / n) ** 2;
  }
  const [df1, df2] = [a - 1, N - a];
  const k0 = (N - squares / N) / (a - 1);
  const [B, W] = [between / df1, within / df2];
  const F = W > NO_ERROR * B ? B / W : Number.NaN;
  const tail = (1 - confidence) / 2;
  const [low, high] = [F / fQuantileUpper(tail, df1, df2), F * fQuantileUpper(tail, df2, df1)];
  const single = (x: number): number => (x - 1) / (x + k0 - 1);
  const sizes = [...sums.values()].map(({ n }) => n);
  return {
    objects: a,
    ratings: N,
    k0,
    msBetween: B,
    msWithin: W,
    f: F,
    df1,
    df2,
    p: fSf(F, df1, df2),
    icc1: (B - W) / (B + (k0 - 1) * W),
    icc1Lower: single(low),
    icc1Upper: single(high),
    icc1k: (B - W) / B,
    icc1kLower: 1 - 1 / low,
    icc1kUpper: 1 - 1 / high,
    varianceObject: (B - W) / k0,
    varianceWithin: W,
    balanced: sizes.every((n) => n === sizes[0]),
  };
}
