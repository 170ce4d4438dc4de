import { describe, expect, it } from "vitest";
import { contourLines, type HeightGrid } from "./contours.ts";

const axis = Array.from({ length: 21 }, (_, k) => -2 + k / 5);
const gridOf = (f: (x: number, y: number) => number): HeightGrid => ({
  xs: axis,
  ys: axis,
  at: (i, j) => f(axis[i]!, axis[j]!),
});

describe("contourLines", () => {
  it("of a plane is one straight line at its height", () => {
    const lines = contourLines(
      gridOf((x, y) => x + 2 * y),
      0.7,
    );
    expect(lines).toHaveLength(1);
    for (const [x, y] of lines[0]!) expect(x + 2 * y).toBeCloseTo(0.7, 12);
    const xs = lines[0]!.map(([x]) => x);
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([-2, 2]);
  });

  it("of a bowl is a closed ring", () => {
    const [ring, ...others] = contourLines(
      gridOf((x, y) => x * x + y * y),
      1,
    );
    expect(others).toEqual([]);
    expect(ring!.at(0)).toEqual(ring!.at(-1));
    for (const [x, y] of ring!) expect(Math.hypot(x, y)).toBeCloseTo(1, 1);
  });

  it("stops where the grid has no value", () => {
    const lines = contourLines(
      gridOf((x, y) => (x > 0.5 ? Number.NaN : y)),
      0.1,
    );
    expect(Math.max(...lines.flat().map(([x]) => x))).toBeLessThanOrEqual(0.5);
    expect(lines).toHaveLength(1);
  });
});
