import { describe, expect, it } from "vitest";
import {
  estimateGradient,
  estimateHessian,
  estimateHessianFromGradient,
  estimateJacobian,
  extrapolate,
} from "./derivative.ts";

const wave = (x: Float64Array) => Math.exp(x[0]!) * Math.sin(x[1]! * x[2]!);
const at = [0.4, -1.3, 2.2];
const E = Math.exp(0.4);
const S = Math.sin(-1.3 * 2.2);
const C = Math.cos(-1.3 * 2.2);
const gradient = [E * S, E * C * 2.2, E * C * -1.3];

describe("first derivatives", () => {
  it("gradient of exp(x) sin(yz) to 1e-12", () => {
    estimateGradient(wave, at).forEach((g, i) => {
      expect(Math.abs(g - gradient[i]!)).toBeLessThan(1e-12);
    });
  });
  it("Jacobian is column-major: ∂f_i/∂x_j at i + j·rows", () => {
    const J = estimateJacobian((x) => [x[0]! ** 3, x[0]! * x[1]!, Math.log(x[1]!)], [2, 5]);
    [12, 5, 0, 0, 2, 0.2].forEach((v, k) => {
      expect(Math.abs(J.data[k]! - v)).toBeLessThan(1e-11);
    });
    expect([J.rows, J.cols]).toEqual([3, 2]);
  });
  it("scales with x: d/dx x² at 1e6 and at 1e-6", () => {
    expect(Math.abs(estimateGradient((x) => x[0]! ** 2, [1e6])[0]! / 2e6 - 1)).toBeLessThan(1e-12);
    expect(Math.abs(estimateGradient((x) => x[0]! ** 2, [1e-6])[0]! - 2e-6)).toBeLessThan(1e-14);
  });
  it("drops steps that leave the domain", () => {
    expect(Math.abs(estimateGradient((x) => Math.log(x[0]!), [0.01])[0]! / 100 - 1)).toBeLessThan(1e-6);
  });
  it("is NaN where the function is undefined nearby", () => {
    expect(estimateGradient(() => Number.NaN, [1])[0]).toBeNaN();
  });
});

describe("second derivatives", () => {
  const hessian = [
    [E * S, E * C * 2.2, E * C * -1.3],
    [E * C * 2.2, -E * S * 2.2 ** 2, E * (C - S * 2.2 * -1.3)],
    [E * C * -1.3, E * (C - S * 2.2 * -1.3), -E * S * 1.3 ** 2],
  ];
  it("from values to 1e-9", () => {
    const H = estimateHessian(wave, at);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) expect(Math.abs(H.data[i + 3 * j]! - hessian[i]![j]!)).toBeLessThan(1e-9);
  });
  it("from the gradient to 1e-11", () => {
    const g = ([x, y, z]: Float64Array) => {
      const s = Math.sin(y! * z!);
      const c = Math.cos(y! * z!);
      return [Math.exp(x!) * s, Math.exp(x!) * c * z!, Math.exp(x!) * c * y!];
    };
    const H = estimateHessianFromGradient(g, at);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) expect(Math.abs(H.data[i + 3 * j]! - hessian[i]![j]!)).toBeLessThan(1e-11);
  });
});

describe("extrapolate", () => {
  it("removes even powers of h exactly", () => {
    const estimates = [1, 0.5, 0.25, 0.125].map((h) => 7 + 3 * h ** 2 - 5 * h ** 4);
    expect(extrapolate(estimates).value).toBeCloseTo(7, 13);
  });
  it("needs two finite neighbours", () => {
    expect(extrapolate([1, Number.NaN, 2]).value).toBeNaN();
  });
});
