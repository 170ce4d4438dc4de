import { describe, expect, it } from "vitest";
import { differencesOf, roundDifferences, settleTies } from "./ties.ts";

const of = (...values: number[]): Float64Array => Float64Array.from(values);

describe("values that tie", () => {
  it("are those equal to 12 digits, also across samples", () => {
    const [x, y] = settleTies(of(0.1 + 0.2, 0.7, 1 / 3), of(0.3, 0.1 + 0.7, 0.8, 1 - 2 / 3));
    expect([...x!]).toEqual([0.3, 0.7, 0.333333333333]);
    expect([...y!]).toEqual([0.3, 0.8, 0.8, 0.333333333333]);
  });

  it("leave all others as they are, to the last bit", () => {
    const own = of(Math.PI, Math.E, Math.SQRT2, 1e-20, 2e-20, 1 + 1e-11);
    expect(settleTies(own)[0]).toBe(own);
    // one part in 10^11 is a difference, one in 10^13 is none
    expect([...differencesOf(of(1 + 1e-10, 1 + 1e-13, 5), of(1, 1, 2))]).toEqual([1 + 1e-10 - 1, 0, 3]);
  });

  it("are found far from 0 by 12 digits of the spread", () => {
    const [x] = settleTies(of(1000.1 + 0.2, 1000.3, 1000.4, 1001));
    expect(x![0]).toBe(x![1]);
    // 14 digits are data where the spread is small
    expect([...differencesOf(of(1000.0000000001, 1000.001), of(1000, 1000))].every((d) => d > 0)).toBe(true);
    const far = of(1e12 + 0.125, 1e12 + 0.25, 1e12 + 3);
    expect(settleTies(far)[0]).toBe(far);
  });

  it("are all of them where the whole spread is rounding error", () => {
    const [x] = settleTies(of(0.1 + 0.2, 0.3, 0.3));
    expect(new Set(x)).toEqual(new Set([0.3]));
    expect([...differencesOf(of(0.1 + 0.7, 0.8), of(0.8, 0.1 + 0.7))]).toEqual([0, 0]);
  });

  it("bear zeros, infinities, nothing and one value", () => {
    expect(settleTies()).toEqual([]);
    expect([...settleTies(of(0, -0, 0))[0]!].every((v) => v === 0)).toBe(true);
    expect([...settleTies(of(7))[0]!]).toEqual([7]);
    expect([...differencesOf(of(), of())]).toEqual([]);
  });
});

describe("differences", () => {
  it("of the same size tie: 0.3 - 0.1 and 0.4 - 0.2", () => {
    const [x, y] = [of(0.3, 0.4, 1000.3), of(0.1, 0.2, 1000.1)];
    const d = roundDifferences(differencesOf(x, y), x, y);
    expect(d[0]).toBe(d[1]);
    expect(d[2]).toBe(d[1]);
    expect(roundDifferences(of(0, 0), of(1, 2), of(1, 2))).toEqual(of(0, 0));
  });
});
