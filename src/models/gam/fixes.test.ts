import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fitCase, type GamCase, gamTable } from "../../../test/support/gam.ts";
import { expectClose } from "../../../test/support/oracle.ts";
import type { GamFit } from "./gam.ts";

interface FixedCase extends GamCase {
  readonly columns: Parameters<typeof gamTable>[1];
  readonly values: Parameters<typeof gamTable>[0];
}

const { cases }: { cases: FixedCase[] } = JSON.parse(
  readFileSync(new URL("../../../oracle/r/gam-fixes.json", import.meta.url), "utf8"),
);
const named = (start: string): [string, FixedCase][] =>
  cases.filter(({ id }) => id.startsWith(start)).map((one) => [`${one.id}: ${one.input.formula}`, one]);

function expectSameFit(fit: GamFit, { id, expected }: FixedCase): void {
  const near = (ours: ArrayLike<number>, theirs: ArrayLike<number>, label: string, tolerance: number): void =>
    expectClose(ours, theirs, { tolerance, floor: 1, label: `${id}: ${label}` });
  near(
    fit.smooths.map(({ edf }) => edf),
    expected.smooths.map(({ edf }: { edf: number }) => edf),
    "edf",
    1e-5,
  );
  near([fit.edf, fit.scale, fit.logLik], [expected.edf_total, expected.scale, expected.loglik], "fit", 1e-6);
  near(fit.fitted.subarray(0, 8), expected.fitted_head, "fitted", 1e-6);
  near([fit.criterion.value], [expected.criterion], "criterion", 1e-7);
  near([fit.df, fit.aic], [expected.loglik_df, expected.aic], "df, AIC", 1e-5);
  fit.smooths.forEach(({ sp, edges }, s) => {
    sp.forEach((value, j) => {
      const theirs = expected.smooths[s].sp[j];
      if (edges[j] === "none") near([Math.log(value)], [Math.log(theirs)], `log sp ${s}`, 1e-4);
    });
  });
}

describe("AIC of -1e25 for a skewed covariate whose penalty goes to infinity", () => {
  it.each(named("skewed"))("%s", (_, one) => {
    expectSameFit(fitCase(gamTable(one.values, one.columns), one), one);
  });
});

describe("a random slope of a number crashed beside a thin plate smooth", () => {
  it.each(named("slope"))("%s", (_, one) => {
    expectSameFit(fitCase(gamTable(one.values, one.columns), one), one);
  });
});

describe("another penalty than mgcv's with as many columns as distinct values", () => {
  it.each([...named("whole"), ...named("nearly")])("%s", (_, one) => {
    expectSameFit(fitCase(gamTable(one.values, one.columns), one), one);
  });
});

describe("a direction that the rows determine was called undetermined", () => {
  it.each(named("faint"))("%s", (_, one) => {
    const fit = fitCase(gamTable(one.values, one.columns), one);
    expect(fit.diagnostics.map(({ code }) => code)).not.toContain("NotIdentifiable");
    expectSameFit(fit, one);
  });
});

/** After REML, which column R drops changes with the order of the rows: only sums over the terms can be compared. */
describe("smooths that repeat one another have mgcv's fit", () => {
  it.each(named("aliased"))("%s", (_, one) => {
    const fit = fitCase(gamTable(one.values, one.columns), one);
    const { expected, input } = one;
    expect(fit.diagnostics.map(({ code }) => code)).toContain("NotIdentifiable");
    const totals = [expected.edf_total, expected.deviance, expected.scale];
    expectClose([fit.edf, fit.deviance, fit.scale], totals, { tolerance: 1e-6, label: "totals" });
    expectClose(fit.fitted.subarray(0, 8), expected.fitted_head, { tolerance: 1e-5, floor: 1, label: "fitted" });
    if (input["method"] === "GCV.Cp") expectSameFit(fit, one);
  });
});

it("has the cases that it is about", () => {
  expect(["skewed", "slope", "whole", "nearly", "faint", "aliased"].map((start) => named(start).length)).toEqual([
    4, 5, 14, 4, 1, 6,
  ]);
});
