import { describe, expect, it } from "vitest";
import { tableOf } from "./items.ts";
import { comparePair } from "./pair.ts";

/** Votes of B's side: won, lost, tied. */
const votes = (won: number, lost: number, tied: number) => {
  const b = Float64Array.from([...Array(won).fill(1), ...Array(lost).fill(0), ...Array(tied).fill(0.5)]);
  return { kind: "scores", a: b.map((v) => 1 - v), b } as const;
};

describe("votes with ties had p = 0.0549 beside an interval without 0", () => {
  it("counts ties as shared", () => {
    const { a, b } = votes(84, 60, 36);
    expect(tableOf(a, b)).toEqual([0, 84, 60, 36]);
    expect(tableOf(Float64Array.of(0.25), Float64Array.of(0.75))).toBeUndefined();
    expect(tableOf(Float64Array.of(0.5), Float64Array.of(1))).toBeUndefined();
  });

  it("has one inference: the sign test and the interval that agrees with it", () => {
    const { test, ci, difference } = comparePair(votes(84, 60, 36), { test: "permutation" });
    // binom.test(60, 144)$p.value
    expect(test.p).toBeCloseTo(0.0549, 4);
    expect(difference).toBeCloseTo(24 / 180, 12);
    expect(ci.method).toBe("exact (Fay & Lumbard)");
    expect(ci.lower).toBeLessThan(0);
    expect(ci.upper).toBeGreaterThan(difference);
  });

  it("agrees at every count of up to 24 votes", () => {
    const disagreeing: string[] = [];
    for (let won = 0; won <= 24; won += 3)
      for (let lost = 0; won + lost <= 24; lost += 1)
        for (const tied of [0, 5, 24 - won - lost]) {
          if (won + lost === 0) continue;
          const { test, ci } = comparePair(votes(won, lost, tied), { test: "permutation" });
          if (test.p < 0.05 !== (ci.lower > 0 || ci.upper < 0)) disagreeing.push(`${won}:${lost}:${tied}`);
        }
    expect(disagreeing).toEqual([]);
  });
});
