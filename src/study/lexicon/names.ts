/** Plain names of columns, by role: the only names that decide a role. Order is preference; names are compared by their words (words.ts).
 *  A word belongs here if it means one thing in most files. What can mean two things is asked. */
import { plainName } from "./words.ts";

const list = (names: string): readonly string[] => names.split(/\s+/);

/** Each word by itself and with what people append to it. */
const withEndings = (words: string, endings: string): readonly string[] =>
  list(words).flatMap((word) => [word, ...list(endings).map((ending) => `${word}_${ending}`)]);

export const SYSTEM_NAMES = [
  ...withEndings("system sys model engine method agent algorithm bot submission", "id name"),
  ...list(
    "sysid systemid modelid model_key provider llm llm_model llm_name approach algo classifier estimator regressor framework checkpoint mt_system mt_engine chatbot summarizer translator detector",
  ),
];

export const ITEM_NAMES = [
  ...withEndings("item", "id"),
  ...list(
    "itemid sample_id sample instance_id instance example_id example question_id qid question doc_id docid segment_id seg_id segid segment seg sentence_id sentence utterance_id utterance clip_id clip prompt_id problem_id problem stimulus_id stimulus trial_item case_id case test_case_id test_case test_id task_id unit_id hit_id tweet_id text_id comment_id article_id article document_id dialogue_id conversation_id puzzle_id puzzle image_id image message_id message sid id",
  ),
];
/** What a system was given, or what was judged: the item where no id names it. */
export const INPUT_NAMES = list(
  "user_input instruction prompt query input source src text tweet post title context dialogue",
);

/** Whoever rates. */
const PEOPLE =
  "rater annotator coder evaluator assessor reviewer participant labeler labeller listener voter respondent";
/** Their names hold a person, or what that person said; which, the cells tell. */
const JUDGES = "judge grader expert";
const OF_RATERS = "id name code number email initials";
export const RATER_NAMES = [
  ...withEndings(`${PEOPLE} ${JUDGES} worker`, OF_RATERS),
  ...list(
    "workerid judge_model grader_model user user_id userid subject_id turker turker_id crowdworker person who email username user_name initials completed_by annotated_by rated_by labeled_by prolific_id prolific_pid",
  ),
];
/** Words for one rater in names of columns that hold one rater's labels: rater1, annotator_anna, grader2_fluency. */
export const RATER_STEMS = list(`${PEOPLE} ${JUDGES} worker ann annot turker`);
/** A word that means nothing but a person, whose name may follow it: annotator_anna. */
export const isPersonWord = (word: string): boolean => list(PEOPLE).includes(word);
/** A column by such a name may hold the judge's own score. */
export const isJudgeName = (name: string): boolean => list(JUDGES).includes(plainName(name));

/** A column whose lists are one judgment each: annotations, human_ratings, scores of raters. */
const JUDGMENT_LISTS = new Set(list("annotations ratings judgments judgements votes reviews opinions annotation_list"));
export const isJudgmentList = (name: string): boolean =>
  plainName(name)
    .split("_")
    .some((word) => JUDGMENT_LISTS.has(word));
/** Who gave them, in the same order. */
export const isRaterList = (name: string): boolean => RATER_NAMES.includes(plainName(name).replace(/s$/, ""));
/** What is known about a rater is not a judgment. */
const ABOUT_RATERS = new Set(
  list(
    "id ids name names age gender group country comment comments note notes time date email code model version reason rationale count agreement confidence explanation",
  ),
);
export const isAboutRater = (word: string): boolean => ABOUT_RATERS.has(word);
/** A field of a record whose text is what somebody answered. */
const ANSWERS = new Set(
  list("response label rating vote answer annotation judgment judgement verdict preference choice"),
);
export const isAnswer = (name: string): boolean => ANSWERS.has(plainName(name));
/** A field whose number says nothing of quality. */
const BOOKKEEPING = new Set(
  list("id ids idx index time timestamp start end offset tokens cost turn step length seed count"),
);
export const isBookkeeping = (name: string): boolean =>
  plainName(name)
    .split("_")
    .some((word) => BOOKKEEPING.has(word));
/** What a run went through, was given or was made of: no judgments. */
const PROCESS = new Set(
  list(
    "message messages history trajectory traj tool tools log logs step steps turn turns span spans token tokens event events chunk chunks documents contexts choices calls conversation dialogue usage",
  ),
);
export const isProcess = (name: string): boolean =>
  plainName(name)
    .split("_")
    .some((word) => PROCESS.has(word));

export const RUN_NAMES = [
  ...withEndings("seed run trial repeat replicate attempt", "id no nr number idx index"),
  ...list(
    "random_seed rng_seed epoch fold rep repetition replication iteration try rollout sample_index completion_id generation_id draw occasion",
  ),
];

/** Repeats of which each is drawn by itself, item by item: one model asks the same question again. Other names of runs (seed, fold, run) may be
 *  those of trainings, which move all of their items. */
const DRAWS = new Set([
  ...withEndings("epoch sample attempt try draw rollout completion generation", "id no nr number idx index"),
  ...list("epochs samples attempts tries draws rollouts completions generations"),
]);
export const isDraw = (name: string): boolean => DRAWS.has(plainName(name));

/** Words before the number of a run, in names of columns that hold one run each: seed1, run_2. */
export const RUN_STEMS = list("seed run rep repeat repetition replicate trial attempt");

/** A seed is a run even where every row has its own. */
export const isSeedName = (name: string): boolean => plainName(name).split("_").includes("seed");

export const CLUSTER_NAMES = list(
  "cluster cluster_id query_id doc document passage passage_id story paragraph conversation dialogue dialog topic_id paper talk",
);

/** Ids of what holds several items, where a finer id names those. */
export const DOCUMENT_IDS = list("doc_id docid document_id dialogue_id conversation_id passage_id article_id story_id");

/** Kinds of items, which count as clusters where there are many of them. */
export const KIND_NAMES = list("topic subject");

export const TASK_NAMES = list(
  "task task_name dataset dataset_name data_set benchmark benchmark_name corpus testset test_set subset language_pair lang_pair langpair lp",
);

export const METRIC_NAMES = list(
  "metric metric_name metric_id measure criterion criterion_id criteria criteria_id aspect dimension rubric score_name score_type",
);

/** What is right: never a rating or a vote. */
export const GOLD_NAMES = list(
  "gold gold_label true_label reference_label truth ground_truth groundtruth y_true y_test_true expected target actual correct_answer correct_label answer_key",
);
/** A label, of which only the other columns say whether raters gave it or it is the gold label. */
export const LABEL_NAMES = list("label labels class");
/** What raters said, where there are raters. */
export const ANSWER_NAMES = list("annotation answer choice response category");
export const PREDICTION_NAMES = list(
  "prediction predicted predicted_label pred y_pred y_test_pred output_label model_prediction predicted_class",
);
export const PROBABILITY_NAMES = list("probability prob y_prob y_test_prob y_score pred_prob confidence");

/** Which system, item, rater and so on a file is about, or what was varied on purpose. */
const PARAMETER_WORDS = new Set(
  list(
    "dropout learning lr lrate wdecay clip batch hidden layers layer optimizer decay momentum scheme beam depth width units heads warmup hyperparameter",
  ),
);
export const namesParameter = (words: readonly string[]): boolean => words.some((word) => PARAMETER_WORDS.has(word));

/** States of one training, which follow from each other. */
const STEPS = new Set(
  list("step steps global_step train_step training_step iteration iterations update updates tokens_seen"),
);
export const isStep = (name: string): boolean => STEPS.has(plainName(name));
const EPOCHS = new Set(list("epoch epochs train_epoch training_epoch"));
const SPLITS = new Set(list("train val valid validation dev eval loss"));
/** The same, and epochs where what is scored is watched during training; elsewhere an epoch is a repeated evaluation. */
export const isCourse = (name: string, score: string | undefined): boolean =>
  isStep(name) ||
  (EPOCHS.has(plainName(name)) &&
    plainName(score ?? "")
      .split("_")
      .some((word) => SPLITS.has(word)));
/** Parts of a cross-validation, whose models share training data. */
const FOLDS = new Set(list("fold folds cv_fold outer_fold fold_id fold_nr fold_number"));
export const isFold = (name: string): boolean => FOLDS.has(plainName(name));

/** Folds, steps and epochs: rows of one of them depend on those of another. */
export const isDependent = (name: string): boolean => isFold(name) || isStep(name) || EPOCHS.has(plainName(name));

export const isGoldName = (name: string): boolean => GOLD_NAMES.includes(plainName(name));
export const isClusterName = (name: string): boolean =>
  CLUSTER_NAMES.includes(plainName(name)) || KIND_NAMES.includes(plainName(name));
/** What holds several items each and is a sample of such, not a kind of item. */
export const isSampledGroup = (name: string): boolean =>
  CLUSTER_NAMES.includes(plainName(name)) || DOCUMENT_IDS.includes(plainName(name));
export const isSystemName = (name: string): boolean => SYSTEM_NAMES.includes(plainName(name));
