/** The public API: what people who evaluate systems need. Everything else has an entry point of its own beside this file. */

export type { ColumnCounts, DescribeOptions } from "./data/describe.ts";
export { type ColumnSummary, describeTable, type FactorSummary, type NumericSummary } from "./data/describe.ts";
export { fingerprint } from "./data/fingerprint.ts";
export { type Aggregate, aggregate, type Summary } from "./data/group.ts";
export type {
  Ask as StudyAsk,
  Decision,
  DelimitedOptions,
  Done,
  FilesAre,
  ImportedMetric,
  InputFile,
  JoinedFiles,
  RoleName,
  Roles,
  RunSettings,
  StudyKind,
  Told,
} from "./data/imported.ts";
export { FORMATS, type Format, type Imported, type ImportLimits, type ImportOptions } from "./data/imported.ts";
export { type Joined, type JoinKind, type JoinOptions, join, type Relation, type Unmatched } from "./data/join.ts";
export { type LongerOptions, pivotLonger, pivotWider, type WiderOptions } from "./data/reshape.ts";
export type { Cell, CellColumns, Rows } from "./data/rows.ts";
export type { ShapeDone, ShapeName, ShapeOptions } from "./data/shapes.ts";
export type { SortKey } from "./data/table.ts";
export {
  asFactor,
  asNumeric,
  column,
  concatRows,
  dropMissing,
  type FactorOptions,
  factorColumn,
  makeTable,
  numericColumn,
  relevel,
  renameColumn,
  selectColumns,
  selectRows,
  sortBy,
  uniqueRows,
  withColumn,
} from "./data/table.ts";
export type { DescribedColumn, DescribeFields, DescribeImportedOptions } from "./describe/describe.ts";
export { type Description, describeImported } from "./describe/describe.ts";
export type { Answer } from "./describe/offers/command.ts";
export { prepareTable, type RowChoice } from "./formula/evaluate/evaluate.ts";
export type { SchemaOptions } from "./formula/schema.ts";
export { importFiles } from "./io/import.ts";
export { type TableSource, table } from "./io/table.ts";
export * from "./json.ts";
export type { BleuOptions, Smoothing } from "./metrics/bleu.ts";
export type { LabelMetric, MetricChoice, TextMetric } from "./metrics/catalogue.ts";
export type { ChrfOptions } from "./metrics/chrf.ts";
export type { Average, Measure } from "./metrics/f1.ts";
export type { Label } from "./metrics/labels.ts";
export type { Normalisation } from "./metrics/mean.ts";
export type { ItemStatistics, Metric } from "./metrics/metric.ts";
export type { ScoreRange } from "./metrics/range.ts";
export type {
  ItemScoreRow,
  ScoreDetails,
  ScoredSystem,
  ScoreFields,
  ScoreParts,
  ScoreReport,
  ScoreResult,
  SystemScoreJson,
  SystemScoreRow,
} from "./metrics/score.ts";
export { reportScores } from "./metrics/score.ts";
export { type ScoreOptions, score } from "./metrics/score-found.ts";
export type { ScoreInterval } from "./metrics/score-interval.ts";
export type { LabelOptions, MeanColumnOptions, TableColumns } from "./metrics/score-table.ts";
export { scoreColumn, scoreLabels } from "./metrics/score-table.ts";
export { type ScoreTextOptions, scoreText, type TextOptions } from "./metrics/score-text.ts";
export type { TerOptions } from "./metrics/ter/ter.ts";
export type { TerTokens } from "./metrics/ter/tokenise.ts";
export type { References } from "./metrics/text-scorer.ts";
export type { TokeniserName } from "./metrics/tokenise.ts";
export type { Flakiness, FlakyItem } from "./metrics/tries/flaky.ts";
export type { FamilyName, PlainFamilyName } from "./models/family.ts";
export type { MixedFitJson, RegressionJson, RobustJson } from "./models/fit-json.ts";
export type { RegressionOptions } from "./models/fixed-design.ts";
export { type FittedSmooth, fitGam, type GamFit, type GamOptions, type GamTerm } from "./models/gam/gam.ts";
export type { SearchOptions } from "./models/gam/outer.ts";
export type { GamPrediction, GamPredictOptions } from "./models/gam/predict.ts";
export type { GamMethod, GamProblemOptions } from "./models/gam/problem.ts";
export type { GamShape } from "./models/gam/shapes.ts";
export type { ShapeJson, SmoothJson } from "./models/gam/smooths-display.ts";
export { fitGlm, type GlmFit, type GlmOptions } from "./models/glm/glm.ts";
export type { GlmmFamily, GlmmLink } from "./models/glm/laplace-rows.ts";
export { type LeaveOneOut, leaveOneOut } from "./models/glm/leave-one-out.ts";
export type { Prediction, PredictOptions } from "./models/glm/predict.ts";
export type { GlmShape } from "./models/glm/shape.ts";
export { fitGlmm, type GlmmFit, type GlmmOptions } from "./models/glmm/glmm.ts";
export type { MixedPredictOptions } from "./models/glmm/predict.ts";
export type { CategoricalFit, CategoricalInterval, ProfiledFit } from "./models/glmm/profile.ts";
export type { LaplaceFit, LaplaceOptions } from "./models/laplace/report.ts";
export type { LinkName } from "./models/link.ts";
export { fitLm, type LmFit, type LmOptions } from "./models/lm/lm.ts";
export type { ResidualChecks } from "./models/lm/residual-checks.ts";
export type { BootstrapInterval, BootstrapOptions, LmmBootstrap } from "./models/lmm/bootstrap.ts";
export { bootstrapIntervals } from "./models/lmm/bootstrap.ts";
export type { Curvature } from "./models/lmm/curvature.ts";
export type { BootstrapJson, Ddf, LmmFit, LmmOptions, ModeJson, TermTestJson } from "./models/lmm/lmm.ts";
export { fitLmm } from "./models/lmm/lmm.ts";
export type { Criterion } from "./models/lmm/problem.ts";
export type { LmmRSquared } from "./models/lmm/r-squared.ts";
export { type AnyFit, predict, profile, simulate } from "./models/models.ts";
export { type ClmFit, type ClmOptions, fitClm } from "./models/ordinal/clm.ts";
export { type ClmmFit, type ClmmOptions, fitClmm } from "./models/ordinal/clmm.ts";
export type { CumulativeLink } from "./models/ordinal/cumulative-link.ts";
export type { CumulativeLinkFit, CumulativeLinkJson, ThresholdJson } from "./models/ordinal/ordinal.ts";
export type { OrdinalPrediction, Superiority } from "./models/ordinal/probabilities.ts";
export { checkProportionalOdds, type ProportionalOdds } from "./models/ordinal/proportional-odds.ts";
export { fitOrdinal, type StructuredOptions } from "./models/ordinal/structured.ts";
export type { OrdinalStructure, StructuredFit } from "./models/ordinal/structured-fit.ts";
export type { ThresholdKind } from "./models/ordinal/thresholds.ts";
export type { ProfileInterval } from "./models/profile/linear.ts";
export type { ProfileKind } from "./models/profile/linear-target.ts";
export type { ParameterInterval, ProfileOptions } from "./models/profile/profile.ts";
export type { VarianceComponent } from "./models/random/random.ts";
export type { RobustType } from "./models/sandwich.ts";
export type { Bin, CellCounts, MarkedBin } from "./numeric/histogram.ts";
export { makeRng } from "./numeric/rng.ts";
export type { LinePoint, Scatter } from "./numeric/straight-line.ts";
export type { FloorRates } from "./plan/gate/judge.ts";
export {
  type Ask,
  type AskDesign,
  curve,
  type DesignOptions,
  type DesignParameters,
  design,
  mde,
  power,
  size,
} from "./power/ask.ts";
export type { ErrorRate } from "./power/error-rate.ts";
export type { DevOptions, DevRaters, DevResult } from "./power/from/dev.ts";
export type { DevFigure } from "./power/from/dev-figures.ts";
export { type PlanFromDevOptions, planFromDev } from "./power/from/dev-files.ts";
export type { HistoryColumns, HistoryOptions, HistoryResult, HistorySeries } from "./power/from/history.ts";
export { planFromHistory, type ShortFitJson } from "./power/from/history.ts";
export type { NextQuestion, WithCommands } from "./power/from/next.ts";
export type { NoPriorOptions, NoPriorResult, PriorBound, PriorRow } from "./power/from/no-prior.ts";
export { planWithoutPrior } from "./power/from/no-prior.ts";
export { type OutputsOptions, type OutputsResult, planFromOutputs } from "./power/from/outputs.ts";
export { type PilotColumns, type PilotParameters, parametersFromPilot } from "./power/from/pilot.ts";
export type { RepeatGain } from "./power/from/repeats.ts";
export type { DevPrior, PriorValue, ShrunkFigure } from "./power/from/shrink.ts";
export type { SwapFit } from "./power/from/swap-effects.ts";
export type {
  AccuracyParameters,
  AnovaParameters,
  BleuParameters,
  ChiSquareParameters,
  CohensHParameters,
  CorrelationParameters,
  F1Parameters,
  HeadToHeadParameters,
  LikertParameters,
  MeansParameters,
  NonInferiorityParameters,
  OrdinalParameters,
  ParametersOf,
  PreferenceParameters,
  SeedsParameters,
  UnpairedParameters,
} from "./power/parameters.ts";
export type { Ppv, PpvInput } from "./power/ppv.ts";
export type { AnalysisPower, Credibility, PartialDraws, PowerMethod, PowerResult } from "./power/result.ts";
export type { PowerFigures, ScenarioParameters, StatedParameter } from "./power/scenario.ts";
export type { OverlapRegression } from "./power/scenarios/accuracy-overlap.ts";
export type { DrawnEffects, PowerPoint, PowerSeries } from "./power/series.ts";
export type { Piece, PieceTally, ReplicateTask, SimulateOptions, Tally } from "./power/simulate.ts";
export type { CurveAxis, CurveOptions, CurvePoint, CurveResult } from "./power/solve/curve.ts";
export type { DesignQuestion, DesignResult, DesignScenario, FrontierPoint } from "./power/solve/design.ts";
export type { Prices } from "./power/solve/design-search.ts";
export type { MdeResult, SolveOptions } from "./power/solve/mde.ts";
export type { SeedDesignResult, SeedPlan, SeedPrices } from "./power/solve/seeds-design.ts";
export type { SizeOptions, SizeResult } from "./power/solve/size.ts";
export type { PowerOptions } from "./power/solve/solve.ts";
export type { Solved } from "./power/solve/solved.ts";
export type { ClaimColumns, ClaimRole } from "./power/survey/claims.ts";
export type { SurveyClaim } from "./power/survey/judge.ts";
export type { RecordStep, TaskRecords } from "./power/survey/progress.ts";
export type { Literature, SurveyResult, SurveySummary } from "./power/survey/result.ts";
export { type SurveyOptions, surveyClaims } from "./power/survey/survey.ts";
export type { SurveyTask, TaskVerdict } from "./power/survey/tasks.ts";
export { LEARNERS } from "./question/choices.ts";
export type { OptionsOf } from "./question/option.ts";
export {
  type AgreementCoefficient,
  type AgreementOptions,
  type AgreementResult,
  measureAgreement,
} from "./reliability/agreement/agreement.ts";
export type { BootstrapEnds, CoefficientName } from "./reliability/agreement/bootstrap.ts";
export type { CategoryAgreement, ChanceAgreement, FleissTest } from "./reliability/agreement/coefficients.ts";
export type { CoefficientJson } from "./reliability/agreement/coefficients-json.ts";
export type { KappaEstimate } from "./reliability/agreement/cohen.ts";
export {
  type Concordance,
  concordance,
  type IntraclassCorrelation,
  type IntraclassTable,
  intraclass,
} from "./reliability/agreement/intraclass.ts";
export type { RaterAgreement, RaterPair } from "./reliability/agreement/raters.ts";
export type { RatingColumns } from "./reliability/agreement/ratings.ts";
export { SCALES, type Scale, type Weighting } from "./reliability/agreement/weights.ts";
export type {
  AnnotationResult,
  AskAgain,
  ConsensusLabel,
  EstimatedShare,
} from "./reliability/annotation/annotation.ts";
export { type AnnotationOptions, type ModelledRater, modelLabels } from "./reliability/annotation/annotation.ts";
export {
  type BudgetCrossing,
  type BudgetCurve,
  type BudgetOptions,
  type BudgetPoint,
  type BudgetResult,
  measureBudget,
} from "./reliability/budget.ts";
export type { Ratings } from "./reliability/columns.ts";
export type { Consistency, ConsistencyItem, SplitHalf, SplitSummary } from "./reliability/consistency.ts";
export type { FacetNumbers, RaterForms } from "./reliability/generalizability/coefficient.ts";
export type { ComponentModel } from "./reliability/generalizability/components.ts";
export type { CoefficientInterval, ComponentJson } from "./reliability/generalizability/components-json.ts";
export type { ConditionalReliability } from "./reliability/generalizability/conditional.ts";
export type { FacetColumns, Interactions } from "./reliability/generalizability/facet-terms.ts";
export {
  measureReliability,
  type ReliabilityCoefficient,
  type ReliabilityOptions,
  type ReliabilityResult,
  type VarianceShare,
} from "./reliability/generalizability/generalizability.ts";
export type { Ends, IntervalMethod } from "./reliability/generalizability/intervals.ts";
export type { CheapestDesign, DesignCosts, WhatIf } from "./reliability/generalizability/what-if.ts";
export type { MeanLine } from "./reliability/importance.ts";
export {
  type BudgetImportance,
  type ImportanceOptions,
  type ImportanceResult,
  measureImportance,
  type PropertyInteraction,
} from "./reliability/importance.ts";
export type { SearchBest, SettingLevel } from "./reliability/search.ts";
export type { RunScores } from "./resample/multi-bootstrap.ts";
export type { Alternative } from "./resample/permutation.ts";
export { describeDiagnostic } from "./result/diagnostic.ts";
export { StatError } from "./result/error.ts";
export { type TextCell, type TextColumn, textColumns } from "./result/render/cells.ts";
export type { CsvOptions } from "./result/render/csv.ts";
export type { HtmlOptions } from "./result/render/html.ts";
export type { LatexOptions } from "./result/render/latex.ts";
export type { MarkdownOptions } from "./result/render/markdown.ts";
export { type RenderFormat, type RenderOptions, render } from "./result/render/render.ts";
export type { TextRenderOptions } from "./result/render/text.ts";
export type { JsonOf, NumberArray, Presentation } from "./result/result.ts";
export {
  type Addition,
  addToResult,
  makeResult,
  type Published,
  type ResultFields,
  type Revived,
  reviveResult,
} from "./result/result.ts";
export type { Verdict } from "./result/verdict.ts";
export type { ResultDifference, VerificationOptions, VerificationResult } from "./result/verification.ts";
export { verifyResult } from "./result/verification.ts";
export { GOSSET_VERSION } from "./result/version.ts";
export { inlineRunner } from "./run/inline.ts";
export type { DrawKeeper, Keeping, KeptDrawing, KeptSet, MapOptions, Place, Runner, Task } from "./run/task.ts";
export type { BradleyTerryFit, TieModel } from "./significance/bradley-terry.ts";
export { answerComparison } from "./significance/compare/answer.ts";
export type { ModelTableOptions } from "./significance/compare/by-model.ts";
export type { ComparedFiles } from "./significance/compare/columns.ts";
export { type CompareInput, compare, type Texts } from "./significance/compare/compare.ts";
export type {
  ComparedItems,
  ComparedPair,
  CompareOptions,
  Comparison,
  ComparisonData,
  Omnibus,
  PairwiseOptions,
} from "./significance/compare/comparison.ts";
export type { Flip, Flips } from "./significance/compare/conclude.ts";
export type { ComparedPairJson, ComparisonSeriesJson, ModelComparisonJson } from "./significance/compare/json.ts";
export type { CompareLabelOptions, LabelColumns } from "./significance/compare/labels.ts";
export type { ComparisonColumns, Groups, Matched, UnmatchedItems } from "./significance/compare/matching/matching.ts";
export type { LikelihoodRatio, ModelComparison, ModelKind, ModelOptions } from "./significance/compare/model.ts";
export type { ItemTexts, PairItems } from "./significance/compare/pair/differing.ts";
export type { Facet, FacetCheck, FacetPart, RepeatedFacet } from "./significance/compare/pair/facets.ts";
export type { Missingness } from "./significance/compare/pair/missingness.ts";
export type { Interval, PairComparison } from "./significance/compare/pair/pair.ts";
export type { RunKind } from "./significance/compare/pair/run-kind.ts";
export type { RunsInterval } from "./significance/compare/pair/runs.ts";
export type { Exaggeration, ObservedErrors, SensitivityOptions } from "./significance/compare/pair/sensitivity.ts";
export type { VarianceParts } from "./significance/compare/pair/spread.ts";
export type { ComparisonTest, PairTest, TestName as PairTestName } from "./significance/compare/pair/tests.ts";
export type { Direction, Equivalence, NextStep } from "./significance/compare/pair/verdict.ts";
export type { DetectionAim, FewLevels, PairFact, PresentDesign } from "./significance/compare/pair-facts.ts";
export type { PreferenceColumns, PreferenceOptions } from "./significance/compare/preferences.ts";
export type { ItemSeries, RankRange, ScoreSpread } from "./significance/compare/series.ts";
export type { MacroAverage, Slice, SliceTable } from "./significance/compare/slices.ts";
export type { SystemScore } from "./significance/compare/system-scores.ts";
export type { TableOptions } from "./significance/compare/table.ts";
export { comparisonTable, type GridCell } from "./significance/compare/tables.ts";
export type { CompareTextOptions } from "./significance/compare/texts.ts";
export type { ScoreStyle } from "./significance/compare/written-numbers.ts";
export type { ContrastMethod, CustomContrasts } from "./significance/means/contrasts.ts";
export {
  type EffectSize,
  type EffectSizeOptions,
  type EffectSizes,
  effectSizes,
} from "./significance/means/effect-size.ts";
export type { GridWeights } from "./significance/means/grid-average.ts";
export type { Levels, MarginalOptions } from "./significance/means/marginal-functions.ts";
export type { EffectSd, MarginalModel, MarginalSource } from "./significance/means/marginal-model.ts";
export {
  type EmmeansResult,
  type MarginalContrast,
  type MarginalMean,
  type MarginalMeansOptions,
  type MeansScale,
  marginalMeans,
} from "./significance/means/means.ts";
export type { OrdinalFit, OrdinalScale } from "./significance/means/ordinal.ts";
export type { LatentSeries } from "./significance/means/ratings.ts";
export {
  describeRatings,
  type RatedFactor,
  type RatedPair,
  type RatedSystem,
  type RatingSummary,
} from "./significance/means/ratings.ts";
export type { At } from "./significance/means/reference-grid.ts";
export type { ResponseScale } from "./significance/means/response-scale.ts";
export type { BeggTest, EggerTest } from "./significance/meta/asymmetry.ts";
export type { Funnel, TrimAndFill } from "./significance/meta/funnel.ts";
export type { MetaInterval, PooledEffect, RandomEffects } from "./significance/meta/pool.ts";
export { type Adjustment, adjustP, type PAdjustment, type PairAdjustment } from "./significance/multiplicity.ts";
export {
  type CategoricalComparison,
  type ComparableFit,
  type NestedCategoricalOptions,
  testNestedCategorical,
  testNestedFits,
} from "./significance/nested/categorical.ts";
export { type MixedComparison, type NestedMixedOptions, testNestedMixed } from "./significance/nested/mixed.ts";
export type { ComparedModel } from "./significance/nested/nested.ts";
export {
  type NestedComparison,
  type NestedOptions,
  testNested,
  testNestedFormulas,
} from "./significance/nested/nested.ts";
export type { LrtSeries } from "./significance/nested/null-law.ts";
export type { TermTest } from "./significance/nested/type3.ts";
export type { Combination, PartialConjunction } from "./significance/partial-conjunction.ts";
export type {
  DroppedUnits,
  Fragility,
  Neighbors,
  OddItemNames,
  RankedSystem,
  RankedVotes,
  Ranking,
  RankOptions,
} from "./significance/ranks/ranks.ts";
export { rankSystems } from "./significance/ranks/ranks.ts";
export type { RankSet } from "./significance/ranks/sets.ts";
export type { RankedTasks } from "./significance/ranks/tasks.ts";
export type { Sides, Spending } from "./significance/sequential/boundaries.ts";
export type { LooksResult } from "./significance/sequential/looks.ts";
export type { StoppedTest } from "./significance/sequential/stopped.ts";
export type { Exits } from "./significance/sequential/walk.ts";
export type { TestInterval, TestResult, TestSeries } from "./significance/test-result.ts";
export type { ShareInterval } from "./significance/tests/boschloo.ts";
export type { OneWay } from "./significance/tests/intraclass.ts";
export type { SkewedMean } from "./significance/tests/skewed-mean.ts";
export type { TotalSpread } from "./significance/totals/spread.ts";
export type { SystemTotal, TotalsOptions, TotalsPair, TotalsResult } from "./significance/totals/totals.ts";
export { testTotals } from "./significance/totals/totals.ts";
export { warnOfRepeats } from "./study/checks/ignored.ts";
export { readStudy } from "./study/files.ts";
export type { Judged, JudgedColumns, JudgedData, Voice } from "./study/judged.ts";
export { mergeImported, type NamedImport } from "./study/merge.ts";
export type { SystemMean } from "./study/score-facts.ts";
export type { DifferingSetting } from "./study/settings.ts";
export { Question } from "./study/tell.ts";
export { withRows } from "./study/understand.ts";
export type * from "./types.ts";
export type { Ablation } from "./validity/ablation.ts";
export { type AuditOptions, type AuditResult, auditValidity, type SkippedTest } from "./validity/audit.ts";
export type { BiasMeasure } from "./validity/bias/association.ts";
export type { BiasPointJson } from "./validity/bias/bias.ts";
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
export type { BiasPerformance, DomainPerformance } from "./validity/bias/performance.ts";
export {
  type CircularityOptions,
  type CircularityResult,
  testCircularity,
} from "./validity/circularity/circularity.ts";
export type { CircularityFamily, LeftOut } from "./validity/circularity/data.ts";
export type {
  CircularityFinding,
  FullModel,
  NamedModel,
  NotTried,
  Tried,
} from "./validity/circularity/finding.ts";
export type { FeatureJson, FindingJson, NullificationJson } from "./validity/circularity/findings-json.ts";
export type { RuleKind, ScatterBy } from "./validity/circularity/found-rule.ts";
export type { Nullification, NullifiedFeature } from "./validity/circularity/nullification.ts";
export type { Search, SearchedModel } from "./validity/circularity/powerset.ts";
export type { ModelScore, ModelSpec, SplineBasis } from "./validity/circularity/powerset-model.ts";
export type { RefinedModel } from "./validity/circularity/refine.ts";
export type { Reproduction } from "./validity/circularity/reproduction.ts";
export type { Amplitude, ShapeCurve } from "./validity/circularity/shapes.ts";
export type { StepFunction, StepRule } from "./validity/circularity/step-rule.ts";
export type { Threshold } from "./validity/circularity/threshold-tree.ts";
export type { CircularityVerdict } from "./validity/circularity/verdict.ts";
export type { MeasuredFeature } from "./validity/invariance/feature-test.ts";
export {
  type InvarianceFeature,
  type InvarianceOptions,
  type InvarianceResult,
  type InvarianceStatus,
  type InvarianceVerdict,
  testInvariance,
} from "./validity/invariance/invariance.ts";
export { parseScales, type Scales } from "./validity/invariance/scales.ts";
export { drawTransformation, type Transformation } from "./validity/invariance/transform.ts";
export type { AlternativeAnnotators, AnnotatorAgainst } from "./validity/judge/alternative-annotator.ts";
export type { AuditVerdict, JudgeAudit, JudgeAudited } from "./validity/judge/audit.ts";
export type { JudgeAccuracy, JudgeCheck, JudgeConsistency, JudgeFavor, JudgeOrder } from "./validity/judge/check.ts";
export { correctComparison, type PeoplesLabels } from "./validity/judge/compared.ts";
export type { Drawn } from "./validity/judge/draw.ts";
export type { NextJudge } from "./validity/judge/follow.ts";
export {
  type CorrectedDifference,
  type CorrectedSystem,
  type CorrectionMethod,
  type CorrectOptions,
  correctJudge,
  type JudgeCorrection,
  type JudgeEstimate,
  type JudgeOptions,
} from "./validity/judge/judge.ts";
export type { JudgeMix, JudgePlan } from "./validity/judge/plan.ts";
export type { KnownAccuracy } from "./validity/judge/rogan-gladen.ts";
export type { JudgeSample, SampledOutput } from "./validity/judge/sample.ts";
export type { AblationWay } from "./validity/learner/ablation.ts";
export type { Learner, LearnerName, Predictions, Target } from "./validity/learner/learner.ts";
export { type OutputContext, readPredictions } from "./validity/learner/output.ts";
export { type Change, LOSSES, type Loss } from "./validity/learner/score.ts";
export type { AgreementFigure, Coefficient, LevelResult, MetricAgreement } from "./validity/metrics/levels.ts";
export { type MetricValidity, type MetricValidityOptions, validateMetrics } from "./validity/metrics/metrics.ts";
