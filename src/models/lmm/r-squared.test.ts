import { describe, expect, it } from "vitest";
import { inferenceCases, referenceModel } from "../../../test/support/lmm-inference.ts";
import { expectClose } from "../../../test/support/oracle.ts";
import { lmmRSquared } from "./r-squared.ts";

describe("R² and ICC", () => {
  it.each(inferenceCases("inference"))("$id equals the formulas on lme4's estimates", (c) => {
    const { problem, at } = referenceModel(c);
    const beta = Float64Array.from([c.expected.beta].flat() as number[]);
    const got = lmmRSquared(problem, { theta: at.theta, sigma: at.sigma, beta });
    const { marginal, conditional, icc } = c.expected.r2;
    expectClose([got.marginal, got.conditional, got.icc], [marginal, conditional, icc], { tolerance: 1e-9 });
  });

  it("shares: the terms sum to the random variance, and no random variance means marginal = conditional", () => {
    const boundary = inferenceCases("inference").find(({ id }) => id === "boundary")!;
    const { problem, at } = referenceModel(boundary);
    const got = lmmRSquared(problem, { ...at, beta: Float64Array.from(boundary.expected.beta) });
    expect(got.conditional).toBe(got.marginal);
    expect(got.icc).toBe(0);
    const slopes = inferenceCases("inference").find(({ id }) => id === "slopes")!;
    const model = referenceModel(slopes);
    const own = lmmRSquared(model.problem, { ...model.at, beta: Float64Array.from(slopes.expected.beta) });
    const sum = own.variances.terms.reduce((total, { variance }) => total + variance, 0);
    expectClose([sum], [own.variances.random], { tolerance: 1e-14 });
    expect(own.variances.terms.map(({ group }) => group)).toEqual(["item", "rater"]);
  });
});
