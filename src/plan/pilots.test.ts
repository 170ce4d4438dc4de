/** Pooled pilots against the closed form. */
import { describe, expect, it } from "vitest";
import type { PilotParameters } from "../power/from/pilot.ts";
import { poolPilots } from "./pilots.ts";

const pilot = (raters: number, items: number, sds: readonly number[], thresholds?: string): PilotParameters => ({
  scenario: thresholds === undefined ? "likert" : "ordinal",
  parameters: {
    ...{ raterIntercept: sds[0]!, raterSlope: sds[1]!, itemIntercept: sds[2]!, itemSlope: sds[3]! },
    ...(thresholds === undefined ? { residual: sds[4]! } : { thresholds }),
  },
  ...{ difference: 0, se: 1, systems: ["a", "b"], raters, items, ratings: 2 * raters * items, diagnostics: [] },
});

describe("several pilots", () => {
  it("are pooled by their df, with a range that every pilot lies in", () => {
    const one = pilot(5, 21, [0.1, 0.2, 0.3, 0.4, 0.5]);
    const two = pilot(9, 41, [0.2, 0.2, 0.3, 0.1, 0.5]);
    const { raterIntercept, raterSlope, itemSlope, low, high } = poolPilots([one, two]);
    expect(raterIntercept).toBeCloseTo(Math.sqrt((4 * 0.01 + 8 * 0.04) / 12), 4);
    expect(itemSlope).toBeCloseTo(Math.sqrt((20 * 0.16 + 40 * 0.01) / 60), 3);
    // χ²(.9, 12) = 18.549, χ²(.1, 12) = 6.304
    expect(raterSlope).toBe(0.2);
    expect(low!.raterSlope).toBeCloseTo(0.2 * Math.sqrt(12 / 18.5493), 4);
    expect(high!.raterSlope).toBeCloseTo(0.2 * Math.sqrt(12 / 6.3038), 4);
    expect([low!.itemSlope, high!.itemSlope]).toEqual([0.1, 0.4]);
  });

  it("have thresholds in the middle, of one scale", () => {
    const sds = [0.1, 0.2, 0.3, 0.4];
    expect(poolPilots([pilot(5, 20, sds, "-1,0,1"), pilot(5, 20, sds, "-1.2,0.2,1.4")]).thresholds).toEqual([
      -1.1, 0.1, 1.2,
    ]);
    expect(() => poolPilots([pilot(5, 20, sds, "-1,0,1"), pilot(5, 20, sds, "-1,1")])).toThrow(/4 and 3 points/);
    expect(() => poolPilots([])).toThrow(/no pilot/);
  });
});
