/** What one step of the search for the variances of a mixed model takes, asked before anything of that size is allocated.
 *
 *  Levels of the largest grouping factor are eliminated one by one; what is left joins the levels of the others that meet, and
 *  fills up: 5,000 levels that meet at random through 100,000 others leave 5,000² / 2 numbers, and 5,000³ / 3 multiplications
 *  to factor them. The counts come from the symbolic analysis (numeric/linalg/symbolic.ts) or from the order of what is left. */
import { StatError } from "../../result/error.ts";

const GIGABYTE = 2 ** 30;
export const DEFAULT_MAX_MEMORY = GIGABYTE;
/** For a gigabyte: a dense factor of order 3,900, whose fit takes a minute or two. Time grows as the power 3/2 of memory. */
const MULTIPLICATIONS = 2e10;

export interface StepCost {
  /** Numbers of 8 bytes. */
  readonly numbers: number;
  readonly multiplications: number;
}

/** Where to stop counting: beyond it the model is refused anyway. */
export function mostNumbers(maxMemory: number): number {
  return maxMemory / 8;
}

export function mostMultiplications(maxMemory: number): number {
  return MULTIPLICATIONS * (maxMemory / GIGABYTE) ** 1.5;
}

/** `left` are the grouping factors that are left when the levels of `eliminated` are gone. */
export function refuseStep(
  cost: StepCost,
  { eliminated, left, maxMemory }: { eliminated: string; left: readonly string[]; maxMemory: number },
): void {
  const most = mostMultiplications(maxMemory);
  if (cost.numbers <= mostNumbers(maxMemory) && cost.multiplications <= most) return;
  const names = left.join(" and ");
  throw new StatError(
    "TooCostly",
    `the random effects of ${eliminated} and ${names} meet in so many ways that every step of the fit would take ${sayCost(cost)}; there is room for ${sayCost({ numbers: mostNumbers(maxMemory), multiplications: most })}.`,
    `Leave the term of ${names} out, average the rows over it, fit a sample of its levels, or raise \`maxMemory\`.`,
  );
}

function sayCost({ numbers, multiplications }: StepCost): string {
  return `${((8 * numbers) / GIGABYTE).toPrecision(2)} GB and ${multiplications.toExponential(1)} multiplications`;
}
