/** Levels of a grouping factor whose blocks coincide, so that one elimination serves all of them (balanced designs).
 *
 *  Two levels are one pattern when their blocks of A11 and of A12 are equal number for number. Eliminating the
 *  representatives with `count` (block.ts, level-columns.ts) gives the Schur complement and log-determinant of all.
 *  Limits:    exact equality; a right side differs from level to level and must be summed over a pattern by the caller. */
import type { BlockDiagonal } from "./block.ts";
import type { LevelColumns } from "./level-columns.ts";
import type { Matrix } from "./matrix.ts";
import { zeros } from "./matrix.ts";

export interface LevelPatterns {
  /** Pattern of each level. */
  readonly patternOf: Int32Array;
  /** First level of each pattern. */
  readonly representative: Int32Array;
  /** Levels per pattern, and the same for each of the pattern's q rows. */
  readonly count: Float64Array;
  readonly rowCount: Float64Array;
}

export function findLevelPatterns(A11: BlockDiagonal, A12: Matrix | LevelColumns): LevelPatterns {
  const { levels, size: q } = A11;
  const key = "start" in A12 ? (l: number) => levelKey(A12, l) : (l: number) => rowsKey(A12, l * q, q);
  const known = new Map<string, number>();
  const patternOf = new Int32Array(levels);
  const representative: number[] = [];
  const count: number[] = [];
  for (let l = 0; l < levels; l++) {
    const text = `${A11.data.subarray(l * q * q, (l + 1) * q * q).join()};${key(l)}`;
    const pattern = known.get(text) ?? representative.length;
    if (pattern === representative.length) {
      known.set(text, pattern);
      representative.push(l);
      count.push(0);
    }
    patternOf[l] = pattern;
    count[pattern]!++;
  }
  const rowCount = Float64Array.from({ length: count.length * q }, (_, r) => count[Math.floor(r / q)]!);
  return { patternOf, representative: Int32Array.from(representative), count: Float64Array.from(count), rowCount };
}

// numbers print with enough digits to be told apart, so equal text means equal numbers
function levelKey(A12: LevelColumns, l: number): string {
  const from = A12.start[l]!;
  const to = A12.start[l + 1]!;
  return `${A12.index.subarray(from, to).join()};${A12.values.subarray(from * A12.size, to * A12.size).join()}`;
}

function rowsKey(A12: Matrix, row: number, q: number): string {
  const parts: number[] = [];
  for (let j = 0; j < A12.cols; j++) for (let k = 0; k < q; k++) parts.push(A12.data[row + k + j * A12.rows]!);
  return parts.join();
}

/** The blocks of the representatives alone. */
export function representativeBlocks(A11: BlockDiagonal, { representative }: LevelPatterns): BlockDiagonal {
  const square = A11.size * A11.size;
  const data = new Float64Array(representative.length * square);
  representative.forEach((l, k) => {
    data.set(A11.data.subarray(l * square, (l + 1) * square), k * square);
  });
  return { levels: representative.length, size: A11.size, data };
}

/** The rows of a dense A12 that belong to the representatives. */
export function representativeRows(A12: Matrix, q: number, { representative }: LevelPatterns): Matrix {
  const out = zeros(representative.length * q, A12.cols);
  for (let j = 0; j < A12.cols; j++) {
    representative.forEach((l, k) => {
      const from = l * q + j * A12.rows;
      out.data.set(A12.data.subarray(from, from + q), k * q + j * out.rows);
    });
  }
  return out;
}

/** The levels of A12 that are representatives. */
export function representativeLevels(A12: LevelColumns, { representative }: LevelPatterns): LevelColumns {
  const q = A12.size;
  const start = new Int32Array(representative.length + 1);
  representative.forEach((l, k) => {
    start[k + 1] = start[k]! + A12.start[l + 1]! - A12.start[l]!;
  });
  const index = new Int32Array(start[representative.length]!);
  const values = new Float64Array(index.length * q);
  representative.forEach((l, k) => {
    index.set(A12.index.subarray(A12.start[l]!, A12.start[l + 1]!), start[k]!);
    values.set(A12.values.subarray(A12.start[l]! * q, A12.start[l + 1]! * q), start[k]! * q);
  });
  return { levels: representative.length, size: q, cols: A12.cols, start, index, values };
}
