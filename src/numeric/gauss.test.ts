import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { gaussHermite, gaussLegendre } from "./gauss.ts";

interface OracleRule {
  readonly family: "hermite" | "legendre";
  readonly n: number;
  readonly nodes: readonly string[];
  readonly weights: readonly string[];
}
const oracle: { rules: OracleRule[] } = JSON.parse(
  readFileSync(new URL("../../oracle/mpmath/gauss.json", import.meta.url), "utf8"),
);

describe("mpmath at 60 digits", () => {
  it.each(oracle.rules)("$family, n = $n: nodes to the last bit, weights to 1e-15", ({ family, n, nodes, weights }) => {
    const rule = family === "hermite" ? gaussHermite(n) : gaussLegendre(n);
    const first = n - nodes.length;
    nodes.forEach((text, i) => {
      const x = Number(text);
      expect(Math.abs(rule.nodes[first + i]! - x)).toBeLessThanOrEqual(Number.EPSILON * 0.5 * x);
      expect(Math.abs(rule.weights[first + i]! / Number(weights[i]) - 1)).toBeLessThan(1e-15);
      // The other half is the mirror image.
      expect(rule.nodes[n - 1 - first - i]).toBe(0 - rule.nodes[first + i]!);
      expect(rule.weights[n - 1 - first - i]).toBe(rule.weights[first + i]);
    });
  });
});

/** Σ w x^k, relative to Σ w |x|^k. */
function momentError(rule: { nodes: Float64Array; weights: Float64Array }, k: number, exact: number): number {
  let sum = 0;
  for (let i = 0; i < rule.nodes.length; i++) sum += rule.weights[i]! * rule.nodes[i]! ** k;
  return exact === 0 ? Math.abs(sum) : Math.abs(sum / exact - 1);
}

describe("moments: exact for every degree below 2n", () => {
  it.each([1, 2, 3, 8, 25, 60])("Hermite, n = %i: E Z^k = (k - 1)!!", (n) => {
    const rule = gaussHermite(n, "normal");
    let doubleFactorial = 1;
    for (let k = 0; k < 2 * n; k += 2) {
      if (k > 0) doubleFactorial *= k - 1;
      expect(momentError(rule, k, doubleFactorial)).toBeLessThan(2e-15 * (k + 1));
    }
    // and not beyond: degree 2n is where the rule ends.
    expect(momentError(rule, 2 * n, doubleFactorial * (2 * n - 1))).toBeGreaterThan(1e-15);
  });
  it.each([1, 2, 3, 8, 25, 64])("Legendre, n = %i: ∫ x^k = 2/(k + 1)", (n) => {
    const rule = gaussLegendre(n);
    for (let k = 0; k < 2 * n; k++) expect(momentError(rule, k, k % 2 === 0 ? 2 / (k + 1) : 0)).toBeLessThan(4e-15);
  });
});

describe("kinds", () => {
  it("differ by the change of variable that relates them", () => {
    const n = 30;
    const physicist = gaussHermite(n);
    const probabilist = gaussHermite(n, "probabilist");
    const normal = gaussHermite(n, "normal");
    for (let i = 0; i < n; i++) {
      expect(Math.abs(probabilist.nodes[i]! / (Math.SQRT2 * physicist.nodes[i]!) - 1)).toBeLessThan(5e-16);
      expect(Math.abs(probabilist.weights[i]! / (Math.SQRT2 * physicist.weights[i]!) - 1)).toBeLessThan(2e-15);
      expect(Math.abs(normal.weights[i]! / (physicist.weights[i]! / Math.sqrt(Math.PI)) - 1)).toBeLessThan(2e-15);
    }
  });
  it("scaled weights are w/ω, and stay of order one where w itself is 1e-163", () => {
    const small = gaussHermite(6);
    small.nodes.forEach((x, i) => {
      expect(small.scaledWeights[i]! / (small.weights[i]! * Math.exp(x * x))).toBeCloseTo(1, 13);
    });
    for (const kind of ["physicist", "probabilist", "normal"] as const) {
      const rule = gaussHermite(200, kind);
      // ∫ of the standard normal density over the line, written without ω.
      let sum = 0;
      rule.nodes.forEach((x, i) => {
        sum += (rule.scaledWeights[i]! * Math.exp(-0.5 * x * x)) / Math.sqrt(2 * Math.PI);
      });
      expect(Math.abs(sum - 1)).toBeLessThan(1e-14);
      expect(rule.scaledWeights[199]).toBeGreaterThan(0.1);
      expect(rule.scaledWeights[199]).toBeLessThan(5);
    }
  });
  it("E exp(Z) = √e from 20 nodes", () => {
    const { nodes, weights } = gaussHermite(20, "normal");
    const sum = nodes.reduce((s, x, i) => s + weights[i]! * Math.exp(x), 0);
    expect(Math.abs(sum / Math.sqrt(Math.E) - 1)).toBeLessThan(3e-15);
  });
  it("orders out of range give NaN, not a wrong rule", () => {
    expect(gaussHermite(351).weights.every(Number.isNaN)).toBe(true);
    expect(gaussLegendre(1001).nodes.every(Number.isNaN)).toBe(true);
    expect(gaussHermite(350).weights.every((w) => w > 0)).toBe(true);
    expect(gaussHermite(0).nodes.length).toBe(0);
  });
});
