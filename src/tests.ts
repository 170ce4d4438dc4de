/** `gosset/tests`: classical tests, their intervals, corrections for many of them, and the coefficients of classical test theory. */

export type { Bin, CellCounts, MarkedBin } from "./numeric/histogram.ts";
export type { LinePoint, Scatter } from "./numeric/straight-line.ts";
export { PAIR_TESTS } from "./question/choices.ts";
export { expectedBest } from "./reliability/budget.ts";
export {
  type Consistency,
  type ConsistencyItem,
  measureConsistency,
  type SplitHalf,
  type SplitSummary,
  spearmanBrown,
  spearmanBrownFactor,
} from "./reliability/consistency.ts";
export { kooLiBand } from "./reliability/generalizability/coefficient.ts";
export type { BootstrapIntervalType } from "./resample/intervals.ts";
export type { RunScores } from "./resample/multi-bootstrap.ts";
export type { Alternative, PairedPermutationOptions, PermutationOptions } from "./resample/permutation.ts";
export type { PairedStatistics } from "./resample/permutation-scores.ts";
export type { TwoSampleOptions } from "./resample/permutation-two-sample.ts";
export type { Verdict } from "./result/verdict.ts";
export {
  type Battles,
  type BradleyTerryFit,
  type BradleyTerryOptions,
  fitBradleyTerry,
  type TieModel,
} from "./significance/bradley-terry.ts";
export {
  detectableDifference,
  type Exaggeration,
  exaggerationAt,
  type ObservedErrors,
  type SensitivityOptions,
} from "./significance/compare/pair/sensitivity.ts";
export {
  BINOMIAL_INTERVALS,
  type BinomialIntervalMethod,
  binomialInterval,
  type ProportionInterval,
} from "./significance/intervals/binomial.ts";
export { type PairedOddsRatio, pairedOddsRatio } from "./significance/intervals/paired-odds-ratio.ts";
export {
  PAIRED_INTERVALS,
  type PairedIntervalMethod,
  pairedProportionInterval,
} from "./significance/intervals/paired-proportions.ts";
export { type BeggTest, beggTest, type EggerTest, eggerTest } from "./significance/meta/asymmetry.ts";
export {
  type Funnel,
  funnelOf,
  type TrimAndFill,
  type TrimAndFillOptions,
  trimAndFill,
} from "./significance/meta/funnel.ts";
export {
  type MetaInterval,
  type PooledEffect,
  type PooledEffects,
  poolEffects,
  type RandomEffects,
} from "./significance/meta/pool.ts";
export {
  type Heterogeneity,
  type MetaData,
  type MetaRegression,
  metaRegression,
} from "./significance/meta/regression.ts";
export {
  boundDifference,
  boundInterval,
  boundMean,
  boundPairs,
  type DiscordantP,
  type OutcomeBounds,
  type OutcomeRange,
  type PairedBounds,
} from "./significance/missing.ts";
export {
  ADJUSTMENTS,
  type Adjustment,
  familyWiseError,
  type PAdjustment,
  tukeyP,
} from "./significance/multiplicity.ts";
export { type PairedTable, pairedTable } from "./significance/paired-table.ts";
export {
  COMBINATIONS,
  type Combination,
  type PartialConjunction,
  type PartialConjunctionOptions,
  partialConjunction,
} from "./significance/partial-conjunction.ts";
export {
  correctedResampledTest,
  type FiveByTwoOptions,
  type FiveByTwoTest,
  fiveByTwoTest,
  type ResampledTest,
  type ResampledTestOptions,
} from "./significance/runs/cross-validation.ts";
export { type NestedLosses, type NestedOptions, type NestedTest, nestedCvTest } from "./significance/runs/nested.ts";
export {
  type RunsPermutationOptions,
  type RunsPermutationTest,
  runsPermutationTest,
} from "./significance/runs/runs.ts";
export {
  type OrderViolation,
  type StochasticOrderOptions,
  type StochasticOrderTest,
  stochasticOrderTest,
  violationRatio,
} from "./significance/runs/stochastic-order.ts";
export {
  type AnytimeEvidence,
  anytimeBets,
  anytimePairs,
  type PairsEvidence,
} from "./significance/sequential/anytime.ts";
export {
  type BettingOptions,
  type BettingSequence,
  bettingInterval,
  followBetting,
} from "./significance/sequential/betting.ts";
export {
  type BoundaryOptions,
  findBoundaries,
  type Sides,
  type Spending,
} from "./significance/sequential/boundaries.ts";
export {
  type EProcess,
  followPairs,
  logEvidence,
  type MixtureEvidence,
  type MixtureOptions,
  mixtureEvidence,
} from "./significance/sequential/e-process.ts";
export {
  type ConditionalPowerOptions,
  conditionalPower,
  type FutilityBounds,
  type FutilityOptions,
  futilityBounds,
} from "./significance/sequential/futility.ts";
export { designLooks, type LooksOptions, type LooksResult } from "./significance/sequential/looks.ts";
export {
  bestRho,
  followMean,
  type NormalMixture,
  type NormalMixtureOptions,
  normalMixture,
} from "./significance/sequential/normal-mixture.ts";
export { judgeStopped, type StoppedOptions, type StoppedTest } from "./significance/sequential/stopped.ts";
export { type Exits, exitsOf, type LookBounds } from "./significance/sequential/walk.ts";
export { hedgesCorrection } from "./significance/standardised.ts";
export type { TestInterval, TestOptions, TestResult, TestSeries } from "./significance/test-result.ts";
export { type BinomialTestOptions, binomialTest } from "./significance/tests/binomial-test.ts";
export {
  type BootstrapTestOptions,
  bootstrapScoreTest,
  bootstrapTest,
  type MultiBootstrapTestOptions,
  multiBootstrapTest,
} from "./significance/tests/bootstrap-test.ts";
export { type Boschloo, boschlooTest, type ShareInterval, type TwoCounts } from "./significance/tests/boschloo.ts";
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
export { type OneWay, oneWayIntraclass } from "./significance/tests/intraclass.ts";
export {
  MCNEMAR_METHODS,
  type McnemarMethod,
  type McnemarOptions,
  mcnemarP,
  mcnemarTest,
} from "./significance/tests/mcnemar.ts";
export { type ClusteredMcnemarOptions, clusteredMcnemarTest } from "./significance/tests/mcnemar-clustered.ts";
export type { OneWayMethod } from "./significance/tests/one-way.ts";
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
export { type MeanSummary, type ZTestOptions, zTest, zTestOfSummaries } from "./significance/tests/z-test.ts";
export { countedTotals, type SystemCount } from "./significance/totals/counted.ts";
export type { Judged, JudgedColumns, JudgedData, Voice } from "./study/judged.ts";
export type * from "./types.ts";
export type { AlternativeAnnotators, AnnotatorAgainst } from "./validity/judge/alternative-annotator.ts";
export {
  type AuditJudgeOptions,
  type AuditVerdict,
  auditJudge,
  type JudgeAudit,
  type JudgeAudited,
} from "./validity/judge/audit.ts";
export {
  type CheckJudgeOptions,
  checkJudge,
  type JudgeAccuracy,
  type JudgeCheck,
  type JudgeConsistency,
  type JudgeFavor,
  type JudgeOrder,
} from "./validity/judge/check.ts";
export { costOptimalProbabilities, type LabelPrices } from "./validity/judge/cost-optimal.ts";
export type { Drawn } from "./validity/judge/draw.ts";
export { type NextJudge, type NextJudgeOptions, nextJudge } from "./validity/judge/follow.ts";
export type { JudgeEstimate, JudgeOptions } from "./validity/judge/judge.ts";
export { type JudgeMix, type JudgePlan, type PlanJudgeOptions, planJudge } from "./validity/judge/plan.ts";
export {
  type PredictionPowered,
  type PredictionPoweredOptions,
  predictionPowered,
  predictionPoweredTest,
} from "./validity/judge/prediction-powered.ts";
export {
  allocateCalibration,
  type JudgedCount,
  type KnownAccuracy,
  type RoganGladen,
  readCarry,
  roganGladen,
  roganGladenDifference,
} from "./validity/judge/rogan-gladen.ts";
export {
  fillSheet,
  type JudgeSample,
  openSheet,
  readSheet,
  type SampledOutput,
  type SampleOptions,
  type SheetToLabel,
  sampleJudge,
  sampleSheets,
} from "./validity/judge/sample.ts";
