/** Likelihood-ratio test of two nested linear mixed models, the smaller of which may have no random effects at all.
 *
 *      W = 2 (ℓ₁ - ℓ₀) ~ χ²(k₁ - k₀)
 *
 *  Both models are fitted by ML. With criterion "REML" the restricted likelihoods are compared, which is only meaningful when the
 *  fixed effects are the same. Where the smaller model sets a variance to 0, its value lies on the boundary: W is then
 *  a mixture and the plain p-value too large. For one variance (with c covariances) it is ½χ²(k - 1) + ½χ²(k), given beside it.
 *  Reference: Wilks (1938), Ann. Math. Stat. 9; Self & Liang (1987), JASA 82; Stram & Lee (1994), Biometrics 50.
 *  Oracle:    anova of lme4 (R), oracle/r/lmm-inference.json.
 *  Limits:    nesting of the random parts is checked by their columns in each grouping factor, not by their correlations. */

import type { Table } from "../../data/table.ts";
import { buildDesign, type Design, noteDropped } from "../../formula/design.ts";
import { parseFormula } from "../../formula/parse/parse.ts";
import { SCHEMA_OPTIONS, type SchemaOptions } from "../../formula/schema.ts";
import type { Formula } from "../../formula/term.ts";
import { type FieldsOf, informationCriteria, makeSignature } from "../../models/fit.ts";
import { prepareLm, solveLm } from "../../models/lm/lm.ts";
import { type LmmFit, refuseCategories, reopenLmm } from "../../models/lmm/lmm.ts";
import { type Criterion, type LmmProblem, prepareLmm } from "../../models/lmm/problem.ts";
import { type LmmSolution, solveLmm } from "../../models/lmm/solve.ts";
import { singularTerms } from "../../models/random/random.ts";
import { selectColumns } from "../../numeric/linalg/matrix.ts";
import { refuseUnknownNames } from "../../question/refuse.ts";
import { note, warning } from "../../result/diagnostic.ts";
import type { Display } from "../../result/display.ts";
import { type Diagnostic, makeResult, type Published } from "../../result/result.ts";
import { type ComparedModel, displayNested, type LrtJson, type NestedComparison } from "./nested.ts";
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

export interface MixedComparison extends NestedComparison {
  readonly criterion: Criterion;
  /** Where exactly one variance is tested: p of the mixture ½χ²(df - 1) + ½χ²(df). */
  readonly mixture?: { readonly p: number };
}

export interface NestedMixedOptions extends SchemaOptions {
  /** "REML" compares restricted likelihoods; the fixed effects must then be the same. */
  readonly criterion?: Criterion | undefined;
}

const CATEGORIES_ADVICE =
  "Compare models of levels in order with option `model: clmm`, of two levels with option `model: glmm`; or give a numeric column.";

const TEST_NESTED_MIXED_OPTIONS = {
  criterion: true,
  ...SCHEMA_OPTIONS,
} as const satisfies Record<keyof NestedMixedOptions, true>;

/** Fits both formulas to the rows that are complete for both; the smaller model first. */
export function testNestedMixed(
  [small, large]: readonly [string | Formula, string | Formula],
  table: Table,
  options: NestedMixedOptions = {},
): MixedComparison {
  refuseUnknownNames("testNestedMixed", options, TEST_NESTED_MIXED_OPTIONS);
  const { criterion = "ML", ...schema } = options;
  const { designs, rows } = commonDesigns([small, large], table, schema);
  for (const design of designs) refuseCategories(design, CATEGORIES_ADVICE);
  const models = designs.map((design) => fitForTest(design, criterion)) as [Fitted, Fitted];
  checkComparable(models, criterion);
  const [m0, m1] = models;
  const { chisq, df, added } = ratioOf(m0, m1);
  const fields: FieldsOf<MixedComparison> = {
    signature: makeSignature("lrt", rows, m1.design, { small: formulaOf(m0), large: formulaOf(m1), ...options }),
    diagnostics: [...diagnose(models, added), ...noteDropped(m1.design)],
    compared: "linear mixed models",
    models: [summarise(m0), summarise(m1)],
    nobs: m1.nobs,
    rowsDropped: table.rows - m1.design.rowsUsed.length,
    criterion,
    chisq,
    df,
    ...boundaryTest(chisq, df, added),
  };
  return makeResult("lrt", { ...fields, ...nullLaw(fields) }, { display, json: mixedJson });
}

const ratioOf = (m0: Fitted, m1: Fitted) => ({
  chisq: 2 * (m1.logLik - m0.logLik),
  df: m1.parameters - m0.parameters,
  added: m1.variances - m0.variances,
});

/** Ratios of models by ML that are nested as they are written, on rows that are complete for all of them; each is fitted once. Models that
 *  were fitted to these rows already lend their cross products, and their variances to begin with. */
export function nestedRatios(
  table: Table,
  known: readonly LmmFit[] = [],
): (small: string, large: string) => { chisq: number; df: number; p: number } {
  const fits = new Map<string, Fitted>();
  const fitOf = (text: string): Fitted => {
    const same = known.find(({ design }) => design.schema.formula.text === text);
    const own =
      fits.get(text) ?? (same ? refitForTest(same) : fitForTest(buildDesign(parseFormula(text), table), "ML"));
    fits.set(text, own);
    return own;
  };
  return (small, large) => {
    const { chisq, df, added } = ratioOf(fitOf(small), fitOf(large));
    return { chisq, df, p: boundaryTest(chisq, df, added).p };
  };
}

interface Fitted extends NestedModel {
  readonly logLik: number;
  readonly variances: number;
  readonly nobs: number;
  readonly converged: boolean;
  readonly singular: boolean;
}

function fitForTest(design: Design, criterion: Criterion): Fitted {
  if (design.random.length === 0) return fitPlain(design, criterion);
  const problem = prepareLmm(design, { criterion });
  return fittedOf(problem, solveLmm(problem, design.y));
}

/** A fit of the same model, by ML. */
function refitForTest(fit: LmmFit): Fitted {
  const { problem, solution } = reopenLmm(fit);
  const byMl = { ...problem, criterion: "ML" as const };
  return fittedOf(byMl, solveLmm(byMl, solution.response, { start: solution.theta }));
}

function fittedOf(problem: LmmProblem, solution: LmmSolution): Fitted {
  const { structure, X, nobs, design } = problem;
  return {
    design,
    X,
    logLik: solution.logLik,
    parameters: X.cols + structure.term.length + 1,
    variances: structure.lower.filter((bound) => bound === 0).length,
    nobs,
    converged: solution.converged,
    singular: singularTerms(structure, solution.theta).length > 0,
  };
}

/** Least squares, as the mixed model without random effects. */
function fitPlain(design: Design, criterion: Criterion): Fitted {
  const problem = prepareLm(design);
  const { rss } = solveLm(problem, design.y);
  const { triangle, rows, kept, rootWeights } = problem;
  const n = rows.length;
  const p = kept.length;
  let logDet = 0;
  for (let j = 0; j < p; j++) logDet += 2 * Math.log(Math.abs(triangle.data[j + j * p]!));
  let logWeights = 0;
  if (rootWeights) for (const root of rootWeights) logWeights += 2 * Math.log(root);
  const k = criterion === "REML" ? n - p : n;
  const deviance = k * (1 + Math.log((2 * Math.PI * rss) / k)) - logWeights + (criterion === "REML" ? logDet : 0);
  const X = p === problem.X.cols ? problem.X : selectColumns(problem.X, kept);
  const parameters = p + 1;
  return { design, X, logLik: -deviance / 2, parameters, variances: 0, nobs: n, converged: true, singular: false };
}

function checkComparable([small, large]: readonly [Fitted, Fitted], criterion: Criterion): void {
  refuseUnnested(small, large);
  if (criterion !== "REML" || spans(small.X, large.X)) return;
  const message = "the models differ in their fixed effects, so their restricted likelihoods belong to different data.";
  refuseComparison(message, "Compare them by ML, the default.");
}

function diagnose(models: readonly [Fitted, Fitted], added: number): Diagnostic[] {
  const out = boundaryNote(added);
  for (const model of models) {
    if (model.singular) {
      out.push(
        note("Singular", `${formulaOf(model)}: a variance is 0 or a correlation ±1.`, "Simplify the random part."),
      );
    }
    if (!model.converged) {
      const fix = "Rescale the covariates or simplify the random part; the test is not to be trusted.";
      out.push(warning("NotConverged", `${formulaOf(model)}: the fit did not converge.`, fix));
    }
  }
  return out;
}

function summarise(model: Fitted): ComparedModel {
  const { logLik, parameters, nobs } = model;
  return {
    formula: formulaOf(model),
    df: parameters,
    logLik,
    deviance: -2 * logLik,
    ...informationCriteria(logLik, parameters, nobs),
  };
}

const display = (result: FieldsOf<MixedComparison>): Display => displayNested(result, result.criterion);

function mixedJson({
  signature: _,
  diagnostics: __,
  criterion,
  ...own
}: FieldsOf<MixedComparison>): Published<LrtJson> {
  return { ...own, method: criterion };
}
