/** Standard problems: problems.test.ts; mixed-model criterion: one-way.test.ts. Here: the parts, and what goes wrong. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minimizeBobyqa } from "./bobyqa.ts";
import { findGeometryStep } from "./geometry-step.ts";
import {
  denominator,
  evaluateModel,
  type Interpolation,
  lagrangeInto,
  makeInterpolation,
  movePoint,
  refreshModel,
  rowOf,
} from "./interpolation.ts";
import { findTrustStep } from "./trust-step.ts";

const f = (x: Float64Array) => Math.exp(0.3 * x[0]!) + (x[1]! - x[0]! ** 2) ** 2 + Math.sin(x[2]!) + x[2]! ** 2;

function makeSet(n: number, radius: number): Interpolation {
  const q = makeInterpolation(new Float64Array(n).fill(0.1));
  for (let i = 0; i < n; i++) {
    q.points[(1 + i) * n + i] = radius;
    q.points[(1 + n + i) * n + i] = -radius;
  }
  for (let j = 0; j < q.m; j++) q.values[j] = f(rowOf(q, j).map((v, i) => v + q.base[i]!));
  for (let j = 0; j < q.m; j++) if (q.values[j]! < q.values[q.best]!) q.best = j;
  refreshModel(q, radius);
  return q;
}

function worstResidual(q: Interpolation): number {
  let worst = 0;
  const atBest = evaluateModel(q, rowOf(q, q.best));
  for (let j = 0; j < q.m; j++) {
    const residual = q.values[j]! - q.values[q.best]! - (evaluateModel(q, rowOf(q, j)) - atBest);
    worst = Math.max(worst, Math.abs(residual));
  }
  return worst;
}

describe("interpolation", () => {
  it.each([1, 1e-3])("interpolates all points at radius %f, and Lagrange functions are 1 and 0 on them", (radius) => {
    const q = makeSet(3, radius);
    expect(worstResidual(q)).toBeLessThan(1e-14);
    for (let j = 0; j < q.m; j++) {
      lagrangeInto(q, Float64Array.from(rowOf(q, j)));
      for (let k = 0; k < q.m; k++) expect(Math.abs(q.Hw[k]! - (j === k ? 1 : 0))).toBeLessThan(1e-9);
    }
  });
  it("stays an interpolant through forty moves without a refresh", () => {
    const q = makeSet(3, 0.5);
    for (let k = 0; k < 40; k++) {
      const t = (q.best + 1 + (k % (q.m - 1))) % q.m;
      const limits = { low: new Float64Array(3).fill(-2), high: new Float64Array(3).fill(2), radius: 0.4 };
      const step = findGeometryStep(q, t, limits);
      const y = rowOf(q, q.best).map((v, i) => v + step[i]!);
      const beta = lagrangeInto(q, y);
      // In exact arithmetic the denominator is at least ℓ_t².
      expect(denominator(q, t, beta)).toBeGreaterThan(0.999 * q.Hw[t]! ** 2);
      movePoint(q, t, y, { value: f(y.map((v, i) => v + q.base[i]!)), beta });
    }
    expect(worstResidual(q)).toBeLessThan(1e-11);
  });
  it("reproduces a quadratic with diagonal Hessian from its first 2n + 1 points", () => {
    const q = makeInterpolation(Float64Array.of(1, 2));
    const quadratic = (x: Float64Array) => 3 * x[0]! ** 2 - x[1]! ** 2 + x[0]! - 4;
    q.points.set([0, 0, 1, 0, 0, 1, -1, 0, 0, -1]);
    for (let j = 0; j < 5; j++) q.values[j] = quadratic(rowOf(q, j).map((v, i) => v + q.base[i]!));
    refreshModel(q, 1);
    [6, 0, 0, -2].forEach((h, k) => {
      expect(q.hessian[k]).toBeCloseTo(h, 12);
    });
  });
});

describe("trust-region step", () => {
  const free = { low: new Float64Array(3).fill(-1e9), high: new Float64Array(3).fill(1e9) };
  it("is the Newton step inside the region", () => {
    const step = findTrustStep(Float64Array.of(2, -6, 8), Float64Array.of(2, 0, 0, 0, 3, 0, 0, 0, 4), {
      ...free,
      radius: 9,
    });
    [-1, 2, -2].forEach((v, i) => {
      expect(step.d[i]).toBeCloseTo(v, 12);
    });
    expect(step.decrease).toBeCloseTo(1 + 6 + 8, 12);
  });
  it("keeps its limits and gains as much as projected steepest descent, indefinite models and bounds included", () => {
    const unit = fc.integer({ min: -1000, max: 1000 }).map((k) => k / 1000);
    const numbers = fc.array(unit, { minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(numbers, ([g0, g1, h0, h1, h2, b0, b1]) => {
        const low = Float64Array.of(-Math.abs(b0!), -2);
        const high = Float64Array.of(2, Math.abs(b1!));
        const model = (x: number, y: number) => g0! * x + g1! * y + 0.5 * (h0! * x * x + 2 * h1! * x * y + h2! * y * y);
        const step = findTrustStep(Float64Array.of(g0!, g1!), Float64Array.of(h0!, h1!, h1!, h2!), {
          low,
          high,
          radius: 1,
        });
        const [x, y] = step.d as unknown as [number, number];
        expect(Math.hypot(x, y)).toBeLessThanOrEqual(1 + 1e-9);
        expect(x).toBeGreaterThanOrEqual(low[0]!);
        expect(y).toBeLessThanOrEqual(high[1]!);
        expect(Math.abs(model(x, y) + step.decrease)).toBeLessThan(1e-9);
        let cauchy = 0;
        for (let k = 1; k <= 200; k++) {
          let u = Math.min(Math.max((-g0! * k) / 50, low[0]!), high[0]!);
          let v = Math.min(Math.max((-g1! * k) / 50, low[1]!), high[1]!);
          const size = Math.hypot(u, v);
          if (size > 1) {
            u /= size;
            v /= size;
          }
          cauchy = Math.min(cauchy, model(u, v));
        }
        expect(-step.decrease).toBeLessThanOrEqual(0.9 * cauchy + 1e-12);
      }),
      { numRuns: 400, seed: 17 },
    );
  });
});

describe("minimizeBobyqa", () => {
  it("n = 1: interior, bound, and a quartic", () => {
    const cosh = minimizeBobyqa((x) => Math.cosh(x[0]! - 2), [0]);
    expect(Math.abs(cosh.x[0]! - 2)).toBeLessThan(3e-8);
    expect(cosh.evaluations).toBeLessThanOrEqual(40);
    expect(minimizeBobyqa((x) => (x[0]! - 2) ** 2, [0], { upper: [1] }).x[0]).toBe(1);
    expect(minimizeBobyqa((x) => (x[0]! - 2) ** 4, [0]).value).toBeLessThan(1e-14);
  });
  it("n = 20, all variables coupled, half of them on bounds: Kuhn-Tucker to 1e-6", () => {
    const n = 20;
    const target = Array.from({ length: n }, (_, i) => Math.sin(3 * i));
    const gradientAt = (x: Float64Array) => {
      const mean = x.reduce((s, v) => s + v, 0);
      return x.map((v, i) => 2 * (v - target[i]!) + 0.2 * mean);
    };
    const coupled = (x: Float64Array) => {
      const sum = x.reduce((s, v) => s + v, 0);
      return x.reduce((s, v, i) => s + (v - target[i]!) ** 2, 0) + 0.1 * sum * sum;
    };
    const found = minimizeBobyqa(coupled, new Array(n).fill(0.5), {
      lower: new Array(n).fill(0),
      upper: new Array(n).fill(1),
    });
    expect(found.converged).toBe(true);
    const g = gradientAt(found.x);
    for (let i = 0; i < n; i++) {
      if (found.active[i] === -1) expect(g[i]!).toBeGreaterThan(-1e-6);
      else if (found.active[i] === 1) expect(g[i]!).toBeLessThan(1e-6);
      else expect(Math.abs(g[i]!)).toBeLessThan(1e-6);
    }
    expect(found.active.filter((a) => a !== 0).length).toBeGreaterThan(5);
    expect(found.evaluations).toBeLessThan(500);
  });
  it("never leaves the box, wherever it starts", () => {
    fc.assert(
      fc.property(fc.double({ min: -3, max: 3, noNaN: true }), fc.double({ min: -3, max: 3, noNaN: true }), (a, b) => {
        let outside = 0;
        const g = (x: Float64Array) => {
          if (x[0]! < -0.7 || x[0]! > 0.5 || x[1]! < -1 || x[1]! > 0.1) outside++;
          return 100 * (x[1]! - x[0]! ** 2) ** 2 + (1 - x[0]!) ** 2;
        };
        const found = minimizeBobyqa(g, [a, b], { lower: [-0.7, -1], upper: [0.5, 0.1] });
        // On x_1 = 0.1: minimum of 100(0.1 - x²)² + (1 - x)², at the root of 400x³ - 38x - 2, near 0.3323.
        return outside === 0 && found.converged && (Math.abs(found.x[1]! - 0.1) < 1e-9 || found.x[0]! < 0);
      }),
      { numRuns: 60, seed: 23 },
    );
  });
  it("fixed variables are left out, and all fixed is no search", () => {
    const g = (x: Float64Array) => (x[0]! - 1) ** 2 + (x[1]! - 2) ** 2 + x[0]! * x[1]!;
    const found = minimizeBobyqa(g, [0, 9], { lower: [-9, 3], upper: [9, 3] });
    expect(found.x[1]).toBe(3);
    expect(found.x[0]).toBeCloseTo(1 - 1.5, 7);
    expect(minimizeBobyqa(g, [0, 0], { lower: [1, 1], upper: [1, 1] })).toMatchObject({ value: 2, evaluations: 1 });
  });
  it("undefined values near the minimum are avoided", () => {
    // 2x - log x + (y - 1)² with NaN for x <= 0: minimum at x = 1/2.
    const found = minimizeBobyqa((x) => 2 * x[0]! - Math.log(x[0]!) + (x[1]! - 1) ** 2, [0.15, 0]);
    expect(Math.abs(found.x[0]! - 0.5)).toBeLessThan(1e-6);
    expect(Math.abs(found.x[1]! - 1)).toBeLessThan(1e-6);
  });
  it("a flat objective, a used-up budget and an undefined start end with the right status", () => {
    expect(minimizeBobyqa(() => 3, [1, 2])).toMatchObject({ value: 3, status: "radius" });
    expect(minimizeBobyqa(f, [5, 5, 5], { maxEvaluations: 15 })).toMatchObject({ status: "budget", converged: false });
    expect(minimizeBobyqa(() => Number.NaN, [1, 2]).status).toBe("invalid-start");
  });
});

describe("badly scaled problems", () => {
  it("a search that ends on a slope, in a valley narrower than the final radius, has not converged", () => {
    // Powell's badly scaled function: minimum 0 at (1.1e-5, 9.1)
    const powell = (x: Float64Array) =>
      (1e4 * x[0]! * x[1]! - 1) ** 2 + (Math.exp(-x[0]!) + Math.exp(-x[1]!) - 1.0001) ** 2;
    const found = minimizeBobyqa(powell, [0, 1]);
    expect(found.value).toBeGreaterThan(1e-6);
    expect(found).toMatchObject({ converged: false, status: "stalled" });
  });
  it("scales that differ but are found do converge", () => {
    for (const s of [1e4, 1e6, 1e8]) {
      const steep = minimizeBobyqa((x) => s * (x[0]! - 1) ** 2 + (x[1]! - 3) ** 2, [0, 0]);
      expect(steep.converged && Math.abs(steep.x[1]! - 3) < 1e-7).toBe(true);
      // Brown's badly scaled function
      const brown = (x: Float64Array) => (x[0]! - s) ** 2 + (x[1]! - 2 / s) ** 2 + (x[0]! * x[1]! - 2) ** 2;
      expect(minimizeBobyqa(brown, [1, 1])).toMatchObject({ converged: true });
    }
  });
});
