/** The variables of a model over the rows of a table: evaluated once, with the rows where none of them is missing.
 *  Limits: only variables that are in the model count; R also drops the rows that lack a variable removed by `- x`. */

import { asFactor, asNumeric, type Column, column, isMissing, type Table, withColumn } from "../data/table.ts";
import { StatError } from "../result/error.ts";
import { mostOf } from "../result/extremes.ts";
import { codeOnto } from "./coding.ts";
import type { FunctionState } from "./evaluate/call.ts";
import { evaluate } from "./evaluate/evaluate.ts";
import { describeValue, spread, type Value } from "./evaluate/value.ts";
import { expressionOf, variablesOf } from "./parse/algebra.ts";
import { faultAt } from "./parse/fault.ts";
import { columnsIn } from "./parse/parse.ts";
import { plainName, printExpression } from "./parse/print.ts";
import type { Expression, FixedTerm, Formula } from "./term.ts";

/** What a variable is for; "coded" variables make columns of X or Z. */
export type Role = "response" | "coded" | "group" | "smooth" | "offset" | "weights";

export interface ModelVariable {
  readonly label: string;
  readonly expression: Expression;
  readonly roles: ReadonlySet<Role>;
  /** The text that `expression` points into; empty for weights and offsets from outside of the formula. */
  readonly source: string;
}

/** A column of the table as the model first saw it. */
export type LearnedColumn =
  /** The mean is over the rows used. */
  | { readonly kind: "numeric"; readonly mean: number }
  | { readonly kind: "factor"; readonly levels: readonly string[]; readonly ordered: boolean };

export interface Frame {
  /** By label, one value per row of the table. */
  readonly values: ReadonlyMap<string, Value>;
  /** Rows in which nothing is missing, ascending. */
  readonly rowsUsed: Int32Array;
  readonly dropped: Dropped;
}

export interface Dropped {
  readonly rows: number;
  /** How many rows each variable lacks; a row may lack several. */
  readonly byVariable: ReadonlyMap<string, number>;
  /** Of these, rows in which the columns are present but the expression has no value, as log(x) of x < 0. */
  readonly undefined: ReadonlyMap<string, number>;
}

/** Weights and offsets that do not stand in the formula. */
export interface Extras {
  readonly weights?: Expression;
  readonly offset?: Expression;
}

/** Every variable that the formula names, once, in order of first mention. */
export function modelVariables(formula: Formula, extras: Extras, wanted: ReadonlySet<Role>): ModelVariable[] {
  const found = new Map<string, ModelVariable & { roles: Set<Role> }>();
  const add = (role: Role, expression: Expression | undefined, source = formula.text): void => {
    if (expression === undefined || !wanted.has(role)) return;
    const label = printExpression(expression);
    const known = found.get(label);
    if (known === undefined) found.set(label, { label, expression, roles: new Set([role]), source });
    else known.roles.add(role);
  };
  const addTerms = (terms: readonly FixedTerm[], role: Role): void => {
    for (const term of terms) for (const variable of variablesOf(term)) add(role, expressionOf(variable));
  };
  add("response", formula.response);
  addTerms(formula.fixed, "coded");
  for (const term of wanted.has("group") ? formula.random : []) {
    addTerms(term.of, "coded");
    for (const group of term.grouping) add("group", group);
  }
  for (const term of formula.smooth) {
    for (const covariate of term.covariates) add("smooth", covariate);
    add("smooth", term.byExpression);
  }
  for (const offset of formula.offsets) add("offset", offset);
  add("offset", extras.offset, "");
  add("weights", extras.weights, "");
  return [...found.values()];
}

export function evaluateFrame(
  table: Table,
  variables: readonly ModelVariable[],
  states: Map<string, FunctionState>,
): Frame {
  const values = new Map<string, Value>();
  const complete = new Uint8Array(table.rows).fill(1);
  const byVariable = new Map<string, number>();
  const undefinedIn = new Map<string, number>();
  for (const { label, expression, source } of variables) {
    const value = spread(evaluate(expression, { table, source, states }), table.rows);
    if (value.kind === "list") {
      throw faultAt(
        { source, at: expression.at },
        { code: "FormulaTerm", message: `${label} is ${describeValue(value)}, not a column.`, fix: "name a column." },
      );
    }
    values.set(label, value);
    const missing = markMissing(value, complete);
    if (missing === 0) continue;
    byVariable.set(plainName(expression), missing);
    const lost = expression.kind === "variable" ? 0 : countUndefined(value, expression, table);
    if (lost > 0) undefinedIn.set(plainName(expression), lost);
  }
  const rows = new Int32Array(table.rows);
  let next = 0;
  for (let row = 0; row < complete.length; row += 1) if (complete[row] === 1) rows[next++] = row;
  const rowsUsed = next === rows.length ? rows : rows.slice(0, next);
  const dropped = { rows: table.rows - rowsUsed.length, byVariable, undefined: undefinedIn };
  if (rowsUsed.length === 0) throw noRows(table, dropped);
  return { values, rowsUsed, dropped };
}

/** Rows without a value although every column of the expression has one. */
function countUndefined(value: Value, expression: Expression, table: Table): number {
  const complete = new Uint8Array(table.rows).fill(1);
  markMissing(value, complete);
  const columns = columnsIn(expression).flatMap((name) => table.columns.get(name) ?? []);
  let count = 0;
  for (let row = 0; row < complete.length; row += 1) {
    if (complete[row] === 0 && columns.every((cells) => !isMissing(cells, row))) count += 1;
  }
  return count;
}

function markMissing(value: Value, complete: Uint8Array): number {
  if (value.kind === "matrix") return Math.max(0, mostOf(value.columns.map((values) => markNaN(values, complete))));
  if (value.kind !== "factor")
    return value.kind === "constant" || value.kind === "list" ? 0 : markNaN(value.values, complete);
  let missing = 0;
  for (let row = 0; row < complete.length; row += 1) {
    if (value.codes[row]! >= 0) continue;
    complete[row] = 0;
    missing += 1;
  }
  return missing;
}

function markNaN(values: Float64Array, complete: Uint8Array): number {
  let missing = 0;
  for (let row = 0; row < complete.length; row += 1) {
    if (!Number.isNaN(values[row]!)) continue;
    complete[row] = 0;
    missing += 1;
  }
  return missing;
}

function noRows(table: Table, dropped: Dropped): StatError {
  if (table.rows === 0) return new StatError("NoRows", "the table has no rows.", "check the file and the row filter.");
  return new StatError(
    "NoRows",
    `none of the ${table.rows} rows is complete; missing: ${listMissing(dropped)}.`,
    "drop the variable that is missing everywhere, or fill it in.",
  );
}

/** "score 10, length 2". */
export function listMissing(dropped: Dropped): string {
  return [...dropped.byVariable].map(([label, count]) => `${label} ${count}`).join(", ");
}

/** The columns that the variables read, as the schema's table had them. */
export function learnColumns(
  table: Table,
  variables: readonly ModelVariable[],
  rowsUsed: Int32Array,
): Map<string, LearnedColumn> {
  const learned = new Map<string, LearnedColumn>();
  for (const name of new Set(variables.flatMap(({ expression }) => columnsIn(expression)))) {
    const cells = column(table, name);
    if (cells.kind === "factor") learned.set(name, { kind: "factor", levels: cells.levels, ordered: cells.ordered });
    else {
      let sum = 0;
      let count = 0;
      for (let i = 0; i < rowsUsed.length; i += 1) {
        const value = cells.values[rowsUsed[i]!]!;
        // A used row may lack a column that only is.na() or ifelse() reads.
        if (Number.isNaN(value)) continue;
        sum += value;
        count += 1;
      }
      learned.set(name, { kind: "numeric", mean: sum / count });
    }
  }
  return learned;
}

/** New data with the learned columns in their learned kind: numbers as numbers, factors on their old levels first. */
export function conformTable(table: Table, learned: ReadonlyMap<string, LearnedColumn>): Table {
  let conformed = table;
  for (const [name, known] of learned) {
    const cells = table.columns.get(name);
    if (cells === undefined) continue;
    const changed = conformColumn(cells, known, name);
    if (changed !== cells) conformed = withColumn(conformed, name, changed);
  }
  return conformed;
}

function conformColumn(cells: Column, known: LearnedColumn, name: string): Column {
  if (known.kind === "numeric") return asNumeric(cells, name);
  const coded = codeOnto(asFactor(cells), known.levels);
  return coded.ordered === known.ordered ? coded : { ...coded, ordered: known.ordered };
}
