import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Integral, integrate, integrateDoubleExponential } from "./quadrature.ts";

const infinity = Number.POSITIVE_INFINITY;
/** erf(1) and Γ(5.5), Γ(0.1) to double precision (mpmath). */
const ERF_1 = 0.8427007929497149;
const GAMMA_5_5 = 52.34277778455352;
const GAMMA_0_1 = 9.513507698668732;

function expectIntegral(found: Integral, exact: number, relative: number): void {
  expect(found.converged).toBe(true);
  expect(Math.abs(found.value - exact)).toBeLessThanOrEqual(relative * Math.max(Math.abs(exact), 1e-300));
  // The estimate must cover the error, up to rounding.
  expect(Math.abs(found.value - exact)).toBeLessThanOrEqual(found.error + 1e-14 * Math.abs(exact));
}

describe("integrate", () => {
  const cases: readonly [string, (x: number) => number, number, number, number, number][] = [
    ["erf(1)", (x) => (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x), 0, 1, ERF_1, 1e-15],
    ["Γ(5.5)", (x) => x ** 4.5 * Math.exp(-x), 0, infinity, GAMMA_5_5, 1e-14],
    [
      "normal density over the line",
      (x) => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI),
      -infinity,
      infinity,
      1,
      1e-14,
    ],
    ["a normal far out", (x) => Math.exp(-0.5 * (x - 40) ** 2) / Math.sqrt(2 * Math.PI), -infinity, infinity, 1, 1e-12],
    ["upper tail, left half line", (x) => Math.exp(2 * x), -infinity, 1, Math.exp(2) / 2, 1e-13],
    ["oscillating", (x) => Math.cos(100 * x) * x, 0, 1, Math.sin(100) / 100 + (Math.cos(100) - 1) / 1e4, 1e-12],
    ["a kink", (x) => Math.abs(x - 1 / 3), 0, 1, 5 / 18, 1e-10],
    ["a jump", (x) => (x < 1 / 3 ? 1 : 0), 0, 1, 1 / 3, 1e-10],
    ["1/√x", (x) => 1 / Math.sqrt(x), 0, 1, 2, 1e-10],
    ["Cauchy density", (x) => 1 / (Math.PI * (1 + x * x)), -infinity, infinity, 1, 1e-13],
  ];
  it.each(cases)("%s", (_, f, lo, hi, exact, relative) => expectIntegral(integrate(f, lo, hi), exact, relative));

  it("is exact for polynomials up to degree 31 with one application per half", () => {
    for (let k = 0; k <= 31; k++) {
      const found = integrate((x) => x ** k, 0, 1);
      expect(Math.abs(found.value * (k + 1) - 1)).toBeLessThan(1e-15 * 4);
      expect(found.evaluations).toBe(42);
    }
  });
  it("changes sign with its ends, adds over intervals, and is 0 by symmetry", () => {
    const f = (x: number) => Math.exp(Math.sin(3 * x));
    fc.assert(
      fc.property(fc.double({ min: -4, max: 4, noNaN: true }), fc.double({ min: -4, max: 4, noNaN: true }), (a, b) => {
        const whole = integrate(f, -4, b).value;
        const parts = integrate(f, -4, a).value + integrate(f, a, b).value;
        return Math.abs(whole - parts) < 1e-9 && integrate(f, a, b).value === -integrate(f, b, a).value;
      }),
      { numRuns: 60, seed: 29 },
    );
    expectIntegral(
      integrate((x) => x ** 3, -2, 2),
      0,
      1e285,
    );
  });
  it("may be nested: ∫∫ exp(-xy) over the unit square", () => {
    const outer = integrate((x) => integrate((y) => Math.exp(-x * y), 0, 1).value, 0, 1);
    // Σ (-1)^k / ((k + 1)! (k + 1)).
    let exact = 0;
    for (let k = 0, factorial = 1; k < 25; k++) {
      factorial *= k + 1;
      exact += (-1) ** k / (factorial * (k + 1));
    }
    expect(Math.abs(outer.value - exact)).toBeLessThan(1e-14);
  });
  it("admits divergence and undefined input", () => {
    expect(integrate((x) => 1 / x, 0, 1).converged).toBe(false);
    expect(integrate(Math.sin, Number.NaN, 1).value).toBeNaN();
    expect(integrate(() => Number.NaN, 0, 1)).toMatchObject({ value: Number.NaN, converged: false });
    expect(integrate(Math.exp, 2, 2)).toMatchObject({ value: 0, converged: true });
  });
});

describe("integrateDoubleExponential", () => {
  const beta = (a: number, b: number) => (_: number, u: number, v: number) => u ** (a - 1) * v ** (b - 1);
  const cases: readonly [string, (x: number, u: number, v: number) => number, number, number, number][] = [
    ["1/√x", (x) => 1 / Math.sqrt(x), 0, 1, 2],
    ["(1 - x)^-0.9, through the distance from the end", (_x, _u, v) => v ** -0.9, 0, 1, 10],
    ["B(½, ½) = π on [2, 5]", beta(0.5, 0.5), 2, 5, Math.PI],
    ["log x log(1 - x)", (x) => Math.log(x) * Math.log1p(-x), 0, 1, 2 - Math.PI ** 2 / 6],
    ["Γ(0.1)", (x) => x ** -0.9 * Math.exp(-x), 0, infinity, GAMMA_0_1],
    ["1/(1 + x²) on the half line", (x) => 1 / (1 + x * x), 0, infinity, Math.PI / 2],
    ["1/(1 + x²) on the line", (x) => 1 / (1 + x * x), -infinity, infinity, Math.PI],
    ["exp(x) up to 1", (x) => Math.exp(x), -infinity, 1, Math.E],
    ["erf(1)", (x) => (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x), 0, 1, ERF_1],
  ];
  it.each(cases)("%s to 1e-14", (_, f, lo, hi, exact) =>
    expectIntegral(integrateDoubleExponential(f, lo, hi), exact, 1e-14),
  );

  it("B(a, b) = Γ(a)Γ(b)/Γ(a + b) for b a positive integer", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 5, noNaN: true }), fc.integer({ min: 1, max: 5 }), (a, b) => {
        // B(a, b) = (b - 1)! / (a (a + 1) ... (a + b - 1)).
        let exact = 1 / a;
        for (let k = 1; k < b; k++) exact *= k / (a + k);
        const found = integrateDoubleExponential(beta(a, b), 0, 1, { relativeTolerance: 1e-13 });
        return Math.abs(found.value / exact - 1) < 1e-13;
      }),
      { numRuns: 100, seed: 31 },
    );
  });
  it("agrees with Gauss-Kronrod where both apply", () => {
    const f = (x: number) => Math.exp(-x) * Math.sin(x) ** 2;
    expect(integrateDoubleExponential(f, 0, infinity).value).toBeCloseTo(integrate(f, 0, infinity).value, 10);
    expect(integrateDoubleExponential(f, 0, infinity).value).toBeCloseTo(0.4, 10);
  });
});

describe("integrals that do not exist, or are asked for backwards", () => {
  it("a divergent integral has not converged", () => {
    expect(integrate(() => 1, 0, infinity).converged).toBe(false);
  });
  it("an integrand that is NaN throughout, or on half of the interval, has not converged", () => {
    expect(integrateDoubleExponential(() => Number.NaN, 0, 1)).toMatchObject({ value: Number.NaN, converged: false });
    expect(integrateDoubleExponential((x) => (x > 0.7 ? Number.NaN : 1), 0, 1).converged).toBe(false);
    expect(integrateDoubleExponential((x) => x, Number.NaN, 1)).toMatchObject({ value: Number.NaN, converged: false });
  });
  it("what a pole hides at the rounded end counts as error; the distance from the end avoids it", () => {
    expect(integrateDoubleExponential((x) => 1 / Math.sqrt(1 - x), 0, 1).converged).toBe(false);
    expectIntegral(
      integrateDoubleExponential((_x, _a, b) => 1 / Math.sqrt(b), 0, 1),
      2,
      1e-14,
    );
    // NaN = Infinity · 0 from x = 1257 on, where nothing is left: 100!
    const factorial = integrateDoubleExponential((x) => x ** 100 * Math.exp(-x), 0, infinity);
    expect(factorial.converged).toBe(true);
    expect(Math.abs(factorial.value / 9.332621544394415e157 - 1)).toBeLessThan(1e-10);
  });
  it("reversed ends change the sign, and the distances with them", () => {
    expectIntegral(
      integrateDoubleExponential((_x, fromFirst) => 1 / Math.sqrt(fromFirst), 1, 0),
      -2,
      1e-14,
    );
  });
});
