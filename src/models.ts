/** `gosset/models`: formulas, designs, and the prepare and solve steps of every model, for those who simulate. */

export { buildDesign, type DesignOptions, makeDesign } from "./formula/design.ts";
export { evaluateExpression, filterRows, mutateTable, parseExpression } from "./formula/evaluate/evaluate.ts";
export { parseFormula, printFormula } from "./formula/parse/parse.ts";
export { learnSchema, type SchemaOptions, tellUnusedCoding, tellUnusedColumns } from "./formula/schema.ts";
export type { Family, FamilyName, PlainFamilyName, Shape } from "./models/family.ts";
export type { RegressionOptions } from "./models/fixed-design.ts";
export type { GamDerivatives } from "./models/gam/derivatives.ts";
export {
  type FittedSmooth,
  type GamFit,
  type GamOptions,
  type GamSolution,
  type GamTerm,
  solveGam,
} from "./models/gam/gam.ts";
export type { GamState } from "./models/gam/inner.ts";
export type { GamOptimum, SearchOptions } from "./models/gam/outer.ts";
export type { PenaltyBlock, WorkingBasis, WorkingBlock, WorkingPenalty } from "./models/gam/penalty.ts";
export { type GamPrediction, type GamPredictOptions, predictGam } from "./models/gam/predict.ts";
export type { GamSmooth, ParametricPart } from "./models/gam/problem.ts";
export { type GamMethod, type GamProblem, type GamProblemOptions, prepareGam } from "./models/gam/problem.ts";
export type { GamRows } from "./models/gam/rows/rows.ts";
export type { GamShape } from "./models/gam/shapes.ts";
export type { GlmFit, GlmOptions } from "./models/glm/glm.ts";
export type { GlmmFamily, GlmmLink } from "./models/glm/laplace-rows.ts";
export { type LeaveOneOut, leverage } from "./models/glm/leave-one-out.ts";
export type { Prediction, PredictOptions } from "./models/glm/predict.ts";
export { type GlmShape, type ShapedSolution, solveShaped } from "./models/glm/shape.ts";
export { type GlmProblem, type GlmSolution, prepareGlm, solveGlm } from "./models/glm/solve.ts";
export type { GlmmFit, GlmmOptions } from "./models/glmm/glmm.ts";
export {
  type CategoricalFit,
  type CategoricalInterval,
  type ProfiledFit,
  profileCategorical,
} from "./models/glmm/profile.ts";
export type { GlmmParameters } from "./models/glmm/simulate.ts";
export { simulateGlmm } from "./models/glmm/simulate.ts";
export type { GlmmProblemOptions } from "./models/glmm/solve.ts";
export { type GlmmProblem, type GlmmSolution, prepareGlmm, solveGlmm } from "./models/glmm/solve.ts";
export type { RandomFactor, RandomRows } from "./models/laplace/factor.ts";
export type { LaplaceState, LaplaceWork } from "./models/laplace/laplace.ts";
export type { MixedSolution, MixedSolveOptions, QuadratureOptions, RandomPart } from "./models/laplace/mixed.ts";
export type { AgqRule } from "./models/laplace/quadrature.ts";
export type { LaplaceFit, LaplaceOptions } from "./models/laplace/report.ts";
export type { LaplaceSolution } from "./models/laplace/solve.ts";
export type { LaplaceSystem } from "./models/laplace/system.ts";
export type { Link, LinkName } from "./models/link.ts";
export { type LmFit, type LmOptions, type LmProblem, type LmSolution, prepareLm, solveLm } from "./models/lm/lm.ts";
export type { ResidualChecks } from "./models/lm/residual-checks.ts";
export type { BootstrapInterval, BootstrapOptions, LmmBootstrap } from "./models/lmm/bootstrap.ts";
export type { CrossProducts } from "./models/lmm/cross-products.ts";
export type { Curvature } from "./models/lmm/curvature.ts";
export { type FoldedClass, foldLmm, type LmmFold } from "./models/lmm/fold.ts";
export { type Ddf, type LmmFit, type LmmOptions, reopenLmm } from "./models/lmm/lmm.ts";
export { lmmObjective } from "./models/lmm/objective.ts";
export type { ColumnEntries, LevelCross } from "./models/lmm/patterns.ts";
export type { LmmFactor, LmmProblemOptions, LmmWork } from "./models/lmm/problem.ts";
export { type Criterion, type LmmProblem, prepareLmm } from "./models/lmm/problem.ts";
export type { LmmRSquared } from "./models/lmm/r-squared.ts";
export type { LmmResponse } from "./models/lmm/response.ts";
export type { Schur, SparseLayout } from "./models/lmm/schur.ts";
export { type LmmParameters, simulateInto, simulateLmm } from "./models/lmm/simulate.ts";
export type { LmmSolveOptions } from "./models/lmm/solve.ts";
export { type LmmSolution, solveLmm } from "./models/lmm/solve.ts";
export type { MomentEquations } from "./models/lmm/start.ts";
export type { AnyFit } from "./models/models.ts";
export type { ClmFit, ClmOptions } from "./models/ordinal/clm.ts";
export type { ClmSolution } from "./models/ordinal/clm-solve.ts";
export type { ClmmFit, ClmmOptions } from "./models/ordinal/clmm.ts";
export type { ClmmProblemOptions } from "./models/ordinal/clmm-solve.ts";
export { type ClmmProblem, type ClmmSolution, prepareClmm, solveClmm } from "./models/ordinal/clmm-solve.ts";
export type { CumulativeLink } from "./models/ordinal/cumulative-link.ts";
export type { CumulativeLinkFit, OrdinalFrame, UsedCategories } from "./models/ordinal/ordinal.ts";
export type { OrdinalPrediction, Superiority } from "./models/ordinal/probabilities.ts";
export { categoryProbabilities, predictClm, superiorityOf } from "./models/ordinal/probabilities.ts";
export type { RatioStructure } from "./models/ordinal/ratios.ts";
export type { ClmRows } from "./models/ordinal/rows.ts";
export type { ClmmParameters } from "./models/ordinal/simulate.ts";
export { simulateClmm } from "./models/ordinal/simulate.ts";
export type { ThresholdKind, Thresholds } from "./models/ordinal/thresholds.ts";
export { type ProfileInterval, profileIntervals } from "./models/profile/linear.ts";
export type { ProfileKind } from "./models/profile/linear-target.ts";
export type { ParameterInterval, ProfileOptions } from "./models/profile/profile.ts";
export type { CovarianceTerm, RandomStructure, VarianceComponent } from "./models/random/random.ts";
export type { RowModel } from "./models/row-model.ts";
export { type RobustCovariance, type RobustType, robustCovariance, type WorkingModel } from "./models/sandwich.ts";
export type { Qr } from "./numeric/linalg/qr.ts";
export type { InverseScratch, SelectedInverse } from "./numeric/linalg/selected-inverse.ts";
export type { FactorScratch, SparseFactor } from "./numeric/linalg/sparse-cholesky.ts";
export type { Symbolic } from "./numeric/linalg/symbolic.ts";
export type { DrawKeeper, KeptDrawing, KeptSet, Place } from "./run/task.ts";
export { CONTRAST_METHODS, type ContrastMethod } from "./significance/means/contrasts.ts";
export type { MarginalSource } from "./significance/means/marginal-model.ts";
export { type EffectSd, type MarginalModel, marginalModelOf } from "./significance/means/marginal-model.ts";
export type { ResponseScale } from "./significance/means/response-scale.ts";
export { type TermTest, type3Lm } from "./significance/nested/type3.ts";
export { type3Lmm } from "./significance/nested/type3-mixed.ts";
export { warnOfFixedRaters, warnOfMixedMetrics } from "./study/checks/ignored.ts";
export type * from "./types.ts";
