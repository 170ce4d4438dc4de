/** Two nested models compared: likelihood-ratio test, for least squares the exact F test, for quasi-families the F test of deviances.
 *  W = 2 (ℓ₁ - ℓ₀) ~ χ²(k₁ - k₀);   F = ((RSS₀ - RSS₁)/q) / (RSS₁/(n - p₁)) ~ F(q, n - p₁);   quasi: F = ((D₀ - D₁)/q) / φ̂₁
 *  θ of the negative binomial and φ of beta are each model's own, as in anova.negbin of MASS and lrtest of betareg.
 *  Reference: Wilks (1938), Ann. Math. Stat. 9; McCullagh & Nelder (1989), Generalized Linear Models, 9.2; Riezler & Hagmann (2021), 4.3.
 *  Oracle:    anova and logLik (R), oracle/r/lm.json; anova of quasi and negative binomial fits, oracle/r/families.json.
 *  Limits:    both models must be fitted to the same rows; W's distribution is asymptotic, F's exact under normal errors only. */

import { selectRows, type Table } from "../../data/table.ts";
import type { Formula } from "../../formula/term.ts";
import { FAMILIES } from "../../models/family.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { fitGlm, type GlmFit, type GlmOptions } from "../../models/glm/glm.ts";
import { fitLm, type LmFit } from "../../models/lm/lm.ts";
import { chiSquareSf } from "../../numeric/dist/chi-square.ts";
import { fSf } from "../../numeric/dist/f.ts";
import { selectColumns } from "../../numeric/linalg/matrix.ts";
import { note } from "../../result/diagnostic.ts";
import type { Display, DisplayTable } from "../../result/display.ts";
import { formatNumber } from "../../result/number-format.ts";
import { type Diagnostic, makeResult, type Result, type ResultJson } from "../../result/result.ts";
import { formulaOf, type NestedModel, refuseComparison, refuseUnnested, testRows } from "./nesting.ts";
import { type LrtSeries, nullLaw } from "./null-law.ts";

export interface ComparedModel {
  readonly formula: string;
  readonly df: number;
  readonly logLik: number;
  readonly deviance: number;
  readonly aic: number;
  readonly bic: number;
}

export interface NestedComparison extends Result<"lrt"> {
  /** What was compared: "linear models", "binomial models (logit link)" … */
  readonly compared: string;
  readonly models: readonly [ComparedModel, ComparedModel];
  readonly nobs: number;
  /** Rows left out because either model lacks a value there. */
  readonly rowsDropped: number;
  /** NaN for quasi-families, which have no likelihood. */
  readonly chisq: number;
  readonly df: number;
  readonly p: number;
  /** For lm, exact where the errors are normal; for quasi-families. */
  readonly fTest?: { readonly statistic: number; readonly df1: number; readonly df2: number; readonly p: number };
  /** For pictures: the law of the statistic under the smaller model. */
  readonly series?: LrtSeries;
}

/** `method` is the likelihood of mixed and of categorical models. */
export interface LrtJson extends ResultJson<"lrt">, Omit<NestedComparison, keyof Result<"lrt">> {
  readonly method?: string;
  readonly mixture?: { readonly p: number };
  readonly thresholds?: readonly [string, string];
}

export interface NestedOptions extends GlmOptions {
  readonly model?: "lm" | "glm" | undefined;
}

/** Fits both formulas to the rows that are complete for both, then compares them. */
export function testNestedFormulas(
  [small, large]: readonly [string | Formula, string | Formula],
  table: Table,
  { model = "lm", ...options }: NestedOptions = {},
): NestedComparison {
  const fitBoth = (rows: Table) => {
    const fit = model === "lm" ? fitLm : fitGlm;
    return [fit(small, rows, options), fit(large, rows, options)] as const;
  };
  const first = fitBoth(table);
  const used = new Set(first[1].design.rowsUsed);
  const common = first[0].design.rowsUsed.filter((row) => used.has(row));
  if (first.every((fit) => fit.design.rowsUsed.length === common.length)) return testNested(...first);
  const result = testNested(...fitBoth(selectRows(table, common)));
  const lost = table.rows - common.length;
  const { kind: _, ...fields } = result;
  const message = `${lost} of ${table.rows} rows lack a value in one of the models and were left out of both.`;
  const told = note("RowsDropped", message, "fill in the missing values to keep these rows.");
  return makeResult(
    "lrt",
    { ...fields, rowsDropped: lost, diagnostics: [...result.diagnostics, told] },
    displayComparison,
  );
}

/** The smaller model first. */
export function testNested(small: LmFit | GlmFit, large: LmFit | GlmFit): NestedComparison {
  checkComparable(small, large);
  const df = large.df - small.df;
  const chisq = 2 * (large.logLik - small.logLik);
  const fields = {
    signature: {
      ...large.signature,
      method: "lrt",
      options: { small: small.signature.options, large: large.signature.options },
    },
    diagnostics: [...sharedDiagnostics(small, large), ...ownShapes(small, large), ...noRatio(large)],
    compared: large.kind === "lm" ? "linear models" : `${large.family} models (${large.link} link)`,
    models: [summarise(small), summarise(large)] as const,
    nobs: large.nobs,
    rowsDropped: large.design.dropped.rows,
    chisq,
    df,
    // rounding may leave a difference of a few ulps below 0
    p: chiSquareSf(Math.max(0, chisq), df),
    ...partialF(small, large),
  };
  return makeResult("lrt", { ...fields, ...nullLaw(fields) }, displayComparison);
}

function partialF(small: LmFit | GlmFit, large: LmFit | GlmFit): Pick<NestedComparison, "fTest"> {
  if (large.kind === "glm" && FAMILIES[large.family].hasLikelihood) return {};
  const df1 = small.residualDf - large.residualDf;
  const gain = Math.max(0, misfit(small) - misfit(large));
  const scale = large.kind === "lm" ? large.residualSumOfSquares / large.residualDf : large.dispersion;
  const statistic = scale > 0 ? gain / df1 / scale : Number.NaN;
  return { fTest: { statistic, df1, df2: large.residualDf, p: fSf(statistic, df1, large.residualDf) } };
}

const misfit = (fit: LmFit | GlmFit): number => (fit.kind === "lm" ? fit.residualSumOfSquares : fit.deviance);

function checkComparable(small: LmFit | GlmFit, large: LmFit | GlmFit): void {
  if (small.kind !== large.kind)
    refuseComparison(`cannot compare ${small.kind} with ${large.kind}.`, "Fit both models in the same way.");
  if (small.kind === "glm" && large.kind === "glm" && (small.family !== large.family || small.link !== large.link)) {
    refuseComparison(
      `the models differ in family or link (${small.family}/${small.link}, ${large.family}/${large.link}).`,
      "Fit both with the same family and link.",
    );
  }
  if ((small.kind === "glm" && small.firth) || (large.kind === "glm" && large.firth)) {
    refuseComparison(
      "penalised likelihoods of models with different terms are not comparable.",
      "Read the tests of the coefficients, or fit without firth.",
    );
  }
  const nested = ({ design, kept, df }: LmFit | GlmFit): NestedModel => ({
    design,
    X: selectColumns(design.X, kept),
    parameters: df,
  });
  refuseUnnested(nested(small), nested(large));
}

/** What was said of either fit matters for the comparison too; the same sentence once. */
function sharedDiagnostics(small: LmFit | GlmFit, large: LmFit | GlmFit): Diagnostic[] {
  const told = [...small.diagnostics, ...large.diagnostics].filter(({ code }) => code !== "NoLikelihood");
  const all = new Map(told.map((d) => [d.code + d.message, d]));
  const robust = small.robust !== "none" || large.robust !== "none";
  const ignored = note(
    "RobustIgnored",
    "robust or cluster-robust covariances do not enter a likelihood-ratio test.",
    "For clustered rows use a mixed model, or the Wald tests of a fit with `cluster`.",
  );
  return robust ? [...all.values(), ignored] : [...all.values()];
}

function noRatio(large: LmFit | GlmFit): Diagnostic[] {
  if (large.kind === "lm" || FAMILIES[large.family].hasLikelihood) return [];
  const message = `${large.family} has no likelihood: F compares the deviances, scaled by the larger model's dispersion.`;
  return [note("NoLikelihood", message, "Log-likelihoods, AIC and BIC are undefined; read the F test.")];
}

/** θ or φ is estimated in each model, as anova.negbin does; R's test of one model's terms holds it instead. */
function ownShapes(small: LmFit | GlmFit, large: LmFit | GlmFit): Diagnostic[] {
  if (small.kind === "lm" || large.kind === "lm" || !small.shape || !large.shape) return [];
  const [symbol, of] = small.shape.name === "theta" ? ["θ", "anova.negbin"] : ["φ", "lrtest of betareg"];
  const found = `${formatNumber(small.shape.value)} and ${formatNumber(large.shape.value)}`;
  const message = `each model has its own ${symbol} (${found}), as in ${of}: the test is the ratio of both maximised likelihoods.`;
  return [note("OwnShapes", message, "")];
}

function summarise(fit: LmFit | GlmFit): ComparedModel {
  return {
    formula: formulaOf(fit),
    df: fit.df,
    logLik: fit.logLik,
    deviance: misfit(fit),
    aic: fit.aic,
    bic: fit.bic,
  };
}

/** Of models with random effects, which have no F. */
export function displayNested(
  {
    nobs,
    rowsDropped,
    models,
    compared,
    ...tested
  }: FieldsOf<NestedComparison> & { readonly mixture?: { readonly p: number } },
  method: string,
): Display {
  return {
    title: `Nested ${compared}`,
    summary: [`${rowsDropped === 0 ? nobs : `${nobs} of ${nobs + rowsDropped}`} rows, fitted by ${method}.`],
    tables: [testTable(testRows(tested)), modelTable(models)],
    notes: [],
  };
}

function displayComparison(result: FieldsOf<NestedComparison>): Display {
  const { chisq, df, p, fTest, models, nobs, rowsDropped } = result;
  const quasi = Number.isNaN(chisq) && fTest !== undefined;
  const name = quasi ? "F (scaled deviance)" : "F (exact for normal errors)";
  const exact = fTest ? [[name, fTest.statistic, fTest.df1, fTest.df2, fTest.p]] : [];
  const ratio = quasi ? [] : [["likelihood ratio", chisq, df, "", p]];
  return {
    title: `Nested ${result.compared}`,
    summary: [rowsDropped === 0 ? `${nobs} rows.` : `${nobs} of ${nobs + rowsDropped} rows.`],
    tables: [testTable([...exact, ...ratio]), modelTable(models)],
    notes: [],
  };
}

/** One row per test: name, statistic, df, residual df, p. */
function testTable(rows: readonly (readonly (string | number)[])[]): DisplayTable {
  const head = ["test", "statistic", "df", "residual df", "p"];
  return { head, formats: ["text", "statistic", "df", "df", "p"], rows };
}

function modelTable(models: readonly ComparedModel[]): DisplayTable {
  return {
    head: ["model", "parameters", "log-lik.", "deviance", "AIC", "BIC"],
    formats: ["text", "integer", "statistic", "number", "statistic", "statistic"],
    rows: models.map((m) => [m.formula, m.df, m.logLik, m.deviance, m.aic, m.bic]),
  };
}
