/** The R code that reports print, run as printed where R and its packages are: it gives the numbers of the result. All in one run of R, since
 *  loading its packages takes longer than the models. */
import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { rCode } from "../src/report/r-code.ts";
import { gosset, root } from "./support/cli.ts";

const SUMMARIES = "examples/data/summaries.csv";
const hasR =
  spawnSync("Rscript", [
    "-e",
    "for (p in c('lmerTest', 'emmeans', 'ordinal', 'mgcv', 'MASS')) stopifnot(requireNamespace(p, quietly = TRUE))",
  ]).status === 0;

// biome-ignore lint/suspicious/noExplicitAny: a result of any kind
type Json = any;

interface Case {
  readonly args: readonly string[];
  /** In R, after the code has run. */
  readonly theirs: string;
  readonly ours: (json: Json) => readonly number[];
  readonly tolerance?: number;
}

const coefficients = ({ fixed }: Json): number[] => [
  ...fixed.map(({ estimate }: Json) => estimate),
  ...fixed.map(({ se }: Json) => se),
  ...fixed.map(({ p }: Json) => p),
];
const table = (last: number): string => `as.vector(summary(m)$coefficients[, c(1, 2, ${last})])`;
/** Thresholds are left out. */
const ordinalTable = "as.vector(coef(summary(m))[names(m$beta), c(1, 2, 4)])";
const pairs = ({ contrasts }: Json): number[] => [
  ...contrasts.map(({ estimate }: Json) => estimate),
  ...contrasts.map(({ p }: Json) => p),
];
const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const fit = (kind: string, formula: string, ...flags: string[]): string[] => [
  "fit",
  kind,
  formula,
  SUMMARIES,
  ...flags,
];

const CASES: readonly Case[] = [
  { args: fit("lm", "rating ~ system * words"), theirs: table(4), ours: coefficients },
  { args: fit("glm", "I(rating > 3) ~ system", "--family", "binomial"), theirs: table(4), ours: coefficients },
  { args: fit("glm", "words ~ system", "--family", "quasipoisson"), theirs: table(4), ours: coefficients },
  { args: fit("glm", "words ~ system", "--family", "negative-binomial"), theirs: table(4), ours: coefficients },
  { args: fit("lmm", "rating ~ system + (1 | article) + (1 | rater)"), theirs: table(5), ours: coefficients },
  {
    args: fit("lmm", "rating ~ system + (1 | article)", "--ddf", "kenward-roger"),
    theirs: 'as.vector(summary(m, ddf = "Kenward-Roger")$coefficients[, c(1, 2, 5)])',
    ours: coefficients,
  },
  {
    args: fit("glmm", "I(rating > 3) ~ system + (1 | article)", "--family", "binomial"),
    theirs: table(4),
    ours: coefficients,
    tolerance: 1e-3,
  },
  { args: fit("clm", "rating ~ system"), theirs: ordinalTable, ours: coefficients },
  // clmm's search ends where the log-likelihood is lower by 3e-4
  { args: fit("clmm", "rating ~ system + (1 | article)"), theirs: ordinalTable, ours: coefficients, tolerance: 1e-2 },
  {
    args: ["fit", "gam", "grade ~ s(words, k = 5) + citations", "examples/data/grades.csv"],
    theirs: "c(summary(m)$dev.expl, summary(m)$p.coeff)",
    ours: ({ devianceExplained, fixed }) => [devianceExplained, ...fixed.map(({ estimate }: Json) => estimate)],
    tolerance: 1e-4,
  },
  {
    args: ["anova", "rating~1", "rating~system", SUMMARIES],
    theirs: 'c(anova(m1, m2)$F[2], anova(m1, m2)[["Pr(>F)"]][2])',
    ours: ({ fTest }) => [fTest.statistic, fTest.p],
  },
  {
    args: ["anova", "rating~system+(1|article)", "rating~system+(1|article)+(1|rater)", SUMMARIES],
    theirs: 'suppressMessages(c(anova(m1, m2)$Chisq[2], anova(m1, m2)[["Pr(>Chisq)"]][2]))',
    ours: ({ chisq, p }) => [chisq, p],
    tolerance: 1e-4,
  },
  {
    args: ["anova", "rating~1+(1|article)", "rating~system+(1|article)", SUMMARIES, "--model", "clmm"],
    theirs: "anova(m1, m2)$LR.stat[2]",
    ours: ({ chisq }) => [chisq],
    tolerance: 1e-2,
  },
  {
    args: ["emmeans", "rating~system*domain+(1|article)", SUMMARIES, "--by", "system", "--within", "domain"],
    theirs: "unlist(as.data.frame(pairs(e))[, c('estimate', 'p.value')], use.names = FALSE)",
    ours: pairs,
    tolerance: 1e-4,
  },
  {
    args: ["emmeans", "rating~system", SUMMARIES, "--by", "system"],
    theirs: "unlist(as.data.frame(pairs(e))[, c('estimate', 'p.value')], use.names = FALSE)",
    ours: pairs,
    tolerance: 1e-4,
  },
  {
    args: [
      ...["reliability", SUMMARIES, "--score", "rating", "--object", "article"],
      ...["--facets", "rater", "--intervals", "none"],
    ],
    theirs: "sort(as.data.frame(VarCorr(m))$vcov)",
    ours: ({ components }) => sorted(components.map(({ variance }: Json) => variance)),
    tolerance: 1e-4,
  },
  {
    args: ["compare", SUMMARIES, "--metric", "rating"],
    theirs: 'sort(as.data.frame(pairs(emmeans(m, "system"), reverse = TRUE))$estimate)',
    ours: ({ pairs: all }) => sorted(all.map(({ difference }: Json) => difference)),
    tolerance: 1e-4,
  },
];

describe.skipIf(!hasR)("R code gives our numbers", () => {
  const results: Json[] = [];
  let theirs: number[][] = [];

  beforeAll(() => {
    results.push(...CASES.map(({ args }) => JSON.parse(gosset(...args, "--json", "--quiet").stdout)));
    const blocks = results.map((json, k) => {
      const code = rCode(json);
      // at the top, as it would be pasted: some of R's functions look for models there
      return `rm(list = ls())\n${code}\ncat("@@"); cat(format(${CASES[k]!.theirs}, digits = 12, trim = TRUE), sep = " "); cat("\\n")`;
    });
    const script = `options(warn = -1)\n${blocks.join("\n")}`;
    const { stdout, stderr, status } = spawnSync("Rscript", ["-e", script], { cwd: root, encoding: "utf8" });
    expect(status, stderr).toBe(0);
    theirs = stdout
      .split("@@")
      .slice(1)
      .map((part) => part.split("\n")[0]!.trim().split(" ").map(Number));
  }, 120_000);

  it.each(CASES.map(({ args }, k) => [args.filter((own) => !own.includes("/")).join(" "), k] as const))(
    "%s",
    (_, k) => {
      const { ours, tolerance = 2e-5 } = CASES[k]!;
      const own = ours(results[k]);
      expect(theirs[k]).toHaveLength(own.length);
      for (const [i, value] of own.entries())
        expect(Math.abs(theirs[k]![i]! - value)).toBeLessThan(tolerance * Math.max(1, Math.abs(value)));
    },
  );
});
