import { describe, expect, it } from "vitest";
import { stirlingRemainder } from "./binomial.ts";
import { portableExp, portableLog, portableLog1p } from "./portable-math.ts";

/** Twice the rounding unit: the functions are meant to be right to an ulp. */
const TOLERANCE = 4.5e-16;
const relativeError = (actual: number, expected: number): number => Math.abs(actual / expected - 1);

// Expected values: mpmath 1.3.0 at 40 digits, of the double nearest the argument shown, rounded to double.
describe("against mpmath", () => {
  it.each([
    [0.15, -1.8971199848858813],
    [3.7, 1.308332819650179],
    [0.7, -0.35667494393873245],
    [1e-300, -690.7755278982137],
    [0.99999, -1.0000050000287824e-5],
    [12345.678, 9.421061321291832],
  ])("log(%d)", (x, expected) => {
    expect(relativeError(portableLog(x), expected)).toBeLessThan(TOLERANCE);
  });

  it.each([
    [-0.1, 0.9048374180359595],
    [-6.25, 0.0019304541362277093],
    [-33.3, 3.4513877443742162e-15],
    [0.35, 1.4190675485932571],
    [500.5, 2.314132344963141e217],
  ])("exp(%d)", (x, expected) => {
    expect(relativeError(portableExp(x), expected)).toBeLessThan(TOLERANCE);
  });

  it.each([
    [-0.2, -0.22314355131420976],
    [1e-9, 9.999999995e-10],
    [0.39, 0.3293037471426004],
    [-0.85, -1.897119984885881],
  ])("log1p(%d)", (x, expected) => {
    expect(relativeError(portableLog1p(x), expected)).toBeLessThan(TOLERANCE);
  });
});

describe("closed forms and edges", () => {
  it("log of powers of two, of 0 and below", () => {
    for (let k = -1022; k <= 1023; k += 5) {
      if (k !== 0) expect(relativeError(portableLog(2 ** k), k * Math.LN2)).toBeLessThan(TOLERANCE);
    }
    expect(portableLog(1)).toBe(0);
    expect(portableLog(0)).toBe(Number.NEGATIVE_INFINITY);
    expect(portableLog(-1)).toBeNaN();
    expect(portableLog(Number.POSITIVE_INFINITY)).toBe(Number.POSITIVE_INFINITY);
    expect(portableLog(Number.NaN)).toBeNaN();
    expect(portableLog(5e-324)).toBeCloseTo(-744.4400719213812, 10);
  });

  it("exp undoes log over twelve decades", () => {
    for (let x = 1e-6; x < 1e6; x *= 1.37) expect(relativeError(portableExp(portableLog(x)), x)).toBeLessThan(4e-15);
    expect(portableExp(0)).toBe(1);
    expect(portableExp(-800)).toBe(0);
    expect(portableExp(800)).toBe(Number.POSITIVE_INFINITY);
    expect(portableExp(Number.NaN)).toBeNaN();
  });

  it("the Stirling remainder of k! is that of (k + 1)! less its recurrence, across the border of table and series", () => {
    for (let k = 0; k < 60; k++) {
      const step = (k + 1.5) * Math.log1p(1 / (k + 1)) - 1;
      expect(stirlingRemainder(k)).toBeCloseTo(stirlingRemainder(k + 1) + step, 13);
    }
  });
});
