/** Columns that say how a run ended, and what they say. */
import { crossed, joinedName, listed, splitWords } from "./words.ts";

/** Of "meta.finishReason" the words of finishReason. */
const lastWords = (name: string): readonly string[] => splitWords(name.replace(/^.*[./](?=.)/, ""));

/** The name, or what follows a first word that says whose it is. */
function isOf(prefixes: string, names: string): (name: string) => boolean {
  const [before, known] = [listed(prefixes), listed(names)];
  return (name) => {
    const [first = "", ...rest] = lastWords(name);
    return known.has([first, ...rest].join("")) || (before.has(first) && known.has(rest.join("")));
  };
}

/** The text of an error. */
export const isErrorName = isOf(
  "parse parsing parser json api request format decode decoding runtime generation eval score scorer scoring judge grade grader grading model run sample exec execution",
  `exception traceback failure failurereason ${crossed("error", "- s message msg text detail details code")} ${crossed("err", "- msg message text")}`,
);
const REASONS = crossed("finish stop end exit termination", "reason");
export const isStatusName = isOf(
  "run sample result response request outcome exit final http judge eval score scorer scoring grade grader grading job call api",
  `status state outcome terminated termination ${REASONS} ${crossed("error", "type kind class")}`,
);
/** How a run ended, which no taxonomy of mistakes is called. */
export const isEndName = (name: string): boolean =>
  /stat(us|e)$/.test(lastWords(name).join("")) || ENDS.has(lastWords(name).join(""));
const ENDS = listed(`outcome ${REASONS}`);
const isPlainFlag = isOf(
  "is has had was",
  `error errored exception crash crashed timeout timedout failedtorun aborted canceled cancelled killed oom skipped failed missing unanswered unparseable unparsable ${crossed("no missing empty", "response answer output completion prediction")} ${crossed("exit return status error http response", "code status")}`,
);
/** Yes or no, or the code that a program ended with. */
export const isFlagName = (name: string): boolean =>
  isPlainFlag(name) || (lastWords(name).length > 1 && /(failed|crashed|timedout)$/.test(lastWords(name).join("")));
/** Yes where a limit cut the answer short. */
export const isCutName = isOf(
  "is was got",
  `truncated cutoff incomplete unfinished hitlimit ${crossed("limit", "hit reached exceeded")}`,
);
const CALLS = "api call run request exec execution";
/** Yes where all went well. */
export const isFineName = isOf(
  `is was attempt ${CALLS}`,
  `ok okay parsed parseable completed finished answered responded ${crossed("parse parsing", "ok success")} ${crossed(CALLS, "success")} ${crossed("success", CALLS)}`,
);
const FORMS = "format json schema syntax";
const ANSWERED = "answer response output";
/** Yes where the answer can be read at all. */
export const isValidName = isOf(
  "is was",
  `${crossed(crossed(`- ${FORMS} ${ANSWERED}`, "valid wellformed formatok"), `- ${FORMS} ${ANSWERED}`)} ${crossed(FORMS, "ok")} ${crossed("has hasan", `${ANSWERED} prediction`)}`,
);

const OF_ANSWERS = listed("raw model extracted parsed final filtered generated llm");
const ANSWERS = listed(crossed("response reply output answer completion prediction pred generation", "- text"));
/** Where an answer should be. */
export function isAnswerName(name: string): boolean {
  const words = lastWords(name);
  return ANSWERS.has(words.slice(words.findIndex((word) => !OF_ANSWERS.has(word))).join(""));
}

const FINE = listed(
  "success succeeded successful ok done complete completed finished stop none null no n false 0 scored pass passed fail failed length",
);
export const saysFine = (level: string): boolean => FINE.has(level.toLowerCase());
const EITHER = listed("fail fails failed failure ko notok broken incomplete unfinished dnf invalid bad");
/** Either the run or the answer failed: which, the scores of the other rows say. */
export const saysEither = (level: string): boolean => EITHER.has(joinedName(level));
const AT_LIMIT = listed(
  `length modellength truncated limit ${crossed("exit", "context cost format")} ${crossed(crossed("max maxnew", "tokens length steps turns iterations"), "- reached")} ${crossed(crossed(crossed("token step turn context budget message time", "- s"), "limit exceeded exhausted"), "- reached")}`,
);
/** A limit of the run. */
export const saysLimit = (level: string): boolean => AT_LIMIT.has(joinedName(level));
const FAILED =
  "error|timeout|time-out|timed|exception|crash|abort|cancel|refus|limit|killed|out of memory|out_of_memory|outofmemory|out-of-memory|content filter|content_filter|content-filter|contentfilter|blocked|fehler|erreur".split(
    "|",
  );
/** Longer texts are not words for how a run went. */
const LONGEST_WORD = 40;
export function saysFailed(level: string): boolean {
  const text = level.toLowerCase();
  return (
    level.length <= LONGEST_WORD &&
    (FAILED.some((word) => text.includes(word)) || /oom\b/.test(text) || saysLimit(level))
  );
}
const HEADS = listed("traceback timeout timedout ratelimit ratelimited");
/** "ValueError: …", where an answer should be. */
export function isErrorText(level: string): boolean {
  const text = level.slice(0, LONGEST_HEAD).replace(/^\W+/, "").toLowerCase();
  const head = text.slice(0, Math.max(0, text.search(/[:(\]\-–]/))).trim();
  return HEADS.has(joinedName(head)) || (/^[\w.]+$/.test(head) && /(error|exception)$/.test(head));
}
/** What stands before the text of an error is a short name. */
const LONGEST_HEAD = 80;
const NO_ANSWER = listed(
  `invalid empty blank unparseable unparsable couldnotparse notfound none null ${crossed("no", "answer response output completion")}`,
);
/** What stands in the place of an answer. */
export const saysNoAnswer = (level: string): boolean => NO_ANSWER.has(joinedName(level));
