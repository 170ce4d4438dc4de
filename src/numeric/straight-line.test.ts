import { describe, expect, it } from "vitest";
import { countCells, histogram, markedHistogram } from "./histogram.ts";
import { straightLine } from "./straight-line.ts";

const R = [
  ["1.648485", "-0.004928", "3.301898"],
  ["5.587879", "4.434866", "6.740892"],
  ["9.527273", "7.381061", "11.673484"],
];

describe("straightLine", () => {
  // R: m <- lm(y ~ x, data.frame(x = c(1, 2, 4, 7, 11), y = c(2, 3, 3, 6, 10)))
  //    predict(m, data.frame(x = c(1, 6, 11)), interval = "confidence")
  it("gives R's line and band", () => {
    const line = straightLine(Float64Array.of(1, 2, 4, 7, 11), Float64Array.of(2, 3, 3, 6, 10), 0.95);
    expect(line).toHaveLength(25);
    const at = (x: number) => line.find((own) => Math.abs(own.x - x) < 1e-12)!;
    expect([at(1).y, at(1).lower, at(1).upper].map((v) => v.toFixed(6))).toEqual(R[0]);
    expect([at(6).y, at(6).lower, at(6).upper].map((v) => v.toFixed(6))).toEqual(R[1]);
    expect([at(11).y, at(11).lower, at(11).upper].map((v) => v.toFixed(6))).toEqual(R[2]);
  });

  it("is empty where no line is determined", () => {
    expect(straightLine(Float64Array.of(1, 1, 1), Float64Array.of(1, 2, 3), 0.95)).toEqual([]);
    expect(straightLine(Float64Array.of(1, 2), Float64Array.of(1, 2), 0.95)).toEqual([]);
  });
});

describe("bins with marks", () => {
  const values = Float64Array.from({ length: 500 }, (_, i) => Math.sin(i) * 3 + (i % 7) / 5);
  it("are the bins without, and the marks add up", () => {
    const marked = markedHistogram(values, (i) => values[i]! > 1);
    expect(marked.map(({ marked: _, ...bin }) => bin)).toEqual(histogram(values));
    expect(marked.reduce((sum, own) => sum + own.marked, 0)).toBe(values.filter((v) => v > 1).length);
    // a bin on one side of the limit has all of them or none
    for (const { from, to, count, marked: some } of marked) {
      if (from >= 1) expect(some).toBe(count);
      if (to <= 1) expect(some).toBe(0);
    }
  });

  it("few different values have a bar each", () => {
    const bins = markedHistogram(Float64Array.of(2, 1, 2, Number.NaN, 3), (i) => i === 2 || i === 4);
    expect(bins.map(({ count, marked }) => [count, marked])).toEqual([
      [1, 0],
      [2, 1],
      [1, 1],
    ]);
  });

  it("cells count every point once, edges included", () => {
    const x = Float64Array.from({ length: 1000 }, (_, i) => i % 41);
    const y = Float64Array.from({ length: 1000 }, (_, i) => i % 26);
    const { cells, halfWidth } = countCells(x, y);
    expect(cells.reduce((sum, [, , count]) => sum + count, 0)).toBe(1000);
    expect(halfWidth).toBeCloseTo(0.5, 12);
  });
});
