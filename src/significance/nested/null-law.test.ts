import { describe, expect, it } from "vitest";
import { nullLaw } from "./null-law.ts";

/** Area by the trapezoidal rule. */
const area = (points: readonly (readonly [number, number])[]): number =>
  points.slice(1).reduce((sum, [x, d], k) => sum + ((x - points[k]![0]) * (d + points[k]![1])) / 2, 0);

describe("nullLaw", () => {
  it("chi-square: R's qchisq(0.95, 4), and 5 % beyond it", () => {
    const { critical, density, law } = nullLaw({ chisq: 30, df: 4, p: 1e-5 }).series!;
    expect(critical).toBeCloseTo(9.487729, 6);
    expect(law).toBe("chi-square on 4 df");
    expect(area(density.filter(([x]) => x >= critical))).toBeCloseTo(0.05, 2);
  });

  it("F where it is exact: R's qf(0.95, 2, 357)", () => {
    const fTest = { statistic: 8.5, df1: 2, df2: 357, p: 0.0002 };
    const { statistic, critical } = nullLaw({ chisq: 17, df: 2, p: 0.0002, fTest }).series!;
    expect([statistic, critical.toFixed(5)]).toEqual(["F", "3.02101"]);
  });

  it("the mixture of a variance against 0: half the tail of chi-square on 1 df", () => {
    // R: qchisq(0.9, 1)
    const { critical, p } = nullLaw({ chisq: 3, df: 1, p: 0.083, mixture: { p: 0.0416 } }).series!;
    expect(critical).toBeCloseTo(2.705543, 5);
    expect(p).toBe(0.0416);
  });

  it("nothing where the statistic is undefined", () => {
    expect(nullLaw({ chisq: Number.NaN, df: 1, p: Number.NaN })).toEqual({});
  });
});
