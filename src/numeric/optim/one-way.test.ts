/** The criterion these optimisers exist for, where it has a closed form: balanced one-way random effects, REML profiled
 *  over the residual variance, a groups of r, in theta = sd(group)/sd(residual).
 *      d(theta) = (a - 1) log q + (ar - 1) log(SSW + SSB/q),  q = 1 + r theta²
 *  has its minimum at q = max(1, MSB/MSW), and slope zero at theta = 0 whether or not that is the minimum. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minimizeBobyqa } from "./bobyqa.ts";
import { minimizeBrent } from "./brent.ts";
import { minimizeQuasiNewton } from "./quasi-newton.ts";

interface Layout {
  readonly a: number;
  readonly r: number;
  readonly msb: number;
  readonly msw: number;
}

function makeCriterion({ a, r, msb, msw }: Layout) {
  const ssb = msb * (a - 1);
  const ssw = msw * a * (r - 1);
  const df = a * r - 1;
  const f = (x: Float64Array, g?: Float64Array): number => {
    const theta = x[0]!;
    const q = 1 + r * theta * theta;
    const rss = ssw + ssb / q;
    if (g) g[0] = ((a - 1) / q - (df * ssb) / (q * q * rss)) * 2 * r * theta;
    return (a - 1) * Math.log(q) + df * Math.log(rss / df);
  };
  return { f, best: Math.sqrt(Math.max(0, msb / msw - 1) / r) };
}

const interior: Layout = { a: 12, r: 5, msb: 7.3, msw: 2.1 };
const boundary: Layout = { a: 12, r: 5, msb: 1.9, msw: 2.1 };

describe("interior optimum", () => {
  const { f, best } = makeCriterion(interior);
  it("quasi-Newton to 1e-9 with few evaluations", () => {
    const found = minimizeQuasiNewton(f, [1], { lower: [0] });
    expect(Math.abs(found.x[0]! / best - 1)).toBeLessThan(1e-9);
    expect(found.evaluations).toBeLessThanOrEqual(12);
    expect(Array.from(found.active)).toEqual([0]);
  });
  it("BOBYQA and Brent to the square root of rounding", () => {
    expect(Math.abs(minimizeBobyqa((x) => f(x), [1], { lower: [0] }).x[0]! / best - 1)).toBeLessThan(2e-8);
    expect(Math.abs(minimizeBrent((t) => f(Float64Array.of(t)), 0, 5).x / best - 1)).toBeLessThan(2e-7);
  });
});

describe("optimum on the bound", () => {
  const { f } = makeCriterion(boundary);
  it("is exactly zero and reported as active", () => {
    const quasi = minimizeQuasiNewton(f, [1], { lower: [0] });
    const bobyqa = minimizeBobyqa((x) => f(x), [1], { lower: [0] });
    for (const found of [quasi, bobyqa]) {
      expect(found.converged).toBe(true);
      expect(found.x[0]).toBe(0);
      expect(Array.from(found.active)).toEqual([-1]);
    }
    expect(minimizeBrent((t) => f(Float64Array.of(t)), 0, 5).x).toBe(0);
  });
});

describe("zero slope at the bound is not mistaken for a minimum", () => {
  it("a start at theta = 0 leaves it when the minimum is inside", () => {
    const { f, best } = makeCriterion(interior);
    const found = minimizeQuasiNewton(f, [0], { lower: [0] });
    expect(Math.abs(found.x[0]! / best - 1)).toBeLessThan(1e-8);
    const stuck = minimizeQuasiNewton(f, [0], { lower: [0], probeBounds: false });
    expect(stuck.x[0]).toBe(0);
  });
});

describe("any layout, any start", () => {
  const layouts = fc.record({
    a: fc.integer({ min: 3, max: 40 }),
    r: fc.integer({ min: 2, max: 30 }),
    // Away from MSB = MSW, where the criterion is quartic and no method can place its minimum sharply.
    msb: fc.oneof(fc.double({ min: 0.05, max: 0.9, noNaN: true }), fc.double({ min: 1.2, max: 60, noNaN: true })),
    msw: fc.constant(1),
  });
  const starts = fc.double({ min: 0, max: 20, noNaN: true });
  it("quasi-Newton finds the closed form", () => {
    fc.assert(
      fc.property(layouts, starts, (layout, start) => {
        const { f, best } = makeCriterion(layout);
        const found = minimizeQuasiNewton(f, [start], { lower: [0] });
        return found.converged && Math.abs(found.x[0]! - best) <= 1e-6 * Math.max(1, best);
      }),
      { numRuns: 300, seed: 20240 },
    );
  });
  it("BOBYQA finds the closed form", () => {
    fc.assert(
      fc.property(layouts, starts, (layout, start) => {
        const { f, best } = makeCriterion(layout);
        const found = minimizeBobyqa((x) => f(x), [start], { lower: [0] });
        return found.converged && Math.abs(found.x[0]! - best) <= 1e-6 * Math.max(1, best);
      }),
      { numRuns: 300, seed: 20241 },
    );
  });
});
