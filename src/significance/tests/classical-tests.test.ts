/** What stored answers do not cover: clusters, equivalence, partial conjunction, resampling tests, edge cases. */

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn } from "../../data/table.ts";
import { fitLm } from "../../models/lm/lm.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { fitBradleyTerry } from "../bradley-terry.ts";
import { BINOMIAL_INTERVALS, binomialInterval } from "../intervals/binomial.ts";
import { pairedTable } from "../paired-table.ts";
import { partialConjunction } from "../partial-conjunction.ts";
import { binomialTest } from "./binomial-test.ts";
import { bootstrapScoreTest, bootstrapTest, multiBootstrapTest } from "./bootstrap-test.ts";
import { correlationTest } from "./correlation.ts";
import {
  pairedEquivalenceTest,
  pairedProportionEquivalenceTest,
  proportionEquivalenceTest,
  twoSampleEquivalenceTest,
} from "./equivalence.ts";
import { cochranTest, friedmanTest } from "./friedman.ts";
import { mcnemarTest } from "./mcnemar.ts";
import { kthOf, pairDifferences, walshAverages } from "./pair-order.ts";
import { permutationScoreTest, permutationTest, twoSamplePermutationTest } from "./permutation-test.ts";
import { clusteredProportionsTest, proportionsTest } from "./proportions.ts";
import { rankSumTest } from "./rank-sum.ts";
import { signTest } from "./sign-test.ts";
import { oneSampleTTest, pairedTTest, twoSampleTTest } from "./t-test.ts";
import { wilcoxonTest } from "./wilcoxon.ts";
import { williamsOfColumns, williamsTest } from "./williams.ts";
import { zTest } from "./z-test.ts";

const rng = makeRng("classical");
const draw = (n: number, shift = 0) => Float64Array.from({ length: n }, () => rng.normal() + shift);
const zeros = (n: number) => new Float64Array(n);

describe("clustered mean difference", () => {
  it("is the intercept of lm with CR2 and Satterthwaite df", () => {
    const clusters = Int32Array.from({ length: 60 }, (_, i) => Math.floor(Math.sqrt(i)));
    const x = draw(60, 0.2).map((v, i) => v + Math.sin(clusters[i]!));
    const own = pairedTTest(x, zeros(60), { clusters });
    const table = makeTable([
      ["d", numericColumn(x)],
      ["g", factorColumn(Array.from(clusters, String))],
    ]);
    const fit = fitLm("d ~ 1", table, { cluster: "g" }).coefficients[0]!;
    expectClose([own.effect.value, own.effect.se, own.df as number, own.p], [fit.value, fit.se, fit.df, fit.p], {
      tolerance: 1e-9,
    });
    expect(own.n).toBe(8);
  });

  it("is the paired t test with one pair a cluster", () => {
    const [x, y] = [draw(15), draw(15)];
    const own = pairedTTest(x, y, { clusters: Int32Array.from(x, (_, i) => 100 - i) });
    const plain = pairedTTest(x, y);
    expectClose([own.statistic, own.df as number, own.p], [plain.statistic, plain.df as number, plain.p], {
      tolerance: 1e-10,
    });
  });
});

describe("tests without spread or without items", () => {
  it("has no t, and says so", () => {
    for (const own of [
      pairedTTest([1, 2, 3], [0, 1, 2]),
      oneSampleTTest([4]),
      twoSampleTTest([1, 1], [2, 2]),
      zTest([2, 2, 2]),
    ]) {
      expect(own.p).toBeNaN();
      expect(own.diagnostics.map((d) => d.code)).toContain("NoSpread");
    }
  });

  it("has p = 1 where all differences are 0", () => {
    const x = [1, 2, 3, 4];
    for (const own of [signTest(x, x), wilcoxonTest(x, x), permutationTest(x, x), bootstrapTest(x, x)])
      expect(own.p).toBe(1);
    expect(
      friedmanTest([
        [1, 1],
        [2, 2],
      ]).p,
    ).toBe(1);
    expect(
      cochranTest([
        [1, 1, 1],
        [0, 0, 0],
      ]).p,
    ).toBe(1);
    expect(rankSumTest([1, 1, 1], [1, 1]).p).toBe(1);
    expect(proportionsTest([5, 7], [5, 7]).p).toBe(1);
  });

  it("leaves out incomplete pairs and says so, and refuses what is no number", () => {
    const own = pairedTTest([1, 2, Number.NaN, 4], [0, 3, 1, 1]);
    expect(own.n).toBe(3);
    expect(own.diagnostics[0]!.message).toMatch(/1 pair lacks/);
    expect(() => wilcoxonTest([1, Number.POSITIVE_INFINITY], [1, 2])).toThrow(/value 2 of x is Infinity/);
    expect(() => permutationTest([1, 2], [1])).toThrow(/2 values against 1/);
    expect(correlationTest([1, 1, 1, 1], [1, 2, 3, 4]).p).toBeNaN();
    expect(() => binomialTest(5, 4)).toThrow(/5 of 4/);
  });
});

describe("order statistics of pairs", () => {
  it("are those of all Walsh averages and differences", () => {
    const values = fc.array(
      fc.integer({ min: -20, max: 20 }).map((k) => k / 4),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [x, y] = [Float64Array.from(a).sort(), Float64Array.from(b).sort()];
        const walsh = Array.from(x)
          .flatMap((v, i) => Array.from(x.subarray(i), (w) => (v + w) / 2))
          .sort((p, q) => p - q);
        for (const [k, want] of walsh.entries()) expect(kthOf(walshAverages(x), k + 1)).toBe(want);
        const gaps = Array.from(x)
          .flatMap((v) => Array.from(y, (w) => v - w))
          .sort((p, q) => p - q);
        for (const [k, want] of gaps.entries()) expect(kthOf(pairDifferences(x, y), k + 1)).toBe(want);
      }),
      { numRuns: 60 },
    );
  });
});

describe("equivalence", () => {
  const [x, y] = [draw(40), draw(40, 0.1)];

  it("is the worse of two one-sided t tests, and agrees with the interval", () => {
    for (const margin of [0.2, 0.5, 1]) {
      const own = pairedEquivalenceTest(x, y, { margin });
      const low = pairedTTest(x, y, { mu: -margin, alternative: "greater" }).p;
      const high = pairedTTest(x, y, { mu: margin, alternative: "less" }).p;
      expect(own.p).toBeCloseTo(Math.max(low, high), 12);
      expect(own.p <= 0.05).toBe(own.ci.lower > -margin && own.ci.upper < margin);
      expect(pairedEquivalenceTest(x, y, { margin, goal: "non-inferiority" }).p).toBeCloseTo(low, 12);
    }
    expect(twoSampleEquivalenceTest(x, y, { margin: 0.4, goal: "superiority" }).p).toBeCloseTo(
      twoSampleTTest(x, y, { mu: 0.4, alternative: "greater" }).p,
      12,
    );
  });

  it("agrees with Tango's interval for paired answers and with Wald's for independent ones", () => {
    for (const margin of [0.05, 0.1, 0.2]) {
      const paired = pairedProportionEquivalenceTest([400, 30, 24, 46], { margin });
      expect(paired.p <= 0.05).toBe(paired.ci.lower > -margin && paired.ci.upper < margin);
      const free = proportionEquivalenceTest([400, 390], [500, 500], { margin });
      expect(free.p <= 0.05).toBe(free.ci.lower > -margin && free.ci.upper < margin);
    }
    expect(() => pairedEquivalenceTest(x, y, { margin: 0 })).toThrow(/margin of 0/);
  });
});

describe("partial conjunction", () => {
  const p = [0.001, 0.04, 0.012, 0.3];

  it("follows its formulas", () => {
    expectClose(partialConjunction(p).p, [0.004, 0.036, 0.08, 0.3], { tolerance: 1e-12 });
    // Simes of the 4, 3, 2, 1 largest
    expectClose(partialConjunction(p, { method: "simes" }).p, [0.004, 0.036, 0.08, 0.3], { tolerance: 1e-12 });
    // one p value: Fisher's combination is that p value
    expectClose(partialConjunction([0.03], { method: "fisher" }).p, [0.03], { tolerance: 1e-12 });
    expect(partialConjunction(p).k).toBe(2);
    expect(partialConjunction(p).datasets.map((d) => d.identified)).toEqual([true, false, true, false]);
    expect(partialConjunction([0.5, 0.9]).k).toBe(0);
    expect(() => partialConjunction([1.2])).toThrow(/1.2 is not a p value/);
  });
});

describe("resampling tests", () => {
  const [x, y] = [draw(200, 0.25), draw(200)];

  it("come near the t test for many normal values", () => {
    const t = pairedTTest(x, y);
    const permuted = permutationTest(x, y, { replicates: 20_000, rng: makeRng(3) });
    expect(Math.abs(permuted.p - t.p)).toBeLessThan(4 * (permuted.figures["Monte-Carlo SE of p"] ?? 0) + 0.004);
    const booted = bootstrapTest(x, y, { rng: makeRng(3), replicates: 4000 });
    expect(booted.ci.lower).toBeCloseTo(t.ci.lower, 1);
    expect(booted.ci.upper).toBeCloseTo(t.ci.upper, 1);
    expect(booted.signature.seed).toBe("3");
    expect(Math.abs(booted.p - t.p)).toBeLessThan(0.02);
  });

  it("is McNemar's exact test for right and wrong answers", () => {
    const a = Array.from({ length: 80 }, (_, i) => Number(i % 3 !== 0));
    const b = Array.from({ length: 80 }, (_, i) => Number(i % 5 !== 0 && i % 7 !== 0));
    expect(permutationTest(a, b).p).toBeCloseTo(mcnemarTest(pairedTable(a, b), { method: "exact" }).p, 12);
  });

  it("tests scores of sums like means where the score is a mean", () => {
    const data = { a: x, b: y, width: 1, scoreOf: (s: Float64Array) => s[0]! / 200 };
    const options = { replicates: 500, rng: makeRng(9) };
    const own = permutationScoreTest(data, options);
    expect(own.p).toBe(permutationTest(x, y, options).p);
    const ratio = {
      a: Float64Array.from([...x].flatMap((v) => [v, 1])),
      b: Float64Array.from([...y].flatMap((v) => [v, 1])),
      width: 2,
      scoreOf: (s: Float64Array) => s[0]! / s[1]!,
    };
    expect(permutationScoreTest(ratio, options).effect.se).toBeCloseTo(pairedTTest(x, y).effect.se, 10);
    expect(bootstrapScoreTest(ratio, options).ci.lower).toBeCloseTo(bootstrapTest(x, y, options).ci.lower, 10);
  });

  it("draws whole clusters, and runs", () => {
    const clusters = Int32Array.from(x, (_, i) => i % 20);
    const shifted = x.map((v, i) => v + 2 * Math.cos(clusters[i]!));
    const wide = bootstrapTest(shifted, y, { clusters, rng: makeRng(1), replicates: 2000 });
    const naive = bootstrapTest(shifted, y, { rng: makeRng(1), replicates: 2000 });
    expect(wide.effect.se).toBeGreaterThan(1.5 * naive.effect.se);
    expect(wide.n).toBe(20);
    const runs = multiBootstrapTest(
      { runs: 2, scores: x },
      { runs: 2, scores: y },
      { rng: makeRng(1), replicates: 500 },
    );
    expect(runs.effect.value).toBeCloseTo(pairedTTest(x, y).effect.value, 12);
    expect(runs.diagnostics.map((d) => d.code)).toContain("FewRuns");
  });

  it("compares samples of different items", () => {
    const own = twoSamplePermutationTest([1, 1, 0, 1, 1, 1], [0, 0, 1, 0, 0]);
    expect(own.method).toMatch(/exact/);
    expect(own.p).toBeCloseTo(0.0801, 3);
  });

  it("prints, and prints the same after JSON", () => {
    for (const own of [
      permutationTest(x, y, { replicates: 100 }),
      friedmanTest([
        [1, 2, 3],
        [2, 1, 3],
        [1, 3, 2],
      ]),
      partialConjunction([0.1, 0.01]),
    ]) {
      expect(reviveResult(JSON.stringify(own)).toString()).toBe(own.toString());
    }
  });
});

describe("proportions", () => {
  it("covers at least what it says (Clopper-Pearson), or near it (Wilson)", () => {
    const coverage = (method: (typeof BINOMIAL_INTERVALS)[number], p: number, n: number) => {
      let sum = 0;
      for (let k = 0; k <= n; k++) {
        const { lower, upper } = binomialInterval(k, n, { method });
        if (lower <= p && p <= upper) sum += binomialTest(k, n).n > 0 ? choose(n, k) * p ** k * (1 - p) ** (n - k) : 0;
      }
      return sum;
    };
    for (const p of [0.03, 0.2, 0.5, 0.77]) {
      expect(coverage("clopper-pearson", p, 25)).toBeGreaterThanOrEqual(0.95);
      expect(Math.abs(coverage("wilson", p, 25) - 0.95)).toBeLessThan(0.04);
    }
  });

  it("mirrors: failures are successes of the opposite", () => {
    for (const method of BINOMIAL_INTERVALS) {
      for (const k of [0, 3, 10, 20]) {
        const own = binomialInterval(k, 20, { method });
        const other = binomialInterval(20 - k, 20, { method });
        expect(own.lower).toBeCloseTo(1 - other.upper, 10);
      }
    }
  });

  it("is unchanged by clusters of one answer, up to (K-1)/K, and wider with real ones", () => {
    const a = Array.from({ length: 60 }, (_, i) => Number(i % 12 < 8));
    const b = Array.from({ length: 60 }, (_, i) => Number(i % 12 < 5));
    const own = Int32Array.from(a, (_, i) => i);
    const alone = clusteredProportionsTest(a, b, { clusters: [own, own] });
    expect(alone.figures["design effect, first"]).toBeCloseTo(60 / 59, 10);
    const blocks = Int32Array.from(a, (_, i) => Math.floor(i / 4));
    expect(clusteredProportionsTest(a, b, { clusters: [blocks, blocks] }).p).toBeGreaterThan(2 * alone.p);
  });
});

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);

describe("correlations and abilities", () => {
  it("takes Williams' correlations from columns", () => {
    const human = draw(30);
    const first = human.map((v) => v + rng.normal());
    const second = human.map((v) => v + 2 * rng.normal());
    const r = (a: Float64Array, b: Float64Array) => correlationTest(a, b).effect.value;
    const own = williamsOfColumns([human, first, second]);
    const want = williamsTest({ n: 30, r12: r(human, first), r13: r(human, second), r23: r(first, second) });
    expect(own.p).toBeCloseTo(want.p, 12);
    expect(own.ci.lower < own.effect.value && own.effect.value < own.ci.upper).toBe(true);
    expect(() => williamsTest({ n: 20, r12: 0.9, r13: -0.9, r23: 0.9 })).toThrow(/cannot occur together/);
  });

  it("has the log odds as abilities of two players, and refuses players who never won", () => {
    const fit = fitBradleyTerry([{ first: "a", second: "b", winsFirst: 30, winsSecond: 10 }], { reference: "b" });
    expect(String(reviveResult(JSON.stringify(fit)))).toBe(String(fit));
    expect(fit.abilities[0]!.value).toBeCloseTo(Math.log(3), 10);
    expect(fit.abilities[0]!.se).toBeCloseTo(Math.sqrt(1 / 30 + 1 / 10), 10);
    expect(() => fitBradleyTerry([{ first: "a", second: "b", winsFirst: 3, winsSecond: 0 }])).toThrow(
      /b never won against a/,
    );
  });
});

describe("one-sided intervals", () => {
  it("are bounds in the direction of the alternative, not two-sided intervals", () => {
    // binom.test(10, 30, 0.37, "greater") and "less" in R 4.2.2
    const options = { proportion: 0.37, interval: "clopper-pearson" } as const;
    expect(binomialTest(10, 30, { ...options, alternative: "greater" }).ci.lower).toBeCloseTo(0.19330842, 7);
    expect(binomialTest(10, 30, { ...options, alternative: "greater" }).ci.upper).toBe(1);
    expect(binomialTest(10, 30, { ...options, alternative: "less" }).ci.lower).toBe(0);
    expect(binomialTest(10, 30, { ...options, alternative: "less" }).ci.upper).toBeCloseTo(0.4994387, 7);
    const paired = wilcoxonTest([1.1, 2.3, 0.4, 5.2, 3.3, 2.9], [0.2, 1.9, 0.9, 3.1, 1.0, 2.2], {
      alternative: "greater",
    });
    expect(paired.ci.upper).toBe(Number.POSITIVE_INFINITY);
    expect(paired.ci.lower).toBeLessThan(paired.effect.value);
  });
});
