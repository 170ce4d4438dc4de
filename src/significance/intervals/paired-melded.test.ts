import { describe, expect, it } from "vitest";
import { readOracle } from "../../../test/support/oracle.ts";
import { mcnemarP, mcnemarTest } from "../tests/mcnemar.ts";
import { meldedInterval } from "./paired-melded.ts";

interface Stored {
  readonly b: number;
  readonly c: number;
  readonly n: number;
  readonly midp: boolean;
  readonly confidence: number;
  readonly lower: number;
  readonly upper: number;
}

const { cases } = readOracle("r/paired-melded.json") as unknown as { cases: Stored[] };

describe("the interval that agrees with McNemar's exact test", () => {
  it.each(cases)("of $b against $c among $n at $confidence (mid-p: $midp) is R's", (stored) => {
    const own = meldedInterval([stored.b, stored.c, stored.n], stored.confidence, stored.midp);
    expect(Math.abs(own.lower - stored.lower)).toBeLessThan(1e-9);
    expect(Math.abs(own.upper - stored.upper)).toBeLessThan(1e-9);
  });

  it("without discordant pairs is Clopper and Pearson's limit of the discordant share", () => {
    expect(meldedInterval([0, 0, 40], 0.95).upper).toBeCloseTo(1 - 0.025 ** (1 / 40), 12);
  });

  it("excludes 0 exactly if the test rejects", () => {
    for (let b = 0; b <= 14; b++) {
      for (let c = 0; c <= 14; c++) {
        for (const [method, midP] of [
          ["exact", false],
          ["mid-p", true],
        ] as const) {
          const { lower, upper } = meldedInterval([b, c, 40], 0.95, midP);
          expect(lower > 0 || upper < 0, `${method}: ${b} against ${c}`).toBe(mcnemarP(b, c, { method }) < 0.05);
        }
      }
    }
  });

  it("covers every true difference at least as often as it says (all tables of 9 pairs, all rates on a grid)", () => {
    const n = 9;
    const tables = [];
    for (let b = 0; b <= n; b++) {
      for (let c = 0; b + c <= n; c++)
        tables.push({ b, c, ways: choose(n, b) * choose(n - b, c), ...meldedInterval([b, c, n], 0.95) });
    }
    for (let i = 0; i <= 20; i++) {
      for (let j = 0; i + j <= 20; j++) {
        const [p, q] = [i / 20, j / 20];
        const covered = tables
          .filter(({ lower, upper }) => lower <= p - q + 1e-12 && p - q <= upper + 1e-12)
          .reduce((sum, { b, c, ways }) => sum + ways * p ** b * q ** c * (1 - p - q) ** (n - b - c), 0);
        expect(covered, `only first ${p}, only second ${q}`).toBeGreaterThanOrEqual(0.95 - 1e-9);
      }
    }
  });

  it("is the default of its test; the others keep Tango's", () => {
    const intervalOf = (method: "exact" | "mid-p" | "asymptotic") => mcnemarTest([40, 12, 5, 43], { method }).ci.method;
    expect(intervalOf("exact")).toBe("exact (Fay & Lumbard)");
    expect(intervalOf("mid-p")).toBe("mid-p (Fay & Lumbard)");
    expect(intervalOf("asymptotic")).toBe("tango");
    expect(mcnemarTest([40, 12, 5, 43]).p).toBe(mcnemarP(12, 5, { method: "exact" }));
    expect(mcnemarTest([40, 12, 5, 43]).figures["p, mid-p"]).toBe(mcnemarP(12, 5, { method: "mid-p" }));
  });
});

function choose(n: number, k: number): number {
  let ways = 1;
  for (let i = 0; i < k; i++) ways = (ways * (n - i)) / (i + 1);
  return ways;
}
