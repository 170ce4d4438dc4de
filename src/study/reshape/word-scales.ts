/** Words as ratings, in their order: "very bad" … "very good", "Strongly disagree" … "Strongly agree". Never by the alphabet. Scales that people
 *  have settled on are listed; others are degrees of one property (../degrees.ts). */

import { degreesOf } from "../../data/degrees.ts";
import { groupKeys } from "../../data/keys.ts";
import { type Column, type Table, withColumn } from "../../data/table.ts";
import { mostOf } from "../../result/extremes.ts";
import { namedAsScore } from "../lexicon/metrics.ts";
import { ITEM_NAMES, RATER_NAMES } from "../lexicon/names.ts";
import { splitWords } from "../lexicon/words.ts";
import { numberSteps, type Reshaped, usedLevels } from "./reshaped.ts";

/** Each list from the lowest to the highest; words between bars are the same step. A list whose every step occurs goes before one with gaps. */
const SCALES: readonly (readonly string[])[] = [
  // quality
  "very bad|terrible|awful;bad|poor;ok|okay|fair|average|neutral|mediocre|acceptable|medium;good;very good|great|excellent|perfect",
  "very poor|terrible;poor|bad;fair|average|ok|okay|acceptable;good;very good;excellent|outstanding|perfect",
  "bad|unacceptable;poor;fair|acceptable;good;excellent",
  "very poor|terrible;poor|bad;fair|average|ok|okay|acceptable;good;excellent|outstanding|perfect",
  "poor|bad;fair|average|ok|okay|acceptable;good;very good;excellent|outstanding|perfect",
  "poor|bad;fair|average|ok|okay|acceptable|medium;good;excellent|outstanding|perfect",
  "poor|bad;fair|average|ok|okay|acceptable|medium|neutral;good",
  "sehr schlecht;schlecht;mittel|mittelmäßig|okay|ok|neutral|teils teils;gut;sehr gut",
  "ungenügend;mangelhaft;ausreichend;befriedigend;gut;sehr gut",
  "très mauvais|très mauvaise;mauvais|mauvaise;moyen|moyenne|passable|acceptable|correct;bon|bonne;très bon|très bonne|excellent|excellente",
  "muy malo|muy mala|pésimo|pésima;malo|mala;regular|aceptable|normal;bueno|buena;muy bueno|muy buena|excelente",
  "pessimo|pessima|molto scarso;scarso|scarsa|cattivo|cattiva;sufficiente|medio|media|mediocre|discreto;buono|buona;ottimo|ottima|molto buono|molto buona|eccellente",
  "péssimo|péssima|muito ruim;ruim|mau|má;regular|médio|média|razoável;bom|boa;muito bom|muito boa|ótimo|ótima|excelente",
  "很差|非常差|极差;较差|差|比较差;一般|中等|普通;较好|好|良好|比较好;很好|非常好|优秀|极好",
  "とても悪い|非常に悪い;悪い|わるい;普通|ふつう|どちらでもない;良い|よい;とても良い|非常に良い|とてもよい",
  // agreement: a neutral step, steps of "somewhat", both or neither
  "strongly disagree|completely disagree|totally disagree;disagree;neutral|neither agree nor disagree|neither|undecided|not sure|unsure;agree;strongly agree|completely agree|totally agree",
  "strongly disagree|completely disagree|totally disagree;disagree;agree;strongly agree|completely agree|totally agree",
  "strongly disagree|completely disagree|totally disagree;somewhat disagree|slightly disagree|rather disagree;neutral|neither agree nor disagree|neither|undecided|not sure|unsure;somewhat agree|slightly agree|rather agree;strongly agree|completely agree|totally agree",
  "strongly disagree|completely disagree|totally disagree;disagree;somewhat disagree|slightly disagree|rather disagree;somewhat agree|slightly agree|rather agree;agree;strongly agree|completely agree|totally agree",
  "strongly disagree|completely disagree|totally disagree;disagree;somewhat disagree|slightly disagree|rather disagree;neutral|neither agree nor disagree|neither|undecided|not sure|unsure;somewhat agree|slightly agree|rather agree;agree;strongly agree|completely agree|totally agree",
  "disagree;neutral|neither agree nor disagree|neither|undecided|not sure|unsure;agree",
  "stimme überhaupt nicht zu|stimme gar nicht zu|trifft überhaupt nicht zu|trifft gar nicht zu;stimme nicht zu|stimme eher nicht zu|trifft eher nicht zu|trifft nicht zu;neutral|teils teils|weder noch|unentschieden;stimme zu|stimme eher zu|trifft eher zu|trifft zu;stimme voll zu|stimme voll und ganz zu|stimme völlig zu|trifft voll zu|trifft voll und ganz zu|trifft völlig zu",
  "pas du tout d'accord;pas d'accord|plutôt pas d'accord|en désaccord;neutre|ni d'accord ni pas d'accord|sans opinion;d'accord|plutôt d'accord;tout à fait d'accord",
  "totalmente en desacuerdo|muy en desacuerdo;en desacuerdo;neutral|ni de acuerdo ni en desacuerdo|indiferente;de acuerdo;totalmente de acuerdo|muy de acuerdo",
  "非常不同意|完全不同意;不同意;中立|一般|不确定;同意;非常同意|完全同意",
  "全くそう思わない|全く同意しない;そう思わない|同意しない;どちらでもない|どちらともいえない;そう思う|同意する;とてもそう思う|非常にそう思う|強く同意する",
  // amount, frequency, change
  "not at all;a little|slightly;somewhat|moderately;mostly|very|quite;completely|extremely|entirely",
  "never;rarely|seldom;sometimes|occasionally;often|frequently|usually;always",
  "much worse;worse|slightly worse|somewhat worse;about the same|same|equal|about equal|similar;better|slightly better|somewhat better;much better",
  "very dissatisfied;dissatisfied;neutral|neither;satisfied;very satisfied",
  "very unlikely;unlikely;neutral|maybe|possibly;likely;very likely",
  "very difficult|very hard;difficult|hard;neutral|medium;easy;very easy",
  "very unclear;unclear;neutral|somewhat clear;clear;very clear",
  "incorrect|wrong|bad;partially correct|partly correct|partial;correct|right|good",
  "definitely not|definitely no|certainly not;probably not|probably no;maybe|possibly|unsure|not sure|might or might not;probably|probably yes;definitely|definitely yes|certainly|certainly yes",
  "far below expectations|well below expectations;below expectations;meets expectations|met expectations;above expectations|exceeds expectations;far above expectations|far exceeds expectations|greatly exceeds expectations",
  "hate it;dislike it;it is ok|it's ok|it's okay|neutral;like it;love it",
  "전혀 그렇지 않다|전혀 동의하지 않음;그렇지 않다|동의하지 않음;보통이다|보통;그렇다|동의함;매우 그렇다|매우 동의함",
  "😡|😠|🤬|😭;🙁|☹|😞|😟|😕|😢;😐|😑|😶;🙂|😊|😀|😃;😍|🤩|😄|🥰|😁",
  // of meaning kept and of language, as the LDC asked for them
  "incomprehensible;disfluent|disfluent english;non native|non native english;good|good english;flawless|flawless english|native",
  "not relevant|irrelevant;partially relevant|somewhat relevant|marginally relevant|related;relevant;highly relevant|very relevant|perfectly relevant",
].map((line) => line.split(";"));

/** Scales of words that may also be a setting or an answer to choose: only under the name of a criterion. */
const NAMED_SCALES: readonly (readonly string[])[] = [
  "very low;low;medium|moderate|average|neutral;high;very high",
  "low;medium|moderate|average|neutral;high",
  "f;d;c;b;a",
  "f;e;d;c;b;a",
  "sd;d;n;a;sa",
  "sd;d;a;sa",
  "none;little|little meaning;much|much meaning;most|most meaning;all|all meaning",
  "no|nein|non|não|nee|nej|нет|nie;partially|partly|partial|somewhat|sort of|teilweise|teils|en partie|partiellement|en parte|parcialmente|parzialmente|in parte|gedeeltelijk|delvis|частично|częściowo;yes|ja|oui|sí|sì|sim|да|tak|fully|completely",
  "contradicted|contradictory|contradicts;not supported|unsupported;partially supported|partly supported;supported|fully supported",
  "one;two;three;four;five;six;seven;eight;nine;ten",
  "i;ii;iii;iv;v;vi;vii;viii;ix;x",
].map((line) => line.split(";"));

const FEWEST = 3;
/** A, B and C may be two sides and a tie. */
const FEWEST_LETTERS = 4;
const MOST = mostOf([...SCALES, ...NAMED_SCALES].map((scale) => scale.length));

export const plain = (level: string): string =>
  level
    .trim()
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll("\uFE0F", "")
    .replace(/[_-]+/g, " ")
    .replace(/\s+/g, " ");

interface WordScale {
  readonly steps: readonly number[];
  /** Words of steps that do not occur, with their numbers. */
  readonly unused: readonly string[];
  /** 1 is the best. */
  readonly falls?: boolean;
  /** The words themselves say that more is better. */
  readonly praises?: boolean;
  /** The words without numbers that the sheet put before them. */
  readonly words: readonly string[];
}

/** "Bad - cannot be understood", "good (few errors)": what the step means stands behind it. */
const HEAD = /^(\p{L}[^:(]{0,40}?)(?:\s[-–—]\s|\s?:\s|\s\().+$/u;

/** The steps of the levels on a scale that has all of them; undefined where none has, or where two words of a step occur together. "Agree", "agree"
 *  and "AGREE" are one level in three spellings. */
function scaleOf(levels: readonly string[], named: (property: string) => boolean): WordScale | undefined {
  const spellings = new Map(levels.map((level) => [plain(level), level]));
  const scale = scaleOfDistinct([...spellings.values()], named);
  if (scale === undefined || spellings.size === levels.length) return scale;
  const place = new Map([...spellings.keys()].map((key, i) => [key, i]));
  const places = levels.map((level) => place.get(plain(level))!);
  return { ...scale, steps: places.map((at) => scale.steps[at]!), words: places.map((at) => scale.words[at]!) };
}

function scaleOfDistinct(levels: readonly string[], named: (property: string) => boolean): WordScale | undefined {
  if (levels.length < FEWEST || levels.length > MOST) return undefined;
  if (levels.length < FEWEST_LETTERS && levels.every((level) => level.trim().length === 1)) return undefined;
  const numbered = levels.map((level) => NUMBERED.exec(level.trim()));
  const words = levels.map((level, i) => numbered[i]?.[2] ?? level.trim());
  const heads = words.map((word) => HEAD.exec(word)?.[1] ?? word);
  const own = stepsOf(words.map(plain), named) ?? stepsOf(heads.map(plain), named);
  if (own === undefined) return undefined;
  const told = numbered.every((match) => match !== null)
    ? ownNumbers(
        numbered.map((match) => Number(match![1])),
        own.steps,
      )
    : own;
  return told === undefined ? undefined : { praises: own.praises === true, ...told, words };
}

type Steps = Omit<WordScale, "words">;

/** By a scale of the list, else as degrees of what they have in common. */
function stepsOf(words: readonly string[], named: (property: string) => boolean): Steps | undefined {
  const found = (named("") ? [...SCALES, ...NAMED_SCALES] : SCALES).flatMap((scale) => {
    const steps = words.map((word) => scale.findIndex((step) => step.split("|").includes(word)));
    return steps.some((step) => step < 0) || new Set(steps).size < steps.length ? [] : [{ scale, steps }];
  });
  const own = found.find(({ scale, steps }) => scale.length === steps.length) ?? found[0];
  if (own !== undefined) {
    // steps that nobody used at the ends or between keep their places, so that distances stay what they are
    const { scale, steps } = own;
    const unused = scale.flatMap((step, k) => (steps.includes(k) ? [] : [`${k + 1} = ${step.split("|")[0]}`]));
    return { steps: steps.map((step) => step + 1), unused };
  }
  const degrees = degreesOf(words);
  if (degrees === undefined || (degrees.property !== undefined && !named(degrees.property))) return undefined;
  const rising = [...degrees.values].sort((a, b) => a - b);
  return {
    steps: degrees.values.map((value) => rising.indexOf(value) + 1),
    unused: [],
    praises: degrees.property === undefined,
  };
}

/** "4 - good": the sheet has numbers of its own, which rise or fall with the words. */
function ownNumbers(numbers: readonly number[], steps: readonly number[]): Steps | undefined {
  const order = steps.map((_, i) => i).sort((i, j) => steps[i]! - steps[j]!);
  const moves = order.slice(1).map((i, k) => Math.sign(numbers[i]! - numbers[order[k]!]!));
  if (moves.every((move) => move === 1)) return { steps: numbers, unused: [] };
  return moves.every((move) => move === -1) ? { steps: numbers, unused: [], falls: true } : undefined;
}

/** "1 - very bad", "2: bad", "(3) ok", "4 = good". */
const NUMBERED = /^\(?(\d{1,2})\s*[-–—:=.)]+\s*(\p{L}.*)$/u;

/** Words in common that make two columns answers to one battery. */
const SHARED_WORDS = 2;

/** Questions with the same answers have one scale: what nobody chose in one column keeps its step there, so that columns can be set side by side. */
function sharedScale(
  levels: readonly string[],
  columns: readonly (readonly string[])[],
  named: (property: string) => boolean,
): WordScale | undefined {
  const own = new Set(levels.map(plain));
  const alike = columns.filter((others) => others.filter((level) => own.has(plain(level))).length >= SHARED_WORDS);
  const all = [...new Set([...levels, ...alike.flat()])];
  const scale = all.length === levels.length ? undefined : scaleOf(all, named);
  if (scale === undefined) return undefined;
  const steps = levels.map((_, i) => scale.steps[i]!);
  const elsewhere = new Map(all.map((level, i) => [scale.steps[i]!, plain(level)]));
  const unused = [
    ...scale.unused,
    ...[...elsewhere].flatMap(([step, word]) => (steps.includes(step) ? [] : [`${step} = ${word}`])),
  ].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  return { ...scale, steps, unused, words: scale.words.slice(0, levels.length) };
}

export const findWordScales = (table: Table): Reshaped | undefined => {
  const answers = [...table.columns.values()].flatMap((cells) => {
    const levels = cells.kind === "factor" && cells.levels.length <= 2 * MOST ? usedLevels(cells) : [];
    return levels.length >= SHARED_WORDS && levels.length <= MOST ? [levels] : [];
  });
  const judged = [...table.columns.keys()].some((name) => RATER_NAMES.includes(splitWords(name).join("_")));
  return numberSteps(table, (name, cells, levels) => {
    const called = isCalledScore(name, cells);
    // the degrees of any property are ratings where raters are named, or the column is called by it
    const isNamed = (property: string): boolean =>
      called || (property !== "" && (judged || sharesStem(property, splitWords(name))));
    const scale =
      readSigns(levels, called || judged) ??
      readGrades(levels, called) ??
      sharedScale(levels, answers, isNamed) ??
      scaleOf(levels, isNamed);
    if (scale === undefined || isProperty(table, name) || areNames(table, levels)) return undefined;
    const { steps, unused, words, falls = false, praises = false } = scale;
    const ordered = [...new Map(words.map((word, i) => [word, steps[i]!]))].sort(([, a], [, b]) => a - b);
    const order = ordered.map(([word, step]) => `${step} = ${word}`).join(", ");
    const rest = unused.length === 0 ? "" : `; nobody chose ${unused.join(", ")}`;
    const told = `The words of ${name} are read in their order: ${order}${rest}${tellSpellings(ordered.length, levels)}.`;
    const graded = praises || isGraded(ordered.at(falls ? 0 : -1)![0]);
    return { numbers: steps, told, higherIsBetter: graded ? !falls : undefined };
  });
};

const tellSpellings = (distinct: number, levels: readonly string[]): string =>
  distinct === levels.length ? "" : "; spellings that differ in capitals, blanks or hyphens alone are one";

/** Whether the words are steps of a scale where people rate. */
export const areSteps = (levels: readonly string[]): boolean => scaleOf(levels, () => true) !== undefined;

/** Agreement, frequency and the like: more of it is good or bad as the question was, which such words do not say. */
export function lackDirection(levels: readonly string[]): boolean {
  const scale = scaleOf(levels, () => true);
  if (scale === undefined || scale.praises === true) return false;
  const ends = [Math.min(...scale.steps), Math.max(...scale.steps)];
  return !ends.some((step) => isGraded(scale.words[scale.steps.indexOf(step)]!));
}

/** The labels of a column that raters gave, in the order of their scale; undefined where they have none that a reader would know, or where
 *  somebody said theirs. Letters may be names of anything. */
export function orderWords(table: Table, name: string): { readonly table: Table; readonly told: string } | undefined {
  const cells = table.columns.get(name);
  if (cells === undefined || cells.kind === "numeric" || cells.ordered) return undefined;
  const levels = usedLevels(cells);
  const letters = levels.every((level) => level.trim().length === 1);
  const scale = letters && !isCalledScore(name, cells) ? undefined : scaleOf(levels, () => true);
  if (scale === undefined) return undefined;
  const sheet = new Map(levels.map((level, i) => [scale.steps[i]!, level]));
  const rising = [...sheet.keys()].sort((a, b) => a - b);
  const place = new Map(levels.map((level, i) => [level, rising.indexOf(scale.steps[i]!)]));
  const ordered: Column = {
    kind: "factor",
    codes: cells.codes.map((code) => (code < 0 ? -1 : place.get(cells.levels[code]!)!)),
    levels: rising.map((step) => sheet.get(step)!),
    ordered: true,
  };
  const told = `The words of ${name} are read in their order: ${ordered.levels.join(" < ")}${tellSpellings(rising.length, levels)}.`;
  return { table: withColumn(table, name, ordered), told };
}

const SHORTEST_STEM = 4;
/** "fluency" and "fluent". */
const sharesStem = (property: string, name: readonly string[]): boolean =>
  property
    .split(" ")
    .some((word) => word.length >= SHORTEST_STEM && name.some((own) => own.startsWith(word.slice(0, SHORTEST_STEM))));

/** "A-", "B+" are a third of a grade from their letter, as grade points count them. */
function readGrades(levels: readonly string[], called: boolean): WordScale | undefined {
  const grades = levels.map((level) => /^([A-DF])([-+−]?)$/.exec(level.trim()));
  if (!called || levels.length < FEWEST_LETTERS || grades.some((grade) => grade === null)) return undefined;
  if (grades.every((grade) => grade![2] === "")) return undefined;
  const points = (letter: string, sign: string): number =>
    Math.max(0, "FDCBA".indexOf(letter)) + (sign === "+" ? 0.3 : sign === "" ? 0 : -0.3);
  const steps = grades.map((grade) => Number(points(grade![1]!, grade![2]!).toFixed(1)));
  return { steps, unused: [], praises: true, words: levels };
}

/** "--", "-", "0", "+", "++": signs on both sides of nothing, which may be 0, o, = or ±. */
function readSigns(levels: readonly string[], called: boolean): WordScale | undefined {
  const marks = levels.map((level) => level.trim().replace(/[−–]/g, "-"));
  if (!called || levels.length < FEWEST || !marks.every((mark) => /^(-{1,3}|\+{1,3}|[0o=±~○]|\+\/-)$/i.test(mark)))
    return undefined;
  const steps = marks.map((mark) => (/^-+$/.test(mark) ? -mark.length : /^\++$/.test(mark) ? mark.length : 0));
  const both = steps.some((step) => step < 0) && steps.some((step) => step > 0);
  return both && new Set(steps).size === steps.length ? { steps, unused: [], praises: true, words: levels } : undefined;
}

/** Letters that another column has too, which is no criterion: the systems A to D of which one was chosen as the worst, not grades. */
const areNames = (table: Table, levels: readonly string[]): boolean =>
  levels.every((level) => level.trim().length === 1) &&
  [...table.columns].some(
    ([name, cells]) =>
      cells.kind === "factor" && !isCalledScore(name, cells) && levels.every((level) => cells.levels.includes(level)),
  );

/** How hard an item is belongs to the item, whoever answers it: "easy", "medium", "hard" of each question are no answers. */
export function isProperty(table: Table, name: string): boolean {
  if (/difficult|level|category|tier|^split$|hardness/i.test(name)) return true;
  const words = table.columns.get(name)!;
  if (/complexit/i.test(name) && words.kind === "factor" && words.levels.some((own) => /^(easy|hard)$/i.test(own)))
    return true;
  const item = ITEM_NAMES.map((alias) =>
    [...table.columns.keys()].find((own) => own !== name && splitWords(own).join("_") === alias),
  ).find((own) => own !== undefined);
  if (item === undefined) return false;
  const [cells, own] = [table.columns.get(item)!, table.columns.get(name)!];
  const items = groupKeys([cells], table.rows).count;
  return items < table.rows / 2 && groupKeys([cells, own], table.rows).count === items;
}

/** Words of praise have a direction; agreement and frequency have that of the question, which nobody knows. */
const isGraded = (top: string): boolean => PRAISE.test(plain(top));
export const PRAISE =
  /^a$|good|great|excellent|perfect|outstanding|better|satisfied|correct|right|clear|easy|\bgut|\bbonn?e?$|buen[oa]|excelente|buon[oa]|ottim[oa]|eccellente|\bbo[ma]$|ótim[oa]|好|优秀|良い|よい/;

/** By the name of a score, which is not that of a kind. */
export function isCalledScore(name: string, cells: Column): boolean {
  const words = splitWords(name);
  return (namedAsScore(name) > 0 || cells.kind === "numeric") && !words.some((word) => KIND.has(word));
}

const KIND = new Set(
  "type types category class kind code label tag reason source domain answer choice option".split(" "),
);
