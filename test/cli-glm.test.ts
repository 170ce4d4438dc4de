import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { expectClose, readOracle } from "./support/oracle.ts";

const folder = makeFolder("glm");
const oracle = readOracle("r/families.json");
const names = Object.keys(oracle.columns);
const write = (name: string, lines: readonly (readonly unknown[])[]): string => {
  const path = join(folder, name);
  writeFileSync(path, `${lines.map((line) => line.join(",")).join("\n")}\n`);
  return path;
};
const DATA = write("d.csv", [
  names,
  ...oracle.columns["system"]!.values.map((_, i) => names.map((name) => oracle.columns[name]!.values[i])),
]);
const find = (id: string) => oracle.cases.find((one) => one.id === id)!.expected;
const estimates = (fixed: readonly { estimate: number }[]): number[] => fixed.map(({ estimate }) => estimate);

describe("gosset fit glm of overdispersed counts and of shares", () => {
  it("negative binomial: θ in the JSON object and in the text, glm.nb's digits", () => {
    const words = ["fit", "glm", "count ~ system + length", DATA, "--family", "negative-binomial", "--offset", "logn"];
    const fit = gossetJson(...words);
    const e = find("nb-offset");
    expect(fit).toMatchObject({
      kind: "glm",
      family: "negative-binomial",
      method: "ML",
      shape: { name: "theta" },
      converged: true,
    });
    expectClose([...estimates(fit.fixed), fit.shape.value, fit.aic], [...e.estimate, e.theta, e.aic], {
      tolerance: 1e-7,
    });
    expect(gosset(...words).stdout).toContain("θ 1.579 (SE 0.2724): variance μ + μ²/θ.");
  });

  it("quasi: t tests, no AIC, and why", () => {
    const fit = gossetJson(
      "fit",
      "glm",
      "cbind(hits, misses) ~ system + length",
      DATA,
      "--family",
      "quasibinomial",
      "--quiet",
    );
    expect(fit).toMatchObject({ method: "quasi-likelihood", aic: "NaN", logLik: "NaN" });
    expect(fit.fixed[0].df).toBe(116);
    expect(fit.notes.join()).toContain("not a distribution");
  });

  it("beta: φ, and one line about a proportion of 0", () => {
    const fit = gossetJson("fit", "glm", "share ~ system + length", DATA, "--family", "beta");
    expectClose([fit.shape.value, fit.logLik], [find("beta").phi, find("beta").loglik], { tolerance: 1e-7 });
    const zero = write("zero.csv", [["y"], [0.2], [0], [0.6], [0.7]]);
    const said = gossetRefuses("fit", "glm", "y ~ 1", zero, "--family", "beta");
    expect(said).toMatch(/y is 0 in row 2; for the beta family it must be above 0 and below 1/);
    expect(said).toContain("(y * (n - 1) + 0.5) / n");
  });

  it("profile intervals as of the other models, at the level asked for", () => {
    const fit = gossetJson(
      "fit",
      "glm",
      "rare ~ system",
      DATA,
      "--family",
      "poisson",
      "--intervals",
      "profile",
      "--confidence",
      "0.9",
    );
    const e = find("profile-poisson");
    expect(fit.profile.map(({ name, kind }: { name: string; kind: string }) => `${name} ${kind}`)).toEqual(
      e.names.map((name: string) => `${name} fixed`),
    );
    expectClose(
      fit.profile.flatMap(({ lower, upper }: { lower: number; upper: number }) => [lower, upper]),
      e.names.flatMap((_: string, i: number) => [e.lower[i], e.upper[i]]),
      { tolerance: 1e-7 },
    );
    const nb = gosset(
      "fit",
      "glm",
      "count ~ system",
      DATA,
      "--family",
      "negative-binomial",
      "--intervals",
      "profile",
    ).stdout;
    expect(nb).toContain("Profile-likelihood intervals (95%)");
    expect(nb).toContain("hold θ at its estimate");
  });

  it("separation: an infinite end, told", () => {
    const y = [1, 0, 1, 0, 1, 1, 1, 1, 1, 1];
    const data = write("separated.csv", [["y", "g"], ...y.map((v, i) => [v, i < 5 ? "a" : "b"])]);
    const fit = gossetJson("fit", "glm", "y ~ g", data, "--family", "binomial", "--intervals", "profile", "--quiet");
    expect(fit.profile[1].upper).toBe("Infinity");
    expect(Number.isFinite(fit.profile[1].lower)).toBe(true);
    expect(fit.diagnostics.map(({ code }: { code: string }) => code)).toEqual(["Separation", "EndlessInterval"]);
  });

  it.each([
    [
      ["fit", "glm", "count ~ system", DATA, "--family", "quasipoisson", "--intervals", "profile"],
      /dispersion .* is estimated/,
    ],
    [
      ["fit", "glm", "share ~ system", DATA, "--family", "beta", "--cluster", "doc"],
      /beta family has no cluster-robust/,
    ],
    [["fit", "glmm", "count ~ system + (1 | doc)", DATA, "--family", "negative-binomial"], /negative-binomial/],
    [["fit", "gam", "share ~ s(length)", DATA, "--family", "beta"], /beta/],
    [
      ["emmeans", "count ~ system + (1 | doc)", DATA, "--family", "negative-binomial", "--by", "system"],
      /glmm does not take --family/,
    ],
  ] as const)("refuses %j in one line", (words, says) => {
    expect(gossetRefuses(...words)).toMatch(says);
  });
});

describe("gosset anova and emmeans of these families", () => {
  it("quasi: the F test alone", () => {
    const words = [
      "anova",
      "count ~ length",
      "count ~ system * length",
      DATA,
      "--family",
      "quasipoisson",
      "--offset",
      "logn",
    ];
    const { f } = find("quasipoisson");
    expectClose([gossetJson(...words).fTest.statistic, gossetJson(...words).fTest.p], [f.statistic, f.p], {
      tolerance: 1e-8,
    });
    const { stdout } = gosset(...words);
    expect(stdout).toContain("F (scaled deviance)");
    expect(stdout).not.toContain("likelihood ratio");
  });

  it("negative binomial: anova.negbin's ratio, with the two θ", () => {
    const result = gossetJson(
      "anova",
      "count ~ length",
      "count ~ system + length",
      DATA,
      "--family",
      "negative-binomial",
    );
    expectClose([result.chisq, result.df, result.p], [find("nb").lr, 2, find("nb").lr_p], { tolerance: 1e-7 });
    expect(result.notes.join()).toContain("Each model has its own θ");
  });

  it("means of a beta model as shares", () => {
    const result = gossetJson(
      "emmeans",
      "share ~ system",
      DATA,
      "--family",
      "beta",
      "--by",
      "system",
      "--type",
      "response",
    );
    for (const { estimate } of result.means) expect(estimate > 0.4 && estimate < 0.9).toBe(true);
    expect(result.contrastType).toBe("odds ratio");
  });
});
