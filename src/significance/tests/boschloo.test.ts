/** Boschloo's test against scipy, and its interval by enumeration. */
import { describe, expect, it } from "vitest";
import oracle from "../../../oracle/python/boschloo.json" with { type: "json" };
import { binomialPmf } from "../../numeric/dist/binomial.ts";
import { type Boschloo, boschlooSteps, boschlooTest, LARGEST_EXACT } from "./boschloo.ts";
import { proportionsTest } from "./proportions.ts";

const pair = (values: readonly number[]): readonly [number, number] => [values[0]!, values[1]!];

describe("Boschloo's test", () => {
  it.each(oracle.cases)("has scipy's p for $successes of $trials", ({ successes, trials, greater, less }) => {
    const { p, lower, upper, difference } = boschlooTest({ successes: pair(successes), trials: pair(trials) });
    expect(p).toBeCloseTo(Math.min(1, 2 * Math.min(greater, less)), 8);
    expect(lower).toBeLessThan(difference);
    expect(upper).toBeGreaterThan(difference);
  });

  it("changes its sign when the samples change places", () => {
    const own = boschlooTest({ successes: [7, 18], trials: [21, 25] });
    const other = boschlooTest({ successes: [18, 7], trials: [25, 21] });
    expect(other.p).toBeCloseTo(own.p, 10);
    expect(other.lower).toBeCloseTo(-own.upper, 6);
    expect(other.upper).toBeCloseTo(-own.lower, 6);
  });

  it("keeps its level, and its interval covers and excludes 0 exactly where p is at most 0.05", () => {
    const [n1, n2] = [6, 9];
    const all = Array.from({ length: n1 + 1 }, (_, a) =>
      Array.from({ length: n2 + 1 }, (_b, b) => boschlooTest({ successes: [a, b], trials: [n1, n2] })),
    );
    const sum = (p1: number, p2: number, holds: (own: Boschloo) => boolean): number =>
      all.reduce(
        (total, row, a) =>
          total + row.reduce((s, own, b) => s + (holds(own) ? binomialPmf(a, n1, p1) * binomialPmf(b, n2, p2) : 0), 0),
        0,
      );
    const shares = Array.from({ length: 20 }, (_, k) => 0.025 + 0.05 * k);
    for (const p1 of shares) {
      expect(sum(p1, p1, ({ p }) => p <= 0.05)).toBeLessThan(0.0501);
      for (const p2 of shares)
        expect(sum(p1, p2, ({ lower, upper }) => lower <= p2 - p1 && upper >= p2 - p1)).toBeGreaterThan(0.949);
    }
    for (const { p, lower, upper } of all.flat()) expect(lower > 0 || upper < 0).toBe(p <= 0.05);
    // what planning takes for the test is the test
    const { first } = boschlooSteps(n1, n2, 0.05);
    for (const [a, row] of all.entries())
      for (const [b, { p, difference }] of row.entries()) expect(b >= first[a]!).toBe(p <= 0.05 && difference > 0);
  });

  it("turns into the score test, whose p is that of z, in large samples", () => {
    const n = LARGEST_EXACT;
    const own = boschlooTest({ successes: [2800, 2900], trials: [n, n] });
    expect(own.method).toBe("score");
    expect(own.p).toBeCloseTo(proportionsTest([2900, 2800], [n, n]).p, 12);
    const exact = boschlooTest({ successes: [1400, 1450], trials: [n / 2, n / 2] });
    expect(exact.p).toBeCloseTo(proportionsTest([1450, 1400], [n / 2, n / 2]).p, 2);
    expect(own.lower < 0).toBe(own.p > 0.05);
  });
});
