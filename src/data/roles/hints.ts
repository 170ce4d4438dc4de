/** Why a column that a person would call the score was not recognised as one, and what makes it usable. */

import { quoteName } from "../../result/quote.ts";
import type { Diagnostic } from "../../result/result.ts";
import type { Roles } from "../imported.ts";
import { isWord, positiveOf } from "../opposites.ts";
import type { Table } from "../table.ts";
import { isJudged, isPredicted, isShown } from "./evidence.ts";
import { LABEL_NAMES, SCORE_NAMES, SYSTEM_LEVEL, splitWords } from "./names.ts";
import { isClassReport, isTestReport, TELL_REPORT, TELL_TESTS } from "./predictions.ts";
import { type ColumnProfile, listValues, profileTable, shorten } from "./profile.ts";
import { crossedNames, isParted, sharedMeasure } from "./wide.ts";

const PERCENT = /^\s*[+-]?\d+([.,]\d+)?\s*%\s*$/;
const VERDICT = /^(pass(ed)?|fail(ed)?|correct|incorrect|right|wrong|yes|no|true|false|accept(ed)?|reject(ed)?)$/i;
/** Of the levels, so many must be verdicts before the column passes for one. */
const MIN_VERDICTS = 2;
const MAX_VERDICTS = 8;
const GOOD = /^(pass|correct|right|yes|true|accept|good|win|1)/i;
/** So many of the cells must be numbers before the others pass for mistakes. */
const MOSTLY_NUMBERS = 0.5;

/** One note for a table without scores. */
export function explainNoScore(table: Table, roles: Roles): Diagnostic {
  const { why, fix } = explainTextScore(table, roles) ??
    explainOutputs(table, roles) ?? {
      why: "",
      fix: "Name it in the formula or the options of the command; every column can be used there.",
    };
  return {
    code: "NoScoreFound",
    severity: "note",
    message: `no column was recognised as a score${why === "" ? "" : `: ${why}`}.`,
    fix,
  };
}

/** Criteria of a rating sheet that hold words nobody can put in order: the sheet is compared without them, which must not pass in silence. */
export function tellUnread(table: Table, roles: Roles): Diagnostic[] {
  const used = new Set(Object.values(roles).flat());
  if (roles.system === undefined || roles.metrics.length === 0) return [];
  const unread = profileTable(table).filter(
    (profile) =>
      profile.column.kind === "factor" &&
      (!used.has(profile.name) || roles.covariates.includes(profile.name)) &&
      (profile.values === "category" || profile.values === "0/1") &&
      profile.distinct <= MOST_STEPS &&
      isRated(profile),
  );
  return unread.map(({ name, examples }) => ({
    code: "UnreadScore",
    severity: "warning",
    message: `${name} is called like a score, but its values (${examples.join(", ")}) could not be read as one: it is left out.`,
    fix: `Write numbers in place of the words of ${name}.`,
  }));
}

const MOST_STEPS = 20;
/** Words of criteria that also name kinds and states of things. */
const AMBIGUOUS =
  /^(rate|status|verdict|outcome|sentiment|entailment|complexity|diversity|resolved|solved|preference|good|surprise)$/;
const GRADED = /^(score|rating|ratings|grade|points|likert)$/;

function isRated(profile: ColumnProfile): boolean {
  const words = splitWords(profile.name);
  if (words.some((word) => /^(type|category|class|kind|reason|comment|label)s?$/.test(word))) return false;
  return (isJudged(profile) && !words.some((word) => AMBIGUOUS.test(word))) || GRADED.test(words.at(-1) ?? "");
}

export interface ScoreHint {
  /** "score holds text: "47%" in row 1". */
  readonly why: string;
  readonly fix: string;
  /** The column that the fix makes, if it makes one. */
  readonly makes?: string;
}

/** The column that a person would call the score, and why it is none; undefined if none looks like one. */
export function explainTextScore(table: Table, roles: Roles): ScoreHint | undefined {
  const taken = new Set(
    [roles.system, roles.item, roles.rater, roles.cluster, roles.task, roles.repeat, roles.metric].filter(
      (name) => name !== undefined,
    ),
  );
  const texts = profileTable(table).filter(({ column, name }) => column.kind === "factor" && !taken.has(name));
  if (isClassReport(table)) return TELL_REPORT;
  if (isTestReport(table)) return TELL_TESTS;
  const sides = explainSides(table) ?? explainGrades(table) ?? explainCrossed(table);
  if (sides !== undefined) return sides;
  // "correct" and "wrong" say more than "True" and "False"; what has the words of the right labels is an answer, no verdict
  const gold = texts.filter(({ name }) => LABEL_NAMES.includes(splitWords(name).join("_"))).map(levelsOf);
  const judged = texts.filter((own) => !gold.some((levels) => levelsOf(own) === levels));
  const plainest = [...judged.filter(saysRight), ...judged.filter((own) => !saysRight(own))];
  for (const explain of [explainPercent, explainComma, explainStray, explainVerdict, explainName]) {
    const hint = (explain === explainVerdict ? plainest : texts).map(explain).find((found) => found !== undefined);
    if (hint !== undefined) return hint;
  }
  return explainWords(table, roles) ?? explainPredicted(table);
}

/** Words that systems were judged by, and nothing tells which is more. */
function explainWords(table: Table, { label, rater, system }: Roles): ScoreHint | undefined {
  const cells = label === undefined ? undefined : table.columns.get(label);
  if (rater === undefined || system === undefined || cells?.kind !== "factor") return undefined;
  const levels = listValues(cells);
  const shown = `${levels.slice(0, MOST_SHOWN).join(", ")}${levels.length > MOST_SHOWN ? ", …" : ""}`;
  return {
    why: `${label} holds words (${shown}), and nothing says which of them is more`,
    fix: `Write numbers in their order in place of the words of ${label}.`,
  };
}

const MOST_SHOWN = 6;

const levelsOf = ({ column }: ColumnProfile): string => listValues(column).sort().join("\n");
const saysRight = ({ column }: ColumnProfile): boolean =>
  listValues(column).some((level) =>
    /^(in)?correct$|^wrong$|^pass(ed)?$|^fail(ed)?$|^(un)?(re)?solved$/i.test(level.trim()),
  );

/** Predictions without what they are held against. */
function explainPredicted(table: Table): ScoreHint | undefined {
  const found = profileTable(table).find((own) => own.column.kind === "numeric" && isPredicted(own));
  if (found === undefined) return undefined;
  return {
    why: `${found.name} holds what was predicted, and no column is known to hold what is right`,
    fix: "Name it with option `gold`, or put the right values beside the predictions.",
  };
}

/** Columns that cross two lists of names, of which nothing says what each is, or metrics that are one measure of several things. */
export function explainCrossed(table: Table, metrics: readonly string[] = []): ScoreHint | undefined {
  const numeric = profileTable(table).filter(({ column }) => column.kind === "numeric");
  const columns = numeric.map(({ name }) => name).filter(isParted);
  const lettered = explainLettered(columns);
  const crossed = lettered === undefined ? crossedNames(columns) : undefined;
  if (crossed === undefined) return lettered ?? explainShared(metrics);
  const { firsts, seconds } = crossed;
  const [[first, beside], [below]] = crossed.columns as [[string, string], [string]];
  return {
    why: `${columns.join(", ")} cross ${firsts.join(", ")} with ${seconds.join(", ")}, and nothing says which of them are systems, judges, repeats or measures`,
    fix: `Option \`systems: ${first},${below}\` compares ${firsts.slice(0, 2).join(" with ")}, option \`systems: ${first},${beside}\` ${seconds.slice(0, 2).join(" with ")}.`,
  };
}

/** foo_correct, bar_correct: one measure of two systems, or of two parts of an answer. */
function explainShared(metrics: readonly string[]): ScoreHint | undefined {
  const shared = sharedMeasure(metrics);
  if (shared === undefined) return undefined;
  return {
    why: `${metrics.join(", ")} hold ${shared.measure} of ${shared.systems.join(", ")}, and nothing says whether these are systems or parts of what one system did`,
    fix: `Option \`systems: ${metrics.join(",")}\` compares them as systems.`,
  };
}

/** fluency_A, fluency_B: who was judged, or who judged. */
function explainLettered(columns: readonly string[]): ScoreHint | undefined {
  const read = (pattern: RegExp, key: number): ScoreHint | undefined => {
    const parts = columns.map((name) => pattern.exec(name)).filter((own) => own !== null);
    const judged = parts.filter((own) => isJudged({ name: own[3 - key]! }));
    const keys = [...new Set(judged.map((own) => own[key]!))];
    const criteria = new Set(judged.map((own) => own[3 - key]!));
    if (keys.length < 2 || keys.length * criteria.size !== judged.length) return undefined;
    if (!keys.every((name) => /^([a-z]|\d)$/i.test(name) || SYSTEM_LEVEL.test(name))) return undefined;
    const [first] = criteria;
    const pair = judged.filter((own) => own[3 - key] === first).map((own) => own[0]);
    return {
      why: `${judged.map((own) => own[0]).join(", ")}: nothing says whether ${keys.join(" and ")} are systems or judges`,
      fix: `Option \`systems: ${pair.join(",")}\` compares them as systems.`,
    };
  };
  return read(/^(.+)[_. ]([^_. ]+)$/, 2) ?? read(/^([^_. ]+)[_. ](.+)$/, 1);
}

/** Votes for A or B between systems called A and B that stand on both sides. */
function explainSides(table: Table): ScoreHint | undefined {
  const factors = profileTable(table).filter(({ column, distinct }) => column.kind === "factor" && distinct > 1);
  for (const [one, two] of [
    ["a", "b"],
    ["1", "2"],
  ] as const) {
    const levels = ({ column }: ColumnProfile): string[] =>
      listValues(column).map((level) => level.trim().toLowerCase());
    const onBoth = factors.filter((own) => [one, two].every((key) => levels(own).includes(key)));
    const [first, second] = [one, two].map((key) => onBoth.find(({ name }) => splitWords(name).at(-1) === key));
    const vote = onBoth.find((own) => own !== first && own !== second);
    if (first === undefined || second === undefined || vote === undefined) continue;
    const [a, b] = [one, two].map((key) => key.toUpperCase());
    return {
      why: `${vote.name} says ${a} or ${b}, which may be the system or the side: system ${a} stands in ${first.name} and in ${second.name}`,
      fix: "Write left and right for the sides in the file, or call the systems otherwise.",
    };
  }
  return undefined;
}

export interface GradedVote {
  readonly a: string;
  readonly b: string;
  readonly vote: string;
  readonly from: number;
  readonly to: number;
}

const SIDED = /^(.*?)[_. -]?(a|b|1|2|left|right|first|second)$/;
const OTHER: Readonly<Record<string, string>> = { a: "b", 1: "2", left: "right", first: "second" };
const GRADE =
  /^(preference|pref|rating|score|grade|label|vote|choice|comparison|judge?ment|overall|winner|scale|annotation)s?$/;
const MOST_GRADES = 11;

/** Steps between two systems that stand in the same row (1 … 7): the file seldom says which end is whose. Those with a sign are refused where
 *  they would be compared. */
export function findGraded(table: Table): GradedVote | undefined {
  const profiles = profileTable(table);
  const names = profiles.filter(({ column, values }) => column.kind === "factor" && values !== "text");
  for (const first of names) {
    const [, stem = "", side = ""] = SIDED.exec(first.name.toLowerCase()) ?? [];
    const other = OTHER[side];
    if (other === undefined || !/(^|[_. -])(model|system|sys|llm|engine|agent|bot|method)$/.test(stem)) continue;
    const second = names.find(({ name }) => {
      const found = SIDED.exec(name.toLowerCase());
      return found?.[1] === stem && found[2] === other;
    });
    const vote = profiles.find(
      (own) =>
        own.values === "integer" &&
        own.distinct > 2 &&
        own.min >= 0 &&
        own.max - own.min < MOST_GRADES &&
        splitWords(own.name).some((word) => GRADE.test(word)),
    );
    if (second !== undefined && vote !== undefined)
      return { a: first.name, b: second.name, vote: vote.name, from: vote.min, to: vote.max };
  }
  return undefined;
}

function explainGrades(table: Table): ScoreHint | undefined {
  const found = findGraded(table);
  if (found === undefined) return undefined;
  const { a, b, vote, from, to } = found;
  return {
    why: `${vote} grades ${a} against ${b} from ${from} to ${to}, and the file does not say which end is whose`,
    fix: `Write who won into a column (a, b or tie), and name it: options \`a: ${JSON.stringify(a)}\` \`b: ${JSON.stringify(b)}\` \`winner\`.`,
  };
}

const REFERENCE =
  /^(ref|refs|reference|references|target|gold|expected|human)(_?(text|answer|output|translation|summary))?$/i;
/** A column with fewer different texts than this holds categories. */
const FEWEST_TEXTS = 10;
const MOST_OUTPUTS = 4;

/** Outputs beside a reference: they must be scored first, and which files that takes. */
function explainOutputs(table: Table, roles: Roles): ScoreHint | undefined {
  const taken = [roles.system, roles.item, roles.rater, roles.cluster, roles.task];
  const texts = profileTable(table).filter(
    ({ column, name, distinct }) => column.kind === "factor" && !taken.includes(name) && distinct >= FEWEST_TEXTS,
  );
  const reference = texts.find(({ name }) => REFERENCE.test(name))?.name;
  const outputs = texts.map(({ name }) => name).filter((name) => name !== reference && !SOURCE.test(name));
  if (reference === undefined || outputs.length === 0 || outputs.length > MOST_OUTPUTS) return undefined;
  const one = roles.system !== undefined;
  if (one && outputs.length > 1) return undefined;
  return {
    why: `${[...outputs, reference].join(", ")} hold texts`,
    fix:
      `For BLEU, chrF or TER take out each ${one ? "system's" : "column's"} texts, one a line, and those of ${reference} ` +
      `as option \`references\`, with option \`metric: bleu\`. ` +
      `For texts equal to the reference: options \`gold: ${JSON.stringify(reference)}\` \`pred: ${JSON.stringify(outputs)}\` \`metric: exact-match\`.`,
  };
}

/** What the systems were given, and what it is called. */
const SOURCE =
  /^(src|source|input|prompt|question|query|text|context|document|article|image|img|audio|video|file)(_?(text|name|id|path|file))?$/i;

/** The first cell with one of these levels: its text, and its row from 1. */
function firstCell({ column }: ColumnProfile, fits: (level: string) => boolean): { text: string; row: number } {
  if (column.kind === "numeric") return { text: "", row: 0 };
  const row = column.codes.findIndex((code) => code >= 0 && fits(column.levels[code]!));
  return { text: shorten(column.levels[column.codes[row]!] ?? ""), row: row + 1 };
}

function explainPercent(profile: ColumnProfile): ScoreHint | undefined {
  if (profile.distinct === 0 || !listValues(profile.column).every((level) => PERCENT.test(level))) return undefined;
  const { text, row } = firstCell(profile, () => true);
  return {
    why: `${profile.name} holds text such as "${text}" (row ${row})`,
    fix: "Write plain numbers without the percent sign in the file.",
  };
}

/** Commas that may be decimal signs or may group thousands: nobody but the writer knows. */
function explainComma(profile: ColumnProfile): ScoreHint | undefined {
  const levels = profile.column.kind === "factor" ? listValues(profile.column) : [];
  const comma = (level: string): boolean => /^[-+]?\d+(,\d+)+$/.test(level.trim());
  if (!levels.some(comma) || !levels.every((level) => comma(level) || /^[-+]?\d+$/.test(level.trim())))
    return undefined;
  const { text, row } = firstCell(profile, comma);
  return {
    why: `${profile.name} holds text: "${text}" in row ${row}, whose comma may be a decimal sign or group thousands`,
    fix: "Option `decimal: ,` or option `decimal: .` says which.",
  };
}

/** Numbers but for a few cells: those made a text of the column. */
function explainStray(profile: ColumnProfile): ScoreHint | undefined {
  const { column, name } = profile;
  if (column.kind === "numeric") return undefined;
  const isNumber = (level: string): boolean => level.trim() !== "" && Number.isFinite(Number(level));
  const present = column.codes.filter((code) => code >= 0);
  const numbers = present.filter((code) => isNumber(column.levels[code]!)).length;
  if (numbers === 0 || numbers === present.length || numbers < MOSTLY_NUMBERS * present.length) return undefined;
  const { text, row } = firstCell(profile, (level) => !isNumber(level));
  const count = present.length - numbers;
  return {
    why: `${name} holds numbers except ${count === 1 ? "" : `in ${count} cells, first `}"${text}" in row ${row}`,
    fix: `Correct the ${count === 1 ? "cell" : "cells"}, or let it count as missing: \`missing: "${text}"\`.`,
  };
}

function explainVerdict(profile: ColumnProfile): ScoreHint | undefined {
  const levels = profile.distinct > MAX_VERDICTS ? [] : listValues(profile.column);
  const verdicts = levels.filter((level) => VERDICT.test(level.trim()));
  if (verdicts.length < MIN_VERDICTS || isShown(profile)) return undefined;
  const good = verdicts.find((level) => GOOD.test(level.trim())) ?? verdicts[0]!;
  return {
    why: `${profile.name} holds verdicts as text (${profile.examples.join(", ")})`,
    fix: `Make numbers of them: ${makeNumbers(profile.name, good)}.`,
    makes: MADE,
  };
}

function explainName(profile: ColumnProfile): ScoreHint | undefined {
  const words = splitWords(profile.name);
  const named = SCORE_NAMES.includes(words.join("_")) || SCORE_NAMES.includes(words.at(-1) ?? "");
  if (!named || profile.distinct === 0) return undefined;
  const { text, row } = firstCell(profile, () => true);
  const why = `${profile.name} holds text: "${text}" in row ${row}`;
  if (profile.distinct !== 2) return { why, fix: "Write numbers in the file, or fit an ordered model to its levels." };
  const [first, second] = listValues(profile.column) as [string, string];
  const one = positiveOf([first, second])?.word;
  const good = [first, second].find((level) => (one === undefined ? GOOD.test(level) : isWord(level, one)));
  if (good === undefined)
    return {
      why,
      fix: `Say which counts as 1: ${makeNumbers(profile.name, first)} or ${makeNumbers(profile.name, second)}.`,
    };
  return { why, fix: `Say which counts as 1: ${makeNumbers(profile.name, good)}.`, makes: MADE };
}

const MADE = "right";

const makeNumbers = (name: string, good: string): string =>
  // doubled where the expression has backticks of its own, as in Markdown
  asCode(`mutate: ${JSON.stringify(`${MADE} = ${quoteName(name)} == '${good}'`)}`);

const asCode = (text: string): string => (text.includes("`") ? `\`\`${text}\`\`` : `\`${text}\``);
