/** Joint distribution of Σ_t v_t K_t, K_t ~ Binomial(m_t, 1/2), for whole-number vectors v_t: counted in a box over as many columns
 *  as are linearly independent (of true positives, false positives and false negatives two are: gold labels fix the third). */

/** Items that differ between the systems in the same way, up to the sign. */
export interface SwapKind {
  readonly vector: Float64Array;
  readonly count: number;
}

export interface JointLaw {
  /** Every reachable state: its probability and its sums in all columns (a buffer that is used again). */
  forEach(visit: (probability: number, sums: Float64Array) => void): void;
}

/** Additions: about a second. */
const MOST_WORK = 4e8;
/** Below this a pivot of whole-number columns is rounding. */
const PIVOT = 1e-9;

/** null: not whole numbers, or the box is too large. */
export function countBox(kinds: readonly SwapKind[], mostStates: number): JointLaw | null {
  if (kinds.some(({ vector }) => vector.some((v) => !Number.isInteger(v)))) return null;
  const { pivots, express } = independentColumns(kinds);
  const low = pivots.map((c) => kinds.reduce((sum, { vector, count }) => sum + count * Math.min(0, vector[c]!), 0));
  const high = pivots.map((c) => kinds.reduce((sum, { vector, count }) => sum + count * Math.max(0, vector[c]!), 0));
  const sizes = low.map((l, j) => high[j]! - l + 1);
  const cells = sizes.reduce((product, size) => product * size, 1);
  const items = kinds.reduce((sum, { count }) => sum + count, 0);
  if (cells > mostStates || cells * items > MOST_WORK) return null;
  const strides = sizes.map((_, j) => sizes.slice(0, j).reduce((product, size) => product * size, 1));
  const law = new Float64Array(cells);
  law[low.reduce((at, l, j) => at - l * strides[j]!, 0)] = 1;
  for (const { vector, count } of kinds) {
    const shift = pivots.reduce((sum, c, j) => sum + vector[c]! * strides[j]!, 0);
    for (let i = 0; i < count; i++) addSwap(law, shift);
  }
  return { forEach: (visit) => visitBox(law, { low, sizes, express }, visit) };
}

/** No state leaves the box, so that a shift of the flat index never wraps a column that matters. */
function addSwap(law: Float64Array, shift: number): void {
  const n = law.length;
  if (shift > 0) {
    for (let k = n - 1; k >= shift; k--) law[k] = 0.5 * (law[k]! + law[k - shift]!);
    for (let k = Math.min(shift, n) - 1; k >= 0; k--) law[k]! *= 0.5;
  } else {
    for (let k = 0; k < n + shift; k++) law[k] = 0.5 * (law[k]! + law[k - shift]!);
    for (let k = Math.max(0, n + shift); k < n; k++) law[k]! *= 0.5;
  }
}

interface Box {
  readonly low: readonly number[];
  readonly sizes: readonly number[];
  readonly express: readonly Float64Array[];
}

function visitBox(
  law: Float64Array,
  { low, sizes, express }: Box,
  visit: (p: number, sums: Float64Array) => void,
): void {
  const sums = new Float64Array(express.length);
  const state = new Float64Array(sizes.length);
  for (let at = 0; at < law.length; at++) {
    if (law[at] === 0) continue;
    let rest = at;
    for (let j = 0; j < sizes.length; j++) {
      state[j] = low[j]! + (rest % sizes[j]!);
      rest = Math.floor(rest / sizes[j]!);
    }
    for (let c = 0; c < sums.length; c++) {
      let value = 0;
      for (let j = 0; j < state.length; j++) value += express[c]![j]! * state[j]!;
      sums[c] = Math.round(value);
    }
    visit(law[at]!, sums);
  }
}

/** Columns of the kinds' matrix that span the others, and the factors that express every column by them (Gauss-Jordan). */
function independentColumns(kinds: readonly SwapKind[]): { pivots: number[]; express: Float64Array[] } {
  const rows = kinds.map(({ vector }) => Float64Array.from(vector));
  const width = rows[0]!.length;
  const pivots: number[] = [];
  for (let c = 0; c < width && pivots.length < rows.length; c++) {
    const at = pivots.length;
    let best = at;
    for (let i = at; i < rows.length; i++) if (Math.abs(rows[i]![c]!) > Math.abs(rows[best]![c]!)) best = i;
    if (Math.abs(rows[best]![c]!) < PIVOT) continue;
    [rows[at], rows[best]] = [rows[best]!, rows[at]!];
    const pivot = rows[at]!;
    const inverse = 1 / pivot[c]!;
    for (let k = 0; k < width; k++) pivot[k]! *= inverse;
    for (const row of rows) {
      const factor = row[c]!;
      if (row !== pivot && factor !== 0) for (let k = 0; k < width; k++) row[k]! -= factor * pivot[k]!;
    }
    pivots.push(c);
  }
  // after elimination, row j holds the factor of pivot column j in every column
  const express = Array.from({ length: width }, (_, c) => Float64Array.from(pivots, (_p, j) => rows[j]![c]!));
  return { pivots, express };
}
