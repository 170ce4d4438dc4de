import { describe, expect, it } from "vitest";
import { computePower } from "../solve/solve.ts";
import { ordinalFamily } from "./ordinal.ts";
import { parseThresholds, pointsOf, stepOf, typicalThresholds, withPoints } from "./ordinal-scale.ts";

const fixed = (text: string) => ({ kind: "fixed" as const, thresholds: parseThresholds(text) });
const SEVEN = fixed("-1.5,-1,-0.5,0.4,1,1.6");
const cutsOf = (points: number) => Array.from(typicalThresholds(withPoints(SEVEN, points)));

describe("scales with another number of points", () => {
  it("fewer points merge neighbours: every cut is one of the scale's own", () => {
    expect(cutsOf(2)).toEqual([0.4]);
    expect(cutsOf(3)).toEqual([-1, 1]);
    expect(cutsOf(5)).toEqual([-1.5, -0.5, 0.4, 1.6]);
    expect(cutsOf(7)).toEqual(Array.from(SEVEN.thresholds));
  });

  it("more points cut the same range evenly", () => {
    const cuts = cutsOf(12);
    expect(cuts).toHaveLength(11);
    expect([cuts[0], cuts[10]]).toEqual([-1.5, 1.6]);
    expect(cuts[1]! - cuts[0]!).toBeCloseTo(0.31, 12);
  });

  it("scales of settings keep their range", () => {
    const drawn = {
      kind: "drawn" as const,
      points: 6,
      lowest: -1.78,
      lowestSd: 0.19,
      distance: 0.62,
      distanceSd: 0.18,
    };
    expect(Array.from(typicalThresholds(withPoints(drawn, 10))).at(-1)).toBeCloseTo(-1.78 + 4 * 0.62, 12);
    expect(typicalThresholds(withPoints(drawn, 2))[0]).toBeCloseTo(-1.78 + 2 * 0.62, 12);
    expect(pointsOf(withPoints(drawn, 2))).toBe(2);
  });

  it("power falls with coarser scales at one latent effect", () => {
    const base = {
      items: 60,
      raters: 10,
      effect: 0.3,
      thresholds: "-1.5,-1,-0.5,0.4,1,1.6",
      raterIntercept: 0.3,
      raterSlope: 0.1,
      itemIntercept: 0.3,
      itemSlope: 0.2,
    };
    const power = [2, 3, 5, 7].map((points) => computePower(ordinalFamily, { ...base, points }, "approx").power);
    expect(power).toEqual([...power].sort((a, b) => a - b));
    expect(power[3]).toBe(computePower(ordinalFamily, base, "approx").power);
  });

  it("an effect in steps is one in mean distances of the thresholds", () => {
    const base = {
      items: 60,
      raters: 10,
      thresholds: "-1.5,-1,-0.5,0.4,1,1.6",
      raterIntercept: 0.3,
      raterSlope: 0.1,
      itemIntercept: 0.3,
      itemSlope: 0.2,
    };
    expect(stepOf(SEVEN)).toBeCloseTo(3.1 / 5, 12);
    const own = computePower(ordinalFamily, { ...base, effect: 0.5, effectUnit: "steps" }, "approx");
    expect(own.effect).toBeCloseTo(0.31, 12);
    expect(own.power).toBe(computePower(ordinalFamily, { ...base, effect: own.effect }, "approx").power);
    expect(own.parameters.find(({ name }) => name === "steps")!.value).toBeCloseTo(0.5, 12);
  });

  it.each([
    [{ points: 1 }, "points = 1"],
    [{ thresholds: "0", points: 5 }, "no range to cut"],
    [{ thresholds: "0", effectUnit: "steps" }, "no steps"],
    [{ effectUnit: "points" }, "effectUnit = points"],
  ])("refuses %j", (wrong, message) => {
    const base = {
      items: 60,
      raters: 10,
      effect: 0.3,
      thresholds: "-1,0,1",
      raterIntercept: 0,
      raterSlope: 0,
      itemIntercept: 0,
      itemSlope: 0,
    };
    expect(() => computePower(ordinalFamily, { ...base, ...wrong }, "approx")).toThrow(message);
  });
});
