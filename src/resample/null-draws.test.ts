import { describe, expect, it } from "vitest";
import { drawDeals, drawFlips } from "./null-draws.ts";

const moments = (values: Float64Array): readonly [mean: number, variance: number] => {
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  return [mean, values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1)];
};

/** Standard errors of mean and variance of so many draws that are close to normal. */
function expectLaw(values: Float64Array, variance: number): void {
  const [mean, found] = moments(values);
  expect(Math.abs(mean)).toBeLessThan(4 * Math.sqrt(variance / values.length));
  expect(Math.abs(found - variance)).toBeLessThan(4 * variance * Math.sqrt(2 / values.length));
}

describe("draws under the null hypothesis", () => {
  const d = Float64Array.from({ length: 60 }, (_, i) => Math.sin(3 * i) + 0.4);

  it("flips: mean 0, variance Σd²/n²", () => {
    const drawn = drawFlips(d);
    expect(drawn).toHaveLength(5000);
    expectLaw(drawn, d.reduce((sum, v) => sum + v * v, 0) / d.length ** 2);
  });

  it("flips of clusters: the sums of clusters in place of items", () => {
    const clusters = Int32Array.from(d, (_, i) => Math.floor(i / 4));
    const sums = Array.from({ length: 15 }, (_, c) => d.subarray(4 * c, 4 * c + 4).reduce((sum, v) => sum + v, 0));
    expectLaw(drawFlips(d, clusters), sums.reduce((sum, v) => sum + v * v, 0) / d.length ** 2);
  });

  it("deals: the variance of drawing without replacement", () => {
    const [x, y] = [d.subarray(0, 20), d.subarray(20)];
    const [, variance] = moments(d);
    expectLaw(drawDeals(x, y), variance * (1 / 20 + 1 / 40));
  });
});
