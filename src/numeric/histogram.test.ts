import { describe, expect, it } from "vitest";
import { histogram } from "./histogram.ts";

describe("histogram", () => {
  it("gives few different values a bar each, as wide as the smallest gap", () => {
    expect(histogram(Float64Array.of(1, -1, 0, 1, 0, 0))).toEqual([
      { from: -1.5, to: -0.5, count: 1 },
      { from: -0.5, to: 0.5, count: 3 },
      { from: 0.5, to: 1.5, count: 2 },
    ]);
    expect(histogram(Float64Array.of(2, 2))).toEqual([{ from: 1, to: 3, count: 2 }]);
    expect(histogram(Float64Array.of(Number.NaN))).toEqual([]);
  });

  it("values that hardly repeat were hairlines of height 1", () => {
    const values = Float64Array.from({ length: 20 }, (_, i) => Math.sin(i * i));
    const bins = histogram(values);
    expect(bins.length).toBeLessThan(12);
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(20);
    expect(new Set(bins.map(({ from, to }) => (to - from).toFixed(9))).size).toBe(1);
  });

  it("takes values that differ by rounding for one", () => {
    expect(histogram(Float64Array.of(0.1 + 0.2, 0.3, 1)).map(({ count }) => count)).toEqual([2, 1]);
  });

  it("cuts many values into round bins with an edge at 0 and loses none", () => {
    const values = Float64Array.from({ length: 1000 }, (_, i) => Math.sin(i) * 3 + 0.5);
    const bins = histogram(values);
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
    for (const { from, to, count } of bins) {
      expect(to - from).toBeCloseTo(0.2, 12);
      expect(from * to).toBeGreaterThanOrEqual(-1e-12);
      expect(
        values.filter((v) => (v < 0 ? v > from - 1e-12 && v <= to - 1e-12 : v >= from - 1e-12 && v < to - 1e-12))
          .length - count,
      ).toBe(0);
    }
  });
});
