/** The R code that reports print, run as printed where R and its packages are: it gives the numbers of the result. All in one run of R, since
 *  loading its packages takes longer than the models. */
import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { rCode } from "../src/report/r-code.ts";
import { gosset, root } from "./support/cli.ts";
import { installed } from "./support/installed.ts";
import { JSON_CALLS } from "./support/json-calls.ts";

const SUMMARIES = "examples/data/summaries.csv";

// biome-ignore lint/suspicious/noExplicitAny: a result of any kind
type Json = any;

interface Case {
  /** How a call of `json-calls.ts` begins, or words of its own. */
  readonly call: string | readonly string[];
  /** In R, after the code has run: `last` is what its last line gave, `out` what each did, `m` the model. */
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
const PAIRS = "unlist(as.data.frame(last)[, c('estimate', 'p.value')], use.names = FALSE)";
const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
const limits = ({ profile }: Json): number[] => [
  ...profile.map(({ lower }: Json) => lower),
  ...profile.map(({ upper }: Json) => upper),
];
const predicted = ({ predictions }: Json): number[] =>
  ["estimate", "lower", "upper"].flatMap((name) => predictions.slice(0, 9).map((row: Json) => row[name]));
const PREDICTED = "as.vector(last[1:9, ])";
const variances = ({ components }: Json): number[] => sorted(components.map(({ variance }: Json) => variance));
const VARIANCES = "sort(last$vcov)";
const differences = ({ pairs: all }: Json): number[] => sorted(all.map(({ difference }: Json) => difference));

const CASES: readonly Case[] = [
  {
    call: "fit lm rating~system*words",
    theirs: `c(${table(4)}, out[[length(out) - 1]], ${PREDICTED})`,
    ours: (json) => [...coefficients(json), json.leaveOneOut.rmse, ...predicted(json)],
  },
  {
    call: "fit lm rating~system {summaries} --cluster",
    theirs: "c(last$beta, last$SE, last$p_Satt)",
    ours: coefficients,
  },
  {
    call: "fit glm I(rating>3)~system",
    theirs: `c(${table(4)}, as.vector(last))`,
    ours: (json) => [...coefficients(json), ...limits(json)],
    tolerance: 1e-4,
  },
  {
    call: "fit glm words~system {summaries} --family negative-binomial",
    theirs: `c(${table(4)}, ${PREDICTED})`,
    ours: (json) => [...coefficients(json), ...predicted(json)],
  },
  { call: "fit glm words~system {summaries} --family quasipoisson", theirs: table(4), ours: coefficients },
  {
    call: "fit lmm rating~system+(1|article) {summaries} --intervals profile",
    theirs: `c(${table(5)}, as.vector(last))`,
    ours: (json) => [...coefficients(json), ...limits(json)],
    tolerance: 1e-4,
  },
  {
    call: "fit lmm rating~system+(1|article) {summaries} --intervals bootstrap",
    theirs: table(5),
    ours: coefficients,
  },
  {
    call: ["fit", "lmm", "rating ~ system + (1 | article) + (1 | rater)", SUMMARIES, "--terms", "--modes"],
    theirs: `c(${table(5)}, out[[length(out) - 1]][["F value"]], sort(last$condval))`,
    ours: (json) => [
      ...coefficients(json),
      ...json.terms.map(({ statistic }: Json) => statistic),
      ...sorted(json.modes.map(({ mode }: Json) => mode)),
    ],
    tolerance: 1e-4,
  },
  {
    call: ["fit", "lmm", "rating ~ system + (1 | article)", SUMMARIES, "--ddf", "kenward-roger"],
    theirs: 'as.vector(summary(m, ddf = "Kenward-Roger")$coefficients[, c(1, 2, 5)])',
    ours: coefficients,
  },
  // correlations of 1: R stops a little before
  {
    call: "fit lmm rating~system+(1+system|article)",
    theirs: "as.vector(fixef(m))",
    ours: ({ fixed }) => fixed.map(({ estimate }: Json) => estimate),
    tolerance: 1e-4,
  },
  { call: "fit glmm I(rating>3)", theirs: table(4), ours: coefficients, tolerance: 1e-3 },
  { call: "fit clm rating~system {summaries}", theirs: ordinalTable, ours: coefficients },
  {
    call: "fit clm rating~system oracle/next/data/rate1.csv --structure stopping",
    theirs: 'as.vector(coef(last)[c("systemB", "systemC"), c(1, 2, 4)])',
    ours: coefficients,
  },
  {
    call: "fit clm rating~system oracle/next/data/rate1.csv --scale",
    theirs: "as.vector(coef(last)[c(5, 6, 7, 8), 1])",
    ours: ({ fixed, scale }) => [...fixed, ...scale].map(({ estimate }: Json) => estimate),
    tolerance: 1e-4,
  },
  // clmm's search ends where the log-likelihood is lower by 3e-4
  ...[
    "fit clmm rating~system+(1|article) {summaries}",
    "fit clmm rating~system+(1|article) {summaries} --intervals",
  ].map((call): Case => ({ call, theirs: ordinalTable, ours: coefficients, tolerance: 1e-2 })),
  {
    call: "fit gam",
    theirs: `c(summary(m)$dev.expl, summary(m)$p.coeff, ${PREDICTED})`,
    ours: (json) => [json.devianceExplained, ...json.fixed.map(({ estimate }: Json) => estimate), ...predicted(json)],
    tolerance: 1e-4,
  },
  {
    call: "anova rating~1 rating~system",
    theirs: 'c(last$F[2], last[["Pr(>F)"]][2])',
    ours: ({ fTest }) => [fTest.statistic, fTest.p],
  },
  {
    call: "anova I(rating>3)~1",
    theirs: 'c(last$Deviance[2], last[["Pr(>Chi)"]][2])',
    ours: ({ chisq, p }) => [chisq, p],
  },
  {
    call: "anova words~1",
    theirs: 'c(last$F[2], last[["Pr(>F)"]][2])',
    ours: ({ fTest }) => [fTest.statistic, fTest.p],
  },
  {
    call: "anova rating~system+(1|article)",
    theirs: 'c(last$Chisq[2], last[["Pr(>Chisq)"]][2])',
    ours: ({ chisq, p }) => [chisq, p],
    tolerance: 1e-4,
  },
  { call: "anova rating~1+(1|article)", theirs: "last$LR.stat[2]", ours: ({ chisq }) => [chisq], tolerance: 1e-2 },
  { call: "emmeans rating~system*domain+(1|article)", theirs: PAIRS, ours: pairs, tolerance: 1e-4 },
  {
    call: "emmeans rating~system {summaries} --by system --effect-size",
    theirs:
      "c(unlist(as.data.frame(out[[length(out) - 1]])[, c('estimate', 'p.value')]), as.data.frame(last)$effect.size)",
    ours: (json) => [...pairs(json), ...json.effectSizes.map(({ d }: Json) => d)],
    tolerance: 1e-4,
  },
  { call: "emmeans rating~system {summaries} --by system --model clm", theirs: PAIRS, ours: pairs, tolerance: 1e-4 },
  ...["reliability {summaries}", "reliability oracle/reference", "reliability {grid}"].map(
    (call): Case => ({ call, theirs: VARIANCES, ours: variances, tolerance: 1e-4 }),
  ),
  // lmer stops a little before where a variance is 0
  { call: "importance {grid}", theirs: VARIANCES, ours: variances, tolerance: 1e-3 },
  {
    call: "compare {summaries} --metric rating",
    theirs: "sort(as.data.frame(last)$estimate)",
    ours: differences,
    tolerance: 1e-4,
  },
  {
    call: "compare {summaries} --metric rating --by domain",
    theirs: "sort(as.data.frame(last)$estimate)",
    ours: ({ model }) => sorted(model.within.map(({ estimate }: Json) => estimate)),
    tolerance: 1e-4,
  },
];

/** Models without a counterpart in R's usual packages, or no model of a mixed kind. */
const WITHOUT = [/--family beta/, /--columns/];
const MODEL_BASED = /^(fit|anova|emmeans|reliability|importance) /;

const argsOf = ({ call }: Case): readonly string[] | undefined =>
  typeof call !== "string"
    ? call
    : (JSON_CALLS.find(([line]) => line === call) ?? JSON_CALLS.find(([line]) => line.startsWith(call)))?.[1];

it("every call with a model is among those whose code runs", () => {
  const tried = new Set(CASES.map((own) => argsOf(own)?.join(" ")));
  const missing = JSON_CALLS.filter(
    ([line, args]) => MODEL_BASED.test(line) && !WITHOUT.some((own) => own.test(line)) && !tried.has(args.join(" ")),
  );
  expect(missing.map(([line]) => line)).toEqual([]);
});

describe.skipIf(!installed("r"))("R code gives our numbers", () => {
  const results: Json[] = [];
  let theirs: number[][] = [];

  beforeAll(() => {
    results.push(...CASES.map((own) => JSON.parse(gosset(...argsOf(own)!, "--json", "--quiet").stdout)));
    const blocks = results.map((json, k) => {
      // at the top, as it would be pasted: some of R's functions look for models there
      const run = `out <- list()\nfor (line in parse(text = ${JSON.stringify(rCode(json))})) out <- c(out, list(suppressMessages(eval(line))))`;
      return `rm(list = ls())\n${run}\nlast <- out[[length(out)]]\ncat("@@"); cat(format(${CASES[k]!.theirs}, digits = 12, trim = TRUE), sep = " "); cat("\\n")`;
    });
    const script = `options(warn = -1)\n${blocks.join("\n")}`;
    const { stdout, stderr, status } = spawnSync("Rscript", ["-"], { cwd: root, encoding: "utf8", input: script });
    expect(status, stderr.slice(-600)).toBe(0);
    theirs = stdout
      .split("@@")
      .slice(1)
      .map((part) => part.split("\n")[0]!.trim().split(" ").map(Number));
  }, 240_000);

  it.each(CASES.map(({ call }, k) => [typeof call === "string" ? call : call.slice(0, 3).join(" "), k] as const))(
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
