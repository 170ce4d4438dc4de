import { describe, expect, it } from "vitest";
import { expectClose, type OracleCase, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, selectRows, withColumn } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { reviveResult } from "../../result/result.ts";
import { fitLm } from "../lm/lm.ts";
import { fitGlm, type GlmFit, type GlmOptions } from "./glm.ts";
import { leaveOneOut, leverage } from "./leave-one-out.ts";
import { predictFixed } from "./predict.ts";

const oracle = readOracle("r/lm.json");
const ratings = oracleTable(oracle.columns);
const cases = oracle.cases.filter((c) => c.kind === "glm");

const optionsOf = ({ input }: OracleCase): GlmOptions => ({
  family: input["family"] as NonNullable<GlmOptions["family"]>,
  link: input["link"] as NonNullable<GlmOptions["link"]>,
  ...(typeof input["weights"] === "string" ? { weights: input["weights"] } : {}),
  ...(typeof input["offset"] === "string" ? { offset: input["offset"] } : {}),
});
const fitCase = (c: OracleCase, more: GlmOptions = {}): GlmFit =>
  fitGlm(c.input["formula"] as string, ratings, { ...optionsOf(c), ...more });
const values = (fit: GlmFit, key: "value" | "se" | "df" | "statistic" | "p" | "lower" | "upper"): number[] =>
  fit.coefficients.map((x) => x[key]);

describe.each(cases)("$id equals R", (c) => {
  const fit = fitCase(c);
  const e = c.expected;

  it("estimates, SEs and tests", () => {
    expect(fit.converged).toBe(true);
    expect(fit.coefficients.map((x) => x.name)).toEqual(e.names);
    const close = { tolerance: 1e-9, floor: 1e-4 };
    expectClose(values(fit, "value"), e.estimate, { ...close, label: "estimate" });
    expectClose(values(fit, "se"), e.se, { ...close, label: "se" });
    expectClose(values(fit, "statistic"), e.statistic, { ...close, label: "z" });
    expectClose(values(fit, "p"), e.p, { tolerance: 1e-7, label: "p" });
    if (fit.family !== "gaussian") {
      expectClose(values(fit, "lower"), e.wald_lower, { ...close, label: "lower" });
      expectClose(values(fit, "upper"), e.wald_upper, { ...close, label: "upper" });
    }
  });

  it("deviance and information criteria", () => {
    expectClose(
      [fit.deviance, fit.nullDeviance, fit.logLik, fit.aic, fit.bic, fit.dispersion],
      [e.deviance, e.null_deviance, e.loglik, e.aic, e.bic, e.dispersion],
      { tolerance: 1e-10, label: "deviance" },
    );
    expect([fit.residualDf, fit.nullDf, fit.nobs]).toEqual([e.df_residual, e.df_null, e.nobs]);
    expectClose(fit.fitted.slice(0, 6), e.fitted_head, { tolerance: 1e-9 });
    expectClose(leverage(fit).slice(0, 6), e.hat_head, { tolerance: 1e-9 });
  });

  it("robust standard errors", () => {
    expectClose(values(fitCase(c, { robust: "HC0" }), "se"), e.hc0, { tolerance: 1e-8, label: "HC0" });
  });

  if (e.cluster)
    it("cluster-robust standard errors, df and p", () => {
      const { by, CR0, CR1, CR2 } = e.cluster;
      expectClose(values(fitCase(c, { robust: "CR0", cluster: by }), "se"), CR0, { tolerance: 1e-8, label: "CR0" });
      expectClose(values(fitCase(c, { robust: "CR1", cluster: by }), "se"), CR1, { tolerance: 1e-8, label: "CR1" });
      const reduced = fitCase(c, { cluster: by });
      expectClose(values(reduced, "se"), CR2.se, { tolerance: 1e-7, label: "CR2 se" });
      expectClose(values(reduced, "df"), CR2.df, { tolerance: 1e-6, label: "CR2 df" });
      expectClose(values(reduced, "p"), CR2.p, { tolerance: 1e-6, label: "CR2 p" });
    });

  if (e.loo_head)
    it("leave-one-out predictions", () => {
      expectClose(leaveOneOut(fit).predicted.slice(0, 6), e.loo_head, { tolerance: 1e-8 });
    });

  if (e.predict)
    it("predictions", () => {
      const { newdata, link, se, response } = e.predict;
      const table = makeTable([
        ["system", factorColumn(newdata.system)],
        ["length", numericColumn(newdata.length)],
        ["domain", factorColumn(newdata.domain)],
      ]);
      const p = predictFixed(fit, table);
      expectClose(p.eta, link, { tolerance: 1e-8 });
      expectClose(p.se, se, { tolerance: 1e-8 });
      expectClose(p.value, response, { tolerance: 1e-8 });
    });
});

describe("glm closed forms", () => {
  const counts = makeTable([
    ["hit", numericColumn([1, 1, 1, 0, 1, 0, 0, 0])],
    ["g", factorColumn(["a", "a", "a", "a", "b", "b", "b", "b"])],
  ]);

  it("is the log odds ratio of a 2 x 2 table", () => {
    const [a, b] = fitGlm("hit ~ g", counts, { family: "binomial" }).coefficients;
    expect(a!.value).toBeCloseTo(Math.log(3), 12);
    expect(b!.value).toBeCloseTo(Math.log(1 / 9), 12);
    expect(b!.se).toBeCloseTo(Math.sqrt(1 / 3 + 1 + 1 + 1 / 3), 12);
  });

  it("is the log ratio of means for Poisson counts", () => {
    const table = makeTable([
      ["y", numericColumn([2, 4, 6, 9, 10, 11])],
      ["g", factorColumn(["a", "a", "a", "b", "b", "b"])],
    ]);
    const [a, b] = fitGlm("y ~ g", table, { family: "poisson" }).coefficients;
    expect(a!.value).toBeCloseTo(Math.log(4), 12);
    expect(b!.value).toBeCloseTo(Math.log(10 / 4), 12);
    expect(b!.se).toBeCloseTo(Math.sqrt(1 / 12 + 1 / 30), 12);
  });

  it("gaussian equals lm", () => {
    const a = fitLm("score ~ system + length", ratings);
    const b = fitGlm("score ~ system + length", ratings, { family: "gaussian" });
    expectClose(
      values(b, "se"),
      a.coefficients.map((x) => x.se),
      { tolerance: 1e-11 },
    );
    expect(b.logLik).toBeCloseTo(a.logLik, 9);
  });

  it("counts equal the same trials row by row, up to the binomial coefficient", () => {
    const grouped = makeTable([
      ["hits", numericColumn([3, 1])],
      ["misses", numericColumn([1, 3])],
      ["g", factorColumn(["a", "b"])],
    ]);
    const g = fitGlm("cbind(hits, misses) ~ g", grouped, { family: "binomial" });
    const single = fitGlm("hit ~ g", counts, { family: "binomial" });
    expectClose(values(g, "se"), values(single, "se"), { tolerance: 1e-11 });
    expect(g.logLik - single.logLik).toBeCloseTo(2 * Math.log(4), 11);
  });
});

describe("glm at the edges", () => {
  it("says which estimates are infinite under complete separation", () => {
    const table = makeTable([
      ["y", numericColumn([0, 0, 0, 1, 1, 1])],
      ["x", numericColumn([1, 2, 3, 4, 5, 6])],
    ]);
    const fit = fitGlm("y ~ x", table, { family: "binomial" });
    expect(fit.converged).toBe(false);
    expect(fit.diagnostics.map((d) => d.code)).toContain("Separation");
    expect(fit.coefficients[1]!.value).toBe(Number.POSITIVE_INFINITY);
    expect(fit.coefficients[1]!.se).toBeNaN();
    expect(fit.deviance).toBeLessThan(1e-9);
  });

  it.each(["logit", "probit", "cloglog"] as const)(
    "all right is caught like all wrong, however many rows (%s)",
    (link) => {
      for (const n of [20, 80, 200, 5000]) {
        const x = Array.from({ length: n }, (_, i) => Math.sin(i));
        const group = factorColumn(x.map((_, i) => (i % 2 === 0 ? "a" : "b")));
        const fits = [0, 1].map((y) => {
          const table = makeTable([
            ["y", numericColumn(x.map(() => y))],
            ["half", numericColumn(x.map((_, i) => (i % 2 === 0 ? y : Number(i % 3 === 0))))],
            ["x", numericColumn(x)],
            ["g", group],
          ]);
          const fit = fitGlm("y ~ x", table, { family: "binomial", link });
          expect(fit.coefficients[0]!.value).toBe(y === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
          expect([fit.coefficients[0]!.se, fit.coefficients[1]!.se]).toEqual([Number.NaN, Number.NaN]);
          expect(fit.converged).toBe(false);
          // a group of the same answers among others
          const part = fitGlm("half ~ g", table, { family: "binomial", link });
          expect(part.coefficients[1]!.value).toBe(y === 1 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY);
          return [fit, part];
        });
        const said = fits.map((pair) => pair.map(({ diagnostics }) => diagnostics.map(({ message }) => message)));
        expect(said[1]).toEqual(said[0]);
        expect(said[0]![0]).toHaveLength(1);
      }
    },
  );

  it("keeps the finite estimates when only one group is separated", () => {
    const table = makeTable([
      ["y", numericColumn([0, 1, 1, 0, 1, 0, 1, 1, 1])],
      ["g", factorColumn(["a", "a", "a", "b", "b", "b", "c", "c", "c"])],
    ]);
    const fit = fitGlm("y ~ g", table, { family: "binomial" });
    const by = new Map(fit.coefficients.map((x) => [x.name, x]));
    expect(by.get("gc")!.value).toBe(Number.POSITIVE_INFINITY);
    expect(by.get("(Intercept)")!.value).toBeCloseTo(Math.log(2), 9);
    expect(by.get("gb")!.value).toBeCloseTo(-2 * Math.log(2), 9);
    expect(by.get("gb")!.se).toBeCloseTo(Math.sqrt(3), 8);
  });

  it("says that a Poisson group of zeros has no finite estimate", () => {
    const table = makeTable([
      ["y", numericColumn([3, 5, 4, 0, 0, 0])],
      ["g", factorColumn(["a", "a", "a", "b", "b", "b"])],
    ]);
    const fit = fitGlm("y ~ g", table, { family: "poisson" });
    expect(fit.coefficients[1]!.value).toBe(Number.NEGATIVE_INFINITY);
    expect(fit.coefficients[0]!.value).toBeCloseTo(Math.log(4), 10);
  });

  it("has cluster-robust errors although some rows are certain to the last digit", () => {
    const x = Array.from({ length: 60 }, (_, i) => (i % 20) / 4 - 3 + (i === 59 ? 30 : 0));
    const y = x.map((v, i) => Number(v > 0.2 * ((i * 7) % 11) - 1.4));
    const table = makeTable([
      ["y", numericColumn(y)],
      ["x", numericColumn(x)],
      ["g", factorColumn(x.map((_, i) => `g${i % 12}`))],
    ]);
    const fit = fitGlm("y ~ x", table, { family: "binomial", link: "cloglog", cluster: "g" });
    expect(fit.fitted[59]).toBe(1);
    expect(fit.coefficients.every((c) => c.se > 0 && c.df > 0)).toBe(true);
  });

  it("settles although rounding hides the last steps of a large deviance", () => {
    const x = Array.from({ length: 50 }, (_, i) => i + 1);
    const y = x.map((v) => Math.round(Math.exp(3 + 0.2 * v)));
    const fit = fitGlm(
      "y ~ x",
      makeTable([
        ["y", numericColumn(y)],
        ["x", numericColumn(x)],
      ]),
      { family: "poisson" },
    );
    expect(fit.converged).toBe(true);
    expect(fit.coefficients[1]!.value).toBeCloseTo(0.2, 5);
    expect(fit.diagnostics).toEqual([]);
  });

  it("says that nothing is left to estimate a slope from when every response is the same", () => {
    const table = makeTable([
      ["y", numericColumn([0, 0, 0, 0, 0])],
      ["x", numericColumn([1, 2, 3, 5, 8])],
    ]);
    const [a, b] = fitGlm("y ~ x", table, { family: "poisson" }).coefficients;
    expect(a!.value).toBe(Number.NEGATIVE_INFINITY);
    expect([b!.value, b!.se, b!.p].every(Number.isNaN)).toBe(true);
  });

  it("names what counts as success when a response has more than two levels, and only if asked", () => {
    const three = withColumn(
      ratings,
      "grade",
      factorColumn(Array.from({ length: ratings.rows }, (_, i) => ["bad", "fair", "good"][i % 3]!)),
    );
    expect(() => fitGlm("grade ~ length", three)).toThrow(/3 levels/);
    const fit = fitGlm("grade ~ length", three, { family: "binomial" });
    expect(fit.diagnostics.find((d) => d.code === "MergedLevels")?.message).toMatch(
      /bad counts as failure, and fair, good/,
    );
  });

  it("refuses counts of successes and failures outside the binomial family", () => {
    expect(() => fitGlm("cbind(hits, misses) ~ system", ratings, { family: "poisson" })).toThrow(
      /successes and failures/,
    );
    expect(() => fitGlm("cbind(hits, misses) ~ system", ratings, { family: "gaussian" })).toThrow(
      /successes and failures/,
    );
  });

  it("takes a factor's first level as failure, and guesses the family", () => {
    const table = makeTable([
      ...ratings.columns,
      ["verdict", factorColumn(rightWrong(), { levels: ["wrong", "right"] })],
    ]);
    const a = fitGlm("verdict ~ system", table);
    const b = fitGlm("correct ~ system", ratings, { family: "binomial" });
    expect(a.family).toBe("binomial");
    expect(a.diagnostics.map((d) => d.code)).toContain("FamilyGuessed");
    expectClose(values(a, "value"), values(b, "value"), { tolerance: 1e-12 });
  });

  it.each([
    ["length ~ system", { family: "binomial" }, "ResponseOutOfRange"],
    ["correct ~ system", { family: "binomial", link: "log" }, "UnknownLink"],
    ["score ~ length", { family: "poisson" }, "ResponseOutOfRange"],
  ] as const)("refuses %s with %o", (formula, options, code) => {
    const minus = withColumn(ratings, "score", numericColumn(Array.from({ length: ratings.rows }, (_, i) => i - 3)));
    expect(() => fitGlm(formula, minus, options)).toThrow(StatError);
    try {
      fitGlm(formula, minus, options);
    } catch (error) {
      expect((error as StatError).code).toBe(code);
    }
  });

  it("does not depend on the order of the rows", () => {
    const order = Int32Array.from({ length: ratings.rows }, (_, i) => (i * 49) % ratings.rows);
    const a = fitGlm("correct ~ system + length", ratings, { family: "binomial", cluster: "doc" });
    const b = fitGlm("correct ~ system + length", selectRows(ratings, order), { family: "binomial", cluster: "doc" });
    expectClose(values(b, "value"), values(a, "value"), { tolerance: 1e-10 });
    expectClose(values(b, "p"), values(a, "p"), { tolerance: 1e-8 });
  });

  it("prints as stored, and the same after a round trip", () => {
    const fit = fitGlm("correct ~ system + length", ratings, { family: "binomial" });
    expect(fit.toString()).toMatchInlineSnapshot(`
      "Generalised linear model (binomial, logit link): correct ~ system + length

      120 rows.
      Deviance 138.2 on 116 df (null: 159.8 on 119).
      Log-likelihood -69.116, AIC 146.232, BIC 157.382.

      term         estimate       SE       z       p  95% from      to
      ----------------------------------------------------------------
      (Intercept)  -0.79218  0.50335  -1.574  0.1155  -1.77873  0.1944
      systemB      -0.84798  0.48948  -1.732  0.0832  -1.80735  0.1114
      systemC       1.08712  0.53339   2.038  0.0415   0.04170  2.1325
      length        0.06276  0.02035   3.084  0.0020   0.02287  0.1026"
    `);
    expect(reviveResult(JSON.parse(JSON.stringify(fit))).toString()).toBe(fit.toString());
  });
});

function rightWrong(): string[] {
  const cells = ratings.columns.get("correct")!;
  return cells.kind === "numeric" ? Array.from(cells.values, (v) => (v === 1 ? "right" : "wrong")) : [];
}

describe("Poisson counts that vary too much had no warning", () => {
  const tableOf = (counts: readonly number[]) =>
    makeTable(
      [
        ["y", numericColumn(counts)],
        ["g", factorColumn(counts.map((_, i) => (i % 2 === 0 ? "a" : "b")))],
      ],
      counts.length,
    );
  const wild = tableOf(Array.from({ length: 40 }, (_, i) => (i % 4 < 2 ? 2 + (i % 3) : 30 + (i % 5))));
  const codesOf = (options: GlmOptions, table = wild) =>
    fitGlm("y ~ g", table, options).diagnostics.map(({ code }) => code);

  it("Pearson's χ² over its df, which is the dispersion of quasipoisson", () => {
    const { dispersion } = fitGlm("y ~ g", wild, { family: "quasipoisson" });
    const told = fitGlm("y ~ g", wild, { family: "poisson" }).diagnostics.find(({ code }) => code === "Overdispersed");
    const said = Number(/vary ([\d.]+) times/.exec(told!.message)![1]);
    expect(Math.abs(said / dispersion - 1)).toBeLessThan(0.01);
  });
  it("not of families and errors that allow for it, nor of counts that vary as they should", () => {
    expect(codesOf({ family: "quasipoisson" })).not.toContain("Overdispersed");
    expect(codesOf({ family: "negative-binomial" })).not.toContain("Overdispersed");
    expect(codesOf({ family: "poisson", robust: "HC3" })).not.toContain("Overdispersed");
    const calm = tableOf(Array.from({ length: 40 }, (_, i) => 4 + (i % 5)));
    expect(codesOf({ family: "poisson" }, calm)).not.toContain("Overdispersed");
  });
});

describe("many rows", () => {
  it("the same rows over and over: the same coefficients, SEs by the square root of their number", () => {
    const times = 60;
    const many = selectRows(
      ratings,
      Int32Array.from({ length: times * ratings.rows }, (_, i) => i % ratings.rows),
    );
    for (const c of cases) {
      const own = fitCase(c);
      const all = fitGlm(c.input["formula"] as string, many, optionsOf(c));
      const shrink = own.family === "gaussian" ? Math.sqrt(own.residualDf / all.residualDf) : Math.sqrt(1 / times);
      expect(all.converged).toBe(true);
      expectClose(values(all, "value"), values(own, "value"), { tolerance: 1e-9, floor: 1e-4 });
      expectClose(
        values(all, "se"),
        values(own, "se").map((se) => se * shrink),
        { tolerance: 1e-9, floor: 1e-6 },
      );
      expectClose([all.deviance], [times * own.deviance], { tolerance: 1e-10 });
    }
  });
});
