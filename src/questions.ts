/** What each question may be asked with, and its options as flags, forms and words, without the engines behind them. */
export { P_ADJUSTMENTS } from "./question/choices.ts";
export { COMPARE } from "./question/compare.ts";
export {
  allOptions,
  flagNameOf,
  type OptionSpec,
  type OptionsOf,
  type OptionTable,
} from "./question/option.ts";
export {
  commandWords,
  parseCount,
  parseNumber,
  parseOptions,
  parsePositive,
  parseProbability,
  parseSize,
  splitList,
  splitNames,
} from "./question/parse.ts";
export { refuseAlone, refuseUnused } from "./question/refuse.ts";
export { CHOSEN_ROWS, READ, ROLES, SAVED_READING, SHAPE, TOLD } from "./question/rows.ts";
