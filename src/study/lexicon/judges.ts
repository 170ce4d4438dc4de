/** Names of columns that hold what a judge said, and what people said, of the same output. */
import { isAboutRater } from "./names.ts";
import { listed, plainName, splitNumbers, splitWords } from "./words.ts";

const JUDGES = listed(
  "judge judge_score judge_label judge_verdict judge_rating judge_grade judge_pass judge_correct judge_vote judge_preference llm_judge llm_judge_score llm_score llm_label llm_grade llm_rating llm_verdict grader grader_score grader_label autograder autograder_score autorater autorater_score model_graded model_grade",
);
const PEOPLE = listed(
  "human human_score human_label human_rating human_grade human_verdict human_pass human_vote human_preference gold gold_label gold_score label expert expert_score expert_label expert_rating expert_grade manual_score manual_label annotator_label",
);
const JUDGE_STEMS = listed("judge grader autograder autorater");
const PEOPLE_STEMS = listed("human expert annotator rater");

/** judge_gpt4, grader2; not judge_id and judge_reason. */
function startsWith(name: string, stems: ReadonlySet<string>): boolean {
  const [first = "", ...rest] = splitNumbers(name);
  return stems.has(first) && rest.length > 0 && !rest.some(isAboutRater);
}

export const isJudgeColumn = (name: string): boolean => JUDGES.has(plainName(name)) || startsWith(name, JUDGE_STEMS);
export const isHumanColumn = (name: string): boolean => PEOPLE.has(plainName(name)) || startsWith(name, PEOPLE_STEMS);

const MODELS = listed("llm ai autorater model auto automatic synthetic silver");
const MODEL_STEMS = ["gpt", "chatgpt", "claude", "gemini", "llama", "mistral", "qwen", "deepseek"];
/** A rater, or a column of labels, that is a model: gpt-4o, llm_label, silver_label. */
export const isMadeByModel = (name: string): boolean =>
  splitWords(name).some((word) => MODELS.has(word) || MODEL_STEMS.some((stem) => word.startsWith(stem)));
