import { describe, expect, it } from "vitest";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { fSf } from "../../numeric/dist/f.ts";
import { mixtureTail } from "./tail.ts";

const none = { df: Number.POSITIVE_INFINITY };
const near = (ours: number, theirs: number, tolerance = 1e-10): void =>
  expect(Math.abs(ours / theirs - 1), `${ours} for ${theirs}`).toBeLessThan(tolerance);

describe("tails of weighted sums of χ²₁", () => {
  it("are those of χ² and F for equal weights, far out too", () => {
    for (const k of [1, 2, 5, 40]) {
      for (const x of [0.01, 0.5, k, 3 * k, 30 * k]) {
        const weights = new Float64Array(k).fill(2);
        near(mixtureTail(weights, 2 * x, none), chiSquareSf(x, k));
        for (const df of [3, 50, 2000]) near(mixtureTail(weights, 2 * x, { df }), fSf(x / k, k, df));
      }
    }
  });

  it("have the closed form of pairs: exponentials of rates 1/2 and 1/6", () => {
    // w, w, 3w, 3w: P = (3e^{-x/6} - e^{-x/2})/2 for w = 1
    for (const x of [0.1, 2, 20, 200])
      near(mixtureTail([1, 1, 3, 3], x, none), (3 * Math.exp(-x / 6) - Math.exp(-x / 2)) / 2);
  });

  it("are one at zero, and not defined for an undefined statistic", () => {
    expect(mixtureTail([1, 2], 0, none)).toBe(1);
    expect(mixtureTail([1, 2], Number.NaN, none)).toBeNaN();
    near(mixtureTail([1, 1e-9], 3, none), chiSquareSf(3, 1), 1e-8);
  });
});
