/** Names of columns as lower-case words: "sentenceId", "Sentence ID" and "sentence_id" are the same name. */
import { remembered } from "../../numeric/remembered.ts";

/** No role is told by what stands beyond so many characters; names of strangers may be megabytes long. */
const LONGEST_NAME = 500;

/** Names come again with every file and question; those of one table and its neighbors are kept. */
const wordsOf = remembered<readonly string[]>(1024);

/** Mechanical Turk writes what a worker was shown and answered as Input.x and Answer.x; the name is what follows. */
const SURVEY_PREFIXES = ["Input.", "Answer."];

export function splitWords(name: string): readonly string[] {
  return name.length > LONGEST_NAME ? split(name.slice(0, LONGEST_NAME)) : wordsOf(name, () => split(name));
}

function split(name: string): readonly string[] {
  const prefix = SURVEY_PREFIXES.find((own) => name.startsWith(own) && name.length > own.length) ?? "";
  return name
    .slice(prefix.length)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

/** The name in one form: "sentence_id". */
export const plainName = (name: string): string => splitWords(name).join("_");

/** The same words with numbers of their own: "winner2" and "winner_2" are winner and 2. */
export const splitNumbers = (name: string): string[] =>
  splitWords(name).flatMap((word) => {
    const [, stem, number] = /^(\p{L}+)(\d+)$/u.exec(word) ?? [];
    return stem === undefined ? [word] : [stem, number!];
  });

/** Names as they are listed: with spaces between them. */
export const listed = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/** Each of the first names before each of the second; "-" stands for none. */
export function crossed(firsts: string, seconds: string): string {
  const of = (names: string): string[] => [...listed(names)].map((name) => (name === "-" ? "" : name));
  return of(firsts)
    .flatMap((first) => of(seconds).map((second) => first + second))
    .filter((name) => name !== "")
    .join(" ");
}

/** The name without what separates its words: "stop_reason", "stopReason" and "stopreason" are one. */
export const joinedName = (name: string): string => splitWords(name).join("");

/** One of the words, or its plural. */
export const hasWord = (name: string, words: ReadonlySet<string>): boolean =>
  splitWords(name).some((word) =>
    [word, word.replace(/s$/, ""), word.replace(/es$/, "")].some((own) => words.has(own)),
  );
