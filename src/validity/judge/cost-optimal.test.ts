import { describe, expect, it } from "vitest";
import { costOptimalProbabilities } from "./cost-optimal.ts";

const PRICES = { labelCost: 10, judgmentCost: 1, variance: 5 / 3 };

describe("probabilities of being labeled", () => {
  it("are those of GLIDE's documented example", () => {
    const found = costOptimalProbabilities([0.1, 0.4, 0.1, 0.4], PRICES);
    for (const [i, expected] of [0.02514447, 0.10057789, 0.02514447, 0.10057789].entries())
      expect(found[i]).toBeCloseTo(expected, 8);
  });

  it("cost no more than any slope and threshold of a grid", () => {
    const u = [0.05, 0.2, 0.3, 0.9, 1.1, 0.4];
    const cost = (draw: readonly number[]): number => {
      const mean = draw.reduce((sum, own) => sum + own, 0) / u.length;
      const lost = draw.reduce((sum, own, i) => sum + u[i]! ** 2 * (1 / own - 1), 0) / u.length;
      return (10 * mean + 1) * (PRICES.variance + lost);
    };
    const best = cost([...costOptimalProbabilities(u, PRICES)]);
    for (const tau of u)
      for (let gamma = 0.02; gamma <= 1 / tau; gamma += 0.01)
        expect(best).toBeLessThanOrEqual(cost(u.map((own) => (own > tau ? 1 : gamma * own))) + 1e-12);
  });

  it("follow the outputs, whatever their order", () => {
    const [a, b] = [
      [0.1, 0.4, 0.7],
      [0.7, 0.1, 0.4],
    ].map((u) => costOptimalProbabilities(u, PRICES));
    expect([...b!]).toEqual([a![2], a![0], a![1]]);
  });

  it("are refused in a line where nothing decides them", () => {
    expect(() => costOptimalProbabilities([0.1, 0], PRICES)).toThrow(/not all positive/);
    expect(() => costOptimalProbabilities([], PRICES)).toThrow(/not all positive/);
    expect(() => costOptimalProbabilities([0.1, 0.2], { ...PRICES, labelCost: 0 })).toThrow(/prices/);
    expect(() => costOptimalProbabilities([0.2, 0.2], { ...PRICES, judgmentCost: 0 })).toThrow(/all equal/);
  });
});
