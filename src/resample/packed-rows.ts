/** Several whole numbers in one double, so that one addition sums them all: counts of n-grams, errors and words are small, and a
 *  double holds 53 bits. Columns c_1, c_2, … of a group become  Σ c_j 2^(s_j),  each with as many bits as the largest sum that it can
 *  come to, and a sign; a sum of rows is then the same form of the sums, exactly, and is taken apart by rounding from the top.
 *  Limits: rows of whole numbers; others are left as they are, a column to a double. */

export interface PackedRows {
  readonly rows: Float64Array;
  readonly width: number;
  /** Writes the sums of the columns, given those of the packed rows from `at` on. */
  unpackInto(target: Float64Array, sums: Float64Array, at?: number): void;
}

const BITS = 53;

/** `bounds[c]`: no sum of column c that will be asked for is larger in size. */
export function packRows(rows: Float64Array, width: number, bounds: Float64Array): PackedRows {
  const bits = Array.from(bounds, (bound) => Math.ceil(Math.log2(2 * bound + 2)));
  const groups = rows.every(Number.isInteger) ? groupByBits(bits) : bits.map((_, c) => [c]);
  const packed = groups.length;
  if (packed === width) return { rows, width, unpackInto: copyInto };
  const first = Float64Array.from(groups, ([c]) => c!);
  const scales = new Float64Array(width);
  for (const columns of groups) {
    let shift = 0;
    for (const c of columns) {
      scales[c] = 2 ** shift;
      shift += bits[c]!;
    }
  }
  const result = new Float64Array((rows.length / width) * packed);
  for (let row = 0, to = 0; row < rows.length; row += width, to += packed) {
    for (let g = 0; g < packed; g++) for (const c of groups[g]!) result[to + g]! += rows[row + c]! * scales[c]!;
  }
  const unpackInto = (target: Float64Array, sums: Float64Array, at = 0): void => {
    for (let g = 0; g < packed; g++) {
      let rest = sums[at + g]!;
      const end = first[g + 1] ?? width;
      for (let c = end - 1; c >= first[g]!; c--) {
        const value = Math.round(rest / scales[c]!) + 0; // never -0, which a score may divide by
        target[c] = value;
        rest -= value * scales[c]!;
      }
    }
  };
  return { rows: result, width: packed, unpackInto };
}

/** Neighbouring columns together, as many as a double holds. */
function groupByBits(bits: readonly number[]): number[][] {
  const groups: number[][] = [];
  let room = 0;
  bits.forEach((needed, c) => {
    if (needed <= room) groups.at(-1)!.push(c);
    else groups.push([c]);
    room = (needed <= room ? room : BITS) - needed;
  });
  return groups;
}

function copyInto(target: Float64Array, sums: Float64Array, at = 0): void {
  for (let c = 0; c < target.length; c++) target[c] = sums[at + c]!;
}
