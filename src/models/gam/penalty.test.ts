import { describe, expect, it } from "vitest";
import { diagonalMatrix, fromRows, type Matrix, multiply, transpose } from "../../numeric/linalg/matrix.ts";
import { qr, qrBasis } from "../../numeric/linalg/qr.ts";
import { makeRng } from "../../numeric/rng.ts";
import { makeWorkingBasis, type PenaltyBlock, penaltyLogDet, penaltyOrder } from "./penalty.ts";

/** Q diag(d) Q' for a fixed rotation Q. */
function rotated(d: readonly number[]): Matrix {
  const rng = makeRng("rotation");
  const Q = qrBasis(qr(fromRows(d.map(() => d.map(() => rng.normal())))));
  return multiply(Q, multiply(diagonalMatrix(d), transpose(Q)));
}

const blockOf = (...S: Matrix[]): PenaltyBlock[] => [
  { from: 0, size: 4, kept: Int32Array.of(0, 1, 2, 3), S, firstPenalty: 0 },
];

function logDet(blocks: PenaltyBlock[], rho: readonly number[]) {
  const lambda = Float64Array.from(rho, Math.exp);
  return penaltyLogDet(makeWorkingBasis(blocks, penaltyOrder(blocks, lambda), 4), lambda);
}

describe("log|S_λ|₊", () => {
  it("is a closed form for penalties that share their directions, at any ratio of λ", () => {
    const blocks = blockOf(rotated([3, 1e-4, 0, 0]), rotated([0, 2, 5, 0]));
    for (const [a, b] of [
      [0, 0],
      [30, -5],
      [-20, 25],
    ] as const) {
      const [l, m] = [Math.exp(a), Math.exp(b)];
      const want = Math.log(3 * l) + Math.log(1e-4 * l + 2 * m) + Math.log(5 * m);
      const { value, gradient } = logDet(blocks, [a, b]);
      expect(Math.abs(value - want)).toBeLessThan(1e-10 * Math.max(1, Math.abs(want)));
      const share = (1e-4 * l) / (1e-4 * l + 2 * m);
      expect(gradient[0]).toBeCloseTo(1 + share, 9);
      expect(gradient[1]).toBeCloseTo(2 - share, 9);
    }
  });

  it("has derivatives that agree with differences where penalties do not commute", () => {
    const first = rotated([3, 1, 0, 0]);
    const second = diagonalMatrix([1, 0, 2, 0.5]);
    const blocks = blockOf(first, second);
    const h = 1e-5;
    const { gradient, hessian } = logDet(blocks, [0.7, -0.4]);
    const up = logDet(blocks, [0.7 + h, -0.4]);
    const down = logDet(blocks, [0.7 - h, -0.4]);
    expect(gradient[0]).toBeCloseTo((up.value - down.value) / (2 * h), 8);
    expect(hessian[0]).toBeCloseTo((up.gradient[0]! - down.gradient[0]!) / (2 * h), 8);
    expect(hessian[1]).toBeCloseTo((up.gradient[1]! - down.gradient[1]!) / (2 * h), 8);
  });
});
