import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crossprod, mirrorLowerInto, toRows, transpose } from "./matrix.ts";
import type { Sparse } from "./sparse.ts";
import {
  entryPosition,
  fromTriplets,
  gramSparse,
  gramSparseInto,
  planGram,
  sparseToDense,
  transposeSparse,
} from "./sparse.ts";

/** Small integers, so that sums are exact in any order. */
function entries(rows: number, cols: number) {
  return fc.array(fc.tuple(fc.nat(rows - 1), fc.nat(cols - 1), fc.integer({ min: -5, max: 5 })), { maxLength: 60 });
}

function make(rows: number, cols: number, list: [number, number, number][]): Sparse {
  return fromTriplets(rows, cols, { i: list.map((t) => t[0]), j: list.map((t) => t[1]), x: list.map((t) => t[2]) });
}

describe("sparse matrices against dense ones (exact integers)", () => {
  it("triplets are added and rows ascend", () => {
    fc.assert(
      fc.property(entries(7, 5), (list) => {
        const A = make(7, 5, list);
        const D = new Float64Array(35);
        for (const [i, j, x] of list) D[i + 7 * j]! += x;
        expect(sparseToDense(A).data).toEqual(D);
        for (let j = 0; j < 5; j++) {
          for (let t = A.start[j]! + 1; t < A.start[j + 1]!; t++) expect(A.index[t]!).toBeGreaterThan(A.index[t - 1]!);
        }
      }),
    );
  });

  it("transpose", () => {
    fc.assert(
      fc.property(entries(7, 5), (list) => {
        const A = make(7, 5, list);
        expect(sparseToDense(transposeSparse(A)).data).toEqual(transpose(sparseToDense(A)).data);
      }),
    );
  });

  it("Z'Z and Z'WZ from one plan", () => {
    fc.assert(
      fc.property(entries(8, 6), (list) => {
        const Z = make(8, 6, list);
        const D = sparseToDense(Z);
        const full = sparseToDense(gramSparse(Z));
        mirrorLowerInto(full);
        expect(full.data).toEqual(crossprod(D).data);
        const w = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8);
        const plan = planGram(Z);
        gramSparseInto(plan, w);
        const weighted = sparseToDense(plan.gram);
        mirrorLowerInto(weighted);
        expect(weighted.data).toEqual(crossprod(D, D, w).data);
      }),
    );
  });

  it("finds an entry, or says that there is none", () => {
    const A = make(4, 3, [[3, 1, 7], [0, 1, 2], [2, 2, 1]]); // biome-ignore format: one triplet each
    expect(A.values[entryPosition(A, 3, 1)]).toBe(7);
    expect(entryPosition(A, 1, 1)).toBe(-1);
    expect(entryPosition(A, 0, 0)).toBe(-1);
    expect(toRows(sparseToDense(A))[2]).toEqual([0, 0, 1]);
  });
});
