/** Names of columns that hold neither roles nor circumstances: costs, differences, choices, parts of a data set. */
import { hasWord, joinedName, listed, plainName, splitWords } from "./words.ts";

const COSTS = listed("price cost usd time latency seconds duration");
/** What an output cost. */
export const isCostName = (name: string): boolean => hasWord(name, COSTS);
const SIZES = listed("len length token word char rank count num n");
/** What an output has or cost is no opinion of it. */
export const isNoOpinion = (name: string): boolean => isCostName(name) || hasWord(name, SIZES);
const MODELS = listed("llm ai autorater");
const MODEL_STEMS = ["gpt", "chatgpt", "claude", "gemini"];
/** llm_correctness, GPT-4 score: what a model said is not what people said. */
export const isOfModel = (name: string): boolean =>
  hasWord(name, MODELS) || splitWords(name).some((word) => MODEL_STEMS.some((stem) => word.startsWith(stem)));
const SETTLED = listed("hard soft majority consensus aggregate aggregated settled final");
/** The settled value of several judgments is made of them. */
export const isSettled = (name: string): boolean => hasWord(name, SETTLED);
const CHOICES = listed("winner win preferred preference choice chosen vote better best");
export const isChoiceName = (name: string): boolean => CHOICES.has(plainName(name));

const DIFFERENCES = "diff delta change gain drop improvement reduction increase saved vs".split(" ");
/** What may be below 0 whatever was counted. */
export const isDifferenceName = (name: string): boolean =>
  DIFFERENCES.some((part) => name.toLowerCase().includes(part));
const TIMES = "latency runtime duration elapsed seconds secs".split(" ");
const TIME_WORDS = listed("ms time");
/** What takes some time at least. */
export const isTimeName = (name: string): boolean =>
  TIMES.some((part) => name.toLowerCase().includes(part)) || hasWord(name, TIME_WORDS);

const LABELS = listed("label target gold y class outcome relevance truth");
export const isTargetName = (name: string): boolean => LABELS.has(plainName(name));
const PREDICTIONS = listed("pred preds prediction predictions predicted yhat output");
export const isPredictedName = (name: string): boolean => {
  const [first = "", second] = splitWords(name);
  return PREDICTIONS.has(joinedName(name)) || (second !== undefined && /^pred(icted|iction)?$/.test(first));
};
const DOMAINS = listed("domain source dataset corpus site splitdomain");
export const isDomainName = (name: string): boolean => DOMAINS.has(joinedName(name));
const SPLITS = listed("split partition subset fold");
export const isSplitName = (name: string): boolean => SPLITS.has(plainName(name));
const NUMBERS = listed("id ids code no number index");
export const isNumberName = (name: string): boolean => NUMBERS.has(splitWords(name).at(-1) ?? "");
const COUNTERS = listed("id ids idx index nr number seed trial");
/** The number of an item or a run, not what it is called. */
export const isCounterName = (name: string): boolean =>
  COUNTERS.has(splitWords(name).at(-1) ?? "") || name === UNNAMED_FIRST;
/** What the reader calls a first column without a name. */
export const UNNAMED_FIRST = "column1";
const RIGHT = listed("true gold golden actual truth label labels target expected reference");
/** The last word says that it holds what is right. */
export const isRightName = (name: string): boolean => RIGHT.has(splitWords(name).at(-1) ?? "");
/** What is right of an item, was settled about it, or says which part of the data it is: no name of a system or a rater. */
export const isAboutItem = (name: string): boolean => hasWord(name, RIGHT) || isSettled(name) || isSplitName(name);
const UNITS = listed("ms s sec secs second seconds pct percent usd score rate");
/** "latency_ms" is latency, "f1_score" f1: of words with "_" between them. */
export function withoutUnit(name: string): string {
  const at = name.lastIndexOf("_");
  return at > 0 && UNITS.has(name.slice(at + 1)) ? name.slice(0, at) : name;
}
const RUN_PARTS = "run seed trial epoch rep repeat attempt fold try"
  .split(" ")
  .map((part) => new RegExp(`${part}[-_. ]?\\d`, "i"));
/** A folder or file that is one run: "3", "seed-1", "run_2b". */
export const isRunPart = (name: string): boolean =>
  /^[-_. ]?\d+$/.test(name) || RUN_PARTS.some((part) => part.test(name));
