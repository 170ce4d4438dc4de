/** Every stored answer of R, scipy and statsmodels on the classical tests. */

import { describe, expect, it } from "vitest";
import { expectClose, readOracle } from "../../../test/support/oracle.ts";
import { fitBradleyTerry } from "../bradley-terry.ts";
import { binomialInterval } from "../intervals/binomial.ts";
import type { PairedTable } from "../paired-table.ts";
import type { TestResult } from "../test-result.ts";
import { binomialTest } from "./binomial-test.ts";
import { correlationTest } from "./correlation.ts";
import { brunnerMunzelTest, kolmogorovSmirnovTest, shapiroTest } from "./distribution-tests.ts";
import { fisherTest } from "./fisher.ts";
import { cochranTest, friedmanTest } from "./friedman.ts";
import { mcnemarTest } from "./mcnemar.ts";
import { oneWayTest } from "./one-way.ts";
import { permutationTest, twoSamplePermutationTest } from "./permutation-test.ts";
import { differenceInterval, proportionsTest } from "./proportions.ts";
import { rankSumTest } from "./rank-sum.ts";
import { signTest } from "./sign-test.ts";
import { pairedTTest, twoSampleTTest } from "./t-test.ts";
import { wilcoxonTest } from "./wilcoxon.ts";
import { williamsTest } from "./williams.ts";

// biome-ignore lint/suspicious/noExplicitAny: whatever the other tool reports, by its own names
type Loose = any;

const cases = readOracle("reference/classical.json").cases as unknown as {
  id: string;
  test: string;
  input: Loose;
  expected: Loose;
}[];
const TOLERANCE = 1e-10;

function close(actual: number | readonly number[], expected: Loose, label: string, tolerance = TOLERANCE): void {
  expectClose([actual].flat(), [expected].flat(), { tolerance, floor: 1e-6, label });
}

const figure = (result: TestResult, name: string): number => result.figures[name]!;

function checkT(x: number[], y: number[], e: Loose): void {
  const same = (own: TestResult, want: Loose, label: string): void => {
    close([own.statistic, own.df as number, own.p, own.effect.se], [want.t, want.df, want.p, want.se], label);
    close([own.ci.lower, own.ci.upper], want.ci95, `${label} ci`);
  };
  same(twoSampleTTest(x, y), e.welch, "welch");
  same(twoSampleTTest(x, y, { variances: "equal" }), e.pooled, "pooled");
  same(twoSampleTTest(x, y, { alternative: "greater" }), e.welch_greater, "greater");
  close(
    [figure(twoSampleTTest(x, y), "Cohen's d"), figure(twoSampleTTest(x, y), "Hedges' g")],
    [e.cohen_d_pooled, e.hedges_g_exact],
    "d, g",
  );
  if (!e.paired) return;
  same(pairedTTest(x, y), e.paired, "paired");
  same(pairedTTest(x, y, { alternative: "less" }), e.paired_less, "paired less");
  close(figure(pairedTTest(x, y), "Cohen's dz"), e.cohen_dz, "dz");
}

function checkWilcoxon(x: number[], y: number[], e: Loose): void {
  expect(wilcoxonTest(x, y).statistic).toBe(e.v);
  for (const [side, alternative] of [
    ["two_sided", "two-sided"],
    ["greater", "greater"],
    ["less", "less"],
  ] as const) {
    close(
      wilcoxonTest(x, y, { alternative, method: "normal", correct: false }).p,
      e[`normal_p_${side}`],
      `normal ${side}`,
    );
    close(wilcoxonTest(x, y, { alternative, method: "normal" }).p, e[`normal_cc_p_${side}`], `corrected ${side}`);
    const exact = e[`exact_p_${side}`];
    if (exact !== undefined) close(wilcoxonTest(x, y, { alternative, method: "exact" }).p, exact, `exact ${side}`);
  }
  close(wilcoxonTest(x, y, { method: "exact", zeros: "pratt" }).p, e.coin_exact_p_pratt, "coin, Pratt");
  close(wilcoxonTest(x, y, { method: "exact" }).p, e.coin_exact_p_wilcoxon, "coin, Wilcoxon");
  close(
    wilcoxonTest(x, y, { method: "normal", correct: false, zeros: "pratt" }).p,
    e.coin_asymptotic_p_pratt,
    "coin normal, Pratt",
  );
  if (e.pseudomedian === undefined) return;
  const { effect } = wilcoxonTest(x, y);
  close([effect.value, effect.lower, effect.upper], [e.pseudomedian, ...e.exact_ci95], "Hodges-Lehmann");
}

function checkCorrelation(x: number[], y: number[], { pearson, kendall, spearman }: Loose): void {
  const r = correlationTest(x, y);
  close(
    [r.effect.value, r.statistic, r.df as number, r.p, r.ci.lower, r.ci.upper],
    [pearson.r, pearson.t, pearson.df, pearson.p, ...pearson.fisher_ci95],
    "pearson",
  );
  const tau = (method: "exact" | "asymptotic", correct = false) =>
    correlationTest(x, y, { kind: "kendall", method, correct });
  const plain = tau("asymptotic");
  close([plain.effect.value, plain.statistic, plain.p], [kendall.tau_b, kendall.z, kendall.asymptotic_p], "kendall");
  close(tau("asymptotic", true).p, kendall.asymptotic_cc_p, "kendall corrected");
  if (kendall.exact_p !== undefined)
    close([tau("exact").statistic, tau("exact").p], [kendall.T, kendall.exact_p], "kendall exact");
  const rho = correlationTest(x, y, { kind: "spearman", method: "asymptotic" });
  close([rho.effect.value, rho.p, figure(rho, "S")], [spearman.rho, spearman.t_approx_p, spearman.S], "spearman");
  if (spearman.exact_p !== undefined)
    close(correlationTest(x, y, { kind: "spearman" }).p, spearman.exact_p, "spearman exact");
}

function checkMcnemar(table: PairedTable, e: Loose): void {
  const p = (method: "exact" | "mid-p" | "asymptotic" | "corrected") => mcnemarTest(table, { method }).p;
  if (e.midp !== undefined) {
    close([p("exact"), p("mid-p"), p("asymptotic"), p("corrected")], [e.exact_p, e.midp, e.chisq_p, e.chisq_cc_p], "p");
    close(
      [mcnemarTest(table, { method: "asymptotic" }).statistic, mcnemarTest(table, { method: "corrected" }).statistic],
      [e.chisq, e.chisq_cc],
      "χ²",
    );
  } else close([p("exact"), p("asymptotic"), p("corrected")], [e.exact, e.chisq, e.chisq_cc], "p");
}

function checkProportions(i: Loose, e: Loose): void {
  const [k, n] = [
    [i.k1, i.k2],
    [i.n1, i.n2],
  ] as [[number, number], [number, number]];
  const pooled = proportionsTest(k, n);
  const unpooled = proportionsTest(k, n, { variance: "unpooled" });
  const corrected = proportionsTest(k, n, { correct: true });
  close(
    [pooled.statistic, pooled.p, unpooled.statistic, unpooled.p],
    [e.z_pooled, e.p_pooled, e.z_unpooled, e.p_unpooled],
    "z",
  );
  close(
    [figure(corrected, "chi-square"), corrected.p, figure(pooled, "Cohen's h")],
    [e.chisq_cc, e.chisq_cc_p, e.cohen_h],
    "corrected, h",
  );
  for (const [method, want] of [
    ["wald", e.wald_ci95],
    ["wald-cc", e.wald_cc_ci95],
  ] as const) {
    const { lower, upper } = differenceInterval(k, n, { method });
    close([lower, upper], want, method);
  }
}

function checkBinomial({ k, n, p0 }: Loose, e: Loose): void {
  const p = (alternative: "two-sided" | "greater" | "less") => binomialTest(k, n, { proportion: p0, alternative }).p;
  close([p("two-sided"), p("greater"), p("less")], [e.p_two_sided, e.p_greater, e.p_less], "p");
  for (const method of ["clopper-pearson", "wilson", "wilson-cc"] as const) {
    const { lower, upper } = binomialInterval(k, n, { method });
    close([lower, upper], e[`${method.replaceAll("-", "_")}95`], method);
  }
}

function checkFriedman(scores: number[][], e: Loose): void {
  const own = friedmanTest(scores);
  const F = friedmanTest(scores, { method: "f", confidence: 0.9 });
  close([...own.meanRanks], e.average_ranks, "ranks");
  close([own.statistic, own.df as number, own.p, own.effect.value], [e.chisq, e.df, e.p, e.kendall_w], "χ²");
  close(
    [F.statistic, ...(F.df as number[]), F.p],
    [e.iman_davenport_f, ...e.iman_davenport_df, e.iman_davenport_p],
    "F",
  );
  // R's studentized range is good to about 1e-8
  close(
    [own.criticalDifference, F.criticalDifference],
    [e.nemenyi_cd_05, e.nemenyi_cd_10],
    "critical difference",
    1e-7,
  );
  close(own.pairwise.flat(), e.nemenyi_p.flat(), "Nemenyi", 1e-7);
}

function checkOneWay({ y, group }: Loose, e: Loose): void {
  const names = [...new Set<string>(group)];
  const groups = names.map((name) => (y as number[]).filter((_, i) => group[i] === name));
  const own = oneWayTest(groups, { names });
  const welch = oneWayTest(groups, { method: "welch" });
  const kruskal = oneWayTest(groups, { method: "kruskal" });
  close([own.statistic, ...(own.df as number[]), own.p, ...own.sumsOfSquares], [e.f, ...e.df, e.p, ...e.sum_sq], "F");
  close([welch.statistic, ...(welch.df as number[]), welch.p], [e.welch_f, ...e.welch_df, e.welch_p], "Welch");
  close([kruskal.statistic, kruskal.p], [e.kruskal_chisq, e.kruskal_p], "Kruskal");
  const { pair, diff, lower95, upper95, p } = e.tukey_hsd;
  // a name may hold a hyphen itself
  expect(own.differences.map((d) => d.pair.replace(" - ", "-"))).toEqual(pair);
  close(
    own.differences.map((d) => d.difference),
    diff,
    "Tukey",
  );
  close(
    own.differences.flatMap((d) => [d.lower, d.upper, d.p]),
    diff.flatMap((_: number, i: number) => [lower95[i], upper95[i], p[i]]),
    "Tukey",
    1e-6,
  );
}

const CHECKS: Record<string, (input: Loose, expected: Loose) => void> = {
  mcnemar: ({ a, b, c, d }, e) => checkMcnemar([a, b, c, d], e),
  "statsmodels mcnemar": ({ table }, e) => checkMcnemar(table.flat(), e),
  "sign test": ({ x, y }, e) => {
    const own = signTest(x, y);
    expect([own.n, own.statistic]).toEqual([e.n_used, e.positive]);
    close(
      [own.p, signTest(x, y, { alternative: "greater" }).p, signTest(x, y, { alternative: "less" }).p],
      [e.p_two_sided, e.p_greater, e.p_less],
      "p",
    );
  },
  "wilcoxon signed rank": ({ x, y }, e) => checkWilcoxon(x, y, e),
  "t tests": ({ x, y }, e) => checkT(x, y, e),
  "mann-whitney": ({ x, y }, e) => {
    expect(rankSumTest(x, y).statistic).toBe(e.w);
    close(rankSumTest(x, y, { method: "normal", correct: false }).p, e.normal_p, "normal");
    close(rankSumTest(x, y, { method: "normal" }).p, e.normal_cc_p, "corrected");
    close(rankSumTest(x, y, { method: "exact" }).p, e.coin_exact_p, "exact");
  },
  correlation: ({ x, y }, e) => checkCorrelation(x, y, e),
  "two proportions": checkProportions,
  "exact binomial": checkBinomial,
  "fisher exact": ({ table }, e) => {
    const own = fisherTest(table);
    close([own.p, figure(own, "chi-square"), figure(own, "p of chi-square")], [e.p, e.chisq, e.chisq_p], "p");
    if (e.p_greater === undefined) return;
    close(
      [fisherTest(table, { alternative: "greater" }).p, fisherTest(table, { alternative: "less" }).p],
      [e.p_greater, e.p_less],
      "one-sided",
    );
    // R finds odds ratios by uniroot, to about 1e-4
    close([own.effect.value, own.ci.lower, own.ci.upper], [e.odds_ratio_cmle, ...e.ci95], "odds ratio", 1e-3);
  },
  "friedman and nemenyi": ({ scores }, e) => checkFriedman(scores, e),
  "scipy.stats.friedmanchisquare": ({ x }, e) => {
    const own = friedmanTest(x[0].length > x.length ? transposed(x) : x);
    close([own.statistic, own.p], [e.chisq, e.p], "χ²");
  },
  "williams test of two dependent correlations": (input, e) => {
    const own = williamsTest(input);
    close(
      [own.statistic, own.df as number, own.p, williamsTest(input, { alternative: "greater" }).p],
      [e.t, e.df, e.p_two_sided, e.p_greater],
      "t",
    );
  },
  "exact sign-flip permutation of the paired mean difference": ({ d }, e) => {
    const zero = d.map(() => 0);
    const own = permutationTest(d, zero);
    close(
      [own.statistic, own.p, permutationTest(d, zero, { alternative: "greater" }).p],
      [e.observed, e.p_two_sided, e.p_greater],
      "p",
    );
  },
  "exact two-sample permutation of the mean difference": ({ x, y }, e) => {
    const own = twoSamplePermutationTest(x, y);
    close(
      [own.statistic, own.p, twoSamplePermutationTest(x, y, { alternative: "greater" }).p],
      [e.observed, e.p_two_sided, e.p_greater],
      "p",
    );
  },
  "scipy.stats.permutation_test exact": ({ x, y }, e) => {
    const own = twoSamplePermutationTest(x, y, { twoSided: "twice" });
    close([own.statistic, own.p], [e.statistic, e.p], "p");
  },
  "one-way anova": checkOneWay,
  "scipy.stats.tukey_hsd": ({ groups }, e) => {
    for (const { pair, difference, p, lower, upper } of oneWayTest(groups, {
      names: groups.map((_: Loose, i: number) => String(i)),
    }).differences) {
      const [i, j] = pair.split("-").map(Number) as [number, number];
      close(
        [difference, p, lower, upper],
        [e.statistic[i][j], e.p[i][j], e.lower95[i][j], e.upper95[i][j]],
        pair,
        1e-6,
      );
    }
  },
  "bradley-terry": (input, e) => {
    const battles = input.first.map((first: string, i: number) => ({
      first,
      second: input.second[i],
      winsFirst: input.wins_first[i],
      winsSecond: input.wins_second[i],
    }));
    const fit = fitBradleyTerry(battles);
    expect(fit.abilities.map((a) => a.name)).toEqual(e.players);
    close(
      fit.abilities.map((a) => a.value),
      e.ability,
      "ability",
      1e-8,
    );
    close(
      [...fit.abilities.map((a) => a.se), fit.deviance, fit.residualDf, fit.logLik],
      [...e.se, e.deviance, e.df_residual, e.loglik],
      "se",
      1e-7,
    );
  },
  "shapiro-wilk": ({ x }, e) => close([shapiroTest(x).statistic, shapiroTest(x).p], [e.w, e.p], "W", 1e-8),
  "scipy.stats.wilcoxon normal approximation": ({ x, y }, e) => {
    for (const [name, zeros] of [
      ["wilcox", "wilcoxon"],
      ["pratt", "pratt"],
      ["zsplit", "split"],
    ] as const) {
      const plain = wilcoxonTest(x, y, { method: "normal", correct: false, zeros });
      close([figure(plain, "smaller rank sum"), plain.p], [e[`${name}_plain`].statistic, e[`${name}_plain`].p], name);
      close(wilcoxonTest(x, y, { method: "normal", zeros }).p, e[`${name}_cc`].p, `${name} corrected`);
    }
  },
  "scipy.stats.wilcoxon exact": ({ x, y }, e) => {
    for (const alternative of ["two-sided", "greater", "less"] as const)
      close(wilcoxonTest(x, y, { alternative }).p, e[alternative], alternative);
  },
  "scipy.stats.kendalltau": ({ x, y }, e) => {
    const own = correlationTest(x, y, { kind: "kendall", method: "asymptotic" });
    close([own.effect.value, own.p, figure(own, "tau-c")], [e.b.statistic, e.b.p_asymptotic, e.c.statistic], "tau");
  },
  "scipy.stats.spearmanr": ({ x, y }, e) => {
    const own = correlationTest(x, y, { kind: "spearman", method: "asymptotic" });
    close([own.effect.value, own.p], [e.rho, e.p], "rho");
  },
  "scipy.stats.mannwhitneyu": ({ x, y }, e) => {
    const own = rankSumTest(x, y, { method: "normal" });
    close(
      [own.statistic, own.p, rankSumTest(x, y, { method: "normal", correct: false }).p],
      [e.u, e.p_cc, e.p_plain],
      "U",
    );
  },
  "scipy.stats t tests": ({ x, y }, e) => {
    const of = ({ statistic, p }: TestResult) => [statistic, p];
    close(of(pairedTTest(x, y)), e.rel, "paired");
    close(of(twoSampleTTest(x, y, { variances: "equal" })), e.ind, "Student");
    close(of(twoSampleTTest(x, y)), e.welch, "Welch");
  },
  "scipy.stats.somersd": ({ x, y }, e) => {
    const own = correlationTest(x, y, { kind: "somers", method: "asymptotic" });
    close([own.effect.value, own.p], [e.d, e.p], "d");
  },
  "statsmodels cochrans_q": ({ x }, e) => {
    const own = cochranTest(x);
    close([own.statistic, own.df as number, own.p], [e.q, e.df, e.p], "Q");
  },
  "statsmodels proportions_ztest": (i, e) => {
    for (const [side, alternative] of [
      ["two-sided", "two-sided"],
      ["larger", "greater"],
      ["smaller", "less"],
    ] as const) {
      const own = proportionsTest([i.k1, i.k2], [i.n1, i.n2], { alternative });
      close([own.statistic, own.p], [e[side].z, e[side].p], side);
    }
  },
  "statsmodels proportion_confint": ({ k, n }, e) => {
    const names = {
      normal: "wald",
      agresti_coull: "agresti-coull",
      beta: "clopper-pearson",
      wilson: "wilson",
      jeffreys: "jeffreys",
    } as const;
    for (const [name, method] of Object.entries(names)) {
      const { lower, upper } = binomialInterval(k, n, { method });
      close([lower, upper], e[name], name);
    }
  },
  "scipy.stats.brunnermunzel": ({ x, y }, e) => {
    // scipy's statistic has the other sign
    const own = brunnerMunzelTest(x, y);
    close([-own.statistic, own.p], [e.statistic, e.p], "t");
  },
  "scipy.stats.ks_2samp exact": ({ x, y }, e) =>
    close([kolmogorovSmirnovTest(x, y).statistic, kolmogorovSmirnovTest(x, y).p], [e.d, e.p], "D"),
};

const transposed = (x: number[][]): number[][] => x[0]!.map((_, j) => x.map((row) => row[j]!));

describe("stored answers of R, scipy and statsmodels", () => {
  it.each(cases.map((c) => [`${c.id} (${c.test})`, c] as const))("%s", (_, { test, input, expected }) => {
    CHECKS[test]!(input, expected);
  });
});
