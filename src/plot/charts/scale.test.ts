import { describe, expect, it } from "vitest";
import { domainOf, linearTicks, makeScale, tickLabels, writeFixed } from "./scale.ts";

describe("ticks", () => {
  it("are round numbers within the ends, for any range", () => {
    for (const [low, high] of [
      [-1.5, 2.05],
      [0, 1],
      [-0.003, 0.0007],
      [12_345, 99_999],
      [250, 2000],
    ] as const) {
      const ticks = linearTicks([low, high], 4);
      expect(ticks.length).toBeGreaterThanOrEqual(2);
      expect(ticks.length).toBeLessThanOrEqual(7);
      for (const tick of ticks) expect(tick >= low && tick <= high).toBe(true);
      const steps = ticks.slice(1).map((tick, k) => tick - ticks[k]!);
      for (const step of steps) expect(step / steps[0]!).toBeCloseTo(1, 9);
    }
  });

  it("carry a true minus, signs where asked for, and the unit at the last one", () => {
    expect(tickLabels([-0.5, 0, 0.5], "signed")).toEqual(["−0.5", "0", "+0.5"]);
    expect(tickLabels([0, 0.2, 0.4], "percent")).toEqual(["0", "20", "40\u202f%"]);
    expect(tickLabels([-0.05, 0.025], "points")).toEqual(["−5.0", "+2.5"]);
    expect(writeFixed(-0.0001, 2)).toBe("0.00");
    expect(writeFixed(12_345.6, 1)).toBe("12\u202f345.6");
  });

  it("are three at least: two do not show how an axis runs", () => {
    for (const [low, high] of [[-16, 29], [-0.7, 1.3], [0.31, 0.69], [14, 41]] as const) // biome-ignore format: one line
      expect(linearTicks([low, high], 3).length).toBeGreaterThanOrEqual(3);
  });

  it("of tiny values are powers of ten, not zeros", () => {
    expect(tickLabels([-5e-15, 0, 5e-15, 1.5e-14], "signed")).toEqual(["−5e−15", "0", "+5e−15", "+1.5e−14"]);
    expect(tickLabels([0, 0.0005], "plain")).toEqual(["0", "0.0005"]);
  });

  it("of a log axis lie at equal ratios", () => {
    const { ticks, at } = makeScale({ title: "", kind: "log" }, [1, 100], [0, 200]);
    expect(ticks).toEqual([1, 3, 10, 30, 100].filter((tick) => ticks.includes(tick)));
    expect(at(10)).toBeCloseTo(100, 9);
  });
});

it("the ends hold every finite value", () => {
  const [low, high] = domainOf([3, Number.NaN, -2, Number.POSITIVE_INFINITY], { title: "" });
  expect(low).toBeLessThan(-2);
  expect(high).toBeGreaterThan(3);
  expect(domainOf([], { title: "" })).toEqual([0, 1]);
});
