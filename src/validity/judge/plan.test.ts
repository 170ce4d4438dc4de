import { describe, expect, it } from "vitest";
import { makeRng } from "../../numeric/rng.ts";
import { planJudge } from "./plan.ts";

const RATES = { passRate: 0.7, sensitivity: 0.9, specificity: 0.8, halfWidth: 0.06 };

describe("a plan of labels and judgments", () => {
  const found = planJudge(RATES);
  it("is cheaper than labels alone with a good judge, and buys no judge that is dear and bad", () => {
    expect(found.cheapest.cost).toBeLessThan(found.labelsAlone.cost);
    const bad = planJudge({ ...RATES, sensitivity: 0.72, specificity: 0.6, judgmentCost: 0.5 });
    expect(bad.cheapest.outputs).toBe(0);
  });

  it("costs within 5 % of the cheapest of all mixes around it", () => {
    // every mix of the curve meets the same half-width: none is cheaper
    for (const mix of found.curve) expect(found.cheapest.cost).toBeLessThanOrEqual(1.05 * mix.cost);
    expect(found.cheapest.cost).toBe(found.cheapest.labels + 0.01 * found.cheapest.outputs);
  });

  it("splits labels between the verdicts by Neyman's rule", () => {
    const p = 0.7 * 0.9 + 0.3 * 0.2;
    const [low, high] = [0.07 / (1 - p), 0.63 / p];
    const [weak, strong] = [(1 - p) * Math.sqrt(low * (1 - low)), p * Math.sqrt(high * (1 - high))];
    expect(found.allocation.failed).toBe(Math.round((found.cheapest.labels * weak) / (weak + strong)));
    expect(found.allocation.failed + found.allocation.passed).toBe(found.cheapest.labels);
  });

  it("splits labels of a calibration that is carried over by Lee et al.'s rule", () => {
    const p = 0.7 * 0.9 + 0.3 * 0.2;
    const odds = (1 / p - 1) * Math.sqrt(0.2 / 0.1);
    expect(found.carried.negatives).toBe(Math.round((found.cheapest.labels * odds) / (1 + odds)));
    expect(found.carried.negatives + found.carried.positives).toBe(found.cheapest.labels);
  });

  it("asks for more labels for a narrower interval, and is the same for the same seed", () => {
    expect(planJudge({ ...RATES, halfWidth: 0.04 }).cheapest.labels).toBeGreaterThan(found.cheapest.labels);
    expect(planJudge({ ...RATES, rng: makeRng(1) }).cheapest).toEqual(found.cheapest);
  });

  it("refuses rates that no judge has", () => {
    expect(() => planJudge({ ...RATES, passRate: 1.2 })).toThrow(/not between 0 and 1/);
    expect(() => planJudge({ ...RATES, halfWidth: 0 })).toThrow(/half-width/);
  });
});
