/** What speaks for and against a column being a score: its name, its values, and what else is in the table. */
import { StatError } from "../../result/error.ts";
import type { Imported } from "../imported.ts";
import { metricDirection } from "./direction.ts";
import { joined } from "./guess.ts";
import { BENCHMARK_NAMES, SCORE_NAMES, splitWords } from "./names.ts";
import { isAutomatic, isPeoplesColumn } from "./people.ts";
import type { ColumnProfile } from "./profile.ts";

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** The spread or the limits of an estimate, never the estimate. */
const SPREAD = words(
  "std stdev stddev sd stderr se sem var variance ci ci95 cilow cihigh lower upper lowerbound upperbound lb ub q025 q975 q25 q75 q05 q95 moe margin pm pvalue pval quantile",
);
const COST = words(
  "price cost costs usd dollars dollar eur time times seconds second secs sec s ms minutes minute min hours hour latency duration elapsed runtime tokens token length len lens chars words size memory gb mb speed throughput flops params parameters kg co2 kwh wh watts",
);
const SUMMED = words("mean avg average median total sum p50 p90 p95 p99");
const COUNT = words("n count counts num number total totals nb cases");
const ID = words(
  "id ids uuid guid hash idx index key number no nr row rownumber ip port zip year date timestamp tstamp unnamed version",
);
/** Names of judgements, of criteria that raters use, and of measures that end in a word of their own. */
const JUDGED = words(
  "rate winrate reward resolved solved preference overall quality fluency fluent adequacy coherence coherent consistency consistent informativeness naturalness relevance relevant relevancy helpfulness helpful harmlessness correctness faithfulness factuality factual groundedness readability grammaticality grammar clarity engagingness engaging interesting interestingness humanness empathy surprise complexity usefulness usability understandability understandable likeability likeable specificity diversity solvability appropriateness appropriate completeness conciseness toxicity safety trust satisfaction enjoyment workload accuracy good elo status verdict outcome similarity entailment sentiment",
);

/** Numbers from 0 or 1 upwards, row by row: pandas and R write them in front. */
export function isRowNumber({ column, values, min, distinct, rows }: ColumnProfile): boolean {
  if (column.kind !== "numeric" || values !== "integer" || distinct !== rows || (min !== 0 && min !== 1)) return false;
  return column.values.every((value, i) => value === i + min);
}

export function isSpread(profile: ColumnProfile): boolean {
  const own = splitWords(profile.name);
  const name = own.join("_");
  if (/(^|_)(standard|std|mean)_?err(or)?$/.test(name) && !/mean_(absolute|squared)|absolute|squared/.test(name))
    return true;
  // pearson_p is the p-value of a test
  const isP = own.length > 1 && own.at(-1) === "p" && profile.min >= 0 && profile.max <= 1;
  return (
    isP ||
    /(^|_)p_val(ue)?s?(_|$)/.test(name) ||
    own.some((word) => SPREAD.has(word)) ||
    /(conf(idence)?|credible)_int/.test(name)
  );
}

/** The last word says what was measured, or the one before "per": seconds_per_case, train_time_min; length_controlled_winrate is none. What
 *  stands in brackets is the unit, and "mean" says how it was summed up: Model size (B), Latency Mean (s). */
export function isCost({ name }: ColumnProfile): boolean {
  if (/(^|_)(time|minutes|seconds)_(taken|spent|needed|used)$/.test(splitWords(name).join("_"))) return true;
  const measured = name.replace(/(?<!\s)\s*[([][^()[\]]*[)\]]\s*$/, "");
  const own = splitWords(measured === "" ? name : measured);
  const per = own.indexOf("per");
  const last = own.findLast((word) => !SUMMED.has(word)) ?? "";
  return COST.has(own.at(-1) ?? "") || COST.has(last) || (per > 0 && COST.has(own[per - 1]!)) || isModelSize(name);
}

/** "params_b", "parameters (M)": how large a system is. */
const isModelSize = (name: string): boolean =>
  /^(n|num|number|total|active)?_?(of_)?(params|parameters)(_(b|m|bn|billions?|millions?|count|total))?$/.test(
    splitWords(name).join("_"),
  );

/** "n_wins", "num_ret", "test_cases", "Total": how many, not how good; the number of errors says how good. */
export function isCountName(profile: ColumnProfile): boolean {
  const own = splitWords(profile.name);
  const counts = profile.values === "integer" && own.some((word) => COUNT.has(word));
  return counts && metricDirection(profile.name) !== false;
}

export function isIdName(profile: ColumnProfile): boolean {
  const own = splitWords(profile.name);
  return own.some((word) => ID.has(word)) || /^column\d+$/.test(profile.name) || own.at(-1) === "ids";
}

/** Rates and sizes that somebody chose, by their usual names: learning_rate, weight_decay, batch_size. */
const SET_UP =
  /(^|_)((repetition|length|frequency|presence)_penalty|(learning|dropout|drop|mutation|crossover|momentum|decay|exploration|discount|warmup|lr)_rates?|weight_decay|(batch|hidden|embed|embedding|kernel|filter|chunk|window|population|beam)_size|(hidden|embed|embedding)_dims?)$/;

/** "config.top_p", "params_lr", "repetition_penalty": how a run was set up. */
export function isSettingName(profile: ColumnProfile): boolean {
  if (isModelSize(profile.name)) return false;
  return (
    /^(config|configs|params?|hparams?|hyperparameters?|args|kwargs|settings|sampling_params|generation_config)[._/]/i.test(
      profile.name,
    ) || SET_UP.test(joined(profile))
  );
}

/** How long a rater took and how far he came: about the rater, not about what was judged. */
export const isBesideAnswers = ({ name }: ColumnProfile): boolean =>
  /^(duration \(in seconds\)|progress|WorkTimeInSeconds|lead_time|time taken)$/i.test(name.trim());

/** Why a column cannot be a score; undefined if nothing speaks against it. */
export function notAScore(profile: ColumnProfile): string | undefined {
  if (profile.values === "empty" || profile.values === "text") return "it holds no values to compare";
  if (isRowNumber(profile)) return "it numbers the rows";
  if (/__(MIN|MAX)$/.test(profile.name)) return "it is the spread of another column";
  if (isBesideAnswers(profile)) return "the survey tool wrote it";
  if (isSpread(profile)) return "it is the spread of another column";
  if (isIdName(profile) && !profile.logical && profile.values !== "0/1") return "it names things";
  if (isCountName(profile)) return "it counts";
  if (isSettingName(profile)) return "it is a setting";
  if (/^(prob|probs|proba|probability|logit|logits)_(?!correct|right|gold|true|success)/.test(joined(profile)))
    return "it says how sure a system was of one label";
  if (/(^|_)max_(errors|steps|turns|tokens|iterations|retries)$/.test(joined(profile))) return "it is a limit";
  if (isSide(profile)) return "it says which side was preferred";
  if (/(^|_)(status|exit|return|http)_code$|^http_status$/.test(joined(profile))) return "it says how a run ended";
  return undefined;
}

/** How two things were shown, not how they were judged. */
export const isShownName = (name: string): boolean =>
  /swap|flip|revers|order|position|shuffl/.test(splitWords(name).join("_"));
export const isShown = (profile: ColumnProfile): boolean => isShownName(profile.name);

/** winner = 0, 1, 2: none, the first, the second. */
export const isSide = (profile: ColumnProfile): boolean =>
  profile.values === "integer" &&
  profile.max >= 2 &&
  /^(winner|winning_side|choice|chosen|vote|verdict|preferred|better)(_id|_side)?$/.test(joined(profile));

/** What a system said the answer is; how good that is says another column. */
export const isPredicted = (profile: ColumnProfile): boolean =>
  /^(y_?)?(pred|preds|prediction|predictions|predicted|yhat|hat)(_(value|values|score|rating|label))?$/.test(
    joined(profile),
  );

/** "is_resolved", "passed", "has_answer": true or false is a score by its form. */
const isFlag = (profile: ColumnProfile): boolean =>
  (profile.logical || profile.values === "0/1") &&
  /^(is|was|has)_|_?(resolved|solved|passed|correct|success|successful|completed|good|results?)$/.test(joined(profile));

/** Named after a criterion that raters use. */
export const isJudged = ({ name }: Pick<ColumnProfile, "name">): boolean =>
  splitWords(name).some((word) => JUDGED.has(word.replace(/(?<!\d)\d+$/, "")));

/** How far the name of a column speaks for a score; 0 if it says nothing. */
export function namedAsScore(profile: ColumnProfile): number {
  const own = splitWords(profile.name);
  const name = own.join("_");
  const last = own.at(-1) ?? "";
  const stripped = last.replace(/(?<!\d)\d+$/, "");
  if (SCORE_NAMES.includes(name)) return 0.9;
  if (isFlag(profile)) return 0.85;
  // whether, and at which place, a search found it: hit_at_5, reciprocal_rank
  if (/^hits?_?(at_?|@)?\d+$|(^|_)reciprocal_rank$/.test(name)) return 0.85;
  if (isJudged(profile)) return 0.85;
  if (SCORE_NAMES.includes(last) || SCORE_NAMES.includes(own.slice(-2).join("_"))) return 0.8;
  // F with another weight; alone it may number a feature
  if (own.length > 1 && /^f(2|05|beta)$/.test(last)) return 0.75;
  if (SCORE_NAMES.includes(own[0] ?? "") || SCORE_NAMES.includes(stripped)) return 0.75;
  if (own.some((word) => SCORE_NAMES.includes(word))) return 0.7;
  if (metricDirection(profile.name) !== undefined) return 0.65;
  // human_qe beside llm_qe: what people said, whatever they were asked
  if (own.length > 1 && /^(humans?|people|experts?|crowd)$/.test(own[0]!)) return 0.6;
  return isBenchmark(profile) ? 0.6 : 0;
}

/** The result on a known set of tasks, as a share or a percentage. */
export function isBenchmark({ name, min, max }: ColumnProfile): boolean {
  return min >= 0 && max <= 100 && isBenchmarkName(name);
}

/** "MMLU", "squad_v2", "GSM 8k". */
export function isBenchmarkName(name: string): boolean {
  const own = splitWords(name);
  return own.some((word, i) => BENCHMARK_NAMES.has(word) || BENCHMARK_NAMES.has(word + (own[i + 1] ?? "")));
}

/** Steps of a scale: few whole numbers, none of them large. */
export function isRatingScale({ values, distinct, min, max }: ColumnProfile): boolean {
  return values === "integer" && distinct >= 3 && distinct <= 11 && min >= -5 && max - min <= 10;
}

/** A slider from 1 to 5 that stops at tenths or halves. */
export function isSliderScale({ column, values, min, max }: ColumnProfile): boolean {
  if (column.kind !== "numeric" || values !== "real" || min < 0 || max > 10 || max - min < 2) return false;
  return column.values.every((value) => Number.isNaN(value) || Math.abs(value * 10 - Math.round(value * 10)) < 1e-9);
}

const SIZE =
  /^(n|total|n_total|total_n|num_samples|n_samples|sample_size|samples|test_cases|total_tests|cases|num_examples|n_examples|examples|instances|n_items|items|questions|count|total_instances|attempts|attempts_total|total_attempts|n_attempts|num_attempts|trials_total|total_trials|n_trials|total_questions|total_instances|num_total|n_questions)$/;
/** "Total Puzzles", "n_eval", "n_test", "num_test_questions": how many of what is judged. */
const SIZE_OF =
  /^(n|num|number_of|total|total_number_of|total_num)_(\w+_)?(samples|examples|items|cases|questions|problems|puzzles|tasks|instances|tests?|prompts|eval|evals|evaluated|queries|sentences|segments|documents|docs|challenges)$/;
/** How many items are behind a total, by its name in words. */
export const isSizeName = (joinedName: string): boolean => SIZE.test(joinedName) || SIZE_OF.test(joinedName);

const FEWEST_BEHIND = 5;
/** Each row counts the items that it sums up. */
export const isSizeOfMany = (profile: ColumnProfile): boolean =>
  profile.values === "integer" && profile.min >= FEWEST_BEHIND && profile.missing === 0 && isSizeName(joined(profile));

/** How many were right or wrong: a share of them, where there is one, says more. */
export const isTally = (profile: ColumnProfile): boolean =>
  profile.values === "integer" &&
  profile.max > 1 &&
  /(^|_)(correct|incorrect|wrong|right|unanswered|passed|failed|solved|resolved|wins?|won|loss|losses|lose|lost|ties?|total|possible_score|max_score|max_marks)$/.test(
    joined(profile),
  );

/** split0_test_score beside mean_test_score: one fold of the whole. */
const PART = /^(split|fold|run|seed|trial)_?\d+_/i;

/** How well it fits what it was fitted to. */
const TRAINING = /(^|_)train(ing)?(_|$)/;

/** pass_rate_1, pass_rate_2: where no row loses by a further try, the last of them counts them all. */
function lastTryFirst(found: readonly ColumnProfile[]): ColumnProfile[] {
  const [main] = found;
  const stem = main === undefined ? undefined : TRY.exec(joined(main))?.[1];
  if (stem === undefined) return [...found];
  const tries = found
    .filter((own) => TRY.exec(joined(own))?.[1] === stem)
    .sort((a, b) => Number(TRY.exec(joined(a))![2]) - Number(TRY.exec(joined(b))![2]));
  const grows = tries.slice(1).every((own, k) => neverLess(own, tries[k]!));
  const last = tries.at(-1)!;
  return tries.length > 1 && grows ? [last, ...found.filter((own) => own !== last)] : [...found];
}

const TRY = /^(.*(?:pass|success|solve|resolve|correct|accuracy|acc)\w*?)_(\d)$/;

function neverLess({ column }: ColumnProfile, before: ColumnProfile): boolean {
  const other = before.column;
  if (column.kind !== "numeric" || other.kind !== "numeric") return false;
  const known = Array.from(column.values).flatMap((value, row) => {
    const gain = value - other.values[row]!;
    return Number.isNaN(gain) ? [] : [gain];
  });
  return known.length > 1 && known.every((gain) => gain >= 0) && known.some((gain) => gain > 0);
}

const VALIDATION = /(^|_)(val|valid|validation|dev)(_|$)/;

/** A score that most rows lack, or that never varies, is not the main one beside one that most have. */
export function orderScores(found: readonly ColumnProfile[]): ColumnProfile[] {
  const present = ({ rows, missing }: ColumnProfile): number => rows - missing;
  const most = Math.max(...found.map(present));
  const isPoor = (profile: ColumnProfile): boolean =>
    profile.distinct < 2 ||
    present(profile) < most / 2 ||
    PART.test(profile.name) ||
    TRAINING.test(joined(profile)) ||
    isTally(profile) ||
    // how near a search took its first find to be, which is another scale for each search
    /^top_?\d*_(score|sim|similarity)$/.test(joined(profile));
  // what people said comes before what a program computed
  const peoples = found.filter(
    (own) =>
      !isPoor(own) && (isPeoplesColumn(own.name) || (isJudged(own) && isRatingScale(own) && !isAutomatic(own.name))),
  );
  const computed = (own: ColumnProfile): boolean =>
    peoples.length > 0 && !peoples.includes(own) && isAutomatic(own.name);
  const good = found.filter((profile) => !isPoor(profile));
  // what a system was chosen by comes after the same measure on data that it never met
  const kept = new Set(found.map(joined));
  const chosenBy = (own: ColumnProfile): boolean =>
    VALIDATION.test(joined(own)) && kept.has(joined(own).replace(VALIDATION, "$1test$3"));
  const first = lastTryFirst(good.filter((own) => !computed(own)));
  return [
    ...first.filter((own) => !chosenBy(own)),
    ...first.filter(chosenBy),
    ...good.filter(computed),
    ...found.filter(isPoor),
  ];
}

/** A guess below this is no ground for an answer. */
const SURE = 0.6;
/** Nor is one below this where another column has as much for it. */
const SURE_ALONE = 0.7;
const MOST_NAMED = 4;

interface AskedOf extends Pick<Imported, "guesses"> {
  readonly diagnostics?: Imported["diagnostics"];
}

/** A score that was guessed on weak grounds is put to the user as a question: a verdict about the wrong column is worse than none. */
export function refuseUnsureScore({ guesses = [], diagnostics }: AskedOf, score: string): void {
  const scores = guesses.filter(({ role }) => role === "score");
  const own = scores.find(({ column }) => column === score);
  if (own === undefined || own.confidence >= SURE_ALONE) return;
  const equal = scores.filter(({ column, confidence }) => column !== score && confidence === own.confidence);
  if (own.confidence >= SURE && equal.length === 0) return;
  const others = equal.map(({ column }) => column).slice(0, MOST_NAMED);
  const more = equal.length > MOST_NAMED ? ` and ${equal.length - MOST_NAMED} more` : "";
  const doubt = equal.length === 0 ? "nothing else says so" : `as much speaks for ${others.join(", ")}${more}`;
  // to judge by one of several raters would be the wrong way out
  const raters = equal.length > 1 && /rating scale/.test(own.reason);
  // one row for each system, with several columns that are alike
  const wide = equal.length > 1 && diagnostics?.some(({ code }) => code === "TotalsOnly") === true;
  const called = [score, ...equal.map(({ column }) => column)];
  throw new StatError(
    "UnsureColumn",
    `is ${score} the score? It was taken ${tellReason(own.reason)}; ${doubt}.`,
    wide
      ? `If each column is a data set, write a row for each system and data set (system, dataset, score): that is compared over the data sets. If one of them is what counts, say option \`metric: ${score}\`.`
      : raters
        ? `If each column is another rater, say option \`rater: ${called.join(",")}\`; if each is a criterion, name one, as in option \`metric: ${score}\`.`
        : `Say so with option \`metric: ${score}\`, or name another column.`,
  );
}

const tellReason = (reason: string): string => (/^(by|as) /.test(reason) ? reason : `as ${reason}`);
