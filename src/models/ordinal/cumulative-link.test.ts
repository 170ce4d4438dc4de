import { describe, expect, it } from "vitest";
import { extrapolate } from "../../../test/support/derivative.ts";
import { CUMULATIVE_LINKS, type CumulativeLink, makeCumulativeTerms } from "./cumulative-link.ts";

const terms = (link: CumulativeLink, a: number, b: number): number[] => {
  const out = makeCumulativeTerms();
  CUMULATIVE_LINKS[link](out, a, b);
  return Array.from(out);
};

const derivative = (f: (x: number) => number, at: number): number =>
  extrapolate(Array.from({ length: 7 }, (_, k) => (f(at + 0.05 / 2 ** k) - f(at - 0.05 / 2 ** k)) / (0.1 / 2 ** k)))
    .value;

describe("cumulative links against mpmath, both tails", () => {
  const cases: [CumulativeLink, number, number, number][] = [
    ["probit", 41, 40, -804.6084420137538],
    ["probit", -40, -41, -804.6084420137538],
    ["probit", 9, 8.5, -39.20937339174401],
    ["probit", -8.5, -9, -39.20937339174401],
    ["probit", 60, 59.999, -1807.7965439858604],
    ["probit", 0.5, -0.5, -0.9599163336956223],
    ["logit", -800, -801, -800.4586751453871],
    ["logit", 801, 800, -800.4586751453871],
    ["logit", 40, 39.5, -40.43275212956719],
    ["logit", 0.5, -0.5, -1.4068291137472952],
    ["cloglog", -50, -51, -50.45867514538708],
    ["cloglog", 4, 3.9, -49.40800484167342],
    ["cloglog", 2, -1, -0.36877261431651226],
  ];
  it.each(cases)("%s log(F(%d) - F(%d))", (link, a, b, expected) => {
    expect(terms(link, a, b)[0]! / expected).toBeCloseTo(1, 12);
  });
});

describe("derivatives of log P", () => {
  const points: [number, number][] = [
    [0.4, -0.7],
    [-2, -3.5],
    [3.1, 1.2],
    [1.5, 1],
    [Number.POSITIVE_INFINITY, 0.3],
    [-0.2, Number.NEGATIVE_INFINITY],
  ];
  for (const link of ["logit", "probit", "cloglog"] as const) {
    it.each(points)(`${link} at a = %d, b = %d`, (a, b) => {
      const [, A0, B0, A1, B1, A2, B2] = terms(link, a, b) as [number, number, number, number, number, number, number];
      const close = (got: number, want: number): void =>
        expect(Math.abs(got - want)).toBeLessThan(1e-7 * Math.max(1, Math.abs(want)));
      if (Number.isFinite(a)) {
        close(
          A0,
          derivative((x) => terms(link, x, b)[0]!, a),
        );
        // ∂A0/∂a = A1 - A0², ∂A1/∂a = A2 - A1 A0
        close(
          A1 - A0 * A0,
          derivative((x) => terms(link, x, b)[1]!, a),
        );
        close(
          A2 - A1 * A0,
          derivative((x) => terms(link, x, b)[3]!, a),
        );
      } else expect([A0, A1, A2].map(Math.abs)).toEqual([0, 0, 0]);
      if (Number.isFinite(b)) {
        close(
          -B0,
          derivative((x) => terms(link, a, x)[0]!, b),
        );
        close(
          B1 + B0 * B0,
          derivative((x) => terms(link, a, x)[2]!, b),
        );
        close(
          B2 + B1 * B0,
          derivative((x) => terms(link, a, x)[4]!, b),
        );
      } else expect([B0, B1, B2].map(Math.abs)).toEqual([0, 0, 0]);
    });
  }

  it("is NaN where the thresholds are out of order", () => {
    for (const link of ["logit", "probit", "cloglog"] as const) expect(terms(link, 1, 1)[0]).toBeNaN();
  });

  it("stays finite far out, where densities and probabilities underflow", () => {
    for (const link of ["logit", "probit"] as const) {
      for (const [a, b] of [
        [60, 59],
        [-59, -60],
        [-45, Number.NEGATIVE_INFINITY],
        [Number.POSITIVE_INFINITY, 45],
      ] as const) {
        const [logP, A0, B0, A1, B1] = terms(link, a, b) as [number, number, number, number, number];
        expect(logP).toBeLessThan(-40);
        const W = (A0 - B0) ** 2 - (A1 - B1);
        expect(W).toBeGreaterThanOrEqual(-1e-10);
        // the nearer bound in a far tail: hazard about |x| (probit) or 1 (logit)
        expect(Math.max(A0, B0)).toBeGreaterThan(0.5);
        expect(Number.isFinite(A0 + B0)).toBe(true);
      }
    }
  });
});
