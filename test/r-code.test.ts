/** The R code that reports print, run as printed where R and its packages are: it gives the estimates of the result. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { rCode } from "../src/report/r-code.ts";
import { gosset, root } from "./support/cli.ts";

const SUMMARIES = "examples/data/summaries.csv";
const hasR =
  spawnSync("Rscript", [
    "-e",
    "for (p in c('lmerTest', 'emmeans', 'ordinal', 'mgcv')) stopifnot(requireNamespace(p, quietly = TRUE))",
  ]).status === 0;

/** The whole object, with the command that the code is made of. */
const written = (...args: string[]) => JSON.parse(gosset(...args, "--json", "--quiet").stdout);

/** The code, and then the numbers asked for, one a line. */
function runR(code: string, numbers: string): number[] {
  const script = `options(warn = -1)\n${code}\ncat("@@\\n"); cat(format(${numbers}, digits = 12, trim = TRUE), sep = "\\n")`;
  const { stdout, stderr, status } = spawnSync("Rscript", ["-e", script], { cwd: root, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return stdout.split("@@\n").at(-1)!.trim().split("\n").map(Number);
}

const FITS = [
  ["lm", "rating ~ system * words", [], "coef(m)"],
  ["glm", "I(rating > 3) ~ system", ["--family", "binomial"], "coef(m)"],
  ["lmm", "rating ~ system + (1 | article) + (1 | rater)", [], "lme4::fixef(m)"],
  ["glmm", "I(rating > 3) ~ system + (1 | article)", ["--family", "binomial"], "lme4::fixef(m)"],
  ["clm", "rating ~ system", [], "m$beta"],
  ["clmm", "rating ~ system + (1 | article)", [], "m$beta"],
] as const;

describe.skipIf(!hasR)("R code", () => {
  it.each(FITS)("of fit %s gives our coefficients", (kind, formula, flags, numbers) => {
    const json = written("fit", kind, formula, SUMMARIES, ...flags);
    const theirs = runR(rCode(json)!, numbers);
    const ours = json.fixed.map(({ estimate }: { estimate: number }) => estimate);
    expect(theirs).toHaveLength(ours.length);
    // clmm's search ends where the log-likelihood is lower by 3e-4
    const tolerance = (own: number): number =>
      (kind === "clmm" ? 5e-3 : kind === "glmm" ? 1e-4 : 2e-5) * Math.max(1, Math.abs(own));
    for (const [k, own] of ours.entries()) expect(Math.abs(theirs[k]! - own)).toBeLessThan(tolerance(own));
  });

  it("of fit gam gives our deviance explained", () => {
    const json = written("fit", "gam", "grade ~ s(words, k = 5) + citations", "examples/data/grades.csv");
    const [explained] = runR(rCode(json)!, "summary(m)$dev.expl");
    expect(Math.abs(explained! - json.devianceExplained)).toBeLessThan(1e-4);
  });

  it("of compare gives our differences", () => {
    const json = written("compare", SUMMARIES, "--metric", "rating");
    const theirs = runR(rCode(json)!, 'as.data.frame(pairs(emmeans(m, "system"), reverse = TRUE))$estimate');
    const ours = json.pairs.map(({ difference }: { difference: number }) => difference);
    const sorted = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);
    for (const [k, own] of sorted(ours).entries()) expect(Math.abs(sorted(theirs)[k]! - own)).toBeLessThan(1e-4);
  });
});
