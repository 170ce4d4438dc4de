import { describe, expect, it } from "vitest";
import { expectClose, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, withColumn } from "../../data/table.ts";
import { makeRng } from "../../numeric/rng.ts";
import { reviveResult } from "../../result/result.ts";
import { fitGlm } from "../glm/glm.ts";
import type { GlmmFamily, GlmmLink } from "../glm/laplace-rows.ts";
import { fitClmm } from "../ordinal/clmm.ts";
import { fitGlmm } from "./glmm.ts";
import { profileCategorical } from "./profile.ts";
import { simulateGlmm } from "./simulate.ts";
import { prepareGlmm, solveGlmm } from "./solve.ts";

const oracle = readOracle("r/glmm.json");
const table = oracleTable(oracle.columns);
const list = (values: number | number[]): number[] => ([] as number[]).concat(values);

describe("fitGlmm against lme4::glmer (R)", () => {
  for (const { input, expected } of oracle.cases) {
    const { id, formula, family, link, nagq } = input as {
      id: string;
      formula: string;
      family: GlmmFamily;
      link: GlmmLink;
      nagq: number;
    };
    it(`${id}: ${formula}, ${link}`, () => {
      const fit = fitGlmm(formula, table, { family, link, nAGQ: nagq });
      expect(fit.coefficients.map(({ name }) => name)).toEqual(([] as string[]).concat(expected.names));
      expect(fit.converged).toBe(true);
      // lme4's own deviance and its differenced Hessian carry more noise than the polished answers
      expect(fit.logLik).toBeCloseTo(expected.glmer.loglik, 6);
      expectClose(
        fit.coefficients.map(({ value }) => value),
        list(expected.glmer.estimate),
        { tolerance: 1e-5, floor: 0.1, label: "glmer" },
      );
      expectClose(
        fit.coefficients.map(({ se }) => se),
        list(expected.glmer.se),
        { tolerance: 1e-3, label: "glmer se" },
      );
      expect(fit.logLik).toBeCloseTo(expected.loglik, 8);
      expectClose(fit.theta, list(expected.theta), { tolerance: 1e-6, floor: 0.1, label: "theta" });
      expectClose(
        fit.coefficients.map(({ value }) => value),
        list(expected.estimate),
        { tolerance: 1e-6, floor: 0.1, label: "estimate" },
      );
      expectClose(
        fit.coefficients.map(({ se }) => se),
        list(expected.se),
        { tolerance: 1e-5, label: "se" },
      );
    });
  }
});

describe("closed forms and edges", () => {
  it("a two-category clmm is the same logistic model", () => {
    const glmm = fitGlmm("verdict ~ system + x + (1 | item)", table);
    const clmm = fitClmm("verdict ~ system + x + (1 | item)", table);
    expect(clmm.logLik).toBeCloseTo(glmm.logLik, 8);
    expect(clmm.cuts[0]).toBeCloseTo(-glmm.coefficients[0]!.value, 7);
    expectClose(
      clmm.coefficients.map(({ se }) => se),
      glmm.coefficients.slice(1).map(({ se }) => se),
      { tolerance: 1e-5 },
    );
    expectClose(clmm.modes[0]!.data, glmm.modes[0]!.data, { tolerance: 1e-6, floor: 1e-2 });
  });

  it("counts of trials are the same model as their single trials", () => {
    const grouped = fitGlmm("cbind(hits, misses) ~ x + (1 | item)", table);
    const hits = oracle.columns["hits"]!.values.map(Number);
    const misses = oracle.columns["misses"]!.values.map(Number);
    const rows = hits.flatMap((h, i) => [
      ...Array<[number, number]>(h).fill([i, 1]),
      ...Array<[number, number]>(misses[i]!).fill([i, 0]),
    ]);
    const single = makeTable([
      ["ok", numericColumn(rows.map(([, y]) => y))],
      ["x", numericColumn(rows.map(([i]) => Number(oracle.columns["x"]!.values[i])))],
      ["item", factorColumn(rows.map(([i]) => String(oracle.columns["item"]!.values[i])))],
    ]);
    const fit = fitGlmm("ok ~ x + (1 | item)", single);
    expectClose(
      fit.coefficients.map(({ value }) => value),
      grouped.coefficients.map(({ value }) => value),
      { tolerance: 1e-7 },
    );
    expectClose(
      fit.coefficients.map(({ se }) => se),
      grouped.coefficients.map(({ se }) => se),
      { tolerance: 1e-5 },
    );
    expect(fit.theta[0]).toBeCloseTo(grouped.theta[0]!, 7);
  });

  it("a level per row is allowed: it models overdispersion", () => {
    const own = withColumn(table, "row", factorColumn(Array.from({ length: table.rows }, (_, i) => `r${i}`)));
    const fit = fitGlmm("errors ~ x + (1 | row)", own, { family: "poisson" });
    expect(fit.converged).toBe(true);
    expect(fit.logLik).toBeGreaterThan(fitGlm("errors ~ x", table, { family: "poisson" }).logLik);
  });

  it("simulated responses have the parameters they came from", () => {
    const fit = fitGlmm("cbind(hits, misses) ~ system + (1 | item)", table);
    const counts = fitGlmm("errors ~ system + (1 | item)", table, { family: "poisson" });
    expect(simulateGlmm(fit, makeRng("a"))).toEqual(simulateGlmm(fit, makeRng("a")));
    for (const model of [fit, counts]) {
      const problem = prepareGlmm(model.design, { family: model.family, link: model.link });
      const found = Array.from({ length: 40 }, (_, r) => {
        const y = simulateGlmm(model, makeRng("refit").stream(r));
        return solveGlmm(problem, y, { curvature: false }).phi[1]!;
      });
      const mean = found.reduce((a, b) => a + b, 0) / found.length;
      const { value, se } = model.coefficients[1]!;
      // four Monte-Carlo standard errors
      expect(Math.abs(mean - value)).toBeLessThan((4 * se) / Math.sqrt(found.length));
    }
  });

  it("a start of zeros finds the same maximum, a start of the wrong length is refused", () => {
    const fit = fitGlmm("correct ~ x + (1 | item)", table);
    const again = fitGlmm("correct ~ x + (1 | item)", table, { start: new Float64Array(3) });
    expect(again.logLik).toBeCloseTo(fit.logLik, 8);
    expect(() => fitGlmm("correct ~ x + (1 | item)", table, { start: new Float64Array(2) })).toThrow(/2 numbers/);
  });

  it("separation is reported and its estimates are infinite", () => {
    const n = 24;
    const apart = makeTable([
      ["ok", numericColumn(Array.from({ length: n }, (_, i) => (i % 2 === 1 ? 1 : Number(i % 3 === 0))))],
      ["g", factorColumn(Array.from({ length: n }, (_, i) => (i % 2 === 1 ? "b" : "a")))],
      ["item", factorColumn(Array.from({ length: n }, (_, i) => `i${i % 6}`))],
    ]);
    const fit = fitGlmm("ok ~ g + (1 | item)", apart);
    expect(fit.diagnostics.map(({ code }) => code)).toContain("Separation");
    expect(fit.coefficients[1]!.value).toBe(Number.POSITIVE_INFINITY);
    expect(fit.converged).toBe(false);
  });

  it.each(["logit", "probit", "cloglog"] as const)(
    "all right is caught like all wrong, however many rows (%s)",
    (link) => {
      for (const n of [20, 80, 200, 1000]) {
        const said = [0, 1].map((y) => {
          const fit = fitGlmm("ok ~ x + (1 | item)", constantAnswers(n, y), { link });
          expect(fit.coefficients[0]!.value).toBe(y === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
          expect(fit.coefficients[1]!.se).toBeNaN();
          expect(fit.converged).toBe(false);
          return fit.diagnostics.map(({ code, message }) => `${code} ${message}`);
        });
        expect(said[1]).toEqual(said[0]);
        expect(said[0]!.join()).toMatch(/Separation.*no maximum/);
      }
    },
  );

  it("says that the variance is infinite where every level is all right or all wrong", () => {
    const rows = Array.from({ length: 200 }, (_, i) => i);
    const constant = makeTable([
      ["ok", numericColumn(rows.map((i) => Number(i % 40 < 10)))],
      ["x", numericColumn(rows.map((i) => Math.sin(i)))],
      ["item", factorColumn(rows.map((i) => `i${i % 40}`))],
    ]);
    const fit = fitGlmm("ok ~ x + (1 | item)", constant);
    expect(fit.diagnostics.find(({ code }) => code === "ConstantLevels")?.message).toMatch(
      /no level of item has both outcomes/,
    );
    const codes = fitGlmm("correct ~ system + (1 | item)", table).diagnostics.map(({ code }) => code);
    expect(codes).not.toContain("ConstantLevels");
  });

  it("complete separation: SD and condition are undefined with the reason, not a starting value and a negative number", () => {
    const rows = Array.from({ length: 60 }, (_, i) => ({ system: i % 2 === 0 ? "A" : "B", item: `i${i >> 1}` }));
    const apart = makeTable([
      ["ok", numericColumn(rows.map(({ system }) => Number(system === "B")))],
      ["system", factorColumn(rows.map(({ system }) => system))],
      ["item", factorColumn(rows.map(({ item }) => item))],
    ]);
    const fit = fitGlmm("ok ~ system + (1 | item)", apart);
    expect(fit.optimum.condition).toBeNaN();
    expect(fit.theta[0]).toBeNaN();
    expect(fit.variances[0]!.sd[0]).toBeNaN();
    expect(fit.diagnostics.map(({ code }) => code)).toEqual(expect.arrayContaining(["Separation", "NoInformation"]));
    expect(String(fit)).toMatch(/Condition of the Hessian undefined/);
    expect(String(fit)).toMatch(/item {3}\(Intercept\) +– +–/);
    expect(() => simulateGlmm(fit, makeRng("separated"))).toThrow(/not finite/);
    // in the limit of an SD of 0: 30 log(1 + e^a) and 60 log(1 + e^(-b/2)) fall by half of χ²(0.95)
    const half = 3.841458820694124 / 2;
    const [sd, intercept, effect] = profileCategorical(fit);
    expect(sd).toMatchObject({ estimate: Number.NaN, lower: 0, upper: Number.POSITIVE_INFINITY });
    expect(intercept!.estimate).toBe(Number.NEGATIVE_INFINITY);
    expect(intercept!.upper).toBeCloseTo(Math.log(Math.expm1(half / 30)), 5);
    expect(effect!.estimate).toBe(Number.POSITIVE_INFINITY);
    expect(effect!.lower).toBeCloseTo(-2 * Math.log(Math.expm1(half / 60)), 5);
    expect(effect!.upper).toBe(Number.POSITIVE_INFINITY);
  });

  it("refuses what is not a count or a share, links of other families, and smooths", () => {
    expect(() => fitGlmm("x ~ 1 + (1 | item)", table)).toThrow(/0 or 1/);
    expect(() => fitGlmm("correct ~ 1 + (1 | item)", table, { link: "log" })).toThrow(/no log link/);
    expect(() => fitGlmm("correct ~ x", table)).toThrow(/no random term/);
    expect(() => fitGlmm("correct ~ s(x) + (1 | item)", table)).toThrow(/smooth/);
  });

  it("prints the same after a journey through JSON", () => {
    const fit = fitGlmm("cbind(hits, misses) ~ system + (x | item)", table);
    expect(String(reviveResult(JSON.parse(JSON.stringify(fit))))).toBe(String(fit));
    expect(String(fit)).toMatchSnapshot();
    for (const line of String(fit).split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });
});

function constantAnswers(n: number, y: number) {
  const rows = Array.from({ length: n }, (_, i) => i);
  return makeTable([
    ["ok", numericColumn(rows.map(() => y))],
    ["x", numericColumn(rows.map((i) => Math.sin(i)))],
    ["item", factorColumn(rows.map((i) => `i${i % 4}`))],
  ]);
}
