/** Rows that ended in an error. Whether they count as failures or not at all is for the user to say: a score of 0 beside a time-out may be
 *  either, and so may a missing one. */

import type { NamedImport } from "../../../data/merge.ts";
import { splitWords } from "../../../data/roles/names.ts";
import {
  asFactor,
  column,
  type FactorColumn,
  factorColumn,
  numericColumn,
  type Table,
  withColumn,
} from "../../../data/table.ts";
import type { ComparisonColumns } from "../matching/matching.ts";

const ERROR_NAMES =
  /^((parse|parsing|parser|json|api|request|format|decod(e|ing)|runtime|generation)_?)?(error|errors|error_?message|error_?msg|exception|traceback|err|failure)$/i;
const STATUS_NAMES =
  /^((run|sample|result|response|request|outcome|exit|final)_?)?(status|state)$|^(outcome|(finish|stop)_?reason|error_?(type|kind|code|class))$/i;
const FINE =
  /^(success|succeeded|successful|ok|done|complete|completed|finished|stop|none|null|no|n|false|0|scored|pass|passed|fail|failed|length)$/i;
/** Either the run or the answer failed: which, the scores of the other rows say. */
const EITHER = /^(fail|fails|failed|failure|ko|not ok|broken|incomplete|unfinished|dnf|invalid|bad)$/i;
/** Yes or no, or the code that a program ended with. */
const FLAG_NAMES =
  /^((is|has|had|was)_?)?(error|errored|exception|crash|crashed|time_?out|timed_?out|failed_to_run)$|^(exit|return|status|error)_?code$/i;
/** Yes where all went well. */
const FINE_NAMES =
  /^((is|was)_?)?(ok|okay|parsed|parse(able|_?ok|_?success)|parsing_?(ok|success)|completed|finished|answered|responded)$/i;
/** What a server answered: from 400 on it is an error. */
const SERVER_CODE = /^[1-5]\d\d$/;
const FIRST_FAILURE = 400;
/** Where an answer should be. */
const ANSWER_NAMES = /^(raw_?)?(model_?)?(response|output|answer|completion|prediction|generation)(_?text)?$/i;
const ERROR_TEXT = /^\W*((\w+\.)*\w*(error|exception)|traceback|timed? ?out|timeout|rate ?limit(ed)?)\b\s*[:(\]\-–]/i;
const FAILED = /error|time-?out|timed|exception|crash|abort|cancel|refus|limit|killed|oom|out.of.memory|fehler|erreur/i;

/** Also in the words of another language: Fehler, erreur. */
const namedBy = (names: RegExp, name: string): boolean => names.test(name) || names.test(splitWords(name).join("_"));

export const isErrorColumn = (name: string): boolean =>
  [ERROR_NAMES, STATUS_NAMES, FLAG_NAMES, FINE_NAMES].some((names) => namedBy(names, name));

export interface Errored {
  /** How those rows ended: a cell where the answer should be may be empty. */
  readonly ended: "in an error" | "without an answer";
  readonly column: string;
  readonly rows: readonly number[];
  /** Names of the systems, with how many rows each. */
  readonly systems: ReadonlyMap<string, number>;
  /** How the file scores them: as failures, not at all, or some in one way and some in the other. */
  readonly scored: "failures" | "missing" | "mixed";
}

export function findErrored(table: Table, columns: ComparisonColumns, systems: readonly string[]): Errored | undefined {
  const score = column(table, columns.score);
  if (score.kind !== "numeric") return undefined;
  const system = asFactor(column(table, columns.system));
  const wanted = new Set(systems);
  const compared = Array.from(system.codes.keys()).filter((row) => wanted.has(system.levels[system.codes[row]!] ?? ""));
  // what says that a run failed goes before an answer that is missing or reads like a failure
  const names = [...table.columns.keys()].filter((name) => !Object.values(columns).includes(name));
  for (const name of [...names.filter(isErrorColumn), ...names.filter((own) => ANSWER_NAMES.test(own))]) {
    const cells = column(table, name);
    const { failed, either, ended = "in an error" } = failedLevels(name, asFactor(cells));
    if (failed.size === 0) continue;
    const { codes } = asFactor(cells);
    const rows = compared.filter((row) => failed.has(codes[row]!));
    if (rows.length === 0 || rows.length === table.rows) continue;
    const values = rows.map((row) => score.values[row]!);
    // without a score it is a row without a score, whatever it lacks beside that
    if (ended === "without an answer" && !values.every((v) => v === 0)) continue;
    // a row that has a score of its own did not end there
    if (values.some((v) => !Number.isNaN(v) && v !== 0)) continue;
    // where all that did not fail is right, to fail is to be wrong
    if (either && !compared.some((row) => score.values[row] === 0 && !failed.has(codes[row]!))) continue;
    const scored = values.every(Number.isNaN) ? "missing" : values.every((v) => v === 0) ? "failures" : "mixed";
    const counts = new Map<string, number>();
    for (const row of rows) {
      const own = system.levels[system.codes[row]!]!;
      counts.set(own, (counts.get(own) ?? 0) + 1);
    }
    return { ended, column: name, rows, systems: counts, scored };
  }
  return undefined;
}

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
  if (FINE_NAMES.test(name)) return { failed: flags ? those((level) => REFUSED.test(level)) : new Set(), either: true };
  if (isErrorColumn(name) && levels.length > 0 && levels.every((level) => SERVER_CODE.test(level.trim())))
    return { failed: those((level) => Number(level) >= FIRST_FAILURE), either: false };
  if ((FLAG_NAMES.test(name) || namedBy(ERROR_NAMES, name)) && flags)
    return { failed: those((level) => !FINE.test(level)), either: true };
  if (STATUS_NAMES.test(name)) {
    const failed = those((level) => FAILED.test(level));
    return failed.size > 0 ? { failed, either: false } : { failed: those((level) => EITHER.test(level)), either: true };
  }
  if (namedBy(ERROR_NAMES, name)) return { failed: those((level) => level !== "" && !FINE.test(level)), either: false };
  const failed = those((level) => ERROR_TEXT.test(level));
  if (failed.size > 0) return { failed, either: true };
  const blank = those((level) => level === "");
  return { failed: levels.length > blank.size ? blank.add(MISSING) : blank, either: true, ended: "without an answer" };
}

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
      (isErrorColumn(name) || ANSWER_NAMES.test(name)) &&
      parts.every(({ imported: { table, roles } }) =>
        table.columns.has(name) ? !roles.metrics.includes(name) : namedBy(ERROR_NAMES, name),
      ),
  );
  return parts.map(({ imported, ...part }) => {
    const { roles } = imported;
    const absent = shared.filter((name) => !imported.table.columns.has(name));
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
