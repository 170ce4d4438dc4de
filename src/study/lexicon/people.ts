/** Scores that people gave, told by names of columns and files. */
import { splitWords } from "./words.ts";

const PEOPLE = new Set(
  "human humans people manual annotator annotators rater raters crowd expert experts turker turkers mturk likert mos da mqm esa".split(
    " ",
  ),
);
const PEOPLES_FILES = new Set([...PEOPLE, "annotation", "annotations", "rating", "ratings"]);

/** HumanEval is a benchmark of programs. */
export const isPeoplesColumn = (name: string): boolean => {
  const words = splitWords(name);
  return words.some((word, k) => PEOPLE.has(word) && !(word === "human" && words[k + 1] === "eval"));
};

/** By the last part of its path. */
export const isPeoplesFile = (file: string): boolean =>
  splitWords(file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1)).some((word) =>
    PEOPLES_FILES.has(word),
  );
