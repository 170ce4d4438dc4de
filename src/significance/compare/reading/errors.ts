/** Rows that ended in an error. Whether they count as failures or not at all is for the user to say: a score of 0 beside a time-out may be
 *  either, and so may a missing one. */

import { groupKeys } from "../../../data/keys.ts";
import {
  asFactor,
  type Column,
  column,
  type FactorColumn,
  factorColumn,
  numericColumn,
  type Table,
  withColumn,
} from "../../../data/table.ts";
import { StatError } from "../../../result/error.ts";
import { splitWords } from "../../../study/lexicon/words.ts";
import type { NamedImport } from "../../../study/merge.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

/** What went wrong, in the words of a column: the text of an error. */
const ERROR_NAMES =
  /^((parse|parsing|parser|json|api|request|format|decod(e|ing)|runtime|generation|eval|scor(er|ing)|judge|grad(er|ing)|model|run|sample|exec(ution)?)_?)?(error|errors|error_?(message|msg|text|details?|code)|exception|traceback|err(_?(msg|message|text))?|failure(_?reason)?)$/i;
const STATUS_NAMES =
  /^((run|sample|result|response|request|outcome|exit|final|http|judge|eval|scor(er|ing)|grad(er|ing)|job|call|api)_?)?(status|state)$|^(outcome|(finish|stop|end|exit|termination)_?reason|terminat(ed|ion)|error_?(type|kind|class))$/i;
const FINE =
  /^(success|succeeded|successful|ok|done|complete|completed|finished|stop|none|null|no|n|false|0|scored|pass|passed|fail|failed|length)$/i;
/** Either the run or the answer failed: which, the scores of the other rows say. */
const EITHER = /^(fail|fails|failed|failure|ko|not ok|broken|incomplete|unfinished|dnf|invalid|bad)$/i;
/** Yes or no, or the code that a program ended with. */
const FLAG_NAMES =
  /^((is|has|had|was)_?)?(error|errored|exception|crash|crashed|time_?out|timed_?out|failed_to_run|aborted|cancell?ed|killed|oom|skipped|failed|missing|unanswered|unparse?able)$|^\w+_(failed|crashed|timed_?out)$|^(no|missing|empty)_?(response|answer|output|completion|prediction)$|^(exit|return|status|error|http|response)_?(code|status)$/i;
/** Yes where a limit cut the answer short. */
const CUT_NAMES =
  /^((is|was|got)_?)?(truncated|cut_?off|incomplete|unfinished|hit_?limit|limit_?(hit|reached|exceeded))$/i;
/** Yes where all went well. */
const FINE_NAMES =
  /^((is|was|api|call|run|request|attempt|exec(ution)?)_?)?(ok|okay|parsed|parse(able|_?ok|_?success)|parsing_?(ok|success)|completed|finished|answered|responded)$|^((api|call|run|request|exec(ution)?)_success|success_(api|call|run|request|exec(ution)?))$/i;
/** Yes where the answer can be read at all. */
const VALID_NAMES =
  /^((is|was)_?)?((format|json|schema|syntax|output|answer|response)_?)?(valid|well_?formed|format_?ok)(_?(format|json|schema|syntax|output|answer|response))?$|^(format|json|schema|syntax)_?ok$|^has_?(an_?)?(answer|response|output|prediction)$/i;
/** What a server answered: from 400 on it is an error. */
const SERVER_CODE = /^[1-5]\d\d$/;
const FIRST_FAILURE = 400;
/** Where an answer should be. */
const ANSWER_NAMES =
  /^((raw|model|extracted|parsed|final|filtered|generated|llm)_?)*(response|reply|output|answer|completion|prediction|pred|generation)(_?text)?$/i;
const ERROR_TEXT = /^\W*((\w+\.)*\w*(error|exception)|traceback|timed? ?out|timeout|rate ?limit(ed)?)\b\s*[:(\]\-–]/i;
const FAILED =
  /error|time-?out|timed|exception|crash|abort|cancel|refus|limit|killed|oom\b|out.of.memory|content.?filter|blocked|fehler|erreur/i;
/** Reasons to stop that are a limit of the run. */
const AT_LIMIT =
  /^(length|max_?(new_?)?(tokens|length|steps|turns|iterations)( reached)?|model_length|truncated|(token|step|turn|context|budget|message|time)s?[ _-]?(limit|exceeded|exhausted)( reached)?|exit_(context|cost|format)|limit)$/i;
/** What stands in the place of an answer. */
const NO_ANSWER =
  /^\W*(invalid|no[ _-]?(answer|response|output|completion)|empty|blank|unparse?able|could not parse|not found|none|null)\W*$/i;

/** The last part of a nested name, and its words in any language: meta.finishReason, Fehler, erreur. */
function namedBy(names: RegExp, name: string): boolean {
  const last = name.replace(/^.*[./](?=.)/, "");
  return names.test(last) || names.test(splitWords(last).join("_"));
}

export const isErrorColumn = (name: string): boolean =>
  [ERROR_NAMES, STATUS_NAMES, FLAG_NAMES, CUT_NAMES, FINE_NAMES, VALID_NAMES].some((names) => namedBy(names, name));

export interface Errored {
  /** How those rows ended: a cell where the answer should be may be empty. */
  readonly ended: "in an error" | "at a limit" | "without an answer" | "without a valid answer";
  readonly column: string;
  readonly rows: readonly number[];
  /** Names of the systems, with how many rows each. */
  readonly systems: ReadonlyMap<string, number>;
  /** How the file scores them: as failures, not at all, or some in one way and some in the other. */
  readonly scored: "failures" | "missing" | "mixed";
  /** Rows with an error and a score all the same, which counts. */
  readonly kept?: number;
}

/** An option on errors where the file tells of none. */
export function refuseErrors(errored: Errored | undefined, given: string | undefined): void {
  if (errored !== undefined || given === undefined) return;
  throw new StatError(
    "BadOption",
    "option `errors` does nothing here, since no column says which rows ended in an error.",
    "Leave option `errors` out.",
  );
}

export function findErrored(table: Table, columns: ComparisonColumns, systems: readonly string[]): Errored | undefined {
  const score = column(table, columns.score);
  if (score.kind !== "numeric") return undefined;
  const system = asFactor(column(table, columns.system));
  const wanted = new Set(systems);
  const compared = Array.from(system.codes.keys()).filter((row) => wanted.has(system.levels[system.codes[row]!] ?? ""));
  for (const name of candidates(table, columns)) {
    const cells = column(table, name);
    const { failed, either, ended = "in an error" } = failedLevels(name, asFactor(cells));
    if (failed.size === 0 || (ended === "without a valid answer" && !differsWithinItems(table, columns, name)))
      continue;
    const { codes } = asFactor(cells);
    const met = compared.filter((row) => failed.has(codes[row]!));
    const rows = endedRows(met, { scores: score.values, known: isErrorColumn(name) });
    if (rows.length === 0 || rows.length === table.rows) continue;
    const values = rows.map((row) => score.values[row]!);
    // without a score it is a row without a score, whatever it lacks beside that
    if (ended === "without an answer" && !values.every((v) => v === 0)) continue;
    // a row that has a score of its own did not end there
    if (values.some((v) => !Number.isNaN(v) && v !== 0)) continue;
    const others = compared.filter((row) => !failed.has(codes[row]!)).map((row) => score.values[row]!);
    if (either && !isBesideScores(others)) continue;
    const scored = values.every(Number.isNaN) ? "missing" : values.every((v) => v === 0) ? "failures" : "mixed";
    const counts = new Map<string, number>();
    for (const row of rows) {
      const own = system.levels[system.codes[row]!]!;
      counts.set(own, (counts.get(own) ?? 0) + 1);
    }
    const kept = met.length - rows.length;
    return { ended, column: name, rows, systems: counts, scored, ...(kept > 0 ? { kept } : {}) };
  }
  return undefined;
}

/** A row that has a score of its own did not end in its error, which was met on the way: then neither need one that scored 0 have, and those
 *  without a score did. */
function endedRows(
  rows: readonly number[],
  { scores, known }: { readonly scores: ArrayLike<number>; readonly known: boolean },
): readonly number[] {
  const without = rows.filter((row) => Number.isNaN(scores[row]!));
  const scored = rows.some((row) => !Number.isNaN(scores[row]!) && scores[row] !== 0);
  return known && scored && without.length > 0 ? without : rows;
}

/** Where all that did not fail is right, to fail is to be wrong; where others are wrong too, or rated on a scale from 1 on, it is something else. */
function isBesideScores(others: readonly number[]): boolean {
  const seen = new Set(others.filter((v) => !Number.isNaN(v)));
  return seen.has(0) || (seen.size > 2 && [...seen].every((v) => Number.isInteger(v) && v >= 1));
}

/** What says that a run failed goes before words of failure in a column of any name, and both before an answer that is missing or reads like one. */
function candidates(table: Table, columns: ComparisonColumns): string[] {
  const names = [...table.columns.keys()].filter((name) => !Object.values(columns).includes(name));
  const known = names.filter(isErrorColumn);
  const answers = names.filter((name) => namedBy(ANSWER_NAMES, name) && !known.includes(name));
  const others = names.filter((name) => !known.includes(name) && !answers.includes(name));
  return [...known, ...others.filter((name) => saysOfRuns(table, columns, name)), ...answers];
}

/** A column that says how runs went has few words, and is no property of the items: the systems differ in it on some. */
function saysOfRuns(table: Table, columns: ComparisonColumns, name: string): boolean {
  const cells = column(table, name);
  if (cells.kind !== "factor" || cells.levels.length > MOST_WORDS) return false;
  return cells.levels.some((level) => readsFailed(level.trim())) && differsWithinItems(table, columns, name);
}

/** A question that has no answer has none for any system; a table without items does not tell. */
function differsWithinItems(table: Table, { item, task }: ComparisonColumns, name: string): boolean {
  if (!table.columns.has(item)) return false;
  const of = [item, task].flatMap((own) => (own === undefined ? [] : [column(table, own)]));
  const count = (more: readonly Column[]): number => groupKeys([...of, ...more], table.rows).count;
  return count([column(table, name)]) > count([]);
}

/** A column of any name has at most so many words for how runs went, each of so few signs. */
const MOST_WORDS = 20;
const LONGEST_WORD = 40;

const readsFailed = (level: string): boolean =>
  level.length <= LONGEST_WORD && (FAILED.test(level) || AT_LIMIT.test(level));

interface FailedLevels {
  readonly failed: ReadonlySet<number>;
  /** They may also say that the answer was wrong. */
  readonly either: boolean;
  readonly ended?: Errored["ended"];
}

function failedLevels(name: string, { levels }: FactorColumn): FailedLevels {
  const those = (fails: (level: string) => boolean): Set<number> =>
    new Set(levels.flatMap((level, code) => (fails(level.trim()) ? [code] : [])));
  const flags = levels.every((level) => FLAGGED.test(level.trim()));
  const is = (names: RegExp): boolean => namedBy(names, name);
  if (is(FINE_NAMES) || is(VALID_NAMES)) {
    const failed = flags ? those((level) => REFUSED.test(level)) : new Set<number>();
    return { failed, either: true, ...(is(VALID_NAMES) ? { ended: "without a valid answer" } : {}) };
  }
  if (isErrorColumn(name) && levels.length > 0 && levels.every((level) => SERVER_CODE.test(level.trim())))
    return { failed: those((level) => Number(level) >= FIRST_FAILURE), either: false };
  if ((is(FLAG_NAMES) || is(CUT_NAMES) || is(ERROR_NAMES) || is(STATUS_NAMES)) && flags)
    return {
      failed: those((level) => !FINE.test(level)),
      either: true,
      ...(is(CUT_NAMES) ? { ended: "at a limit" } : {}),
    };
  if (is(STATUS_NAMES) || !(is(ERROR_NAMES) || is(ANSWER_NAMES))) {
    const failed = those(readsFailed);
    if (failed.size === 0)
      return { failed: is(STATUS_NAMES) ? those((level) => EITHER.test(level)) : failed, either: true };
    const cut = [...failed].every((code) => AT_LIMIT.test(levels[code]!.trim()));
    // kinds of mistakes are told in the same words as kinds of breakdowns
    return { failed, either: !is(RUN_NAMES), ...(cut ? { ended: "at a limit" } : {}) };
  }
  if (is(ERROR_NAMES)) return { failed: those((level) => level !== "" && !FINE.test(level)), either: false };
  const failed = those((level) => ERROR_TEXT.test(level));
  if (failed.size > 0) return { failed, either: true };
  const blank = those((level) => level === "" || NO_ANSWER.test(level));
  const rest = levels.length > blank.size && levels.some((_, code) => !blank.has(code));
  return { failed: rest ? blank.add(MISSING) : blank, either: true, ended: "without an answer" };
}

/** How a run ended, which no taxonomy of mistakes is called. */
const RUN_NAMES = /(status|state)$|^(outcome|(finish|stop|end|exit|termination)_?reason)$/i;

/** The code of an empty cell. */
const MISSING = -1;
/** What says no of what should be. */
const REFUSED = /^(false|no|n|0)$/i;

/** Yes, no, or a code. */
const FLAGGED = /^(true|false|yes|no|y|n|-?\d{1,3})$/i;

/** The same rows with their errors counted as asked. */
export function countErrors(table: Table, score: string, { rows }: Errored, how: "failures" | "missing"): Table {
  const cells = column(table, score);
  if (cells.kind !== "numeric") return table;
  const values = Float64Array.from(cells.values);
  for (const row of rows) values[row] = how === "failures" ? 0 : Number.NaN;
  return withColumn(table, score, numericColumn(values));
}

/** Columns that say which rows ended in an error, or hold the answers that may be missing, kept where every file has them. Where some files
 *  have an error's text and others no such field, nothing went wrong in those. */
export function withErrorColumns(parts: readonly NamedImport[]): readonly NamedImport[] {
  if (parts.length < 2) return parts;
  const all = new Set(parts.flatMap(({ imported: { table } }) => [...table.columns.keys()]));
  const shared = [...all].filter(
    (name) =>
      (isErrorColumn(name) || namedBy(ANSWER_NAMES, name)) &&
      parts.every(({ imported: { table, roles } }) =>
        table.columns.has(name) ? !roles.metrics.includes(name) : namedBy(ERROR_NAMES, name),
      ),
  );
  return parts.map(({ imported, ...part }) => {
    const { roles } = imported;
    // a column without a text in it was read as numbers, and is no other than one that is not there
    const absent = shared.filter((name) => {
      const cells = imported.table.columns.get(name);
      return cells === undefined || (cells.kind === "numeric" && cells.values.every(Number.isNaN));
    });
    const table = absent.reduce(
      (own, name) => withColumn(own, name, factorColumn(new Array<null>(own.rows).fill(null))),
      imported.table,
    );
    return {
      ...part,
      imported: { ...imported, table, roles: { ...roles, covariates: [...new Set([...roles.covariates, ...shared])] } },
    };
  });
}
