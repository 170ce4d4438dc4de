/** The reference grid of a model: all combinations of its factors' levels, its covariates at their mean (over the rows used) or at
 *  given values, coded as the model was: a grid row is a new observation, so that log(x), scale(x), poly(x, 2) and contrasts of any
 *  kind come out right. Marginal means are averages over the grid.
 *  Reference: Searle, Speed & Milliken (1980), Am. Stat. 34:216 (population marginal means); Lenth (2016), J. Stat. Softw. 69(1).
 *  Oracle:    ref_grid and emmeans (R), oracle/r/emmeans.json.
 *  Limits:    offsets stand at their mean; a factor made from numbers, factor(x), is on the grid under the name x. */

import { type Column, makeTable, type Table } from "../../data/table.ts";
import { makeDesign } from "../../formula/design.ts";
import { expressionOf, variablesOf } from "../../formula/parse/algebra.ts";
import { columnsIn } from "../../formula/parse/parse.ts";
import { printExpression } from "../../formula/parse/print.ts";
import type { ByColumn, Schema } from "../../formula/schema.ts";
import type { Expression } from "../../formula/term.ts";
import { distinctRows } from "../../numeric/linalg/distinct-rows.ts";
import type { Matrix } from "../../numeric/linalg/matrix.ts";
import { StatError } from "../../result/error.ts";
import { didYouMean } from "../../result/suggest.ts";
import type { LinearFunctions } from "./linear-functions.ts";
import type { MarginalModel } from "./marginal-model.ts";
import { cellKey, findNesting, type Nesting } from "./nested-factors.ts";

/** A column of the table that the fixed effects use. */
export interface GridVariable {
  readonly name: string;
  /** As written in the names of means. */
  readonly levels: readonly string[];
  /** The levels of a numeric column as numbers. */
  readonly values?: readonly number[];
  /** Numeric and not turned into a factor: it has a slope, and by default a single value, its mean. */
  readonly covariate: boolean;
}

export interface ReferenceGrid {
  /** In the order in which the formula names them; the levels of the first vary fastest. */
  readonly variables: readonly GridVariable[];
  readonly rows: number;
  readonly functions: LinearFunctions;
  /** Factors that are nested in others, and the rows of the grid that exist in spite of it. */
  readonly nesting: Nesting;
  readonly exists: (row: number) => boolean;
}

export type At = ByColumn<readonly (number | string)[]>;

/** More rows than this are a mistake: a factor with a level for every item, or far too many factors. */
const LARGEST_GRID = 50_000;

export function makeReferenceGrid(model: MarginalModel, at: At = {}): ReferenceGrid {
  const { schema, offset } = model.design;
  refuseSmooths(schema);
  const variables = gridVariables(schema, at);
  const rows = variables.reduce((product, { levels }) => product * levels.length, 1);
  if (rows > LARGEST_GRID) {
    const sizes = variables.filter((v) => v.levels.length > 1).map((v) => `${v.name} ${v.levels.length}`);
    throw new StatError(
      "GridTooLarge",
      `the reference grid would have ${rows} rows (levels: ${sizes.join(", ")}).`,
      "make factors with many levels random effects, or restrict them with at.",
    );
  }
  const L = codeGrid(schema, gridTable(variables, rows));
  const mean = offset === undefined ? 0 : offset.reduce((sum, value) => sum + value, 0) / offset.length;
  const grid = {
    variables,
    rows,
    functions: { L, constant: new Float64Array(rows).fill(1), offset: new Float64Array(rows).fill(mean) },
    nesting: new Map(),
    exists: () => true,
  };
  // without dropped columns every combination of levels has a mean
  return model.kept.length < model.design.X.cols ? nestGrid(model, grid) : grid;
}

function nestGrid(model: MarginalModel, grid: ReferenceGrid): ReferenceGrid {
  const factors = grid.variables.filter((v) => !v.covariate && v.levels.length > 1).map((v) => v.name);
  if (factors.length < 2) return grid;
  const index = combinationIndex(grid, factors);
  const levels = combinations(grid, factors);
  const counts = cellCounts(model, grid, { cell: index, cells: levels.length });
  if (counts === undefined) return grid;
  const occupied = levels.filter((_, c) => counts[c]! > 0);
  const nesting = findNesting(model, factors, occupied);
  const rules = [...nesting].map(([name, outer]) => {
    const names = [name, ...outer];
    return { names, known: new Set(occupied.map((cell) => cellKey(cell, names))) };
  });
  const valid = levels.map((cell) => rules.every(({ names, known }) => known.has(cellKey(cell, names))));
  return { ...grid, nesting, exists: (row) => valid[index[row]!]! };
}

function refuseSmooths({ formula }: Schema): void {
  if (formula.smooth.length === 0) return;
  throw new StatError(
    "UnsupportedTerm",
    `${formula.smooth[0]!.label} is a smooth; marginal means are for models with linear terms.`,
    "predict from the gam instead.",
  );
}

/** The columns that the fixed effects use, with their values on the grid. */
function gridVariables(schema: Schema, at: At): GridVariable[] {
  const given = new Map<string, readonly (number | string)[]>(at instanceof Map ? at : Object.entries(at));
  const expressions = schema.formula.fixed.flatMap(variablesOf).map(expressionOf);
  const names = [...new Set(expressions.flatMap(columnsIn))];
  for (const name of given.keys()) {
    if (names.includes(name)) continue;
    throw new StatError(
      "UnknownColumn",
      `at gives values for "${name}", which the fixed effects do not use (${names.join(", ") || "they use no column"}).`,
      didYouMean(name, names) || "name a column of the formula.",
    );
  }
  return names.map((name) => gridVariable(name, { schema, expressions, wanted: given.get(name) }));
}

interface VariableSource {
  readonly schema: Schema;
  readonly expressions: readonly Expression[];
  readonly wanted: readonly (number | string)[] | undefined;
}

function gridVariable(name: string, { schema, expressions, wanted }: VariableSource): GridVariable {
  const known = schema.columns.get(name)!;
  const levels = factorLevels(name, schema, expressions);
  if (levels === undefined) {
    const values = wanted === undefined ? [(known as { mean: number }).mean] : wanted.map((v) => toNumber(name, v));
    return { name, levels: values.map(String), values, covariate: true };
  }
  const chosen = wanted === undefined ? levels : wanted.map((level) => findLevel(name, String(level), levels));
  const distinct = [...new Set(chosen)];
  if (known.kind === "factor") return { name, levels: distinct, covariate: false };
  return { name, levels: distinct, values: distinct.map(Number), covariate: false };
}

const MAKES_FACTOR: ReadonlySet<string> = new Set(["factor", "ordered", "as.factor", "as.ordered"]);

/** Levels of a factor column that occur, or of a numeric column that factor() turns into one; undefined for a covariate. */
function factorLevels(name: string, schema: Schema, expressions: readonly Expression[]): readonly string[] | undefined {
  for (const expression of expressions) {
    const label = printExpression(expression);
    const learned = schema.learned.get(label);
    if (learned?.kind !== "factor") continue;
    if (expression.kind === "variable" && expression.name === name) return learned.levels;
    if (expression.kind !== "call" || !MAKES_FACTOR.has(expression.fn)) continue;
    const [argument] = expression.args;
    const state = schema.states.get(label);
    // what the call learned are the column's own values, before any labels
    if (argument?.kind === "variable" && argument.name === name && state?.kind === "levels") return state.levels;
  }
  const known = schema.columns.get(name)!;
  return known.kind === "factor" ? known.levels : undefined;
}

function toNumber(name: string, value: number | string): number {
  const number = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value);
  if (Number.isFinite(number)) return number;
  throw new StatError("NotNumeric", `at gives ${name} the value "${value}".`, `${name} is numeric: give numbers.`);
}

function findLevel(name: string, level: string, levels: readonly string[]): string {
  if (levels.includes(level)) return level;
  throw new StatError(
    "UnknownLevel",
    `at gives ${name} the level "${level}" (levels: ${levels.slice(0, 12).join(", ")}).`,
    didYouMean(level, levels) || "name levels that occur in the rows used.",
  );
}

/** `shift` moves one covariate, for slopes. */
export function gridTable(
  variables: readonly GridVariable[],
  rows: number,
  shift: { readonly name: string; readonly by: number } = { name: "", by: 0 },
): Table {
  let stride = 1;
  const columns = variables.map(({ name, levels, values }): readonly [string, Column] => {
    const every = stride;
    stride *= levels.length;
    const level = (row: number): number => Math.floor(row / every) % levels.length;
    const codes = Int32Array.from({ length: rows }, (_, row) => level(row));
    if (values === undefined) return [name, { kind: "factor", codes, levels, ordered: false }];
    const moved = name === shift.name ? shift.by : 0;
    return [name, { kind: "numeric", values: Float64Array.from(codes, (code) => values[code]! + moved) }];
  });
  return makeTable(columns, rows);
}

/** Design rows of the grid, offsets left out. */
export function codeGrid({ offset: _offset, ...schema }: Schema, table: Table): Matrix {
  const fixedOnly = { ...schema, formula: { ...schema.formula, offsets: [] } };
  const { X } = makeDesign(fixedOnly, table, { response: false, random: false });
  if (X.rows === table.rows) return X;
  throw new StatError(
    "UndefinedOnGrid",
    `a term of ${schema.formula.text} is undefined on the reference grid, where covariates stand at their mean.`,
    "give values at which it is defined with at.",
  );
}

/** Levels of the named variables in the order of combinationIndex. */
export function combinations(
  { variables }: ReferenceGrid,
  names: readonly string[],
): Readonly<Record<string, string>>[] {
  let rows: [string, string][][] = [[]];
  for (const name of names) {
    const { levels } = variables.find((v) => v.name === name)!;
    rows = levels.flatMap((level) => rows.map((row): [string, string][] => [...row, [name, level]]));
  }
  return rows.map((row) => Object.fromEntries(row));
}

/** Which combination of the named variables each grid row belongs to; the first name varies fastest. */
export function combinationIndex({ variables, rows }: ReferenceGrid, names: readonly string[]): Int32Array {
  const index = new Int32Array(rows);
  let multiple = 1;
  for (const name of names) {
    const place = variables.findIndex((v) => v.name === name);
    const every = variables.slice(0, place).reduce((product, v) => product * v.levels.length, 1);
    const { length } = variables[place]!.levels;
    for (let row = 0; row < rows; row++) index[row]! += multiple * (Math.floor(row / every) % length);
    multiple *= length;
  }
  return index;
}

/** How many rows lie in each cell. A row of the design is recognised by its columns that depend on factors alone; undefined where
 *  a factor occurs only together with a covariate. */
export function cellCounts(
  { design }: MarginalModel,
  grid: ReferenceGrid,
  { cell, cells }: { readonly cell: Int32Array; readonly cells: number },
): Float64Array | undefined {
  if (cells === 1) return Float64Array.of(1);
  const columns = factorColumns(design, grid);
  const { L } = grid.functions;
  const cellOf = new Map<string, number>();
  for (let row = 0; row < L.rows; row++) {
    const key = rowKey(L, columns, row);
    const known = cellOf.get(key);
    if (known !== undefined && known !== cell[row]) return undefined;
    cellOf.set(key, cell[row]!);
  }
  const { X } = design;
  const counts = new Float64Array(cells);
  const kinds = distinctRows(X, X.rows);
  const cellAt = (row: number): number => cellOf.get(rowKey(X, columns, row)) ?? -1;
  const ofKind = kinds && Int32Array.from(kinds.first, cellAt);
  for (let i = 0; i < X.rows; i++) {
    const at = ofKind === undefined ? cellAt(i) : ofKind[kinds!.group[i]!]!;
    if (at >= 0) counts[at]! += 1;
  }
  return counts;
}

function factorColumns({ schema, assign }: MarginalModel["design"], grid: ReferenceGrid): number[] {
  const covariates = new Set(grid.variables.filter((v) => v.covariate).map((v) => v.name));
  const pure = schema.formula.fixed.map((term) =>
    variablesOf(term).every((variable) => !columnsIn(expressionOf(variable)).some((name) => covariates.has(name))),
  );
  return Array.from(assign.keys()).filter((j) => assign[j]! > 0 && pure[assign[j]! - 1]);
}

function rowKey(X: Matrix, columns: readonly number[], row: number): string {
  let key = "";
  for (const j of columns) key += `${X.data[row + j * X.rows]!},`;
  return key;
}
