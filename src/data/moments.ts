/** Summaries of plain numbers, none of them missing; no value gives NaN. */

/** Two passes, as R: the second takes away what rounding left in the first. */
export function mean(values: Float64Array): number {
  const n = values.length;
  let sum = 0;
  for (let i = 0; i < n; i += 1) sum += values[i]!;
  const first = sum / n;
  if (!Number.isFinite(first)) return first;
  let rest = 0;
  for (let i = 0; i < n; i += 1) rest += values[i]! - first;
  return first + rest / n;
}

/** Sample standard deviation with n − 1; NaN below two values. */
export function standardDeviation(values: Float64Array): number {
  const n = values.length;
  if (n < 2) return Number.NaN;
  const center = mean(values);
  let squares = 0;
  for (let i = 0; i < n; i += 1) squares += (values[i]! - center) ** 2;
  return Math.sqrt(squares / (n - 1));
}

/** Quantile by linear interpolation between order statistics of a sorted array.
 *  Reference: Hyndman & Fan (1996), The American Statistician 50(4), definition 7, R's default. */
export function quantile(sorted: Float64Array, p: number): number {
  const n = sorted.length;
  if (n === 0) return Number.NaN;
  const h = (n - 1) * p;
  const below = Math.floor(h);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, n - 1)]!;
  // Equal neighbours may be infinite, and their difference undefined.
  return low === high ? low : low + (h - below) * (high - low);
}
