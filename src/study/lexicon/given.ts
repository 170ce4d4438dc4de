/** Columns that say what a system was given, what it made of it, and what it should have made. */
import { crossed, joinedName, listed, splitWords } from "./words.ts";

const GIVEN = listed(
  "prompt prompts question questions input inputs source src query instruction instructions problem premise context article doc document frage pregunta consigne taskdescription problemstatement passagetext sentencetext",
);
/** What the systems were given: the last word says it, or the last two. */
export function isGivenName(name: string): boolean {
  const words = splitWords(name);
  const known = words.length > 1 && words.at(-1) === "text" ? words.slice(0, -1) : words;
  return [known.slice(-1), known.slice(-2), words.slice(-2), words.slice(-1)].some((own) => GIVEN.has(own.join("")));
}
const DIALOGUES = listed(crossed("- input", "messages conversation conversations chat dialog dialogue"));
/** A dialogue that begins with what was asked. */
export const isDialogueName = (name: string): boolean => DIALOGUES.has(joinedName(name));
const MADE =
  "output answer response completion prediction generat result hypothes transl summar reason explan rationale trace log judg comment grad eval rater scor systemprompt system_prompt".split(
    " ",
  );
/** What a system made of it. */
export const isMade = (name: string): boolean => MADE.some((part) => name.toLowerCase().includes(part));
const WANTED = listed(
  `${crossed("gold target ref refs reference references expected truth groundtruth gt answerkey solution ideal y ytrue", "- answer answers label labels text output option choice")} ${crossed("right correct true actual", "answer option choice label output class")}`,
);
/** What they should have answered: another answer is to another question. */
export const isWantedName = (name: string): boolean => WANTED.has(joinedName(name.slice(name.lastIndexOf(".") + 1)));
const PRINTED = listed("prompt input question doc document query source target instance sample");
const PRINTS = listed("hash md5 digest checksum fingerprint");
/** A fingerprint of what the systems were given. */
export function isFingerprintName(name: string): boolean {
  const [of = "", print = ""] = splitWords(name).slice(-2);
  return PRINTED.has(of) && (PRINTS.has(print) || /^sha\d*$/.test(print));
}
const TEXTS = listed(
  crossed(
    crossed(
      "prompt question input source src query instruction problem premise hypothesis context output response answer completion prediction predicted target reference gold text",
      "- text",
    ),
    "- s",
  ),
);
/** Either, as it is shown of items that differ. */
export const isTextName = (name: string): boolean => TEXTS.has(joinedName(name));
