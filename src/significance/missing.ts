/** What missing outcomes leave open: bounds of a mean or of a difference, all missing ones counted against it and all for it, and an interval
 *  that covers the true value wherever in between it lies.
 *      item bounds l = (a or lowest) - (b or highest), u = (a or highest) - (b or lowest);  the bounds are their means
 *      [l̄ - C·se_l, ū + C·se_u] with Φ(C + (ū - l̄)/max(se_l, se_u)) - Φ(-C) = level
 *  Reference: Horowitz & Manski (2000), JASA 95; Imbens & Manski (2004), Econometrica 72.
 *  Oracle:    oracle/next/missing-outcomes.json.
 *  Limits:    items are independent; outcomes have a known range. Bounds assume nothing about why an outcome is missing. */
import { normalCdf, normalQuantileUpper } from "../numeric/dist/normal.ts";
import { findRoot } from "../numeric/optim/brent.ts";
import { StatError } from "../result/error.ts";
import { meanOf, varianceOf } from "./samples.ts";
import { mcnemarP } from "./tests/mcnemar.ts";

export interface OutcomeRange {
  readonly lowest?: number | undefined;
  readonly highest?: number | undefined;
  readonly level?: number | undefined;
}

export interface OutcomeBounds {
  readonly lower: number;
  readonly upper: number;
  readonly seLower: number;
  readonly seUpper: number;
  readonly level: number;
  /** Imbens and Manski's C. */
  readonly critical: number;
  /** Covers the true value with probability `level`. */
  readonly ci: { readonly lower: number; readonly upper: number };
  /** Covers both bounds at once. */
  readonly ciBounds: { readonly lower: number; readonly upper: number };
}

export interface PairedBounds extends OutcomeBounds {
  readonly items: number;
  readonly bothObserved: number;
  readonly onlyFirstMissing: number;
  readonly onlySecondMissing: number;
  readonly bothMissing: number;
  /** Whether both bounds have one sign. */
  readonly signKnown: boolean;
  /** First minus second where both are there. */
  readonly completeCases: { readonly estimate: number; readonly se: number };
  /** Every missing outcome counted as the lowest. */
  readonly asLowest: number;
  /** Exact McNemar of 0/1 outcomes in the completions that are worst and best for the first. */
  readonly mcnemar?: { readonly worst: DiscordantP; readonly best: DiscordantP };
}

export interface DiscordantP {
  readonly firstOnly: number;
  readonly secondOnly: number;
  readonly p: number;
}

/** The interval around bounds with their errors. */
export function boundInterval(
  { lower, upper, seLower, seUpper }: Pick<OutcomeBounds, "lower" | "upper" | "seLower" | "seUpper">,
  level = 0.95,
): OutcomeBounds {
  if (!(level > 0 && level < 1))
    throw new StatError("BadOption", `level ${level} is not between 0 and 1.`, "give a proportion.");
  const width = (upper - lower) / Math.max(seLower, seUpper);
  const [z, least] = [normalQuantileUpper((1 - level) / 2), normalQuantileUpper(1 - level)];
  const excess = (c: number): number => normalCdf(c + width) - normalCdf(-c) - level;
  const critical = !(width > 0) ? z : !(excess(least) < 0) ? least : findRoot(excess, least, z).root;
  const around = (c: number) => ({ lower: lower - c * seLower, upper: upper + c * seUpper });
  return { lower, upper, seLower, seUpper, level, critical, ci: around(critical), ciBounds: around(z) };
}

/** One mean of outcomes, NaN where one is missing. */
export function boundMean(values: ArrayLike<number>, options: OutcomeRange = {}): OutcomeBounds {
  const { lowest, highest, level } = rangeOf(options);
  const filled = (by: number): number[] => Array.from(values, (value) => (Number.isNaN(value) ? by : value));
  const [low, high] = [momentsOf(filled(lowest)), momentsOf(filled(highest))];
  return boundInterval({ lower: low.mean, upper: high.mean, seLower: low.se, seUpper: high.se }, level);
}

/** First minus second of independent samples, from bounds of each. */
export function boundDifference(first: OutcomeBounds, second: OutcomeBounds, level = first.level): OutcomeBounds {
  return boundInterval(
    {
      lower: first.lower - second.upper,
      upper: first.upper - second.lower,
      seLower: Math.hypot(first.seLower, second.seUpper),
      seUpper: Math.hypot(first.seUpper, second.seLower),
    },
    level,
  );
}

/** First minus second on the same items, NaN where an outcome is missing. */
export function boundPairs(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  options: OutcomeRange = {},
): PairedBounds {
  const { lowest, highest, level } = rangeOf(options);
  if (first.length !== second.length)
    throw new StatError(
      "UnequalLengths",
      `${first.length} outcomes and ${second.length}.`,
      "give those of the same items.",
    );
  checkRange([...Array.from(first), ...Array.from(second)], { lowest, highest });
  const or = (value: number, by: number): number => (Number.isNaN(value) ? by : value);
  const each = (value: (a: number, b: number) => number): number[] => Array.from(first, (a, i) => value(a, second[i]!));
  const [low, high] = [
    momentsOf(each((a, b) => or(a, lowest) - or(b, highest))),
    momentsOf(each((a, b) => or(a, highest) - or(b, lowest))),
  ];
  const missing = each((a, b) => (Number.isNaN(a) ? 1 : 0) + (Number.isNaN(b) ? 2 : 0));
  const count = (which: number): number => missing.filter((own) => own === which).length;
  const complete = momentsOf(each((a, b) => a - b).filter((own) => !Number.isNaN(own)));
  const binary =
    lowest === 0 &&
    highest === 1 &&
    [...Array.from(first), ...Array.from(second)].every((own) => Number.isNaN(own) || own === 0 || own === 1);
  return {
    ...boundInterval({ lower: low.mean, upper: high.mean, seLower: low.se, seUpper: high.se }, level),
    items: first.length,
    bothObserved: count(0),
    onlyFirstMissing: count(1),
    onlySecondMissing: count(2),
    bothMissing: count(3),
    signKnown: low.mean > 0 || high.mean < 0,
    completeCases: { estimate: complete.mean, se: complete.se },
    asLowest: momentsOf(each((a, b) => or(a, lowest) - or(b, lowest))).mean,
    ...(binary
      ? {
          mcnemar: {
            worst: discordant(each((a, b) => or(a, 0) - or(b, 1))),
            best: discordant(each((a, b) => or(a, 1) - or(b, 0))),
          },
        }
      : {}),
  };
}

function discordant(differences: readonly number[]): DiscordantP {
  const firstOnly = differences.filter((own) => own > 0).length;
  const secondOnly = differences.filter((own) => own < 0).length;
  return { firstOnly, secondOnly, p: mcnemarP(firstOnly, secondOnly, { method: "exact" }) };
}

function rangeOf({
  lowest = 0,
  highest = 1,
  level = 0.95,
}: OutcomeRange): Required<{ [K in keyof OutcomeRange]: number }> {
  if (!(lowest < highest))
    throw new StatError(
      "BadOption",
      `outcomes from ${lowest} to ${highest}: no range.`,
      "give the lowest and the highest possible outcome.",
    );
  return { lowest, highest, level };
}

function checkRange(
  values: readonly number[],
  { lowest, highest }: { readonly lowest: number; readonly highest: number },
): void {
  const outside = values.find((value) => value < lowest || value > highest);
  if (outside !== undefined)
    throw new StatError(
      "OutOfRange",
      `an outcome of ${outside} is not between ${lowest} and ${highest}.`,
      "give the range of the outcomes.",
    );
}

function momentsOf(list: readonly number[]): { mean: number; se: number } {
  const values = Float64Array.from(list);
  return { mean: meanOf(values), se: Math.sqrt(varianceOf(values) / values.length) };
}
