import { describe, expect, it } from "vitest";
import { binomialPmf } from "../../numeric/dist/binomial.ts";
import { reviveResult } from "../../result/result.ts";
import { PAIRED_INTERVALS, pairedProportionInterval, tangoScore } from "../intervals/paired-proportions.ts";
import { type PairedTable, pairedTable } from "../paired-table.ts";
import { mcnemarP, mcnemarTest } from "./mcnemar.ts";
import { clusteredMcnemarTest } from "./mcnemar-clustered.ts";
import { mcnemarUnconditionalP } from "./mcnemar-unconditional.ts";

/** Airway hyper-responsiveness before and after a transplantation, the worked example of Fagerland et al. (2013, 2014). */
const AIRWAY: PairedTable = [1, 1, 7, 12];

/** All tables with n pairs, at one rate of discordance. */
function enumerate(b: number, c: number, n: number, psi: number, twoSided: boolean): number {
  const z0 = (b - c) / Math.sqrt(b + c);
  let p = 0;
  for (let m = 0; m <= n; m++) {
    for (let k = 0; k <= m; k++) {
      const z = m === 0 ? 0 : (2 * k - m) / Math.sqrt(m);
      const extreme = twoSided ? Math.abs(z) >= Math.abs(z0) - 1e-9 : z >= z0 - 1e-9;
      if (extreme) p += binomialPmf(m, n, psi) * binomialPmf(k, m, 0.5);
    }
  }
  return p;
}

describe("McNemar's tests", () => {
  it("gives the published p values of the airway data", () => {
    const p = (method: "exact" | "mid-p" | "asymptotic" | "corrected" | "unconditional") =>
      mcnemarTest(AIRWAY, { method }).p;
    expect(p("asymptotic")).toBeCloseTo(0.0339, 4);
    expect(p("corrected")).toBeCloseTo(0.0771, 4);
    expect(p("exact")).toBeCloseTo(0.0703, 4);
    expect(p("mid-p")).toBeCloseTo(0.0391, 4);
    expect(p("unconditional")).toBeCloseTo(0.0353, 4);
  });

  it("finds the largest probability over all rates of discordance", () => {
    for (const [b, c, n] of [
      [7, 1, 21],
      [3, 0, 10],
      [9, 3, 30],
      [2, 1, 3],
      [5, 5, 12],
    ] as const) {
      for (const twoSided of [true, false]) {
        let largest = 0;
        for (let i = 0; i <= 2000; i++) largest = Math.max(largest, enumerate(b, c, n, i / 2000, twoSided));
        const own = mcnemarUnconditionalP(b, c, n, twoSided ? "two-sided" : "greater");
        expect(own).toBeGreaterThanOrEqual(largest - 1e-10);
        expect(own).toBeLessThan(Math.min(1, largest) + 1e-4);
      }
    }
  });

  it.each([
    ["mid-p", 17, 0.9, 0.0534511],
    ["mid-p", 20, 0.8, 0.0502295],
    ["mid-p", 16, 1, 0.0768127],
  ] as const)(
    "has the false-positive rate of %s that the docs state, %i pairs of which a share of %f differs",
    (method, n, psi, rate) => {
      let found = 0;
      for (let m = 0; m <= n; m++) {
        for (let b = 0; b <= m; b++) {
          const probability = binomialPmf(m, n, psi) * binomialPmf(b, m, 0.5);
          if (probability > 0 && mcnemarP(b, m - b, { method, n }) <= 0.05) found += probability;
        }
      }
      expect(found).toBeCloseTo(rate, 6);
    },
  );

  it("has one-sided p values that mirror", () => {
    for (const method of ["exact", "mid-p", "asymptotic", "corrected", "unconditional"] as const) {
      const up = mcnemarP(20, 9, { method, alternative: "greater", n: 200 });
      expect(mcnemarP(9, 20, { method, alternative: "less", n: 200 })).toBeCloseTo(up, 12);
      expect(up).toBeLessThan(mcnemarP(20, 9, { method, n: 200 }));
    }
  });

  it("has p = 1 and says why where no pair is discordant", () => {
    for (const method of ["exact", "mid-p", "asymptotic", "corrected", "unconditional"] as const) {
      const own = mcnemarTest([8, 0, 0, 2], { method });
      expect(own.p).toBe(1);
      expect(own.diagnostics.map((d) => d.code)).toEqual(["NoDiscordantPairs"]);
    }
  });

  it("reads pairs of 0 and 1, and nothing else", () => {
    expect(pairedTable([1, 1, 0, 0, Number.NaN], [1, 0, 1, 0, 1])).toEqual([1, 1, 1, 1]);
    expect(() => pairedTable([1, 2], [0, 1])).toThrow(/row 2 has 2 and 1/);
    expect(() => mcnemarTest([1, -2, 3, 4])).toThrow(/only the first right = -2/);
    expect(() => pairedTable([1], [0, 1])).toThrow(/1 values against 2/);
  });

  it("prints, and prints the same after JSON", () => {
    const own = mcnemarTest(AIRWAY);
    expect(own.toString()).toContain("McNemar's test, exact");
    expect(reviveResult(JSON.stringify(own)).toString()).toBe(own.toString());
  });
});

describe("intervals of a paired difference", () => {
  it.each([
    ["wald", -0.52, -0.052],
    ["bonett-price", -0.508, -0.013],
    ["newcombe", -0.507, -0.026],
    ["tango", -0.517, -0.026],
  ] as const)("%s is the published one", (method, lower, upper) => {
    const own = pairedProportionInterval(AIRWAY, { method });
    expect([Math.round(own.lower * 1000) / 1000, Math.round(own.upper * 1000) / 1000]).toEqual([lower, upper]);
  });

  it("Tango's ends solve the score equation", () => {
    for (const [a, b, c, d] of [
      [40, 12, 5, 43],
      [900, 30, 10, 60],
      [5, 0, 3, 2],
    ] as const) {
      const n = a + b + c + d;
      const { lower, upper } = pairedProportionInterval([a, b, c, d], { confidence: 0.9 });
      expect(tangoScore(b, c, n, lower)).toBeCloseTo(1.6448536269514722, 8);
      expect(tangoScore(b, c, n, upper)).toBeCloseTo(-1.6448536269514722, 8);
    }
  });

  it("mirrors when the systems change places, and stays within -1 and 1", () => {
    for (const method of PAIRED_INTERVALS) {
      for (const table of [
        [3, 4, 1, 2],
        [0, 5, 0, 0],
        [4, 0, 0, 1],
      ] as PairedTable[]) {
        const own = pairedProportionInterval(table, { method });
        const mirrored = pairedProportionInterval([table[0], table[2], table[1], table[3]], { method });
        expect(own.lower).toBeCloseTo(-mirrored.upper, 9);
        expect(own.lower).toBeGreaterThanOrEqual(-1 - 1e-12);
        expect(own.upper).toBeLessThanOrEqual(1 + 1e-12);
      }
    }
  });
});

describe("clustered McNemar", () => {
  const x = [1, 1, 0, 1, 1, 0, 1, 1, 1, 0];
  const y = [0, 1, 1, 0, 1, 0, 0, 0, 1, 1];

  it("is McNemar's χ² with one item a cluster (Durkalski), times (K-1)/K (Obuchowski)", () => {
    const clusters = Int32Array.from(x, (_, i) => i);
    const plain = mcnemarTest(pairedTable(x, y), { method: "asymptotic" }).statistic;
    expect(clusteredMcnemarTest(x, y, { clusters, method: "durkalski" }).statistic).toBeCloseTo(plain, 12);
    expect(clusteredMcnemarTest(x, y, { clusters }).statistic).toBeCloseTo((9 / 10) * plain, 12);
  });

  it("follows its formula with clusters of different size", () => {
    const clusters = Int32Array.of(0, 0, 0, 1, 1, 2, 2, 2, 2, 3);
    // δ = 0, 1, 2, -1
    expect(clusteredMcnemarTest(x, y, { clusters }).statistic).toBeCloseTo(((3 / 4) * 4) / 6, 12);
    const shares = [0, 1 / 2, 2 / 4, -1];
    expect(clusteredMcnemarTest(x, y, { clusters, method: "durkalski" }).statistic).toBeCloseTo(0, 12);
    expect(shares.reduce((a, b) => a + b, 0)).toBe(0);
  });
});
