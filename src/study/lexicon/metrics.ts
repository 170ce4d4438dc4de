/** Metrics by name: which columns are scores, and which way is better. A direction is told only by words that mean one thing; a name with a
 *  word that nobody listed has none, and neither has a bare "score", which may be an error as well as an accuracy. */
import { plainName, splitWords } from "./words.ts";

const set = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));

/** What people or a judge give, not what a program computes. */
const JUDGED = set(
  `score scores rating ratings grade points stars likert overall quality fluency adequacy coherence relevance relevancy consistency helpfulness faithfulness
   informativeness naturalness readability grammaticality clarity harmlessness completeness usefulness appropriateness`,
);

/** More is better. */
const UP = set(
  `accuracy acc f1 f05 f2 precision recall auc auroc auprc map mrr ndcg em match bleu sacrebleu chrf comet bleurt meteor rouge rougel rougelsum
   bertscore mcc kappa iou dice correct correctness pass passed passes success succeeded solved resolved win wins won winrate reward mos elo
   fluency adequacy coherence relevance relevancy consistency quality helpfulness faithfulness factuality groundedness informativeness naturalness
   readability grammaticality clarity harmlessness completeness usefulness engagingness
   satisfaction appropriateness rating ratings stars likert sensitivity specificity`,
);
/** Less is better. */
const DOWN = set(
  `loss ter wer cer ppl perplexity nll rmse mse mae mape rmsle brier ece error errors fpr fnr latency toxicity hallucination hallucinations
   hallucinated mistakes failures failed failure surprisal`,
);
/** Words that change nothing about the direction of the others. */
const NEUTRAL = set(
  `score scores scr value values result results rate mean avg average median overall total final raw macro micro weighted binary strict exact test val valid
   validation dev eval evaluation main norm normalized pct percent percentage is was the at of k l n num number count s ms sec seconds none flexible extract
   answer label metric token tokens level human judge absolute squared root abs`,
);
/** Words that say which values of a score these are: none of a system. */
export const isScoreWord = (word: string): boolean =>
  NEUTRAL.has(word) || word === "train" || directionOf(word) !== undefined;
/** Names whose words together say what each alone does not. */
const WHOLE: ReadonlyMap<string, boolean> = new Map([
  ["bits_per_byte", false],
  ["exact_match", true],
  ["time_to_first_token", false],
]);
/** Names that hold a score by themselves. */
const SCORE_NAMES = set(
  "score scores rating grade points value verdict outcome result judgment judgement reward da mqm esa",
);
/** How sure, how long, how much, how many: beside a score, not a score. */
const BESIDE = set(
  `std stdev stddev sd stderr se sem pm var variance ci lo hi lower upper low high min max time cost price usd count counts num n tokens duration
   runtime latency elapsed length len size p pvalue pval rank ranking id idx index seed year date timestamp threshold weight weights confidence`,
);

export const isBesideScore = (name: string): boolean => splitWords(name).some((word) => BESIDE.has(word));

/** What an answer costs, in money or time: less is better, and it is a metric only for who asks. */
const EXPENSES = set("cost costs price latency runtime duration elapsed");
const UNITS = set(
  "usd eur dollars cents ms s sec secs second seconds min mins minutes per item call request query answer",
);

/** "latency_ms", "cost_usd", "total_duration_s". */
export function isExpense(name: string): boolean {
  const words = splitWords(name);
  return (
    words.some((word) => EXPENSES.has(word)) &&
    words.every((word) => EXPENSES.has(word) || UNITS.has(word) || NEUTRAL.has(word))
  );
}

/** "rouge1" is rouge, "recall5" recall. */
const withoutDigits = (word: string): string => {
  let end = word.length;
  while (end > 0 && word.charCodeAt(end - 1) >= 48 && word.charCodeAt(end - 1) <= 57) end -= 1;
  return end === 0 ? word : word.slice(0, end);
};

const directionOf = (word: string): boolean | undefined => {
  if (UP.has(word)) return true;
  if (DOWN.has(word)) return false;
  const bare = withoutDigits(word);
  return UP.has(bare) ? true : DOWN.has(bare) ? false : undefined;
};

/** Is more better? undefined where the name leaves it open. */
export function metricDirection(name: string): boolean | undefined {
  const whole = WHOLE.get(plainName(name));
  if (whole !== undefined) return whole;
  const told = new Set<boolean>();
  for (const word of splitWords(name)) {
    const direction = directionOf(word);
    if (direction !== undefined) told.add(direction);
    else if (!NEUTRAL.has(word) && !/^\d+$/.test(word)) return undefined;
  }
  const [only] = told;
  return told.size === 1 ? only : undefined;
}

/** Whether a word of the name is that of a metric. */
export const isMetricName = (name: string): boolean =>
  WHOLE.has(plainName(name)) || splitWords(name).some((word) => directionOf(word) !== undefined);

/** 2 for a plain name of a score, 1 where a word of the name is that of a score, 0 otherwise. */
export function namedAsScore(name: string): 0 | 1 | 2 {
  const words = splitWords(name);
  const plain = words.join("_");
  if (SCORE_NAMES.has(plain) || WHOLE.has(plain) || directionOf(plain) !== undefined) return 2;
  // "error" of "stderr" and "n" of "n_correct" are about something else
  if (words.some((word) => BESIDE.has(word)) || words.includes("standard")) return 0;
  if (words[0] === "is" && words.length === 2 && directionOf(words[1]!) !== undefined) return 2;
  return words.some(
    (word) => directionOf(word) !== undefined || word === "score" || word === "scores" || word === "rating",
  )
    ? 1
    : 0;
}

/** Counts of what went right or wrong, where a cell is more than 0 or 1. */
const TALLIES = set(
  "correct incorrect passed passes failed failures solved resolved win wins won success successes hits error errors",
);
export const isTallyName = (name: string): boolean => {
  const words = splitWords(name);
  return (
    words.some((word) => TALLIES.has(word)) &&
    !words.some((word) => word === "rate" || word === "mean" || word === "avg")
  );
};

/** Names that differ in one place by a word or number that nobody listed: quality1 and quality2, rating_anna and rating_ben, acc_seed1 and
 *  acc_seed2. Of which systems, raters or runs they are the names do not say. rouge1 and rouge2, test_acc and val_acc are metrics of their own. */
export function inFamily(names: readonly string[]): ReadonlySet<string> {
  const stems = new Map<string, Set<string>>();
  for (const name of names) {
    const words = splitWords(name).flatMap((word) =>
      JUDGED.has(withoutDigits(word)) || directionOf(word) === undefined ? splitNumber(word) : [word],
    );
    words.forEach((word, k) => {
      if (isKnown(word) || words.length < 2) return;
      const stem = words.map((own, j) => (j === k ? "*" : own)).join("_");
      stems.set(stem, (stems.get(stem) ?? new Set()).add(name));
    });
  }
  return new Set([...stems.values()].flatMap((own) => (own.size > 1 ? [...own] : [])));
}

const splitNumber = (word: string): string[] =>
  [withoutDigits(word), word.slice(withoutDigits(word).length)].filter((part) => part !== "");
const isKnown = (word: string): boolean =>
  directionOf(word) !== undefined || JUDGED.has(word) || (NEUTRAL.has(word) && !/^\d+$/.test(word));

/** The order of preference: what people report first, then what people gave, then what programs compute. */
const FIRST = [
  "score",
  "correct",
  "is_correct",
  "accuracy",
  "acc",
  "rating",
  "exact_match",
  "em",
  "f1",
  "passed",
  "pass",
  "success",
  "resolved",
];
export function scoreRank(name: string): number {
  const at = FIRST.indexOf(plainName(name));
  if (at >= 0) return at;
  if (!isAutomatic(name) && isRatingName(name)) return FIRST.length;
  return FIRST.length + (isAutomatic(name) ? 3 : namedAsScore(name) === 2 ? 1 : 2);
}

/** Metrics that programs compute of an output; other scores next to them are people's, or a judge's. */
const AUTOMATIC = set(
  "bleu sacrebleu chrf ter rouge rougel meteor bertscore bleurt comet xcomet bartscore mauve cider ppl perplexity wer cer metricx",
);
export const isAutomatic = (name: string): boolean =>
  splitWords(name).some((word) => AUTOMATIC.has(withoutDigits(word)));

/** What people or a judge give; a bare score may be computed. */
export const isRatingName = (name: string): boolean =>
  splitWords(name).some((word) => JUDGED.has(word) && word !== "score" && word !== "scores");

/** Whether the name says which way is better. */
export const saysWhatIsGood = (name: string): boolean => metricDirection(name) !== undefined;
