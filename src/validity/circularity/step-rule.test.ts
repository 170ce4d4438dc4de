/** Rules planted in labels are read off again, thresholds and all. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factorColumn, numericColumn } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { findStepRule } from "./step-rule.ts";
import { shortestBetween } from "./threshold-tree.ts";

const N = 4000;

function uniform(seed: number, lo: number, hi: number, decimals: number): Float64Array {
  const rng = makeRng(seed);
  return Float64Array.from({ length: N }, () => Number((lo + (hi - lo) * rng.uniform()).toFixed(decimals)));
}

const numeric = (name: string, values: Float64Array) => ({ name, column: numericColumn(values) });

describe("step rules", () => {
  it("reads the liver score off bilirubin", () => {
    const bili = uniform(1, 0, 15, 2);
    const y = bili.map((b) => Number(b > 1.2) + Number(b > 2) + Number(b > 6) + Number(b > 12));
    const rule = findStepRule("sofa", y, [numeric("bili", bili)])!;
    expect(rule.form).toBe("steps");
    expect(rule.steps[0]!.thresholds.map(({ value }) => value)).toEqual([1.2, 2, 6, 12]);
    expect(rule.steps[0]!.values).toEqual([0, 1, 2, 3, 4]);
    expect([rule.d2, rule.agreement]).toEqual([1, 1]);
    expect(rule.heldOut).toBeGreaterThan(0.995);
    expect(rule.words).toEqual(["sofa is 0 for bili ≤ 1.2, 1 for > 1.2, 2 for > 2, 3 for > 6, 4 for > 12."]);
  });

  it("reads the kidney score as the larger of two rules, one of them falling", () => {
    const crea = uniform(2, 0.3, 6, 2);
    const urine = uniform(3, 0, 3000, 0);
    const y = crea.map((c, i) => {
      const first = Number(c > 1.2) + Number(c > 2) + Number(c > 3.5) + Number(c > 5);
      return Math.max(first, urine[i]! < 200 ? 4 : urine[i]! < 500 ? 3 : 0);
    });
    const rule = findStepRule("sofa", y, [numeric("crea", crea), numeric("urine", urine)])!;
    expect(rule.form).toBe("largest");
    expect(rule.steps[0]!.thresholds.map(({ value }) => value)).toEqual([1.2, 2, 3.5, 5]);
    const [low, high] = rule.steps[1]!.thresholds;
    expect(low!.below < 200 && low!.above >= 200).toBe(true);
    expect(high!.below < 500 && high!.above >= 500).toBe(true);
    expect(rule.agreement).toBe(1);
    expect(rule.words[0]).toBe("sofa is the largest of:");
  });

  it("reads a sum of two rules and a rule on the levels of a factor", () => {
    const x = uniform(4, 0, 1, 3);
    const group = factorColumn(Array.from(x, (_, i) => ["b", "a", "c"][i % 3]!));
    const points = [2, 0, 5]; // by level b, a, c
    const y = x.map((value, i) => points[i % 3]! + Number(value > 0.5));
    const rule = findStepRule("y", y, [numeric("x", x), { name: "group", column: group }])!;
    expect(rule.form).toBe("sum");
    expect(rule.agreement).toBe(1);
    expect(rule.steps[0]!.thresholds.map(({ value }) => value)).toEqual([0.5]);
    const levels = rule.steps[1]!;
    const gain = (level: string): number =>
      levels.values[levels.levels!.indexOf(level)]! - levels.values[levels.levels!.indexOf("a")]!;
    expect(gain("b")).toBeCloseTo(2, 6);
    expect(gain("c")).toBeCloseTo(5, 6);
  });

  it("finds nothing in noise that holds on rows it was not found on", () => {
    const x = uniform(5, 0, 1, 3);
    const rng = makeRng(6);
    const rule = findStepRule(
      "y",
      x.map(() => rng.normal()),
      [numeric("x", x)],
    );
    expect(rule?.heldOut ?? 0).toBeLessThan(0.02);
  });

  it("does not depend on the order of the rows, and thresholds scale with the feature", () => {
    const x = uniform(7, 0, 10, 1);
    const y = x.map((value) => Number(value > 3) + 2 * Number(value > 7));
    const turned = findStepRule("y", y.slice().reverse(), [numeric("x", x.slice().reverse())])!;
    const scaled = findStepRule("y", y, [
      numeric(
        "x",
        x.map((value) => 100 * value),
      ),
    ])!;
    expect(turned.steps[0]!.thresholds.map(({ value }) => value)).toEqual([3, 7]);
    expect(scaled.steps[0]!.thresholds.map(({ value }) => value)).toEqual([300, 700]);
  });
});

describe("shortest number of a gap", () => {
  it("prefers the number a person would write", () => {
    const gaps = [
      [1.2, 1.21],
      [5.75, 6.02],
      [11.79, 12.02],
      [198, 200],
      [498.46, 500],
      [4.94, 5.03],
      [-0.31, 0.2],
      [0.333, 0.334],
    ];
    expect(gaps.map(([below, above]) => shortestBetween(below!, above!))).toEqual([1.2, 6, 12, 200, 500, 5, 0, 0.333]);
  });

  it("stays in the gap", () => {
    const value = fc.double({ min: -1e6, max: 1e6, noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [below, above] = [Math.min(a, b), Math.max(a, b)];
        const found = shortestBetween(below, above);
        expect(found >= below && found <= above).toBe(true);
      }),
    );
  });
});
