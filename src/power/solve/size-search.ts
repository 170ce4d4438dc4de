/** The smallest size that has the wanted power, and, where none has it, why: what is held keeps the power below a limit, which is that
 *  of the largest size that can be had, or of as good as infinitely many (10⁸).
 *  Exact power of a discrete test is a saw-tooth in n: one more item can lower it. The search looks ahead over as many sizes as teeth
 *  can reach (the family knows), starting again after each size that misses.
 *  Reference: Chernick & Liu (2002), Am. Stat. 56 (saw-tooth); Westfall, Kenny & Judd (2014), J. Exp. Psychol. Gen. 143 (limits of power
 *             where raters or items are few).
 *  Oracle:    brute force over all n; the noncentral t distribution for infinitely many items. */
import { findFirst } from "../../numeric/optim/brent.ts";
import { StatError } from "../../result/error.ts";
import { formatNumber } from "../../result/number-format.ts";
import { formatBeside, type PowerMethod } from "../result.ts";
import type { HeldParameter, Scenario, ScenarioFamily, ScenarioParameters } from "../scenario.ts";
import { boundsOf, computeFigures } from "./solve.ts";

/** As good as infinitely many. */
const LARGEST_SIZE = 1e8;

export interface SizeQuestion {
  readonly family: ScenarioFamily;
  readonly params: ScenarioParameters;
  /** The parameter to be found. */
  readonly size: string;
  readonly target: number;
  readonly method: PowerMethod;
}

export interface FoundSize {
  readonly n: number;
  readonly power: number;
  readonly powerBelow: number;
  readonly lookedAhead: number;
}

/** What `size` may solve for. */
export function checkSize(family: ScenarioFamily, wanted: string = family.size): string {
  const sizes = [family.size, ...(family.otherSizes ?? [])];
  if (sizes.includes(wanted)) return wanted;
  throw new StatError(
    "BadParameter",
    `${family.name} cannot be solved for ${wanted}.`,
    `it can be for ${sizes.join(" or ")}.`,
  );
}

/** Without drawing: a simulated scenario by its approximation. */
function powerOf(scenario: Scenario, method: PowerMethod): number {
  const closed = scenario.approximatePower === undefined ? "exact" : "approx";
  return computeFigures(scenario, method === "simulation" ? closed : method).power;
}

/** Throws where no size has the power. */
export function searchSize(question: SizeQuestion): FoundSize {
  const found = firstSize(question);
  if (typeof found !== "number") return found;
  throw refuseSize(question, found);
}

/** Before anything is drawn: refuses what no size can reach by the closed form. */
export function requireReachable(question: SizeQuestion): void {
  const { family, params, size, target, method } = question;
  const { least, most, step } = boundsOf(family, params, size);
  const largest = Math.floor(Math.min(most, LARGEST_SIZE) / step) * step;
  const scenario = family.make({ ...params, [size]: Math.max(least, largest) });
  if (scenario.approximatePower === undefined && scenario.exactPower === undefined) return;
  const power = powerOf(scenario, method);
  if (power < target) throw refuseSize(question, power);
}

/** The answer, or the power of the largest size where that is not enough. */
function firstSize({ family, params, size, target, method }: SizeQuestion): FoundSize | number {
  const { least, most, step } = boundsOf(family, params, size);
  const powerAt = (steps: number): number => powerOf(family.make({ ...params, [size]: steps * step }), method);
  const enough = (steps: number): boolean => powerAt(steps) >= target;
  const ahead = (steps: number): number => Math.ceil((family.lookAhead?.(params, steps * step) ?? 0) / step);
  const smallest = Math.ceil(least / step);
  const largest = Math.max(smallest, Math.floor(Math.min(most, LARGEST_SIZE) / step));
  let high = smallest;
  while (!enough(high)) {
    if (high >= largest) return powerAt(largest);
    high = Math.min(2 * high, largest);
  }
  let n = findFirst(Math.max(smallest, Math.floor(high / 2)), high, enough);
  // teeth: every size that misses moves the start behind it
  for (let k = n + 1; k <= Math.min(largest, n + ahead(n)); k++) {
    if (!enough(k)) n = k + 1;
  }
  while (n < largest && !enough(n)) n++;
  return {
    n: n * step,
    power: powerAt(n),
    powerBelow: n > smallest ? powerAt(n - 1) : Number.NaN,
    lookedAhead: ahead(n),
  };
}

/** Why no size has the power, and what would. `power`: that of the largest size. */
export function refuseSize(question: SizeQuestion, power: number): StatError {
  const { family, params, size, target } = question;
  const { most, held } = boundsOf(family, params, size);
  const noun = size;
  if (held === undefined && most >= LARGEST_SIZE) {
    return new StatError(
      "TooLarge",
      `${noun === "n" ? "an n" : noun} of more than ${formatNumber(LARGEST_SIZE, "integer")} would be needed for a power of ${target}.`,
      "accept a lower power, or measure with less noise: the design cannot show so small an effect.",
    );
  }
  const limit = formatBeside(power, target);
  const given = held === undefined ? "this design" : `${held.value} ${held.noun}`;
  const found =
    most < LARGEST_SIZE
      ? `with ${given} there can be at most ${most} ${noun}, which have a power of ${limit}, not ${target}.`
      : `with ${given} the power cannot exceed ${limit}, however ${noun === "n" ? "large n is" : `many ${noun} there are`}: ${held!.why}.`;
  return new StatError("PowerCeiling", found, `${remedy(question)} Or accept a lower power.`.trim());
}

/** For an effect that the experiment cannot see: the size that could, or what keeps every size from it. */
export function whatItTakes(question: SizeQuestion): string {
  const { family, params, size } = question;
  const scenario = family.make(params);
  if (scenario.approximatePower === undefined && scenario.exactPower === undefined) return COLLECT;
  const found = firstSize({ ...question, params: { ...params, [size]: undefined } });
  if (typeof found !== "number") return `${COLLECT.slice(0, -1)}: it takes at least ${withNoun(size, found.n)}.`;
  return remedy(question) || COLLECT;
}

const COLLECT = "collect more data.";

/** Beyond the least number of what is held, with which the other would have to be without end: as many more as are within reason. */
const COMFORT = 1.25;

/** What would have the power, as a sentence. */
function remedy(question: SizeQuestion): string {
  const { family, params, size, target } = question;
  const { held, most } = boundsOf(family, params, size);
  const least = held === undefined ? undefined : leastHeld(question, held);
  if (held === undefined || least === undefined) {
    return most < LARGEST_SIZE
      ? "let each rater rate more texts (`perRater`), or fewer of them each text (`ratings`)."
      : "";
  }
  const more = Math.ceil((COMFORT * least) / held.step) * held.step;
  const enough = firstSize({ ...question, params: { ...params, [held.parameter]: more } });
  const example = typeof enough === "number" ? "" : `; with ${more}, ${withNoun(size, enough.n)} will do`;
  return `a power of ${target} takes at least ${least} ${held.noun}${example}.`;
}

export const withNoun = (size: string, n: number): string => (size === "n" ? `n = ${n}` : `${n} ${size}`);

/** The least number of what is held with which some size has the power. */
function leastHeld(question: SizeQuestion, held: HeldParameter): number | undefined {
  const { family, params, size, target, method } = question;
  const reaches = (steps: number): boolean => {
    const own = { ...params, [held.parameter]: steps * held.step };
    try {
      const { least, most, step } = boundsOf(family, own, size);
      const largest = Math.floor(Math.min(most, LARGEST_SIZE) / step) * step;
      return largest >= least && powerOf(family.make({ ...own, [size]: largest }), method) >= target;
    } catch (error) {
      // a number with which no design can be built
      if (error instanceof StatError) return false;
      throw error;
    }
  };
  let low = Math.floor(held.value / held.step);
  let high = Math.max(1, low);
  while (!reaches(high)) {
    if (high * held.step >= LARGEST_SIZE) return undefined;
    low = high;
    high *= 2;
  }
  return findFirst(low, high, reaches) * held.step;
}
