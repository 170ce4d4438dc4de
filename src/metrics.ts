/** `gosset/metrics`: per-item statistics of BLEU, chrF, TER, F1 and others. */

export { type BleuOptions, prepareBleu, type Smoothing } from "./metrics/bleu.ts";
export {
  findMetric,
  type LabelMetric,
  METRIC_NAMES,
  type MetricChoice,
  type TextMetric,
  unknownMetric,
} from "./metrics/catalogue.ts";
export { type ChrfOptions, prepareChrf } from "./metrics/chrf.ts";
export { type ConfusionFigures, confusionFigures } from "./metrics/confusion.ts";
export { type Average, type F1Options, f1Statistics, type Measure } from "./metrics/f1.ts";
export { type Label, type Labels, listClasses } from "./metrics/labels.ts";
export { balancedAccuracyStatistics, type ClassOptions, mccStatistics } from "./metrics/mcc.ts";
export {
  accuracyStatistics,
  exactMatchStatistics,
  type MeanOptions,
  meanStatistics,
  type Normalisation,
  normaliseAnswer,
} from "./metrics/mean.ts";
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
export type { ScoreRange } from "./metrics/range.ts";
export type {
  ItemScoreRow,
  ScoreDetails,
  ScoredSystem,
  ScoreFields,
  ScoreReport,
  ScoreResult,
  SystemScoreRow,
} from "./metrics/score.ts";
export type { ScoreInterval } from "./metrics/score-interval.ts";
export {
  cellTexts,
  type LabelOptions,
  labelStatistics,
  type MeanColumnOptions,
  rowsBySystem,
  type TableColumns,
} from "./metrics/score-table.ts";
export { prepareText, type ScoreTextOptions, type TextOptions } from "./metrics/score-text.ts";
export { prepareTer, type TerOptions } from "./metrics/ter/ter.ts";
export type { TerTokens } from "./metrics/ter/tokenise.ts";
export type { References, TextScorer } from "./metrics/text-scorer.ts";
export { type TokeniserName, tokenise } from "./metrics/tokenise.ts";
export { type Flakiness, type FlakyItem, measureFlakiness } from "./metrics/tries/flaky.ts";
export { type PassChoice, passOf } from "./metrics/tries/pass.ts";
export { type BayesScore, bayesScore, gPassOf, majorityOf, mGPassOf, type TieRule } from "./metrics/tries/repeats.ts";
export {
  findTries,
  type ReducedTries,
  reduceTries,
  type TriedItem,
  type TriesChoice,
  type TriesColumns,
} from "./metrics/tries/tries.ts";
export { NORMALISATIONS, SMOOTHINGS, TOKENISERS } from "./question/choices.ts";
export type { StatError } from "./result/error.ts";
export type { ResultFields } from "./result/result.ts";
export { metricDirection } from "./study/lexicon/metrics.ts";
export type * from "./types.ts";
