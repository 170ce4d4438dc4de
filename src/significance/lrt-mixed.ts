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
import { selectRows, type Table } from "../data/table.ts";
import { buildDesign, type Design, noteDropped } from "../formula/design.ts";
import { parseFormula } from "../formula/parse.ts";
import type { SchemaOptions } from "../formula/schema.ts";
import type { Formula, RandomBlock } from "../formula/term.ts";
import { type FieldsOf, informationCriteria, makeSignature } from "../models/fit.ts";
import { prepareLm, solveLm } from "../models/lm.ts";
import { type Criterion, prepareLmm } from "../models/lmm-problem.ts";
import { solveLmm } from "../models/lmm-solve.ts";
import { singularTerms } from "../models/random.ts";
import { chiSquareSf } from "../numeric/dist/chi-square.ts";
import { type Matrix, selectColumns } from "../numeric/linalg/matrix.ts";
import { qr } from "../numeric/linalg/qr.ts";
import { note, warning } from "../result/diagnostic.ts";
import type { Display } from "../result/display.ts";
import { StatError } from "../result/error.ts";
import { type Diagnostic, makeResult } from "../result/result.ts";
import { type ComparedModel, modelTable, type NestedComparison, testTable } from "./lrt.ts";

export interface MixedComparison extends NestedComparison {
  readonly criterion: Criterion;
  /** Where exactly one variance is tested: p of the mixture ½χ²(df - 1) + ½χ²(df). */
  readonly mixture?: { readonly p: number };
}

export interface MixedCompareOptions extends SchemaOptions {
  /** "REML" compares restricted likelihoods; the fixed effects must then be the same. */
  readonly criterion?: Criterion;
}

/** Fits both formulas to the rows that are complete for both; the smaller model first. */
export function compareMixed(
  [small, large]: readonly [string | Formula, string | Formula],
  table: Table,
  options: MixedCompareOptions = {},
): MixedComparison {
  const { criterion = "ML", ...schema } = options;
  const { designs, rows } = commonDesigns([small, large], table, schema);
  const models = designs.map((design) => fitForTest(design, criterion)) as [Fitted, Fitted];
  checkComparable(models, criterion);
  const [m0, m1] = models;
  const chisq = 2 * (m1.logLik - m0.logLik);
  const df = m1.parameters - m0.parameters;
  const statistic = Math.max(0, chisq); // rounding may leave a difference of a few ulps below 0
  const added = m1.variances - m0.variances;
  const tail = (k: number) => (k === 0 ? Number(statistic === 0) : chiSquareSf(statistic, k));
  const p = tail(df);
  const fields: FieldsOf<MixedComparison> = {
    signature: makeSignature("lrt", rows, m1.design, { small: textOf(m0), large: textOf(m1), ...options }),
    diagnostics: [...diagnose(models, added), ...noteDropped(m1.design)],
    compared: "linear mixed models",
    models: [summarise(m0), summarise(m1)],
    nobs: m1.nobs,
    rowsDropped: table.rows - m1.design.rowsUsed.length,
    criterion,
    chisq,
    df,
    p,
    ...(added === 1 ? { mixture: { p: (tail(df - 1) + p) / 2 } } : {}),
  };
  return makeResult("lrt", fields, display);
}

/** Both designs over the same rows. */
function commonDesigns(
  [small, large]: readonly [string | Formula, string | Formula],
  table: Table,
  schema: SchemaOptions,
): { designs: readonly [Design, Design]; rows: Table } {
  const parse = (text: string | Formula) => (typeof text === "string" ? parseFormula(text) : text);
  const build = (rows: Table) =>
    [buildDesign(parse(small), rows, schema), buildDesign(parse(large), rows, schema)] as const;
  const first = build(table);
  const used = new Set(first[1].rowsUsed);
  const common = first[0].rowsUsed.filter((row) => used.has(row));
  const same = first.every(({ rowsUsed }) => rowsUsed.length === common.length);
  const rows = same ? table : selectRows(table, common);
  return { designs: same ? first : build(rows), rows };
}

interface Fitted {
  readonly design: Design;
  /** The estimable columns. */
  readonly X: Matrix;
  readonly logLik: number;
  readonly parameters: number;
  readonly variances: number;
  readonly nobs: number;
  readonly converged: boolean;
  readonly singular: boolean;
}

function fitForTest(design: Design, criterion: Criterion): Fitted {
  if (design.random.length === 0) return fitPlain(design, criterion);
  const problem = prepareLmm(design, { criterion });
  const solution = solveLmm(problem, design.y);
  const { structure, X, nobs } = problem;
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
  const { factor, rows, kept, rootWeights } = problem;
  const n = rows.length;
  const p = kept.length;
  let logDet = 0;
  for (let j = 0; j < p; j++) logDet += 2 * Math.log(Math.abs(factor.factor.data[j + j * factor.factor.rows]!));
  let logWeights = 0;
  if (rootWeights) for (const root of rootWeights) logWeights += 2 * Math.log(root);
  const k = criterion === "REML" ? n - p : n;
  const deviance = k * (1 + Math.log((2 * Math.PI * rss) / k)) - logWeights + (criterion === "REML" ? logDet : 0);
  const X = p === problem.X.cols ? problem.X : selectColumns(problem.X, kept);
  const parameters = p + 1;
  return { design, X, logLik: -deviance / 2, parameters, variances: 0, nobs: n, converged: true, singular: false };
}

function checkComparable([small, large]: readonly [Fitted, Fitted], criterion: Criterion): void {
  const fail = (message: string, fix: string): never => {
    throw new StatError("NotComparable", message, fix);
  };
  if (small.design.schema.formula.responseLabel !== large.design.schema.formula.responseLabel) {
    fail("the models have different responses.", "Write the same left-hand side in both formulas.");
  }
  if (large.parameters <= small.parameters) {
    const counts = `${large.parameters} parameters, the first ${small.parameters}`;
    fail(`the second model is not larger than the first (it has ${counts}).`, "Give the smaller model first.");
  }
  const contained = `${textOf(small)} is not contained in ${textOf(large)}`;
  const advice =
    "Add the missing terms to the larger model; models that are not nested can be compared by AIC or BIC only.";
  if (!spans(large.X, small.X)) fail(`the fixed part of ${contained}.`, advice);
  const missing = small.design.random.find((block) => !isCovered(block, large.design.random));
  if (missing) fail(`the random term of ${missing.group} in ${contained}.`, advice);
  if (criterion === "REML" && !spans(small.X, large.X)) {
    fail(
      "the models differ in their fixed effects, so their restricted likelihoods belong to different data.",
      "Compare them by ML, the default.",
    );
  }
}

/** Every column of the second matrix lies in the span of the first, whose columns are independent. */
function spans(wide: Matrix, narrow: Matrix): boolean {
  const data = new Float64Array(wide.data.length + narrow.data.length);
  data.set(wide.data);
  data.set(narrow.data, wide.data.length);
  return qr({ rows: wide.rows, cols: wide.cols + narrow.cols, data }).rank === qr(wide).rank;
}

/** The larger model has terms of the same grouping of the rows whose columns span those of the block. */
function isCovered(block: RandomBlock, others: readonly RandomBlock[]): boolean {
  const same = others.filter((other) => other === block || samePartition(block.index, other.index));
  const data = new Float64Array(same.reduce((sum, { Z }) => sum + Z.data.length, 0));
  let at = 0;
  for (const { Z } of same) {
    data.set(Z.data, at);
    at += Z.data.length;
  }
  const rows = block.Z.rows;
  return same.length > 0 && spans({ rows, cols: data.length / rows, data }, block.Z);
}

function samePartition(a: Int32Array, b: Int32Array): boolean {
  const toB = new Map<number, number>();
  const toA = new Map<number, number>();
  for (let i = 0; i < a.length; i++) {
    if ((toB.get(a[i]!) ?? b[i]!) !== b[i]! || (toA.get(b[i]!) ?? a[i]!) !== a[i]!) return false;
    toB.set(a[i]!, b[i]!);
    toA.set(b[i]!, a[i]!);
  }
  return true;
}

function diagnose(models: readonly [Fitted, Fitted], added: number): Diagnostic[] {
  const out: Diagnostic[] = [];
  if (added > 0) {
    const what = added === 1 ? "a variance is" : `${added} variances are`;
    out.push(
      note(
        "BoundaryTest",
        `${what} tested against 0, the end of its range: the chi-square p-value is too large (conservative).`,
        added === 1
          ? "The p-value of the 50:50 mixture of chi-square distributions is given beside it."
          : "Test one variance at a time, or use a parametric bootstrap.",
      ),
    );
  }
  for (const model of models) {
    if (model.singular) {
      out.push(note("Singular", `${textOf(model)}: a variance is 0 or a correlation ±1.`, "Simplify the random part."));
    }
    if (!model.converged) {
      const fix = "Rescale the covariates or simplify the random part; the test is not to be trusted.";
      out.push(warning("NotConverged", `${textOf(model)}: the fit did not converge.`, fix));
    }
  }
  return out;
}

const textOf = ({ design }: Fitted): string => design.schema.formula.text;

function summarise(model: Fitted): ComparedModel {
  const { logLik, parameters, nobs } = model;
  return {
    formula: textOf(model),
    df: parameters,
    logLik,
    deviance: -2 * logLik,
    ...informationCriteria(logLik, parameters, nobs),
  };
}

function display({
  nobs,
  rowsDropped,
  criterion,
  chisq,
  df,
  p,
  mixture,
  models,
  compared,
}: FieldsOf<MixedComparison>): Display {
  const boundary = mixture ? [["… with the variance on its boundary (50:50 mixture)", "", "", "", mixture.p]] : [];
  return {
    title: `Nested ${compared}`,
    summary: [`${rowsDropped === 0 ? nobs : `${nobs} of ${nobs + rowsDropped}`} rows, fitted by ${criterion}.`],
    tables: [testTable([["likelihood ratio", chisq, df, "", p], ...boundary]), modelTable(models)],
    notes: [],
  };
}
