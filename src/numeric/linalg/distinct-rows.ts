/** Which rows of a matrix are copies of each other: X'X, and so R of its QR factorisation, needs each only once, times the root of its
 *  count. A design of factors has as many distinct rows as combinations of levels, however long the data.
 *  Rows are distinguished by one number, a fixed linear form of them, and then compared with the row that stands for them.
 *  Oracle:    the plain comparison of all rows. */
import { type Matrix, zeros } from "./matrix.ts";

export interface DistinctRows {
  /** For each row the number of the distinct one that it equals. */
  readonly group: Int32Array;
  /** For each distinct row where it first stands. */
  readonly first: Int32Array;
}

/** Undefined where there are more than `most` of them. */
export function distinctRows(X: Matrix, most: number): DistinctRows | undefined {
  const { rows, cols, data } = X;
  const key = new Float64Array(rows);
  for (let j = 0; j < cols; j++) {
    const weight = Math.sin(1 + j);
    for (let i = 0; i < rows; i++) key[i]! += weight * data[i + j * rows]!;
  }
  const known = new Map<number, number>();
  const first: number[] = [];
  const group = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    let own = known.get(key[i]!);
    if (own === undefined) {
      if (first.length === most) return undefined;
      own = first.length;
      known.set(key[i]!, own);
      first.push(i);
    }
    group[i] = own;
  }
  const found = { group, first: Int32Array.from(first) };
  return areCopies(X, found) ? found : undefined; // two rows with one number: not worth a second form
}

/** Column by column, since so they are stored. */
function areCopies({ rows, cols, data }: Matrix, { group, first }: DistinctRows): boolean {
  for (let j = 0; j < cols; j++) {
    const column = data.subarray(j * rows, (j + 1) * rows);
    for (let i = 0; i < rows; i++) if (column[i] !== column[first[group[i]!]!]) return false;
  }
  return true;
}

/** A matrix with the same X'WX, of one row for each distinct one and at least as many rows as columns. */
export function gatherRows(X: Matrix, { group, first }: DistinctRows, weights?: Float64Array | undefined): Matrix {
  const total = new Float64Array(first.length);
  for (let i = 0; i < group.length; i++) total[group[i]!]! += weights === undefined ? 1 : weights[i]!;
  const few = zeros(Math.max(first.length, X.cols), X.cols);
  first.forEach((row, g) => {
    const root = Math.sqrt(total[g]!);
    for (let j = 0; j < X.cols; j++) few.data[g + j * few.rows] = root * X.data[row + j * X.rows]!;
  });
  return few;
}
