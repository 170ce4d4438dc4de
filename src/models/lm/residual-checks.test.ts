import { describe, expect, it } from "vitest";
import { expectClose, type OracleCase } from "../../../test/support/oracle.ts";
import { readReference, referenceTable } from "../../../test/support/reference.ts";
import { makeTable, numericColumn } from "../../data/table.ts";
import { reviveResult } from "../../result/result.ts";
import { fitLm, type LmFit, type LmJson } from "./lm.ts";

const reference = readReference("lm-diagnostics.json");
const fitCase = ({ input }: OracleCase): LmFit =>
  fitLm(input["formula"] as string, referenceTable(reference, input["data"] as string));
/** Patsy puts factors before numbers and brackets their levels. */
const patsy = (name: string): string =>
  name === "(Intercept)" ? "Intercept" : name.replace(/^task(?=qa|sst)(.*)$/, "task[T.$1]");

describe.each(reference.cases)("$id equals statsmodels", (c) => {
  const fit = fitCase(c);
  const e = c.expected;
  // the note of the badly scaled cases, and a year as a regressor
  const tolerance = e.condition_number > 1e4 ? 1e-8 : 1e-9;

  it("the coefficients", () => {
    const own = e.names.map((name: string) => fit.coefficients.find((x) => patsy(x.name) === name)!);
    for (const [key, want] of [
      ["value", e.coef],
      ["se", e.se],
      ["statistic", e.t],
    ] as const)
      expectClose(
        own.map((x: Record<string, number>) => x[key]),
        want,
        { tolerance, label: key },
      );
    expectClose(
      own.map((x: { p: number }) => x.p),
      e.p,
      { tolerance, floor: 1e-3, label: "p" },
    );
    expectClose(
      own.flatMap((x: { lower: number; upper: number }) => [x.lower, x.upper]),
      e.ci95.flat(),
      { tolerance, label: "ci" },
    );
  });

  it("the figures above the table", () => {
    expect([fit.nobs, fit.residualDf]).toEqual([e.nobs, e.df_resid]);
    // AIC and BIC of statsmodels do not count the variance
    const got = [fit.logLik, fit.aic - 2, fit.bic - Math.log(fit.nobs), fit.residualSd ** 2];
    expectClose(got, [e.loglik, e.aic, e.bic, e.scale], { tolerance, label: "summary" });
    expectClose([fit.rSquared, fit.adjustedRSquared], [e.r_squared, e.r_squared_adjusted], { tolerance, floor: 1e-3 });
    expectClose([fit.fTest.statistic], [e.f], { tolerance, label: "F" });
    expectClose([fit.fTest.p], [e.f_p], { tolerance, floor: 1e-3, label: "p of F" });
  });

  it("the figures below it", () => {
    const { checks: own } = fit;
    const got = [own.omnibus.statistic, own.jarqueBera.statistic, own.skew, own.kurtosis, own.skewZ, own.kurtosisZ];
    const want = [e.omnibus, e.jarque_bera, e.skew, e.kurtosis, e.skewtest_z, e.kurtosistest_z];
    expectClose(got, want, { tolerance, label: "shape" });
    expectClose([own.omnibus.p, own.jarqueBera.p], [e.omnibus_p, e.jarque_bera_p], { tolerance, floor: 1e-3 });
    expectClose([own.durbinWatson], [e.durbin_watson], { tolerance });
    expectClose([own.conditionNumber, own.smallestEigenvalue], [e.condition_number, e.smallest_eigenvalue], {
      tolerance,
      label: "condition",
    });
  });
});

const table = (y: readonly number[], more: Readonly<Record<string, readonly number[]>> = {}) =>
  makeTable([
    ["y", numericColumn(y)] as const,
    ...Object.entries(more).map(([name, v]) => [name, numericColumn(v)] as const),
  ]);

describe("residual checks", () => {
  it("a symmetric sample has skew 0 and z 0", () => {
    const { checks } = fitLm("y ~ 1", table([-4, -3, -2, -1, 0, 0, 1, 2, 3, 4]));
    expect(checks.skew).toBeCloseTo(0, 15);
    expect(checks.skewZ).toBeCloseTo(0, 15);
    expect(checks.omnibus.statistic).toBeCloseTo(checks.kurtosisZ ** 2, 14);
  });

  it("by hand: alternating residuals of ±1 have kurtosis 1 and Durbin-Watson 4(n-1)/n", () => {
    const { checks } = fitLm("y ~ 1", table([1, -1, 1, -1, 1, -1, 1, -1]));
    expect(checks.kurtosis).toBeCloseTo(1, 14);
    expect(checks.jarqueBera.statistic).toBeCloseTo((8 * 4) / 24, 14);
    expect(checks.durbinWatson).toBeCloseTo((4 * 7) / 8, 14);
  });

  it("fewer than eight rows have no omnibus test", () => {
    const fit = fitLm("y ~ 1", table([1, 4, 2, 8, 5, 7]));
    expect(fit.checks.omnibus).toEqual({ statistic: Number.NaN, p: Number.NaN });
    expect(fit.checks.jarqueBera.statistic).toBeGreaterThan(0);
    expect(fit.toString()).not.toMatch(/omnibus/);
  });

  it("weights of 4 are rows that count double: the checks are of √w e", () => {
    const [y, x, w] = [
      [1, 3, 2, 5, 4, 6, 8, 7, 9],
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
      [1, 4, 1, 4, 1, 4, 1, 4, 1],
    ];
    const fit = fitLm("y ~ x", table(y, { x, w }), { weights: "w" });
    const scaled = fit.residuals.map((e, i) => e * Math.sqrt(w[i]!));
    const steps = scaled.slice(1).reduce((sum, e, t) => sum + (e - scaled[t]!) ** 2, 0);
    expect(fit.checks.durbinWatson).toBeCloseTo(steps / scaled.reduce((sum, e) => sum + e * e, 0), 14);
    // √w X = U diag(d) V': d² are the eigenvalues of [[Σw, Σwx], [Σwx, Σwx²]]
    const [a, b, c] = [0, 1, 2].map((k) => w.reduce((sum, own, i) => sum + own * x[i]! ** k, 0)) as [
      number,
      number,
      number,
    ];
    const root = Math.sqrt((a - c) ** 2 / 4 + b * b);
    expect(fit.checks.conditionNumber).toBeCloseTo(Math.sqrt(((a + c) / 2 + root) / ((a + c) / 2 - root)), 9);
  });

  it("an aliased column leaves the condition of the others, and the order of rows matters to Durbin-Watson alone", () => {
    const x = [1, 2, 3, 5, 8, 13, 21, 34, 55];
    const y = [2, 1, 4, 3, 6, 5, 9, 7, 8];
    const plain = fitLm("y ~ x", table(y, { x }));
    const twice = fitLm("y ~ x + z", table(y, { x, z: x.map((v) => 2 * v) }));
    expect(twice.checks.conditionNumber).toBeCloseTo(plain.checks.conditionNumber, 9);
    const turned = fitLm("y ~ x", table([...y].reverse(), { x: [...x].reverse() }));
    expect(turned.checks.jarqueBera.statistic).toBeCloseTo(plain.checks.jarqueBera.statistic, 10);
    const order = [0, 4, 1, 5, 2, 6, 3, 7, 8];
    const shuffled = fitLm(
      "y ~ x",
      table(
        order.map((i) => y[i]!),
        { x: order.map((i) => x[i]!) },
      ),
    );
    expect(shuffled.checks.skew).toBeCloseTo(plain.checks.skew, 10);
    expect(shuffled.checks.durbinWatson).not.toBeCloseTo(plain.checks.durbinWatson, 3);
  });

  it("is written and read, printed without a robust covariance only", () => {
    const fit = fitCase(reference.cases.find(({ id }) => id === "ols-overlap")!);
    const json = JSON.parse(JSON.stringify(fit)) as LmJson;
    expect(json.checks.durbinWatson).toBe(fit.checks.durbinWatson);
    expect(reviveResult(json).toString()).toBe(fit.toString());
    expect(fit.toString()).toMatch(/skew 1\.030, kurtosis 10\.021/);
    expect(fit.toString()).toMatch(/Durbin-Watson 2\.296/);
    const robust = fitLm("disagree ~ min_accuracy", referenceTable(reference, "overlap"), { robust: "HC3" });
    expect(robust.toString()).not.toMatch(/Durbin/);
  });
});
