/** The public API of Gosset, and the only file that re-exports. */

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
export { mergeImported, type NamedImport } from "./io/merge-imported.ts";
export { readParquet } from "./io/parquet.ts";
export { quoteShell } from "./io/quote.ts";
export { explainTextScore, type ScoreHint } from "./io/score-hints.ts";
export { writeCsv } from "./io/write-csv.ts";
export { type BleuOptions, prepareBleu, SMOOTHINGS, type Smoothing } from "./metrics/bleu.ts";
export {
  findMetric,
  type LabelMetric,
  METRIC_NAMES,
  type MetricChoice,
  type TextMetric,
  unknownMetric,
} from "./metrics/catalogue.ts";
export { type ChrfOptions, prepareChrf } from "./metrics/chrf.ts";
export { isLowerBetter } from "./metrics/direction.ts";
export { type Average, type F1Options, f1Statistics, type Measure } from "./metrics/f1.ts";
export { type Label, type Labels, listClasses } from "./metrics/labels.ts";
export { balancedAccuracyStatistics, type ClassOptions, mccStatistics } from "./metrics/mcc.ts";
export {
  accuracyStatistics,
  exactMatchStatistics,
  type MeanOptions,
  meanStatistics,
  NORMALISATIONS,
  type Normalisation,
  normaliseAnswer,
} from "./metrics/mean.ts";
// metrics
export {
  type ItemStatistics,
  itemScores,
  jackknifeSe,
  leaveOneOutScores,
  type Metric,
  scoreOf,
  sumRows,
  sumRowsInto,
} from "./metrics/metric.ts";
export {
  type ItemScoreRow,
  reportScores,
  type ScoreDetails,
  type ScoredSystem,
  type ScoreReport,
  type ScoreResult,
  type SystemScoreRow,
} from "./metrics/score.ts";
export {
  cellTexts,
  type LabelOptions,
  labelStatistics,
  type MeanColumnOptions,
  rowsBySystem,
  scoreColumn,
  scoreLabels,
  type TableColumns,
} from "./metrics/score-table.ts";
export { prepareText, type ScoreTextOptions, scoreText, type TextOptions } from "./metrics/score-text.ts";
export { prepareTer, type TerOptions } from "./metrics/ter.ts";
export type { References, TextScorer } from "./metrics/text-scorer.ts";
export { TOKENISERS, type TokeniserName, tokenise } from "./metrics/tokenise.ts";
export type { CumulativeLinkFit, LaplaceFit, LaplaceOptions } from "./models/categorical-fit.ts";
export {
  type CategoricalFit,
  type CategoricalInterval,
  profileCategorical,
} from "./models/categorical-profile.ts";
export { type ClmFit, type ClmOptions, fitClm } from "./models/clm.ts";
export { type ClmmFit, type ClmmOptions, fitClmm } from "./models/clmm.ts";
export { type ClmmProblem, type ClmmSolution, prepareClmm, solveClmm } from "./models/clmm-solve.ts";
export type { FamilyName } from "./models/family.ts";
export {
  type FittedSmooth,
  fitGam,
  type GamFit,
  type GamOptions,
  type GamSolution,
  type GamTerm,
  solveGam,
} from "./models/gam.ts";
export { type GamPrediction, type GamPredictOptions, predictGam } from "./models/gam-predict.ts";
export { type GamMethod, type GamProblem, type GamProblemOptions, prepareGam } from "./models/gam-problem.ts";
export type { GamShape } from "./models/gam-shapes.ts";
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
// power
export { ACCURACY_TESTS, accuracyFamily } from "./power/accuracy.ts";
export { OVERLAP_REGRESSIONS, type OverlapRegression, parseOverlap, predictOverlap } from "./power/accuracy-overlap.ts";
export { bleuFamily } from "./power/bleu.ts";
export { type BleuCell, computeFigure4, computeFigure17 } from "./power/bleu-figures.ts";
export { fitDeltaLaplace, fitSwapEffects, makeCorpusFamily, type SwapFit } from "./power/bleu-fit.ts";
export { type OutputsOptions, type OutputsResult, planFromOutputs } from "./power/bleu-outputs.ts";
export type { Prices } from "./power/design-search.ts";
export {
  type DesignQuestion,
  type DesignResult,
  type DesignScenario,
  type FrontierPoint,
  findDesign,
} from "./power/design-search-result.ts";
export {
  type DesignKind,
  type DesignRequest,
  describeDesign,
  layOutDesign,
  planDesign,
  type RatingDesign,
  type RatingRows,
  ratingCount,
} from "./power/designs.ts";
export { type DevOptions, type DevRaters, type DevResult, estimateFromDev } from "./power/dev.ts";
export type { DevFigure } from "./power/dev-figures.ts";
export { f1Family } from "./power/f1.ts";
export { headToHeadFamily } from "./power/head-to-head.ts";
export { fitEffectHistory, fitOverlapHistory, type HistoryResult, planFromHistory } from "./power/history.ts";
export { type Benchmark, type BenchmarkMde, type BenchmarkOptions, benchmarkMde } from "./power/history-benchmarks.ts";
export { type ClaimsInput, type ClaimsSummary, claimsReachingMde, judgeClaims } from "./power/history-claims.ts";
export { followRecords, type Leaderboard, type RecordsSummary, type Submission } from "./power/history-records.ts";
export { likertFamily } from "./power/likert.ts";
export { FIGURE_6_CELLS, type LikertCell, type LikertCellPower, simulateFigure6 } from "./power/likert-figures.ts";
export type { RatingTest } from "./power/likert-model.ts";
export { findMde, type MdeResult, type SolveOptions } from "./power/mde.ts";
export { meansFamily } from "./power/means.ts";
export { lachenbruchMde, lachenbruchSize, type NoPriorResult, planWithoutPrior } from "./power/no-prior.ts";
export { ordinalFamily } from "./power/ordinal.ts";
export {
  HOWCROFT_MAIN,
  howcroftCells,
  howcroftParameters,
  type OrdinalCell,
  type OrdinalCellPower,
  simulateHowcroft,
} from "./power/ordinal-figures.ts";
export { type PilotColumns, type PilotParameters, parametersFromPilot } from "./power/pilot.ts";
export { preferenceFamily } from "./power/preference.ts";
export { findScenario, powerReplicates, SCENARIOS } from "./power/registry.ts";
export { type AnalysisPower, POWER_METHODS, type PowerMethod, type PowerResult } from "./power/result.ts";
export {
  type HeldParameter,
  LARGEST_COUNT,
  type Outcome,
  type ParameterSpec,
  type PowerFigures,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
  type SizeBounds,
  type StatedParameter,
} from "./power/scenario.ts";
export {
  LIKERT_SETTINGS,
  type LikertSetting,
  ORDINAL_SETTINGS,
  type OrdinalSetting,
  type RandomSds,
} from "./power/settings.ts";
export { makeReplicateTask, type PieceTally, type ReplicateTask, simulatePower } from "./power/simulate.ts";
export { findSize, type SizeOptions, type SizeResult } from "./power/size.ts";
export { analysePower, computePower, type PowerOptions } from "./power/solve.ts";
export { type CurveAxis, type CurveResult, tracePower } from "./power/solve-curve.ts";
export { unpairedFamily } from "./power/unpaired.ts";
// reliability
export {
  type AgreementCoefficient,
  type AgreementOptions,
  type AgreementResult,
  measureAgreement,
} from "./reliability/agreement.ts";
export type { CategoryAgreement } from "./reliability/agreement-coefficients.ts";
export type { RaterAgreement, RaterPair } from "./reliability/agreement-raters.ts";
export { SCALES, type Scale, type Weighting } from "./reliability/agreement-weights.ts";
export {
  type BudgetCrossing,
  type BudgetCurve,
  type BudgetOptions,
  type BudgetPoint,
  type BudgetResult,
  expectedBest,
  measureBudget,
} from "./reliability/budget.ts";
export type { KappaEstimate } from "./reliability/cohen.ts";
export type { ComponentModel } from "./reliability/components.ts";
export type { ConditionalReliability } from "./reliability/conditional.ts";
export type { Interactions } from "./reliability/facet-terms.ts";
export {
  type ImportanceOptions,
  type ImportanceResult,
  measureImportance,
  type PropertyInteraction,
} from "./reliability/importance.ts";
export {
  type Concordance,
  concordance,
  type IntraclassCorrelation,
  type IntraclassTable,
  intraclass,
} from "./reliability/intraclass.ts";
export {
  measureReliability,
  type ReliabilityCoefficient,
  type ReliabilityOptions,
  type ReliabilityResult,
  type VarianceShare,
} from "./reliability/reliability.ts";
export { kooLiBand, type RaterForms } from "./reliability/reliability-coefficient.ts";
export type { IntervalMethod } from "./reliability/reliability-intervals.ts";
export type { CheapestDesign, DesignCosts, WhatIf } from "./reliability/what-if.ts";
// resampling
export {
  bootstrapMean,
  bootstrapScores,
  bootstrapStatistic,
  type ReplicateOptions,
  type Replicates,
  type RowScore,
  type StatisticOptions,
} from "./resample/bootstrap.ts";
export {
  BOOTSTRAP_INTERVALS,
  type BootstrapIntervalType,
  type IntervalInput,
  intervalFromReplicates,
  type ReplicateInterval,
} from "./resample/bootstrap-intervals.ts";
export { type Jackknife, jackknife } from "./resample/jackknife.ts";
export { type MultiBootstrapOptions, multiBootstrap, type RunScores } from "./resample/multi-bootstrap.ts";
export {
  type Alternative,
  type PairedPermutationOptions,
  type Permutation,
  type PermutationOptions,
  permutePaired,
} from "./resample/permutation.ts";
export { type PairedStatistics, permutePairedScores } from "./resample/permutation-scores.ts";
export { permuteTwoSample, type TwoSampleOptions } from "./resample/permutation-two-sample.ts";
export { describeDiagnostic } from "./result/diagnostic.ts";
export type { CellFormat, Display, DisplayItem, DisplaySection, DisplayTable } from "./result/display.ts";
// results
export { StatError } from "./result/error.ts";
export { type RenderFormat, type RenderOptions, render } from "./result/render.ts";
export { type Diagnostic, type Estimate, type Result, reviveResult, type Signature } from "./result/result.ts";
export { nearest } from "./result/suggest.ts";
export { GOSSET_VERSION } from "./result/version.ts";
// work on many workers
export { inlineRunner } from "./run/inline.ts";
export type { MapOptions, Runner, Task } from "./run/task.ts";
// classical tests
export {
  BINOMIAL_INTERVALS,
  type BinomialIntervalMethod,
  binomialInterval,
  type ProportionInterval,
} from "./significance/binomial-intervals.ts";
export { type BinomialTestOptions, binomialTest } from "./significance/binomial-test.ts";
export {
  type BootstrapTestOptions,
  bootstrapScoreTest,
  bootstrapTest,
  type MultiBootstrapTestOptions,
  multiBootstrapTest,
} from "./significance/bootstrap-test.ts";
export { type Battles, type BradleyTerryFit, fitBradleyTerry } from "./significance/bradley-terry.ts";
export { compareTableByModel, type ModelTableOptions } from "./significance/compare/by-model.ts";
// significance
export { compareItems } from "./significance/compare/compare.ts";
export type {
  ComparedPair,
  CompareOptions as ComparisonOptions,
  Comparison,
  ComparisonData,
} from "./significance/compare/comparison.ts";
export { type CompareLabelOptions, compareLabels, type LabelColumns } from "./significance/compare/labels.ts";
export { type ComparisonColumns, type Matched, matchItems } from "./significance/compare/matching.ts";
export type { ModelComparison, ModelOptions } from "./significance/compare/model.ts";
export {
  comparePreferences,
  type PreferenceColumns,
  type PreferenceOptions,
} from "./significance/compare/preferences.ts";
export { detectableDifference, exaggerationAt } from "./significance/compare/sensitivity.ts";
export { compareTable, type TableOptions } from "./significance/compare/table.ts";
export { PAIR_TESTS, type TestName as PairTestName } from "./significance/compare/tests.ts";
export { type CompareTextOptions, compareTexts } from "./significance/compare/texts.ts";
export { compareUnpaired } from "./significance/compare/unpaired.ts";
export { CONTRAST_METHODS, type ContrastMethod, type CustomContrasts } from "./significance/contrasts.ts";
export {
  CORRELATIONS,
  type CorrelationKind,
  type CorrelationOptions,
  correlationTest,
} from "./significance/correlation.ts";
export { brunnerMunzelTest, kolmogorovSmirnovTest, shapiroTest } from "./significance/distribution-tests.ts";
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
  type MeansScale,
} from "./significance/emmeans.ts";
export type { OrdinalFit, OrdinalScale } from "./significance/emmeans-ordinal.ts";
export {
  describeRatings,
  type RatedFactor,
  type RatedPair,
  type RatedSystem,
  type RatingSummary,
} from "./significance/emmeans-ratings.ts";
export {
  type EquivalenceOptions,
  pairedEquivalenceTest,
  pairedProportionEquivalenceTest,
  proportionEquivalenceTest,
  twoSampleEquivalenceTest,
} from "./significance/equivalence.ts";
export { fisherTest } from "./significance/fisher.ts";
export { cochranTest, type FriedmanOptions, type FriedmanTest, friedmanTest } from "./significance/friedman.ts";
export { type CompareOptions, compareFormulas, compareNested, type NestedComparison } from "./significance/lrt.ts";
export {
  type CategoricalCompareOptions,
  type CategoricalComparison,
  type ComparableFit,
  compareCategorical,
  compareCategoricalFits,
} from "./significance/lrt-categorical.ts";
export { compareMixed, type MixedCompareOptions, type MixedComparison } from "./significance/lrt-mixed.ts";
export { type EffectSd, type MarginalModel, marginalModelOf } from "./significance/marginal-model.ts";
export {
  MCNEMAR_METHODS,
  type McnemarMethod,
  type McnemarOptions,
  mcnemarP,
  mcnemarTest,
  type PairedTable,
  pairedTable,
} from "./significance/mcnemar.ts";
export { type ClusteredMcnemarOptions, clusteredMcnemarTest } from "./significance/mcnemar-clustered.ts";
export { ADJUSTMENTS, type Adjustment, adjustP, type PAdjustment, tukeyP } from "./significance/multiplicity.ts";
export { type OneWayOptions, type OneWayTest, oneWayTest, type TukeyDifference } from "./significance/one-way.ts";
export {
  PAIRED_INTERVALS,
  type PairedIntervalMethod,
  pairedProportionInterval,
} from "./significance/paired-proportions.ts";
export {
  COMBINATIONS,
  type Combination,
  type PartialConjunction,
  type PartialConjunctionOptions,
  partialConjunction,
} from "./significance/partial-conjunction.ts";
export {
  type PermutationTestOptions,
  permutationScoreTest,
  permutationTest,
  type TwoSamplePermutationOptions,
  twoSamplePermutationTest,
} from "./significance/permutation-test.ts";
export {
  clusteredProportionsTest,
  DIFFERENCE_INTERVALS,
  type DifferenceIntervalMethod,
  differenceInterval,
  type ProportionsOptions,
  proportionsTest,
} from "./significance/proportions.ts";
export { type RankSumOptions, rankSumTest } from "./significance/rank-sum.ts";
export { signTest } from "./significance/sign-test.ts";
export {
  oneSampleTTest,
  type PairedTTestOptions,
  pairedTTest,
  type TTestOptions,
  type TwoSampleTTestOptions,
  twoSampleTTest,
} from "./significance/t-test.ts";
export type { TestInterval, TestOptions, TestResult } from "./significance/test-result.ts";
export { type TermTest, type3Lm } from "./significance/type3.ts";
export { type3Lmm } from "./significance/type3-mixed.ts";
export { type WilcoxonOptions, wilcoxonTest } from "./significance/wilcoxon.ts";
export { type DependentCorrelations, williamsOfColumns, williamsTest } from "./significance/williams.ts";
export { type ZTestOptions, zTest } from "./significance/z-test.ts";
export { type AuditOptions, type AuditResult, auditValidity, type SkippedTest } from "./validity/audit.ts";
// validity
export {
  type BiasComparison,
  type BiasInheritance,
  type BiasOptions,
  type BiasPattern,
  type BiasResult,
  type BiasVerdict,
  type DomainAssociation,
  type NgramBias,
  testBias,
} from "./validity/bias.ts";
export type { BiasMeasure } from "./validity/bias-association.ts";
export type { BiasInterval } from "./validity/bias-compare.ts";
export type { BiasColumns } from "./validity/bias-data.ts";
export { type CircularityOptions, type CircularityResult, testCircularity } from "./validity/circularity.ts";
export type { CircularityFamily, LeftOut } from "./validity/circularity-data.ts";
export type { CircularityFinding, CircularityVerdict, NamedModel } from "./validity/circularity-finding.ts";
export { PAIR_FEATURES, type PairFeature, pairFeatures } from "./validity/features.ts";
export {
  type InvarianceFeature,
  type InvarianceOptions,
  type InvarianceResult,
  type InvarianceStatus,
  type InvarianceVerdict,
  testInvariance,
} from "./validity/invariance.ts";
export { type Change, LOSSES, type Loss } from "./validity/invariance-score.ts";
export type { MeasuredFeature } from "./validity/invariance-tests.ts";
export { LEARNERS, type Learner, type LearnerName, type Predictions, type Target } from "./validity/learner.ts";
export { type OutputContext, readPredictions } from "./validity/learner-output.ts";
export {
  type Information,
  mutualInformation,
  type PmiCounts,
  pointwiseInformation,
} from "./validity/mutual-information.ts";
export type { NgramAssociation, NgramOptions, NgramPair } from "./validity/ngrams.ts";
export type { Nullification, NullifiedFeature } from "./validity/nullification.ts";
export { circularityShapesTask } from "./validity/nullification-shapes.ts";
export { circularityModelTask, type SplineBasis } from "./validity/powerset-model.ts";
export { parseScales, type Scales } from "./validity/scales.ts";
export type { StepFunction, StepRule, Threshold } from "./validity/step-rule.ts";
export { drawTransformation, type Transformation } from "./validity/transform.ts";
