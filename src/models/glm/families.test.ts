import { describe, expect, it } from "vitest";
import { expectClose, type OracleCase, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, type Table, withColumn } from "../../data/table.ts";
import { chiSquareQuantile } from "../../numeric/dist/chi-square.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { effectSizes } from "../../significance/means/effect-size.ts";
import { marginalMeans } from "../../significance/means/means.ts";
import { testNestedFits } from "../../significance/nested/categorical.ts";
import { testNested } from "../../significance/nested/nested.ts";
import { betaFamily, negativeBinomial } from "../family.ts";
import { profile, simulate } from "../models.ts";
import { fitGlm, type GlmFit, type GlmOptions } from "./glm.ts";
import { leaveOneOut } from "./leave-one-out.ts";
import { predictFixed } from "./predict.ts";
import { prepareGlm, solveGlm } from "./solve.ts";

const oracle = readOracle("r/families.json") as ReturnType<typeof readOracle> & {
  readonly newdata: readonly { system: string; length: number; logn: number }[];
  readonly generated_with: { readonly cr2_nb: { readonly se: number[]; readonly df: number[] } };
};
const data = oracleTable(oracle.columns);
const ofKind = (kind: string): OracleCase[] => oracle.cases.filter((c) => c.kind === kind);

function optionsOf({ input }: OracleCase): GlmOptions {
  const { weights, offset, link } = input as {
    weights?: string | null;
    offset?: string | null;
    link?: GlmOptions["link"];
  };
  return { ...(weights ? { weights } : {}), ...(offset ? { offset } : {}), ...(link ? { link } : {}) };
}
const take = (fit: GlmFit, key: "value" | "se" | "statistic" | "p"): number[] => fit.coefficients.map((c) => c[key]);

function expectTable(fit: GlmFit, e: OracleCase["expected"], tolerance: number): void {
  expect(fit.converged).toBe(true);
  expect(fit.coefficients.map(({ name }) => name)).toEqual(e.names);
  const close = { tolerance, floor: 1e-2 };
  expectClose(take(fit, "value"), e.estimate, { ...close, label: "estimate" });
  expectClose(take(fit, "se"), e.se, { ...close, label: "se" });
  expectClose(take(fit, "statistic"), e.statistic, { tolerance: 10 * tolerance, floor: 1e-2, label: "statistic" });
  expectClose(take(fit, "p"), e.p, { tolerance: 100 * tolerance, floor: 1e-6, label: "p" });
  expectClose(fit.fitted.slice(0, 6), e.fitted_head, { ...close, label: "fitted" });
  expectClose([fit.deviance, fit.nullDeviance], [e.deviance, e.null_deviance], { tolerance, label: "deviance" });
}

describe.each(ofKind("quasi"))("$id equals R's glm", (c) => {
  const { expected: e, input } = c;
  const options = { ...optionsOf(c), family: input["family"] as "quasibinomial" | "quasipoisson" };
  const fit = fitGlm(input["formula"] as string, data, options);

  it("estimates, t tests, dispersion and deviance", () => {
    expectTable(fit, e, 1e-9);
    // summary.glm takes the working weights of the step before the last
    expectClose([fit.dispersion], [e.dispersion], { tolerance: 1e-9 });
    expect(fit.coefficients.every(({ df }) => df === e.df_residual)).toBe(true);
  });

  it("has no likelihood, and says why", () => {
    expect([fit.logLik, fit.aic, fit.bic]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect(fit.diagnostics.find(({ code }) => code === "NoLikelihood")?.message).toContain("AIC");
    expect(fit.toString()).not.toMatch(/NaN|Log-likelihood/);
  });

  it("robust errors", () => {
    const robust = fitGlm(input["formula"] as string, data, { ...options, robust: "HC0" });
    expectClose(take(robust, "se"), e.hc0, { tolerance: 1e-8 });
  });

  it("anova's F of the scaled deviance, and no likelihood ratio", () => {
    const result = testNested(fitGlm(input["small"] as string, data, options), fit);
    expectClose(
      [result.fTest!.statistic, result.fTest!.df1, result.fTest!.df2, result.fTest!.p],
      [e.f.statistic, e.f.df1, e.f.df2, e.f.p],
      { tolerance: 1e-8 },
    );
    expect([result.chisq, result.p]).toEqual([Number.NaN, Number.NaN]);
    expect(result.toString()).not.toContain("likelihood ratio");
  });
});

describe.each(ofKind("nb"))("$id equals MASS", (c) => {
  const { expected: e, input } = c;
  const options = { ...optionsOf(c), family: "negative-binomial" } as const;
  const fit = fitGlm(input["formula"] as string, data, options);

  it("estimates, z tests, θ, deviance and likelihood where glm.nb's steps rest", () => {
    expectTable(fit, e, 1e-8);
    expectClose([fit.shape!.value, fit.shape!.se], [e.theta, e.theta_se], { tolerance: 1e-7, label: "theta" });
    // dnbinom of counts in the millions is right to 1e-11 of itself
    expectClose([fit.logLik, fit.aic, fit.bic], [e.loglik, e.aic, e.bic], { tolerance: 1e-10, label: "logLik" });
    expect([fit.df, fit.dispersion]).toEqual([fit.coefficients.length + 1, 1]);
  });

  it("glm.nb as it comes, whose steps end early", () => {
    const own = e.glm_nb;
    expectClose(take(fit, "value"), own.estimate, { tolerance: 1e-7, floor: 0.1 });
    expectClose(take(fit, "se"), own.se, { tolerance: 1e-7 });
    // theta.ml gives the information of the step before the last
    expectClose([fit.shape!.value, fit.shape!.se], [own.theta, own.theta_se], { tolerance: 1e-5 });
    expectClose(
      [2 * fit.logLik, fit.aic, fit.deviance, fit.nullDeviance],
      [own.twologlik, own.aic, own.deviance, own.null_deviance],
      { tolerance: 3e-9 },
    );
  });

  it("robust errors at that θ", () => {
    const robust = fitGlm(input["formula"] as string, data, { ...options, robust: "HC0" });
    expectClose(take(robust, "se"), e.hc0, { tolerance: 1e-7 });
    expect(robust.shape).toEqual(fit.shape);
  });

  it("anova.negbin: each model with its own θ, and said so", () => {
    const result = testNested(fitGlm(input["small"] as string, data, options), fit);
    expectClose([result.chisq], [e.lr], { tolerance: 1e-8 });
    expectClose([result.p], [e.lr_p], { tolerance: 1e-7 });
    expectClose([result.chisq], [e.glm_nb.lr], { tolerance: 1e-8 });
    expect(result.diagnostics.map(({ code }) => code)).toContain("OwnShapes");
  });
});

describe("the negative binomial's other answers equal R's", () => {
  const c = ofKind("nb")[0]!;
  const fit = fitGlm(c.input["formula"] as string, data, { family: "negative-binomial" });

  it("predictions", () => {
    const rows = makeTable([
      ["system", factorColumn(oracle.newdata.map(({ system }) => system))],
      ["length", numericColumn(oracle.newdata.map(({ length }) => length))],
    ]);
    const made = predictFixed(fit, rows);
    expectClose(made.eta, c.expected.predict.eta, { tolerance: 1e-7 });
    expectClose(made.se, c.expected.predict.se, { tolerance: 1e-7 });
    expectClose(made.value, c.expected.predict.eta.map(Math.exp), { tolerance: 1e-7 });
  });

  it("marginal means, by z", () => {
    const { means } = marginalMeans(fit, { by: ["system"] });
    expectClose(
      means.map(({ estimate }) => estimate),
      c.expected.emmeans.estimate,
      { tolerance: 1e-7 },
    );
    expectClose(
      means.map(({ se }) => se),
      c.expected.emmeans.se,
      { tolerance: 1e-7 },
    );
    expect(means.every(({ df }) => df === Number.POSITIVE_INFINITY)).toBe(true);
  });

  it("CR2 of clubSandwich", () => {
    const robust = fitGlm(c.input["formula"] as string, data, { family: "negative-binomial", cluster: "doc" });
    expectClose(take(robust, "se"), oracle.generated_with.cr2_nb.se, { tolerance: 1e-6 });
    expectClose(
      robust.coefficients.map(({ df }) => df),
      oracle.generated_with.cr2_nb.df,
      { tolerance: 1e-5 },
    );
    const { means } = marginalMeans(robust, { by: ["system"], data });
    expect(means.every(({ df }) => df > 5 && df < 24)).toBe(true);
  });
});

describe.each(ofKind("beta"))("$id equals betareg", (c) => {
  const { expected: e, input } = c;
  const options = { ...optionsOf(c), family: "beta" } as const;
  const fitOf = (terms: string): GlmFit => fitGlm(`${input["response"]} ${terms}`, data, options);
  const fit = fitOf(input["formula"] as string);

  it("estimates, z tests, φ, deviance and likelihood", () => {
    expectTable(fit, e, 1e-7);
    expectClose([fit.shape!.value, fit.shape!.se], [e.phi, e.phi_se], { tolerance: 1e-7, label: "phi" });
    expectClose([fit.logLik, fit.aic], [e.loglik, e.aic], { tolerance: 1e-10, label: "logLik" });
  });

  it("likelihood ratio, each model with its own φ", () => {
    const result = testNested(fitOf(input["small"] as string), fit);
    expectClose([result.chisq], [e.lr], { tolerance: 1e-8 });
    expect(result.diagnostics.map(({ code }) => code)).toContain("OwnShapes");
  });
});

const counts = (y: readonly number[], x: readonly (string | number)[] = y.map((_, i) => i)): Table =>
  makeTable([
    ["y", numericColumn(y)],
    ["x", typeof x[0] === "string" ? factorColumn(x as string[]) : numericColumn(x as number[])],
  ]);
const codes = (fit: GlmFit): string[] => fit.diagnostics.map(({ code }) => code);

describe("negative binomial at its edges", () => {
  const family = "negative-binomial" as const;

  it("without overdispersion: Poisson's fit, θ = ∞, told and no error", () => {
    const [none] = ofKind("none");
    const fit = fitGlm("even ~ length", data, { family });
    expect([fit.converged, fit.shape!.value, fit.shape!.se]).toEqual([true, Number.POSITIVE_INFINITY, Number.NaN]);
    expect(codes(fit)).toEqual(["NoOverdispersion"]);
    expectClose(take(fit, "value"), none!.expected.estimate, { tolerance: 1e-10 });
    expectClose(take(fit, "se"), none!.expected.se, { tolerance: 1e-10 });
    expectClose([fit.logLik], [none!.expected.loglik], { tolerance: 1e-12 });
    // glm.nb stops at a θ where nothing is left to gain
    expect(none!.expected.theta).toBeGreaterThan(1e5);
  });

  it("a constant response is not overdispersed", () => {
    const fit = fitGlm("y ~ 1", counts([5, 5, 5, 5, 5, 5]), { family });
    expect([fit.shape!.value, fit.coefficients[0]!.value]).toEqual([
      Number.POSITIVE_INFINITY,
      expect.closeTo(Math.log(5), 12),
    ]);
  });

  it("all zeros: no estimate, and said so", () => {
    const fit = fitGlm("y ~ 1", counts([0, 0, 0, 0, 0, 0, 0, 0]), { family });
    expect([fit.coefficients[0]!.value, fit.shape!.value, fit.converged]).toEqual([
      Number.NEGATIVE_INFINITY,
      Number.NaN,
      false,
    ]);
    expect(codes(fit)).toEqual(["NoCounts", "Separation"]);
    // -2ℓ = 2 Σ μ: the upper end is where 16 μ is the cut
    const [interval] = profile(fit);
    expect(interval!.lower).toBe(Number.NEGATIVE_INFINITY);
    expect(16 * Math.exp(interval!.upper)).toBeCloseTo(chiSquareQuantile(0.95, 1), 6);
  });

  it("a group of zeros is infinitely lower, the others as without it", () => {
    const y = [3, 0, 9, 1, 14, 2, 0, 6];
    const rows = counts([...y, 0, 0, 0, 0], [...y.map((_, i) => (i % 2 ? "b" : "a")), "c", "c", "c", "c"]);
    const fit = fitGlm("y ~ x", rows, { family });
    const alone = fitGlm(
      "y ~ x",
      counts(
        y,
        y.map((_, i) => (i % 2 ? "b" : "a")),
      ),
      { family },
    );
    expect(codes(fit)).toEqual(["Separation"]);
    expect(fit.coefficients[2]!.value).toBe(Number.NEGATIVE_INFINITY);
    expectClose(take(fit, "value").slice(0, 2), take(alone, "value"), { tolerance: 1e-8 });
    expectClose([fit.shape!.value], [alone.shape!.value], { tolerance: 1e-8 });
  });

  it("weights are copies of rows", () => {
    const y = [0, 2, 7, 1, 12, 3];
    const weighted = withColumn(counts(y), "w", numericColumn([1, 2, 3, 2, 1, 2]));
    const copied = counts(
      y.flatMap((v, i) => Array<number>([1, 2, 3, 2, 1, 2][i]!).fill(v)),
      y.flatMap((_, i) => Array<number>([1, 2, 3, 2, 1, 2][i]!).fill(i)),
    );
    const [a, b] = [fitGlm("y ~ x", weighted, { family, weights: "w" }), fitGlm("y ~ x", copied, { family })];
    expectClose(
      [...take(a, "value"), ...take(a, "se"), a.shape!.value, a.logLik],
      [...take(b, "value"), ...take(b, "se"), b.shape!.value, b.logLik],
      { tolerance: 1e-9 },
    );
  });

  it("an offset on the log scale is a factor of the mean", () => {
    const moved = withColumn(data, "shift", numericColumn(Array.from({ length: data.rows }, () => 2)));
    const [a, b] = [
      fitGlm("rare ~ system", moved, { family, offset: "shift" }),
      fitGlm("rare ~ system", data, { family }),
    ];
    expectClose(take(a, "value"), [b.coefficients[0]!.value - 2, ...take(b, "value").slice(1)], { tolerance: 1e-9 });
    expectClose([a.shape!.value], [b.shape!.value], { tolerance: 1e-9 });
  });

  it("goes over into Poisson's deviance and density", () => {
    const [near, limit] = [negativeBinomial(1e12), negativeBinomial(Number.POSITIVE_INFINITY)];
    for (const [y, mu] of [
      [0, 0.3],
      [4, 2.5],
      [900, 850],
    ] as const) {
      expect(near.unitDeviance(y, mu, 1)).toBeCloseTo(limit.unitDeviance(y, mu, 1), 8);
      expect(near.logDensity(y, mu, 1, 1)).toBeCloseTo(limit.logDensity(y, mu, 1, 1), 8);
    }
  });

  it("leaves one out with θ found anew", () => {
    const y = [0, 2, 7, 1, 12, 3, 0, 30];
    const fit = fitGlm("y ~ x", counts(y), { family });
    const left = fitGlm("y ~ x", counts(y.slice(0, 7), [0, 1, 2, 3, 4, 5, 6]), { family });
    const wanted = Math.exp(left.coefficients[0]!.value + 7 * left.coefficients[1]!.value);
    expectClose([leaveOneOut(fit).predicted[7]!], [wanted], { tolerance: 1e-8 });
  });
});

describe("beta at its edges", () => {
  it.each([0, 1])("refuses %d, and says what to do", (edge) => {
    const rows = counts([0.2, 0.5, edge, 0.9], [1, 2, 3, 4]);
    expect(() => fitGlm("y ~ x", rows, { family: "beta" })).toThrow(
      /is [01] in row 3; for the beta family it must be above 0 and below 1/,
    );
    try {
      fitGlm("y ~ x", rows, { family: "beta" });
    } catch (error) {
      expect((error as { fix: string }).fix).toMatch(/quasibinomial.*\(y \* \(n - 1\) \+ 0\.5\) \/ n/);
    }
  });

  it("refuses a constant response: its precision has no end", () => {
    expect(() => fitGlm("y ~ 1", counts([0.4, 0.4, 0.4, 0.4, 0.4]), { family: "beta" })).toThrow(/precision/);
  });

  it("turned over, shares change the sign and nothing else", () => {
    const other = withColumn(data, "share", numericColumn(Array.from(shares(), (v) => 1 - v)));
    const [a, b] = [
      fitGlm("share ~ system", data, { family: "beta" }),
      fitGlm("share ~ system", other, { family: "beta" }),
    ];
    expectClose(
      take(a, "value"),
      take(b, "value").map((v) => -v),
      { tolerance: 1e-9 },
    );
    expectClose([a.shape!.value, a.logLik, a.deviance], [b.shape!.value, b.logLik, b.deviance], { tolerance: 1e-9 });
  });

  it("has no robust errors", () => {
    expect(() => fitGlm("share ~ system", data, { family: "beta", cluster: "doc" })).toThrow(/robust/);
    expect(() => fitGlm("share ~ system", data, { family: "beta", robust: "HC0" })).toThrow(/robust/);
  });

  it("a deviance of 0 where the mean is the one that y makes most likely, positive elsewhere", () => {
    // symmetric: at y = ½ that mean is ½ whatever φ is
    expect(betaFamily(3).unitDeviance(0.5, 0.5, 0.5)).toBeCloseTo(0, 12);
    expect(betaFamily(3).unitDeviance(0.5, 0.4, 0.6)).toBeGreaterThan(0.01);
    expect(betaFamily(0.7).unitDeviance(0.02, 0.02, 0.98)).toBeGreaterThan(0);
  });

  function shares(): Float64Array {
    const cells = data.columns.get("share")!;
    return cells.kind === "numeric" ? cells.values : new Float64Array();
  }
});

describe("quasi-families", () => {
  it("estimate what the family estimates, with SEs times the root of the dispersion", () => {
    const plain = fitGlm("count ~ system", data, { family: "poisson" });
    const quasi = fitGlm("count ~ system", data, { family: "quasipoisson" });
    expect(take(quasi, "value")).toEqual(take(plain, "value"));
    expectClose(
      take(quasi, "se"),
      take(plain, "se").map((se) => se * Math.sqrt(quasi.dispersion)),
      { tolerance: 1e-12 },
    );
  });

  it("take a factor or shares with 0 and 1 as the binomial family does", () => {
    const rows = makeTable([
      ["y", factorColumn(["no", "yes", "yes", "no", "yes", "no"])],
      ["x", numericColumn([1, 2, 3, 4, 5, 6])],
    ]);
    const [a, b] = [fitGlm("y ~ x", rows, { family: "quasibinomial" }), fitGlm("y ~ x", rows, { family: "binomial" })];
    expect(take(a, "value")).toEqual(take(b, "value"));
    expect(fitGlm("y ~ x", counts([0, 1, 0.4, 0.9, 0.2]), { family: "quasibinomial" }).converged).toBe(true);
  });

  it("predict and average with t, as their tests are", () => {
    const fit = fitGlm("count ~ system", data, { family: "quasipoisson" });
    const mean = marginalMeans(fit, { by: ["system"] }).means[0]!;
    const own = predictFixed(fit, data);
    expect(mean.df).toBe(117);
    expectClose([Math.log(own.lower[0]!), Math.log(own.upper[0]!)], [mean.lower, mean.upper], { tolerance: 1e-12 });
  });

  it("tell separation, without a likelihood-ratio test that does not exist", () => {
    const fit = fitGlm("y ~ x", counts([4, 2, 7, 0, 0, 0], ["a", "a", "a", "b", "b", "b"]), { family: "quasipoisson" });
    const told = fit.diagnostics.find(({ code }) => code === "Separation")!;
    expect(fit.coefficients[1]!.value).toBe(Number.NEGATIVE_INFINITY);
    expect(told.fix).not.toContain("likelihood-ratio");
  });
});

describe("what is refused", () => {
  const quasi = fitGlm("count ~ system", data, { family: "quasipoisson" });
  const small = fitGlm("count ~ 1", data, { family: "quasipoisson" });

  it("comparing quasi-families by likelihood, or with another family", () => {
    expect(() => testNestedFits(small, quasi)).toThrow(/quasipoisson models have no likelihood to compare/);
    const nb = fitGlm("count ~ system", data, { family: "negative-binomial" });
    expect(() => testNested(small, nb)).toThrow(/differ in family/);
  });

  it("drawing responses from a mean and a variance", () => {
    expect(() => simulate(quasi, makeRng("1"))).toThrow(/quasipoisson cannot be drawn/);
  });

  it("other links and an unknown θ", () => {
    expect(() => fitGlm("count ~ 1", data, { family: "negative-binomial", link: "identity" })).toThrow(
      /no identity link/,
    );
    expect(() => solveGlm(prepareGlm(quasi.design, "negative-binomial", "log"), quasi.design.y)).toThrow(/theta/);
  });

  it("effect sizes on a latent scale that shares do not have", () => {
    const fit = fitGlm("share ~ system", data, { family: "beta" });
    expect(() => effectSizes(fit, { by: ["system"] })).toThrow(/SD/);
    const [mean] = marginalMeans(fit, { by: ["system"], type: "response" }).means;
    expect(mean!.estimate).toBeCloseTo(predictFixed(fit, data).value[0]!, 12);
  });
});

describe("prints and comes back", () => {
  it.each([
    ["negative-binomial", "count ~ system", /θ 1\.\d+ \(SE 0\.\d+\): variance μ \+ μ²\/θ/],
    ["beta", "share ~ system", /φ \d\.\d+ \(SE 0\.\d+\): variance μ\(1 - μ\)\/\(1 \+ φ\)/],
    ["quasipoisson", "count ~ system", /Dispersion \d+\.\d+/],
  ] as const)("%s", (family, formula, says) => {
    const fit = fitGlm(formula, data, { family });
    expect(fit.toString()).toMatch(says);
    expect(reviveResult(JSON.parse(JSON.stringify(fit))).toString()).toBe(fit.toString());
    expect(JSON.parse(JSON.stringify(fit)).shape?.value).toBe(fit.shape?.value);
  });
});

describe("simulate draws the family's mean and variance", () => {
  const DRAWS = 400;
  it.each([
    ["negative-binomial", "count ~ system", (mu: number, theta: number) => mu + mu ** 2 / theta],
    ["beta", "share ~ system", (mu: number, phi: number) => (mu * (1 - mu)) / (1 + phi)],
  ] as const)("%s", (family, formula, variance) => {
    const fit = fitGlm(formula, data, { family });
    const rng = makeRng(family);
    // rows of one system have one mean: standardised draws of all rows together
    let [sum, squares, fourth, count] = [0, 0, 0, 0];
    for (let k = 0; k < DRAWS; k++) {
      simulate(fit, rng.stream(k)).forEach((y, i) => {
        const z = (y - fit.fitted[i]!) / Math.sqrt(variance(fit.fitted[i]!, fit.shape!.value));
        sum += z;
        squares += z * z;
        fourth += z ** 4;
        count++;
      });
    }
    const mean = squares / count;
    expect(Math.abs(sum / count) / Math.sqrt(mean / count)).toBeLessThan(4);
    expect(Math.abs(mean - 1) / Math.sqrt((fourth / count - mean ** 2) / count)).toBeLessThan(4);
  });
});
