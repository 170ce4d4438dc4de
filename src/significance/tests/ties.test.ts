import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { expectClose } from "../../../test/support/oracle.ts";
import { findFlips } from "../compare/conclude.ts";
import type { TestResult } from "../test-result.ts";
import { correlationTest } from "./correlation.ts";
import { brunnerMunzelTest, kolmogorovSmirnovTest } from "./distribution-tests.ts";
import { friedmanTest } from "./friedman.ts";
import { oneWayTest } from "./one-way.ts";
import { permutationTest, twoSamplePermutationTest } from "./permutation-test.ts";
import { rankSumTest } from "./rank-sum.ts";
import { signTest } from "./sign-test.ts";
import { pairedTTest } from "./t-test.ts";
import { wilcoxonTest } from "./wilcoxon.ts";

const stored = JSON.parse(readFileSync(new URL("../../../oracle/r/ties.json", import.meta.url), "utf8"));
const [x, y, z] = [stored.x, stored.y, stored.z].map((own: string[]) => own.map(Number));
const rows = (...columns: readonly number[][]): number[][] => columns[0]!.map((_, i) => columns.map((own) => own[i]!));

const close = (ours: readonly number[], theirs: readonly number[]): void =>
  expectClose(ours, theirs, { tolerance: 1e-9 });

describe("scores that tie up to rounding error, as R tests them once rounded", () => {
  it("sign and signed-rank tests", () => {
    const { p, figures } = signTest(x!, y!);
    close([figures.positive!, figures.negative!, p], [stored.sign.positive, stored.sign.negative, stored.sign.p]);
    expect(p).not.toBeCloseTo(stored.raw.sign, 6);
    const wilcoxon = wilcoxonTest(x!, y!, { method: "normal" });
    close([wilcoxon.statistic, wilcoxon.p], [stored.wilcoxon.V, stored.wilcoxon.p]);
  });

  it("two and several samples", () => {
    const own = rankSumTest(x!, y!, { method: "normal" });
    close([own.statistic, own.p], [stored.rankSum.W, stored.rankSum.p]);
    expect(own.p).not.toBeCloseTo(stored.raw.rankSum, 6);
    const kruskal = oneWayTest([x!, y!, z!], { method: "kruskal" });
    close([kruskal.statistic, kruskal.p], [stored.kruskal.statistic, stored.kruskal.p]);
    const friedman = friedmanTest(rows(x!, y!, z!));
    close([friedman.statistic, friedman.p], [stored.friedman.statistic, stored.friedman.p]);
    const ks = kolmogorovSmirnovTest(x!, y!);
    close([ks.statistic, ks.p], [stored.ks.D, stored.ks.p]);
    const bm = brunnerMunzelTest(x!, y!);
    close(
      [-bm.statistic, bm.df as number, bm.p],
      [stored.brunnerMunzel.t, stored.brunnerMunzel.df, stored.brunnerMunzel.p],
    );
  });

  it("rank correlations", () => {
    const kendall = correlationTest(x!, y!, { kind: "kendall", method: "asymptotic" });
    close(
      [kendall.effect.value, kendall.statistic, kendall.p],
      [stored.kendall.estimate, stored.kendall.statistic, stored.kendall["p.value"]],
    );
    const spearman = correlationTest(x!, y!, { kind: "spearman", method: "asymptotic" });
    close([spearman.effect.value, spearman.p], [stored.spearman.estimate, stored.spearman["p.value"]]);
  });
});

describe("every test gives what it gives for the scores rounded to 12 digits", () => {
  const round = (values: readonly number[]): number[] => values.map((v) => Number(v.toPrecision(12)));
  const tests: Record<string, (x: number[], y: number[]) => TestResult> = {
    sign: signTest,
    wilcoxon: wilcoxonTest,
    permutation: permutationTest,
    t: pairedTTest,
    "rank-sum": rankSumTest,
    "two-sample permutation": twoSamplePermutationTest,
    ks: kolmogorovSmirnovTest,
    "brunner-munzel": brunnerMunzelTest,
    kruskal: (a, b) => oneWayTest([a, b], { method: "kruskal" }),
    friedman: (a, b) => friedmanTest(rows(a, b)),
    spearman: (a, b) => correlationTest(a, b, { kind: "spearman" }),
    kendall: (a, b) => correlationTest(a, b, { kind: "kendall" }),
    somers: (a, b) => correlationTest(a, b, { kind: "somers" }),
  };
  it.each(Object.entries(tests))("%s", (_name, test) => {
    const [raw, rounded] = [test(x!, y!), test(round(x!), round(y!))];
    expectClose([raw.statistic, raw.p], [rounded.statistic, rounded.p], { tolerance: 1e-10 });
  });

  const same = ["sign", "wilcoxon", "permutation", "rank-sum", "two-sample permutation", "ks", "kruskal", "friedman"];
  it.each(same)("%s: 0.1 + 0.2 against 0.3 on ten items is no difference", (name) => {
    const [sum, plain] = [Array(10).fill(0.1 + 0.2), Array(10).fill(0.3)];
    expect(tests[name]!(sum, plain).p).toBe(1);
  });
});

describe("the list of flips", () => {
  it("holds no item at equal scores", () => {
    const a = Float64Array.of(0.3, 0.8, 0.5);
    const b = Float64Array.of(0.1 + 0.2, 0.1 + 0.7, 0.6);
    const flips = findFlips(["p", "q", "r"], { a, b }, { higherIsBetter: true });
    expect([flips.gained, flips.lost, flips.tied]).toEqual([1, 0, 2]);
    expect(flips.largestGains.map(({ item }) => item)).toEqual(["r"]);
  });
});
