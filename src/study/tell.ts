/** Asks, decisions and findings as sentences: the only file of this floor with prose. What shapes say stands with them in data/shapes.ts. Options stand as code, as everywhere in the library. */
import type { Ask, Decision, Done, Imported, RoleName, Told } from "../data/imported.ts";
import { SHAPE_SENTENCES } from "../data/shapes.ts";
import { StatError } from "../result/error.ts";
import { listNames } from "../result/quote.ts";

/** One line: what is ambiguous, then the ready answers. */
export function tellAsk(ask: Ask): { readonly message: string; readonly fix: string } {
  const { message, no } = QUESTIONS[ask.id](ask);
  const answers = ask.answers.map(tellTold).filter((text) => text !== "");
  return { message, fix: answers.length === 0 ? no : `Say ${joinOr(answers)}.` };
}

/** Rows of which nothing can be asked. */
export function refuseUnfit({ unfit }: Pick<Imported, "unfit">): void {
  if (unfit !== undefined) throw new StatError(unfit.code, unfit.message, unfit.fix);
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
    no: "Name it with option `system`, or the columns of a wide table with option `systems`; if the file is of one system, give a file of each.",
  }),
  score: ({ texts }) => ({
    message:
      texts !== undefined
        ? `the cells of ${texts.column} are not numbers: ${listNames(texts.examples.map((text) => JSON.stringify(text)))}.`
        : "which column is the score? No column of numbers has a plain name for one.",
    no:
      texts !== undefined
        ? "Treat what means no score as missing with option `missing`, write numbers, or compute 1 and 0 with option `mutate`."
        : "Name it with option `score`; its cells must be numbers, or two words such as pass and fail.",
  }),
  item: () => ({
    message: "which column names the items? No column has a plain name for them.",
    no: "Name it with option `item` (several columns with commas), or pair rows by their order with option `byRow`.",
  }),
  rater: () => ({
    message: "which column names the raters? No column has a plain name for them.",
    no: "Name it with option `rater`, or the columns of a wide table with option `raters`.",
  }),
  repeats: ({ rows = 0, key = [], first }) => ({
    message: `${rows} ${rows === 1 ? "row repeats another" : "rows repeat others"} in ${listNames(key)}${first === undefined ? "" : ` (${rows === 1 ? "" : "the first: "}${listNames(first)})`}: what distinguishes them?`,
    no: "Name the column with option `run` (runs), `rater`, `task` or `item`, or keep some of the rows with option `where`.",
  }),
  files: ({ columns, answers }) => ({
    message: answers.some(({ files }) => files === "systems")
      ? `${listNames(columns)} hold ratings: is each file named after a system or after its rater?`
      : `${listNames(columns)} hold the same systems: is each file a rater, a run or a task?`,
    no: "Set option `files`.",
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
    no: "Name them with options `gold` and `pred`, or the score with option `score`.",
  }),
  cluster: ({ columns: [cluster], rows, key: [task] = [] }) => ({
    message:
      rows === undefined
        ? `every ${task} has the same values of ${cluster}: are they the same items, as translations are?`
        : `are items of one ${cluster} correlated? Only ${rows} values of ${cluster}: too few to test it.`,
    no: "Set option `cluster`.",
  }),
};

/** { item: "a,b" } is option `item: a,b`; a list of systems has commas. */
export const tellTold = (told: Told): string =>
  Object.entries(told)
    .flatMap(([name, value]) => {
      if (value === undefined || value === false) return [];
      return [
        value === true ? `option \`${name}\`` : `option \`${name}: ${Array.isArray(value) ? value.join(",") : value}\``,
      ];
    })
    .join(" ");

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
  run: tellRuns,
  cluster: ([name]) => (name === "none" ? "no, they are independent" : `yes, ${name} is a cluster`),
  systems: (names) => `${names.join(", ")}: one column per system`,
  raters: (names) => `${names.join(", ")}: one column per rater`,
  items: (names) => `${names.join(", ")}: one column per item`,
  byRow: () => "no column: row i of each system is the same item",
  unpaired: () => "no column: the systems met different items",
  files: ([what]) => `each file is one of the ${what}`,
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
  shape: "from the shape of the table",
  user: "as you say",
};

/** "system is the system (by its name)". */
export const tellDecision = ({ role, column, by }: Decision): string =>
  `${column}: ${ROLE_WORDS[role] ?? role} (${BY_WORDS[by]})`;

/** What was done to a table that was not long, in one sentence. */
export const tellDone = (done: Done): string =>
  DONE[done.id]({ into: [], words: [], count: 0, of: 0, alone: [0, 0], ...done });

const number = (n: number): string => n.toLocaleString("en-US");
const tellAlone = (files: readonly string[], alone: readonly number[]): string => {
  const lost = alone.flatMap((count, k) => (count === 0 ? [] : [`${number(count)} only in ${files[k]}`]));
  return lost.length === 0 ? "" : `; ${lost.join(", ")}, left out`;
};

type Whole = Required<Done>;
const EACH = "1 for a win, 0.5 for a tie, 0 for a loss";

const DONE: Readonly<Record<Done["id"], (done: Whole) => string>> = {
  ...SHAPE_SENTENCES,
  votes: ({ columns: [a, b, ...winner] }) =>
    `Each row is a vote between ${a} and ${b} (${listNames(winner)}) and gives two rows, one per side: score ${EACH}.`,
  orders: ({ columns, count, of }) =>
    `${listNames(columns)} are the same vote in both orders: a win counts if both name it, everything else is a tie. ${of} votes turned with the order; in ${count} of them the answer shown first won both times, in ${of - count} the second.`,
  ownOpponent: ({ count, of }) => `${count} of ${of} votes have the same system on both sides and are left out.`,
  noSide: ({ count, of }) => `${count} of ${of} votes name no side: they have no score and are not counted.`,
  runs: ({ columns, into: [run] }) =>
    `${listNames(columns)}: one column for each run; each became a row, and column ${run} says which.`,
  records: ({ columns }) => `${listNames(columns)}: each cell lists records; each became a row.`,
  parts: ({ columns, into: [item] }) =>
    `${listNames(columns)}: each cell lists parts that were judged; each became an item (column ${item}: row of the file, place in the list).`,
  systems: ({ columns, into: [system] }) =>
    `${listNames(columns)}: one column for each system; each became a row, and column ${system} says which.`,
  namedLists: ({ columns, into: [key] }) =>
    `${listNames(columns)}: each cell lists several values; each became a row, and column ${key} says whose it is.`,
  emptyLists: ({ count, of }) => `${count} of ${of} rows have an empty list: nobody answered, and they are left out.`,
  percent: ({ columns }) => `${listNames(columns)}: numbers in percent.`,
  marks: ({ columns }) => `${listNames(columns)}: marks and zeros beside numbers are left out.`,
  plusMinus: ({ columns, into }) =>
    `${listNames(columns)} holds values with ±: what follows it is column ${listNames(into)}, and the file does not say whether that is a standard deviation, a standard error or half an interval.`,
  noValue: ({ columns }) => `${listNames(columns)}: a dash or the like is a missing value.`,
  words: ({ columns, words: [chosen, unused] }) =>
    `The words of ${listNames(columns)} are read in their order: ${chosen}${unused === undefined ? "" : `; nobody chose ${unused}`}.`,
  rows: ({ into: [row] }) => `Each row of the file is an item (column ${row}).`,
  places: ({ columns, into: [system, rank] }) =>
    `${listNames(columns)} name the system at each rank (columns ${system} and ${rank}): the first is the best.`,
  bestWorst: ({ columns, into: [, score], words }) =>
    `${score} is 1 for the best, -1 for the worst and 0 for the others (${listNames(columns)}); its mean is the proportion of best minus the proportion of worst.${words.length === 0 ? "" : ` The file does not say what was shown: ${listNames(words)} are assumed to be shown in every row.`}`,
  joined: ({ columns, words: files, count, of, alone }) =>
    `${files.join(" and ")} were joined on ${columns.join(" and ")}: ${number(count)} of ${number(of)} rows${tellAlone(files, alone)}.`,
  beside: ({ words: [one, several] }) => `A row of ${one} stands beside each row of ${several} that it belongs to.`,
  takenFrom: ({ columns, words: [file] }) =>
    `${columns.join(", ")} ${columns.length === 1 ? "is" : "are"} that of ${file}.`,
  stacked: ({ into: [file], count }) =>
    `The tables have ${count === 0 ? "the same columns" : "most columns in common"} and were put under one another; column ${file} says which file a row is from.`,
  pathRun: ({ into: [run] }) => `Column ${run} is the run that the path names.`,
  pathTask: ({ into: [task] }) => `Column ${task} is the task that the path names.`,
  uneven: ({ count }) => `${count} columns are not in every file; they are missing where a file lacks them.`,
  sameRows: ({ columns: [gold], into: [row] }) =>
    `${gold} is the same in every file, row by row: rows with the same number are one item (column ${row}).`,
};
