/** Asks, decisions and findings as sentences: the only file of this floor with prose. Options stand as code, as everywhere in the library. */
import type { Ask, Decision, RoleName, Told } from "../data/imported.ts";
import { StatError } from "../result/error.ts";
import { listNames } from "../result/quote.ts";

/** One line: what is ambiguous, then the ready answers. */
export function tellAsk(ask: Ask): { readonly message: string; readonly fix: string } {
  const { message, no } = QUESTIONS[ask.id](ask);
  const answers = ask.answers.map(tellTold).filter((text) => text !== "");
  return { message, fix: answers.length === 0 ? no : `Say ${joinOr(answers)}.` };
}

/** The question as an error, for doors that cannot ask. */
export class Question extends StatError {
  readonly ask: Ask;

  constructor(ask: Ask) {
    const { message, fix } = tellAsk(ask);
    super(`Ask${ask.id.charAt(0).toUpperCase()}${ask.id.slice(1)}`, message, fix);
    this.ask = ask;
  }
}

interface Wording {
  readonly message: string;
  /** What to do where no answer can be offered. */
  readonly no: string;
}

const QUESTIONS: Readonly<Record<Ask["id"], (ask: Ask) => Wording>> = {
  system: () => ({
    message: "which column names the systems? No column has a plain name for them.",
    no: "Name it with option `system`, or the columns of a wide table with option `systems`.",
  }),
  score: () => ({
    message: "which column is the score? No column of numbers has a plain name for one.",
    no: "Name it with option `score`; its cells must be numbers, or two words such as pass and fail.",
  }),
  item: () => ({
    message: "which column names the items? No column has a plain name for them.",
    no: "Name it with option `item` (several columns with commas), or pair rows by their order with option `byRow`.",
  }),
  repeats: ({ rows = 0, key = [] }) => ({
    message: `${rows} ${rows === 1 ? "row repeats another" : "rows repeat others"} in ${listNames(key)}: what tells them apart?`,
    no: "Name the column with option `run` (runs), `rater`, `task` or `item`.",
  }),
  rater: () => ({
    message: "which column names the raters? No column has a plain name for them.",
    no: "Name it with option `rater`; if each rater has a column, name those with option `raters`.",
  }),
  files: ({ columns }) => ({
    message: `${listNames(columns)} hold the same systems: is each file a rater, a run or a task?`,
    no: "Say option `files`.",
  }),
  predictions: ({ columns: [gold] }) => ({
    message: `no score, but ${gold} looks like gold labels: which columns hold the predictions?`,
    no: "Name them with options `gold` and `pred`, or the score with option `score`.",
  }),
  cluster: ({ columns: [cluster], rows = 0 }) => ({
    message: `are items of one ${cluster} correlated? There are only ${rows} of them, too few to assume it either way.`,
    no: "Say option `cluster`.",
  }),
};

/** An answer as a choice in a list: "hash names the items". */
export function tellAnswer(told: Told): string {
  const { system, item, score, rater, run, cluster, files, systems, raters, pred } = told;
  if (systems !== undefined) return `each of ${listNames(systems)} is a system's column of scores`;
  if (raters !== undefined) return `each of ${listNames(raters)} is a rater's column`;
  if (pred !== undefined) return `${listNames(pred)}: predictions, held against ${told.gold}`;
  if (run === "rows") return "the rows are repeated runs";
  if (run !== undefined) return `${run} is the run`;
  if (cluster === "none") return "no, items are independent";
  if (cluster !== undefined) return `yes, items of one ${cluster} are correlated`;
  if (files !== undefined) return `each file is one of the ${files}`;
  if (item !== undefined) return `${item.split(",").join(" and ")} ${item.includes(",") ? "name" : "names"} the items`;
  if (system !== undefined) return `${system} names the systems`;
  if (rater !== undefined) return `${rater} names the raters`;
  return `${score} is the score`;
}

/** { item: "a,b" } is option `item: a,b`; a list of systems has commas. */
export const tellTold = (told: Told): string =>
  Object.entries(told)
    .flatMap(([name, value]) => {
      if (value === undefined || value === false) return [];
      return [
        value === true ? `option \`${name}\`` : `option \`${name}: ${Array.isArray(value) ? value.join(",") : value}\``,
      ];
    })
    .join(" and ");

const joinOr = (texts: readonly string[]): string =>
  texts.length < 2 ? (texts[0] ?? "") : `${texts.slice(0, -1).join(", ")} or ${texts.at(-1)}`;

const ROLE_WORDS: Readonly<Partial<Record<RoleName, string>>> = {
  repeat: "run",
  label: "gold label",
  setting: "setting",
};
const BY_WORDS: Readonly<Record<Decision["by"], string>> = {
  format: "the format says so",
  name: "by its name",
  file: "from the files",
  user: "as you say",
};

/** "system is the system (by its name)". */
export const tellDecision = ({ role, column, by }: Decision): string =>
  `${column}: ${ROLE_WORDS[role] ?? role} (${BY_WORDS[by]})`;
