/** Numbers in another dress, under one column → numbers: "1 - incomprehensible", "5 (best)", "Strongly agree (5)", "3: fair"; "4/5"; "★★★☆☆", "***".
 *  A number before a word may also be the code of a category: only the name of a criterion, or one end praised and the other blamed, makes a scale. */
import { leastOf, mostOf } from "../../result/extremes.ts";
import { positiveOf } from "../opposites.ts";
import { type Column, makeTable, type Table } from "../table.ts";
import { numberSteps, type Reshaped, type Steps, usedLevels } from "./reshaped.ts";
import { isCalledScore, isProperty, PRAISE, plain } from "./word-scales.ts";

const MOST_LEVELS = 101;
const LONGEST_LABEL = 100;

export const findMarks = (table: Table): Reshaped | undefined =>
  numberSteps(table, (name, cells, levels) => {
    if (levels.length < 2 || levels.length > MOST_LEVELS) return undefined;
    const marks = readLabelled(name, cells, levels) ?? readPoints(name, levels) ?? readStars(name, levels);
    return marks === undefined || isProperty(table, name) ? undefined : marks;
  });

/** "1 - bad", "2: poor", "(3) ok", "4. good", "5 (best)", "1 = worst"; 4-shot and 3-turbo are names. */
const LABELLED =
  /^\(?([+-]?\d{1,2})(?:\s*[:=]\s*|\s+[-–—]+\s*|\s*[–—]\s*|[.)]\s+|\)\s*[-–—:]\s*|\s+(?=\())\(?(.*\p{L}.*?)\)?$/u;
/** "Strongly agree (5)", "good [4]": the number behind its word. */
const NUMBER_LAST = /^(\p{L}.*?)(?<!\s)\s*[([]([+-]?\d{1,2})[)\]]$/u;
const BARE = /^[+-]?\d{1,2}(\.\d+)?$/;

function readLabelled(name: string, cells: Column, levels: readonly string[]): Steps | undefined {
  const parts = levels.map((level) => {
    const text = level.trim();
    const match = LABELLED.exec(text);
    if (match !== null) return { number: Number(match[1]), label: plain(match[2]!), shown: match[2]! };
    const last = text.length > LONGEST_LABEL ? null : NUMBER_LAST.exec(text);
    if (last !== null) return { number: Number(last[2]), label: plain(last[1]!), shown: last[1]! };
    return BARE.test(text) ? { number: Number(text), label: undefined, shown: undefined } : undefined;
  });
  const found = parts.filter((part) => part !== undefined);
  const labelled = found.filter(({ label }) => label !== undefined);
  if (found.length < levels.length || labelled.length === 0) return undefined;
  // a label for each number and a number for each label
  const numbers = new Set(labelled.map(({ number }) => number));
  const labels = new Set(labelled.map(({ label }) => label));
  if (numbers.size < labelled.length || labels.size < labelled.length) return undefined;
  const ordered = [...labelled].sort((a, b) => a.number - b.number);
  const all = found.map(({ number }) => number);
  const end = (at: number): string => ordered.find(({ number }) => number === at)?.label ?? "";
  const [low, high] = [end(leastOf(all)), end(mostOf(all))];
  const opposed = (isPraise(low) && isBlame(high)) || (isBlame(low) && isPraise(high));
  if (!opposed && !areAgreement(low, high) && !isCalledScore(name, cells)) return undefined;
  const rises = isPraise(high) || isBlame(low);
  const falls = isPraise(low) || isBlame(high);
  return {
    numbers: all,
    told: `The cells of ${name} are read as their numbers: ${ordered.map(({ number, shown }) => `${number} = ${shown}`).join(", ")}.`,
    ...(rises === falls ? {} : { higherIsBetter: rises }),
  };
}

/** Strongly disagree … strongly agree has the direction of the question, which nobody knows. */
const areAgreement = (low: string, high: string): boolean =>
  [low, high].every((label) => /\b(dis)?agree\b/.test(label)) && /\bdis/.test(low) !== /\bdis/.test(high);

const BLAME =
  /worst|bad|poor|terrible|awful|horrible|unacceptable|unreadable|incomprehensible|nonsense|useless|unusable|unclear|incorrect|wrong|disfluent|unnatural|irrelevant|dissatisfied|fail|very low|lowest|schlecht|ungenügend|mauvais|\bmal[oa]\b|pésim|peor|pire/;
const isBlame = (label: string): boolean => BLAME.test(label);
const isPraise = (label: string): boolean =>
  (PRAISE.test(label) || /\bbest\b|flawless|ideal|(?<!sub ?-?)optimal/.test(label)) && !isBlame(label);

const POINTS = /^(\d{1,3}(?:\.\d+)?)\s*(?:\/|out of)\s*(\d{1,3})$/i;
/** What is so many out of so many and no judgement. */
const COUNTED =
  /date|day|month|time|fold|shard|part|page|batch|run|split|step|turn|ratio|aspect|chunk|round|epoch|seed|version|attempt|try/i;

/** "4/5", "6 / 10": points out of the same most in every cell. */
function readPoints(name: string, levels: readonly string[]): Steps | undefined {
  const matches = levels.map((level) => POINTS.exec(level.trim()));
  if (matches.some((match) => match === null) || COUNTED.test(name)) return undefined;
  const most = new Set(matches.map((match) => Number(match![2])));
  const numbers = matches.map((match) => Number(match![1]));
  const [top] = most;
  if (most.size > 1 || top! < 2 || numbers.some((number) => number > top!)) return undefined;
  return { numbers, told: `The cells of ${name} are points out of ${top} and read as the points.` };
}

const STARS = /^(?:(?:★|⭐)\uFE0F?)+☆*$|^☆+$/u;
const ASTERISKS = /^\*{1,10}$/;

/** As many stars as are full; with empty ones beside them the same number of stars in every cell. */
function readStars(name: string, levels: readonly string[]): Steps | undefined {
  const texts = levels.map((level) => level.replace(/\s|\uFE0F/g, ""));
  const drawn = texts.every((text) => STARS.test(text));
  // one to three asterisks beside an estimate say how small its p-value is
  const typed = texts.every((text) => ASTERISKS.test(text)) && !/sig|^p$|stars?_?level/i.test(name);
  if (!drawn && !typed) return undefined;
  const lengths = new Set(texts.map((text) => [...text].length));
  if (texts.some((text) => text.includes("☆")) && lengths.size > 1) return undefined;
  const numbers = texts.map((text) => [...text].filter((star) => star !== "☆").length);
  const told = `The stars of ${name} are counted: ${leastOf(numbers)} to ${mostOf(numbers)}.`;
  return new Set(numbers).size < numbers.length ? undefined : { numbers, told };
}

/** What is said in place of an answer. */
const ABSTAINED =
  /^(unsure|not sure|i'?m not sure|don'?t know|do not know|i don'?t know|can'?t tell|cannot tell|can'?t say|unclear|undecided|no opinion|weiß nicht|ne sais pas|no sé)$/i;

/** "Unsure" beside yes and no, or beside numbered steps, is no third verdict: those cells are missing, and counted. */
export function findAbstentions(table: Table): Reshaped | undefined {
  const reading: string[] = [];
  const entries = [...table.columns].map(([name, cells]): [string, Column] => {
    if (cells.kind === "numeric") return [name, cells];
    const levels = usedLevels(cells);
    const left = levels.filter((level) => !ABSTAINED.test(level.trim()));
    if (left.length === levels.length || left.length < 2) return [name, cells];
    if (positiveOf(left) === undefined && !left.every((level) => LABELLED.test(level.trim()))) return [name, cells];
    const gone = levels.filter((level) => !left.includes(level));
    const place = new Map(left.map((level, k) => [level, k]));
    const codes = cells.codes.map((code) => (code < 0 ? -1 : (place.get(cells.levels[code]!) ?? -1)));
    const count = cells.codes.filter((code) => code >= 0 && !place.has(cells.levels[code]!)).length;
    reading.push(
      `${name}: ${gone.map((level) => `"${level}"`).join(", ")} is no verdict (${count} of ${table.rows} rows, read as missing).`,
    );
    return [name, { kind: "factor", codes, levels: left, ordered: cells.ordered }];
  });
  return reading.length === 0 ? undefined : { table: makeTable(entries, table.rows), reading, hints: [] };
}
