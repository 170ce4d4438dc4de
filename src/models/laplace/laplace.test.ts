import { describe, expect, it } from "vitest";
import { estimateGradient } from "../../../test/support/derivative.ts";
import { oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { buildDesign } from "../../formula/design.ts";
import { fitGlm } from "../glm/glm.ts";
import { makeGlmRows } from "../glm/laplace-rows.ts";
import { fitClm } from "../ordinal/clm.ts";
import { prepareClmm, solveClmm } from "../ordinal/clmm-solve.ts";
import type { CumulativeLink } from "../ordinal/cumulative-link.ts";
import { laplaceLogLik, makeLaplaceState } from "./laplace.ts";
import { agqLogLik, makeAgqRule } from "./quadrature.ts";
import { makeLaplaceSystem } from "./system.ts";

const ordinal = oracleTable(readOracle("r/ordinal.json").columns);
const binary = oracleTable(readOracle("r/glmm.json").columns);
const levels = ["1", "2", "3", "4", "5"];

/** Relative to the largest element: small ones are differences of large ones. */
function expectGradient(actual: Float64Array, expected: Float64Array): void {
  const scale = expected.reduce((a, b) => Math.max(a, Math.abs(b)), 1);
  actual.forEach((value, k) => {
    expect(Math.abs(value - expected[k]!) / scale, `element ${k}: ${value} for ${expected[k]}`).toBeLessThan(1e-8);
  });
}

const clmmState = (formula: string, link: CumulativeLink) => {
  const problem = prepareClmm(buildDesign(formula, ordinal), levels, { link });
  return solveClmm(problem, problem.frame.design.y, { curvature: false });
};

describe("the gradient of the Laplace approximation", () => {
  for (const link of ["logit", "probit", "cloglog"] as const) {
    it(`cumulative ${link}: correlated slopes and a crossed factor`, () => {
      const { state, theta, phi } = clmmState("rating ~ system + x + (x | rater) + (1 | item)", link);
      const psi = Float64Array.of(...theta, ...phi).map((value, k) => value + 0.05 * Math.cos(k));
      const gradient = new Float64Array(psi.length);
      laplaceLogLik(state, psi, gradient);
      expectGradient(
        gradient,
        estimateGradient((x) => laplaceLogLik(state, x), psi),
      );
    });
  }

  for (const [link, formula] of [
    ["logit", "cbind(hits, misses) ~ system + x + (x | item) + (1 | seed)"],
    ["probit", "cbind(hits, misses) ~ system + x + (x | item) + (1 | seed)"],
    ["cloglog", "cbind(hits, misses) ~ system + x + (x | item) + (1 | seed)"],
    ["log", "errors ~ system + x + (x | item) + (1 | seed)"],
  ] as const) {
    it(`${link}, with the information that lme4 takes`, () => {
      const design = buildDesign(formula, binary);
      const rows = makeGlmRows({ link, y: design.y, X: design.X, offset: undefined, weights: design.trials });
      const state = makeLaplaceState(makeLaplaceSystem(design.random, design.y.length), rows);
      const psi = Float64Array.of(0.7, 0.2, 0.5, 0.4, -0.3, 0.4, 0.2);
      const gradient = new Float64Array(psi.length);
      laplaceLogLik(state, psi, gradient);
      expectGradient(
        gradient,
        estimateGradient((x) => laplaceLogLik(state, x), psi),
      );
    });
  }

  it("adaptive quadrature, whose nodes move with the parameters", () => {
    const { state, theta, phi } = clmmState("rating ~ system + (1 | rater)", "logit");
    const rule = makeAgqRule(5);
    const psi = Float64Array.of(...theta, ...phi).map((value, k) => value + 0.05 * Math.cos(k));
    const gradient = new Float64Array(psi.length);
    agqLogLik(state, rule, psi, gradient);
    expectGradient(
      gradient,
      estimateGradient((x) => agqLogLik(state, rule, x), psi),
    );
    const design = buildDesign("cbind(hits, misses) ~ system + (1 | item)", binary);
    const rows = makeGlmRows({ link: "probit", y: design.y, X: design.X, offset: undefined, weights: design.trials });
    const other = makeLaplaceState(makeLaplaceSystem(design.random, design.y.length), rows);
    const at = Float64Array.of(0.6, -0.2, 0.5);
    const g = new Float64Array(3);
    agqLogLik(other, rule, at, g);
    expectGradient(
      g,
      estimateGradient((x) => agqLogLik(other, rule, x), at),
    );
  });
});

describe("closed forms", () => {
  it("θ = 0 is the model without random effects", () => {
    const fit = fitClm("rating ~ system", ordinal, { link: "probit" });
    const { state } = clmmState("rating ~ system + (1 | rater) + (x | item)", "probit");
    const phi = [...fit.thresholds, ...fit.coefficients].map(({ value }) => value);
    expect(laplaceLogLik(state, Float64Array.of(0, 0, 0, 0, ...phi))).toBeCloseTo(fit.logLik, 10);
    const glm = fitGlm("correct ~ x", binary, { family: "binomial" });
    const design = buildDesign("correct ~ x + (1 | item)", binary);
    const rows = makeGlmRows({ link: "logit", y: design.y, X: design.X, offset: undefined, weights: undefined });
    const glmState = makeLaplaceState(makeLaplaceSystem(design.random, design.y.length), rows);
    const beta = glm.coefficients.map(({ value }) => value);
    expect(laplaceLogLik(glmState, Float64Array.of(0, ...beta))).toBeCloseTo(glm.logLik, 10);
  });

  it("one quadrature point is the Laplace approximation, many are the integral", () => {
    const { state, theta, phi } = clmmState("rating ~ system + (1 | rater)", "probit");
    const psi = Float64Array.of(...theta, ...phi);
    expect(agqLogLik(state, makeAgqRule(1), psi)).toBeCloseTo(laplaceLogLik(state, psi), 9);
    const many = agqLogLik(state, makeAgqRule(25), psi);
    expect(agqLogLik(state, makeAgqRule(40), psi)).toBeCloseTo(many, 8);
    expect(Math.abs(laplaceLogLik(state, psi) - many)).toBeGreaterThan(1e-4);
  });

  it("does not know the sign of a column of the covariance factor", () => {
    const { state, theta, phi } = clmmState("rating ~ x + (x | rater)", "logit");
    const [a, b, c] = theta as unknown as [number, number, number];
    const at = (t: number[]): number => laplaceLogLik(state, Float64Array.of(...t, ...phi));
    expect(at([-a, -b, c])).toBeCloseTo(at([a, b, c]), 9);
    expect(at([a, b, -c])).toBeCloseTo(at([a, b, c]), 9);
  });
});
