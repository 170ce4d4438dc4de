import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectClose, type OracleCase, oracleTable, readOracle } from "../../../test/support/oracle.ts";
import { factorColumn, makeTable, numericColumn, selectRows, type Table, withColumn } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { reviveResult } from "../../result/result.ts";
import { leaveOneOut, leverage } from "../glm/leave-one-out.ts";
import { predictFixed } from "../glm/predict.ts";

import { fitLm, type LmFit, type LmJson, type LmOptions, prepareLm, solveLm } from "./lm.ts";

const oracle = readOracle("r/lm.json");
const ratings = oracleTable(oracle.columns);
const cases = oracle.cases.filter((c) => c.kind === "lm");

const optionsOf = ({ input }: OracleCase): LmOptions => ({
  ...(typeof input["weights"] === "string" ? { weights: input["weights"] } : {}),
  ...(input["contrasts"] ? { contrasts: "sum" } : {}),
});
const fitCase = (c: OracleCase, more: LmOptions = {}): LmFit =>
  fitLm(c.input["formula"] as string, ratings, { ...optionsOf(c), ...more });
const values = (fit: LmFit, key: "value" | "se" | "df" | "statistic" | "p" | "lower" | "upper"): number[] =>
  fit.coefficients.map((c) => c[key]);
const rowsOf = (m: { rows: number; cols: number; data: Float64Array }): number[] => {
  const out: number[] = [];
  for (let i = 0; i < m.rows; i++) for (let j = 0; j < m.cols; j++) out.push(m.data[i + j * m.rows]!);
  return out;
};

describe.each(cases)("lm $id equals R", (c) => {
  const fit = fitCase(c);
  const e = c.expected;

  it("estimates, SEs, tests and intervals", () => {
    expect(fit.coefficients.map((x) => x.name)).toEqual([e.names].flat());
    expect(fit.dropped).toEqual([e.dropped].flat());
    const close = { tolerance: 1e-10, floor: 1e-4 };
    expectClose(values(fit, "value"), [e.estimate].flat(), { ...close, label: "estimate" });
    expectClose(values(fit, "se"), [e.se].flat(), { ...close, label: "se" });
    expectClose(values(fit, "statistic"), [e.t].flat(), { ...close, label: "t" });
    expectClose(values(fit, "p"), [e.p].flat(), { tolerance: 1e-9, label: "p" });
    expectClose(values(fit, "lower"), [e.lower].flat(), { ...close, label: "lower" });
    expectClose(values(fit, "upper"), [e.upper].flat(), { ...close, label: "upper" });
    expectClose(rowsOf(fit.vcov), e.vcov.flat(), { tolerance: 1e-9, floor: 1e-6, label: "vcov" });
  });

  it("summary", () => {
    expect(fit.nobs).toBe(e.nobs);
    expect(fit.residualDf).toBe(e.df_residual);
    const got = [
      fit.residualSd,
      fit.rSquared,
      fit.adjustedRSquared,
      fit.logLik,
      fit.aic,
      fit.bic,
      fit.residualSumOfSquares,
    ];
    const want = [e.sigma, e.r2, e.adj_r2, e.loglik, e.aic, e.bic, e.deviance];
    expectClose(got, want, { tolerance: 1e-11, floor: 1e-3, label: "summary" });
    if (e.f) {
      expectClose([fit.fTest.statistic, fit.fTest.df1, fit.fTest.df2], e.f, { tolerance: 1e-10 });
      expectClose([fit.fTest.p], [e.f_p], { tolerance: 1e-9 });
    }
    expectClose(fit.fitted.slice(0, 6), e.fitted_head, { tolerance: 1e-11 });
    expectClose(fit.residuals.slice(0, 6), e.resid_head, { tolerance: 1e-10, floor: 1e-2 });
    expectClose(leverage(fit).slice(0, 6), e.hat_head, { tolerance: 1e-11 });
  });

  it("robust standard errors", () => {
    for (const type of ["HC0", "HC1", "HC2", "HC3"] as const) {
      expectClose(values(fitCase(c, { robust: type }), "se"), [e.hc[type]].flat(), { tolerance: 1e-10, label: type });
    }
  });

  if (e.cluster)
    it("cluster-robust standard errors, df and p", () => {
      for (const type of ["CR0", "CR1", "CR1S", "CR2"] as const) {
        const clustered = fitCase(c, { robust: type, cluster: e.cluster.by });
        const want = e.cluster[type];
        expectClose(values(clustered, "se"), [want.se].flat(), { tolerance: 1e-9, label: `${type} se` });
        expectClose(values(clustered, "df"), [want.df].flat(), { tolerance: 1e-8, label: `${type} df` });
        expectClose(values(clustered, "p"), [want.p].flat(), { tolerance: 1e-8, label: `${type} p` });
      }
    });

  if (e.loo_head)
    it("leave-one-out predictions", () => {
      expectClose(leaveOneOut(fit).predicted.slice(0, 6), e.loo_head, { tolerance: 1e-10 });
    });

  if (e.predict)
    it("predictions with intervals", () => {
      const { newdata, confidence, prediction, se } = e.predict;
      const table = makeTable([
        ["system", factorColumn(newdata.system)],
        ["length", numericColumn(newdata.length)],
        ["domain", factorColumn(newdata.domain)],
      ]);
      const mean = predictFixed(fit, table);
      const single = predictFixed(fit, table, { interval: "prediction" });
      const triples = (p: typeof mean): number[] => Array.from(p.value, (v, i) => [v, p.lower[i]!, p.upper[i]!]).flat();
      expectClose(triples(mean), confidence.flat(), { tolerance: 1e-10 });
      expectClose(triples(single), prediction.flat(), { tolerance: 1e-10 });
      expectClose(mean.se, se, { tolerance: 1e-10 });
    });
});

describe("lm closed forms", () => {
  it("is the mean and its standard error without terms", () => {
    const fit = fitLm("y ~ 1", makeTable([["y", numericColumn([1, 2, 3, 4])]]));
    expect(fit.coefficients[0]!.value).toBeCloseTo(2.5, 14);
    expect(fit.coefficients[0]!.se).toBeCloseTo(Math.sqrt(5 / 3 / 4), 14);
  });

  it("is the two-sample t test with one binary term", () => {
    const table = makeTable([
      ["y", numericColumn([1, 2, 4, 7, 8, 12])],
      ["g", factorColumn(["a", "a", "a", "b", "b", "b"])],
    ]);
    const [, b] = fitLm("y ~ g", table).coefficients;
    expect(b!.value).toBeCloseTo(9 - 7 / 3, 12);
    const pooled = (14 / 3 + 14) / 4; // sums of squares about the means 7/3 and 9
    expect(b!.se).toBeCloseTo(Math.sqrt((pooled * 2) / 3), 12);
  });

  it("gives CR0 = HC0 when every row is its own cluster", () => {
    const hc = fitLm("score ~ system + length", ratings, { robust: "HC0" });
    const own = makeTable([
      ...ratings.columns,
      ["row", numericColumn(Array.from({ length: ratings.rows }, (_, i) => i))],
    ]);
    const cr = fitLm("score ~ system + length", own, { robust: "CR0", cluster: "row" });
    expectClose(values(cr, "se"), values(hc, "se"), { tolerance: 1e-12 });
    const hc2 = fitLm("score ~ system + length", ratings, { robust: "HC2" });
    const cr2 = fitLm("score ~ system + length", own, { robust: "CR2", cluster: "row" });
    expectClose(values(cr2, "se"), values(hc2, "se"), { tolerance: 1e-11 });
  });

  it("solves again for another response with the same design", () => {
    const fit = fitLm("score ~ system * length", ratings);
    const doubled = solveLm(
      prepareLm(fit.design),
      fit.design.y.map((y) => 2 * y + 1),
    );
    const first = values(fit, "value");
    expectClose(doubled.beta, [2 * first[0]! + 1, ...first.slice(1).map((b) => 2 * b)], { tolerance: 1e-11 });
  });
});

describe("lm invariance", () => {
  it("does not depend on the order of the rows", () => {
    const order = Int32Array.from({ length: ratings.rows }, (_, i) => (i * 37) % ratings.rows);
    const a = fitLm("score ~ system + length", ratings, { cluster: "doc" });
    const b = fitLm("score ~ system + length", selectRows(ratings, order), { cluster: "doc" });
    expectClose(values(b, "value"), values(a, "value"), { tolerance: 1e-12 });
    expectClose(values(b, "se"), values(a, "se"), { tolerance: 1e-11 });
    expectClose(values(b, "df"), values(a, "df"), { tolerance: 1e-10 });
  });

  it("scales with the response and leaves p alone", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), (scale) => {
        const scaled = makeTable([...ratings.columns, ["big", numericColumn(scoreOf(ratings).map((v) => v * scale))]]);
        const a = fitLm("score ~ system", ratings);
        const b = fitLm("big ~ system", scaled);
        expectClose(
          values(b, "value"),
          values(a, "value").map((v) => v * scale),
          { tolerance: 1e-10 },
        );
        expectClose(values(b, "p"), values(a, "p"), { tolerance: 1e-9 });
      }),
      { numRuns: 20 },
    );
  });
});

const scoreOf = (table: Table): number[] => {
  const cells = table.columns.get("score")!;
  return cells.kind === "numeric" ? [...cells.values] : [];
};

describe("lm at the edges", () => {
  it("says that a saturated model has no tests", () => {
    const fit = fitLm(
      "y ~ x",
      makeTable([
        ["y", numericColumn([1, 2])],
        ["x", numericColumn([0, 1])],
      ]),
    );
    expect(fit.diagnostics.map((d) => d.code)).toContain("SaturatedModel");
    expect(values(fit, "se").every(Number.isNaN)).toBe(true);
    expect(fit.residualSd).toBeNaN();
  });

  it("says that a copy of the response fits exactly", () => {
    const table = makeTable([
      ["y", numericColumn([1, 2, 3, 5])],
      ["x", numericColumn([2, 4, 6, 10])],
    ]);
    expect(fitLm("y ~ x", table).diagnostics.map((d) => d.code)).toContain("PerfectFit");
  });

  it("leaves F undefined where no residual is left to divide by", () => {
    const line = [1, 2, 3, 4, 5, 6, 7, 8];
    const table = makeTable([
      ["y", numericColumn(line)],
      ["x", numericColumn(line)],
    ]);
    const fit = fitLm("y ~ x", table);
    expect([fit.residualSumOfSquares, fit.fTest.statistic, fit.fTest.p]).toEqual([0, Number.NaN, Number.NaN]);
    expect(fit.diagnostics.map(({ code }) => code)).toContain("PerfectFit");
  });

  it("handles a constant response", () => {
    const table = makeTable([
      ["y", numericColumn([3, 3, 3, 3])],
      ["x", numericColumn([1, 2, 3, 5])],
    ]);
    const fit = fitLm("y ~ x", table);
    expect(fit.coefficients[0]!.value).toBeCloseTo(3, 12);
    expect(fit.diagnostics.map((d) => d.code)).toContain("PerfectFit");
  });

  it("leaves rows of weight 0 out of every count", () => {
    const w = numericColumn(Array.from({ length: ratings.rows }, (_, i) => (i < 20 ? 0 : 1)));
    const weighted = fitLm("score ~ system", makeTable([...ratings.columns, ["zero", w]]), { weights: "zero" });
    const without = fitLm(
      "score ~ system",
      selectRows(ratings, (row) => row >= 20),
    );
    expect(weighted.nobs).toBe(100);
    expectClose(values(weighted, "p"), values(without, "p"), { tolerance: 1e-10 });
    expect(weighted.logLik).toBeCloseTo(without.logLik, 9);
  });

  it.each([
    ["score ~ sytem", {}, "UnknownColumn"],
    ["system ~ length", {}, "ResponseNotNumeric"],
    ["score ~ system + (1 | item)", {}, "UnsupportedTerm"],
    ["score ~ s(length)", {}, "UnsupportedTerm"],
    ["~ system", {}, "NoResponse"],
    ["score ~ system", { robust: "CR2" }, "NoCluster"],
    ["score ~ system", { cluster: "itm" }, "UnknownColumn"],
    ["score ~ system", { confidence: 95 }, "BadOption"],
  ] as const)("refuses %s with %o", (formula, options, code) => {
    let thrown: unknown;
    try {
      fitLm(formula, ratings, options);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(StatError);
    expect((thrown as StatError).code).toBe(code);
    expect((thrown as StatError).fix).not.toBe("");
  });
});

describe("lm with clusters that say nothing", () => {
  it("leaves a coefficient undefined that the clusters fit exactly, instead of printing rounding noise", () => {
    const fit = fitLm("score ~ system", ratings, { cluster: "system" });
    expect(fit.coefficients.every((c) => Number.isNaN(c.se) && Number.isNaN(c.p))).toBe(true);
    expect(fit.diagnostics.map((d) => d.code)).toContain("NoClusterVariance");
  });

  it("leaves HC2 and HC3 undefined where a row has leverage 1, as R does, and HC1 defined", () => {
    const lone = withColumn(
      ratings,
      "lone",
      factorColumn(Array.from({ length: ratings.rows }, (_, i) => (i === 7 ? "b" : "a"))),
    );
    for (const robust of ["HC2", "HC3"] as const) {
      const fit = fitLm("score ~ lone + length", lone, { robust });
      expect(fit.coefficients.every((c) => Number.isNaN(c.se))).toBe(true);
      expect(fit.diagnostics.map((d) => d.code)).toContain("LeverageOne");
    }
    expect(fitLm("score ~ lone + length", lone, { robust: "HC1" }).coefficients.every((c) => c.se > 0)).toBe(true);
  });

  it("does not lose clustered SEs and df of covariates that are far from 0, such as a year and its square", () => {
    const n = 40;
    const rows = Array.from({ length: n }, (_, i) => i);
    const table = makeTable([
      ["year", numericColumn(rows.map((i) => 2015 + ((7 * i) % 10)))],
      ["cl", factorColumn(rows.map((i) => `c${Math.floor(Math.sqrt(i))}`))],
      ["y", numericColumn(rows.map((i) => 3 * Math.sin(12.9898 * (i + 1))))],
    ]);
    for (const robust of ["CR2", "CR1", "CR0"] as const) {
      const raw = fitLm("y ~ year + I(year^2)", table, { cluster: "cl", robust });
      const centred = fitLm("y ~ I(year - 2019) + I((year - 2019)^2)", table, { cluster: "cl", robust });
      // the coefficient of the square is the same in both, and well conditioned in the second
      expectClose([raw.coefficients[2]!.se], [centred.coefficients[2]!.se], { tolerance: 1e-7 });
      expectClose([raw.coefficients[2]!.df], [centred.coefficients[2]!.df], { tolerance: 1e-7 });
      expect(raw.diagnostics.map((d) => d.code)).not.toContain("NoClusterVariance");
    }
    const robust = fitLm("y ~ year + I(year^2)", table, { robust: "HC3" }).coefficients[2]!.se;
    const same = fitLm("y ~ I(year - 2019) + I((year - 2019)^2)", table, { robust: "HC3" }).coefficients[2]!.se;
    expectClose([robust], [same], { tolerance: 1e-7 });
  });

  it("does not take a level with a single row for certain under HC0 and HC1", () => {
    const table = makeTable([
      ["f", factorColumn(["a", "a", "a", "b", "b", "b", "c"])],
      ["y", numericColumn([1, 2, 4, 2, 5, 9, 3])],
    ]);
    for (const robust of ["HC0", "HC1"] as const) {
      const fit = fitLm("y ~ 0 + f", table, { robust });
      expect(fit.coefficients[0]!.se).toBeGreaterThan(0);
      expect([fit.coefficients[2]!.se, fit.coefficients[2]!.p]).toEqual([Number.NaN, Number.NaN]);
      expect(fit.diagnostics.map((d) => d.code)).toContain("LeverageOne");
    }
  });

  it("counts rows without a cluster among the dropped, in rows of the whole table", () => {
    const doc = factorColumn(Array.from({ length: ratings.rows }, (_, i) => (i < 10 ? null : `d${i % 9}`)));
    const fit = fitLm("gappy ~ system", withColumn(ratings, "doc", doc), { cluster: "doc" });
    expect([fit.nobs, fit.design.dropped.rows]).toEqual([107, 13]); // ten rows without a document, three more without a score
    expect(fit.design.rowsUsed[0]).toBe(10);
  });
});

describe("lm responses and undefined values", () => {
  it("takes true and false as 1 and 0", () => {
    const truth = factorColumn(correct().map((v) => (v === 1 ? "True" : "False")));
    const a = fitLm("truth ~ system", withColumn(ratings, "truth", truth));
    const b = fitLm("correct ~ system", ratings);
    expectClose(values(a, "value"), values(b, "value"), { tolerance: 1e-13 });
  });

  it("warns when an expression has no value where its columns have one", () => {
    const fit = fitLm("length ~ log(score)", ratings);
    const negative = scoreOf(ratings).filter((v) => v < 0).length;
    expect(negative).toBeGreaterThan(0);
    expect(fit.diagnostics.find((d) => d.code === "UndefinedValues")?.message).toContain(`in ${negative} rows`);
    const missing = fitLm("length ~ I(gappy^2)", ratings);
    expect(missing.diagnostics.map((d) => d.code)).toEqual(["RowsDropped"]);
  });
});

function correct(): number[] {
  const cells = ratings.columns.get("correct")!;
  return cells.kind === "numeric" ? [...cells.values] : [];
}

describe("lm in print", () => {
  const fit = fitLm("score ~ system + length", ratings, { cluster: "doc" });

  it("reads as stored", () => {
    expect(fit.toString()).toMatchInlineSnapshot(`
      "Linear model: score ~ system + length

      120 rows. Residual SD 1.141 on 116 df.
      R² 0.04953, adjusted 0.02494.
      Log-likelihood -184.111, AIC 378.222, BIC 392.160.

      term          estimate        SE    df       t       p  95% from       to
      -------------------------------------------------------------------------
      (Intercept)   1.730781  0.247932  4.27   6.981  0.0017   1.05939  2.40217
      systemB       0.510934  0.122405  4.86   4.174  0.0093   0.19345  0.82842
      systemC      -0.046260  0.202302  4.75  -0.229  0.8287  -0.57481  0.48229
      length        0.002028  0.007908  5.04   0.256  0.8078  -0.01825  0.02231

      Standard errors: CR2 with 8 clusters, Satterthwaite df."
    `);
  });

  it("prints the same after a round trip through JSON", () => {
    const revived = reviveResult<LmJson>(JSON.parse(JSON.stringify(fit)));
    expect(revived.toString()).toBe(fit.toString());
    expect(revived.fixed).toEqual(
      fit.coefficients.map(({ name, value, ...own }) => ({ term: name, estimate: value, ...own })),
    );
  });
});

describe("many rows", () => {
  it("the same rows over and over: the same coefficients, SEs by the square root of their number", () => {
    for (const c of cases) {
      const [own, all] = [ratings, overAndOver(ratings, 60)].map((table) =>
        fitLm(c.input["formula"] as string, table, optionsOf(c)),
      );
      const shrink = Math.sqrt(own!.residualDf / all!.residualDf);
      expect(prepareLm(all!.design).rows.length).toBe(60 * own!.nobs);
      expectClose(values(all!, "value"), values(own!, "value"), { tolerance: 1e-9, floor: 1e-4 });
      expectClose(
        values(all!, "se"),
        values(own!, "se").map((se) => se * shrink),
        { tolerance: 1e-9, floor: 1e-6 },
      );
      expectClose([all!.rSquared, all!.checks.conditionNumber], [own!.rSquared, own!.checks.conditionNumber], {
        tolerance: 1e-9,
      });
      expect(all!.dropped).toEqual(own!.dropped);
    }
  });

  it("go by cross products where columns are far from collinear, else by QR", () => {
    const many = overAndOver(ratings, 60);
    const x = Float64Array.from({ length: many.rows }, (_, i) => 1e6 + (i % 7));
    const factorFor = (formula: string, table: Table) => prepareLm(fitLm(formula, table).design).factor;
    const response = cases[0]!.input["formula"] as string;
    const y = response.slice(0, response.indexOf("~"));
    expect(factorFor(`${y} ~ 1`, many)).toBeUndefined();
    expect(factorFor(`${y} ~ x`, withColumn(many, "x", numericColumn(x)))).toBeDefined();
    expect(factorFor(`${y} ~ 1`, ratings)).toBeDefined();
  });
});

function overAndOver(table: Table, times: number): Table {
  return selectRows(
    table,
    Int32Array.from({ length: times * table.rows }, (_, i) => i % table.rows),
  );
}
