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
import {
  isAnswerName,
  isCutName,
  isEndName,
  isErrorName,
  isErrorText,
  isFineName,
  isFlagName,
  isStatusName,
  isValidName,
  saysEither,
  saysFailed,
  saysFine,
  saysLimit,
  saysNoAnswer,
} from "../../../study/lexicon/breakdowns.ts";
import { listed } from "../../../study/lexicon/words.ts";
import type { NamedImport } from "../../../study/merge.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

/** What a server answered: from 400 on it is an error. */
const SERVER_CODE = /^[1-5]\d\d$/;
const FIRST_FAILURE = 400;

export const isErrorColumn = (name: string): boolean =>
  [isErrorName, isStatusName, isFlagName, isCutName, isFineName, isValidName].some((is) => is(name));

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
    "option `errors` has no effect here, since no column says which rows ended in an error.",
    "Leave option `errors` out.",
  );
}

export function findErrored(table: Table, columns: ComparisonColumns, systems: readonly string[]): Errored | undefined {
  const score = column(table, columns.score);
  if (score.kind !== "numeric") return undefined;
  const system = asFactor(column(table, columns.system));
  const wanted = new Set(systems);
  const names = candidates(table, columns);
  if (names.length === 0) return undefined;
  const isCompared = system.levels.map((level) => wanted.has(level));
  const compared = Array.from(system.codes.keys()).filter((row) => isCompared[system.codes[row]!] === true);
  for (const name of names) {
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
  const answers = names.filter((name) => isAnswerName(name) && !known.includes(name));
  const others = names.filter((name) => !known.includes(name) && !answers.includes(name));
  return [...known, ...others.filter((name) => saysOfRuns(table, columns, name)), ...answers];
}

/** A column that says how runs went has few words, and is no property of the items: the systems differ in it on some. */
function saysOfRuns(table: Table, columns: ComparisonColumns, name: string): boolean {
  const cells = column(table, name);
  if (cells.kind !== "factor" || cells.levels.length > MOST_WORDS) return false;
  return cells.levels.some((level) => saysFailed(level.trim())) && differsWithinItems(table, columns, name);
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

interface FailedLevels {
  readonly failed: ReadonlySet<number>;
  /** They may also say that the answer was wrong. */
  readonly either: boolean;
  readonly ended?: Errored["ended"];
}

function failedLevels(name: string, { levels }: FactorColumn): FailedLevels {
  const those = (fails: (level: string) => boolean): Set<number> =>
    new Set(levels.flatMap((level, code) => (fails(level.trim()) ? [code] : [])));
  const flags = levels.every((level) => isFlag(level.trim()));
  if (isFineName(name) || isValidName(name)) {
    const failed = flags ? those((level) => REFUSED.has(level.toLowerCase())) : new Set<number>();
    return { failed, either: true, ...(isValidName(name) ? { ended: "without a valid answer" } : {}) };
  }
  if (isErrorColumn(name) && levels.length > 0 && levels.every((level) => SERVER_CODE.test(level.trim())))
    return { failed: those((level) => Number(level) >= FIRST_FAILURE), either: false };
  if ((isFlagName(name) || isCutName(name) || isErrorName(name) || isStatusName(name)) && flags)
    return {
      failed: those((level) => !saysFine(level)),
      either: true,
      ...(isCutName(name) ? { ended: "at a limit" } : {}),
    };
  if (isStatusName(name) || !(isErrorName(name) || isAnswerName(name))) {
    const failed = those(saysFailed);
    if (failed.size === 0)
      return { failed: isStatusName(name) ? those((level) => saysEither(level)) : failed, either: true };
    const cut = [...failed].every((code) => saysLimit(levels[code]!.trim()));
    // kinds of mistakes are told in the same words as kinds of breakdowns
    return { failed, either: !isEndName(name), ...(cut ? { ended: "at a limit" } : {}) };
  }
  if (isErrorName(name)) return { failed: those((level) => level !== "" && !saysFine(level)), either: false };
  const failed = those((level) => isErrorText(level));
  if (failed.size > 0) return { failed, either: true };
  const blank = those((level) => level === "" || saysNoAnswer(level));
  const rest = levels.length > blank.size && levels.some((_, code) => !blank.has(code));
  return { failed: rest ? blank.add(MISSING) : blank, either: true, ended: "without an answer" };
}

/** The code of an empty cell. */
const MISSING = -1;
/** What says no of what should be. */
const REFUSED = listed("false no n 0");

/** Yes, no, or a code. */
const FLAGS = listed("true false yes no y n");
const isFlag = (level: string): boolean => FLAGS.has(level.toLowerCase()) || /^-?\d{1,3}$/.test(level);

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
      (isErrorColumn(name) || isAnswerName(name)) &&
      parts.every(({ imported: { table, roles } }) =>
        table.columns.has(name) ? !roles.metrics.includes(name) : isErrorName(name),
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
