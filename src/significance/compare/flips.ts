/** The items that make the difference: where one system is right and the other wrong, or where their scores lie furthest apart. */

import { gainsOf, isBinary } from "./items.ts";
export interface Flip {
  readonly item: string;
  readonly scoreA: number;
  readonly scoreB: number;
}

export interface Flips {
  /** Items that B does better, in the direction of the metric. */
  readonly gained: number;
  readonly lost: number;
  readonly tied: number;
  /** Those furthest apart, gains first; of 0/1 scores in the order of the items. */
  readonly largestGains: readonly Flip[];
  readonly largestLosses: readonly Flip[];
}

const SHOWN = 5;

export function findFlips(
  items: readonly string[],
  { a, b }: { readonly a: Float64Array; readonly b: Float64Array },
  higherIsBetter: boolean,
): Flips {
  const sign = higherIsBetter ? 1 : -1;
  const gains = gainsOf(a, b).map((d) => sign * d);
  const binary = isBinary(a) && isBinary(b);
  // equal differences keep the order of the items
  const pick = (towards: 1 | -1): number[] => {
    const found = Array.from(gains.keys()).filter((i) => towards * gains[i]! > 0);
    return binary ? found : found.sort((i, j) => towards * (gains[j]! - gains[i]!) || i - j);
  };
  const [gained, lost] = [pick(1), pick(-1)];
  const at = (i: number): Flip => ({ item: items[i]!, scoreA: a[i]!, scoreB: b[i]! });
  return {
    gained: gained.length,
    lost: lost.length,
    tied: gains.length - gained.length - lost.length,
    largestGains: gained.slice(0, SHOWN).map(at),
    largestLosses: lost.slice(0, SHOWN).map(at),
  };
}
