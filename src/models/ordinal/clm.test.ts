import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, selectRows, withColumn } from "../../data/table.ts";
import { eigenSymmetric } from "../../numeric/linalg/eigen.ts";
import { fitGlm } from "../glm/glm.ts";
import { fitClm } from "./clm.ts";
import { categoryProbabilities, predictClm, superiorityOf } from "./probabilities.ts";
import { checkProportionalOdds } from "./proportional-odds.ts";

const oracle = readOracle("r/ordinal.json");
const table = oracleTable(oracle.columns);
const list = (values: number | number[]): number[] => ([] as number[]).concat(values);

describe("fitClm against ordinal::clm (R)", () => {
  for (const { kind, input, expected } of oracle.cases) {
    if (kind !== "clm") continue;
    const { formula, link, threshold, weights } = input as {
      formula: string;
      link: "logit";
      threshold: "flexible";
      weights?: string;
    };
    it(`${formula}, ${link}, ${threshold}${weights ? ", weights" : ""}`, () => {
      const fit = fitClm(formula, table, { link, threshold, ...(weights ? { weights } : {}) });
      const all = [...fit.thresholds, ...fit.coefficients];
      expect(all.map(({ name }) => name)).toEqual(([] as string[]).concat(expected.names));
      expect(fit.logLik).toBeCloseTo(expected.loglik, 9);
      expect(fit.aic).toBeCloseTo(expected.aic, 8);
      expect(fit.nobs).toBe(expected.nobs);
      expect(fit.converged).toBe(true);
      expectClose(
        all.map(({ value }) => value),
        list(expected.estimate),
        { tolerance: 1e-7, floor: 1e-2, label: "estimate" },
      );
      expectClose(
        all.map(({ se }) => se),
        list(expected.se),
        { tolerance: 1e-7, label: "se" },
      );
      expectClose(fit.cuts, list(expected.cuts), { tolerance: 1e-7, floor: 1e-2, label: "cuts" });
      expectClose(fit.parameterVcov.data, (expected.vcov as number[][]).flat(), {
        tolerance: 1e-6,
        floor: 1e-3,
        label: "vcov",
      });
      const fresh = makeTable([
        ["system", factorColumn(["A", "B", "C"])],
        ["x", numericColumn([-1, 0, 2])],
        ["off", numericColumn([0, 0, 0])],
      ]);
      const { probabilities: P } = predictClm(fit, fresh);
      const rows = (expected.prob as number[][]).length;
      const got = Array.from({ length: rows }, (_, i) =>
        Array.from({ length: P.cols }, (_, j) => P.data[i + j * P.rows]!),
      );
      expectClose(got.flat(), (expected.prob as number[][]).flat(), { tolerance: 1e-7, floor: 1e-2, label: "prob" });
    });
  }

  it("proportional odds of a term: the likelihood-ratio test against per-category effects", () => {
    const { input, expected } = oracle.cases.find(({ kind }) => kind === "proportional odds")!;
    const fit = fitClm((input as { formula: string }).formula, table);
    const found = checkProportionalOdds(fit).terms.find(({ term }) => term === "x")!;
    expect(found.statistic).toBeCloseTo(expected.chisq, 6);
    expect(found.df).toBe(expected.df);
    expect(found.p).toBeCloseTo(expected.p, 7);
  });
});

describe("closed forms", () => {
  it("without covariates the thresholds are the logits of the cumulative shares", () => {
    const fit = fitClm("rating ~ 1", table);
    const { values } = oracle.columns["rating"]!;
    fit.cuts.forEach((cut, j) => {
      const share = values.filter((v) => Number(v) <= j + 1).length / values.length;
      expect(cut).toBeCloseTo(Math.log(share / (1 - share)), 10);
    });
  });

  it("two categories are a logistic regression with the sign of the intercept turned", () => {
    const { values } = oracle.columns["rating"]!;
    const two = withColumn(
      table,
      "high",
      factorColumn(
        values.map((v) => (Number(v) > 2 ? "yes" : "no")),
        { levels: ["no", "yes"] },
      ),
    );
    for (const link of ["logit", "probit"] as const) {
      const ordinal = fitClm("high ~ system + x", two, { link });
      const glm = fitGlm("high ~ system + x", two, { family: "binomial", link });
      expect(ordinal.logLik).toBeCloseTo(glm.logLik, 9);
      expect(ordinal.cuts[0]).toBeCloseTo(-glm.coefficients[0]!.value, 8);
      expectClose(
        ordinal.coefficients.map(({ value }) => value),
        glm.coefficients.slice(1).map(({ value }) => value),
        { tolerance: 1e-8 },
      );
    }
  });

  it("probabilities sum to 1 and comparisons mirror each other", () => {
    const P = categoryProbabilities("cloglog", Float64Array.of(-1, 0.2, 2), Float64Array.of(0.5, -3));
    for (let i = 0; i < 2; i++)
      expect(P.data[i]! + P.data[i + 2]! + P.data[i + 4]! + P.data[i + 6]!).toBeCloseTo(1, 14);
    const forward = superiorityOf("logit", Float64Array.of(-1, 0.2, 2), 0.3, 1.1);
    const backward = superiorityOf("logit", Float64Array.of(-1, 0.2, 2), 1.1, 0.3);
    expect(forward.above).toBeCloseTo(backward.below, 14);
    expect(forward.above + forward.equal + forward.below).toBeCloseTo(1, 14);
    expect(forward.above).toBeGreaterThan(forward.below);
  });
});

describe("invariance and edges", () => {
  it("row order changes nothing, a reversed scale turns signs", () => {
    const fit = fitClm("rating ~ system + x", table);
    const reversed = selectRows(
      table,
      Int32Array.from({ length: table.rows }, (_, i) => table.rows - 1 - i),
    );
    const again = fitClm("rating ~ system + x", reversed);
    expect(again.logLik).toBeCloseTo(fit.logLik, 9);
    const numbers = ({ coefficients, thresholds }: typeof fit): number[] =>
      [...thresholds, ...coefficients].flatMap(({ value, se }) => [value, se]);
    expectClose(numbers(again), numbers(fit), { tolerance: 1e-8, floor: 1e-2 });
    const { values } = oracle.columns["rating"]!;
    const turned = withColumn(
      table,
      "turned",
      factorColumn(
        values.map((v) => String(6 - Number(v))),
        { levels: ["1", "2", "3", "4", "5"] },
      ),
    );
    const other = fitClm("turned ~ system + x", turned);
    expect(other.logLik).toBeCloseTo(fit.logLik, 9);
    expectClose(
      other.coefficients.map(({ value }) => -value),
      fit.coefficients.map(({ value }) => value),
      { tolerance: 1e-8 },
    );
  });

  it("an empty category is dropped with a warning, and numbers are taken as categories", () => {
    const fit = fitClm("gap ~ system", table);
    expect(fit.levels).toEqual(["1", "2", "4", "5"]);
    expect(fit.diagnostics.map(({ code }) => code)).toContain("EmptyCategory");
    const { values } = oracle.columns["rating"]!;
    const numbers = withColumn(table, "points", numericColumn(values.map(Number)));
    expect(fitClm("points ~ system", numbers).logLik).toBeCloseTo(fitClm("rating ~ system", table).logLik, 10);
  });

  it("a point of the scale that only the options name is missed too", () => {
    const { values } = oracle.columns["rating"]!;
    const plain = withColumn(table, "word", factorColumn(values.map((v) => (v === "3" ? "4" : String(v)))));
    const scale = ["1", "2", "3", "4", "5"];
    for (const options of [{ ordered: { word: scale } }, { levels: new Map([["word", scale]]) }]) {
      const [empty] = fitClm("word ~ system", plain, options).diagnostics.filter(
        ({ code }) => code === "EmptyCategory",
      );
      expect(empty!.message).toContain("no row has the rating 3");
    }
    expect(fitClm("word ~ system", plain).diagnostics).toEqual([]);
  });

  it("reports the condition of the Hessian: the ratio of its extreme eigenvalues", () => {
    const fit = fitClm("rating ~ x", table);
    expect(
      fitClm(
        "two ~ 1",
        withColumn(
          table,
          "two",
          factorColumn(oracle.columns["rating"]!.values.map((v) => (Number(v) > 2 ? "high" : "low"))),
        ),
      ).optimum.condition,
    ).toBe(1);
    const { values } = eigenSymmetric(fit.parameterVcov);
    const sorted = Array.from(values).sort((a, b) => a - b);
    // of the inverse: the same ratio
    expect(fit.optimum.condition).toBeCloseTo(sorted[sorted.length - 1]! / sorted[0]!, 6);
  });

  it("separated groups are reported, not estimated", () => {
    const apart = makeTable([
      ["y", factorColumn(["1", "1", "2", "2", "3", "3", "3", "3"], { levels: ["1", "2", "3"] })],
      ["g", factorColumn(["a", "a", "a", "a", "b", "b", "b", "b"])],
    ]);
    const fit = fitClm("y ~ g", apart);
    expect(fit.converged).toBe(false);
    expect(fit.diagnostics.map(({ code }) => code)).toContain("Separation");
  });

  it("refuses a response with one value and a random term", () => {
    const constant = makeTable([["y", factorColumn(["1", "1", "1"])]]);
    expect(() => fitClm("y ~ 1", constant)).toThrow(/every row/);
    expect(() => fitClm("rating ~ 1 + (1 | item)", table)).toThrow(/random effect/);
  });
});
