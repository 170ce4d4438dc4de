/** What each question may be asked with, and its options as flags, forms and words, without the engines behind them. */
export { isBuiltIn } from "./question/choices.ts";
export { COMPARE } from "./question/compare.ts";
export { DESCRIBE } from "./question/describe.ts";
export { GATE, GATE_CHECK } from "./question/gate.ts";
export {
  JUDGE_AUDIT,
  JUDGE_CHECK,
  JUDGE_CORRECT,
  JUDGE_NEXT,
  JUDGE_PLAN,
  JUDGE_SAMPLE,
} from "./question/judge.ts";
export { ANOVA, EMMEANS, FIT, MEANS_MODEL, VARIABLES } from "./question/models.ts";
export { NEXT } from "./question/next.ts";
export {
  allOptions,
  flagNameOf,
  keyOfFlag,
  type OptionSpec,
  type OptionsOf,
  type OptionTable,
} from "./question/option.ts";
export {
  commandWords,
  formOptions,
  parseCount,
  parseLevels,
  parseNumber,
  parseOptions,
  parsePositive,
  parseProbability,
  sharedSettings,
  splitList,
  splitNames,
} from "./question/parse.ts";
export { LOOKS, PLAN } from "./question/plan.ts";
export { RANK } from "./question/rank.ts";
export { doesNothing, refuseAlone, refuseUnused } from "./question/refuse.ts";
export { AGREEMENT, BUDGET, IMPORTANCE, RELIABILITY } from "./question/reliability.ts";
export { CHOSEN_ROWS, READ, SAVED_READING, SHAPE, TOLD } from "./question/rows.ts";
export { SCORE, SCORE_METRIC, SCORE_ROWS } from "./question/score.ts";
export { TEST, TESTS } from "./question/test.ts";
export { AUDIT, BIAS, CIRCULARITY, INVARIANCE, METRIC_VALIDITY } from "./question/validity.ts";
