import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { makeTable, numericColumn, withColumn } from "../../data/table.ts";
import { fitGlm, type GlmOptions } from "../../models/glm/glm.ts";
import { fitLm } from "../../models/lm/lm.ts";
import { reviveResult } from "../../result/result.ts";
import { testNested, testNestedFormulas } from "./nested.ts";

const oracle = readOracle("r/lm.json");
const ratings = oracleTable(oracle.columns);

describe.each(oracle.cases.filter((c) => c.kind === "anova"))("$id equals R", ({ input, expected: e }) => {
  const { family, link } = input as GlmOptions;
  const fit = (formula: string) =>
    input["model"] === "lm" ? fitLm(formula, ratings) : fitGlm(formula, ratings, { family, link });
  const result = testNested(fit(input["f0"] as string), fit(input["f1"] as string));

  it("likelihood ratio", () => {
    expectClose([result.chisq, result.p], [e.chisq, e.p], { tolerance: 1e-8 });
    expect(result.df).toBe(e.df);
  });

  if (e.f)
    it("F test", () => {
      const { statistic, df1, df2, p } = result.fTest!;
      expectClose([statistic, df1, df2, p], [e.f, e.df1, e.df2, e.p_f], { tolerance: 1e-9 });
    });
});

describe("nested comparison", () => {
  it("uses the rows that both models have, and says how many were left out", () => {
    const result = testNestedFormulas(["score ~ 1", "score ~ gappy"], ratings);
    expect([result.nobs, result.rowsDropped]).toEqual([116, 4]);
    expect(result.toString()).toContain("116 of 120 rows");
    expect(result.diagnostics.map((d) => d.code)).toContain("RowsDropped");
  });

  it("does not take rows of weight 0 for rows without a value", () => {
    const weighted = withColumn(ratings, "w", numericColumn(Array.from({ length: ratings.rows }, (_, i) => i % 4)));
    const result = testNestedFormulas(["score ~ 1", "score ~ system"], weighted, { weights: "w" });
    expect(result.nobs).toBe(90);
    expect(result.diagnostics.map((d) => d.code)).not.toContain("RowsDropped");
  });

  it("has F = t² for one added column", () => {
    const large = fitLm("score ~ length + domain", ratings);
    const f = testNested(fitLm("score ~ length", ratings), large).fTest!;
    expect(f.statistic).toBeCloseTo(large.coefficients[2]!.statistic ** 2, 10);
    expect(f.p).toBeCloseTo(large.coefficients[2]!.p, 12);
  });

  it("accepts a smaller model that is written with other columns of the same span", () => {
    const both = makeTable([...ratings.columns, ["half", numericColumn(lengths().map((v) => v / 2 + 1))]]);
    const result = testNested(fitLm("score ~ half", both), fitLm("score ~ length + system", both));
    expect(result.df).toBe(2);
  });

  it.each([
    ["score ~ domain", "score ~ system", /not contained/],
    ["score ~ system", "score ~ 1", /not larger/],
    [
      "score ~ domain",
      "score ~ length",
      /score ~ domain and score ~ length have 3 parameters each: neither is the other with something added/,
    ],
    ["score ~ 1", "gappy ~ system", /different/],
    ["gappy ~ 1", "score ~ system", /different/],
  ])("refuses %s in %s", (small, large, message) => {
    expect(() => testNested(fitLm(small, ratings), fitLm(large, ratings))).toThrow(message);
  });

  it("refuses different families", () => {
    const a = fitGlm("correct ~ 1", ratings, { family: "binomial" });
    const b = fitGlm("correct ~ system", ratings, { family: "binomial", link: "probit" });
    expect(() => testNested(a, b)).toThrow(/family or link/);
  });

  it("prints as stored", () => {
    const result = testNested(fitLm("score ~ 1", ratings), fitLm("score ~ system", ratings));
    expect(result.toString()).toMatchInlineSnapshot(`
      "Nested linear models

      120 rows.

      test                         statistic  df  residual df       p
      ---------------------------------------------------------------
      F (exact for normal errors)      3.024   2          117  0.0524
      likelihood ratio                 6.049   2               0.0486

      model           parameters  log-lik.  deviance      AIC      BIC
      ----------------------------------------------------------------
      score ~ 1                2  -187.159     159.0  378.318  383.893
      score ~ system           4  -184.134     151.2  376.269  387.419"
    `);
    expect(reviveResult(JSON.parse(JSON.stringify(result))).toString()).toBe(result.toString());
  });
});

function lengths(): number[] {
  const cells = ratings.columns.get("length")!;
  return cells.kind === "numeric" ? [...cells.values] : [];
}
