import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { cholesky } from "./cholesky.ts";
import { crossprod, identity, type Matrix, multiply, transpose } from "./matrix.ts";
import { factorBlock, gramBlock, multiplyBlock, solveBlock, solveBlockT } from "./small.ts";
import { invertUpper } from "./triangular.ts";

/** A q × q matrix without pattern, behind `at` numbers that must stay. */
function square(q: number, at: number): { data: Float64Array; A: Matrix } {
  const data = Float64Array.from({ length: at + q * q }, (_, i) => Math.sin(3 * i + 1) + (i % 2));
  return { data, A: { rows: q, cols: q, data: data.slice(at) } };
}

describe.each([1, 2, 3, 5])("blocks of order %i", (q) => {
  const at = 4;
  const { data, A } = square(q, at);

  it("products", () => {
    const C = new Float64Array(at + q * q);
    multiplyBlock(C, at, data, at, data, at, q);
    expectClose(C.subarray(at), multiply(A, A).data, { tolerance: 1e-14, floor: 1 });
    const G = new Float64Array(q * q);
    gramBlock(G, data, at, q);
    expectClose(G, crossprod(A).data, { tolerance: 1e-14, floor: 1 });
  });

  it("the factor and both substitutions", () => {
    const M = crossprod(A);
    const block = new Float64Array(at + q * q).fill(7);
    block.set(M.data, at);
    expect(factorBlock(block, at, q, 0.5)).toBe(true);
    const shifted = { ...M, data: M.data.map((v, i) => v + (i % (q + 1) === 0 ? 0.5 : 0)) };
    const L = cholesky(shifted)!;
    for (let j = 0; j < q; j++)
      for (let i = j; i < q; i++) expectClose([block[at + i + j * q]!], [L.data[i + j * q]!], { tolerance: 1e-13 });
    expect(Array.from(block.subarray(0, at))).toEqual([7, 7, 7, 7]);
    const inverse = transpose(invertUpper(transpose(L)));
    const X = identity(q).data;
    for (let c = 0; c < q; c++) solveBlock(X, c * q, block, at, q);
    expectClose(X, inverse.data, { tolerance: 1e-12, floor: 1 });
    const Y = identity(q).data;
    for (let c = 0; c < q; c++) solveBlockT(Y, c * q, block, at, q);
    expectClose(Y, transpose(inverse).data, { tolerance: 1e-12, floor: 1 });
  });

  it("a block that is not positive definite, or not finite, is reported", () => {
    const M = crossprod(A).data;
    M[q * q - 1] = -1;
    expect(factorBlock(M, 0, q)).toBe(false);
    expect(factorBlock(identity(q).data.fill(Number.POSITIVE_INFINITY), 0, q)).toBe(false);
    expect(factorBlock(identity(q).data.fill(Number.NaN), 0, q)).toBe(false);
  });
});
