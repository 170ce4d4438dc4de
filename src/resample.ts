/** `gosset/resample`: bootstrap, permutation and jackknife of any statistic. */

export { type Rng, type RngState, resumeRng } from "./numeric/rng.ts";
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
export type { MultiReplicates } from "./resample/multi-bootstrap.ts";
export { type MultiBootstrapOptions, multiBootstrap, type RunScores } from "./resample/multi-bootstrap.ts";
export {
  type Alternative,
  type PairedPermutationOptions,
  type Permutation,
  type PermutationOptions,
  permutePaired,
} from "./resample/permutation.ts";
export {
  type MaxT,
  type MaxTOptions,
  maxTCritical,
  maxTP,
  permuteMaxT,
} from "./resample/permutation-max-t.ts";
export { type PairedStatistics, permutePairedScores } from "./resample/permutation-scores.ts";
export {
  permuteStudentised,
  type StudentisedOptions,
  type StudentisedPermutation,
} from "./resample/permutation-studentised.ts";
export { permuteTwoSample, type TwoSampleOptions } from "./resample/permutation-two-sample.ts";
export type { DrawOptions } from "./resample/replicates.ts";
