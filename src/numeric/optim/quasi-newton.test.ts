/** Standard problems: problems.test.ts; mixed-model criterion: one-way.test.ts. Here: what goes wrong in practice. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minimizeQuasiNewton } from "./quasi-newton.ts";

const valley = (x: Float64Array, g: Float64Array): number => {
  const a = x[1]! - x[0]! ** 2;
  const b = 1 - x[0]!;
  g[0] = -400 * a * x[0]! - 2 * b;
  g[1] = 200 * a;
  return 100 * a * a + b * b;
};

/** Σ weights_i (x_i - target_i)²: over a box, the minimum is the clamped target. */
const bowl = (weights: number[], target: number[]) => (x: Float64Array, g: Float64Array) => {
  let f = 0;
  for (let i = 0; i < x.length; i++) {
    const r = x[i]! - target[i]!;
    f += weights[i]! * r * r;
    g[i] = 2 * weights[i]! * r;
  }
  return f;
};

describe("bounds", () => {
  it("clamped targets for separable bowls of any conditioning, starts anywhere", () => {
    const n = 12;
    const vectors = fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: n, maxLength: n });
    fc.assert(
      fc.property(vectors, vectors, vectors, (target, start, exponent) => {
        const weights = exponent.map((e) => 10 ** e);
        const lower = new Array(n).fill(-1);
        const upper = new Array(n).fill(1.5);
        const found = minimizeQuasiNewton(bowl(weights, target), start, { lower, upper });
        expect(found.converged).toBe(true);
        target.forEach((t, i) => {
          const clamped = Math.min(Math.max(t, -1), 1.5);
          // The gradient 2w·error is what the tolerance bounds.
          expect(Math.abs(found.x[i]! - clamped) * weights[i]!).toBeLessThan(1e-6 * Math.max(1, found.value));
          if (t < -1.001) expect(found.active[i]).toBe(-1);
          if (t > 1.501) expect(found.active[i]).toBe(1);
        });
      }),
      { numRuns: 200, seed: 11 },
    );
  });
  it("keeps variables with equal bounds, and solves for the others", () => {
    const found = minimizeQuasiNewton(bowl([1, 1, 1], [1, 2, 3]), [0, 0, 0], {
      lower: [-9, 0.5, -9],
      upper: [9, 0.5, 9],
    });
    expect(found.x[1]).toBe(0.5);
    expect(found.x[0]).toBeCloseTo(1, 10);
    expect(found.x[2]).toBeCloseTo(3, 10);
  });
  it("starts outside the box are moved onto it, and every evaluation lies inside", () => {
    let outside = 0;
    const f = (x: Float64Array, g: Float64Array) => {
      if (x[0]! > 0.5 || x[1]! < 0.3) outside++;
      return valley(x, g);
    };
    const found = minimizeQuasiNewton(f, [7, -7], { lower: [-5, 0.3], upper: [0.5, 5] });
    expect(outside).toBe(0);
    // With x_1 >= 0.3 > 0.25 both bounds are active: f = 100·0.05² + 0.25.
    expect(found.value).toBeCloseTo(0.5, 12);
    expect(Array.from(found.active)).toEqual([1, -1]);
  });
});

describe("trouble", () => {
  it("large constant: the gradient decides where values no longer can", () => {
    const found = minimizeQuasiNewton((x, g) => valley(x, g) + 1e6, [-1.2, 1], { gradientTolerance: 1e-15 });
    expect(Math.abs(found.x[0]! - 1)).toBeLessThan(1e-8);
    expect(found.converged).toBe(true);
  });
  it("gradient noise of 1e-8 ends in a converged answer, not in a loop", () => {
    const noisy = (x: Float64Array, g: Float64Array) => {
      const f = valley(x, g);
      for (let i = 0; i < 2; i++) g[i]! += 1e-8 * Math.sin(1e7 * (x[0]! + 3 * x[1]!) + i);
      return f;
    };
    const found = minimizeQuasiNewton(noisy, [-1.2, 1], { gradientTolerance: 1e-12 });
    expect(found.converged).toBe(true);
    expect(Math.abs(found.x[0]! - 1)).toBeLessThan(1e-6);
    expect(found.evaluations).toBeLessThan(400);
  });
  it("walls: NaN and +Infinity outside the domain are backed away from", () => {
    // x log-type barrier: minimum of x - log x + (y - x)² + y² at the root of its gradient, y = x/2, 1 - 1/x + x = 0.
    const f = (x: Float64Array, g: Float64Array) => {
      const [a, b] = x as unknown as [number, number];
      if (a <= 0) return a < -1 ? Number.POSITIVE_INFINITY : Number.NaN;
      g[0] = 1 - 1 / a - 2 * (b - a);
      g[1] = 2 * (b - a) + 2 * b;
      return a - Math.log(a) + (b - a) ** 2 + b * b;
    };
    const golden = (Math.sqrt(5) - 1) / 2; // root of a² + a - 1
    for (const start of [
      [40, -30],
      [1e-6, 5],
      [3, 1000],
    ]) {
      const found = minimizeQuasiNewton(f, start);
      expect(found.converged).toBe(true);
      expect(Math.abs(found.x[0]! - golden)).toBeLessThan(1e-8);
      expect(Math.abs(found.x[1]! - golden / 2)).toBeLessThan(1e-8);
    }
  });
  it("a flat direction is left where it was", () => {
    const f = (x: Float64Array, g: Float64Array) => {
      g.fill(0);
      g[0] = 4 * (x[0]! - 1) ** 3 + 2 * (x[0]! - 1);
      return (x[0]! - 1) ** 4 + (x[0]! - 1) ** 2;
    };
    const found = minimizeQuasiNewton(f, [8, -30, 3]);
    expect(found.converged).toBe(true);
    expect(found.x[0]).toBeCloseTo(1, 8);
    expect(Array.from(found.x.slice(1))).toEqual([-30, 3]);
  });
  it("badly scaled: Brown's function, x at (1e6, 2e-6)", () => {
    const f = (x: Float64Array, g: Float64Array) => {
      const [a, b] = x as unknown as [number, number];
      const [u, v, w] = [a - 1e6, b - 2e-6, a * b - 2];
      g[0] = 2 * u + 2 * w * b;
      g[1] = 2 * v + 2 * w * a;
      return u * u + v * v + w * w;
    };
    const found = minimizeQuasiNewton(f, [1, 1]);
    expect(found.value).toBeLessThan(1e-10);
    expect(Math.abs(found.x[0]! / 1e6 - 1)).toBeLessThan(1e-9);
    expect(Math.abs(found.x[1]! / 2e-6 - 1)).toBeLessThan(1e-5);
  });
  it("a wrong gradient is reported, not hidden", () => {
    const wrong = (x: Float64Array, g: Float64Array) => {
      const f = valley(x, g);
      g[0]! *= -1;
      g[1]! *= -1;
      return f;
    };
    const found = minimizeQuasiNewton(wrong, [-1.2, 1]);
    expect(found.converged).toBe(false);
    expect(found.status).toBe("stalled");
    expect(found.message).toContain("check the gradient");
  });
  it("reports a used-up budget, crossed bounds and an undefined start", () => {
    expect(minimizeQuasiNewton(valley, [-1.2, 1], { maxEvaluations: 5 })).toMatchObject({
      status: "budget",
      converged: false,
    });
    expect(minimizeQuasiNewton(valley, [0, 0], { lower: [1, 1], upper: [0, 2] }).status).toBe("invalid-start");
    expect(minimizeQuasiNewton(() => Number.NaN, [0]).status).toBe("invalid-start");
  });
});

describe("warm starts", () => {
  const H = Float64Array.of(802, -400, -400, 200); // Hessian of the valley at its minimum
  it("with the true Hessian or its inverse near the minimum, a handful of evaluations", () => {
    const cold = minimizeQuasiNewton(valley, [1.02, 1.03]);
    const det = 802 * 200 - 160000;
    const inverse = Float64Array.of(200 / det, 400 / det, 400 / det, 802 / det);
    const warm = minimizeQuasiNewton(valley, [1.02, 1.03], { hessian: H });
    const inverted = minimizeQuasiNewton(valley, [1.02, 1.03], { inverseHessian: inverse });
    for (const found of [warm, inverted]) {
      expect(found.x[0]).toBeCloseTo(1, 8);
      expect(found.evaluations).toBeLessThanOrEqual(12);
      expect(found.evaluations).toBeLessThan(cold.evaluations);
    }
  });
  it("the Hessian of one result speeds up the next, a nearby problem", () => {
    const first = minimizeQuasiNewton(valley, [-1.2, 1]);
    const moved = (x: Float64Array, g: Float64Array) => {
      const f = valley(x, g);
      g[0]! += 0.01;
      return f + 0.01 * x[0]!;
    };
    const cold = minimizeQuasiNewton(moved, first.x);
    const warm = minimizeQuasiNewton(moved, first.x, { hessian: first.hessian });
    expect(Math.abs(warm.value - cold.value)).toBeLessThan(1e-13);
    expect(warm.evaluations).toBeLessThan(cold.evaluations);
  });
  it("an indefinite start matrix is ignored", () => {
    const found = minimizeQuasiNewton(valley, [-1.2, 1], { hessian: Float64Array.of(1, 3, 3, 1) });
    expect(found.x[0]).toBeCloseTo(1, 8);
  });
});
