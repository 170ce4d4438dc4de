import { describe, expect, it } from "vitest";
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import {
  crossprod,
  identity,
  type Matrix,
  multiply,
  multiplyInto,
  transpose,
  zeros,
} from "../../numeric/linalg/matrix.ts";
import { leadingEigen } from "./eigen.ts";

const operator = (A: Matrix) => ({ n: A.rows, applyInto: (Y: Matrix, V: Matrix) => multiplyInto(Y, A, V) });
const largestDifference = (A: Matrix, B: Matrix): number =>
  A.data.reduce((most, value, i) => Math.max(most, Math.abs(value - B.data[i]!)), 0);

/** η = r² log r between the points of a grid: eigenvalues of both signs, many of them double by symmetry. */
const gridKernel = (side: number): Matrix => {
  const n = side * side;
  const E = zeros(n, n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const squared = ((i % side) - (j % side)) ** 2 + (Math.floor(i / side) - Math.floor(j / side)) ** 2;
      E.data[i + j * n] = squared === 0 ? 0 : squared * Math.log(squared);
    }
  }
  return E;
};

describe("leadingEigen", () => {
  it("agrees with the dense decomposition on a symmetric grid, double eigenvalues included", () => {
    const E = gridKernel(15);
    const k = 20;
    const { values, vectors } = leadingEigen(operator(E), k);
    const dense = eigenSymmetric(E);
    const order = [...dense.values].sort((a, b) => Math.abs(b) - Math.abs(a)).slice(0, k);
    values.forEach((value, j) => {
      expect(Math.abs(value - order[j]!)).toBeLessThan(1e-12 * Math.abs(order[0]!));
    });
    const doubled = order.filter((value, j) => j > 0 && Math.abs(value - order[j - 1]!) < 1e-9 * Math.abs(value));
    expect(doubled.length).toBeGreaterThan(2);
    expect(largestDifference(crossprod(vectors), identity(k))).toBeLessThan(1e-12);
    const EU = multiply(E, vectors);
    const UD = zeros(E.rows, k);
    for (let j = 0; j < k; j++)
      for (let i = 0; i < E.rows; i++) UD.data[i + j * E.rows] = values[j]! * vectors.data[i + j * E.rows]!;
    expect(largestDifference(EU, UD)).toBeLessThan(1e-12 * Math.abs(order[0]!));
  });

  it("finds all of a matrix of small rank, whose Krylov space is soon exhausted", () => {
    const n = 300;
    const B = zeros(n, 3);
    for (let i = 0; i < n; i++) {
      B.data[i] = 1;
      B.data[i + n] = i - 149.5;
      B.data[i + 2 * n] = Math.cos(i);
    }
    const A = multiply(B, transpose(B));
    const { values } = leadingEigen(operator(A), 5);
    const dense = eigenSymmetric(A).values;
    for (let j = 0; j < 3; j++) expect(Math.abs(values[j]! - dense[j]!)).toBeLessThan(1e-14 * dense[0]!);
    expect(Math.abs(values[3]!)).toBeLessThan(1e-14 * dense[0]!);
  });
});
