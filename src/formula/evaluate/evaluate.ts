/** Expressions over the columns of a table: formula variables, row filters, new columns.
 *  Oracle: R, oracle/r/design.json (columns made by functions) and hand-checked tables for missing values.
 *  Limits: a fixed list of functions (parse/arguments.ts); nothing is ever evaluated as code. */
import { type Column, column, selectRows, type Table, withColumn } from "../../data/table.ts";
import { StatError } from "../../result/error.ts";
import { checkCalls } from "../parse/arguments.ts";
import { faultAt } from "../parse/fault.ts";
import { printExpression, unrollChain } from "../parse/print.ts";
import { readAssignment, readExpression } from "../parse/syntax.ts";
import type { Expression } from "../term.ts";
import type { FunctionState } from "./call.ts";
import { callFunction } from "./functions.ts";
import { applyBinary, applyUnary } from "./operators.ts";
import { toColumn, toLogical, type Value } from "./value.ts";

export interface EvaluationContext {
  readonly table: Table;
  /** The text that the expression came from, for error messages; may be empty. */
  readonly source: string;
  /** What functions such as scale() have learned; filled where empty. */
  readonly states: Map<string, FunctionState>;
}

export function parseExpression(text: string): Expression {
  const expression = readExpression(text);
  checkCalls(text, expression);
  return expression;
}

/** The value of the expression in every row; conditions give 1 and 0. */
export function evaluateExpression(expression: Expression, table: Table, source = ""): Column {
  const value = evaluate(expression, { table, source, states: new Map() });
  return toColumn(value, table.rows, { source, at: expression.at });
}

/** The rows for which the condition holds; where it is missing, it does not. */
export function filterRows(table: Table, condition: string): Table {
  const expression = parseExpression(condition);
  const value = evaluate(expression, { table, source: condition, states: new Map() });
  const place = { source: condition, at: expression.at };
  const { data, step } = toLogical(value, `the filter "${printExpression(expression)}"`, place);
  return selectRows(table, (row) => data[row * step] === 1);
}

/** Adds or replaces a column: "gain = after - before". */
export function mutateTable(table: Table, assignment: string): Table {
  const { name, value } = readAssignment(assignment);
  checkCalls(assignment, value);
  return withColumn(table, name, evaluateExpression(value, table, assignment));
}

/** Columns to compute, then conditions that rows must meet. */
export interface RowChoice {
  readonly mutate?: readonly string[] | undefined;
  readonly where?: readonly string[] | undefined;
}

/** The rows that the options choose; what is wrong in one is told with it. */
export function prepareTable(table: Table, { mutate = [], where = [] }: RowChoice): Table {
  const computed = mutate.reduce((rows, text) => naming("mutate", text, () => mutateTable(rows, text)), table);
  const kept = where.reduce((rows, text) => naming("where", text, () => filterRows(rows, text)), computed);
  if (kept.rows > 0) return kept;
  const message =
    where.length === 0 ? "the table has no rows." : `no row satisfies option \`where\` ${where.join(" and ")}.`;
  throw new StatError("NoRows", message, "Check the data and the conditions.");
}

function naming<T>(option: string, text: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StatError)) throw error;
    throw new StatError(error.code, `option \`${option}: ${JSON.stringify(text)}\`: ${error.message}`, error.fix);
  }
}

export function evaluate(expression: Expression, context: EvaluationContext): Value {
  const place = { source: context.source, at: expression.at };
  switch (expression.kind) {
    case "number":
    case "string":
    case "logical":
      return { kind: "constant", value: expression.value };
    case "variable":
      return lookUp(expression.name, expression.at, context);
    case "paren":
      return evaluate(expression.arg, context);
    case "unary":
      return applyUnary(expression.op, evaluate(expression.arg, context), place);
    case "binary": {
      const { first, steps } = unrollChain(expression);
      let value = evaluate(first, context);
      for (const { op, right, at } of steps) {
        value = applyBinary(op, value, evaluate(right, context), { source: context.source, at });
      }
      return value;
    }
    case "call":
      return callFunction(expression, {
        source: context.source,
        rows: context.table.rows,
        states: context.states,
        evaluate: (argument) => evaluate(argument, context),
      });
  }
}

function lookUp(name: string, at: number, { table, source }: EvaluationContext): Column {
  const found = table.columns.get(name);
  if (found !== undefined) return found;
  try {
    return column(table, name);
  } catch (error) {
    if (error instanceof StatError && source !== "") throw faultAt({ source, at }, error);
    throw error;
  }
}
