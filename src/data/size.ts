/** How large may a score be? Tests multiply two sums of squares of scores or of their spread, which may be 1e-15 of them. Numbers from 1e-308
 *  to 1e308 hold that for scores between 1e-50 and 1e50. Beyond, a spread becomes 0 or infinite, and p with it: such scores are refused. */
import { StatError } from "../result/error.ts";

const LARGEST = 1e50;
const SMALLEST = 1e-50;

/** The largest value decides: among ordinary scores tiny ones are as good as 0. Missing values count for nothing. */
export function checkSize(
  values: ArrayLike<number>,
  name: string,
  fix = (unit: string): string => `use other units: divide by ${unit}.`,
): void {
  let largest = 0;
  for (let i = 0; i < values.length; i++) if (Math.abs(values[i]!) > largest) largest = Math.abs(values[i]!);
  if (largest === 0 || (largest <= LARGEST && largest >= SMALLEST)) return;
  throw new StatError(
    "OutOfRange",
    `the largest value of ${name} is ${written(largest, 1)}: squares of it leave the range of numbers.`,
    fix(written(largest, 0)),
  );
}

const written = (value: number, digits: number): string => value.toExponential(digits).replace("+", "");
