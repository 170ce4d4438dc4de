/** The public API of Gosset, and the only file that re-exports. */

export { type ColumnSummary, describeTable, type FactorSummary, type NumericSummary } from "./data/describe.ts";
export { fingerprint } from "./data/fingerprint.ts";
export { type Aggregate, aggregate } from "./data/group.ts";
export {
  FORMATS,
  type Format,
  type Imported,
  type ImportOptions,
  type InputFile,
  type Roles,
} from "./data/imported.ts";
export { type Joined, type JoinOptions, join } from "./data/join.ts";
export { mergeImported, type NamedImport } from "./data/merge.ts";
export { type LongerOptions, pivotLonger, pivotWider, type WiderOptions } from "./data/reshape.ts";
export { explainTextScore, type ScoreHint } from "./data/roles/hints.ts";
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
export { type Description, describeImported } from "./describe/describe.ts";
export { buildDesign, type Design, type DesignOptions, makeDesign } from "./formula/design.ts";
export {
  evaluateExpression,
  filterRows,
  mutateTable,
  parseExpression,
  prepareTable,
  type RowChoice,
} from "./formula/evaluate/evaluate.ts";
export { parseFormula, printFormula } from "./formula/parse/parse.ts";
export { learnSchema, type Schema, type SchemaOptions } from "./formula/schema.ts";
// formulas and designs
export type { Contrast, Expression, Formula } from "./formula/term.ts";
// files
export { type CsvOptions, type CsvReader, type CsvReading, createCsvReader, readCsv } from "./io/csv/csv.ts";
export { MISSING_VALUES } from "./io/csv/missing.ts";
export { writeCsv } from "./io/csv/write.ts";
export { detectFormat } from "./io/detect.ts";
export { importFiles } from "./io/import.ts";
export { readJson } from "./io/json/json.ts";
export { readJsonl } from "./io/json/lines.ts";
export { readParquet } from "./io/parquet/parquet.ts";
export type * from "./json.ts";
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
export { prepareTer, type TerOptions } from "./metrics/ter/ter.ts";
export type { References, TextScorer } from "./metrics/text-scorer.ts";
export { TOKENISERS, type TokeniserName, tokenise } from "./metrics/tokenise.ts";
export type { FamilyName } from "./models/family.ts";
export {
  type FittedSmooth,
  fitGam,
  type GamFit,
  type GamOptions,
  type GamSolution,
  type GamTerm,
  solveGam,
} from "./models/gam/gam.ts";
export { type GamPrediction, type GamPredictOptions, predictGam } from "./models/gam/predict.ts";
export { type GamMethod, type GamProblem, type GamProblemOptions, prepareGam } from "./models/gam/problem.ts";
export type { GamShape } from "./models/gam/shapes.ts";
export {
  fitGlm,
  type GlmFit,
  type GlmOptions,
  type GlmProblem,
  type GlmSolution,
  prepareGlm,
  solveGlm,
} from "./models/glm/glm.ts";
export { type LeaveOneOut, leaveOneOut, leverage } from "./models/glm/leave-one-out.ts";
export type { Prediction, PredictOptions } from "./models/glm/predict.ts";
export { fitGlmm, type GlmmFit, type GlmmOptions } from "./models/glmm/glmm.ts";
export {
  type CategoricalFit,
  type CategoricalInterval,
  profileCategorical,
} from "./models/glmm/profile.ts";
export { simulateGlmm } from "./models/glmm/simulate.ts";
export { type GlmmProblem, type GlmmSolution, prepareGlmm, solveGlmm } from "./models/glmm/solve.ts";
export type { LaplaceFit, LaplaceOptions } from "./models/laplace/report.ts";
export type { LinkName } from "./models/link.ts";
// models
export {
  fitLm,
  type LmFit,
  type LmOptions,
  type LmProblem,
  type LmSolution,
  prepareLm,
  solveLm,
} from "./models/lm/lm.ts";
export {
  type BootstrapInterval,
  type BootstrapOptions,
  bootstrapIntervals,
  type LmmBootstrap,
} from "./models/lmm/bootstrap.ts";
export { type Ddf, fitLmm, type LmmFit, type LmmOptions, reopenLmm } from "./models/lmm/lmm.ts";
export { lmmObjective } from "./models/lmm/objective.ts";
export { type Criterion, type LmmProblem, prepareLmm } from "./models/lmm/problem.ts";
export { type LmmParameters, simulateInto, simulateLmm } from "./models/lmm/simulate.ts";
export { type LmmSolution, solveLmm } from "./models/lmm/solve.ts";
export { type AnyFit, predict, simulate } from "./models/models.ts";
export { type ClmFit, type ClmOptions, fitClm } from "./models/ordinal/clm.ts";
export { type ClmmFit, type ClmmOptions, fitClmm } from "./models/ordinal/clmm.ts";
export { type ClmmProblem, type ClmmSolution, prepareClmm, solveClmm } from "./models/ordinal/clmm-solve.ts";
export type { CumulativeLinkFit } from "./models/ordinal/ordinal.ts";
export { categoryProbabilities, comparePredictors, predictClm } from "./models/ordinal/probabilities.ts";
export { checkProportionalOdds } from "./models/ordinal/proportional-odds.ts";
export { simulateClmm } from "./models/ordinal/simulate.ts";
export { type ProfileInterval, profileIntervals } from "./models/profile/linear.ts";
export type { ProfileOptions } from "./models/profile/profile.ts";
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
export { digamma, logGamma } from "./numeric/special/gamma.ts";
export {
  type DesignKind,
  type DesignRequest,
  describeDesign,
  layOutDesign,
  planDesign,
  type RatingDesign,
  type RatingRows,
  ratingCount,
} from "./power/designs/designs.ts";
export { type Benchmark, type BenchmarkMde, type BenchmarkOptions, benchmarkMde } from "./power/from/benchmarks.ts";
export { type ClaimsInput, type ClaimsSummary, claimsReachingMde, judgeClaims } from "./power/from/claims.ts";
export { type DevOptions, type DevRaters, type DevResult, estimateFromDev } from "./power/from/dev.ts";
export type { DevFigure } from "./power/from/dev-figures.ts";
export { fitEffectHistory, fitOverlapHistory, type HistoryResult, planFromHistory } from "./power/from/history.ts";
export { lachenbruchMde, lachenbruchSize, type NoPriorResult, planWithoutPrior } from "./power/from/no-prior.ts";
export { type OutputsOptions, type OutputsResult, planFromOutputs } from "./power/from/outputs.ts";
export { type PilotColumns, type PilotParameters, parametersFromPilot } from "./power/from/pilot.ts";
export { followRecords, type Leaderboard, type RecordsSummary, type Submission } from "./power/from/records.ts";
export { fitDeltaLaplace, fitSwapEffects, makeCorpusFamily, type SwapFit } from "./power/from/swap-effects.ts";
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
// power
export { ACCURACY_TESTS, accuracyFamily } from "./power/scenarios/accuracy.ts";
export {
  OVERLAP_REGRESSIONS,
  type OverlapRegression,
  parseOverlap,
  predictOverlap,
} from "./power/scenarios/accuracy-overlap.ts";
export { bleuFamily } from "./power/scenarios/bleu.ts";
export { chiSquareFamily } from "./power/scenarios/classical/chi-square.ts";
export { cohensHFamily } from "./power/scenarios/classical/cohens-h.ts";
export { correlationFamily } from "./power/scenarios/classical/correlation.ts";
export { nonInferiorityFamily } from "./power/scenarios/classical/non-inferiority.ts";
export { oneWayFamily } from "./power/scenarios/classical/one-way.ts";
export { f1Family } from "./power/scenarios/f1.ts";
export { headToHeadFamily } from "./power/scenarios/head-to-head.ts";
export { likertFamily } from "./power/scenarios/likert.ts";
export { meansFamily } from "./power/scenarios/means.ts";
export { ordinalFamily } from "./power/scenarios/ordinal.ts";
export { preferenceFamily } from "./power/scenarios/preference.ts";
export { findScenario, powerReplicates, SCENARIOS } from "./power/scenarios/scenarios.ts";
export {
  LIKERT_SETTINGS,
  type LikertSetting,
  ORDINAL_SETTINGS,
  type OrdinalSetting,
  type RandomSds,
} from "./power/scenarios/settings.ts";
export type { RatingTest } from "./power/scenarios/specs.ts";
export { unpairedFamily } from "./power/scenarios/unpaired.ts";
export { makeReplicateTask, type PieceTally, type ReplicateTask, simulatePower } from "./power/simulate.ts";
export { type CurveAxis, type CurveResult, tracePower } from "./power/solve/curve.ts";
export {
  type DesignQuestion,
  type DesignResult,
  type DesignScenario,
  type FrontierPoint,
  findDesign,
} from "./power/solve/design.ts";
export type { Prices } from "./power/solve/design-search.ts";
export { findMde, type MdeResult, type SolveOptions } from "./power/solve/mde.ts";
export { findSize, type SizeOptions, type SizeResult } from "./power/solve/size.ts";
export { analysePower, computePower, type PowerOptions } from "./power/solve/solve.ts";
// reliability
export {
  type AgreementCoefficient,
  type AgreementOptions,
  type AgreementResult,
  measureAgreement,
} from "./reliability/agreement/agreement.ts";
export type { CategoryAgreement } from "./reliability/agreement/coefficients.ts";
export type { KappaEstimate } from "./reliability/agreement/cohen.ts";
export {
  type Concordance,
  concordance,
  type IntraclassCorrelation,
  type IntraclassTable,
  intraclass,
} from "./reliability/agreement/intraclass.ts";
export type { RaterAgreement, RaterPair } from "./reliability/agreement/raters.ts";
export { SCALES, type Scale, type Weighting } from "./reliability/agreement/weights.ts";
export {
  type BudgetCrossing,
  type BudgetCurve,
  type BudgetOptions,
  type BudgetPoint,
  type BudgetResult,
  expectedBest,
  measureBudget,
} from "./reliability/budget.ts";
export { kooLiBand, type RaterForms } from "./reliability/generalizability/coefficient.ts";
export type { ComponentModel } from "./reliability/generalizability/components.ts";
export type { ConditionalReliability } from "./reliability/generalizability/conditional.ts";
export type { Interactions } from "./reliability/generalizability/facet-terms.ts";
export {
  measureReliability,
  type ReliabilityCoefficient,
  type ReliabilityOptions,
  type ReliabilityResult,
  type VarianceShare,
} from "./reliability/generalizability/generalizability.ts";
export type { IntervalMethod } from "./reliability/generalizability/intervals.ts";
export type { CheapestDesign, DesignCosts, WhatIf } from "./reliability/generalizability/what-if.ts";
export {
  type ImportanceOptions,
  type ImportanceResult,
  measureImportance,
  type PropertyInteraction,
} from "./reliability/importance.ts";
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
} from "./resample/intervals.ts";
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
export {
  permuteStudentised,
  type StudentisedOptions,
  type StudentisedPermutation,
} from "./resample/permutation-studentised.ts";
export { permuteTwoSample, type TwoSampleOptions } from "./resample/permutation-two-sample.ts";
export type { DrawOptions } from "./resample/replicates.ts";
export { describeDiagnostic } from "./result/diagnostic.ts";
export type { CellFormat, Display, DisplayItem, DisplaySection, DisplayTable } from "./result/display.ts";
// results
export { StatError } from "./result/error.ts";
export { quoteShell } from "./result/quote.ts";
export { type RenderFormat, type RenderOptions, render } from "./result/render/render.ts";
export {
  type Addition,
  addToResult,
  type Diagnostic,
  type Estimate,
  makeResult,
  type Published,
  type Result,
  type ResultFields,
  type Revived,
  reviveResult,
  type Signature,
} from "./result/result.ts";
export { nearest } from "./result/suggest.ts";
export { GOSSET_VERSION } from "./result/version.ts";
// work on many workers
export { inlineRunner } from "./run/inline.ts";
export type { MapOptions, Runner, Task } from "./run/task.ts";
export { type Battles, type BradleyTerryFit, fitBradleyTerry } from "./significance/bradley-terry.ts";
// significance
export { compareItems } from "./significance/compare/by-items.ts";
export { compareTableByModel, type ModelTableOptions } from "./significance/compare/by-model.ts";
export {
  chooseColumns,
  chooseSystems,
  leaveUnscoredOut,
  type Merged,
  requireColumn,
  setFewClustersAside,
  withNamedColumns,
} from "./significance/compare/columns.ts";
export { type CompareInput, compare, type Texts } from "./significance/compare/compare.ts";
export type {
  ComparedPair,
  CompareOptions,
  Comparison,
  ComparisonData,
  PairwiseOptions,
} from "./significance/compare/comparison.ts";
export { type CompareLabelOptions, compareLabels, type LabelColumns } from "./significance/compare/labels.ts";
export { type ComparisonColumns, type Matched, matchItems } from "./significance/compare/matching/matching.ts";
export type { ModelComparison, ModelOptions } from "./significance/compare/model.ts";
export { detectableDifference, exaggerationAt } from "./significance/compare/pair/sensitivity.ts";
export { PAIR_TESTS, type TestName as PairTestName } from "./significance/compare/pair/tests.ts";
export {
  comparePreferences,
  type PreferenceColumns,
  type PreferenceOptions,
} from "./significance/compare/preferences.ts";
export { compareTable, type TableOptions } from "./significance/compare/table.ts";
export { comparisonTable } from "./significance/compare/tables.ts";
export { type CompareTextOptions, compareTexts } from "./significance/compare/texts.ts";
export { compareUnpaired } from "./significance/compare/unpaired.ts";
// classical tests
export {
  BINOMIAL_INTERVALS,
  type BinomialIntervalMethod,
  binomialInterval,
  type ProportionInterval,
} from "./significance/intervals/binomial.ts";
export {
  PAIRED_INTERVALS,
  type PairedIntervalMethod,
  pairedProportionInterval,
} from "./significance/intervals/paired-proportions.ts";
export { CONTRAST_METHODS, type ContrastMethod, type CustomContrasts } from "./significance/means/contrasts.ts";
export {
  type EffectSize,
  type EffectSizeOptions,
  type EffectSizes,
  estimateEffectSizes,
} from "./significance/means/effect-size.ts";
export { type EffectSd, type MarginalModel, marginalModelOf } from "./significance/means/marginal-model.ts";
export {
  type EmmeansOptions,
  type EmmeansResult,
  estimateMeans,
  type MarginalContrast,
  type MarginalMean,
  type MeansScale,
} from "./significance/means/means.ts";
export type { OrdinalFit, OrdinalScale } from "./significance/means/ordinal.ts";
export {
  describeRatings,
  type RatedFactor,
  type RatedPair,
  type RatedSystem,
  type RatingSummary,
} from "./significance/means/ratings.ts";
export { ADJUSTMENTS, type Adjustment, adjustP, type PAdjustment, tukeyP } from "./significance/multiplicity.ts";
export {
  type CategoricalComparison,
  type ComparableFit,
  compareNestedCategorical,
  compareNestedFits,
  type NestedCategoricalOptions,
} from "./significance/nested/categorical.ts";
export { compareNestedMixed, type MixedComparison, type NestedMixedOptions } from "./significance/nested/mixed.ts";
export {
  compareNested,
  compareNestedFormulas,
  type NestedComparison,
  type NestedOptions,
} from "./significance/nested/nested.ts";
export { type TermTest, type3Lm } from "./significance/nested/type3.ts";
export { type3Lmm } from "./significance/nested/type3-mixed.ts";
export { type PairedTable, pairedTable } from "./significance/paired-table.ts";
export {
  COMBINATIONS,
  type Combination,
  type PartialConjunction,
  type PartialConjunctionOptions,
  partialConjunction,
} from "./significance/partial-conjunction.ts";
export { hedgesCorrection } from "./significance/standardised.ts";
export type { TestInterval, TestOptions, TestResult } from "./significance/test-result.ts";
export { type BinomialTestOptions, binomialTest } from "./significance/tests/binomial-test.ts";
export {
  type BootstrapTestOptions,
  bootstrapScoreTest,
  bootstrapTest,
  type MultiBootstrapTestOptions,
  multiBootstrapTest,
} from "./significance/tests/bootstrap-test.ts";
export {
  CORRELATIONS,
  type CorrelationKind,
  type CorrelationOptions,
  correlationTest,
} from "./significance/tests/correlation.ts";
export { brunnerMunzelTest, kolmogorovSmirnovTest, shapiroTest } from "./significance/tests/distribution-tests.ts";
export {
  type EquivalenceOptions,
  type PairedEquivalenceOptions,
  pairedEquivalenceTest,
  pairedProportionEquivalenceTest,
  proportionEquivalenceTest,
  twoSampleEquivalenceTest,
} from "./significance/tests/equivalence.ts";
export { fisherTest } from "./significance/tests/fisher.ts";
export { cochranTest, type FriedmanOptions, type FriedmanTest, friedmanTest } from "./significance/tests/friedman.ts";
export {
  MCNEMAR_METHODS,
  type McnemarMethod,
  type McnemarOptions,
  mcnemarP,
  mcnemarTest,
} from "./significance/tests/mcnemar.ts";
export { type ClusteredMcnemarOptions, clusteredMcnemarTest } from "./significance/tests/mcnemar-clustered.ts";
export { type OneWayOptions, type OneWayTest, oneWayTest, type TukeyDifference } from "./significance/tests/one-way.ts";
export {
  type PermutationTestOptions,
  permutationScoreTest,
  permutationTest,
  type TwoSamplePermutationOptions,
  twoSamplePermutationTest,
} from "./significance/tests/permutation-test.ts";
export {
  clusteredProportionsTest,
  DIFFERENCE_INTERVALS,
  type DifferenceIntervalMethod,
  differenceInterval,
  type ProportionsOptions,
  proportionsTest,
} from "./significance/tests/proportions.ts";
export { type RankSumOptions, rankSumTest } from "./significance/tests/rank-sum.ts";
export { signTest } from "./significance/tests/sign-test.ts";
export {
  measureSkewedMean,
  type SkewedMean,
  skewedMeanInterval,
  skewedMeanTails,
  skewedMeanTest,
} from "./significance/tests/skewed-mean.ts";
export {
  oneSampleTTest,
  type PairedTTestOptions,
  pairedTTest,
  type TTestOptions,
  type TwoSampleTTestOptions,
  twoSampleTTest,
} from "./significance/tests/t-test.ts";
export { type WilcoxonOptions, wilcoxonTest } from "./significance/tests/wilcoxon.ts";
export { type DependentCorrelations, williamsOfColumns, williamsTest } from "./significance/tests/williams.ts";
export { type ZTestOptions, zTest } from "./significance/tests/z-test.ts";
export { type AuditOptions, type AuditResult, auditValidity, type SkippedTest } from "./validity/audit.ts";
export type { BiasMeasure } from "./validity/bias/association.ts";
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
} from "./validity/bias/bias.ts";
export type { BiasInterval } from "./validity/bias/contrast.ts";
export type { BiasColumns } from "./validity/bias/data.ts";
export { PAIR_FEATURES, type PairFeature, pairFeatures } from "./validity/bias/features.ts";
export {
  type Information,
  mutualInformation,
  type PmiCounts,
  pointwiseInformation,
} from "./validity/bias/mutual-information.ts";
export type { NgramAssociation, NgramOptions, NgramPair } from "./validity/bias/ngrams.ts";
export {
  type CircularityOptions,
  type CircularityResult,
  testCircularity,
} from "./validity/circularity/circularity.ts";
export type { CircularityFamily, LeftOut } from "./validity/circularity/data.ts";
export type { CircularityFinding, FullModel, NamedModel, NotTried, Tried } from "./validity/circularity/finding.ts";
export type { RuleKind } from "./validity/circularity/found-rule.ts";
export type { Nullification, NullifiedFeature } from "./validity/circularity/nullification.ts";
export { circularityModelTask, type SplineBasis } from "./validity/circularity/powerset-model.ts";
export type { Reproduction } from "./validity/circularity/reproduction.ts";
export { circularityShapesTask } from "./validity/circularity/shapes.ts";
export type { StepFunction, StepRule } from "./validity/circularity/step-rule.ts";
export type { Threshold } from "./validity/circularity/threshold-tree.ts";
export { type CircularityVerdict, circularSet } from "./validity/circularity/verdict.ts";
export {
  type InvarianceFeature,
  type InvarianceOptions,
  type InvarianceResult,
  type InvarianceStatus,
  type InvarianceVerdict,
  testInvariance,
} from "./validity/invariance/invariance.ts";
export { parseScales, type Scales } from "./validity/invariance/scales.ts";
export { type Change, LOSSES, type Loss } from "./validity/invariance/score.ts";
export type { MeasuredFeature } from "./validity/invariance/tests.ts";
export { drawTransformation, type Transformation } from "./validity/invariance/transform.ts";
export { LEARNERS, type Learner, type LearnerName, type Predictions, type Target } from "./validity/learner/learner.ts";
export { type OutputContext, readPredictions } from "./validity/learner/output.ts";
