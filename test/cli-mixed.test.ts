import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, root } from "./support/cli.ts";
import { expectClose } from "./support/oracle.ts";

const SUMMARIES = "examples/data/summaries.csv";
const FORMULA = "rating ~ system + (1 | article) + (1 | rater)";
/** Made by oracle/r/summaries-lmm.R. */
const oracle: {
  readonly profile: readonly { readonly name: string; readonly lower: number; readonly upper: number }[];
  readonly kenwardRoger: readonly Readonly<Record<"estimate" | "se" | "df" | "p", number> & { term: string }>[];
} = JSON.parse(readFileSync(join(root, "oracle/r/summaries-lmm.json"), "utf8"));

describe("gosset fit lmm", () => {
  it("gives the documented JSON object", () => {
    const fit = gossetJson("fit", "lmm", FORMULA, SUMMARIES);
    expect(fit).toMatchObject({
      kind: "lmm",
      method: "REML",
      nobs: 360,
      singular: false,
      converged: true,
      warnings: [],
    });
    expect(
      fit.random.map((r: { group: string; levels: number; terms: string[] }) => [r.group, r.levels, r.terms]),
    ).toEqual([
      ["article", 40, ["(Intercept)"]],
      ["rater", 9, ["(Intercept)"]],
    ]);
    expect(fit.fixed[1]).toMatchObject({ term: "systemrank-loss" });
    expect(fit.theta).toHaveLength(2);
    // σ times θ are the SDs
    expectClose(
      fit.random.flatMap((r: { sd: number[] }) => r.sd),
      fit.theta.map((t: number) => t * fit.sigma),
      { tolerance: 1e-12 },
    );
  });

  it("fits by ML, and tests with the df that was asked for", () => {
    const ml = gossetJson("fit", "lmm", FORMULA, SUMMARIES, "--ml", "--ddf", "none");
    expect(ml.method).toBe("ML");
    expect(ml.fixed[1]).toMatchObject({ p: "NaN" });
    const kr = gossetJson("fit", "lmm", FORMULA, SUMMARIES, "--ddf", "kenward-roger", "--terms");
    expect(kr.terms[0]).toMatchObject({ term: "system", df1: 2 });
    oracle.kenwardRoger.forEach(({ term, estimate, se, df, p }, k) => {
      const own = kr.fixed[k];
      expect(own.term).toBe(term);
      expectClose([own.estimate, own.se, own.df, own.p], [estimate, se, df, p], { tolerance: 1e-6, label: term });
    });
  });

  it("bootstraps with a seed: the same digits twice, others with another seed", () => {
    const run = (seed: string) =>
      gossetJson("fit", "lmm", FORMULA, SUMMARIES, "--intervals", "bootstrap", "--replicates", "40", "--seed", seed);
    const [a, b, c] = [run("7"), run("7"), run("8")];
    expect(a.seed).toBe("7");
    expect(a.bootstrap).toEqual(b.bootstrap);
    expect(a.bootstrap.intervals[0].se).not.toBe(c.bootstrap.intervals[0].se);
  });

  it("gives lme4's profile intervals, and the random effects of every level", () => {
    const fit = gossetJson("fit", "lmm", FORMULA, SUMMARIES, "--intervals", "profile", "--modes");
    expect(fit.profile.map(({ name }: { name: string }) => name)).toEqual(oracle.profile.map(({ name }) => name));
    // lme4 reads the ends off a spline through its profile: five digits are its own
    oracle.profile.forEach(({ name, lower, upper }, k) => {
      expectClose([fit.profile[k].lower, fit.profile[k].upper], [lower, upper], { tolerance: 2e-5, label: name });
    });
    expect(fit.modes).toHaveLength(49);
  });

  it.each([
    [["fit", "lmm", "rating ~ system", SUMMARIES], /random/],
    [["fit", "lmm", FORMULA, SUMMARIES, "--cluster", "article"], /does not take --cluster/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--ml"], /does not take --ml/],
    [["fit", "lm", FORMULA, SUMMARIES], /fit lmm/],
    [["fit", "lmm", FORMULA, SUMMARIES, "--ml", "--ddf", "kenward-roger"], /REML/],
    [["fit", "lmm", FORMULA, SUMMARIES, "--replicates", "0"], /--replicates/],
    [["fit", "lmm", "rating ~ (1 | domain:article:rater:system)", SUMMARIES], /./],
  ])("refuses %j", (args, message) => {
    const { status, stdout, stderr } = gosset(...(args as string[]));
    expect(stderr).toMatch(message as RegExp);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect([status, stdout]).toEqual([2, ""]);
  });
});

describe("gosset fit clm, clmm and glmm", () => {
  it("gives thresholds named as R names them", () => {
    const fit = gossetJson("fit", "clm", "rating ~ 1", SUMMARIES);
    expect(fit.thresholds.map((t: { name: string }) => t.name)).toEqual(["1|2", "2|3", "3|4", "4|5"]);
    // without terms the thresholds are the logits of the cumulative shares
    const shares = cumulativeShares();
    expectClose(
      fit.thresholds.map((t: { estimate: number }) => t.estimate),
      shares.map((p) => Math.log(p / (1 - p))),
      { tolerance: 1e-8 },
    );
  });

  it("gives the random part of clmm and glmm", () => {
    const ordinal = gossetJson("fit", "clmm", FORMULA, SUMMARIES, "--link", "probit");
    expect(ordinal).toMatchObject({ kind: "clmm", method: "Laplace", link: "probit", converged: true });
    expect(ordinal.random.map((r: { group: string }) => r.group)).toEqual(["article", "rater"]);
    const logistic = gossetJson(
      "fit",
      "glmm",
      "correct ~ system + (1 | passage)",
      "examples/data/questions.jsonl",
      "--nagq",
      "9",
    );
    expect(logistic).toMatchObject({ kind: "glmm", family: "binomial", method: "AGQ (9 points)", converged: true });
  });

  it.each([
    [["fit", "clm", "rating ~ system", SUMMARIES, "--family", "binomial"], /does not take --family/],
    [["fit", "clmm", FORMULA, SUMMARIES, "--cluster", "article"], /does not take --cluster/],
    [["fit", "glmm", "correct ~ system", "examples/data/questions.jsonl"], /random/],
    [["fit", "lm", "rating ~ system", SUMMARIES, "--nagq", "5"], /does not take --nagq/],
    [["fit", "clmm", FORMULA, SUMMARIES, "--nagq", "5"], /./],
  ])("refuses %j", (args, message) => {
    const { status, stdout, stderr } = gosset(...(args as string[]));
    expect(stderr).toMatch(message as RegExp);
    expect([status, stdout]).toEqual([2, ""]);
  });
});

function cumulativeShares(): number[] {
  const ratings = readFileSync(join(root, SUMMARIES), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => Number(line.split(",")[3]));
  return [1, 2, 3, 4].map((k) => ratings.filter((r) => r <= k).length / ratings.length);
}

describe("gosset anova and emmeans with random effects", () => {
  it("compares by ML", () => {
    const result = gossetJson("anova", "rating ~ 1 + (1 | article)", "rating ~ system + (1 | article)", SUMMARIES);
    expect(result).toMatchObject({ kind: "lrt", method: "ML", df: 2, compared: "linear mixed models" });
    expect(result.chisq).toBeCloseTo(2 * (result.models[1].logLik - result.models[0].logLik), 8);
  });

  it("gives means and contrasts", () => {
    const result = gossetJson("emmeans", FORMULA, SUMMARIES, "--by", "system", "--adjust", "holm");
    expect(result.means).toHaveLength(3);
    expect(result.contrasts.map((c: { contrast: string }) => c.contrast)).toContain("baseline - retrieval");
    const fit = gossetJson("fit", "lmm", FORMULA, SUMMARIES);
    expect(result.contrasts[1].estimate).toBeCloseTo(-fit.fixed[2].estimate, 10);
    expect(result.contrasts[1].df).toBeCloseTo(fit.fixed[2].df, 4);
  });

  it("gives means of lm and glm too", () => {
    const lm = gossetJson("emmeans", "rating ~ system * domain", SUMMARIES, "--by", "system", "--within", "domain");
    expect(lm.contrasts).toHaveLength(6);
    const glm = gossetJson(
      "emmeans",
      "correct ~ system",
      "examples/data/questions.jsonl",
      "--family",
      "binomial",
      "--by",
      "system",
      "--type",
      "response",
    );
    expect(glm.means.map((m: { estimate: number }) => Math.round(m.estimate * 1e6) / 1e6)).toEqual([0.73, 0.686667]);
  });

  it.each([
    [["emmeans", FORMULA, SUMMARIES], /--by/],
    [["emmeans", FORMULA, SUMMARIES, "--by", "sytem"], /sytem/],
    [["emmeans", FORMULA, SUMMARIES, "--by", "system", "--adjust", "tuckey"], /tuckey/],
    [["emmeans", "rating ~ system", SUMMARIES, "--by", "system", "--ddf", "none"], /mixed/],
  ])("refuses %j", (args, message) => {
    const { status, stdout, stderr } = gosset(...(args as string[]));
    expect(stderr).toMatch(message as RegExp);
    expect([status, stdout]).toEqual([2, ""]);
  });
});

describe("sleepstudy on the command line", () => {
  it("gives lme4's well-known figures", () => {
    const fit = gossetJson("fit", "lmm", "Reaction ~ Days + (Days | Subject)", "oracle/reference/data/sleepstudy.csv");
    expect(fit.deviance).toBeCloseTo(1743.628272, 6);
    expectClose(fit.random[0].sd, [24.7407, 5.9221], { tolerance: 1e-4 });
    expect(fit.random[0].corr[1][0]).toBeCloseTo(0.0656, 4);
  });
});
