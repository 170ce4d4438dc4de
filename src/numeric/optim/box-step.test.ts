import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeBoxWorkspace, solveBoxInto } from "./box-step.ts";

function solve(x: number[], g: number[], B: number[], lower: number[], upper: number[]) {
  const d = new Float64Array(x.length);
  const box = { lower: Float64Array.from(lower), upper: Float64Array.from(upper) };
  const ok = solveBoxInto(
    d,
    Float64Array.from(x),
    Float64Array.from(g),
    Float64Array.from(B),
    box,
    makeBoxWorkspace(x.length),
  );
  return { ok, d };
}

describe("solveBoxInto", () => {
  it("is the Newton step where no bound interferes", () => {
    const { d } = solve([0, 0], [1, -2], [2, 0.5, 0.5, 1], [-9, -9], [9, 9]);
    // Cramer: det = 1.75.
    expect(d[0]).toBeCloseTo((-1 * 1 - 0.5 * 2) / 1.75, 14);
    expect(d[1]).toBeCloseTo((2 * 2 + 0.5 * 1) / 1.75, 14);
  });
  it("releases a bound that the start touches when another variable's move makes it pay", () => {
    // x_0 at its lower bound with outward slope; moving x_1 to its minimum turns that slope.
    const { d } = solve([0, 0], [0.5, -4], [1, -0.9, -0.9, 1], [0, -99], [99, 99]);
    // Interior solution: d = B⁻¹(-0.5, 4).
    const det = 1 - 0.81;
    expect(d[0]).toBeCloseTo((-0.5 + 0.9 * 4) / det, 12);
  });
  it("rejects an indefinite model", () => {
    expect(solve([0, 0], [1, 1], [1, 2, 2, 1], [-1, -1], [1, 1]).ok).toBe(false);
  });
  it("satisfies the Kuhn-Tucker conditions for random convex problems", () => {
    const n = 7;
    const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: n * n + 3 * n,
      maxLength: n * n + 3 * n,
    });
    fc.assert(
      fc.property(numbers, (v) => {
        const B: number[] = new Array(n * n).fill(0);
        for (let i = 0; i < n; i++)
          for (let j = 0; j < n; j++) {
            for (let k = 0; k < n; k++) B[i * n + j]! += v[i * n + k]! * v[j * n + k]!;
            if (i === j) B[i * n + j]! += 0.05;
          }
        const g = v.slice(n * n, n * n + n);
        const lower = v.slice(n * n + n, n * n + 2 * n).map((u) => -0.5 * Math.abs(u));
        const upper = v.slice(n * n + 2 * n).map((u) => 0.5 * Math.abs(u));
        const { ok, d } = solve(new Array(n).fill(0), g, B, lower, upper);
        expect(ok).toBe(true);
        for (let i = 0; i < n; i++) {
          let slope = g[i]!;
          for (let j = 0; j < n; j++) slope += B[i * n + j]! * d[j]!;
          expect(d[i]!).toBeGreaterThanOrEqual(lower[i]! - 1e-15);
          expect(d[i]!).toBeLessThanOrEqual(upper[i]! + 1e-15);
          if (d[i]! > lower[i]! && slope > 0) expect(slope).toBeLessThan(1e-10);
          if (d[i]! < upper[i]! && slope < 0) expect(slope).toBeGreaterThan(-1e-10);
        }
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
