/** The public API of Assay, and the only file that re-exports. */

export { type ColumnSummary, describeTable, type FactorSummary, type NumericSummary } from "./data/describe.ts";
export { fingerprint } from "./data/fingerprint.ts";
export { type Aggregate, aggregate } from "./data/group.ts";
export { type Joined, type JoinOptions, join } from "./data/join.ts";
export { type LongerOptions, pivotLonger, pivotWider, type WiderOptions } from "./data/reshape.ts";
// tables
export {
  asFactor,
  asNumeric,
  type Column,
  column,
  concatRows,
  dropMissing,
  type FactorColumn,
  type FactorOptions,
  factorColumn,
  makeTable,
  type NumericColumn,
  numericColumn,
  relevel,
  renameColumn,
  selectColumns,
  selectRows,
  sortBy,
  type Table,
  uniqueRows,
  withColumn,
} from "./data/table.ts";
export { buildDesign, type Design, type DesignOptions, makeDesign } from "./formula/design.ts";
export { evaluateExpression, filterRows, mutateTable, parseExpression } from "./formula/expression.ts";
export { parseFormula, printFormula } from "./formula/parse.ts";
export { learnSchema, type Schema, type SchemaOptions } from "./formula/schema.ts";
// formulas and designs
export type { Contrast, Expression, Formula } from "./formula/term.ts";
// files
export { type CsvOptions, type CsvReader, type CsvReading, createCsvReader, readCsv } from "./io/csv.ts";
export { MISSING_VALUES } from "./io/csv-missing.ts";
export { type Description, describeImported } from "./io/describe.ts";
export { detectFormat } from "./io/detect.ts";
export { importFiles } from "./io/import-file.ts";
export { FORMATS, type Format, type Imported, type ImportOptions, type InputFile, type Roles } from "./io/imported.ts";
export { readJson } from "./io/json.ts";
export { readJsonl } from "./io/jsonl.ts";
export { readParquet } from "./io/parquet.ts";
export { writeCsv } from "./io/write-csv.ts";
export { type ClmFit, type ClmOptions, fitClm } from "./models/clm.ts";
export { type ClmmFit, type ClmmOptions, fitClmm } from "./models/clmm.ts";
export { type ClmmProblem, type ClmmSolution, prepareClmm, solveClmm } from "./models/clmm-solve.ts";
export type { FamilyName } from "./models/family.ts";
export {
  fitGlm,
  type GlmFit,
  type GlmOptions,
  type GlmProblem,
  type GlmSolution,
  prepareGlm,
  solveGlm,
} from "./models/glm.ts";
export { fitGlmm, type GlmmFit, type GlmmOptions } from "./models/glmm.ts";
export { simulateGlmm } from "./models/glmm-simulate.ts";
export { type GlmmProblem, type GlmmSolution, prepareGlmm, solveGlmm } from "./models/glmm-solve.ts";
export { type LeaveOneOut, leaveOneOut, leverage } from "./models/leave-one-out.ts";
export type { LinkName } from "./models/link.ts";
// models
export { fitLm, type LmFit, type LmOptions, type LmProblem, type LmSolution, prepareLm, solveLm } from "./models/lm.ts";
export { type Ddf, fitLmm, type LmmFit, type LmmOptions } from "./models/lmm.ts";
export type { BootstrapInterval, BootstrapOptions, LmmBootstrap } from "./models/lmm-bootstrap.ts";
export { bootstrapIntervals, profileIntervals, reopenLmm } from "./models/lmm-intervals.ts";
export { lmmObjective } from "./models/lmm-objective.ts";
export { type Criterion, type LmmProblem, prepareLmm } from "./models/lmm-problem.ts";
export type { ProfileInterval, ProfileOptions } from "./models/lmm-profile.ts";
export { type LmmParameters, simulateInto, simulateLmm } from "./models/lmm-simulate.ts";
export { type LmmSolution, solveLmm } from "./models/lmm-solve.ts";
export { categoryProbabilities, comparePredictors, predictClm } from "./models/ordinal-probabilities.ts";
export { simulateClmm } from "./models/ordinal-simulate.ts";
export { type Prediction, type PredictOptions, predict } from "./models/predict.ts";
export { checkProportionalOdds } from "./models/proportional-odds.ts";
export { type RobustCovariance, type RobustType, robustCovariance, type WorkingModel } from "./models/sandwich.ts";
export * from "./numeric/dist/beta.ts";
export * from "./numeric/dist/binomial.ts";
export * from "./numeric/dist/chi-square.ts";
export * from "./numeric/dist/exponential.ts";
export * from "./numeric/dist/f.ts";
export * from "./numeric/dist/gamma.ts";
export * from "./numeric/dist/hypergeometric.ts";
export * from "./numeric/dist/laplace.ts";
export * from "./numeric/dist/logistic.ts";
export * from "./numeric/dist/noncentral-chi-square.ts";
export * from "./numeric/dist/noncentral-f.ts";
export * from "./numeric/dist/noncentral-t.ts";
export * from "./numeric/dist/normal.ts";
export * from "./numeric/dist/poisson.ts";
export * from "./numeric/dist/studentized-range.ts";
export * from "./numeric/dist/t.ts";
// numbers
export type { Matrix } from "./numeric/linalg/matrix.ts";
export { makeRng, type Rng, type RngState, resumeRng } from "./numeric/rng.ts";
export { describeDiagnostic } from "./result/diagnostic.ts";
export type { CellFormat, Display, DisplayItem, DisplaySection, DisplayTable } from "./result/display.ts";
// results
export { StatError } from "./result/error.ts";
export { type RenderFormat, type RenderOptions, render } from "./result/render.ts";
export { type Diagnostic, type Estimate, type Result, reviveResult, type Signature } from "./result/result.ts";
export { nearest } from "./result/suggest.ts";
export { ASSAY_VERSION } from "./result/version.ts";
// significance
export { CONTRAST_METHODS, type ContrastMethod, type CustomContrasts } from "./significance/contrasts.ts";
export {
  type EffectSize,
  type EffectSizeOptions,
  type EffectSizes,
  estimateEffectSizes,
  hedgesCorrection,
} from "./significance/effect-size.ts";
export {
  type EmmeansOptions,
  type EmmeansResult,
  estimateMeans,
  type MarginalContrast,
  type MarginalMean,
} from "./significance/emmeans.ts";
export { type CompareOptions, compareFormulas, compareNested, type NestedComparison } from "./significance/lrt.ts";
export { compareMixed, type MixedCompareOptions, type MixedComparison } from "./significance/lrt-mixed.ts";
export { type EffectSd, type MarginalModel, marginalModelOf } from "./significance/marginal-model.ts";
export { ADJUSTMENTS, type Adjustment, adjustP, type PAdjustment, tukeyP } from "./significance/multiplicity.ts";
export { type TermTest, type3Lm } from "./significance/type3.ts";
export { type3Lmm } from "./significance/type3-mixed.ts";
