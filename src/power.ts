/** `gosset/power`: scenarios as data, for those who simulate their own; claims, records and benchmarks. */

export type { ItemStatistics, Metric } from "./metrics/metric.ts";
export type { ScoreRange } from "./metrics/range.ts";
export type { LmFit } from "./models/lm/lm.ts";
export type { ResidualChecks } from "./models/lm/residual-checks.ts";
export type { RobustType } from "./models/sandwich.ts";
export type { Bin, MarkedBin } from "./numeric/histogram.ts";
export type { LinePoint } from "./numeric/straight-line.ts";
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
export type { ErrorRate } from "./power/error-rate.ts";
export { type Benchmark, type BenchmarkMde, type BenchmarkOptions, benchmarkMde } from "./power/from/benchmarks.ts";
export type { ClaimPower } from "./power/from/claims.ts";
export {
  type ClaimLimits,
  type ClaimsInput,
  type ClaimsSummary,
  claimLimits,
  claimsReachingMde,
  judgeClaims,
} from "./power/from/claims.ts";
export type { DevOptions, DevRaters, DevResult } from "./power/from/dev.ts";
export { estimateFromDev } from "./power/from/dev.ts";
export type { DevFigure } from "./power/from/dev-figures.ts";
export type { HistoryColumns, HistorySeries } from "./power/from/history.ts";
export { fitEffectHistory, fitOverlapHistory, type HistoryResult } from "./power/from/history.ts";
export type { NextQuestion } from "./power/from/next.ts";
export type { LachenbruchOptions, PriorBound, PriorRow } from "./power/from/no-prior.ts";
export { lachenbruchMde, lachenbruchSize, type NoPriorResult } from "./power/from/no-prior.ts";
export type { OutputsOptions, OutputsResult } from "./power/from/outputs.ts";
export {
  type PilotColumns,
  type PilotParameters,
  preferencesFromPilot,
  type VotePilotColumns,
} from "./power/from/pilot.ts";
export { type SeedPilot, type SeedPilotColumns, seedsFromPilot } from "./power/from/pilot-seeds.ts";
export { followRecords, type Leaderboard, type RecordsSummary, type Submission } from "./power/from/records.ts";
export type { RepeatGain } from "./power/from/repeats.ts";
export type { DevPrior, PriorValue, ShrunkFigure } from "./power/from/shrink.ts";
export { fitDeltaLaplace, fitSwapEffects, makeCorpusFamily, type SwapFit } from "./power/from/swap-effects.ts";
export { type GuardOptions, guardFamily } from "./power/guard.ts";
export { type Ppv, type PpvInput, positivePredictiveValue } from "./power/ppv.ts";
export {
  LIKERT_SETTINGS,
  type LikertSetting,
  ORDINAL_SETTINGS,
  type OrdinalSetting,
  type RandomSds,
} from "./power/published-settings.ts";
export {
  type AnalysisPower,
  type Credibility,
  type PartialDraws,
  POWER_METHODS,
  type PowerMethod,
  type PowerResult,
} from "./power/result.ts";
export type { ScenarioSpec } from "./power/scenario.ts";
export {
  type HeldParameter,
  LARGEST_COUNT,
  LARGEST_NUMBER,
  type Outcome,
  type ParameterSpec,
  type PowerFigures,
  type Scenario,
  type ScenarioFamily,
  type ScenarioParameters,
  type SizeBounds,
  type StatedParameter,
} from "./power/scenario.ts";
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
export { CLASS_METRICS, type ClassMetric, cellsOf } from "./power/scenarios/f1-classes.ts";
export { headToHeadFamily } from "./power/scenarios/head-to-head.ts";
export { likertFamily } from "./power/scenarios/likert.ts";
export { meansFamily } from "./power/scenarios/means.ts";
export { ordinalFamily } from "./power/scenarios/ordinal.ts";
export { preferenceFamily } from "./power/scenarios/preference.ts";
export { findScenario, powerReplicates, SCENARIOS } from "./power/scenarios/scenarios.ts";
export { seedsFamily } from "./power/scenarios/seeds.ts";
export { unpairedFamily } from "./power/scenarios/unpaired.ts";
export type { DrawnEffects, PowerPoint, PowerSeries } from "./power/series.ts";
export type { Piece, SimulateOptions, Tally } from "./power/simulate.ts";
export { makeReplicateTask, type PieceTally, type ReplicateTask, simulatePower } from "./power/simulate.ts";
export type { CurveOptions, CurvePoint } from "./power/solve/curve.ts";
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
export {
  planSeeds,
  type SeedDesignQuestion,
  type SeedDesignResult,
  type SeedPlan,
  type SeedPrices,
} from "./power/solve/seeds-design.ts";
export { findSize, type SizeOptions, type SizeResult } from "./power/solve/size.ts";
export { analysePower, computePower, type PowerOptions } from "./power/solve/solve.ts";
export type { Solved } from "./power/solve/solved.ts";
export type { RatingTest } from "./power/specs.ts";
export type { Keeping, KeptSet, MapOptions, Place, Runner, Task } from "./run/task.ts";
export type { McnemarMethod } from "./significance/tests/mcnemar.ts";
export type * from "./types.ts";
