import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandBracket, findFirst, findRoot, minimizeBrent } from "./brent.ts";

describe("findRoot", () => {
  const cases = [
    { name: "x³ = 2", f: (x: number) => x ** 3 - 2, lo: -10, hi: 1e6, root: Math.cbrt(2), most: 60 },
    { name: "exp(x) = 10", f: (x: number) => Math.exp(x) - 10, lo: -50, hi: 50, root: Math.log(10), most: 80 },
    { name: "sin near π", f: Math.sin, lo: 2, hi: 4, root: Math.PI, most: 10 },
    { name: "steep expm1", f: (x: number) => Math.expm1(50 * (x - 0.25)), lo: -30, hi: 10, root: 0.25, most: 80 },
    { name: "multiplicity 9", f: (x: number) => (x - 0.7) ** 9, lo: 0, hi: 3, root: 0.7, most: 200 },
  ];
  it.each(cases)("$name, to the last digit", ({ f, lo, hi, root, most }) => {
    const found = findRoot(f, lo, hi);
    expect(found.converged).toBe(true);
    expect(Math.abs(found.root - root)).toBeLessThanOrEqual(4 * Number.EPSILON * Math.abs(root));
    expect(found.evaluations).toBeLessThanOrEqual(most);
    expect(findRoot(f, hi, lo).root).toBeCloseTo(root, 14);
  });
  it("finds where a discontinuous function changes sign", () => {
    expect(findRoot((x) => (x < 0.3 ? -1 : 2), 0, 1).root).toBeCloseTo(0.3, 15);
  });
  it("infinite values at an end do not hurt", () => {
    expect(findRoot(Math.log, 0, 3).root).toBeCloseTo(1, 14);
  });
  it("ends that are roots, no bracket, NaN", () => {
    expect(findRoot((x) => x - 1, 1, 5)).toMatchObject({ root: 1, converged: true });
    expect(findRoot((x) => x * x + 1, -1, 1)).toMatchObject({ root: Number.NaN, converged: false });
    expect(findRoot((x) => (Math.abs(x) < 1 ? Number.NaN : x), -2, 3)).toMatchObject({
      root: Number.NaN,
      converged: false,
    });
  });
  it("inverts any increasing cubic", () => {
    const small = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(small, small, fc.double({ min: -50, max: 50, noNaN: true }), (a, b, root) => {
        const f = (x: number) => a * (x ** 3 - root ** 3) + b * (x - root);
        const found = findRoot(f, -60, 70);
        return found.converged && Math.abs(found.root - root) <= 1e-13 * Math.max(1, Math.abs(root));
      }),
      { numRuns: 300, seed: 3 },
    );
  });
  it("respects a wider tolerance with fewer evaluations", () => {
    const f = (x: number) => Math.exp(x) - 10;
    const rough = findRoot(f, -50, 50, { tolerance: 1e-3 });
    expect(Math.abs(rough.root - Math.log(10))).toBeLessThanOrEqual(1e-3);
    expect(rough.evaluations).toBeLessThan(findRoot(f, -50, 50).evaluations);
  });
});

describe("expandBracket", () => {
  it.each([1000, -1000, 0.3, 1e9])("reaches a root at %f from [0, 1]", (root) => {
    const f = (x: number) => x - root;
    const { lo, hi, found } = expandBracket(f, 0, 1);
    expect(found).toBe(true);
    expect(f(lo) * f(hi)).toBeLessThanOrEqual(0);
  });
  it("stays within its limits and admits failure", () => {
    expect(expandBracket((x) => Math.log(x) + 20, 1, 2, { lowest: 1e-300 }).found).toBe(true);
    const none = expandBracket((x) => x * x + 1, 0, 1, { lowest: -100, highest: 100 });
    expect(none.found).toBe(false);
    expect(none.lo).toBeGreaterThanOrEqual(-100);
    expect(none.hi).toBeLessThanOrEqual(100);
  });
});

describe("minimizeBrent", () => {
  it("smooth minima to the square root of rounding", () => {
    expect(Math.abs(minimizeBrent((x) => -Math.sin(x), 0, 3).x - Math.PI / 2)).toBeLessThan(3e-8);
    const gamma = minimizeBrent((x) => x * Math.log(x), 0, 5);
    expect(Math.abs(gamma.x - 1 / Math.E)).toBeLessThan(3e-8);
    expect(gamma.value).toBeCloseTo(-1 / Math.E, 15);
    expect(gamma.evaluations).toBeLessThanOrEqual(20);
  });
  it("|x - c| too, where parabolas mislead", () => {
    const found = minimizeBrent((x) => Math.abs(x - 0.123), -4, 9);
    expect(Math.abs(found.x - 0.123)).toBeLessThan(5e-8);
  });
  it("a minimum at an end is exactly there", () => {
    expect(minimizeBrent((x) => x, 2, 7).x).toBe(2);
    expect(minimizeBrent((x) => -x, 2, 7).x).toBe(7);
  });
  it("NaN counts as high", () => {
    const found = minimizeBrent((x) => (x < 0 ? Number.NaN : (x - 0.5) ** 2), -3, 3);
    expect(Math.abs(found.x - 0.5)).toBeLessThan(1e-7);
  });
});

describe("findFirst", () => {
  it("agrees with a linear search", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -50, max: 50 }),
        fc.integer({ min: 0, max: 80 }),
        fc.integer({ min: -60, max: 140 }),
        (lo, span, cut) => {
          let linear = Number.NaN;
          for (let k = lo; k <= lo + span && Number.isNaN(linear); k++) if (k >= cut) linear = k;
          return Object.is(
            findFirst(lo, lo + span, (k) => k >= cut),
            linear,
          );
        },
      ),
      { seed: 5 },
    );
  });
  it("doubles its way to an unknown end with logarithmically many questions", () => {
    let asked = 0;
    const first = findFirst(2, Number.POSITIVE_INFINITY, (k) => {
      asked++;
      return k * k >= 1e10;
    });
    expect(first).toBe(100_000);
    expect(asked).toBeLessThanOrEqual(36);
  });
  it("empty ranges and fractional ends", () => {
    expect(findFirst(5, 4, () => true)).toBeNaN();
    expect(findFirst(1.5, 1.9, () => true)).toBeNaN();
    expect(findFirst(1.5, 9.5, () => true)).toBe(2);
  });
});

it("values whose product underflows have signs nevertheless", () => {
  expect(findRoot((x) => 1e-200 * (x - 0.3), 0, 1)).toMatchObject({ root: 0.3, converged: true });
  const bracket = expandBracket((x) => 1e-200 * (x - 30), 0, 1);
  expect(bracket.found && bracket.lo < 30 && bracket.hi > 30).toBe(true);
});
