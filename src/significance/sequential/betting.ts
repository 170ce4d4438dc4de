/** A confidence sequence of the mean of values in [0, 1] by betting: no assumption on their distribution, valid at every n.
 *      λ_t = √(2 log(2/α) / (σ̂²_{t-1} t log(1 + t))),   μ̂_t = (½ + Σx)/(t + 1),   σ̂²_t = (¼ + Σ(x_i - μ̂_i)²)/(t + 1)
 *      K⁺(m) = Π(1 + min(λ, c/m)(x - m)),   K⁻(m) = Π(1 - min(λ, c/(1-m))(x - m));   the set {m: max(θK⁺, (1-θ)K⁻) < 1/α}
 *  Reference: Waudby-Smith & Ramdas (2024), JRSS B 86 (hedged capital).
 *  Oracle:    oracle/next/always-valid.json (mpmath, 40 digits; the authors' code beside it).
 *  Limits:    values are independent given the past with one mean; repeats of an item enter as their mean. */
import { findRoot } from "../../numeric/optim/brent.ts";
import { StatError } from "../../result/error.ts";

export interface BettingOptions {
  readonly alpha?: number | undefined;
  /** The largest share of the capital that is ever bet. */
  readonly c?: number | undefined;
  /** The share of the capital that bets on larger means. */
  readonly theta?: number | undefined;
}

export interface BettingSequence {
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  /** All sets so far at once. */
  readonly runningLower: readonly number[];
  readonly runningUpper: readonly number[];
}

interface Setting {
  readonly alpha: number;
  readonly c: number;
  readonly theta: number;
}

function settingOf({ alpha = 0.05, c = 0.5, theta = 0.5 }: BettingOptions): Setting {
  if (!(alpha > 0 && alpha < 1 && c > 0 && c < 1 && theta > 0 && theta < 1))
    throw new StatError(
      "BadOption",
      `alpha ${alpha}, c ${c}, theta ${theta}: one is not between 0 and 1.`,
      "give shares.",
    );
  return { alpha, c, theta };
}

/** Bets before they are cut, each from what came before it. */
export function betsOf(values: ArrayLike<number>, alpha = 0.05): Float64Array {
  const bets = new Float64Array(values.length);
  let [sum, squares, variance] = [0.5, 0.25, 0.25];
  for (let i = 0; i < values.length; i++) {
    const t = i + 1;
    bets[i] = Math.sqrt((2 * Math.log(2 / alpha)) / (variance * t * Math.log1p(t)));
    sum += values[i]!;
    squares += (values[i]! - sum / (t + 1)) ** 2;
    variance = squares / (t + 1);
  }
  return bets;
}

/** Log of the capital of both sides after the first n values, if the mean were m. */
export function logCapital(
  values: ArrayLike<number>,
  bets: Float64Array,
  { m, n = values.length, c = 0.5 }: { readonly m: number; readonly n?: number; readonly c?: number },
): { readonly positive: number; readonly negative: number } {
  let [positive, negative] = [0, 0];
  for (let i = 0; i < n; i++) {
    const gain = values[i]! - m;
    positive += Math.log1p(Math.min(bets[i]!, c / m) * gain);
    negative += Math.log1p(-Math.min(bets[i]!, c / (1 - m)) * gain);
  }
  return { positive, negative };
}

/** The set after the first n values. */
function setAfter(
  values: ArrayLike<number>,
  bets: Float64Array,
  n: number,
  { alpha, c, theta }: Setting,
): readonly [number, number] {
  const above = (m: number): number => logCapital(values, bets, { m, n, c }).positive + Math.log(theta * alpha);
  const below = (m: number): number => logCapital(values, bets, { m, n, c }).negative + Math.log((1 - theta) * alpha);
  return [above(0) < 0 ? 0 : findRoot(above, 0, 1).root, below(1) < 0 ? 1 : findRoot(below, 0, 1).root];
}

export function followBetting(values: ArrayLike<number>, options: BettingOptions = {}): BettingSequence {
  const setting = settingOf(options);
  checkValues(values);
  const bets = betsOf(values, setting.alpha);
  const sets = Array.from(values, (_, i) => setAfter(values, bets, i + 1, setting));
  const [runningLower, runningUpper]: [number[], number[]] = [[], []];
  for (const [lower, upper] of sets) {
    runningLower.push(Math.max(runningLower.at(-1) ?? 0, lower));
    runningUpper.push(Math.min(runningUpper.at(-1) ?? 1, upper));
  }
  return { lower: sets.map(([own]) => own), upper: sets.map(([, own]) => own), runningLower, runningUpper };
}

/** The last set alone, without those before it. */
export function bettingInterval(
  values: ArrayLike<number>,
  options: BettingOptions = {},
): { readonly lower: number; readonly upper: number } {
  const setting = settingOf(options);
  checkValues(values);
  const [lower, upper] = setAfter(values, betsOf(values, setting.alpha), values.length, setting);
  return { lower, upper };
}

function checkValues(values: ArrayLike<number>): void {
  const at = Array.from(values).findIndex((value) => !(value >= 0 && value <= 1));
  if (at >= 0)
    throw new StatError(
      "OutOfRange",
      `value ${at + 1} (${values[at]}) is not between 0 and 1.`,
      "bring the scores to 0 … 1 by their known range.",
    );
}
