/** `gosset/plan`: plans of evaluations, gates with known error rates, and the files that state them. */

export type {
  Ask,
  Decision,
  FilesAre,
  Format,
  Imported,
  ImportedMetric,
  JoinedFiles,
  RoleName,
  Roles,
  RunSettings,
  StudyKind,
  Told,
} from "./data/imported.ts";
export type { ShapeName, ShapeOptions } from "./data/shapes.ts";
export type { ScoreRange } from "./metrics/range.ts";
export type { References } from "./metrics/text-scorer.ts";
export type { TokeniserName } from "./metrics/tokenise.ts";
export type { Curvature } from "./models/lmm/curvature.ts";
export type { Ddf, LmmFit } from "./models/lmm/lmm.ts";
export type { Criterion } from "./models/lmm/problem.ts";
export type { LmmRSquared } from "./models/lmm/r-squared.ts";
export type { VarianceComponent } from "./models/random/random.ts";
export type { Bin } from "./numeric/histogram.ts";
export {
  type CheckPlanOptions,
  checkPlan,
  type PlanJson,
  type PlannedStudy,
  type PlanResult,
  showPlan,
  USUAL_STUDIES,
} from "./plan/check.ts";
export { type FilledLists, readFilled } from "./plan/filled.ts";
export { followPlan, type PlannedOptions } from "./plan/follow.ts";
export { type GateAaJson, type GateAaResult, measureNoise, type RunNoise } from "./plan/gate/aa.ts";
export {
  type CheckedTask,
  checkGate,
  type GateCheckJson,
  type GateCheckOptions,
  type GateCheckResult,
  type GateScenario,
} from "./plan/gate/check.ts";
export { type GateColumns, type GateFiles, namesSystem, systemsIn, type TaskCoverage } from "./plan/gate/evidence.ts";
export type { ItemList, TaskFlips } from "./plan/gate/flips.ts";
export {
  type GateJson,
  type GateOptions,
  type GateResult,
  type GateTask,
  gate,
  type WhenOpen,
} from "./plan/gate/gate.ts";
export { type FloorRates, GATE_REASONS, type GateOutcome, type GateReason, type TaskTest } from "./plan/gate/judge.ts";
export type { GateNeed } from "./plan/gate/needed.ts";
export {
  type Allowance,
  type Correction,
  type GatePolicy,
  type GateUnscored,
  hasFloorsOnly,
  policySchema,
  readPolicy,
  simplePolicy,
  type TaskRule,
  type Tier,
} from "./plan/gate/policy.ts";
export { type CommentOptions, gateComment, gateJunit } from "./plan/gate/publish.ts";
export { type ListBalance, listRatings, type RatingLists, type RatingTask } from "./plan/lists.ts";
export {
  NEXT_REASONS,
  type NextJson,
  type NextMethod,
  type NextOptions,
  type NextReason,
  type NextResult,
  nextStep,
} from "./plan/next.ts";
export { type PooledPilots, poolPilots } from "./plan/pilots.ts";
export {
  type EvaluationPlan,
  type ExpectedSpread,
  hashPlan,
  lockPlan,
  type PlanLock,
  type PlannedRatings,
  planOptions,
  planSchema,
  readLock,
  readPlan,
} from "./plan/plan.ts";
export { type ScheduledRun, scheduleRuns } from "./plan/schedule.ts";
export { describePlan } from "./plan/sentences.ts";
export type { PlannedScenario, SimulatedStudies } from "./plan/study.ts";
export type { DesignKind } from "./power/designs/designs.ts";
export type { PilotParameters } from "./power/from/pilot.ts";
export type { ScenarioParameters } from "./power/scenario.ts";
export type { OptionsOf } from "./question/option.ts";
export type { JsonOf, NestedJson, NumberArray, ResultJson, Written } from "./result/result.ts";
export type { Verdict } from "./result/verdict.ts";
export type { ComparedFiles } from "./significance/compare/columns.ts";
export type { CompareInput, Texts } from "./significance/compare/compare.ts";
export type {
  ComparedPair,
  CompareOptions,
  Comparison,
  Omnibus,
} from "./significance/compare/comparison.ts";
export type { Flip, Flips } from "./significance/compare/conclude.ts";
export type { PlannedLook } from "./significance/compare/json.ts";
export type { Groups, UnmatchedItems } from "./significance/compare/matching/matching.ts";
export type { LikelihoodRatio, ModelComparison, ModelKind, ModelOptions } from "./significance/compare/model.ts";
export type { Dependence } from "./significance/compare/pair/classes.ts";
export type { ItemTexts, PairItems } from "./significance/compare/pair/differing.ts";
export type { Facet, FacetCheck, FacetPart, RepeatedFacet } from "./significance/compare/pair/facets.ts";
export type { Missingness } from "./significance/compare/pair/missingness.ts";
export type { Interval, PairComparison } from "./significance/compare/pair/pair.ts";
export type { RunsInterval } from "./significance/compare/pair/runs.ts";
export type { Exaggeration, ObservedErrors } from "./significance/compare/pair/sensitivity.ts";
export type { VarianceParts } from "./significance/compare/pair/spread.ts";
export type { ComparisonTest, PairTest, TestName } from "./significance/compare/pair/tests.ts";
export type { Direction, Equivalence, NextStep } from "./significance/compare/pair/verdict.ts";
export type { DetectionAim, FewLevels, PairFact, PresentDesign } from "./significance/compare/pair-facts.ts";
export type { DriftTest, OrderCheck, OrderPoint } from "./significance/compare/reading/order.ts";
export type { ItemSeries, RankRange, ScoreSpread } from "./significance/compare/series.ts";
export type { MacroAverage, Slice, SliceTable } from "./significance/compare/slices.ts";
export type { SystemScore } from "./significance/compare/system-scores.ts";
export type { ScoreStyle } from "./significance/compare/written-numbers.ts";
export type { ContrastMethod } from "./significance/means/contrasts.ts";
export type { GridWeights } from "./significance/means/grid-average.ts";
export type { Levels } from "./significance/means/marginal-functions.ts";
export type { EmmeansResult, MarginalContrast, MarginalMean, MeansScale } from "./significance/means/means.ts";
export type { OrdinalScale } from "./significance/means/ordinal.ts";
export type { Adjustment, PAdjustment, PairAdjustment } from "./significance/multiplicity.ts";
export type { SkewedMean } from "./significance/tests/skewed-mean.ts";
export type { JudgedData } from "./study/judged.ts";
export type { NamedImport } from "./study/merge.ts";
export type * from "./types.ts";
export type { PeoplesLabels } from "./validity/judge/compared.ts";
export type { Drawn } from "./validity/judge/draw.ts";
