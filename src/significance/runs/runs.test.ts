import { describe, expect, it } from "vitest";
import { normalSf } from "../../numeric/dist/normal.ts";
import { makeRng } from "../../numeric/rng.ts";
import type { RunScores } from "../../resample/multi-bootstrap.ts";
import { reviveResult } from "../../result/result.ts";
import { zTest, zTestOfSummaries } from "../tests/z-test.ts";
import { correctedResampledTest, fiveByTwoTest } from "./cross-validation.ts";
import { runsPermutationTest } from "./runs.ts";
import { stochasticOrderTest, violationRatio } from "./stochastic-order.ts";

const runs = (...rows: readonly (readonly number[])[]): RunScores => ({
  runs: rows.length,
  scores: Float64Array.from(rows.flat()),
});

/** All ways to give `few` of the outputs of every item to A. */
function enumerate(a: RunScores, b: RunScores): number[] {
  const items = a.scores.length / a.runs;
  const all = a.runs + b.runs;
  const choices = Array.from({ length: 1 << all }, (_, mask) => mask).filter(
    (mask) => mask.toString(2).replaceAll("0", "").length === a.runs,
  );
  const pool = (k: number, s: number): number =>
    s < a.runs ? a.scores[s * items + k]! : b.scores[(s - a.runs) * items + k]!;
  let sums: [number, number][] = [[0, 0]];
  for (let k = 0; k < items; k++) {
    sums = sums.flatMap(([x, y]) =>
      choices.map((mask): [number, number] => {
        let [first, second] = [0, 0];
        for (let s = 0; s < all; s++) {
          if (mask & (1 << s)) first += pool(k, s);
          else second += pool(k, s);
        }
        return [x + first, y + second];
      }),
    );
  }
  return sums.map(([x, y]) => x / a.scores.length - y / b.scores.length);
}

describe("outputs shuffled between systems and runs", () => {
  const a = runs([3, 1, 4, 2], [5, 2, 4, 3]);
  const b = runs([2, 1, 3, 2], [2, 3, 1, 1]);

  it("is the proportion of all shuffles, for every alternative", () => {
    const law = enumerate(a, b);
    const seen = 24 / 8 - 15 / 8;
    const share = (reach: (d: number) => boolean): number => law.filter(reach).length / law.length;
    const own = (alternative: "two-sided" | "greater" | "less") => runsPermutationTest(a, b, { alternative });
    expect(own("two-sided").exact).toBe(true);
    expect(own("two-sided").p).toBeCloseTo(
      share((d) => Math.abs(d) >= seen - 1e-12),
      12,
    );
    expect(own("greater").p).toBeCloseTo(
      share((d) => d >= seen - 1e-12),
      12,
    );
    expect(own("less").p).toBeCloseTo(
      share((d) => d <= seen + 1e-12),
      12,
    );
    expect(own("two-sided").estimate).toBeCloseTo(seen, 14);
  });

  it("takes unequal numbers of runs", () => {
    const c = runs([2, 1, 3, 2], [2, 3, 1, 1], [1, 1, 2, 2]);
    const law = enumerate(a, c);
    const own = runsPermutationTest(a, c);
    expect(own.p).toBeCloseTo(law.filter((d) => Math.abs(d) >= Math.abs(own.estimate) - 1e-12).length / law.length, 12);
    expect(own.runs).toEqual([2, 3]);
  });

  it("draws where scores have no lattice, within four standard errors of the enumeration", () => {
    const fine = ({ runs: n, scores }: RunScores): RunScores => ({
      runs: n,
      scores: scores.map((v, i) => v + Math.sin(i + n) / 7),
    });
    const [x, y] = [fine(a), fine(b)];
    const own = runsPermutationTest(x, y, { replicates: 4000, rng: makeRng(3) });
    const law = enumerate(x, y);
    const want = law.filter((d) => Math.abs(d) >= Math.abs(own.estimate) - 1e-12).length / law.length;
    expect(Math.abs(own.p - want)).toBeLessThan(4 * Math.sqrt((want * (1 - want)) / 4000));
  });

  it("one run each is the sign-flip test", () => {
    const own = runsPermutationTest(runs([1, 1, 0, 1, 1, 1]), runs([0, 0, 0, 1, 0, 0]));
    // four discordant items, all one way: 2/2⁴
    expect(own.p).toBeCloseTo(2 / 16, 12);
  });

  it("whole runs: 2 of C(4, 2) ways; warns where only these runs differ", () => {
    const own = runsPermutationTest(a, b);
    expect(own.pRuns).toBeCloseTo(2 / 6, 12);
    const many = (base: number): number[] => Array.from({ length: 60 }, (_, i) => base + ((i * 7) % 5));
    const clear = runsPermutationTest(runs(many(3), many(3)), runs(many(1), many(1)));
    expect(clear.p).toBeLessThan(1e-4);
    expect(clear.diagnostics.map(({ code }) => code)).toEqual(["NotForNewRuns"]);
  });

  it("refuses runs of other items and missing scores", () => {
    expect(() => runsPermutationTest(a, runs([1, 2, 3]))).toThrow(/of 4 items against 1 of 3/);
    expect(() => runsPermutationTest(a, runs([1, 2, Number.NaN, 3]))).toThrow(/item 3/);
  });
});

describe("cross-validation", () => {
  it("without overlap of training sets the correction is the t test", () => {
    const own = correctedResampledTest([1, 2, 4, 3], { trainSize: 1e15, testSize: 1 });
    expect(own.statistic).toBeCloseTo(own.naive.statistic, 12);
    expect(own.statistic).toBeCloseTo(2.5 / (Math.sqrt(5 / 3) / 2), 12);
  });

  it("is undefined, with a word, without spread", () => {
    for (const differences of [[0.1, 0.1, 0.1], [0.3]]) {
      const own = correctedResampledTest(differences, { trainSize: 90, testSize: 10 });
      expect(own.p).toBeNaN();
      expect(own.diagnostics.length).toBe(1);
    }
    const flat = fiveByTwoTest([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect([flat.statistic, flat.f.p]).toEqual([Number.NaN, Number.NaN]);
    expect(flat.diagnostics[0]!.code).toBe("NoSpread");
  });

  it("F does not hang on the order of folds, t does", () => {
    const rows = [
      [0.02, 0.01],
      [0.03, -0.01],
      [0.01, 0.02],
      [0.02, 0.04],
      [0.01, 0.03],
    ];
    const turned = rows.map(([x, y]) => [y!, x!]);
    expect(fiveByTwoTest(turned).f.p).toBeCloseTo(fiveByTwoTest(rows).f.p, 14);
    expect(fiveByTwoTest(turned).t.p).not.toBeCloseTo(fiveByTwoTest(rows).t.p, 3);
  });

  it("refuses other shapes, sizes and sides", () => {
    expect(() => fiveByTwoTest([[1, 2]])).toThrow(/1 repetitions/);
    expect(() =>
      fiveByTwoTest([
        [1, 2],
        [1, 2],
        [1, 2, 3],
        [1, 2],
        [1, 2],
      ]),
    ).toThrow(/3 differences/);
    expect(() =>
      fiveByTwoTest([
        [1, 2],
        [1, 2],
        [1, 2],
        [1, 2],
        [1, Number.NaN],
      ]),
    ).toThrow(/NaN/);
    expect(() => fiveByTwoTest(new Array(5).fill([1, 2]), { method: "f", alternative: "less" })).toThrow(/direction/);
    expect(() => correctedResampledTest([1, 2], { trainSize: 0, testSize: 5 })).toThrow(/trainSize/);
    expect(() => correctedResampledTest([1, 2], { trainSize: 9, testSize: 1.5 })).toThrow(/testSize/);
  });

  it("is written and read", () => {
    const own = correctedResampledTest([0.01, 0.03, -0.01, 0.02], { trainSize: 80, testSize: 20 });
    expect(reviveResult(JSON.parse(JSON.stringify(own))).toString()).toBe(own.toString());
  });
});

describe("almost stochastic order", () => {
  it("of two points each by hand: quantiles 2, 5 against 3, 4", () => {
    expect(violationRatio([5, 2], [4, 3])).toEqual({ distance: 1, violation: 0.5, epsilon: 0.5 });
  });

  it("of unequal samples is the integral on the common grid of steps", () => {
    const [a, b] = [
      [0.3, 0.9, 0.5, 0.1],
      [0.2, 0.8, 0.4, 0.6, 0.7, 0.35],
    ];
    const own = violationRatio(a, b);
    const at = (sample: number[], t: number): number =>
      [...sample].sort((x, y) => x - y)[Math.ceil(t * sample.length) - 1]!;
    let [all, against] = [0, 0];
    for (let k = 0; k < 12; k++) {
      const gap = at(a, (k + 0.5) / 12) - at(b, (k + 0.5) / 12);
      all += gap ** 2 / 12;
      if (gap < 0) against += gap ** 2 / 12;
    }
    expect(own.distance).toBeCloseTo(all, 14);
    expect(own.violation).toBeCloseTo(against, 14);
  });

  it("does not change with order, shift and scale, and turns round with the samples", () => {
    const [a, b] = [
      [1, 5, 3, 8, 2],
      [2, 4, 4, 6],
    ];
    const own = violationRatio(a, b).epsilon;
    expect(violationRatio([8, 1, 2, 3, 5], [4, 2, 6, 4]).epsilon).toBeCloseTo(own, 14);
    const moved = (x: number[]): number[] => x.map((v) => 10 * v - 4);
    expect(violationRatio(moved(a), moved(b)).epsilon).toBeCloseTo(own, 14);
    expect(violationRatio(b, a).epsilon).toBeCloseTo(1 - own, 14);
  });

  it("the bound is ε plus a normal quantile of the bootstrap's standard error, which is that of all resamples", () => {
    const [a, b] = [
      [1, 4, 6],
      [2, 3, 5],
    ];
    const triples = Array.from({ length: 27 }, (_, i) => [Math.floor(i / 9), Math.floor(i / 3) % 3, i % 3]);
    const every = triples.flatMap((x) =>
      triples.map(
        (y) =>
          violationRatio(
            x.map((i) => a[i!]!),
            y.map((i) => b[i!]!),
          ).epsilon,
      ),
    );
    const mean = every.reduce((sum, v) => sum + v, 0) / every.length;
    const sd = Math.sqrt(every.reduce((sum, v) => sum + (v - mean) ** 2, 0) / every.length);
    const own = stochasticOrderTest(a, b, { replicates: 20000, rng: makeRng(8), confidence: 0.9, threshold: 0.5 });
    // the standard error of a standard deviation of a two-humped law is below 1/√(2·20000)
    expect(Math.abs(own.epsilonSe - sd)).toBeLessThan((4 * sd) / Math.sqrt(40000));
    expect(own.epsilonMin).toBeCloseTo(Math.min(1, own.epsilon + 1.2815515655446004 * own.epsilonSe), 12);
    expect(own.p).toBeCloseTo(normalSf((0.5 - own.epsilon) / own.epsilonSe), 12);
  });

  it("says that separated samples have no standard error, and that few runs are few", () => {
    const own = stochasticOrderTest([5, 6, 7], [1, 2, 3]);
    expect([own.epsilon, own.epsilonMin, own.dominates]).toEqual([0, 0, true]);
    expect(own.p).toBeCloseTo(1 / 1001, 12);
    expect(own.diagnostics.map(({ code }) => code)).toEqual(["FewRuns", "NoSpread"]);
    const same = stochasticOrderTest([1, 2], [2, 1]);
    expect(same.p).toBeNaN();
    expect(same.diagnostics[0]!.code).toBe("SameSamples");
    expect(() => stochasticOrderTest([], [1])).toThrow(/0 scores/);
    expect(() => stochasticOrderTest([1], [1], { threshold: 0.7 })).toThrow(/threshold/);
  });
});

describe("z from summary numbers", () => {
  it("is the book's example: √100 (15 - 25)/50 = -2", () => {
    const own = zTestOfSummaries([{ mean: 15, n: 100, sd: 50 }], { mu: 25 });
    expect(own.statistic).toBeCloseTo(-2, 14);
    expect(own.p).toBeCloseTo(2 * normalSf(2), 14);
    expect([own.effect.value, own.effect.se, own.n]).toEqual([15, 5, 100]);
  });

  it("agrees with the test of the data behind the numbers", () => {
    const x = Array.from({ length: 40 }, (_, i) => Math.sin(i) + 1);
    const y = Array.from({ length: 50 }, (_, i) => Math.cos(3 * i));
    const summary = (v: readonly number[]) => {
      const mean = v.reduce((sum, own) => sum + own, 0) / v.length;
      return { mean, n: v.length, sd: Math.sqrt(v.reduce((sum, own) => sum + (own - mean) ** 2, 0) / (v.length - 1)) };
    };
    const [full, brief] = [zTest(x, y), zTestOfSummaries([summary(x), summary(y)])];
    expect(brief.statistic).toBeCloseTo(full.statistic, 12);
    expect(brief.ci.upper).toBeCloseTo(full.ci.upper, 12);
    expect(() => zTestOfSummaries([{ mean: 1, n: 0, sd: 1 }])).toThrow(/n = 0/);
    expect(() => zTestOfSummaries([{ mean: 1, n: 5, sd: -1 }])).toThrow(/standard deviation/);
  });
});
