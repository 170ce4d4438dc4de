/** Words by which people name columns, by role. Order is preference. Names are compared as lower-case words:
 *  "sentenceId", "Sentence ID", "sentence_id" and "Satz-ID" are the same name. */
import { remembered } from "../../numeric/remembered.ts";
import { translateWords } from "./translate.ts";

/** No role is told by what stands beyond so many characters; names of strangers may be megabytes long. */
const LONGEST_NAME = 500;

/** Names come again with every file and question; those of one table and its neighbours are kept. */
const wordsOf = remembered<readonly string[]>(1024);

export function splitWords(name: string): string[] {
  return name.length > LONGEST_NAME ? splitAnew(name) : [...wordsOf(name, () => splitAnew(name))];
}

function splitAnew(name: string): string[] {
  if (/^\s*no\.\s*$/i.test(name)) return ["id"];
  const words = name
    .slice(0, LONGEST_NAME)
    .replace(SURVEY_PREFIX, "")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return translateWords(words);
}

const list = (names: string): readonly string[] => names.split(" ");

/** Mechanical Turk writes what a worker was shown and said as Input.x and Answer.x; the name is what follows. */
const SURVEY_PREFIX = /^(Input|Answer)\.(?=.)/;

export const SYSTEM_NAMES = list(
  "system system_id systemid system_name sys sys_id sysid model model_id model_type model_name modelname model_key provider engine llm method approach algorithm algo classifier clf estimator regressor agent agent_name bot chatbot checkpoint submission_id submission provider_name framework framework_name runner sampler_name tts vocoder llm_model llm_name mt_system mt_engine translator summarizer summariser",
);
/** Conditions that are compared though they are no systems. */
export const CONDITION_NAMES = list(
  "embedding_model retriever condition mode variant treatment arm prompt strategy setup configuration config experiment experiment_name",
);
/** Conditions under which the same item is met again: averaged over, no repeats of one thing. */
export const CROSSED_NAMES = list(
  "turn prompt_template template prompt_name prompt_version prompt_style language lang temperature num_fewshot n_shot n_shots shots fewshot order position",
);
export const ITEM_NAMES = list(
  "item item_id itemid sample_id sample seg instance_id instance example_id question_id qid question question_number question_no doc_id docid segment_id seg_id segid sentence_id sentence utterance_id utterance utt_id utt clip_id clip audio_id segment document_id prompt_id problem_id stimulus stimulus_id tuple tuple_id sent_id sentid case_id test_case test_case_id testcase task_id unit_id hit_id hitid tweet_id text_id comment_id post_id response_id challenge challenge_id challenge_name problem_name puzzle puzzle_id puzzle_name story_id article_id dialogue_id conversation_id sid uid id key q",
);
/** Ids of what holds several items, where a finer id names those. */
export const DOCUMENT_NAMES = list(
  "doc_id docid document_id dialogue_id conversation_id passage_id article_id story_id",
);
/** What a system was given, or the text that was judged: each is an item where nothing else names it. */
export const INPUT_NAMES = list(
  "user_input instruction question prompt query input problem utterance source src sentence text tweet post title context dialogue",
);
/** Whoever rates, by the id, the name or the letters that a sheet has. */
const RATERS =
  "rater annotator judge worker coder evaluator assessor reviewer participant grader labeler labeller expert voter examiner listener tester marker contributor";
export const RATER_NAMES = list(
  "rater rater_id rater_name annotator annotator_id annotator_name ann judge judge_id worker worker_id workerid coder evaluator assessor reviewer participant user user_id userid completed_by " +
    "turker turker_id mturker crowdworker crowd_worker contributor contributor_id grader grader_id labeler labeler_id labeller labeller_id coder_id " +
    "subject_id subj subj_id evaluator_id assessor_id reviewer_id participant_id respondent respondent_id expert expert_id voter voter_id examiner linguist autorater " +
    "judge_model judge_name grader_model evaluator_model rater_model llm_judge rated_by judged_by graded_by scored_by annotated_by labeled_by " +
    "labelled_by evaluated_by reviewed_by assessed_by voted_by person person_id email e_mail email_address username user_name initials who listener listener_id tester tester_id marker marker_id " +
    `prolific_id prolific_pid ${["id", "name", "email", "code", "initials", "number"].map((of) => RATERS.replace(/\w+/g, `$&_${of}`)).join(" ")}`,
);
/** One more go at the same, by its number. */
const REPEATS = "seed run trial try attempt draw rollout repetition replicate replication repeat rep iteration";
export const REPEAT_NAMES = list(
  "seed random_seed random_state rng_seed seed_id epoch run run_id trial try draw replication replicate repetition repeat rep occasion iteration fold attempt completion_id generation_id sample_index sample_idx sample_nr sample_number completion_idx generation_idx completion_index generation_index rollout rollout_id " +
    ["id", "no", "nr", "num", "number", "idx", "index"].map((of) => REPEATS.replace(/\w+/g, `$&_${of}`)).join(" "),
);
/** Parts of cross-validation, whose models share training data. */
export const isFold = (name: string): boolean =>
  /^((cv|outer)_)?folds?(_id|_nr|_number)?$/.test(splitWords(name).join("_"));
/** States of one training, which follow from each other. */
export const isStep = (name: string): boolean =>
  /^((global|train|training|update|gradient|optimizer)_)?(steps?|updates?|iterations?|iter|iters|ckpt|checkpoint)(_(id|nr|no|number|step))?$|^(n|num)_?(steps|updates|iterations)$|^tokens_seen$/.test(
    splitWords(name).join("_"),
  );
export const isEpoch = (name: string): boolean => /^((train|training)_)?epochs?$/.test(splitWords(name).join("_"));
/** The same, and epochs where what is scored is watched during training; elsewhere an epoch is a repeat of an evaluation. */
export const isCourse = (name: string, score: string | undefined): boolean =>
  isStep(name) ||
  (isEpoch(name) &&
    splitWords(score ?? "").some((word) => word === "loss" || word === "eval" || SPLIT_WORDS.has(word)));
export const CLUSTER_NAMES = list(
  "cluster cluster_id query_id queryid doc document passage passage_id story article paragraph conversation dialogue dialog talk topic subject paper",
);
/** What else holds several items; a cluster only where each item lies in one of them. */
export const GROUP_NAMES = list(
  "page page_id repo repo_name repository template template_id chapter chapter_id section section_id thread thread_id speaker speaker_id video video_id episode scene book " +
    "book_id game lecture lesson meeting interview transcript recording scenario scenario_id patient patient_id document_name doc_name",
);
export const TASK_NAMES = list(
  "task task_name dataset dataset_name dataset_id data_set benchmark benchmark_name corpus corpus_name testset test_set suite subset language_pair lang_pair langpair lp",
);
export const METRIC_NAMES = list(
  "metric metric_name metric_id metric_type measure measure_name criterion criterion_id criterion_name criteria criteria_id aspect dimension " +
    "rubric rubric_id rubric_name score_name score_type indicator kpi",
);
export const LABEL_NAMES = list(
  "target label gold gold_label true_label reference_label truth ground_truth relevance y_true expected",
);
/** What is right, by a name that no rater's own label has: never a rating or a vote. */
export const isGoldName = (name: string): boolean => GOLD_NAMES.includes(splitWords(name).join("_"));
const GOLD_NAMES = list("gold gold_label true_label reference_label truth ground_truth y_true expected");

/** By which a column of numbers is taken for a score. */
export const SCORE_NAMES = list(
  "score scr correct is_correct accuracy acc rating exact_match em f1 bleu chrf comet bleurt meteor rouge rouge1 rouge2 rougel mcc precision recall " +
    "pass passed success ndcg mrr map auc win ter wer cer loss perplexity ppl error errors nll rmse mae mse brier latency cost bits_per_byte " +
    "value grade note nota points judgment judgement likert reward da mqm bws power",
);

/** Words that occur in the names of settings which people vary on purpose. */
export const PARAMETER_WORDS = new Set(
  list(
    "dropout learning lr lrate wdecay clip batch hidden layers layer optimizer decay temperature momentum scheme epochs beam depth width units heads warmup setting settings hyperparameter workers",
  ),
);
/** Words of columns that name one system each in a wide table. */
export const WIDE_SYSTEM_WORDS = new Set(
  list("baseline base old new ours proposed previous control treatment system model best human gold sys"),
);
/** Parts of the data, not systems. */
export const SPLIT_WORDS = new Set(list("dev test train valid validation val heldout"));
/** Levels that betray a column of systems: roles in an experiment, and families of models. */
export const SYSTEM_LEVEL =
  /^(baseline|new|ours|proposed|gold|human|reference|control|treatment)s?[ _-]?\d*$|gpt(?![ _-]?score)|llama|claude|mistral|mixtral|gemini|gemma|qwen|bert(?![ _-]?score)|deepseek|vicuna|zephyr|falcon-|starcoder|pythia|xgboost|lightgbm|catboost|random ?forest|tabnet|\b(svm|knn|lstm|resnet\d*|t5|grok|phi-?\d)\b/i;
/** Sets of tasks on which systems are measured: a number under such a name is a score on it. */
export const BENCHMARK_NAMES = new Set(
  list(
    "mmlu hellaswag winogrande gsm8k gsm humaneval mbpp truthfulqa bbh ifeval gpqa musr piqa boolq openbookqa obqa siqa csqa commonsenseqa triviaqa " +
      "naturalquestions squad squadv2 sst2 mnli qqp qnli rte cola stsb mrpc wnli glue superglue arc arceasy arcchallenge lambada mgsm xnli xquad tydiqa " +
      "flores aime math500 livecodebench swebench alpacaeval mtbench arenahard wildbench zebralogic cruxeval bigbench agieval ceval cmmlu simpleqa mmmu " +
      "mathvista docvqa chartqa textvqa vqav2",
  ),
);
/** A benchmark, or a language: "gsm8k", "en-de", "zh". */
export const isTaskLevel = (name: string): boolean =>
  BENCHMARK_NAMES.has(name.toLowerCase().replace(/[^a-z0-9]/g, "")) || isLanguageCode(name);
export const isLanguageCode = (name: string): boolean =>
  name
    .toLowerCase()
    .split(/[-_>]+/)
    .every((word) => LANGUAGES.has(word));
const LANGUAGES = new Set(
  list(
    "en de fr es it pt nl pl cs ru uk zh ja ko ar he hi bn tr fa sv da no fi is hu ro bg el et lv lt sk sl hr sr vi th id ms sw ta te ur eng deu fra spa ita por rus " +
      "zho jpn kor ara hin ces pol ukr tur swa",
  ),
);
/** Names without information for statistics. */
export const IDENTIFIER_WORDS = new Set(
  list(
    "link url uri hash uuid guid timestamp date time tstamp created comment comments remark note notes description path file filename",
  ),
);
export const ORDER_WORDS = new Set(list("index idx row rank rownumber"));

export function isClusterName(name: string): boolean {
  return CLUSTER_NAMES.includes(splitWords(name).join("_"));
}
