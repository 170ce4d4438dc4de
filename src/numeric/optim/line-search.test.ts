import { describe, expect, it } from "vitest";
import { type LinePoint, searchLine } from "./line-search.ts";

/** Test functions 1-3 of Moré & Thuente (1994), sec. 5, with their derivatives. */
const beta1 = 2;
const beta2 = 0.004;
const functions = [
  {
    name: "rational",
    f: (a: number) => -a / (a * a + beta1),
    d: (a: number) => (a * a - beta1) / (a * a + beta1) ** 2,
  },
  {
    name: "flat then steep",
    f: (a: number) => (a + beta2) ** 5 - 2 * (a + beta2) ** 4,
    d: (a: number) => 5 * (a + beta2) ** 4 - 8 * (a + beta2) ** 3,
  },
  {
    name: "wave",
    f: (a: number) => (a - 1) ** 2 - 0.3 * Math.sin(7 * a),
    d: (a: number) => 2 * (a - 1) - 2.1 * Math.cos(7 * a),
  },
];
const pointOf = (f: (a: number) => number, d: (a: number) => number) => {
  let evaluations = 0;
  const phi = (step: number): LinePoint => {
    evaluations++;
    return { step, value: f(step), slope: d(step) };
  };
  return { phi, count: () => evaluations };
};

describe("strong Wolfe conditions, first steps from 0.001 to 1000", () => {
  const cases = functions.flatMap((g) => [1e-3, 1e-1, 10, 1e3].map((firstStep) => ({ ...g, firstStep })));
  it.each(cases)("$name from $firstStep", ({ f, d, firstStep }) => {
    const { phi, count } = pointOf(f, d);
    const start = { step: 0, value: f(0), slope: d(0) };
    const options = { firstStep, maxStep: 4e3, noise: 1e-16, decrease: 1e-3, curvature: 0.1 };
    const found = searchLine(phi, start, options);
    expect(found.outcome).toBe("wolfe");
    expect(found.point.value).toBeLessThanOrEqual(f(0) + 1e-3 * found.point.step * d(0));
    expect(Math.abs(found.point.slope)).toBeLessThanOrEqual(0.1 * Math.abs(d(0)));
    expect(count()).toBeLessThanOrEqual(20);
  });
});

describe("walls, bounds and noise", () => {
  it("backs off from a wall and still finds the minimum of x - log x seen from the right", () => {
    // φ(α) = f(5 - 4α·3): NaN beyond α = 5/12, minimum at α = 1/3.
    const at = (a: number) => 5 - 12 * a;
    const { phi } = pointOf(
      (a) => at(a) - Math.log(at(a)),
      (a) => -12 * (1 - 1 / at(a)),
    );
    const found = searchLine(phi, phi(0), { firstStep: 1, maxStep: 100, noise: 1e-15, curvature: 1e-3 });
    expect(found.outcome).toBe("wolfe");
    expect(Math.abs(found.point.step - 1 / 3)).toBeLessThan(1e-3);
  });
  it("stops at maxStep when the function still falls there", () => {
    const { phi } = pointOf(
      (a) => -a,
      () => -1,
    );
    const found = searchLine(phi, phi(0), { firstStep: 1, maxStep: 7, noise: 1e-15, curvature: 0.5 });
    expect(found).toMatchObject({ outcome: "decreased", point: { step: 7 } });
  });
  it("accepts by slope where values differ by rounding only", () => {
    const { phi } = pointOf(
      (a) => 1e8 + 1e-9 * (a - 1) ** 2,
      (a) => 2e-9 * (a - 1),
    );
    const found = searchLine(phi, phi(0), { firstStep: 0.01, maxStep: 100, noise: 1e-7, curvature: 0.1 });
    expect(found.outcome).toBe("wolfe");
    expect(Math.abs(found.point.step - 1)).toBeLessThanOrEqual(0.1);
  });
  it("fails when the slope is a lie", () => {
    const { phi } = pointOf(
      (a) => a,
      () => -1,
    );
    expect(searchLine(phi, phi(0), { firstStep: 1, maxStep: 10, noise: 1e-16 }).outcome).toBe("failed");
  });
});
