/** Repeated tries as what is compared: pass@k, pass^k, maj@k. Each system gets one number for each item (../../../metrics/tries/tries.ts) before anything
 *  is matched, so that the tests that follow are the usual ones of paired items. Of plain means: which items flip between tries. */

import { asFactor, column, numericColumn, selectRows, type Table, withColumn } from "../../../data/table.ts";
import { type Flakiness, measureFlakiness } from "../../../metrics/tries/flaky.ts";
import {
  findAnswers,
  nameTries,
  type ReducedTries,
  reduceTries,
  type TriesChoice,
} from "../../../metrics/tries/tries.ts";
import { note, warning } from "../../../result/diagnostic.ts";
import { StatError } from "../../../result/error.ts";
import type { Diagnostic } from "../../../result/result.ts";
import type { ComparisonColumns } from "../matching/matching.ts";
import { countErrors, type Errored, findErrored, refuseErrors } from "./errors.ts";

/** Of the options of `compare`, those that matter to tries. */
interface TriesOptions {
  readonly pred?: readonly string[] | undefined;
  readonly errors?: "failures" | "missing" | undefined;
  readonly unscored?: "complete" | "wrong" | "bounds" | undefined;
}

interface Read {
  readonly table: Table;
  readonly columns: ComparisonColumns;
  readonly systems: readonly string[];
}

export interface ReadTries {
  readonly table: Table;
  readonly columns: ComparisonColumns;
  readonly notes: readonly Diagnostic[];
  readonly higherIsBetter: boolean | null;
  readonly tried: ReducedTries;
}

export interface TriesWanted {
  readonly tries: TriesChoice;
  readonly options: TriesOptions;
  /** Of the score that the tries have. */
  readonly higherIsBetter: boolean | null;
  /** The column of what was answered, where an importer found one. */
  readonly prediction?: string | undefined;
}

/** One row for each system and item, with its number. */
export function readTries(
  { table, columns, systems }: Read,
  { tries, options, higherIsBetter, prediction }: TriesWanted,
): ReadTries {
  const name = nameTries(tries, columns.score);
  refuseWays(name, columns, { table, options, higherIsBetter });
  const own = ofSystems(table, columns.system, systems);
  const counted = countUnscored({ table: own, columns, systems }, options);
  const answer = tries.kind === "maj@" ? findAnswers(table, options.pred?.[0] ?? prediction) : undefined;
  const reduced = reduceTries(counted.table, { ...columns, answer }, tries);
  const { repeat: _, rater: __, ...rest } = columns;
  const range = reduced.fewest === reduced.most ? String(reduced.most) : `${reduced.fewest} to ${reduced.most}`;
  const told = note(
    "TriesReduced",
    `${name}, from ${range} tries: one number for each system and item, so that items are the units of the test.`,
    "",
  );
  return {
    table: reduced.table,
    columns: { ...rest, score: reduced.score },
    notes: [told, ...counted.notes, ...tellFlaky(measureFlakiness(counted.table, columns, systems))],
    higherIsBetter: true,
    tried: reduced,
  };
}

function refuseWays(
  name: string,
  { score, rater }: ComparisonColumns,
  {
    table,
    options,
    higherIsBetter,
  }: { readonly table: Table; readonly options: TriesOptions; readonly higherIsBetter: boolean | null },
): void {
  if (higherIsBetter === false)
    throw new StatError(
      "BadMetric",
      `${name} takes 1 for a pass, and a lower ${score} is better.`,
      "Make a column of passes with option `mutate`.",
    );
  if (options.unscored === "bounds")
    throw new StatError(
      "BadOption",
      `option \`unscored: bounds\` is not for ${name}.`,
      "Use option `unscored: wrong` or option `unscored: complete`.",
    );
  const raters = rater === undefined ? 0 : asFactor(column(table, rater)).levels.length;
  if (raters > 1)
    throw new StatError(
      "SeveralRaters",
      `${name} is of tries, and ${raters} raters (${rater}) judged them.`,
      "Keep one with option `where`, or use option `rater: none` if every row is a try.",
    );
}

/** Rows of other systems have no part in it. */
function ofSystems(table: Table, system: string, systems: readonly string[]): Table {
  const { codes, levels } = asFactor(column(table, system));
  const names = new Set(systems);
  const wanted = new Set(levels.flatMap((level, code) => (names.has(level) ? [code] : [])));
  return codes.every((code) => wanted.has(code)) ? table : selectRows(table, (row) => wanted.has(codes[row]!));
}

const COMPLETE = note("Coverage", "every try has a score: there was nothing for option `unscored` to decide.", "");

/** Tries that ended without a score: failures if an option says so, otherwise no tries. */
function countUnscored(
  { table, columns, systems }: Read,
  { errors, unscored }: TriesOptions,
): Pick<ReadTries, "table" | "notes"> {
  const errored = findErrored(table, columns, systems);
  refuseErrors(errored, errors);
  const failed = errors === "failures" || unscored === "wrong";
  const how = failed ? "failures" : errors === "missing" || unscored === "complete" ? "missing" : undefined;
  const marked = errored === undefined || how === undefined ? table : countErrors(table, columns.score, errored, how);
  const cells = column(marked, columns.score);
  if (cells.kind !== "numeric") return { table: marked, notes: [] };
  const missing = cells.values.filter((value) => Number.isNaN(value)).length;
  if (missing === 0)
    return {
      table: marked,
      notes: how === undefined ? tellErrored(errored) : unscored === undefined ? [] : [COMPLETE],
    };
  if (unscored !== "wrong") {
    // what an option on errors decides are the rows that the column of errors names
    const all = errored !== undefined && errored.rows.length >= missing;
    const of = all ? ` in ${columns.score} (column ${errored.column} says why)` : ` in ${columns.score}`;
    const message = `${missing} ${missing === 1 ? "try has" : "tries have"} no score${of} and ${missing === 1 ? "is" : "are"} left out, as if not made.`;
    const fix = `Option \`${all ? "errors: failures" : "unscored: wrong"}\` counts them as failures.`;
    return { table: marked, notes: [warning("Unscored", message, errors === "missing" ? "" : fix)] };
  }
  const filled = numericColumn(cells.values.map((value) => (Number.isNaN(value) ? 0 : value)));
  return {
    table: withColumn(marked, columns.score, filled),
    notes: [note("Coverage", `${missing} tries without a score count as failures.`, "")],
  };
}

/** A file that scores them 0 does not say whether the system was wrong or the machine was down. */
function tellErrored(errored: Errored | undefined): Diagnostic[] {
  if (errored === undefined) return [];
  const each = [...errored.systems].map(([system, count]) => `${count} of ${system}`).join(", ");
  return [
    warning(
      "Errored",
      `tries that ended ${errored.ended} (column ${errored.column}: ${each}) count as failures, as the file scores them; option \`errors: missing\` leaves them out.`,
      "Option `errors: failures` says that they are meant to count.",
    ),
  ];
}

/** A sentence on items that one system gets right in some tries and wrong in others. */
export function tellFlaky(flakiness: readonly Flakiness[]): Diagnostic[] {
  const some = flakiness.filter(({ items }) => items > 0);
  if (!some.some(({ flips }) => flips > 0)) return [];
  const told = some.map(({ system, flips, items }) => `${flips} of ${items} items of ${system}`);
  const [last, ...before] = told.reverse();
  const who = before.length === 0 ? last : `${before.reverse().join(", ")} and ${last}`;
  const message = `${who} are right in some tries and wrong in others: in a single run each could go either way.`;
  return [note("FlakyItems", message, "")];
}

/** Of scores that are averaged: where 0/1 answers were repeated. */
export const flakinessOf = ({ table, columns, systems }: Read): Flakiness[] => {
  const raters = columns.rater === undefined ? 0 : asFactor(column(table, columns.rater)).levels.length;
  return raters > 1 ? [] : measureFlakiness(table, columns, systems);
};
