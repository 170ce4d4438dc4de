/** Are all numbers multiples of one unit? Scores of 0 and 1, Likert points, halves, thirds (means of three runs) and rounded
 *  decimals are, and then sums of them can be counted exactly.
 *  The unit is their greatest common divisor by Euclid's algorithm with remainders of nearest size, taken as 0 below
 *  TOLERANCE times the largest number; it is then set so that the largest number is a whole multiple, and every number checked.
 *  Limits:    numbers closer than TOLERANCE times the largest one count as equal. */

/** Rounding of decimals leaves about 1e-16 of the largest score, and a printed score seldom has ten digits. */
const TOLERANCE = 1e-10;
/** With a finer unit than this no table of sums fits; the numbers are as good as continuous. */
const MOST_STEPS = 1 << 20;

export interface Lattice {
  readonly unit: number;
  /** values[i] = steps[i] * unit */
  readonly steps: Int32Array;
}

/** null: no unit within the tolerance. */
export function findLattice(values: Float64Array): Lattice | null {
  let largest = 0;
  for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  if (!Number.isFinite(largest)) return null;
  if (largest === 0) return { unit: 1, steps: new Int32Array(values.length) };
  const zero = TOLERANCE * largest;
  let unit = largest;
  for (let i = 0; i < values.length; i++) {
    const value = Math.abs(values[i]!);
    if (value > zero) unit = commonDivisor(unit, value, zero);
    if (largest > MOST_STEPS * unit) return null;
  }
  return countSteps(values, largest / Math.round(largest / unit), zero);
}

function commonDivisor(a: number, b: number, zero: number): number {
  while (b > zero) {
    const rest = Math.abs(a - b * Math.round(a / b));
    a = b;
    b = rest;
  }
  return a;
}

function countSteps(values: Float64Array, unit: number, zero: number): Lattice | null {
  const steps = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const step = Math.round(values[i]! / unit);
    if (Math.abs(values[i]! - step * unit) > zero) return null;
    steps[i] = step;
  }
  return { unit, steps };
}
