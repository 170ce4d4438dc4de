import { describe, expect, it } from "vitest";
import { makeRng } from "../rng.ts";
import { distinctRows, gatherRows } from "./distinct-rows.ts";
import type { Matrix } from "./matrix.ts";

/** Rows drawn from a few, in any order. */
function drawn(rows: number, cols: number, kinds: number): Matrix {
  const rng = makeRng(`rows ${kinds}`);
  const each = Array.from({ length: kinds }, () => Array.from({ length: cols }, () => rng.normal()));
  const data = new Float64Array(rows * cols);
  for (let i = 0; i < rows; i++) {
    const own = each[i < kinds ? i : rng.int(kinds)]!;
    for (let j = 0; j < cols; j++) data[i + j * rows] = own[j]!;
  }
  return { rows, cols, data };
}

const cross = ({ rows, cols, data }: Matrix, weights?: Float64Array): number[] =>
  Array.from({ length: cols * cols }, (_, at) => {
    const [a, b] = [at % cols, Math.floor(at / cols)];
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += (weights?.[i] ?? 1) * data[i + a * rows]! * data[i + b * rows]!;
    return sum;
  });

describe("distinct rows", () => {
  it("are those that a comparison of all rows finds", () => {
    const X = drawn(300, 4, 7);
    const { group, first } = distinctRows(X, 100)!;
    expect(first.length).toBe(7);
    const row = (i: number) => Array.from({ length: 4 }, (_, j) => X.data[i + j * 300]).join();
    for (let i = 0; i < 300; i++) for (let k = 0; k < i; k++) expect(group[i] === group[k]).toBe(row(i) === row(k));
  });

  it("are not listed where there are too many", () => {
    expect(distinctRows(drawn(300, 4, 7), 6)).toBeUndefined();
    expect(distinctRows(drawn(300, 4, 7), 7)).toBeDefined();
  });

  it("have the same X'X and X'WX as all rows, with zero rows where columns are more", () => {
    for (const kinds of [2, 7]) {
      const X = drawn(300, 4, kinds);
      const rows = distinctRows(X, 100)!;
      const weights = Float64Array.from({ length: 300 }, (_, i) => 1 + (i % 3));
      const near = (few: Matrix, own?: Float64Array) =>
        cross(few).forEach((v, k) => {
          expect(Math.abs(v - cross(X, own)[k]!)).toBeLessThan(1e-10);
        });
      near(gatherRows(X, rows));
      near(gatherRows(X, rows, weights), weights);
      expect(gatherRows(X, rows).rows).toBe(Math.max(4, kinds));
    }
  });
});
