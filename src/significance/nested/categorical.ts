/** Likelihood-ratio test of two nested clm, clmm or glmm; the smaller one may lack the random effects.
 *
 *      W = 2 (ℓ₁ - ℓ₀) ~ χ²(k₁ - k₀)
 *
 *  Nested may be the fixed effects, the random terms, the thresholds (equidistant within symmetric within flexible), or several
 *  of them at once. Where the smaller model sets one variance to 0, W is ½χ²(k - 1) + ½χ²(k), given beside the plain p-value.
 *  Reference: Wilks (1938), Ann. Math. Stat. 9; Self & Liang (1987), JASA 82; Christensen (2018), Cumulative Link Models, 3.2.
 *  Oracle:    anova and logLik of ordinal and lme4 (R), oracle/r/categorical-inference.json.
 *  Limits:    likelihoods of Laplace's approximation and of quadrature are not compared with each other. Nesting of the random
 *             parts is checked by their columns in each grouping factor, not by their correlations. */

import type { Table } from "../../data/table.ts";
import { parseFormula } from "../../formula/parse/parse.ts";
import { SCHEMA_OPTIONS, type SchemaOptions } from "../../formula/schema.ts";
import type { Formula } from "../../formula/term.ts";
import { FAMILIES } from "../../models/family.ts";
import type { FieldsOf } from "../../models/fit.ts";
import { fitGlm, type GlmFit } from "../../models/glm/glm.ts";
import type { GlmmFamily, GlmmLink } from "../../models/glm/laplace-rows.ts";
import { fitGlmm, type GlmmFit } from "../../models/glmm/glmm.ts";
import { type ClmFit, fitClm } from "../../models/ordinal/clm.ts";
import { type ClmmFit, fitClmm } from "../../models/ordinal/clmm.ts";
import type { CumulativeLink } from "../../models/ordinal/cumulative-link.ts";
import { makeThresholds, type ThresholdKind } from "../../models/ordinal/thresholds.ts";
import { type Matrix, selectColumns, zeros } from "../../numeric/linalg/matrix.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { note } from "../../result/diagnostic.ts";
import type { Display } from "../../result/display.ts";
import { StatError } from "../../result/error.ts";
import { type Diagnostic, makeResult } from "../../result/result.ts";
import { type ComparedModel, displayNested, type NestedComparison } from "./nested.ts";
import {
  boundaryNote,
  boundaryTest,
  commonDesigns,
  formulaOf,
  type NestedModel,
  refuseComparison,
  refuseUnnested,
  spans,
} from "./nesting.ts";
import { nullLaw } from "./null-law.ts";

export interface CategoricalComparison extends NestedComparison {
  /** "ML", "Laplace" or "AGQ (9 points)". */
  readonly method: string;
  /** Where exactly one variance is tested: p of the mixture ½χ²(df - 1) + ½χ²(df). */
  readonly mixture?: { readonly p: number };
  /** Of ordinal models. */
  readonly thresholds?: readonly [ThresholdKind, ThresholdKind];
}

export interface NestedCategoricalOptions extends SchemaOptions {
  readonly model: "clm" | "clmm" | "glmm";
  /** Of a glmm; default binomial. */
  readonly family?: GlmmFamily | undefined;
  readonly link?: GlmmLink | undefined;
  /** Of both ordinal models, or the smaller model's first. */
  readonly threshold?: ThresholdKind | readonly [ThresholdKind, ThresholdKind] | undefined;
  readonly nAGQ?: number | undefined;
}

/** A model of ratings or counts; clm and glm are the ones without random effects. */
export type ComparableFit = ClmFit | ClmmFit | GlmmFit | GlmFit;

const TEST_NESTED_CATEGORICAL_OPTIONS = {
  model: true,
  family: true,
  link: true,
  threshold: true,
  nAGQ: true,
  ...SCHEMA_OPTIONS,
} as const satisfies Record<keyof NestedCategoricalOptions, true>;

/** Fits both formulas to the rows that are complete for both; the smaller model first. */
export function testNestedCategorical(
  texts: readonly [string | Formula, string | Formula],
  table: Table,
  options: NestedCategoricalOptions,
): CategoricalComparison {
  refuseUnknownNames("testNestedCategorical", options, TEST_NESTED_CATEGORICAL_OPTIONS);
  const { model: _m, family: _f, link: _l, threshold = "flexible", nAGQ: _n, ...schema } = options;
  const pair = typeof threshold === "string" ? ([threshold, threshold] as const) : threshold;
  const formulas = texts.map((text) => (typeof text === "string" ? parseFormula(text) : text)) as [Formula, Formula];
  refuseNoRandom(formulas, options.model);
  const { rows } = commonDesigns(formulas, table, schema);
  const [small, large] = formulas.map((formula, i) => fitOne(formula, rows, { ...options, threshold: pair[i]! }));
  const lost = table.rows - large!.design.rowsUsed.length;
  const result = testNestedFits(small!, large!);
  if (rows === table) return result;
  const { kind: _, ...fields } = result;
  const message = `${lost} of ${table.rows} rows lack a value in one of the models and were left out of both.`;
  const told = note("RowsDropped", message, "fill in the missing values to keep these rows.");
  return makeResult("lrt", { ...fields, rowsDropped: lost, diagnostics: [...result.diagnostics, told] }, display);
}

/** A clmm or glmm in which neither formula has a random term was not meant. */
function refuseNoRandom(formulas: readonly Formula[], model: string): void {
  if (model === "clm" || formulas.some(({ random }) => random.length > 0)) return;
  const plain = model === "clmm" ? "clm" : "glm";
  const message = `${model}: neither formula has a random term.`;
  throw new StatError("NoRandomTerm", message, `Add one, such as (1 | item), or compare as ${plain}.`);
}

type OneModel = NestedCategoricalOptions & { readonly threshold: ThresholdKind };

function fitOne(formula: Formula, table: Table, options: OneModel): ComparableFit {
  const { model, family = "binomial", link, threshold, nAGQ = 1, ...schema } = options;
  const mixed = formula.random.length > 0;
  if (model === "glmm") {
    const own = { ...schema, family, link };
    return mixed ? fitGlmm(formula, table, { ...own, nAGQ }) : fitGlm(formula, table, own);
  }
  const own = { ...schema, threshold, link: link as CumulativeLink | undefined };
  return mixed && model === "clmm" ? fitClmm(formula, table, { ...own, nAGQ }) : fitClm(formula, table, own);
}

/** The smaller model first. */
export function testNestedFits(small: ComparableFit, large: ComparableFit): CategoricalComparison {
  checkComparable(small, large);
  const chisq = 2 * (large.logLik - small.logLik);
  const df = large.df - small.df;
  const added = varianceCount(large) - varianceCount(small);
  const fields: FieldsOf<CategoricalComparison> = {
    signature: {
      ...large.signature,
      method: "lrt",
      options: { small: small.signature.options, large: large.signature.options },
    },
    diagnostics: [...boundaryNote(added), ...sharedDiagnostics(small, large)],
    compared: describe(large),
    models: [summarise(small, large), summarise(large, small)],
    nobs: large.nobs,
    rowsDropped: large.design.dropped.rows,
    method: methodOf(large),
    ...(isOrdinal(small) && isOrdinal(large) ? { thresholds: [small.threshold, large.threshold] as const } : {}),
    chisq,
    df,
    ...boundaryTest(chisq, df, added),
  };
  return makeResult("lrt", { ...fields, ...nullLaw(fields) }, display);
}

const isOrdinal = (fit: ComparableFit): fit is ClmFit | ClmmFit => fit.kind === "clm" || fit.kind === "clmm";
const isMixed = (fit: ComparableFit): fit is ClmmFit | GlmmFit => fit.kind === "clmm" || fit.kind === "glmm";

/** Diagonal entries of θ. */
const varianceCount = (fit: ComparableFit): number =>
  isMixed(fit) ? fit.variances.reduce((sum, { names }) => sum + names.length, 0) : 0;

function describe(fit: ComparableFit): string {
  const kind = isMixed(fit) ? "mixed models" : "models";
  return isOrdinal(fit) ? `cumulative link ${kind} (${fit.link} link)` : `${fit.family} ${kind} (${fit.link} link)`;
}

function methodOf(fit: ComparableFit): string {
  if (!isMixed(fit)) return "ML";
  return fit.nAGQ === 1 ? "Laplace" : `AGQ (${fit.nAGQ} points)`;
}

function checkComparable(small: ComparableFit, large: ComparableFit): void {
  if (isOrdinal(small) !== isOrdinal(large) || (isMixed(small) && !isMixed(large))) {
    const advice = "Fit both models in the same way, the smaller one first.";
    refuseComparison(`cannot compare ${small.kind} with ${large.kind}.`, advice);
  }
  checkSettings(small, large);
  const nested = (fit: ComparableFit): NestedModel => ({ design: fit.design, X: columnsOf(fit), parameters: fit.df });
  refuseUnnested(nested(small), nested(large));
}

/** Links, families, quadrature and thresholds. */
function checkSettings(small: ComparableFit, large: ComparableFit): void {
  if (small.link !== large.link) {
    refuseComparison(`the models have different links (${small.link}, ${large.link}).`, "Fit both with the same link.");
  }
  if (!isOrdinal(small) && !isOrdinal(large) && small.family !== large.family) {
    refuseComparison(
      `the models differ in family (${small.family}, ${large.family}).`,
      "Fit both with the same family.",
    );
  }
  refuseOtherLikelihoods(small, large);
  if (isMixed(small) && isMixed(large) && small.nAGQ !== large.nAGQ) {
    const found = `${methodOf(small)}, ${methodOf(large)}`;
    refuseComparison(`the likelihoods are approximated in different ways (${found}).`, "Fit both with the same nAGQ.");
  }
  if (!isOrdinal(small) || !isOrdinal(large)) return;
  if (small.levels.join("|") !== large.levels.join("|")) {
    refuseComparison("the models were fitted to different categories.", "Fit both to the same rows.");
  }
  const [A0, A1] = [small, large].map(({ threshold, levels }) => makeThresholds(threshold, levels).A) as [
    Matrix,
    Matrix,
  ];
  if (!spans(A1, A0)) {
    refuseComparison(
      `${small.threshold} thresholds are not a special case of ${large.threshold} ones.`,
      "Equidistant lie within symmetric, and these within flexible ones; give the smaller model first.",
    );
  }
}

/** A glm without a likelihood, or with a penalised one. */
function refuseOtherLikelihoods(small: ComparableFit, large: ComparableFit): void {
  const odd = [small, large].find((fit) => fit.kind === "glm" && (fit.firth || !FAMILIES[fit.family].hasLikelihood));
  if (odd?.kind !== "glm") return;
  if (odd.firth)
    refuseComparison("penalised likelihoods of models with different terms are not comparable.", "Fit without firth.");
  refuseComparison(
    `${odd.family} models have no likelihood to compare.`,
    "Use testNested, which compares their deviances by F.",
  );
}

/** The estimable columns; thresholds are an intercept. */
function columnsOf(fit: ComparableFit): Matrix {
  const own = selectColumns(fit.design.X, fit.kept);
  if (!isOrdinal(fit)) return own;
  const out = zeros(own.rows, own.cols + 1);
  out.data.fill(1, 0, own.rows);
  out.data.set(own.data, own.rows);
  return out;
}

/** What was said of either fit matters for the comparison too; the same sentence once. */
function sharedDiagnostics(small: ComparableFit, large: ComparableFit): Diagnostic[] {
  return [...new Map([...small.diagnostics, ...large.diagnostics].map((d) => [d.code + d.message, d])).values()];
}

/** The formula, with the thresholds where they differ. */
function summarise(fit: ComparableFit, other: ComparableFit): ComparedModel {
  const { df, logLik, aic, bic } = fit;
  const differ = isOrdinal(fit) && isOrdinal(other) && fit.threshold !== other.threshold;
  const formula = differ ? `${formulaOf(fit)} (${fit.threshold} thresholds)` : formulaOf(fit);
  return { formula, df, logLik, deviance: -2 * logLik, aic, bic };
}

const display = (result: FieldsOf<CategoricalComparison>): Display => displayNested(result, result.method);
