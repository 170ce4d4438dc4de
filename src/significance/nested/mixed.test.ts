import { describe, expect, it } from "vitest";
import { inferenceCases, inferenceTable } from "../../../test/support/lmm-inference.ts";
import { expectClose } from "../../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import { numericColumn, selectRows, withColumn } from "../../data/table.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { reviveResult } from "../../result/result.ts";
import { testNestedMixed } from "./mixed.ts";

const codes = (result: { diagnostics: readonly { code: string }[] }) => result.diagnostics.map((d) => d.code);

describe("likelihood-ratio tests equal lme4's", () => {
  it.each(inferenceCases("lrt"))("$id", ({ input, expected }) => {
    const formulas = [input["small"] as string, input["big"] as string] as const;
    const got = testNestedMixed(formulas, inferenceTable, { criterion: input["reml"] ? "REML" : "ML" });
    expectClose(got.models.map((m) => m.logLik), expected.loglik, { tolerance: 1e-10 }); // biome-ignore format: short
    expect(got.df).toBe(expected.df);
    expectClose([got.chisq, got.p], [expected.chisq, expected.p], { tolerance: 1e-7 });
  });
});

describe("likelihood-ratio tests of the reference models", () => {
  const reference = readReference("lmm.json");
  const model = (id: unknown) => reference.cases.find((c) => c.id === id)!;

  it.each(reference.cases.filter((c) => c.input["kind"] === "likelihood ratio test"))("$id", ({ input, expected }) => {
    const [small, big] = [model(input["small"]), model(input["big"])];
    const formulas = [small.input["formula"] as string, big.input["formula"] as string] as const;
    const got = testNestedMixed(formulas, referenceTable(reference, big.input["data"] as string));
    expect(got.df).toBe(expected.df);
    expectClose([got.chisq, got.p], [expected.chisq, expected.p], { tolerance: 1e-8 });
  });
});

describe("variances on their boundary", () => {
  it("one variance: half of the chi-square p-value beside it, and a note", () => {
    const got = testNestedMixed(
      ["score ~ system + (1 | rater)", "score ~ system + (1 | rater) + (1 | item)"],
      inferenceTable,
    );
    expectClose([got.mixture!.p], [got.p / 2], { tolerance: 1e-14 });
    expect(codes(got)).toContain("BoundaryTest");
  });

  it("a variance with a covariance: the mixture of 1 and 2 df", () => {
    const got = testNestedMixed(["score ~ length + (1 | rater)", "score ~ length + (length | rater)"], inferenceTable);
    expect(got.df).toBe(2);
    const want = (chiSquareSf(Math.max(0, got.chisq), 1) + chiSquareSf(Math.max(0, got.chisq), 2)) / 2;
    expectClose([got.mixture!.p], [want], { tolerance: 1e-14 });
  });

  it("a variance estimated as 0: p = 1 and the mixture 1, never above", () => {
    const got = testNestedMixed(["none ~ 1", "none ~ 1 + (1 | rater)"], inferenceTable);
    expect(Math.abs(got.chisq)).toBeLessThan(1e-9);
    expect(got.p).toBeCloseTo(1, 4);
    expect(got.mixture!.p).toBeLessThanOrEqual(1);
    expect(codes(got)).toContain("Singular");
  });

  it("a correlation or fixed effects alone: no boundary", () => {
    const fixed = testNestedMixed(["score ~ 1 + (1 | rater)", "score ~ system + (1 | rater)"], inferenceTable);
    expect(fixed.mixture).toBeUndefined();
    expect(codes(fixed)).not.toContain("BoundaryTest");
    const cor = testNestedMixed(
      ["score ~ length + (length || rater)", "score ~ length + (length | rater)"],
      inferenceTable,
    );
    expect(cor.df).toBe(1);
    expect(cor.mixture).toBeUndefined();
  });
});

describe("what is compared", () => {
  it("rows that are complete for both", () => {
    const length = inferenceTable.columns.get("length")!;
    const gappy = length.kind === "numeric" ? length.values.map((v, i) => (i % 10 === 0 ? Number.NaN : v)) : [];
    const table = withColumn(inferenceTable, "length", numericColumn(gappy));
    const got = testNestedMixed(["score ~ 1 + (1 | rater)", "score ~ length + (1 | rater)"], table);
    const complete = selectRows(inferenceTable, (row) => row % 10 !== 0);
    const want = testNestedMixed(["score ~ 1 + (1 | rater)", "score ~ length + (1 | rater)"], complete);
    expect(got.nobs).toBe(want.nobs);
    expectClose([got.chisq], [want.chisq], { tolerance: 1e-9 });
  });

  it.each([
    [["score ~ length + (1 | rater)", "score ~ system + (1 | rater)"], /fixed part/],
    [["score ~ 1 + (1 | item)", "score ~ system + (1 | rater)"], /random term of item/],
    [["score ~ system + (1 | rater)", "score ~ 1 + (1 | rater)"], /not larger/],
    [["flat ~ 1 + (1 | rater)", "score ~ system + (1 | rater)"], /different responses/],
  ] as const)("%o is refused", (formulas, message) => {
    expect(() => testNestedMixed(formulas, inferenceTable)).toThrow(message);
  });

  it("categories are refused, as text and as a declared factor, with the models that take them", () => {
    const refused = expect.objectContaining({
      message: expect.stringMatching(/response \S+ is not numeric/),
      fix: expect.stringMatching(/`model: clmm`.*`model: glmm`/),
    });
    expect(() =>
      testNestedMixed(["system ~ 1 + (1 | rater)", "system ~ length + (1 | rater)"], inferenceTable),
    ).toThrow(refused);
    const formulas = ["score ~ 1 + (1 | rater)", "score ~ system + (1 | rater)"] as const;
    expect(() => testNestedMixed(formulas, inferenceTable, { factors: ["score"] })).toThrow(refused);
  });

  it("REML with different fixed effects is refused", () => {
    const formulas = ["score ~ 1 + (1 | rater)", "score ~ system + (1 | rater)"] as const;
    expect(() => testNestedMixed(formulas, inferenceTable, { criterion: "REML" })).toThrow(/restricted likelihoods/);
  });

  it("prints both models, and survives JSON", () => {
    const got = testNestedMixed(["score ~ system", "score ~ system + (1 | rater)"], inferenceTable);
    const text = got.toString();
    expect(text).toMatch(/likelihood ratio +\d+\.\d+ +1 /);
    expect(text).toContain("50:50 mixture");
    expect(reviveResult(JSON.parse(JSON.stringify(got))).toString()).toBe(text);
    expect(got.kind).toBe("lrt");
  });
});
