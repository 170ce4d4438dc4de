import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeRatings, fitClmm, fitGlmm, marginalMeans, testNestedCategorical } from "../src/index.ts";
import { profileCategorical } from "../src/models.ts";
import { gosset, gossetJson, gossetRefuses } from "./support/cli.ts";
import { makeFolder } from "./support/folder.ts";
import { expectClose, oracleTable, readOracle } from "./support/oracle.ts";

const folder = makeFolder("ordinal");

const { columns } = readOracle("r/categorical-inference.json");
const table = oracleTable(columns);
const names = Object.keys(columns);

/** A CSV file of the given columns. */
function csv(name: string, head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const path = join(folder, name);
  writeFileSync(path, [head.join(","), ...rows.map((row) => row.join(","))].join("\n"));
  return path;
}

const data = csv(
  "ratings.csv",
  names,
  columns["rating"]!.values.map((_, i) => names.map((name) => columns[name]!.values[i])),
);
const MIXED = "rating ~ system + (1 | item)";
const LEVELS = ["--levels", "system=A,B,C", "--levels", "length=short,long"];

describe("gosset fit clm, clmm, glmm", () => {
  it("says what ratings to expect, who is rated higher, and whether odds are proportional", () => {
    const fit = gossetJson("fit", "clmm", MIXED, data, "--ordered", "rating=1,2,3,4,5");
    const own = describeRatings(fitClmm(MIXED, table));
    expect(fit).toMatchObject({ kind: "clmm", method: "Laplace", converged: true, warnings: [] });
    expect(fit.optimum.condition).toBeGreaterThan(1);
    const [factor] = fit.ratings;
    expectClose(
      factor.systems.flatMap((s: { probabilities: { estimate: number }[] }) => s.probabilities.map((p) => p.estimate)),
      own.factors[0]!.systems.flatMap((s) => s.probabilities.map((p) => p.estimate)),
      { tolerance: 1e-7 },
    );
    expectClose(
      factor.pairs.map((p: { above: number }) => p.above),
      own.factors[0]!.pairs.map((p) => p.above),
      { tolerance: 1e-7 },
    );
    expect(fit.proportionalOdds.terms[0]).toMatchObject({ term: "system", df: 6 });
  });

  it("prints them within 80 columns", () => {
    const { status, stdout } = gosset(
      "fit",
      "clmm",
      MIXED,
      data,
      "--ordered",
      "rating=1,2,3,4,5",
      "--intervals",
      "profile",
    );
    expect(status).toBe(0);
    for (const part of [
      "Predicted proportion of each rating",
      "Which system is rated higher",
      "Same effect on every threshold?",
      "Profile-likelihood intervals (95%)",
      "Condition of the Hessian",
    ]) {
      expect(stdout).toContain(part);
    }
    for (const line of stdout.split("\n")) expect([line, line.length <= 80]).toEqual([line, true]);
  });

  it("profiles every parameter of a glmm at the level asked for", () => {
    const formula = "correct ~ system + (1 | item)";
    const run = gossetJson("fit", "glmm", formula, data, "--intervals", "profile", "--confidence", "0.9");
    const own = profileCategorical(fitGlmm(formula, table, { confidence: 0.9 }));
    expect(run.profile.map((p: { name: string }) => p.name)).toEqual(own.map(({ name }) => name));
    expectClose(
      run.profile.flatMap((p: { lower: number; upper: number }) => [p.lower, p.upper]),
      own.flatMap(({ lower, upper }) => [lower, upper]),
      { tolerance: 1e-6 },
    );
    // the CSV format holds one table: the one that was asked for
    const { stdout, stderr } = gosset("fit", "glmm", formula, data, "--intervals", "profile", "--format", "csv");
    expect([stdout.split("\n")[0], stderr]).toEqual(["parameter,estimate,from,to", ""]);
  });

  it("warns of separation and of empty points of the scale", () => {
    const rows = Array.from({ length: 48 }, (_, i) => (i % 2 === 0 ? ["A", 1 + ((i / 2) % 3)] : ["B", 5]));
    const path = csv("separated.csv", ["system", "rating"], rows);
    const run = gossetJson(
      "fit",
      "clm",
      "rating ~ system",
      path,
      "--ordered",
      "rating=1,2,3,4,5",
      "--intervals",
      "profile",
    );
    expect(run.levels).toEqual(["1", "2", "3", "5"]);
    expect(run.converged).toBe(false);
    const text = run.warnings.join("\n");
    expect(text).toContain("No row has the rating 4");
    expect(text).toContain("diverge to infinity");
    expect(text).toContain("does not fall below the cutoff");
    expect(run.profile.find((p: { name: string }) => p.name === "systemB").upper).toBe("Infinity");
    // the likelihood-ratio test stays finite
    const test = gossetJson("anova", "rating ~ 1", "rating ~ system", path, "--model", "clm");
    expect(test.df).toBe(1);
    expect(test.p).toBeLessThan(1e-9);
  });

  it("warns of grouping factors that are one", () => {
    const rows = columns["rating"]!.values.map((rating, i) => [
      rating,
      columns["item"]!.values[i],
      `d${columns["item"]!.values[i]}`,
    ]);
    const path = csv("twins.csv", ["rating", "item", "document"], rows);
    const run = gossetJson("fit", "clmm", "rating ~ 1 + (1 | item) + (1 | document)", path);
    expect(run.warnings.join("\n")).toContain("divide the rows in the same way");
  });
});

describe("gosset anova of ordinal and generalised mixed models", () => {
  it("compares fixed effects, random effects and thresholds", () => {
    const formulas = ["rating ~ length + (1 | item)", "rating ~ length + system + (1 | item)"] as const;
    const fixed = gossetJson("anova", ...formulas, data, "--model", "clmm");
    const own = testNestedCategorical(formulas, table, { model: "clmm" });
    expect(fixed).toMatchObject({ kind: "lrt", df: 2, method: "Laplace", nobs: 240 });
    expectClose([fixed.chisq], [own.chisq], { tolerance: 1e-6 });
    const random = gossetJson("anova", "rating ~ system", MIXED, data, "--model", "clmm");
    expect(random.mixture.p).toBeCloseTo(random.p / 2, 12);
    const scale = gossetJson(
      "anova",
      "rating ~ system",
      "rating ~ system",
      data,
      "--threshold",
      "equidistant,flexible",
    );
    expect([scale.df, scale.thresholds]).toEqual([2, ["equidistant", "flexible"]]);
  });

  it("knows the model from the response and the family", () => {
    const pair = (response: string) => [`${response} ~ 1 + (1 | item)`, `${response} ~ system + (1 | item)`] as const;
    expect(gossetJson("anova", ...pair("rating"), data, "--ordered", "rating=1,2,3,4,5").compared).toMatch(
      /cumulative link mixed/,
    );
    expect(gossetJson("anova", ...pair("correct"), data, "--family", "binomial").compared).toBe(
      "binomial mixed models (logit link)",
    );
    expect(gossetJson("anova", ...pair("errors"), data, "--family", "poisson").compared).toBe(
      "poisson mixed models (log link)",
    );
    expect(gossetJson("anova", ...pair("x"), data).compared).toBe("linear mixed models");
  });

  it("refuses in one line", () => {
    expect(gossetRefuses("anova", "rating ~ system", "rating ~ 1", data, "--model", "clm")).toContain(
      "smaller model first",
    );
    expect(gossetRefuses("anova", "rating ~ 1", "rating ~ x", data, "--model", "clm", "--threshold", "wide")).toContain(
      '"wide"',
    );
    expect(gossetRefuses("anova", "rating ~ 1", "rating ~ x", data, "--model", "clmm")).toContain("random term");
    expect(gossetRefuses("anova", "rating ~ 1", "rating ~ x", data, "--model", "clm", "--nagq", "5")).toContain(
      "--nagq",
    );
    expect(gossetRefuses("fit", "clm", "rating ~ x", data, "--intervals", "bootstrap")).toContain("--intervals");
  });
});

describe("gosset emmeans of ordinal and generalised mixed models", () => {
  it("on the latent scale, pairs adjusted by Tukey within each length", () => {
    const formula = "rating ~ system * length + (1 | item)";
    const run = gossetJson(
      "emmeans",
      formula,
      data,
      "--model",
      "clmm",
      "--by",
      "system",
      "--within",
      "length",
      ...LEVELS,
    );
    const own = marginalMeans(fitClmm(formula, table), { by: "system", within: "length" });
    expect(run).toMatchObject({
      kind: "emmeans",
      type: "latent",
      link: "logit",
      adjust: "tukey",
      randomAtZero: ["item"],
    });
    for (const key of ["estimate", "se", "p"] as const) {
      expectClose(
        run.contrasts.map((c: Record<string, number>) => c[key]),
        own.contrasts.map((c) => c[key]),
        { tolerance: 1e-5, floor: 0.1 },
      );
    }
  });

  it("as probabilities of categories, and as the mean class", () => {
    const flags = ["--model", "clm", "--by", "system"];
    const prob = gossetJson("emmeans", "rating ~ system", data, ...flags, "--type", "prob", "--contrast", "none");
    expect(prob.means).toHaveLength(15);
    expect(prob.means[3].levels).toEqual({ system: "A", rating: "2" });
    const mean = gossetJson("emmeans", "rating ~ system", data, ...flags, "--type", "mean-class");
    const A = prob.means.filter((m: { levels: { system: string } }) => m.levels.system === "A");
    expect(A.reduce((sum: number, m: { estimate: number }, j: number) => sum + (j + 1) * m.estimate, 0)).toBeCloseTo(
      mean.means[0].estimate,
      10,
    );
  });

  it("of a glmm as probabilities and odds ratios", () => {
    const run = gossetJson(
      "emmeans",
      "correct ~ system + (1 | item)",
      data,
      "--family",
      "binomial",
      "--by",
      "system",
      "--type",
      "response",
    );
    expect(run.contrastType).toBe("odds ratio");
    expect(run.contrasts[0].contrast).toBe("A / B");
    for (const { estimate } of run.means) expect(estimate > 0 && estimate < 1).toBe(true);
  });

  it("refuses in one line", () => {
    expect(gossetRefuses("emmeans", "rating ~ system", data, "--by", "system", "--type", "prob")).toContain(
      "ordinal models",
    );
    expect(gossetRefuses("emmeans", MIXED, data, "--model", "clmm", "--by", "system", "--ddf", "none")).toContain(
      "--ddf",
    );
    expect(gossetRefuses("emmeans", MIXED, data, "--model", "clmm", "--by", "system", "--cluster", "item")).toContain(
      "--cluster",
    );
  });
});
