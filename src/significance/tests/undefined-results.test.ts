/** No test leaves a dash without a reason, or claims a side where there is none. */
import { describe, expect, it } from "vitest";
import type { TestResult } from "../test-result.ts";
import { binomialTest } from "./binomial-test.ts";
import { brunnerMunzelTest, shapiroTest } from "./distribution-tests.ts";
import { twoSampleEquivalenceTest } from "./equivalence.ts";
import { fisherTest } from "./fisher.ts";
import { cochranTest, friedmanTest } from "./friedman.ts";
import { oneWayTest } from "./one-way.ts";
import { rankSumTest } from "./rank-sum.ts";
import { signTest } from "./sign-test.ts";
import { pairedTTest } from "./t-test.ts";
import { wilcoxonTest } from "./wilcoxon.ts";
import { williamsOfColumns, williamsTest } from "./williams.ts";

const codes = ({ diagnostics }: TestResult): string[] => diagnostics.map(({ code }) => code);

describe("undefined results say why", () => {
  it.each<[string, TestResult, string]>([
    ["Williams' test of perfect correlations", williamsTest({ n: 10, r12: 1, r13: 1, r23: 1 }), "PerfectCorrelation"],
    ["ranks of equal values", rankSumTest([1, 1, 1], [1, 1, 1]), "AllTied"],
    [
      "Kruskal's test of equal values",
      oneWayTest(
        [
          [1, 1],
          [1, 1],
        ],
        { method: "kruskal" },
      ),
      "AllTied",
    ],
    [
      "Kruskal's test of constant groups",
      oneWayTest(
        [
          [1, 1],
          [2, 2],
        ],
        { method: "kruskal" },
      ),
      "NoSpread",
    ],
    ["Welch's F with a group of one value", oneWayTest([[1], [2, 3]], { method: "welch" }), "Undefined"],
    [
      "Fisher's test with an empty row",
      fisherTest([
        [0, 0],
        [1, 2],
      ]),
      "EmptyMargin",
    ],
    ["an interval of one signed rank", wilcoxonTest([1], [2]), "NoInterval"],
    ["an interval of two signs", signTest([1, 2], [2, 3]), "NoInterval"],
  ])("%s", (_, result, code) => {
    expect(codes(result)).toContain(code);
  });

  it("a correlation with a constant column, and a proportion of nothing, are refused", () => {
    expect(() =>
      williamsOfColumns([
        [1, 1, 1, 1],
        [1, 2, 3, 4],
        [2, 1, 3, 4],
      ]),
    ).toThrow(/column 1 of 3 is 1 in every row/);
    expect(() => binomialTest(0, 0)).toThrow(/0 trials/);
  });

  it("intervals without spread are not zero wide", () => {
    expect(
      oneWayTest([
        [1, 1],
        [2, 2],
      ]).differences[0],
    ).toMatchObject({ difference: 1, lower: Number.NaN, upper: Number.NaN });
  });

  it("defined results get no such note", () => {
    expect(codes(pairedTTest([1, 2, 4], [2, 4, 5]))).toEqual([]);
    expect(codes(brunnerMunzelTest([1, 2, 4, 3], [2, 4, 5, 1]))).toEqual([]);
  });
});

describe("the side of the alternative", () => {
  it.each<[string, TestResult]>([
    [
      "several means",
      oneWayTest([
        [1, 2, 3],
        [2, 3, 5],
      ]),
    ],
    [
      "several ranks",
      friedmanTest([
        [1, 2, 3],
        [2, 3, 1],
        [1, 3, 2],
      ]),
    ],
    [
      "several shares",
      cochranTest([
        [1, 0, 1],
        [0, 0, 1],
        [1, 1, 0],
      ]),
    ],
    ["a shape", shapiroTest([1, 2, 4, 3])],
    ["equivalence", twoSampleEquivalenceTest([1, 2, 3], [1, 2, 4], { margin: 1 })],
    [
      "a large table",
      fisherTest([
        [1, 2, 3],
        [2, 3, 1],
      ]),
    ],
  ])("is not told of %s", (_, result) => {
    expect(result.toString()).not.toContain("sided");
  });

  it("is told where there is one", () => {
    expect(pairedTTest([1, 2, 4], [2, 4, 5]).toString()).toContain("(two-sided)");
  });
});
