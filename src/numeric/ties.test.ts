import { describe, expect, it } from "vitest";
import { differencesOf, roundingOf, settleDifferences, settleTies } from "./ties.ts";

const of = (...values: number[]): Float64Array => Float64Array.from(values);

describe("values that tie", () => {
  it("are those equal to 12 digits, also across samples", () => {
    const [x, y] = settleTies(of(0.1 + 0.2, 0.7, 1 / 3), of(0.3, 0.1 + 0.7, 0.8, 1 - 2 / 3));
    expect([...x!]).toEqual([0.3, 0.7, 1 / 3]);
    expect([...y!]).toEqual([0.3, 0.1 + 0.7, 0.1 + 0.7, 1 / 3]);
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

  it("are none of different whole numbers, however large", () => {
    for (const offset of [1e13, 1e14, 1e15]) {
      const [x, y] = [of(offset, offset + 1, offset + 5), of(offset + 2, offset + 3, offset + 5)];
      expect(settleTies(x, y)).toEqual([x, y]);
      expect([...differencesOf(x, y)]).toEqual([-2, -2, 0]);
      expect(roundingOf(x, y)).toBe(0);
    }
  });

  it("are the same ones in other units and of the other sign", () => {
    const tied = of(0.1 + 0.2, 0.3, 0.7, 0.1 + 0.6, 12.5, 1e-20);
    const [base] = settleTies(tied);
    for (const unit of [2 ** -200, 2 ** -7, 2, 2 ** 60, 2 ** 200]) {
      expect([...settleTies(tied.map((v) => v * unit))[0]!]).toEqual([...base!].map((v) => v * unit));
      expect(new Set(settleTies(tied.map((v) => -v * unit))[0]).size).toBe(new Set(base).size);
    }
  });

  it("do not hang on where decimals end: neighbours across a border of 12 digits tie", () => {
    const border = 0.1234567890125;
    const [x] = settleTies(of(border * (1 - 2e-16), border * (1 + 4e-16), 5));
    expect(x![0]).toBe(x![1]);
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
    const d = settleDifferences(differencesOf(x, y), x, y);
    expect(d[0]).toBe(d[1]);
    expect(d[2]).toBe(d[1]);
    expect(settleDifferences(of(0, 0), of(1, 2), of(1, 2))).toEqual(of(0, 0));
  });

  it("of either sign tie, and 0 stays apart from the smallest", () => {
    const [x, y] = [of(0.3, 0.2, 1e-20, 0.7), of(0.1, 0.4, 3e-20, 0.7)];
    const d = settleDifferences(differencesOf(x, y), x, y);
    expect(d[0]).toBe(-d[1]!);
    expect([d[2], d[3]]).toEqual([1e-20 - 3e-20, 0]);
  });

  it("of whole numbers around 1e15 are exact", () => {
    const [x, y] = [of(1e15 + 3, 1e15 + 9), of(1e15 + 1, 1e15 + 6)];
    expect([...settleDifferences(differencesOf(x, y), x, y)]).toEqual([2, 3]);
  });
});
