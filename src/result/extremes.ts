/** The least and the greatest of any number of values: what is spread over the arguments of a call ends at some hundred thousand, and a
 *  stranger's file has more. Of none they are ±Infinity, of NaN NaN, as with Math.min and Math.max. */

export function leastOf(values: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) least = Math.min(least, value);
  return least;
}

export function mostOf(values: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) most = Math.max(most, value);
  return most;
}
