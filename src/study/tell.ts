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
  score: ({ texts }) => ({
    message:
      texts !== undefined
        ? `the cells of ${texts.column} are not numbers: ${listNames(texts.examples.map((text) => JSON.stringify(text)))}.`
        : "which column is the score? No column of numbers has a plain name for one.",
    no:
      texts !== undefined
        ? "Treat what means no score as missing with option `missing`, write numbers, or compute 1 and 0 with option `mutate`."
        : "Name it with option `metric`; its cells must be numbers, or two words such as pass and fail.",
  }),
  item: () => ({
    message: "which column names the items? No column has a plain name for them.",
    no: "Name it with option `item` (several columns with commas), or pair rows by their order with option `byRow`.",
  }),
  repeats: ({ rows = 0, key = [] }) => ({
    message: `${rows} ${rows === 1 ? "row repeats another" : "rows repeat others"} in ${listNames(key)}: what tells them apart?`,
    no: "Name the column with option `repeat` (runs), `rater`, `task` or `item`.",
  }),
  prompt: () => ({
    message: "which column names the prompts of the votes? Votes on one prompt are correlated.",
    no: "Name it with option `item`.",
  }),
  spelling: ({ columns: [column], key = [] }) => ({
    message: `${column} has ${listNames(key.map((text) => JSON.stringify(text)))}, which differ in case or spaces only: are they the same?`,
    no: "Write them alike in the file if they are; otherwise give them other names.",
  }),
  predictions: ({ columns: [gold] }) => ({
    message: `no score, but ${gold} looks like gold labels: which columns hold the predictions?`,
    no: "Name them with options `gold` and `pred`, or the score with option `metric`.",
  }),
  cluster: ({ columns: [cluster], rows = 0 }) => ({
    message: `are items of one ${cluster} correlated? There are only ${rows} of them, too few to assume it either way.`,
    no: "Say option `cluster`.",
  }),
};

/** { item: "a,b" } is option `item: a,b`; a list of systems has commas. */
export const tellTold = (told: Told): string =>
  Object.entries(told)
    .flatMap(([name, value]) => {
      if (value === undefined || value === false) return [];
      const option = name === "score" ? "metric" : name;
      return [
        value === true
          ? `option \`${option}\``
          : `option \`${option}: ${Array.isArray(value) ? value.join(",") : value}\``,
      ];
    })
    .join(" and ");

/** An answer as it stands below its question. */
export const tellAnswer = (told: Told): string =>
  Object.entries(told)
    .flatMap(([role, value]) => {
      if (value === undefined || value === false) return [];
      const names = Array.isArray(value) ? value : String(value).split(",");
      return [(ANSWERS[role] ?? together)(names)];
    })
    .join(", ");

const together = (names: readonly string[]): string =>
  names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names.at(-1)} together`;

const tellRuns = (names: readonly string[]): string =>
  names[0] === "rows" ? "no column: they are repeated runs" : `${together(names)}: repeated runs`;

const ANSWERS: Readonly<Record<string, (names: readonly string[]) => string>> = {
  repeat: tellRuns,
  cluster: ([name]) => (name === "none" ? "no, they are independent" : `yes, ${name} is a cluster`),
  systems: (names) => `${names.join(", ")}: one column per system`,
  byRow: () => "no column: row i of each system is the same item",
  gold: ([name]) => `gold labels in ${name}`,
  pred: (names) => `predictions in ${names.join(", ")}`,
};

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
