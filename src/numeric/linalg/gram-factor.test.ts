import { describe, expect, it } from "vitest";
import { makeRng } from "../rng.ts";
import { FEWEST_ROWS, GREATEST_CONDITION, gramCoefficients, gramFactor } from "./gram-factor.ts";
import { type Matrix, scaleRows, zeros } from "./matrix.ts";
import { qr, qrCoefficients, qrInverseGram, qrTriangle } from "./qr.ts";
import { inverseOfGram } from "./triangular.ts";

const ROWS = FEWEST_ROWS + 77;

/** An intercept, normal columns of very different scales, and one that has `tilt` of itself in common with the column before. */
function columnsOf(tilt: number): { X: Matrix; y: Float64Array; w: Float64Array } {
  const rng = makeRng(`gram ${tilt}`);
  const X = zeros(ROWS, 7);
  rng.fillNormal(X.data);
  for (let i = 0; i < ROWS; i++) {
    X.data[i] = 1;
    X.data[i + ROWS]! *= 1e6;
    X.data[i + 2 * ROWS] = 1e-5 * (30 + X.data[i + 2 * ROWS]!);
    X.data[i + 6 * ROWS] = tilt * X.data[i + 5 * ROWS]! + Math.sqrt(1 - tilt * tilt) * X.data[i + 6 * ROWS]!;
  }
  const y = new Float64Array(ROWS);
  rng.fillNormal(y);
  const w = Float64Array.from(y, () => 0.1 + rng.uniform());
  return { X, y, w };
}

const worst = (a: Float64Array, b: Float64Array, scale: (i: number) => number): number =>
  a.reduce((most, v, i) => Math.max(most, Math.abs(v - b[i]!) / scale(i)), 0);

describe("least squares by cross products", () => {
  it.each([0, 0.9, 0.9999])("are those by QR, columns tilted by %f", (tilt) => {
    const { X, y, w } = columnsOf(tilt);
    for (const weights of [undefined, w]) {
      const root = (weights ?? new Float64Array(ROWS).fill(1)).map(Math.sqrt);
      const exact = qr(scaleRows(X, root));
      const R = gramFactor(X, weights)!;
      const inverse = inverseOfGram(R);
      const expected = qrInverseGram(exact);
      const se = (j: number): number => Math.sqrt(expected.data[j * 8]!);
      expect(worst(inverse.data, expected.data, (i) => se(i % 7) * se(Math.floor(i / 7)))).toBeLessThan(1e-10);
      const beta = gramCoefficients(R, X, y, weights);
      const target = y.map((v, i) => v * root[i]!);
      expect(worst(beta, qrCoefficients(exact, target), se)).toBeLessThan(1e-12);
      // the triangles agree up to the signs of their rows
      const triangle = qrTriangle(exact);
      for (let j = 0; j < 7; j++) {
        const [a, b] = [R.data[j * 8]!, triangle.data[j * 8]!];
        expect(Math.abs(Math.abs(b) / a - 1)).toBeLessThan(1e-10);
      }
    }
  });

  it("are left to QR where columns nearly coincide, are zero, or rows are few", () => {
    const { X } = columnsOf(1 - 1 / GREATEST_CONDITION ** 2);
    expect(gramFactor(X)).toBeUndefined();
    expect(gramFactor(columnsOf(1).X)).toBeUndefined();
    const zero = columnsOf(0).X;
    zero.data.fill(0, 3 * ROWS, 4 * ROWS);
    expect(gramFactor(zero)).toBeUndefined();
    const huge = columnsOf(0).X;
    huge.data[4 * ROWS] = 1e200;
    expect(gramFactor(huge)).toBeUndefined();
    const few = columnsOf(0).X;
    expect(gramFactor({ rows: FEWEST_ROWS - 1, cols: 2, data: few.data.slice(0, 2 * FEWEST_ROWS) })).toBeUndefined();
    expect(gramFactor(zeros(ROWS, 0))).toBeUndefined();
  });
});
