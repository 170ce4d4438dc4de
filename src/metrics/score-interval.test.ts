import { describe, expect, it } from "vitest";
import { expectClose } from "../../test/support/oracle.ts";
import { f1Statistics } from "./f1.ts";
import { meanStatistics } from "./mean.ts";
import { intervalOf } from "./score-interval.ts";

describe("the interval of a score", () => {
  it("of a mean is t.test's (R)", () => {
    // t.test(c(2.1, 3.4, 1.9, 4.4, 2.8))$conf.int
    const { lower, upper, method } = intervalOf(meanStatistics([2.1, 3.4, 1.9, 4.4, 2.8]), { level: 0.95 })!;
    expect(method).toBe("t");
    expectClose([lower, upper], [1.655573855, 4.184426145], { tolerance: 1e-9 });
  });

  it("leaves missing items out", () => {
    const all = intervalOf(meanStatistics([2, 3, 5]), { level: 0.9 });
    expect(intervalOf(meanStatistics([2, Number.NaN, 3, 5]), { level: 0.9 })).toEqual(all);
  });

  it("of F1 is t with the jackknife's error, cut at the ends of its range", () => {
    const gold = ["a", "a", "b", "a", "b", "b", "a", "b"];
    const predicted = ["a", "b", "b", "a", "a", "b", "a", "b"];
    const f1 = (keep: (i: number) => boolean): number => {
      const rows = gold.map((g, i) => [g, predicted[i]!] as const).filter((_, i) => keep(i));
      const count = (g: string, p: string): number => rows.filter(([x, y]) => x === g && y === p).length;
      return (2 * count("a", "a")) / (2 * count("a", "a") + count("a", "b") + count("b", "a"));
    };
    const n = gold.length;
    const left = gold.map((_, k) => f1((i) => i !== k));
    const mean = left.reduce((sum, v) => sum + v, 0) / n;
    const se = Math.sqrt(((n - 1) / n) * left.reduce((sum, v) => sum + (v - mean) ** 2, 0));
    const { lower, upper } = intervalOf(f1Statistics(gold, predicted, { positive: "a" }), { level: 0.95 })!;
    const half = 2.364624251592785 * se; // qt(.975, 7)
    expectClose([lower, upper], [f1(() => true) - half, Math.min(1, f1(() => true) + half)], { tolerance: 1e-10 });
  });

  it("is none where nothing varies and no count tells how sure that is", () => {
    expect(intervalOf(meanStatistics([3, 3, 3]), { level: 0.95 })).toBeUndefined();
    expect(intervalOf(meanStatistics([3]), { level: 0.95 })).toBeUndefined();
    expect(intervalOf(meanStatistics([1, 1, 1]), { level: 0.95 })!.upper).toBe(1);
  });
});
