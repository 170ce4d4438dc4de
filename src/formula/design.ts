/** Schema and table → the numbers that a model is fitted to: y, X with R's column names, one block per random term, the raw
 *  columns of smooth terms, weights and offset, over the rows without missing values.
 *  Oracle: R's model.matrix() and lme4's lFormula(), oracle/r/design.json.
 *  Limits: random blocks keep the order of the formula (lme4 sorts them by number of levels); rank deficiency is found by the
 *  models, see aliasedColumns. */
import { type Column, type FactorColumn, type Table, takeCells } from "../data/table.ts";
import type { Matrix } from "../numeric/linalg/matrix.ts";
import { StatError } from "../result/error.ts";
import type { Diagnostic } from "../result/result.ts";
import { nearest } from "../result/suggest.ts";
import { codeOnto } from "./coding.ts";
import { type Operand, toFactor, toNumbers } from "./evaluate/value.ts";
import {
  conformTable,
  type Dropped,
  evaluateFrame,
  type Frame,
  listMissing,
  modelVariables,
  type Role,
} from "./frame.ts";
import { indexGroup } from "./group.ts";
import { type ModelMatrix, modelMatrix, type RowValues } from "./model-matrix.ts";
import { parseFormula } from "./parse/parse.ts";
import { printExpression } from "./parse/print.ts";
import { codeResponse } from "./response.ts";
import { learnSchema, readExtra, type Schema, type SchemaOptions } from "./schema.ts";
import { refuseVariances } from "./size.ts";
import type { Expression, Formula, Learned, RandomBlock, SmoothTerm } from "./term.ts";

/** A smooth term with its covariates in the rows used. */
export interface SmoothColumns {
  readonly term: SmoothTerm;
  readonly covariates: readonly Column[];
  readonly by?: Column;
}

export interface Design {
  readonly schema: Schema;
  /** Rows of the table, from 0, ascending; all arrays below run over these. */
  readonly rowsUsed: Int32Array;
  readonly dropped: Dropped;
  /** Numbers as they are; a factor as codes from 0 (so success is y > 0); cbind(s, f) as s / (s + f); NaN without response. */
  readonly y: Float64Array;
  /** s + f of cbind(s, f). */
  readonly trials?: Float64Array;
  readonly X: Matrix;
  /** R's coefficient names. */
  readonly names: readonly string[];
  /** The term of each column of X: 0 for the intercept, else terms[assign[j] - 1]. */
  readonly assign: Int32Array;
  readonly terms: readonly string[];
  /** In the order of the formula. */
  readonly random: readonly RandomBlock[];
  readonly smooth: readonly SmoothColumns[];
  readonly weights?: Float64Array;
  /** Sum of all offsets. */
  readonly offset?: Float64Array;
}

export interface DesignOptions {
  /** An expression over the columns, or one number per row of the table; default: what the schema was given. */
  readonly weights?: string | Float64Array | undefined;
  readonly offset?: string | Float64Array | undefined;
  /** false for new data without the response, e.g. predictions. */
  readonly response?: boolean | undefined;
  /** false leaves the random terms (and the need for their columns) out. */
  readonly random?: boolean | undefined;
  /** Unknown groups: an error, or index -1. */
  readonly newGroups?: "error" | "allow" | undefined;
}

const NO_RESPONSE_ROLES: readonly Role[] = ["coded", "smooth", "offset"];

/** Formula and table → design, for the data that the schema is learned from. */
export function buildDesign(formula: string | Formula, table: Table, options: SchemaOptions = {}): Design {
  const parsed = typeof formula === "string" ? parseFormula(formula) : formula;
  return makeDesign(learnSchema(parsed, table, options), table);
}

export function makeDesign(schema: Schema, table: Table, options: DesignOptions = {}): Design {
  const { response = true, random = true } = options;
  const { formula } = schema;
  const extras = extrasOf(schema, options, table);
  const roles = new Set(NO_RESPONSE_ROLES);
  if (response) roles.add("response");
  if (random) roles.add("group");
  if (extras.weights !== undefined) roles.add("weights");
  const variables = modelVariables(formula, extras, roles);
  const conformed = addVectors(conformTable(table, schema.columns), options);
  const frame = evaluateFrame(conformed, variables, new Map(schema.states));
  const rows = frame.rowsUsed.length;
  const coded = new Map<string, RowValues>();
  for (const { label, expression } of variables) {
    const learned = schema.learned.get(label);
    if (learned !== undefined) coded.set(label, rowValues(label, { expression, learned, frame, schema }));
  }
  const fixed = modelMatrix(schema.fixed, coded, { intercept: formula.intercept, rows });
  checkFinite(fixed, frame.rowsUsed);
  const offsets = [...formula.offsets, ...(extras.offset === undefined ? [] : [extras.offset])];
  return {
    schema,
    rowsUsed: frame.rowsUsed,
    dropped: frame.dropped,
    ...(response && schema.response !== undefined
      ? codeResponse(formula.responseLabel, schema.response, frame)
      : { y: new Float64Array(rows).fill(Number.NaN) }),
    X: fixed.matrix,
    names: fixed.names,
    assign: fixed.assign,
    terms: schema.fixed.map(({ label }) => label),
    random: random ? randomBlocks(schema, { coded, frame, allowNew: options.newGroups === "allow" }) : [],
    smooth: formula.smooth.map((term) => smoothColumns(term, coded)),
    ...(extras.weights === undefined ? {} : { weights: readWeights(extras.weights, frame, formula.text) }),
    ...(offsets.length === 0 ? {} : { offset: sumOffsets(offsets, frame, formula.text) }),
  };
}

/** Names under which vectors given by the caller join the table. */
const WEIGHTS_VECTOR = "(weights)";
const OFFSET_VECTOR = "(offset)";

function extrasOf(
  schema: Schema,
  { weights, offset, response = true }: DesignOptions,
  table: Table,
): { weights?: Expression; offset?: Expression } {
  const read = (given: string | Float64Array | undefined, vector: string): Expression | undefined => {
    if (given === undefined) return undefined;
    return typeof given === "string" ? readExtra(given, table) : { kind: "variable", name: vector, at: 0 };
  };
  const w = read(weights, WEIGHTS_VECTOR) ?? (response ? schema.weights : undefined);
  const o = read(offset, OFFSET_VECTOR) ?? schema.offset;
  return { ...(w === undefined ? {} : { weights: w }), ...(o === undefined ? {} : { offset: o }) };
}

function addVectors(table: Table, { weights, offset }: DesignOptions): Table {
  const columns = new Map(table.columns);
  for (const [name, values] of [
    [WEIGHTS_VECTOR, weights],
    [OFFSET_VECTOR, offset],
  ] as const) {
    if (values === undefined || typeof values === "string") continue;
    if (values.length !== table.rows) {
      throw new StatError(
        "UnequalLength",
        `${values.length} ${name.slice(1, -1)} for a table of ${table.rows} rows.`,
        "give one number per row, NaN where it is missing.",
      );
    }
    columns.set(name, { kind: "numeric", values });
  }
  return { rows: table.rows, columns };
}

interface VariableSource {
  readonly expression: Expression;
  readonly learned: Learned;
  readonly frame: Frame;
  readonly schema: Schema;
}

function rowValues(label: string, { expression, learned, frame, schema }: VariableSource): RowValues {
  const value = frame.values.get(label)!;
  const place = { source: schema.formula.text, at: expression.at };
  if (learned.kind === "factor") {
    const factor = codeOnto(toFactor(value, label, place), learned.levels);
    const known = learned.levels.length;
    const row = frame.rowsUsed.find((r) => factor.codes[r]! >= known);
    if (row !== undefined)
      throw unknownLevel(label, { level: factor.levels[factor.codes[row]!]!, row, known: learned.levels });
    return { kind: "factor", codes: (takeCells(factor, frame.rowsUsed) as FactorColumn).codes, learned };
  }
  if (value.kind === "matrix") {
    return { kind: "columns", columns: value.columns.map((all) => take(all, frame.rowsUsed)), names: value.names };
  }
  const { data } = toNumbers(value, label, place);
  return { kind: "columns", columns: [take(data, frame.rowsUsed)], names: [""] };
}

/** The values at the used rows; the array itself when all rows are used. */
function take(values: Float64Array, rows: Int32Array): Float64Array {
  if (rows.length === values.length) return values;
  const taken = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) taken[i] = values[rows[i]!]!;
  return taken;
}

function unknownLevel(
  label: string,
  { level, row, known }: { level: string; row: number; known: readonly string[] },
): StatError {
  const near = nearest(level, [...known]);
  const shown = known.slice(0, 12).join(", ") + (known.length > 12 ? `, … ${known.length - 12} more` : "");
  return new StatError(
    "UnknownLevel",
    `${label} is "${level}" in row ${row + 1}, a level that the model has not seen (levels: ${shown}).`,
    near === undefined
      ? "drop those rows or refit with them."
      : `did you mean "${near}"? Otherwise drop those rows or refit with them.`,
  );
}

/** R stops at infinite values; so do we, where they can be named. */
function checkFinite({ matrix, names }: ModelMatrix, rowsUsed: Int32Array): void {
  const { data } = matrix;
  let at = 0;
  while (at < data.length && Number.isFinite(data[at]!)) at += 1;
  if (at === data.length) return;
  const [row, col] = [at % matrix.rows, Math.floor(at / matrix.rows)];
  throw new StatError(
    "NotFinite",
    `${names[col]!} is ${matrix.data[at]!} in row ${rowsUsed[row]! + 1}.`,
    "use log1p(x) for zeros under a logarithm, or filter those rows.",
  );
}

interface RandomSource {
  readonly coded: ReadonlyMap<string, RowValues>;
  readonly frame: Frame;
  readonly allowNew: boolean;
}

function randomBlocks(schema: Schema, { coded, frame, allowNew }: RandomSource): RandomBlock[] {
  const indices = new Map<string, Int32Array>();
  const sizes: { columns: number; correlated: boolean }[] = [];
  return schema.formula.random.map((term, t): RandomBlock => {
    const group = schema.groups.get(term.groupLabel)!;
    const index = indices.get(group.label) ?? indexGroup(group, frame, schema.formula.text);
    indices.set(group.label, index);
    const unseen = allowNew ? -1 : index.indexOf(-1);
    if (unseen >= 0) {
      const row = frame.rowsUsed[unseen]!;
      const parts = group.variables.map((label) => {
        const factor = toFactor(frame.values.get(label)!, label, { source: "", at: 0 });
        return factor.levels[factor.codes[row]!]!;
      });
      throw unknownLevel(group.label, { level: parts.join(":"), row, known: group.levels });
    }
    const intercept = term.of[0]?.kind === "intercept";
    const { matrix, names } = modelMatrix(schema.random[t]!, coded, { intercept, rows: index.length });
    checkFinite({ matrix, names, assign: new Int32Array(0) }, frame.rowsUsed);
    sizes.push({ columns: matrix.cols, correlated: term.correlated });
    refuseVariances(sizes);
    return { group: group.label, levels: group.levels, index, Z: matrix, names, correlated: term.correlated };
  });
}

function smoothColumns(term: SmoothTerm, coded: ReadonlyMap<string, RowValues>): SmoothColumns {
  const columnOf = (expression: Expression): Column => {
    const values = coded.get(printExpression(expression))!;
    if (values.kind === "columns") return { kind: "numeric", values: values.columns[0]! };
    const { levels, ordered } = values.learned;
    return { kind: "factor", codes: values.codes, levels, ordered };
  };
  return {
    term,
    covariates: term.covariates.map(columnOf),
    ...(term.byExpression === undefined ? {} : { by: columnOf(term.byExpression) }),
  };
}

function numbersOf(expression: Expression, frame: Frame, source: string): Float64Array {
  const label = printExpression(expression);
  const operand: Operand = toNumbers(frame.values.get(label)!, label, { source, at: expression.at });
  return take(operand.data, frame.rowsUsed);
}

function readWeights(expression: Expression, frame: Frame, source: string): Float64Array {
  const weights = numbersOf(expression, frame, source);
  const bad = weights.findIndex((w) => !(w >= 0 && Number.isFinite(w)));
  if (bad < 0) return weights;
  throw new StatError(
    "BadWeight",
    `the weight in row ${frame.rowsUsed[bad]! + 1} is ${weights[bad]!}.`,
    "weights are finite and not negative.",
  );
}

function sumOffsets(expressions: readonly Expression[], frame: Frame, source: string): Float64Array {
  const sum = new Float64Array(frame.rowsUsed.length);
  for (const expression of expressions) {
    const values = numbersOf(expression, frame, source);
    for (let i = 0; i < sum.length; i += 1) sum[i]! += values[i]!;
  }
  const bad = sum.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return sum;
  const message = `the offset in row ${frame.rowsUsed[bad]! + 1} is ${sum[bad]!}.`;
  throw new StatError("NotFinite", message, "an offset such as log(n) needs n > 0.");
}

/** What to say about rows that were dropped; nothing if all rows were used. */
export function noteDropped({ dropped, rowsUsed }: Design): Diagnostic[] {
  if (dropped.rows === 0) return [];
  const total = dropped.rows + rowsUsed.length;
  const undefinedIn = [...dropped.undefined].map(
    ([label, count]) => `${label} has no value in ${count} rows where its columns have one`,
  );
  if (undefinedIn.length > 0) {
    const message = `${dropped.rows} of ${total} rows dropped (${listMissing(dropped)}): ${undefinedIn.join("; ")}.`;
    return [
      {
        code: "UndefinedValues",
        severity: "warning",
        message,
        fix: "transform otherwise (log1p(x), I(x^2)), or filter those rows on purpose.",
      },
    ];
  }
  const message = `${dropped.rows} of ${total} rows dropped for missing values (${listMissing(dropped)}).`;
  const fix = "fill in the missing values, or leave the variable out, to keep these rows.";
  return [{ code: "RowsDropped", severity: "note", message, fix }];
}

/** The warning that columns of X were dropped because others determine them. */
export function aliasedColumns(names: readonly string[], indices: ArrayLike<number>): Diagnostic {
  const aliased = Array.from(indices, (index) => names[index] ?? `column ${index + 1}`);
  return {
    code: "RankDeficient",
    severity: "warning",
    message: `dropped ${aliased.join(", ")}: ${aliased.length === 1 ? "it is" : "they are"} determined by the other columns.`,
    fix: "remove the term, or merge levels that never occur together.",
  };
}
