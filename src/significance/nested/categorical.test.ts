import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { numericColumn, withColumn } from "../../data/table.ts";
import { fitGlmm } from "../../models/glmm/glmm.ts";
import { fitClm } from "../../models/ordinal/clm.ts";
import { fitClmm } from "../../models/ordinal/clmm.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { reviveResult } from "../../result/result.ts";
import { type NestedCategoricalOptions, testNestedCategorical, testNestedFits } from "./categorical.ts";

const oracle = readOracle("r/categorical-inference.json");
const table = oracleTable(oracle.columns);

interface TestInput extends Pick<NestedCategoricalOptions, "model" | "link" | "family"> {
  readonly small: string;
  readonly large: string;
  readonly thresholds?: NestedCategoricalOptions["threshold"];
}

describe("likelihood-ratio tests against R", () => {
  for (const { kind, input, expected, id } of oracle.cases) {
    if (kind !== "lrt") continue;
    const { small, large, thresholds, ...options } = input as unknown as TestInput;
    it(`${id} ${options.model}: ${small} | ${large}`, () => {
      const result = testNestedCategorical([small, large], table, {
        ...options,
        ...(thresholds === undefined ? {} : { threshold: thresholds }),
      });
      // R's searches stop a little before the maximum; p of a statistic near 0 magnifies that
      const tolerance = { clm: 1e-9, glmm: 5e-6, clmm: 2e-5 }[options.model];
      expect(result.df).toBe(expected.df);
      expect(result.models.map(({ df }) => df)).toEqual(expected.parameters);
      expectClose(
        result.models.map(({ logLik }) => logLik),
        expected.loglik,
        { tolerance: tolerance / 100 },
      );
      expectClose([result.chisq], [expected.chisq], { tolerance, floor: 1 });
      expect(Math.abs(result.p - expected.p)).toBeLessThan(tolerance);
      if (expected.anova === null) return;
      expectClose([result.chisq], [expected.anova.chisq], { tolerance, floor: 1, label: "anova" });
      expect(Math.abs(result.p - expected.anova.p)).toBeLessThan(tolerance);
    });
  }
});

describe("what the comparison says", () => {
  it("gives the mixture where one variance is tested against 0", () => {
    const result = testNestedCategorical(["rating ~ system", "rating ~ system + (1 | item)"], table, {
      model: "clmm",
    });
    expect(result.mixture!.p).toBeCloseTo(chiSquareSf(result.chisq, 1) / 2, 12);
    expect(result.diagnostics.map(({ code }) => code)).toContain("BoundaryTest");
    const slope = testNestedCategorical(["correct ~ x + (1 | item)", "correct ~ x + (1 + x | item)"], table, {
      model: "glmm",
    });
    expect(slope.df).toBe(2);
    expect(slope.mixture!.p).toBeCloseTo((chiSquareSf(slope.chisq, 1) + chiSquareSf(slope.chisq, 2)) / 2, 12);
  });

  it("tests one and the same model against itself with fewer thresholds", () => {
    const result = testNestedCategorical(["rating ~ system + (1 | item)", "rating ~ system + (1 | item)"], table, {
      model: "clmm",
      threshold: ["equidistant", "flexible"],
    });
    expect(result.df).toBe(2);
    expect(result.thresholds).toEqual(["equidistant", "flexible"]);
    expect(result.models[0].formula).toContain("(equidistant thresholds)");
    expect(result.mixture).toBeUndefined();
    expect(String(reviveResult(JSON.parse(JSON.stringify(result))))).toBe(String(result));
  });

  it("uses the rows that both models can use", () => {
    const values = (oracle.columns["x"]!.values as number[]).map((v, i) => (i < 7 ? Number.NaN : v));
    const holes = withColumn(table, "x", numericColumn(values));
    const result = testNestedCategorical(["rating ~ system", "rating ~ system + x"], holes, { model: "clm" });
    expect([result.nobs, result.rowsDropped]).toEqual([233, 7]);
    expect(result.diagnostics.map(({ code }) => code)).toContain("RowsDropped");
  });

  it("agrees however the larger model is coded", () => {
    const options = { model: "clm" as const };
    const a = testNestedCategorical(["rating ~ length", "rating ~ length * system"], table, options);
    const b = testNestedCategorical(["rating ~ length", "rating ~ length:system"], table, options);
    expect(a.chisq).toBeCloseTo(b.chisq, 8);
    expect(a.df).toBe(b.df);
  });
});

describe("models that cannot be compared", () => {
  const clm = fitClm("rating ~ system", table);
  const refused = (run: () => unknown) => expect(run);

  it("are refused: links, quadrature, families, thresholds, kinds", () => {
    refused(() => testNestedFits(clm, fitClm("rating ~ system + x", table, { link: "probit" }))).toThrow(/links/);
    refused(() =>
      testNestedFits(
        fitGlmm("correct ~ 1 + (1 | item)", table, { nAGQ: 5 }),
        fitGlmm("correct ~ system + (1 | item)", table),
      ),
    ).toThrow(/AGQ \(5 points\), Laplace/);
    refused(() =>
      testNestedFits(clm, fitClm("rating ~ system * length * x", table, { threshold: "equidistant" })),
    ).toThrow(/flexible thresholds are not a special case of equidistant/);
    refused(() => testNestedFits(clm, fitGlmm("correct ~ system + (1 | item)", table))).toThrow(/clm with glmm/);
    refused(() =>
      testNestedFits(fitClmm("rating ~ 1 + (1 | item)", table), fitClm("rating ~ system * length * x", table)),
    ).toThrow(/clmm with clm/);
  });

  it("are refused: not nested, the wrong order, other responses, no random term", () => {
    const compare = (small: string, large: string, model: "clm" | "clmm" | "glmm") =>
      refused(() => testNestedCategorical([small, large], table, { model }));
    compare("rating ~ x", "rating ~ system", "clm").toThrow(/fixed part/);
    compare("rating ~ system + x", "rating ~ system", "clm").toThrow(/smaller|larger/);
    compare("rating ~ x + (1 | rater)", "rating ~ x + (1 + x | item)", "clmm").toThrow(/random term of rater/);
    compare("correct ~ 1 + (1 | item)", "rating ~ system + (1 | item)", "glmm").toThrow(/./);
    compare("rating ~ 1", "rating ~ system", "clmm").toThrow(/neither formula has a random term/);
  });
});
