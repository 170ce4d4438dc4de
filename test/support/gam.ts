/** Fits of additive models beside mgcv's, from files that share one shape: our oracle and the larger reference material. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { factorColumn, makeTable, numericColumn, selectRows, type Table } from "../../src/data/table.ts";
import { fitGam, type GamFit, type GamOptions } from "../../src/models/gam/gam.ts";
import { predictGam } from "../../src/models/gam/predict.ts";
import { expectClose } from "./oracle.ts";

type Cells = Readonly<Record<string, readonly (string | number)[]>>;

interface GamColumns {
  readonly [name: string]: { readonly type: string; readonly levels?: readonly string[] };
}

export interface GamCase {
  readonly id: string;
  readonly input: Readonly<Record<string, unknown>> & { readonly formula: string; readonly data: string };
  // biome-ignore lint/suspicious/noExplicitAny: R's answers, by its own names
  readonly expected: any;
}

interface Oracle {
  readonly datasets: { readonly d1: { readonly columns: GamColumns; readonly values: Cells } };
  readonly cases: readonly GamCase[];
}

const oracle: Oracle = JSON.parse(readFileSync(new URL("../../oracle/r/gam.json", import.meta.url), "utf8"));

export function gamTable(cells: Cells, columns: GamColumns): Table {
  return makeTable(
    Object.entries(columns).map(([name, { type, levels }]) => {
      const values = cells[name]!;
      const column =
        type === "numeric"
          ? numericColumn(values.map(Number))
          : factorColumn(values.map(String), levels === undefined ? {} : { levels: [...levels] });
      return [name, column];
    }),
  );
}

export function fitCase(table: Table, { input }: GamCase): GamFit {
  const { formula, family, link, method, select, weights, offset, gamma, sp } = input;
  const given = { family, link, select, weights, offset, gamma, sp };
  const options = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
  );
  return fitGam(formula, table, { ...options, method: method === "fREML" ? "REML" : method } as GamOptions);
}

/** A term with less is gone: what is left of its SE and test hangs on how far the search went towards infinity. */
const VANISHED = 1e-3;

/** What R's statistic and reference df mean is left to chance for a penalty at infinity; so is its smoothing parameter. */
const isVague = (fit: GamFit, s: number): boolean => fit.smooths[s]!.edges.some((edge) => edge !== "none");

export function expectAsMgcv(fit: GamFit, { id, expected }: GamCase): void {
  const near = (
    ours: ArrayLike<number>,
    theirs: ArrayLike<number>,
    label: string,
    tolerance: number,
    floor = 1,
  ): void => expectClose(ours, theirs, { tolerance, floor, label: `${id}: ${label}` });
  const sd = Math.sqrt(expected.null_deviance / expected.nobs);
  const tests = expected.smooth_tests;
  expect(fit.smooths.map(({ term }) => term)).toEqual(tests.label);
  near(
    fit.smooths.map(({ edf }) => edf),
    expected.smooths.map((s: { edf: number }) => s.edf),
    "edf",
    1e-4,
  );
  near([fit.edf, fit.devianceExplained], [expected.edf_total, expected.deviance_explained], "edf, D²", 1e-6);
  near([fit.adjustedRSquared, fit.scale], [expected.r_sq_adjusted, expected.scale], "R², scale", 1e-6, 1e-12);
  near([fit.logLik], [expected.loglik], "log-likelihood", 1e-7);
  near(
    [fit.fitted[0]! / sd, fit.fitted[7]! / sd],
    [expected.fitted_head[0] / sd, expected.fitted_head[7] / sd],
    "fitted",
    1e-5,
  );
  near(
    fit.coefficients.map(({ value }) => value),
    expected.parametric.estimate,
    "coefficients",
    1e-6,
  );
  near(
    fit.coefficients.map(({ se }) => se),
    expected.parametric.se,
    "SE",
    1e-6,
  );
  fit.smooths.forEach(({ sp, p, statistic, refDf, edf }, s) => {
    const label = `${id} ${tests.label[s]}`;
    const theirs = expected.smooths[s].sp;
    sp.forEach((value, j) => {
      if (fit.smooths[s]!.edges[j] === "none") near([Math.log(value)], [Math.log(theirs[j])], `${label} log sp`, 1e-4);
    });
    if (edf < VANISHED) return;
    // Davies' algorithm stops at 2e-5, and its error is mostly smaller
    near([p], [tests.p[s]], `${label} p`, 2e-5);
    if (!isVague(fit, s) || sp.length === 1)
      near([statistic, refDf], [tests.statistic[s], tests.ref_df[s]], `${label} test`, 5e-4);
  });
}

/** AIC and its df, which bam has by another formula. */
export function expectLikelihoodDf(fit: GamFit, { id, expected }: GamCase): void {
  expectClose([fit.df, fit.aic], [expected.loglik_df, expected.aic], { tolerance: 1e-5, label: `${id}: df, AIC` });
  expectClose([fit.criterion.value], [expected.criterion.value], {
    tolerance: 1e-7,
    floor: 1,
    label: `${id}: criterion`,
  });
}

export function expectPredictions(fit: GamFit, table: Table, { id, expected }: GamCase): void {
  const { link, se_link, response, terms, se_terms } = expected.predictions;
  const made = predictGam(fit, table, { terms: true });
  const near = (ours: ArrayLike<number>, theirs: ArrayLike<number>, label: string): void =>
    expectClose(ours, theirs, { tolerance: 1e-5, floor: 1, label: `${id}: ${label}` });
  near(made.eta, link, "link");
  near(made.se, se_link, "SE of link");
  near(made.value, response, "response");
  made.terms.forEach(({ term, effect, se }, s) => {
    const j = expected.predictions.term_names.indexOf(term);
    near(
      effect,
      terms.map((row: number[]) => row[j]!),
      term,
    );
    if (fit.smooths[s]!.edf < VANISHED) return;
    near(
      se,
      se_terms.map((row: number[]) => row[j]!),
      `SE of ${term}`,
    );
  });
}

/** The cases of oracle/r/gam.json, each as a test of its own. */
export function compareWithMgcv(chosen: (one: GamCase) => boolean): void {
  const { columns, values } = oracle.datasets.d1;
  const table = gamTable(values, columns);
  for (const one of oracle.cases.filter(chosen)) {
    it(`${one.id}: ${one.input.formula}`, () => {
      const fit = fitCase(table, one);
      if (one.id === "confounded") {
        // R leaves a column out, we spread the choice evenly: the same fit in other coordinates
        expectClose([fit.edf, fit.deviance], [one.expected.edf_total, one.expected.deviance], { tolerance: 1e-8 });
        expect(fit.diagnostics.map(({ code }) => code)).toContain("NotIdentifiable");
        return;
      }
      expectAsMgcv(fit, one);
      expectLikelihoodDf(fit, one);
      if (one.expected.predictions === null) return;
      expectPredictions(fit, selectRows(table, Int32Array.from(one.expected.rows)), one);
    });
  }
}
