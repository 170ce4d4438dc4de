/** `gosset/plan`: plans of evaluations, gates with known error rates, and the files that state them. */

export type { Format, Imported, ImportedMetric, RoleGuess, Roles } from "./data/imported.ts";
export type { NamedImport } from "./data/merge.ts";
export type { RunSettings } from "./data/settings.ts";
export type { Column, FactorColumn, NumericColumn, Table } from "./data/table.ts";
export type { TokeniserName } from "./metrics/tokenise.ts";
export type { Rng, RngState } from "./numeric/rng.ts";
export { checkPlan, type PlanJson, type PlanResult } from "./plan/check.ts";
export { comparePlanned, type PlannedLook, type PlannedOptions } from "./plan/follow.ts";
export { type GateAaJson, type GateAaResult, measureNoise, type RunNoise } from "./plan/gate/aa.ts";
export {
  type CheckedTask,
  checkGate,
  type GateCheckJson,
  type GateCheckOptions,
  type GateCheckResult,
  type GateNeed,
  type GateScenario,
} from "./plan/gate/check.ts";
export type { GateColumns, GateFiles, TaskCoverage } from "./plan/gate/evidence.ts";
export {
  type GateJson,
  type GateOptions,
  type GateResult,
  type GateTask,
  gate,
  type WhenOpen,
} from "./plan/gate/gate.ts";
export { GATE_REASONS, type GateOutcome, type GateReason } from "./plan/gate/judge.ts";
export {
  type Allowance,
  type Correction,
  type GatePolicy,
  type GateUnscored,
  policySchema,
  readPolicy,
  simplePolicy,
  type TaskRule,
  type Tier,
} from "./plan/gate/policy.ts";
export {
  type EvaluationPlan,
  hashPlan,
  lockPlan,
  type PlanLock,
  planOptions,
  planSchema,
  readLock,
  readPlan,
} from "./plan/plan.ts";
export { type ScheduledRun, scheduleRuns } from "./plan/schedule.ts";
export type {
  CellFormat,
  Display,
  DisplayChart,
  DisplayItem,
  DisplaySection,
  DisplayTable,
  Screen,
} from "./result/display.ts";
export type {
  Diagnostic,
  JsonOf,
  NestedJson,
  NumberArray,
  Result,
  ResultJson,
  Signature,
  Written,
} from "./result/result.ts";
export type { CompareOptions, PairAdjustment } from "./significance/compare/comparison.ts";
export type { ModelKind, ModelOptions } from "./significance/compare/model.ts";
export type { Facet } from "./significance/compare/pair/facets.ts";
export type { TestName } from "./significance/compare/pair/tests.ts";
export type { Adjustment, PAdjustment } from "./significance/multiplicity.ts";
