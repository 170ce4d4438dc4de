/** Evidence against "no difference" from a whole stream: e as it stands, and the smallest 1/e on the way, which is a p-value however often one looked.
 *    pairs   wins and losses, mixture with Beta(1, 1) (e-process.ts)
 *    bets    values in [0, 1] against the mean m: max(½K⁺, ½K⁻) of the hedged capital (betting.ts), at most ½/m and ½/(1 - m) bet
 *  Reference: as those files. Ville (1939): P(e ever reaches 1/α) ≤ α.
 *  Oracle:    followPairs and logCapital step by step (always-valid.test.ts); test/calibration/peeking.calibrate.ts. */
import { betsOf } from "./betting.ts";
import { logEvidence, mixtureEvidence } from "./e-process.ts";

export interface AnytimeEvidence {
  readonly eValue: number;
  /** Smallest 1/e so far, at most 1. */
  readonly p: number;
}

export interface PairsEvidence extends AnytimeEvidence {
  readonly wins: number;
  readonly losses: number;
  /** Of the share of wins; holds at any time. */
  readonly winShare: { readonly lower: number; readonly upper: number };
}

/** Differences in the order in which they came: above 0 a win, below 0 a loss. */
export function anytimePairs(differences: ArrayLike<number>, alpha = 0.05): PairsEvidence {
  let [wins, losses, most] = [0, 0, 0];
  for (let i = 0; i < differences.length; i++) {
    if (differences[i]! > 0) wins += 1;
    else if (differences[i]! < 0) losses += 1;
    else continue;
    most = Math.max(most, logEvidence(wins, losses));
  }
  const { eValue, lower, upper } = mixtureEvidence(wins, losses, { alpha });
  return { eValue, p: Math.exp(-most), wins, losses, winShare: { lower, upper } };
}

/** The share of the capital that may be lost in one step. */
const LARGEST_BET = 0.5;

/** Values in [0, 1] in the order in which they came. */
export function anytimeBets(
  values: ArrayLike<number>,
  { alpha = 0.05, m = 0.5 }: { readonly alpha?: number; readonly m?: number } = {},
): AnytimeEvidence {
  const bets = betsOf(values, alpha);
  let [up, down, most, log] = [0, 0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    const gain = values[i]! - m;
    up += Math.log1p(Math.min(bets[i]!, LARGEST_BET / m) * gain);
    down += Math.log1p(-Math.min(bets[i]!, LARGEST_BET / (1 - m)) * gain);
    log = Math.max(up, down) - Math.LN2;
    most = Math.max(most, log);
  }
  return { eValue: Math.exp(log), p: Math.exp(-most) };
}
